//! Collapses of edges to one of their ends.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use glam::DVec3;

use crate::geometry::{Surface, nearest_on_triangle};

use super::coarse_surface::{CoarseLimits, CoarseSurface};
use super::quadric::Quadric;

/// The least cosine of the angle by which a triangle may turn in one collapse.
const LEAST_TURN_COSINE: f64 = 0.3;

/// The least height over the longest side of a new triangle, unless it was thinner before.
const LEAST_HEIGHT: f64 = 0.1;

/// The cost of long edges, in fourth powers of their length: where a surface is flat, triangles stay even.
const COST_OF_LENGTH: f64 = 1e-4;

/// The weight of the planes that hold borders, relative to the squared length of a border edge.
const BORDER_WEIGHT: f64 = 10.0;

/// The most passes over all edges. A collapse that was refused may become possible when its surroundings have changed.
const MOST_PASSES: usize = 4;

/// A pass that removes less than this share of the vertices is the last one.
const LEAST_PROGRESS: f64 = 0.02;

/// A surface while its edges are collapsed.
pub(super) struct Collapse {
    limits: CoarseLimits,
    x: Vec<DVec3>,
    /// A removed triangle has equal vertices.
    triangles: Vec<[u32; 3]>,
    /// The triangles around each vertex.
    around: Vec<Vec<u32>>,
    kinds: Vec<VertexKind>,
    quadrics: Vec<Quadric>,
    /// How often each vertex was queued; only the last time counts.
    changes: Vec<u32>,
    /// The removed vertices that are nearest to each triangle; the first is the farthest of them.
    absorbed: Vec<Vec<u32>>,
    queue: BinaryHeap<Reverse<Candidate>>,
    /// Buffers.
    ring: Vec<u32>,
    collapses: Vec<(f64, u32)>,
    star: Vec<(u32, [DVec3; 3])>,
    points: Vec<(u32, u32, f64)>,
}

/// How a vertex may move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum VertexKind {
    /// It lies inside the surface.
    Inside,
    /// It lies on one border.
    Border,
    /// Borders meet there, or the surface is no surface: it stays.
    Fixed,
    /// It is in no triangle.
    Alone,
    /// It was removed.
    Removed,
}

/// A vertex that may collapse, with the cost of its cheapest collapse.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Candidate {
    cost: f64,
    vertex: u32,
    /// How often the vertex was queued then.
    changes: u32,
}

impl Eq for Candidate {}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        self.cost.total_cmp(&other.cost).then(self.vertex.cmp(&other.vertex))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Collapse {
    pub(super) fn new(surface: &Surface, limits: CoarseLimits) -> Self {
        // Planes far from the origin would cost digits.
        let (low, high) = surface.bounds();
        let centre = if low.x <= high.x { 0.5 * (low + high) } else { DVec3::ZERO };
        let x: Vec<DVec3> = surface.vertices.iter().map(|x| *x - centre).collect();
        let triangles: Vec<_> = surface.triangles.iter().copied().filter(is_plain).collect();
        let mut around = vec![Vec::new(); x.len()];
        for (index, triangle) in (0u32..).zip(&triangles) {
            triangle.iter().for_each(|vertex| around[*vertex as usize].push(index));
        }
        let mut collapse = Self {
            limits,
            kinds: Vec::new(),
            quadrics: vec![Quadric::default(); x.len()],
            changes: vec![0; x.len()],
            absorbed: vec![Vec::new(); triangles.len()],
            queue: BinaryHeap::new(),
            ring: Vec::new(),
            collapses: Vec::new(),
            star: Vec::new(),
            points: Vec::new(),
            x,
            triangles,
            around,
        };
        collapse.kinds = (0..collapse.x.len() as u32).map(|k| collapse.kind_of(k)).collect();
        collapse.find_quadrics();
        collapse
    }

    /// Collapses edges until none is left that may be collapsed.
    pub(super) fn run(&mut self) {
        for _ in 0..MOST_PASSES {
            let before = self.count();
            (0..self.x.len() as u32).for_each(|vertex| self.queue_vertex(vertex));
            while let Some(Reverse(Candidate { vertex, changes, .. })) = self.queue.pop() {
                if changes == self.changes[vertex as usize] {
                    self.try_collapses_of(vertex);
                }
            }
            if self.count() as f64 > (1.0 - LEAST_PROGRESS) * before as f64 {
                break;
            }
        }
    }

