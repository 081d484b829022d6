//! The distribution of matter inside cells that are only partly filled.

use glam::DVec3;

use crate::body::model::contents_error::ContentsError;
use pliant_kernels::element::{Moments, PartIntegrals};

/// The matter inside cells, as small cubes called leaves (Nesme et al. 2006, section 5).
///
/// The reference cube of every cell is divided into `resolution`³ leaves; only leaves with matter are listed. Masses
/// and stiffness of a cell come from its leaves, so a cell may be much coarser than the matter inside it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Contents {
    /// Leaves along a side of a cell.
    pub resolution: u32,
    /// The leaves of cell `c` are `leaves[start[c]..start[c + 1]]`.
    pub start: Vec<u32>,
    /// Leaves, cell after cell.
    pub leaves: Vec<Leaf>,
}

/// A small part of a cell, of one material.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Leaf {
    /// Its index along each side of the cell, below the resolution.
    pub place: [u16; 3],
    /// The filled fraction: 1 inside, less on the boundary.
    pub fill: f64,
    /// Its material, as an index into the list of the model.
    pub material: u32,
}

impl Contents {
    /// The leaves of a cell.
    pub fn cell(&self, cell: usize) -> &[Leaf] {
        &self.leaves[self.start[cell] as usize..self.start[cell + 1] as usize]
    }

    /// The contents of some of the cells.
    pub(crate) fn of_cells(&self, cells: &[u32]) -> Self {
        let (mut start, mut leaves) = (vec![0], Vec::new());
        for cell in cells {
            leaves.extend_from_slice(self.cell(*cell as usize));
            start.push(leaves.len() as u32);
        }
        Self { resolution: self.resolution, start, leaves }
    }

    /// The filled fraction of a cell.
    pub fn fill(&self, cell: usize) -> f64 {
        let side = f64::from(self.resolution);
        self.cell(cell).iter().map(|leaf| leaf.fill).sum::<f64>() / (side * side * side)
    }

    /// The same with the matter of every cell spread evenly over it, for comparison: the stiffness of a cell is that
    /// of a full cell times the filled fraction (Nesme et al. 2006, sections 5.1 and 5.2).
    pub fn smeared(&self) -> Self {
        let even =
            |cell| Leaf { place: [0; 3], fill: self.fill(cell), material: self.material(cell) };
        let count = self.start.len().saturating_sub(1);
        Self {
            resolution: 1,
            start: (0..=count as u32).collect(),
            leaves: (0..count).map(even).collect(),
        }
    }

    /// The material with the largest share in a cell; the lowest index of several.
    pub fn material(&self, cell: usize) -> u32 {
        let mut amounts: Vec<(u32, f64)> = Vec::new();
        for leaf in self.cell(cell) {
            match amounts.iter_mut().find(|(material, _)| *material == leaf.material) {
                Some((_, amount)) => *amount += leaf.fill,
                None => amounts.push((leaf.material, leaf.fill)),
            }
        }
        let most = |best: (u32, f64), next: &(u32, f64)| {
            let more = next.1 > best.1 || (next.1 == best.1 && next.0 < best.0);
            if more { *next } else { best }
        };
        amounts.iter().fold((0, 0.0), most).0
    }

    /// Distance of ξ from the nearest leaf of a cell, in sides of the cell; zero inside.
    pub fn distance(&self, cell: usize, xi: DVec3) -> f64 {
        let side = f64::from(self.resolution);
        let distance = |leaf: &Leaf| {
            let low = DVec3::from(leaf.place.map(f64::from)) / side;
            (low - xi).max(xi - low - 1.0 / side).max(DVec3::ZERO).length()
        };
        self.cell(cell).iter().map(distance).fold(f64::INFINITY, f64::min)
    }

    /// Moments of the matter of a cell. A leaf that is full of a material has density `weight(index of the
    /// material)`.
    pub(crate) fn moments(
        &self,
        parts: &PartIntegrals,
        cell: usize,
        weight: impl Fn(u32) -> f64,
    ) -> Moments {
        let mut moments = Moments::new(parts);
        for leaf in self.cell(cell) {
            moments.add(parts, leaf.place, leaf.fill * weight(leaf.material));
        }
        moments
    }

    /// Checks that every cell has leaves, that they lie inside it, and that their values are valid.
    pub fn check(&self, cell_count: usize, material_count: usize) -> Result<(), ContentsError> {
        if self.resolution == 0 || self.resolution > MAX_RESOLUTION {
            let (resolution, most) = (self.resolution, MAX_RESOLUTION);
            return Err(ContentsError::Resolution { resolution, most });
        }
        let last = self.start.last().map_or(0, |end| *end as usize);
        if self.start.len() != cell_count + 1 || last != self.leaves.len() {
            let given = self.start.len().saturating_sub(1);
            return Err(ContentsError::Count { given, cell_count });
        }
        for cell in 0..cell_count {
            self.check_cell(cell, material_count)?;
        }
        Ok(())
    }

    fn check_cell(&self, cell: usize, material_count: usize) -> Result<(), ContentsError> {
        if self.start[cell] >= self.start[cell + 1] {
            return Err(ContentsError::Empty { cell });
        }
        for leaf in self.cell(cell) {
            if leaf.place.iter().any(|place| u32::from(*place) >= self.resolution) {
                let (place, resolution) = (leaf.place, self.resolution);
                return Err(ContentsError::Outside { cell, place, resolution });
            }
            if !(leaf.fill > 0.0 && leaf.fill <= 1.0) {
                return Err(ContentsError::Fill { cell, fill: leaf.fill });
            }
            if leaf.material as usize >= material_count {
                let (material, count) = (leaf.material as usize, material_count);
                return Err(ContentsError::Material { cell, material, count });
            }
        }
        Ok(())
    }
}

/// Largest number of leaves along the side of a cell.
const MAX_RESOLUTION: u32 = 1024;
