//! Checks of splinters.

use glam::DVec3;
use pliant::material::Material;
use pliant_mesher::splinters::{
    Amount, BrickConfig, CutConfig, Flat, Pattern, VoronoiConfig, WoodConfig,
};

use crate::scene::check::colour::colour;
use crate::scene::check::problems::Problems;
use crate::scene::file::splinters::SplintersFile;
use crate::scene::plan::splinters::{SplinterKind, SplintersPlan};

/// The names of the kinds.
const KINDS: [&str; 5] = ["wood", "stone", "glass", "brick", "parts"];

/// Checks `[body.splinters]`; wood runs along the grain of the material unless `along` is given.
pub(crate) fn splinters(
    file: &SplintersFile,
    material: &Material,
    problems: &mut Problems,
) -> Option<SplintersPlan> {
    let kinds: Vec<(&str, usize)> = KINDS.into_iter().zip(0..).collect();
    let kind = problems.choice("kind of splinters", &file.kind, &kinds);
    let grain = material.toughness.and_then(|toughness| toughness.grain).map(|grain| grain.along);
    let along = match &file.along {
        Some(along) => problems.direction("along", along),
        None => Some(grain.unwrap_or(DVec3::X)),
    };
    let count = file
        .count
        .as_ref()
        .map(|count| problems.whole("count", count, 1..20_001, "a whole number from 1 to 20000"));
    let seed = file.seed.as_ref().map_or(1, |seed| *seed.get_ref() as u64);
    // Every length is checked, even if the kind of splinters does not use it.
    let mut length = |key, number: &Option<_>, default| problems.positive_or(key, number, default);
    let (wood, brick) = (WoodConfig::default(), BrickConfig::default());
    let size = length("size", &file.size, 0.1);
    let width = length("width", &file.width, wood.width);
    let height = length("height", &file.height, brick.height);
    let depth = length("depth", &file.depth, brick.depth);
    let long = if kind == Some(0) { wood.length } else { brick.length };
    let length = length("length", &file.length, long);
    let amount = match count {
        Some(count) => Amount::Count(count? as usize),
        None if file.size.is_some() => Amount::Size(size?),
        None => Amount::Count(200),
    };
    let inside = file.colour.as_ref().map(|word| colour(word, problems));
    let cut = match inside {
        Some(colour) => CutConfig::coloured(linear(colour?)),
        None => CutConfig::default(),
    };
    let voronoi = VoronoiConfig { amount, seed, ..VoronoiConfig::default() };
    let kind = match kind? {
        0 => SplinterKind::Wood(WoodConfig {
            grain: along?,
            length: length?,
            width: width?,
            seed,
            ..wood
        }),
        1 => SplinterKind::Voronoi(voronoi),
        2 => {
            let (flat, pattern) = (Flat::Thinnest, Pattern::Rings);
            SplinterKind::Voronoi(VoronoiConfig { flat, pattern, ..voronoi })
        }
        3 => {
            let (length, height, depth) = (length?, height?, depth?);
            SplinterKind::Brick(BrickConfig { length, height, depth, along: along?, seed, ..brick })
        }
        _ => SplinterKind::Parts,
    };
    Some(SplintersPlan { kind, cut })
}

/// Converts sRGB to linear red, green, blue and opacity.
fn linear(srgb: [u8; 3]) -> [f32; 4] {
    let channel = |byte: u8| (f32::from(byte) / 255.0).powf(2.2);
    [channel(srgb[0]), channel(srgb[1]), channel(srgb[2]), 1.0]
}
