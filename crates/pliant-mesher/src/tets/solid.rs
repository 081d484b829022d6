//! The solid that a surface describes.

use glam::DVec3;
use pliant::geometry::Surface;
use pliant_kernels::math::parallel_map;
use pliant_mesh::geometry::point_segment;

use crate::SurfaceTree;
use crate::open_edges::{open_edges, welded_vertices};

use super::cuts::SolidQuery;

/// The number of bisections where no triangle gives the exact position: more than the digits of a float need.
const MAX_BISECTIONS: usize = 48;

/// The inside of a surface together with its thickened sheets.
///
/// A point is inside if the absolute winding number is above one half, or if a sheet is nearer than half its thickness.
#[derive(Debug)]
pub(super) struct Solid {
    /// The triangles that bound the inside.
    skin: Option<Skin>,
    /// All triangles, for the winding number; `None` unless there are both bounding triangles and sheets.
    whole: Option<SurfaceTree>,
    /// The triangles that do not bound the inside.
    sheets: Option<SurfaceTree>,
    half_thickness: f64,
}

/// The triangles that bound the inside, and their rims.
#[derive(Debug)]
struct Skin {
    tree: SurfaceTree,
    /// The open edges of each triangle of the tree, and its corners on such edges.
    rims: Vec<Vec<[DVec3; 2]>>,
}

/// The nearest point of the solid's boundary, seen from a query point.
#[derive(Debug, Clone, Copy)]
pub(super) struct Foot {
    /// Its position.
    pub(super) point: DVec3,
    /// The surface's own normal there: it points out of the solid, or into it.
    pub(super) normal: DVec3,
    /// True if the point lies on the rim of a hole, where the boundary continues without triangles.
    pub(super) at_rim: bool,
}

impl Solid {
    /// Builds the solid of a surface; triangles flagged in `is_sheet` have no thickness yet.
    pub(super) fn new(surface: &Surface, is_sheet: &[bool]) -> Self {
        let part = |wanted: bool| -> Vec<usize> {
            (0..surface.triangles.len()).filter(|triangle| is_sheet[*triangle] == wanted).collect()
        };
        let corners: Vec<_> = surface.corners().collect();
        let chosen = |part: &[usize]| -> Vec<[DVec3; 3]> {
            part.iter().map(|triangle| corners[*triangle]).collect()
        };
        let (bounding, sheets) = (part(false), part(true));
        let tree =
            |part: &[usize]| (!part.is_empty()).then(|| SurfaceTree::of_corners(chosen(part)));
        let skin = tree(&bounding).map(|tree| Skin { tree, rims: rims(surface, &bounding) });
        let mixed = !bounding.is_empty() && !sheets.is_empty();
        let whole = mixed.then(|| SurfaceTree::of_corners(corners.clone()));
        Self { skin, whole, sheets: tree(&sheets), half_thickness: 0.0 }
    }

    /// The triangles that define the winding number; `None` if all are sheets.
    fn winding_tree(&self) -> Option<&SurfaceTree> {
        self.whole.as_ref().or(self.skin.as_ref().map(|skin| &skin.tree))
    }

    /// Sets the thickness of sheets.
    pub(super) fn set_thickness(&mut self, thickness: f64) {
        self.half_thickness = thickness / 2.0;
    }

    /// True if there are sheets that have a thickness.
    pub(super) fn has_sheets(&self) -> bool {
        self.sheets.is_some() && self.half_thickness > 0.0
    }

    /// The way from a point to the next triangle that bounds the inside, in a unit direction; `None` if there is none.
    pub(super) fn free_way(&self, point: DVec3, way: DVec3) -> Option<f64> {
        // The surface is one unit long.
        const REACH: f64 = 4.0;
        let skin = self.skin.as_ref()?;
        skin.tree.along(point, way, REACH).map(|hit| hit.distance)
    }

