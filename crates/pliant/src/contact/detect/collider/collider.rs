//! Surfaces that touch.

use std::sync::Arc;

use glam::DVec3;

use crate::body::Skin;
use crate::geometry::{Aabb, Pose, Tree};

use super::facets::Facets;

/// A surface on its way through a step: where its vertices are, how fast, and trees to find what is near them.
///
/// In every step it is told where it is, by [`Collider::follow`] or [`Collider::carry`], and is then
/// [`refitted`](Collider::refit) if anything may be near. Neither takes new memory.
///
/// ```
/// use std::sync::Arc;
/// use glam::DVec3;
/// use pliant::contact::{Collider, Facets, Finder};
/// use pliant::geometry::Pose;
///
/// let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
/// let sides = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];
/// let facets = Arc::new(Facets::new(corners, &sides)?);
/// let mut colliders = [Collider::new(facets.clone()), Collider::new(facets)];
/// let poses = [Pose::IDENTITY, Pose::from(DVec3::new(0.2, 0.2, -0.95))];
/// for (collider, pose) in colliders.iter_mut().zip(poses) {
///     collider.carry(&pose, &pose, 0.01);
///     collider.refit(0.0);
/// }
/// let mut contacts = Vec::new();
/// Finder::default().between(&colliders[0], &colliders[1], 0.0, |_| None, &mut contacts);
/// assert!(contacts.iter().any(|contact| (contact.gap + 0.05).abs() < 1e-12));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Collider {
    facets: Arc<Facets>,
    x: Vec<DVec3>,
    v: Vec<DVec3>,
    h: f64,
    /// The pose of the last step, if it was carried and did not move.
    still: Option<Pose>,
    /// All vertices over the step.
    bounds: Aabb,
    /// Mean velocity of the vertices and the largest difference to it, in m/s.
    velocity: DVec3,
    spread: f64,
    boxes: Vec<Aabb>,
    tree: Tree,
    edge_boxes: Vec<Aabb>,
    edge_tree: Tree,
    depth: f64,
    closed: bool,
}

/// How deep vertices are looked for in a surface, in spacings of it.
const VERTEX_DEPTH: f64 = 2.0;

/// How deep edges are looked for, in spacings: deeper down vertices are inside.
const EDGE_DEPTH: f64 = 0.25;

impl Collider {
    /// A surface that stands still where it is at rest.
    pub fn new(facets: Arc<Facets>) -> Self {
        let boxes = facets.rest_boxes();
        let ends =
            |edge: &u32| facets.edges[*edge as usize].vertices.map(|k| facets.rest[k as usize]);
        let edge_boxes: Vec<Aabb> = facets.sharp.iter().map(|edge| Aabb::of(ends(edge))).collect();
        let mut collider = Self {
            x: facets.rest.clone(),
            v: vec![DVec3::ZERO; facets.rest.len()],
            h: 0.0,
            still: Some(Pose::IDENTITY),
            bounds: Aabb::EMPTY,
            velocity: DVec3::ZERO,
            spread: 0.0,
            tree: Tree::new(&boxes),
            boxes,
            edge_tree: Tree::new(&edge_boxes),
            edge_boxes,
            depth: VERTEX_DEPTH * facets.spacing,
            closed: facets.is_closed(),
            facets,
        };
        collider.measure();
        collider
    }

    /// The same that looks for vertices so deep inside, in m (default two spacings). What stands for all that lies below
    /// it, such as a terrain, wants more.
    #[must_use]
    pub fn with_depth(self, depth: f64) -> Self {
        let mut collider = Self { depth, ..self };
        collider.measure();
        collider
    }

    /// Takes the vertices from the nodes of a body: positions in m and velocities in m/s at the begin of a step of `h`
    /// seconds.
    pub fn follow(&mut self, skin: &Skin, x: &[DVec3], v: &[DVec3], h: f64) {
        skin.interpolate(x, &mut self.x);
        skin.interpolate(v, &mut self.v);
        (self.h, self.still) = (h, None);
        self.measure();
    }

    /// Takes the vertices as told: as [`Collider::follow`] without nodes.
    ///
    /// # Panics
    /// If there are more or fewer than vertices.
    pub fn place(&mut self, x: &[DVec3], v: &[DVec3], h: f64) {
        self.x.copy_from_slice(x);
        self.v.copy_from_slice(v);
        (self.h, self.still) = (h, None);
        self.measure();
    }

