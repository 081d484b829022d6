//! How often a surface winds around a point.

use std::f64::consts::PI;

use glam::DVec3;

use super::triangle::solid_angle;
use super::{Content, Stack, SurfaceTree};

/// What triangles look like from far away: a dipole.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Moment {
    /// Mean of the triangles, weighted by area.
    centre: DVec3,
    /// Sum of area times normal.
    dipole: DVec3,
    /// Sum of the areas.
    area: f64,
    /// No point of them is farther from the centre; squared.
    radius_squared: f64,
}

/// A dipole stands for triangles that are farther away than this many times their radius: β of
/// Barill et al. 2018, who take 2 with two more terms of the series. Measured on a ball, the error is 0.003 in the
/// mean and 0.03 at worst; half of it costs three times the time.
const FAR: f64 = 2.5;

impl Moment {
    pub(super) fn of_triangles(triangles: &[[DVec3; 3]]) -> Self {
        triangles.iter().fold(Self::default(), |sum, [a, b, c]| {
            let dipole = (b - a).cross(c - a) / 2.0;
            let area = dipole.length();
            sum.with(&Self { centre: (a + b + c) / 3.0, dipole, area, radius_squared: 0.0 })
        })
    }

    /// Both together; the radius is left to [`Self::reach_to`].
    pub(super) fn with(&self, other: &Self) -> Self {
        let area = self.area + other.area;
        let weighted = self.centre * self.area + other.centre * other.area;
        let centre = if area > 0.0 { weighted / area } else { other.centre };
        Self { centre, dipole: self.dipole + other.dipole, area, radius_squared: 0.0 }
    }

    /// Sets the radius so that the ball holds this box.
    pub(super) fn reach_to(&mut self, low: DVec3, high: DVec3) {
        let farthest = (self.centre - low).abs().max((high - self.centre).abs());
        self.radius_squared = farthest.length_squared();
    }

    /// N·(c − x) / |c − x|³, the solid angle of the dipole in sr, if it is far enough away.
    fn far_solid_angle(&self, point: DVec3) -> Option<f64> {
        let way = self.centre - point;
        let squared = way.length_squared();
        let far = squared > FAR * FAR * self.radius_squared && squared > 0.0;
        far.then(|| self.dipole.dot(way) / (squared * squared.sqrt()))
    }
}

impl SurfaceTree {
    /// The generalised winding number: the solid angle of all triangles, in full turns.
    ///
    /// Inside a closed surface whose triangles look outward it is 1, outside 0, inside two such
    /// surfaces 2, inside one that looks inward −1. Where a surface is open it changes smoothly across
    /// the hole, so that a half closes it. Triangles turned the wrong way disturb it near themselves
    /// only. Far groups of triangles are taken as one dipole, an error of some
    /// hundredths at worst.
    ///
    /// Jacobson et al. 2013; Barill et al. 2018.
    pub fn winding(&self, point: DVec3) -> f64 {
        let mut sum = 0.0;
        let mut stack = Stack::new(0u32);
        while let Some(index) = stack.pop() {
            if let Some(angle) = self.moments[index as usize].far_solid_angle(point) {
                sum += angle;
                continue;
            }
            match self.nodes[index as usize].content {
                Content::Leaf { start, end } => {
                    let triangles = &self.corners[start as usize..end as usize];
                    sum += triangles.iter().map(|t| solid_angle(t, point)).sum::<f64>();
                }
                Content::Branch { right } => {
                    stack.push(right);
                    stack.push(index + 1);
                }
            }
        }
        sum / (4.0 * PI)
    }
}
