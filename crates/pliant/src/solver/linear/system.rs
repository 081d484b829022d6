//! The linear system of a step, and the solver chosen for it.

use glam::DVec3;
use pliant_sparse::{BlockMatrix, FactorError};

use crate::body::{Model, Unknowns};
use crate::persist::{Persist, Reader, SnapshotError, Writer};
use crate::solver::config::MethodConfig;
use crate::solver::phase::{Phase, PhaseTeller};
use crate::solver::report::LinearReport;
use pliant_kernels::math::Mat3;

use super::active::Active;
use super::conjugate_gradient::{ConjugateGradient, Operator, Outcome, Preconditioner, Stop};
use super::diagonal::{BlockDiagonal, ScalarDiagonal, inverse_block, inverse_scalar};
use super::factor::{JointRows, Precision, TurnedFactor, precision_for};
use super::method::{Method, factor_for_smooth_steps};
use super::nodes::{MatrixFree, NodeBuffers, Scales, SystemParts};
use super::rigid_subspace::RigidSubspace;
use super::single::SingleGradient;
use super::system_solve::SystemSolve;

/// Solves (CᵀAC) y = b repeatedly, by conjugate gradients in one of several forms.
///
/// ```text
/// prepare      once per linearisation: matrix, diagonal, factor, as the solver needs them
/// solve        any number of right-hand sides
/// ```
///
/// Nothing is allocated after [`LinearSystem::new`].
#[derive(Debug, Clone)]
pub struct LinearSystem {
    pub(super) method: Method,
    /// A factor for smooth steps, if the method has rows.
    pub(super) smooth: Option<Box<TurnedFactor>>,
    tolerance: f64,
    max_iterations: u32,
    /// Limit of the iterations by the work limits of the step.
    granted: u32,
    refactor_threshold: f64,
    pub(super) scales: Scales,
    /// Approximate diagonal of A on nodes.
    node_diagonal: Vec<f64>,
    /// The inverse diagonal of CᵀAC.
    pub(super) weights: Vec<f64>,
    buffers: NodeBuffers,
    gradient: ConjugateGradient,
    active: Active,
    single: Option<Box<SingleGradient>>,
    /// Projection to the motions of rigid regions, and a buffer for a projected right-hand side.
    pub(super) rigid_subspace: RigidSubspace,
    projected_rhs: Vec<DVec3>,
    joint_rows: JointRows,
}

impl LinearSystem {
    /// Buffers for the systems of a body; an error if a factor would not fit in memory.
    pub fn new(
        model: &Model,
        unknowns: &Unknowns,
        method: &MethodConfig,
    ) -> Result<Self, FactorError> {
        let (n, node_count) = (unknowns.count(), unknowns.node_count());
        let rigid_subspace = RigidSubspace::new(model);
        Ok(Self {
            method: Method::new(model, unknowns, method)?,
            smooth: factor_for_smooth_steps(model, unknowns, method)?,
            tolerance: method.tolerance,
            max_iterations: method.max_iterations,
            granted: u32::MAX,
            refactor_threshold: method.refactor_threshold,
            scales: Scales::default(),
            node_diagonal: vec![0.0; node_count],
            weights: vec![0.0; n],
            buffers: NodeBuffers::new(node_count),
            gradient: ConjugateGradient::new(n),
            active: Active::new(if method.adaptive.is_some() { n } else { 0 }),
            single: SingleGradient::new(model).map(Box::new),
            projected_rhs: vec![DVec3::ZERO; if rigid_subspace.is_empty() { 0 } else { n }],
            rigid_subspace,
            joint_rows: JointRows::default(),
        })
    }

