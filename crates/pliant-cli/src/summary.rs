//! The text summary of a run.

use std::fmt::Write as _;

use crate::report::{BodyReport, BudgetReport, Contacts, Linear, Report, StaticsReport, Xpbd};
use crate::terminal::bold;

/// Returns the summary: bodies, time, probes and health, one line each.
pub(crate) fn summary(report: &Report, coloured: bool) -> String {
    let colon = if report.title.is_empty() { "" } else { ": " };
    let title = format!("{}{colon}{}", report.scene, report.title);
    let mut text = format!("{}\n", bold(&title, coloured));
    for body in &report.bodies {
        line(&mut text, &format!("body {}", body.name), &size(body));
    }
    line(&mut text, "time", &time(report));
    if let Some(budget) = &report.budget {
        line(&mut text, "budget", &kept(budget));
    }
    if let Some(linear) = &report.linear {
        line(&mut text, "phases", &phases(report));
        if report.xpbd.is_none() || linear.unknowns > 0 {
            line(&mut text, "solves", &solves(linear));
        }
    }
    if let Some(contacts) = report.contacts.as_ref().filter(|contacts| contacts.most > 0) {
        line(&mut text, "contacts", &touching(contacts));
    }
    if let Some(xpbd) = &report.xpbd {
        line(&mut text, "constraints", &constraints(xpbd));
    }
    if let Some(statics) = &report.statics {
        line(&mut text, "equilibrium", &balance(statics));
    }
    for (name, probe) in &report.probes {
        let [x, y, z] = probe.displacement;
        line(&mut text, &format!("probe {name}"), &format!("moved by ({x:.5}, {y:.5}, {z:.5}) m"));
    }
    for (name, held) in &report.attachments {
        let ([x, y, z], [a, b, c]) = (held.force, held.torque);
        let borne =
            format!("force ({x:.4}, {y:.4}, {z:.4}) N, torque ({a:.4}, {b:.4}, {c:.4}) N·m");
        line(&mut text, &format!("attachment {name}"), &borne);
    }
    let energy = &report.energy;
    let energies = format!("{:.4e} J elastic, {:.4e} J kinetic", energy.elastic, energy.kinetic);
    line(&mut text, "energy", &energies);
    line(&mut text, "volume", &format!("{:.6} of rest", report.volume_ratio));
    line(&mut text, "health", &report.health.words());
    line(&mut text, "state", &report.state_hash);
    text
}

fn line(text: &mut String, label: &str, value: &str) {
    let _ = writeln!(text, "  {label:20} {value}");
}

fn size(body: &BodyReport) -> String {
    let stepper = body.stepper.map(|name| format!(", {name}")).unwrap_or_default();
    let pieces = match body.pieces {
        1 => String::new(),
        pieces => format!(" in {pieces} pieces"),
    };
    format!("{}, {} nodes{pieces}{stepper}", body.cells, body.nodes)
}

fn time(report: &Report) -> String {
    let spread = &report.ms_per_frame;
    if report.statics.is_some() {
        return format!("{:.1} ms", spread.max);
    }
    let real_time = 1e3 * report.dt / spread.mean;
    format!(
        "{} frames, {:.2} ms each (99 % within {:.2}), {real_time:.1} times real time",
        report.frames, spread.mean, spread.p99
    )
}

fn kept(budget: &BudgetReport) -> String {
    let BudgetReport { ms, kept, solves_cut, breaks_put_off, steps_left_out } = budget;
    let kept = 100.0 * kept;
    format!(
        "{ms} ms, kept in {kept:.1} % of the frames; \
         skipped: {solves_cut} solves cut short, {breaks_put_off} breaks put off, {steps_left_out} steps of bodies left out"
    )
}

/// Mean time of each phase of a frame, in ms; phases that took no time are left out.
fn phases(report: &Report) -> String {
    let output = report.phases_ms.output;
    let parts = report.phases_ms.parts().into_iter().filter(|(_, ms)| *ms > 0.0);
    let mut shown: Vec<String> = parts.map(|(name, ms)| format!("{name} {ms:.3}")).collect();
    shown.push(format!("and output {output:.3}"));
    format!("{} ms each", shown.join(", "))
}

fn solves(linear: &Linear) -> String {
    if linear.unknowns == 0 {
        return "none: explicit steps".to_owned();
    }
    let Linear { iterations_per_step, residual_max, unknowns, .. } = linear;
    format!(
        "{unknowns} unknowns, {iterations_per_step:.1} iterations a step, residual at most {residual_max:.1e}"
    )
}

fn touching(contacts: &Contacts) -> String {
    let Contacts { per_step, most } = contacts;
    format!("{per_step:.1} between bodies a step, at most {most}")
}

fn constraints(xpbd: &Xpbd) -> String {
    let Xpbd { sweeps_per_step, residual_last, residual_mean } = xpbd;
    let warning = if xpbd.is_soft() { "; softer than its material: raise substeps" } else { "" };
    format!(
        "{sweeps_per_step:.1} sweeps a step, residual {residual_last:.1e} of the constraints at the end \
         (mean {residual_mean:.1e}){warning}"
    )
}

fn balance(statics: &StaticsReport) -> String {
    let StaticsReport { iterations, load_steps, residual, stable, .. } = statics;
    let warning = if *stable { "" } else { "; unstable: a small disturbance would grow" };
    format!(
        "{iterations} iterations in {load_steps} load steps, \
         unbalanced force {residual:.1e} of the applied force{warning}"
    )
}
