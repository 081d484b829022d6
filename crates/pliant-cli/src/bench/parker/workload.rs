//! How much there was to do in a frame.

use pliant::world::{StepReport, World};

/// What a step had to do with: the same in every run, since all compute the same bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Workload {
    /// Bodies and pieces, and those of them that are awake after the step.
    pub(super) bodies: usize,
    pub(super) awake: usize,
    /// Cells and nodes of those that are awake, and of all.
    pub(super) awake_cells: usize,
    pub(super) awake_nodes: usize,
    pub(super) cells: usize,
    pub(super) nodes: usize,
    /// Groups of bodies that were stepped together.
    pub(super) islands: usize,
    /// Points where bodies touched each other, the ground not counted.
    pub(super) contacts: usize,
    /// Places at which something came apart.
    pub(super) openings: usize,
    /// Iterations of linear solves, and solves that stopped before their tolerance.
    pub(super) iterations: u32,
    pub(super) unconverged: u32,
}

impl Workload {
    /// That of the step that was just taken.
    pub(super) fn of(world: &World, report: &StepReport) -> Self {
        let (iterations, unconverged) = (report.linear.iterations, report.linear.unconverged);
        let mut work = Self { iterations, unconverged, ..Self::default() };
        for (handle, body) in world.bodies().filter(|(body, _)| world.is_gone(*body) != Some(true))
        {
            let mesh = body.model().mesh();
            let (cells, nodes) = (mesh.cell_count(), mesh.nodes.len());
            let awake = usize::from(world.is_asleep(handle) == Some(false));
            work.bodies += 1;
            work.awake += awake;
            work.cells += cells;
            work.nodes += nodes;
            work.awake_cells += awake * cells;
            work.awake_nodes += awake * nodes;
        }
        work.islands = world.island_count();
        work.contacts = if work.islands > 0 { world.contacts().count() } else { 0 };
        work.openings = world.breaks().iter().map(|found| found.openings.len()).sum();
        work
    }
}
