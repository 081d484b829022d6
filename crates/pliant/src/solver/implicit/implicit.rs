//! The data of the implicit steppers.

use glam::{DMat3, DVec3};
use pliant_sparse::FactorError;

use crate::body::{Body, MassMatrix, Masses, Model, State, Unknowns};
use crate::force::{Elasticity, Rotation, Tangent, Warped, Width};
use crate::solver::config::MethodConfig;
use crate::solver::linear::LinearSystem;

use super::degree::Adaptive;
use super::energy::EnergyBudget;
use super::history::History;
use super::node_vectors::NodeVectors;
use super::nonlinear::QuasiNewton;
use super::step::Step;
use super::trust_region::TrustRegion;
use super::turning::{PastChanges, StartMotion, Turning};

/// Steps a body in time by solving linear systems, and owns the buffers for it.
///
/// Every rule consists of stages of one kind: with a step g, base positions x̄ and velocities v̄, find v such that
///
/// ```text
/// M (v − v̄) = g [f(x̄ + g v) + f_ext − D v]        D = a M + b K
/// ```
///
/// - implicit Euler, Baraff–Witkin: g = h, from the present state in a frame that turns with the body
/// - BDF2: g = 2h/3, from 4/3 of the present state minus 1/3 of the previous one, both in that frame
/// - backward Euler: g = h, from x and v
/// - variational: g = h/2, from x and v; v is the velocity at the midpoint
/// - Newmark: elastic forces are those of x, only damping and obstacles are implicit
///
/// In a joint solve with other bodies, all of them take the step of implicit Euler. A step of BDF2 or of one of the last three rules that
/// creates energy is taken again by implicit Euler.
#[derive(Debug, Clone)]
pub struct Implicit {
    pub(super) method: MethodConfig,
    pub(super) unknowns: Unknowns,
    pub(super) elasticity: Box<dyn Elasticity>,
    pub(super) system: LinearSystem,
    /// Masses of the nodes, in kg: row sums of the mass matrix, with those of tied nodes at their ends.
    pub(super) masses: Vec<f64>,
    /// Mean size of the cells around each node, in m; only for breakable bodies.
    pub(super) sizes: Vec<f64>,
    /// The mass matrix, if the method uses the consistent one; while nodes are tied, that of the tied body.
    pub(super) consistent: Option<MassMatrix>,
    pub(super) history: History,
    pub(super) budget: EnergyBudget,
    pub(super) adaptive: Option<Adaptive>,
    /// True if the elastic forces are already those at the start of the step.
    pub(super) forces_known: bool,
    /// True if no pinned node moves in this step.
    pub(super) pins_rest: bool,
    pub(super) trust_region: TrustRegion,
    /// The factor m of the mass in a stage: (h/g)² in a turning frame, otherwise one.
    pub(super) inertia_scale: f64,
    /// Rotation of the frame in the last step; the identity for rules without a frame.
    pub(super) turned_by: DMat3,
    /// True if the stage is linearised at the positions that its guess leads to.
    pub(super) ahead: bool,
    /// True if the last step ended so close to its linearisation that it cannot have created energy.
    pub(super) is_smooth: bool,
    /// True if cells left the trust region in a joint step.
    pub(super) is_rough: bool,
    /// The motion of the body at the start of the step, while it is known: the number of parts of the step and the frame both depend on it.
    pub(super) start_motion: Option<StartMotion>,
    /// The open step in a turning frame.
    pub(super) turning: Option<Turning>,
    /// Norm of the loads in a joint stage.
    pub(super) load: f64,
    pub(super) quasi_newton: QuasiNewton,
    /// Changes of the velocities in the last steps of Euler's rule.
    pub(super) past: PastChanges,
    pub(super) nodes: NodeVectors,
    /// Right-hand side and solution in the unknowns.
    pub(super) b: Vec<DVec3>,
    pub(super) y: Vec<DVec3>,
}

