//! What goes through what, found without any of the detection that it judges.

use glam::DVec3;
use pliant::body::Skin;
use pliant::contact::touching_skin;
use pliant::geometry::{Aabb, Tree, point_triangle, ray_triangle, triangles_intersect};
use pliant::world::World;

/// Looks at the skins of a world as they are now, at every two triangles whose boxes overlap.
#[derive(Debug)]
pub(super) struct Judge {
    shapes: Vec<Shape>,
}

/// What went through what.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Verdict {
    /// Pairs of triangles that intersect, of two bodies or of one that meets itself.
    pub(super) through: usize,
    /// How deep a vertex lies in another body, in m.
    pub(super) deepest: f64,
}

/// A skin where it is.
#[derive(Debug)]
struct Shape {
    skin: Skin,
    meets_itself: bool,
    x: Vec<DVec3>,
    boxes: Vec<Aabb>,
    bounds: Aabb,
    tree: Tree,
}

impl Judge {
    pub(super) fn new(world: &World) -> Self {
        let shape = |(handle, body): (_, &pliant::body::Body)| {
            let meets_itself = world.contact(handle).is_some_and(|contact| contact.with_itself);
            let skin = touching_skin(body.model());
            let (x, boxes, tree) = (Vec::new(), Vec::new(), Tree::default());
            Shape { skin, meets_itself, x, boxes, bounds: Aabb::EMPTY, tree }
        };
        Self { shapes: world.bodies().map(shape).collect() }
    }

    pub(super) fn look(&mut self, world: &World) -> Verdict {
        for (shape, (_, body)) in self.shapes.iter_mut().zip(world.bodies()) {
            shape.follow(&body.state.x);
        }
        let mut verdict = Verdict::default();
        for (k, a) in self.shapes.iter().enumerate() {
            verdict.through += if a.meets_itself { a.own_intersections() } else { 0 };
            for b in self.shapes[k + 1..].iter().filter(|b| a.bounds.overlaps(&b.bounds)) {
                verdict.through += a.intersections(b);
                verdict.deepest = verdict.deepest.max(a.depth_in(b)).max(b.depth_in(a));
            }
        }
        verdict
    }
}

impl Shape {
    fn follow(&mut self, nodes: &[DVec3]) {
        self.skin.interpolate(nodes, &mut self.x);
        let x = &self.x;
        let bounds = |t: &[u32; 3]| Aabb::of(t.map(|k| x[k as usize]));
        self.boxes.clear();
        self.boxes.extend(self.skin.triangles().iter().map(bounds));
        self.bounds = Aabb::of(self.x.iter().copied());
        if self.tree.len() == self.boxes.len() {
            self.tree.refit(&self.boxes);
        } else {
            self.tree = Tree::new(&self.boxes);
        }
    }

    fn corners(&self, triangle: usize) -> [DVec3; 3] {
        self.skin.triangles()[triangle].map(|k| self.x[k as usize])
    }

    /// Triangles whose boxes overlap a box.
    fn within(&self, bounds: &Aabb) -> Vec<usize> {
        (0..self.boxes.len()).filter(|triangle| self.boxes[*triangle].overlaps(bounds)).collect()
    }

    fn meet(&self, a: usize, other: &Self, b: usize) -> bool {
        self.boxes[a].overlaps(&other.boxes[b])
            && triangles_intersect(self.corners(a), other.corners(b))
    }

    fn intersections(&self, other: &Self) -> usize {
        let (mine, theirs) = (self.within(&other.bounds), other.within(&self.bounds));
        let with = |a: &usize| theirs.iter().filter(|b| self.meet(*a, other, **b)).count();
        mine.iter().map(with).sum()
    }

    fn own_intersections(&self) -> usize {
        let triangles = self.skin.triangles();
        let share = |a: usize, b: usize| triangles[a].iter().any(|k| triangles[b].contains(k));
        let with = |a| (0..a).filter(|b| !share(a, *b) && self.meet(a, self, *b)).count();
        (0..triangles.len()).map(with).sum()
    }

    /// How deep the deepest vertex lies in another body, in m; 0 if none does.
    fn depth_in(&self, other: &Self) -> f64 {
        let inside = |x: &&DVec3| other.bounds.contains(**x) && other.contains(**x);
        self.x.iter().filter(inside).map(|x| other.distance_to(*x)).fold(0.0, f64::max)
    }

    /// Whether rays from a point leave the surface once more than they enter it. Both have to say so: one may
    /// run along an edge.
    fn contains(&self, x: DVec3) -> bool {
        const FAR: f64 = 1e6;
        let rays = [DVec3::new(0.3127, 0.8111, 0.4943), DVec3::new(-0.6173, 0.2237, -0.7542)];
        rays.iter().all(|ray| {
            let mut crossings = 0;
            self.tree.along_ray(x, *ray, FAR, |triangle, reach| {
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
