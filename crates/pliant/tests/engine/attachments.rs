//! Welds and hinges between bodies, moving frames and the world, and their reaction forces.

use std::sync::Arc;

use crate::common::{largest, model, run};
use glam::DVec3;
use pliant::body::{Action, Body, MaterialPoint, Model, Motion, Pin, Ramp, RigidConfig};
use pliant::geometry::Shape;
use pliant::material::{LawKind, Material};
use pliant::mesh::generate::{BoxConfig, box_mesh};
use pliant::solver::{MethodConfig, Stepper};
use pliant::world::{Attachment, AttachmentError, BodyHandle, Bond, Support, World, WorldConfig};

const GRAVITY: f64 = 9.81;

/// A bar of 1 × 0.2 × 0.2 m from the origin along x, and the node sets of its ends.
fn bar() -> Arc<Model> {
    let config = BoxConfig { size: [1.0, 0.2, 0.2], cells: [5, 1, 1], ..Default::default() };
    let law = LawKind::Corotated;
    let material = Material { law, young: 1e6, poisson: 0.3, density: 500.0, ..Default::default() };
    model(box_mesh(&config).unwrap(), material, None)
}

fn end(model: &Model, set: &str) -> Vec<MaterialPoint> {
    MaterialPoint::of_nodes(model.mesh(), &model.mesh().node_set(set).unwrap().nodes)
}

fn held_bar(world: &mut World, method: MethodConfig) -> BodyHandle {
    let model = bar();
    let nodes = model.mesh().node_set("x-").unwrap().nodes.clone();
    let pin = Pin { nodes, ..Default::default() };
    world.add_with(Body::new("bar", model, vec![pin]).unwrap(), method).unwrap()
}

/// A rigid box with this mass and centre.
fn weight(mass: f64, centre: DVec3) -> Body {
    let config = RigidConfig { mass: Some(mass), ..Default::default() };
    let shape = Shape::Box { half: DVec3::splat(0.1) };
    let model = Arc::new(Model::rigid_shape(&shape, 2, config).unwrap());
    let mut body = Body::new("weight", model, vec![]).unwrap();
    body.state.x.iter_mut().for_each(|x| *x += centre);
    body
}

fn damped() -> World {
    World::new(WorldConfig { damping: 5.0, sleep: None, ..Default::default() }).unwrap()
}

/// The reaction of a weld between a soft bar and a weight is the weight, for every stepper of the bar. Tolerance 1 %:
/// after 5 s the swinging has died away, and only the error of the solver is left.
#[test]
fn a_weld_bears_the_weight() {
    for stepper in [Stepper::ImplicitEuler, Stepper::BackwardEuler, Stepper::Xpbd] {
        let mut world = damped();
        let method = MethodConfig { stepper, tolerance: 1e-8, ..Default::default() };
        let bar = held_bar(&mut world, method);
        let (_, high) = world.get(bar).unwrap().model().mesh().bounds();
        let centre = high + DVec3::new(0.1, -0.1, -0.1);
        let load = world.add(weight(2.0, centre));
        let points = end(world.get(bar).unwrap().model(), "x+");
        let support = Support::Body(load);
        let weld = world.attach(&Attachment { points, ..Attachment::new(bar, support) }).unwrap();
        run(&mut world, 300);
        let force = world.reaction(weld).unwrap().force;
        assert!((force + 2.0 * GRAVITY * DVec3::Y).length() < 0.01 * 2.0 * GRAVITY, "{force}");
    }
}

/// The reaction of a bar welded to the world at one end is its weight W and the torque W L/2 of a cantilever.
/// Tolerance 2 % for the torque: the lever arm becomes shorter as the bar bends.
#[test]
fn a_weld_to_the_world_bears_weight_and_torque() {
    let mut world = damped();
    let model = bar();
    let points = end(&model, "x-");
    let mass = model.mass();
    let body = world.add(Body::new("bar", model, vec![]).unwrap());
    let weld =
        world.attach(&Attachment { points, ..Attachment::new(body, Support::World) }).unwrap();
    run(&mut world, 300);
    let reaction = world.reaction(weld).unwrap();
    assert!((reaction.force - mass * GRAVITY * DVec3::Y).length() < 1e-3 * mass * GRAVITY);
    let torque = 0.5 * mass * GRAVITY;
    assert!((reaction.torque - torque * DVec3::Z).length() < 0.02 * torque, "{}", reaction.torque);
}

