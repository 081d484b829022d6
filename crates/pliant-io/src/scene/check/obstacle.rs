//! Checks of obstacles.

use std::ops::Range;
use std::path::PathBuf;

use glam::{DQuat, DVec3};
use pliant::body::{Motion, Ramp};
use pliant::contact::Obstacle;
use pliant::geometry::{HeightField, Pose, Shape};
use toml::Spanned;

use super::colour::colour;
use super::friction::obstacle_material;
use super::motion::{affine_transform, ramp, rotation};
use super::problems::Problems;
use crate::scene::file::obstacle::{
    CapsuleFile, HeightFieldFile, ObstacleFile, SolidBoxFile, SolidSurfaceFile,
};
use crate::scene::file::selection::{HalfSpaceFile, SphereFile};
use crate::scene::plan::mode::Mode;
use crate::scene::plan::obstacle::{ObstaclePlan, SurfaceFile};
use crate::scene::problem::fault::Fault;

/// Default colour of obstacles: a warm grey, behind the bodies.
const DEFAULT_COLOUR: [u8; 3] = [0xb8, 0xb2, 0xa8];

/// Checks `[[obstacle]]`; `index` is its index in the scene.
pub(crate) fn obstacle(
    file: &Spanned<ObstacleFile>,
    index: usize,
    (mode, duration): (Mode, f64),
    problems: &mut Problems,
) -> Option<ObstaclePlan> {
    let span = file.span();
    let file = file.get_ref();
    if mode == Mode::Static {
        let when = "in a static scene; it belongs to `mode = \"dynamic\"`";
        problems.add(span.clone(), Fault::NoEffect { key: "obstacle", when });
    }
    let solid = solid(file, &span, problems);
    let default = Obstacle::default().friction;
    let friction = file.friction.as_ref().map_or(Some(default), |friction| {
        problems.number("friction", friction, "a number from 0 to 100", |mu| {
            (0.0..=100.0).contains(&mu)
        })
    });
    let ramps: Vec<Option<Ramp>> =
        file.motion.iter().map(|file| ramp(file, duration, problems)).collect();
    let colour =
        file.colour.as_ref().and_then(|word| colour(word, problems)).unwrap_or(DEFAULT_COLOUR);
    let name = file.name.as_ref().map_or_else(String::new, |name| name.get_ref().clone());
    let Solid { shape, pose, file } = solid?;
    let motion = Motion { ramps: ramps.into_iter().collect::<Option<_>>()? };
    let material = obstacle_material(index);
    let obstacle = Obstacle { name, shape, pose, motion, friction: friction?, material };
    if let Err(error) = obstacle.check() {
        problems.add(span, error.into());
        return None;
    }
    Some(ObstaclePlan { obstacle, file, colour })
}

/// A shape, its pose, and the file from which it is still to be read.
struct Solid {
    shape: Shape,
    pose: Pose,
    file: Option<SurfaceFile>,
}

impl From<(Shape, Pose)> for Solid {
    fn from((shape, pose): (Shape, Pose)) -> Self {
        Self { shape, pose, file: None }
    }
}

/// Checks the shape of an obstacle, of which there must be exactly one.
fn solid(file: &ObstacleFile, span: &Range<usize>, problems: &mut Problems) -> Option<Solid> {
    let ObstacleFile { plane, sphere, block, capsule, surface, height_field, .. } = file;
    let given = [
        plane.is_some(),
        sphere.is_some(),
        block.is_some(),
        capsule.is_some(),
        surface.is_some(),
        height_field.is_some(),
    ];
    let count = given.into_iter().filter(|given| *given).count();
    if count != 1 {
        let choices = "`plane`, `sphere`, `box`, `capsule`, `surface`, `height-field`";
        problems.add(span.clone(), Fault::NotExactlyOne { what: "an obstacle", count, choices });
        return None;
    }
    if let Some(file) = surface {
        return solid_surface(file, span, problems);
    }
    let plane = plane.as_ref().and_then(|file| self::plane(file, problems));
    let sphere = sphere.as_ref().and_then(|file| self::sphere(file, problems));
    let block = block.as_ref().and_then(|file| self::block(file, problems));
    let capsule = capsule.as_ref().and_then(|file| self::capsule(file, problems));
    let field = height_field.as_ref().and_then(|file| self::height_field(file, problems));
    plane.or(sphere).or(block).or(capsule).or(field).map(Solid::from)
}

