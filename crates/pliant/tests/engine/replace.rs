//! Replacing a body by another while the world runs.

use std::sync::Arc;

use crate::common::{free_body, held_body, jittered, soft};
use pliant::body::{Body, MaterialPoint};
use pliant::contact::{ContactLevel, Obstacle};
use pliant::material::{LawKind, Material};
use pliant::mesh::generate::Split;
use pliant::solver::{MethodConfig, Stepper};
use pliant::world::{Attachment, HandleError, ReplaceError, Support, World, WorldConfig};

fn bar() -> Body {
    held_body(jittered(Split::Tet5, 2, [4, 1, 1]), soft(LawKind::Corotated), &["x-"])
}

fn world() -> World {
    World::new(WorldConfig { contact: ContactLevel::Off, ..Default::default() }).unwrap()
}

/// The same body in the same state with changed materials.
fn of_other_stuff(body: &Body, change: impl Fn(&Material) -> Material) -> Body {
    let materials = body.model().materials().iter().map(change).collect();
    let model = Arc::new(body.model().with_materials(materials).unwrap());
    let mut other = Body::new(body.name(), model, body.pins().to_vec()).unwrap();
    other.state = body.state.clone();
    other
}

/// A position-based body has no data but its state, so that one that is replaced by itself continues with the same
/// bits.
#[test]
fn a_body_that_takes_its_own_place_goes_on_as_it_was() {
    let method = MethodConfig { stepper: Stepper::Xpbd, ..Default::default() };
    let mut worlds = [world(), world()];
    let handles = worlds.each_mut().map(|world| world.add_with(bar(), method).unwrap());
    for step in 0..40 {
        if step == 20 {
            let same = of_other_stuff(worlds[1].get(handles[1]).unwrap(), |stuff| *stuff);
            worlds[1].replace(handles[1], same, method).unwrap();
        }
        worlds.iter_mut().for_each(|world| {
            world.step();
        });
        assert_eq!(worlds[0].state_hash(), worlds[1].state_hash(), "step {step}");
    }
}

/// A stepper that was prepared in another world moves the body as a new one does, to the bit, with every stepper. One that
/// does not fit, for other pins or another model, is not used.
#[test]
fn a_prepared_stepper_is_as_good_as_a_new_one() {
    for stepper in Stepper::ALL {
        let method = MethodConfig { stepper, substeps: Some(8), ..Default::default() };
        let mesh = || jittered(Split::Tet5, 2, [4, 1, 1]);
        let held = |side| held_body(mesh(), soft(LawKind::Corotated), &[side]);
        let mut new = held("x+");
        let same = Body::new("bar", new.model().clone(), new.pins().to_vec()).unwrap();
        let with_other_pins = Body::new("bar", new.model().clone(), vec![]).unwrap();
        for (k, other) in [same, with_other_pins, held("x+")].into_iter().enumerate() {
            let mut worlds = [world(), world()];
            let handles = worlds.each_mut().map(|world| world.add_with(bar(), method).unwrap());
            let mut prepared = world();
            prepared.add_with(other, method).unwrap();
            for step in 0..12 {
                if step == 6 {
                    new.state = worlds[0].get(handles[0]).unwrap().state.clone();
                    worlds[0].replace(handles[0], new.clone(), method).unwrap();
                    let prepared = prepared.clone();
                    let replaced =
                        worlds[1].replace_prepared(handles[1], new.clone(), method, prepared);
                    assert_eq!(replaced.unwrap().pins(), bar().pins());
                }
                worlds.iter_mut().for_each(|world| {
                    world.step();
                });
                let [one, other] = worlds.each_ref().map(World::state_hash);
                assert_eq!(one, other, "{stepper:?} {k} step {step}");
            }
        }
    }
}

/// A body replaced by one that is ten times as stiff has ten times the elastic energy at the same shape, to rounding,
/// because stress is linear in Young's modulus; its kinetic energy is unchanged.
#[test]
fn energy_at_the_same_shape_grows_with_youngs_modulus() {
    let mut world = world();
    let handle = world.add(bar());
    (0..30).for_each(|_| {
        world.step();
    });
    let before = world.energy();
    let change = |stuff: &Material| Material { young: 10.0 * stuff.young, ..*stuff };
    let stiffer = of_other_stuff(world.get(handle).unwrap(), change);
    let softer = world.replace(handle, stiffer, MethodConfig::default()).unwrap();
    let after = world.energy();
    assert_eq!(
        softer.model().materials()[0].young * 10.0,
        world.get(handle).unwrap().model().materials()[0].young
    );
    assert_eq!(before.kinetic, after.kinetic);
    assert!((after.elastic / before.elastic - 10.0).abs() < 1e-9, "{before:?} {after:?}");
}

/// A replacement lands on the ground, and the other bodies move with the same bits as without it.
#[test]
fn the_new_one_meets_obstacles_and_the_others_go_on() {
    let mut worlds = [world(), world()];
    let cube = || free_body(jittered(Split::Tet5, 1, [2, 2, 2]), soft(LawKind::Corotated));
    let mut handles = Vec::new();
    for world in &mut worlds {
        world.add_obstacle(Obstacle::ground(0.5)).unwrap();
        handles.push([world.add(cube()), world.add(cube())]);
    }
    for step in 0..30 {
        if step == 5 {
            let other = cube();
            worlds[1].replace(handles[1][0], other, MethodConfig::default()).unwrap();
        }
        worlds.iter_mut().for_each(|world| {
            world.step();
        });
    }
    let [undisturbed, neighbour] = [0, 1].map(|k| &worlds[k].get(handles[k][1]).unwrap().state);
    assert_eq!(undisturbed, neighbour);
    let exchanged = &worlds[1].get(handles[1][0]).unwrap().state;
    // The contact layer gives way by less than a tenth of the body.
    assert!(exchanged.x.iter().all(|x| x.y > -0.1), "the body fell through the ground");
}

/// A replacement with a foreign handle, an invalid method, or of an attached body is an error and changes
/// nothing.
#[test]
fn what_cannot_be_exchanged_is_refused_and_nothing_changes() {
    let (mut one, mut two) = (world(), world());
    let (first, _) = (one.add(bar()), two.add(bar()));
    let stranger = two.add(bar());
    let error = one.replace(stranger, bar(), MethodConfig::default()).unwrap_err();
    assert_eq!(error, ReplaceError::Handle(HandleError::OtherWorld { index: 1 }));

    let bad = MethodConfig { tolerance: -1.0, ..Default::default() };
    let hash = one.state_hash();
    assert!(matches!(one.replace(first, bar(), bad), Err(ReplaceError::Method(_))));
    assert_eq!(one.state_hash(), hash);

    let mesh = one.get(first).unwrap().model().mesh();
    let points = MaterialPoint::of_nodes(mesh, &mesh.node_set("x+").unwrap().nodes);
    let held = Attachment { points, ..Attachment::new(first, Support::World) };
    let held = one.attach(&held).unwrap();
    let error = one.replace(first, bar(), MethodConfig::default()).unwrap_err();
    assert_eq!(error, ReplaceError::Attached { index: 0 });
    one.detach(held);
    assert!(one.replace(first, bar(), MethodConfig::default()).is_ok());
}
