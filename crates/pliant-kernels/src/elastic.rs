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
    CellKernel, Dilation, LocalLaw, NodeCount, RestBatch, Volumes, Width, add_gradients, gather,
    gradients, rest_point, run_batch, scatter,
};
use crate::material::{Law, LawFamily, LawVisitor};
use crate::math::{LANES, Lane, Lanes, Mat3, Pack, Vec3};

/// Number of quadrature points passed to a law at once: all points of a curved tetrahedron of degree two, and of a box.
const POINTS: usize = 8;

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
    let (n, point_count) = (C::of(&batch), batch.point_count());
    let cell = (batch.batch(), n);
    let mut forces = [Vec3([zero; 3]); ROOM];
    let rest = batch.pack_rest(pack);
    let mut energy = zero;
    let mut f = [Mat3([Vec3([zero; 3]); 3]); POINTS];
    let mut psi = [zero; POINTS];
    let mut law = LocalLaw::pointwise(lanes, &batch, pack);
    let of_mean = law.of_mean_only(dilation);
    for start in (0..point_count).step_by(POINTS) {
        let count = POINTS.min(point_count - start);
        gradients(cell, &x, start, &mut f[..count]);
        for (k, f) in f[..count].iter_mut().enumerate() {
            *f = *f * rest_point(lanes, &batch, rest, start + k).0;
        }
        if dilation == Dilation::Mean && start == 0 {
            let volumes = if count == point_count {
                Volumes::of_points(lanes, batch, pack, &f[..count])
            } else {
                Volumes::of_cell(lanes, batch, pack, (n, &x))
            };
            law = law.in_the_mean(of_mean, &volumes);
            energy = volumes.mean_energy(of_mean);
        }
        apply_law(lanes, &law, &mut f[..count], &mut psi[..count]);
        for k in 0..count {
            let (inverse, volume) = rest_point(lanes, &batch, rest, start + k);
            energy = psi[k].mul_add(volume, energy);
            f[k] = f[k] * inverse.transpose() * -volume;
        }
        add_gradients(cell, start, &f[..count], &mut forces);
    }
    scatter(lanes, &forces[..n], cells);
    lanes.store(energy, energies);
}

/// Replaces every F by P(F) and writes ψ(F), without the energy of the pressure. Not inlined: it is compiled once for each law.
#[inline(never)]
fn apply_law<L: Lanes>(
    lanes: L,
    local: &LocalLaw<L::Lane>,
    f: &mut [Mat3<L::Lane>],
    psi: &mut [L::Lane],
) {
    lanes.run(
        #[inline(always)]
        || local.law.visit(EvaluateForces::<L> { local, f, psi }),
    );
}

struct EvaluateForces<'a, L: Lanes> {
    local: &'a LocalLaw<L::Lane>,
    f: &'a mut [Mat3<L::Lane>],
    psi: &'a mut [L::Lane],
}

impl<L: Lanes> LawVisitor for EvaluateForces<'_, L> {
    type Output = ();

    #[inline(always)]
    fn visit<F: LawFamily>(self) {
        let [mu, lambda] = self.local.constants;
        let law = F::law(mu, lambda);
        for (f, psi) in self.f.iter_mut().zip(self.psi) {
            let (energy, mut stress) = law.energy_and_stress(f);
            if let Some(pressure) = self.local.pressure {
                stress += f.cofactor() * pressure;
            }
            (*psi, *f) = (energy, stress);
        }
    }
}
