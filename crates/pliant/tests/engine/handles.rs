//! A handle refers to one body of one world, until that body is removed.

use std::sync::Arc;

use glam::DVec3;
use pliant::body::{Body, MaterialPoint, Model};
use pliant::contact::Obstacle;
use pliant::material::{Material, Toughness};
use pliant::mesh::generate::{BoxConfig, box_mesh};
use pliant::world::{Attachment, BodyHandle, HandleError, Support, World, WorldConfig};

fn model() -> Arc<Model> {
    let mesh = box_mesh(&BoxConfig::default()).unwrap();
    Arc::new(Model::uniform(mesh, Material::default()).unwrap())
}

/// A cube at this height, in m.
fn cube(name: &str, height: f64) -> Body {
    let mut body = Body::new(name, model(), vec![]).unwrap();
    body.state.x.iter_mut().for_each(|x| x.y += height);
    body
}

/// Three cubes above each other on the ground.
fn tower() -> (World, [BodyHandle; 3]) {
    let mut world = World::new(WorldConfig::default()).unwrap();
    world.add_obstacle(Obstacle::ground(0.5)).unwrap();
    let handles = [0.0, 1.05, 2.1].map(|height| world.add(cube("cube", height)));
    (world, handles)
}

/// After a removal the handle is invalid, also when a new body takes the same slot; other handles stay valid.
#[test]
fn a_handle_names_nothing_once_its_body_is_removed() {
    let (mut world, [low, middle, high]) = tower();
    let removed = world.remove(middle).unwrap();
    assert_eq!(removed.name(), "cube");
    assert!(world.get(middle).is_none() && world.get_mut(middle).is_none());
    assert_eq!(world.remove(middle).unwrap_err(), HandleError::Removed { index: 1 });
    assert!(world.get(low).is_some() && world.get(high).is_some());
    assert_eq!(world.bodies().count(), 2);

    // A new body in the same slot has another handle.
    let new = world.add(cube("new", 6.0));
    assert_ne!(new, middle);
    assert!(world.get(middle).is_none());
    assert_eq!(world[new].name(), "new");
}

/// A handle of another world is an error; a clone of a world accepts the handles of its original.
#[test]
fn a_handle_of_another_world_is_refused() {
    let (mut world, [low, ..]) = tower();
    let (other, [stranger, ..]) = tower();
    assert!(world.get(stranger).is_none() && other.get(low).is_none());
    assert_eq!(world.remove(stranger).unwrap_err(), HandleError::OtherWorld { index: 0 });
    // A clone shares the handles of its original.
    assert_eq!(world.clone()[low].name(), "cube");
}

/// Indexing a world with the handle of a removed body panics with a message that says so.
#[test]
#[should_panic(expected = "was removed")]
fn indexing_with_a_stale_handle_panics_with_the_reason() {
    let (mut world, [low, ..]) = tower();
    world.remove(low).unwrap();
    let _ = world[low].name();
}

/// After a removal the other bodies move with the same bits as in a world that never had the removed body. The bodies
/// are far apart, so that they never touch.
#[test]
fn a_removed_body_leaves_no_trace() {
    let space = || {
        let mut world = World::new(WorldConfig::default()).unwrap();
        world.add_obstacle(Obstacle::ground(0.5)).unwrap();
        world
    };
    let (mut with, mut without) = (space(), space());
    let first = with.add(cube("first", 0.2));
    let gone = with.add(cube("gone", 40.0));
    let last = with.add(cube("last", 5.0));
    let own = [without.add(cube("first", 0.2)), without.add(cube("last", 5.0))];
    (0..5).for_each(|_| _ = (with.step(), without.step()));
    with.remove(gone).unwrap();
    (0..60).for_each(|_| _ = (with.step(), without.step()));
    for (a, b) in [first, last].into_iter().zip(own) {
        assert_eq!(with[a].state, without[b].state);
    }
}

