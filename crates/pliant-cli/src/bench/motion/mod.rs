//! Accuracy of motion: swing and spin of a bar under every stepper, and in other engines.

mod extrema;
mod peers;
mod spin;
mod swing;

use std::fmt::Write as _;

use anyhow::Result;
use pliant::material::LawKind;
use pliant::{MethodConfig, Stepper};

use super::Progress;
use peers::PEERS;
use spin::Spin;
use swing::Swing;

/// The frame of all tables, in s.
const FRAME: f64 = 1.0 / 60.0;

/// Tables of swing and spin for every stepper and, where they can be run, other engines.
pub(super) fn tables(progress: Progress<'_>) -> Result<String> {
    let mut text = String::new();
    let reference = swing_table(&mut text, progress)?;
    tolerance_table(&mut text, &reference, progress)?;
    spin_table(&mut text, progress)?;
    stiffness_table(&mut text, progress)?;
    Ok(text)
}

/// Writes the table of all steppers; returns the reference.
fn swing_table(text: &mut String, progress: Progress<'_>) -> Result<Swing> {
    progress("swing, reference");
    let reference = swing::reference()?;
    writeln!(
        text,
        "A bar of 4 × 1 × 1 m, 160 quadratic tetrahedra (E = 10 MPa, ν = 0.3, 1000 kg/m³), clamped at one end, is \
         released under gravity and swings for {} s in steps of 1/60 s. The reference takes steps of 1/{:.0} s: period \
         {:.4} s, first peak {:.4} m.\n\n\
         | stepper | loss of amplitude per period, % | error of the period, % | error of the first peak, % | ms per frame |\n\
         |---|---|---|---|---|",
        swing::DURATION,
        swing::REFERENCE_RATE,
        reference.period,
        reference.peak,
    )?;
    for stepper in Stepper::ALL {
        progress(&format!("swing, {}", stepper.name()));
        let row = swing_row(&swing::measure(with(stepper), FRAME)?, &reference);
        writeln!(text, "| {} | {row} |", stepper.name())?;
    }
    for peer in &PEERS {
        progress(&format!("swing, {}", peer.name));
        let row = peer.swing().map(|swing| swing_row(&swing, &reference));
        writeln!(text, "| {} | {} |", peer.name, row.unwrap_or_else(|reason| missing(&reason, 4)))?;
    }
    text.push('\n');
    Ok(reference)
}

/// Default settings with a stepper.
fn with(stepper: Stepper) -> MethodConfig {
    MethodConfig { stepper, ..Default::default() }
}

/// The swing under the default stepper for several tolerances, and with many substeps.
fn tolerance_table(text: &mut String, reference: &Swing, progress: Progress<'_>) -> Result<()> {
    text.push_str(
        "The same bar for several tolerances of the linear solver:\n\n\
         | stepper | substeps | tolerance | iterations per frame | loss of amplitude per period, % | error of the period, % | error of the first peak, % | ms per frame |\n\
         |---|---|---|---|---|---|---|---|\n",
    );
    let default = Stepper::default();
    for (stepper, substeps) in [(default, 1), (default, 10), (Stepper::ImplicitEuler, 40)] {
        for tolerance in [1e-1, 1e-2, 1e-3, 1e-4, 1e-6] {
            progress(&format!("swing, {} tolerance {tolerance:.0e}", stepper.name()));
            let method = MethodConfig { tolerance, substeps: Some(substeps), ..with(stepper) };
            let swing = swing::measure(method, FRAME)?;
            writeln!(
                text,
                "| {} | {substeps} | {tolerance:.0e} | {:.1} | {} |",
                stepper.name(),
                swing.iterations,
                swing_row(&swing, reference),
            )?;
        }
    }
    text.push('\n');
    Ok(())
}

fn swing_row(Swing { period, peak, loss, ms, .. }: &Swing, reference: &Swing) -> String {
    format!(
        "{:.2} | {:+.2} | {:+.2} | {ms:.2}",
        1e2 * loss,
        1e2 * (period / reference.period - 1.0),
        1e2 * (peak / reference.peak - 1.0),
    )
}

/// The cells of a row that is not measured.
fn missing(reason: &str, cells: usize) -> String {
    format!("not measured: {}{}", reason.replace('|', "/"), " |".repeat(cells - 1))
}

