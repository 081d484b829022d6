//! Pyramids of boxes with one cell a side, the coarsest skins there are.

use std::sync::Arc;

use glam::DVec3;
use pliant::body::{Body, Model, RigidConfig};
use pliant::contact::Obstacle;
use pliant::geometry::Shape;
use pliant::material::Material;
use pliant::mesh::generate::{BoxConfig, box_mesh};
use pliant::world::{EventKind, World, WorldConfig};

/// The edge of a box, in m.
const EDGE: f64 = 0.3;

/// Frames in which a pyramid comes to rest: two seconds.
const FRAMES: usize = 120;

fn soft(young: f64) -> Arc<Model> {
    let mesh = box_mesh(&BoxConfig { size: [EDGE; 3], cells: [1; 3], ..Default::default() });
    let material = Material { young, density: 1000.0, ..Default::default() };
    Arc::new(Model::uniform(mesh.unwrap(), material).unwrap())
}

fn rigid() -> Arc<Model> {
    let shape = Shape::Box { half: DVec3::splat(0.5 * EDGE) };
    Arc::new(Model::rigid_shape(&shape, 1, RigidConfig::default()).unwrap())
}

/// A pyramid of `rows` rows with these gaps beside and above the boxes, in m, after it has come to rest; and the centres of its boxes as they were
/// placed.
fn pyramid(model: &Arc<Model>, rows: usize, [beside, above]: [f64; 2]) -> (World, Vec<DVec3>) {
    let mut world = World::new(WorldConfig::default()).unwrap();
    world.add_obstacle(Obstacle::ground(0.5)).unwrap();
    let rest = centre(&model.mesh().nodes, model);
    let mut centres = Vec::new();
    for row in 0..rows {
        for place in 0..rows - row {
            let along = place as f64 - 0.5 * (rows - row - 1) as f64;
            let height = above + (row as f64) * (EDGE + above) + 0.5 * EDGE;
            let centre = DVec3::new(along * (EDGE + beside), height, 0.0);
            let mut body = Body::new("box", model.clone(), vec![]).unwrap();
            body.state.x.iter_mut().for_each(|x| *x += centre - rest);
            world.add(body);
            centres.push(centre);
        }
    }
    (0..FRAMES).for_each(|_| _ = world.step());
    (world, centres)
}

fn centre(x: &[DVec3], model: &Model) -> DVec3 {
    let moment: DVec3 = x.iter().zip(model.masses()).map(|(x, mass)| *mass * *x).sum();
    moment / model.masses().iter().sum::<f64>()
}

/// Boxes of one cell a side, flush or apart, come to rest where they were put: no box moves sideways by more than a hundredth of its edge, nor down by more
/// than the gaps below it and two hundredths of its edge, which is the depth of contact under four rows. All are asleep after two seconds.
#[test]
fn pyramids_of_single_cells_stand() {
    for (name, model) in [("rigid", rigid()), ("1e7", soft(1e7)), ("1e9", soft(1e9))] {
        for gaps in [[0.0, 0.0], [0.02, 0.002]] {
            for rows in [2, 3, 5] {
                let (world, centres) = pyramid(&model, rows, gaps);
                for ((handle, body), placed) in world.bodies().zip(&centres) {
                    let moved = centre(&body.state.x, body.model()) - *placed;
                    let aside = moved.with_y(0.0).length();
                    let down = rows as f64 * gaps[1] + 0.02 * EDGE;
                    let who = format!("{name}, {rows} rows, gaps {gaps:?}");
                    assert!(aside < 0.01 * EDGE, "{who}: {aside} m aside");
                    assert!(moved.y < 1e-3 && moved.y > -down, "{who}: {} m up", moved.y);
                    assert_eq!(world.is_asleep(handle), Some(true), "{who}");
                }
            }
        }
    }
}

/// Pyramids of ten rows stand at every stiffness, although a box at the bottom carries many times its weight: no box has moved aside by more than a twentieth
/// of its edge, and all are asleep after four seconds. No step creates energy, so none is damped: they stand by their contacts alone. Softer boxes bulge under
/// the nine rows above them.
#[test]
fn high_pyramids_stand_at_every_stiffness() {
    for young in [1e7, 2e7, 3e7, 5e7, 1e8, 2e8, 3e8, 1e9] {
        let (mut world, centres) = pyramid(&soft(young), 10, [0.02, 0.002]);
        (0..FRAMES).for_each(|_| _ = world.step());
        for ((handle, body), placed) in world.bodies().zip(&centres) {
            let moved = centre(&body.state.x, body.model()) - *placed;
            let aside = moved.with_y(0.0).length();
            assert!(aside < 0.05 * EDGE, "{young:.0e} Pa: {aside} m aside");
            assert!(moved.y < 1e-3, "{young:.0e} Pa: {} m up", moved.y);
            assert_eq!(world.is_asleep(handle), Some(true), "{young:.0e} Pa");
        }
        assert_eq!(world.health().fallbacks, 0, "{young:.0e} Pa");
    }
}

/// A body that is put into one that sleeps wakes it, is told as an overlap once, and parts from it.
#[test]
fn a_body_put_into_a_sleeping_one_is_told_once() {
    let model = soft(1e7);
    let (mut world, _) = pyramid(&model, 1, [0.0, 0.0]);
    assert!(world.bodies().all(|(body, _)| world.is_asleep(body) == Some(true)));
    let mut body = Body::new("second", model.clone(), vec![]).unwrap();
    let at = DVec3::new(0.1, 0.5 * EDGE, 0.01) - centre(&model.mesh().nodes, &model);
    body.state.x.iter_mut().for_each(|x| *x += at);
    world.add(body);
    let mut told = 0;
    for _ in 0..FRAMES {
        world.step();
        let is_overlap = |kind: &EventKind| matches!(kind, EventKind::Overlapped { .. });
        told += world.events().iter().filter(|event| is_overlap(&event.kind)).count();
    }
    assert_eq!((told, world.contacts().count()), (1, 0));
}

/// Bodies at the same place, bars across each other without a vertex inside, and a small body in the middle of a large one come apart within two seconds,
/// and nothing is strained: their elastic energy stays below that of a fall by a centimetre.
#[test]
fn bodies_deep_inside_each_other_come_apart() {
    let bar = |size: [f64; 3]| {
        let origin = size.map(|side| -0.5 * side);
        let cells = [2; 3];
        let mesh = box_mesh(&BoxConfig { origin, size, cells, ..Default::default() }).unwrap();
        let material = Material { young: 1e6, density: 1000.0, ..Default::default() };
        Arc::new(Model::uniform(mesh, material).unwrap())
    };
    let cases = [
        ("at the same place", [bar([0.2; 3]), bar([0.2; 3])]),
        ("bars", [bar([0.6, 0.1, 0.1]), bar([0.1, 0.1, 0.6])]),
        ("small in large", [bar([0.4; 3]), bar([0.1; 3])]),
    ];
    for (name, models) in cases {
        let config = WorldConfig { gravity: DVec3::ZERO, ..Default::default() };
        let mut world = World::new(config).unwrap();
        let mass: f64 = models.iter().map(|model| model.mass()).sum();
        for model in models {
            world.add(Body::new(name, model, vec![]).unwrap());
        }
        let mut strained: f64 = 0.0;
        for _ in 0..FRAMES {
            world.step();
            strained = strained.max(world.energy().elastic);
        }
        assert_eq!(world.contacts().count(), 0, "{name}");
        assert!(strained < mass * 9.81 * 0.01, "{name}: {strained} J");
        assert!(world.momentum().length() < 1e-9 * mass, "{name}");
    }
}
