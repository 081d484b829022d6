//! The guard of bodies without linear solves against steps that create energy.

use glam::DVec3;

use crate::body::State;
use crate::contact::MovingPoint;
use crate::solver::WholeMotion;
use crate::world::context::StepContext;
use crate::world::slot::component::followed_energy::EnergyBalance;
use crate::world::slot::slot::BodySlot;
use pliant_kernels::math::{PointMasses, TimeStep};

use super::island::Island;

/// The energy beyond the budget that a step may have, relative to the largest energy of the last steps.
const SLACK: f64 = 0.05;

/// Speeds that need no explanation, over the speed that gravity adds in a step: while overlaps are resolved, whose ends swing, and
/// otherwise.
const RECOVERY_SPEED: f64 = 3.0;
const UNSEEN_SPEED: f64 = 0.01;

impl Island {
    /// Replaces steps of XPBD and explicit bodies that create energy.
    ///
    /// The energy of an island without moving loads is at most that of an earlier step and the work of gravity since then. Explicit
    /// rules, position-based ones and the impulses of contact can exceed it, and would do so ever more. The motion is slowed then,
    /// relative to that of the whole island as a rigid body, which keeps both momenta; at pins and obstacles, which do not keep them,
    /// also as a whole. If that is not enough, the island moves like a rigid body in this step.
    pub(super) fn guard_energy(&mut self, context: &StepContext<'_>) {
        let outside = self.members().filter(|slot| !slot.solves()).count();
        let is_mixed = outside > 0 && outside < self.members.len();
        let needs_none = !self.has_contacts() && !self.members().any(BodySlot::needs_energy_guard);
        if needs_none || is_mixed {
            return self.forget_energy();
        }
        let known = self.members().all(|slot| slot.stepping.energy.is_known());
        let Some(balance) = self.energy_balance(context) else { return self.forget_energy() };
        let EnergyBalance { mut energy, budget, largest, uncertain } = balance;
        // Bodies without linear solves enter stiff contacts by a substep's way, and the spring there has more energy than they have.
        let counted = !self.members().any(BodySlot::needs_energy_guard);
        let in_contacts = if counted { self.contact_energy_at_end() } else { 0.0 };
        energy += in_contacts;
        // The contacts of bodies that are followed from this step on had energy before, about as much as now.
        let unknown = counted && !known;
        let at_start = if unknown { self.check.contact_energy.max(in_contacts) } else { 0.0 };
        let budget = budget + at_start;
        let budget = budget.max(energy.min(self.unexplained_energy(context)));
        let (before, bound) = (energy, budget + SLACK * largest + uncertain.min(budget.max(0.0)));
        if energy > bound {
            energy -= self.slow_down(energy - budget);
        }
        if energy > bound {
            self.replace_step(context);
            return;
        }
        self.members_mut().for_each(|slot| _ = slot.stepping.energy.gives_up(false));
        // A budget that was not used is not kept for ever: errors in the work would add up.
        let spare = (budget - energy).min(largest) + in_contacts;
        let share = if before > in_contacts {
            (energy - in_contacts) / (before - in_contacts)
        } else {
            1.0
        };
        self.members_mut().for_each(|slot| slot.stepping.energy.adjust(share, 0.0));
        self.add_to_budgets(spare);
    }

    /// Distributes an energy, in J, over the budgets of the members by their masses.
    fn add_to_budgets(&mut self, energy: f64) {
        let mass = self.mass();
        for slot in self.members_mut() {
            let own = energy * slot.body.model().mass() / mass;
            slot.stepping.energy.adjust(1.0, own);
        }
    }

    /// The energy that needs no explanation, in J.
    pub(super) fn unexplained_energy(&self, context: &StepContext<'_>) -> f64 {
        let share = if self.recovers() { RECOVERY_SPEED } else { UNSEEN_SPEED };
        let speed = share * context.recovery.speed;
        0.5 * self.mass() * speed * speed
    }

    /// True if some overlap is ignored for now: bodies were put into each other, or fragments broke there.
    fn recovers(&self) -> bool {
        self.touches.list().iter().any(|touch| touch.ignored_depth > 0.0)
            || self.members().any(|slot| slot.contact.ignores_overlap())
    }

    /// The mass of all members, in kg.
    fn mass(&self) -> f64 {
        self.members().map(|slot| slot.body.model().mass()).sum()
    }

    fn forget_energy(&mut self) {
        self.members_mut().for_each(|slot| slot.stepping.energy.forget());
    }

    /// The energies of all members; `None` if they cannot be followed.
    fn energy_balance(&mut self, context: &StepContext<'_>) -> Option<EnergyBalance> {
        let closed = self.is_closed(context) && self.members().all(|slot| slot.is_closed(context));
        let mut sum = EnergyBalance::default();
        for slot in self.members_mut().filter(|_| closed) {
            sum += slot.energy_balance(context.config.gravity);
        }
        closed.then_some(sum)
    }

    /// True if nothing else moves it: no attachment pulls, and all obstacles and all bodies with prescribed motion that it touches are
    /// at rest.
    pub(super) fn is_closed(&self, context: &StepContext<'_>) -> bool {
        let moves = |point: MovingPoint| point.velocity != DVec3::ZERO;
        let mut touches = self.touches.list().iter();
        self.only_touches_move_it(context)
            && !touches.any(|touch| touch.prescribed.is_some_and(moves))
    }

