//! Sixteen worlds one after another, and side by side on the same threads: `cargo run --release -p pliant --example parallel_worlds`.
//! The number of threads is that of the machine, or `RAYON_NUM_THREADS`.

use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use pliant::glam::DVec3;
use pliant::mesh::generate::{BallConfig, ball};
use pliant::{Body, Material, Model, Obstacle, World, WorldConfig};
use rayon::prelude::*;

const WORLDS: usize = 16;
const STEPS: usize = 30;

fn main() -> Result<(), Box<dyn Error>> {
    println!("{WORLDS} worlds, {STEPS} steps, {} threads", rayon::current_num_threads());
    println!(
        "{:>20} {:>18} {:>14} {:>8}",
        "bodies of a world", "one after another", "side by side", "ratio"
    );
    for (bodies, layers) in [(1, 1), (6, 1), (6, 3)] {
        let (mut first, mut second) = (worlds(bodies, layers)?, worlds(bodies, layers)?);
        let alone = milliseconds(|| {
            first.iter_mut().for_each(|world| (0..STEPS).for_each(|_| _ = world.step()));
        });
        // Every task takes all steps of a world: worlds do not wait for each other in every frame.
        let together = milliseconds(|| {
            second.par_iter_mut().for_each(|world| (0..STEPS).for_each(|_| _ = world.step()));
        });
        let same = first.iter().zip(&second).all(|(a, b)| a.state_hash() == b.state_hash());
        assert!(same, "worlds side by side have other bits");
        let cells =
            first[0].bodies().map(|(_, body)| body.model().mesh().cell_count()).sum::<usize>();
        let row = format!("{bodies} of {} cells", cells / bodies);
        println!("{row:>20} {alone:15.0} ms {together:11.0} ms {:8.2}", alone / together);
    }
    Ok(())
}

/// Worlds with a heap of balls over the ground, which share their model.
fn worlds(bodies: usize, layers: usize) -> Result<Vec<World>, Box<dyn Error>> {
    let mesh = ball(&BallConfig { radius: 0.25, layers, ..Default::default() })?;
    let model = Arc::new(Model::uniform(mesh, Material { young: 2e5, ..Default::default() })?);
    (0..WORLDS).map(|number| heap(&model, bodies, 0.01 * number as f64)).collect()
}

fn heap(model: &Arc<Model>, bodies: usize, shift: f64) -> Result<World, Box<dyn Error>> {
    let mut world = World::new(WorldConfig { sleep: None, ..Default::default() })?;
    world.add_obstacle(Obstacle::ground(0.5))?;
    for k in 0..bodies {
        let mut body = Body::new(format!("ball {k}"), model.clone(), vec![])?;
        let side = shift * (k % 3) as f64;
        body.place(DVec3::new(side, 0.3 + 0.55 * k as f64, 0.5 * side))?;
        world.add(body);
    }
    Ok(world)
}

fn milliseconds(work: impl FnOnce()) -> f64 {
    let begin = Instant::now();
    work();
    1e3 * begin.elapsed().as_secs_f64()
}
