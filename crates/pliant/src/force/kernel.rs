//! Energy and forces of one pack of cells.
//!
//! ```text
//! gather x  →  F = (Σₐ xₐ ⊗ ∂Bₐ/∂ξ) J⁻¹  →  ψ(F), P(F)  →  fₐ = −Σ V P J⁻ᵀ ∂Bₐ/∂ξ
//! ```
//!
//! Saillant et al. 2024, eq. 9, 10 and 13. Stages that depend on the kind of cell are compiled
//! for each kind, the stage of the law for each law, and they meet in small buffers that stay in
//! the first-level cache: so kinds and laws do not multiply.

use glam::DVec3;

use crate::body::{Batch, Dilation};
use crate::material::{Law, LawFamily, LawKind, LawVisitor};
use crate::math::{LANES, Lane, Lanes, Mat3, Pack, Vec3};

/// Quadrature points handed to a law at once.
const POINTS: usize = 4;

/// One vector for each node of the cells that `lanes` selects.
#[inline(always)]
pub(super) fn gather<L: Lanes, const N: usize>(
    lanes: L,
    nodes: &[[u32; LANES]],
    x: &[DVec3],
) -> [Vec3<L::Lane>; N] {
    let mut gathered = [Vec3([lanes.splat(0.0); 3]); N];
    for (gathered, nodes) in gathered.iter_mut().zip(nodes) {
        let mut packs = [[0.0; LANES]; 3];
        for lane in lanes.selected() {
            let position = x[nodes[lane] as usize];
            packs[0][lane] = position.x;
            packs[1][lane] = position.y;
            packs[2][lane] = position.z;
        }
        *gathered = load(lanes, &packs, 0);
    }
    gathered
}

/// Writes the vectors of the cells that `lanes` selects, cell after cell.
#[inline(always)]
pub(super) fn scatter<L: Lanes, const N: usize>(
    lanes: L,
    values: &[Vec3<L::Lane>; N],
    cells: &mut [DVec3],
) {
    let cells = cells.as_chunks_mut::<N>().0;
    for (a, value) in values.iter().enumerate() {
        let mut packs = [[0.0; LANES]; 3];
        for (component, pack) in value.0.iter().zip(&mut packs) {
            lanes.store(*component, pack);
        }
        for lane in lanes.selected() {
            cells[lane][a] = DVec3::new(packs[0][lane], packs[1][lane], packs[2][lane]);
        }
    }
}

/// What goes in and comes out of a pack of cells with `N` nodes.
#[derive(Debug, Clone)]
pub(super) struct PackBuffer<const N: usize> {
    pub(super) x: [[Pack; 3]; N],
    forces: [[Pack; 3]; N],
    /// Energy of each cell, in J.
    pub(super) energy: Pack,
}

impl<const N: usize> PackBuffer<N> {
    pub(super) fn new() -> Self {
        let zero = [[[0.0; LANES]; 3]; N];
        Self { x: zero, forces: zero, energy: [0.0; LANES] }
    }

    /// Reads the positions of the nodes of every lane.
    #[inline(always)]
    pub(super) fn gather(&mut self, nodes: &[[u32; LANES]; N], x: &[DVec3]) {
        for (slot, lanes) in self.x.iter_mut().zip(nodes) {
            for (lane, node) in lanes.iter().enumerate() {
                let position = x[*node as usize];
                slot[0][lane] = position.x;
                slot[1][lane] = position.y;
                slot[2][lane] = position.z;
            }
        }
    }

    /// Takes the forces of the lanes.
    #[inline(always)]
    pub(super) fn store_forces<L: Lanes>(&mut self, lanes: L, forces: &[Vec3<L::Lane>; N]) {
        for (slot, force) in self.forces.iter_mut().zip(forces) {
            for (component, pack) in force.0.iter().zip(slot) {
                lanes.store(*component, pack);
            }
        }
    }

    /// Reads the position of one node of every lane.
    #[inline(always)]
    pub(super) fn gather_slot(&mut self, slot: usize, nodes: &[u32; LANES], x: &[DVec3]) {
        let [xs, ys, zs] = &mut self.x[slot];
        for (lane, node) in nodes.iter().enumerate() {
            let position = x[*node as usize];
            (xs[lane], ys[lane], zs[lane]) = (position.x, position.y, position.z);
        }
    }

    /// Takes the force on one node of the lanes.
    #[inline(always)]
    pub(super) fn store_force<L: Lanes>(&mut self, lanes: L, slot: usize, force: Vec3<L::Lane>) {
        for (component, pack) in force.0.into_iter().zip(&mut self.forces[slot]) {
            lanes.store(component, pack);
        }
    }

    /// Adds the forces on one node of the first lanes to sums at these places.
    #[inline(always)]
    pub(super) fn add_slot(&self, slot: usize, places: &[u16], sums: &mut [DVec3]) {
        let [xs, ys, zs] = &self.forces[slot];
        for (lane, place) in places.iter().enumerate() {
            sums[*place as usize] += DVec3::new(xs[lane], ys[lane], zs[lane]);
        }
    }

    /// Adds the forces of one lane to sums at these places.
    #[inline(always)]
    pub(super) fn add_lane(&self, lane: usize, places: &[u16], sums: &mut [DVec3]) {
        for (slot, place) in self.forces.iter().zip(places) {
            sums[*place as usize] += DVec3::new(slot[0][lane], slot[1][lane], slot[2][lane]);
        }
    }
}

