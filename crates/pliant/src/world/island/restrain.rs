//! Joint steps of fragments that create energy: the deformation is reduced.

use glam::{DMat3, DVec3};

use crate::body::{Kinematics, State};
use crate::solver::WholeMotion;
use crate::world::context::StepContext;
use crate::world::slot::slot::BodySlot;
use pliant_kernels::math::{Mat3, PointMasses, polar_rotation};

use super::island::Island;
use super::step_check::StepCheck;

/// The shares of the deformation in the step that are tried, one after the other.
const SHARES: [f64; 4] = [1.0, 0.5, 0.25, 0.0];

/// The step of a body as a rigid motion and the deformation beyond it.
struct StepParts {
    /// Centres of mass at the start and at the end, in m.
    centres: [DVec3; 2],
    /// The rotation from the start to the end.
    rotation: DMat3,
    /// Momentum in N s, and angular momentum about the centre in N m s, at the end.
    momenta: [DVec3; 2],
}

impl Island {
    /// Reduces the deformation in this step of the members that left their trust region, until the members in the joint solve have at most this energy, in J, and what
    /// was added to it; true if they have.
    ///
    /// ```text
    /// x(α) = x_r + α (x − x_r)        v(α) = v_r + α (v − v_r)        α = 1, ½, ¼, 0
    /// ```
    ///
    /// - `x_r` the start of the step, moved like a rigid body by the mean motion of the step; `v_r` the rigid motion with the momentum and angular
    ///   momentum at the end, so that both are kept
    ///
    /// At every α the vibrations of these members are slowed, as far as that is enough; at α = 0 their elastic energy is that at the start. Shorter
    /// substeps do not help here: overlaps of fragments, which arise where they break, are pushed out at a speed in proportion to 1/h.
    pub(super) fn restrain(&mut self, most: f64, context: &StepContext<'_>) -> bool {
        self.store_ends();
        for share in SHARES {
            if share < 1.0 {
                self.deform(share);
            }
            let excess = self.energy_without_work(context) - most;
            // Not true for an energy that is not a number.
            if excess <= 0.0 || self.slow_vibrations(excess) {
                self.count_restrained();
                return true;
            }
        }
        let excess = self.energy_without_work(context) - most;
        excess.is_finite() && self.slow_down(excess) >= (1.0 - 1e-9) * excess
    }

    fn count_restrained(&mut self) {
        for (slot, rough) in self.members.iter_mut().zip(&self.check.rough) {
            slot.report.linear.fallbacks += u32::from(*rough);
        }
    }

    /// The members that left their trust region in this step.
    fn rough_members(&mut self) -> impl Iterator<Item = &mut BodySlot> {
        let members = self.members.iter_mut().zip(&self.check.rough);
        members.filter(|(_, rough)| **rough).map(|(slot, _)| &mut **slot)
    }

    fn store_ends(&mut self) {
        let Self { members, check: StepCheck { rough, ends, .. }, .. } = self;
        ends.resize_with(members.len().max(ends.len()), Kinematics::none);
        for ((slot, rough), end) in members.iter().zip(rough).zip(ends) {
            if *rough {
                end.store(&slot.body.state);
            }
        }
    }

    /// Leaves a share of the deformation of the step.
    fn deform(&mut self, share: f64) {
        let Self { members, check: StepCheck { rough, ends, .. }, .. } = self;
        for ((slot, rough), end) in members.iter_mut().zip(rough).zip(ends) {
            if *rough {
                slot.deform(end, share);
            }
        }
    }

    /// Slows the motion of these members relative to their own rigid motions by `excess` J; false if they have less.
    fn slow_vibrations(&mut self, excess: f64) -> bool {
        let vibrations: f64 = self.rough_members().map(|slot| slot.vibration()).sum();
        if !(vibrations >= excess && vibrations > 0.0) {
            return false;
        }
        let share = (1.0 - excess / vibrations).sqrt();
        self.rough_members().for_each(|slot| slot.slow_vibration(share));
        true
    }
}

impl BodySlot {
    /// Its rigid motion with its momenta; rest, if something is pinned.
    fn rigid_motion(&self) -> WholeMotion {
        if !self.body.pins().is_empty() {
            return WholeMotion::REST;
        }
        let State { x, v, .. } = &self.body.state;
        let masses = self.body.model().masses();
        motion_with(masses, x, momenta(masses, [x, v], centre(masses, x)))
    }

    /// The kinetic energy relative to its rigid motion, in J.
    fn vibration(&self) -> f64 {
        let (whole, State { x, v, .. }) = (self.rigid_motion(), &self.body.state);
        let nodes = x.iter().zip(v).zip(self.body.model().masses());
        nodes.map(|((x, v), mass)| 0.5 * mass * (*v - whole.at(*x)).length_squared()).sum()
    }

