//! The tables of the scoreboard.

use std::fmt::Write as _;

use super::bars::{SPIN, SWING};
use super::entry::{Entry, Problem, Reference};
use super::family::Family;
use crate::bench::motion::rest;

/// The head of the table.
pub(super) fn head(reference: &Reference) -> String {
    let Reference { rest, swing, length } = reference;
    format!(
        "Three bars in single steps of 1/60 s, all in one run. Times are processor times of a frame on one thread. Clamped: 4 × 1 × 1 m, E = 10 MPa, ν = 0.3, 1000 \
         kg/m³, 9.81 m/s²; it comes to rest in {} s with velocities damped at {}/s, and swings for {SWING} s without damping. \
         Free: 2 × 0.4 × 0.4 m, E = 1 MPa, at one turn per second for {SPIN} s. n is the number of boxes across a bar, which is \
         divided into cubes; a cube is five tetrahedra (P) or a hexahedron (Q) of degree 1 to 3. Converged values: deflection {:.4} \
         m, period {:.4} s, first peak {:.4} m, mean length {length:.5} m. Errors are in percent; L is the angular momentum at the \
         end in percent of the initial one.\n\n\
         | engine | n | cells | nodes | ms, clamped | deflection | period | peak | ms, free | length | L |\n\
         |---|---|---|---|---|---|---|---|---|---|---|\n",
        rest::DURATION,
        rest::DAMPING,
        rest,
        swing.period,
        swing.peak,
    )
}

/// The row of an entrant in one size.
pub(super) fn row(family: &Family, entry: &Entry, reference: &Reference) -> String {
    let Entry { across, size: [cells, nodes], swing, spin, .. } = entry;
    let ms = |ms: Option<f64>| ms.map_or_else(dash, |ms| format!("{ms:.3}"));
    let signed =
        |error: Option<f64>| error.map_or_else(dash, |error| format!("{:+.2}", 1e2 * error));
    let [period, peak] = pair(entry.swing_errors(reference));
    let [length, momentum] = pair(entry.spin_errors(reference));
    let length = length.map_or_else(dash, |error| format!("{:+.3}", 1e2 * error));
    let momentum = momentum.map_or_else(dash, |error| format!("{:.2}", 1e2 * (1.0 + error)));
    format!(
        "| {} | {across} | {cells} | {nodes} | {} | {} | {} | {} | {} | {length} | {momentum} |\n",
        name(family),
        ms(swing.as_ref().ok().map(|swing| swing.ms)),
        signed(entry.rest_error(reference)),
        signed(period),
        signed(peak),
        ms(spin.as_ref().ok().map(|spin| spin.ms)),
    )
}

fn dash() -> String {
    String::from("–")
}

fn pair(values: Option<[f64; 2]>) -> [Option<f64>; 2] {
    [values.map(|values| values[0]), values.map(|values| values[1])]
}

/// The name with that of the engine.
fn name(family: &Family) -> String {
    let engine = if family.is_ours() { "Pliant " } else { "" };
    format!("{engine}{}", family.name)
}

/// All measurements of an entrant.
pub(super) type Measured = (Family, Vec<Entry>);

/// The reasons of missing measurements, each once for an entrant.
pub(super) fn reasons(measured: &[Measured]) -> String {
    let mut lines: Vec<(String, String)> = Vec::new();
    for (family, entries) in measured {
        for entry in entries {
            for (problem, reason) in entry.reasons() {
                let start = format!("{}: {reason}", name(family));
                let place = format!("n = {} {problem}", entry.across);
                match lines.iter_mut().find(|line| line.0 == start) {
                    Some((_, places)) => *places += &format!(", {place}"),
                    None => lines.push((start, place)),
                }
            }
        }
    }
    if lines.is_empty() {
        return String::new();
    }
    let lines: Vec<String> =
        lines.iter().map(|(start, places)| format!("- {start} ({places})\n")).collect();
    format!("\nNot measured:\n\n{}", lines.concat())
}

