//! Cuts wood into long splinters along a grain.

use glam::{DMat3, DVec3};
use pliant::geometry::Surface;
use pliant_mesh::geometry::Aabb;

use super::cells::voronoi_cells;
use super::config::{direction, length, not_too_many, share};
use super::cut::cut;
use super::random_sequence::RandomSequence;
use super::solid::Solid;
use super::voronoi::frame;
use super::{CutConfig, SplinterError, Splinters};

/// Settings of [`wood`].
///
/// ```
/// use glam::DVec3;
/// use pliant_mesher::splinters::WoodConfig;
///
/// assert!(WoodConfig { grain: DVec3::Y, ..WoodConfig::default() }.check().is_ok());
/// assert!(WoodConfig { grain: DVec3::ZERO, ..WoodConfig::default() }.check().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WoodConfig {
    /// The direction of the fibres; not zero (default: x).
    pub grain: DVec3,
    /// The length of a splinter, in m (default `0.3`).
    pub length: f64,
    /// The width of a splinter, in m (default `0.03`).
    pub width: f64,
    /// The irregularity of splinters, 0 to 1 (default `0.6`).
    pub jitter: f64,
    /// The seed of the random sites (default `1`).
    pub seed: u64,
}

impl Default for WoodConfig {
    fn default() -> Self {
        Self { grain: DVec3::X, length: 0.3, width: 0.03, jitter: 0.6, seed: 1 }
    }
}

impl WoodConfig {
    /// Checks every field.
    pub fn check(&self) -> Result<(), SplinterError> {
        direction("grain", self.grain, "")?;
        length("length", self.length)?;
        length("width", self.width)?;
        share("jitter", self.jitter, 1.0, "a number from 0 to 1")
    }
}

/// Cuts a closed surface into long, thin splinters along a grain.
///
/// They are Voronoi cells in a space compressed along the grain until splinters are as long as wide. Sites stand in
/// columns along the grain, and each column starts at a random offset, so that ends do not line up. Planes with a small
/// slope in the compressed space are steep in the real one: ends are long points between those of other splinters, and
/// breaks look torn.
///
/// # Errors
///
/// The surface is open, not manifold or without volume; a setting is out of range; there would be more than
/// [`MAX_SPLINTERS`](super::MAX_SPLINTERS).
pub fn wood(
    surface: &Surface,
    config: &WoodConfig,
    cutting: &CutConfig,
) -> Result<Splinters, SplinterError> {
    config.check()?;
    cutting.check()?;
    let solid = Solid::new(surface)?;
    let axes = frame(direction("grain", config.grain, "")?);
    let shortened = DVec3::new(1.0, 1.0, config.width / config.length);
    let m = DMat3::from_diagonal(shortened) * axes.transpose();
    let reach = Aabb::of(solid.points().map(|x| m * x));
    let sites = columns(&reach, config)?;
    let cells = voronoi_cells(&sites, m, &solid.bounds);
    Ok(cut(solid, &cells, axes, cutting))
}

/// Sites in a box of the compressed space, with the grain along z.
fn columns(reach: &Aabb, config: &WoodConfig) -> Result<Vec<DVec3>, SplinterError> {
    let WoodConfig { width, jitter, seed, .. } = *config;
    let sides = reach.high - reach.low;
    // Rows of columns, every second row shifted by half a width: a hexagonal pattern.
    let row = 0.5 * 3f64.sqrt() * width;
    let counts = (sides / DVec3::new(width, row, width)).ceil();
    not_too_many((counts + DVec3::new(1.0, 0.0, 1.0)).element_product())?;
    let mut random = RandomSequence::new(seed);
    let mut sites = Vec::new();
    let first = reach.low + 0.5 * (sides - DVec3::new(counts.x * width, counts.y * row, 0.0));
    for j in 0..counts.y as usize {
        let shift = 0.5 * (j % 2) as f64;
        for i in 0..=counts.x as usize - usize::from(j % 2 == 0) {
            let x = first.x + (i as f64 + 0.5 - shift + random.signed(0.4 * jitter)) * width;
            let y = first.y + (j as f64 + 0.5 + random.signed(0.4 * jitter)) * row;
            let mut z = reach.low.z + (random.unit() - 0.5) * width;
            while z < reach.high.z + 0.5 * width {
                let aside = 0.25 * jitter * width;
                sites.push(DVec3::new(x + random.signed(aside), y + random.signed(aside), z));
                z += width * (1.0 + random.signed(0.45 * jitter));
            }
        }
    }
    Ok(sites)
}
