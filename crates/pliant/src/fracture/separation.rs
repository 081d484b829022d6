//! Separation tensors: what pulls the matter around a corner apart.
//!
//! ```text
//! σ = R (Rᵀ P)⁺ Rᵀ        f = −∫ P ∇λ dV        a = ∫ R ∇λ dV
//! ς = Σ V σ / Σ V − ½ m(F)/A(F)        F = Σ f        m(a) = a aᵀ/‖a‖        A(n) = ½ Σ |n·a|/‖n‖
//! ```
//!
//! - sums over the cells around a corner, with their volumes V, and means σ of the part of their stress that pulls
//! - `f`, `a` what a cell exerts on the corner, in N, and its area there, in m²; `λ` the linear hat function of the corner
//!
//! The mean of what pulls says how strongly, and along which direction; what pushes beside it does not make up for it, so that a plate of
//! a single layer of cells can break when it is bent (at four times the stress: one in the middle of its thickness is what it sees). What
//! pulls all one way moves the corner and does not part it: the force F that is not in balance is taken out.
//!
//! O'Brien & Hodgins 1999, eq. 18 to 24, gather ½ [Σ m(f⁺) − m(Σ f⁺) − …] from forces that pull instead. Under tension along one direction
//! and none across both are σ, whatever the mesh. But where matter is pulled along two directions forces are slanted, and
//! m loses what is across them: in the middle of a notched bar theirs is 0.55 to 0.77 of the true stress, by the split of the cells, and
//! quadratic cells break under 13 to 20 % more than linear ones. A mean loses nothing.
//!
//! λ is linear whatever the degree of the cells: each of their control points counts by how much it follows the corner.

use fearless_simd::dispatch;
use glam::DVec3;
use rayon::prelude::*;

use crate::body::{Batch, Model};
use crate::element::shape_gradient;
use crate::force::{Width, load, rest_point};
use crate::material::{Law, LawFamily, LawVisitor};
use crate::math::{
    Eigen, LANES, Lane, Lanes, Mat3, One, Pack, Vec3, Wide, polar_rotation, symmetric_eigen,
};

use super::stars::{Ray, Stars};
use super::strengths::Strength;

/// What a cell exerts on one of its corners.
#[derive(Debug, Clone, Copy, Default)]
struct Exerted {
    /// f, in N.
    force: DVec3,
    /// a, in m².
    area: DVec3,
}

/// The stress of a cell.
#[derive(Debug, Clone, Copy)]
struct Stressed {
    /// V σ, in J.
    stress: Mat3,
    /// V, in m³.
    volume: f64,
    /// How it has turned.
    turn: Mat3,
}

/// What parts a corner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Parting {
    /// The node of the corner.
    pub(super) node: u32,
    /// Tensile stress over what it bears.
    pub(super) ratio: f64,
    /// Tensile stress, in Pa.
    pub(super) stress: f64,
    /// Along which it is pulled apart; a unit vector.
    pub(super) normal: DVec3,
}

/// Buffers for the forces on corners.
#[derive(Debug, Clone, Default)]
pub(super) struct Separation {
    width: Width,
    exerted: Vec<Exerted>,
    stressed: Vec<Stressed>,
    /// ∇λ in reference coordinates: for every batch, its points and their corners.
    gradients: Vec<Vec<[f64; 3]>>,
    /// What was found at every corner.
    partings: Vec<Option<Parting>>,
}

/// Packs below which one thread does it all.
const FEW_PACKS: usize = 64;

/// Corners that one task looks at.
const CORNERS: usize = 256;

impl Separation {
    /// Makes room for a model.
    pub(super) fn ready(&mut self, model: &Model, stars: &Stars) {
        let none = Stressed { stress: Mat3::ZERO, volume: 0.0, turn: Mat3::IDENTITY };
        self.exerted.resize(stars.batches.last().copied().unwrap_or(0), Exerted::default());
        self.stressed.resize(stars.lanes.last().copied().unwrap_or(0), none);
        self.gradients.clear();
        for batch in model.batches() {
            let points = batch.points.iter();
            let corners = points.flat_map(|xi| shape_gradient(batch.kind.linear(), *xi));
            self.gradients.push(corners.map(|gradient| gradient.to_array()).collect());
        }
        self.partings.resize(stars.len(), None);
    }

