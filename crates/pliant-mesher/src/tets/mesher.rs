//! The steps from a surface to tetrahedra.

use glam::DVec3;
use pliant::body::MeshPoint;
use pliant::element::Kind;
use pliant::geometry::Surface;
use pliant::mesh::{Block, Mesh};

use crate::{SurfaceTree, check_surface, open_edges};

use super::advance::Curved;
use super::curve::{Target, curved};
use super::curved_quality::CurvedQuality;
use super::dihedral::dihedral_range;
use super::frame::UnitFrame;
use super::pieces::{Kept, drop_crumbs};
use super::places::{Places, places};
use super::report::distances;
use super::search::search;
use super::sharp::SharpEdges;
use super::size_rules::{SizeRule, SizeRules};
use super::solid::{Solid, sheet_triangles};
use super::straight::StraightMesher;
use super::stuffing::Stuffed;
use super::{Sheets, Size, TetConfig, TetError, TetReport};

/// A tetrahedral mesh of a surface.
#[derive(Debug, Clone)]
pub struct Tetrahedra {
    /// The mesh; every cell is proved valid.
    pub mesh: Mesh,
    /// The place of each vertex of the surface in the mesh.
    pub places: Vec<MeshPoint>,
    /// Figures about the result.
    pub report: TetReport,
}

/// Fills a surface with tetrahedra.
///
/// The surface may be open or broken: points with a winding number above one half are inside.
///
/// ```
/// use glam::DVec3;
/// use pliant::geometry::Surface;
/// use pliant_mesher::tets::{Size, TetConfig, tetrahedra};
///
/// let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
/// let sides = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];
/// let config = TetConfig { size: Size::Length(0.1), ..Default::default() };
/// let made = tetrahedra(&Surface::new(corners, sides), &config)?;
/// assert!((made.report.volume - 1.0 / 6.0).abs() < 0.01);
/// assert!(made.mesh.certify().is_ok());
/// # Ok::<(), pliant_mesher::tets::TetError>(())
/// ```
pub fn tetrahedra(surface: &Surface, config: &TetConfig) -> Result<Tetrahedra, TetError> {
    Mesher::new(surface, config)?.made(None)
}

/// Fills a surface with tetrahedra that are finer where rules ask for it.
///
/// If the settings give a number of cells, that is the number without the rules: cells elsewhere keep their size, and
/// the finer ones come on top.
///
/// ```
/// use glam::DVec3;
/// use pliant_mesher::gallery::Figure;
/// use pliant_mesher::tets::{SizeRule, SizeSource, TetConfig, tetrahedra, tetrahedra_with};
///
/// let (ball, config) = (Figure::Ball.surface(0.1), TetConfig::default());
/// let above = |point: DVec3| point.y > 0.3;
/// let rule = SizeRule { size: 0.1, source: SizeSource::Region(&above) };
/// let plain = tetrahedra(&ball, &config)?;
/// let made = tetrahedra_with(&ball, &config, &[rule])?;
/// assert!(made.report.cells > plain.report.cells);
/// # Ok::<(), pliant_mesher::tets::TetError>(())
/// ```
pub fn tetrahedra_with(
    surface: &Surface,
    config: &TetConfig,
    rules: &[SizeRule<'_>],
) -> Result<Tetrahedra, TetError> {
    let mesher = Mesher::new(surface, config)?;
    let finer = SizeRules::new(rules, surface, mesher.frame)?;
    mesher.made((!rules.is_empty()).then_some(&finer))
}

/// The data of a surface that do not depend on the size of cells.
struct Mesher<'a> {
    config: &'a TetConfig,
    frame: UnitFrame,
    /// In units of the frame, as are all fields below.
    surface: Surface,
    solid: Solid,
    tree: SurfaceTree,
    sheet_triangles: usize,
    open_edges: usize,
}

/// Straight cells, and figures about how they were made.
struct Straight {
    length: f64,
    mesh: Mesh,
    kept: Kept,
    on_sharp: Vec<bool>,
}

impl<'a> Mesher<'a> {
    fn new(surface: &Surface, config: &'a TetConfig) -> Result<Self, TetError> {
        config.check()?;
        check_surface(surface)?;
        let frame = UnitFrame::of(surface);
        let surface = frame.surface_to_unit(surface);
        let tree = SurfaceTree::new(&surface)?;
        let is_sheet = sheet_triangles(&surface, &tree);
        let sheet_triangles = is_sheet.iter().filter(|flag| **flag).count();
        let open_edges = open_edges(&surface).len();
        if config.sheets == Sheets::LeftOut && sheet_triangles == is_sheet.len() {
            return Err(TetError::EnclosesNothing { open_edges });
        }
        let solid = Solid::new(&surface, &is_sheet);
        Ok(Self { config, frame, surface, solid, tree, sheet_triangles, open_edges })
    }

    fn made(mut self, finer: Option<&SizeRules<'_>>) -> Result<Tetrahedra, TetError> {
        let (length, mut stuffed) = self.stuffed(finer)?;
        let kept = drop_crumbs(&mut stuffed, &self.surface, &self.tree);
        finer.map_or(Ok(()), |finer| finer.check_met(&extents(&stuffed)))?;
        let sharp = SharpEdges::new(&self.surface, self.config.sharp_angle);
        let on_sharp = sharp.snap(&mut stuffed);
        let straight = Straight { length, mesh: mesh_of(&stuffed)?, kept, on_sharp };
        let target = Target { solid: &self.solid, sharp: &sharp, on_sharp: &straight.on_sharp };
        let curved = curved(&straight.mesh, self.config.degree, &target)?;
        let places = places(&curved.mesh, &self.surface);
        let report = self.report(&straight, &curved, &places);
        let mut mesh = curved.mesh;
        mesh.nodes.iter_mut().for_each(|node| *node = self.frame.in_metres(*node));
        Ok(Tetrahedra { mesh, places: places.places, report })
    }

