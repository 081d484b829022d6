//! The vertices of a mesh: those of a skin, split along its sharp edges.

use pliant::glam::DVec3;

/// Triangles on vertices that are shared only where the surface is smooth.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Creased {
    /// The vertex of the skin at every vertex.
    pub(crate) skin_vertex: Vec<u32>,
    /// The triangles, in the order of the skin.
    pub(crate) triangles: Vec<[u32; 3]>,
}

impl Creased {
    /// Splits vertices along edges whose faces turn by more than `angle`, in rad, in this shape.
    pub(crate) fn new(vertices: &[DVec3], triangles: &[[u32; 3]], angle: f64) -> Self {
        let normals: Vec<DVec3> =
            triangles.iter().map(|triangle| unit_normal(vertices, triangle)).collect();
        let cosine = angle.cos();
        let smooth = |a: u32, b: u32| {
            let [first, second] = [a, b].map(|triangle| triangle as usize);
            normals[first].dot(normals[second]) >= cosine
                && share_edge(&triangles[first], &triangles[second])
        };
        let mut creased = Self { skin_vertex: Vec::new(), triangles: triangles.to_vec() };
        for (vertex, around) in (0u32..).zip(triangles_around(vertices.len(), triangles)) {
            for fan in smooth_fans(around, &smooth) {
                creased.add_vertex(vertex, &fan, triangles);
            }
        }
        creased
    }

    /// Adds a copy of a vertex of the skin, for these triangles.
    fn add_vertex(&mut self, vertex: u32, fan: &[u32], skin: &[[u32; 3]]) {
        let own = self.skin_vertex.len() as u32;
        self.skin_vertex.push(vertex);
        for triangle in fan {
            let corners = self.triangles[*triangle as usize].iter_mut();
            let of_skin = skin[*triangle as usize];
            corners.zip(of_skin).filter(|(_, of)| *of == vertex).for_each(|(to, _)| *to = own);
        }
    }
}

/// Parts the triangles around a vertex into fans that are smooth across every edge inside of them.
fn smooth_fans(mut left: Vec<u32>, smooth: &dyn Fn(u32, u32) -> bool) -> Vec<Vec<u32>> {
    let mut fans = Vec::new();
    while let Some(first) = left.pop() {
        let mut fan = vec![first];
        let mut next = 0;
        while let Some(triangle) = fan.get(next).copied() {
            let joined;
            (joined, left) = left.into_iter().partition(|other| smooth(triangle, *other));
            fan.extend::<Vec<u32>>(joined);
            next += 1;
        }
        fans.push(fan);
    }
    fans
}

fn triangles_around(vertex_count: usize, triangles: &[[u32; 3]]) -> Vec<Vec<u32>> {
    let mut around = vec![Vec::new(); vertex_count];
    for (index, triangle) in (0u32..).zip(triangles) {
        triangle.iter().for_each(|vertex| around[*vertex as usize].push(index));
    }
    around
}

fn share_edge(a: &[u32; 3], b: &[u32; 3]) -> bool {
    a.iter().filter(|vertex| b.contains(vertex)).count() >= 2
}

fn unit_normal(vertices: &[DVec3], triangle: &[u32; 3]) -> DVec3 {
    let [a, b, c] = triangle.map(|vertex| vertices[vertex as usize]);
    (b - a).cross(c - a).normalize_or_zero()
}

#[cfg(test)]
mod tests {
    use pliant::{Shape, Surface};

    use super::*;

    fn creased(shape: &Shape, fineness: u32) -> (Surface, Creased) {
        let surface = shape.surface(fineness).expect("the shape has a surface");
        let creased = Creased::new(&surface.vertices, &surface.triangles, 0.7);
        (surface, creased)
    }

    #[test]
    fn a_box_has_three_vertices_at_each_corner() {
        let (surface, creased) = creased(&Shape::Box { half: DVec3::ONE }, 1);
        assert_eq!((surface.vertices.len(), creased.skin_vertex.len()), (8, 24));
    }

    #[test]
    fn a_ball_shares_all_its_vertices() {
        let (surface, creased) = creased(&Shape::Sphere { radius: 1.0 }, 4);
        assert_eq!(creased.skin_vertex.len(), surface.vertices.len());
    }

    #[test]
    fn triangles_keep_their_corners() {
        let (surface, creased) = creased(&Shape::Box { half: DVec3::ONE }, 3);
        let of_skin =
            |triangle: &[u32; 3]| triangle.map(|vertex| creased.skin_vertex[vertex as usize]);
        let triangles: Vec<_> = creased.triangles.iter().map(of_skin).collect();
        assert_eq!(triangles, surface.triangles);
    }
}
