//! Scene files of Pliant.

use std::path::Path;

use bevy_ecs::system::RunSystemOnce;
use bevy_ecs::world::World;
use bevy_time::{Fixed, Time};
use pliant_io::scene::{Scene, SceneError};

use crate::sync::sync_entities;
use crate::world::PliantWorld;

/// Opens a scene in place of all bodies and obstacles that are in the world, and gives each of its bodies and obstacles an entity with the
/// `Name` that it has in the scene.
///
/// `name` is the path or name of the scene, for messages; mesh files are searched for in `folder`. The fixed time step becomes that of the scene.
/// Entities have no material yet: add one of your renderer where you find a new [`BodyLink`](crate::BodyLink) or
/// [`ObstacleLink`](crate::ObstacleLink).
///
/// ```
/// # use std::path::Path;
/// use bevy_app::App;
/// use bevy_pliant::{BodyLink, PliantPlugin, open_scene};
/// use bevy_ecs::name::Name;
///
/// let mut app = App::new();
/// app.add_plugins(PliantPlugin::default());
/// let text = r#"
///     version = 1
///     [[body]]
///     name = "cube"
///     mesh = { box = { size = [1, 1, 1], cells = [2, 2, 2] }, degree = 2 }
///     material = { young = 1e5, poisson = 0.4, density = 1000 }
/// "#;
/// open_scene(app.world_mut(), "drop.toml", text, Path::new("."))?;
/// let mut named = app.world_mut().query::<(&Name, &BodyLink)>();
/// assert_eq!(named.single(app.world())?.0.as_str(), "cube");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns all problems of the scene, each with its line; then nothing has changed.
pub fn open_scene(
    app_world: &mut World,
    name: &str,
    text: &str,
    folder: &Path,
) -> Result<Scene, SceneError> {
    let (scene, built) = Scene::open(name, text, folder)?;
    let dt = scene.world.dt;
    let old = app_world.remove_resource::<PliantWorld>();
    app_world.insert_resource(PliantWorld::from(built.world));
    for entity in old.iter().flat_map(PliantWorld::entities) {
        app_world.despawn(entity);
    }
    app_world.insert_resource(Time::<Fixed>::from_seconds(dt));
    let synced = app_world.run_system_once(sync_entities);
    synced.expect("the world was inserted above");
    Ok(scene)
}