    /// Straight cells of the requested size, or of the size that gives the requested number; finer where the rules ask
    /// for it.
    fn stuffed(&mut self, finer: Option<&SizeRules<'_>>) -> Result<(f64, Stuffed), TetError> {
        let (length, stuffed) = match self.config.size {
            Size::Length(length) => {
                let length = length / self.frame.scale;
                (length, self.stuffed_at(length, finer)?)
            }
            Size::CellCount(count) => {
                let first = (12.0 * self.volume() / count as f64).cbrt();
                let (length, even) = search(count, first, |length| self.stuffed_at(length, None))?;
                (length, if finer.is_some() { self.stuffed_at(length, finer)? } else { even })
            }
        };
        if stuffed.cells.is_empty() {
            let extent = self.frame.scale;
            return Err(TetError::TooCoarse { size: length * extent, extent });
        }
        Ok((length, stuffed))
    }

    fn stuffed_at(
        &mut self,
        length: f64,
        finer: Option<&SizeRules<'_>>,
    ) -> Result<Stuffed, TetError> {
        self.check_count(length)?;
        let thickness = self.thickness(length).unwrap_or(0.0);
        self.solid.set_thickness(thickness);
        let (low, high) = self.surface.bounds();
        let mesher = StraightMesher {
            solid: &self.solid,
            bounds: (low - thickness / 2.0, high + thickness / 2.0),
            grading: self.config.grading,
            max_cells: self.config.max_cells,
            finer,
        };
        mesher.tetrahedra(length)
    }

    /// Returns an error if there would be too many cells, before memory is allocated for them.
    fn check_count(&self, length: f64) -> Result<(), TetError> {
        // Twelve cells per leaf: fine leaves in a band of two along the surface, coarse ones inside; at most a full
        // bounding box of fine ones.
        let coarse = length * f64::from(1u32 << self.config.grading.inside);
        let band = 2.0 * self.surface.area() / length.powi(2);
        let cells = 12.0 * (band + self.volume() / coarse.powi(3)).min(1.0 / length.powi(3));
        let max_cells = self.config.max_cells;
        if cells > max_cells as f64 {
            return Err(TetError::TooManyCells { cells, max_cells });
        }
        Ok(())
    }

    /// The thickness of sheets when cells have this length.
    fn thickness(&self, length: f64) -> Option<f64> {
        match self.config.sheets {
            Sheets::LeftOut => None,
            _ if self.sheet_triangles == 0 => None,
            Sheets::AsThickAsCells => Some(length),
            Sheets::Thick(thickness) => Some(thickness / self.frame.scale),
        }
    }

    /// The approximate enclosed volume, bounded away from zero because counts are divided by it.
    fn volume(&self) -> f64 {
        const MIN_VOLUME: f64 = 1e-3;
        self.surface.volume().abs().clamp(MIN_VOLUME, 1.0)
    }

    fn report(&self, straight: &Straight, curved: &Curved, places: &Places) -> TetReport {
        let UnitFrame { scale, .. } = self.frame;
        let measure = |mesh: &Mesh| distances(mesh, &mesh.boundary_faces(), &self.solid);
        let (near_straight, over_holes) = measure(&straight.mesh);
        let (near_curved, _) = measure(&curved.mesh);
        TetReport {
            size: straight.length * scale,
            cells: curved.mesh.cell_count(),
            nodes: curved.mesh.nodes.len(),
            pieces: straight.kept.pieces,
            dropped_cells: straight.kept.dropped,
            dihedral_angles: angles(&straight.mesh),
            volume: curved.mesh.volume() * scale.powi(3),
            surface_volume: self.surface.volume().abs() * scale.powi(3),
            straight: near_straight.scaled(scale),
            curved: near_curved.scaled(scale),
            over_holes,
            curved_quality: CurvedQuality::of(&curved.mesh),
            held_back: curved.held_back.len(),
            on_sharp_edges: straight.on_sharp.iter().filter(|on| **on).count(),
            open_edges: self.open_edges,
            sheet_triangles: self.sheet_triangles,
            sheet_thickness: self.thickness(straight.length).map(|t| t * scale),
            vertices_outside: places.outside,
            farthest_vertex: places.farthest * scale,
        }
    }
}

/// The centres of all cells and the longest sides of their bounding boxes.
fn extents(stuffed: &Stuffed) -> Vec<(DVec3, f64)> {
    let extent = |cell: &[u32; 4]| {
        let [a, b, c, d] = cell.map(|node| stuffed.nodes[node as usize]);
        let (low, high) = (a.min(b).min(c.min(d)), a.max(b).max(c.max(d)));
        (low.midpoint(high), (high - low).max_element())
    };
    stuffed.cells.iter().map(extent).collect()
}

fn mesh_of(stuffed: &Stuffed) -> Result<Mesh, TetError> {
    let nodes = stuffed.cells.iter().flatten().copied().collect();
    Ok(Mesh::new(stuffed.nodes.clone(), vec![Block { kind: Kind::Tet4, nodes }])?)
}

/// The smallest and the largest dihedral angle.
fn angles(mesh: &Mesh) -> [f64; 2] {
    let range =
        |nodes: &[u32]| dihedral_range(&[0, 1, 2, 3].map(|k| mesh.nodes[nodes[k] as usize]));
    let all = mesh.cells().map(|(_, nodes)| range(nodes));
    all.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]).unwrap_or_default()
}
