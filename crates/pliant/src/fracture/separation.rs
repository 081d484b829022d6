//! Separation tensors: the tensile stress around a corner.
//!
//! ```text
//! σ = R (Rᵀ P)⁺ Rᵀ        f = −∫ P ∇λ dV        a = ∫ R ∇λ dV
//! ς = Σ V σ / Σ V − ½ m(F)/A(F)        F = Σ f        m(a) = a aᵀ/‖a‖        A(n) = ½ Σ |n·a|/‖n‖
//! ```
//!
//! - sums over the cells around a corner, with their volumes V, and means σ of the tensile part of their stress
//! - `f`, `a` force of a cell on the corner, in N, and its area there, in m²; `λ` the linear hat function of the corner
//!
//! The mean tensile stress gives strength and direction. Compression next to it does not cancel it, so that a plate of
//! a single layer of cells can break when it is bent (at four times the stress, because the stress is taken in the
//! middle of its thickness). Tension that acts all in one direction accelerates the corner and does not separate it:
//! the unbalanced force F is subtracted.
//!
//! O'Brien & Hodgins 1999, eq. 18 to 24, sum ½ [Σ m(f⁺) − m(Σ f⁺) − …] over tensile forces instead. Under uniaxial
//! tension both give σ, for any mesh. But under biaxial tension the forces are oblique, and m loses their transverse
//! part: in the middle of a notched bar the published tensor is 0.55 to 0.77 of the true stress, depending on the split
//! of the cells, and quadratic cells break under 13 to 20 % more load than linear ones. A mean loses nothing.
//!
//! λ is linear for every degree of cells: each node counts by how much it follows the corner.

use glam::DVec3;
use pliant_kernels::separation::{CornerLoad, MeanStress, corner_loads};
use rayon::prelude::*;

use crate::body::{Model, RestBatch, RestShape};
use crate::force::Width;
use pliant_kernels::element::shape_gradient;
use pliant_kernels::math::{Mat3, polar_rotation, symmetric_eigen};

use super::stars::{Ray, Stars};
use super::strengths::Strength;

/// A corner at which the tensile stress exceeds the strength.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Parting {
    /// The node of the corner.
    pub(super) node: u32,
    /// Tensile stress over strength.
    pub(super) ratio: f64,
    /// Tensile stress, in Pa.
    pub(super) stress: f64,
    /// Direction of the tension; a unit vector.
    pub(super) normal: DVec3,
}

/// Buffers for the forces on corners.
#[derive(Debug, Clone, Default)]
pub(super) struct Separation {
    width: Width,
    exerted: Vec<CornerLoad>,
    stressed: Vec<MeanStress>,
    /// ∇λ in reference coordinates: for every batch, its points and their corners.
    gradients: Vec<Vec<[f64; 3]>>,
    /// The result at every corner.
    partings: Vec<Option<Parting>>,
}

/// Corners that one task evaluates.
const CORNERS: usize = 256;

impl Separation {
    /// Allocates the buffers for a model.
    pub(super) fn ready(&mut self, model: &Model, stars: &Stars) {
        let none = MeanStress { stress: Mat3::ZERO, volume: 0.0, turn: Mat3::IDENTITY };
        self.exerted.resize(stars.batches.last().copied().unwrap_or(0), CornerLoad::default());
        self.stressed.resize(stars.lanes.last().copied().unwrap_or(0), none);
        self.gradients.clear();
        for batch in model.batches() {
            let points = batch.points.iter();
            let corners = points.flat_map(|xi| shape_gradient(batch.kind.linear(), *xi));
            self.gradients.push(corners.map(|gradient| gradient.to_array()).collect());
        }
        self.partings.resize(stars.len(), None);
    }

    /// Finds all corners at which the tensile stress exceeds the strength, for node positions `x`. The bits do not
    /// depend on the number of threads.
    pub(super) fn find(
        &mut self,
        rest: RestShape<'_>,
        x: &[DVec3],
        stars: &Stars,
        strengths: &[Strength],
    ) -> impl Iterator<Item = &Parting> {
        for (index, batch) in rest.rest_batches().enumerate() {
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

    /// Forces of the cells of a batch on their corners.
    fn exert(&mut self, batch: RestBatch<'_>, index: usize, x: &[DVec3], stars: &Stars) {
        let slots = stars.batches[index]..stars.batches[index + 1];
        let lanes = stars.lanes[index]..stars.lanes[index + 1];
        let Self { width, exerted, stressed, gradients, .. } = self;
        let out = (&mut exerted[slots], &mut stressed[lanes]);
        corner_loads(*width, batch, &gradients[index], x, out);
    }
}

/// The opening of a corner, if its tensile stress exceeds its strength.
fn parting(
    star: &[Ray],
    strength: &Strength,
    exerted: &[CornerLoad],
    stressed: &[MeanStress],
) -> Option<Parting> {
    if *strength == Strength::Endless {
        return None;
    }
    let tensor = separation(star, exerted, stressed);
    let (normal, borne) = match strength {
        Strength::Endless => return None,
        Strength::Even(strength) => (strongest(&tensor)?, *strength),
        Strength::Directed(strength) => {
            // The strength is that of the rest shape: it turns with the mean rotation of the cells around the corner.
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
fn separation(star: &[Ray], exerted: &[CornerLoad], stressed: &[MeanStress]) -> Mat3 {
    let (mut stress, mut volume, mut force) = (Mat3::ZERO, 0.0, DVec3::ZERO);
    for ray in star {
        let cell = &stressed[ray.lane as usize];
        stress += cell.stress;
        volume += cell.volume;
        force += exerted[ray.slot as usize].force;
    }
    let mean = stress * (1.0 / volume);
    // Without an unbalanced force there is nothing to subtract.
    let Some(along) = force.try_normalize() else { return mean };
    let areas = star.iter().map(|ray| along.dot(exerted[ray.slot as usize].area).abs());
    let area = 0.5 * areas.sum::<f64>();
    mean + spread(force) * (-0.5 / area)
}

/// m(a) = a aᵀ/‖a‖; zero for a zero vector.
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

/// The direction n with the largest ratio of nᵀ ς n to the strength nᵀ T n, and the strength along it.
///
/// ```text
/// n ∝ T^(−½) y        y the strongest direction of T^(−½) ς T^(−½)
/// ```
///
/// Derived here: with n = T^(−½) y the ratio is a Rayleigh quotient of y.
fn directed(tensor: &Mat3, strength: &Mat3) -> Option<(DVec3, f64)> {
    let eigen = symmetric_eigen(strength);
    let scaled = [0, 1, 2].map(|k| eigen.vectors.0[k] * (1.0 / eigen.values[k].sqrt()));
    let root = Mat3(scaled) * eigen.vectors.transpose();
    let y = strongest(&(root * *tensor * root).symmetric())?;
    let normal = DVec3::from(root.mul_vec(y.into())).try_normalize()?;
    Some((normal, normal.dot(strength.mul_vec(normal.into()).into())))
}