    /// The coarse surface.
    pub(super) fn finish(self) -> CoarseSurface {
        let is_kept = |vertex: &u32| self.kinds[*vertex as usize] != VertexKind::Removed;
        let kept: Vec<u32> = (0..self.x.len() as u32).filter(is_kept).collect();
        let mut new = vec![0; self.x.len()];
        for (index, vertex) in (0u32..).zip(&kept) {
            new[*vertex as usize] = index;
        }
        let mut distance: f64 = 0.0;
        let mut triangles = Vec::new();
        for (index, triangle) in self.triangles.iter().enumerate() {
            if !is_plain(triangle) {
                continue;
            }
            triangles.push(triangle.map(|vertex| new[vertex as usize]));
            let corners = self.corners(index as u32);
            let away = |x: DVec3| nearest_on_triangle(x, corners).distance_squared(x);
            let absorbed = self.absorbed[index].iter().map(|vertex| self.x[*vertex as usize]);
            distance = absorbed.map(away).fold(distance, f64::max);
        }
        CoarseSurface { kept, triangles, distance: distance.sqrt() }
    }

    /// The number of vertices left.
    fn count(&self) -> usize {
        self.kinds.iter().filter(|kind| **kind != VertexKind::Removed).count()
    }

    fn corners(&self, triangle: u32) -> [DVec3; 3] {
        self.triangles[triangle as usize].map(|vertex| self.x[vertex as usize])
    }

    /// The vertices around a vertex, each as often as triangles share the edge to it, sorted.
    fn ring(&self, vertex: u32) -> Vec<u32> {
        let mut ring = Vec::new();
        self.find_ring(vertex, &mut ring);
        ring
    }

    /// The same in a buffer.
    fn find_ring(&self, vertex: u32, ring: &mut Vec<u32>) {
        ring.clear();
        let triangles = self.around[vertex as usize].iter();
        let corners = triangles.flat_map(|triangle| self.triangles[*triangle as usize]);
        ring.extend(corners.filter(|other| *other != vertex));
        ring.sort_unstable();
    }

    fn kind_of(&self, vertex: u32) -> VertexKind {
        let ring = self.ring(vertex);
        let edges = || ring.chunk_by(|a, b| a == b);
        let (borders, most) = edges().fold((0, 0), |(borders, most), edge| match edge.len() {
            1 => (borders + 1, most.max(1)),
            uses => (borders, most.max(uses)),
        });
        match (borders, most) {
            (_, 0) => VertexKind::Alone,
            (0, 2) if self.is_one_fan(vertex) => VertexKind::Inside,
            (2, 1 | 2) if self.is_one_fan(vertex) => VertexKind::Border,
            _ => VertexKind::Fixed,
        }
    }

    /// True if the triangles around a vertex follow each other, from edge to edge, without a second fan.
    fn is_one_fan(&self, vertex: u32) -> bool {
        let fan = &self.around[vertex as usize];
        let others = |triangle: u32| {
            let corners = self.triangles[triangle as usize];
            corners.into_iter().filter(move |other| *other != vertex)
        };
        let mut reached = vec![fan[0]];
        let mut next = 0;
        while let Some(triangle) = reached.get(next).copied() {
            for other in fan {
                let shares = others(*other).any(|corner| others(triangle).any(|own| own == corner));
                if shares && !reached.contains(other) {
                    reached.push(*other);
                }
            }
            next += 1;
        }
        reached.len() == fan.len()
    }

