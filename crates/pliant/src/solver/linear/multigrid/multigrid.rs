//! The p-multigrid preconditioner.

use glam::DVec3;
use pliant_sparse::FactorError;

use crate::body::{Masses, Model, Pin, Unknowns};
use crate::force::{Elasticity, Rotation, Warped, Width};
use crate::persist::{Persist, Reader, SnapshotError, Writer};
use crate::solver::linear::block_rows::BlockRows;
use crate::solver::linear::conjugate_gradient::{Operator, Outcome, Preconditioner};
use crate::solver::linear::factor::LazyCholesky;
use crate::solver::linear::nodes::{Scales, SystemParts};
use crate::solver::linear::vectors::{chunk_dot, for_chunks, sum_chunks};
use crate::solver::phase::PhaseTeller;
use crate::solver::report::LinearReport;

use super::coarse_points::CoarsePoints;
use super::prolongation::Prolongation;
use super::rigid_groups::Part;
use super::smoothed_level::{MAX_DIRECT_UNKNOWNS, SmoothedLevel};
use super::uneven::uneven;

/// Steps of the power iteration that scales the diagonal.
const POWER_STEPS: usize = 10;

/// Used, and saved, in place of ω before it is computed.
const MISSING_WEIGHT: f64 = 1.0;

/// Iterations of a solve after which the lower levels are rebuilt.
const STALE_ITERATIONS: u32 = 60;

/// A p-multigrid preconditioner: the diagonal for the modes of higher degree, and the same body with linear cells for
/// the rest.
///
/// ```text
/// z = ω D⁻¹ r + P A₁⁻¹ Pᵀ r
/// ```
///
/// P is degree elevation, which is exact in a Bernstein basis. A₁ is the matrix of corotated linear cells with the same
/// moduli, factored ([`LazyCholesky`]) or, on large bodies, smoothed and corrected by rigid motions of groups
/// ([`SmoothedLevel`]). Both are kept while the body and its contacts have changed little.
#[derive(Debug, Clone)]
pub(in crate::solver::linear) struct Multigrid {
    model: Model,
    unknowns: Unknowns,
    elasticity: Warped,
    level: Level,
    prolongation: Prolongation,
    points: CoarsePoints,
    /// Nodes of the body that are the nodes of the linear level.
    corners: Vec<u32>,
    x: Vec<DVec3>,
    forces: Vec<DVec3>,
    r: Vec<DVec3>,
    z: Vec<DVec3>,
    /// ω; `None` until it is computed, and 1 is used.
    weight: Option<f64>,
    /// The factors of the system for which the levels were built; `None` before that.
    built_for: Option<Scales>,
    /// Iterations of the last solve.
    iterations: u32,
}

#[derive(Debug, Clone)]
enum Level {
    Direct(Box<LazyCholesky>),
    Grouped(Box<Grouped>),
}

/// The linear level of a large body.
#[derive(Debug, Clone)]
struct Grouped {
    rows: BlockRows,
    solution: SmoothedLevel,
}

impl Multigrid {
    /// The levels of a body; `None` if its cells are linear, or if its corners alone are not a valid mesh.
    pub(in crate::solver::linear) fn new(
        model: &Model,
        unknowns: &Unknowns,
    ) -> Result<Option<Self>, FactorError> {
        let Some((linear, corners)) = model.linear_level() else { return Ok(None) };
        let held: Vec<u32> = (0u32..)
            .zip(&corners)
            .filter(|(_, node)| unknowns.own(**node).is_none())
            .map(|(corner, _)| corner)
            .collect();
        let pin = Pin { nodes: held, ..Default::default() };
        let coarse = Unknowns::with_pins(corners.len(), &[pin]);
        let level = Level::new(&linear, &coarse)?;
        let zero = vec![DVec3::ZERO; coarse.count()];
        Ok(Some(Self {
            prolongation: Prolongation::new(model, unknowns, &corners, &coarse),
            points: CoarsePoints::new(model, &corners),
            elasticity: Warped::new(&linear, Rotation::Cell, Width::default()),
            x: linear.mesh().nodes.clone(),
            forces: vec![DVec3::ZERO; corners.len()],
            model: linear,
            unknowns: coarse,
            level,
            corners,
            r: zero.clone(),
            z: zero,
            weight: None,
            built_for: None,
            iterations: 0,
        }))
    }

