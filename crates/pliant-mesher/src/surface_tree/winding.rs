//! The generalised winding number of a surface.

use std::f64::consts::PI;

use glam::DVec3;

use super::triangle::solid_angle;
use super::{Content, Stack, SurfaceTree};

/// The far field of some triangles: a dipole.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Moment {
    /// The mean of the triangles' centroids, weighted by area.
    centre: DVec3,
    /// Sum of area times normal.
    dipole: DVec3,
    /// Sum of the areas.
    area: f64,
    /// The square of an upper bound of the distance of any point of the triangles to the centre.
    radius_squared: f64,
}

/// The ratio of distance to radius beyond which a dipole replaces triangles: β of Barill et al. 2018, who take 2 with
/// two more terms of the series. Measured on a ball, the error is 0.003 in the mean and 0.03 at worst; half of it costs
/// three times the time.
const FAR: f64 = 2.5;

impl Moment {
    pub(super) fn of_triangles(triangles: &[[DVec3; 3]]) -> Self {
        triangles.iter().fold(Self::default(), |sum, [a, b, c]| {
            let dipole = (b - a).cross(c - a) / 2.0;
            let area = dipole.length();
            sum.with(&Self { centre: (a + b + c) / 3.0, dipole, area, radius_squared: 0.0 })
        })
    }

    /// The sum of two moments; [`Self::reach_to`] sets the radius afterwards.
    pub(super) fn with(&self, other: &Self) -> Self {
        let area = self.area + other.area;
        let weighted = self.centre * self.area + other.centre * other.area;
        let centre = if area > 0.0 { weighted / area } else { other.centre };
        Self { centre, dipole: self.dipole + other.dipole, area, radius_squared: 0.0 }
    }

    /// Sets the radius of a ball around the centre that contains this box.
    pub(super) fn reach_to(&mut self, low: DVec3, high: DVec3) {
        let farthest = (self.centre - low).abs().max((high - self.centre).abs());
        self.radius_squared = farthest.length_squared();
    }

    /// N·(c − x) / |c − x|³, the solid angle of the dipole in sr; `None` if the point is too close (Barill et al.
    /// 2018).
    fn far_solid_angle(&self, point: DVec3) -> Option<f64> {
        let way = self.centre - point;
        let squared = way.length_squared();
        let far = squared > FAR * FAR * self.radius_squared && squared > 0.0;
        far.then(|| self.dipole.dot(way) / (squared * squared.sqrt()))
    }
}

impl SurfaceTree {
    /// Returns the generalised winding number: the solid angle of all triangles divided by 4π.
    ///
    /// It is 1 inside a closed surface whose triangles face outward, 0 outside, 2 inside two such surfaces, and −1
    /// inside a surface that faces inward. Across a hole it changes smoothly, so that the level ½ closes the hole.
    /// Triangles with wrong orientation disturb it only near themselves. Distant groups of triangles are approximated
    /// by one dipole, with an error of some hundredths at worst.
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
