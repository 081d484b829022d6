//! Clips a chunk with a plane.
//!
//! Vertices are kept or dropped by the sign of one number. An edge between a kept and a dropped vertex is cut at one
//! point, which both its faces share. Each face is closed along the plane by edges from its exit point to its next
//! entry point, and the cap passes the same edges in the opposite direction. So a closed surface stays closed,
//! combinatorially; rounding affects only the positions of vertices.

use std::collections::BTreeMap;

use super::chunk::{Cap, Chunk, Corner, Polygon};
use super::plane::Plane;

/// Marks a vertex without a new index.
const NONE: u32 = u32::MAX;

impl Chunk {
    /// Clips to the near side of a plane and adds a cap with this number.
    pub(super) fn clipped(self, plane: &Plane, number: u32) -> Self {
        let distances: Vec<f64> = self.points.iter().map(|x| plane.distance(*x)).collect();
        let dropped = distances.iter().filter(|distance| plane.drops(**distance)).count();
        if dropped == 0 {
            return self;
        }
        if dropped == self.points.len() {
            return Self::default();
        }
        let mut cut = Cut {
            new: vec![NONE; self.points.len()],
            from: &self,
            plane,
            distances,
            crossings: BTreeMap::new(),
            seam: Vec::new(),
            to: Self::default(),
        };
        self.polygons.iter().for_each(|polygon| cut.polygon(polygon));
        self.caps.iter().for_each(|cap| cut.cap(cap));
        let Cut { seam: edges, mut to, .. } = cut;
        if !edges.is_empty() {
            to.caps.push(Cap { plane: number, normal: plane.normal, edges });
        }
        to
    }
}

/// The state of a clip.
struct Cut<'a> {
    from: &'a Chunk,
    plane: &'a Plane,
    /// The signed distances of all points beyond the plane, in m.
    distances: Vec<f64>,
    /// The new indices of kept points.
    new: Vec<u32>,
    /// The new vertices on cut edges, by their kept and dropped ends.
    crossings: BTreeMap<[u32; 2], u32>,
    /// The edges of the new cap.
    seam: Vec<[u32; 2]>,
    to: Chunk,
}

impl Cut<'_> {
    fn drops(&self, vertex: u32) -> bool {
        self.plane.drops(self.distances[vertex as usize])
    }

    /// The new index of a kept point.
    fn kept(&mut self, vertex: u32) -> u32 {
        let slot = &mut self.new[vertex as usize];
        if *slot == NONE {
            *slot = self.to.points.len() as u32;
            self.to.points.push(self.from.points[vertex as usize]);
        }
        *slot
    }

    /// The fraction of the edge from a kept to a dropped vertex that lies before the plane.
    fn share(&self, kept: u32, dropped: u32) -> f64 {
        let [a, b] = [kept, dropped].map(|vertex| self.distances[vertex as usize]);
        if a == b { 0.0 } else { (a / (a - b)).clamp(0.0, 1.0) }
    }

    /// The vertex where an edge meets the plane.
    fn crossing(&mut self, kept: u32, dropped: u32) -> u32 {
        let share = self.share(kept, dropped);
        *self.crossings.entry([kept, dropped]).or_insert_with(|| {
            let [a, b] = [kept, dropped].map(|vertex| self.from.points[vertex as usize]);
            self.to.points.push(if share == 1.0 { b } else { a + share * (b - a) });
            self.to.points.len() as u32 - 1
        })
    }

    /// Clips a polygon (Sutherland & Hodgman 1974).
    fn polygon(&mut self, polygon: &Polygon) {
        let from = self.from;
        let corners = from.corners_of(polygon);
        if corners.iter().all(|corner| self.drops(corner.vertex)) {
            return;
        }
        let start = self.to.corners.len() as u32;
        let mut crossed = Vec::new();
        for (k, a) in corners.iter().enumerate() {
            let b = &corners[(k + 1) % corners.len()];
            let (leaves, enters) = (self.drops(b.vertex), self.drops(a.vertex));
            if !enters {
                let vertex = self.kept(a.vertex);
                self.to.corners.push(Corner { vertex, weights: a.weights });
            }
            if leaves != enters {
                let (near, far) = if leaves { (a, b) } else { (b, a) };
                let vertex = self.crossing(near.vertex, far.vertex);
                let weights = mixed(near, far, self.share(near.vertex, far.vertex));
                self.to.corners.push(Corner { vertex, weights });
                crossed.push((leaves, vertex));
            }
        }
        let end = self.to.corners.len() as u32;
        self.to.polygons.push(Polygon { start, end, triangle: polygon.triangle });
        self.sew(&crossed);
    }

    /// Adds the new edges of a polygon to the cap, in the opposite direction.
    fn sew(&mut self, crossed: &[(bool, u32)]) {
        for (k, (leaves, exit)) in crossed.iter().enumerate() {
            let (_, entry) = crossed[(k + 1) % crossed.len()];
            if *leaves && entry != *exit {
                self.seam.push([entry, *exit]);
            }
        }
    }

    /// Clips a cap: points where its edges meet the plane are joined in their order along the line.
    fn cap(&mut self, cap: &Cap) {
        let (mut edges, mut exits, mut entries) = (Vec::new(), Vec::new(), Vec::new());
        for &[a, b] in &cap.edges {
            match (self.drops(a), self.drops(b)) {
                (false, false) => edges.push([self.kept(a), self.kept(b)]),
                (false, true) => {
                    let exit = self.crossing(a, b);
                    edges.push([self.kept(a), exit]);
                    exits.push(exit);
                }
                (true, false) => {
                    let entry = self.crossing(b, a);
                    edges.push([entry, self.kept(b)]);
                    entries.push(entry);
                }
                (true, true) => {}
            }
        }
        // The direction of the cap's new border, with the cap on its left.
        let along = cap.normal.cross(self.plane.normal);
        let points = &self.to.points;
        let key = |vertex: &u32| points[*vertex as usize].dot(along);
        for list in [&mut exits, &mut entries] {
            list.sort_by(|a, b| key(a).total_cmp(&key(b)).then(a.cmp(b)));
        }
        for (exit, entry) in exits.into_iter().zip(entries).filter(|(exit, entry)| exit != entry) {
            edges.push([exit, entry]);
            self.seam.push([entry, exit]);
        }
        if !edges.is_empty() {
            self.to.caps.push(Cap { edges, ..*cap });
        }
    }
}

/// Interpolates the weights of two corners.
fn mixed(a: &Corner, b: &Corner, share: f64) -> [f64; 2] {
    [0, 1].map(|k| a.weights[k] + share * (b.weights[k] - a.weights[k]))
}