    fn slow_vibration(&mut self, share: f64) {
        let whole = self.rigid_motion();
        let Self { body, .. } = self;
        for node in 0..body.state.x.len() {
            if !body.unknowns().is_prescribed(node as u32) {
                let rigid = whole.at(body.state.x[node]);
                body.state.v[node] = rigid + share * (body.state.v[node] - rigid);
            }
        }
    }

    /// Ends the step with a share of the deformation to this end.
    fn deform(&mut self, end: &Kinematics, share: f64) {
        if !self.body.pins().is_empty() {
            return self.deform_at_pins(end, share);
        }
        let Self { body, start_state, .. } = self;
        let model = body.model().clone();
        let masses = model.masses();
        let StepParts { centres: [from, to], rotation, momenta: whole } =
            StepParts::of(masses, &start_state.state, end);
        let last = motion_with(masses, &end.x, whole);
        let State { x, v, .. } = &mut body.state;
        for (node, (x, v)) in x.iter_mut().zip(v.iter_mut()).enumerate() {
            let rigid = to + rotation * (start_state.state.x[node] - from);
            *x = rigid + share * (end.x[node] - rigid);
            *v = share * (end.v[node] - last.at(end.x[node]));
        }
        let [momentum, turning] = momenta(masses, [x, v], to);
        let rest = motion_with(masses, x, [whole[0] - momentum, whole[1] - turning]);
        v.iter_mut().zip(x).for_each(|(v, x)| *v += rest.at(*x));
    }

    /// The same for a body with pins, which keep it from moving like a rigid one and take up its momentum.
    fn deform_at_pins(&mut self, end: &Kinematics, share: f64) {
        let Self { body, start_state, .. } = self;
        for node in 0..end.x.len() {
            if !body.unknowns().is_prescribed(node as u32) {
                let start = start_state.state.x[node];
                body.state.x[node] = start + share * (end.x[node] - start);
                body.state.v[node] = share * end.v[node];
            }
        }
    }
}

impl StepParts {
    fn of(masses: &[f64], start: &Kinematics, end: &Kinematics) -> Self {
        let centres = [centre(masses, &start.x), centre(masses, &end.x)];
        // The rotation that fits the motion of the nodes best: that of Σ m (x⁺ − c⁺) (x − c)ᵀ.
        let mut moment = DMat3::ZERO;
        for ((from, to), mass) in start.x.iter().zip(&end.x).zip(masses) {
            let (from, to) = (*from - centres[0], *mass * (*to - centres[1]));
            moment += DMat3::from_cols(to * from.x, to * from.y, to * from.z);
        }
        let rotation = rotation_of(moment);
        Self { centres, rotation, momenta: momenta(masses, [&end.x, &end.v], centres[1]) }
    }
}

/// The rotation nearest to a matrix.
fn rotation_of(matrix: DMat3) -> DMat3 {
    let size = matrix.x_axis.length() + matrix.y_axis.length() + matrix.z_axis.length();
    if size <= 0.0 || size.is_nan() {
        return DMat3::IDENTITY;
    }
    let nearest = polar_rotation(&Mat3::from_fn(|row, column| matrix.col(column)[row] / size));
    let column =
        |column: usize| DVec3::from_array(std::array::from_fn(|row| nearest.at(row, column)));
    DMat3::from_cols(column(0), column(1), column(2))
}

/// The centre of masses, in m.
fn centre(masses: &[f64], x: &[DVec3]) -> DVec3 {
    let sum: DVec3 = x.iter().zip(masses).map(|(x, mass)| *mass * *x).sum();
    sum / masses.iter().sum::<f64>()
}

/// The rigid motion of masses with a momentum, and an angular momentum about their centre.
fn motion_with(masses: &[f64], x: &[DVec3], momenta: [DVec3; 2]) -> WholeMotion {
    let places = PointMasses::of(x.iter().copied().zip(masses.iter().copied()));
    WholeMotion::new(&places, momenta)
}

/// The momentum and the angular momentum about a point.
fn momenta(masses: &[f64], [x, v]: [&[DVec3]; 2], about: DVec3) -> [DVec3; 2] {
    let (mut momentum, mut turning) = (DVec3::ZERO, DVec3::ZERO);
    for ((x, v), mass) in x.iter().zip(v).zip(masses) {
        momentum += *mass * *v;
        turning += (*x - about).cross(*mass * *v);
    }
    [momentum, turning]
}
