//! Separation tensors: what pulls the matter around a corner apart.
//!
//! ```text
//! P = R S          S = Σ s v vᵀ          P⁺ = R Σ max(s, 0) v vᵀ
//! f⁺ = −∫ P⁺ ∇λ dV          f = −∫ P ∇λ dV          f⁻ = f − f⁺
//! ς = ½ [ Σ m(f⁺) − m(Σ f⁺) − (Σ m(f⁻) − m(Σ f⁻))⁺ ]          m(a) = a aᵀ/‖a‖
//! ```
//!
//! O'Brien & Hodgins 1999, eq. 18 to 24, with sums over the cells around a corner. Theirs takes all of the last bracket: where forces
//! that push are not in balance it may be negative, and they find what is only pressed to come apart. Here it holds together, or does
//! nothing. Stress is that of the material in its own turned
//! frame, so that flat and inverted cells have one, too. λ is the linear hat function of the corner, whatever the degree of the
//! cells: each of their control points counts by how much it follows the corner, and cells of all degrees break under the same load.
//!
//! Under uniform tension σ along n every f⁺ is σ (n·a) n, where a = ∫ R ∇λ dV is an area. So
//!
//! ```text
//! nᵀ ς n = σ A(n)          A(n) = ½ Σ |n·a|
//! ```
//!
//! and ς over A(n) is the tensile stress, on any mesh: what the strength of a material is compared with.

use fearless_simd::dispatch;
use glam::DVec3;
use rayon::prelude::*;

use crate::body::{Batch, Model};
use crate::element::shape_gradient;
use crate::force::{Width, load, rest_point};
use crate::material::{Law, LawFamily, LawVisitor};
use crate::math::{
    LANES, Lane, Lanes, Mat3, One, Pack, Vec3, Wide, polar_rotation, symmetric_eigen,
};

use super::stars::{Ray, Stars};
use super::strengths::Strength;

