//! Curves in logarithmic axes, as SVG.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;

use super::svg;

/// Curves in one pair of axes.
pub(super) struct Plot {
    pub(super) title: &'static str,
    pub(super) x: &'static str,
    pub(super) curves: Vec<Curve>,
}

/// Points joined by a line.
pub(super) struct Curve {
    pub(super) name: &'static str,
    pub(super) points: Vec<[f64; 2]>,
}

const WIDTH: f64 = 460.0;
const HEIGHT: f64 = 340.0;
const MARGIN: f64 = 52.0;
const COLOURS: [&str; 3] = ["#d95f43", "#3f88c5", "#5ba16f"];

/// Writes plots side by side.
pub(super) fn write(path: &Path, plots: &[Plot]) -> Result<()> {
    let width = WIDTH * plots.len() as f64;
    svg::write(path, [width, HEIGHT], [WIDTH, 0.0], plots, Plot::draw)
}

/// The powers of ten that enclose the values.
fn decades(values: impl Iterator<Item = f64> + Clone) -> (i32, i32) {
    let low = values.clone().fold(f64::INFINITY, f64::min).log10().floor() as i32;
    let high = values.fold(0.0, f64::max).log10().ceil() as i32;
    (low, high.max(low + 1))
}

impl Plot {
    fn draw(&self, svg: &mut String) -> Result<()> {
        let all = || self.curves.iter().flat_map(|curve| curve.points.iter());
        let (x, y) = (decades(all().map(|p| p[0])), decades(all().map(|p| p[1])));
        let place = |value: f64, (low, high): (i32, i32), length: f64| {
            (value.log10() - f64::from(low)) / f64::from(high - low) * length
        };
        let at_x = |value: f64| MARGIN + place(value, x, WIDTH - 2.0 * MARGIN);
        let at_y = |value: f64| HEIGHT - MARGIN - place(value, y, HEIGHT - 2.0 * MARGIN);
        let (top, bottom, right) = (MARGIN, HEIGHT - MARGIN, WIDTH - MARGIN);
        writeln!(svg, "<text x=\"{MARGIN}\" y=\"28\" font-size=\"14\">{}</text>", self.title)?;
        for power in x.0..=x.1 {
            let at = at_x(10f64.powi(power));
            writeln!(
                svg,
                "<line x1=\"{at:.1}\" y1=\"{top}\" x2=\"{at:.1}\" y2=\"{bottom}\" stroke=\"#ddd\"/>"
            )?;
            writeln!(
                svg,
                "<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">10{}</text>",
                bottom + 18.0,
                raised(power)
            )?;
        }
        for power in y.0..=y.1 {
            let at = at_y(10f64.powi(power));
            writeln!(
                svg,
                "<line x1=\"{MARGIN}\" y1=\"{at:.1}\" x2=\"{right}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>"
            )?;
            writeln!(
                svg,
                "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">10{}</text>",
                MARGIN - 6.0,
                at + 4.0,
                raised(power)
            )?;
        }
        writeln!(
            svg,
            "<text x=\"{right}\" y=\"{}\" text-anchor=\"end\">{}</text>",
            bottom + 34.0,
            self.x
        )?;
        for (curve, colour) in self.curves.iter().zip(COLOURS) {
            let points =
                curve.points.iter().map(|p| format!("{:.1},{:.1}", at_x(p[0]), at_y(p[1])));
            let line = points.collect::<Vec<_>>().join(" ");
            writeln!(
                svg,
                "<polyline points=\"{line}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>"
            )?;
            for p in &curve.points {
                writeln!(
                    svg,
                    "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{colour}\"/>",
                    at_x(p[0]),
                    at_y(p[1])
                )?;
            }
            if let Some(p) = curve.points.last() {
                writeln!(
                    svg,
                    "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"{colour}\">{}</text>",
                    at_x(p[0]) + 7.0,
                    at_y(p[1]) + 4.0,
                    curve.name
                )?;
            }
        }
        Ok(())
    }
}

/// An exponent as superscript.
fn raised(power: i32) -> String {
    format!("<tspan dy=\"-5\" font-size=\"9\">{power}</tspan>")
}
