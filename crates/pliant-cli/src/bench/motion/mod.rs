//! Accuracy of motion: swing and spin of a bar under every stepper, and in other engines.

mod clamped;
mod extrema;
pub(super) mod grid;
pub(super) mod rest;
pub(super) mod spin;
pub(super) mod swing;

use std::fmt::Write as _;

use anyhow::Result;
use pliant::material::LawKind;
use pliant::mesh::generate::Split;
use pliant::{MethodConfig, Stepper};

use super::Progress;
use super::peers::{PEERS, Peer, PeerMotion};
use grid::Grid;
use spin::{Spin, SpinCase};
use swing::Swing;

/// The frame of all tables, in s.
pub(super) const FRAME: f64 = 1.0 / 60.0;

/// Steps per second of the reference of the swing.
const REFERENCE_RATE: f64 = 960.0;

/// Duration of the swing, in s.
const SWING: f64 = 6.0;

/// The cells of both bars.
const SWING_GRID: Grid = Grid { split: Split::Tet5, degree: 2, boxes: [8, 2] };
const SPIN_GRID: Grid = Grid { split: Split::Tet5, degree: 2, boxes: [10, 1] };

/// Boxes of linear cells with the same nodes, along and across, for other engines.
const SWING_BOXES: [usize; 2] = [16, 4];
const SPIN_BOXES: [usize; 2] = [20, 2];

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
    let reference = swing::reference(SWING_GRID, REFERENCE_RATE, SWING)?;
    writeln!(
        text,
        "A bar of 4 × 1 × 1 m, 160 quadratic tetrahedra (E = 10 MPa, ν = 0.3, 1000 kg/m³), clamped at one end, is \
         released under gravity and swings for {} s in steps of 1/60 s. The reference takes steps of 1/{:.0} s: period \
         {:.4} s, first peak {:.4} m.\n\n\
         | stepper | loss of amplitude per period, % | error of the period, % | error of the first peak, % | ms per frame |\n\
         |---|---|---|---|---|",
        SWING, REFERENCE_RATE, reference.period, reference.peak,
    )?;
    for stepper in Stepper::ALL {
        progress(&format!("swing, {}", stepper.name()));
        let row = swing_row(&swing::measure(SWING_GRID, with(stepper), SWING)?, &reference);
        writeln!(text, "| {} | {row} |", stepper.name())?;
    }
    for peer in &PEERS {
        progress(&format!("swing, {}", peer.name));
        let row = peer_swing(peer, SWING_BOXES, SWING).map(|swing| swing_row(&swing, &reference));
        writeln!(text, "| {} | {} |", peer.name, row.unwrap_or_else(|reason| missing(&reason, 4)))?;
    }
    text.push('\n');
    Ok(reference)
}

/// Default settings with a stepper.
fn with(stepper: Stepper) -> MethodConfig {
    MethodConfig { stepper, ..Default::default() }
}

/// The slow and the fast spin.
fn spins(law: LawKind, young: f64) -> [SpinCase; 2] {
    let case = SpinCase { grid: SPIN_GRID, law, young, rate: 1.0, seconds: 10.0 };
    [case, SpinCase { rate: 5.0, seconds: 1.0, ..case }]
}

/// The swing of the clamped bar in another engine, or the reason why it is not measured.
pub(super) fn peer_swing(peer: &Peer, boxes: [usize; 2], seconds: f64) -> Result<Swing, String> {
    let motion = peer.run(PeerMotion::Swing, boxes, seconds)?;
    let heights: Vec<f64> = motion.rows.iter().map(|row| row[0]).collect();
    Swing::of(&heights, FRAME, motion.ms).map_err(|error| error.to_string())
}

/// The spin of the free bar in another engine, or the reason why it is not measured.
pub(super) fn peer_spin(
    peer: &Peer,
    boxes: [usize; 2],
    rate: f64,
    seconds: f64,
) -> Result<Spin, String> {
    let motion = peer.run(PeerMotion::Spin { rate }, boxes, seconds)?;
    let samples: Vec<[f64; 2]> = motion.rows.iter().map(|row| [row[0], row[1]]).collect();
    Ok(Spin::of(&samples, FRAME, motion.ms))
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
            let swing = swing::measure(SWING_GRID, method, SWING)?;
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
    let cases = spins(law, 1e6);
    let references = cases.map(|case| spin::reference(&case));
    for stepper in Stepper::ALL {
        progress(&format!("spin, {}", stepper.name()));
        let [slow, fast] = cases.map(|case| spin::measure(&case, with(stepper)));
        let (slow, fast) = (slow?, fast?);
        writeln!(text, "| {} | {} |", stepper.name(), spin_row(&slow, &fast, &references))?;
    }
    for peer in &PEERS {
        progress(&format!("spin, {}", peer.name));
        let [slow, fast] =
            cases.map(|SpinCase { rate, seconds, .. }| peer_spin(peer, SPIN_BOXES, rate, seconds));
        let both = slow.and_then(|slow| Ok((slow, fast?)));
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
            let [slow, fast] = spins(law, young).map(|case| spin::measure(&case, with(stepper)));
            let (slow, fast) = (slow?, fast?);
            let [slow_length, fast_length] = spins(law, young).map(|case| spin::reference(&case));
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
