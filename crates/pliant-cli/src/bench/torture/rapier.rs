//! The rigid scenes in Rapier, which the program in `peers/` runs.

use glam::DVec3;

use super::engine::Job;
use super::figures::Figures;
use super::run::Outcome;
use super::sample::Sample;
use crate::bench::peers::rapier_output;

/// Numbers of a row before the corners, and the corners of a body.
const FIGURES: usize = 5;
const CORNERS: usize = 4;

/// Runs the scene of a job in Rapier, and measures what the program prints.
pub(super) fn measure(job: &Job<'_>) -> Outcome {
    let case = job.case;
    let scene = case.rapier.as_deref().ok_or("not a scene for Rapier")?;
    let [rate, seconds] = [f64::from(job.rate), case.seconds].map(|number| number.to_string());
    let arguments: Vec<&str> =
        ["torture", &rate, &seconds].into_iter().chain(scene.split(' ')).collect();
    let text = rapier_output(&arguments)?;
    let number = |word: &str| text.lines().find_map(|line| line.strip_prefix(word)?.parse().ok());
    let rows = text.lines().filter_map(|line| line.strip_prefix("row "));
    let samples =
        rows.enumerate().map(|(step, row)| sample(row, step as f64 / f64::from(job.rate)));
    let mut samples = samples.collect::<Option<Vec<_>>>().ok_or("a row is incomplete")?.into_iter();
    let start = samples.next().ok_or("it printed no rows")?;
    let mut figures = Figures::new(start, number("lift ").ok_or("it printed no `lift`")?);
    samples.for_each(|sample| figures.add(sample, &case.bars, case.seconds));
    figures.ms = number("ms ").ok_or("it printed no time")?;
    Ok(figures)
}

/// The state of a row; `None` if numbers are missing.
fn sample(row: &str, time: f64) -> Option<Sample> {
    let numbers: Option<Vec<f64>> = row.split(' ').map(|word| word.parse().ok()).collect();
    let numbers = numbers?;
    let [inner, potential, fastest, depth, asleep] = *numbers.first_chunk::<FIGURES>()?;
    let points: Vec<DVec3> = numbers[FIGURES..].chunks_exact(3).map(DVec3::from_slice).collect();
    let bodies = points.chunks(CORNERS).map(<[DVec3]>::to_vec).collect();
    let asleep = asleep > 0.0;
    Some(Sample { time, inner, potential, fastest, depth, asleep, bodies, ..Sample::default() })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests may panic")]
mod tests {
    use super::*;

    /// A row has energies, speed, depth, sleep and four corners of each body; a shorter one is not accepted.
    #[test]
    fn a_row_of_the_program_is_read() {
        let row = format!("1 2 3 4 1{}", " 7 8 9".repeat(8));
        let read = sample(&row, 0.5).unwrap();
        assert_eq!((read.energy(), read.fastest, read.depth, read.asleep), (3.0, 3.0, 4.0, true));
        assert_eq!(read.bodies, vec![vec![DVec3::new(7.0, 8.0, 9.0); 4]; 2]);
        assert!(sample("1 2 3", 0.0).is_none() && sample("1 2 3 4 x", 0.0).is_none());
    }
}
