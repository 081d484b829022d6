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

/// Points, joined by a line or not.
pub(super) struct Curve {
    pub(super) name: &'static str,
    /// The number of its colour; colours repeat.
    pub(super) colour: usize,
    pub(super) line: Line,
    pub(super) points: Vec<[f64; 2]>,
}

/// The line through the points of a curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line {
    Solid,
    Dashed,
    None,
}

const WIDTH: f64 = 460.0;
const HEIGHT: f64 = 340.0;
const MARGIN: f64 = 52.0;
const COLOURS: [&str; 12] = [
    "#d95f43", "#3f88c5", "#5ba16f", "#b58db6", "#e0a33e", "#111111", "#777777", "#8a5a2b",
    "#49b3b1", "#2b6b68", "#c2185b", "#9aa300",
];

/// Writes plots side by side, with the name of each curve at its last point.
pub(super) fn write(path: &Path, plots: &[Plot]) -> Result<()> {
    let width = WIDTH * plots.len() as f64;
    svg::write(path, [width, HEIGHT], [WIDTH, 0.0], plots, |plot, svg| {
        plot.draw(svg)?;
        plot.curves.iter().try_for_each(|curve| curve.draw_name(&plot.axes(), svg))
    })
}

/// Writes plots side by side, and to the right of them the names of their curves, which are the same in all plots.
pub(super) fn write_with_legend(path: &Path, plots: &[Plot]) -> Result<()> {
    let names = plots.first().map_or(&[][..], |plot| &plot.curves);
    let mut panels: Vec<Panel<'_>> = plots.iter().map(Panel::Plot).collect();
    panels.push(Panel::Legend(names));
    let width = WIDTH * panels.len() as f64 - 120.0;
    svg::write(path, [width, HEIGHT], [WIDTH, 0.0], &panels, |panel, svg| match panel {
        Panel::Plot(plot) => plot.draw(svg),
        Panel::Legend(curves) => draw_legend(curves, svg),
    })
}

/// A part of a picture.
enum Panel<'a> {
    Plot(&'a Plot),
    Legend(&'a [Curve]),
}

/// The powers of ten that enclose the values.
fn decades(values: impl Iterator<Item = f64> + Clone) -> (i32, i32) {
    let low = values.clone().fold(f64::INFINITY, f64::min).log10().floor() as i32;
    let high = values.fold(0.0, f64::max).log10().ceil() as i32;
    (low, high.max(low + 1))
}

/// The map from values to positions in the picture.
struct Axes {
    /// The first and last power of ten.
    x: (i32, i32),
    y: (i32, i32),
}

impl Axes {
    fn x(&self, value: f64) -> f64 {
        MARGIN + place(value, self.x, WIDTH - 2.0 * MARGIN)
    }

    fn y(&self, value: f64) -> f64 {
        HEIGHT - MARGIN - place(value, self.y, HEIGHT - 2.0 * MARGIN)
    }

    /// Draws a grid line with its number for every power of ten.
    fn draw(&self, svg: &mut String) -> Result<()> {
        let (top, bottom, right) = (MARGIN, HEIGHT - MARGIN, WIDTH - MARGIN);
        for power in self.x.0..=self.x.1 {
            let (at, below) = (self.x(10f64.powi(power)), bottom + 18.0);
            writeln!(
                svg,
                "<line x1=\"{at:.1}\" y1=\"{top}\" x2=\"{at:.1}\" y2=\"{bottom}\" stroke=\"#ddd\"/>\
                 <text x=\"{at:.1}\" y=\"{below}\" text-anchor=\"middle\">10{}</text>",
                raised(power)
            )?;
        }
        for power in self.y.0..=self.y.1 {
            let (at, left) = (self.y(10f64.powi(power)), MARGIN - 6.0);
            writeln!(
                svg,
                "<line x1=\"{MARGIN}\" y1=\"{at:.1}\" x2=\"{right}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>\
                 <text x=\"{left}\" y=\"{}\" text-anchor=\"end\">10{}</text>",
                at + 4.0,
                raised(power)
            )?;
        }
        Ok(())
    }
}

fn place(value: f64, (low, high): (i32, i32), length: f64) -> f64 {
    (value.log10() - f64::from(low)) / f64::from(high - low) * length
}

impl Plot {
    fn axes(&self) -> Axes {
        let all = || self.curves.iter().flat_map(|curve| curve.points.iter());
        Axes { x: decades(all().map(|p| p[0])), y: decades(all().map(|p| p[1])) }
    }

    fn draw(&self, svg: &mut String) -> Result<()> {
        let axes = self.axes();
        let (right, below) = (WIDTH - MARGIN, HEIGHT - MARGIN + 34.0);
        writeln!(svg, "<text x=\"{MARGIN}\" y=\"28\" font-size=\"14\">{}</text>", self.title)?;
        axes.draw(svg)?;
        writeln!(svg, "<text x=\"{right}\" y=\"{below}\" text-anchor=\"end\">{}</text>", self.x)?;
        self.curves.iter().try_for_each(|curve| curve.draw(&axes, svg))
    }
}

impl Curve {
    fn colour(&self) -> &'static str {
        COLOURS[self.colour % COLOURS.len()]
    }

    /// The attributes of its line.
    fn stroke(&self) -> String {
        let dashes = if self.line == Line::Dashed { " stroke-dasharray=\"5 3\"" } else { "" };
        format!("stroke=\"{}\" stroke-width=\"2\"{dashes}", self.colour())
    }

    fn draw(&self, axes: &Axes, svg: &mut String) -> Result<()> {
        let place = |p: &[f64; 2]| [axes.x(p[0]), axes.y(p[1])];
        if self.line != Line::None {
            let points = self.points.iter().map(place).map(|[x, y]| format!("{x:.1},{y:.1}"));
            let line = points.collect::<Vec<_>>().join(" ");
            writeln!(svg, "<polyline points=\"{line}\" fill=\"none\" {}/>", self.stroke())?;
        }
        for [x, y] in self.points.iter().map(place) {
            let fill = self.colour();
            writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{fill}\"/>")?;
        }
        Ok(())
    }

    /// Writes the name beside the last point.
    fn draw_name(&self, axes: &Axes, svg: &mut String) -> Result<()> {
        let Some([x, y]) = self.points.last() else { return Ok(()) };
        let (x, y, fill, name) = (axes.x(*x) + 7.0, axes.y(*y) + 4.0, self.colour(), self.name);
        writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" fill=\"{fill}\">{name}</text>")?;
        Ok(())
    }
}

/// Draws a piece of the line of each curve with its name, below each other.
fn draw_legend(curves: &[Curve], svg: &mut String) -> Result<()> {
    for (index, curve) in curves.iter().enumerate() {
        let at = MARGIN + 17.0 * index as f64;
        writeln!(
            svg,
            "<line x1=\"0\" y1=\"{at}\" x2=\"26\" y2=\"{at}\" {}/><text x=\"34\" y=\"{}\">{}</text>",
            curve.stroke(),
            at + 4.0,
            curve.name.replace('`', ""),
        )?;
    }
    Ok(())
}

/// An exponent as superscript.
fn raised(power: i32) -> String {
    format!("<tspan dy=\"-5\" font-size=\"9\">{power}</tspan>")
}