    /// True if nothing else moves it but bodies with prescribed motion that it touches.
    pub(super) fn only_touches_move_it(&self, context: &StepContext<'_>) -> bool {
        let (from, to) = (context.time, context.time + context.config.dt);
        let mut moving = (0..).zip(context.obstacles);
        self.ties.is_empty()
            && !moving.any(|(index, obstacle)| {
                obstacle.moves_between(from, to)
                    && self.members().any(|slot| slot.contact.touched(index))
            })
    }

    /// Slows the motion by up to `excess` J; returns the energy that was taken out.
    pub(super) fn slow_down(&mut self, excess: f64) -> f64 {
        self.members_mut().for_each(|slot| slot.report.linear.fallbacks += 1);
        let whole = self.whole_motion();
        let taken = self.slow_about(&whole, excess);
        let rest = if self.is_held() { excess - taken } else { 0.0 };
        taken + self.slow_about(&WholeMotion::REST, rest)
    }

    /// Moves like a rigid body in this step. Pinned bodies cannot move so; after several such steps they are reset.
    fn replace_step(&mut self, context: &StepContext<'_>) {
        self.move_rigidly(context);
        self.forget_energy();
        // The next budget starts from here, with what contacts can give back: without it, bodies that contacts press would be held where they are for
        // good. The springs of stiff contacts have more energy than motion can get from them; with all of it, high pyramids of stiff boxes burst.
        self.energy_balance(context);
        if !self.members().any(BodySlot::needs_energy_guard) {
            self.add_to_budgets(self.check.contact_energy);
        }
        let end = context.time + context.config.dt;
        for slot in self.members_mut().filter(|slot| slot.needs_energy_guard()) {
            let is_stuck = !slot.body.pins().is_empty();
            if slot.stepping.energy.gives_up(is_stuck) {
                slot.give_up(end);
            }
        }
    }

    /// Takes the step back, and moves all members like one rigid body instead. At pins and obstacles they stay where they are.
    pub(super) fn move_rigidly(&mut self, context: &StepContext<'_>) {
        for slot in self.members_mut() {
            slot.start_state.state.restore(&mut slot.body.state);
        }
        let (held, time, h) = (self.is_held(), context.time, context.config.dt);
        let whole = if held { WholeMotion::REST } else { self.whole_motion() };
        let gain = if held { DVec3::ZERO } else { h * context.config.gravity };
        for slot in self.members_mut() {
            let State { x, v, .. } = &mut slot.body.state;
            for (x, v) in x.iter_mut().zip(v) {
                let [to, velocity] = whole.advance(*x, h);
                (*x, *v) = (to, velocity + gain);
            }
            slot.body.place_held(TimeStep { t: time, h });
        }
    }

    /// True if pins or obstacles take up its momentum.
    fn is_held(&self) -> bool {
        let held =
            |slot: &BodySlot| !slot.body.pins().is_empty() || slot.loads.points.has_contacts();
        self.members().any(held)
    }

    /// Slows the motion relative to a rigid one by up to `excess` J; returns the energy that was taken out.
    fn slow_about(&mut self, whole: &WholeMotion, excess: f64) -> f64 {
        let kinetic = |island: &Self| island.members().map(|slot| kinetic_about(slot, whole)).sum();
        let before: f64 = kinetic(self);
        if !(excess > 0.0 && before > 0.0) {
            return 0.0;
        }
        let share = (1.0 - excess / before).max(0.0).sqrt();
        for slot in self.members_mut() {
            for node in 0..slot.body.state.x.len() {
                if !slot.body.unknowns().is_prescribed(node as u32) {
                    let State { x, v, .. } = &mut slot.body.state;
                    let rigid = whole.at(x[node]);
                    v[node] = rigid + share * (v[node] - rigid);
                }
            }
        }
        let after: f64 = kinetic(self);
        before - after
    }

    /// The rigid motion of the island with its momentum and its angular momentum; rest, if something is pinned.
    fn whole_motion(&self) -> WholeMotion {
        if self.members().any(|slot| !slot.body.pins().is_empty()) {
            return WholeMotion::REST;
        }
        let points = self.members.iter().flat_map(|slot| {
            slot.body.state.x.iter().copied().zip(slot.body.model().masses().iter().copied())
        });
        let masses = PointMasses::of(points);
        let (mut momentum, mut turning) = (DVec3::ZERO, DVec3::ZERO);
        for slot in self.members() {
            let State { x, v, .. } = &slot.body.state;
            for ((x, v), mass) in x.iter().zip(v).zip(slot.body.model().masses()) {
                momentum += *mass * *v;
                turning += (*x - masses.centre).cross(*mass * *v);
            }
        }
        WholeMotion::new(&masses, [momentum, turning])
    }
}

/// The kinetic energy of the motion relative to a rigid one, in J.
fn kinetic_about(slot: &BodySlot, whole: &WholeMotion) -> f64 {
    let State { x, v, .. } = &slot.body.state;
    let nodes = x.iter().zip(v).zip(slot.body.model().masses());
    nodes.map(|((x, v), mass)| 0.5 * mass * (*v - whole.at(*x)).length_squared()).sum()
}
