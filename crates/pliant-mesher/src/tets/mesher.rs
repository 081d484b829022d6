//! The steps from a surface to tetrahedra.

use std::cell::OnceCell;

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
use super::envelope::{Envelope, LostPoint};
use super::farthest::{Farthest, boundary_corners, farthest};
use super::frame::UnitFrame;
use super::keeper::Keeper;
use super::lost_parts::{ThinPart, groups};
use super::pieces::{Kept, Parts};
use super::places::{Places, places};
use super::report::{Distances, distances};
use super::search::{search, search_keeping};
use super::sharp::SharpEdges;
use super::shells::Shells;
use super::size_rules::{SizeRule, SizeRules};
use super::solid::{Solid, sheet_triangles};
use super::straight::{KeptCells, StraightMesher};
use super::stuffing::Stuffed;
use super::topology::{topology_of_mesh, topology_of_surface};
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

/// The same, where thin parts may take about `most` cells in all; what would take more is lost.
pub(crate) fn tetrahedra_up_to(
    surface: &Surface,
    config: &TetConfig,
    most: usize,
) -> Result<Tetrahedra, TetError> {
    let mesher = Mesher::new(surface, config)?;
    Mesher { most_kept: most, ..mesher }.made(None)
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
    shells: Shells,
    sharp: SharpEdges,
    /// `None` if any distance will do.
    envelope: Option<Envelope>,
    /// Beyond this number of cells thin parts take no finer ones.
    most_kept: usize,
    sheet_triangles: usize,
    open_edges: usize,
}

/// Straight cells, and figures about how they were made.
struct Straight {
    length: f64,
    mesh: Mesh,
    kept: Kept,
    on_sharp: Vec<bool>,
    /// The points that cells of the size asked for would have lost.
    saved: Vec<LostPoint>,
}

/// Cells with their final boundary.
struct Finished {
    straight: Straight,
    curved: Curved,
    /// The boundary as triangles.
    boundary: Vec<[DVec3; 3]>,
    /// The distance of the boundary to the surface, without holes.
    near: Distances,
    /// The fraction of the boundary over holes.
    over_holes: f64,
    mesh_to_surface: Farthest,
    /// Found when it is first needed.
    surface_to_mesh: OnceCell<Farthest>,
}

