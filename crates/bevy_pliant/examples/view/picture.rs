//! A picture of a frame, drawn into an image and written to a file.

use bevy::app::ScheduleRunnerPlugin;
use bevy::camera::RenderTarget;
use bevy::prelude::*;
use bevy::render::render_resource::TextureFormat;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured, save_to_disk};
use bevy::time::TimeUpdateStrategy;
use bevy::window::ExitCondition;

use super::{Look, camera};

/// Width and height, in pixels.
const SIZE: [u32; 2] = [1280, 720];

#[derive(Resource, Debug)]
struct Picture {
    file: String,
    frame: u32,
    image: Handle<Image>,
    frames_so_far: u32,
}

/// Adds the plugins that draw without a window, and a camera that draws into an image.
pub(crate) fn set_up(app: &mut App, file: &str, frame: u32) {
    let no_window =
        WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..default() };
    let plugins = DefaultPlugins.set(no_window);
    #[cfg(feature = "window")]
    let plugins = plugins.disable::<bevy::winit::WinitPlugin>();
    app.add_plugins(plugins)
        .add_plugins(ScheduleRunnerPlugin::default())
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    let [width, height] = SIZE;
    let image = Image::new_target_texture(width, height, TextureFormat::Rgba8UnormSrgb, None);
    let image = app.world_mut().resource_mut::<Assets<Image>>().add(image);
    app.insert_resource(Picture { file: file.to_owned(), frame, image, frames_so_far: 0 })
        .add_systems(Startup, add_camera)
        .add_systems(Update, capture);
}

fn add_camera(mut commands: Commands, look: Res<Look>, picture: Res<Picture>) {
    commands.spawn((camera(&look), RenderTarget::Image(picture.image.clone().into())));
}

/// Asks for the picture once its frame is there.
fn capture(mut commands: Commands, mut picture: ResMut<Picture>) {
    picture.frames_so_far += 1;
    if picture.frames_so_far == picture.frame {
        commands
            .spawn(Screenshot::image(picture.image.clone()))
            .observe(save_to_disk(picture.file.clone()))
            .observe(|_: On<ScreenshotCaptured>, mut exit: MessageWriter<AppExit>| {
                exit.write(AppExit::Success);
            });
    }
}
