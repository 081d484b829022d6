//! Isotropic remeshing: splits, collapses and flips edges, and smooths vertices along the surface.
//!
//! The steps are those of Botsch & Kobbelt 2004, section 4, with projection by the signed distance.

use glam::DVec3;
use pliant::geometry::Surface;

use super::solid::Solid;

/// The number of rounds of splitting, collapsing, flipping and smoothing.
const ROUNDS: usize = 6;

/// Edges whose end normals have a cosine below this are collapsed only below half of [`MIN_RELATIVE_LENGTH`].
const BENT_COSINE: f64 = 0.9;

/// Edges whose end normals have a cosine below this are split down to [`MIN_RELATIVE_LENGTH`].
const SHARP_COSINE: f64 = 0.8;

/// The shortest length that bent edges are split to, relative to the target edge length.
const MIN_RELATIVE_LENGTH: f64 = 0.4;

/// Remeshes a surface to edges of about `edge`, with its vertices on the zero set of the solid.
///
/// Edges stay shorter where the curvature is higher. Topology and manifoldness are preserved; vertices on a border
/// stay.
pub(super) fn evened(surface: Surface, solid: &Solid, edge: f64) -> Surface {
    let mut remesh = Remesh::new(surface, solid, edge);
    for _ in 0..ROUNDS {
        remesh.split_edges();
        remesh.collapse_short_edges();
        remesh.flip_edges();
        remesh.spread();
    }
    remesh.flip_edges();
    remesh.finish()
}

struct Remesh<'a> {
    solid: &'a Solid,
    edge: f64,
    vertices: Vec<DVec3>,
    /// A removed triangle has three equal vertices.
    triangles: Vec<[u32; 3]>,
    /// The triangles around each vertex.
    around: Vec<Vec<u32>>,
    border: Vec<bool>,
    /// The normals of the signed distance at the vertices.
    normals: Vec<DVec3>,
}

impl<'a> Remesh<'a> {
    fn new(surface: Surface, solid: &'a Solid, edge: f64) -> Self {
        let Surface { vertices, triangles, .. } = surface;
        let mut around = vec![Vec::new(); vertices.len()];
        for (index, triangle) in triangles.iter().enumerate() {
            triangle.iter().for_each(|vertex| around[*vertex as usize].push(index as u32));
        }
        let border = vec![false; vertices.len()];
        let normals = vertices.iter().map(|x| solid.normal(*x)).collect();
        let mut remesh = Self { solid, edge, vertices, triangles, around, border, normals };
        remesh.border = (0..remesh.vertices.len() as u32)
            .map(|v| remesh.neighbours(v).len() != remesh.around[v as usize].len())
            .collect();
        remesh
    }

    fn at(&self, vertex: u32) -> DVec3 {
        self.vertices[vertex as usize]
    }

    /// The vertices that share a triangle with this one, ascending.
    fn neighbours(&self, vertex: u32) -> Vec<u32> {
        let triangles = self.around[vertex as usize].iter();
        let mut all: Vec<u32> =
            triangles.flat_map(|triangle| self.triangles[*triangle as usize]).collect();
        all.sort_unstable();
        all.dedup();
        all.retain(|other| *other != vertex);
        all
    }

    fn area_vector(&self, triangle: [u32; 3]) -> DVec3 {
        let [a, b, c] = triangle.map(|vertex| self.at(vertex));
        (b - a).cross(c - a)
    }

    /// The cosine of the angle between the normals of two vertices.
    fn bend(&self, a: u32, b: u32) -> f64 {
        self.normals[a as usize].dot(self.normals[b as usize])
    }

    fn split_edges(&mut self) {
        for a in 0..self.vertices.len() as u32 {
            for b in self.neighbours(a) {
                let longest =
                    if self.bend(a, b) < SHARP_COSINE { MIN_RELATIVE_LENGTH } else { 4.0 / 3.0 };
                if a < b && self.at(a).distance(self.at(b)) > longest * self.edge {
                    self.split(a, b);
                }
            }
        }
    }

