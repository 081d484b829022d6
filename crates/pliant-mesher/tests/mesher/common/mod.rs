//! Surfaces with known shapes.
#![allow(dead_code, reason = "every test file uses some of them")]

use std::f64::consts::{PI, TAU};
use std::sync::LazyLock;

use glam::{DQuat, DVec3};
use pliant::geometry::Surface;
use pliant_mesher::gallery::Figure;
use pliant_mesher::tets::{Size, TetConfig, Tetrahedra, Within, tetrahedra};
use rayon::prelude::*;

#[path = "../../../../pliant-kernels/tests/kernels/random.rs"]
mod random;

pub(crate) use random::{Random, cases, for_cases, heavy};

/// All figures of the gallery with edges of 4 cm, made once: making one takes up to seconds, nearly independent of
/// the edge length.
pub(crate) static FIGURES: LazyLock<Vec<(Figure, Surface)>> = LazyLock::new(|| {
    Figure::ALL.par_iter().map(|figure| (*figure, figure.surface(0.04))).collect()
});

/// About 500 curved cells of a surface.
pub(crate) struct CurvedMesh {
    pub(crate) name: &'static str,
    pub(crate) degree: usize,
    pub(crate) made: Tetrahedra,
}

/// The ball and the bear in curved cells of both degrees, made once.
pub(crate) static CURVED: LazyLock<Vec<CurvedMesh>> = LazyLock::new(|| {
    let surfaces = [("ball", ball()), ("bear", bear())];
    let all = [(0, 2), (0, 3), (1, 2), (1, 3)];
    let mesh = |(surface, degree): (usize, usize)| {
        let (name, surface) = &surfaces[surface];
        let made = tetrahedra(surface, &counted(500, degree)).expect("a sound surface");
        CurvedMesh { name, degree, made }
    };
    all.into_par_iter().map(mesh).collect()
});

/// About this number of cells; thin parts are kept in a heavy run only, because that takes more cells, not others.
pub(crate) fn counted(count: usize, degree: usize) -> TetConfig {
    let within = if heavy() { Within::BySize } else { Within::Any };
    TetConfig { size: Size::CellCount(count), degree, within, ..Default::default() }
}

/// A figure with edges of 4 cm.
pub(crate) fn figure(wanted: Figure) -> &'static Surface {
    let (_, surface) = FIGURES.iter().find(|(figure, _)| *figure == wanted).expect("all are there");
    surface
}

/// A closed surface from a radius as a function of the direction, on a grid of longitudes and latitudes.
pub(crate) fn star(around: u32, upward: u32, radius: impl Fn(DVec3) -> f64) -> Surface {
    let mut vertices = vec![DVec3::Z, DVec3::NEG_Z];
    for j in 1..upward {
        for i in 0..around {
            let (a, b) =
                (f64::from(i) / f64::from(around) * TAU, f64::from(j) / f64::from(upward) * PI);
            vertices.push(DVec3::new(b.sin() * a.cos(), b.sin() * a.sin(), b.cos()));
        }
    }
    let at = |i: u32, j: u32| match j {
        0 => 0,
        j if j == upward => 1,
        j => 2 + (j - 1) * around + i % around,
    };
    let mut triangles = Vec::new();
    for j in 0..upward {
        for i in 0..around {
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)];
            triangles.extend(
                [[a, c, b], [b, c, d]].into_iter().filter(|[p, q, r]| p != q && q != r && r != p),
            );
        }
    }
    let vertices = vertices.into_iter().map(|direction| radius(direction) * direction).collect();
    Surface::new(vertices, triangles)
}

/// A ball of radius 1.
pub(crate) fn ball() -> Surface {
    star(96, 48, |_| 1.0)
}

/// A smooth blob with a head, two ears, arms and legs: bumps on a ball.
pub(crate) fn bear() -> Surface {
    let bumps = [
        ([0.0, 0.0, 1.0], 0.6, 0.5),
        ([0.45, 0.0, 1.0], 0.25, 0.22),
        ([-0.45, 0.0, 1.0], 0.25, 0.22),
        ([1.0, 0.3, 0.3], 0.5, 0.3),
        ([-1.0, 0.3, 0.3], 0.5, 0.3),
        ([0.5, 0.5, -0.9], 0.4, 0.35),
        ([-0.5, 0.5, -0.9], 0.4, 0.35),
    ];
    star(160, 80, |direction| {
        let bump = |(towards, height, width): ([f64; 3], f64, f64)| {
            let distance = direction.distance(DVec3::from(towards).normalize());
            height * (-(distance / width).powi(2)).exp()
        };
        1.0 + bumps.into_iter().map(bump).sum::<f64>()
    })
}

/// A cube of side 1 around the origin.
pub(crate) fn cube() -> Surface {
    cuboid([-0.5; 3], [0.5; 3])
}

/// A flat open square of side 1, divided into `n`² squares.
pub(crate) fn sheet(n: u32) -> Surface {
    let vertices = (0..=n)
        .flat_map(|j| {
            (0..=n).map(move |i| DVec3::new(f64::from(i), f64::from(j), 0.0) / f64::from(n))
        })
        .collect();
    let at = |i: u32, j: u32| j * (n + 1) + i;
    let triangles = (0..n * n)
        .flat_map(|k| {
            let (i, j) = (k % n, k / n);
            [[at(i, j), at(i + 1, j), at(i, j + 1)], [at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]]
        })
        .collect();
    Surface::new(vertices, triangles)
}

