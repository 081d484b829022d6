//! The steps from a surface to a voxel body.

use pliant::body::Contents;
use pliant::geometry::Surface;
use pliant::internals::Leaf;
use pliant::mesh::Mesh;

use crate::SurfaceTree;
use crate::embedding::Embedding;

use super::bounds::Bounds;
use super::cells::Cells;
use super::fill_by_winding::fill_by_winding;
use super::flood::flood;
use super::grid::{Grid, check_memory};
use super::holes::{Rim, small_holes};
use super::leaf_state::{LeafState, with_boundary};
use super::materials::needs_paint;
use super::matter::Matter;
use super::octree::touched_leaves;
use super::paint::Paint;
use super::pieces::Pieces;
use super::places::embedding;
use super::plug::flood_plugged;
use super::sites::LeafSites;
use super::split::split_memory;
use super::{InsideRule, MaterialRule, VoxelConfig, VoxelError, VoxelReport};

/// Memory of a leaf with matter while contents are made, in bytes: the leaf and its index.
const BYTES_PER_FULL_LEAF: f64 = (size_of::<Leaf>() + size_of::<u32>()) as f64;
/// Memory of a piece while cells are made, in bytes, rounded up.
const BYTES_PER_PIECE: f64 = 256.0;

/// A voxel body.
#[derive(Debug, Clone, PartialEq)]
pub struct Voxels {
    /// Hexahedra of one size.
    pub mesh: Mesh,
    /// The contents of each hexahedron.
    pub contents: Contents,
    /// The sites of the leaves, to give them other materials later.
    pub sites: LeafSites,
    /// The surface, split along the cells, and its places in them.
    pub embedding: Embedding,
    /// Figures about the result.
    pub report: VoxelReport,
}

/// Makes a voxel body of one material from a surface, which may be open, in several pieces or self-intersecting.
///
/// ```
/// use glam::DVec3;
/// use pliant::geometry::Surface;
/// use pliant_mesher::voxels::{VoxelConfig, voxelize};
///
/// let kite = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
/// let faces = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];
/// let voxels = voxelize(&Surface::new(kite, faces), &VoxelConfig::default())?;
/// assert!((voxels.report.volume - 1.0 / 6.0).abs() < 0.01);
/// # Ok::<(), pliant_mesher::voxels::VoxelError>(())
/// ```
pub fn voxelize(surface: &Surface, config: &VoxelConfig) -> Result<Voxels, VoxelError> {
    voxelize_with(surface, config, &[])
}

/// Makes a voxel body of several materials.
///
/// The last rule that applies to a leaf decides; without one the leaf has material 0.
pub fn voxelize_with(
    surface: &Surface,
    config: &VoxelConfig,
    rules: &[MaterialRule<'_>],
) -> Result<Voxels, VoxelError> {
    config.check()?;
    let is_painted = needs_paint(rules, surface.colours.is_some())?;
    let grid = Grid::new(Bounds::of(surface)?, config)?;
    check_memory(split_memory(surface, &grid), config.memory)?;
    let holes = Some(surface).filter(|_| config.inside == InsideRule::Auto).and_then(small_holes);
    let inside = match (config.inside, &holes) {
        (InsideRule::Auto, Some(_)) => InsideRule::Winding,
        (InsideRule::Auto, None) => InsideRule::Flood,
        (chosen, _) => chosen,
    };
    let config = &VoxelConfig { inside, ..*config };
    let states = leaf_states(surface, &grid, inside, holes.as_deref())?;
    let pieces = Pieces::new(&grid, &states);
    check_cells_memory(&grid, &states, &pieces, is_painted, config)?;
    let cells = Cells::new(&grid, &pieces);
    let matter = Matter { grid: &grid, states: &states, pieces: &pieces, cells: &cells };
    let colours = surface.colours.as_ref().filter(|_| is_painted);
    let paint = colours.map(|colours| Paint::new(surface, colours, &grid, &states));
    let (contents, sites) = matter.contents(config, rules, paint.as_ref());
    let mesh = cells.mesh(&grid, config.degree)?;
    let report = report(&matter, &mesh, &contents, config);
    Ok(Voxels { embedding: embedding(surface, &matter), mesh, contents, sites, report })
}

fn leaf_states(
    surface: &Surface,
    grid: &Grid,
    inside: InsideRule,
    holes: Option<&[Rim]>,
) -> Result<Vec<LeafState>, VoxelError> {
    let mut states = with_boundary(touched_leaves(surface, grid));
    if inside != InsideRule::Winding {
        flood(grid, &mut states);
        return Ok(states);
    }
    let tree = SurfaceTree::new(surface).map_err(VoxelError::Winding)?;
    let winding = |point| tree.winding(point);
    match holes {
        Some(holes) => flood_plugged(grid, holes, &winding, &mut states),
        None => fill_by_winding(grid, &winding, &mut states),
    }
    Ok(states)
}

/// Returns an error if cells and contents would not fit in memory.
fn check_cells_memory(
    grid: &Grid,
    states: &[LeafState],
    pieces: &Pieces,
    is_painted: bool,
    config: &VoxelConfig,
) -> Result<(), VoxelError> {
    let full = states.iter().filter(|state| **state != LeafState::Outside).count();
    let paint = if is_painted { Paint::BYTES_PER_LEAF } else { 0.0 };
    let needed = (Grid::BYTES_PER_LEAF + paint) * grid.leaf_count() as f64
        + BYTES_PER_FULL_LEAF * full as f64
        + BYTES_PER_PIECE * pieces.count() as f64;
    check_memory(needed, config.memory)
}

fn report(matter: &Matter, mesh: &Mesh, contents: &Contents, config: &VoxelConfig) -> VoxelReport {
    let grid = matter.grid;
    let count = |wanted| matter.states.iter().filter(|state| **state == wanted).count();
    let (boundary, inside) = (count(LeafState::Boundary), count(LeafState::Inside));
    let shared = matter.cells.grid_cells.chunk_by(|a, b| a == b).filter(|run| run.len() > 1);
    let fill = config.boundary_fill * boundary as f64 + inside as f64;
    VoxelReport {
        cell_size: grid.cell_size,
        leaf_size: grid.leaf_size(),
        cell_count: contents.start.len() - 1,
        node_count: mesh.nodes.len(),
        shared_place_count: shared.map(<[u32]>::len).sum(),
        part_count: matter.cells.part_count,
        boundary_leaf_count: boundary,
        inside_leaf_count: inside,
        volume: fill * grid.leaf_size().powi(3),
        inside: config.inside,
    }
}
