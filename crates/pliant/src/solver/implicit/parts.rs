//! The parts of a system, from the fields of a stepper.

/// The mass matrix in use, from the fields of a stepper.
macro_rules! masses {
    ($own:ident) => {
        match &$own.consistent {
            Some(matrix) => Masses::Consistent(matrix),
            None => Masses::Lumped(&$own.masses),
        }
    };
}

/// The parts of a system, from the fields of a stepper: a macro, so that the other fields can be borrowed mutably.
macro_rules! parts {
    ($own:ident, $step:ident, $x:expr) => {
        parts!($own, $step.rest, $step.external.points, $x)
    };
    ($own:ident, $rest:expr, $points:expr, $x:expr) => {
        SystemParts {
            rest: $rest,
            unknowns: &$own.unknowns,
            elasticity: &mut *$own.elasticity,
            masses: $crate::solver::implicit::parts::masses!($own),
            points: $points,
            x: $x,
        }
    };
}

pub(super) use {masses, parts};