    /// Finds all corners where matter with nodes at `x` is pulled apart by more than it bears. The bits do not depend on the number
    /// of threads.
    pub(super) fn find(
        &mut self,
        model: &Model,
        x: &[DVec3],
        stars: &Stars,
        strengths: &[Strength],
    ) -> impl Iterator<Item = &Parting> {
        for (index, batch) in model.batches().iter().enumerate() {
            self.exert(batch, index, x, stars);
        }
        let Self { exerted, stressed, partings, .. } = self;
        let look =
            |corner: usize| parting(stars.star(corner), &strengths[corner], exerted, stressed);
        let work = |(corner, slot): (usize, &mut Option<Parting>)| *slot = look(corner);
        if stars.len() <= 2 * CORNERS || rayon::current_thread_index().is_none() {
            partings.iter_mut().enumerate().for_each(work);
        } else {
            partings.par_iter_mut().enumerate().with_min_len(CORNERS).for_each(work);
        }
        self.partings.iter().flatten()
    }

    /// What the cells of a batch exert on their corners.
    fn exert(&mut self, batch: &Batch, index: usize, x: &[DVec3], stars: &Stars) {
        let slots = stars.batches[index]..stars.batches[index + 1];
        let lanes = stars.lanes[index]..stars.lanes[index + 1];
        let Self { width, exerted, stressed, gradients, .. } = self;
        let gradients = &gradients[index];
        let size = batch.kind.corner_count() * LANES;
        let (exerted, stressed) = (&mut exerted[slots], &mut stressed[lanes]);
        let work = |(pack, (exerted, stressed)): (usize, (&mut [Exerted], &mut [Stressed]))| {
            exert_pack(*width, Cells { batch, pack, gradients, x }, exerted, stressed);
        };
        if batch.pack_count() < FEW_PACKS || rayon::current_thread_index().is_none() {
            let packs = exerted.chunks_mut(size).zip(stressed.chunks_mut(LANES));
            packs.enumerate().for_each(work);
        } else {
            let packs = exerted.par_chunks_mut(size).zip(stressed.par_chunks_mut(LANES));
            packs.enumerate().with_min_len(8).for_each(work);
        }
    }
}

/// Most nodes of a cell, and most corners.
const MOST_NODES: usize = 27;
const MOST_CORNERS: usize = 8;

/// The cells of a pack.
#[derive(Clone, Copy)]
struct Cells<'a> {
    batch: &'a Batch,
    pack: usize,
    gradients: &'a [[f64; 3]],
    x: &'a [DVec3],
}

/// Sums of a pack: f and a of every corner; V σ and the rotation at the first point by columns, and V.
struct Sums {
    corners: [[Pack; 6]; MOST_CORNERS],
    stress: [Pack; 9],
    turn: [Pack; 9],
    volume: Pack,
}

fn exert_pack(width: Width, cells: Cells<'_>, exerted: &mut [Exerted], stressed: &mut [Stressed]) {
    let none = [0.0; LANES];
    let mut sums = Sums {
        corners: [[none; 6]; MOST_CORNERS],
        stress: [none; 9],
        turn: [none; 9],
        volume: none,
    };
    match width {
        Width::One => (0..LANES).for_each(|lane| cells.sum(One(lane), &mut sums)),
        Width::Packs(level) => {
            dispatch!(level, simd => cells.sum(Wide(simd), &mut sums));
        }
    }
    for (numbers, slots) in sums.corners.iter().zip(exerted.chunks_mut(LANES)) {
        for (lane, slot) in slots.iter_mut().enumerate() {
            let vector = |k: usize| DVec3::from([0, 1, 2].map(|i| numbers[k + i][lane]));
            *slot = Exerted { force: vector(0), area: vector(3) };
        }
    }
    for (lane, slot) in stressed.iter_mut().enumerate() {
        let matrix = |of: &[Pack; 9]| Mat3::from_fn(|i, j| of[3 * j + i][lane]);
        let (stress, turn) = (matrix(&sums.stress), matrix(&sums.turn));
        *slot = Stressed { stress, volume: sums.volume[lane], turn };
    }
}

