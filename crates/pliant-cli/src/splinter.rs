//! `pliant splinter`.

use std::path::Path;
use std::time::Instant;

use anyhow::Result;
use glam::DVec3;
use pliant::geometry::{Shape, Surface};
use pliant_io::glb::{AnimatedSurface, Animation, write_glb};
use pliant_io::picture::Colour;
use pliant_io::surface::write_surface;
use pliant_mesher::splinters::{
    Amount, BrickConfig, CutConfig, Flat, Impact, Pattern, SplinterError, Splinters, VoronoiConfig,
    WoodConfig, brick, parts, voronoi, wood,
};

use crate::args::{SplinterArgs, SplinterKind, Vector, sides};
use crate::failure::BadInput;
use crate::mesh_surface::surface_of;
use crate::progress::spinner;
use crate::splinter_picture::draw;
use crate::splinter_report::SplinterReport;
use crate::terminal::print;

/// Cuts a surface into splinters, reports on them, and writes the requested files.
pub(crate) fn splinter(args: &SplinterArgs) -> Result<()> {
    check(args)?;
    let surface = input_surface(&args.surface)?;
    let wait = spinner();
    wait.set_message("cutting");
    let begin = Instant::now();
    let made = make(&surface, args);
    let seconds = begin.elapsed().as_secs_f64();
    wait.finish_and_clear();
    let splinters =
        made.map_err(|error| BadInput(format!("{}: {error}", args.surface.display())))?;
    let name = args.surface.display().to_string();
    let report = SplinterReport::new(name, &surface, &splinters, seconds);
    let mut text = match args.json {
        true => format!("{}\n", serde_json::to_string(&report)?),
        false => report.to_text(),
    };
    if let Some(path) = &args.output {
        write(path, &splinters, outside(args.kind))?;
        report_written(path, args, &mut text);
    }
    if let Some(path) = &args.picture {
        draw(path, &splinters, outside(args.kind), args.apart)?;
        report_written(path, args, &mut text);
    }
    print(&text)
}

fn report_written(path: &Path, args: &SplinterArgs, text: &mut String) {
    if !args.json {
        *text += &format!("wrote {}\n", path.display());
    }
}

/// Reads a surface by its file or name, or makes a box from its sides.
fn input_surface(file: &Path) -> Result<Surface> {
    let sides = file.to_str().filter(|_| !file.exists()).and_then(|text| sides(text).ok());
    let Some(Vector(sides)) = sides else { return surface_of(file) };
    let half = 0.5 * DVec3::from(sides);
    let mut surface =
        Shape::Box { half }.surface(1).map_err(|error| BadInput(error.to_string()))?;
    // The box stands on the ground, like the figures of the gallery.
    surface.vertices.iter_mut().for_each(|x| x.y += half.y);
    Ok(surface)
}

/// Rejects options that do not apply to the kind.
fn check(args: &SplinterArgs) -> Result<()> {
    use SplinterKind::{Brick, Glass, Parts, Voronoi, Wood};
    let SplinterArgs { kind, count, size, impact, radius, grain, length, width, .. } = args;
    let SplinterArgs { brick, along, up, .. } = args;
    let random = matches!(kind, Voronoi | Glass);
    let wrong = match kind {
        _ if !random && (count.is_some() || size.is_some()) => {
            let instead = match kind {
                Wood => "; give --length and --width",
                Brick => "; give --brick",
                _ => "",
            };
            Some(format!("--count and --size are for --kind voronoi and glass{instead}"))
        }
        _ if !random && impact.is_some() => {
            Some("--impact is for --kind voronoi and glass".to_owned())
        }
        Glass if radius.is_some() => Some("--radius is for --kind voronoi".to_owned()),
        Voronoi | Glass | Brick | Parts
            if grain.is_some() || length.is_some() || width.is_some() =>
        {
            Some("--grain, --length and --width are for --kind wood".to_owned())
        }
        Voronoi | Glass | Wood | Parts if brick.is_some() || along.is_some() || up.is_some() => {
            Some("--brick, --along and --up are for --kind brick".to_owned())
        }
        _ => None,
    };
    wrong.map_or(Ok(()), |what| Err(BadInput(what).into()))
}

