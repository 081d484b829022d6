//! Settings of the voxel mesher.

use super::VoxelError;

/// The default number of leaf levels below the cells, for accurate masses and stiffness.
const DEFAULT_LEAF_LEVELS: u32 = 3;
/// The largest default leaf depth, unless the cells are so fine that one level below them is deeper.
const DEFAULT_MAX_LEAF_DEPTH: u32 = 7;
/// The largest depth: 2¹⁵ leaves along a side.
const MAX_DEPTH: u32 = 15;
/// The largest number of levels between cells and leaves, as many as [`pliant::body::Contents`] allows.
const MAX_LEVELS: u32 = 10;

/// The size of the cells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CellSize {
    /// 2ᵈᵉᵖᵗʰ cells along the longest side of the body.
    Depth(u32),
    /// Cells with sides of this length, in m.
    Length(f64),
}

/// The rule that decides if a leaf off the surface is inside or outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum InsideRule {
    /// [`InsideRule::Winding`] for a surface whose holes, such as a scanner leaves, have together less than a twentieth of
    /// its area; else [`InsideRule::Flood`].
    #[default]
    Auto,
    /// Leaves that cannot be reached from the border of the grid without crossing the surface are inside (Nesme et al.
    /// 2006, section 3.1). An open surface has no inside: it becomes a shell of boundary leaves.
    Flood,
    /// Leaves with a winding number above one half are inside: for surfaces with holes.
    Winding,
}

/// Settings of bounding voxels.
///
/// ```
/// use pliant_mesher::voxels::{CellSize, VoxelConfig};
///
/// let config = VoxelConfig { size: CellSize::Depth(4), degree: 2, ..Default::default() };
/// assert!(config.check().is_ok());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VoxelConfig {
    /// The size of the cells, the mechanical level (default depth `3`: eight cells along the longest side). Cells are
    /// cubes; each further level has up to eight times as many.
    pub size: CellSize,
    /// The depth of the leaves, which resolve matter and void: 2ᵈᵉᵖᵗʰ along the longest side. By default three levels
    /// below the cells, but not deeper than 7 unless the cells are that fine; then one level below. Each further level
    /// takes four to eight times the time and memory. Legs, fingers and lips less than a leaf apart are joined.
    pub leaf_depth: Option<u32>,
    /// The degree of the cells, `1` or `2` (default `1`).
    pub degree: usize,
    /// The rule for inside and outside (default [`InsideRule::Auto`]).
    pub inside: InsideRule,
    /// The fraction of a boundary leaf that is matter, in (0, 1] (default `0.5`; Nesme et al. 2006, section 5.1).
    pub boundary_fill: f64,
    /// The memory limit for leaves and for the split surface, in bytes (default `2` GiB). Larger requests are an error
    /// before memory is allocated.
    pub memory: u64,
}

impl Default for VoxelConfig {
    fn default() -> Self {
        Self {
            size: CellSize::Depth(3),
            leaf_depth: None,
            degree: 1,
            inside: InsideRule::Auto,
            boundary_fill: 0.5,
            memory: 2 << 30,
        }
    }
}

impl VoxelConfig {
    /// Checks every field.
    pub fn check(&self) -> Result<(), VoxelError> {
        let Self { size, leaf_depth, degree, inside: _, boundary_fill, memory: _ } = *self;
        match size {
            CellSize::Depth(depth) => check_depth("the depth of the cells", depth)?,
            CellSize::Length(length) if !(length.is_finite() && length > 0.0) => {
                return Err(VoxelError::Length { length });
            }
            CellSize::Length(_) => {}
        }
        leaf_depth.map_or(Ok(()), |depth| check_depth("the depth of the leaves", depth))?;
        if !(1..=2).contains(&degree) {
            return Err(VoxelError::Degree { degree });
        }
        if !(boundary_fill > 0.0 && boundary_fill <= 1.0) {
            return Err(VoxelError::Fill { fill: boundary_fill });
        }
        Ok(())
    }

    /// The number of levels between cells of this depth and their leaves.
    pub(super) fn levels(&self, cell_depth: u32) -> Result<u32, VoxelError> {
        let easy = DEFAULT_MAX_LEAF_DEPTH.max(cell_depth + 1);
        let leaf_depth = self.leaf_depth.unwrap_or(easy.min(cell_depth + DEFAULT_LEAF_LEVELS));
        let levels = leaf_depth.checked_sub(cell_depth);
        let levels = levels.ok_or(VoxelError::LeavesTooCoarse { leaf_depth, cell_depth })?;
        if levels > MAX_LEVELS {
            return Err(VoxelError::LeavesTooFine { leaf_depth, cell_depth, most: MAX_LEVELS });
        }
        Ok(levels)
    }
}

fn check_depth(what: &'static str, depth: u32) -> Result<(), VoxelError> {
    if depth > MAX_DEPTH {
        return Err(VoxelError::Depth { what, depth, most: MAX_DEPTH });
    }
    Ok(())
}
