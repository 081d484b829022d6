//! A checked scene.

use std::time::Duration;

use pliant::force::{Blast, ForceField, Wind};
use pliant::solver::{MethodConfig, StaticConfig};
use pliant::world::WorldConfig;

use crate::scene::plan::attachment::AttachmentPlan;
use crate::scene::plan::body::BodyPlan;
use crate::scene::plan::mode::Mode;
use crate::scene::plan::obstacle::{FrictionPlan, ObstaclePlan};
use crate::scene::plan::output::{Output, Probe};

/// The version of the scene format that this crate reads.
pub const VERSION: i64 = 1;

/// A checked scene, ready to be built into a world.
///
/// ```
/// use pliant_io::scene::{Mode, Scene};
///
/// let scene = Scene::parse("drop.toml", r#"
///     version = 1
///     [[body]]
///     name = "cube"
///     mesh = { box = { size = [1, 1, 1], cells = [2, 2, 2] }, degree = 2 }
///     material = { young = 1e5, poisson = 0.4, density = 1000 }
/// "#)?;
/// assert_eq!(scene.mode, Mode::Dynamic);
/// assert_eq!(scene.bodies[0].name, "cube");
/// # Ok::<(), pliant_io::scene::SceneError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Scene {
    /// Short description of the scene.
    pub title: String,
    /// Long description of the scene.
    pub description: String,
    /// Motion or equilibrium.
    pub mode: Mode,
    /// Default method; the method of each body is in its plan.
    pub method: MethodConfig,
    /// Gravity, time step, damping and other settings of the world.
    pub world: WorldConfig,
    /// The wind, if any.
    pub wind: Option<Wind>,
    /// Explosions.
    pub blasts: Vec<Blast>,
    /// Force fields.
    pub fields: Vec<ForceField>,
    /// Length of the scene, in s (default `4`; `1` for a static scene, where it is the length of the ramps).
    pub duration: f64,
    /// Maximum computing time of a step (default `None`: no limit). The caller enforces it with a
    /// [`pliant::world::Budget`], which reads a clock, so a scene with a budget is not reproducible bit for bit.
    pub budget: Option<Duration>,
    /// Settings of the static solver.
    pub statics: StaticConfig,
    /// The bodies.
    pub bodies: Vec<BodyPlan>,
    /// The obstacles.
    pub obstacles: Vec<ObstaclePlan>,
    /// The attachments of parts of bodies.
    pub attachments: Vec<AttachmentPlan>,
    /// Friction between pairs of materials, which overrides the coefficients of the bodies.
    pub frictions: Vec<FrictionPlan>,
    /// The points to track.
    pub probes: Vec<Probe>,
    /// The files to write.
    pub outputs: Vec<Output>,
    /// Path or name of the scene, and its text: errors found during the build point at it.
    pub(crate) origin: String,
    pub(crate) text: String,
}

impl Scene {
    /// Number of frames of a motion; at least 1.
    pub fn frame_count(&self) -> u64 {
        ((self.duration / self.world.dt).round() as u64).max(1)
    }
}
