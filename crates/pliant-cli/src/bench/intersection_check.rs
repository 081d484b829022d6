//! Detects intersections by brute force, independently of the contact detection that it judges.

use std::sync::Arc;

use glam::DVec3;
use pliant::body::Skin;
use pliant::world::World;
use pliant_mesh::geometry::{Aabb, Tree, point_triangle, ray_triangle, triangles_intersect};

/// Checks the skins of a world: tests every two triangles whose boxes overlap.
#[derive(Debug)]
pub(super) struct IntersectionCheck {
    shapes: Vec<Shape>,
    /// Pairs of bodies that have intersected without a pause since the start, sorted.
    from_start: Vec<[usize; 2]>,
}

/// The intersections of one state.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Intersections {
    /// Pairs of intersecting triangles, of two bodies or of one with self-contact.
    pub(super) triangle_pairs: usize,
    /// Pairs of bodies that have intersected since the start; not counted in `triangle_pairs`.
    pub(super) from_start: usize,
    /// Largest depth of a vertex inside another body, in m.
    pub(super) depth: f64,
    /// The same for the pairs that have intersected since the start, in m.
    pub(super) depth_from_start: f64,
}

/// A skin in its current position.
#[derive(Debug)]
struct Shape {
    /// Number of nodes of its body, which changes when the body breaks.
    nodes: usize,
    skin: Arc<Skin>,
    self_contact: bool,
    x: Vec<DVec3>,
    /// The points whose depth is measured, if they are more than the vertices.
    face_points: Option<Vec<DVec3>>,
    boxes: Vec<Aabb>,
    /// Triangles sorted by the lower x of their boxes, and the largest x extent of a box.
    order: Vec<u32>,
    widest: f64,
    bounds: Aabb,
    tree: Tree,
}

impl IntersectionCheck {
    /// Makes a judge for a world in its initial state.
    pub(super) fn new(world: &World) -> Self {
        let shape = |(handle, body): (_, &pliant::body::Body)| {
            let self_contact = world.contact(handle).is_some_and(|contact| contact.with_itself);
            let skin = body.model().touching_skin().clone();
            let (x, boxes, tree) = (Vec::new(), Vec::new(), Tree::default());
            let (order, widest) = (Vec::new(), 0.0);
            let (face_points, bounds) = (None, Aabb::EMPTY);
            let nodes = body.state.x.len();
            Shape { nodes, skin, self_contact, x, face_points, boxes, order, widest, bounds, tree }
        };
        let shapes = world.bodies().map(shape).collect();
        let mut check = Self { shapes, from_start: Vec::new() };
        check.update(world);
        check.from_start = check.pairs().filter(|pair| check.intersections(*pair) > 0).collect();
        check
    }

    /// Measures depth at the middles of triangles and edges, too: faces of coarse cells can be inside a body without any of their
    /// vertices.
    pub(super) fn with_face_points(mut self) -> Self {
        self.shapes.iter_mut().for_each(|shape| shape.face_points = Some(Vec::new()));
        self
    }

    /// The skins of all bodies, each with the positions of its vertices in the last state.
    pub(super) fn skins(&self) -> impl Iterator<Item = (&Skin, &[DVec3])> {
        self.shapes.iter().map(|shape| (&*shape.skin, &shape.x[..]))
    }

    /// The intersections of the bodies now.
    pub(super) fn find(&mut self, world: &World) -> Intersections {
        self.update(world);
        let mut from_start = std::mem::take(&mut self.from_start);
        from_start.retain(|pair| self.intersections(*pair) > 0);
        let mut found = Intersections { from_start: from_start.len(), ..Intersections::default() };
        for pair in self.pairs() {
            if from_start.binary_search(&pair).is_ok() {
                found.depth_from_start = found.depth_from_start.max(self.depth(pair));
            } else {
                found.triangle_pairs += self.intersections(pair);
                found.depth = found.depth.max(self.depth(pair));
            }
        }
        self.from_start = from_start;
        found
    }

    /// Largest depth of a point of one body inside the other, in m; 0 for a body and itself.
    fn depth(&self, [a, b]: [usize; 2]) -> f64 {
        let (one, other) = (&self.shapes[a], &self.shapes[b]);
        if a == b { 0.0 } else { one.depth_in(other).max(other.depth_in(one)) }
    }

    fn update(&mut self, world: &World) {
        let nodes = world.bodies().map(|(_, body)| body.state.x.len());
        if !nodes.eq(self.shapes.iter().map(|shape| shape.nodes)) {
            self.begin_anew(world);
        }
        for (shape, (_, body)) in self.shapes.iter_mut().zip(world.bodies()) {
            shape.update(&body.state.x);
        }
    }

    /// Begins anew with the bodies of a world in which one broke: fragments share the faces of their cracks.
    fn begin_anew(&mut self, world: &World) {
        let has_face_points = self.shapes.iter().any(|shape| shape.face_points.is_some());
        let fresh = Self::new(world);
        *self = if has_face_points { fresh.with_face_points() } else { fresh };
    }

