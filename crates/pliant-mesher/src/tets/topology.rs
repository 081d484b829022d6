//! The number of pieces, cavities and handles of closed surfaces.

use pliant::geometry::Surface;
use pliant::mesh::Mesh;
use pliant_kernels::math::DisjointSets;

use crate::open_edges::welded_vertices;

/// Counts that tell connectivity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Topology {
    /// Closed surfaces: one for each piece of matter, and one for each cavity.
    pub shells: usize,
    /// Handles: 0 for a ball, 1 for a ring. With V vertices, E edges and F triangles, χ = V − E + F = 2 (shells −
    /// handles).
    pub handles: usize,
}

/// The topology of a closed surface; `None` if some edge has not two triangles, so that it is open or has parts that
/// touch.
///
/// Vertices at one position are one. A vertex where two sheets touch counts once for each, so that the count is that of
/// the surface with the sheets apart.
pub(super) fn topology(triangles: &[[u32; 3]], vertex_count: usize) -> Option<Topology> {
    let mut sides: Vec<Side> = Vec::with_capacity(3 * triangles.len());
    for (number, corners) in (0u32..).zip(triangles) {
        for k in 0..3 {
            let (a, b) = (corners[k], corners[(k + 1) % 3]);
            sides.push(Side { ends: [a.min(b), a.max(b)], triangle: number });
        }
    }
    sides.sort_unstable();
    // The corners of triangles, joined across common edges: a fan of triangles is one vertex.
    let mut fans = DisjointSets::new(3 * triangles.len());
    let mut parts = DisjointSets::new(vertex_count);
    let mut edge_count = 0;
    for run in sides.chunk_by(|p, q| p.ends == q.ends) {
        let [first, second] = run else { return None };
        edge_count += 1;
        for end in first.ends {
            let corner = |side: &Side| {
                let corners = triangles[side.triangle as usize];
                let place = corners.iter().position(|vertex| *vertex == end)?;
                Some(3 * side.triangle + place as u32)
            };
            fans.join(corner(first)?, corner(second)?);
        }
        parts.join(first.ends[0], first.ends[1]);
    }
    let fan_count = (0..3 * triangles.len() as u32).filter(|fan| fans.find(*fan) == *fan).count();
    let mut shells: Vec<u32> = triangles.iter().map(|corners| parts.find(corners[0])).collect();
    shells.sort_unstable();
    shells.dedup();
    let characteristic = fan_count as i64 - edge_count + triangles.len() as i64;
    let handles = usize::try_from((2 * shells.len() as i64 - characteristic) / 2).ok()?;
    Some(Topology { shells: shells.len(), handles })
}

/// The topology of a surface, if it is closed; triangles with two corners at one position do not count.
pub(super) fn topology_of_surface(surface: &Surface) -> Option<Topology> {
    let welded = welded_vertices(surface);
    let same = |corners: &[u32; 3]| corners.map(|vertex| welded[vertex as usize]);
    let sound = |[a, b, c]: &[u32; 3]| a != b && b != c && c != a;
    let triangles: Vec<[u32; 3]> = surface.triangles.iter().map(same).filter(sound).collect();
    topology(&triangles, surface.vertices.len())
}

/// The topology of the boundary of a mesh.
pub(super) fn topology_of_mesh(mesh: &Mesh) -> Option<Topology> {
    let corners = |face: &pliant::mesh::Face| [0, 1, 2].map(|k| face.corners[k]);
    let triangles: Vec<[u32; 3]> = mesh.boundary_faces().iter().map(corners).collect();
    topology(&triangles, mesh.nodes.len())
}

/// A side of a triangle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Side {
    ends: [u32; 2],
    triangle: u32,
}
