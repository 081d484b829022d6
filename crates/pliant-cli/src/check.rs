//! `pliant check`.

use std::fmt::Write as _;
use std::sync::Arc;

use anyhow::Result;
use pliant::body::{Body, Touch};
use pliant::solver::{Mass, MethodConfig, Rayleigh, Rotation, Stepper};
use pliant::world::{BodyHandle, World};
use pliant_io::scene::{BodyMesh, BuiltScene, Mode, Scene};

use crate::args::CheckArgs;
use crate::scene_source::SceneSource;
use crate::terminal::{print, warn};

/// Prints the method of each body if the scene is valid, otherwise all its errors.
pub(crate) fn check(args: &CheckArgs) -> Result<()> {
    let (scene, built) = SceneSource::find(&args.scene)?.open()?;
    let mut text = choices_of_cells(&scene, &built);
    if scene.mode == Mode::Static {
        return print(&text);
    }
    for (handle, body) in built.world.bodies() {
        let _ = writeln!(text, "body {}: {}", body.name(), body_line(&built.world, handle));
        if let Some(line) = touching_line(body) {
            let _ = writeln!(text, "  {line}");
        }
        if let Some(warning) = long_step_warning(&built.world, handle, body) {
            warn(&warning);
        }
    }
    print(&text)
}

/// The kind of cells that was chosen for each surface without a mesher, and why, a line each. Copies share their mesh, and a line.
pub(crate) fn choices_of_cells(scene: &Scene, built: &BuiltScene) -> String {
    let mut text = String::new();
    let mut known: Option<&Arc<BodyMesh>> = None;
    for (plan, mesh) in scene.bodies.iter().zip(&built.meshes) {
        if known.is_some_and(|known| Arc::ptr_eq(known, mesh)) {
            continue;
        }
        known = Some(mesh);
        if let Some(choice) = mesh.choice() {
            let _ = writeln!(text, "body {}: {choice}", plan.name);
        }
    }
    text
}

/// Describes the method of a body in one line.
fn body_line(world: &World, handle: BodyHandle) -> String {
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

/// Says what a body with a drawn skin touches through: the vertices are what contact costs.
fn touching_line(body: &Body) -> Option<String> {
    let model = body.model();
    let (drawn, touching) = (model.skin()?.vertex_count(), model.touching_skin().vertex_count());
    Some(match model.touch() {
        Touch::Coarse(_) => format!(
            "touches through {touching} of the {drawn} vertices of its surface, which is at most {:.1e} m away from it",
            model.touching_distance()
        ),
        Touch::Drawn => format!("touches through all {drawn} vertices of its surface"),
        Touch::Boundary => {
            format!("touches through the {touching} vertices of its cells; its surface has {drawn}")
        }
    })
}

/// Lists the settings that differ from the defaults.
fn choices(method: &MethodConfig) -> Vec<String> {
    let Rayleigh { mass, stiffness } = method.rayleigh;
    let mut parts = Vec::new();
    match method.mass {
        Mass::Auto => {}
        Mass::Lumped => parts.push("lumped mass".to_owned()),
        Mass::Consistent => parts.push("consistent mass".to_owned()),
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

/// The warning for substeps that the scene sets too long for stability.
fn long_step_warning(world: &World, handle: BodyHandle, body: &Body) -> Option<String> {
    let (stable, (substeps, h)) = (world.stable_step(handle)?, world.substeps(handle)?);
    let needed = (world.config().dt / stable).ceil();
    (h > stable).then(|| {
        format!(
            "body `{}`: {substeps} substeps of {h:.1e} s, but the stable step is {stable:.1e} s: dt needs at least {needed} substeps; remove `substeps`, or use an implicit stepper",
            body.name()
        )
    })
}
