//! The plugin: entities and bodies of the world keep in step.

#[path = "../examples/headless/mod.rs"]
mod headless;

use std::time::Duration;

use bevy_app::{App, FixedUpdate, Startup};
use bevy_asset::{Assets, RenderAssetUsages};
use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec3};
use bevy_mesh::{Indices, Mesh as DrawnMesh, Mesh3d, VertexAttributeValues};
use bevy_pliant::messages::{AttachmentBroke, BodyLanded, BodyTouched, PliantProblem};
use bevy_pliant::pliant::glam::DVec3;
use bevy_pliant::pliant::mesh::generate::{BoxConfig, box_mesh};
use bevy_pliant::pliant::{Material, Mesh, Motion, Pin, Shape, Toughness, WorldConfig};
use bevy_pliant::{
    AttachmentLink, BodyLink, Fragment, PliantAttachment, PliantBody, PliantObstacle, PliantPins,
    PliantPlugin, PliantSupport, PliantVelocity, PliantWorld, Region, Rejected, to_bevy,
};
use bevy_time::TimeUpdateStrategy;
use bevy_transform::components::Transform;

/// A box about the origin.
fn mesh(size: [f64; 3], cells: [usize; 3]) -> Mesh {
    let origin = size.map(|length| -0.5 * length);
    box_mesh(&BoxConfig { origin, size, cells, ..Default::default() }).expect("a valid box")
}

fn cube() -> PliantBody {
    PliantBody::soft(mesh([0.5; 3], [2; 3]), Material::default()).expect("a valid body")
}

fn weightless() -> PliantPlugin {
    let config = WorldConfig { gravity: DVec3::ZERO, ..Default::default() };
    PliantPlugin { config, ..Default::default() }
}

fn world(app: &App) -> &PliantWorld {
    app.world().resource::<PliantWorld>()
}

fn centre(app: &App, entity: Entity) -> Vec3 {
    let link = app.world().get::<BodyLink>(entity).expect("it was added");
    to_bevy(world(app)[link.0].centre_of_mass())
}

fn only<C: Component>(app: &mut App) -> Entity {
    let mut all = app.world_mut().query_filtered::<Entity, With<C>>();
    all.single(app.world()).expect("there is one")
}

fn messages<M: Message + Clone>(app: &App) -> Vec<M> {
    let messages = app.world().resource::<Messages<M>>();
    messages.iter_current_update_messages().cloned().collect()
}

#[test]
fn a_body_begins_where_its_transform_is() {
    let app = headless::run(
        |app| {
            app.add_plugins(weightless());
            let turn = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
            let place = Transform::from_xyz(1.0, 2.0, 3.0).with_rotation(turn);
            let long = PliantBody::soft(mesh([2.0, 0.5, 0.5], [4, 1, 1]), Material::default());
            app.world_mut().spawn((long.expect("a valid body"), place));
        },
        1,
    );
    let (_, body) = world(&app).bodies().next().expect("it was added");
    let (low, high) = body
        .state
        .x
        .iter()
        .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(a, b), x| (a.min(*x), b.max(*x)));
    assert!((low - DVec3::new(0.75, 1.0, 2.75)).length() < 1e-6, "{low}");
    assert!((high - DVec3::new(1.25, 3.0, 3.25)).length() < 1e-6, "{high}");
}

#[test]
fn pins_are_placed_with_their_body() {
    let app = headless::run(
        |app| {
            app.add_plugins(PliantPlugin::default());
            let mesh = mesh([1.0, 0.3, 0.3], [4, 1, 1]);
            let pins = PliantPins::hold(&mesh, "x-").expect("a box names its sides");
            let beam = PliantBody::soft(mesh, Material::default()).expect("a valid body");
            let turn = Quat::from_rotation_y(std::f32::consts::FRAC_PI_2);
            let place = Transform::from_xyz(0.0, 5.0, 0.0).with_rotation(turn);
            app.world_mut().spawn((beam, pins, place));
        },
        30,
    );
    let (_, body) = world(&app).bodies().next().expect("it was added");
    let held = body.state.x.iter().filter(|x| (x.z - 0.5).abs() < 1e-6).count();
    assert_eq!(held, 4, "the side -x of the model is at z = 0.5");
    assert!(body.centre_of_mass().y < 5.0, "the beam sags");
}

#[test]
fn bodies_are_drawn_between_two_steps() {
    let mut app = headless::run(
        |app| {
            app.add_plugins(weightless());
            let velocity = PliantVelocity { linear: Vec3::X, ..Default::default() };
            app.world_mut().spawn((cube(), velocity));
        },
        3,
    );
    let entity = only::<BodyLink>(&mut app);
    let now = centre(&app, entity).x;
    // A quarter of a step goes by, and then three quarters.
    let half = Duration::from_secs_f64(0.25 / 60.0);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(half));
    app.update();
    assert_eq!(centre(&app, entity).x, now, "no step is due");
    let drawn = app.world().get::<Transform>(entity).expect("a body has one").translation.x;
    let expected = now - 0.75 / 60.0;
    assert!((drawn - expected).abs() < 1e-5, "drawn at {drawn}, expected {expected}");
}