/// The largest number of times that cells are refined where curved ones lose something.
const MAX_CORRECTIONS: usize = 2;

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
        let shells = Shells::new(&surface, &tree);
        let sharp = SharpEdges::new(&surface, config.sharp_angle);
        let (low, high) = surface.bounds();
        let diagonal = (high - low).length();
        let limit = config.within.in_diagonals(config.size, diagonal * frame.scale);
        let envelope =
            limit.map(|limit| Envelope::new(&surface, &is_sheet, limit * diagonal, config.degree));
        Ok(Self {
            config,
            frame,
            surface,
            solid,
            tree,
            shells,
            sharp,
            envelope,
            most_kept: usize::MAX,
            sheet_triangles,
            open_edges,
        })
    }

    fn made(mut self, finer: Option<&SizeRules<'_>>) -> Result<Tetrahedra, TetError> {
        let (length, mut made) = self.straight(finer)?;
        let mut finished = self.finished(length, &made, finer)?;
        // Curving may miss what straight cells were to keep: refine there, and try again.
        for _ in 0..MAX_CORRECTIONS {
            let Some(better) = self.corrected(length, &made, &finished, finer) else { break };
            let next = self.finished(length, &better, finer)?;
            (made, finished) = (better, next);
        }
        let places = places(&finished.curved.mesh, &self.surface);
        let report = self.report(&finished, &places);
        let mut mesh = finished.curved.mesh;
        mesh.nodes.iter_mut().for_each(|node| *node = self.frame.in_metres(*node));
        Ok(Tetrahedra { mesh, places: places.places, report })
    }

    /// Drops crumbs, moves corners to sharp edges, and curves the boundary.
    fn finished(
        &self,
        length: f64,
        made: &KeptCells,
        finer: Option<&SizeRules<'_>>,
    ) -> Result<Finished, TetError> {
        let mut stuffed = made.stuffed.clone();
        let kept = self.parts().drop_crumbs(&mut stuffed);
        finer.map_or(Ok(()), |finer| finer.check_met(&extents(&stuffed)))?;
        let on_sharp = self.sharp.snap(&mut stuffed);
        let mesh = mesh_of(&stuffed)?;
        let straight = Straight { length, mesh, kept, on_sharp, saved: made.saved.clone() };
        let target =
            Target { solid: &self.solid, sharp: &self.sharp, on_sharp: &straight.on_sharp };
        let curved = curved(&straight.mesh, self.config.degree, &target)?;
        let boundary = boundary_corners(&curved.mesh);
        let (near, over_holes, at) =
            distances(&curved.mesh, &curved.mesh.boundary_faces(), &self.solid);
        let mesh_to_surface = Farthest { distance: near.largest, at };
        let surface_to_mesh = OnceCell::new();
        Ok(Finished {
            straight,
            curved,
            boundary,
            near,
            over_holes,
            mesh_to_surface,
            surface_to_mesh,
        })
    }

    /// Finer straight cells where the finished ones lose something; `None` if they do not, or nothing helps.
    fn corrected(
        &self,
        length: f64,
        made: &KeptCells,
        finished: &Finished,
        finer: Option<&SizeRules<'_>>,
    ) -> Option<KeptCells> {
        // The rims of sheets are as far from the surface as the sheets are thick.
        let envelope = self.envelope.as_ref().filter(|_| self.thickness(length).is_none())?;
        let mut lost = envelope.lost_of_mesh(&finished.boundary, &self.solid);
        let far = |Farthest { distance, at }: Farthest| {
            (distance > envelope.limit).then_some(LostPoint { point: at, thickness: f64::INFINITY })
        };
        if lost.is_empty() {
            lost.extend(far(self.surface_to_mesh(finished)));
        }
        lost.extend(far(finished.mesh_to_surface));
        if lost.is_empty() {
            return None;
        }
        let keeper = self.keeper(self.max_kept_cells());
        self.straight_mesher(length, finer, keeper.as_ref()).refined_at(made, &lost)
    }

    /// Straight cells of the requested size, or of the size that gives the requested number; finer where the rules ask
    /// for it, and where something would be lost.
    fn straight(&mut self, finer: Option<&SizeRules<'_>>) -> Result<(f64, KeptCells), TetError> {
        let most = self.max_kept_cells();
        let (length, made) = match self.config.size {
            Size::Length(length) => {
                let length = length / self.frame.scale;
                (length, self.straight_at(length, finer, Some(most))?)
            }
            Size::CellCount(count) => {
                let first = (12.0 * self.volume() / count as f64).cbrt();
                let (even, made) =
                    search(count, first, |length| self.straight_at(length, None, None))?;
                let found = match self.envelope {
                    None => (even, made),
                    Some(_) => search_keeping(count, even, most, |length, most| {
                        self.straight_at(length, None, Some(most))
                    })?,
                };
                match finer {
                    None => found,
                    Some(_) => (found.0, self.straight_at(found.0, finer, Some(most))?),
                }
            }
        };
        if made.stuffed.cells.is_empty() {
            let extent = self.frame.scale;
            return Err(TetError::TooCoarse { size: length * extent, extent });
        }
        Ok((length, made))
    }

    /// Straight cells of this length; if everything is to be kept, with at most this number of cells.
    fn straight_at(
        &mut self,
        length: f64,
        finer: Option<&SizeRules<'_>>,
        keep_up_to: Option<usize>,
    ) -> Result<KeptCells, TetError> {
        self.check_count(length)?;
        self.solid.set_thickness(self.thickness(length).unwrap_or(0.0));
        let keeper = keep_up_to.and_then(|max_cells| self.keeper(max_cells));
        self.straight_mesher(length, finer, keeper.as_ref()).tetrahedra(length)
    }

    fn straight_mesher<'b>(
        &'b self,
        length: f64,
        finer: Option<&'b SizeRules<'b>>,
        keeper: Option<&'b Keeper<'b>>,
    ) -> StraightMesher<'b> {
        let margin = self.thickness(length).unwrap_or(0.0) / 2.0;
        let (low, high) = self.surface.bounds();
        StraightMesher {
            solid: &self.solid,
            bounds: (low - margin, high + margin),
            grading: self.config.grading,
            max_cells: self.config.max_cells,
            finer,
            keeper,
        }
    }

    /// What the cells must keep; `None` if any distance will do.
    fn keeper(&self, max_cells: usize) -> Option<Keeper<'_>> {
        let envelope = self.envelope.as_ref()?;
        Some(Keeper { envelope, sharp: &self.sharp, parts: self.parts(), max_cells })
    }

    fn parts(&self) -> Parts<'_> {
        let longest_crumb = self.envelope.as_ref().map_or(f64::INFINITY, |envelope| envelope.limit);
        Parts { surface: &self.surface, tree: &self.tree, shells: &self.shells, longest_crumb }
    }

    /// The largest number of cells at which parts that are lost are still refined.
    fn max_kept_cells(&self) -> usize {
        /// The largest factor by which the number may exceed that asked for.
        const MAX_FACTOR: usize = 10;
        /// This many cells are always allowed.
        const ALWAYS: usize = 10_000;
        /// The largest factor where there are sheets: they are as thick as a cell, so that finer cells lose more of them.
        const MAX_FACTOR_OF_SHEETS: usize = 3;
        let most = match self.config.size {
            Size::CellCount(count) if self.thickness(1.0).is_some() => {
                count.saturating_mul(MAX_FACTOR_OF_SHEETS)
            }
            Size::CellCount(count) => count.saturating_mul(MAX_FACTOR).max(ALWAYS),
            Size::Length(_) => usize::MAX,
        };
        most.min(self.config.max_cells).min(self.most_kept)
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

    fn report(&self, finished: &Finished, places: &Places) -> TetReport {
        let Finished { straight, curved, boundary, near, over_holes, mesh_to_surface, .. } =
            finished;
        let UnitFrame { scale, .. } = self.frame;
        let faces = straight.mesh.boundary_faces();
        let (near_straight, ..) = distances(&straight.mesh, &faces, &self.solid);
        let in_metres = |Farthest { distance, at }: Farthest| Farthest {
            distance: distance * scale,
            at: self.frame.in_metres(at),
        };
        let limit = self.envelope.as_ref().map(|envelope| envelope.limit);
        let parts = |points: &[LostPoint], reach: f64| -> Vec<ThinPart> {
            let in_metres = |part: ThinPart| ThinPart {
                at: self.frame.in_metres(part.at),
                thickness: part.thickness * scale,
            };
            groups(points, reach).into_iter().map(in_metres).collect()
        };
        let lost = self.envelope.as_ref().map(|e| e.lost_of_mesh(boundary, &self.solid));
        let lost = lost.unwrap_or_default();
        TetReport {
            size: straight.length * scale,
            cells: curved.mesh.cell_count(),
            asked_cells: match self.config.size {
                Size::CellCount(count) => Some(count),
                Size::Length(_) => None,
            },
            within: limit.map(|limit| limit * scale),
            surface_to_mesh: in_metres(self.surface_to_mesh(finished)),
            mesh_to_surface: in_metres(*mesh_to_surface),
            lost_parts: parts(&lost, 4.0 * limit.unwrap_or(0.0)),
            thin_parts: parts(&straight.saved, 2.0 * straight.length),
            shortest_edge: shortest_edge(&straight.mesh) * scale,
            surface_topology: (!self.shells.are_united)
                .then(|| topology_of_surface(&self.surface))
                .flatten(),
            topology: topology_of_mesh(&curved.mesh),
            nodes: curved.mesh.nodes.len(),
            pieces: straight.kept.pieces,
            dropped_cells: straight.kept.dropped,
            dihedral_angles: angles(&straight.mesh),
            volume: curved.mesh.volume() * scale.powi(3),
            surface_volume: self.surface.volume().abs() * scale.powi(3),
            straight: near_straight.scaled(scale),
            curved: near.scaled(scale),
            over_holes: *over_holes,
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

impl Mesher<'_> {
    /// The point of the surface farthest from the boundary of the cells.
    fn surface_to_mesh(&self, finished: &Finished) -> Farthest {
        /// The scale of interest if any distance will do, in units of the frame.
        const SCALE: f64 = 0.03;
        let scale = self.envelope.as_ref().map_or(SCALE, |envelope| envelope.limit);
        *finished.surface_to_mesh.get_or_init(|| {
            let corners: Vec<[DVec3; 3]> = self.surface.corners().collect();
            farthest(&corners, &finished.boundary, &self.solid, scale)
        })
    }
}

/// The shortest edge of straight cells.
fn shortest_edge(mesh: &Mesh) -> f64 {
    let length = |[a, b]: [u32; 2]| mesh.nodes[a as usize].distance(mesh.nodes[b as usize]);
    mesh.edges().iter().map(|edge| length(edge.corners)).fold(f64::INFINITY, f64::min)
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