    /// Prepares solves with the present linearisation. The contents of `parts` must not change until the last
    /// [`LinearSystem::solve`] with them.
    pub fn prepare(
        &mut self,
        parts: &mut SystemParts<'_>,
        scales: Scales,
        phase: &mut PhaseTeller<'_>,
        report: &mut LinearReport,
    ) {
        phase(Phase::Assembly);
        self.scales = scales;
        self.joint_rows.close();
        self.rigid_subspace.open(parts.unknowns, parts.x);
        report.unknowns = parts.unknowns.active_count();
        match &mut self.method {
            Method::Rows { rows, inverse, exact } => {
                rows.assemble(parts, &scales);
                let active = |(unknown, _): &(usize, &mut Mat3)| parts.unknowns.is_active(*unknown);
                self.weights.fill(0.0);
                for (unknown, inverse) in inverse.iter_mut().enumerate().filter(active) {
                    *inverse = inverse_block(rows.diagonal(unknown));
                    self.weights[unknown] = inverse_scalar(rows.diagonal(unknown).trace() / 3.0);
                }
                report.blocks = rows.block_count();
                exact.open(rows, precision_for(&self.weights, &scales, parts));
            }
            Method::MatrixFree => self.weigh(parts),
            Method::Cholesky(factor) => {
                factor.refresh(parts, &scales, self.refactor_threshold, phase, report);
                self.weigh(parts);
            }
            Method::Turned(factor) => {
                factor.open(report);
                self.weigh(parts);
            }
            Method::Multigrid(..) => {
                self.weigh(parts);
                self.refresh_levels(parts, phase, report);
            }
        }
    }

    /// Assembles the system that was prepared, if a joint solve needs it.
    pub fn assemble_for_joint(&mut self, parts: &mut SystemParts<'_>) {
        if !matches!(self.method, Method::Rows { .. }) && self.rigid_subspace.is_empty() {
            self.joint_rows.assemble(parts, &self.scales);
        }
    }

    /// Solves (CᵀAC) y = b from the guess in `y`.
    ///
    /// The residual is compared with `reference`, a norm from [`LinearSystem::norm`], or with the norm of `b`. If it
    /// does not become small enough, `y` is the last iterate: always finite, and not worse than the guess if the matrix
    /// is positive definite.
    pub fn solve(
        &mut self,
        parts: &mut SystemParts<'_>,
        b: &[DVec3],
        y: &mut [DVec3],
        reference: Option<f64>,
        report: &mut LinearReport,
    ) -> Outcome {
        let Self { tolerance, granted, ref scales, ref weights, .. } = *self;
        let max_iterations = self.max_iterations.min(granted);
        let turns = matches!(self.method, Method::Turned(_));
        let precision = if turns { self.precision(parts) } else { Precision::Double };
        let stop = Stop { tolerance, max_iterations, reference, weights };
        let rigid_subspace = &self.rigid_subspace;
        let b = rigid_subspace.projected_rhs(b, &mut self.projected_rhs);
        rigid_subspace.project(y);
        let mut solve = SystemSolve {
            free: MatrixFree { parts, scales, buffers: &mut self.buffers, active: None },
            gradient: &mut self.gradient,
            active: &mut self.active,
            single: self.single.as_deref_mut(),
            rigid_subspace,
            b,
            y,
            stop,
        };
        let outcome = match &mut self.method {
            Method::Rows { rows, inverse, exact } => {
                let outcome = solve.with_rows(rows, inverse, exact);
                if let Some(factor) = &mut self.smooth {
                    factor.note_without(outcome.iterations);
                }
                outcome
            }
            Method::Cholesky(factor) if factor.is_usable() => solve.with_factor(factor, report),
            Method::Turned(factor) => solve.with_turned_factor(factor, precision, report),
            Method::Multigrid(levels, when) => solve.with_levels(levels, when),
            Method::Cholesky(_) | Method::MatrixFree => solve.with_diagonal(),
        };
        self.balance(parts, y);
        report.iterations += outcome.iterations;
        report.residual = report.residual.max(outcome.residual);
        report.work += u64::from(outcome.iterations) * report.unknowns as u64;
        report.count(outcome.converged, granted < self.max_iterations);
        outcome
    }

