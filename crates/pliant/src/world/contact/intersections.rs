//! Continuous contact at the end of a step: no skin passes through another.

use crate::contact::{ContactLevel, ContinuousReport, ContinuousRules, ContinuousSurface};
use crate::world::world::World;

use super::sweep_buffers::{SurfaceBuffer, SweepBuffers, emptied};
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
        let separation = SEPARATION * self.spacing();
        let safe = self.config.contact == ContactLevel::Safe;
        let mut buffers = std::mem::take(&mut self.sweep);
        buffers.fast.clear();
        buffers.fast.extend(self.contacts.fast_pairs());
        let needed = separation.is_finite() && (safe || !buffers.fast.is_empty());
        let report = needed.then(|| self.sweep(separation, &mut buffers));
        self.sweep = buffers;
        report.unwrap_or_default()
    }

    fn sweep(&mut self, separation: f64, buffers: &mut SweepBuffers) -> ContinuousReport {
        let SweepBuffers { fast, touch, surfaces: SurfaceBuffer(buffer), .. } = buffers;
        let (h, safe) = (self.config.dt, self.config.contact == ContactLevel::Safe);
        let present = self.slots.indexed().filter(|(_, slot)| slot.is_present());
        touch.clear();
        touch.extend(present.map(|(index, slot)| (index, slot.contact.config)));
        let (attachments, frictions) = (&self.attachments, &self.environment.frictions);
        let friction = |first: u32, second: u32| {
            let [(a, own), (b, other)] = [first, second].map(|surface| touch[surface as usize]);
            let meet = match a == b {
                true => own.with_itself,
                false => {
                    let near = safe || fast.contains(&[a.min(b), a.max(b)]);
                    near && own.allows(&other) && !attachments.join([a, b])
                }
            };
            meet.then(|| frictions.of(&own, &other))
        };
        let rules =
            ContinuousRules { friction: &friction, separation, h, gravity: self.config.gravity };
        let mut surfaces: Vec<ContinuousSurface<'_>> = std::mem::take(buffer);
        let present = self.slots.iter_mut().filter(|slot| slot.is_present());
        surfaces.extend(present.filter_map(|slot| slot.swept_surface(h)));
        let complete = surfaces.len() == touch.len();
        let report = match safe {
            _ if !complete => ContinuousReport::default(),
            true => self.continuous.resolve(&mut surfaces, &rules),
            false => self.continuous.stop_fast(&mut surfaces, &rules),
        };
        *buffer = emptied(surfaces);
        for surface in self.continuous.held_back().iter().filter(|_| complete) {
            if let Some(slot) = self.slots.get_mut(touch[*surface as usize].0) {
                slot.follow_energy_here();
            }
        }
        if complete && safe {
            self.balance_pushed(buffers);
        }
        report
    }

    /// Keeps the momenta of bodies that impulses and zones pushed at the level `safe`, and lets their energy not rise.
    fn balance_pushed(&mut self, buffers: &mut SweepBuffers) {
        let SweepBuffers { touch, gained, surfaces: SurfaceBuffer(buffer), .. } = buffers;
        let (h, gravity) = (self.config.dt, self.config.gravity);
        gained.clear();
        for (surface, free) in self.continuous.pushed() {
            let slot = self.slots.get_mut(touch[surface].0).filter(|_| !free.is_empty());
            gained.resize(surface, 0.0);
            gained.push(slot.map_or(0.0, |slot| slot.energy_gained_since(free, gravity)));
        }
        if gained.is_empty() {
            return;
        }
        let mut surfaces: Vec<ContinuousSurface<'_>> = std::mem::take(buffer);
        let present = self.slots.iter_mut().filter(|slot| slot.is_present());
        surfaces.extend(present.filter_map(|slot| slot.swept_surface(h)));
        let of = |surface: usize| gained.get(surface).copied().unwrap_or(0.0);
        self.continuous.keep_balance(&mut surfaces, of);
        *buffer = emptied(surfaces);
    }

    /// The distance between vertices of the finest skin, in m; infinite before there is a collider.
    fn spacing(&self) -> f64 {
        self.slots.iter().map(|slot| slot.contact.spacing()).fold(f64::INFINITY, f64::min)
    }
}
