//! The scene of the example.

use std::f64::consts::TAU;
use std::sync::Arc;

use bevy_app::{App, FixedUpdate, Startup};
use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::error::Result;
use bevy_ecs::name::Name;
use bevy_ecs::system::{Commands, Query, ResMut};
use bevy_math::{Quat, Vec3};
use bevy_pliant::pliant::body::RigidConfig;
use bevy_pliant::pliant::glam::DVec3;
use bevy_pliant::pliant::mesh::generate::{TorusConfig, torus};
use bevy_pliant::pliant::world::{Bond, LoadError};
use bevy_pliant::pliant::{BodyHandle, ContactConfig, Material, Mesh, Model, Shape, Surface};
use bevy_pliant::{
    BodyLink, PliantAttachment, PliantBody, PliantObstacle, PliantPlugin, PliantSupport,
    PliantWorld, Region, to_pliant,
};
use bevy_transform::components::Transform;

/// Radius of the centre line of a tyre, and of its section, in m.
const RING: f64 = 0.24;
const TUBE: f64 = 0.1;
/// Where a tyre is held: its nodes within this distance of the axle, in m.
const BEAD: f64 = 0.19;
/// Torque of a motor, in N·m.
const TORQUE: f64 = 40.0;

/// A motor that turns a hub against the car.
#[derive(Component, Debug, Clone, Copy)]
pub(crate) struct Motor {
    car: Entity,
}

/// Adds the plugin, the ground and the car.
pub(crate) fn set_up(app: &mut App) {
    app.add_plugins(PliantPlugin::default())
        .add_systems(Startup, spawn)
        .add_systems(FixedUpdate, drive);
}

fn spawn(mut commands: Commands) -> Result {
    commands.spawn((Name::new("ground"), PliantObstacle::ground(0.9)));
    let height = (RING + TUBE) as f32 + 0.01;
    let shape = Shape::Box { half: DVec3::new(0.85, 0.18, 0.36) };
    let body = PliantBody::rigid(&shape, RigidConfig { mass: Some(150.0), ..Default::default() })?;
    let place = Transform::from_xyz(0.0, height + 0.12, 0.0);
    let car = commands.spawn((Name::new("car"), body, place)).id();

    let tyre_mesh = tyre_mesh()?;
    let bead = bead(&tyre_mesh);
    let rubber = Material { young: 4e5, poisson: 0.4, density: 500.0, ..Material::default() };
    let tyre = PliantBody::soft(tyre_mesh, rubber)?
        .with_contact(ContactConfig { friction: 0.9, ..Default::default() });
    let hub = hub()?;
    for (x, driven) in [(-0.6, true), (0.6, false)] {
        for z in [-0.5, 0.5] {
            let place = Vec3::new(x, height, z);
            let wheel = spawn_wheel(&mut commands, car, (&tyre, &bead), &hub, place);
            if driven {
                commands.entity(wheel).insert(Motor { car });
            }
        }
    }
    Ok(())
}

/// A tyre on its hub, on the car; returns the hub.
fn spawn_wheel(
    commands: &mut Commands,
    car: Entity,
    (tyre, bead): (&PliantBody, &[u32]),
    hub: &PliantBody,
    place: Vec3,
) -> Entity {
    // The ring of the mesh is about the y axis, the axle along z.
    let upright = Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
    let transform = Transform::from_translation(place).with_rotation(upright);
    let tyre = commands.spawn((Name::new("tyre"), tyre.clone(), transform)).id();
    let hub = commands.spawn((Name::new("hub"), hub.clone(), transform)).id();
    let (held, on_hub) = (Region::Nodes(bead.to_vec()), PliantSupport::Body(hub));
    commands.spawn(PliantAttachment::new(tyre, held, on_hub));

    // All four nodes of the rigid hub.
    let axle = Bond::Hinge { through: to_pliant(place), axis: DVec3::Z };
    let on_car =
        PliantAttachment::new(hub, Region::Nodes(vec![0, 1, 2, 3]), PliantSupport::Body(car));
    commands.spawn(PliantAttachment { bond: axle, ..on_car });
    hub
}

