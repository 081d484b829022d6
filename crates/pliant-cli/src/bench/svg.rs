//! SVG pictures with several panels.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result};

/// Writes panels into one picture, each shifted by `step` from the one before.
pub(super) fn write<P>(
    path: &Path,
    [width, height]: [f64; 2],
    step: [f64; 2],
    panels: &[P],
    draw: impl Fn(&P, &mut String) -> Result<()>,
) -> Result<()> {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (index, panel) in panels.iter().enumerate() {
        let [x, y] = step.map(|step| step * index as f64);
        writeln!(svg, "<g transform=\"translate({x} {y})\">")?;
        draw(panel, &mut svg)?;
        svg.push_str("</g>\n");
    }
    svg.push_str("</svg>\n");
    std::fs::write(path, svg).with_context(|| format!("cannot write {}", path.display()))
}