    /// The distance to the boundary or `limit`, whichever is less.
    pub(super) fn distance_up_to(&self, point: DVec3, limit: f64) -> f64 {
        let skin = self.skin.as_ref().map_or(limit, |skin| skin.tree.distance_up_to(point, limit));
        let sheets = self.sheets.as_ref().map_or(limit, |sheets| {
            let distance = sheets.distance_up_to(point, limit + self.half_thickness);
            (distance - self.half_thickness).abs()
        });
        skin.min(sheets)
    }

    /// Returns the nearest point of the boundary.
    pub(super) fn foot(&self, point: DVec3) -> Foot {
        let skin = self.skin.as_ref().map(|skin| skin.foot(point));
        let sheet = self.sheets.as_ref().map(|sheets| self.sheet_foot(sheets, point));
        let distance = |foot: &Foot| foot.point.distance_squared(point);
        match (skin, sheet) {
            (Some(a), Some(b)) => {
                if distance(&a) <= distance(&b) {
                    a
                } else {
                    b
                }
            }
            (Some(foot), None) | (None, Some(foot)) => foot,
            (None, None) => Foot { point, normal: DVec3::ZERO, at_rim: true },
        }
    }

    fn sheet_foot(&self, sheets: &SurfaceTree, point: DVec3) -> Foot {
        let nearest = sheets.nearest(point);
        let away = (point - nearest.point).normalize_or(nearest.normal);
        Foot { point: nearest.point + self.half_thickness * away, normal: away, at_rim: false }
    }

    /// Returns the first point of the boundary from `point` along `direction`, at most `reach` away.
    pub(super) fn along(&self, point: DVec3, direction: DVec3, reach: f64) -> Option<DVec3> {
        let far = point + reach * direction;
        if self.sheets.is_none()
            && let Some(skin) = &self.skin
        {
            let hit = skin.tree.along(point, direction, reach);
            if let Some(hit) = hit {
                return Some(point + hit.distance * direction);
            }
        }
        match (self.contains(point), self.contains(far)) {
            (true, false) => Some(self.crossing(point, far)),
            (false, true) => Some(self.crossing(far, point)),
            _ => None,
        }
    }

    /// Bisects the segment until the point where it leaves the solid is known to rounding.
    fn bisected(&self, mut inside: DVec3, mut outside: DVec3) -> DVec3 {
        for _ in 0..MAX_BISECTIONS {
            let middle = inside.midpoint(outside);
            if self.contains(middle) { inside = middle } else { outside = middle }
        }
        inside.midpoint(outside)
    }
}

impl SolidQuery for Solid {
    fn contains(&self, point: DVec3) -> bool {
        let near = |sheets: &SurfaceTree| {
            self.half_thickness > 0.0
                && sheets.distance_up_to(point, self.half_thickness) < self.half_thickness
        };
        self.winding_tree().is_some_and(|tree| tree.winding(point).abs() > 0.5)
            || self.sheets.as_ref().is_some_and(near)
    }

    /// The intersection with a triangle, if the inside ends at one: it is then exact. Of several intersections, one
    /// with inside before it and outside behind it, found by bisection over the gaps between them.
    fn crossing(&self, inside: DVec3, outside: DVec3) -> DVec3 {
        let parts = match (&self.skin, &self.sheets) {
            (Some(skin), None) => skin.tree.crossings(inside, outside),
            _ => Vec::new(),
        };
        if parts.is_empty() {
            return self.bisected(inside, outside);
        }
        let (mut before, mut behind) = (0, parts.len());
        while behind - before > 1 {
            let gap = (before + behind) / 2;
            let middle = inside.lerp(outside, 0.5 * (parts[gap - 1] + parts[gap]));
            if self.contains(middle) { before = gap } else { behind = gap }
        }
        inside.lerp(outside, parts[behind - 1])
    }
}

impl Skin {
    fn foot(&self, point: DVec3) -> Foot {
        let nearest = self.tree.nearest(point);
        let rims = &self.rims[nearest.triangle as usize];
        let at_rim = rims.iter().any(|ends| is_on(*ends, nearest.point));
        Foot { point: nearest.point, normal: nearest.normal, at_rim }
    }
}

