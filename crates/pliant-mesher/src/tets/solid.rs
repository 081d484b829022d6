//! The solid that a surface means.

use glam::DVec3;
use pliant::geometry::Surface;
use pliant::math::parallel_map;

use crate::SurfaceTree;
use crate::open_edges::{open_edges, welded_vertices};

use super::cuts::Inside;

/// Halvings of an interval where no triangle tells the place: past the digits of a number.
const HALVINGS: usize = 48;

/// What a surface encloses, together with what lies near its sheets.
///
/// A point is inside if the surface winds around it more than half a time, either way round, or if a
/// sheet is nearer than half its thickness.
#[derive(Debug)]
pub(super) struct Solid {
    /// The triangles that bound the inside.
    skin: Option<Skin>,
    /// All triangles, for the winding number, if the skin is not all.
    whole: Option<SurfaceTree>,
    /// Those that do not.
    sheets: Option<SurfaceTree>,
    half_thickness: f64,
}

/// Triangles that bound the inside, and where they end.
#[derive(Debug)]
struct Skin {
    tree: SurfaceTree,
    /// Open edges, and corners on them, of each triangle of the tree.
    rims: Vec<Vec<[DVec3; 2]>>,
}

/// Where the boundary of the solid is, seen from a point nearby.
#[derive(Debug, Clone, Copy)]
pub(super) struct Foot {
    /// The nearest point of the boundary.
    pub(super) point: DVec3,
    /// Direction out of the solid there, or into it: the surface's own normal.
    pub(super) normal: DVec3,
    /// Whether it lies on the rim of a hole, so that the boundary goes on where no triangle is.
    pub(super) at_rim: bool,
}

impl Solid {
    /// The inside of a surface; triangles for which `is_sheet` holds have no thickness yet.
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

    /// What winds around the inside; nothing if all are sheets.
    fn winding_tree(&self) -> Option<&SurfaceTree> {
        self.whole.as_ref().or(self.skin.as_ref().map(|skin| &skin.tree))
    }

    /// Makes sheets this thick.
    pub(super) fn set_thickness(&mut self, thickness: f64) {
        self.half_thickness = thickness / 2.0;
    }

    /// Distance to the nearest triangle or `limit`, whichever is less.
    pub(super) fn distance_up_to(&self, point: DVec3, limit: f64) -> f64 {
        let skin = self.skin.as_ref().map_or(limit, |skin| skin.tree.distance_up_to(point, limit));
        let sheets = self.sheets.as_ref().map_or(limit, |sheets| {
            let distance = sheets.distance_up_to(point, limit + self.half_thickness);
            (distance - self.half_thickness).abs()
        });
        skin.min(sheets)
    }

    /// The nearest point of the boundary.
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

    /// Where the way from `point` along `direction` first meets the boundary, at most `reach` away.
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

    /// Halves the way until it is known to rounding where it leaves the solid.
    fn bisected(&self, mut inside: DVec3, mut outside: DVec3) -> DVec3 {
        for _ in 0..HALVINGS {
            let middle = inside.midpoint(outside);
            if self.contains(middle) { inside = middle } else { outside = middle }
        }
        inside.midpoint(outside)
    }
}

impl Inside for Solid {
    fn contains(&self, point: DVec3) -> bool {
        let near = |sheets: &SurfaceTree| {
            self.half_thickness > 0.0
                && sheets.distance_up_to(point, self.half_thickness) < self.half_thickness
        };
        self.winding_tree().is_some_and(|tree| tree.winding(point).abs() > 0.5)
            || self.sheets.as_ref().is_some_and(near)
    }

    /// A triangle on the way, if the inside ends at one: the place is then exact. Of several it is one
    /// with inside before and outside behind it.
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

/// Whether a point lies on the piece of a line, up to rounding at the size of one.
fn is_on([a, b]: [DVec3; 2], point: DVec3) -> bool {
    const ROUNDING: f64 = 1e-9;
    let (edge, way) = (b - a, point - a);
    let squared = edge.length_squared();
    let part = if squared > 0.0 { (way.dot(edge) / squared).clamp(0.0, 1.0) } else { 0.0 };
    way.distance(part * edge) <= ROUNDING
}

/// Open edges of each of these triangles; where it touches a rim with a corner only, that corner twice.
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

/// Which triangles have the inside on neither side: sheets.
///
/// The winding number is a little above a half behind a sheet that bulges a little; what encloses
/// less than that counts as a sheet too.
///
/// A surface of which hardly anything is a sheet has none: at the rim of every hole some triangles
/// look like one.
pub(super) fn sheet_triangles(surface: &Surface, tree: &SurfaceTree) -> Vec<bool> {
    /// Part of the area below which sheets do not count.
    const HARDLY: f64 = 0.02;
    /// Triangles that are looked at first.
    const SAMPLE: usize = 2000;
    let corners: Vec<_> = surface.corners().collect();
    let stride = corners.len().div_ceil(SAMPLE);
    let sample: Vec<_> = corners.iter().copied().step_by(stride).collect();
    if sheet_share(&sample, &flags(&sample, tree)) < HARDLY {
        return vec![false; corners.len()];
    }
    let flags = flags(&corners, tree);
    if sheet_share(&corners, &flags) < HARDLY { vec![false; corners.len()] } else { flags }
}

fn flags(triangles: &[[DVec3; 3]], tree: &SurfaceTree) -> Vec<bool> {
    /// Where the winding number is taken, off a triangle, in sizes of the surface.
    const OFFSET: f64 = 1e-4;
    const BARELY: f64 = 0.51;
    let bounds_nothing = |[a, b, c]: &[DVec3; 3]| {
        let normal = (b - a).cross(c - a).normalize_or_zero();
        let middle = (a + b + c) / 3.0;
        let outside = |way: f64| tree.winding(middle + way * OFFSET * normal).abs() < BARELY;
        outside(1.0) && outside(-1.0)
    };
    parallel_map(triangles, bounds_nothing)
}

/// Part of the area that is flagged.
fn sheet_share(triangles: &[[DVec3; 3]], flags: &[bool]) -> f64 {
    let area = |[a, b, c]: &[DVec3; 3]| (b - a).cross(c - a).length();
    let total: f64 = triangles.iter().map(area).sum();
    let flagged = triangles.iter().zip(flags).filter(|(_, flag)| **flag);
    flagged.map(|(triangle, _)| area(triangle)).sum::<f64>() / total
}