fn falling(plugin: PliantPlugin) -> impl FnOnce(&mut App) {
    move |app| {
        app.add_plugins(plugin);
        app.world_mut().spawn(cube());
    }
}

fn drawn_meshes(app: &mut App) -> Mut<'_, Assets<DrawnMesh>> {
    app.world_mut().resource_mut::<Assets<DrawnMesh>>()
}

#[test]
fn vertices_are_written_again_after_a_renderer_took_them() {
    let mut app = headless::run(falling(PliantPlugin::default()), 3);
    let entity = only::<BodyLink>(&mut app);
    let mesh = app.world().get::<Mesh3d>(entity).expect("a body has one").0.clone();
    let mut meshes = drawn_meshes(&mut app);
    // What the renderer does with a mesh of the render world.
    let taken = meshes.get_mut(&mesh).expect("it is there").take_gpu_data();
    let taken = taken.expect("nothing took it before");
    app.update();
    let meshes = drawn_meshes(&mut app);
    let again = meshes.get(&mesh).expect("it is there");
    assert_eq!(again.count_vertices(), taken.count_vertices());
    assert_eq!(again.indices().map(Indices::len), taken.indices().map(Indices::len));
}

#[test]
fn vertices_in_the_main_world_keep_their_memory() {
    let mesh_usages = RenderAssetUsages::default();
    let mut app = headless::run(falling(PliantPlugin { mesh_usages, ..Default::default() }), 3);
    let entity = only::<BodyLink>(&mut app);
    let mesh = app.world().get::<Mesh3d>(entity).expect("a body has one").0.clone();
    let memory = |app: &mut App| {
        let meshes = drawn_meshes(app);
        let mesh = meshes.get(&mesh).expect("it is there");
        match mesh.attribute(DrawnMesh::ATTRIBUTE_POSITION) {
            Some(VertexAttributeValues::Float32x3(positions)) => positions.as_ptr(),
            _ => panic!("a mesh has positions"),
        }
    };
    let first = memory(&mut app);
    app.update();
    assert_eq!(memory(&mut app), first);
}

#[test]
fn a_despawned_entity_takes_its_body_along() {
    let mut app = headless::run(
        |app| {
            app.add_plugins(PliantPlugin::default());
            app.world_mut().spawn(PliantObstacle::ground(0.5));
            app.world_mut().spawn((cube(), Transform::from_xyz(0.0, 0.5, 0.0)));
        },
        5,
    );
    let (body, ground) = (only::<BodyLink>(&mut app), only::<PliantObstacle>(&mut app));
    app.world_mut().despawn(body);
    assert_eq!(world(&app).bodies().count(), 0);
    app.world_mut().despawn(ground);
    assert_eq!(world(&app).obstacles().len(), 0);
    app.update();
}

#[test]
fn a_removed_link_leaves_the_entity_without_a_body() {
    let mut app = headless::run(
        |app| {
            app.add_plugins(weightless());
            app.world_mut().spawn(cube());
        },
        2,
    );
    let entity = only::<BodyLink>(&mut app);
    app.world_mut().entity_mut(entity).remove::<BodyLink>();
    app.update();
    assert_eq!(world(&app).bodies().count(), 0);
    assert!(app.world().get::<PliantBody>(entity).is_none());
    assert!(app.world().get::<Mesh3d>(entity).is_none());
}

#[test]
fn a_driven_obstacle_lifts_what_lies_on_it() {
    #[derive(Component)]
    struct Lift;
    fn lift(mut lifts: Query<&mut Transform, With<Lift>>) {
        lifts.iter_mut().for_each(|mut lift| lift.translation.y += 0.5 / 60.0);
    }
    let mut app = headless::run(
        |app| {
            app.add_plugins(PliantPlugin::default()).add_systems(FixedUpdate, lift);
            let shape = Shape::Box { half: DVec3::new(1.0, 0.1, 1.0) };
            app.world_mut().spawn((Lift, PliantObstacle::from(shape)));
            app.world_mut().spawn((cube(), Transform::from_xyz(0.0, 0.4, 0.0)));
        },
        60,
    );
    let (lift, cube) = (only::<PliantObstacle>(&mut app), only::<BodyLink>(&mut app));
    let top = app.world().get::<Transform>(lift).expect("it has one").translation.y + 0.1;
    assert!((top - 0.6).abs() < 0.02);
    assert!((centre(&app, cube).y - top - 0.25).abs() < 0.03, "{}", centre(&app, cube));
}

