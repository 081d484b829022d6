//! Elastic energy and forces of cells, by quadrature.
//!
//! ```text
//! gather x  →  F = (Σₐ xₐ ⊗ ∂Bₐ/∂ξ) J⁻¹  →  ψ(F), P(F)  →  fₐ = −Σ V P J⁻ᵀ ∂Bₐ/∂ξ
//! ```
//!
//! Saillant et al. 2024, eq. 9, 10 and 13. Stages that depend on the kind of cell are compiled once per kind, the law
//! stage once per law; they exchange data in small buffers that stay in the first-level cache. So the number of
//! compiled functions is the sum, not the product, of kinds and laws.

use glam::DVec3;

use crate::lanes::tasks::PackRows;
use crate::lanes::{
    CellKernel, Dilation, NodeCount, RestBatch, Width, apply_constant, gather, reference_gradient,
    rest_point, run_batch, scatter, table,
};
use crate::material::{Law, LawFamily, LawKind, LawVisitor};
use crate::math::{LANES, Lane, Lanes, Mat3, Pack, Vec3};

/// Number of quadrature points passed to a law at once.
const POINTS: usize = 4;

/// Writes the forces on the nodes of every cell of a batch at positions `x`, and the energy of every cell, in J, with this dilation.
/// Forces are stored cell after cell, with room for whole packs.
pub fn energy_and_forces(
    width: Width,
    (batch, dilation): (RestBatch<'_>, Dilation),
    x: &[DVec3],
    forces: &mut [DVec3],
    energies: &mut [Pack],
) {
    let forces = PackRows::new(forces, LANES * batch.kind.node_count());
    run_batch(&Forces { batch, dilation, x }, width, &batch, (forces, PackRows::new(energies, 1)));
}

struct Forces<'a> {
    batch: RestBatch<'a>,
    dilation: Dilation,
    x: &'a [DVec3],
}

impl CellKernel<(PackRows<'_, DVec3>, PackRows<'_, Pack>)> for Forces<'_> {
    #[inline(always)]
    fn run<L: Lanes, C: NodeCount<ROOM>, const ROOM: usize>(
        &self,
        lanes: L,
        pack: usize,
        (forces, energies): &mut (PackRows<'_, DVec3>, PackRows<'_, Pack>),
    ) {
        let out = (&mut *forces.values, &mut energies.values[0]);
        let batch = (self.batch, self.dilation);
        pack_energy_and_forces::<L, C, ROOM>(lanes, batch, pack, self.x, out);
    }
}

