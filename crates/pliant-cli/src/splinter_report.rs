//! The report of `pliant splinter`.

use std::fmt::Write as _;

use glam::DVec3;
use pliant::geometry::Surface;
use pliant_mesher::splinters::Splinters;
use serde::Serialize;

/// Figures of the surface and of its splinters.
#[derive(Debug, Serialize)]
pub(crate) struct SplinterReport {
    file: String,
    /// Triangles of the surface.
    surface_triangles: usize,
    splinters: usize,
    vertices: usize,
    triangles: usize,
    /// Total volume of the splinters, in m³.
    volume: f64,
    /// Relative difference of that volume from the volume of the surface.
    volume_error: f64,
    /// Volumes of the smallest, the median and the largest splinter, in m³.
    volumes: [f64; 3],
    /// Area of the outside, in m².
    outside_area: f64,
    /// Area of the cut faces, both sides counted, in m².
    inside_area: f64,
    /// Time to cut, in s.
    seconds: f64,
}

impl SplinterReport {
    pub(crate) fn new(file: String, from: &Surface, made: &Splinters, seconds: f64) -> Self {
        let mut volumes: Vec<f64> = made.pieces.iter().map(|piece| piece.volume).collect();
        volumes.sort_unstable_by(f64::total_cmp);
        let volume: f64 = volumes.iter().sum();
        let at = |k: usize| volumes.get(k).copied().unwrap_or_default();
        let area = |[a, b, c]: [DVec3; 3]| 0.5 * (b - a).cross(c - a).length();
        let areas = |wanted: bool| -> f64 {
            let all = made.surface.corners().zip(&made.inside);
            all.filter(|(_, inside)| **inside == wanted).map(|(corners, _)| area(corners)).sum()
        };
        Self {
            file,
            surface_triangles: from.triangles.len(),
            splinters: made.pieces.len(),
            vertices: made.surface.vertices.len(),
            triangles: made.surface.triangles.len(),
            volume,
            volume_error: volume / from.volume() - 1.0,
            volumes: [at(0), at(volumes.len() / 2), at(volumes.len().saturating_sub(1))],
            outside_area: areas(false),
            inside_area: areas(true),
            seconds,
        }
    }

    /// The report as text.
    pub(crate) fn to_text(&self) -> String {
        let mut text = format!("{}\n", self.file);
        let [smallest, middle, largest] = self.volumes.map(f64::cbrt);
        let sizes =
            format!("{smallest:.2e} to {largest:.2e} m across, half of them below {middle:.2e} m");
        line(&mut text, "surface", &format!("{} triangles", self.surface_triangles));
        line(&mut text, "splinters", &self.splinters.to_string());
        line(&mut text, "sizes", &sizes);
        let made = format!("{} vertices, {} triangles", self.vertices, self.triangles);
        line(&mut text, "made", &made);
        let volume = format!("{:.6e} m³, {:.1e} off the surface's", self.volume, self.volume_error);
        line(&mut text, "volume", &volume);
        let areas =
            format!("{:.4e} m² outside, {:.4e} m² cut faces", self.outside_area, self.inside_area);
        line(&mut text, "areas", &areas);
        line(&mut text, "cut in", &format!("{:.3} s", self.seconds));
        text
    }
}

fn line(text: &mut String, label: &str, value: &str) {
    let _ = writeln!(text, "  {label:16} {value}");
}
