//! Static equilibrium: Newton's method with a line search, in as many load steps as needed.

use glam::DVec3;
use pliant_sparse::{BlockMatrix, Cholesky, FactorError};

use crate::body::{Body, Model, RestShape};
use crate::force::{CellStiffness, Definiteness, Elastic, Width};
use crate::solver::line_search::backtrack;
use crate::solver::linear::Assembly;

use super::config::{Loads, StaticConfig};
use super::error::SolveError;
use super::report::{StaticProgress, StaticReport};
use super::support::{check_support, reactions};

/// The smallest share of the load that is tried.
const LEAST_STEP: f64 = 1.0 / 4096.0;

/// Armijo's constant: the share of the promised decrease that a step must bring.
const DECREASE: f64 = 1e-4;

/// Halvings of a Newton step before it is given up.
const MAX_HALVINGS: u32 = 12;

/// Finds the positions at which elastic forces balance the loads, for one body.
#[derive(Debug)]
pub struct Equilibrium {
    elastic: Elastic,
    matrix: BlockMatrix,
    cholesky: Cholesky,
    /// Elastic force on every node at the last evaluation.
    forces: Vec<DVec3>,
    /// Full load on every node.
    load: Vec<DVec3>,
    /// Force that would stretch the body to twice its size, in N.
    rigidity: f64,
    report: StaticReport,
}

/// The present iterate of Newton's method.
#[derive(Clone, Copy)]
struct Iterate {
    load: f64,
    /// Potential energy, in J.
    energy: f64,
    residual: f64,
}

/// Share of the rigidity below which forces are not resolved to the tolerance: elastic forces have rounding errors of
/// about 1e-15 of it.
const ROUNDING: f64 = 1e-6;

/// Residual below which Newton may converge to a saddle of the energy instead of descending.
const NEAR: f64 = 1e-1;

/// A load step that did not converge.
struct Stalled {
    residual: f64,
}

impl Equilibrium {
    /// Analyses the system of a body.
    pub fn new(body: &Body, loads: Loads<'_>) -> Result<Self, SolveError> {
        check_support(body)?;
        if !body.rigid_regions().is_empty() {
            return Err(SolveError::RigidRegion { body: body.name().to_owned() });
        }
        let load = nodal_loads(body, loads)?;
        let model = body.model();
        let matrix = BlockMatrix::structure(model, body.unknowns());
        let cholesky = Cholesky::analyse(&matrix, &body.unknowns().positions(&model.mesh().nodes))
            .map_err(|source| SolveError::Factor { body: body.name().to_owned(), source })?;
        Ok(Self {
            elastic: Elastic::new(model, Width::default()),
            matrix,
            cholesky,
            forces: vec![DVec3::ZERO; load.len()],
            load,
            rigidity: rigidity(model),
            report: StaticReport::default(),
        })
    }

    /// Moves `body` to equilibrium under the full load. On failure it stays at the last solved load.
    pub fn solve(
        &mut self,
        body: &mut Body,
        config: &StaticConfig,
        progress: &mut dyn FnMut(&StaticProgress),
    ) -> Result<StaticReport, SolveError> {
        config.check()?;
        self.report = StaticReport::default();
        let (mut done, mut step) = (0.0, 1.0 / f64::from(config.load_steps));
        while done < 1.0 {
            let load = if done + step > 1.0 - 1e-9 { 1.0 } else { done + step };
            let before = body.state.x.clone();
            match self.load_step(body, config, load, progress) {
                Ok(iterations) => {
                    self.report.load_steps += 1;
                    done = load;
                    if iterations <= 6 {
                        step *= 1.5;
                    }
                }
                Err(Stalled { residual }) => {
                    body.state.x = before;
                    step *= 0.5;
                    if step < LEAST_STEP {
                        let body = body.name().to_owned();
                        return Err(SolveError::NotConverged { body, load: done, residual });
                    }
                }
            }
        }
        body.state.v.fill(DVec3::ZERO);
        self.assemble(body, Definiteness::Exact, None);
        self.report.stable = self.cholesky.factor(&self.matrix).is_ok();
        self.report.energy =
            self.elastic.forces(body.rest_shape(), &body.state.x, &mut self.forces);
        self.report.reactions = reactions(body, &self.forces, &self.load);
        Ok(self.report.clone())
    }

    /// Newton's method at a fixed load; returns the number of iterations.
    fn load_step(
        &mut self,
        body: &mut Body,
        config: &StaticConfig,
        load: f64,
        progress: &mut dyn FnMut(&StaticProgress),
    ) -> Result<u32, Stalled> {
        self.predict(body, config.duration * load, load)?;
        let mut residual = f64::INFINITY;
        for iteration in 0..=config.max_iterations {
            let energy = self.evaluate(body, load);
            residual = self.residual(body, load);
            progress(&StaticProgress { load, iteration, residual });
            self.report.residual = residual;
            if residual <= config.tolerance {
                return Ok(iteration);
            }
            if !residual.is_finite() {
                break;
            }
            self.report.iterations += 1;
            let at = Iterate { load, energy, residual };
            let moved = self.descend(body, at, Definiteness::Exact)
                || self.approach(body, at)
                || self.descend(body, at, Definiteness::Positive);
            if !moved {
                break;
            }
        }
        Err(Stalled { residual })
    }

