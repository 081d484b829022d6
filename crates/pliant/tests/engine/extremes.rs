//! Long steps, high speeds, large coordinates and defective skins: numbers stay finite, nothing panics, invalid input
//! is a typed error.

use std::sync::Arc;

use crate::common::Random;
use glam::DVec3;
use pliant::body::{Body, MeshPoint, Model, ModelError, RigidConfig, Skin};
use pliant::contact::{ContactConfig, ContactLevel, Obstacle};
use pliant::geometry::{Pose, Shape, SolidError};
use pliant::material::Material;
use pliant::mesh::Mesh;
use pliant::mesh::generate::{BoxConfig, Split, box_mesh};
use pliant::solver::{MethodConfig, Stepper};
use pliant::world::{World, WorldConfig};

fn mesh() -> Mesh {
    let config = BoxConfig {
        origin: [-0.1; 3],
        size: [0.2; 3],
        cells: [2; 3],
        split: Split::Tet5,
        ..Default::default()
    };
    box_mesh(&config).unwrap()
}

fn soft() -> Arc<Model> {
    Arc::new(Model::uniform(mesh(), material()).unwrap())
}

fn material() -> Material {
    Material { young: 2e5, poisson: 0.35, ..Default::default() }
}

fn rigid() -> Arc<Model> {
    let shape = Shape::Box { half: DVec3::splat(0.1) };
    Arc::new(Model::rigid_shape(&shape, 3, RigidConfig::default()).unwrap())
}

fn placed(model: &Arc<Model>, at: DVec3, velocity: DVec3) -> Body {
    let mut body = Body::new("cube", model.clone(), vec![]).unwrap();
    body.state.x.iter_mut().for_each(|x| *x += at);
    body.state.v.fill(velocity);
    body
}

/// Cubes for all kinds of steps: linearly implicit, position-based, rigid, and backward Euler.
fn cubes() -> [(Arc<Model>, Stepper); 4] {
    [
        (soft(), Stepper::ImplicitEuler),
        (soft(), Stepper::Xpbd),
        (rigid(), Stepper::ImplicitEuler),
        (soft(), Stepper::BackwardEuler),
    ]
}

/// Adds cubes, each displaced by `step` from the one before.
fn stack<const N: usize>(
    world: &mut World,
    cubes: [(Arc<Model>, Stepper); N],
    (at, step): (DVec3, DVec3),
    velocity: DVec3,
) {
    for (k, (model, stepper)) in cubes.into_iter().enumerate() {
        let place = at + DVec3::Y * 0.12 + k as f64 * step;
        let method = MethodConfig { stepper, ..Default::default() };
        world.add_with(placed(&model, place, velocity), method).unwrap();
    }
}

/// The displacement from a cube to the next above it, in m.
const UP: DVec3 = DVec3::new(0.01, 0.22, 0.0);

fn farthest(world: &World, from: DVec3) -> f64 {
    let places = world.bodies().flat_map(|(_, body)| body.state.x.iter());
    places.map(|x| x.distance(from)).fold(0.0, f64::max)
}

fn assert_finite(world: &World, what: &str) {
    for (_, body) in world.bodies() {
        assert!(body.state.is_finite(), "{what}");
    }
    assert_eq!(world.health().resets, 0, "{what}");
}

/// With steps of 1/15 s a stack on the ground neither explodes nor falls through: after 5 s it is within 3 m, a
/// few times its height.
#[test]
fn long_steps() {
    for contact in [ContactLevel::Game, ContactLevel::Safe] {
        let config = WorldConfig { dt: 1.0 / 15.0, contact, ..Default::default() };
        let mut world = World::new(config).unwrap();
        world.add_obstacle(Obstacle::ground(0.5)).unwrap();
        stack(&mut world, cubes(), (DVec3::ZERO, UP), DVec3::ZERO);
        for _ in 0..75 {
            world.step();
        }
        assert_finite(&world, "long steps");
        let lowest = world.bodies().flat_map(|(_, body)| body.state.x.iter().map(|x| x.y));
        let lowest = lowest.fold(f64::INFINITY, f64::min);
        let far = farthest(&world, DVec3::ZERO);
        println!("{contact:?}: {far:.2} m away, lowest {lowest:.3} m");
        assert!(far < 3.0, "{contact:?}: {far} m away");
        // The nodes of a rigid body are farther out than its skin.
        assert!(lowest > -0.25, "{contact:?}: {lowest} m");
    }
}

/// Cubes that hit the ground and each other at 100 m/s stay finite, are never reset and do not pass through the
/// ground. They may be flattened on it: 1 mm below the surface is allowed for the mean height of their nodes.
#[test]
fn fast_impacts() {
    let [soft_cube, xpbd, rigid_cube, backward] = cubes();
    let solved = [soft_cube.clone(), rigid_cube.clone(), backward.clone(), soft_cube.clone()];
    // With steps of 1/15 s a position-based cube between others is torn apart instead of pressed flat, so it is
    // left out there.
    let all = [soft_cube, xpbd, rigid_cube, backward];
    for (dt, cubes) in [(1.0 / 60.0, all), (1.0 / 15.0, solved)] {
        let mut world = World::new(WorldConfig { dt, ..Default::default() }).unwrap();
        world.add_obstacle(Obstacle::ground(0.5)).unwrap();
        stack(&mut world, cubes, (DVec3::Y * 2.0, UP), DVec3::NEG_Y * 100.0);
        let hit = placed(&soft(), DVec3::new(-10.0, 2.3, 0.0), DVec3::X * 100.0);
        world.add(hit);
        for _ in 0..120 {
            world.step();
        }
        let far = farthest(&world, DVec3::ZERO);
        let middles = world.bodies().map(|(_, body)| {
            body.state.x.iter().map(|x| x.y).sum::<f64>() / body.state.x.len() as f64
        });
        let lowest = middles.fold(f64::INFINITY, f64::min);
        println!("dt {dt:.3}: {far:.1} m away, lowest middle {lowest:.3} m, {:?}", world.health());
        assert_finite(&world, "fast impacts");
        assert!(
            lowest > -1e-3,
            "dt {dt}: a cube passed through the ground, its mean height is {lowest} m"
        );
        assert!(far < 1e3, "dt {dt}: {far} m away");
    }
}