    /// Carries the surface at rest from one pose to another in `h` seconds.
    pub fn carry(&mut self, before: &Pose, after: &Pose, h: f64) {
        self.h = h;
        let still = (before == after).then_some(*before);
        if still.is_some() && still == self.still {
            return;
        }
        self.still = still;
        for ((x, v), rest) in self.x.iter_mut().zip(&mut self.v).zip(&self.facets.rest) {
            *x = before.point(*rest);
            *v = if still.is_some() { DVec3::ZERO } else { (after.point(*rest) - *x) / h };
        }
        self.measure();
    }

    /// Bounds and speeds of all.
    fn measure(&mut self) {
        let h = self.h;
        let ends = self.x.iter().zip(&self.v).map(|(x, v)| *x + h * *v);
        // An open surface has an inside beyond its bounds.
        let below = if self.closed { 0.0 } else { self.depth };
        self.bounds = Aabb::of(self.x.iter().copied()).union(&Aabb::of(ends)).inflated(below);
        self.velocity = self.v.iter().sum::<DVec3>() / self.v.len().max(1) as f64;
        let apart = self.v.iter().map(|v| v.distance_squared(self.velocity));
        self.spread = apart.fold(0.0, f64::max).sqrt();
    }

    /// Moves the trees along: boxes hold each triangle and sharp edge over the whole step, and `margin` more, in m; those of
    /// edges also as far as they are looked for.
    pub fn refit(&mut self, margin: f64) {
        let deep = self.edge_depth();
        let Self { facets, x, v, h, .. } = self;
        let at = |k: u32| x[k as usize];
        let speed = |k: u32| v[k as usize];
        for (bounds, t) in self.boxes.iter_mut().zip(&facets.triangles) {
            *bounds = Aabb::swept(t.map(at), t.map(speed), *h).inflated(margin);
        }
        for (bounds, edge) in self.edge_boxes.iter_mut().zip(&facets.sharp) {
            let ends = facets.edges[*edge as usize].vertices;
            *bounds = Aabb::swept(ends.map(at), ends.map(speed), *h).inflated(margin + deep);
        }
        self.tree.refit(&self.boxes);
        self.edge_tree.refit(&self.edge_boxes);
    }

    /// What of it never changes.
    pub fn facets(&self) -> &Arc<Facets> {
        &self.facets
    }

    /// Where its vertices are at the begin of the step, in m.
    pub fn x(&self) -> &[DVec3] {
        &self.x
    }

    /// Their velocities, in m/s.
    pub fn v(&self) -> &[DVec3] {
        &self.v
    }

    /// A box around all of it over the whole step.
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// How deep inside vertices are looked for, in m.
    pub fn depth(&self) -> f64 {
        self.depth
    }

    /// The same for a vertex of a surface of this spacing: a coarse one sinks deeper.
    pub(crate) fn depth_of(&self, spacing: f64) -> f64 {
        self.depth.max(VERTEX_DEPTH * spacing)
    }

    /// How deep edges are looked for, in m; in two surfaces, so deep for each.
    pub(crate) fn edge_depth(&self) -> f64 {
        EDGE_DEPTH * self.facets.spacing
    }

    /// Length of the step, in s.
    pub fn h(&self) -> f64 {
        self.h
    }

    /// A bound on how far its vertices move in the step, seen from what moves at `velocity`, in m.
    pub(crate) fn travel(&self, velocity: DVec3) -> f64 {
        self.h * (self.velocity.distance(velocity) + self.spread)
    }

    pub(crate) fn velocity(&self) -> DVec3 {
        self.velocity
    }

    pub(crate) fn tree(&self) -> &Tree {
        &self.tree
    }

    pub(crate) fn edge_tree(&self) -> &Tree {
        &self.edge_tree
    }

    /// Unit normal of a triangle; zero if it has no area.
    pub(crate) fn triangle_normal(&self, triangle: u32) -> DVec3 {
        self.facets.triangle_normal(&self.x, triangle)
    }

    /// Where the corners of a triangle are.
    pub(crate) fn corners(&self, triangle: u32) -> [DVec3; 3] {
        self.facets.triangles[triangle as usize].map(|k| self.x[k as usize])
    }
}