    /// The planes of all triangles, weighted by area; and at borders the planes through the border edges, upright on the triangle.
    fn find_quadrics(&mut self) {
        for triangle in 0..self.triangles.len() as u32 {
            let [a, b, c] = self.corners(triangle);
            let area = 0.5 * (b - a).cross(c - a);
            let Some(normal) = area.try_normalize() else { continue };
            let vertices = self.triangles[triangle as usize];
            for vertex in vertices {
                self.quadrics[vertex as usize].add_plane(a, normal, area.length());
            }
            for side in 0..3 {
                let ends = [vertices[side], vertices[(side + 1) % 3]];
                if self.is_border(ends) {
                    let [from, to] = ends.map(|end| self.x[end as usize]);
                    let upright = (to - from).cross(normal).normalize_or_zero();
                    let weight = BORDER_WEIGHT * from.distance_squared(to);
                    for end in ends {
                        self.quadrics[end as usize].add_plane(from, upright, weight);
                    }
                }
            }
        }
    }

    fn shared(&self, [a, b]: [u32; 2]) -> usize {
        let triangles = self.around[a as usize].iter();
        triangles.filter(|triangle| self.triangles[**triangle as usize].contains(&b)).count()
    }

    fn is_border(&self, ends: [u32; 2]) -> bool {
        self.shared(ends) == 1
    }

    /// True if a vertex may collapse into another one.
    fn may_move(&self, vertex: u32) -> bool {
        matches!(self.kinds[vertex as usize], VertexKind::Inside | VertexKind::Border)
    }

    /// Finds the collapses of a vertex into its neighbours, with their costs.
    fn find_collapses(&mut self, from: u32) {
        let mut ring = std::mem::take(&mut self.ring);
        self.find_ring(from, &mut ring);
        ring.dedup();
        let mut collapses = std::mem::take(&mut self.collapses);
        collapses.clear();
        collapses.extend(ring.iter().map(|to| (self.cost(from, *to), *to)));
        (self.ring, self.collapses) = (ring, collapses);
    }

    fn cost(&self, from: u32, to: u32) -> f64 {
        let place = self.x[to as usize];
        let error = self.quadrics[from as usize].plus(&self.quadrics[to as usize]).at(place);
        let length = self.x[from as usize].distance_squared(place);
        error + COST_OF_LENGTH * length * length
    }

    /// Queues a vertex by its cheapest collapse.
    fn queue_vertex(&mut self, vertex: u32) {
        if !self.may_move(vertex) {
            return;
        }
        self.find_collapses(vertex);
        let costs = self.collapses.iter().map(|(cost, _)| *cost);
        let cost = costs.fold(f64::INFINITY, f64::min);
        self.changes[vertex as usize] += 1;
        let changes = self.changes[vertex as usize];
        self.queue.push(Reverse(Candidate { cost, vertex, changes }));
    }

    /// Takes the cheapest collapse of a vertex that is possible, if there is one.
    fn try_collapses_of(&mut self, from: u32) {
        if !self.may_move(from) {
            return;
        }
        self.find_collapses(from);
        let mut collapses = std::mem::take(&mut self.collapses);
        collapses.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let possible = collapses.iter().find(|(_, to)| {
            self.keeps_topology(from, *to) && self.find_star(from, *to) && self.find_points(from)
        });
        let to = possible.map(|(_, to)| *to);
        self.collapses = collapses;
        if let Some(to) = to {
            self.collapse(from, to);
        }
    }

    /// True if the surface has the same topology after the collapse (the link condition: both ends have no common neighbours but those
    /// of the triangles at the edge), and a border stays a border.
    fn keeps_topology(&self, from: u32, to: u32) -> bool {
        let shared = self.shared([from, to]);
        let expected = match self.kinds[from as usize] {
            VertexKind::Inside => 2,
            VertexKind::Border => 1,
            _ => return false,
        };
        let [mut first, mut second] = [from, to].map(|end| self.ring(end));
        first.dedup();
        second.dedup();
        let common = first.iter().filter(|vertex| second.binary_search(vertex).is_ok()).count();
        shared == expected && common == shared
    }

    /// Finds the triangles around `from` that stay, with their new corners. False if one of them would turn over, become a needle, or
    /// get too long an edge.
    fn find_star(&mut self, from: u32, to: u32) -> bool {
        self.star.clear();
        let place = self.x[to as usize];
        for triangle in &self.around[from as usize] {
            let vertices = self.triangles[*triangle as usize];
            if vertices.contains(&to) {
                continue;
            }
            let old = vertices.map(|vertex| self.x[vertex as usize]);
            let new =
                vertices.map(|vertex| if vertex == from { place } else { self.x[vertex as usize] });
            let fits = |corner: &DVec3| corner.distance(place) <= self.limits.longest_edge;
            if !(new.iter().all(fits) && stays_upright(old, new)) {
                return false;
            }
            self.star.push((*triangle, new));
        }
        !self.star.is_empty()
    }

