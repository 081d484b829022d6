//! The elastic constraints of all cells of a body.

use glam::DVec3;
use pliant_kernels::xpbd::{
    Projection, SharedPack, SharedPoints, Tables, Work, residual, sweep_alone, sweep_shared,
};
use rayon::prelude::*;

use crate::body::{ColouredBatch, Model};
use crate::force::Width;
use crate::math::{LANES, Pack};

use super::relay::Relay;

/// Packs of a task: some microseconds of work, well above what drawing it costs.
const PACKS_PER_TASK: usize = 8;

/// Packs of a body below which one thread does it all.
const FEW_PACKS: usize = 512;

/// Two constraints of every cell, one for each term of its law.
#[derive(Debug, Clone)]
pub struct CellConstraints {
    width: Width,
    batches: Vec<ColouredBatch>,
    /// One for each batch.
    tables: Vec<Tables>,
    /// Multipliers of the packs of every batch.
    lambdas: Vec<Vec<[SharedPack; 2]>>,
    tasks: Vec<PackTask>,
    relay: Relay,
    /// What the residual is summed from, batch after batch.
    residuals: Vec<[Pack; 2]>,
}

/// Packs of one colour of a batch.
#[derive(Debug, Clone, Copy)]
struct PackTask {
    batch: usize,
    first: usize,
    count: usize,
}

/// Settings of a sweep over all constraints.
#[derive(Debug, Clone, Copy)]
pub struct ConstraintSweep<'a> {
    /// Substep, in s.
    pub h: f64,
    /// How the two constraints of a cell are solved.
    pub projection: Projection,
    /// Damping in proportion to stiffness, in s.
    pub damping: f64,
    /// Where the nodes were when the substep began; read if there is damping.
    pub start: &'a [DVec3],
    /// Whether it is the first of its substep.
    pub first: bool,
    /// Whether multipliers are kept, for a further sweep or for the residual.
    pub keep: bool,
}

impl CellConstraints {
    /// The constraints of bodies of this model.
    pub fn new(model: &Model, width: Width) -> Self {
        let batches = model.coloured_batches();
        let lambdas =
            batches.iter().map(|batch| vec![Default::default(); batch.batch.pack_count()]);
        let lambdas = lambdas.collect();
        let tables = batches.iter().map(|coloured| Tables::new(&coloured.batch)).collect();
        let (mut tasks, mut stages) = (Vec::new(), Vec::new());
        for (index, coloured) in batches.iter().enumerate() {
            for colour in &coloured.colours {
                let before = tasks.len();
                for first in colour.clone().step_by(PACKS_PER_TASK) {
                    let count = PACKS_PER_TASK.min(colour.end - first);
                    tasks.push(PackTask { batch: index, first, count });
                }
                stages.push(tasks.len() - before);
            }
        }
        let packs = batches.iter().map(|batch| batch.batch.pack_count()).sum();
        let residuals = vec![[[0.0; LANES]; 2]; packs];
        let relay = Relay::new(stages.into_iter());
        Self { width, batches, tables, lambdas, tasks, relay, residuals }
    }

    /// Takes the rest shapes that matter has flowed to.
    pub fn follow_flow(&mut self, model: &Model) {
        for (coloured, batch) in self.batches.iter_mut().zip(model.batches()) {
            if batch.plastic {
                coloured.follow_flow(batch);
            }
        }
    }

    /// Packs of cells, all colours together.
    pub fn pack_count(&self) -> usize {
        self.residuals.len()
    }

    /// Bytes that its packs take: nodes, rest data and multipliers.
    pub fn bytes(&self) -> usize {
        let batches = self.batches.iter().map(|coloured| coloured.batch.bytes());
        let per_pack = size_of::<[SharedPack; 2]>() + size_of::<[Pack; 2]>();
        batches.sum::<usize>() + self.pack_count() * per_pack
    }

    /// Colours, all batches together: stages of a sweep that follow one another.
    pub fn colour_count(&self) -> usize {
        self.batches.iter().map(|batch| batch.colours.len()).sum()
    }

    /// Meets every constraint once, colour after colour, each from where the others have left the
    /// points.
    pub fn sweep(&mut self, points: &mut SharedPoints, sweep: &ConstraintSweep<'_>) {
        if sweep.first && sweep.keep {
            // What is skipped must not keep the multiplier of an earlier substep.
            self.lambdas.iter().flatten().flatten().for_each(SharedPack::clear);
        }
        let threads = if self.pack_count() <= FEW_PACKS { 1 } else { rayon::current_num_threads() };
        if threads == 1 {
            return self.sweep_alone(points, sweep);
        }
        let Self { width, batches, tables, lambdas, tasks, relay, .. } = self;
        let points = &*points;
        relay.run(threads, &|index| {
            let PackTask { batch, first, count } = tasks[index];
            let work = work(&batches[batch], &lambdas[batch], sweep);
            sweep_shared(*width, &tables[batch], &work, points, first..first + count);
        });
    }

    /// The same on one thread: packs lie in the order of their colours.
    fn sweep_alone(&self, points: &mut SharedPoints, sweep: &ConstraintSweep<'_>) {
        for ((coloured, lambdas), tables) in
            self.batches.iter().zip(&self.lambdas).zip(&self.tables)
        {
            let packs = 0..coloured.batch.pack_count();
            let work = work(coloured, lambdas, sweep);
            sweep_alone(self.width, tables, &work, points, packs);
        }
    }

    /// How far from met the constraints are after a substep whose last sweep kept its multipliers: zero
    /// if the substep is the one of implicit Euler, one if nothing was done.
    ///
    /// ```text
    /// √(Σ (C + α̃ λ)²/α  /  Σ C²/α)
    /// ```
    pub fn residual(&mut self, points: &SharedPoints, sweep: &ConstraintSweep<'_>) -> f64 {
        let Self { width, batches, tables, lambdas, residuals, .. } = self;
        let mut rest = &mut residuals[..];
        for ((coloured, lambdas), tables) in batches.iter().zip(lambdas).zip(&*tables) {
            let own = rest.split_off_mut(..coloured.batch.pack_count()).expect("sized alike");
            let work = Work { read_lambdas: true, ..work(coloured, lambdas, sweep) };
            let one = |(pack, out): (usize, &mut [Pack; 2])| {
                residual(*width, tables, &work, points, pack, out);
            };
            if own.len() <= FEW_PACKS {
                own.iter_mut().enumerate().for_each(one);
            } else {
                own.par_iter_mut().enumerate().with_min_len(PACKS_PER_TASK).for_each(one);
            }
        }
        let sum = |k: usize| residuals.iter().flat_map(|numbers| numbers[k]).sum::<f64>();
        let (open, whole) = (sum(0), sum(1));
        if whole > 0.0 { (open / whole).sqrt() } else { 0.0 }
    }
}

fn work<'a>(
    coloured: &'a ColouredBatch,
    lambdas: &'a [[SharedPack; 2]],
    sweep: &ConstraintSweep<'a>,
) -> Work<'a> {
    Work {
        batch: &coloured.batch,
        start: sweep.start,
        lambdas,
        projection: sweep.projection,
        h_squared: sweep.h * sweep.h,
        damping: sweep.damping / sweep.h,
        read_lambdas: !sweep.first,
        keep_lambdas: sweep.keep,
    }
}
