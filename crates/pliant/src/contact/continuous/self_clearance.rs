//! The deformation of a surface below which it cannot collide with itself.

use glam::{DMat3, DVec3};

use crate::contact::detect::collider::facets::Facets;
use pliant_kernels::math::{Mat3, polar_rotation};
use pliant_mesh::geometry::{Aabb, Tree, point_triangle, segment_segment, triangles_intersect};

/// Distances within a surface in a reference shape, which is updated rarely.
///
/// Rigid motion keeps distances. If all vertices are within d of a rigid motion of the reference shape, no distance within the
/// surface has decreased by more than 2 d. Halfway between two such motions that differ by a rotation θ, lengths have shrunk by
/// cos(θ/2) at most. So a surface that hardly deforms cannot collide with itself, and others only where distances are small. The
/// bound is conservative: no contact is missed.
#[derive(Debug, Clone, Default)]
pub(super) struct SelfClearance {
    /// The vertices in the reference shape, in m.
    shape: Vec<DVec3>,
    /// The least distance of the features owned by each triangle from others, in m.
    clearances: Vec<f64>,
    least: f64,
    /// The clearance needed in this step, in m.
    needed: f64,
    /// True if no two triangles intersect in the reference shape.
    sound: bool,
    boxes: Vec<Aabb>,
    tree: Tree,
}

/// Distances above this, in spacings, are not distinguished.
const LARGEST_CLEARANCE: f64 = 0.5;

/// Needed clearance, in spacings, above which the reference shape is updated.
const REFRESH_NEED: f64 = 0.15;

impl SelfClearance {
    /// Prepares a step between two shapes, with features kept `separation` apart, in m. `new` is true at the first call of a
    /// step.
    pub(super) fn prepare(
        &mut self,
        facets: &Facets,
        [begin, end]: [&[DVec3]; 2],
        separation: f64,
        new: bool,
    ) {
        let unmeasured = self.shape.len() != begin.len();
        if !unmeasured {
            self.needed = self.clearance_needed(begin, end, separation);
        }
        // Written so that a value that is not finite leads to an update.
        let little = self.needed < REFRESH_NEED * facets.spacing();
        if unmeasured || (new && !(self.sound && little)) {
            self.shape.clear();
            self.shape.extend_from_slice(begin);
            self.needed = self.clearance_needed(begin, end, separation);
            // A surface that deforms so much would be measured in every step, which takes longer than a search of all its features.
            let deforms = self.needed >= REFRESH_NEED * facets.spacing();
            self.measure(facets, if deforms { 0.0 } else { LARGEST_CLEARANCE * facets.spacing() });
        }
    }

    /// True if no two triangles intersect at the start.
    pub(super) fn is_sound(&self) -> bool {
        self.sound
    }

    /// True if nothing intersects and no two features can collide.
    pub(super) fn is_ample(&self) -> bool {
        self.sound && self.least > self.needed
    }

    /// True if the features owned by these two triangles cannot collide.
    pub(super) fn is_ample_for(&self, a: u32, b: u32) -> bool {
        self.clearances[a as usize].max(self.clearances[b as usize]) > self.needed
    }

    fn clearance_needed(&self, begin: &[DVec3], end: &[DVec3], separation: f64) -> f64 {
        let (first, second) = (drift(&self.shape, begin), drift(&self.shape, end));
        // tr R = 1 + 2 cos θ, and cos(θ/2) = √((1 + cos θ)/2).
        let turn = first.rotation.transpose() * second.rotation;
        let trace = turn.x_axis.x + turn.y_axis.y + turn.z_axis.z;
        let shrink = (0.25 * (1.0 + trace)).max(0.0).sqrt();
        (2.0 * first.distance.max(second.distance) + separation) / shrink
    }

    /// Measures the distances in the reference shape up to `farthest`, in m, and finds whether it intersects itself.
    fn measure(&mut self, facets: &Facets, farthest: f64) {
        let x = &self.shape[..];
        let corners = |t: &[u32; 3]| t.map(|k| x[k as usize]);
        // Boxes overlap wherever triangles are nearer than the largest distance that is distinguished.
        let bounds = |t: &[u32; 3]| Aabb::of(corners(t)).inflated(0.5 * farthest);
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
            if farthest == 0.0 {
                return;
            }
            let clearance = clearance_between(facets, x, a, b);
            for triangle in [a, b] {
                clearances[triangle as usize] = clearances[triangle as usize].min(clearance);
            }
        });
        self.sound = sound;
        self.least = clearances.iter().copied().fold(farthest, f64::min);
    }
}

/// The least distance between features owned by two triangles without a common vertex.
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

/// The difference between two shapes after the best rigid motion.
struct Drift {
    rotation: DMat3,
    /// The largest distance of a vertex from its rigid image, in m.
    distance: f64,
}

fn drift(from: &[DVec3], to: &[DVec3]) -> Drift {
    let mean = |x: &[DVec3]| x.iter().sum::<DVec3>() / x.len().max(1) as f64;
    let (a, b) = (mean(from), mean(to));
    let mut covariance = DMat3::ZERO;
    for (p, q) in from.iter().zip(to) {
        let (p, q) = (*p - a, *q - b);
        // The rotation of the best rigid motion is the polar factor of Σ q pᵀ about the means.
        covariance += DMat3::from_cols(q * p.x, q * p.y, q * p.z);
    }
    let rotation: DMat3 = polar_rotation(&Mat3::from(covariance)).into();
    let apart = from.iter().zip(to).map(|(p, q)| (b + rotation * (*p - a)).distance_squared(*q));
    Drift { rotation, distance: apart.fold(0.0, f64::max).sqrt() }
}
