//! The law at the points of a cell, with the pressure of its mean dilation.

use super::gather::rest_point;
use super::{Batch, Dilation, RestBatch, gradients};
use crate::material::LawKind;
use crate::math::{Lane, Lanes, Mat3, Vec3};

/// The law at the points of a cell. With [`Dilation::Mean`] its λ is λ₀, and the mean adds a pressure:
///
/// ```text
/// V̂ λ/2 (Ĵ − 1)² + Σ V λ₀/2 (J − Ĵ)² = Σ V λ₀/2 (J − 1)² + V̂ (λ − λ₀)/2 (Ĵ − 1)²
/// ```
#[derive(Clone, Copy)]
pub(crate) struct LocalLaw<R> {
    pub(crate) law: LawKind,
    /// μ and λ of the formula of the law.
    pub(crate) constants: [R; 2],
    /// (λ − λ₀) (Ĵ − 1), whose stress is this times cof F.
    pub(crate) pressure: Option<R>,
}

impl<R: Lane> LocalLaw<R> {
    /// The law of the cells of a pack, with pointwise dilation.
    #[inline(always)]
    pub(crate) fn pointwise<L: Lanes<Lane = R>>(lanes: L, batch: &Batch, pack: usize) -> Self {
        let [mu, lambda] = batch.pack_constants(pack);
        let constants = [lanes.load(mu), lanes.load(lambda)];
        Self { law: batch.law, constants, pressure: None }
    }

    /// The law of the cells of a pack, with the dilation of the batch.
    #[inline(always)]
    pub(crate) fn at<L: Lanes<Lane = R>, const ROOM: usize>(
        lanes: L,
        batch: RestBatch<'_>,
        pack: usize,
        (node_count, x): (usize, &[Vec3<R>; ROOM]),
    ) -> Self {
        let law = Self::pointwise(lanes, &batch, pack);
        match batch.dilation {
            Dilation::Pointwise => law,
            Dilation::Mean => {
                let volumes = Volumes::of_cell(lanes, batch, pack, (node_count, x));
                law.in_the_mean(law.of_mean_only(Dilation::Mean), &volumes)
            }
        }
    }

    /// λ − λ₀ of this law.
    #[inline(always)]
    pub(crate) fn of_mean_only(&self, dilation: Dilation) -> R {
        let [mu, lambda] = self.constants;
        dilation.of_mean_only(self.law, mu, lambda)
    }

    /// The law of cells with these volumes, for `of_mean` = λ − λ₀.
    #[inline(always)]
    pub(crate) fn in_the_mean(self, of_mean: R, volumes: &Volumes<R>) -> Self {
        let [mu, lambda] = self.constants;
        let pressure = Some((volumes.ratio() - 1.0) * of_mean);
        Self { constants: [mu, lambda - of_mean], pressure, ..self }
    }
}

/// The volume of a cell now, and at rest.
#[derive(Clone, Copy)]
pub(crate) struct Volumes<R> {
    now: R,
    rest: R,
}

impl<R: Lane> Volumes<R> {
    /// The volumes of the cells of a pack whose points have these F.
    #[inline(always)]
    pub(crate) fn of_points<L: Lanes<Lane = R>>(
        lanes: L,
        batch: RestBatch<'_>,
        pack: usize,
        f: &[Mat3<R>],
    ) -> Self {
        let rest = batch.pack_rest(pack);
        let mut volumes = Self { now: lanes.splat(0.0), rest: lanes.splat(0.0) };
        for (point, f) in f.iter().enumerate() {
            volumes.add(f.det(), rest_point(lanes, &batch, rest, point).1);
        }
        volumes
    }

    /// The volumes of the cells of a pack.
    #[inline(always)]
    pub(crate) fn of_cell<L: Lanes<Lane = R>, const ROOM: usize>(
        lanes: L,
        batch: RestBatch<'_>,
        pack: usize,
        (node_count, x): (usize, &[Vec3<R>; ROOM]),
    ) -> Self {
        let rest = batch.pack_rest(pack);
        let mut volumes = Self { now: lanes.splat(0.0), rest: lanes.splat(0.0) };
        for point in 0..batch.point_count() {
            let (inverse, volume) = rest_point(lanes, &batch, rest, point);
            let mut f = [Mat3([x[0]; 3])];
            gradients((batch.batch(), node_count), x, point, &mut f);
            volumes.add((f[0] * inverse).det(), volume);
        }
        volumes
    }

    #[inline(always)]
    fn add(&mut self, det: R, volume: R) {
        self.now = det.mul_add(volume, self.now);
        self.rest += volume;
    }

    /// Ĵ = Σ V J / Σ V; one in unused lanes, which have no volume.
    #[inline(always)]
    fn ratio(&self) -> R {
        let zero = self.rest.zero();
        zero.if_less(self.rest, self.now / self.rest, zero.one())
    }

    /// V̂ (λ − λ₀)/2 (Ĵ − 1)².
    #[inline(always)]
    pub(crate) fn mean_energy(&self, of_mean: R) -> R {
        let excess = self.ratio() - 1.0;
        excess * excess * of_mean * self.rest * 0.5
    }
}