    /// Moves the pins to their positions at time `t`, and the free nodes by the linear prediction with the present
    /// stiffness.
    fn predict(&mut self, body: &mut Body, t: f64, load: f64) -> Result<(), Stalled> {
        let mut target = body.state.x.clone();
        body.move_pins(t, &mut target);
        let mut moves: Vec<DVec3> =
            target.iter().zip(&body.state.x).map(|(to, from)| *to - *from).collect();
        if moves.iter().all(|step| *step == DVec3::ZERO) {
            return Ok(());
        }
        self.evaluate(body, load);
        let mut unbalanced = self.unbalanced(load);
        let mut pull = vec![DVec3::ZERO; moves.len()];
        let stalled = |_| Stalled { residual: f64::NAN };
        self.assemble(body, Definiteness::Exact, Some((&moves, &mut pull)));
        self.cholesky
            .factor(&self.matrix)
            .or_else(|_| self.cholesky.factor_indefinite(&self.matrix))
            .map_err(stalled)?;
        unbalanced.iter_mut().zip(&pull).for_each(|(force, pull)| *force -= *pull);
        let change = self.solve_reduced(body, &unbalanced);
        moves.iter_mut().zip(&change).for_each(|(step, change)| *step += *change);
        body.state.x.iter_mut().zip(&moves).for_each(|(x, step)| *x += *step);
        Ok(())
    }

    /// A Newton step that lowers the energy, with a line search; false if there is none.
    fn descend(&mut self, body: &mut Body, at: Iterate, which: Definiteness) -> bool {
        self.assemble(body, which, None);
        let factored = match which {
            Definiteness::Exact => self.cholesky.factor(&self.matrix),
            Definiteness::Positive => self.factor(),
        };
        if factored.is_err() {
            self.report.indefinite += 1;
            return false;
        }
        let (direction, slope) = self.direction(body, at.load);
        self.search(body, &direction, |solver, body, length| {
            let trial = solver.evaluate(body, at.load);
            let decreases = trial <= at.energy - DECREASE * length * slope;
            // Close to the solution the energy no longer resolves the decrease; the force does.
            let settled = (trial - at.energy).abs() <= 1e-11 * at.energy.abs().max(slope.abs());
            decreases || (settled && solver.residual(body, at.load) < at.residual)
        })
    }

    /// A Newton step toward the nearest balance of forces, which need not be a minimum; false if the unbalanced force
    /// does not fall.
    ///
    /// Coarse cells that resist changes of volume have equilibria that are saddles of their energy; the path to the
    /// solution passes through them.
    fn approach(&mut self, body: &mut Body, at: Iterate) -> bool {
        if at.residual > NEAR {
            return false;
        }
        self.assemble(body, Definiteness::Exact, None);
        if self.cholesky.factor_indefinite(&self.matrix).is_err() {
            return false;
        }
        let (direction, _) = self.direction(body, at.load);
        self.search(body, &direction, |solver, body, length| {
            solver.evaluate(body, at.load);
            solver.residual(body, at.load) < at.residual * (1.0 - 0.1 * length)
        })
    }

    /// The Newton direction of the factored matrix, and the work of the unbalanced force on it.
    fn direction(&mut self, body: &Body, load: f64) -> (Vec<DVec3>, f64) {
        let unbalanced = self.unbalanced(load);
        let direction = self.solve_reduced(body, &unbalanced);
        let slope = direction.iter().zip(&unbalanced).map(|(d, f)| d.dot(*f)).sum();
        (direction, slope)
    }

    /// Halves the step along `direction` until `accept` returns true; otherwise restores the positions and returns false.
    fn search(
        &mut self,
        body: &mut Body,
        direction: &[DVec3],
        mut accept: impl FnMut(&mut Self, &Body, f64) -> bool,
    ) -> bool {
        let start = body.state.x.clone();
        let accepted = backtrack(MAX_HALVINGS, |length| {
            for (x, (from, d)) in body.state.x.iter_mut().zip(start.iter().zip(direction)) {
                *x = *from + length * *d;
            }
            accept(self, body, length).then_some(())
        });
        if accepted.is_none() {
            body.state.x = start;
            self.elastic.forces(body.rest_shape(), &body.state.x, &mut self.forces);
        }
        accepted.is_some()
    }

    /// Potential energy Π = E(x) − load · x; also updates the elastic forces.
    fn evaluate(&mut self, body: &Body, load: f64) -> f64 {
        let x = &body.state.x;
        let elastic = self.elastic.forces(body.rest_shape(), x, &mut self.forces);
        let rest = &body.model().mesh().nodes;
        let works = self.load.iter().zip(x.iter().zip(rest));
        elastic - load * works.map(|(force, (x, rest))| force.dot(*x - *rest)).sum::<f64>()
    }

