//! The background lattice: tetrahedra that fill an octree.
//!
//! Each pair of face-adjacent leaves of the same size has four tetrahedra, each spanned by the two centres and an edge
//! of the common face: the body-centred cubic lattice, whose dihedral angles are 60° and 90°. Where the size changes,
//! other tetrahedra fill the space:
//!
//! ```text
//! same size, an edge halved    the tetrahedron at that edge, halved
//! next to a coarser leaf       the pyramid from the middle to the face, halved along a diagonal
//! next to four finer leaves    eight, from the middle over the middle of the face and of its edges
//! ```
//!
//! After Labelle & Shewchuk 2007, section 3.

use std::collections::HashMap;

use super::octree::{Cube, Neighbour, Octree};

/// One tetrahedron of the background.
#[derive(Debug, Clone, Copy)]
pub(super) struct BackgroundCell {
    /// Its corners, ordered for positive volume.
    pub(super) corners: [u32; 4],
    /// The one or two leaves it lies in.
    pub(super) leaves: [Cube; 2],
}

/// The points and tetrahedra of the lattice.
#[derive(Debug, Default)]
pub(super) struct Background {
    /// Points, in units.
    pub(super) points: Vec<[i32; 3]>,
    /// The coarsest leaf at every point; the first if there are several.
    pub(super) coarsest: Vec<Cube>,
    /// The level of the finest leaf at every point.
    finest: Vec<u8>,
    /// Tetrahedra, leaf by leaf.
    pub(super) cells: Vec<BackgroundCell>,
    /// The index of each point. Only looked up, never iterated, so that its order does not matter.
    numbers: HashMap<[i32; 3], u32>,
}

impl Background {
    /// Builds the lattice of an octree.
    pub(super) fn new(octree: &Octree) -> Self {
        let mut background = Self::default();
        for leaf in octree.leaves() {
            for axis in 0..3 {
                for sign in [-1, 1] {
                    background.add_face(octree, &Face { leaf, axis, sign });
                }
            }
        }
        background
    }

    /// Returns the leaves to cut so that other cells replace this one.
    ///
    /// These are the leaves it lies in and, since its corners may have been moved along their longer edges, the
    /// coarsest leaves at its corners. Only those coarser than the finest leaf at its corners are cut: where all have one
    /// level the lattice is regular, and no cell is badly shaped.
    pub(super) fn to_cut(&self, cell: &BackgroundCell) -> impl Iterator<Item = Cube> {
        let touching = cell.corners.map(|corner| self.coarsest[corner as usize]);
        let finest = cell.corners.map(|corner| self.finest[corner as usize]);
        let finest = finest.into_iter().min().unwrap_or(0);
        cell.leaves.into_iter().chain(touching).filter(move |leaf| leaf.level > finest)
    }

    fn add_face(&mut self, octree: &Octree, face: &Face) {
        match octree.neighbour(&face.leaf, face.step()) {
            Neighbour::None => {}
            // The leaf on the other side adds these cells.
            Neighbour::Same(_) if face.sign < 0 => {}
            Neighbour::Same(other) => self.add_between(octree, face, &other),
            Neighbour::Coarser(other) => self.add_half_pyramids(face, &other),
            Neighbour::Finer => self.add_eight(face),
        }
    }

    fn add_between(&mut self, octree: &Octree, face: &Face, other: &Cube) {
        let (a, b) = (face.leaf.middle(), other.middle());
        let corners = face.corners();
        for side in 0..4 {
            let (p, q) = (corners[side], corners[(side + 1) % 4]);
            let leaves = [face.leaf, *other];
            if is_halved(octree, &face.leaf, p, q) {
                let m = middle(p, q);
                self.add([a, b, p, m], leaves);
                self.add([a, b, m, q], leaves);
            } else {
                self.add([a, b, p, q], leaves);
            }
        }
    }