    /// Every two bodies whose boxes overlap, and every body with self-contact, sorted.
    fn pairs(&self) -> impl Iterator<Item = [usize; 2]> {
        let shapes = &self.shapes;
        let meet = |a: usize, b: usize| match a == b {
            true => shapes[a].self_contact,
            false => shapes[a].bounds.overlaps(&shapes[b].bounds),
        };
        let count = shapes.len();
        (0..count).flat_map(move |a| (a..count).filter(move |b| meet(a, *b)).map(move |b| [a, b]))
    }

    fn intersections(&self, [a, b]: [usize; 2]) -> usize {
        match a == b {
            true => self.shapes[a].own_intersections(),
            false => self.shapes[a].intersections(&self.shapes[b]),
        }
    }
}

impl Shape {
    fn update(&mut self, nodes: &[DVec3]) {
        self.skin.interpolate(nodes, &mut self.x);
        let x = &self.x;
        if let Some(points) = &mut self.face_points {
            let triangles = self.skin.triangles().iter();
            points.clear();
            points.extend(x);
            points.extend(triangles.flat_map(|t| middles(t.map(|k| x[k as usize]))));
        }
        let bounds = |t: &[u32; 3]| Aabb::of(t.map(|k| x[k as usize]));
        self.boxes.clear();
        self.boxes.extend(self.skin.triangles().iter().map(bounds));
        self.bounds = Aabb::of(self.x.iter().copied());
        let boxes = &self.boxes;
        self.widest = boxes.iter().map(|b| b.high.x - b.low.x).fold(0.0, f64::max);
        self.order.clear();
        self.order.extend(0..boxes.len() as u32);
        self.order.sort_by(|a, b| boxes[*a as usize].low.x.total_cmp(&boxes[*b as usize].low.x));
        if self.tree.len() == self.boxes.len() {
            self.tree.refit(&self.boxes);
        } else {
            self.tree = Tree::new(&self.boxes);
        }
    }

    fn corners(&self, triangle: usize) -> [DVec3; 3] {
        self.skin.triangles()[triangle].map(|k| self.x[k as usize])
    }

    /// The triangles whose boxes overlap `bounds`.
    fn within(&self, bounds: &Aabb) -> impl Iterator<Item = usize> {
        let low = |triangle: &u32| self.boxes[*triangle as usize].low.x;
        let first = self.order.partition_point(|t| low(t) < bounds.low.x - self.widest);
        let near = self.order[first..].iter().take_while(move |t| low(t) <= bounds.high.x);
        near.map(|t| *t as usize).filter(move |t| self.boxes[*t].overlaps(bounds))
    }

    fn intersections(&self, other: &Self) -> usize {
        let meet = |a: usize, b: usize| triangles_intersect(self.corners(a), other.corners(b));
        let with = |a: usize| other.within(&self.boxes[a]).filter(|b| meet(a, *b)).count();
        self.within(&other.bounds).map(with).sum()
    }

    fn own_intersections(&self) -> usize {
        let triangles = self.skin.triangles();
        let share = |a: usize, b: usize| triangles[a].iter().any(|k| triangles[b].contains(k));
        let meet = |a: usize, b: usize| {
            b < a && !share(a, b) && triangles_intersect(self.corners(a), self.corners(b))
        };
        let with = |a: usize| self.within(&self.boxes[a]).filter(|b| meet(a, *b)).count();
        (0..triangles.len()).map(with).sum()
    }

    /// Largest depth of a point inside another body, in m; 0 if none is inside.
    fn depth_in(&self, other: &Self) -> f64 {
        let inside = |x: &&DVec3| other.bounds.contains(**x) && other.contains(**x);
        let points = self.face_points.as_ref().unwrap_or(&self.x);
        points.iter().filter(inside).map(|x| other.distance_to(*x)).fold(0.0, f64::max)
    }

    /// True if two rays from the point cross the surface an odd number of times. Both must agree, since one may run
    /// along an edge.
    fn contains(&self, x: DVec3) -> bool {
        const RAY_LENGTH: f64 = 1e6;
        let rays = [DVec3::new(0.3127, 0.8111, 0.4943), DVec3::new(-0.6173, 0.2237, -0.7542)];
        rays.iter().all(|ray| {
            let mut crossings = 0;
            self.tree.along_ray(x, *ray, RAY_LENGTH, |triangle, reach| {
                let met = ray_triangle(x, *ray, self.corners(triangle as usize)).is_some();
                crossings += usize::from(met);
                reach
            });
            crossings % 2 == 1
        })
    }

    fn distance_to(&self, x: DVec3) -> f64 {
        let squared = |triangle: u32| point_triangle(x, self.corners(triangle as usize)).1;
        self.tree.nearest(x, f64::INFINITY, squared).map_or(0.0, |(_, squared)| squared.sqrt())
    }
}

/// The middles of a triangle and of its edges.
fn middles([a, b, c]: [DVec3; 3]) -> [DVec3; 4] {
    [(a + b + c) / 3.0, 0.5 * (a + b), 0.5 * (b + c), 0.5 * (c + a)]
}
