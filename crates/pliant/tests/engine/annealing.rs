//! Changes of the rest shape: commits, also with invalid cells; annealing, which resets plastic strain; and voxels.

use std::sync::Arc;

use crate::common::{Random, heavy};
use glam::DVec3;
use pliant::body::{Action, Body, Contents, Model, ModelConfig, ModelError, Motion, Pin, Ramp};
use pliant::internals::Leaf;
use pliant::material::{LawKind, Material, Plastic};
use pliant::mesh::Mesh;
use pliant::mesh::generate::{BoxConfig, Split, box_mesh};
use pliant::plasticity::plastic_strain;
use pliant::solver::{MethodConfig, Stepper};
use pliant::world::{BodyHandle, CommitError, EventKind, World, WorldConfig};

const LENGTH: f64 = 0.4;

fn bar(split: Split, degree: usize) -> Mesh {
    let (size, cells) = ([LENGTH, 0.1, 0.1], [4, 1, 1]);
    box_mesh(&BoxConfig { size, cells, degree, split, ..Default::default() }).unwrap()
}

fn clay(limit: f64) -> Material {
    let plastic = Plastic::Hardening { yield_stress: 3e3, hardening: 5e3, limit };
    let law = LawKind::Corotated;
    Material { law, young: 1e5, poisson: 0.4, plastic: Some(plastic), ..Default::default() }
}

fn most(strains: &[f64]) -> f64 {
    strains.iter().copied().fold(0.0, f64::max)
}

fn strain(world: &World, handle: BodyHandle) -> f64 {
    most(&plastic_strain(world.get(handle).unwrap().rest_shape()))
}

/// A bar held at one end, whose other end is moved upwards and partly back within a second and is then held there.
fn bent(model: &Arc<Model>, config: WorldConfig, method: MethodConfig) -> (World, BodyHandle) {
    let set = |name: &str| model.mesh().node_set(name).unwrap().nodes.clone();
    let up =
        |start: f64, end: f64, y: f64| Ramp { start, end, action: Action::Translate(y * DVec3::Y) };
    let motion = Motion { ramps: vec![up(0.0, 0.5, 0.15), up(0.5, 1.0, -0.1)] };
    let pins = vec![
        Pin { nodes: set("x-"), ..Default::default() },
        Pin { nodes: set("x+"), motion, ..Default::default() },
    ];
    let mut world =
        World::new(WorldConfig { gravity: DVec3::ZERO, damping: 5.0, ..config }).unwrap();
    let body = Body::new("bar", model.clone(), pins).unwrap();
    let handle = world.add_with(body, method).unwrap();
    (world, handle)
}

/// Releases the far end and waits until the bar is at rest.
fn let_go(world: &mut World, handle: BodyHandle) {
    let before = world.get(handle).unwrap();
    let held = before.pins()[0].clone();
    let mut free = Body::new("bar", before.model().clone(), vec![held]).unwrap();
    free.state.x.clone_from(&before.state.x);
    free.state.flow.clone_from(&before.state.flow);
    let method = *world.method(handle).unwrap();
    world.replace(handle, free, method).unwrap();
    run(world, 3.0);
}

fn run(world: &mut World, seconds: f64) {
    let steps = (seconds / world.config().dt).round() as usize;
    (0..steps).for_each(|_| _ = world.step());
}

fn largest_distance(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
}

/// A commit succeeds for any node positions: every cell gets a certified rest shape. Nodes of committed cells
/// rest exactly where they are, except those shared with a kept cell. Kept cells have their old rest shape up
/// to a rigid motion: distances between their nodes change by rounding only (1e-13 m of 0.4 m).
#[test]
fn cells_that_cannot_rest_here_keep_their_shape() {
    let mut random = Random::new(3);
    for degree in [1, 2] {
        let model = Model::uniform(bar(Split::Tet6, degree), clay(1e6)).unwrap();
        for throw in [0.01, 0.05, 0.3] {
            let mut x = model.mesh().nodes.clone();
            let end = (x.len() / 8).max(2);
            x[..end].iter_mut().for_each(|x| *x += throw * random.vector());
            let annealed = model.rest_shape().committed(&x).unwrap();
            let rest = annealed.flowed.model.mesh();
            assert!(rest.invalid_cells().is_empty());
            assert_eq!(annealed.kept.is_empty(), model.at_shape(&x).is_ok());
            let mut moved = vec![false; x.len()];
            for cell in &annealed.kept {
                let (_, nodes) = rest.cell(*cell as usize);
                for a in nodes {
                    moved[*a as usize] = true;
                    for b in nodes {
                        let length = |of: &[DVec3]| of[*a as usize].distance(of[*b as usize]);
                        let off = length(&rest.nodes) - length(&model.mesh().nodes);
                        assert!(off.abs() < 1e-13, "cell {cell}: {off:e}");
                    }
                }
            }
            let stays = (0..x.len()).all(|node| moved[node] || rest.nodes[node] == x[node]);
            assert!(stays, "nodes without kept cells rest where they are");
        }
        let mut x = model.mesh().nodes.clone();
        x[0].x = f64::NAN;
        assert!(model.rest_shape().committed(&x).is_err());
        assert!(matches!(model.rest_shape().committed(&x[1..]), Err(ModelError::RestCount { .. })));
    }
}

