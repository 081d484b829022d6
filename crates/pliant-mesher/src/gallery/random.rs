//! Random shapes, intact and damaged, for tests.

use std::f64::consts::TAU;

use glam::{DMat3, DQuat, DVec3};
use pliant::geometry::Surface;
use pliant_kernels::math::SplitMix;

use super::figure_shape::{FigureShape, TextureProjection};
use super::solid::Solid;

/// Random numbers, the same on every machine.
#[derive(Debug)]
struct Random(SplitMix);

impl Random {
    /// A number from `low` to `high`.
    fn range(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.0.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// An integer below `count`, which is not 0.
    fn below(&mut self, count: usize) -> usize {
        (self.0.bits() % count as u64) as usize
    }

    fn chance(&mut self, probability: f64) -> bool {
        self.range(0.0, 1.0) < probability
    }

    fn point(&mut self, reach: f64) -> DVec3 {
        DVec3::from_array([(); 3].map(|()| self.range(-reach, reach)))
    }
}

/// Returns a random shape about 1 m in size, the same for the same seed.
///
/// Up to six solids are combined by union, difference and intersection. Then, each at random, holes are cut and
/// triangles are removed, flipped, duplicated and made degenerate. The result has at least one triangle, valid indices
/// and finite coordinates; nothing else is guaranteed.
pub fn random_shape(seed: u64) -> Surface {
    let mut random = Random(SplitMix::new(seed));
    let edge = random.range(0.05, 0.12);
    let mut solid = random_solid(&mut random);
    for _ in 0..random.below(6) {
        let (other, blend) = (random_solid(&mut random), random.range(0.0, 0.1));
        solid = match random.below(5) {
            0 => solid.smooth_difference(other, blend),
            1 => solid.smooth_intersection(other, blend),
            _ => solid.smooth_union(other, blend),
        };
    }
    let mut surface = FigureShape::closed(solid, 0.06, TextureProjection::Around).surface(edge);
    if surface.triangles.is_empty() {
        surface = super::Figure::Ball.surface(edge);
    }
    break_up(&mut random, &mut surface);
    surface
}

fn random_solid(random: &mut Random) -> Solid {
    let (a, b) = (random.point(0.3), random.point(0.3));
    let (thick, thin) = (random.range(0.12, 0.3), random.range(0.04, 0.12));
    let half = DVec3::from_array([(); 3].map(|()| random.range(0.05, 0.3)));
    let turn = DMat3::from_quat(DQuat::from_axis_angle(
        random.point(1.0).normalize_or(DVec3::Y),
        random.range(0.0, TAU),
    ));
    match random.below(6) {
        0 => Solid::sphere(a, thick),
        1 => Solid::ellipsoid(DVec3::ZERO, half).turned(turn).moved(a),
        2 => Solid::rounded_cone(a, thick / 2.0, b, thin),
        3 => Solid::capsule(a, b, thin),
        4 => Solid::torus(a, b, thick, thin),
        _ => Solid::cuboid(DVec3::ZERO, half, half.min_element() / 3.0).turned(turn).moved(a),
    }
}

/// Applies at random the defects that scanners, exporters and careless editing cause.
fn break_up(random: &mut Random, surface: &mut Surface) {
    if random.chance(0.4) {
        punch_holes(random, surface);
    }
    if random.chance(0.4) {
        keep(surface, |_| !random.chance(0.05));
    }
    if random.chance(0.3) {
        let flipped = random.range(0.0, 0.3);
        for index in 0..surface.triangles.len() {
            if random.chance(flipped) {
                surface.triangles[index].swap(1, 2);
                swap_corners(surface, index);
            }
        }
    }
    if random.chance(0.3) {
        double_some(random, surface);
    }
    if random.chance(0.3) {
        flatten_some(random, surface);
    }
}

/// Swaps the attributes of a flipped triangle along with its corners.
fn swap_corners(surface: &mut Surface, index: usize) {
    surface.normals.iter_mut().for_each(|normals| normals[index].swap(1, 2));
    surface.texcoords.iter_mut().for_each(|texcoords| texcoords[index].swap(1, 2));
}

/// Removes all triangles near some of the vertices.
fn punch_holes(random: &mut Random, surface: &mut Surface) {
    for _ in 0..1 + random.below(4) {
        let centre = surface.vertices[random.below(surface.vertices.len())];
        let radius = random.range(0.05, 0.25);
        let middles: Vec<DVec3> =
            surface.corners().map(|corners| corners.iter().sum::<DVec3>() / 3.0).collect();
        keep(surface, |index| middles[index].distance(centre) > radius);
    }
}

/// Keeps the triangles for which `fits` returns true, and always the first.
fn keep(surface: &mut Surface, mut fits: impl FnMut(usize) -> bool) {
    let kept: Vec<usize> =
        (0..surface.triangles.len()).filter(|index| fits(*index) || *index == 0).collect();
    surface.triangles = kept.iter().map(|index| surface.triangles[*index]).collect();
    if let Some(normals) = &mut surface.normals {
        *normals = kept.iter().map(|index| normals[*index]).collect();
    }
    if let Some(texcoords) = &mut surface.texcoords {
        *texcoords = kept.iter().map(|index| texcoords[*index]).collect();
    }
}

/// Duplicates some triangles.
fn double_some(random: &mut Random, surface: &mut Surface) {
    for _ in 0..1 + random.below(20) {
        let index = random.below(surface.triangles.len());
        surface.triangles.push(surface.triangles[index]);
        surface.normals.iter_mut().for_each(|normals| normals.push(normals[index]));
        surface.texcoords.iter_mut().for_each(|texcoords| texcoords.push(texcoords[index]));
    }
}

/// Makes some triangles degenerate: repeats a vertex, or moves one onto another.
fn flatten_some(random: &mut Random, surface: &mut Surface) {
    for _ in 0..1 + random.below(10) {
        let index = random.below(surface.triangles.len());
        let [a, b, _] = surface.triangles[index];
        if random.chance(0.5) {
            surface.triangles[index][1] = a;
        } else {
            surface.vertices[b as usize] = surface.vertices[a as usize];
        }
    }
}