/// A rigid pendulum on a hinge swings in the plane of the hinge with the period of a physical pendulum. Tolerances:
/// the springs of the hinge give way by up to 1 cm, and the implicit step damps the swing and shifts its quarter
/// period by up to 0.02 s (5 steps).
#[test]
fn a_hinge_turns_about_its_axis_only() {
    let config = WorldConfig { dt: 1.0 / 240.0, sleep: None, ..Default::default() };
    let mut world = World::new(config).unwrap();
    let shape = Shape::Box { half: DVec3::new(0.5, 0.05, 0.05) };
    let model = Arc::new(Model::rigid_shape(&shape, 2, RigidConfig::default()).unwrap());
    let rod = world.add(Body::new("rod", model.clone(), vec![]).unwrap());
    let through = DVec3::new(-0.5, 0.0, 0.0);
    let corner = |z: f64| model.locate(DVec3::new(-0.5, 0.0, z)).unwrap();
    let points = vec![corner(-0.05), corner(0.05)];
    // A weld would not swing at all, and a ball joint would also twist.
    let bond = Bond::Hinge { through, axis: DVec3::Z };
    let attachment = Attachment { points, bond, ..Attachment::new(rod, Support::World) };
    let hinge = world.attach(&attachment).unwrap();
    let inertia = model.inertia().unwrap();
    let (mut lowest, mut time) = (0.0f64, 0.0);
    for step in 0..240 {
        world.step();
        let state = &world.get(rod).unwrap().state;
        let centre = state.x.iter().sum::<DVec3>() / 4.0;
        assert!(centre.z.abs() < 1e-6, "the rod leaves its plane: {centre}");
        let axis = inertia.pose(state).direction(DVec3::Z);
        assert!(axis.distance(DVec3::Z) < 1e-3, "the axis tilts: {axis}");
        assert!(
            (centre.distance(through) - 0.5).abs() < 1e-2,
            "the rod leaves the hinge: {centre}"
        );
        if centre.y < lowest {
            (lowest, time) = (centre.y, f64::from(step + 1) / 240.0);
        }
    }
    // From the horizontal, a quarter of the period of large swings: K(sin 45°) = 1.8541 times √(I/(m g d)).
    let about_hinge = inertia.moments().max_element() / inertia.mass + 0.25;
    let quarter = 1.8541 * (about_hinge / (GRAVITY * 0.5)).sqrt();
    assert!((lowest + 0.5).abs() < 5e-3 && (time - quarter).abs() < 0.02);
    assert!(world.detach(hinge) && !world.detach(hinge) && world.reaction(hinge).is_none());
}

/// A body attached to a moving frame, or to a body whose nodes are all pinned, follows it. Tolerance 1 mm of 1 m,
/// after the motion has been damped for 2.5 s: the springs of the attachment give way under the weight.
#[test]
fn frames_carry_what_is_attached() {
    let ramp = Ramp { start: 0.5, end: 1.5, action: Action::Translate(DVec3::Y) };
    let motion = Motion { ramps: vec![ramp] };
    let mut world = damped();
    let pin = Pin { nodes: vec![0, 1, 2, 3], motion: motion.clone(), ..Default::default() };
    let carrier = weight(1.0, DVec3::ZERO).model().clone();
    let carrier = world.add(Body::new("carrier", carrier, vec![pin]).unwrap());
    for (x, support) in [(2.0, Support::Frame(motion)), (0.2, Support::Body(carrier))] {
        let load = world.add(weight(1.0, DVec3::new(x, 0.0, 0.0)));
        let body = world.get(load).unwrap();
        let corner = |y, z| body.model().locate(DVec3::new(-0.1, y, z)).unwrap();
        let points = vec![corner(0.1, 0.1), corner(-0.1, 0.1), corner(0.0, -0.1)];
        world.attach(&Attachment { points, ..Attachment::new(load, support) }).unwrap();
    }
    run(&mut world, 240);
    for (_, body) in world.bodies() {
        let centre = body.state.x.iter().sum::<DVec3>() / 4.0;
        assert!((centre.y - 1.0).abs() < 1e-3, "{} is at {centre}", body.name());
        assert!(largest(body.state.v.iter().copied()) < 1e-3);
    }
}

/// Every kind of invalid attachment returns its own error, and a valid one is accepted afterwards.
#[test]
fn what_cannot_be_attached_is_refused_with_a_remedy() {
    let mut world = damped();
    let free = world.add(Body::new("bar", bar(), vec![]).unwrap());
    let points = end(&bar(), "x+");
    let sound = Attachment { points, ..Attachment::new(free, Support::World) };
    let far = world.add({
        let mut body = Body::new("far", bar(), vec![]).unwrap();
        body.state.x.iter_mut().for_each(|x| x.y += 5.0);
        body
    });
    let refused =
        |world: &mut World, attachment: Attachment| world.attach(&attachment).unwrap_err();
    let error = refused(&mut world, Attachment { points: vec![], ..sound.clone() });
    assert_eq!(error, AttachmentError::NoPoints);
    let error = refused(&mut world, Attachment { support: Support::Body(free), ..sound.clone() });
    assert_eq!(error, AttachmentError::Itself);
    let error = refused(&mut world, Attachment { support: Support::Body(far), ..sound.clone() });
    assert!(matches!(error, AttachmentError::Apart { which: "second", .. }), "{error}");
    let bond = Bond::Hinge { through: DVec3::ZERO, axis: DVec3::ZERO };
    let error = refused(&mut world, Attachment { bond, ..sound.clone() });
    assert!(matches!(error, AttachmentError::Axis { .. }), "{error}");
    let error = refused(&mut world, Attachment { stiffness: Some(f64::NAN), ..sound.clone() });
    assert!(matches!(error, AttachmentError::Body(_)), "{error}");
    let mut foreign = sound.clone();
    foreign.points[0].cell = 1_000;
    let error = refused(&mut world, foreign);
    assert!(matches!(error, AttachmentError::Body(_)), "{error}");
    assert!(world.attach(&sound).is_ok());
}
