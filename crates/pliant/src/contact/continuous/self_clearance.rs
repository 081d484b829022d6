//! How much a surface may deform before it can meet itself.

use glam::{DMat3, DVec3};

use crate::contact::detect::collider::facets::Facets;
use crate::geometry::{Aabb, Tree, point_triangle, segment_segment, triangles_intersect};
use crate::math::{Mat3, polar_rotation};

/// Distances within a surface when it was last looked at closely, which need not be often.
///
/// Distances do not change in rigid motion. Where all vertices are within d of a rigid motion of how they lay then, no
/// two things of the surface are nearer to each other by more than 2 d; halfway between two such motions that differ by a
/// turn θ, lengths have shrunk by cos(θ/2) at most. So a surface that has hardly deformed cannot have met itself, and one
/// that has may only where room is scarce. Nothing is looked for in vain, and no contact is missed.
#[derive(Debug, Clone, Default)]
pub(super) struct SelfClearance {
    /// The vertices then.
    shape: Vec<DVec3>,
    /// Nothing that a triangle looks after is nearer to another than this, in m.
    clearances: Vec<f64>,
    least: f64,
    /// The room that is used up, in m.
    needed: f64,
    /// Whether no two triangles intersected then.
    sound: bool,
    boxes: Vec<Aabb>,
    tree: Tree,
}

/// Larger distances than so many spacings are not told apart.
const LARGEST_CLEARANCE: f64 = 0.5;

/// When so many spacings are used up, it is time to look again.
const REFRESH_NEED: f64 = 0.15;

impl SelfClearance {
    /// Gets ready for a step between two shapes, between which things are kept `separation` apart. `new` if it is not the
    /// one asked for last.
    pub(super) fn prepare(
        &mut self,
        facets: &Facets,
        [begin, end]: [&[DVec3]; 2],
        separation: f64,
        new: bool,
    ) {
        let fresh = self.shape.len() != begin.len();
        if !fresh {
            self.needed = self.need(begin, end, separation);
        }
        // What is no number is not little.
        let little = self.needed < REFRESH_NEED * facets.spacing();
        if fresh || (new && !(self.sound && little)) {
            self.look(facets, begin);
            self.needed = self.need(begin, end, separation);
        }
    }

    /// Whether no two triangles intersect at the begin.
    pub(super) fn is_sound(&self) -> bool {
        self.sound
    }

    /// Whether nothing intersects and nothing can meet.
    pub(super) fn is_roomy(&self) -> bool {
        self.sound && self.least > self.needed
    }

    /// Whether nothing that these two triangles look after can meet.
    pub(super) fn is_ample_for(&self, a: u32, b: u32) -> bool {
        self.clearances[a as usize].max(self.clearances[b as usize]) > self.needed
    }

    fn need(&self, begin: &[DVec3], end: &[DVec3], separation: f64) -> f64 {
        let (first, second) = (drift(&self.shape, begin), drift(&self.shape, end));
        // tr R = 1 + 2 cos θ, and cos(θ/2) = √((1 + cos θ)/2).
        let turn = first.rotation.transpose() * second.rotation;
        let trace = turn.x_axis.x + turn.y_axis.y + turn.z_axis.z;
        let shrink = (0.25 * (1.0 + trace)).max(0.0).sqrt();
        (2.0 * first.distance.max(second.distance) + separation) / shrink
    }

    /// Measures all distances in a shape.
    fn look(&mut self, facets: &Facets, x: &[DVec3]) {
        let farthest = LARGEST_CLEARANCE * facets.spacing();
        let corners = |t: &[u32; 3]| t.map(|k| x[k as usize]);
        let bounds = |t: &[u32; 3]| Aabb::of(corners(t)).inflated(0.5 * farthest);
        self.shape.clear();
        self.shape.extend_from_slice(x);
        self.boxes.clear();
        self.boxes.extend(facets.triangles().iter().map(bounds));
        if self.tree.len() == self.boxes.len() {
            self.tree.refit(&self.boxes);
        } else {
            self.tree = Tree::new(&self.boxes);
        }
        self.clearances.clear();
        self.clearances.resize(self.boxes.len(), farthest);
        let (clearances, mut sound) = (&mut self.clearances, true);
        self.tree.self_pairs(|a, b| {
            let (t, u) = (facets.triangles()[a as usize], facets.triangles()[b as usize]);
            let share = t.iter().any(|k| u.contains(k));
            sound = sound && (share || !triangles_intersect(corners(&t), corners(&u)));
            let clearance = clearance_between(facets, x, a, b);
            for triangle in [a, b] {
                clearances[triangle as usize] = clearances[triangle as usize].min(clearance);
            }
        });
        self.sound = sound;
        self.least = clearances.iter().copied().fold(farthest, f64::min);
    }
}

/// The least distance between things that two triangles look after and that have no vertex in common.
fn clearance_between(facets: &Facets, x: &[DVec3], a: u32, b: u32) -> f64 {
    let at = |k: u32| x[k as usize];
    let mut least = f64::INFINITY;
    for (a, b) in [(a, b), (b, a)] {
        let corners = facets.triangles()[b as usize];
        for vertex in facets.owned_corners(a).filter(|k| !corners.contains(k)) {
            least = least.min(point_triangle(at(vertex), corners.map(at)).1);
        }
    }
    for p in facets.owned_edges(a) {
        for q in facets.owned_edges(b).filter(|q| !q.iter().any(|k| p.contains(k))) {
            least = least.min(segment_segment(p.map(at), q.map(at)).2);
        }
    }
    least.sqrt()
}

/// How a shape differs from another after the rigid motion that brings it near.
struct Drift {
    rotation: DMat3,
    /// No vertex is farther from its place than this, in m.
    distance: f64,
}

fn drift(from: &[DVec3], to: &[DVec3]) -> Drift {
    let mean = |x: &[DVec3]| x.iter().sum::<DVec3>() / x.len().max(1) as f64;
    let (a, b) = (mean(from), mean(to));
    let mut covariance = DMat3::ZERO;
    for (p, q) in from.iter().zip(to) {
        let (p, q) = (*p - a, *q - b);
        covariance += DMat3::from_cols(q * p.x, q * p.y, q * p.z);
    }
    let rotation: DMat3 = polar_rotation(&Mat3::from(covariance)).into();
    let apart = from.iter().zip(to).map(|(p, q)| (b + rotation * (*p - a)).distance_squared(*q));
    Drift { rotation, distance: apart.fold(0.0, f64::max).sqrt() }
}
