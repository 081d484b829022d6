//! The steppers a body can have, behind one face.

use crate::body::Body;
use crate::mesh::Mesh;
use crate::solver::{
    External, FactorError, Implicit, LinearReport, MethodConfig, Phase, PhaseTeller, Stepper,
    SymplecticEuler,
};

/// What advances a body, with the buffers for it.
#[derive(Debug, Clone)]
pub(super) enum BodyStepper {
    /// Elastic forces explicit, in substeps below the stable one.
    Explicit(SymplecticEuler),
    /// Linear systems; without a limit but for Newmark's rule.
    Implicit(Box<Implicit>),
}

impl BodyStepper {
    /// The stepper of a checked method.
    pub(super) fn new(body: &Body, method: &MethodConfig) -> Result<Self, FactorError> {
        Ok(match method.stepper {
            Stepper::SymplecticEuler => Self::Explicit(SymplecticEuler::new(body.model())),
            _ => Self::Implicit(Box::new(Implicit::new(body, method)?)),
        })
    }

    /// Advances `body` from time `t` by `h`, telling each phase as it begins.
    pub(super) fn substep(
        &mut self,
        body: &mut Body,
        (t, h): (f64, f64),
        external: External<'_>,
        method: &MethodConfig,
        phase: &mut PhaseTeller<'_>,
    ) -> LinearReport {
        match self {
            Self::Explicit(stepper) => {
                phase(Phase::Forces);
                // Lumped masses: their share of Rayleigh damping is a decay rate like any other.
                let damping = external.damping + method.rayleigh.mass;
                stepper.substep(body, t, h, External { damping, ..external });
                LinearReport::default()
            }
            Self::Implicit(stepper) => stepper.step(body, t, h, external, phase),
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