    /// Writes the state between steps: factors and levels that are reused.
    pub(in crate::solver) fn save(&self, to: &mut Writer) {
        match &self.method {
            Method::MatrixFree => {}
            Method::Rows { exact, .. } => exact.save(to),
            Method::Cholesky(factor) => factor.save(to),
            Method::Turned(_) => {}
            Method::Multigrid(levels, when) => {
                when.save(to);
                levels.save(to);
            }
        }
        self.joint_rows.save(to);
        if let Some(factor) = self.turned_factor() {
            factor.save(to);
            to.f64s(&self.weights);
        }
    }

    /// Reads it, and discards lists for other ties.
    pub(in crate::solver) fn load(
        &mut self,
        unknowns: &Unknowns,
        from: &mut Reader<'_>,
    ) -> Result<(), SnapshotError> {
        self.active.forget();
        match &mut self.method {
            Method::MatrixFree => {}
            Method::Rows { rows, exact, .. } => {
                rows.forget();
                exact.load(rows, from)?;
            }
            Method::Cholesky(factor) => factor.load(unknowns, from)?,
            Method::Turned(_) => {}
            Method::Multigrid(levels, when) => {
                when.load(from)?;
                levels.load(from)?;
            }
        }
        self.joint_rows.load(from)?;
        if let Some(factor) = self.turned_factor_mut() {
            factor.load(unknowns, from)?;
            from.f64s(&mut self.weights)?;
        }
        Ok(())
    }

    /// Shifts a free body by a constant velocity, so that the remaining residual of its momentum vanishes to rounding;
    /// its cells do not resist the shift.
    fn balance(&self, parts: &SystemParts<'_>, y: &mut [DVec3]) {
        let steady = parts.points.iter().all(|(point, _)| point.is_steady());
        let free = steady && parts.unknowns.count() == parts.unknowns.node_count();
        let mass = self.scales.mass * parts.rest.masses().iter().sum::<f64>();
        let shift = self.gradient.left() / mass;
        if free && shift.is_finite() {
            y.iter_mut().for_each(|y| *y += shift);
            parts.unknowns.clear_inactive(y);
        }
    }

    fn refresh_levels(
        &mut self,
        parts: &mut SystemParts<'_>,
        phase: &mut PhaseTeller<'_>,
        report: &mut LinearReport,
    ) {
        let Self { method: Method::Multigrid(levels, when), scales, weights, buffers, .. } = self
        else {
            return;
        };
        if !when.now() {
            return;
        }
        levels.refresh(parts, scales, self.refactor_threshold, phase, report);
        if levels.wants_weight() {
            levels.find_weight(&mut MatrixFree { parts, scales, buffers, active: None }, weights);
        }
    }

    /// Writes (CᵀAC) p: the operator of [`LinearSystem::solve`] alone, for joint solves.
    pub fn apply(&mut self, parts: &mut SystemParts<'_>, p: &[DVec3], product: &mut [DVec3]) {
        let (scales, buffers) = (&self.scales, &mut self.buffers);
        match &mut self.method {
            Method::Rows { rows, .. } => rows.apply(p, product),
            _ => MatrixFree { parts, scales, buffers, active: None }.apply(p, product),
        }
    }

    /// True if products are those of assembled rows.
    pub fn has_rows(&self) -> bool {
        matches!(self.method, Method::Rows { .. })
    }

    /// True if some regions of the body are rigid.
    pub fn has_rigid_regions(&self) -> bool {
        !self.rigid_subspace.is_empty()
    }

    /// Projects residuals, or changes of unknowns, to the rigid motions of rigid regions.
    pub fn project(&self, values: &mut [DVec3]) {
        self.rigid_subspace.project(values);
    }

    /// Writes z ≈ (CᵀAC)⁻¹ r: the preconditioner alone.
    pub fn precondition(&mut self, r: &[DVec3], z: &mut [DVec3]) {
        match &mut self.method {
            Method::Rows { exact, inverse, .. } => {
                if exact.is_ready() {
                    exact.apply(r, z);
                } else {
                    BlockDiagonal(inverse).apply(r, z);
                }
            }
            Method::Cholesky(factor) if factor.is_usable() => factor.apply(r, z),
            Method::Multigrid(levels, when) if when.now() => levels.with(&self.weights).apply(r, z),
            _ => ScalarDiagonal(&self.weights).apply(r, z),
        }
    }

