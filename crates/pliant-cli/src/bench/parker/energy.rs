//! Energy balance: no energy may be created.

use std::path::Path;

use anyhow::Result;
use pliant::world::World;

use super::CELL;
use crate::bench::Progress;
use crate::scene_source::SceneSource;

/// Energy of all bodies, in J.
#[derive(Debug, Clone, Copy, Default)]
struct Budget {
    elastic: f64,
    kinetic: f64,
    /// Potential energy of gravity.
    height: f64,
}

impl Budget {
    fn of(world: &World) -> Self {
        let energy = world.energy();
        let gravity = world.config().gravity;
        let lifted = world.bodies().flat_map(|(_, body)| {
            body.state.x.iter().zip(body.model().masses()).map(|(x, mass)| -mass * x.dot(gravity))
        });
        Self { elastic: energy.elastic, kinetic: energy.kinetic, height: lifted.sum() }
    }

    fn sum(&self) -> f64 {
        self.elastic + self.kinetic + self.height
    }
}

/// Energy of the glass cell: only the charge adds energy, so it must fall afterwards.
pub(super) fn table(progress: Progress<'_>) -> Result<String> {
    progress(&format!("{CELL}, energy"));
    let (scene, built) = SceneSource::find(Path::new(CELL))?.open()?;
    let (mut world, charge) = (built.world, scene.blasts.first().map_or(0.0, |blast| blast.time));
    let mut rows = vec![("at the start", world.time(), Budget::of(&world))];
    while world.time() <= charge {
        world.step();
    }
    rows.push(("after the charge", world.time(), Budget::of(&world)));
    let mut most = ("maximum since then", rows[1].1, rows[1].2);
    while world.time() < scene.duration {
        world.step();
        let budget = Budget::of(&world);
        if budget.sum() > most.2.sum() {
            most = ("maximum since then", world.time(), budget);
        }
    }
    rows.extend([most, ("at the end", world.time(), Budget::of(&world))]);
    let mut text = String::from(
        "\n## Energy\n\nOnly the explosive charge does work: after it the sum must not grow.\n\n\
         | | time | elastic, kJ | kinetic, kJ | potential, kJ | sum, kJ |\n|---|---|---|---|---|---|\n",
    );
    for (when, time, budget) in rows {
        let Budget { elastic, kinetic, height } = budget;
        let [elastic, kinetic, height, sum] =
            [elastic, kinetic, height, budget.sum()].map(|energy| 1e-3 * energy);
        text += &format!(
            "| {when} | {time:.2} s | {elastic:.2} | {kinetic:.2} | {height:.2} | {sum:.2} |\n"
        );
    }
    Ok(text)
}
