//! Checks of obstacles.

use std::ops::Range;

use glam::{DQuat, DVec3};
use pliant::body::{Motion, Ramp};
use pliant::contact::Obstacle;
use pliant::geometry::{Pose, Shape};
use toml::Spanned;

use super::check_body::{colour, ramp, rotation};
use super::fault::Fault;
use super::file::{HalfSpaceFile, SphereFile};
use super::obstacle_file::{CapsuleFile, ObstacleFile, SolidBoxFile};
use super::plan::{Mode, ObstaclePlan};
use super::problems::Problems;

/// Colour of obstacles that name none: a warm grey, behind the bodies.
const COLOUR: [u8; 3] = [0xb8, 0xb2, 0xa8];

/// `[[obstacle]]`.
pub(super) fn obstacle(
    file: &Spanned<ObstacleFile>,
    mode: Mode,
    duration: f64,
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
    let colour = file.colour.as_ref().and_then(|word| colour(word, problems)).unwrap_or(COLOUR);
    let (shape, pose) = solid?;
    let motion = Motion { ramps: ramps.into_iter().collect::<Option<_>>()? };
    let obstacle = Obstacle { shape, pose, motion, friction: friction? };
    if let Err(error) = obstacle.check() {
        problems.add(span, error.into());
        return None;
    }
    Some(ObstaclePlan { obstacle, colour })
}

/// The one shape there is, and where.
fn solid(
    file: &ObstacleFile,
    span: &Range<usize>,
    problems: &mut Problems,
) -> Option<(Shape, Pose)> {
    match (&file.plane, &file.sphere, &file.block, &file.capsule) {
        (Some(file), None, None, None) => plane(file, problems),
        (None, Some(file), None, None) => sphere(file, problems),
        (None, None, Some(file), None) => block(file, problems),
        (None, None, None, Some(file)) => capsule(file, problems),
        (plane, sphere, block, capsule) => {
            let given = [plane.is_some(), sphere.is_some(), block.is_some(), capsule.is_some()];
            let count = given.into_iter().filter(|given| *given).count();
            let choices = "`plane`, `sphere`, `box`, `capsule`";
            problems.add(span.clone(), Fault::NotOne { what: "an obstacle", count, choices });
            None
        }
    }
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
    let (shape, pose) = (Shape::Box { half: size? / 2.0 }, Pose::from(centre?));
    let Some((about_itself, turn)) = turn else { return Some((shape, pose)) };
    let (about, axis, angle) = turn?;
    let about = if about_itself { pose.translation } else { about };
    Some((shape, Pose::turn(about, axis, angle) * pose))
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