/// What a cell exerts on one of its corners.
#[derive(Debug, Clone, Copy, Default)]
struct Exerted {
    /// f⁺, in N.
    pulled: DVec3,
    /// f, in N.
    whole: DVec3,
    /// a, in m².
    area: DVec3,
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
    /// How the cells of every slot have turned; only where strength has directions.
    turns: Vec<Mat3>,
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
    pub(super) fn ready(&mut self, model: &Model, stars: &Stars, directed: bool) {
        let slots = stars.batches.last().copied().unwrap_or(0);
        self.exerted.resize(slots, Exerted::default());
        self.turns.resize(if directed { slots } else { 0 }, Mat3::IDENTITY);
        self.gradients.clear();
        for batch in model.batches() {
            let corners =
                batch.points.iter().flat_map(|xi| shape_gradient(batch.kind.linear(), *xi));
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
        let Self { exerted, turns, partings, .. } = self;
        let look = |corner: usize| {
            let star = stars.star(corner);
            parting(star, &strengths[corner], exerted, turns)
        };
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
        let (range, corners) =
            (stars.batches[index]..stars.batches[index + 1], batch.kind.corner_count());
        let directed = !self.turns.is_empty();
        let Self { width, exerted, turns, gradients, .. } = self;
        let gradients = &gradients[index];
        let size = corners * LANES;
        let exerted = &mut exerted[range.clone()];
        let mut none = [];
        let turns = if directed { &mut turns[range] } else { &mut none[..] };
        let work = |pack: usize, exerted: &mut [Exerted], turns: &mut [Mat3]| {
            exert_pack(*width, Cells { batch, pack, gradients, x }, exerted, turns);
        };
        let few = batch.pack_count() < FEW_PACKS || rayon::current_thread_index().is_none();
        match (directed, few) {
            (true, _) => {
                let packs = exerted.chunks_mut(size).zip(turns.chunks_mut(size)).enumerate();
                packs.for_each(|(pack, (exerted, turns))| work(pack, exerted, turns));
            }
            (false, true) => {
                let packs = exerted.chunks_mut(size).enumerate();
                packs.for_each(|(pack, exerted)| work(pack, exerted, &mut []));
            }
            (false, false) => {
                let packs = exerted.par_chunks_mut(size).enumerate().with_min_len(8);
                packs.for_each(|(pack, exerted)| work(pack, exerted, &mut []));
            }
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

/// Sums of a pack: f⁺, f and a of every corner, and how the cells have turned at their first points, by columns.
struct Sums {
    corners: [[Pack; 9]; MOST_CORNERS],
    turn: [Pack; 9],
}

fn exert_pack(width: Width, cells: Cells<'_>, exerted: &mut [Exerted], turns: &mut [Mat3]) {
    let mut sums = Sums { corners: [[[0.0; LANES]; 9]; MOST_CORNERS], turn: [[0.0; LANES]; 9] };
    match width {
        Width::One => (0..LANES).for_each(|lane| cells.sum(One(lane), &mut sums)),
        Width::Packs(level) => {
            dispatch!(level, simd => cells.sum(Wide(simd), &mut sums));
        }
    }
    for (numbers, slots) in sums.corners.iter().zip(exerted.chunks_mut(LANES)) {
        for (lane, slot) in slots.iter_mut().enumerate() {
            let vector = |k: usize| DVec3::from([0, 1, 2].map(|i| numbers[k + i][lane]));
            *slot = Exerted { pulled: vector(0), whole: vector(3), area: vector(6) };
        }
    }
    for (slot, turn) in turns.iter_mut().enumerate() {
        *turn = Mat3::from_fn(|i, j| sums.turn[3 * j + i][slot % LANES]);
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
        let mut totals = [[Vec3([lanes.splat(0.0); 3]); 3]; MOST_CORNERS];
        for point in 0..cells.batch.point_count() {
            let (f, inverse, volume) = cells.point(lanes, &x, point);
            let (stress, turn) = (law.stress(&f), polar_rotation(&f));
            let weight = inverse.transpose() * volume;
            let tensile = turn * positive(&(turn.transpose() * stress).symmetric());
            let parts = [tensile * weight, stress * weight, turn * weight];
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
        for (totals, slots) in totals.iter().zip(&mut sums.corners) {
            store(lanes, totals, slots);
        }
    }
}

/// The part of a symmetric matrix that pulls.
#[inline(always)]
fn positive<R: Lane>(matrix: &Mat3<R>) -> Mat3<R> {
    let eigen = symmetric_eigen(matrix);
    let scaled =
        [0, 1, 2].map(|k| eigen.vectors.0[k] * eigen.values[k].max(eigen.values[k].zero()));
    Mat3(scaled) * eigen.vectors.transpose()
}

#[inline(always)]
fn store<L: Lanes>(lanes: L, vectors: &[Vec3<L::Lane>; 3], packs: &mut [Pack; 9]) {
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
    turns: &[Mat3],
) -> Option<Parting> {
    if *strength == Strength::Endless {
        return None;
    }
    let exerted = || star.iter().map(|ray| &exerted[ray.slot as usize]);
    let tensor = separation(exerted())?;
    let (normal, borne) = match strength {
        Strength::Endless => return None,
        Strength::Even(strength) => (strongest(&tensor)?, *strength),
        Strength::Directed(strength) => {
            let turn = star.iter().fold(Mat3::ZERO, |sum, ray| sum + turns[ray.slot as usize]);
            let turn = polar_rotation(&turn);
            directed(&tensor, &(turn * *strength * turn.transpose()))?
        }
    };
    let area: f64 = 0.5 * exerted().map(|from| normal.dot(from.area).abs()).sum::<f64>();
    let stress = normal.dot(tensor.mul_vec(normal.into()).into()) / area;
    let ratio = stress / borne;
    let parts = ratio > 1.0 && ratio.is_finite();
    parts.then_some(Parting { node: star[0].node, ratio, stress, normal })
}

/// ς of a corner; none where nothing pulls.
fn separation<'a>(exerted: impl Iterator<Item = &'a Exerted>) -> Option<Mat3> {
    let (mut pulled, mut pushed) = (DVec3::ZERO, DVec3::ZERO);
    let (mut tension, mut pressure) = (Mat3::ZERO, Mat3::ZERO);
    for from in exerted {
        let push = from.whole - from.pulled;
        pulled += from.pulled;
        pushed += push;
        tension += spread(from.pulled);
        pressure += spread(push);
    }
    if tension.trace() <= 0.0 {
        return None;
    }
    let pressure = positive(&(pressure + spread(pushed) * -1.0));
    Some((tension + spread(pulled) * -1.0 + pressure * -1.0) * 0.5)
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