impl Implicit {
    /// Buffers for a body; an error if a factor would not fit in memory.
    pub fn new(body: &Body, method: &MethodConfig) -> Result<Self, FactorError> {
        let model = body.model();
        let count = model.masses().len();
        let unknowns = body.unknowns().clone();
        let zero = vec![DVec3::ZERO; unknowns.count()];
        let consistent = method.has_consistent_mass(model).then(|| model.consistent_mass());
        let adaptive = method
            .adaptive
            .map(|config| Adaptive::new(model, &unknowns, config).with_mass(consistent.as_ref()));
        Ok(Self {
            method: *method,
            adaptive,
            forces_known: false,
            pins_rest: false,
            trust_region: TrustRegion::new(body.rest_shape()),
            inertia_scale: 1.0,
            turned_by: DMat3::IDENTITY,
            ahead: false,
            is_smooth: false,
            is_rough: false,
            start_motion: None,
            turning: None,
            load: 0.0,
            elasticity: elasticity(model, method),
            system: LinearSystem::new(model, &unknowns, method)?,
            masses: model.masses().to_vec(),
            sizes: if model.is_breakable() { node_sizes(model) } else { Vec::new() },
            consistent,
            history: History::new(count),
            budget: EnergyBudget::default(),
            quasi_newton: QuasiNewton::new(count, unknowns.count()),
            past: PastChanges::new(count, unknowns.count()),
            nodes: NodeVectors::new(count),
            b: zero.clone(),
            y: zero,
            unknowns,
        })
    }

    /// The mass matrix in use.
    pub fn mass_matrix(&self) -> Masses<'_> {
        match &self.consistent {
            Some(matrix) => Masses::Consistent(matrix),
            None => Masses::Lumped(&self.masses),
        }
    }

    /// Sets a state as base, and its velocities as guess.
    pub(super) fn start_from(&mut self, state: &State) {
        self.nodes.base.store(state);
        self.nodes.v.copy_from_slice(&state.v);
        self.nodes.steady.copy_from_slice(&state.v);
    }

    /// Sets the velocity of pinned nodes in the guess to that which leads from x̄ to their prescribed positions after
    /// `g`, and that of tied nodes to the mean of their ends.
    pub(super) fn pin_velocities(&mut self, body: &Body, step: &Step<'_>, g: f64) {
        let NodeVectors { v, base, change, .. } = &mut self.nodes;
        change.copy_from_slice(&base.x);
        body.move_pins(step.time.t + step.time.h, change);
        self.pins_rest = true;
        for pin in body.pins() {
            for node in pin.nodes.iter().map(|node| *node as usize) {
                v[node] = (change[node] - base.x[node]) / g;
                self.pins_rest &= v[node] == DVec3::ZERO;
            }
        }
        body.rigid_regions().settle_velocities(&self.unknowns, &base.x, v);
        self.unknowns.place_tied(v);
    }

    /// x = x̄ + g v.
    pub(super) fn stage_positions(&mut self, g: f64) {
        let NodeVectors { x, v, base, .. } = &mut self.nodes;
        let ends = base.x.iter().zip(v).map(|(x, v)| *x + g * *v);
        x.iter_mut().zip(ends).for_each(|(x, end)| *x = end);
    }

    /// Writes x̄ + g v and v to the body.
    pub(super) fn advance(&self, body: &mut Body, g: f64) {
        let NodeVectors { v, base, .. } = &self.nodes;
        let ends = base.x.iter().zip(v).map(|(x, v)| *x + g * *v);
        body.state.x.iter_mut().zip(ends).for_each(|(x, end)| *x = end);
        body.state.v.copy_from_slice(v);
    }
}

/// The elasticity for the laws of a model.
fn elasticity(model: &Model, method: &MethodConfig) -> Box<dyn Elasticity> {
    if Warped::suits(model) {
        // After plastic flow every quadrature point has its own rest shape, and therefore its own rotation.
        let rotation = if model.is_plastic() { Rotation::Point } else { method.rotation };
        Box::new(Warped::new(model, rotation, Width::default()))
    } else {
        Box::new(Tangent::new(model, Width::default()))
    }
}

/// The cube root of the volume of the cells around each node, on average, in m.
fn node_sizes(model: &Model) -> Vec<f64> {
    let mesh = model.mesh();
    let mut sums = vec![(0.0, 0.0); mesh.nodes.len()];
    for ((_, nodes), volume) in mesh.cells().zip(mesh.cell_volumes()) {
        for node in nodes {
            let (sum, count) = &mut sums[*node as usize];
            *sum += volume;
            *count += 1.0;
        }
    }
    sums.into_iter().map(|(sum, count): (f64, f64)| (sum / count.max(1.0)).cbrt()).collect()
}