fn spin_table(text: &mut String, progress: Progress<'_>) -> Result<()> {
    text.push_str(
        "A free bar of 2 × 0.4 × 0.4 m, 50 quadratic tetrahedra of `rest-stable` material (E = 1 MPa, ν = 0.3, 1000 \
         kg/m³), spins about a short axis, without gravity. L is the angular momentum in percent of the initial one; \
         energy is the largest total energy in percent of the initial one; growth is the change of the mean length from 1 \
         to 4 s (from 0.25 to 1 s at 5 rev/s), against the same motion in steps of 1/480 s.\n\n\
         | stepper | L after 1 s | L after 10 s | energy | growth at 1 rev/s, % | L after 1 s at 5 rev/s | energy | growth at 5 rev/s, % |\n\
         |---|---|---|---|---|---|---|---|\n",
    );
    let law = LawKind::RestStable;
    let references =
        [(1.0, 10.0), (5.0, 1.0)].map(|(rate, time)| spin::reference(law, 1e6, rate, time));
    for stepper in Stepper::ALL {
        progress(&format!("spin, {}", stepper.name()));
        let slow = spin::measure(stepper, law, 1e6, 1.0, 10.0)?;
        let fast = spin::measure(stepper, law, 1e6, 5.0, 1.0)?;
        writeln!(text, "| {} | {} |", stepper.name(), spin_row(&slow, &fast, &references))?;
    }
    for peer in &PEERS {
        progress(&format!("spin, {}", peer.name));
        let both = peer.spin(1.0, 10.0).and_then(|slow| Ok((slow, peer.spin(5.0, 1.0)?)));
        let row = both.map(|(slow, fast)| spin_row(&slow, &fast, &references));
        writeln!(text, "| {} | {} |", peer.name, row.unwrap_or_else(|reason| missing(&reason, 7)))?;
    }
    text.push('\n');
    Ok(())
}

fn spin_row(slow: &Spin, fast: &Spin, references: &[Result<f64>; 2]) -> String {
    let growth = |spin: &Spin, reference: &Result<f64>| match reference {
        Ok(length) => format!("{:+.2}", 1e2 * (spin.length / length - 1.0)),
        Err(_) => String::from("–"),
    };
    format!(
        "{:.2} | {:.2} | {} | {} | {:.2} | {} | {}",
        1e2 * slow.after_second,
        1e2 * slow.after,
        percent(slow.energy),
        growth(slow, &references[0]),
        1e2 * fast.after,
        percent(fast.energy),
        growth(fast, &references[1]),
    )
}

/// A share in percent, or a dash if it is unknown.
fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| String::from("–"), |share| format!("{:.2}", 1e2 * share))
}

/// The default method over laws and stiffnesses.
fn stiffness_table(text: &mut String, progress: Progress<'_>) -> Result<()> {
    text.push_str(
        "The same bar under the default stepper, for three laws and five stiffnesses:\n\n\
         | law | E, Pa | L after 1 s | L after 10 s | energy | growth at 1 rev/s, % | L after 1 s at 5 rev/s | growth at 5 rev/s, % | resets |\n\
         |---|---|---|---|---|---|---|---|---|\n",
    );
    for law in [LawKind::RestStable, LawKind::Corotated, LawKind::Smith] {
        for young in [1e5, 1e6, 1e7, 1e8, 1e9] {
            progress(&format!("spin, {} {young:.0e}", law.name()));
            let stepper = Stepper::default();
            let slow = spin::measure(stepper, law, young, 1.0, 10.0)?;
            let fast = spin::measure(stepper, law, young, 5.0, 1.0)?;
            let lengths = [(1.0, 10.0), (5.0, 1.0)]
                .map(|(rate, duration)| spin::reference(law, young, rate, duration));
            let [slow_length, fast_length] = lengths;
            let (slow_length, fast_length) = (slow_length?, fast_length?);
            writeln!(
                text,
                "| {} | {young:.0e} | {:.2} | {:.2} | {} | {:+.3} | {:.2} | {:+.3} | {} |",
                law.name(),
                1e2 * slow.after_second,
                1e2 * slow.after,
                percent(slow.energy),
                1e2 * (slow.length / slow_length - 1.0),
                1e2 * fast.after,
                1e2 * (fast.length / fast_length - 1.0),
                slow.resets + fast.resets,
            )?;
        }
    }
    Ok(())
}
