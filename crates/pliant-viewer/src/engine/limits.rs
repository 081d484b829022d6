//! Numbers that a command may have.

use super::order::Refusal;
use super::stage::Stage;

/// The number, if it is neither too small nor too large.
pub(super) fn in_range(field: &str, value: f64, low: f64, high: f64) -> Result<f64, Refusal> {
    if (low..=high).contains(&value) {
        return Ok(value);
    }
    Err(Refusal::new("out-of-range", format!("{field} is {value}, expected {low} to {high}")))
}

/// The same of a whole number.
pub(super) fn within(field: &str, value: u64, low: u64, high: u64) -> Result<u64, Refusal> {
    if (low..=high).contains(&value) {
        return Ok(value);
    }
    Err(Refusal::new("out-of-range", format!("{field} is {value}, expected {low} to {high}")))
}

/// Refuses a body that there is not.
pub(super) fn a_body(stage: &Stage, body: usize) -> Result<usize, Refusal> {
    let count = stage.handles.len();
    if body < count {
        return Ok(body);
    }
    Err(Refusal::new("unknown-body", format!("there is no body {body}, the scene has {count}")))
}
