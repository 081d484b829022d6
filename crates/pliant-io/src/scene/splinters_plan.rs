//! Splinters of a body: how they are cut and attached to its cells.

use std::ops::Range;

use glam::DVec3;
use pliant::body::{Place, Splinters};
use pliant::geometry::Surface;
use pliant::material::Material;
use pliant::mesh::Mesh;
use pliant_mesher::places;
use pliant_mesher::splinters::{
    self, Amount, BrickConfig, CutConfig, Flat, Pattern, VoronoiConfig, WoodConfig,
};

use crate::picture::corner_normals;

use super::check_body::colour;
use super::fault::Fault;
use super::problems::Problems;
use super::splinters_file::SplintersFile;

/// How the surface of a body is cut into splinters.
#[derive(Debug, Clone, PartialEq)]
pub struct SplintersPlan {
    /// The shape of the splinters.
    pub kind: SplinterKind,
    /// The settings of the cut faces.
    pub cut: CutConfig,
}

/// The shape of splinters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SplinterKind {
    /// Long and slender, along a grain.
    Wood(WoodConfig),
    /// Irregular chunks, as of stone, or shards of a pane of glass.
    Voronoi(VoronoiConfig),
    /// Courses of bricks.
    Brick(BrickConfig),
    /// The separate parts of the artist's surface.
    Parts,
}

/// The names of the kinds.
const KINDS: [&str; 5] = ["wood", "stone", "glass", "brick", "parts"];

/// Maximum distance of a splinter's centre from all cells, relative to the size of the body.
const FARTHEST: f64 = 0.05;

/// Checks `[body.splinters]`; wood runs along the grain of the material unless `along` is given.
pub(super) fn splinters(
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

/// Returns the surface with normals. With them a splinter is shaded smoothly across outer faces, but never between a
/// cut face and an outer face, however flat the angle between them.
fn smooth(surface: &Surface) -> Surface {
    let mut surface = surface.clone();
    if surface.normals.is_none() {
        let origin = surface.vertices.first().copied().unwrap_or_default();
        let points: Vec<_> = surface.vertices.iter().map(|x| (x - origin).as_vec3()).collect();
        let normals = corner_normals(&points, &surface.triangles);
        surface.normals =
            Some(normals.iter().map(|corners| corners.map(|n| n.as_dvec3())).collect());
    }
    surface
}

impl SplintersPlan {
    /// Cuts a surface, and attaches the splinters to the cells of a mesh; returns them with their surface.
    pub(super) fn make(
        &self,
        surface: &Surface,
        mesh: &Mesh,
    ) -> Result<(Splinters, Surface), Fault> {
        let smooth = || smooth(surface);
        let made = match &self.kind {
            SplinterKind::Wood(config) => splinters::wood(&smooth(), config, &self.cut)?,
            SplinterKind::Voronoi(config) => splinters::voronoi(&smooth(), config, &self.cut)?,
            SplinterKind::Brick(config) => splinters::brick(&smooth(), config, &self.cut)?,
            SplinterKind::Parts => splinters::parts(surface, &self.cut)?,
        };
        let found = places(mesh, &made.surface.vertices);
        let vertices: Vec<Place> = found.iter().map(|(place, _)| *place).collect();
        let centres: Vec<DVec3> = made.pieces.iter().map(|piece| piece.centre).collect();
        let middles = places(mesh, &centres);
        let (low, high) = mesh.bounds();
        let far = |(_, distance): &&(Place, f64)| *distance > FARTHEST * (high - low).length();
        if let Some((splinter, (_, distance))) =
            middles.iter().enumerate().find(|(_, found)| far(found))
        {
            let error = pliant::body::SplinterError::Outside { splinter, distance: *distance };
            return Err(Fault::Tied(error));
        }
        let middles: Vec<Place> = middles.into_iter().map(|(place, _)| place).collect();
        let pieces: Vec<Range<u32>> =
            made.pieces.iter().map(|piece| piece.vertices.clone()).collect();
        let triangles = &made.surface.triangles;
        let tied = Splinters::new(mesh, (&vertices, triangles), &pieces, &middles);
        Ok((tied.map_err(Fault::Tied)?, made.surface))
    }
}
