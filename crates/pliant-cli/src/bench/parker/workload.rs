//! The workload of a frame.

use pliant::world::{StepReport, World};

/// Counts that describe the work of a step: the same in every run, since all runs compute the same bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Workload {
    /// Number of bodies and fragments, and of those awake after the step.
    pub(super) bodies: usize,
    pub(super) awake: usize,
    /// Cells and nodes of awake bodies, and of all bodies.
    pub(super) awake_cells: usize,
    pub(super) awake_nodes: usize,
    pub(super) cells: usize,
    pub(super) nodes: usize,
    /// Number of islands: groups of bodies that were stepped together.
    pub(super) islands: usize,
    /// Contact points between bodies, without the ground.
    pub(super) contacts: usize,
    /// Number of openings at which bodies broke.
    pub(super) openings: usize,
    /// Iterations of linear solves, and solves that stopped before they reached their tolerance.
    pub(super) iterations: u32,
    pub(super) unconverged: u32,
}

impl Workload {
    /// Counts the workload of the last step.
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
