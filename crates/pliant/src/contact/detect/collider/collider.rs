//! Surfaces in motion.

use std::sync::Arc;

use glam::DVec3;

use crate::body::Skin;
use pliant_mesh::geometry::{Aabb, Pose, Tree};

use super::facets::Facets;

/// A surface during a step: positions and velocities of its vertices, and search trees over triangles and sharp edges.
///
/// Each step sets its motion, by [`Collider::follow`] or [`Collider::carry`], and then [refits](Collider::refit) the trees if
/// another surface may be near. Neither allocates.
///
/// ```
/// use std::sync::Arc;
/// use glam::DVec3;
/// use pliant::Pose;
/// use pliant::internals::{Collider, Facets, Finder};
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
    /// The pose of the last step, if the surface was carried and did not move.
    still: Option<Pose>,
    /// Box around all vertices over the step.
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

/// Depth to which vertices are searched inside a surface, in spacings of it.
const VERTEX_DEPTH: f64 = 2.0;

/// Depth to which edges are searched, in spacings: if edges overlap more deeply, vertices are inside too.
const EDGE_DEPTH: f64 = 0.25;

/// Gap over the spacing below which surfaces touch: bodies placed directly side by side would otherwise enter each
/// other for a step.
pub(crate) const FLUSH_GAP: f64 = 1e-6;

impl Collider {
    /// A surface at rest.
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

    /// The same surface with another search depth for vertices, in m (default two spacings). A surface that stands for all matter
    /// below it, such as a terrain, needs more.
    #[must_use]
    pub fn with_depth(self, depth: f64) -> Self {
        let mut collider = Self { depth, ..self };
        collider.measure();
        collider
    }

    /// Interpolates the vertices from the nodes of a body: positions in m and velocities in m/s at the start of a step of `h`
    /// seconds.
    pub fn follow(&mut self, skin: &Skin, x: &[DVec3], v: &[DVec3], h: f64) {
        skin.interpolate(x, &mut self.x);
        skin.interpolate(v, &mut self.v);
        (self.h, self.still) = (h, None);
        self.measure();
    }

    /// Sets the box alone, to one around these nodes: it contains every vertex that is a combination of them with non-negative weights. Vertices and trees stay
    /// as they were.
    pub(crate) fn enclose(&mut self, x: &[DVec3], v: &[DVec3], h: f64) {
        self.bounds = self.swept_box(x, v, h);
    }

    /// Sets the vertices directly; otherwise as [`Collider::follow`].
    ///
    /// # Panics
    /// If the number of positions or velocities is not the number of vertices.
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

    /// Updates bounds and velocities.
    fn measure(&mut self) {
        self.bounds = self.swept_box(&self.x, &self.v, self.h);
        self.velocity = self.v.iter().sum::<DVec3>() / self.v.len().max(1) as f64;
        // The largest difference to the mean velocity bounds the travel of every vertex relative to any observer.
        let apart = self.v.iter().map(|v| v.distance_squared(self.velocity));
        self.spread = apart.fold(0.0, f64::max).sqrt();
    }

    /// The box around points over a step of `h` seconds.
    fn swept_box(&self, x: &[DVec3], v: &[DVec3], h: f64) -> Aabb {
        let ends = x.iter().zip(v).map(|(x, v)| *x + h * *v);
        // Surfaces that touch each other are near, however they are rounded, and the inside of an open surface reaches beyond its vertices.
        let below = if self.closed { FLUSH_GAP * self.facets.spacing } else { self.depth };
        Aabb::of(x.iter().copied()).union(&Aabb::of(ends)).inflated(below)
    }

    /// Refits the trees: boxes enclose each triangle and sharp edge over the whole step, enlarged by `margin`, in m; boxes of edges
    /// also by their search depth.
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

    /// Its constant part.
    pub fn facets(&self) -> &Arc<Facets> {
        &self.facets
    }

    /// Positions of its vertices at the start of the step, in m.
    pub fn x(&self) -> &[DVec3] {
        &self.x
    }

    /// Their velocities, in m/s.
    pub fn v(&self) -> &[DVec3] {
        &self.v
    }

    /// A box around the surface over the whole step.
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// Depth to which vertices are searched inside, in m.
    pub fn depth(&self) -> f64 {
        self.depth
    }

    /// The search depth for a vertex of a surface with this spacing: vertices of coarse surfaces sink deeper.
    pub(crate) fn depth_of(&self, spacing: f64) -> f64 {
        self.depth.max(VERTEX_DEPTH * spacing)
    }

    /// Search depth for edges, in m; for two surfaces it is the sum of both.
    pub(crate) fn edge_depth(&self) -> f64 {
        EDGE_DEPTH * self.facets.spacing
    }

    /// Length of the step, in s.
    pub fn h(&self) -> f64 {
        self.h
    }

    /// An upper bound of the distance its vertices move in the step relative to a point with this `velocity`, in m.
    pub(crate) fn travel(&self, velocity: DVec3) -> f64 {
        self.h * (self.velocity.distance(velocity) + self.spread)
    }

    /// An upper bound of the distance that vertices of two surfaces move relative to each other in the step, in m.
    pub(crate) fn travel_to(&self, other: &Self) -> f64 {
        self.travel(other.velocity) + self.h * other.spread
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

    /// Positions of the corners of a triangle.
    pub(crate) fn corners(&self, triangle: u32) -> [DVec3; 3] {
        self.facets.triangles[triangle as usize].map(|k| self.x[k as usize])
    }
}
