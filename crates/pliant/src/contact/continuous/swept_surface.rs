//! The motion of one surface over a step.

use std::sync::Arc;

use glam::{DQuat, DVec3};

use crate::body::Unknowns;
use crate::contact::detect::collider::facets::Facets;
use crate::contact::detect::feature::Feature;
use pliant_mesh::geometry::{Aabb, Tree, triangles_intersect};

use super::hits::moved::{Moved, Paths};
use super::rigid::RigidWhole;
use super::self_clearance::SelfClearance;
use super::surface::{ContinuousRules, ContinuousSurface, SurfaceMotion, place_tied};

/// The vertices of a surface at start and end of a step, a tree over their paths, and the corrections so far.
#[derive(Debug, Clone)]
pub(super) struct SweptSurface {
    pub(super) facets: Arc<Facets>,
    pub(super) begin: Vec<DVec3>,
    pub(super) end: Vec<DVec3>,
    boxes: Vec<Aabb>,
    tree: Tree,
    /// True if the end may have changed since the last search.
    pub(super) changed: bool,
    /// Its vertices and triangles whose ends have.
    pub(super) moved: Moved,
    /// True if start and end are the same.
    pub(super) still: bool,
    /// True if impulses or zones moved the end.
    pushed: bool,
    /// Ends of the nodes without contact, in m.
    free: Vec<DVec3>,
    pub(super) inverse_masses: Vec<f64>,
    pub(super) rigid: Option<RigidWhole>,
    /// The rigid motion of a free soft body as a whole, and the part of an impulse that acts on its nodes individually.
    pub(super) whole: Option<RigidWhole>,
    pub(super) give: f64,
    /// The part of its path that it moves.
    pub(super) part: f64,
    /// Its distances from itself.
    pub(super) clearance: SelfClearance,
    /// True before the first search of a step.
    new: bool,
}

/// Least part of an impulse that acts on the nodes of a free body individually: with less, a squeezed body would need many passes
/// to deform.
const LEAST_GIVE: f64 = 0.01;

impl SweptSurface {
    pub(super) fn new(surface: &ContinuousSurface<'_>) -> Self {
        let mut swept = Self {
            facets: surface.facets.clone(),
            begin: Vec::new(),
            end: Vec::new(),
            boxes: Vec::new(),
            tree: Tree::default(),
            changed: true,
            moved: Moved::default(),
            still: false,
            pushed: false,
            free: Vec::new(),
            inverse_masses: Vec::new(),
            rigid: None,
            whole: None,
            give: 1.0,
            part: 1.0,
            clearance: SelfClearance::default(),
            new: true,
        };
        swept.read(surface);
        // From rest: the order of results must not depend on the time at which the tree was built.
        swept.tree = Tree::new(&swept.facets.rest_boxes());
        swept
    }

    /// Starts a new step. A surface at rest in the last step and in this one keeps its data.
    pub(super) fn begin(&mut self, surface: &ContinuousSurface<'_>) {
        if !Arc::ptr_eq(&self.facets, surface.facets) {
            *self = Self::new(surface);
        } else if self.still && self.stays(surface) {
            self.changed = false;
        } else {
            self.read(surface);
        }
    }

    /// True if a surface stays where this one is.
    fn stays(&self, surface: &ContinuousSurface<'_>) -> bool {
        match &surface.motion {
            SurfaceMotion::Nodes { x0, x1, inverse_masses, rigid, .. } => {
                let alike =
                    *inverse_masses == self.inverse_masses && *rigid == self.rigid.is_some();
                alike && **x1 == **x0 && **x1 == *self.free
            }
            SurfaceMotion::Prescribed { begin, end } => {
                self.free.is_empty() && begin == end && **begin == *self.begin
            }
        }
    }

    fn read(&mut self, surface: &ContinuousSurface<'_>) {
        (self.changed, self.pushed, self.part, self.rigid) = (true, false, 1.0, None);
        (self.new, self.whole, self.give) = (true, None, 1.0);
        self.moved.begin();
        self.free.clear();
        self.inverse_masses.clear();
        match &surface.motion {
            SurfaceMotion::Nodes { skin, x0, x1, inverse_masses, rigid, ties, give, .. } => {
                skin.interpolate(x0, &mut self.begin);
                skin.interpolate(x1, &mut self.end);
                self.free.extend_from_slice(x1);
                self.inverse_masses.extend_from_slice(inverse_masses);
                self.rigid = rigid.then(|| RigidWhole::new(x1, inverse_masses));
                self.split_impulses(*give, *rigid, inverse_masses, *ties);
            }
            SurfaceMotion::Prescribed { begin, end } => {
                self.begin.clear();
                self.begin.extend_from_slice(begin);
                self.end.clear();
                self.end.extend_from_slice(end);
            }
        }
        self.still = self.begin == self.end;
    }