    /// Sum of elastic force and load on every node.
    fn unbalanced(&self, load: f64) -> Vec<DVec3> {
        self.forces.iter().zip(&self.load).map(|(f, full)| *f + load * *full).collect()
    }

    /// Norm of the unbalanced force on free nodes over the norm of all acting forces. The divisor has a lower limit,
    /// relative to the rigidity of the body, below which the quotient would only measure rounding.
    fn residual(&self, body: &Body, load: f64) -> f64 {
        let mut reduced = vec![DVec3::ZERO; body.unknowns().count()];
        body.unknowns().reduce(&self.unbalanced(load), &mut reduced);
        let norm = |forces: &mut dyn Iterator<Item = DVec3>| {
            forces.map(DVec3::length_squared).sum::<f64>().sqrt()
        };
        let unbalanced = norm(&mut reduced.iter().copied());
        let acting = norm(&mut self.forces.iter().copied());
        let loads = norm(&mut self.load.iter().map(|full| load * *full));
        unbalanced / acting.max(loads).max(ROUNDING * self.rigidity)
    }

    /// Assembles Cᵀ K C; with `moves` also adds K · moves to the given forces.
    fn assemble(
        &mut self,
        body: &Body,
        which: Definiteness,
        mut moves: Option<(&Vec<DVec3>, &mut Vec<DVec3>)>,
    ) {
        self.matrix.clear();
        for_each_cell_stiffness(body.rest_shape(), &body.state.x, which, |cell| {
            self.matrix.add_cell(cell, body.unknowns());
            if let Some((moves, pull)) = &mut moves {
                cell.apply(moves, pull);
            }
        });
        self.matrix.close_inactive(body.unknowns());
    }

    /// Factors the matrix, with the smallest tried shift of its diagonal that makes it positive definite.
    fn factor(&mut self) -> Result<(), FactorError> {
        let mut shift = 1e-10 * self.matrix.mean_diagonal();
        for _ in 0..10 {
            match self.cholesky.factor(&self.matrix) {
                Ok(()) => return Ok(()),
                Err(_) => self.matrix.shift_diagonal(shift),
            }
            shift *= 10.0;
        }
        Err(FactorError::NotPositiveDefinite)
    }

    /// C (CᵀKC)⁻¹ Cᵀ f.
    fn solve_reduced(&mut self, body: &Body, forces: &[DVec3]) -> Vec<DVec3> {
        let mut reduced = vec![DVec3::ZERO; body.unknowns().count()];
        let mut nodes = vec![DVec3::ZERO; forces.len()];
        body.unknowns().reduce(forces, &mut reduced);
        self.cholesky.solve(&mut reduced);
        body.unknowns().expand(&reduced, &mut nodes);
        nodes
    }
}

/// Gravity and forces on every node.
fn nodal_loads(body: &Body, loads: Loads<'_>) -> Result<Vec<DVec3>, SolveError> {
    let masses = body.model().masses();
    let mut load: Vec<DVec3> = masses.iter().map(|mass| loads.gravity * *mass).collect();
    let (given, node_count) = (loads.forces.len(), load.len());
    if given != 0 && given != node_count {
        return Err(SolveError::ForceCount { body: body.name().to_owned(), given, node_count });
    }
    load.iter_mut().zip(loads.forces).for_each(|(load, force)| *load += *force);
    match load.iter().position(|load| !load.is_finite()) {
        Some(node) => {
            let (body, load) = (body.name().to_owned(), load[node]);
            Err(SolveError::LoadNotFinite { body, node, load })
        }
        None => Ok(load),
    }
}

/// The largest P-wave modulus times the area that belongs to the volume of the body.
fn rigidity(model: &Model) -> f64 {
    let modulus = |cell: usize| model.material(cell).lame().p_wave();
    let stiffest = (0..model.mesh().cell_count()).map(modulus).fold(0.0, f64::max);
    stiffest * model.mesh().volume().powf(2.0 / 3.0)
}

/// Cells whose stiffness is computed in parallel before it is added in order.
const CELLS_AT_ONCE: usize = 256;

/// Calls `visit` with the stiffness of every cell, in order, computing them in parallel.
fn for_each_cell_stiffness(
    rest: RestShape<'_>,
    x: &[DVec3],
    which: Definiteness,
    mut visit: impl FnMut(&CellStiffness),
) {
    use rayon::prelude::*;
    for batch in rest.rest_batches() {
        for start in (0..batch.cells.len()).step_by(CELLS_AT_ONCE) {
            let end = (start + CELLS_AT_ONCE).min(batch.cells.len());
            let cells: Vec<CellStiffness> = (start..end)
                .into_par_iter()
                .map(|cell| CellStiffness::new(batch, cell, x, which))
                .collect();
            cells.iter().for_each(&mut visit);
        }
    }
}
