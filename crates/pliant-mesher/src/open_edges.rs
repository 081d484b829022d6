//! Open edges of a surface.

use pliant::geometry::Surface;

/// Returns the edges that belong to one triangle only: the rims of holes.
///
/// Each is a pair of vertices in the direction of its triangle, in the order of the triangles.
///
/// Vertices at the same position count as one, so that seams of texture coordinates are not holes. Collapsed triangles,
/// which have two corners at one position, are ignored.
///
/// ```
/// use glam::DVec3;
/// use pliant::geometry::Surface;
/// use pliant_mesher::open_edges;
///
/// let sheet = Surface::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]]);
/// assert_eq!(open_edges(&sheet), [[0, 1], [1, 2], [2, 0]]);
/// ```
pub fn open_edges(surface: &Surface) -> Vec<[u32; 2]> {
    let welded = welded_vertices(surface);
    let mut edges: Vec<Occurrence> = Vec::with_capacity(3 * surface.triangles.len());
    for (triangle, corners) in surface.triangles.iter().enumerate() {
        let Some(same) = welded_corners(&welded, corners) else { continue };
        for side in 0..3 {
            let ends = [same[side], same[(side + 1) % 3]];
            let key = [ends[0].min(ends[1]), ends[0].max(ends[1])];
            edges.push(Occurrence { key, triangle, side });
        }
    }
    edges.sort_unstable();
    let mut single: Vec<_> = edges
        .chunk_by(|a, b| a.key == b.key)
        .filter(|run| run.len() == 1)
        .map(|run| (run[0].triangle, run[0].side))
        .collect();
    single.sort_unstable();
    let edge = |(triangle, side): (usize, usize)| {
        let corners = surface.triangles[triangle];
        [corners[side], corners[(side + 1) % 3]]
    };
    single.into_iter().map(edge).collect()
}

/// An edge of a triangle, by its welded ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Occurrence {
    key: [u32; 2],
    triangle: usize,
    side: usize,
}

/// The corners by welded vertex; `None` if one is out of range or two are the same.
fn welded_corners(welded: &[u32], corners: &[u32; 3]) -> Option<[u32; 3]> {
    let mut same = [0; 3];
    for (slot, corner) in same.iter_mut().zip(corners) {
        *slot = *welded.get(*corner as usize)?;
    }
    (same[0] != same[1] && same[1] != same[2] && same[2] != same[0]).then_some(same)
}

/// The first vertex at the same position, for every vertex.
pub(crate) fn welded_vertices(surface: &Surface) -> Vec<u32> {
    let vertices = &surface.vertices;
    let mut order: Vec<u32> = (0..vertices.len() as u32).collect();
    // Adding zero turns −0 into 0.
    let key = |vertex: u32| (vertices[vertex as usize] + glam::DVec3::ZERO).to_array();
    let compare = |a: &u32, b: &u32| {
        let (p, q) = (key(*a), key(*b));
        let axis = |k: usize| p[k].total_cmp(&q[k]);
        axis(0).then(axis(1)).then(axis(2)).then(a.cmp(b))
    };
    order.sort_unstable_by(compare);
    let mut welded = vec![0; vertices.len()];
    for run in order.chunk_by(|a, b| key(*a) == key(*b)) {
        run.iter().for_each(|vertex| welded[*vertex as usize] = run[0]);
    }
    welded
}