fn tyre_mesh() -> Result<Mesh> {
    let config = TorusConfig {
        ring_radius: RING,
        tube_radius: TUBE,
        cells: 1,
        around: 20,
        ..Default::default()
    };
    Ok(torus(&config)?)
}

/// The nodes of a tyre that are nearest to its axle.
fn bead(mesh: &Mesh) -> Vec<u32> {
    let radius = |x: &DVec3| x.x.hypot(x.z);
    let near = (0u32..).zip(&mesh.nodes).filter(|(_, x)| radius(x) < BEAD);
    near.map(|(node, _)| node).collect()
}

/// A rigid cylinder that touches nothing.
fn hub() -> Result<PliantBody> {
    let config = RigidConfig { mass: Some(8.0), ..Default::default() };
    let model = Model::rigid(&cylinder(BEAD, 0.07, 24), config)?;
    Ok(PliantBody::from(Arc::new(model))
        .with_contact(ContactConfig { meets: 0, ..Default::default() }))
}

/// The surface of a cylinder about the y axis.
fn cylinder(radius: f64, half: f64, around: u32) -> Surface {
    let at = |k: u32, y: f64| {
        let (sin, cos) = (TAU * f64::from(k) / f64::from(around)).sin_cos();
        DVec3::new(radius * cos, y, radius * sin)
    };
    let ring = |y: f64| (0..around).map(move |k| at(k, y));
    let ends = [-half * DVec3::Y, half * DVec3::Y];
    let vertices = ring(-half).chain(ring(half)).chain(ends).collect();
    let (low, high) = (2 * around, 2 * around + 1);
    let sides = (0..around).flat_map(|k| {
        let next = (k + 1) % around;
        let (a, b, c, d) = (k, next, around + k, around + next);
        [[a, c, b], [b, c, d], [low, a, b], [high, d, c]]
    });
    Surface::new(vertices, sides.collect())
}

/// Puts the torque of every motor on its hub, and the opposite one on the car.
fn drive(
    mut world: ResMut<PliantWorld>,
    motors: Query<(&BodyLink, &Motor)>,
    links: Query<&BodyLink>,
) -> Result {
    let mut on_car = None;
    for (BodyLink(hub), motor) in &motors {
        // Clockwise as seen from the side of +z: forward along +x.
        twist(&mut world, *hub, -TORQUE * DVec3::Z)?;
        let BodyLink(car) = *links.get(motor.car)?;
        let sum = on_car.map_or(DVec3::ZERO, |(_, sum)| sum);
        on_car = Some((car, sum + TORQUE * DVec3::Z));
    }
    if let Some((car, torque)) = on_car {
        twist(&mut world, car, torque)?;
    }
    Ok(())
}

/// Puts a torque, in N·m, on a rigid body, by forces on the vertices of its skin. They act until they are replaced.
///
/// ```text
/// f = τ × r / Σ |r⊥|²        r⊥ = r − (r · t) t        t = τ / |τ|
/// ```
fn twist(world: &mut PliantWorld, handle: BodyHandle, torque: DVec3) -> Result<(), LoadError> {
    let body = &world[handle];
    let mut arms = Vec::new();
    world.skin(handle)?.interpolate(&body.state.x, &mut arms);
    let centre = arms.iter().sum::<DVec3>() / arms.len() as f64;
    arms.iter_mut().for_each(|arm| *arm -= centre);
    let along = torque.normalize_or_zero();
    let moment: f64 =
        arms.iter().map(|arm| arm.reject_from_normalized(along).length_squared()).sum();
    let forces: Vec<DVec3> = arms.iter().map(|arm| torque.cross(*arm) / moment).collect();
    world.set_skin_forces(handle, &forces)
}
