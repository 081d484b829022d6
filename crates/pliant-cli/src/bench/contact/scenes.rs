//! Whether anything goes through anything: the scenes of contact, from jittered starts.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;
use glam::DVec3;
use pliant::body::Skin;
use pliant::contact::{ContactLevel, touching_skin};
use pliant::geometry::{Aabb, Tree, triangles_intersect};
use pliant::math::SplitMix;
use pliant::world::World;

use super::super::Progress;
use crate::scene_source::SceneSource;

/// What is run.
const SCENES: [&str; 10] = [
    "contact/spike-on-spike",
    "contact/spike-in-crack",
    "contact/wedge",
    "contact/internal-edges",
    "contact/overlapping",
    "contact/jellies",
    "contact/gripper",
    "contact/ratios",
    "contact/twisted-mat",
    "bargteil/chickens",
];

/// Starts of every scene, and frames of each.
const STARTS: u64 = 10;
const FRAMES: usize = 150;

/// How far bodies that are free are moved at the start, in m.
const JITTER: f64 = 1e-3;

/// Counts intersecting triangles after every step of every scene, at both levels.
pub(in crate::bench) fn table(progress: Progress<'_>) -> Result<String> {
    let mut text = format!(
        "Triangles of skins that intersect at the end of a step, {STARTS} starts of each scene moved by up to {:.0} mm, {FRAMES} frames of each. \
         The count has nothing to do with the detection it judges: all pairs of triangles whose boxes overlap.\n\n\
         | scene | level | steps with intersections | most in a step | bodies set back | not finite |\n|---|---|---|---|---|---|\n",
        1e3 * JITTER
    );
    for scene in SCENES {
        for level in [ContactLevel::Game, ContactLevel::Safe] {
            let mut sum = Count::default();
            for start in 0..STARTS {
                progress(&format!("{scene}, {}, start {start}", level.name()));
                sum.add(&run(scene, level, start)?);
            }
            let Count { steps, most, set_back, resets } = sum;
            writeln!(
                text,
                "| {scene} | {} | {steps} | {most} | {set_back} | {resets} |",
                level.name()
            )?;
        }
    }
    Ok(text)
}

/// What went through what.
#[derive(Debug, Default)]
struct Count {
    steps: usize,
    most: usize,
    set_back: usize,
    resets: usize,
}

impl Count {
    fn add(&mut self, other: &Self) {
        self.steps += other.steps;
        self.most = self.most.max(other.most);
        self.set_back += other.set_back;
        self.resets += other.resets;
    }
}

fn run(scene: &str, level: ContactLevel, start: u64) -> Result<Count> {
    let (_, built) = SceneSource::find(Path::new(scene))?.open()?;
    let mut world = built.world;
    let mut config = *world.config();
    config.contact = level;
    world.set_config(config)?;
    jitter(&mut world, start);
    let skins: Vec<Skin> = world.bodies().map(|(_, body)| touching_skin(body.model())).collect();
    let mut count = Count::default();
    for _ in 0..FRAMES {
        let report = world.step();
        let through = intersections(&world, &skins);
        count.steps += usize::from(through > 0);
        count.most = count.most.max(through);
        count.set_back += report.safe.set_back;
        count.resets += report.resets;
    }
    Ok(count)
}

/// Moves all bodies that no pin holds.
fn jitter(world: &mut World, start: u64) {
    let mut random = SplitMix::new(start);
    let free: Vec<_> = world
        .bodies()
        .filter(|(_, body)| body.pins().is_empty())
        .map(|(handle, _)| handle)
        .collect();
    for handle in free {
        let by = JITTER
            * DVec3::from([(); 3].map(|()| random.signed_unit()))
            * DVec3::new(1.0, 0.0, 1.0);
        if let Some(body) = world.body_mut(handle)
            && start > 0
        {
            body.state.x.iter_mut().for_each(|x| *x += by);
        }
    }
}

/// Pairs of triangles of different bodies that intersect.
fn intersections(world: &World, skins: &[Skin]) -> usize {
    let (mut triangles, mut owners) = (Vec::new(), Vec::new());
    for (index, ((_, body), skin)) in world.bodies().zip(skins).enumerate() {
        let mut x = Vec::new();
        skin.interpolate(&body.state.x, &mut x);
        let corners = |triangle: &[u32; 3]| triangle.map(|vertex| x[vertex as usize]);
        triangles.extend(skin.triangles().iter().map(corners));
        owners.resize(triangles.len(), index);
    }
    let boxes: Vec<Aabb> = triangles.iter().map(|corners| Aabb::of(*corners)).collect();
    let mut count = 0;
    Tree::new(&boxes).self_pairs(|a, b| {
        let [a, b] = [a, b].map(|triangle| triangle as usize);
        let apart = owners[a] != owners[b];
        count += usize::from(apart && triangles_intersect(triangles[a], triangles[b]));
    });
    count
}