impl Cells<'_> {
    /// Sums over the quadrature points of the lanes.
    #[inline(always)]
    fn sum<L: Lanes>(&self, lanes: L, sums: &mut Sums) {
        self.batch.law.visit(Sum { lanes, cells: self, sums });
    }

    /// Positions of the nodes.
    #[inline(always)]
    fn gathered<L: Lanes>(&self, lanes: L) -> [Vec3<L::Lane>; MOST_NODES] {
        let mut gathered = [Vec3([lanes.splat(0.0); 3]); MOST_NODES];
        for (slot, nodes) in gathered.iter_mut().zip(self.batch.pack_nodes(self.pack)) {
            let mut packs = [[0.0; LANES]; 3];
            for (lane, node) in nodes.iter().enumerate() {
                let x = self.x[*node as usize];
                (packs[0][lane], packs[1][lane], packs[2][lane]) = (x.x, x.y, x.z);
            }
            *slot = load(lanes, &packs, 0);
        }
        gathered
    }

    /// F, ∂ξ/∂X and volume of a point.
    #[inline(always)]
    fn point<L: Lanes>(
        &self,
        lanes: L,
        x: &[Vec3<L::Lane>; MOST_NODES],
        point: usize,
    ) -> (Mat3<L::Lane>, Mat3<L::Lane>, L::Lane) {
        let mut now = Mat3([Vec3([lanes.splat(0.0); 3]); 3]);
        for (x, gradient) in x.iter().zip(self.batch.point_gradients(point)) {
            for (column, weight) in now.0.iter_mut().zip(gradient) {
                *column += *x * lanes.splat(*weight);
            }
        }
        let (inverse, volume) =
            rest_point(lanes, self.batch, self.batch.pack_rest(self.pack), point);
        (now * inverse, inverse, volume)
    }
}

/// The sums of a pack, for its law.
struct Sum<'a, L> {
    lanes: L,
    cells: &'a Cells<'a>,
    sums: &'a mut Sums,
}

impl<L: Lanes> LawVisitor for Sum<'_, L> {
    type Output = ();

    #[inline(always)]
    fn visit<F: LawFamily>(self) {
        let Self { lanes, cells, sums } = self;
        let [mu, lambda] = cells.batch.pack_constants(cells.pack);
        let law = F::law(lanes.load(mu), lanes.load(lambda));
        let x = cells.gathered(lanes);
        let corners = cells.batch.kind.corner_count();
        let zero = lanes.splat(0.0);
        let none = Mat3([Vec3([zero; 3]); 3]);
        let mut totals = [[none.0[0]; 2]; MOST_CORNERS];
        let (mut sum, mut whole) = (none, zero);
        for point in 0..cells.batch.point_count() {
            let (f, inverse, volume) = cells.point(lanes, &x, point);
            let (stress, turn) = (law.stress(&f), polar_rotation(&f));
            let pulls = positive(&(turn.transpose() * stress).symmetric());
            sum += turn * pulls * turn.transpose() * volume;
            whole += volume;
            let weight = inverse.transpose() * volume;
            let parts = [stress * weight, turn * weight];
            let gradients = &cells.gradients[point * corners..(point + 1) * corners];
            for (totals, gradient) in totals.iter_mut().zip(gradients) {
                let gradient = Vec3(gradient.map(|g| lanes.splat(g)));
                for (total, part) in totals.iter_mut().zip(&parts) {
                    *total += part.mul_vec(gradient);
                }
            }
            if point == 0 {
                store(lanes, &turn.0, &mut sums.turn);
            }
        }
        store(lanes, &sum.0, &mut sums.stress);
        lanes.store(whole, &mut sums.volume);
        for (totals, slots) in totals.iter().zip(&mut sums.corners) {
            store(lanes, totals, slots);
        }
    }
}

