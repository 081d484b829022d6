//! Outward normals of a surface.

use glam::DVec3;

use super::facets::Facets;

impl Facets {
    /// Unit normal of a triangle with vertices at `x`; zero if it has no area.
    pub(crate) fn triangle_normal(&self, x: &[DVec3], triangle: u32) -> DVec3 {
        let [a, b, c] = self.triangles[triangle as usize].map(|k| x[k as usize]);
        unit((b - a).cross(c - a))
    }

    /// The outward direction at a point of a triangle: its normal in the interior, the sum of both normals on an edge, and at a
    /// vertex the sum of all around it, weighted by their angles (Bærentzen & Aanæs 2005). A point near the surface is outside if it lies
    /// in this direction from its nearest point; a single triangle normal does not tell. `None` on an open border, which has no inside.
    pub(crate) fn normal_at(&self, x: &[DVec3], triangle: u32, weights: [f64; 3]) -> Option<DVec3> {
        let corners = self.triangles[triangle as usize];
        let edges = self.triangle_edges[triangle as usize];
        match weights.map(|w| w > 0.0) {
            [true, true, true] => Some(self.triangle_normal(x, triangle)),
            [true, true, false] => self.edge_normal(x, edges[0]),
            [false, true, true] => self.edge_normal(x, edges[1]),
            [true, false, true] => self.edge_normal(x, edges[2]),
            [true, false, false] => self.closed_vertex_normal(x, corners[0]),
            [false, true, false] => self.closed_vertex_normal(x, corners[1]),
            [false, false, _] => self.closed_vertex_normal(x, corners[2]),
        }
    }

    /// The sum of the normals on both sides of an edge; `None` at an open border.
    fn edge_normal(&self, x: &[DVec3], edge: u32) -> Option<DVec3> {
        let [Some(a), Some(b)] = self.edges[edge as usize].triangles else { return None };
        Some(unit(self.triangle_normal(x, a) + self.triangle_normal(x, b)))
    }

    fn closed_vertex_normal(&self, x: &[DVec3], vertex: u32) -> Option<DVec3> {
        let closed = |triangle: &u32| {
            let edges = self.triangle_edges[*triangle as usize];
            edges
                .iter()
                .map(|edge| self.edges[*edge as usize])
                .all(|edge| !edge.vertices.contains(&vertex) || edge.triangles[1].is_some())
        };
        let all_closed = self.around(vertex).iter().all(closed);
        all_closed.then(|| self.vertex_normal(x, vertex))
    }

    /// The sum of the normals around a vertex, weighted by angles.
    pub(crate) fn vertex_normal(&self, x: &[DVec3], vertex: u32) -> DVec3 {
        let centre = x[vertex as usize];
        let part = |triangle: &u32| {
            let [a, b, c] = self.triangles[*triangle as usize];
            let [p, q] = if a == vertex {
                [b, c]
            } else if b == vertex {
                [c, a]
            } else {
                [a, b]
            };
            let (u, v) = (x[p as usize] - centre, x[q as usize] - centre);
            let across = u.cross(v);
            unit(across) * across.length().atan2(u.dot(v))
        };
        unit(self.around(vertex).iter().map(part).sum())
    }
}

/// The direction of a vector; zero for the zero vector.
fn unit(v: DVec3) -> DVec3 {
    // Scaled first: the squared length of the normal of a triangle of micrometres would underflow.
    let size = v.abs().max_element();
    if size > 0.0 { (v / size).normalize_or_zero() } else { DVec3::ZERO }
}
