//! The examples without a window: what they show happens, and happens again with the same bits.

#[path = "../examples/soft_wheel/car.rs"]
mod car;
#[path = "../examples/breakable_crate/falling_crate.rs"]
mod falling_crate;
#[path = "../examples/headless/mod.rs"]
mod headless;
#[cfg(feature = "scenes")]
#[path = "../examples/soft_toy/toy.rs"]
mod toy;

use bevy_app::App;
use bevy_asset::Assets;
use bevy_ecs::query::With;
use bevy_mesh::Mesh;
use bevy_mesh::{Mesh3d, VertexAttributeValues};
use bevy_pliant::pliant::Body;
use bevy_pliant::{BodyLink, Fragment, PliantWorld};

const FRAMES: u32 = 120;

fn world(app: &App) -> &PliantWorld {
    app.world().resource::<PliantWorld>()
}

fn named<'a>(app: &'a App, name: &str) -> &'a Body {
    let found = world(app).bodies().find(|(_, body)| body.name() == name);
    found.unwrap_or_else(|| panic!("there is a body named {name}")).1
}

fn lowest(body: &Body) -> f64 {
    let mut vertices = Vec::new();
    body.drawn_skin().interpolate(&body.state.x, &mut vertices);
    vertices.iter().map(|x| x.y).fold(f64::INFINITY, f64::min)
}

/// Root mean square of the speed, in m/s.
#[cfg(feature = "scenes")]
fn speed(body: &Body) -> f64 {
    let squares = body.state.v.iter().zip(body.model().masses());
    let sum: f64 = squares.map(|(v, mass)| mass * v.length_squared()).sum();
    (sum / body.model().mass()).sqrt()
}

fn assert_same_bits(first: &App, set_up: fn(&mut App)) {
    let second = headless::run(set_up, FRAMES);
    assert_eq!(world(first).state_hash(), world(&second).state_hash());
}

#[cfg(feature = "scenes")]
#[test]
fn the_soft_toy_rests_on_the_ground() {
    let app = headless::run(toy::set_up, FRAMES);
    assert!((world(&app).time() - 2.0).abs() < 1e-9, "one step in every frame");
    for name in ["bear", "ball"] {
        let body = named(&app, name);
        assert!(lowest(body).abs() < 0.01, "{name} is {} m above the ground", lowest(body));
        assert!(speed(body) < 0.15, "{name} moves with {} m/s", speed(body));
    }
    assert_same_bits(&app, toy::set_up);
}

#[test]
fn the_crate_breaks_when_it_lands() {
    let mut app = headless::run(falling_crate::set_up, FRAMES);
    let count = world(&app).bodies().count();
    assert!(count >= 2, "the crate is still whole");
    // Every fragment has an entity with a mesh, and messages told of each.
    let mut entities = app.world_mut().query_filtered::<&Mesh3d, With<BodyLink>>();
    assert_eq!(entities.iter(app.world()).count(), count);
    let mut fragments = app.world_mut().query::<&Fragment>();
    assert_eq!(fragments.iter(app.world()).count(), count - 1);
    assert_eq!(app.world().resource::<falling_crate::BrokenOff>().0, count - 1);
    assert!(world(&app).bodies().all(|(_, body)| lowest(body) > -0.05));
    assert_same_bits(&app, falling_crate::set_up);
}

#[test]
fn the_car_drives_on_its_soft_tyres() {
    let app = headless::run(car::set_up, FRAMES);
    let car = named(&app, "car").centre_of_mass();
    assert!(car.x > 1.0, "the car has moved by {} m", car.x);
    assert!(car.z.abs() < 0.1, "it has left its line by {} m", car.z);
    assert!((0.35..0.5).contains(&car.y), "its centre is at a height of {} m", car.y);
    for (_, tyre) in world(&app).bodies().filter(|(_, body)| body.name() == "tyre") {
        assert!((-0.02..0.02).contains(&lowest(tyre)), "{}", lowest(tyre));
    }
    assert_same_bits(&app, car::set_up);
}

#[test]
fn meshes_have_the_shape_of_their_bodies() {
    let mut app = headless::run(car::set_up, 30);
    let mut bodies = app.world_mut().query::<&Mesh3d>();
    let meshes = app.world().resource::<Assets<Mesh>>();
    for handle in bodies.iter(app.world()) {
        let mesh = meshes.get(handle).expect("nobody has removed it");
        let Some(VertexAttributeValues::Float32x3(normals)) =
            mesh.attribute(Mesh::ATTRIBUTE_NORMAL)
        else {
            panic!("a mesh has normals");
        };
        assert!(normals.iter().all(|n| (n.iter().map(|x| x * x).sum::<f32>() - 1.0).abs() < 1e-4));
        assert_eq!(mesh.count_vertices(), normals.len());
    }
}