    /// Inserts a vertex at the middle of the edge between triangles (a, b, c) and (b, a, d).
    fn split(&mut self, a: u32, b: u32) {
        let (Some((left, c)), Some((right, d))) = (self.across(a, b), self.across(b, a)) else {
            return;
        };
        let middle = self.vertices.len() as u32;
        let x = self.solid.projected((self.at(a) + self.at(b)) / 2.0, self.edge / 2.0);
        self.vertices.push(x);
        self.normals.push(self.solid.normal(x));
        self.border.push(false);
        let more = self.triangles.len() as u32;
        self.triangles[left as usize] = [a, middle, c];
        self.triangles[right as usize] = [middle, a, d];
        self.triangles.extend([[middle, b, c], [b, middle, d]]);
        self.around.push(vec![left, right, more, more + 1]);
        self.around[b as usize].retain(|index| *index != left && *index != right);
        self.around[b as usize].extend([more, more + 1]);
        self.around[c as usize].push(more);
        self.around[d as usize].push(more + 1);
    }

    fn collapse_short_edges(&mut self) {
        for a in 0..self.vertices.len() as u32 {
            for b in self.neighbours(a) {
                // An earlier collapse may have removed the neighbour.
                if a < b && !self.around[b as usize].is_empty() {
                    self.collapse(a, b);
                }
            }
        }
    }

    /// Merges `a` and `b` if they are close, and if the surface stays valid.
    fn collapse(&mut self, a: u32, b: u32) {
        let border = self.border[a as usize] || self.border[b as usize];
        let longest = if self.bend(a, b) < BENT_COSINE { 0.5 * MIN_RELATIVE_LENGTH } else { 0.8 };
        if border || self.at(a).distance(self.at(b)) > longest * self.edge {
            return;
        }
        let (of_a, of_b) = (self.neighbours(a), self.neighbours(b));
        let shared: Vec<u32> = of_a.iter().copied().filter(|v| of_b.contains(v)).collect();
        // The link condition: topology is preserved if only the two vertices opposite the edge are neighbours of both
        // ends.
        let sound = of_a.contains(&b)
            && shared.len() == 2
            && shared.iter().all(|v| self.around[*v as usize].len() > 3);
        let middle = (self.at(a) + self.at(b)) / 2.0;
        let far = |v: &u32| self.at(*v).distance(middle) > 4.0 / 3.0 * self.edge;
        if !sound || of_a.iter().chain(&of_b).any(far) || !self.may_move(a, b, middle) {
            return;
        }
        self.place(a, self.solid.projected(middle, self.edge / 2.0));
        for index in std::mem::take(&mut self.around[b as usize]) {
            self.replace(index, b, a);
        }
    }

    /// True if no triangle, except those of both vertices, flips when they move to `middle`.
    fn may_move(&self, a: u32, b: u32, middle: DVec3) -> bool {
        let triangles = self.around[a as usize].iter().chain(&self.around[b as usize]);
        triangles.map(|index| self.triangles[*index as usize]).all(|triangle| {
            if a != b && triangle.contains(&a) && triangle.contains(&b) {
                return true;
            }
            let moved = triangle.map(|v| if v == a || v == b { middle } else { self.at(v) });
            let normal: DVec3 = triangle.iter().map(|v| self.normals[*v as usize]).sum();
            let after = (moved[1] - moved[0]).cross(moved[2] - moved[0]).normalize_or_zero();
            let before = self.area_vector(triangle).normalize_or_zero();
            after.dot(normal) > before.dot(normal).min(0.6 * normal.length())
        })
    }

    fn place(&mut self, vertex: u32, x: DVec3) {
        self.vertices[vertex as usize] = x;
        self.normals[vertex as usize] = self.solid.normal(x);
    }

