//! The implicit steppers.

mod history;
mod restraint;
mod shared;
mod snapshot;
mod stage;

use glam::DVec3;

use crate::body::{Body, MassMatrix, Model, State, Unknowns};
use crate::force::{Elasticity, PointForces, Rotation, Tangent, Warped, Width};
use crate::math::TimeStep;

use super::adaptive::{Adaptive, Prediction, Ties};
use super::linear::LinearSystem;
use super::{FactorError, LinearReport, Mass, MethodConfig, Phase, PhaseTeller, Stepper};
use history::History;
use restraint::Restraint;

/// What acts on a body from outside during a step.
#[derive(Debug, Clone, Copy)]
pub struct External<'a> {
    /// Acceleration of gravity, in m/s².
    pub gravity: DVec3,
    /// Velocity decay rate on top of the damping of the method, in 1/s.
    pub damping: f64,
    /// Forces on points of the skin, linearised where it is at the begin of the step.
    pub points: &'a PointForces,
}

/// Steps a body in time by solving linear systems, and owns the buffers for it.
///
/// Every rule is made of stages of one kind: with a step g, base positions x̄ and velocities v̄, find v
/// such that
///
/// ```text
/// M (v − v̄) = g [f(x̄ + g v) + f_ext − D v]        D = a M + b K
/// ```
///
/// - implicit Euler, Baraff–Witkin, backward Euler: g = h, from x and v
/// - BDF2: g = 2h/3, from 4/3 of now less 1/3 of the step before
/// - variational: g = h/2, from x and v; v is the velocity in the middle
/// - Newmark: elastic forces stay those of x, damping and obstacles alone are implicit
#[derive(Debug, Clone)]
pub struct Implicit {
    method: MethodConfig,
    unknowns: Unknowns,
    elasticity: Box<dyn Elasticity>,
    system: LinearSystem,
    masses: Vec<f64>,
    /// How large the cells around each node are, in m; of a body that may break.
    sizes: Vec<f64>,
    consistent: Option<MassMatrix>,
    history: History,
    adaptive: Option<Adaptive>,
    /// Whether the forces of the nodes are those at the begin of the step already.
    forces_known: bool,
    /// Whether no pinned node moves in this step.
    pins_rest: bool,
    restraint: Restraint,
    /// Size of what acts in a stage that is shared.
    load: f64,
    nodes: NodeVectors,
    /// Right-hand side and solution in the unknowns.
    b: Vec<DVec3>,
    y: Vec<DVec3>,
}

/// Vectors on nodes.
#[derive(Debug, Clone)]
struct NodeVectors {
    /// Elastic forces.
    forces: Vec<DVec3>,
    /// Where they are evaluated.
    x: Vec<DVec3>,
    /// Positions at the begin of the step.
    begin: Vec<DVec3>,
    /// Velocities that a stage looks for.
    v: Vec<DVec3>,
    /// x̄ and v̄.
    base: State,
    /// Right-hand side.
    rhs: Vec<DVec3>,
    /// Products.
    product: Vec<DVec3>,
    /// Changes of v, or of x.
    change: Vec<DVec3>,
    /// A right-hand side kept from one stage to the next, or room.
    kept: Vec<DVec3>,
}

impl NodeVectors {
    fn new(count: usize) -> Self {
        let zero = || vec![DVec3::ZERO; count];
        Self {
            forces: zero(),
            x: zero(),
            begin: zero(),
            v: zero(),
            base: State::at_rest(&zero()),
            rhs: zero(),
            product: zero(),
            change: zero(),
            kept: zero(),
        }
    }
}

/// One step of one body.
struct Step<'a> {
    model: &'a Model,
    time: TimeStep,
    external: External<'a>,
    phase: &'a mut PhaseTeller<'a>,
    report: LinearReport,
}

impl Implicit {
    /// Buffers for a body; an error if a factor would not fit in memory.
    pub fn new(body: &Body, method: &MethodConfig) -> Result<Self, FactorError> {
        let model = body.model();
        let count = model.masses().len();
        let unknowns = body.unknowns().clone();
        let zero = vec![DVec3::ZERO; unknowns.count()];
        let consistent = (method.mass == Mass::Consistent).then(|| model.consistent_mass());
        let adaptive = method.adaptive.map(|config| Adaptive::new(model, &unknowns, config));
        Ok(Self {
            method: *method,
            adaptive,
            forces_known: false,
            pins_rest: false,
            restraint: Restraint::new(model),
            load: 0.0,
            elasticity: elasticity(model, method),
            system: LinearSystem::new(model, &unknowns, method)?,
            masses: model.masses().to_vec(),
            sizes: if model.is_breakable() { node_sizes(model) } else { Vec::new() },
            consistent,
            history: History::new(count),
            nodes: NodeVectors::new(count),
            b: zero.clone(),
            y: zero,
            unknowns,
        })
    }