    /// The diagonal runs from the centre of the coarse face to its corner, to match [`Self::add_eight`] on the other
    /// side.
    fn add_half_pyramids(&mut self, face: &Face, coarser: &Cube) {
        let corners = face.corners();
        let centre = Face { leaf: *coarser, axis: face.axis, sign: -face.sign }.middle();
        let start = corners.iter().position(|corner| *corner == centre).unwrap_or(0);
        let at = |k: usize| corners[(start + k) % 4];
        let leaves = [*coarser, face.leaf];
        self.add([face.leaf.middle(), at(0), at(1), at(2)], leaves);
        self.add([face.leaf.middle(), at(0), at(2), at(3)], leaves);
    }

    fn add_eight(&mut self, face: &Face) {
        let (corners, a, f) = (face.corners(), face.leaf.middle(), face.middle());
        for side in 0..4 {
            let (p, q) = (corners[side], corners[(side + 1) % 4]);
            let m = middle(p, q);
            self.add([a, f, p, m], [face.leaf; 2]);
            self.add([a, f, m, q], [face.leaf; 2]);
        }
    }

    fn add(&mut self, points: [[i32; 3]; 4], leaves: [Cube; 2]) {
        let [a, b] = leaves;
        let (finer, coarser) = if a.level < b.level { (a, b) } else { (b, a) };
        let mut corners = points.map(|point| self.number(point, finer, coarser));
        if determinant(points) < 0 {
            corners.swap(2, 3);
        }
        self.cells.push(BackgroundCell { corners, leaves });
    }

    /// The index of a point of a cell in these two leaves.
    fn number(&mut self, point: [i32; 3], finer: Cube, coarser: Cube) -> u32 {
        let next = self.points.len() as u32;
        let number = *self.numbers.entry(point).or_insert(next);
        if number == next {
            self.points.push(point);
            self.coarsest.push(coarser);
            self.finest.push(finer.level);
            return number;
        }
        if self.coarsest[number as usize].level < coarser.level {
            self.coarsest[number as usize] = coarser;
        }
        let finest = &mut self.finest[number as usize];
        *finest = (*finest).min(finer.level);
        number
    }
}

/// A face of a leaf.
#[derive(Debug, Clone, Copy)]
struct Face {
    leaf: Cube,
    axis: usize,
    sign: i32,
}

impl Face {
    fn step(&self) -> [i32; 3] {
        let mut step = [0; 3];
        step[self.axis] = self.sign;
        step
    }

    fn middle(&self) -> [i32; 3] {
        let mut middle = self.leaf.middle();
        middle[self.axis] += self.sign * self.leaf.side() / 2;
        middle
    }

    /// Its corners, in cyclic order.
    fn corners(&self) -> [[i32; 3]; 4] {
        let half = self.leaf.side() / 2;
        let (u, v) = ((self.axis + 1) % 3, (self.axis + 2) % 3);
        [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(|[du, dv]| {
            let mut corner = self.middle();
            corner[u] += du * half;
            corner[v] += dv * half;
            corner
        })
    }
}

fn middle(p: [i32; 3], q: [i32; 3]) -> [i32; 3] {
    std::array::from_fn(|axis| (p[axis] + q[axis]) / 2)
}

/// True if a finer leaf that touches an edge of a leaf halves it.
fn is_halved(octree: &Octree, leaf: &Cube, p: [i32; 3], q: [i32; 3]) -> bool {
    let m = middle(p, q);
    let side = leaf.side();
    [[-1, -1], [1, -1], [1, 1], [-1, 1]].into_iter().any(|[du, dv]| {
        let along = (0..3).find(|axis| p[*axis] != q[*axis]).unwrap_or(0);
        let mut inside = m;
        inside[(along + 1) % 3] += du;
        inside[(along + 2) % 3] += dv;
        let index = inside.map(|x| x.div_euclid(side));
        octree.is_cut(&Cube { level: leaf.level, index })
    })
}

/// Six times the signed volume, in cubic units.
fn determinant([a, b, c, d]: [[i32; 3]; 4]) -> i64 {
    let minus = |p: [i32; 3]| -> [i64; 3] { std::array::from_fn(|k| i64::from(p[k] - a[k])) };
    let (u, v, w) = (minus(b), minus(c), minus(d));
    u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0])
        + u[2] * (v[0] * w[1] - v[1] * w[0])
}
