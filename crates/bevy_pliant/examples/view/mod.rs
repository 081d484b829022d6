//! Shows an example in a window, or writes a picture of it without one.

mod ground;
mod picture;

use bevy::prelude::*;
use bevy::render::view::Tonemapping;
use bevy_pliant::BodyLink;

/// How an example is shown.
#[derive(Resource, Debug, Clone, Copy)]
pub(crate) struct Look {
    /// Where the camera is, in m.
    pub eye: [f32; 3],
    /// The point that it looks at, in m.
    pub target: [f32; 3],
    /// The colour of a body with this name: red, green, blue.
    pub colour: fn(&str) -> [f32; 3],
}

/// Runs the app that `set_up` fills: in a window, or with `--picture FILE [FRAME]` until it has written a picture of a frame (default 120).
pub(crate) fn run(look: Look, set_up: fn(&mut App)) {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut app = App::new();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        #[cfg(feature = "window")]
        [] => _ = app.add_plugins(DefaultPlugins).add_systems(Startup, add_camera),
        ["--picture", file] => picture::set_up(&mut app, file, 120),
        ["--picture", file, frame] => match frame.parse() {
            Ok(frame) => picture::set_up(&mut app, file, frame),
            Err(error) => return eprintln!("{frame}: {error}, expected the number of a frame"),
        },
        _ => {
            return eprintln!(
                "expected --picture FILE [FRAME], or nothing for a window (feature `window`)"
            );
        }
    }
    app.insert_resource(look)
        .insert_resource(ClearColor(Color::srgb(0.72, 0.80, 0.88)))
        .insert_resource(GlobalAmbientLight { brightness: 350.0, ..default() })
        .add_systems(Startup, add_sun)
        .add_systems(Update, (dress_bodies, ground::dress_obstacles));
    set_up(&mut app);
    app.run();
}

/// A camera for a window, or for a picture once it has a target.
fn camera(look: &Look) -> impl Bundle + use<> {
    let place = Transform::from_translation(Vec3::from_array(look.eye));
    let place = place.looking_at(Vec3::from_array(look.target), Vec3::Y);
    // Needs no table, as the default does.
    (Camera3d::default(), Tonemapping::AcesFitted, place)
}

#[cfg(feature = "window")]
fn add_camera(mut commands: Commands, look: Res<Look>) {
    commands.spawn(camera(&look));
}

fn add_sun(mut commands: Commands) {
    let sun = DirectionalLight { illuminance: 9_000.0, shadow_maps_enabled: true, ..default() };
    let place = Transform::from_xyz(2.0, 5.0, 3.0).looking_at(Vec3::ZERO, Vec3::Y);
    commands.spawn((sun, place));
}

/// Bodies that have no material yet. Fragments have that of the body that broke.
type Bare = (Added<BodyLink>, Without<MeshMaterial3d<StandardMaterial>>);

fn dress_bodies(
    mut commands: Commands,
    mut materials: ResMut<Assets<StandardMaterial>>,
    look: Res<Look>,
    bodies: Query<(Entity, Option<&Name>), Bare>,
) {
    for (entity, name) in &bodies {
        let [red, green, blue] = (look.colour)(name.map_or("", |name| name.as_str()));
        let base_color = Color::srgb(red, green, blue);
        let material = StandardMaterial { base_color, perceptual_roughness: 0.6, ..default() };
        commands.entity(entity).insert(MeshMaterial3d(materials.add(material)));
    }
}
