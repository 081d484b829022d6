//! A sculpture: a loop that twists by half a turn, standing on a foot.

use std::f64::consts::TAU;

use glam::DVec3;

use crate::mesh::{Mesh, MeshError};

use super::fill::{grown_sets, straight_mesh};
use super::lattice_grid::{Coordinate, LatticeCell, LatticeGrid, step};
use super::{Split, check};

/// A loop of four-sided section on a foot, in four resolutions.
///
/// The section twists by half a turn around the loop, so that its four ridges form two closed
/// curves. Cells are straight for every degree. With [`Split::Tet5`] the levels are close to the sculpture of
/// Bargteil & Cohen 2014, Table II:
///
/// | level | cells | published | nodes | published |
/// |---|---|---|---|---|
/// | 1 | 260 | 268 | 117 | 124 |
/// | 2 | 480 | 504 | 213 | 213 |
/// | 3 | 1,380 | 1,360 | 488 | 505 |
/// | 4 | 6,840 | 6,853 | 1,862 | 1,851 |
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SculptureConfig {
    /// Middle of the foot's underside, in m (default the origin).
    pub base: [f64; 3],
    /// Total height, in m (default `1`).
    pub height: f64,
    /// Resolution, 1 (coarse) to 4 (very fine) (default `2`).
    pub level: usize,
    /// The split of each hexahedron (default [`Split::Tet5`]).
    pub split: Split,
    /// Degree of the cells (default `1`).
    pub degree: usize,
}

impl Default for SculptureConfig {
    fn default() -> Self {
        Self { base: [0.0; 3], height: 1.0, level: 2, split: Split::default(), degree: 1 }
    }
}

impl SculptureConfig {
    /// Checks every field.
    pub fn check(&self) -> Result<(), MeshError> {
        let Self { base, height, level, split, degree } = *self;
        base.into_iter().try_for_each(|x| check::finite("the base of the sculpture", x))?;
        check::positive("the height of the sculpture", height)?;
        let Some(form) = level.checked_sub(1).and_then(|index| FORMS.get(index)) else {
            let (what, value) = ("the level of the sculpture", level as f64);
            return Err(MeshError::Generator { what, value, expected: "1, 2, 3 or 4" });
        };
        check::kind_and_size(split, degree, check::counts(form.counts())).map(drop)
    }

    /// Returns numbers of hexahedra along three directions whose product is about that of the sculpture.
    ///
    /// A level out of range is clamped to the nearest valid one.
    pub fn counts(&self) -> [usize; 3] {
        FORMS[self.level.clamp(1, FORMS.len()) - 1].counts()
    }
}

/// Generates a sculpture of straight cells, with node sets `foot` (the underside it stands on) and `surface`.
pub fn sculpture(config: &SculptureConfig) -> Result<Mesh, MeshError> {
    config.check()?;
    let form = FORMS[config.level - 1];
    let grid = LatticeGrid::joined(form.cells(), |point| form.one_of(point));
    let place = |point: &Coordinate| {
        DVec3::from(config.base) + config.height * form.point(point.map(f64::from))
    };
    let mesh = straight_mesh(&grid.corners, grid.nodes.iter().map(place).collect(), config.split)?;
    let mut mesh = mesh.elevated(config.degree)?;
    let underside = |point: Coordinate| point[2] == form.layers as i32;
    mesh.node_sets = grown_sets(&grid, &mesh, &[("foot", &underside)]);
    Ok(mesh.with_boundary_set("surface"))
}

/// Numbers of cells of a level.
#[derive(Debug, Clone, Copy)]
struct SculptureForm {
    /// Cells along both sides of the section.
    side: usize,
    /// Cells around the loop: even, so that the split into five tetrahedra is possible.
    along: usize,
    /// Cells of the loop on each side of its lowest point that stand on the foot.
    reach: usize,
    /// Layers of cells of the foot.
    layers: usize,
}

const FORMS: [SculptureForm; 4] = [
    SculptureForm { side: 2, along: 12, reach: 1, layers: 1 },
    SculptureForm { side: 2, along: 22, reach: 2, layers: 1 },
    SculptureForm { side: 3, along: 28, reach: 2, layers: 2 },
    SculptureForm { side: 6, along: 36, reach: 3, layers: 2 },
];

// The dimensions of the shape, for height 1.

/// Half width of the loop's centre line.
const WIDTH: f64 = 0.28;
/// Shape parameter that moves the widest place below the middle; 0 gives an ellipse.
const SAG: f64 = 0.2;
/// Largest distance of the centre line from its plane, to either side.
const SWAY: f64 = 0.095;
/// Width of the section at the lowest and the highest point.
const THICKNESS: [f64; 2] = [0.215, 0.115];
/// Half sizes of the section, as fractions of its width.
const SECTION: [f64; 2] = [0.46, 0.54];
/// Bulge of the sides of the section, as a fraction of its half size.
const BULGE: f64 = 0.14;
/// Height of the foot where it meets the lowest point of the loop.
const FOOT_HEIGHT: f64 = 0.12;
/// Half sizes of the underside of the foot along x and z, and the bulge of its sides.
const FOOT: [f64; 2] = [0.24, 0.15];
const FOOT_BULGE: f64 = 0.16;
/// Coefficients that make cells denser near the thin top, and near top and bottom.
const GRADING: [f64; 2] = [0.13, 0.1];

