//! Many bodies of a hundred tetrahedra each, separate or in a heap.

use std::sync::Arc;

use anyhow::Result;
use glam::{DQuat, DVec3};
use pliant::body::{Body, Model};
use pliant::contact::{ContactLevel, Obstacle};
use pliant::geometry::{Pose, Shape};
use pliant::material::Material;
use pliant::mesh::generate::{BoxConfig, Split, box_mesh};
use pliant::world::{World, WorldConfig};
use pliant_kernels::math::SplitMix;

/// Size of a body, in m: 5 × 2 × 2 cubes, cut into five tetrahedra each.
const SIZE: [f64; 3] = [0.5, 0.2, 0.2];
const CELLS: [usize; 3] = [5, 2, 2];

/// Number of cells of one body.
pub(super) const CELLS_EACH: usize = 100;

/// The initial arrangement of the bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// Side by side on the ground, without contact between bodies.
    Spread,
    /// Dropped into a pit, on top of each other.
    Heaped,
}

/// A world of `count` bodies that lie on the ground or fall; they sleep only if `sleeps` is set.
pub(super) fn world(count: usize, layout: Layout, sleeps: bool) -> Result<World> {
    let mut config = WorldConfig { contact: ContactLevel::Game, ..Default::default() };
    if !sleeps {
        config.sleep = None;
    }
    let mut world = World::new(config)?;
    world.add_obstacle(Obstacle::ground(0.6))?;
    let across = match layout {
        Layout::Spread => (count as f64).sqrt().ceil() as usize,
        Layout::Heaped => ((count as f64 / 4.0).cbrt().ceil() as usize).max(2),
    };
    if layout == Layout::Heaped {
        pit(&mut world, 0.7 * across as f64)?;
    }
    let model = Arc::new(Model::uniform(bar(CELLS)?, material())?);
    let mut random = SplitMix::new(count as u64);
    for index in 0..count {
        let mut body = Body::new(format!("bar-{index}"), model.clone(), Vec::new())?;
        let pose = place(index, across, layout, &mut random);
        body.state.x.iter_mut().for_each(|x| *x = pose.point(*x));
        world.add(body);
    }
    Ok(world)
}

/// A world of one large body of linear tetrahedra that lies on the ground.
pub(super) fn large() -> Result<World> {
    let mut world = World::new(WorldConfig { sleep: None, ..Default::default() })?;
    world.add_obstacle(Obstacle::ground(0.6))?;
    let model = Arc::new(Model::uniform(bar([30, 10, 10])?, material())?);
    let mut body = Body::new("bar", model, Vec::new())?;
    body.state.x.iter_mut().for_each(|x| x.y += 0.11);
    world.add(body);
    Ok(world)
}

fn bar(cells: [usize; 3]) -> Result<pliant::mesh::Mesh> {
    let (origin, split) = (SIZE.map(|side| -0.5 * side), Split::Tet5);
    Ok(box_mesh(&BoxConfig { origin, size: SIZE, cells, split, ..Default::default() })?)
}

fn material() -> Material {
    Material { young: 2e5, poisson: 0.35, density: 1000.0, ..Default::default() }
}

/// The initial pose of a body.
fn place(index: usize, across: usize, layout: Layout, random: &mut SplitMix) -> Pose {
    let [x, z, level] = [index % across, index / across % across, index / (across * across)];
    let grid = DVec3::new(x as f64, level as f64, z as f64);
    match layout {
        Layout::Spread => {
            let (x, z) = (index % across, index / across);
            Pose::from(DVec3::new(0.8 * x as f64, 0.101, 0.8 * z as f64))
        }
        Layout::Heaped => {
            let middle = DVec3::new(1.0, 0.0, 1.0) * (0.5 * (across as f64 - 1.0));
            let turn = [(); 3].map(|()| 0.4 * random.signed_unit());
            Pose {
                rotation: DQuat::from_scaled_axis(DVec3::from(turn)),
                translation: (grid - middle) * DVec3::new(0.6, 0.4, 0.6) + DVec3::Y * 0.4,
            }
        }
    }
}

/// Adds four walls around a square with this side.
fn pit(world: &mut World, side: f64) -> Result<()> {
    for (x, z) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)] {
        let out = DVec3::new(x, 0.0, z);
        world.add_obstacle(Obstacle {
            shape: Shape::Plane { normal: -out },
            pose: Pose::from(0.5 * side * out),
            friction: 0.3,
            ..Default::default()
        })?;
    }
    Ok(())
}
