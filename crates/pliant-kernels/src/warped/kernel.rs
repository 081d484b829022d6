//! Forces and stiffness products of packs of warped cells.

use crate::lanes::{
    PackBuffer, RestBatch, add_gradients, gradients, load, load_matrix, rest_point, store,
};
use crate::math::{Lane, Lanes, Mat3, Pack, Vec3, polar_rotation_from, qr_rotation};

use super::products::Products;
use super::rest::{CornerFrame, LAMBDA, MU, STRAIGHT, VOLUME};

/// Fraction of the rest volume below which the rotation of a cell comes from QR (Parker & O'Brien 2009, section 3):
/// the polar rotation of a flat or inverted cell is ill-defined.
const FLAT: f64 = 0.06;

/// A kernel on packs of warped cells.
pub(crate) trait PackKernel<const N: usize>: Sync {
    /// Processes one pack; `rotations` are those of the pack.
    fn run<L: Lanes>(
        &self,
        lanes: L,
        pack: usize,
        rotations: &mut [[Pack; 9]],
        buffer: &mut PackBuffer<N>,
    );
}

/// Updates the rotation from F, whose determinant at rest is `rest`; by QR if `by_edges`. Not inlined: it is compiled
/// once, not for every kind of cell.
#[inline(never)]
pub(crate) fn follow<L: Lanes>(
    lanes: L,
    f: &Mat3<L::Lane>,
    rest: L::Lane,
    by_edges: bool,
    packs: &mut [Pack; 9],
) {
    lanes.run(
        #[inline(always)]
        || {
            let turn = match by_edges {
                true => qr_rotation(f),
                false => rotation(f, rest, &load_matrix(lanes, packs, 0)),
            };
            store(lanes, &turn.0, packs);
        },
    );
}

/// The rotation of F: polar from the last one, or QR where the cell is flat or inverted.
#[inline(always)]
fn rotation<R: Lane>(f: &Mat3<R>, rest: R, last: &Mat3<R>) -> Mat3<R> {
    let det = f.det();
    let flat = rest * FLAT;
    // Flat lanes pass the last rotation to the polar iteration, which then converges at once.
    let sound = Mat3::if_less(det, flat, *last, *f);
    let polar = polar_rotation_from(&sound, last);
    Mat3::if_less(det, flat, qr_rotation(f), polar)
}

/// σ = λ tr ε I + 2μ ε.
#[inline(always)]
fn hooke<R: Lane>(mu: R, lambda: R, strain: &Mat3<R>) -> Mat3<R> {
    (*strain * (mu + mu)).add_diagonal(lambda * strain.trace())
}

/// A straight tetrahedron, by products of Bernstein gradients.
pub(crate) struct Straight<'a, const N: usize, const M: usize> {
    pub(super) table: &'a Products<N, M>,
    pub(super) rest: &'a [[Pack; STRAIGHT]],
    pub(super) task: Task,
    pub(super) by_edges: bool,
}

/// The quantity to compute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task {
    /// Energy and forces, after an update of the rotations.
    Forces,
    /// Energy and forces with the stored rotations.
    LinearForces,
    /// K d, with displacements d in place of positions.
    Product,
    /// The largest row sum of |∂d/∂X|, in place of the energy.
    Change,
}

impl Task {
    #[inline(always)]
    pub(crate) fn is_forces(self) -> bool {
        matches!(self, Self::Forces | Self::LinearForces)
    }
}

impl<const N: usize, const M: usize> PackKernel<N> for Straight<'_, N, M> {
    #[inline(always)]
    fn run<L: Lanes>(
        &self,
        lanes: L,
        pack: usize,
        rotations: &mut [[Pack; 9]],
        buffer: &mut PackBuffer<N>,
    ) {
        let rest = &self.rest[pack];
        let beta = load_matrix(lanes, rest, 0);
        if self.task == Task::Change {
            let zero = lanes.splat(0.0);
            let mut most = zero;
            for nodes in &self.table.nodes {
                let f = self.coefficient(lanes, nodes, buffer) * beta;
                most = most.max(row_sum(&f));
            }
            lanes.store(most, &mut buffer.energy);
            return;
        }
        if self.task == Task::Forces {
            let f = corner_gradient(lanes, buffer) * beta;
            let det = load_matrix(lanes, rest, 9).det();
            follow(lanes, &f, det, self.by_edges, &mut rotations[0]);
        }
        let turn = load_matrix(lanes, &rotations[0], 0);
        self.products(lanes, pack, &beta, &turn, buffer);
    }
}

