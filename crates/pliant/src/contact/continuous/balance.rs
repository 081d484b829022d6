//! Momenta and kinetic energy of surfaces that pushed each other.

use glam::DVec3;

use crate::solver::WholeMotion;
use pliant_kernels::math::{DisjointSets, PointMasses};

use super::hits::swept_hit::SweptHit;
use super::surface::{ContinuousSurface, SurfaceMotion, is_held, place_tied};

/// Keeps the angular momentum of surfaces that pushed each other in a step, and lets their energy not rise.
///
/// ```text
/// v' = u + ω × (x − c) + β (v − u_v)        ω = I⁻¹ (L₀ − L)        β² = (T₀ − U − T_u)/(T − T_u),  from 0 to 1
/// ```
///
/// - `u` the rigid motion of all of them with their momentum and the angular momentum `L₀` from before, in m/s; `u_v` the same with `L`
/// - `T₀`, `T`, `T_u` kinetic energies before and after the correction and of `u`, `U` the potential energy gained by it, elastic energy
///   included, if positive, in J
///
/// Impulses act at two points a small way apart, along straight paths: this changes angular momentum. They strain the bodies, and a free body
/// takes a part of them as a whole: both can add energy.
#[derive(Debug, Clone, Default)]
pub(super) struct Balance {
    groups: DisjointSets,
    /// True for surfaces that pushed others.
    pushed: Vec<bool>,
    /// Momenta and energy of every surface before.
    before: Vec<MotionSums>,
}

/// Momentum in N s, angular momentum about the origin in N m s, and kinetic energy in J.
#[derive(Debug, Clone, Copy, Default)]
struct MotionSums {
    momentum: DVec3,
    turning: DVec3,
    kinetic: f64,
}

impl std::ops::AddAssign for MotionSums {
    fn add_assign(&mut self, other: Self) {
        self.momentum += other.momentum;
        self.turning += other.turning;
        self.kinetic += other.kinetic;
    }
}

impl Balance {
    /// Records the momenta and energies of all surfaces.
    pub(super) fn begin(&mut self, surfaces: &[ContinuousSurface<'_>]) {
        self.groups.reset(surfaces.len());
        self.pushed.clear();
        self.pushed.resize(surfaces.len(), false);
        self.before.clear();
        self.before.extend(surfaces.iter().map(sums));
    }

    /// Notes that surfaces push each other.
    pub(super) fn join(&mut self, hits: &[SweptHit]) {
        hits.iter().for_each(|hit| self.groups.join(hit.surfaces[0], hit.surfaces[1]));
        hits.iter().flat_map(|hit| hit.surfaces).for_each(|k| self.pushed[k as usize] = true);
    }

    /// Surfaces that pushed others.
    pub(super) fn pushed(&self) -> impl Iterator<Item = usize> {
        (0..self.pushed.len()).filter(|surface| self.pushed[*surface])
    }

    /// Corrects the velocities of all surfaces that pushed each other; each has gained this potential energy, in J.
    pub(super) fn keep(
        &mut self,
        surfaces: &mut [ContinuousSurface<'_>],
        gained: impl Fn(usize) -> f64,
    ) {
        let Self { groups, pushed, before } = self;
        for group in groups.iter().filter(|group| pushed[group[0] as usize]) {
            let (mut sum, mut potential) = (MotionSums::default(), 0.0);
            for surface in group.iter().map(|surface| *surface as usize) {
                sum += before[surface];
                potential += gained(surface);
            }
            sum.kinetic -= potential.max(0.0);
            correct(surfaces, group, sum);
        }
    }
}

/// Corrects the velocities of a group with these sums before.
fn correct(surfaces: &mut [ContinuousSurface<'_>], group: &[u32], before: MotionSums) {
    let of_group = || group.iter().map(|surface| *surface as usize);
    if of_group().any(|surface| is_driven(&surfaces[surface])) {
        return;
    }
    let held = of_group().any(|surface| has_held(&surfaces[surface]));
    let mut now = MotionSums::default();
    of_group().for_each(|surface| now += sums(&surfaces[surface]));
    let masses = PointMasses::of(of_group().flat_map(|surface| points(&surfaces[surface])));
    if !(masses.mass > 0.0 && now.kinetic.is_finite()) {
        return;
    }
    let whole = |sums: &MotionSums| {
        let turning = sums.turning - masses.centre.cross(sums.momentum);
        if held { WholeMotion::REST } else { WholeMotion::new(&masses, [sums.momentum, turning]) }
    };
    let (target, present) = (whole(&before), whole(&now));
    let of = |motion: &WholeMotion| {
        let of_node = |(x, m): (DVec3, f64)| 0.5 * m * motion.at(x).length_squared();
        of_group().flat_map(|surface| points(&surfaces[surface])).map(of_node).sum::<f64>()
    };
    let (least, own) = (of(&target), of(&present));
    let share = ((before.kinetic - least).max(0.0) / (now.kinetic - own)).sqrt();
    // Written so that 0/0 leaves the motion as it is.
    let share = if share < 1.0 { share } else { 1.0 };
    for surface in of_group() {
        let SurfaceMotion::Nodes { x1, v, inverse_masses, ties, .. } =
            &mut surfaces[surface].motion
        else {
            continue;
        };
        for ((v, x), _) in v.iter_mut().zip(&**x1).zip(*inverse_masses).filter(|(_, w)| **w > 0.0) {
            *v = target.at(*x) + share * (*v - present.at(*x));
        }
        place_tied(*ties, v);
    }
}

/// True if something prescribed moves: it does work.
fn is_driven(surface: &ContinuousSurface<'_>) -> bool {
    match &surface.motion {
        SurfaceMotion::Prescribed { begin, end } => begin != end,
        SurfaceMotion::Nodes { x0, x1, inverse_masses, ties, .. } => {
            is_held(inverse_masses, *ties)
                && (0..x0.len()).any(|node| {
                    let tied = ties.is_some_and(|ties| ties.ends(node as u32).is_some());
                    inverse_masses[node] <= 0.0 && !tied && x0[node] != x1[node]
                })
        }
    }
}

/// True if something of it does not move.
fn has_held(surface: &ContinuousSurface<'_>) -> bool {
    match &surface.motion {
        SurfaceMotion::Prescribed { .. } => true,
        SurfaceMotion::Nodes { inverse_masses, ties, .. } => is_held(inverse_masses, *ties),
    }
}

/// The positions in m and the masses in kg of the nodes of a surface.
fn points(surface: &ContinuousSurface<'_>) -> impl Iterator<Item = (DVec3, f64)> + Clone {
    let (x, inverse_masses) = match &surface.motion {
        SurfaceMotion::Nodes { x1, inverse_masses, .. } => (&**x1, *inverse_masses),
        SurfaceMotion::Prescribed { .. } => (&[][..], &[][..]),
    };
    let nodes = x.iter().zip(inverse_masses).filter(|(_, w)| **w > 0.0);
    nodes.map(|(x, w)| (*x, 1.0 / w))
}

fn sums(surface: &ContinuousSurface<'_>) -> MotionSums {
    let SurfaceMotion::Nodes { x1, v, inverse_masses, .. } = &surface.motion else {
        return MotionSums::default();
    };
    let mut sum = MotionSums::default();
    for ((x, v), w) in x1.iter().zip(&**v).zip(*inverse_masses).filter(|(_, w)| **w > 0.0) {
        let push = *v / *w;
        sum += MotionSums { momentum: push, turning: x.cross(push), kinetic: 0.5 * v.dot(push) };
    }
    sum
}
