//! The scene of the example.

use std::path::Path;

use bevy_app::App;
use bevy_pliant::{PliantPlugin, open_scene};

const SCENE: &str = include_str!("toy.toml");

/// Adds the plugin, and opens the scene.
pub(crate) fn set_up(app: &mut App) {
    app.add_plugins(PliantPlugin::default());
    let opened = open_scene(app.world_mut(), "toy.toml", SCENE, Path::new("."));
    opened.expect("the scene is a part of this example");
}