impl<const N: usize, const M: usize> Straight<'_, N, M> {
    /// The coefficient p (x[k + eⱼ] − x[k + e₀]) of ∂x/∂ξ.
    #[inline(always)]
    fn coefficient<L: Lanes>(
        &self,
        lanes: L,
        nodes: &[u8; 4],
        buffer: &PackBuffer<N>,
    ) -> Mat3<L::Lane> {
        let degree = lanes.splat(self.table.degree);
        let [o, a, b, c] = *nodes;
        let origin = load(lanes, &buffer.x[o as usize], 0);
        Mat3([
            (load(lanes, &buffer.x[a as usize], 0) - origin) * degree,
            (load(lanes, &buffer.x[b as usize], 0) - origin) * degree,
            (load(lanes, &buffer.x[c as usize], 0) - origin) * degree,
        ])
    }

    /// Computes f = −∫ R σ ∇B and ½ ∫ σ : ε, or the product with K, which has the opposite sign.
    #[inline(always)]
    fn products<L: Lanes>(
        &self,
        lanes: L,
        pack: usize,
        beta: &Mat3<L::Lane>,
        turn: &Mat3<L::Lane>,
        buffer: &mut PackBuffer<N>,
    ) {
        let rest = &self.rest[pack];
        let zero = lanes.splat(0.0);
        let (mu, lambda) = (lanes.load(&rest[MU]), lanes.load(&rest[LAMBDA]));
        let volume = lanes.load(&rest[VOLUME]);
        let is_forces = self.task.is_forces();
        let offset = load_matrix(lanes, rest, 9);
        let back = turn.transpose();
        // Strain and stress are Bernstein forms too: Hooke's law acts on each coefficient.
        let mut stress = [Mat3([Vec3([zero; 3]); 3]); M];
        let mut strain = stress;
        let points = stress.iter_mut().zip(&mut strain);
        for ((stress, strain), nodes) in points.zip(&self.table.nodes) {
            let mut f = back * (self.coefficient(lanes, nodes, buffer) * *beta);
            if is_forces {
                f = f - offset;
            }
            *strain = f.symmetric();
            *stress = hooke(mu, lambda, strain);
        }
        let mut forces = [Vec3([zero; 3]); N];
        let mut energy = zero;
        let beta_back = beta.transpose();
        let sign = if is_forces { -self.table.degree } else { self.table.degree };
        let scale = volume * sign;
        // The integrals of products couple the coefficients. Nodal forces are the transpose of the differences of
        // control points.
        let points = self.table.integrals.iter().zip(&self.table.nodes).zip(&strain);
        for ((integrals, nodes), strain) in points {
            let mut mean = Mat3([Vec3([zero; 3]); 3]);
            for (stress, integral) in stress.iter().zip(integrals) {
                mean += *stress * lanes.splat(*integral);
            }
            if is_forces {
                energy += mean.ddot(strain);
            }
            let h = *turn * (mean * beta_back) * scale;
            let [o, a, b, c] = *nodes;
            forces[a as usize] += h.0[0];
            forces[b as usize] += h.0[1];
            forces[c as usize] += h.0[2];
            forces[o as usize] += -(h.0[0] + h.0[1] + h.0[2]);
        }
        buffer.store_forces(lanes, &forces);
        if is_forces {
            lanes.store(energy * volume * 0.5, &mut buffer.energy);
        }
    }
}

/// ∂x/∂ξ of the straight tetrahedron through the corners.
#[inline(always)]
fn corner_gradient<L: Lanes, const N: usize>(lanes: L, buffer: &PackBuffer<N>) -> Mat3<L::Lane> {
    let origin = load(lanes, &buffer.x[0], 0);
    Mat3([
        load(lanes, &buffer.x[1], 0) - origin,
        load(lanes, &buffer.x[2], 0) - origin,
        load(lanes, &buffer.x[3], 0) - origin,
    ])
}

