//! Hexahedra on an integer lattice, the starting point of every generator.

use crate::element::HEX_CORNERS;

/// Coordinates of a lattice point. A box uses three; a ball adds the layer of its shell, a swept section the position
/// along its path.
pub(super) type Coordinate = [i32; 4];

/// A hexahedron spanned by three unit steps of the lattice.
#[derive(Debug, Clone, Copy)]
pub(super) struct LatticeCell {
    /// Its corner 0.
    pub(super) base: Coordinate,
    /// Steps along its three local directions, right-handed once placed in space. Splits into prisms sweep along the
    /// third direction, so neighbours across faces that contain this direction must agree on it.
    pub(super) steps: [Coordinate; 3],
}

impl LatticeCell {
    /// Returns the lattice coordinate of a point of the reference hexahedron.
    pub(super) fn at(&self, xi: [f64; 3]) -> [f64; 4] {
        std::array::from_fn(|axis| {
            (0..3).fold(f64::from(self.base[axis]), |sum, local| {
                sum + xi[local] * f64::from(self.steps[local][axis])
            })
        })
    }

    /// Returns the lattice coordinate of a corner of the reference hexahedron.
    fn corner(&self, corner: [usize; 3]) -> Coordinate {
        std::array::from_fn(|axis| {
            (0..3).fold(self.base[axis], |sum, local| {
                sum + corner[local] as i32 * self.steps[local][axis]
            })
        })
    }
}

/// Unit step along an axis of the lattice.
pub(super) const fn step(axis: usize) -> Coordinate {
    let mut step = [0; 4];
    step[axis] = 1;
    step
}

/// Unit step against an axis of the lattice.
pub(super) const fn back(axis: usize) -> Coordinate {
    let mut step = [0; 4];
    step[axis] = -1;
    step
}

/// Cells of a lattice with numbered corners.
#[derive(Debug, Clone)]
pub(super) struct LatticeGrid {
    /// The cells.
    pub(super) cells: Vec<LatticeCell>,
    /// Lattice coordinates of the nodes, the first axis running fastest.
    pub(super) nodes: Vec<Coordinate>,
    /// Corners of each cell, in the order of the reference hexahedron.
    pub(super) corners: Vec<[u32; 8]>,
}

impl LatticeGrid {
    /// Numbers the corners. With `period`, the last axis is a closed ring of that many cells.
    pub(super) fn new(cells: Vec<LatticeCell>, period: Option<i32>) -> Self {
        Self::joined(cells, |mut point| {
            point[3] = period.map_or(point[3], |period| point[3].rem_euclid(period));
            point
        })
    }

    /// Numbers the corners; points with the same coordinate after `one_of` become one node.
    pub(super) fn joined(
        cells: Vec<LatticeCell>,
        one_of: impl Fn(Coordinate) -> Coordinate,
    ) -> Self {
        let reversed = |[a, b, c, d]: Coordinate| [d, c, b, a];
        let corner_points =
            |cell: &LatticeCell| HEX_CORNERS.map(|corner| reversed(one_of(cell.corner(corner))));
        let mut sorted: Vec<Coordinate> = cells.iter().flat_map(corner_points).collect();
        sorted.sort_unstable();
        sorted.dedup();
        let number = |point: Coordinate| {
            sorted.binary_search(&point).expect("every corner is in the set") as u32
        };
        let corners = cells.iter().map(|cell| corner_points(cell).map(number)).collect();
        Self { cells, nodes: sorted.into_iter().map(reversed).collect(), corners }
    }
}

/// Cells of a box on the lattice, the first axis running fastest.
pub(super) fn box_cells(counts: [usize; 3]) -> Vec<LatticeCell> {
    let [nx, ny, nz] = counts.map(|count| count as i32);
    let mut cells = Vec::with_capacity(counts.iter().product());
    for z in 0..nz {
        for y in 0..ny {
            for x in 0..nx {
                let base = [x, y, z, 0];
                cells.push(LatticeCell { base, steps: [step(0), step(1), step(2)] });
            }
        }
    }
    cells
}