#[test]
fn messages_tell_of_landing_and_touching() {
    #[derive(Resource, Default)]
    struct Told(Vec<(Entity, f32)>, usize);
    fn listen(
        mut landed: MessageReader<BodyLanded>,
        mut touched: MessageReader<BodyTouched>,
        mut told: ResMut<Told>,
    ) {
        told.0.extend(landed.read().map(|landed| (landed.obstacle, landed.impulse.y)));
        told.1 += touched.read().count();
    }
    let mut app = headless::run(
        |app| {
            app.add_plugins(PliantPlugin::default());
            app.init_resource::<Told>().add_systems(bevy_app::Update, listen);
            app.world_mut().spawn(PliantObstacle::ground(0.5));
            app.world_mut().spawn((cube(), Transform::from_xyz(0.0, 0.4, 0.0)));
            app.world_mut().spawn((cube(), Transform::from_xyz(0.0, 1.1, 0.0)));
        },
        60,
    );
    let ground = only::<PliantObstacle>(&mut app);
    let Told(landed, touched) = app.world().resource::<Told>();
    assert!(landed.iter().any(|(obstacle, impulse)| *obstacle == ground && *impulse > 0.0));
    assert!(*touched > 0);
}

#[test]
fn an_attachment_holds_until_it_breaks() {
    fn hang(mut commands: Commands) {
        let body = commands.spawn((cube(), Transform::from_xyz(0.0, 3.0, 0.0))).id();
        let top = Region::Set("y+".to_owned());
        commands.spawn(PliantAttachment::new(body, top, PliantSupport::World));
    }
    let mut app = headless::run(
        |app| _ = app.add_plugins(PliantPlugin::default()).add_systems(Startup, hang),
        30,
    );
    let body = only::<BodyLink>(&mut app);
    assert!(centre(&app, body).y > 2.9, "it is held");
    // A weaker one in its place: the weight is 1,226 N.
    let old = only::<AttachmentLink>(&mut app);
    app.world_mut().despawn(old);
    let weak = PliantAttachment {
        strength: Some(300.0),
        ..PliantAttachment::new(body, Region::Set("y+".to_owned()), PliantSupport::World)
    };
    let weak = app.world_mut().spawn(weak).id();
    let broke = (0..30).any(|_| {
        app.update();
        messages::<AttachmentBroke>(&app).iter().any(|broke| broke.attachment == weak)
    });
    assert!(broke && app.world().get::<AttachmentLink>(weak).is_none());
    (0..60).for_each(|_| app.update());
    assert!(centre(&app, body).y < 2.0, "it falls");
}

#[test]
fn an_invalid_body_is_rejected_with_a_reason() {
    let mut app = headless::run(|app| _ = app.add_plugins(PliantPlugin::default()), 1);
    let pin = Pin { nodes: vec![1000], motion: Motion::default(), ..Pin::default() };
    let entity = app.world_mut().spawn((cube(), PliantPins(vec![pin]))).id();
    app.update();
    assert!(app.world().get::<Rejected>(entity).is_some());
    let problems = messages::<PliantProblem>(&app);
    assert!(problems.iter().any(|problem| problem.entity == entity), "{problems:?}");
    assert_eq!(world(&app).bodies().count(), 0);
}

#[test]
fn fragments_get_entities_and_a_snapshot_takes_them_back() {
    #[derive(Component, Clone, PartialEq, Debug)]
    struct Paint(u32);
    let mut app = headless::run(
        |app| {
            app.add_plugins(weightless());
            let chalk = Material { toughness: Some(Toughness::new(1e4)), ..Material::default() };
            let bar = PliantBody::soft(mesh([4.0, 1.0, 1.0], [8, 2, 2]), chalk);
            app.world_mut().spawn((bar.expect("a valid body"), Paint(7)));
        },
        1,
    );
    let whole = only::<BodyLink>(&mut app);
    let before = world(&app).snapshot();
    {
        let handle = app.world().get::<BodyLink>(whole).expect("it was added").0;
        let mut world = app.world_mut().resource_mut::<PliantWorld>();
        // Its two halves fly apart.
        let state = &mut world[handle].state;
        state.v.iter_mut().zip(&state.x).for_each(|(v, x)| *v = 20.0 * x.x.signum() * DVec3::X);
    }
    (0..30).for_each(|_| app.update());
    let mut fragments = app.world_mut().query::<(&Fragment, &Paint, &Mesh3d)>();
    let fragments: Vec<_> = fragments.iter(app.world()).collect();
    assert!(!fragments.is_empty());
    assert!(fragments.iter().all(|(of, paint, _)| of.of == whole && **paint == Paint(7)));

    let mut world = app.world_mut().resource_mut::<PliantWorld>();
    world.restore(&before).expect("a snapshot of this world");
    app.update();
    assert_eq!(only::<BodyLink>(&mut app), whole);
}
