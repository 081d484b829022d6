//! Limits steps beyond the trust region.

use glam::DVec3;

use crate::body::RestShape;
use crate::solver::linear::Masses;
use crate::solver::whole_motion::WholeMotion;

use super::implicit::Implicit;
use super::node_vectors::NodeVectors;
use super::parts::masses;

/// Smallest share of the motion; it is not halved again below this.
const LEAST_SHARE: f64 = 1e-3;

/// Allowed energy error of the linear model, as a share of the energy of the rigid motion.
const OVERSIGHT: f64 = 0.5;

impl Implicit {
    /// Reduces the motion within the body until the linear model is accurate enough.
    ///
    /// ```text
    /// v(α) = r + α w        x(α) = x̄ + g v(α)        α = 1, ½, ¼, …
    /// W(x(α)) − [W₀ − α g (f − K Δ₀)ᵀ w + ½ α² g² wᵀ K w]  ≤  ½ W₀ + ½ α² |w|²_M + ½ α² g² wᵀ K w
    /// ```
    ///
    /// - `W` the elastic energy in J, `W₀` that of x(0); `f` and `K` forces and stiffness at x, where the stage was
    ///   linearised, and `Δ₀ = x(0) − x`
    /// - `r` the rigid motion with the momentum and angular momentum of v; rest, if some nodes are pinned; `w = v − r`
    ///
    /// The left side is the energy that the linear model misses. The last two terms on the right are the decrease of
    /// the modelled incremental potential from α = 0 on (Li et al. 2020), so that an error below them does not raise
    /// the true potential. The share of W₀ lets obstacles compress a body in long steps. At α = 0 the body moves
    /// rigidly, so that the search ends, and every α conserves momentum.
    /// Returns true if cells left the trust region.
    pub(super) fn limit_step(&mut self, rest: RestShape<'_>, g: f64) -> bool {
        if !self.trust_region.exceeded(&rest, &self.nodes.v, g) {
            return false;
        }
        self.split_motion();
        self.nodes.rhs.copy_from_slice(&self.nodes.kept);
        let line = self.line(rest, g);
        let mut share = 1.0;
        while share > LEAST_SHARE && !line.allows(share, self.energy_on_line(rest, share, g)) {
            share *= 0.5;
        }
        if share < 1.0 {
            let NodeVectors { v, rhs, change, .. } = &mut self.nodes;
            let parts = rhs.iter().zip(change.iter());
            v.iter_mut().zip(parts).for_each(|(v, (rigid, within))| *v = *rigid + share * *within);
        }
        true
    }

    /// Writes the rigid part of v to `kept`, and the rest to `change`.
    pub(super) fn split_motion(&mut self) {
        let held = self.unknowns.count() < self.unknowns.node_count();
        let masses = masses!(self);
        let NodeVectors { v, base, kept, change, .. } = &mut self.nodes;
        let rigid = if held {
            WholeMotion::REST
        } else {
            let moments = masses.moments(&base.x);
            WholeMotion::new(&moments, masses.momenta(&base.x, v, moments.centre))
        };
        for (node, ((kept, x), v)) in kept.iter_mut().zip(base.x.iter()).zip(v.iter()).enumerate() {
            let prescribed = held && self.unknowns.is_prescribed(node as u32);
            *kept = if prescribed { *v } else { rigid.at(*x) };
        }
        self.unknowns.place_tied(kept);
        let parts = v.iter().zip(kept.iter());
        change.iter_mut().zip(parts).for_each(|(change, (v, rigid))| *change = *v - *rigid);
    }

    /// The linear model along the line of all α.
    fn line(&mut self, rest: RestShape<'_>, g: f64) -> Line {
        let masses = masses!(self);
        let Self { elasticity, nodes, .. } = self;
        let NodeVectors { x, base, rhs, change, kept, product, forces, .. } = nodes;
        let start = base.x.iter().zip(rhs.iter()).zip(x.iter()).map(|((b, r), x)| *b + g * *r - *x);
        kept.iter_mut().zip(start).for_each(|(to, start)| *to = start);
        elasticity.apply(rest, kept, product);
        let (mixed, force) = (g * dot(change, product), g * dot(forces, change));
        elasticity.apply(rest, change, product);
        let kinetic = masses.kinetic_energy(change);
        let stiffness = [mixed, g * g * dot(change, product)];
        let energy = self.energy_on_line(rest, 0.0, g);
        Line { energy, force, stiffness, kinetic }
    }

    /// W at x(α).
    fn energy_on_line(&mut self, rest: RestShape<'_>, share: f64, g: f64) -> f64 {
        let NodeVectors { x, base, rhs, change, forces, .. } = &mut self.nodes;
        let parts = base.x.iter().zip(rhs.iter().zip(change.iter()));
        for (x, (base, (rigid, within))) in x.iter_mut().zip(parts) {
            *x = *base + g * (*rigid + share * *within);
        }
        self.elasticity.forces(rest, x, forces)
    }
}

/// The linear model along a line, with Δ = Δ₀ + α d.
#[derive(Debug, Clone, Copy)]
struct Line {
    /// W(x(0)).
    energy: f64,
    /// fᵀ d.
    force: f64,
    /// Δ₀ᵀ K d and dᵀ K d.
    stiffness: [f64; 2],
    /// ½ |v − r|²_M.
    kinetic: f64,
}

impl Line {
    /// True if the true energy is close enough to the linear model.
    fn allows(&self, share: f64, energy: f64) -> bool {
        let [mixed, moving] = self.stiffness;
        let bend = 0.5 * share * share * moving;
        let model = self.energy + share * (mixed - self.force) + bend;
        energy - model <= OVERSIGHT * self.energy + share * share * self.kinetic + bend
    }
}

fn dot(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum()
}
