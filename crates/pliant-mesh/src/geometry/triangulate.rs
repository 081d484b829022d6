//! Triangulation of shapes.

use std::collections::BTreeMap;
use std::f64::consts::PI;

use glam::DVec3;

use super::{Shape, ShapeError, Surface};

/// Largest number of pieces that an edge is cut into.
const MAX_PIECES: u32 = 256;

impl Shape {
    /// Returns a triangulation with vertices on the shape, anticlockwise seen from outside.
    ///
    /// A ball is an icosahedron with every edge cut into `fineness` pieces. A box has `fineness` pieces along its
    /// longest side, and a proportional number along the others. A capsule has four times `fineness` pieces around. A
    /// surface of triangles is returned unchanged.
    ///
    /// ```
    /// use pliant_mesh::geometry::Shape;
    ///
    /// let ball = Shape::Sphere { radius: 1.0 }.surface(3)?;
    /// assert_eq!((ball.vertices.len(), ball.triangles.len()), (92, 180));
    /// # Ok::<(), pliant_mesh::geometry::ShapeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails for values out of range, and for a plane, which is unbounded.
    pub fn surface(&self, fineness: u32) -> Result<Surface, ShapeError> {
        self.check()?;
        if !(1..=MAX_PIECES).contains(&fineness) {
            return Err(ShapeError::Fineness { value: fineness, most: MAX_PIECES });
        }
        match *self {
            Self::Plane { .. } => Err(ShapeError::Unbounded),
            Self::Sphere { radius } => {
                let mut surface = subdivided(&icosahedron(), fineness);
                surface.vertices.iter_mut().for_each(|x| *x = radius * x.normalize());
                Ok(surface)
            }
            Self::Box { half } => Ok(box_surface(half, fineness)),
            Self::Capsule { half_length, radius } => {
                Ok(capsule_surface(half_length, radius, fineness))
            }
            Self::Surface(ref surface) => Ok(surface.surface()),
        }
    }
}

/// The twelve corners of three golden rectangles, one in each plane of the axes.
fn icosahedron() -> Surface {
    let golden = (1.0 + 5f64.sqrt()) / 2.0;
    let signs = [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)];
    let corners = signs.into_iter().flat_map(|(a, b)| {
        let (short, long) = (a, golden * b);
        [DVec3::new(0.0, short, long), DVec3::new(short, long, 0.0), DVec3::new(long, 0.0, short)]
    });
    let vertices: Vec<DVec3> = corners.collect();
    // Edges have length 2; all other pairs are at least 2φ apart.
    let joined = |a: usize, b: usize| vertices[a].distance_squared(vertices[b]) < 5.0;
    let mut triangles = Vec::new();
    for a in 0..12 {
        for b in (a + 1..12).filter(|b| joined(a, *b)) {
            for c in (b + 1..12).filter(|c| joined(a, *c) && joined(b, *c)) {
                let outward = vertices[a].dot(vertices[b].cross(vertices[c])) > 0.0;
                let [b, c] = if outward { [b, c] } else { [c, b] };
                triangles.push([a as u32, b as u32, c as u32]);
            }
        }
    }
    Surface::new(vertices, triangles)
}

/// Cuts every triangle into `n` pieces along each edge, without moving it out of its plane.
fn subdivided(base: &Surface, n: u32) -> Surface {
    let mut vertices = Vec::new();
    let mut known = BTreeMap::new();
    let mut triangles = Vec::with_capacity(base.triangles.len() * (n * n) as usize);
    for corners in &base.triangles {
        let mut vertex = |i: u32, j: u32| {
            let mut terms = [(corners[0], n - i - j), (corners[1], i), (corners[2], j)];
            // Vertices on an edge have the same key in both triangles.
            terms.iter_mut().filter(|(_, weight)| *weight == 0).for_each(|term| term.0 = u32::MAX);
            terms.sort_unstable();
            *known.entry(terms).or_insert_with(|| {
                let present = terms.iter().filter(|(_, weight)| *weight > 0);
                let sum: DVec3 = present
                    .map(|(c, weight)| f64::from(*weight) * base.vertices[*c as usize])
                    .sum();
                vertices.push(sum / f64::from(n));
                vertices.len() as u32 - 1
            })
        };
        for j in 0..n {
            for i in 0..n - j {
                let [a, b, c] = [vertex(i, j), vertex(i + 1, j), vertex(i, j + 1)];
                triangles.push([a, b, c]);
                if i + j + 1 < n {
                    triangles.push([b, vertex(i + 1, j + 1), c]);
                }
            }
        }
    }
    Surface::new(vertices, triangles)
}

