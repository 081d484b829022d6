//! Hollows: closed surfaces within closed surfaces.

use std::f64::consts::PI;

use glam::DVec3;

use super::shell::Shell;

/// The connected parts of a closed surface, each with the walls of its hollows.
///
/// A part with negative volume faces inwards and bounds a hollow of the part around it. Parts smaller than `least`, in
/// m³, are rounding errors and are dropped.
pub(super) fn with_hollows(parts: Vec<Shell>, least: f64) -> Vec<Shell> {
    let (mut solid, mut walls) = (Vec::new(), Vec::new());
    for part in parts {
        let volume = part.volume();
        if volume > least {
            solid.push(part);
        } else if volume < -least {
            walls.push(part);
        }
    }
    let around: Vec<Option<usize>> = walls.iter().map(|wall| host(&solid, wall)).collect();
    for (wall, host) in walls.into_iter().zip(around) {
        match host {
            Some(host) => solid[host].absorb(wall),
            None => solid.push(wall),
        }
    }
    solid
}

/// The part around a wall: the smallest that contains a point of it; the largest of all if none does.
fn host(solid: &[Shell], wall: &Shell) -> Option<usize> {
    let point = *wall.points.first()?;
    let by_volume = |a: &usize, b: &usize| solid[*a].volume().total_cmp(&solid[*b].volume());
    // A part inside the hollow is no larger than the hollow, and is not around it.
    let larger = (0..solid.len()).filter(|k| solid[*k].volume() > -(1.0 + 1e-6) * wall.volume());
    let around = larger.filter(|k| solid[*k].winds_around(point));
    around.min_by(by_volume).or_else(|| (0..solid.len()).max_by(by_volume))
}

impl Shell {
    /// Adds another closed surface.
    pub(super) fn absorb(&mut self, other: Self) {
        let first = self.points.len() as u32;
        self.points.extend(other.points);
        self.facets.extend(other.facets.into_iter().map(|mut facet| {
            facet.corners = facet.corners.map(|vertex| vertex + first);
            facet
        }));
    }

    /// True if a point lies inside, by the solid angles of all triangles (Van Oosterom & Strackee 1983).
    fn winds_around(&self, point: DVec3) -> bool {
        if !self.bounds().contains(point) {
            return false;
        }
        let angle = |corners: [DVec3; 3]| {
            let [a, b, c] = corners.map(|corner| corner - point);
            let (la, lb, lc) = (a.length(), b.length(), c.length());
            let denominator = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
            2.0 * a.dot(b.cross(c)).atan2(denominator)
        };
        self.facets.iter().map(|facet| angle(self.at(facet))).sum::<f64>() > 2.0 * PI
    }
}
