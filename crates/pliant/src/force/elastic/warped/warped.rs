//! Forces and stiffness of corotated and linear cells.

use glam::{DMat3, DVec3};
use pliant_kernels::lanes::{Width, pair_index};
use pliant_kernels::warped::{CellMasses, Rotation, Task, WarpedBatch, WarpedJob, unit_pack};

use crate::body::{Batch, Model, RestBatch, RestShape, Unknowns};
use crate::force::elastic::elasticity::{CellBlocks, Elasticity};
use crate::force::elastic::gather::Gather;
use crate::persist::{Reader, SnapshotError, Writer};
use pliant_kernels::material::LawKind;
use pliant_kernels::math::{LANES, Pack, SingleNode};

use super::contents::stored_stiffness;

/// Forces of corotated and linear cells, and their stiffness.
#[derive(Debug, Clone)]
pub struct Warped {
    width: Width,
    pub(super) groups: Vec<WarpedBatch>,
    /// Rotations of every pack, batch after batch.
    pub(super) rotations: Vec<[Pack; 9]>,
    /// Sums of the tiles of every batch.
    sums: Vec<DVec3>,
    /// The same in single precision; empty for cells without such products.
    single_sums: Vec<SingleNode>,
    /// One number per cell: its energy, or its change.
    cell_numbers: Vec<Pack>,
    gather: Gather,
    /// Positions at the last mark.
    pub(super) marked: Vec<DVec3>,
    /// Rotations at the last mark.
    pub(super) marked_rotations: Vec<[Pack; 9]>,
    moves: Vec<DVec3>,
    diagonal: Vec<f64>,
    /// Version of the unknowns whose ties are set.
    pub(super) ties: Option<u64>,
}

impl Warped {
    /// True if all materials of a model are corotated or linear.
    pub fn suits(model: &Model) -> bool {
        let suits = |law| matches!(law, LawKind::Corotated | LawKind::Linear);
        model.batches().iter().all(|batch| suits(batch.law))
    }

    /// True if the cells of a model have products in single precision, with one rotation per cell.
    pub fn has_single_products(model: &Model) -> bool {
        Self::suits(model) && model.batches().iter().all(WarpedBatch::suits_single)
    }

    /// Buffers for bodies of this model, whose materials are corotated or linear.
    pub fn new(model: &Model, rotation: Rotation, width: Width) -> Self {
        let group = |batch: RestBatch<'_>| {
            let stored = stored_stiffness(model, &batch, rotation);
            let density = |cell: &u32| model.material(*cell as usize).density;
            let densities: Vec<f64> = batch.cells.iter().map(density).collect();
            let of_pairs = || model.pair_masses(batch.kind, &batch.cells);
            let masses = CellMasses { densities: &densities, of_pairs: &of_pairs };
            WarpedBatch::new(&model.mesh().nodes, (batch, masses), rotation, stored)
        };
        let groups: Vec<WarpedBatch> = model.rest_batches().map(group).collect();
        let sizes = || model.batches().iter().zip(&groups);
        let count = sizes().map(|(batch, group)| batch.pack_count() * group.rotations()).sum();
        let packs = model.batches().iter().map(Batch::pack_count).sum();
        let sum_count = groups.iter().map(WarpedBatch::sum_count).sum();
        let has_single = groups.iter().all(WarpedBatch::has_single);
        let mut warped = Self {
            single_sums: vec![SingleNode::ZERO; if has_single { sum_count } else { 0 }],
            width,
            rotations: vec![unit_pack(); count],
            sums: vec![DVec3::ZERO; sum_count],
            cell_numbers: vec![[0.0; LANES]; packs],
            gather: gather(model, &groups),
            marked: model.mesh().nodes.clone(),
            marked_rotations: vec![unit_pack(); count],
            moves: vec![DVec3::ZERO; model.mesh().nodes.len()],
            diagonal: Vec::new(),
            ties: None,
            groups,
        };
        // The diagonal is that before any flow, so that it depends on the model only and not on the time at which the
        // buffers are built.
        warped.diagonal = warped.rest_diagonal(model);
        warped
    }

    /// tr K_aa/3 of every node. A rotation does not change it.
    fn rest_diagonal(&mut self, model: &Model) -> Vec<f64> {
        let mut blocks = CellBlocks::new(model);
        self.blocks(model.rest_shape(), &mut blocks);
        let mut diagonal = vec![0.0; model.mesh().nodes.len()];
        for (index, batch) in model.batches().iter().enumerate() {
            for cell in 0..batch.cells.len() {
                let start = blocks.cell_start(index, batch, cell);
                for (a, lanes) in batch.pack_nodes(cell / LANES).iter().enumerate() {
                    let block = &blocks.blocks[start + pair_index(a, a)];
                    diagonal[lanes[cell % LANES] as usize] += block.trace() / 3.0;
                }
            }
        }
        diagonal
    }

    /// Passes the rotations to all packs of quadratic cells.
    fn turn_packs(&mut self, model: &Model) {
        let mut rotations = &self.rotations[..];
        for (batch, group) in model.batches().iter().zip(&mut self.groups) {
            let own;
            (own, rotations) = rotations.split_at(batch.pack_count() * group.rotations());
            group.turn_packs(own);
        }
    }

    /// Runs a task on all cells at positions (or displacements) `x`.
    fn run(&mut self, rest: RestShape<'_>, x: &[DVec3], task: Task) {
        self.run_with(0.0, rest, x, task);
    }

    /// The same, with a factor of the masses in products.
    fn run_with(&mut self, inertia: f64, rest: RestShape<'_>, x: &[DVec3], task: Task) {
        let (mut sums, mut numbers) = (&mut self.sums[..], &mut self.cell_numbers[..]);
        let mut rotations = &mut self.rotations[..];
        for (batch, group) in rest.rest_batches().zip(&self.groups) {
            let packs = batch.pack_count();
            let own = packs * group.rotations();
            let job = WarpedJob {
                batch,
                width: self.width,
                x,
                inertia,
                sums: sums.split_off_mut(..group.sum_count()).expect("sized alike"),
                numbers: numbers.split_off_mut(..packs).expect("sized alike"),
                rotations: rotations.split_off_mut(..own).expect("sized alike"),
            };
            group.run(job, task);
        }
    }
}