/// A body with one end pushed through itself can be committed and simulated further: after a second nothing was
/// reset, no cell is inverted, and fewer cells than before cannot be certified.
#[test]
fn a_body_with_folded_cells_is_committed_and_goes_on() {
    let model = Arc::new(Model::uniform(bar(Split::Tet12, 2), clay(1e6)).unwrap());
    let mut world = World::new(WorldConfig { damping: 5.0, ..Default::default() }).unwrap();
    let nodes = model.mesh().node_set("x-").unwrap().nodes.clone();
    let pin = Pin { nodes, ..Default::default() };
    let handle = world.add(Body::new("bar", model, vec![pin]).unwrap());
    for x in &mut world.get_mut(handle).unwrap().state.x {
        if x.x > 0.99 * LENGTH {
            x.x -= 0.15;
        }
    }
    assert!(world.health().inverted > 0);
    let committed = world.commit(handle).unwrap();
    assert!(!committed.kept.is_empty());
    run(&mut world, 1.0);
    assert_eq!(
        world.health().inverted,
        0,
        "inverted cells left, of {} that were kept",
        committed.kept.len()
    );
    assert_eq!(world.health().resets, 0);
    let again = world.commit(handle).unwrap();
    assert!(again.kept.len() < committed.kept.len(), "{:?} of {:?}", again.kept, committed.kept);
}

/// Annealing changes no force: a released bar stays where it would have been without it, while its plastic
/// strain falls to the level of its elastic strain. Tolerance 1e-6 of the length: rounding, and the remaining
/// motion through a stepper that restarts; 1e-9 for the elastic energy, which is rounding.
#[test]
fn annealing_is_not_noticed() {
    for stepper in [Stepper::ImplicitEuler, Stepper::Bdf2, Stepper::Xpbd] {
        for split in [Split::Tet6, Split::Hex] {
            let model = Arc::new(Model::uniform(bar(split, 1), clay(1e6)).unwrap());
            let method = MethodConfig { stepper, ..Default::default() };
            let (mut world, handle) =
                bent(&model, WorldConfig { sleep: None, ..Default::default() }, method);
            run(&mut world, 1.0);
            let_go(&mut world, handle);
            let (mut other, before) = (world.clone(), strain(&world, handle));
            let kept = other.anneal(handle).unwrap().kept;
            assert!(kept.is_empty(), "{kept:?}");
            let after = strain(&other, handle);
            assert!(
                before > 0.1 && after < 0.5 * before,
                "{stepper:?} {split:?}: {before} to {after}"
            );
            let (a, b) = (world.energy().elastic, other.energy().elastic);
            assert!((a / b - 1.0).abs() < 1e-9, "{stepper:?} {split:?}: {a} and {b} J");
            run(&mut world, 0.5);
            run(&mut other, 0.5);
            let off = largest_distance(
                &world.get(handle).unwrap().state.x,
                &other.get(handle).unwrap().state.x,
            );
            println!(
                "{stepper:?} {split:?}: {before:.3} to {after:.3}, {:.1e} apart",
                off / LENGTH
            );
            assert!(off < 1e-6 * LENGTH, "{stepper:?} {split:?}: {off:e} m");
        }
    }
}

/// A material at its plastic limit flows no further until it is annealed. With `anneal` set this happens
/// automatically, once, after 0.5 s without plastic flow, and is reported by one event.
#[test]
fn annealing_by_itself_gives_room_to_flow() {
    let model = Arc::new(Model::uniform(bar(Split::Tet6, 2), clay(5e3)).unwrap());
    let count = |anneal: Option<f64>| {
        let config = WorldConfig { anneal, ..Default::default() };
        let (mut world, handle) = bent(&model, config, MethodConfig::default());
        let mut told = 0;
        for _ in 0..180 {
            world.step();
            let kinds = world.events().iter().map(|event| event.kind);
            told += kinds.filter(|kind| matches!(kind, EventKind::Annealed { .. })).count();
        }
        (told, strain(&world, handle))
    };
    let (never, left) = count(None);
    assert!(never == 0 && left > 0.05);
    let (told, left) = count(Some(0.5));
    assert_eq!(told, 1);
    assert!(left < 0.05, "{left}");
    let bad = WorldConfig { anneal: Some(0.0), ..Default::default() };
    assert!(World::new(bad).unwrap_err().to_string().contains("anneal is 0"));
}

/// A body with an elastic part cannot be annealed, because an elastic cell has no rest shape but that of the
/// mesh: the call returns an error and changes nothing.
#[test]
fn what_is_elastic_is_not_annealed() {
    let mesh = bar(Split::Tet6, 1);
    let of_cell = (0..mesh.cell_count() as u32).map(|cell| u32::from(cell % 2 == 0)).collect();
    let materials = vec![clay(1e6), Material { plastic: None, ..clay(1e6) }];
    let model = Arc::new(Model::new(mesh, materials, of_cell, ModelConfig::default()).unwrap());
    let (mut world, handle) = bent(&model, WorldConfig::default(), MethodConfig::default());
    run(&mut world, 1.5);
    let before = world.state_hash();
    let error = world.anneal(handle).unwrap_err();
    assert!(matches!(error, CommitError::Shape(ModelError::Elastic { cell: 0 })), "{error}");
    assert!(world.state_hash() == before && strain(&world, handle) > 0.05);
}

