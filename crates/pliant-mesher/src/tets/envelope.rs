//! The envelope of a surface: no point of it may lie farther than a limit from the cells, and no face of the cells
//! farther than that from it.

use std::sync::OnceLock;

use glam::DVec3;
use pliant::geometry::Surface;
use pliant_kernels::math::parallel_map;

use crate::SurfaceTree;

use super::cuts::SolidQuery;
use super::pieces::boundary_triangles;
use super::solid::Solid;
use super::stuffing::Stuffed;

/// The side of the boxes that keep one sample each, as a fraction of the limit.
const SPACING: f64 = 0.25;
/// The distance that a curved face bridges, in lengths of its sides: a curve over 120° of a circle rises by 0.29 of its chord.
const BULGE: f64 = 0.29;
/// The largest number of samples, approximately. Beyond it the boxes are larger, so that time stays bounded.
const MAX_SAMPLES: f64 = 200_000.0;
/// Boundary faces are tested at the corners of a grid with this many intervals along each side.
const FACE_INTERVALS: usize = 3;

/// A point of the surface.
#[derive(Debug)]
struct Sample {
    point: DVec3,
    normal: DVec3,
    /// The thickness of the solid below the point, evaluated if it is needed; `None` if the point bounds no matter.
    thickness: OnceLock<Option<f64>>,
}

/// A point of the surface, or of the boundary of the cells, that lies too far from the other.
#[derive(Debug, Clone, Copy)]
pub(super) struct LostPoint {
    pub(super) point: DVec3,
    /// The distance over which the solid, or the gap, reaches from here: cells must be smaller to follow it.
    pub(super) thickness: f64,
}

/// Sample points of a surface, and the largest distance allowed.
#[derive(Debug)]
pub(super) struct Envelope {
    samples: Vec<Sample>,
    /// In units of the frame.
    pub(super) limit: f64,
    /// The distance that a curved face bridges, in lengths of its sides; 0 if faces stay straight.
    bulge: f64,
}

impl Envelope {
    /// Samples a surface for this limit, about evenly: of all points in a small box, the first one counts. Sheets have no
    /// samples: their thickness is that of cells.
    pub(super) fn new(surface: &Surface, is_sheet: &[bool], limit: f64, degree: usize) -> Self {
        let spacing = (SPACING * limit).max((surface.area() / MAX_SAMPLES).sqrt());
        let points = |corners: [DVec3; 3]| -> Vec<KeyedSample> {
            let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
            let normal = normal.normalize_or_zero();
            let keyed = |point: DVec3| KeyedSample {
                key: (point / spacing).floor().to_array().map(|x| x as i32),
                point,
                normal,
            };
            let mut points: Vec<_> = spread(&corners, spacing).into_iter().map(keyed).collect();
            points.dedup_by_key(|sample| sample.key);
            points
        };
        let bounding = surface.corners().zip(is_sheet).filter(|(_, is_sheet)| !**is_sheet);
        let bounding = bounding.map(|(corners, _)| corners);
        let mut all: Vec<KeyedSample> = bounding.flat_map(points).collect();
        // A stable sort: the first of each box is that of the first triangle.
        all.sort_by_key(|sample| sample.key);
        all.dedup_by_key(|sample| sample.key);
        let sample = |KeyedSample { point, normal, .. }| Sample {
            point,
            normal,
            thickness: OnceLock::new(),
        };
        Self {
            samples: all.into_iter().map(sample).collect(),
            limit,
            bulge: if degree > 1 { BULGE } else { 0.0 },
        }
    }

    /// The points of the surface too far from the cells, and those of the cells too far from the surface.
    pub(super) fn lost(&self, stuffed: &Stuffed, solid: &Solid) -> Vec<LostPoint> {
        let faces: Vec<[DVec3; 3]> = boundary_triangles(&stuffed.cells)
            .into_iter()
            .map(|face| face.map(|node| stuffed.nodes[node as usize]))
            .collect();
        let limit = self.straight_limit();
        let mut lost = self.lost_of_surface(&faces, solid, [limit, self.bulge]);
        lost.extend(self.lost_of_faces(&faces, solid, limit));
        lost
    }

    /// The limit for straight cells: curving brings many points nearer, and [`Self::lost_of_mesh`] finds the others.
    fn straight_limit(&self) -> f64 {
        /// Measured on three figures, the bunny and a cow: 1 takes up to twice as many cells, and with 2 more points are
        /// lost after curving.
        const CURVED_SHARE: f64 = 1.5;
        if self.bulge > 0.0 { CURVED_SHARE * self.limit } else { self.limit }
    }

    /// The points of the surface too far from the boundary of finished cells, given as triangles.
    pub(super) fn lost_of_mesh(&self, faces: &[[DVec3; 3]], solid: &Solid) -> Vec<LostPoint> {
        self.lost_of_surface(faces, solid, [self.limit, 0.0])
    }