/// At 1e5 m from the origin a body falls to the ground as at the origin. Tolerance 1e-7 m: there a position has an
/// error of about 1e-11 m, which an impact amplifies.
#[test]
fn far_from_the_origin() {
    let middles = |far: DVec3| {
        let mut world = World::new(WorldConfig::default()).unwrap();
        let ground = Obstacle { pose: Pose::from(far), ..Obstacle::ground(0.5) };
        world.add_obstacle(ground).unwrap();
        let shape = Shape::Box { half: DVec3::new(0.1, 0.05, 1.0) };
        let pose = Pose::from(far + DVec3::new(0.3, 0.05, 0.0));
        world.add_obstacle(Obstacle { shape, pose, ..Obstacle::default() }).unwrap();
        stack(&mut world, cubes(), (far, DVec3::X), DVec3::ZERO);
        for _ in 0..30 {
            world.step();
        }
        assert_finite(&world, "far away");
        let middle = |body: &Body| {
            body.state.x.iter().map(|x| *x - far).sum::<DVec3>() / body.state.x.len() as f64
        };
        world.bodies().map(|(_, body)| middle(body)).collect::<Vec<DVec3>>()
    };
    let (near, far) = (middles(DVec3::ZERO), middles(DVec3::new(1e5, 1e5, -1e5)));
    let apart = near.iter().zip(&far).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
    println!("{apart:.1e} m apart");
    assert!(apart < 1e-7, "{apart} m apart");
}

/// A box whose skin has some triangles twice, some inside out and some degenerate.
fn bad_skin(random: &mut Random) -> Arc<Model> {
    let mesh = mesh();
    let good = Skin::of_mesh(&mesh, 1);
    let mut vertices = Vec::new();
    good.interpolate(&mesh.nodes, &mut vertices);
    let mut triangles = good.triangles().to_vec();
    let count = triangles.len();
    let any = |random: &mut Random| ((0.5 + 0.5 * random.signed()) * (count - 1) as f64) as usize;
    for _ in 0..6 {
        let k = any(random);
        triangles.push(triangles[k]);
        let [a, b, c] = triangles[any(random)];
        triangles.push([a, c, b]);
        let k = any(random);
        triangles[k][1] = triangles[k][0];
    }
    let places: Vec<MeshPoint> = vertices
        .iter()
        .map(|x| {
            let cells = 0..mesh.cell_count() as u32;
            let found =
                cells.map(|cell| (cell, mesh.cell(cell as usize).1)).find_map(|(cell, own)| {
                    let corner = own.iter().position(|node| mesh.nodes[*node as usize] == *x)?;
                    let xi = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z][corner];
                    Some(MeshPoint::within(cell, xi))
                });
            found.unwrap()
        })
        .collect();
    let skin = Skin::embedded(&mesh, &places, triangles);
    Arc::new(Model::uniform(mesh, material()).unwrap().with_skin(skin))
}

/// Skins with duplicate, inverted and degenerate triangles are in contact with each other, themselves and the
/// ground, at both levels of contact, without a panic, a reset or a number that is not finite.
#[test]
fn bad_skins() {
    let mut random = Random::new(8);
    for contact in [ContactLevel::Game, ContactLevel::Safe] {
        let mut world = World::new(WorldConfig { contact, ..Default::default() }).unwrap();
        world.add_obstacle(Obstacle::ground(0.5)).unwrap();
        for k in 0..3 {
            let at = DVec3::new(0.02 * f64::from(k), 0.11 + 0.21 * f64::from(k), 0.0);
            let handle = world.add(placed(&bad_skin(&mut random), at, DVec3::ZERO));
            let touch = ContactConfig { with_itself: true, ..Default::default() };
            world.set_contact(handle, touch).unwrap();
        }
        for _ in 0..60 {
            world.step();
            world.ray(DVec3::Y * 3.0, DVec3::NEG_Y, 10.0);
            world.nearest(DVec3::Y * 0.1, 10.0);
        }
        assert_finite(&world, "bad skins");
    }
}

/// A rigid body without positive finite mass or without volume is an error.
#[test]
fn a_rigid_body_of_no_mass_is_refused() {
    let shape = Shape::Box { half: DVec3::splat(0.1) };
    for mass in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let config = RigidConfig { mass: Some(mass), ..Default::default() };
        let error = Model::rigid_shape(&shape, 2, config).unwrap_err();
        assert!(matches!(error, ModelError::RigidMass { .. }), "{mass}: {error}");
    }
    let config = RigidConfig { density: 0.0, ..Default::default() };
    assert!(Model::rigid_shape(&shape, 2, config).is_err());
    let mut flat = shape.surface(2).unwrap();
    flat.vertices.iter_mut().for_each(|x| x.y = 0.0);
    let error = Model::rigid(&flat, RigidConfig::default()).unwrap_err();
    assert!(matches!(error, ModelError::Solid(SolidError::Flat { .. })), "{error}");
}