/// The largest sum of absolute values in a row.
#[inline(always)]
pub(crate) fn row_sum<R: Lane>(f: &Mat3<R>) -> R {
    let [a, b, c] = f.0;
    let x = a.0[0].abs() + b.0[0].abs() + c.0[0].abs();
    let y = a.0[1].abs() + b.0[1].abs() + c.0[1].abs();
    let z = a.0[2].abs() + b.0[2].abs() + c.0[2].abs();
    x.max(y).max(z)
}

/// Any cell, straight or curved, by quadrature.
pub(crate) struct Quadrature<'a> {
    pub(super) batch: RestBatch<'a>,
    /// The frame that measures the rotation of a whole cell; `None` for one rotation per point.
    pub(super) frame: Option<&'a CornerFrame>,
    pub(super) task: Task,
    pub(super) by_edges: bool,
}

impl<const N: usize> PackKernel<N> for Quadrature<'_> {
    #[inline(always)]
    fn run<L: Lanes>(
        &self,
        lanes: L,
        pack: usize,
        rotations: &mut [[Pack; 9]],
        buffer: &mut PackBuffer<N>,
    ) {
        if let (Some(frame), Task::Forces) = (self.frame, self.task) {
            let f = corner_f(lanes, frame, pack, buffer);
            follow(lanes, &f, lanes.splat(1.0), self.by_edges, &mut rotations[0]);
        }
        let zero = lanes.splat(0.0);
        let mut x = [Vec3([zero; 3]); N];
        for (x, slot) in x.iter_mut().zip(&buffer.x) {
            *x = load(lanes, slot, 0);
        }
        let [mu, lambda] = self.batch.pack_constants(pack);
        let (mu, lambda) = (lanes.load(mu), lanes.load(lambda));
        let rest = self.batch.pack_rest(pack);
        let is_forces = self.task.is_forces();
        let cell = (self.batch.batch(), N);
        let mut forces = [Vec3([zero; 3]); N];
        let mut f = [Mat3([x[0]; 3])];
        let (mut energy, mut most) = (zero, zero);
        for point in 0..self.batch.point_count() {
            let (inverse, volume) = rest_point(lanes, &self.batch, rest, point);
            gradients(cell, &x, point, &mut f);
            let f = f[0] * inverse;
            if self.task == Task::Change {
                most = most.max(row_sum(&f));
                continue;
            }
            let slot = if self.frame.is_some() { 0 } else { point };
            if self.task == Task::Forces && self.frame.is_none() {
                follow(lanes, &f, lanes.splat(1.0), self.by_edges, &mut rotations[slot]);
            }
            let turn = load_matrix(lanes, &rotations[slot], 0);
            let mut strain = (turn.transpose() * f).symmetric();
            if is_forces {
                strain = strain.add_diagonal(lanes.splat(-1.0));
            }
            let stress = hooke(mu, lambda, &strain);
            let scale = if is_forces { -volume } else { volume };
            let h = turn * stress * inverse.transpose() * scale;
            if is_forces {
                energy += stress.ddot(&strain) * volume * 0.5;
            }
            add_gradients(cell, point, &[h], &mut forces);
        }
        match self.task {
            Task::Change => lanes.store(most, &mut buffer.energy),
            Task::Product => buffer.store_forces(lanes, &forces),
            Task::Forces | Task::LinearForces => {
                buffer.store_forces(lanes, &forces);
                lanes.store(energy, &mut buffer.energy);
            }
        }
    }
}

/// F at the centre of the straight cell through the corners.
#[inline(always)]
fn corner_f<L: Lanes, const N: usize>(
    lanes: L,
    frame: &CornerFrame,
    pack: usize,
    buffer: &PackBuffer<N>,
) -> Mat3<L::Lane> {
    let zero = lanes.splat(0.0);
    let mut sum = Mat3([Vec3([zero; 3]); 3]);
    for (slot, gradient) in buffer.x.iter().zip(&frame.gradients) {
        let x = load(lanes, slot, 0);
        for (column, weight) in sum.0.iter_mut().zip(gradient) {
            *column += x * lanes.splat(*weight);
        }
    }
    sum * load_matrix(lanes, &frame.inverse[pack], 0)
}
