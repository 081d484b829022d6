//! Figure 11 of Parker & O'Brien 2009: elastic energy of a twisted pole becomes kinetic energy when it bursts.

use std::path::Path;

use anyhow::{Context as _, Result};
use pliant::body::{Action, Motion, Ramp};
use pliant::world::{Energy, World, WorldConfig};
use pliant_io::scene::BuiltScene;

use super::POLE;
use crate::bench::Progress;
use crate::scene_source::SceneSource;

/// Numbers of parts into which a step of the scene is divided.
const STEPS_PER_FRAME: [u32; 2] = [1, 4];

/// Time for which the pole is followed after its first fragment has come off, in s.
const TIME_AFTER_BREAK: f64 = 0.5;

/// The burst of the pole with the scene's step and with shorter ones, with pins that keep turning and with pins that
/// stop.
pub(super) fn table(progress: Progress<'_>) -> Result<String> {
    let mut text = format!(
        "\n## `{POLE}`: from elastic energy to motion\n\n\
         Energies are those of the pole with all its fragments, at the ends of steps. The maximum of the kinetic energy \
         is taken until {TIME_AFTER_BREAK} s after the first fragment has come off, and the maximum of the elastic energy before \
         that. Shares are relative to the elastic energy before the first fragment comes off, and to its maximum; the \
         kinetic energy at that time is subtracted. Pins that keep turning continue to do work. Pins that stop do so \
         at the time of maximum elastic energy of the run in which they keep turning, and do no work afterwards. \
         Target: at least a third of the elastic energy becomes kinetic.\n\n\
         | step | substeps | pins | first crack | first fragment | elastic before it, kJ | maximum elastic, kJ | at | kinetic then, J | maximum kinetic, J | at | share of elastic before | of maximum elastic | fragments | unconverged solves |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n"
    );
    for parts in STEPS_PER_FRAME {
        progress(&format!("{POLE}, {parts} steps in a frame, pins keep turning"));
        let turning = Burst::of(opened(parts, None)?).context("the pole bursts")?;
        text += &turning.row("keep turning");
        progress(&format!("{POLE}, {parts} steps in a frame, pins stop"));
        let held = opened(parts, Some(turning.stored.time))?;
        text += &Burst::of(held).context("the pole has burst by then")?.row("stop");
    }
    Ok(text)
}

/// Returns the pole with the scene's step divided by `parts` and with pins that stop at the time `still`, and the
/// duration of the scene, in s.
fn opened(parts: u32, still: Option<f64>) -> Result<(World, f64)> {
    let source = SceneSource::find(Path::new(POLE))?;
    let (mut scene, _) = source.open()?;
    scene.world.dt /= f64::from(parts);
    for pin in scene.bodies.iter_mut().flat_map(|body| &mut body.pins) {
        still.into_iter().for_each(|time| stop(&mut pin.motion, time));
    }
    let BuiltScene { world, .. } = scene.build(&source.base)?;
    Ok((world, scene.duration))
}

/// Cancels the rest of the last ramp from `time` on, by an opposite ramp.
fn stop(motion: &mut Motion, time: f64) {
    let Some(ramp) = motion.ramps.last().copied() else { return };
    let rest = -(1.0 - ramp.fraction(time));
    let action = match ramp.action {
        Action::Translate(by) => Action::Translate(rest * by),
        Action::Rotate { centre, axis, angle } => {
            Action::Rotate { centre, axis, angle: rest * angle }
        }
    };
    motion.ramps.push(Ramp { start: time, end: ramp.end.max(time), action });
}

/// Energy at the end of a step.
#[derive(Debug, Clone, Copy, Default)]
struct EnergyAtTime {
    /// In s.
    time: f64,
    energy: Energy,
}

impl EnergyAtTime {
    fn of(world: &World) -> Self {
        Self { time: world.time(), energy: world.energy() }
    }
}

/// The conversion of elastic into kinetic energy.
#[derive(Debug, Default)]
struct Burst {
    /// Length of a step, in s, and its number of substeps.
    dt: f64,
    substeps: u32,
    /// Time of the first crack, in s, and the last step before a fragment came off.
    crack: Option<f64>,
    whole: EnergyAtTime,
    /// The states with the most elastic and with the most kinetic energy.
    stored: EnergyAtTime,
    moving: EnergyAtTime,
    pieces: usize,
    unconverged: usize,
}

impl Burst {
    /// Runs a world until some time after its body has broken; `None` if it does not break within `duration`.
    fn of((mut world, duration): (World, f64)) -> Option<Self> {
        let WorldConfig { dt, substeps, .. } = *world.config();
        let mut burst = Self { dt, substeps: substeps.unwrap_or(1), ..Self::default() };
        let mut most = EnergyAtTime::default();
        while world.time() < duration.min(burst.whole.time + TIME_AFTER_BREAK)
            || world.bodies().count() == 1
        {
            if world.time() > duration {
                return None;
            }
            world.step();
            let now = EnergyAtTime::of(&world);
            if world.bodies().count() == 1 {
                burst.whole = now;
            }
            let cracked = !world.breaks().is_empty();
            burst.crack = burst.crack.or(cracked.then_some(now.time));
            if now.energy.kinetic > burst.moving.energy.kinetic {
                (burst.moving, burst.stored) = (now, most);
            }
            if now.energy.elastic > most.energy.elastic {
                most = now;
            }
        }
        (burst.pieces, burst.unconverged) = (world.bodies().count(), world.health().unconverged);
        Some(burst)
    }

    fn row(&self, hands: &str) -> String {
        let Self { whole, stored, moving, pieces, unconverged, .. } = self;
        let share = |from: &EnergyAtTime| {
            100.0 * (moving.energy.kinetic - from.energy.kinetic) / from.energy.elastic
        };
        format!(
            "| 1/{:.0} s | {} | {hands} | {:.2} s | {:.2} s | {:.1} | {:.1} | {:.2} s | {:.1} | {:.0} | {:.2} s | {:.2} % | {:.2} % | {pieces} | {unconverged} |\n",
            1.0 / self.dt,
            self.substeps,
            self.crack.unwrap_or(whole.time),
            whole.time + self.dt,
            1e-3 * whole.energy.elastic,
            1e-3 * stored.energy.elastic,
            stored.time,
            stored.energy.kinetic,
            moving.energy.kinetic,
            moving.time,
            share(whole),
            share(stored)
        )
    }
}
