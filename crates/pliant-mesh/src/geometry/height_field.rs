//! Height fields: uneven ground as a solid.

use glam::DVec3;

use super::{SolidError, Surface};

/// Heights on a grid, and the solid below them down to a floor.
///
/// ```
/// use pliant_mesh::geometry::{HeightField, SolidSurface};
///
/// let heights = vec![vec![0.0, 0.0], vec![0.0, 0.3], vec![0.0, 0.0]];
/// let hill = HeightField { heights, size: [1.0, 2.0], floor: -0.1 };
/// assert!(SolidSurface::new(&hill.surface()?).is_ok());
/// # Ok::<(), pliant_mesh::geometry::SolidError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct HeightField {
    /// Rows of heights, in m: the first row at the smallest z, and in it the first height at the smallest x.
    pub heights: Vec<Vec<f64>>,
    /// Size of the grid along x and z, in m; its middle is at the origin.
    pub size: [f64; 2],
    /// Height of the floor, in m; below all heights.
    pub floor: f64,
}

impl HeightField {
    /// Returns a floor height that lies a tenth of the longer side below the lowest height.
    pub fn floor_below(heights: &[Vec<f64>], size: [f64; 2]) -> f64 {
        let lowest = heights.iter().flatten().copied().fold(f64::INFINITY, f64::min);
        lowest - 0.1 * size[0].max(size[1])
    }

    /// Returns its closed surface: the ground, four walls and the floor.
    ///
    /// # Errors
    ///
    /// Fails for fewer than two rows or columns, rows of different lengths, invalid side lengths, heights that are
    /// not finite, or a floor above the ground.
    pub fn surface(&self) -> Result<Surface, SolidError> {
        self.check()?;
        let (columns, rows) = (self.heights[0].len() as u32, self.heights.len() as u32);
        let place = |row: u32, column: u32, y: f64| {
            let share = |k: u32, count: u32| f64::from(k) / f64::from(count - 1) - 0.5;
            let (x, z) = (share(column, columns) * self.size[0], share(row, rows) * self.size[1]);
            DVec3::new(x, y, z)
        };
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let height = |row: u32, column: u32| self.heights[row as usize][column as usize];
        let top = cells.clone().map(|(row, column)| place(row, column, height(row, column)));
        let bottom = cells.map(|(row, column)| place(row, column, self.floor));
        let vertices = top.chain(bottom).collect();
        Ok(Surface::new(vertices, block_triangles(columns, rows)))
    }

    fn check(&self) -> Result<(), SolidError> {
        /// Allowed side lengths, in m; the upper end also bounds heights.
        const LENGTHS: std::ops::RangeInclusive<f64> = 1e-9..=1e9;
        let columns = self.heights.first().map_or(0, Vec::len);
        if self.heights.len() < 2 || columns < 2 {
            return Err(SolidError::Grid { rows: self.heights.len(), columns });
        }
        for (row, heights) in self.heights.iter().enumerate() {
            if heights.len() != columns {
                return Err(SolidError::Ragged { row, count: heights.len(), expected: columns });
            }
            let sound = |y: &f64| y.abs() <= *LENGTHS.end() && *y > self.floor;
            if let Some(column) = heights.iter().position(|y| !sound(y)) {
                let (value, floor) = (heights[column], self.floor);
                return Err(SolidError::Height { row, column, value, floor });
            }
        }
        match self.size.iter().find(|side| !LENGTHS.contains(side)) {
            Some(side) => Err(SolidError::Side { value: *side }),
            None if !self.floor.is_finite() => Err(SolidError::Height {
                row: 0,
                column: 0,
                value: self.heights[0][0],
                floor: self.floor,
            }),
            None => Ok(()),
        }
    }
}

/// Two triangles for every square of the ground and of the floor, and for every piece of the walls.
fn block_triangles(columns: u32, rows: u32) -> Vec<[u32; 3]> {
    let count = columns * rows;
    let at = |row: u32, column: u32| row * columns + column;
    let mut triangles = Vec::new();
    for (row, column) in (0..rows - 1).flat_map(|r| (0..columns - 1).map(move |c| (r, c))) {
        let [a, b] = [at(row, column), at(row, column + 1)];
        let [c, d] = [at(row + 1, column), at(row + 1, column + 1)];
        triangles.extend([[a, c, b], [b, c, d]]);
        triangles.extend([[a, b, c], [b, d, c]].map(|t| t.map(|k| k + count)));
    }
    // Around the border, with the outside on the right of each piece.
    let along = (0..columns - 1).map(|k| [at(0, k), at(0, k + 1)]);
    let down = (0..rows - 1).map(|k| [at(k, columns - 1), at(k + 1, columns - 1)]);
    let back = (0..columns - 1).map(|k| [at(rows - 1, k + 1), at(rows - 1, k)]);
    let up = (0..rows - 1).map(|k| [at(k + 1, 0), at(k, 0)]);
    for [a, b] in along.chain(down).chain(back).chain(up) {
        triangles.extend([[a, b, a + count], [b, b + count, a + count]]);
    }
    triangles
}