/// Computes energy and forces of the cells of `pack` selected by `lanes`.
#[inline(always)]
fn pack_energy_and_forces<L: Lanes, C: NodeCount<ROOM>, const ROOM: usize>(
    lanes: L,
    (batch, dilation): (RestBatch<'_>, Dilation),
    pack: usize,
    x: &[DVec3],
    (cells, energies): (&mut [DVec3], &mut Pack),
) {
    let zero = lanes.splat(0.0);
    let x: [_; ROOM] = gather(lanes, batch.pack_nodes(pack), x);
    let [mu, lambda] = batch.pack_constants(pack);
    let (mu, lambda) = (lanes.load(mu), lanes.load(lambda));
    let rest = batch.pack_rest(pack);
    let (n, point_count) = (C::of(&batch), batch.point_count());
    let mut forces = [Vec3([zero; 3]); ROOM];
    let mut energy = zero;
    let mut f = [Mat3([Vec3([zero; 3]); 3]); POINTS];
    let mut psi = [zero; POINTS];
    let (mut extra, mut det) = (f, [zero; POINTS]);
    let of_mean = dilation.of_mean_only(batch.law, mu, lambda);
    let mut mean = match dilation {
        Dilation::Mean if point_count > POINTS => Some(mean_dilation(lanes, batch, pack, &x[..n])),
        _ => None,
    };
    for start in (0..point_count).step_by(POINTS) {
        let count = POINTS.min(point_count - start);
        for (k, f) in f[..count].iter_mut().enumerate() {
            let (inverse, _) = rest_point(lanes, &batch, rest, start + k);
            *f = reference_gradient(&x[..n], table(&batch, n, start + k)) * inverse;
        }
        if dilation == Dilation::Mean {
            for k in 0..count {
                extra[k] = f[k].cofactor();
                det[k] = f[k].0[0].dot(extra[k].0[0]);
            }
        }
        if dilation == Dilation::Mean && point_count <= POINTS {
            // All points of the cell are here.
            let mut sum = VolumeSum { now: zero, rest: zero };
            for (k, det) in det[..count].iter().enumerate() {
                sum.add(*det, rest_point(lanes, &batch, rest, k).1);
            }
            mean = Some(sum.ratio());
        }
        if let Some(mean) = mean {
            for k in 0..count {
                // Mean dilation subtracts (λ − λ₀)/2 (J − Ĵ)²; also its stress.
                let excess = det[k] - mean;
                let (_, volume) = rest_point(lanes, &batch, rest, start + k);
                energy += excess * excess * of_mean * volume * -0.5;
                extra[k] = extra[k] * (-of_mean * excess);
            }
        }
        apply_law(lanes, batch.law, mu, lambda, &mut f[..count], &mut psi[..count]);
        if mean.is_some() {
            for k in 0..count {
                f[k] += extra[k];
            }
        }
        for k in 0..count {
            let (inverse, volume) = rest_point(lanes, &batch, rest, start + k);
            energy += psi[k] * volume;
            // V P J⁻ᵀ once per point, so that each node needs one product with its reference gradient.
            let h = f[k] * inverse.transpose() * -volume;
            for (force, gradient) in forces[..n].iter_mut().zip(table(&batch, n, start + k)) {
                *force += apply_constant(&h, gradient);
            }
        }
    }
    scatter(lanes, &forces[..n], cells);
    lanes.store(energy, energies);
}

/// Ĵ of a cell with nodes at `x`.
#[inline(always)]
pub(crate) fn mean_dilation<L: Lanes>(
    lanes: L,
    batch: RestBatch<'_>,
    pack: usize,
    x: &[Vec3<L::Lane>],
) -> L::Lane {
    let rest = batch.pack_rest(pack);
    let mut sum = VolumeSum { now: lanes.splat(0.0), rest: lanes.splat(0.0) };
    for point in 0..batch.point_count() {
        let (inverse, volume) = rest_point(lanes, &batch, rest, point);
        let f = reference_gradient(x, table(&batch, x.len(), point)) * inverse;
        sum.add(f.det(), volume);
    }
    sum.ratio()
}

/// The volume of a cell now, and at rest.
struct VolumeSum<R> {
    now: R,
    rest: R,
}

impl<R: Lane> VolumeSum<R> {
    #[inline(always)]
    fn add(&mut self, det: R, volume: R) {
        self.now += det * volume;
        self.rest += volume;
    }

    /// Ĵ = Σ V J / Σ V; one in unused lanes, which have no volume.
    #[inline(always)]
    fn ratio(&self) -> R {
        let zero = self.rest.zero();
        zero.if_less(self.rest, self.now / self.rest, zero.one())
    }
}

/// Replaces every F by P(F) and writes ψ(F). Not inlined: it is compiled once for each law.
#[inline(never)]
fn apply_law<L: Lanes>(
    lanes: L,
    law: LawKind,
    mu: L::Lane,
    lambda: L::Lane,
    f: &mut [Mat3<L::Lane>],
    psi: &mut [L::Lane],
) {
    lanes.run(
        #[inline(always)]
        || law.visit(EvaluateForces::<L> { mu, lambda, f, psi }),
    );
}

struct EvaluateForces<'a, L: Lanes> {
    mu: L::Lane,
    lambda: L::Lane,
    f: &'a mut [Mat3<L::Lane>],
    psi: &'a mut [L::Lane],
}

impl<L: Lanes> LawVisitor for EvaluateForces<'_, L> {
    type Output = ();

    #[inline(always)]
    fn visit<F: LawFamily>(self) {
        let law = F::law(self.mu, self.lambda);
        for (f, psi) in self.f.iter_mut().zip(self.psi) {
            (*psi, *f) = law.energy_and_stress(f);
        }
    }
}