    /// Adds terms of pairs in a joint solve to the diagonal block of an unknown, for the preconditioner.
    pub fn stiffen(&mut self, unknown: usize, block: &Mat3) {
        let weight = &mut self.weights[unknown];
        *weight = inverse_scalar(inverse_scalar(*weight) + block.trace() / 3.0);
        if let Method::Rows { rows, inverse, exact } = &mut self.method {
            inverse[unknown] = inverse_block(&(*rows.diagonal(unknown) + *block));
            exact.add(unknown, unknown, block);
        }
    }

    /// True if terms of pairs between two unknowns are used: a factor of the body is open.
    pub fn uses_couplings(&self) -> bool {
        matches!(&self.method, Method::Rows { exact, .. } if exact.is_open())
    }

    /// Adds terms of pairs in a joint solve to the block of two unknowns, row > column.
    pub fn couple(&mut self, row: usize, column: usize, block: &Mat3) {
        if let Method::Rows { exact, .. } = &mut self.method {
            exact.add(row, column, block);
        }
    }

    /// The assembled matrix, if there is one and no region is rigid.
    pub fn matrix(&self) -> Option<&BlockMatrix> {
        match &self.method {
            Method::Rows { rows, .. } if self.rigid_subspace.is_empty() => Some(rows.matrix()),
            _ => self.joint_rows.matrix(),
        }
    }

    /// True if solves were slow without a factor.
    pub fn is_stiff(&self) -> bool {
        match &self.method {
            Method::Rows { exact, .. } => exact.is_wanted(),
            _ => self.joint_rows.is_wanted(),
        }
    }

    /// Limits the iterations of a solve.
    pub fn grant(&mut self, iterations: u32) {
        self.granted = iterations.max(1);
    }

    /// Takes over choices from the system of the body that this fragment came from.
    pub fn follow(&mut self, whole: &Self) {
        if let (Method::Rows { rows, exact, .. }, Method::Rows { exact: of_whole, .. }) =
            (&mut self.method, &whole.method)
        {
            exact.follow(of_whole, rows);
        }
        self.joint_rows.follow(&whole.joint_rows);
    }

    /// Receives the outcome of a joint solve.
    pub fn note(&mut self, outcome: &Outcome) {
        if let Method::Rows { rows, exact, .. } = &mut self.method {
            exact.note(outcome, rows);
        }
        self.joint_rows.note(outcome);
    }

    /// The inverse diagonal of CᵀAC.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The factors of the parts in the system.
    pub fn scales(&self) -> &Scales {
        &self.scales
    }

    /// Writes A d on nodes, including pinned ones: for right-hand sides. The terms of tied nodes may already be at the
    /// ends of their edges.
    pub fn apply_nodes(&self, parts: &mut SystemParts<'_>, d: &[DVec3], product: &mut [DVec3]) {
        parts.product(&self.scales, d, product);
    }

    /// The norm (Σ |bᵢ|²/Aᵢᵢ)^½ in which residuals are measured.
    pub fn norm(&mut self, b: &[DVec3]) -> f64 {
        self.gradient.norm(&self.weights, b)
    }

    /// The norm of the impulses that shift every unknown by this velocity against its diagonal entry, each alone.
    pub fn norm_of_shift(&self, velocity: f64) -> f64 {
        let active = self.weights.iter().filter(|weight| **weight > 0.0);
        velocity * active.map(|weight| weight.recip()).sum::<f64>().sqrt()
    }

    /// The inverse diagonal of CᵀAC, as far as it is known without a matrix.
    fn weigh(&mut self, parts: &mut SystemParts<'_>) {
        parts.diagonal(&self.scales, &mut self.node_diagonal);
        self.weights.fill(0.0);
        for (node, diagonal) in (0u32..).zip(&self.node_diagonal) {
            for (unknown, weight) in parts.unknowns.row(node) {
                self.weights[*unknown as usize] += weight * weight * diagonal;
            }
        }
        self.weights.iter_mut().for_each(|weight| *weight = inverse_scalar(*weight));
    }
}
