//! The steppers a body can have, behind one face.

use glam::DVec3;

use crate::body::Body;
use crate::force::PointForces;
use crate::mesh::Mesh;
use crate::solver::{LinearReport, MethodConfig, Phase, SymplecticEuler};

/// What acts on a body from outside.
#[derive(Debug, Clone, Copy)]
pub(super) struct Surroundings<'a> {
    /// Acceleration of gravity, in m/s².
    pub(super) gravity: DVec3,
    /// Velocity decay rate, in 1/s.
    pub(super) damping: f64,
    /// What touches it.
    pub(super) points: &'a PointForces,
}

/// What advances a body, with the buffers for it.
#[derive(Debug, Clone)]
pub(super) enum BodyStepper {
    /// Elastic forces explicit, in substeps below the stable one.
    Explicit(SymplecticEuler),
}

impl BodyStepper {
    /// The stepper of a checked method.
    pub(super) fn new(body: &Body, _method: &MethodConfig) -> Self {
        Self::Explicit(SymplecticEuler::new(body.model()))
    }

    /// Whether steps must stay below the stable one.
    pub(super) fn has_limit(&self) -> bool {
        match self {
            Self::Explicit(_) => true,
        }
    }

    /// Advances `body` from time `t` by `h`, telling each phase as it begins.
    pub(super) fn substep(
        &mut self,
        body: &mut Body,
        (t, h): (f64, f64),
        around: Surroundings<'_>,
        method: &MethodConfig,
        phase: &mut dyn FnMut(Phase),
    ) -> LinearReport {
        match self {
            Self::Explicit(stepper) => {
                phase(Phase::Forces);
                // Lumped masses: their share of Rayleigh damping is a decay rate like any other.
                let damping = around.damping + method.rayleigh.mass;
                stepper.substep_touched(body, (t, h), around.gravity, damping, around.points);
                LinearReport::default()
            }
        }
    }

    /// The degree that the interpolation has at each node now.
    pub(super) fn degrees(&self, mesh: &Mesh) -> Vec<u8> {
        match self {
            Self::Explicit(_) => mesh_degrees(mesh),
        }
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
