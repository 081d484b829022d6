//! Random sites in a solid.

use glam::{DMat3, DVec3};
use pliant_mesh::geometry::Aabb;

use crate::SurfaceTree;

use super::SplinterError;
use super::random_sequence::RandomSequence;
use super::solid::Solid;

/// The number of candidates for each site; the one farthest from all other sites is taken (Mitchell 1991).
const CANDIDATES: usize = 5;

/// The number of random points of the box to try before one is generated from the surface: a solid may fill little of
/// its box.
const MAX_TRIES: usize = 64;

/// A generator of random points in a solid, with a given density.
#[derive(Debug)]
pub(super) struct Scatter<'a> {
    solid: &'a Solid<'a>,
    tree: SurfaceTree,
    /// The cumulative areas of the triangles, times two.
    areas: Vec<f64>,
    random: RandomSequence,
}

impl<'a> Scatter<'a> {
    pub(super) fn new(solid: &'a Solid<'a>, seed: u64) -> Result<Self, SplinterError> {
        let tree = SurfaceTree::new(solid.surface)?;
        let mut sum = 0.0;
        let area = |[a, b, c]: [DVec3; 3]| {
            sum += (b - a).cross(c - a).length();
            sum
        };
        let areas = solid.surface.corners().map(area).collect();
        Ok(Self { solid, tree, areas, random: RandomSequence::new(seed) })
    }

    /// Generates `count` sites, mapped by M.
    ///
    /// `density` returns the density relative to its maximum, and `dimensions` is the number of directions in which
    /// sites differ.
    pub(super) fn sites(
        &mut self,
        count: usize,
        m: DMat3,
        density: &dyn Fn(DVec3) -> f64,
        dimensions: f64,
    ) -> Vec<DVec3> {
        let mut sites: Vec<DVec3> = Vec::with_capacity(count);
        for _ in 0..count {
            let mut best = (f64::NEG_INFINITY, DVec3::ZERO);
            for _ in 0..CANDIDATES {
                let x = self.candidate(density);
                let site = m * x;
                let gaps = sites.iter().map(|other| site.distance_squared(*other));
                let gap = gaps.fold(f64::INFINITY, f64::min).sqrt();
                let score = gap * density(x).powf(1.0 / dimensions);
                if score > best.0 {
                    best = (score, site);
                }
            }
            sites.push(best.1);
        }
        sites
    }

    /// A point inside, sampled in proportion to the density.
    fn candidate(&mut self, density: &dyn Fn(DVec3) -> f64) -> DVec3 {
        let mut x = self.inside();
        for _ in 0..MAX_TRIES {
            if self.random.unit() < density(x) {
                break;
            }
            x = self.inside();
        }
        x
    }

    /// A point inside.
    fn inside(&mut self) -> DVec3 {
        let bounds: Aabb = self.solid.bounds;
        for _ in 0..MAX_TRIES {
            let x = self.random.point(&bounds);
            if self.tree.winding(x + self.solid.middle) > 0.5 {
                return x;
            }
        }
        self.below_the_surface()
    }

    /// A point on the segment from a random point of the surface straight inward to the other side.
    fn below_the_surface(&mut self) -> DVec3 {
        let total = self.areas.last().copied().unwrap_or_default();
        let share = self.random.unit() * total;
        let triangle = self.areas.partition_point(|sum| *sum <= share).min(self.areas.len() - 1);
        let surface = self.solid.surface;
        let [a, b, c] = surface.triangles[triangle].map(|vertex| surface.vertices[vertex as usize]);
        let (mut v, mut w) = (self.random.unit(), self.random.unit());
        if v + w > 1.0 {
            (v, w) = (1.0 - v, 1.0 - w);
        }
        let start = a + v * (b - a) + w * (c - a);
        let inward = -(b - a).cross(c - a).normalize_or_zero();
        let skin = 1e-9 * self.solid.size;
        let hit = self.tree.along(start + skin * inward, inward, self.solid.size);
        let depth = hit.map_or(0.0, |hit| hit.distance + skin);
        start + self.random.unit() * depth * inward - self.solid.middle
    }
}
