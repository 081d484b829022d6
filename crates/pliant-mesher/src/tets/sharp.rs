//! Sharp edges of a surface, and corners of cells moved onto them.

use std::collections::BTreeMap;

use glam::DVec3;
use pliant::geometry::Surface;
use pliant_kernels::math::Rows;

use crate::SurfaceTree;
use crate::open_edges::welded_vertices;

use super::dihedral::is_well_shaped;
use super::pieces::boundary_triangles;
use super::stuffing::Stuffed;

/// The largest move of a cell's corner, in mean lengths of the edges at it.
const MAX_RELATIVE_MOVE: f64 = 0.5;
/// The number of times that corners that could not be moved are tried again.
const PASSES: usize = 3;

/// The sharp edges of a surface, and the points where they end, meet or turn.
#[derive(Debug, Default)]
pub(super) struct SharpEdges {
    tree: Option<SurfaceTree>,
    corners: Vec<DVec3>,
}

impl SharpEdges {
    /// Finds the edges between two triangles whose normals differ by more than `angle`, in rad.
    pub(super) fn new(surface: &Surface, angle: f64) -> Self {
        let edges = sharp_edges(surface, angle);
        let position = |vertex: u32| surface.vertices[vertex as usize];
        // A line is a triangle with two corners at one position.
        let lines: Vec<_> = edges.iter().map(|[a, b]| [*a, *b, *b].map(position)).collect();
        let corners =
            sharp_corners(&edges).into_iter().filter(|(_, ways)| is_corner(surface, ways));
        Self {
            corners: corners.map(|(vertex, _)| position(vertex)).collect(),
            tree: (!lines.is_empty()).then(|| SurfaceTree::of_corners(lines)),
        }
    }

    /// The nearest point of a sharp edge; `None` if it is out of reach.
    pub(super) fn nearest(&self, point: DVec3, reach: f64) -> Option<DVec3> {
        let nearest = self.tree.as_ref()?.nearest(point);
        (nearest.distance <= reach).then_some(nearest.point)
    }

    /// Moves corners of cells onto sharp edges, nearest first, where all dihedral angles stay within bounds; returns
    /// true for each corner that was moved.
    pub(super) fn snap(&self, stuffed: &mut Stuffed) -> Vec<bool> {
        let mut snap = Snap::new(stuffed);
        if self.tree.is_some() {
            snap.take(self.to_corners(&snap));
            // A corner that did not fit may fit after its neighbours have moved.
            for _ in 0..PASSES {
                snap.take(self.to_edges(&snap));
            }
        }
        snap.moved
    }

    /// For every sharp corner, a move of the nearest cell corner to it.
    fn to_corners(&self, snap: &Snap) -> Vec<Move> {
        if snap.boundary.is_empty() {
            return Vec::new();
        }
        let position = |node: &u32| snap.stuffed.nodes[*node as usize];
        let points = snap.boundary.iter().map(|node| [position(node); 3]).collect();
        let tree = SurfaceTree::of_corners(points);
        let to = |target: &DVec3| {
            let nearest = tree.nearest(*target);
            let node = snap.boundary[nearest.triangle as usize];
            Move { node, target: *target, distance: nearest.distance }
        };
        self.corners.iter().map(to).collect()
    }

    /// For every cell corner on the boundary, a move to the nearest point of a sharp edge.
    fn to_edges(&self, snap: &Snap) -> Vec<Move> {
        let to = |node: &u32| {
            let position = snap.stuffed.nodes[*node as usize];
            let target = self.nearest(position, f64::INFINITY)?;
            Some(Move { node: *node, target, distance: position.distance(target) })
        };
        snap.boundary.iter().filter_map(to).collect()
    }
}

/// A possible move of a cell's corner.
#[derive(Debug)]
struct Move {
    node: u32,
    target: DVec3,
    distance: f64,
}

/// The corners of cells while they are moved.
struct Snap<'a> {
    stuffed: &'a mut Stuffed,
    /// Corners on the boundary, ascending.
    boundary: Vec<u32>,
    cells_at: Rows,
    /// The largest move of each corner.
    reach: Vec<f64>,
    moved: Vec<bool>,
}

