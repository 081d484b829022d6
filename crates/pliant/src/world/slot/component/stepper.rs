//! All steppers behind one interface.

use glam::DVec3;

use crate::body::{Body, Masses, Model, RestShape, Unknowns};
use crate::persist::{Reader, SnapshotError, Writer};
use crate::solver::{
    External, FactorError, Implicit, LinearReport, MethodConfig, Phase, PhaseTeller, RigidStepper,
    Stepper, SweepReport, SymplecticEuler, Xpbd,
};
use pliant_kernels::math::TimeStep;
use pliant_mesh::mesh::Mesh;

/// The stepper of a body, with its buffers.
#[derive(Debug, Clone)]
pub(crate) enum BodyStepper {
    /// Explicit elastic forces, in substeps below the stable one.
    Explicit(SymplecticEuler),
    /// Linear systems; any step length, except with Newmark's rule.
    Implicit(Box<Implicit>),
    /// Constraints; any step length.
    PositionBased(Box<Xpbd>),
    /// Six unknowns, for every body that does not deform, whatever its method.
    Rigid(Box<RigidStepper>),
}

/// A part of a step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Substep {
    pub(crate) step: TimeStep,
    /// True for the last substep of a step, whose outcome is reported.
    pub(crate) last: bool,
}

impl BodyStepper {
    /// The stepper of a checked method.
    pub(crate) fn new(body: &Body, method: &MethodConfig) -> Result<Self, FactorError> {
        if let Some(stepper) = RigidStepper::new(body) {
            return Ok(Self::Rigid(Box::new(stepper)));
        }
        Ok(match method.stepper {
            Stepper::SymplecticEuler => Self::Explicit(SymplecticEuler::new(body.model())),
            Stepper::Xpbd => Self::PositionBased(Box::new(Xpbd::new(body))),
            Stepper::ImplicitEuler
            | Stepper::BaraffWitkin
            | Stepper::Newmark
            | Stepper::Variational
            | Stepper::Bdf2
            | Stepper::BackwardEuler => Self::Implicit(Box::new(Implicit::new(body, method)?)),
        })
    }

    /// Limits the iterations of a solve.
    pub(crate) fn grant(&mut self, iterations: u32) {
        if let Self::Implicit(stepper) = self {
            stepper.grant(iterations);
        }
    }

    /// Copies what the stepper of the unbroken body has learnt.
    pub(crate) fn follow(&mut self, whole: &Self) {
        if let (Self::Implicit(own), Self::Implicit(whole)) = (self, whole) {
            own.follow(whole);
        }
    }

    /// Advances `body` by a substep, and reports each phase as it begins.
    pub(crate) fn substep(
        &mut self,
        body: &mut Body,
        Substep { step, last }: Substep,
        external: External<'_>,
        method: &MethodConfig,
        phase: &mut PhaseTeller<'_>,
    ) -> (LinearReport, SweepReport) {
        match self {
            Self::Explicit(stepper) => {
                phase(Phase::Forces);
                // With lumped masses the mass part of Rayleigh damping is a plain decay rate.
                let damping = external.damping + method.rayleigh.mass;
                stepper.substep(body, step, External { damping, ..external });
                Default::default()
            }
            Self::Implicit(stepper) => {
                (stepper.step(body, step, external, phase), SweepReport::default())
            }
            Self::PositionBased(stepper) => {
                phase(Phase::Solve);
                let report = stepper.substep(body, step, external, method, last);
                (LinearReport::default(), report)
            }
            Self::Rigid(stepper) => {
                phase(Phase::Solve);
                let damping = external.damping + method.rayleigh.mass;
                stepper.substep(body, step, External { damping, ..external });
                Default::default()
            }
        }
    }

    /// The elastic energy of the body with nodes at `x`, in J.
    pub(crate) fn elastic_energy(&mut self, rest: RestShape<'_>, x: &[DVec3]) -> f64 {
        match self {
            Self::Explicit(stepper) => stepper.elastic_energy(rest, x),
            Self::PositionBased(stepper) => stepper.elastic_energy(rest, x),
            Self::Implicit(stepper) => stepper.elastic_energy(rest, x),
            Self::Rigid(_) => 0.0,
        }
    }

    /// Copies the rest shapes after plastic flow; only position-based steppers keep a copy.
    pub(crate) fn follow_flow(&mut self, body: &Body) {
        if let Self::PositionBased(stepper) = self {
            stepper.follow_flow(body);
        }
    }

    /// Saves the state that the next step depends on. Only implicit steppers have any: multipliers of constraints start from
    /// zero in every substep.
    pub(crate) fn save(&self, to: &mut Writer) {
        if let Self::Implicit(stepper) = self {
            stepper.save_memory(to);
        }
    }

    /// Loads it, for a body of this model.
    pub(crate) fn load(
        &mut self,
        model: &Model,
        from: &mut Reader<'_>,
    ) -> Result<(), SnapshotError> {
        match self {
            Self::Implicit(stepper) => stepper.load_memory(model, from),
            _ => Ok(()),
        }
    }

    /// The mass matrix in use, for a body of this model.
    pub(crate) fn mass_matrix<'a>(&'a self, model: &'a Model) -> Masses<'a> {
        match self {
            Self::Implicit(stepper) => stepper.mass_matrix(),
            Self::Explicit(_) | Self::PositionBased(_) | Self::Rigid(_) => {
                Masses::Lumped(model.masses())
            }
        }
    }

    /// The unknowns, with tied nodes, and the masses of all nodes in kg, of a body with adaptive degree.
    pub(crate) fn tied(&self) -> Option<(&Unknowns, &[f64])> {
        match self {
            Self::Implicit(stepper) => stepper.tied(),
            _ => None,
        }
    }

    /// The degree of the interpolation at each node now.
    pub(crate) fn degrees(&self, mesh: &Mesh) -> Vec<u8> {
        let mut degrees = mesh_degrees(mesh);
        if let Self::Implicit(stepper) = self {
            stepper.degrees(&mut degrees);
        }
        degrees
    }
}

/// The highest degree of the cells that meet at each node.
fn mesh_degrees(mesh: &Mesh) -> Vec<u8> {
    let mut degrees = vec![1; mesh.nodes.len()];
    for (kind, nodes) in mesh.cells() {
        for node in nodes {
            let degree = &mut degrees[*node as usize];
            *degree = (*degree).max(kind.degree() as u8);
        }
    }
    degrees
}