/// Snapshots contain rest shapes: a world that is restored from any of several snapshots, before and after
/// annealing and a commit, ends with the same bits. So does a new world.
#[test]
fn snapshots_know_of_rest_shapes() {
    for stepper in [Stepper::Bdf2, Stepper::Xpbd] {
        let model = Arc::new(Model::uniform(bar(Split::Tet6, 2), clay(1e6)).unwrap());
        let method = MethodConfig { stepper, ..Default::default() };
        let config = WorldConfig { anneal: Some(0.2), ..Default::default() };
        let (mut world, handle) = bent(&model, config, method);
        let mut kept = Vec::new();
        for step in 0..150 {
            if step == 130 {
                world.commit(handle).unwrap();
            }
            if step % 20 == 0 {
                kept.push(world.snapshot());
            }
            world.step();
        }
        let end = world.state_hash();
        // Otherwise than in a heavy run two of them: long before the rest shape is committed, and after that.
        let (first, stride) = if heavy() { (0, 1) } else { (3, 4) };
        for (k, bytes) in kept.iter().enumerate().skip(first).step_by(stride) {
            for (mut other, handle) in [(world.clone(), handle), bent(&model, config, method)] {
                other.restore(bytes).unwrap();
                assert_eq!(other.snapshot(), *bytes, "{stepper:?}: {k}");
                for step in 20 * k..150 {
                    if step == 130 && step > 20 * k {
                        other.commit(handle).unwrap();
                    }
                    other.step();
                }
                assert_eq!(other.state_hash(), end, "{stepper:?}: {k}");
            }
        }
    }
}

/// Hexahedra with empty leaves, in a checkerboard in their upper half.
fn voxels(degree: usize) -> Model {
    let mesh = bar(Split::Hex, degree);
    let places = (0..64u16).map(|k| [k % 4, k / 4 % 4, k / 16]);
    let solid = places.filter(|[x, y, z]| (x + y + z) % 2 == 0 || *y < 2);
    let leaf = |place: [u16; 3]| Leaf { place, fill: 1.0, material: 0 };
    let leaves: Vec<Leaf> = solid.map(leaf).collect();
    let start = (0..=mesh.cell_count()).map(|cell| (cell * leaves.len()) as u32).collect();
    let leaves = leaves.repeat(mesh.cell_count());
    let contents = Contents { resolution: 4, start, leaves };
    Model::with_contents(mesh, vec![clay(1e6)], contents, ModelConfig::default()).unwrap()
}

/// Partly filled voxels flow plastically, stay bent, and can be committed in that shape: then they have no
/// stress, the same mass to rounding (1e-12) and stay there for half a second to 1e-6 of the length (rounding).
/// At the original shape they have exactly the original masses.
#[test]
fn voxels_flow_and_are_committed() {
    for degree in [1, 2] {
        let model = Arc::new(voxels(degree));
        let (mut world, handle) = bent(&model, WorldConfig::default(), MethodConfig::default());
        run(&mut world, 4.0);
        let flowed = strain(&world, handle);
        assert!(flowed > 0.03, "degree {degree}: {flowed}");
        let x = world.get(handle).unwrap().state.x.clone();
        let committed = world.commit(handle).unwrap();
        assert!(committed.kept.is_empty());
        assert!(world.energy().elastic < 1e-9, "{}", world.energy().elastic);
        let body = world.get(handle).unwrap();
        assert!((body.model().mass() / model.mass() - 1.0).abs() < 1e-12);
        assert!(strain(&world, handle) < 1e-9);
        run(&mut world, 0.5);
        let off = largest_distance(&world.get(handle).unwrap().state.x, &x);
        assert!(off < 1e-6 * LENGTH, "degree {degree}: {off:e} m");
        let back = world.get(handle).unwrap().model().at_shape(&model.mesh().nodes).unwrap();
        assert_eq!(back.masses(), model.masses());
    }
}

/// Plastic flow under the explicit stepper gives the same plastic strain as under the implicit one, within 3 %:
/// the difference made by elastic waves, which only the implicit stepper damps.
#[test]
fn matter_flows_under_explicit_steps() {
    let model = Arc::new(Model::uniform(bar(Split::Tet6, 1), clay(1e6)).unwrap());
    let [implicit, explicit] = [Stepper::ImplicitEuler, Stepper::SymplecticEuler].map(|stepper| {
        let method = MethodConfig { stepper, ..Default::default() };
        let (mut world, handle) = bent(&model, WorldConfig::default(), method);
        run(&mut world, 1.5);
        assert_eq!(world.health().resets, 0);
        strain(&world, handle)
    });
    println!("{implicit} and {explicit}");
    assert!(implicit > 0.1 && (explicit / implicit - 1.0).abs() < 0.03, "{implicit}, {explicit}");
}