    /// Advances `body` by a step, and reports each phase as it begins.
    pub fn step(
        &mut self,
        body: &mut Body,
        time: TimeStep,
        external: External<'_>,
        phase: &mut PhaseTeller<'_>,
    ) -> LinearReport {
        let model = body.model().clone();
        let mut step =
            Step { model: &model, time, external, phase, report: LinearReport::default() };
        let continues = self.history.leads_to(&body.state, time.h);
        self.adapt(body, &mut step);
        self.nodes.begin.copy_from_slice(&body.state.x);
        match self.method.stepper {
            Stepper::Bdf2 => self.bdf2(body, &mut step, continues),
            Stepper::Newmark => self.newmark(body, &mut step),
            Stepper::Variational => self.variational(body, &mut step),
            Stepper::BackwardEuler => self.backward_euler(body, &mut step),
            // Steppers that solve no system have buffers of their own, and are not here.
            _ => self.smooth_euler(body, &mut step, continues),
        }
        // Rules that look for positions of their own have not asked for them.
        self.forces_known = false;
        (step.phase)(Phase::Update);
        body.place_held(time);
        if matches!(self.method.stepper, Stepper::ImplicitEuler | Stepper::Bdf2) {
            self.history.end(&body.state);
        }
        step.report
    }

    /// Implicit Euler with a guess that goes on as the last step did: a motion that is smooth in time
    /// leaves the solver about half of the work. What touches something does not move smoothly, and
    /// would jitter by what the solver leaves; the form of Baraff & Witkin starts from no change.
    fn smooth_euler(&mut self, body: &mut Body, step: &mut Step<'_>, continues: bool) {
        let free = step.external.points.is_empty();
        let follow = continues && free && self.method.stepper == Stepper::ImplicitEuler;
        self.start_from(&body.state);
        if follow {
            let before = self.history.before.v.iter().zip(&body.state.v);
            for (v, (before, now)) in self.nodes.v.iter_mut().zip(before) {
                *v = *now + (*now - *before);
            }
        }
        self.history.begin(&body.state, step.time.h);
        self.euler_stage(body, step);
    }

    /// One linearised stage, then x + h v.
    fn implicit_euler(&mut self, body: &mut Body, step: &mut Step<'_>) {
        self.start_from(&body.state);
        self.euler_stage(body, step);
    }

    fn euler_stage(&mut self, body: &mut Body, step: &mut Step<'_>) {
        self.pin_velocities(body, step, step.time.h);
        self.nodes.x.copy_from_slice(&body.state.x);
        self.linear_stage(step, step.time.h);
        self.restrain(step.model, step.time.h);
        self.advance(body, step.time.h);
    }

    /// The stage itself, then x + h v.
    fn backward_euler(&mut self, body: &mut Body, step: &mut Step<'_>) {
        self.start_from(&body.state);
        self.pin_velocities(body, step, step.time.h);
        self.nonlinear_stage(step, step.time.h);
        self.advance(body, step.time.h);
    }

    /// The implicit midpoint rule, which is the variational integrator of a midpoint quadrature
    /// (Kharevych et al. 2006): the stage finds the velocity w in the middle, then x + h w and
    /// 2 w − v, less where something is touched. Where Newton's method does not solve the stage,
    /// 2 w − v would double the error in every step: implicit Euler, which damps, takes that step
    /// instead.
    fn variational(&mut self, body: &mut Body, step: &mut Step<'_>) {
        self.start_from(&body.state);
        self.pin_velocities(body, step, step.time.h);
        let before = step.report.unconverged;
        self.nonlinear_stage(step, 0.5 * step.time.h);
        if step.report.unconverged > before {
            return self.implicit_euler(body, step);
        }
        self.advance(body, step.time.h);
        self.mirror_stage(step, 0.5 * step.time.h);
        body.state.v.copy_from_slice(&self.nodes.v);
    }

    /// Two-step backward differences (Mezger et al. 2007); the first step is one of implicit Euler.
    fn bdf2(&mut self, body: &mut Body, step: &mut Step<'_>, continues: bool) {
        if continues {
            self.bdf2_base(&body.state);
        }
        self.history.begin(&body.state, step.time.h);
        if continues {
            let g = 2.0 / 3.0 * step.time.h;
            self.pin_velocities(body, step, g);
            // Linearised where the step will end, to third order: the warped stiffness leaves out how
            // rotations change, which would cost an order anywhere else.
            self.stage_positions(g);
            self.linear_stage(step, g);
            self.restrain(step.model, g);
            self.advance(body, g);
        } else {
            self.implicit_euler(body, step);
        }
    }

