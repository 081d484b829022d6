//! The search for the cell size that gives a number of cells.

use super::TetError;
use super::straight::KeptCells;

/// The largest number of tries.
const MAX_TRIES: usize = 10;
/// The relative error at which the number of cells is accepted.
const COUNT_TOLERANCE: f64 = 0.04;

/// Searches for the size at which `make` gives about `count` cells; returns the size and the result.
///
/// The number of cells falls about as the cube of the size, but not smoothly: the closest of the tries is returned.
pub(super) fn search(
    count: usize,
    first: f64,
    mut make: impl FnMut(f64) -> Result<KeptCells, TetError>,
) -> Result<(f64, KeptCells), TetError> {
    let (mut size, mut best) = (first, None::<Try>);
    // Sizes that give too many and too few cells.
    let (mut too_small, mut too_large) = (0.0f64, f64::INFINITY);
    for attempt in 0.. {
        let made = make(size);
        let excess = match &made {
            Ok(made) if made.stuffed.cells.is_empty() => f64::NEG_INFINITY,
            Ok(made) => (made.stuffed.cells.len() as f64 / count as f64).ln(),
            Err(TetError::TooManyCells { .. }) => f64::INFINITY,
            Err(error) => return Err(error.clone()),
        };
        if excess > 0.0 {
            too_small = too_small.max(size)
        } else {
            too_large = too_large.min(size)
        }
        let last =
            attempt + 1 == MAX_TRIES || excess.abs() < COUNT_TOLERANCE || too_small >= too_large;
        if best.as_ref().is_none_or(|best| excess.abs() < best.excess.abs()) {
            best = Some(Try { size, excess, made });
        }
        if last {
            break;
        }
        size = next_size(size, excess, too_small, too_large);
    }
    match best {
        Some(Try { size, made, .. }) => made.map(|made| (size, made)),
        None => unreachable!("the first try is the best so far"),
    }
}

/// Searches for the size at which everything is kept with about `count` cells, or with the fewest; `make` gets the size
/// and the largest number of cells.
///
/// Parts that are too thin for cells of the size have finer ones, so that the number of cells does not fall with the
/// size below some least number. Since leaves halve, one factor of two between sizes shows all that there are.
pub(super) fn search_keeping(
    count: usize,
    first: f64,
    max_cells: usize,
    mut make: impl FnMut(f64, usize) -> Result<KeptCells, TetError>,
) -> Result<(f64, KeptCells), TetError> {
    /// The number of sizes in a factor of two.
    const STEPS: u8 = 4;
    let mut best: Option<(f64, KeptCells)> = None;
    let mut most = max_cells;
    for step in 0..=STEPS {
        let size = first * 2f64.powf(f64::from(step) / f64::from(STEPS));
        let made = make(size, most)?;
        let cells = made.stuffed.cells.len();
        let is_better = best.as_ref().is_none_or(|(_, best)| {
            let off = |cells: usize| (cells.max(1) as f64 / count as f64).ln().abs();
            let fewer_lost = made.is_complete && !best.is_complete;
            fewer_lost
                || (made.is_complete == best.is_complete
                    && off(cells) < off(best.stuffed.cells.len()))
        });
        if made.is_complete {
            // More cells than those of a mesh that keeps everything need not be tried.
            most = most.min(cells);
        }
        if is_better {
            best = Some((size, made));
        }
        let enough = |best: &KeptCells| {
            let most = (1.0 + COUNT_TOLERANCE) * count as f64;
            best.is_complete && best.stuffed.cells.len() as f64 <= most
        };
        if best.as_ref().is_some_and(|(_, best)| enough(best)) {
            break;
        }
    }
    match best {
        Some(best) => Ok(best),
        None => unreachable!("the first try is the best so far"),
    }
}

struct Try {
    size: f64,
    /// ln(cells / count).
    excess: f64,
    made: Result<KeptCells, TetError>,
}

/// The size by the cube law if it lies between the known bounds, else their geometric mean.
fn next_size(size: f64, excess: f64, too_small: f64, too_large: f64) -> f64 {
    let guess = size * (excess.clamp(-1.5, 3.0) / 3.0).exp();
    if guess > too_small && guess < too_large {
        return guess;
    }
    if too_small > 0.0 && too_large.is_finite() {
        return (too_small * too_large).sqrt();
    }
    guess
}
