//! Cuts stone and glass into Voronoi cells.

use glam::{DMat3, DVec3};

use pliant::geometry::Surface;

use super::cells::voronoi_cells;
use super::config::{direction, length, not_too_many, share};
use super::cut::cut;
use super::rings::ring_sites;
use super::scatter::Scatter;
use super::solid::Solid;
use super::{CutConfig, SplinterError, Splinters};

/// The number of splinters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Amount {
    /// About this many.
    Count(usize),
    /// As many as needed for splinters of about this size, in m.
    Size(f64),
}

/// The orientation of cells that run straight through a pane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Flat {
    /// Cells do not run through: they are as thick as they are wide.
    No,
    /// Cells run along this direction.
    Along(DVec3),
    /// Cells run along the direction that most of the surface faces: through a pane in any orientation.
    Thinnest,
}

/// The arrangement of sites.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pattern {
    /// Random.
    Scattered,
    /// On rings around the impact, or around the centre without one, with larger cells farther out: radial and circular
    /// cracks, as in a window that was hit. For panes: needs [`Flat`] cells.
    Rings,
}

/// A point of impact: splinters are smaller there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Impact {
    /// The point, in m.
    pub point: DVec3,
    /// The radius of the region with smaller splinters, in m.
    pub radius: f64,
    /// The ratio of the number of splinters per volume at the point to that far away, 1 to 1000.
    pub times: f64,
}

/// Settings of [`voronoi`].
///
/// ```
/// use glam::DVec3;
/// use pliant_mesher::splinters::{Flat, Impact, VoronoiConfig};
///
/// let hit = Impact { point: DVec3::ZERO, radius: 0.2, times: 20.0 };
/// let glass = VoronoiConfig { flat: Flat::Thinnest, impact: Some(hit), ..VoronoiConfig::of_count(200) };
/// assert!(glass.check().is_ok());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VoronoiConfig {
    /// The number of splinters (default `Count(100)`).
    pub amount: Amount,
    /// The seed of the random sites (default `1`).
    pub seed: u64,
    /// The point of impact with smaller splinters (default: none).
    pub impact: Option<Impact>,
    /// The direction in which cells run straight through (default `No`).
    pub flat: Flat,
    /// The arrangement of sites (default `Scattered`).
    pub pattern: Pattern,
}

impl Default for VoronoiConfig {
    fn default() -> Self {
        Self {
            amount: Amount::Count(100),
            seed: 1,
            impact: None,
            flat: Flat::No,
            pattern: Pattern::Scattered,
        }
    }
}

impl VoronoiConfig {
    /// Settings for about this many splinters.
    pub fn of_count(count: usize) -> Self {
        Self { amount: Amount::Count(count), ..Self::default() }
    }

    /// Checks every field.
    pub fn check(&self) -> Result<(), SplinterError> {
        match self.amount {
            Amount::Size(size) => length("size", size)?,
            Amount::Count(0) => {
                let expected = "at least one splinter";
                return Err(SplinterError::Setting { field: "count", value: 0.0, expected });
            }
            Amount::Count(count) => not_too_many(count as f64)?,
        }
        if let Flat::Along(along) = self.flat {
            direction("the direction through the pane", along, "")?;
        }
        if let Some(Impact { point, radius, times }) = self.impact {
            length("the impact's radius", radius)?;
            let expected = "a number from 1 to 1000";
            share("the impact's times", times - 1.0, 999.0, expected).map_err(|_| {
                SplinterError::Setting { field: "the impact's times", value: times, expected }
            })?;
            if !point.is_finite() {
                let expected = "finite coordinates";
                let value = point.to_array().into_iter().find(|x| !x.is_finite());
                let value = value.unwrap_or(f64::NAN);
                return Err(SplinterError::Setting {
                    field: "the impact's point",
                    value,
                    expected,
                });
            }
        }
        Ok(())
    }
}