    /// Rebuilds the lower levels if the body has changed by more than `refactor_threshold`.
    pub(in crate::solver::linear) fn refresh(
        &mut self,
        parts: &SystemParts<'_>,
        scales: &Scales,
        refactor_threshold: f64,
        phase: &mut PhaseTeller<'_>,
        report: &mut LinearReport,
    ) {
        for (x, node) in self.x.iter_mut().zip(&self.corners) {
            *x = parts.x[*node as usize];
        }
        self.points.restrict(parts.points, scales);
        let up_to_date = self.built_for == Some(*scales)
            && self.iterations <= STALE_ITERATIONS
            && self.points.change() <= refactor_threshold
            && self.elasticity.change(self.model.rest_shape(), &self.x) <= refactor_threshold;
        if up_to_date {
            return;
        }
        self.built_for = Some(*scales);
        self.iterations = 0;
        self.points.mark();
        self.elasticity.forces(self.model.rest_shape(), &self.x, &mut self.forces);
        let masses = self.model.masses();
        let mut own = SystemParts {
            rest: self.model.rest_shape(),
            unknowns: &self.unknowns,
            elasticity: &mut self.elasticity,
            masses: Masses::Lumped(masses),
            points: self.points.points(),
            x: &self.x,
        };
        match &mut self.level {
            // A negative threshold: always factored again.
            Level::Direct(factor) => factor.refresh(&mut own, scales, -1.0, phase, report),
            Level::Grouped(level) => {
                level.rows.assemble(&mut own, scales);
                level.make(&self.unknowns, &self.x);
                self.elasticity.mark(&self.model, &self.x);
            }
        }
    }

    /// True if ω has not been computed yet.
    pub(in crate::solver::linear) fn wants_weight(&self) -> bool {
        self.weight.is_none()
    }

    /// Computes ω from the largest eigenvalue of D⁻¹A; `weights` are D⁻¹.
    pub(in crate::solver::linear) fn find_weight(&mut self, a: &mut dyn Operator, weights: &[f64]) {
        let mut p: Vec<DVec3> = (0..weights.len()).map(uneven).collect();
        let mut q = vec![DVec3::ZERO; p.len()];
        let mut top = 1.0;
        for _ in 0..POWER_STEPS {
            a.apply(&p, &mut q);
            p.iter_mut().zip(q.iter().zip(weights)).for_each(|(p, (q, w))| *p = *w * *q);
            top = p.iter().map(|p| p.length_squared()).sum::<f64>().sqrt();
            p.iter_mut().for_each(|p| *p /= top.max(f64::MIN_POSITIVE));
        }
        self.weight = computed(if top.is_finite() && top > 0.0 { 2.0 / top } else { 0.5 });
    }

    /// Records the iterations of a solve.
    pub(in crate::solver::linear) fn note(&mut self, outcome: &Outcome) {
        self.iterations = outcome.iterations;
    }

    /// Writes the state of the levels and the matrix from which they are built.
    pub(in crate::solver::linear) fn save(&self, to: &mut Writer) {
        to.u32(self.iterations);
        to.f64(self.weight.unwrap_or(MISSING_WEIGHT));
        self.points.save(to);
        self.elasticity.save(to);
        to.flag(self.built_for.is_some());
        if let Some(scales) = &self.built_for {
            scales.save(to);
            match &self.level {
                Level::Direct(factor) => factor.save(to),
                Level::Grouped(level) => level.rows.save(to),
            }
        }
    }

