//! The generalised winding number of a surface.

use std::f64::consts::PI;

use glam::DVec3;
use pliant_kernels::math::Rows;
use pliant_mesh::geometry::{Aabb, Tree};

use super::{SurfaceTree, Triangle};

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
const FAR_RATIO: f64 = 2.5;

impl Moment {
    fn of_triangles(triangles: &[Triangle]) -> Self {
        triangles.iter().fold(Self::default(), |sum, Triangle { corners: [a, b, c], .. }| {
            let dipole = (b - a).cross(c - a) / 2.0;
            let area = dipole.length();
            sum.with(&Self { centre: (a + b + c) / 3.0, dipole, area, radius_squared: 0.0 })
        })
    }

    /// The sum of two moments; [`Self::reaching`] sets the radius afterwards.
    fn with(&self, other: &Self) -> Self {
        let area = self.area + other.area;
        let weighted = self.centre * self.area + other.centre * other.area;
        let centre = if area > 0.0 { weighted / area } else { other.centre };
        Self { centre, dipole: self.dipole + other.dipole, area, radius_squared: 0.0 }
    }

    /// The moment with the radius of a ball around the centre that contains this box.
    fn reaching(self, bounds: &Aabb) -> Self {
        let farthest = (self.centre - bounds.low).abs().max((bounds.high - self.centre).abs());
        Self { radius_squared: farthest.length_squared(), ..self }
    }

    /// N·(c − x) / |c − x|³, the solid angle of the dipole in sr; `None` if the point is too close (Barill et al.
    /// 2018).
    fn far_solid_angle(&self, point: DVec3) -> Option<f64> {
        let way = self.centre - point;
        let squared = way.length_squared();
        let far = squared > FAR_RATIO * FAR_RATIO * self.radius_squared && squared > 0.0;
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
        self.tree.descend(|node, leaf| {
            let far = self.moments[node].far_solid_angle(point);
            let near = || {
                let triangles = self.leaves.row(leaf? as usize).iter();
                Some(triangles.map(|t| solid_angle(&t.corners, point)).sum::<f64>())
            };
            let angle = far.or_else(near);
            sum += angle.unwrap_or(0.0);
            angle.is_none()
        });
        sum / (4.0 * PI)
    }
}

/// The moments of all nodes of a tree.
pub(super) fn moments(tree: &Tree, leaves: &Rows<Triangle>) -> Vec<Moment> {
    let of_leaf = |leaf: u32| Moment::of_triangles(leaves.row(leaf as usize));
    tree.sums(of_leaf, Moment::with, Moment::reaching)
}

/// The solid angle of a triangle seen from `point`, in sr; positive if `point` is behind the triangle.
///
/// ```text
/// tan(Ω/2) = det(a, b, c) / (|a||b||c| + (a·b)|c| + (b·c)|a| + (c·a)|b|)
/// ```
///
/// Van Oosterom & Strackee 1983, eq. 8; a, b, c are relative to the point.
fn solid_angle(corners: &[DVec3; 3], point: DVec3) -> f64 {
    let [a, b, c] = [corners[0] - point, corners[1] - point, corners[2] - point];
    let (la, lb, lc) = (a.length(), b.length(), c.length());
    let det = a.dot(b.cross(c));
    let denominator = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    2.0 * det.atan2(denominator)
}
