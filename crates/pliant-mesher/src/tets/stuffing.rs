//! Isosurface stuffing: from a background lattice to tetrahedra that end at a surface.
//!
//! 1. Edges with one end inside and one outside are cut where they meet the surface.
//! 2. A point with a cut too close is moved onto that cut; its other cuts are dropped.
//! 3. Stencils fill the remaining inside.
//!
//! On the regular lattice all dihedral angles then lie between 10.78° and 164.74°, whatever the surface (Labelle &
//! Shewchuk 2007, theorem 1, with the parameters [`LONG`] and [`SHORT`]).

use std::collections::HashMap;

use glam::DVec3;
use pliant_kernels::math::Rows;
use rayon::prelude::*;

use super::background::Background;
use super::cuts::{Cut, Known, SolidQuery, cuts, sides};
use super::dihedral::is_well_shaped;
use super::octree::Cube;
use super::stencil::{self, Lattice, Side};

/// A cut closer than this fraction of the length to an end of a long edge, which runs along an axis, is too close
/// (α_long of Labelle & Shewchuk 2007, table 1).
const LONG: f64 = 0.24999;
/// The same for a short edge, from the centre of a leaf to a corner (α_short).
const SHORT: f64 = 0.41189;

/// The map from lattice points to positions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    /// The position of the point (0, 0, 0), in m.
    pub(super) origin: DVec3,
    /// Length of a unit, half the side of the finest leaf, in m.
    pub(super) unit: f64,
}

impl Frame {
    pub(super) fn position(&self, point: [i32; 3]) -> DVec3 {
        self.origin + self.unit * DVec3::from(point.map(f64::from))
    }
}

/// Tetrahedra that end at a surface.
#[derive(Debug, Clone, Default)]
pub(super) struct Stuffed {
    pub(super) nodes: Vec<DVec3>,
    pub(super) cells: Vec<[u32; 4]>,
    /// The leaves to cut to get rid of badly shaped cells.
    pub(super) to_cut: Vec<Cube>,
}

/// Fills the solid with tetrahedra of the background lattice, cut at the surface.
pub(super) fn stuff(
    background: &Background,
    frame: &Frame,
    solid: &impl SolidQuery,
    known: &mut Known,
) -> Stuffed {
    let mut work = Work::new(background, frame, solid, known);
    work.warp();
    work.fill()
}

struct Work<'a, S> {
    background: &'a Background,
    solid: &'a S,
    sides: Vec<Side>,
    /// Positions of background points, then of cuts.
    positions: Vec<DVec3>,
    cuts: Vec<Cut>,
    /// The index of each cut by its ends. Only looked up, never iterated.
    cut_numbers: HashMap<[u32; 2], u32>,
}

impl<'a, S: SolidQuery> Work<'a, S> {
    fn new(background: &'a Background, frame: &Frame, solid: &'a S, known: &mut Known) -> Self {
        let mut positions: Vec<DVec3> =
            background.points.iter().map(|point| frame.position(*point)).collect();
        let sides = sides(&background.points, &positions, solid, known);
        let cuts = cuts(background, &positions, &sides, solid, known);
        positions.extend(cuts.iter().map(|cut| cut.position));
        let cut_numbers = cuts.iter().map(|cut| cut.ends).zip(0..).collect();
        Self { background, solid, sides, positions, cuts, cut_numbers }
    }

    /// Moves points onto cuts that are too close, one point after the other.
    fn warp(&mut self) {
        for (point, near) in self.cuts_of_points().iter().enumerate() {
            let live = near.iter().filter(|cut| self.cuts[**cut as usize].alive);
            let too_near = live.filter(|cut| self.is_too_near(point as u32, **cut));
            let distance = |cut: &u32| {
                self.cuts[*cut as usize].position.distance_squared(self.positions[point])
            };
            let nearest =
                too_near.min_by(|a, b| distance(a).total_cmp(&distance(b)).then(a.cmp(b)));
            if let Some(cut) = nearest {
                self.positions[point] = self.cuts[*cut as usize].position;
                self.sides[point] = Side::On;
                near.iter().for_each(|cut| self.cuts[*cut as usize].alive = false);
            }
        }
    }

    /// Returns the cuts at every point, ascending.
    fn cuts_of_points(&self) -> Rows {
        Rows::from_pairs(self.background.points.len(), || {
            let cuts = (0u32..).zip(&self.cuts);
            cuts.flat_map(|(number, cut)| cut.ends.map(|end| (end as usize, number)))
        })
    }

    /// True if a cut is too close to a point. Both ends are at their original positions: a cut is dropped when an end
    /// is moved.
    fn is_too_near(&self, point: u32, cut: u32) -> bool {
        let cut = &self.cuts[cut as usize];
        let [a, b] = cut.ends.map(|end| self.positions[end as usize]);
        let limit = if self.is_long(cut.ends) { LONG } else { SHORT };
        cut.position.distance(self.positions[point as usize]) < limit * a.distance(b)
    }

    /// True if an edge runs along an axis.
    fn is_long(&self, [a, b]: [u32; 2]) -> bool {
        let [p, q] = [a, b].map(|point| self.background.points[point as usize]);
        p.iter().zip(&q).filter(|(x, y)| x != y).count() == 1
    }

