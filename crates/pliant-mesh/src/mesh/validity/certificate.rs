//! The validity proof of one cell.

use glam::DVec3;

use crate::element::{Kind, lattice};
use crate::mesh::straight::{affine_frame, fits_lattice};

use super::det_space::DetSpace;

/// A det J below this counts as zero, for a cell scaled to unit size: above the rounding error of its corners, far
/// below any useful cell.
const FLAT_DET: f64 = 1e-14;

/// A straight cell with det J above this is so far from flat that rounding does not matter.
const CLEARLY_STRAIGHT: f64 = 1e-9;

/// Largest number of successive subdivisions before a cell counts as invalid.
const MAX_CUTS: usize = 8;

/// Largest number of parts that a cell is cut into.
const MAX_PARTS: usize = 4096;

/// The result of the validity test of a cell: is its map one-to-one?
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CellStatus {
    /// det J > 0 everywhere, proved.
    Valid,
    /// det J is zero everywhere, up to rounding.
    Flat,
    /// det J < 0 everywhere, proved: the nodes are listed with the wrong winding.
    Inverted,
    /// det J is negative or zero somewhere, or so close to zero that it could not be proved positive.
    PartlyInverted,
}

impl CellStatus {
    /// Lower-case name for messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Flat => "flat",
            Self::Inverted => "inverted",
            Self::PartlyInverted => "partly inverted",
        }
    }
}

/// The validity of one cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CellValidity {
    /// The result of the test.
    pub status: CellStatus,
    /// Lower bound of det J if valid, else the smallest value found, in m³.
    pub smallest_det: f64,
    /// True if its map is affine.
    pub straight: bool,
    /// True if it had to be subdivided to decide.
    pub subdivided: bool,
}

/// Tests the validity of cells of one kind.
#[derive(Debug, Clone)]
pub(in crate::mesh) struct Certifier {
    kind: Kind,
    lattice: Vec<[usize; 3]>,
    space: DetSpace,
    /// Coefficients above this are positive in spite of rounding errors.
    surely_positive: f64,
}

/// Outcome of the search for a positive lower bound.
#[derive(Debug, Clone, Copy)]
struct Bound {
    /// The proved lower bound of det J, if it is positive.
    positive: Option<f64>,
    /// Number of successive subdivisions.
    cuts: usize,
}

impl Certifier {
    /// Prepares the polynomials for a kind.
    pub(in crate::mesh) fn new(kind: Kind) -> Self {
        let space = DetSpace::new(kind);
        let surely_positive = FLAT_DET.max(4.0 * f64::EPSILON * space.growth());
        Self { kind, lattice: lattice(kind), space, surely_positive }
    }

    /// Validity of the cell with these control points.
    pub(in crate::mesh) fn validity(&self, points: &[DVec3]) -> CellValidity {
        let size = extent(points);
        if !(size > 0.0 && size.is_finite()) {
            let status = CellStatus::Flat;
            return CellValidity { status, smallest_det: 0.0, straight: false, subdivided: false };
        }
        let points: Vec<DVec3> = points.iter().map(|x| (*x - points[0]) / size).collect();
        let straight = fits_lattice(self.kind, &self.lattice, &points);
        let mut validity = self.unit_validity(&points, straight);
        validity.smallest_det *= size * size * size;
        validity
    }

    /// Validity of a cell of unit size at the origin.
    fn unit_validity(&self, points: &[DVec3], straight: bool) -> CellValidity {
        let verdict = |status, smallest_det, cuts| {
            let subdivided = cuts > 0;
            CellValidity { status, smallest_det, straight, subdivided }
        };
        let [a, b, c] = affine_frame(self.kind, points).1;
        let det = a.dot(b.cross(c));
        if straight && det > CLEARLY_STRAIGHT {
            return verdict(CellStatus::Valid, det, 0);
        }
        let samples = self.space.samples(points);
        if samples.iter().all(|det| det.abs() <= FLAT_DET) {
            return verdict(CellStatus::Flat, least(&samples), 0);
        }
        let coefficients = self.space.coefficients(samples);
        let bound = self.lower_bound(&coefficients);
        match bound.positive {
            Some(least) => verdict(CellStatus::Valid, least, bound.cuts),
            None => {
                verdict(self.failure(&coefficients), self.smallest_value(&coefficients), bound.cuts)
            }
        }
    }

    /// Status of a cell without a positive bound: inverted if −det J has one.
    fn failure(&self, coefficients: &[f64]) -> CellStatus {
        let mirrored: Vec<f64> = coefficients.iter().map(|c| -c).collect();
        match self.lower_bound(&mirrored).positive {
            Some(_) => CellStatus::Inverted,
            None => CellStatus::PartlyInverted,
        }
    }

    /// Searches for a positive lower bound of the polynomial with these coefficients.
    ///
    /// The smallest Bernstein coefficient bounds a polynomial from below, and subdivision tightens the bound. The
    /// coefficients at the corners are values of the polynomial, so one that is not positive there disproves it at
    /// once.
    fn lower_bound(&self, coefficients: &[f64]) -> Bound {
        let (mut open, mut proved, mut parts) = (vec![coefficients.to_vec()], f64::INFINITY, 1);
        let mut cuts = 0;
        while !open.is_empty() {
            let fails = open.iter().any(|part| self.corner_least(part) <= FLAT_DET);
            if fails || cuts > MAX_CUTS || parts > MAX_PARTS {
                return Bound { positive: None, cuts };
            }
            let (sure, unsure): (Vec<_>, Vec<_>) =
                open.into_iter().partition(|part| least(part) > self.surely_positive);
            proved = sure.iter().map(|part| least(part)).fold(proved, f64::min);
            open = unsure.iter().flat_map(|part| self.space.parts(part)).collect();
            cuts += usize::from(!open.is_empty());
            parts += open.len();
        }
        Bound { positive: Some(proved), cuts }
    }

    /// Returns the smallest value of the polynomial, to about one per cent, by repeated subdivision of the parts with
    /// the lowest bounds.
    fn smallest_value(&self, coefficients: &[f64]) -> f64 {
        const KEPT_PARTS: usize = 8;
        let mut open = vec![coefficients.to_vec()];
        let mut smallest = self.corner_least(coefficients);
        for _ in 0..MAX_CUTS {
            let mut parts: Vec<_> = open.iter().flat_map(|part| self.space.parts(part)).collect();
            smallest = parts.iter().map(|part| self.corner_least(part)).fold(smallest, f64::min);
            let floor = smallest - 0.01 * smallest.abs();
            parts.retain(|part| least(part) < floor);
            parts.sort_by(|a, b| least(a).total_cmp(&least(b)));
            parts.truncate(KEPT_PARTS);
            open = parts;
        }
        smallest
    }

    /// Smallest value at the corners.
    fn corner_least(&self, coefficients: &[f64]) -> f64 {
        self.space.corner_values(coefficients).fold(f64::INFINITY, f64::min)
    }
}

fn least(coefficients: &[f64]) -> f64 {
    coefficients.iter().copied().fold(f64::INFINITY, f64::min)
}

/// Largest side of the box around the points.
fn extent(points: &[DVec3]) -> f64 {
    let low = points.iter().copied().reduce(DVec3::min).unwrap_or_default();
    let high = points.iter().copied().reduce(DVec3::max).unwrap_or_default();
    (high - low).max_element()
}
