//! `pliant check`.

use std::fmt::Write as _;

use anyhow::Result;
use pliant::body::Body;
use pliant::solver::{Mass, MethodConfig, Rayleigh, Rotation, Stepper};
use pliant::world::{Handle, World};
use pliant_io::scene::Mode;

use crate::args::CheckArgs;
use crate::scene_source::SceneSource;
use crate::terminal::{print, warn};

/// Says how each body is advanced if the scene is in order; all that is wrong otherwise.
pub(crate) fn check(args: &CheckArgs) -> Result<()> {
    let (scene, built) = SceneSource::find(&args.scene)?.open()?;
    if scene.mode == Mode::Static {
        return Ok(());
    }
    let mut text = String::new();
    for (handle, body) in built.world.bodies() {
        let _ = writeln!(text, "body {}: {}", body.name(), described(&built.world, handle));
        if let Some(warning) = too_long(&built.world, handle, body) {
            warn(&warning);
        }
    }
    print(&text)
}

/// The method of a body, in a line.
fn described(world: &World, handle: Handle) -> String {
    let Some(method) = world.method(handle) else { return String::new() };
    let mut parts = vec![method.stepper.name().to_owned()];
    if let Some((substeps, h)) = world.substeps(handle) {
        parts.push(match world.stable_step(handle) {
            Some(stable) => {
                format!("{substeps} substeps of {h:.1e} s (stable below {stable:.1e} s)")
            }
            None if substeps > 1 => format!("{substeps} substeps of {h:.1e} s"),
            None => "one step a frame".to_owned(),
        });
    }
    if method.stepper == Stepper::Xpbd {
        let plural = if method.sweeps == 1 { "" } else { "s" };
        let projection = method.projection.name();
        parts.push(format!("{} sweep{plural} a substep, {projection}", method.sweeps));
    } else if !method.stepper.is_explicit() {
        parts.push(format!("solver {} to {:.0e}", method.solver.name(), method.tolerance));
    }
    parts.extend(choices(method));
    parts.join(", ")
}

/// What differs from the usual.
fn choices(method: &MethodConfig) -> Vec<String> {
    let Rayleigh { mass, stiffness } = method.rayleigh;
    let mut parts = Vec::new();
    if method.mass == Mass::Consistent {
        parts.push("consistent mass".to_owned());
    }
    if method.rotation == Rotation::Point {
        parts.push("a rotation at every point".to_owned());
    }
    if mass > 0.0 || stiffness > 0.0 {
        parts.push(format!("Rayleigh damping {mass} /s and {stiffness} s"));
    }
    if let Some(adaptive) = method.adaptive {
        parts.push(format!("adaptive above {} and below {}", adaptive.refine, adaptive.coarsen));
    }
    parts
}

/// Substeps that are given but too long to be stable.
fn too_long(world: &World, handle: Handle, body: &Body) -> Option<String> {
    let (stable, (substeps, h)) = (world.stable_step(handle)?, world.substeps(handle)?);
    let needed = (world.config().dt / stable).ceil();
    (h > stable).then(|| {
        format!(
            "body `{}`: {substeps} substeps of {h:.1e} s, but the stable step is {stable:.1e} s: dt needs {needed} substeps at least; leave `substeps` out, or use an implicit stepper",
            body.name()
        )
    })
}
