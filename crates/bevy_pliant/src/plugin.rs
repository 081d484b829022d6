//! The plugin.

use bevy_app::RunFixedMainLoopSystems;
use bevy_app::{App, FixedPostUpdate, Plugin, PostUpdate, RunFixedMainLoop};
use bevy_asset::RenderAssetUsages;
use bevy_ecs::schedule::{IntoScheduleConfigs, SystemSet};
use bevy_time::{Fixed, Time};
use pliant::{World, WorldConfig};

use crate::add_bodies::{add_bodies, remove_body};
use crate::attachment::{add_attachments, remove_attachment};
use crate::draw::update::{DrawConfig, draw_bodies};
use crate::messages::{
    AttachmentBroke, BodyBroke, BodyLanded, BodyLeft, BodyParted, BodySlept, BodyTouched,
    BodyTrouble, PliantProblem,
};
use crate::obstacle::{add_obstacles, drive_obstacles, remove_obstacle};
use crate::report::{log_problems, report};
use crate::step::step;
use crate::sync::{follow_obstacles, sync_entities};
use crate::world::PliantWorld;

/// Soft and rigid bodies of Pliant.
///
/// It sets the fixed time step of the app to [`WorldConfig::dt`], and steps the world once in each, in `FixedPostUpdate`. Between two steps,
/// bodies are drawn between where they were and where they are. Equal inputs in equal fixed steps give equal bits, for any number of threads
/// and any frame rate.
#[derive(Debug, Clone, Copy)]
pub struct PliantPlugin {
    /// Settings of the world.
    pub config: WorldConfig,
    /// Where the meshes of bodies are kept (default only in the render world: vertices are then handed over, and not copied once more. Ask for the
    /// main world as well to read the meshes there; [`PliantWorld`] can cast rays without).
    pub mesh_usages: RenderAssetUsages,
    /// Edges that turn by more than this, in rad, look sharp (default `0.7`).
    pub crease: f64,
}

impl Default for PliantPlugin {
    fn default() -> Self {
        let (config, mesh_usages) = (WorldConfig::default(), RenderAssetUsages::RENDER_WORLD);
        Self { config, mesh_usages, crease: 0.7 }
    }
}

/// The order in a fixed step, in `FixedPostUpdate`.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PliantSystems {
    /// New entities are added to the world, and obstacles are driven.
    Prepare,
    /// The world steps.
    Step,
    /// Entities follow the world, and messages are written.
    Report,
}

impl Plugin for PliantPlugin {
    /// # Panics
    ///
    /// If a setting of the world is out of range.
    fn build(&self, app: &mut App) {
        let world = World::new(self.config).expect("settings in their ranges");
        app.insert_resource(PliantWorld::from(world))
            .insert_resource(DrawConfig { usages: self.mesh_usages, crease: self.crease })
            .insert_resource(Time::<Fixed>::from_seconds(self.config.dt))
            .add_observer(remove_body)
            .add_observer(remove_obstacle)
            .add_observer(remove_attachment);
        add_messages(app);
        add_systems(app);
    }
}

fn add_messages(app: &mut App) {
    app.add_message::<BodyTouched>()
        .add_message::<BodyParted>()
        .add_message::<BodyLanded>()
        .add_message::<BodyLeft>()
        .add_message::<BodyBroke>()
        .add_message::<AttachmentBroke>()
        .add_message::<BodySlept>()
        .add_message::<BodyTrouble>()
        .add_message::<PliantProblem>();
}

fn add_systems(app: &mut App) {
    let order = (PliantSystems::Prepare, PliantSystems::Step, PliantSystems::Report).chain();
    let prepare = (add_obstacles, add_bodies, add_attachments, drive_obstacles).chain();
    let report = (sync_entities, follow_obstacles, report).chain();
    let draw = draw_bodies.in_set(RunFixedMainLoopSystems::AfterFixedMainLoop);
    app.configure_sets(FixedPostUpdate, order)
        .add_systems(FixedPostUpdate, prepare.in_set(PliantSystems::Prepare))
        .add_systems(FixedPostUpdate, step.in_set(PliantSystems::Step))
        .add_systems(FixedPostUpdate, report.in_set(PliantSystems::Report))
        .add_systems(RunFixedMainLoop, draw)
        .add_systems(PostUpdate, log_problems);
}
