//! Checks of the parameters of commands.

use super::order::Refusal;
use super::stage::Stage;

/// Returns the number if it is within the range.
pub(super) fn in_range(field: &str, value: f64, low: f64, high: f64) -> Result<f64, Refusal> {
    if (low..=high).contains(&value) {
        return Ok(value);
    }
    Err(Refusal::new("out-of-range", format!("{field} is {value}, expected {low} to {high}")))
}

/// Returns the integer if it is within the range.
pub(super) fn within(field: &str, value: u64, low: u64, high: u64) -> Result<u64, Refusal> {
    if (low..=high).contains(&value) {
        return Ok(value);
    }
    Err(Refusal::new("out-of-range", format!("{field} is {value}, expected {low} to {high}")))
}

/// Returns the index if such a body exists.
pub(super) fn existing_body(stage: &Stage, body: usize) -> Result<usize, Refusal> {
    let count = stage.handles.len();
    if body < count {
        return Ok(body);
    }
    Err(Refusal::new("unknown-body", format!("there is no body {body}, the scene has {count}")))
}

/// Returns the body of the scene that is shown at a place; fails if it is broken.
pub(super) fn unbroken_body(stage: &Stage, place: usize) -> Result<usize, Refusal> {
    let body = existing_body(stage, stage.original_index(place))?;
    if stage.is_broken(body) { Err(is_broken(stage, body)) } else { Ok(body) }
}

/// The refusal for commands that need an unbroken body.
pub(super) fn is_broken(stage: &Stage, body: usize) -> Refusal {
    let name = stage.scene.bodies.get(body).map_or("it", |plan| &plan.name);
    let message = format!("{name} is broken, and this command needs an unbroken body; reset first");
    Refusal::new("broken", message)
}
