//! The steppers a body can have, behind one face.

use crate::body::{Body, Model, Unknowns};
use crate::mesh::Mesh;
use crate::persist::{Reader, SnapshotError, Writer};
use crate::solver::{
    External, FactorError, Implicit, LinearReport, MethodConfig, Phase, PhaseTeller, RigidStepper,
    Stepper, SweepReport, SymplecticEuler, Xpbd,
};

/// What advances a body, with the buffers for it.
#[derive(Debug, Clone)]
pub(super) enum BodyStepper {
    /// Elastic forces explicit, in substeps below the stable one.
    Explicit(SymplecticEuler),
    /// Linear systems; without a limit but for Newmark's rule.
    Implicit(Box<Implicit>),
    /// Constraints; without a limit.
    PositionBased(Box<Xpbd>),
    /// Six unknowns; of every body that does not deform, whatever its method says.
    Rigid(Box<RigidStepper>),
}

/// A part of a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Substep {
    /// When it begins, in s.
    pub(super) t: f64,
    /// How long it is, in s.
    pub(super) h: f64,
    /// Whether it is the last of its step: the one whose outcome is reported.
    pub(super) last: bool,
}

impl BodyStepper {
    /// The stepper of a checked method.
    pub(super) fn new(body: &Body, method: &MethodConfig) -> Result<Self, FactorError> {
        if let Some(stepper) = RigidStepper::new(body) {
            return Ok(Self::Rigid(Box::new(stepper)));
        }
        Ok(match method.stepper {
            Stepper::SymplecticEuler => Self::Explicit(SymplecticEuler::new(body.model())),
            Stepper::Xpbd => Self::PositionBased(Box::new(Xpbd::new(body))),
            _ => Self::Implicit(Box::new(Implicit::new(body, method)?)),
        })
    }

    /// Grants at most so many iterations of a solve.
    pub(super) fn grant(&mut self, iterations: u32) {
        if let Self::Implicit(stepper) = self {
            stepper.grant(iterations);
        }
    }

    /// Learns from the stepper of the whole that its body is a part of.
    pub(super) fn follow(&mut self, whole: &Self) {
        if let (Self::Implicit(own), Self::Implicit(whole)) = (self, whole) {
            own.follow(whole);
        }
    }

    /// Advances `body` by a substep, telling each phase as it begins.
    pub(super) fn substep(
        &mut self,
        body: &mut Body,
        Substep { t, h, last }: Substep,
        external: External<'_>,
        method: &MethodConfig,
        phase: &mut PhaseTeller<'_>,
    ) -> (LinearReport, SweepReport) {
        match self {
            Self::Explicit(stepper) => {
                phase(Phase::Forces);
                // Lumped masses: their share of Rayleigh damping is a decay rate like any other.
                let damping = external.damping + method.rayleigh.mass;
                stepper.substep(body, t, h, External { damping, ..external });
                Default::default()
            }
            Self::Implicit(stepper) => {
                (stepper.step(body, t, h, external, phase), SweepReport::default())
            }
            Self::PositionBased(stepper) => {
                phase(Phase::Solve);
                let report = stepper.substep(body, (t, h), external, method, last);
                (LinearReport::default(), report)
            }
            Self::Rigid(stepper) => {
                phase(Phase::Solve);
                let damping = external.damping + method.rayleigh.mass;
                stepper.substep(body, t, h, External { damping, ..external });
                Default::default()
            }
        }
    }

    /// Takes the rest shapes that the matter of a body has flowed to; others than position-based steppers read them where
    /// they are.
    pub(super) fn follow_flow(&mut self, body: &Body) {
        if let Self::PositionBased(stepper) = self {
            stepper.follow_flow(body);
        }
    }

    /// Writes what the next step depends on. Only implicit steppers remember anything: multipliers of
    /// constraints begin anew in every substep.
    pub(super) fn save(&self, to: &mut Writer) {
        if let Self::Implicit(stepper) = self {
            stepper.save_memory(to);
        }
    }

    /// Takes it up, for a body of this model.
    pub(super) fn load(
        &mut self,
        model: &Model,
        from: &mut Reader<'_>,
    ) -> Result<(), SnapshotError> {
        match self {
            Self::Implicit(stepper) => stepper.load_memory(model, from),
            _ => Ok(()),
        }
    }

    /// Which nodes are tied and the masses of all, in kg, of a body whose degree adapts.
    pub(super) fn tied(&self) -> Option<(&Unknowns, &[f64])> {
        match self {
            Self::Implicit(stepper) => stepper.tied(),
            _ => None,
        }
    }

    /// The degree that the interpolation has at each node now.
    pub(super) fn degrees(&self, mesh: &Mesh) -> Vec<u8> {
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
