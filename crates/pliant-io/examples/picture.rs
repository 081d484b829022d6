//! Draws a surface file, or with `--bar` a bar that swings, into a PNG.
//!
//! ```text
//! cargo run --release --example picture -- cow.obj cow.png
//! cargo run --release --example picture -- --bar bar.png
//! ```

use std::error::Error;
use std::path::Path;

use glam::DVec3;
use pliant_io::picture::{
    Colour, ColourMap, Image, Legend, Paint, Picture, PictureConfig, SceneView, SurfaceView,
    write_apng,
};
use pliant_io::surface::{Surface, read_surface};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--bar", output] => draw_bar(Path::new(output)),
        [input, output] => draw_file(Path::new(input), Path::new(output)),
        _ => Err("usage: picture (SURFACE | --bar) OUTPUT.png".into()),
    }
}

fn draw_file(input: &Path, output: &Path) -> Result<(), Box<dyn Error>> {
    let surface = read_surface(input)?;
    let picture = Picture::new(&PictureConfig::default(), surface.vertices.iter().copied())?;
    let paint = Paint::Plain(Colour::of_body(0));
    let body = SurfaceView { vertices: &surface.vertices, triangles: &surface.triangles, paint };
    let image = picture.render(&SceneView { surfaces: vec![body], ..Default::default() });
    Ok(image.write_png(output)?)
}

const FRAMES: usize = 60;
const LENGTH: f64 = 1.2;
const HALF: f64 = 0.1;

/// A bar bent to an arc that swings once up and down, coloured by its stretch.
fn draw_bar(output: &Path) -> Result<(), Box<dyn Error>> {
    let bends: Vec<f64> = (0..FRAMES)
        .map(|frame| 0.9 + 0.6 * (std::f64::consts::TAU * frame as f64 / FRAMES as f64).sin())
        .collect();
    let all: Vec<Bar> = bends.iter().map(|bend| Bar::new(*bend)).collect();
    let points = all.iter().flat_map(|bar| bar.surface.vertices.iter().copied());
    let picture = Picture::new(&PictureConfig::default(), points)?;
    let images: Vec<Image> = all.iter().map(|bar| bar.render(&picture)).collect();
    Ok(write_apng(output, &images, 30.0)?)
}

struct Bar {
    surface: Surface,
    stretch: Vec<f64>,
    edges: Vec<Vec<DVec3>>,
}

const CELLS: usize = 8;
const FINE: usize = 6;

impl Bar {
    fn new(bend: f64) -> Self {
        let mut bar = Self { surface: Surface::default(), stretch: Vec::new(), edges: Vec::new() };
        for side in 0..4 {
            bar.side(bend, side);
        }
        bar.end(bend, 0.0);
        bar.end(bend, 1.0);
        bar
    }

    /// Places a point of the straight bar on the arc.
    fn place(bend: f64, s: f64, y: f64, z: f64) -> DVec3 {
        let radius = LENGTH / bend;
        let angle = s * bend;
        DVec3::new((radius + y) * angle.sin(), (radius + y) * angle.cos() - radius, z)
    }

    /// Corners of the section, in order.
    fn section(t: f64) -> (f64, f64) {
        let corners = [(HALF, HALF), (HALF, -HALF), (-HALF, -HALF), (-HALF, HALF), (HALF, HALF)];
        let k = (t.floor() as usize).min(3);
        let f = t - k as f64;
        let ((a, b), (c, d)) = (corners[k], corners[k + 1]);
        (a + (c - a) * f, b + (d - b) * f)
    }

    fn side(&mut self, bend: f64, side: usize) {
        let (n, m) = (CELLS * FINE, 2 * FINE);
        self.patch(n, m, |u, v| {
            let (y, z) = Self::section(side as f64 + v);
            (Self::place(bend, u, y, z), y)
        });
        for k in 0..=CELLS {
            self.line(m, |v| {
                let (y, z) = Self::section(side as f64 + v);
                Self::place(bend, k as f64 / CELLS as f64, y, z)
            });
        }
        for v in [0.0, 0.5] {
            let (y, z) = Self::section(side as f64 + v);
            self.line(n, |u| Self::place(bend, u, y, z));
        }
    }

    fn end(&mut self, bend: f64, s: f64) {
        let flip = 1.0 - 2.0 * s;
        self.patch(2 * FINE, 2 * FINE, |u, v| {
            let (y, z) = (HALF * (2.0 * u - 1.0), flip * HALF * (2.0 * v - 1.0));
            (Self::place(bend, s, y, z), y)
        });
        for (y, z) in [(1.0, 0.0), (0.0, 1.0)] {
            self.line(4, |u| {
                Self::place(bend, s, y * HALF * (2.0 * u - 1.0), z * HALF * (2.0 * u - 1.0))
            });
        }
    }

    fn line(&mut self, n: usize, at: impl Fn(f64) -> DVec3) {
        self.edges.push((0..=n).map(|k| at(k as f64 / n as f64)).collect());
    }

    fn patch(&mut self, n: usize, m: usize, at: impl Fn(f64, f64) -> (DVec3, f64)) {
        let first = self.surface.vertices.len() as u32;
        for i in 0..=n {
            for j in 0..=m {
                let (point, y) = at(i as f64 / n as f64, j as f64 / m as f64);
                self.surface.vertices.push(point);
                self.stretch.push(y);
            }
        }
        let index = |i: usize, j: usize| first + (i * (m + 1) + j) as u32;
        for (i, j) in (0..n).flat_map(|i| (0..m).map(move |j| (i, j))) {
            let [a, b, c, d] = [index(i, j), index(i + 1, j), index(i + 1, j + 1), index(i, j + 1)];
            self.surface.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }

    fn render(&self, picture: &Picture) -> Image {
        let map = ColourMap::Sequential;
        let colours = map.colours(&self.stretch, -HALF, HALF);
        let surface = SurfaceView {
            vertices: &self.surface.vertices,
            triangles: &self.surface.triangles,
            paint: Paint::PerVertex(&colours),
        };
        picture.render(&SceneView {
            surfaces: vec![surface],
            lines: self.edges.iter().map(Vec::as_slice).collect(),
            legend: Some(Legend { title: "stretch (%)".into(), low: -12.5, high: 12.5, map }),
        })
    }
}