fn make(surface: &Surface, args: &SplinterArgs) -> Result<Splinters, SplinterError> {
    let [r, g, b] = args.inside.unwrap_or_else(|| inside(args.kind));
    let Colour { r, g, b } = Colour::from_srgb([r, g, b]);
    let cutting = CutConfig { sliver: args.sliver, ..CutConfig::coloured([r, g, b, 1.0]) };
    match args.kind {
        SplinterKind::Voronoi | SplinterKind::Glass => {
            voronoi(surface, &voronoi_config(surface, args), &cutting)
        }
        SplinterKind::Wood => wood(surface, &wood_config(surface, args), &cutting),
        SplinterKind::Brick => brick(surface, &brick_config(args), &cutting),
        SplinterKind::Parts => parts(surface, &cutting),
    }
}

fn voronoi_config(surface: &Surface, args: &SplinterArgs) -> VoronoiConfig {
    let default = VoronoiConfig { seed: args.seed, ..VoronoiConfig::default() };
    let amount = match (args.size, args.count) {
        (Some(size), _) => Amount::Size(size),
        (None, Some(count)) => Amount::Count(count as usize),
        (None, None) => default.amount,
    };
    let (low, high) = surface.bounds();
    let radius = args.radius.unwrap_or(0.1 * (high - low).length());
    let impact = args.impact.map(|Vector(at)| Impact { point: at.into(), radius, times: 30.0 });
    let (flat, pattern) = match args.kind {
        SplinterKind::Glass => (Flat::Thinnest, Pattern::Rings),
        _ => (Flat::No, Pattern::Scattered),
    };
    VoronoiConfig { amount, impact, flat, pattern, ..default }
}

fn wood_config(surface: &Surface, args: &SplinterArgs) -> WoodConfig {
    let (low, high) = surface.bounds();
    let sides = high - low;
    let longest = sides.max_element();
    let axes = [DVec3::X, DVec3::Y, DVec3::Z];
    let along = axes.into_iter().find(|axis| sides.dot(*axis) == longest).unwrap_or(DVec3::X);
    let length = args.length.unwrap_or(longest / 7.0);
    WoodConfig {
        grain: args.grain.map_or(along, |Vector(grain)| grain.into()),
        length,
        width: args.width.unwrap_or(length / 12.0),
        seed: args.seed,
        ..WoodConfig::default()
    }
}

fn brick_config(args: &SplinterArgs) -> BrickConfig {
    let default = BrickConfig { seed: args.seed, ..BrickConfig::default() };
    let Vector([length, height, depth]) =
        args.brick.unwrap_or(Vector([default.length, default.height, default.depth]));
    BrickConfig {
        length,
        height,
        depth,
        along: args.along.map_or(default.along, |Vector(along)| along.into()),
        up: args.up.map_or(default.up, |Vector(up)| up.into()),
        ..default
    }
}

/// Colour of the outside if the surface has none.
fn outside(kind: SplinterKind) -> Colour {
    Colour::from_srgb(match kind {
        SplinterKind::Voronoi | SplinterKind::Parts => [0x9d, 0xa0, 0xa3],
        SplinterKind::Glass => [0xc4, 0xde, 0xdc],
        SplinterKind::Wood => [0xa8, 0x74, 0x45],
        SplinterKind::Brick => [0xa9, 0x52, 0x3d],
    })
}

/// Default colour of the cut faces.
fn inside(kind: SplinterKind) -> [u8; 3] {
    match kind {
        SplinterKind::Voronoi | SplinterKind::Parts => [0xd8, 0xcf, 0xbd],
        SplinterKind::Glass => [0x6f, 0xb3, 0xa4],
        SplinterKind::Wood => [0xe3, 0xc0, 0x8f],
        SplinterKind::Brick => [0xd3, 0x86, 0x68],
    }
}

/// Writes a GLB with one node for each splinter, or a surface file that contains all of them.
fn write(path: &Path, splinters: &Splinters, colour: Colour) -> Result<()> {
    let is_glb = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("glb"));
    if !is_glb {
        return Ok(write_surface(path, &splinters.surface)?);
    }
    let body = |index: usize| {
        let piece = splinters.piece(index);
        let mut body = AnimatedSurface::of(&format!("splinter {index}"), colour, &piece);
        body.frames.push(piece.vertices);
        body
    };
    let bodies = (0..splinters.pieces.len()).map(body).collect();
    Ok(write_glb(path, &Animation { dt: 1.0, normals: true, bodies })?)
}
