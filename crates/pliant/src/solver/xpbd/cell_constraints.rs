//! The elastic constraints of all cells of a body.

use glam::DVec3;
use pliant_kernels::xpbd::{
    Projection, SharedPack, SharedPoints, Tables, Work, residual, sweep_alone, sweep_shared,
};
use rayon::prelude::*;

use crate::body::{ColouredBatch, Model, RestShape};
use crate::force::Width;
use pliant_kernels::math::{LANES, Pack};

use super::relay::Relay;

/// Packs of a task: some microseconds of work, well above the cost of starting it.
const PACKS_PER_TASK: usize = 8;

/// Number of packs up to which one thread does all the work.
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
    /// Terms of the residual, batch after batch.
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
    /// Node positions at the start of the substep; used only with damping.
    pub start: &'a [DVec3],
    /// True for the first sweep of a substep.
    pub first: bool,
    /// True if multipliers are kept, for a further sweep or for the residual.
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
        // A stage for every colour: its packs share no node, so that its tasks can run at the same time.
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

    /// Takes over the rest shapes after plastic flow.
    pub fn follow_flow(&mut self, rest: RestShape<'_>) {
        for (coloured, batch) in self.batches.iter_mut().zip(rest.rest_batches()) {
            if batch.plastic {
                coloured.follow_flow(batch);
            }
        }
    }

    /// Packs of cells of all colours.
    pub fn pack_count(&self) -> usize {
        self.residuals.len()
    }

    /// Memory of the packs, in bytes: nodes, rest data and multipliers.
    pub fn bytes(&self) -> usize {
        let batches =
            self.batches.iter().map(|coloured| coloured.batch.bytes() + coloured.rest.bytes());
        let per_pack = size_of::<[SharedPack; 2]>() + size_of::<[Pack; 2]>();
        batches.sum::<usize>() + self.pack_count() * per_pack
    }

    /// Colours of all batches: the stages of a sweep, which follow one another.
    pub fn colour_count(&self) -> usize {
        self.batches.iter().map(|batch| batch.colours.len()).sum()
    }

    /// Solves every constraint once, colour after colour, each from the positions that the earlier ones left.
    pub fn sweep(&mut self, points: &mut SharedPoints, sweep: &ConstraintSweep<'_>) {
        if sweep.first && sweep.keep {
            // A constraint that is skipped must not keep the multiplier of an earlier substep.
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

    /// The sweep on one thread: packs are stored in the order of their colours.
    fn sweep_alone(&self, points: &mut SharedPoints, sweep: &ConstraintSweep<'_>) {
        for ((coloured, lambdas), tables) in
            self.batches.iter().zip(&self.lambdas).zip(&self.tables)
        {
            let packs = 0..coloured.batch.pack_count();
            let work = work(coloured, lambdas, sweep);
            sweep_alone(self.width, tables, &work, points, packs);
        }
    }

    /// The residual of the constraint equations after a substep whose last sweep kept its multipliers: zero if the
    /// substep equals backward Euler, one if the constraints were not changed at all.
    ///
    /// ```text
    /// √(Σ (C + α̃ λ)²/α  /  Σ C²/α)
    /// ```
    ///
    /// Derived here from the constraint equations C + α̃ λ = 0 of Macklin et al. 2016.
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
        batch: coloured.rest_batch(),
        start: sweep.start,
        lambdas,
        projection: sweep.projection,
        h_squared: sweep.h * sweep.h,
        damping: sweep.damping / sweep.h,
        read_lambdas: !sweep.first,
        keep_lambdas: sweep.keep,
    }
}