    /// Finds the nearest new triangle of every vertex that the triangles around `from` have absorbed, and of `from`. False if one is too far.
    fn find_points(&mut self, from: u32) -> bool {
        let Self { limits, x, around, absorbed, star, points, .. } = self;
        points.clear();
        let most = limits.within * limits.within;
        let fan = &around[from as usize];
        // What was farthest before is likely to be too far now: most collapses are refused here.
        let farthest = fan.iter().filter_map(|triangle| absorbed[*triangle as usize].first());
        let mut farthest = std::iter::once(&from).chain(farthest);
        if farthest.any(|vertex| nearest(x[*vertex as usize], star).0 > most) {
            return false;
        }
        let all = fan.iter().flat_map(|triangle| &absorbed[*triangle as usize]);
        for vertex in std::iter::once(&from).chain(all) {
            let (squared, triangle) = nearest(x[*vertex as usize], star);
            if squared > most {
                return false;
            }
            points.push((*vertex, triangle, squared));
        }
        // The farthest of every triangle comes first.
        points.sort_unstable_by(|a, b| b.2.total_cmp(&a.2));
        true
    }

    /// Moves `from` into `to`. The star and its points have been found.
    fn collapse(&mut self, from: u32, to: u32) {
        let fan = std::mem::take(&mut self.around[from as usize]);
        for triangle in &fan {
            self.absorbed[*triangle as usize].clear();
            let vertices = self.triangles[*triangle as usize];
            if vertices.contains(&to) {
                for vertex in vertices {
                    self.around[vertex as usize].retain(|other| other != triangle);
                }
                self.triangles[*triangle as usize] = [0; 3];
            } else {
                self.triangles[*triangle as usize] =
                    vertices.map(|vertex| if vertex == from { to } else { vertex });
                self.around[to as usize].push(*triangle);
            }
        }
        for (vertex, triangle, _) in self.points.drain(..) {
            self.absorbed[triangle as usize].push(vertex);
        }
        self.kinds[from as usize] = VertexKind::Removed;
        self.quadrics[to as usize] = self.quadrics[from as usize].plus(&self.quadrics[to as usize]);
        let mut ring = self.ring(to);
        ring.dedup();
        ring.into_iter().for_each(|other| self.queue_vertex(other));
        self.queue_vertex(to);
    }
}

/// The squared distance of a point from the nearest of some triangles, and its number.
fn nearest(x: DVec3, star: &[(u32, [DVec3; 3])]) -> (f64, u32) {
    let mut found = (f64::INFINITY, 0);
    for (triangle, corners) in star {
        let squared = nearest_on_triangle(x, *corners).distance_squared(x);
        if squared < found.0 {
            found = (squared, *triangle);
        }
    }
    found
}

fn is_plain([a, b, c]: &[u32; 3]) -> bool {
    a != b && b != c && c != a
}

/// True if a triangle has not turned by much, and is no needle unless it was one.
fn stays_upright(old: [DVec3; 3], new: [DVec3; 3]) -> bool {
    let area = |[a, b, c]: [DVec3; 3]| (b - a).cross(c - a);
    let (before, after) = (area(old), area(new));
    let lengths = before.length() * after.length();
    let turn = if before == DVec3::ZERO { 1.0 } else { before.dot(after) / lengths };
    let slenderness = |[a, b, c]: [DVec3; 3], area: DVec3| {
        let longest = a.distance_squared(b).max(b.distance_squared(c)).max(c.distance_squared(a));
        area.length() / longest
    };
    let least = LEAST_HEIGHT.min(slenderness(old, before));
    // A new triangle without area has no direction: the comparison is false.
    turn >= LEAST_TURN_COSINE && slenderness(new, after) >= least
}
