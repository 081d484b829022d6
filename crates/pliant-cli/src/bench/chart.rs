//! Curves over time in linear axes, as SVG, separate or stacked.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;

use super::svg;

/// Curves over the same times, in one pair of axes that start at zero.
pub(super) struct Chart {
    pub(super) title: &'static str,
    /// Time between two values, in s.
    pub(super) dt: f64,
    /// True if the curves are stacked.
    pub(super) stacked: bool,
    pub(super) curves: Vec<Series>,
}

/// A value for every frame.
pub(super) struct Series {
    pub(super) name: &'static str,
    pub(super) values: Vec<f64>,
}

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 320.0;
const MARGIN: f64 = 52.0;
const COLOURS: [&str; 8] =
    ["#d95f43", "#3f88c5", "#5ba16f", "#b58db6", "#e0a33e", "#6b6b6b", "#49b3b1", "#9c6b4a"];

/// Writes charts below each other.
pub(super) fn write(path: &Path, charts: &[Chart]) -> Result<()> {
    let height = HEIGHT * charts.len() as f64;
    svg::write(path, [WIDTH, height], [0.0, HEIGHT], charts, Chart::draw)
}

/// The map from values to positions in the picture.
struct Axes {
    /// The largest time, in s, and the largest value.
    reach: [f64; 2],
}

impl Axes {
    fn x(&self, time: f64) -> f64 {
        MARGIN + time / self.reach[0] * (WIDTH - 2.0 * MARGIN)
    }

    fn y(&self, value: f64) -> f64 {
        HEIGHT - MARGIN - value / self.reach[1] * (HEIGHT - 2.0 * MARGIN)
    }

    /// Draws grid lines with their numbers.
    fn draw(&self, svg: &mut String) -> Result<()> {
        let (top, bottom, right) = (MARGIN, HEIGHT - MARGIN, WIDTH - MARGIN);
        for time in ticks(self.reach[0]) {
            let (at, below) = (self.x(time), bottom + 18.0);
            writeln!(
                svg,
                "<line x1=\"{at:.1}\" y1=\"{top}\" x2=\"{at:.1}\" y2=\"{bottom}\" stroke=\"#ddd\"/>\
                 <text x=\"{at:.1}\" y=\"{below}\" text-anchor=\"middle\">{time}</text>"
            )?;
        }
        for value in ticks(self.reach[1]) {
            let (at, left) = (self.y(value), MARGIN - 6.0);
            writeln!(
                svg,
                "<line x1=\"{MARGIN}\" y1=\"{at:.1}\" x2=\"{right}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>\
                 <text x=\"{left}\" y=\"{:.1}\" text-anchor=\"end\">{value}</text>",
                at + 4.0
            )?;
        }
        let below = bottom + 34.0;
        writeln!(svg, "<text x=\"{right}\" y=\"{below}\" text-anchor=\"end\">time, s</text>")?;
        Ok(())
    }
}

impl Chart {
    fn draw(&self, svg: &mut String) -> Result<()> {
        let tops = self.tops();
        let count = tops.iter().map(Vec::len).max().unwrap_or(0);
        let most = tops.iter().flatten().copied().fold(0.0, f64::max);
        let axes = Axes { reach: [self.dt * count.max(2) as f64, round_up(most)] };
        writeln!(svg, "<text x=\"{MARGIN}\" y=\"22\" font-size=\"14\">{}</text>", self.title)?;
        axes.draw(svg)?;
        // Drawn from the top of the stack down, so that lower areas cover upper ones.
        for (index, values) in tops.iter().enumerate().rev() {
            let colour = COLOURS[index % COLOURS.len()];
            let line = self.line(values, &axes);
            if self.stacked {
                let (left, right, ground) = (axes.x(0.0), axes.x(axes.reach[0]), axes.y(0.0));
                writeln!(
                    svg,
                    "<polygon points=\"{left:.1},{ground:.1} {line} {right:.1},{ground:.1}\" fill=\"{colour}\"/>"
                )?;
            } else {
                writeln!(svg, "<polyline points=\"{line}\" fill=\"none\" stroke=\"{colour}\"/>")?;
            }
        }
        self.legend(svg)
    }

    /// The drawn height of every curve, with the curves below it if stacked.
    fn tops(&self) -> Vec<Vec<f64>> {
        let mut tops: Vec<Vec<f64>> = Vec::new();
        for curve in &self.curves {
            let below = tops.last().filter(|_| self.stacked);
            let under = |frame: usize| below.map_or(0.0, |below| below[frame]);
            let top = curve.values.iter().enumerate().map(|(frame, value)| value + under(frame));
            tops.push(top.collect());
        }
        tops
    }

    fn line(&self, values: &[f64], axes: &Axes) -> String {
        let time = |frame: usize| self.dt * (frame + 1) as f64;
        let point = |(frame, value): (usize, &f64)| {
            format!("{:.1},{:.1}", axes.x(time(frame)), axes.y(*value))
        };
        values.iter().enumerate().map(point).collect::<Vec<_>>().join(" ")
    }

    fn legend(&self, svg: &mut String) -> Result<()> {
        /// Approximate width of a letter, and of the square beside a name.
        const LETTER: f64 = 6.5;
        const SQUARE: f64 = 26.0;
        let mut x = MARGIN;
        for (Series { name, .. }, colour) in self.curves.iter().zip(COLOURS.iter().cycle()) {
            writeln!(
                svg,
                "<rect x=\"{x:.0}\" y=\"33\" width=\"10\" height=\"10\" fill=\"{colour}\"/>\
                 <text x=\"{:.0}\" y=\"42\">{name}</text>",
                x + 14.0
            )?;
            x += SQUARE + LETTER * name.len() as f64;
        }
        Ok(())
    }
}

/// Rounds up to 1, 2 or 5 times a power of ten.
fn round_step(value: f64) -> f64 {
    let decade = 10f64.powf(value.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * decade);
    steps.into_iter().find(|step| *step >= value * (1.0 - 1e-9)).unwrap_or(value)
}

/// The ticks of an axis from zero to `reach`.
fn ticks(reach: f64) -> impl Iterator<Item = f64> {
    let step = round_step(reach / 6.0);
    // Multiples of the step, rounded so that they print short.
    (0..=(reach / step + 1e-9) as u32).map(move |k| (f64::from(k) * step * 1e6).round() / 1e6)
}

/// The end of an axis for values up to `most`.
fn round_up(most: f64) -> f64 {
    let most = if most > 0.0 { most } else { 1.0 };
    let step = round_step(most / 6.0);
    (most / step).ceil() * step
}