impl<'a> Snap<'a> {
    fn new(stuffed: &'a mut Stuffed) -> Self {
        let cells_at = Rows::from_pairs(stuffed.nodes.len(), || {
            let cells = (0u32..).zip(&stuffed.cells);
            cells.flat_map(|(number, cell)| cell.map(|node| (node as usize, number)))
        });
        let boundary = boundary_nodes(&stuffed.cells);
        let reach = (0..stuffed.nodes.len()).map(|node| reach(stuffed, node, cells_at.row(node)));
        let (reach, moved) = (reach.collect(), vec![false; stuffed.nodes.len()]);
        Self { stuffed, boundary, cells_at, reach, moved }
    }

    fn take(&mut self, mut moves: Vec<Move>) {
        moves.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.node.cmp(&b.node)));
        for Move { node, target, distance } in moves {
            let node = node as usize;
            if !self.moved[node] && distance <= self.reach[node] {
                self.moved[node] = self.go(node, target);
            }
        }
    }

    /// Moves a corner if the cells around it stay well shaped; returns true if it was moved.
    fn go(&mut self, node: usize, target: DVec3) -> bool {
        let before = std::mem::replace(&mut self.stuffed.nodes[node], target);
        let well_shaped = |cell: &u32| {
            let corners = self.stuffed.cells[*cell as usize];
            is_well_shaped(&corners.map(|corner| self.stuffed.nodes[corner as usize]))
        };
        let fits = self.cells_at.row(node).iter().all(well_shaped);
        if !fits {
            self.stuffed.nodes[node] = before;
        }
        fits
    }
}

fn reach(stuffed: &Stuffed, node: usize, cells: &[u32]) -> f64 {
    let here = stuffed.nodes[node];
    let corners = cells.iter().flat_map(|cell| stuffed.cells[*cell as usize]);
    let sum: f64 = corners.map(|corner| stuffed.nodes[corner as usize].distance(here)).sum();
    // Each cell has three edges at the corner.
    MAX_RELATIVE_MOVE * sum / (3 * cells.len().max(1)) as f64
}

/// The corners of faces that belong to one cell only, ascending.
fn boundary_nodes(cells: &[[u32; 4]]) -> Vec<u32> {
    let mut nodes: Vec<u32> = boundary_triangles(cells).into_iter().flatten().collect();
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}

/// A side of a triangle: its welded ends, ascending, and the unit normal of the orientation in which it runs in that
/// direction.
struct Side {
    ends: [u32; 2],
    normal: DVec3,
}

fn sharp_edges(surface: &Surface, angle: f64) -> Vec<[u32; 2]> {
    let welded = welded_vertices(surface);
    let mut sides = Vec::with_capacity(3 * surface.triangles.len());
    for (corners, [a, b, c]) in surface.triangles.iter().zip(surface.corners()) {
        let Some(normal) = (b - a).cross(c - a).try_normalize() else { continue };
        let same = corners.map(|vertex| welded[vertex as usize]);
        for k in 0..3 {
            let (p, q) = (same[k], same[(k + 1) % 3]);
            let side = if p < q {
                Side { ends: [p, q], normal }
            } else {
                Side { ends: [q, p], normal: -normal }
            };
            sides.push(side);
        }
    }
    sides.sort_by_key(|side| side.ends);
    let is_sharp = |pair: &&[Side]| match pair {
        // Two neighbours with consistent orientation run along their common edge in opposite directions, hence the
        // minus sign; otherwise one of them is flipped.
        [a, b] => {
            let cosine = -a.normal.dot(b.normal);
            a.normal.cross(b.normal).length().atan2(cosine) > angle && cosine > -0.999
        }
        _ => false,
    };
    let runs = sides.chunk_by(|a, b| a.ends == b.ends);
    runs.filter(is_sharp).map(|run| run[0].ends).collect()
}

/// The sharp edges at every vertex that has some, each directed away from the vertex.
fn sharp_corners(edges: &[[u32; 2]]) -> BTreeMap<u32, Vec<[u32; 2]>> {
    let mut ways: BTreeMap<u32, Vec<[u32; 2]>> = BTreeMap::new();
    for [a, b] in edges {
        ways.entry(*a).or_default().push([*a, *b]);
        ways.entry(*b).or_default().push([*b, *a]);
    }
    ways
}

/// True if sharp edges end, meet or turn by more than 50° at a vertex.
fn is_corner(surface: &Surface, ways: &[[u32; 2]]) -> bool {
    const TURN_COSINE: f64 = 0.64;
    let direction = |[from, to]: [u32; 2]| {
        (surface.vertices[to as usize] - surface.vertices[from as usize]).normalize_or_zero()
    };
    match ways {
        [a, b] => -direction(*a).dot(direction(*b)) < TURN_COSINE,
        _ => true,
    }
}