/// The part of a symmetric matrix that pulls.
#[inline(always)]
fn positive<R: Lane>(matrix: &Mat3<R>) -> Mat3<R> {
    let Eigen { values, vectors } = symmetric_eigen(matrix);
    let scaled = [0, 1, 2].map(|k| vectors.0[k] * values[k].max(values[k].zero()));
    Mat3(scaled) * vectors.transpose()
}

#[inline(always)]
fn store<L: Lanes>(lanes: L, vectors: &[Vec3<L::Lane>], packs: &mut [Pack]) {
    for (vector, packs) in vectors.iter().zip(packs.as_chunks_mut::<3>().0) {
        for (component, pack) in vector.0.iter().zip(packs) {
            lanes.store(*component, pack);
        }
    }
}

/// What parts a corner, if that is more than it bears.
fn parting(
    star: &[Ray],
    strength: &Strength,
    exerted: &[Exerted],
    stressed: &[Stressed],
) -> Option<Parting> {
    if *strength == Strength::Endless {
        return None;
    }
    let tensor = separation(star, exerted, stressed);
    let (normal, borne) = match strength {
        Strength::Endless => return None,
        Strength::Even(strength) => (strongest(&tensor)?, *strength),
        Strength::Directed(strength) => {
            let turns = star.iter().map(|ray| stressed[ray.lane as usize].turn);
            let turn = polar_rotation(&turns.fold(Mat3::ZERO, |sum, turn| sum + turn));
            directed(&tensor, &(turn * *strength * turn.transpose()))?
        }
    };
    let stress = normal.dot(tensor.mul_vec(normal.into()).into());
    let ratio = stress / borne;
    let parts = ratio > 1.0 && ratio.is_finite();
    parts.then_some(Parting { node: star[0].node, ratio, stress, normal })
}

/// ς of a corner.
fn separation(star: &[Ray], exerted: &[Exerted], stressed: &[Stressed]) -> Mat3 {
    let (mut stress, mut volume, mut force) = (Mat3::ZERO, 0.0, DVec3::ZERO);
    for ray in star {
        let cell = &stressed[ray.lane as usize];
        stress += cell.stress;
        volume += cell.volume;
        force += exerted[ray.slot as usize].force;
    }
    let mean = stress * (1.0 / volume);
    let Some(along) = force.try_normalize() else { return mean };
    let areas = star.iter().map(|ray| along.dot(exerted[ray.slot as usize].area).abs());
    let area = 0.5 * areas.sum::<f64>();
    mean + spread(force) * (-0.5 / area)
}

/// m(a) = a aᵀ/‖a‖; nothing of nothing.
fn spread(a: DVec3) -> Mat3 {
    let length = a.length();
    if length > 0.0 { Mat3::outer(a.into(), (a / length).into()) } else { Mat3::ZERO }
}

/// The direction of the largest eigenvalue, if that is positive.
fn strongest(tensor: &Mat3) -> Option<DVec3> {
    let eigen = symmetric_eigen(tensor);
    let largest = (0..3).max_by(|a, b| eigen.values[*a].total_cmp(&eigen.values[*b]))?;
    let vector = DVec3::from(eigen.vectors.0[largest]);
    vector.try_normalize().filter(|_| eigen.values[largest] > 0.0)
}

/// The direction n in which nᵀ ς n is most of what is borne, nᵀ T n, and that.
///
/// ```text
/// n ∝ T^(−½) y        y the strongest direction of T^(−½) ς T^(−½)
/// ```
fn directed(tensor: &Mat3, strength: &Mat3) -> Option<(DVec3, f64)> {
    let eigen = symmetric_eigen(strength);
    let scaled = [0, 1, 2].map(|k| eigen.vectors.0[k] * (1.0 / eigen.values[k].sqrt()));
    let root = Mat3(scaled) * eigen.vectors.transpose();
    let y = strongest(&(root * *tensor * root).symmetric())?;
    let normal = DVec3::from(root.mul_vec(y.into())).try_normalize()?;
    Some((normal, normal.dot(strength.mul_vec(normal.into()).into())))
}
