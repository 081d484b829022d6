//! Tensile stress of cells and their forces on corners, the input of the fracture criterion.
//!
//! ```text
//! σ = R (Rᵀ P)⁺ Rᵀ        f = −∫ P ∇λ dV        a = ∫ R ∇λ dV
//! ```
//!
//! - `σ` tensile part of the stress (positive eigenvalues only); `R` the rotation of F
//! - `f` force of a cell on a corner, in N; the kernel stores −f, since the criterion is even in f
//! - `a` area of the cell at the corner, in m²; `λ` the linear hat function of the corner

use glam::DVec3;

use crate::element::{MAX_CORNERS, MAX_NODES};
use crate::lanes::tasks::{PackRows, for_each_task};
use crate::lanes::{
    Kernel, LocalLaw, RestBatch, Width, gather, gradients as cell_gradients, rest_point, store,
    stress,
};
use crate::math::{Eigen, LANES, Lane, Lanes, Mat3, Pack, Vec3, polar_rotation, symmetric_eigen};

/// Force and area of a cell at one of its corners.
#[derive(Debug, Clone, Copy, Default)]
pub struct CornerLoad {
    /// ∫ P ∇λ dV = −f, in N.
    pub force: DVec3,
    /// a, in m².
    pub area: DVec3,
}

/// The stress of a cell.
#[derive(Debug, Clone, Copy)]
pub struct MeanStress {
    /// V σ, in J.
    pub stress: Mat3,
    /// V, in m³.
    pub volume: f64,
    /// Rotation of the cell, at its first quadrature point.
    pub turn: Mat3,
}

/// Writes the corner loads and the stress of every cell of a batch.
///
/// The loads of a pack are ordered by corner, then by lane. `gradients` are ∇λ in reference coordinates, of all
/// corners at all quadrature points.
pub fn corner_loads(
    width: Width,
    batch: RestBatch<'_>,
    gradients: &[[f64; 3]],
    x: &[DVec3],
    (loads, stresses): (&mut [CornerLoad], &mut [MeanStress]),
) {
    let loads = PackRows::new(loads, batch.kind.corner_count() * LANES);
    for_each_task(batch.pack_count(), (loads, PackRows::new(stresses, LANES)), &|packs, out| {
        let (loads, stresses): (PackRows<'_, _>, PackRows<'_, _>) = out;
        for ((pack, loads), stresses) in packs.zip(loads.packs()).zip(stresses.packs()) {
            let mut sums = SeparationSums::new(SeparationCells { batch, pack, gradients, x });
            width.run(&mut sums);
            sums.write(loads, stresses);
        }
    });
}

/// The cells of a pack.
#[derive(Clone, Copy)]
struct SeparationCells<'a> {
    batch: RestBatch<'a>,
    pack: usize,
    gradients: &'a [[f64; 3]],
    x: &'a [DVec3],
}

/// Sums of a pack: force and area of every corner, V σ and the rotation at the first point by columns, and V.
struct SeparationSums<'a> {
    cells: SeparationCells<'a>,
    corners: [[Pack; 6]; MAX_CORNERS],
    stress: [Pack; 9],
    turn: [Pack; 9],
    volume: Pack,
}

impl<'a> SeparationSums<'a> {
    fn new(cells: SeparationCells<'a>) -> Self {
        let none = [0.0; LANES];
        let corners = [[none; 6]; MAX_CORNERS];
        Self { cells, corners, stress: [none; 9], turn: [none; 9], volume: none }
    }

    fn write(&self, loads: &mut [CornerLoad], stresses: &mut [MeanStress]) {
        for (numbers, slots) in self.corners.iter().zip(loads.chunks_mut(LANES)) {
            for (lane, slot) in slots.iter_mut().enumerate() {
                let vector = |k: usize| DVec3::from([0, 1, 2].map(|i| numbers[k + i][lane]));
                *slot = CornerLoad { force: vector(0), area: vector(3) };
            }
        }
        for (lane, slot) in stresses.iter_mut().enumerate() {
            let matrix = |of: &[Pack; 9]| Mat3::from_fn(|i, j| of[3 * j + i][lane]);
            let (stress, turn) = (matrix(&self.stress), matrix(&self.turn));
            *slot = MeanStress { stress, volume: self.volume[lane], turn };
        }
    }
}

impl Kernel for SeparationSums<'_> {
    /// Sums over the quadrature points of the lanes.
    #[inline(always)]
    fn run<L: Lanes>(&mut self, lanes: L) {
        let SeparationCells { batch, pack, gradients, x } = self.cells;
        let x = gather::<L, MAX_NODES>(lanes, batch.pack_nodes(pack), x);
        let nodes = batch.kind.node_count();
        let cell = (nodes, &x);
        let LocalLaw { law, constants, pressure } = LocalLaw::at(lanes, batch, pack, cell);
        let mut f = [Mat3([x[0]; 3])];
        let (rest, corners) = (batch.pack_rest(pack), batch.kind.corner_count());
        let zero = lanes.splat(0.0);
        let none = Mat3([Vec3([zero; 3]); 3]);
        let mut totals = [[none.0[0]; 2]; MAX_CORNERS];
        let (mut sum, mut whole) = (none, zero);
        for point in 0..batch.point_count() {
            let (inverse, volume) = rest_point(lanes, &batch, rest, point);
            cell_gradients((batch.batch(), nodes), &x, point, &mut f);
            let f = f[0] * inverse;
            let (mut stress, turn) = (stress(lanes, law, constants, &f), polar_rotation(&f));
            if let Some(pressure) = pressure {
                stress += f.cofactor() * pressure;
            }
            // Rᵀ P is the stress in the unrotated frame; only its tensile part counts.
            let pulls = positive(&(turn.transpose() * stress).symmetric());
            sum += turn * pulls * turn.transpose() * volume;
            whole += volume;
            let weight = inverse.transpose() * volume;
            let parts = [stress * weight, turn * weight];
            let gradients = &gradients[point * corners..(point + 1) * corners];
            for (totals, gradient) in totals.iter_mut().zip(gradients) {
                let [x, y, z] = *gradient;
                let gradient = Vec3([lanes.splat(x), lanes.splat(y), lanes.splat(z)]);
                totals[0] += parts[0].mul_vec(gradient);
                totals[1] += parts[1].mul_vec(gradient);
            }
            if point == 0 {
                store(lanes, &turn.0, &mut self.turn);
            }
        }
        store(lanes, &sum.0, &mut self.stress);
        lanes.store(whole, &mut self.volume);
        for (totals, slots) in totals.iter().zip(&mut self.corners) {
            store(lanes, totals, slots);
        }
    }
}

/// The tensile part of a symmetric matrix: negative eigenvalues are set to zero.
#[inline(always)]
fn positive<R: Lane>(matrix: &Mat3<R>) -> Mat3<R> {
    let Eigen { values: [a, b, c], vectors } = symmetric_eigen(matrix);
    let [x, y, z] = vectors.0;
    let scaled = [x * a.max(a.zero()), y * b.max(b.zero()), z * c.max(c.zero())];
    Mat3(scaled) * vectors.transpose()
}