impl Elasticity for Warped {
    fn forces(&mut self, rest: RestShape<'_>, x: &[DVec3], forces: &mut [DVec3]) -> f64 {
        self.run(rest, x, Task::Forces);
        self.groups.iter_mut().for_each(WarpedBatch::forget_rotations);
        self.gather.sum(&self.sums, forces);
        self.cell_numbers.iter().flatten().sum()
    }

    /// Empty: K rotates with the rotations that the forces have computed.
    fn linearise(&mut self, _: RestShape<'_>, _: &[DVec3]) {}

    fn apply(&mut self, rest: RestShape<'_>, d: &[DVec3], product: &mut [DVec3]) {
        self.turn_packs(&rest);
        self.run(rest, d, Task::Product);
        self.gather.sum(&self.sums, product);
    }

    fn has_masses(&self) -> bool {
        self.groups.iter().all(WarpedBatch::has_masses)
    }

    fn apply_with_masses(
        &mut self,
        rest: RestShape<'_>,
        inertia: f64,
        d: &[DVec3],
        product: &mut [DVec3],
    ) {
        self.turn_packs(&rest);
        self.run_with(inertia, rest, d, Task::Product);
        self.gather.sum(&self.sums, product);
    }

    fn has_single(&self) -> bool {
        self.groups.iter().all(WarpedBatch::has_single)
    }

    fn apply_single(
        &mut self,
        rest: RestShape<'_>,
        inertia: f64,
        d: &[SingleNode],
        product: &mut [SingleNode],
    ) {
        self.turn_packs(&rest);
        let mut sums = &mut self.single_sums[..];
        for group in &self.groups {
            let own = sums.split_off_mut(..group.sum_count()).expect("sized alike");
            group.products_single(self.width, (d, inertia), own);
        }
        let sums = &self.single_sums;
        self.gather.each(product, |sum, slots| {
            *sum = SingleNode::ZERO;
            for slot in slots {
                *sum += sums[*slot as usize];
            }
        });
    }

    fn blocks(&mut self, rest: RestShape<'_>, blocks: &mut CellBlocks) {
        let mut rotations = &self.rotations[..];
        for (index, (batch, group)) in rest.rest_batches().zip(&self.groups).enumerate() {
            let own;
            (own, rotations) = rotations.split_at(batch.pack_count() * group.rotations());
            let range = blocks.batch_start[index]..blocks.batch_start[index + 1];
            blocks.corners_only[index] = group.has_linear();
            group.blocks(self.width, batch, own, &mut blocks.blocks[range]);
        }
    }

    fn turn(&mut self, model: &Model, by: DMat3) {
        let mut rotations = &mut self.rotations[..];
        for (batch, group) in model.batches().iter().zip(&self.groups) {
            let count = batch.pack_count() * group.rotations();
            let own = rotations.split_off_mut(..count).expect("sized alike");
            if !group.is_fixed() {
                own.iter_mut().for_each(|pack| turn_pack(pack, by));
            }
        }
    }

    fn diagonal(&mut self, _: RestShape<'_>, diagonal: &mut [f64]) {
        diagonal.iter_mut().zip(&self.diagonal).for_each(|(sum, own)| *sum += own);
    }

    fn change(&mut self, rest: RestShape<'_>, x: &[DVec3]) -> f64 {
        let mut moves = std::mem::take(&mut self.moves);
        let steps = x.iter().zip(&self.marked).map(|(x, marked)| *x - *marked);
        moves.iter_mut().zip(steps).for_each(|(to, step)| *to = step);
        self.run(rest, &moves, Task::Change);
        self.moves = moves;
        // A change that is not a number counts as infinite.
        let larger = |most: f64, change: &f64| {
            if change.is_nan() { f64::INFINITY } else { most.max(*change) }
        };
        self.cell_numbers.iter().flatten().fold(0.0, larger)
    }

    fn turned(&mut self, _: RestShape<'_>, _: &[DVec3]) -> f64 {
        let pairs = self.rotations.iter().zip(&self.marked_rotations);
        let most = pairs.map(|(now, then)| most_turned(now, then)).fold(0.0, f64::max);
        // The sum is not finite if any rotation is not, which a maximum would not show.
        let sound = self.rotations.as_flattened().as_flattened().iter().sum::<f64>().is_finite();
        if sound { most } else { f64::INFINITY }
    }

    fn mark(&mut self, _: &Model, x: &[DVec3]) {
        self.marked.copy_from_slice(x);
        self.marked_rotations.copy_from_slice(&self.rotations);
    }

    fn follow_ties(&mut self, model: &Model, unknowns: &Unknowns) {
        for (batch, group) in model.batches().iter().zip(&mut self.groups) {
            group.follow_ties(batch, &|node| unknowns.ends(node).is_none());
        }
        self.ties = Some(unknowns.version());
    }

    fn folds_ties(&self, unknowns: &Unknowns) -> bool {
        let known = self.ties == Some(unknowns.version());
        known && self.groups.iter().all(WarpedBatch::folds_ties)
    }

    fn save(&self, to: &mut Writer) {
        self.save_memory(to);
    }

    fn load(
        &mut self,
        model: &Model,
        unknowns: &Unknowns,
        from: &mut Reader<'_>,
    ) -> Result<(), SnapshotError> {
        self.load_memory(model, unknowns, from)
    }

    fn boxed_clone(&self) -> Box<dyn Elasticity> {
        Box::new(self.clone())
    }
}

/// The largest absolute row sum of the difference of two rotations, over all lanes.
fn most_turned(now: &[Pack; 9], then: &[Pack; 9]) -> f64 {
    let mut most = 0.0_f64;
    for row in 0..3 {
        let mut sums = [0.0; LANES];
        for column in 0..3 {
            let (now, then) = (&now[3 * column + row], &then[3 * column + row]);
            for (sum, (now, then)) in sums.iter_mut().zip(now.iter().zip(then)) {
                *sum += (now - then).abs();
            }
        }
        most = sums.into_iter().fold(most, f64::max);
    }
    most
}

/// Rotates the columns of all rotations of a pack.
fn turn_pack(pack: &mut [Pack; 9], by: DMat3) {
    for column in pack.as_chunks_mut::<3>().0 {
        for lane in 0..LANES {
            let turned = by * DVec3::new(column[0][lane], column[1][lane], column[2][lane]);
            for (row, value) in column.iter_mut().zip(turned.to_array()) {
                row[lane] = value;
            }
        }
    }
}

/// The sums of every node.
fn gather(model: &Model, groups: &[WarpedBatch]) -> Gather {
    Gather::of_slots(model.mesh().nodes.len(), |visit| {
        let mut base = 0;
        for group in groups {
            group.for_each_sum(base, visit);
            base += group.sum_count();
        }
    })
}