/// The surface rotated about a fixed axis that is not special.
pub(crate) fn turned(surface: &Surface, angle: f64) -> Surface {
    let rotation = DQuat::from_axis_angle(DVec3::new(0.3, -0.8, 0.52).normalize(), angle);
    mapped(surface.clone(), |x| rotation * x)
}

/// A box with sides along the axes.
pub(crate) fn cuboid(low: [f64; 3], high: [f64; 3]) -> Surface {
    let corner = |k: usize| {
        DVec3::from([0, 1, 2].map(|axis| if k >> axis & 1 == 1 { high[axis] } else { low[axis] }))
    };
    let quads =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = quads.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
    Surface::new((0..8).map(corner).collect(), triangles)
}

/// A ball of radius 1 with 8·4ⁿ triangles: an octahedron whose triangles are divided into four n times.
pub(crate) fn geodesic_ball(n: usize) -> Surface {
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

/// Divides every triangle into four at the midpoints of its sides.
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

/// A torus around the z axis.
pub(crate) fn torus(major: f64, minor: f64, around: u32, across: u32) -> Surface {
    let turn = |k: u32, n: u32| (f64::from(k) / f64::from(n) * TAU).sin_cos();
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

/// All points within a radius of a segment.
pub(crate) fn capsule([a, b]: [DVec3; 2], radius: f64) -> Surface {
    let axis = (b - a).normalize();
    let side = axis.any_orthonormal_vector();
    let turn = |x: DVec3| x.x * side + x.y * axis.cross(side) + x.z * axis;
    mapped(star(24, 16, |_| 1.0), |x| if x.z > 0.0 { b } else { a } + radius * turn(x))
}

/// A blob with two to six thin limbs: closed surfaces that pass through each other, the same for the same seed.
///
/// Limbs start inside the blob and end up to half its size outside, with 4 to 10 % of its size as thickness.
pub(crate) fn blob_with_limbs(seed: u64) -> Surface {
    let mut tosses = tosses(seed + 1);
    let mut between = |low: f64, high: f64| low + (high - low) * tosses.next().expect("never ends");
    let stretch = DVec3::new(between(0.7, 1.0), between(0.7, 1.0), between(0.7, 1.0));
    let mut parts = vec![mapped(star(48, 24, |_| 0.5), |x| stretch * x)];
    let count = between(2.0, 7.0) as usize;
    for limb in 0..count {
        // One limb for each direction of an evenly turning spiral, so that no two touch.
        let z = 1.0 - 2.0 * (limb as f64 + 0.5) / count as f64;
        let (sin, cos) = (2.4 * limb as f64 + between(-0.2, 0.2)).sin_cos();
        let ring = (1.0 - z * z).sqrt();
        let direction = DVec3::new(ring * cos, ring * sin, z);
        let ends = [0.25 * direction, between(0.7, 1.0) * direction];
        parts.push(capsule(ends, between(0.02, 0.05)));
    }
    together(&parts)
}

/// Several surfaces in one.
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

/// The surface rotated so that none of its planes and edges is along an axis.
pub(crate) fn askew(surface: Surface) -> Surface {
    let turn = DQuat::from_euler(glam::EulerRot::XYZ, 0.3, 0.7, 1.1);
    mapped(surface, |x| turn * x)
}

/// The winding number of a surface around a point: the solid angles of its triangles over 4π (Van Oosterom and
/// Strackee 1983).
pub(crate) fn winding(surface: &Surface, point: DVec3) -> f64 {
    let angle = |corners: [DVec3; 3]| {
        let [a, b, c] = corners.map(|corner| corner - point);
        let (la, lb, lc) = (a.length(), b.length(), c.length());
        let denominator = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
        2.0 * a.dot(b.cross(c)).atan2(denominator)
    };
    surface.corners().map(angle).sum::<f64>() / (4.0 * PI)
}

/// A file of the shared meshes, or `None` with a message if it is missing.
pub(crate) fn shared(name: &str) -> Option<Surface> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/meshes");
    let folder = std::env::var_os("PLIANT_MESHES").map_or(root, Into::into);
    let Ok(text) = std::fs::read_to_string(folder.join(name)) else {
        println!("skipped: {name} is not in {}", folder.display());
        return None;
    };
    Some(parsed(&text))
}

/// Vertices and faces of an OBJ file that is known to be valid.
fn parsed(text: &str) -> Surface {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["v", x, y, z, ..] => {
                let number = |word: &str| word.parse::<f64>().expect("a coordinate");
                vertices.push(DVec3::new(number(x), number(y), number(z)));
            }
            ["f", corners @ ..] => {
                let index =
                    |word: &&str| word.split('/').next().and_then(|n| n.parse::<u32>().ok());
                let corners: Vec<u32> = corners.iter().filter_map(index).map(|n| n - 1).collect();
                triangles
                    .extend((2..corners.len()).map(|k| [corners[0], corners[k - 1], corners[k]]));
            }
            _ => {}
        }
    }
    Surface::new(vertices, triangles)
}

/// Pseudorandom numbers between 0 and 1, the same for the same seed.
pub(crate) fn tosses(seed: u64) -> impl Iterator<Item = f64> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    std::iter::repeat_with(move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 53) as f64
    })
}

/// A random point of the cube from −1 to 1.
pub(crate) fn toss_point(tosses: &mut impl Iterator<Item = f64>) -> DVec3 {
    let mut coordinate = || 2.0 * tosses.next().expect("they never end") - 1.0;
    DVec3::new(coordinate(), coordinate(), coordinate())
}