/// For every other engine, how many times longer its frame takes than the fastest of ours that is at least as accurate.
pub(super) fn ratios(measured: &[Measured], reference: &Reference) -> String {
    let mut text = String::from(
        "\nTime of another engine, divided by that of the fastest entry of Pliant whose error is no larger (in brackets):\n\n\
         | engine | n | rest | swing | spin |\n|---|---|---|---|---|\n",
    );
    for (family, entries) in measured.iter().filter(|(family, _)| !family.is_ours()) {
        for entry in entries {
            if entry.reasons().len() == Problem::ALL.len() {
                continue;
            }
            let cells = Problem::ALL.map(|problem| ratio(measured, entry, problem, reference));
            let _ =
                writeln!(text, "| {} | {} | {} |", family.name, entry.across, cells.join(" | "));
        }
    }
    text
}

fn ratio(measured: &[Measured], other: &Entry, problem: Problem, reference: &Reference) -> String {
    let Some([ms, error]) = other.point(problem, reference) else { return dash() };
    let ours = measured.iter().filter(|(family, _)| family.is_ours());
    let all = ours.flat_map(|(family, entries)| entries.iter().map(move |entry| (family, entry)));
    let as_good = all.filter_map(|(family, entry)| {
        let [ms, own] = entry.point(problem, reference)?;
        (own <= error).then_some((ms, format!("{} n = {}", family.name, entry.across)))
    });
    match as_good.min_by(|a, b| a.0.total_cmp(&b.0)) {
        Some((own, who)) => format!("{:.1} ({who})", ms / own),
        None => String::from("none is as accurate"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::family::families;
    use super::*;
    use crate::bench::motion::spin::Spin;
    use crate::bench::motion::swing::Swing;

    fn swing(peak: f64, ms: f64) -> Swing {
        Swing { period: 1.0, peak, loss: 0.0, ms, iterations: 0.0 }
    }

    fn reference() -> Reference {
        Reference { rest: -0.4, swing: swing(-0.8, 1.0), length: 2.0 }
    }

    fn entry(rest: f64, ms: f64) -> Entry {
        let spin =
            Spin { after_second: 1.0, after: 0.5, energy: None, length: 2.002, ms, resets: 0 };
        Entry {
            across: 2,
            size: [160, 81],
            rest: Ok(rest),
            swing: Ok(swing(-0.76, ms)),
            spin: Ok(spin),
        }
    }

    fn measured(ours: Entry, theirs: Entry) -> Vec<Measured> {
        let mut families = families();
        let (first, last) = (families.remove(0), families.pop());
        [(first, vec![ours])].into_iter().chain(last.map(|last| (last, vec![theirs]))).collect()
    }

    /// Rows have the cells of the head, with errors in percent; missing values are dashes, and the reasons follow.
    #[test]
    fn rows_have_the_cells_of_the_head() {
        let cells = |line: &str| line.matches('|').count();
        let text = head(&reference());
        let all = measured(
            entry(-0.404, 0.25),
            Entry { spin: Err("why".to_owned()), ..entry(-0.4, 1.0) },
        );
        let [ours, theirs] = [0, 1].map(|index| row(&all[index].0, &all[index].1[0], &reference()));
        assert_eq!(
            ours,
            "| Pliant P1 | 2 | 160 | 81 | 0.250 | +1.00 | +0.00 | -5.00 | 0.250 | +0.100 | 50.00 |\n"
        );
        assert!(theirs.ends_with("| – | – | – |\n"), "{theirs}");
        assert_eq!(cells(text.lines().last().unwrap_or_default()), cells(&ours));
        assert_eq!(cells(&ours), cells(&theirs));
        assert!(reasons(&all).ends_with(": why (n = 2 spin)\n"));
        let twice = measured(
            entry(-0.4, 1.0),
            Entry { rest: Err("why".to_owned()), spin: Err("why".to_owned()), ..entry(-0.4, 1.0) },
        );
        assert!(reasons(&twice).ends_with(": why (n = 2 rest, n = 2 spin)\n"));
        assert_eq!(reasons(&all[..1]), "");
    }

    /// The ratio is that to the fastest entry of ours that is as accurate.
    #[test]
    fn ratios_are_those_at_equal_accuracy() {
        let all = measured(entry(-0.404, 0.25), entry(-0.38, 1.0));
        assert!(ratios(&all, &reference()).contains("| 4.0 (P1 n = 2) |"));
        let worse = measured(entry(-0.3, 0.25), entry(-0.38, 1.0));
        assert!(ratios(&worse, &reference()).contains("| none is as accurate |"));
    }
}
