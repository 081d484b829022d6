//! Checks of a method, by itself and for a body.

use crate::body::{Dilation, Model};
use pliant_kernels::element::Kind;
use pliant_kernels::material::LawKind;

use super::choice::{AdaptiveConfig, Mass, Stepper};
use super::error::MethodError;
use super::method::MethodConfig;

impl MethodConfig {
    /// Checks every field, and the choices that depend on the body.
    pub fn check_for(&self, model: &Model) -> Result<(), MethodError> {
        self.check()?;
        let quadratic = model.mesh().blocks.iter().any(|block| block.kind == Kind::Tet10);
        if self.adaptive.is_some() && !quadratic {
            return Err(MethodError::NothingToAdapt);
        }
        if self.stepper == Stepper::Xpbd { self.check_constraints(model) } else { Ok(()) }
    }

    /// Checks that the cells can have constraints: each term of a law needs a stiffness.
    fn check_constraints(&self, model: &Model) -> Result<(), MethodError> {
        let other = "stepper = \"xpbd\"";
        let conflict = |one, remedy| Err(MethodError::Conflict { one, other, remedy });
        if model.config().dilation == Some(Dilation::Mean) {
            let remedy = "its constraints count volume at every point; leave dilation out";
            return conflict("dilation = \"mean\"", remedy);
        }
        for batch in model.batches() {
            for &cell in &batch.cells {
                let (material, law) = (model.material(cell as usize), batch.law);
                let lambda = material.constants().lambda;
                let unbounded = law == LawKind::MacklinMuller && lambda == 0.0;
                if lambda < 0.0 || unbounded {
                    let poisson = material.poisson;
                    return Err(MethodError::NoCompliance { cell, poisson, lambda });
                }
            }
        }
        Ok(())
    }

    /// Checks every field once, so that a step need not.
    pub fn check(&self) -> Result<(), MethodError> {
        self.check_numbers()?;
        if self.mass == Mass::Consistent && self.stepper == Stepper::SymplecticEuler {
            let (one, other) = ("mass = \"consistent\"", "stepper = \"symplectic-euler\"");
            let remedy = "an explicit step divides by lumped masses; leave mass out or choose an implicit stepper";
            return Err(MethodError::Conflict { one, other, remedy });
        }
        if self.rayleigh.stiffness > 0.0 && self.stepper == Stepper::SymplecticEuler {
            let (one, other) = ("rayleigh stiffness damping", "stepper = \"symplectic-euler\"");
            let remedy = "it would shorten the stable step; choose an implicit stepper or newmark";
            return Err(MethodError::Conflict { one, other, remedy });
        }
        self.check_xpbd()?;
        let Some(AdaptiveConfig { refine, coarsen, dwell: _ }) = self.adaptive else {
            return Ok(());
        };
        if self.stepper.is_explicit() {
            let remedy = "choose an implicit stepper";
            let (one, other) = ("adaptive degree", "an explicit stepper");
            return Err(MethodError::Conflict { one, other, remedy });
        }
        if coarsen >= refine {
            return Err(MethodError::Thresholds { coarsen, refine });
        }
        Ok(())
    }

    /// The same settings for a body that may be rigid: a rigid body ignores the choices about elasticity.
    #[must_use]
    pub fn suited_to(self, model: &Model) -> Self {
        if !model.is_rigid() {
            return self;
        }
        Self { stepper: Stepper::ImplicitEuler, adaptive: None, mass: Mass::Auto, ..self }
    }

    /// Rejects choices that need a system of equations, which XPBD does not have.
    fn check_xpbd(&self) -> Result<(), MethodError> {
        let other = "stepper = \"xpbd\"";
        let conflict = |one, remedy| Err(MethodError::Conflict { one, other, remedy });
        if self.stepper != Stepper::Xpbd {
            return Ok(());
        }
        if self.mass == Mass::Consistent {
            let remedy =
                "constraints divide by lumped masses; leave mass out or choose an implicit stepper";
            return conflict("mass = \"consistent\"", remedy);
        }
        if self.adaptive.is_some() {
            let remedy = "no edge is tied while constraints are met; choose an implicit stepper";
            return conflict("adaptive degree", remedy);
        }
        Ok(())
    }

    fn check_numbers(&self) -> Result<(), MethodError> {
        let adaptive = self.adaptive.unwrap_or_default();
        let positive = |value: f64| value.is_finite() && value > 0.0;
        let fraction = |value: f64| (1e-14..=0.5).contains(&value);
        let not_negative = |value: f64| value.is_finite() && value >= 0.0;
        let checks = [
            ("tolerance", self.tolerance, fraction(self.tolerance), "a number from 1e-14 to 0.5"),
            (
                "max_iterations",
                f64::from(self.max_iterations),
                self.max_iterations > 0,
                "1 or more",
            ),
            (
                "newton_iterations",
                f64::from(self.newton_iterations),
                self.newton_iterations > 0,
                "1 or more",
            ),
            ("sweeps", f64::from(self.sweeps), self.sweeps > 0, "1 or more"),
            (
                "substeps",
                f64::from(self.substeps.unwrap_or(1)),
                self.substeps != Some(0),
                "1 or more, or none given to do as the world says",
            ),
            (
                "rayleigh.mass",
                self.rayleigh.mass,
                not_negative(self.rayleigh.mass),
                "a rate in 1/s, zero or more",
            ),
            (
                "rayleigh.stiffness",
                self.rayleigh.stiffness,
                not_negative(self.rayleigh.stiffness),
                "a time in s, zero or more",
            ),
            (
                "lazy",
                self.refactor_threshold,
                not_negative(self.refactor_threshold),
                "zero or more, such as 0.1",
            ),
            ("refine", adaptive.refine, positive(adaptive.refine), "a positive share of an edge"),
            (
                "coarsen",
                adaptive.coarsen,
                not_negative(adaptive.coarsen),
                "a share of an edge, zero or more",
            ),
        ];
        match checks.into_iter().find(|(_, _, sound, _)| !sound) {
            Some((field, value, _, expected)) => {
                Err(MethodError::OutOfRange { field, value, expected })
            }
            None => Ok(()),
        }
    }
}