/// Placeholder for a shape until its file is read.
const PLACEHOLDER_SHAPE: Shape = Shape::Plane { normal: DVec3::Y };

fn solid_surface(
    file: &SolidSurfaceFile,
    span: &Range<usize>,
    problems: &mut Problems,
) -> Option<Solid> {
    let SolidSurfaceFile { file: path, scale, rotate, translate } = file;
    let world_from_file = affine_transform((scale, rotate, translate), problems)?;
    let path = PathBuf::from(path.get_ref());
    let file = Some(SurfaceFile { path, world_from_file, span: span.clone() });
    Some(Solid { shape: PLACEHOLDER_SHAPE, pose: Pose::IDENTITY, file })
}

fn height_field(file: &HeightFieldFile, problems: &mut Problems) -> Option<(Shape, Pose)> {
    let centre = file.centre.as_ref();
    let centre = centre.map_or(Some(DVec3::ZERO), |centre| problems.position("centre", centre));
    let (heights, size) = (file.heights.get_ref().clone(), *file.size.get_ref());
    let floor = file.floor.as_ref().map(|floor| *floor.get_ref());
    let floor = floor.unwrap_or_else(|| HeightField::floor_below(&heights, size));
    let turn = file.rotate.as_ref().map(|file| (file.centre.is_none(), rotation(file, problems)));
    let surface = HeightField { heights, size, floor }.surface();
    let shape = surface.and_then(|surface| Shape::of_surface(&surface));
    let shape = shape.map_err(|error| problems.add(file.heights.span(), error.into())).ok()?;
    rotated_about(shape, centre?, turn)
}

/// Centre, axis and angle, in rad.
type AxisAngle = (DVec3, DVec3, f64);

/// Returns a shape at `centre`, rotated about `centre` unless another centre is given.
fn rotated_about(
    shape: Shape,
    centre: DVec3,
    turn: Option<(bool, Option<AxisAngle>)>,
) -> Option<(Shape, Pose)> {
    let pose = Pose::from(centre);
    let Some((about_itself, turn)) = turn else { return Some((shape, pose)) };
    let (about, axis, angle) = turn?;
    let about = if about_itself { centre } else { about };
    Some((shape, Pose::turn(about, axis, angle) * pose))
}

fn plane(file: &HalfSpaceFile, problems: &mut Problems) -> Option<(Shape, Pose)> {
    let point = problems.position("point", &file.point);
    let normal = problems.direction("normal", &file.normal);
    Some((Shape::Plane { normal: normal? }, Pose::from(point?)))
}

fn sphere(file: &SphereFile, problems: &mut Problems) -> Option<(Shape, Pose)> {
    let centre = problems.position("centre", &file.centre);
    let radius = problems.positive("radius", &file.radius);
    Some((Shape::Sphere { radius: radius? }, Pose::from(centre?)))
}

fn block(file: &SolidBoxFile, problems: &mut Problems) -> Option<(Shape, Pose)> {
    let centre = problems.position("centre", &file.centre);
    let positive = "three finite numbers above 0";
    let size = problems.triple_where("size", &file.size, positive, |size| size.min_element() > 0.0);
    let turn = file.rotate.as_ref().map(|file| (file.centre.is_none(), rotation(file, problems)));
    rotated_about(Shape::Box { half: size? / 2.0 }, centre?, turn)
}

fn capsule(file: &CapsuleFile, problems: &mut Problems) -> Option<(Shape, Pose)> {
    let from = problems.position("from", &file.from);
    let to = problems.position("to", &file.to);
    let radius = problems.positive("radius", &file.radius);
    let (from, to) = (from?, to?);
    let half = (to - from) / 2.0;
    let rotation = half.try_normalize().map(|axis| DQuat::from_rotation_arc(DVec3::Y, axis));
    let pose =
        Pose { rotation: rotation.unwrap_or(DQuat::IDENTITY), translation: from / 2.0 + to / 2.0 };
    Some((Shape::Capsule { half_length: half.length(), radius: radius? }, pose))
}