    fn fill_boxes(&mut self, margin: f64) {
        let (begin, end) = (&self.begin, &self.end);
        let way = |t: &[u32; 3]| {
            let corners = t.iter().flat_map(|k| [begin[*k as usize], end[*k as usize]]);
            Aabb::of(corners).inflated(margin)
        };
        self.boxes.clear();
        self.boxes.extend(self.facets.triangles().iter().map(way));
    }

    /// Refits the tree if the surface changed, and finds what moved since the last search.
    pub(super) fn refit(&mut self, margin: f64) {
        if self.changed {
            self.moved.compare(&self.end, self.facets.triangles());
            self.fill_boxes(margin);
            self.tree.refit(&self.boxes);
        } else {
            self.moved.rest();
        }
    }

    /// The paths of its triangles.
    pub(super) fn paths(&self) -> Paths<'_> {
        Paths { boxes: &self.boxes, tree: &self.tree, moved: &self.moved }
    }

    pub(super) fn bounds(&self) -> Aabb {
        self.tree.bounds()
    }

    pub(super) fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Corners of a triangle at the start, in m.
    fn corners(&self, triangle: u32) -> [DVec3; 3] {
        self.facets.triangles()[triangle as usize].map(|k| self.begin[k as usize])
    }

    /// The same at the end, in m.
    pub(super) fn end_corners(&self, triangle: u32) -> [DVec3; 3] {
        self.facets.triangles()[triangle as usize].map(|k| self.end[k as usize])
    }

    /// The outward direction at a point of a triangle at the start.
    pub(super) fn outward(&self, triangle: u32, weights: [f64; 3]) -> DVec3 {
        let normal = self.facets.normal_at(&self.begin, triangle, weights);
        normal.unwrap_or_else(|| self.facets.triangle_normal(&self.begin, triangle))
    }

    /// True if there is nothing new to find between two surfaces.
    pub(super) fn are_idle(first: &Self, second: &Self) -> bool {
        !(first.changed || second.changed) || first.still && second.still
    }

    /// True if any triangles of two surfaces intersect at the start.
    pub(super) fn intersects(&self, other: &Self) -> bool {
        let mut found = false;
        self.tree.pairs(&other.tree, |a, b| {
            found = found || triangles_intersect(self.corners(a), other.corners(b));
        });
        found
    }

    /// Updates its distances from itself, if the surface changed.
    pub(super) fn prepare_clearance(&mut self, separation: f64) {
        if self.changed && self.rigid.is_none() && !self.free.is_empty() {
            let ways = [&self.begin[..], &self.end[..]];
            self.clearance.prepare(&self.facets, ways, separation, self.new);
            self.new = false;
        }
    }

    /// Sets how impulses act: on nodes individually, and on the body as a whole.
    fn split_impulses(
        &mut self,
        give: f64,
        rigid: bool,
        inverse_masses: &[f64],
        ties: Option<&Unknowns>,
    ) {
        if rigid || give >= 1.0 {
            return;
        }
        self.whole = RigidWhole::of_free(&self.free, inverse_masses, ties);
        self.give = if self.whole.is_some() { give.max(LEAST_GIVE) } else { give };
    }

    /// Number of vectors of its displacement by impulses: one for each node, and two for a free body as a whole; for a rigid body
    /// only these two. They are the displacement of its centre, in m, and its rotation vector, in rad.
    pub(super) fn freedom(&self) -> usize {
        let whole = if self.whole.is_some() { 2 } else { 0 };
        if self.rigid.is_some() { 2 } else { self.free.len() + whole }
    }

    /// Its rigid motion as a whole, if any: with the index of its first vector, and the part of an impulse that acts on it.
    pub(super) fn as_whole(&self) -> Option<(&RigidWhole, u32, f64)> {
        let rigid = self.rigid.as_ref().map(|rigid| (rigid, 0, 1.0));
        let nodes = self.free.len() as u32;
        rigid.or_else(|| self.whole.as_ref().map(|whole| (whole, nodes, 1.0 - self.give)))
    }

    /// The thickness of the body below a feature at rest, in m.
    pub(super) fn thickness_at(&self, feature: &Feature) -> f64 {
        let vertices = feature.vertices().iter();
        vertices.map(|vertex| self.facets.thickness_at(*vertex)).fold(f64::INFINITY, f64::min)
    }

    /// The displacement of a point on the present path, in m.
    pub(super) fn travel(&self, point: &Feature) -> DVec3 {
        point.blend(&self.end) - point.blend(&self.begin)
    }

    /// Moves the end by the displacement from impulses, in m.
    pub(super) fn apply(&mut self, surface: &mut ContinuousSurface<'_>, shift: &[DVec3]) {
        let SurfaceMotion::Nodes { skin, x1, ties, .. } = &mut surface.motion else { return };
        let pushed = shift.iter().any(|z| *z != DVec3::ZERO);
        if !(pushed || self.pushed) {
            return;
        }
        (self.pushed, self.still) = (pushed, false);
        match (&self.rigid, shift) {
            (Some(rigid), [way, turn]) => {
                let rotation = DQuat::from_scaled_axis(*turn);
                for (x, free) in x1.iter_mut().zip(&self.free) {
                    *x = rigid.carry(*free, *way, rotation);
                }
            }
            (_, shift) => {
                // Nodes move individually, and the body as a whole adds its rigid displacement.
                let (nodes, whole) = shift.split_at(self.free.len());
                for ((x, free), z) in x1.iter_mut().zip(&self.free).zip(nodes) {
                    *x = *free + *z;
                }
                if let (Some(of), [way, turn]) = (&self.whole, whole) {
                    let rotation = DQuat::from_scaled_axis(*turn);
                    for (x, free) in x1.iter_mut().zip(&self.free) {
                        *x += of.carry(*free, *way, rotation) - *free;
                    }
                }
                place_tied(*ties, x1);
            }
        }
        skin.interpolate(x1, &mut self.end);
        self.changed = true;
    }

    /// Returns to the end without impulses.
    pub(super) fn release(&mut self, surface: &mut ContinuousSurface<'_>) {
        let SurfaceMotion::Nodes { skin, x1, .. } = &mut surface.motion else { return };
        x1.copy_from_slice(&self.free);
        skin.interpolate(x1, &mut self.end);
        (self.changed, self.pushed) = (true, false);
    }

    /// Updates the end after zones moved the nodes.
    pub(super) fn follow(&mut self, surface: &mut ContinuousSurface<'_>) {
        let SurfaceMotion::Nodes { skin, x1, ties, .. } = &mut surface.motion else { return };
        place_tied(*ties, x1);
        skin.interpolate(x1, &mut self.end);
        (self.changed, self.pushed, self.still) = (true, true, false);
    }

    /// The nodes at the end without impulses and zones, in m; empty for a prescribed surface.
    pub(super) fn free(&self) -> &[DVec3] {
        &self.free
    }

    /// Shortens the path to a part of its present length.
    pub(super) fn shorten(&mut self, surface: &mut ContinuousSurface<'_>, share: f64) {
        let SurfaceMotion::Nodes { skin, x0, x1, .. } = &mut surface.motion else { return };
        for (x, begin) in x1.iter_mut().zip(*x0) {
            *x = if share > 0.0 { begin.lerp(*x, share) } else { *begin };
        }
        skin.interpolate(x1, &mut self.end);
        self.part *= share;
        (self.changed, self.still) = (true, false);
    }

    /// Takes the present end as the one without contact.
    pub(super) fn settle(
        &mut self,
        surface: &mut ContinuousSurface<'_>,
        rules: &ContinuousRules<'_>,
    ) {
        if self.part < 1.0 {
            self.lose_time(surface, rules);
            let SurfaceMotion::Nodes { x1, inverse_masses, ties, .. } = &surface.motion else {
                return;
            };
            self.free.copy_from_slice(x1);
            self.part = 1.0;
            self.rigid = self.rigid.map(|_| RigidWhole::new(x1, inverse_masses));
            self.whole = self.whole.and_then(|_| RigidWhole::of_free(x1, inverse_masses, *ties));
        }
    }

    /// Changes velocities by impulses, given as displacements in a step of `h` seconds.
    pub(super) fn push(&self, surface: &mut ContinuousSurface<'_>, shift: &[DVec3], h: f64) {
        let SurfaceMotion::Nodes { x1, v, inverse_masses, ties, .. } = &mut surface.motion else {
            return;
        };
        let nodes = if self.rigid.is_some() { &[][..] } else { &shift[..self.free.len()] };
        let moving = v.iter_mut().zip(nodes).zip(*inverse_masses).filter(|(_, w)| **w > 0.0);
        for ((v, z), _) in moving {
            *v += *z / h;
        }
        if let Some((whole, first, _)) = self.as_whole() {
            let [way, turn] = [0, 1].map(|k| shift[first as usize + k]);
            for (v, x) in v.iter_mut().zip(&**x1) {
                *v += (way + turn.cross(*x - whole.centre)) / h;
            }
        }
        place_tied(*ties, v);
    }

    /// Updates the velocities to the corrected ends.
    pub(super) fn finish(&self, surface: &mut ContinuousSurface<'_>, h: f64) {
        let SurfaceMotion::Nodes { x1, v, inverse_masses, ties, .. } = &mut surface.motion else {
            return;
        };
        if self.part == 1.0 && !self.pushed {
            return;
        }
        for (((v, x), free), w) in v.iter_mut().zip(&**x1).zip(&self.free).zip(*inverse_masses) {
            if *w > 0.0 {
                *v += (*x - *free) / h;
            }
        }
        place_tied(*ties, v);
    }
}