    fn lost_of_surface(
        &self,
        faces: &[[DVec3; 3]],
        solid: &Solid,
        [limit, bulge]: [f64; 2],
    ) -> Vec<LostPoint> {
        let tree = (!faces.is_empty()).then(|| SurfaceTree::of_corners(faces.to_vec()));
        let lost = |sample: &Sample| {
            if let Some(tree) = &tree {
                let is_near = tree.distance_up_to(sample.point, limit) < limit;
                if is_near || is_below(tree, faces, sample, [limit, bulge]) {
                    return None;
                }
            }
            let thickness = sample.thickness(solid)?;
            Some(LostPoint { point: sample.point, thickness })
        };
        parallel_map(&self.samples, lost).into_iter().flatten().collect()
    }

    fn lost_of_faces(&self, faces: &[[DVec3; 3]], solid: &Solid, limit: f64) -> Vec<LostPoint> {
        if solid.has_sheets() {
            // Rims of sheets are round, and their cells are not.
            return Vec::new();
        }
        let lost = |face: &[DVec3; 3]| {
            let [a, b, c] = face;
            let n = FACE_INTERVALS;
            let part = |k: usize| k as f64 / n as f64;
            let points = (0..=n).flat_map(|j| (0..=n - j).map(move |i| (part(i), part(j))));
            let mut points = points.map(|(x, y)| *a + x * (b - a) + y * (c - a));
            let normal = (b - a).cross(c - a).normalize_or_zero();
            let is_far = |point: &DVec3| {
                if solid.distance_up_to(*point, limit) < limit {
                    return false;
                }
                let foot = solid.foot(*point);
                let way = foot.point - *point;
                let follows = way.length() < limit + self.bulge * side(face)
                    && faces_alike(way, foot.normal, normal);
                !(foot.at_rim || follows)
            };
            points.find(is_far).map(|point| LostPoint { point, thickness: f64::INFINITY })
        };
        parallel_map(faces, lost).into_iter().flatten().collect()
    }
}

/// True if a face that will be curved lies below a sample, so near that it will follow the surface there.
fn is_below(
    tree: &SurfaceTree,
    faces: &[[DVec3; 3]],
    sample: &Sample,
    [reach, bulge]: [f64; 2],
) -> bool {
    if bulge == 0.0 {
        return false;
    }
    let nearest = tree.nearest(sample.point);
    nearest.distance < reach + bulge * side(&faces[nearest.triangle as usize])
        && faces_alike(sample.point - nearest.point, sample.normal, nearest.normal)
}

/// The typical length of a triangle's sides.
fn side([a, b, c]: &[DVec3; 3]) -> f64 {
    (a.distance(*b) + b.distance(*c) + c.distance(*a)) / 3.0
}

/// True if two normals agree within 60°, and the way from one surface to the other is along them within 45°.
fn faces_alike(way: DVec3, normal: DVec3, other: DVec3) -> bool {
    const ALONG: f64 = 0.7;
    const AGREE: f64 = 0.5;
    normal.dot(other) > AGREE && way.dot(other).abs() > ALONG * way.length()
}

impl Sample {
    fn thickness(&self, solid: &Solid) -> Option<f64> {
        *self.thickness.get_or_init(|| thickness_at(solid, self.point, self.normal))
    }
}

/// The length of the way through the solid from a point of its boundary; `None` if the point bounds no matter.
pub(super) fn thickness_at(solid: &Solid, point: DVec3, normal: DVec3) -> Option<f64> {
    /// What is thinner encloses nothing: rounding moves a point of coordinates of size one as far.
    const ROUNDING: f64 = 1e-7;
    /// The largest distance from the surface at which its two sides are told apart.
    const MAX_OFFSET: f64 = 1e-3;
    let free = |way: DVec3| solid.free_way(point + ROUNDING * way, way).map(|free| free + ROUNDING);
    let side = |way: DVec3, free: f64| {
        free > 2.0 * ROUNDING && solid.contains(point + (0.5 * free).min(MAX_OFFSET) * way)
    };
    let (below, above) = (free(-normal), free(normal));
    let depth = |free: Option<f64>| free.unwrap_or(f64::INFINITY);
    match (side(-normal, depth(below)), side(normal, depth(above))) {
        // Without an opposite side nothing is enclosed: a rim that winding numbers take for a solid.
        (true, false) => below,
        // A flipped triangle.
        (false, true) => above,
        _ => None,
    }
}

/// A sample and the box it lies in.
struct KeyedSample {
    key: [i32; 3],
    point: DVec3,
    normal: DVec3,
}

/// Points of a triangle no farther than about `spacing` apart, its corners among them.
fn spread([a, b, c]: &[DVec3; 3], spacing: f64) -> Vec<DVec3> {
    /// The largest number of intervals along a side: a surface that is one unit long has no more boxes.
    const MAX_INTERVALS: f64 = 2000.0;
    let longest = a.distance(*b).max(b.distance(*c)).max(c.distance(*a));
    let n = (longest / spacing).ceil().clamp(1.0, MAX_INTERVALS) as usize;
    let part = |k: usize| k as f64 / n as f64;
    let rows = (0..=n).flat_map(|j| (0..=n - j).map(move |i| (part(i), part(j))));
    rows.map(|(x, y)| *a + x * (b - a) + y * (c - a)).collect()
}
