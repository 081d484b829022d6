//! Triangulates polygons by ear clipping.

use glam::DVec2;

/// The tolerance of areas in ear tests, relative to the square of the polygon's size: a corner just outside an ear
/// still blocks it.
const AREA_TOLERANCE: f64 = 1e-13;

/// Cuts a simple polygon into triangles, the best-shaped ear first.
pub(super) fn clip_ears(points: &[DVec2], ring: &[u32], triangles: &mut Vec<[u32; 3]>) {
    let mut polygon = Ears::new(points, ring);
    for _ in 3..ring.len() {
        triangles.push(polygon.cut());
    }
    if ring.len() > 2 {
        triangles.push(polygon.last());
    }
}

/// The remaining polygon, as a linked list.
struct Ears<'a> {
    points: &'a [DVec2],
    ring: &'a [u32],
    before: Vec<usize>,
    after: Vec<usize>,
    /// The quality of the ear at each corner; `None` if it is not an ear or was cut off.
    quality: Vec<Option<f64>>,
    /// True while a corner remains.
    left: Vec<bool>,
    tolerance: f64,
}

impl<'a> Ears<'a> {
    fn new(points: &'a [DVec2], ring: &'a [u32]) -> Self {
        let n = ring.len();
        let origin = ring.first().map_or(DVec2::ZERO, |k| points[*k as usize]);
        let reach = ring.iter().map(|k| origin.distance_squared(points[*k as usize]));
        let mut ears = Self {
            points,
            ring,
            before: (0..n).map(|k| (k + n - 1) % n).collect(),
            after: (0..n).map(|k| (k + 1) % n).collect(),
            quality: vec![None; n],
            left: vec![true; n],
            tolerance: AREA_TOLERANCE * reach.fold(0.0, f64::max),
        };
        ears.judge_all();
        ears
    }

    fn judge_all(&mut self) {
        for corner in 0..self.ring.len() {
            self.quality[corner] = if self.left[corner] { self.judged(corner) } else { None };
        }
    }

    fn at(&self, corner: usize) -> DVec2 {
        self.points[self.ring[corner] as usize]
    }

    /// A corner and its neighbours.
    fn ear(&self, corner: usize) -> [usize; 3] {
        [self.before[corner], corner, self.after[corner]]
    }

    /// Twice the signed area of the ear at a corner; negative at reflex corners.
    fn turn(&self, corner: usize) -> f64 {
        let [a, b, c] = self.ear(corner).map(|k| self.at(k));
        (b - a).perp_dot(c - b)
    }

    /// The quality of an ear: twice its area over the square of the longest side. `None` if the corner is reflex or
    /// another corner lies in the ear.
    fn judged(&self, corner: usize) -> Option<f64> {
        let turn = self.turn(corner);
        if turn <= self.tolerance {
            return None;
        }
        let ear = self.ear(corner);
        let names = ear.map(|k| self.ring[k]);
        let [a, b, c] = ear.map(|k| self.at(k));
        let beside = |p: DVec2, q: DVec2, x: DVec2| (q - p).perp_dot(x - p) >= -self.tolerance;
        // Only corners that are not convex can block an ear: if any corner lies in it, one of those does.
        let spoils = |k: usize| {
            let x = self.at(k);
            !names.contains(&self.ring[k])
                && beside(a, b, x)
                && beside(b, c, x)
                && beside(c, a, x)
                && self.turn(k) <= self.tolerance
        };
        let mut k = self.after[ear[2]];
        while k != ear[0] {
            if spoils(k) {
                return None;
            }
            k = self.after[k];
        }
        let side = a.distance_squared(b).max(b.distance_squared(c)).max(c.distance_squared(a));
        Some(turn / side)
    }

    /// Cuts off the best ear.
    fn cut(&mut self) -> [u32; 3] {
        let corner = self.best().or_else(|| {
            // A blocked ear may have become free as others were cut off.
            self.judge_all();
            self.best()
        });
        let corner = corner.unwrap_or_else(|| self.least_bad());
        let [a, b, c] = self.ear(corner);
        self.left[b] = false;
        self.quality[b] = None;
        (self.after[a], self.before[c]) = (c, a);
        for neighbour in [a, c] {
            self.quality[neighbour] = self.judged(neighbour);
        }
        [a, b, c].map(|k| self.ring[k])
    }

    fn best(&self) -> Option<usize> {
        let rated =
            self.quality.iter().enumerate().filter_map(|(k, quality)| Some((k, (*quality)?)));
        rated.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0))).map(|(k, _)| k)
    }

    /// The corner with the smallest triangle, if there are no ears.
    fn least_bad(&self) -> usize {
        let present = (0..self.ring.len()).filter(|k| self.left[*k]);
        let size = |k: &usize| self.turn(*k).abs();
        present.min_by(|a, b| size(a).total_cmp(&size(b))).unwrap_or(0)
    }

    fn last(&self) -> [u32; 3] {
        let corner = self.left.iter().position(|left| *left).unwrap_or(0);
        self.ear(corner).map(|k| self.ring[k])
    }
}
