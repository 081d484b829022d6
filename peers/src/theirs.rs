//! The bar in Rapier.

use rapier3d::prelude::*;

use crate::Bar;
use crate::xpbd::{ALONG, SUBSTEPS};

struct Theirs {
    world: PhysicsWorld,
    body: SoftBodyHandle,
    rest: Vec<Vector>,
    tip: Vec<usize>,
    cells: usize,
}

/// Rapier's `fem` solver with its default settings.
pub fn fem(n: usize, damped: bool) -> Box<dyn Bar> {
    let damping = if damped { 3.08 } else { 0.0 };
    Box::new(bar(n, SoftBodySolver::Fem, 1, |builder| builder.linear_damping(damping)))
}

/// Rapier's constraint rows with one sweep per substep: without the additional sweeps that are the default for soft
/// bodies.
pub fn rows() -> Box<dyn Bar> {
    let substeps = SUBSTEPS as usize;
    let once = |builder: SoftBodyBuilder| builder.additional_pgs_iterations(0);
    let mut bar = bar(ALONG, SoftBodySolver::Constraints, substeps, once);
    bar.world.integration_parameters.soft_bodies.max_extra_substeps = 0;
    Box::new(bar)
}

/// Rapier's own cuboid of linear, corotational tetrahedra, with default settings except those set by `change`.
fn bar(
    n: usize,
    solver: SoftBodySolver,
    substeps: usize,
    change: impl Fn(SoftBodyBuilder) -> SoftBodyBuilder,
) -> Theirs {
    let mut world = PhysicsWorld::new();
    world.gravity = Vector::new(0.0, -9.8, 0.0);
    world.integration_parameters.dt = 1.0 / 60.0;
    world.integration_parameters.num_solver_iterations = substeps;
    world.configure_thread_pool(1).expect("a thread");
    let across = n / 4 + 1;
    let mut builder = SoftBodyBuilder::cuboid(
        Vector::new(2.0, 0.0, 0.0),
        Vector::new(2.0, 0.5, 0.5),
        n + 1,
        across,
        across,
    );
    let rest = builder.particle_positions().to_vec();
    let cells = builder.cells.len();
    let masses = masses(&builder.cells, &rest);
    let is_at = |i: usize, x: f32| (rest[i].x - x).abs() < 1e-4;
    let pinned: Vec<u32> = (0..rest.len()).filter(|i| is_at(*i, 0.0)).map(|i| i as u32).collect();
    let tip: Vec<usize> = (0..rest.len()).filter(|i| is_at(*i, 4.0)).collect();
    builder = builder
        .masses(masses)
        .cell_model(SoftBodyCellModel::Corotational)
        .material(SoftBodyMaterial {
            young_modulus: 1e6,
            poisson_ratio: 0.35,
            ..Default::default()
        })
        .solver(solver)
        .no_surface_collider()
        .can_sleep(false)
        .pinned_particles(pinned);
    let body = world.insert_soft_body(change(builder));
    Theirs { world, body, rest, tip, cells }
}

/// A quarter of every cell's mass on each of its corners.
pub fn masses(cells: &[[u32; 4]], rest: &[Vector]) -> Vec<f32> {
    let mut masses = vec![0.0; rest.len()];
    for cell in cells {
        let [a, b, c, d] = cell.map(|corner| rest[corner as usize]);
        let volume = (b - a).cross(c - a).dot(d - a).abs() / 6.0;
        cell.iter().for_each(|corner| masses[*corner as usize] += 1000.0 * volume / 4.0);
    }
    masses
}

impl Bar for Theirs {
    fn step(&mut self) {
        self.world.step();
    }

    fn sunk(&self) -> f64 {
        let body = &self.world.soft_bodies[self.body];
        let sum: f32 =
            self.tip.iter().map(|i| body.particle_position(*i).y - self.rest[*i].y).sum();
        f64::from(sum / self.tip.len() as f32)
    }

    fn size(&self) -> (usize, usize) {
        (self.rest.len(), self.cells)
    }
}