    /// Replaces `b` by `a` in a triangle, and removes the triangle if it already has `a`.
    fn replace(&mut self, index: u32, b: u32, a: u32) {
        let triangle = self.triangles[index as usize];
        if triangle.contains(&a) {
            triangle.iter().for_each(|v| self.around[*v as usize].retain(|other| *other != index));
            self.triangles[index as usize] = [0; 3];
        } else {
            self.triangles[index as usize] = triangle.map(|v| if v == b { a } else { v });
            self.around[a as usize].push(index);
        }
    }

    fn flip_edges(&mut self) {
        for a in 0..self.vertices.len() as u32 {
            for b in self.neighbours(a) {
                if a < b {
                    self.flip(a, b);
                }
            }
        }
    }

    /// Flips the edge a–b of triangles (a, b, c) and (b, a, d) to c–d where that improves the triangles.
    fn flip(&mut self, a: u32, b: u32) {
        let (Some((left, c)), Some((right, d))) = (self.across(a, b), self.across(b, a)) else {
            return;
        };
        // Only where all triangles before and after are nearly coplanar: a flip across a fold would change the shape.
        let before = [self.area_vector([a, b, c]), self.area_vector([b, a, d])];
        let after = [self.area_vector([a, d, c]), self.area_vector([d, b, c])];
        let flat = |x: DVec3, y: DVec3| x.normalize_or_zero().dot(y.normalize_or_zero()) > 0.8;
        let smooth =
            flat(before[0], before[1]) && after.iter().all(|n| before.iter().all(|m| flat(*n, *m)));
        let fours = self.around[a as usize].len() > 3 && self.around[b as usize].len() > 3;
        if !smooth || !fours || !self.wants_flip(a, b, c, d) || self.neighbours(c).contains(&d) {
            return;
        }
        self.triangles[left as usize] = [a, d, c];
        self.triangles[right as usize] = [d, b, c];
        self.around[b as usize].retain(|index| *index != left);
        self.around[a as usize].retain(|index| *index != right);
        self.around[d as usize].push(left);
        self.around[c as usize].push(right);
    }

    /// The triangle with the edge from `a` to `b` in this direction, and its third vertex.
    fn across(&self, a: u32, b: u32) -> Option<(u32, u32)> {
        self.around[a as usize].iter().find_map(|index| {
            let triangle = self.triangles[*index as usize];
            let k = (0..3).find(|k| triangle[*k] == a && triangle[(k + 1) % 3] == b)?;
            Some((*index, triangle[(k + 2) % 3]))
        })
    }

    /// The Delaunay criterion: true if the angles opposite the edge add up to more than π.
    fn wants_flip(&self, a: u32, b: u32, c: u32, d: u32) -> bool {
        let angle = |at: u32| (self.at(a) - self.at(at)).angle_between(self.at(b) - self.at(at));
        angle(c) + angle(d) > std::f64::consts::PI + 1e-6
    }

    /// Moves each vertex towards the mean of its neighbours, along the surface.
    fn spread(&mut self) {
        for vertex in 0..self.vertices.len() as u32 {
            let neighbours = self.neighbours(vertex);
            if neighbours.is_empty() || self.border[vertex as usize] {
                continue;
            }
            let middle: DVec3 =
                neighbours.iter().map(|v| self.at(*v)).sum::<DVec3>() / neighbours.len() as f64;
            let x = self.at(vertex);
            let normal = self.normals[vertex as usize];
            let pull = middle - x;
            let along = pull - normal * pull.dot(normal);
            let goal = self.solid.projected(x + along * 0.6, self.edge / 2.0);
            if self.may_move(vertex, vertex, goal) {
                self.place(vertex, goal);
            }
        }
    }

    /// The remaining triangles and vertices.
    fn finish(self) -> Surface {
        let mut new = vec![u32::MAX; self.vertices.len()];
        let mut surface = Surface::default();
        for triangle in self.triangles.iter().filter(|[a, b, _]| a != b) {
            surface.triangles.push(triangle.map(|vertex| {
                let index = &mut new[vertex as usize];
                if *index == u32::MAX {
                    *index = surface.vertices.len() as u32;
                    surface.vertices.push(self.vertices[vertex as usize]);
                }
                *index
            }));
        }
        surface
    }
}
