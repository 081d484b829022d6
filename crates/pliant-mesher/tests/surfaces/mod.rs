//! Surfaces to test with.

use glam::{DQuat, DVec3};
use pliant::geometry::Surface;

/// A box, its sides along the axes.
pub(crate) fn cuboid(low: [f64; 3], high: [f64; 3]) -> Surface {
    let corner = |k: usize| {
        DVec3::from([0, 1, 2].map(|axis| if k >> axis & 1 == 1 { high[axis] } else { low[axis] }))
    };
    let quads =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = quads.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
    Surface::new((0..8).map(corner).collect(), triangles)
}

/// A ball of radius 1 of 8·4ⁿ triangles: an octahedron, its triangles cut in four n times.
pub(crate) fn ball(n: usize) -> Surface {
    let tips = vec![DVec3::X, DVec3::Y, DVec3::Z, -DVec3::X, -DVec3::Y, -DVec3::Z];
    let sides =
        [[0, 1, 2], [1, 3, 2], [3, 4, 2], [4, 0, 2], [1, 0, 5], [3, 1, 5], [4, 3, 5], [0, 4, 5]];
    let mut surface = Surface::new(tips, sides.to_vec());
    for _ in 0..n {
        surface = quartered(&surface);
    }
    surface.vertices.iter_mut().for_each(|x| *x = x.normalize());
    surface
}

/// Every triangle cut in four at the middles of its sides.
fn quartered(surface: &Surface) -> Surface {
    let mut middles = std::collections::BTreeMap::new();
    let mut vertices = surface.vertices.clone();
    let mut middle = |a: u32, b: u32| {
        *middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
            let (from, to) = (vertices[a as usize].normalize(), vertices[b as usize].normalize());
            vertices.push(0.5 * (from + to));
            vertices.len() as u32 - 1
        })
    };
    let mut triangles = Vec::new();
    for [a, b, c] in &surface.triangles {
        let (ab, bc, ca) = (middle(*a, *b), middle(*b, *c), middle(*c, *a));
        triangles.extend([[*a, ab, ca], [ab, *b, bc], [ca, bc, *c], [ab, bc, ca]]);
    }
    Surface::new(vertices, triangles)
}

/// A torus about the z axis.
pub(crate) fn torus(major: f64, minor: f64, around: u32, across: u32) -> Surface {
    let turn = |k: u32, n: u32| (f64::from(k) / f64::from(n) * std::f64::consts::TAU).sin_cos();
    let mut surface = Surface::default();
    for i in 0..around {
        for j in 0..across {
            let ((s, c), (t, d)) = (turn(i, around), turn(j, across));
            let radius = major + minor * d;
            surface.vertices.push(DVec3::new(radius * c, radius * s, minor * t));
            let at = |i: u32, j: u32| (i % around) * across + j % across;
            let [p, q, r, o] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            surface.triangles.extend([[p, q, r], [p, r, o]]);
        }
    }
    surface
}

/// Several surfaces as one.
pub(crate) fn together(parts: &[Surface]) -> Surface {
    let mut all = Surface::default();
    for part in parts {
        let first = all.vertices.len() as u32;
        all.vertices.extend(&part.vertices);
        all.triangles.extend(part.triangles.iter().map(|t| t.map(|vertex| vertex + first)));
        all.lines.extend(part.lines.iter().map(|t| t.map(|vertex| vertex + first)));
    }
    all
}

/// The surface with its vertices moved.
pub(crate) fn mapped(mut surface: Surface, map: impl Fn(DVec3) -> DVec3) -> Surface {
    surface.vertices.iter_mut().for_each(|x| *x = map(*x));
    surface
}

/// The surface turned in a way that no plane or edge of it is along an axis.
pub(crate) fn askew(surface: Surface) -> Surface {
    let turn = DQuat::from_euler(glam::EulerRot::XYZ, 0.3, 0.7, 1.1);
    mapped(surface, |x| turn * x)
}

/// How often a surface winds around a point: the solid angles of its triangles over 4π (Van
/// Oosterom and Strackee 1983).
pub(crate) fn winding(surface: &Surface, point: DVec3) -> f64 {
    let angle = |corners: [DVec3; 3]| {
        let [a, b, c] = corners.map(|corner| corner - point);
        let (la, lb, lc) = (a.length(), b.length(), c.length());
        let denominator = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
        2.0 * a.dot(b.cross(c)).atan2(denominator)
    };
    surface.corners().map(angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
}