/// An octahedron with its equator extended to a square tube, subdivided and projected onto the capsule.
fn capsule_surface(half_length: f64, radius: f64, fineness: u32) -> Surface {
    // Each ring of the tube is about as high as a quarter of its circumference.
    let quarter = 0.5 * PI * radius;
    let rings = (2.0 * half_length / quarter).ceil().clamp(0.0, f64::from(MAX_PIECES)) as u32;
    let mut surface = subdivided(&square_tube(half_length, radius, rings), fineness);
    for x in &mut surface.vertices {
        let on_axis = x.y.clamp(-half_length, half_length) * DVec3::Y;
        *x = on_axis + radius * (*x - on_axis).normalize();
    }
    surface
}

/// A square tube of `rings` rings with a pyramid at each end.
fn square_tube(half_length: f64, radius: f64, rings: u32) -> Surface {
    let mut vertices =
        vec![DVec3::Y * (half_length + radius), DVec3::NEG_Y * (half_length + radius)];
    for ring in 0..=rings {
        let share = if rings == 0 { 0.5 } else { f64::from(ring) / f64::from(rings) };
        let y = half_length * (1.0 - 2.0 * share);
        let corners = [DVec3::Z, DVec3::X, DVec3::NEG_Z, DVec3::NEG_X];
        vertices.extend(corners.map(|corner| radius * corner + y * DVec3::Y));
    }
    let corner = |ring: u32, k: u32| 2 + 4 * ring + k % 4;
    let mut triangles = Vec::new();
    for k in 0..4 {
        triangles.push([0, corner(0, k), corner(0, k + 1)]);
        for ring in 0..rings {
            let [a, b] = [corner(ring, k), corner(ring, k + 1)];
            let [c, d] = [corner(ring + 1, k), corner(ring + 1, k + 1)];
            triangles.extend([[a, c, b], [b, c, d]]);
        }
        triangles.push([1, corner(rings, k + 1), corner(rings, k)]);
    }
    Surface::new(vertices, triangles)
}

/// Rectangles on the six sides, as close to squares as integer counts allow, each cut into two triangles.
fn box_surface(half: DVec3, fineness: u32) -> Surface {
    let size = half.max_element() / f64::from(fineness);
    let pieces = half.to_array().map(|side| (side / size).round().max(1.0) as u32);
    let mut vertices = Vec::new();
    let mut known = BTreeMap::new();
    let mut vertex = |place: [u32; 3]| {
        *known.entry(place).or_insert_with(|| {
            let at = |k: usize| f64::from(place[k]) / f64::from(pieces[k]);
            vertices.push(half * (2.0 * DVec3::new(at(0), at(1), at(2)) - 1.0));
            vertices.len() as u32 - 1
        })
    };
    let mut triangles = Vec::new();
    for (axis, end) in (0..3).flat_map(|axis| [(axis, 0), (axis, pieces[axis])]) {
        let [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
        for (i, j) in (0..pieces[u]).flat_map(|i| (0..pieces[v]).map(move |j| (i, j))) {
            let mut corner = |i: u32, j: u32| {
                let mut place = [end; 3];
                (place[u], place[v]) = (i, j);
                vertex(place)
            };
            let [a, b] = [corner(i, j), corner(i + 1, j)];
            let [c, d] = [corner(i, j + 1), corner(i + 1, j + 1)];
            triangles.extend(if end == 0 {
                [[a, c, b], [b, c, d]]
            } else {
                [[a, b, c], [b, d, c]]
            });
        }
    }
    Surface::new(vertices, triangles)
}
