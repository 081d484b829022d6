//! A model is constant, and a state is everything that steps change.

use std::sync::Arc;

use glam::DVec3;
use pliant::body::{Action, Body, Model, Motion, Pin, Ramp, State};
use pliant::contact::ContactLevel;
use pliant::material::{LawKind, Material, Plastic, Toughness};
use pliant::mesh::generate::{BoxConfig, box_mesh};
use pliant::solver::{MethodConfig, Stepper};
use pliant::world::{BodyHandle, World, WorldConfig};

fn world() -> World {
    let config = WorldConfig {
        gravity: DVec3::ZERO,
        contact: ContactLevel::Off,
        sleep: None,
        dt: 1.0 / 240.0,
        ..Default::default()
    };
    World::new(config).unwrap()
}

/// A bar of 2 × 0.5 × 0.5 m that flows.
fn model(degree: usize, toughness: Option<Toughness>) -> Arc<Model> {
    let config =
        BoxConfig { size: [2.0, 0.5, 0.5], cells: [6, 2, 2], degree, ..Default::default() };
    let plastic = Plastic::Creep { yield_strain: 0.01, rate: 20.0, limit: 1.0 };
    let material = Material {
        law: LawKind::Corotated,
        young: 1e5,
        density: 1000.0,
        plastic: Some(plastic),
        toughness,
        ..Default::default()
    };
    Arc::new(Model::uniform(box_mesh(&config).unwrap(), material).unwrap())
}

/// The bar, held at one end and drawn out at the other.
fn drawn_out(model: &Arc<Model>) -> Body {
    let set = |name: &str| model.mesh().node_set(name).unwrap().nodes.clone();
    let action = Action::Translate(0.6 * DVec3::X);
    let motion = Motion { ramps: vec![Ramp { start: 0.0, end: 0.5, action }] };
    let held = Pin { nodes: set("x-"), ..Default::default() };
    Body::new("bar", model.clone(), vec![held, Pin { nodes: set("x+"), motion, spread: None }])
        .unwrap()
}

/// The bar, with ends that fly apart.
fn torn(model: &Arc<Model>) -> Body {
    let mut body = Body::new("bar", model.clone(), vec![]).unwrap();
    body.state.v = body.state.x.iter().map(|x| 8.0 * (x.x - 1.0) * DVec3::X).collect();
    body
}

fn run(world: &mut World, steps: usize) {
    (0..steps).for_each(|_| _ = world.step());
}

fn method(stepper: Stepper) -> MethodConfig {
    MethodConfig { stepper, ..Default::default() }
}

/// All numbers of a model.
fn numbers(model: &Model) -> String {
    format!("{model:?}")
}

/// A body that flows keeps the model that it was made of, and every number of that model stays the same.
#[test]
fn steps_change_no_model() {
    for stepper in [Stepper::ImplicitEuler, Stepper::Xpbd, Stepper::Bdf2] {
        let model = model(1, None);
        let before = numbers(&model);
        let mut flowing = world();
        let bar = flowing.add_with(drawn_out(&model), method(stepper)).unwrap();
        run(&mut flowing, 60);
        assert!(flowing[bar].state.flow.is_some(), "{stepper:?}: nothing flowed");
        assert!(Arc::ptr_eq(flowing[bar].model(), &model), "{stepper:?}");
        assert!(numbers(&model) == before, "{stepper:?}");
    }
}

/// A break leaves the model of the unbroken body as it is. The fragments get models of their own, which stay the same, too.
#[test]
fn breaks_change_no_model() {
    let model = model(1, Some(Toughness::new(1.5e4)));
    let before = numbers(&model);
    let mut breaking = world();
    let bar = breaking.add(torn(&model));
    run(&mut breaking, 40);
    let pieces: Vec<BodyHandle> = breaking.pieces(bar).collect();
    assert!(pieces.len() > 1, "nothing broke");
    assert!(numbers(&model) == before, "the model of the unbroken body");
    let flowed = pieces.iter().filter(|piece| breaking[**piece].state.flow.is_some());
    assert!(flowed.count() > 0, "no fragment has flowed");
    let of = |world: &World, piece: &BodyHandle| world[*piece].model().clone();
    let models: Vec<_> = pieces.iter().map(|piece| of(&breaking, piece)).collect();
    let first: Vec<_> = models.iter().map(|model| numbers(model)).collect();
    let versions: Vec<_> = pieces.iter().map(|piece| breaking.version(*piece)).collect();
    run(&mut breaking, 20);
    for (index, piece) in pieces.iter().enumerate() {
        assert!(numbers(&models[index]) == first[index], "fragment {index}");
        // A fragment that breaks again has fewer cells, and thus another model.
        let broke = breaking.version(*piece) != versions[index];
        assert!(broke || Arc::ptr_eq(&of(&breaking, piece), &models[index]), "fragment {index}");
    }
    // Drawn surfaces of fragments are made on first use, outside of their models.
    pieces.iter().for_each(|piece| _ = breaking[*piece].drawn());
    assert!(numbers(&model) == before);
}

/// With steppers that remember nothing of earlier steps, a body with the same model and a copy of the state continues with
/// the same bits, whether it is new or has taken other steps before.
#[test]
fn a_copy_of_the_state_goes_on_with_the_same_bits() {
    for (stepper, degree) in [(Stepper::SymplecticEuler, 1), (Stepper::Xpbd, 1), (Stepper::Xpbd, 2)]
    {
        let (model, method) = (model(degree, None), method(stepper));
        let mut old = world();
        let bar = old.add_with(drawn_out(&model), method).unwrap();
        run(&mut old, 60);
        let state: State = old[bar].state.clone();
        assert!(state.flow.is_some(), "{stepper:?}: nothing flowed");
        let mut new = world();
        let mut body = drawn_out(&model);
        body.state = state.clone();
        let copy = new.add_with(body, method).unwrap();
        let mut other = world();
        let changed = other.add_with(drawn_out(&model), method).unwrap();
        run(&mut other, 7);
        other[changed].state = state;
        [&mut new, &mut other].into_iter().for_each(|world| world.set_time(old.time()));
        for step in 0..30 {
            [&mut old, &mut new, &mut other].into_iter().for_each(|world| _ = world.step());
            let now = &old[bar].state;
            assert!(new[copy].state == *now, "{stepper:?} {degree}: step {step}");
            assert!(other[changed].state == *now, "{stepper:?} {degree}: step {step}, set later");
        }
    }
}

/// Copies of a state share the flow until one of them flows on; the other stays the same.
#[test]
fn a_copied_flow_stays_as_it_was() {
    let model = model(1, None);
    let mut world = world();
    let bar = world.add(drawn_out(&model));
    run(&mut world, 60);
    let copy = world[bar].state.clone();
    let kept = format!("{:?}", copy.flow);
    run(&mut world, 10);
    assert!(world[bar].state.flow != copy.flow && format!("{:?}", copy.flow) == kept);
}