    fn fill(&self) -> Stuffed {
        let parts: Vec<_> = self
            .background
            .cells
            .par_iter()
            .map(|cell| (cell, stencil::cells(self, cell.corners)))
            .filter(|(_, part)| part.as_ref().is_none_or(|cells| !cells.is_empty()))
            .collect();
        let mut stuffed = Stuffed::default();
        let mut numbers = vec![u32::MAX; self.positions.len()];
        for (cell, part) in parts {
            let sound = |cells: &[[u32; 4]]| cells.iter().all(|cell| self.is_sound(cell));
            let well = part.as_deref().is_some_and(sound);
            if !well {
                stuffed.to_cut.extend(self.background.to_cut(cell));
            }
            for cell in part.unwrap_or_default() {
                stuffed.cells.push(
                    cell.map(|vertex| self.renumber(vertex, &mut numbers, &mut stuffed.nodes)),
                );
            }
        }
        stuffed
    }

    fn is_sound(&self, cell: &[u32; 4]) -> bool {
        is_well_shaped(&cell.map(|vertex| self.positions[vertex as usize]))
    }

    /// The index of a vertex among those in use.
    fn renumber(&self, vertex: u32, numbers: &mut [u32], nodes: &mut Vec<DVec3>) -> u32 {
        let number = &mut numbers[vertex as usize];
        if *number == u32::MAX {
            *number = nodes.len() as u32;
            nodes.push(self.positions[vertex as usize]);
        }
        *number
    }
}

impl<S: SolidQuery> Lattice for Work<'_, S> {
    fn side(&self, point: u32) -> Side {
        self.sides[point as usize]
    }

    fn vertex(&self, point: u32) -> u32 {
        point
    }

    fn cut(&self, inside: u32, outside: u32) -> u32 {
        self.background.points.len() as u32 + self.cut_numbers[&[inside, outside]]
    }

    fn position(&self, vertex: u32) -> DVec3 {
        self.positions[vertex as usize]
    }

    fn is_filled(&self, corners: [u32; 4]) -> bool {
        let corners = corners.map(|corner| self.positions[corner as usize]);
        is_well_shaped(&corners) && self.solid.contains(corners.iter().sum::<DVec3>() / 4.0)
    }

    /// The diagonal ends at the cut of the longer edge; if both have the same length, it starts at the point with even
    /// coordinate sum (the parity rule of Labelle & Shewchuk 2007, section 3.3).
    fn diagonal_at_first(&self, a: u32, b: u32, outside: u32) -> bool {
        let [p, q, o] = [a, b, outside].map(|point| self.background.points[point as usize]);
        let squared = |p: [i32; 3]| (0..3).map(|k| i64::from(p[k] - o[k]).pow(2)).sum::<i64>();
        let parity = |p: [i32; 3]| ((p[0] + p[1] + p[2]) >> 1) & 1;
        match squared(p).cmp(&squared(q)) {
            std::cmp::Ordering::Less => true,
            std::cmp::Ordering::Greater => false,
            std::cmp::Ordering::Equal => (parity(p), a) < (parity(q), b),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tets::dihedral::dihedral_range;
    use crate::tets::octree::Octree;

    /// A solid with a random side for every lattice point and random cuts.
    struct Noise(u64);

    impl Noise {
        fn toss(&self, point: DVec3) -> f64 {
            let mut state = self.0;
            for x in (point * 1024.0).to_array() {
                state = (state ^ (x.round() as i64 as u64)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                state ^= state >> 29;
            }
            (state >> 11) as f64 / (1u64 << 53) as f64
        }
    }

    impl SolidQuery for Noise {
        fn contains(&self, point: DVec3) -> bool {
            self.toss(point) < 0.5
        }

        fn crossing(&self, inside: DVec3, outside: DVec3) -> DVec3 {
            // Half of the cuts are exactly at a limit or an end, where the extreme angles occur.
            let extremes = [0.0, LONG, SHORT, 1.0 - SHORT, 1.0 - LONG, 1.0];
            let toss = self.toss(inside + 0.37 * outside);
            let part = if toss < 0.5 { extremes[(toss * 12.0) as usize] } else { 2.0 * toss - 1.0 };
            inside.lerp(outside, part)
        }
    }

    /// The theorem of Labelle & Shewchuk 2007: on the regular lattice all dihedral angles are between 10.78° and
    /// 164.74°, for any field. Their figures are rounded to two digits.
    #[test]
    fn angles_are_bounded_for_any_field_on_the_regular_lattice() {
        let mut octree = Octree::new(3);
        octree.refine(usize::MAX, |_| true).expect("no limit");
        let background = Background::new(&octree);
        let frame = Frame { origin: DVec3::ZERO, unit: 0.5 };
        let mut widest = [f64::INFINITY, 0.0f64];
        for seed in 0..60 {
            let stuffed = stuff(&background, &frame, &Noise(seed), &mut Known::default());
            assert!(!stuffed.cells.is_empty());
            for cell in &stuffed.cells {
                let range = dihedral_range(&cell.map(|node| stuffed.nodes[node as usize]));
                widest = [widest[0].min(range[0]), widest[1].max(range[1])];
            }
        }
        let [least, most] = widest.map(f64::to_degrees);
        assert!(least > 10.775 && most < 164.745, "{least} to {most}");
    }
}
