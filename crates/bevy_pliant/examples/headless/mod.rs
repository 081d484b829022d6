//! Runs an example without a window: one fixed step in every frame.

use bevy_app::{App, ScheduleRunnerPlugin, TaskPoolPlugin};
use bevy_asset::{AssetApp, AssetPlugin};
use bevy_mesh::Mesh;
use bevy_pliant::PliantWorld;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::TransformPlugin;

/// Runs this many frames of the app that `set_up` fills.
pub(crate) fn run(set_up: impl FnOnce(&mut App), frames: u32) -> App {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, ScheduleRunnerPlugin::default()))
        .add_plugins((AssetPlugin::default(), TransformPlugin))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .init_asset::<Mesh>();
    set_up(&mut app);
    app.finish();
    app.cleanup();
    // The clock starts in the first frame, so that no step is in it.
    for _ in 0..=frames {
        app.update();
    }
    app
}

/// Prints where the bodies are.
#[allow(dead_code, reason = "tests ask the world instead")]
pub(crate) fn print(app: &App) {
    let world = app.world().resource::<PliantWorld>();
    println!("after {:.2} s:", world.time());
    for (_, body) in world.bodies() {
        println!("  {:<12} centre {:.3}", body.name(), body.centre_of_mass());
    }
}