/// Cuts a closed surface into the Voronoi cells of random sites: each point belongs to the nearest site.
///
/// # Errors
///
/// The surface is open, not manifold or without volume; a setting is out of range; there would be more than
/// [`MAX_SPLINTERS`](super::MAX_SPLINTERS).
pub fn voronoi(
    surface: &Surface,
    config: &VoronoiConfig,
    cutting: &CutConfig,
) -> Result<Splinters, SplinterError> {
    config.check()?;
    cutting.check()?;
    let solid = Solid::new(surface)?;
    let through = match config.flat {
        Flat::No => None,
        Flat::Along(along) => Some(direction("the direction through the pane", along, "")?),
        Flat::Thinnest => Some(facing(surface)),
    };
    let count = site_count(&solid, config.amount, through.is_some())?;
    // The projection along the direction through the pane.
    let m = through.map_or(DMat3::IDENTITY, |n| DMat3::IDENTITY - outer(n, n));
    let impact = config.impact.map(|hit| Impact { point: hit.point - solid.middle, ..hit });
    let sites = match (config.pattern, through) {
        (Pattern::Rings, Some(through)) => {
            let point = impact.map_or(DVec3::ZERO, |hit| hit.point);
            ring_sites(&solid.bounds, m * point, through, count, config.seed)
        }
        (Pattern::Rings, None) => {
            return Err(SplinterError::Setting {
                field: "thickness of cells in rings",
                value: f64::INFINITY,
                expected: "flat cells, straight through a pane",
            });
        }
        (Pattern::Scattered, _) => {
            let dimensions = if through.is_some() { 2.0 } else { 3.0 };
            let density = |x: DVec3| impact.map_or(1.0, |hit| hit.density(m * (x - hit.point)));
            Scatter::new(&solid, config.seed)?.sites(count, m, &density, dimensions)
        }
    };
    let cells = voronoi_cells(&distinct(sites), m, &solid.bounds);
    let axes = through.map_or(DMat3::IDENTITY, frame);
    Ok(cut(solid, &cells, axes, cutting))
}

impl Impact {
    /// The density of sites at this offset from the point, relative to that at the point.
    fn density(&self, away: DVec3) -> f64 {
        let near = (-0.5 * away.length_squared() / self.radius.powi(2)).exp();
        (1.0 + (self.times - 1.0) * near) / self.times
    }
}

/// The sites without duplicates.
fn distinct(mut sites: Vec<DVec3>) -> Vec<DVec3> {
    sites.sort_by(|a, b| {
        let axis = |k: usize| a[k].total_cmp(&b[k]);
        axis(0).then(axis(1)).then(axis(2))
    });
    sites.dedup();
    sites
}

/// The number of sites for splinters of a size. Each side of a pane has half the area.
fn site_count(solid: &Solid<'_>, amount: Amount, is_flat: bool) -> Result<usize, SplinterError> {
    let count = match amount {
        Amount::Count(count) => count as f64,
        Amount::Size(size) if is_flat => 0.5 * solid.area() / size.powi(2),
        Amount::Size(size) => solid.volume / size.powi(3),
    };
    not_too_many(count)?;
    Ok((count.round() as usize).max(1))
}

/// The direction that most of a surface faces: the eigenvector of the largest eigenvalue of Σ A n nᵀ, by power
/// iteration.
fn facing(surface: &Surface) -> DVec3 {
    let mut sum = DMat3::ZERO;
    for [a, b, c] in surface.corners() {
        let normal = (b - a).cross(c - a);
        let area = normal.length();
        if area > 0.0 {
            sum += outer(normal / area, normal);
        }
    }
    let start = [sum.x_axis, sum.y_axis, sum.z_axis]
        .into_iter()
        .max_by(|a, b| a.length_squared().total_cmp(&b.length_squared()))
        .unwrap_or(DVec3::Z);
    (0..100).fold(start.normalize_or(DVec3::Z), |n, _| (sum * n).normalize_or(n))
}

/// The outer product a bᵀ.
fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(b.x * a, b.y * a, b.z * a)
}

/// An orthonormal, right-handed basis with a given last axis.
pub(super) fn frame(last: DVec3) -> DMat3 {
    let (x, y) = last.any_orthonormal_pair();
    let x = if x.cross(y).dot(last) > 0.0 { x } else { -x };
    DMat3::from_cols(x, y, last)
}