    /// x̄ = 4/3 x − 1/3 x₋ and v̄ alike; the guess goes on as the last step did.
    fn bdf2_base(&mut self, now: &State) {
        let before = &self.history.before;
        let NodeVectors { base, v, .. } = &mut self.nodes;
        let mix = |base: &mut [DVec3], now: &[DVec3], before: &[DVec3], share: f64| {
            for (base, (now, before)) in base.iter_mut().zip(now.iter().zip(before)) {
                *base = *now + share * (*now - *before);
            }
        };
        mix(&mut base.x, &now.x, &before.x, 1.0 / 3.0);
        mix(&mut base.v, &now.v, &before.v, 1.0 / 3.0);
        mix(v, &now.v, &before.v, 1.0);
        self.unknowns.place_tied(&mut base.x);
        self.unknowns.place_tied(&mut base.v);
    }

    /// Chooses the degree of edges, from the forces at the begin of the step.
    fn adapt(&mut self, body: &mut Body, step: &mut Step<'_>) {
        let Some(mut adaptive) = self.adaptive.take() else { return };
        let version = self.unknowns.version();
        let begins = version == 0;
        if begins {
            adaptive.note(&body.state.v, |diagonal| self.elasticity.diagonal(step.model, diagonal));
            adaptive.make_linear(&mut self.ties(&mut body.state));
        }
        // Someone else may have moved a tied node.
        self.unknowns.place_tied(&mut body.state.x);
        self.unknowns.place_tied(&mut body.state.v);
        self.nodes.x.copy_from_slice(&body.state.x);
        self.evaluate(step);
        (step.phase)(Phase::Degree);
        let forces = std::mem::take(&mut self.nodes.forces);
        let prediction =
            Prediction { forces: &forces, gravity: step.external.gravity, h: step.time.h };
        adaptive.choose(&prediction, &mut self.ties(&mut body.state));
        self.nodes.forces = forces;
        if self.unknowns.version() != version {
            self.unknowns.place_tied(&mut body.state.x);
            self.unknowns.place_tied(&mut body.state.v);
            self.elasticity.follow_ties(step.model, &self.unknowns);
        }
        self.adaptive = Some(adaptive);
        self.forces_known = true;
    }

    fn ties<'a>(&'a mut self, state: &'a mut State) -> Ties<'a> {
        Ties { unknowns: &mut self.unknowns, masses: &mut self.masses, state }
    }

    /// Which nodes are tied now and the masses of all, in kg, if the degree adapts.
    pub fn tied(&self) -> Option<(&Unknowns, &[f64])> {
        self.adaptive.as_ref().map(|_| (&self.unknowns, &*self.masses))
    }

    /// The degree of the interpolation at every node now, if it adapts.
    pub fn degrees(&self, degrees: &mut [u8]) {
        if let Some(adaptive) = &self.adaptive {
            adaptive.degrees(&self.unknowns, degrees);
        }
    }

    /// Elastic forces explicit, damping implicit (Bridson et al. 2003):
    ///
    /// ```text
    /// M w  = M v + h/2 [f(x) − D w]        x⁺ = x + h w
    /// M v⁺ = M v + h/2 [f(x) − D v] + h/2 [f(x⁺) − D⁺ v⁺]
    /// ```
    fn newmark(&mut self, body: &mut Body, step: &mut Step<'_>) {
        let half = 0.5 * step.time.h;
        self.start_from(&body.state);
        self.pin_velocities(body, step, step.time.h);
        self.nodes.x.copy_from_slice(&body.state.x);
        self.middle_stage(step, half);
        self.advance(body, step.time.h);
        self.nodes.x.copy_from_slice(&body.state.x);
        self.end_stage(step, half);
        body.state.v.copy_from_slice(&self.nodes.v);
    }

    /// Takes a state as base, its velocities as guess.
    fn start_from(&mut self, state: &State) {
        self.nodes.base.clone_from(state);
        self.nodes.v.copy_from_slice(&state.v);
    }

    /// Gives pinned nodes of the guess the velocity that leads from x̄ to where they belong after
    /// `g`, and tied ones that of their ends.
    fn pin_velocities(&mut self, body: &Body, step: &Step<'_>, g: f64) {
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
    fn stage_positions(&mut self, g: f64) {
        let NodeVectors { x, v, base, .. } = &mut self.nodes;
        let ends = base.x.iter().zip(v).map(|(x, v)| *x + g * *v);
        x.iter_mut().zip(ends).for_each(|(x, end)| *x = end);
    }

    /// Writes x̄ + g v and v to the body.
    fn advance(&self, body: &mut Body, g: f64) {
        let NodeVectors { v, base, .. } = &self.nodes;
        let ends = base.x.iter().zip(v).map(|(x, v)| *x + g * *v);
        body.state.x.iter_mut().zip(ends).for_each(|(x, end)| *x = end);
        body.state.v.copy_from_slice(v);
    }
}

/// The elasticity that suits the laws of a model.
fn elasticity(model: &Model, method: &MethodConfig) -> Box<dyn Elasticity> {
    if Warped::suits(model) {
        // Where matter has flowed, points rest in shapes of their own and turn on their own.
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