/// Energy and forces of the cells of `pack` that `lanes` selects.
#[inline(always)]
pub(super) fn energy_and_forces<L: Lanes, const N: usize>(
    lanes: L,
    batch: &Batch,
    pack: usize,
    x: &[DVec3],
    (cells, energies): (&mut [DVec3], &mut Pack),
) {
    let zero = lanes.splat(0.0);
    let x: [_; N] = gather(lanes, batch.pack_nodes(pack), x);
    let [mu, lambda] = batch.pack_constants(pack);
    let (mu, lambda) = (lanes.load(mu), lanes.load(lambda));
    let rest = batch.pack_rest(pack);
    let tables = batch.gradients.as_chunks::<N>().0;
    let mut forces = [Vec3([zero; 3]); N];
    let mut energy = zero;
    let mut f = [Mat3([Vec3([zero; 3]); 3]); POINTS];
    let mut psi = [zero; POINTS];
    let mut extra = f;
    let mean = match batch.dilation {
        Dilation::Pointwise => None,
        Dilation::Mean => Some(mean_dilation(lanes, batch, pack, &x)),
    };
    for start in (0..tables.len()).step_by(POINTS) {
        let count = POINTS.min(tables.len() - start);
        for k in 0..count {
            let (inverse, _) = rest_point(lanes, batch, rest, start + k);
            f[k] = reference_gradient(&x, &tables[start + k]) * inverse;
        }
        if let Some(mean) = mean {
            for k in 0..count {
                // −λ/2 (J − Ĵ)², which turns Σ V (J − α)² into V̂ (Ĵ − α)², and its stress.
                let excess = f[k].det() - mean;
                let (_, volume) = rest_point(lanes, batch, rest, start + k);
                energy += excess * excess * lambda * volume * -0.5;
                extra[k] = f[k].cofactor() * (-lambda * excess);
            }
        }
        apply_law(lanes, batch.law, mu, lambda, &mut f[..count], &mut psi[..count]);
        if mean.is_some() {
            for k in 0..count {
                f[k] += extra[k];
            }
        }
        for k in 0..count {
            let (inverse, volume) = rest_point(lanes, batch, rest, start + k);
            energy += psi[k] * volume;
            let h = f[k] * inverse.transpose() * -volume;
            for (force, gradient) in forces.iter_mut().zip(&tables[start + k]) {
                *force += apply_constant(&h, gradient);
            }
        }
    }
    scatter(lanes, &forces, cells);
    lanes.store(energy, energies);
}

/// Ĵ = Σ V det F / Σ V over the points of a cell; one in empty lanes, which have no volume.
#[inline(always)]
fn mean_dilation<L: Lanes, const N: usize>(
    lanes: L,
    batch: &Batch,
    pack: usize,
    x: &[Vec3<L::Lane>; N],
) -> L::Lane {
    let rest = batch.pack_rest(pack);
    let zero = lanes.splat(0.0);
    let (mut sum, mut total) = (zero, zero);
    for (point, table) in batch.gradients.as_chunks::<N>().0.iter().enumerate() {
        let (inverse, volume) = rest_point(lanes, batch, rest, point);
        let j = (reference_gradient(x, table) * inverse).det();
        sum += j * volume;
        total += volume;
    }
    zero.if_less(total, sum / total, zero.one())
}

/// J⁻¹ and volume of a quadrature point.
#[inline(always)]
pub(crate) fn rest_point<L: Lanes>(
    lanes: L,
    batch: &Batch,
    rest: &[[Pack; 10]],
    point: usize,
) -> (Mat3<L::Lane>, L::Lane) {
    let (stored, scale) =
        if batch.straight { (&rest[0], batch.weights[point]) } else { (&rest[point], 1.0) };
    let inverse = Mat3([load(lanes, stored, 0), load(lanes, stored, 3), load(lanes, stored, 6)]);
    (inverse, lanes.load(&stored[9]) * scale)
}

/// Three packs from place `i` on.
#[inline(always)]
pub(crate) fn load<L: Lanes>(lanes: L, packs: &[Pack], i: usize) -> Vec3<L::Lane> {
    Vec3([lanes.load(&packs[i]), lanes.load(&packs[i + 1]), lanes.load(&packs[i + 2])])
}

/// ∂x/∂ξ = Σₐ xₐ ⊗ ∂Bₐ/∂ξ.
#[inline(always)]
pub(crate) fn reference_gradient<R: Lane, const N: usize>(
    x: &[Vec3<R>; N],
    gradients: &[[f64; 3]; N],
) -> Mat3<R> {
    let zero = x[0].0[0].zero();
    let mut sum = Mat3([Vec3([zero; 3]); 3]);
    for (x, gradient) in x.iter().zip(gradients) {
        for (column, weight) in sum.0.iter_mut().zip(gradient) {
            let (weight, [a, b, c]) = (zero.like(*weight), column.0);
            let [x, y, z] = x.0;
            *column = Vec3([x.mul_add(weight, a), y.mul_add(weight, b), z.mul_add(weight, c)]);
        }
    }
    sum
}

/// `H g` for a constant g.
#[inline(always)]
pub(crate) fn apply_constant<R: Lane>(h: &Mat3<R>, g: &[f64; 3]) -> Vec3<R> {
    let zero = h.0[0].0[0].zero();
    h.0[0] * zero.like(g[0]) + h.0[1] * zero.like(g[1]) + h.0[2] * zero.like(g[2])
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
        || law.visit(Evaluate::<L> { mu, lambda, f, psi }),
    );
}

struct Evaluate<'a, L: Lanes> {
    mu: L::Lane,
    lambda: L::Lane,
    f: &'a mut [Mat3<L::Lane>],
    psi: &'a mut [L::Lane],
}

impl<L: Lanes> LawVisitor for Evaluate<'_, L> {
    type Output = ();

    #[inline(always)]
    fn visit<F: LawFamily>(self) {
        let law = F::law(self.mu, self.lambda);
        for (f, psi) in self.f.iter_mut().zip(self.psi) {
            (*psi, *f) = law.energy_and_stress(f);
        }
    }
}