/// True if a point lies on a line segment, up to rounding at coordinates of size one.
fn is_on(ends: [DVec3; 2], point: DVec3) -> bool {
    const ROUNDING: f64 = 1e-9;
    point_segment(point, ends).1 <= ROUNDING * ROUNDING
}

/// The open edges of each of these triangles; where a triangle touches a rim with a corner only, that corner twice.
fn rims(surface: &Surface, triangles: &[usize]) -> Vec<Vec<[DVec3; 2]>> {
    let mut open = open_edges(surface);
    let welded = welded_vertices(surface);
    let mut on_rim = vec![false; surface.vertices.len()];
    open.iter().flatten().for_each(|vertex| on_rim[welded[*vertex as usize] as usize] = true);
    open.sort_unstable();
    let position = |vertex: u32| surface.vertices[vertex as usize];
    let sides = |triangle: &usize| {
        let corners = surface.triangles[*triangle];
        let edges = [0, 1, 2].map(|side| [corners[side], corners[(side + 1) % 3]]);
        let edges = edges.into_iter().filter(|edge| open.binary_search(edge).is_ok());
        let touching =
            corners.into_iter().filter(|vertex| on_rim[welded[*vertex as usize] as usize]);
        edges.chain(touching.map(|vertex| [vertex; 2])).map(|ends| ends.map(position)).collect()
    };
    triangles.iter().map(sides).collect()
}

/// Flags sheets: triangles with the inside on neither side.
///
/// Behind a sheet that bulges slightly the winding number is slightly above one half; such a sheet still counts as one.
///
/// If sheets make up hardly any of the area, none are flagged: some triangles at the rim of every hole look like
/// sheets.
pub(super) fn sheet_triangles(surface: &Surface, tree: &SurfaceTree) -> Vec<bool> {
    /// The fraction of the area below which sheets do not count.
    const MIN_SHEET_SHARE: f64 = 0.02;
    /// The number of triangles tested first.
    const SAMPLE_SIZE: usize = 2000;
    let corners: Vec<_> = surface.corners().collect();
    let stride = corners.len().div_ceil(SAMPLE_SIZE);
    let sample: Vec<_> = corners.iter().copied().step_by(stride).collect();
    if sheet_share(&sample, &flags(&sample, tree)) < MIN_SHEET_SHARE {
        return vec![false; corners.len()];
    }
    let flags = flags(&corners, tree);
    if sheet_share(&corners, &flags) < MIN_SHEET_SHARE { vec![false; corners.len()] } else { flags }
}

fn flags(triangles: &[[DVec3; 3]], tree: &SurfaceTree) -> Vec<bool> {
    /// The distance off a triangle at which the winding number is evaluated, in sizes of the surface.
    const OFFSET: f64 = 1e-4;
    const MAX_OUTSIDE_WINDING: f64 = 0.51;
    let bounds_nothing = |[a, b, c]: &[DVec3; 3]| {
        let normal = (b - a).cross(c - a).normalize_or_zero();
        let middle = (a + b + c) / 3.0;
        let outside =
            |way: f64| tree.winding(middle + way * OFFSET * normal).abs() < MAX_OUTSIDE_WINDING;
        outside(1.0) && outside(-1.0)
    };
    parallel_map(triangles, bounds_nothing)
}

/// The fraction of the area that is flagged.
fn sheet_share(triangles: &[[DVec3; 3]], flags: &[bool]) -> f64 {
    let area = |[a, b, c]: &[DVec3; 3]| (b - a).cross(c - a).length();
    let total: f64 = triangles.iter().map(area).sum();
    let flagged = triangles.iter().zip(flags).filter(|(_, flag)| **flag);
    flagged.map(|(triangle, _)| area(triangle)).sum::<f64>() / total
}
