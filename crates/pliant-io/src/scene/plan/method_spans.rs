//! Positions in the text of the settings of a method.

use std::ops::Range;

use pliant::solver::MethodError;

/// Positions to point at when a method does not suit its body.
#[derive(Debug, Clone)]
pub(crate) struct MethodSpans {
    pub(crate) adaptive: Range<usize>,
    pub(crate) stepper: Range<usize>,
}

impl MethodSpans {
    /// Returns the position of an error.
    pub(crate) fn of(&self, error: &MethodError) -> Range<usize> {
        match error {
            MethodError::NothingToAdapt => self.adaptive.clone(),
            _ => self.stepper.clone(),
        }
    }
}