    /// Reads the state and rebuilds the levels.
    pub(in crate::solver::linear) fn load(
        &mut self,
        from: &mut Reader<'_>,
    ) -> Result<(), SnapshotError> {
        self.built_for = None;
        self.iterations = from.u32()?;
        let weight = from.f64()?;
        if !(weight.is_finite() && weight > 0.0) {
            return Err(from.bad("a weight"));
        }
        self.weight = computed(weight);
        self.points.load(from)?;
        self.elasticity.load(&self.model, &self.unknowns, from)?;
        if !from.flag()? {
            return Ok(());
        }
        let mut scales = Scales::default();
        scales.load(from)?;
        match &mut self.level {
            Level::Direct(factor) => factor.load(&self.unknowns, from)?,
            Level::Grouped(level) => {
                level.rows.load(&self.unknowns, from)?;
                level.make(&self.unknowns, self.elasticity.marked());
            }
        }
        self.built_for = Some(scales);
        Ok(())
    }

    /// The preconditioner, with the inverse diagonal of the system.
    pub(in crate::solver::linear) fn with<'a>(
        &'a mut self,
        weights: &'a [f64],
    ) -> WithDiagonal<'a> {
        WithDiagonal { own: self, weights }
    }
}

impl Level {
    fn new(model: &Model, unknowns: &Unknowns) -> Result<Self, FactorError> {
        if unknowns.count() <= MAX_DIRECT_UNKNOWNS {
            return Ok(Self::Direct(Box::new(LazyCholesky::new(model, unknowns)?)));
        }
        let rows = BlockRows::new(model, unknowns);
        let positions = unknowns.positions(&model.mesh().nodes);
        let solution = SmoothedLevel::new(rows.matrix(), &positions)?;
        Ok(Self::Grouped(Box::new(Grouped { rows, solution })))
    }

    fn solve(&mut self, r: &[DVec3], z: &mut [DVec3]) {
        match self {
            Self::Direct(factor) if factor.is_usable() => factor.apply(r, z),
            Self::Direct(_) => z.fill(DVec3::ZERO),
            Self::Grouped(level) => level.solution.solve(r, z),
        }
    }
}

impl Grouped {
    /// Updates the solution to the rows, for node positions `x`.
    fn make(&mut self, unknowns: &Unknowns, x: &[DVec3]) {
        let nodes = unknowns.nodes();
        let part = |unknown: usize| Part { x: x[nodes[unknown] as usize], size: 0.0 };
        self.solution.refresh(self.rows.matrix(), &part);
    }
}

/// ω as it was computed or read; `None` for the value that means a missing one, also in snapshots.
fn computed(weight: f64) -> Option<f64> {
    (weight != MISSING_WEIGHT).then_some(weight)
}

/// [`Multigrid`] with the inverse diagonal of the system.
pub(in crate::solver::linear) struct WithDiagonal<'a> {
    own: &'a mut Multigrid,
    weights: &'a [f64],
}

impl WithDiagonal<'_> {
    /// Solves the linear level.
    fn descend(&mut self, r: &[DVec3]) {
        let Multigrid { level, prolongation, r: coarse_r, z: coarse_z, .. } = &mut *self.own;
        prolongation.restrict(r, coarse_r);
        level.solve(coarse_r, coarse_z);
    }

    /// Writes ω D⁻¹ r + P z₁ of the unknowns from `first` on.
    fn combine(&self, first: usize, r: &[DVec3], z: &mut [DVec3]) {
        let Multigrid { prolongation, z: coarse_z, weight, .. } = &*self.own;
        let weight = weight.unwrap_or(MISSING_WEIGHT);
        let terms = self.weights[first..].iter().zip(&r[first..]);
        for (unknown, (z, (own, r))) in (first..).zip(z.iter_mut().zip(terms)) {
            // An inactive unknown has weight zero, and must stay zero.
            let active = f64::from(u8::from(*own > 0.0));
            *z = (weight * own) * *r + active * prolongation.at(unknown, coarse_z);
        }
    }
}

impl Preconditioner for WithDiagonal<'_> {
    fn apply(&mut self, r: &[DVec3], z: &mut [DVec3]) {
        self.descend(r);
        for_chunks(z, |first, z| self.combine(first, r, z));
    }

    fn apply_dot(&mut self, r: &[DVec3], z: &mut [DVec3], partial: &mut [f64]) -> f64 {
        self.descend(r);
        sum_chunks(z, partial, |first, z| {
            self.combine(first, r, z);
            chunk_dot(&r[first..first + z.len()], z)
        })
    }
}