impl SculptureForm {
    const fn counts(&self) -> [usize; 3] {
        [self.side, self.side, self.along + 2 * self.reach * self.layers]
    }

    /// Lattice coordinate 3 of the lowest point.
    const fn lowest(&self) -> i32 {
        (self.along / 2) as i32
    }

    /// Cells of the loop, then of the foot below it. Lattice coordinates 0 and 1 lie in the section, 2 is the layer
    /// of the foot and 3 the position around the loop.
    fn cells(&self) -> Vec<LatticeCell> {
        let (n, along, reach) = (self.side as i32, self.along as i32, self.reach as i32);
        let mut cells = Vec::new();
        for k in 0..along {
            for i in 0..n * n {
                let base = [i % n, i / n, 0, k];
                cells.push(LatticeCell { base, steps: [step(0), step(1), step(3)] });
            }
        }
        for k in self.lowest() - reach..self.lowest() + reach {
            for layer in 0..self.layers as i32 {
                for y in 0..n {
                    let base = [n, y, layer, k];
                    cells.push(LatticeCell { base, steps: [step(2), step(1), step(3)] });
                }
            }
        }
        cells
    }

    /// Identifies the end of the loop with its start, rotated by half a turn.
    const fn one_of(&self, point: Coordinate) -> Coordinate {
        let (n, [x, y, layer, k]) = (self.side as i32, point);
        if k == self.along as i32 { [n - x, n - y, layer, 0] } else { point }
    }

    /// Point of the sculpture of height 1 at a lattice coordinate.
    fn point(&self, [x, y, layer, k]: [f64; 4]) -> DVec3 {
        let n = self.side as f64;
        let s = TAU * (k - f64::from(self.lowest())) / self.along as f64;
        let [u, v] = [2.0 * x / n - 1.0, 2.0 * y / n - 1.0];
        let on_loop = loop_point(s, [u, v]);
        if layer == 0.0 {
            return on_loop;
        }
        let ahead = (k - f64::from(self.lowest())) / self.reach as f64;
        let [x, z] = pillow([ahead, -v], FOOT_BULGE);
        let ground = DVec3::new(FOOT[0] * x, 0.0, FOOT[1] * z);
        let t = layer / self.layers as f64;
        // The foot flares: linear in height, quadratic outwards.
        DVec3::new(t * t, t, t * t) * (ground - on_loop) + on_loop
    }
}

/// Point of the loop at angle `s` from its lowest point and position `uv` in [−1, 1]² in its section.
///
/// ```text
/// c(φ) = (a (1 + b cos φ) sin φ,  y₀ + h (1 − cos φ)/2,  d sin 2φ)
/// φ(s) = s + e₁ sin s − e₂ sin 2s        θ(s) = (s − sin s)/2
/// ```
///
/// - `c` centre line, `φ` its parameter, which makes cells denser where the section is thin
/// - `θ` rotation of the section, in rad: zero at the foot, fastest at the top, π in total
///
/// Derived here.
fn loop_point(s: f64, uv: [f64; 2]) -> DVec3 {
    let phi = s + GRADING[0] * s.sin() - GRADING[1] * (2.0 * s).sin();
    let (sin, cos) = phi.sin_cos();
    let (sin_2, cos_2) = (2.0 * phi).sin_cos();
    let low = FOOT_HEIGHT + SECTION[0] * THICKNESS[0];
    let rise = 1.0 - SECTION[1] * (1.0 + BULGE) * THICKNESS[1] - low;
    let centre =
        DVec3::new(WIDTH * sin * (1.0 + SAG * cos), low + 0.5 * rise * (1.0 - cos), SWAY * sin_2);
    let tangent = DVec3::new(WIDTH * (cos + SAG * cos_2), 0.5 * rise * sin, 2.0 * SWAY * cos_2);
    let width = THICKNESS[1] + (THICKNESS[0] - THICKNESS[1]) * 0.5 * (1.0 + cos);
    centre + section_offset(tangent.normalize(), 0.5 * (s - s.sin()), width, uv)
}

/// Offset in the section perpendicular to `tangent`, rotated by `angle`: at angle 0, u points away from the middle of
/// the loop and v along −z.
fn section_offset(tangent: DVec3, angle: f64, width: f64, uv: [f64; 2]) -> DVec3 {
    let across = (-DVec3::Z).reject_from_normalized(tangent).normalize();
    let outward = across.cross(tangent);
    let [u, v] = pillow(uv, BULGE);
    let (sin, cos) = angle.sin_cos();
    let (u, v) = (u * SECTION[0] * width, v * SECTION[1] * width);
    outward * (u * cos - v * sin) + across * (u * sin + v * cos)
}

/// Maps a square to one with bulging sides and fixed corners.
fn pillow([u, v]: [f64; 2], bulge: f64) -> [f64; 2] {
    [u * (1.0 + bulge * (1.0 - v * v)), v * (1.0 + bulge * (1.0 - u * u))]
}
