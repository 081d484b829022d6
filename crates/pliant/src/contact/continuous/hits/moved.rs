//! What moved on a surface since the last search of a step.

use glam::DVec3;

use pliant_mesh::geometry::{Aabb, Tree};

/// The vertices and triangles of a surface whose paths changed since the last search: only they can have new hits.
#[derive(Debug, Clone, Default)]
pub(in crate::contact::continuous) struct Moved {
    /// Ends of the vertices at the last search, in m; empty before the first search of a step.
    ends: Vec<DVec3>,
    vertices: Vec<bool>,
    triangles: Vec<bool>,
    /// The triangles that moved.
    list: Vec<u32>,
}

impl Moved {
    /// Starts a step, in which all paths are new.
    pub(in crate::contact::continuous) fn begin(&mut self) {
        self.ends.clear();
    }

    /// Compares the ends of the vertices with those at the last search.
    pub(in crate::contact::continuous) fn compare(
        &mut self,
        end: &[DVec3],
        triangles: &[[u32; 3]],
    ) {
        let is_new = self.ends.len() != end.len();
        self.vertices.clear();
        if is_new {
            self.vertices.resize(end.len(), true);
        } else {
            self.vertices.extend(end.iter().zip(&self.ends).map(|(now, before)| now != before));
        }
        let has_moved = |t: &[u32; 3]| t.iter().any(|vertex| self.vertices[*vertex as usize]);
        self.triangles.clear();
        self.triangles.extend(triangles.iter().map(has_moved));
        self.list.clear();
        self.list.extend((0u32..).zip(&self.triangles).filter(|(_, moved)| **moved).map(|of| of.0));
        self.ends.clear();
        self.ends.extend_from_slice(end);
    }

    /// Records that nothing moved since the last search.
    pub(in crate::contact::continuous) fn rest(&mut self) {
        if !self.list.is_empty() {
            self.list.clear();
            self.vertices.fill(false);
            self.triangles.fill(false);
        }
    }

    /// True if any of these vertices moved.
    pub(in crate::contact::continuous) fn any(&self, vertices: &[u32]) -> bool {
        vertices.iter().any(|vertex| self.vertices[*vertex as usize])
    }

    fn triangle(&self, triangle: u32) -> bool {
        self.triangles[triangle as usize]
    }

    /// True if so many triangles moved that to look for each of them takes longer than to look at all.
    fn is_much(&self) -> bool {
        2 * self.list.len() > self.triangles.len()
    }
}

/// The paths of the triangles of a surface: their boxes, the tree over them, and what moved.
#[derive(Clone, Copy)]
pub(in crate::contact::continuous) struct Paths<'a> {
    pub(in crate::contact::continuous) boxes: &'a [Aabb],
    pub(in crate::contact::continuous) tree: &'a Tree,
    pub(in crate::contact::continuous) moved: &'a Moved,
}

impl Paths<'_> {
    /// Visits every pair of overlapping boxes of two surfaces once, if one of the two triangles moved.
    pub(in crate::contact::continuous) fn pairs(
        &self,
        other: &Self,
        mut visit: impl FnMut(u32, u32),
    ) {
        if self.moved.is_much() || other.moved.is_much() {
            self.tree.pairs(other.tree, |a, b| {
                if self.moved.triangle(a) || other.moved.triangle(b) {
                    visit(a, b);
                }
            });
            return;
        }
        for a in &self.moved.list {
            other.tree.overlapping(&self.boxes[*a as usize], |b| visit(*a, b));
        }
        for b in &other.moved.list {
            self.tree.overlapping(&other.boxes[*b as usize], |a| {
                if !self.moved.triangle(a) {
                    visit(a, *b);
                }
            });
        }
    }

    /// Visits every pair of different overlapping boxes of one surface once, with the lower index first, if one of the two triangles moved.
    pub(in crate::contact::continuous) fn self_pairs(&self, mut visit: impl FnMut(u32, u32)) {
        if self.moved.is_much() {
            self.tree.self_pairs(|a, b| {
                if self.moved.triangle(a) || self.moved.triangle(b) {
                    visit(a.min(b), a.max(b));
                }
            });
            return;
        }
        for a in &self.moved.list {
            self.tree.overlapping(&self.boxes[*a as usize], |b| {
                // Of two that moved, the lower one finds the pair.
                if *a < b || *a > b && !self.moved.triangle(b) {
                    visit(b.min(*a), b.max(*a));
                }
            });
        }
    }
}
