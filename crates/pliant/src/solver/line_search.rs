//! Backtracking, shared by the two Newton methods.

/// Tries steps of length 1, ½, ¼, … along a direction and returns the first result that `trial` accepts; `None` after
/// `halvings` trials without one.
///
/// Only the sequence of lengths is shared. The static solver sets positions anew from a saved start, while a stage of an
/// implicit step moves its velocities by differences of lengths: these round differently, so each keeps its own way of moving.
pub(super) fn backtrack<T>(halvings: u32, mut trial: impl FnMut(f64) -> Option<T>) -> Option<T> {
    let mut length = 1.0;
    for _ in 0..halvings {
        let accepted = trial(length);
        if accepted.is_some() {
            return accepted;
        }
        length *= 0.5;
    }
    None
}