/// A cube that loses its support falls, even if it was asleep.
#[test]
fn bodies_that_slept_on_a_removed_body_wake_and_fall() {
    let (mut world, [low, middle, _]) = tower();
    let asleep = |world: &World| world.is_asleep(middle) == Some(true);
    let steps = (0..2000).take_while(|_| (world.step(), asleep(&world)).1.eq(&false)).count();
    assert!(steps < 2000, "the tower must fall asleep");
    let before = world[middle].state.x.iter().map(|x| x.y).sum::<f64>();
    world.remove(low).unwrap();
    (0..30).for_each(|_| _ = world.step());
    let after = world[middle].state.x.iter().map(|x| x.y).sum::<f64>();
    assert!(after < before - 0.1, "{after} m, was {before}");
}

/// Removing a body releases its attachments; a new attachment to it is an error.
#[test]
fn attachments_of_a_removed_body_are_released() {
    let (mut world, [low, middle, _]) = tower();
    let mesh = world[middle].model().mesh();
    let points = MaterialPoint::of_nodes(mesh, &mesh.node_set("y-").unwrap().nodes);
    let hold = Attachment { points, ..Attachment::new(middle, Support::World) };
    let hold = world.attach(&hold).unwrap();
    world.remove(middle).unwrap();
    assert!(world.reaction(hold).is_none() && !world.detach(hold));
    (0..10).for_each(|_| _ = world.step());
    assert!(world[low].state.is_finite());
    assert_eq!(
        world.attach(&Attachment::new(middle, Support::World)).unwrap_err().to_string(),
        HandleError::Removed { index: 1 }.to_string()
    );
}

/// Steps on from a snapshot twice, with the same bits; returns the hash at the end.
fn goes_on_from_a_snapshot(world: &mut World) -> u64 {
    let bytes = world.snapshot();
    (0..5).for_each(|_| _ = world.step());
    let hash = world.state_hash();
    world.restore(&bytes).unwrap();
    (0..5).for_each(|_| _ = world.step());
    assert_eq!(world.state_hash(), hash);
    hash
}

/// Snapshots record which bodies were removed: a snapshot from before a removal is refused afterwards, and the world
/// is unchanged.
#[test]
fn snapshots_know_which_bodies_were_removed() {
    let (mut world, [_, middle, high]) = tower();
    let whole = world.snapshot();
    world.remove(middle).unwrap();
    (0..5).for_each(|_| _ = world.step());
    let hash = goes_on_from_a_snapshot(&mut world);
    assert!(world.restore(&whole).is_err(), "the body no longer exists");
    assert_eq!(world.state_hash(), hash);
    assert!(world.get(high).is_some());
}

/// Every fragment can be removed, also the one with the handle of the original body; the others then have a common
/// origin again.
#[test]
fn fragments_can_be_removed() {
    let config = BoxConfig { size: [4.0, 1.0, 1.0], cells: [8, 2, 2], ..Default::default() };
    let chalk = Material { toughness: Some(Toughness::new(1e4)), ..Default::default() };
    let model = Arc::new(Model::uniform(box_mesh(&config).unwrap(), chalk).unwrap());
    let calm = WorldConfig { gravity: DVec3::ZERO, ..Default::default() };
    let mut world = World::new(calm).unwrap();
    let bar = world.add(Body::new("bar", model, vec![]).unwrap());
    let state = &mut world[bar].state;
    state.v.iter_mut().zip(&state.x).for_each(|(v, x)| *v = (x.x - 2.0).signum() * DVec3::X * 20.0);
    (0..30).for_each(|_| _ = world.step());
    let fragments: Vec<BodyHandle> = world.pieces(bar).collect();
    assert!(fragments.len() > 1, "the bar must break");
    assert_eq!(fragments[0], bar, "the heaviest fragment keeps the handle");

    world.remove(bar).unwrap();
    for fragment in &fragments[1..] {
        assert_eq!(
            world.origin(*fragment),
            Some(fragments[1]),
            "the next fragment becomes the origin of all"
        );
    }
    (0..5).for_each(|_| _ = world.step());
    goes_on_from_a_snapshot(&mut world);
    for fragment in &fragments[1..] {
        world.remove(*fragment).unwrap();
    }
    assert_eq!(
        (world.bodies().count(), world.state_hash()),
        (0, World::new(calm).unwrap().state_hash())
    );
    world.step();
}
