//! Continuous contact at the end of a step: no skin passes through another.

use crate::contact::{ContactLevel, ContinuousReport, ContinuousSurface};
use crate::world::world::World;

use super::thickness::Thickness;

/// Distances between skins, in vertex spacings of the finest skin: where contact forces begin for bodies at rest and for bodies that meet, and the least distance of
/// two triangles.
const THICKNESS: [f64; 2] = [0.005, 0.05];
const SEPARATION: f64 = 1e-3;

impl World {
    /// The distances at which contact forces between skins begin.
    pub(crate) fn thickness(&self) -> Thickness {
        let spacing = self.spacing();
        let safe = self.config.contact == ContactLevel::Safe && spacing.is_finite();
        let [at_rest, at_first] =
            if safe { THICKNESS.map(|share| share * spacing) } else { [0.0; 2] };
        Thickness { at_rest, at_first }
    }

    /// Corrects the result of the step, so that no fast body has passed through another; at the level `safe`, so that no two triangles of skins
    /// intersect.
    pub(crate) fn resolve_intersections(&mut self) -> ContinuousReport {
        let (separation, h) = (SEPARATION * self.spacing(), self.config.dt);
        let fast: Vec<[u32; 2]> = self.contacts.fast_pairs().collect();
        let safe = self.config.contact == ContactLevel::Safe;
        if !separation.is_finite() || !safe && fast.is_empty() {
            return ContinuousReport::default();
        }
        let present = self.slots.indexed().filter(|(_, slot)| slot.is_present());
        let touch: Vec<_> = present.map(|(index, slot)| (index, slot.contact.config)).collect();
        let attachments = &self.attachments;
        let meets = |first: u32, second: u32| {
            let [(a, own), (b, other)] = [first, second].map(|surface| touch[surface as usize]);
            match a == b {
                true => own.with_itself,
                false => own.allows(&other) && !attachments.join([a, b]),
            }
        };
        let may_pass = |first: u32, second: u32| {
            let [a, b] = [first, second].map(|surface| touch[surface as usize].0);
            fast.contains(&[a.min(b), a.max(b)]) && meets(first, second)
        };
        let present = self.slots.iter_mut().filter(|slot| slot.is_present());
        let surfaces: Option<Vec<ContinuousSurface<'_>>> =
            present.map(|slot| slot.swept_surface(h)).collect();
        let Some(mut surfaces) = surfaces else { return ContinuousReport::default() };
        let report = if safe {
            self.continuous.resolve(&mut surfaces, meets, separation, h)
        } else {
            self.continuous.stop_fast(&mut surfaces, may_pass, separation, h)
        };
        for surface in self.continuous.held_back() {
            if let Some(slot) = self.slots.get_mut(touch[*surface as usize].0) {
                slot.follow_energy_here();
            }
        }
        report
    }

    /// The distance between vertices of the finest skin, in m; infinite before there is a collider.
    fn spacing(&self) -> f64 {
        self.slots.iter().map(|slot| slot.contact.spacing()).fold(f64::INFINITY, f64::min)
    }
}
