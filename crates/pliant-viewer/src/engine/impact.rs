//! Strikes and explosions.

use glam::DVec3;
use pliant::body::Body;
use pliant::force::Blast;

use super::command_checks::in_range;
use super::order::Refusal;
use super::pick::{Picked, Picker};
use super::thread::Engine;
use crate::protocol::command::{Explode, Strike};
use crate::protocol::message::Reply;

/// The largest speed of a strike, in m/s.
const MAX_STRIKE_SPEED: f64 = 1e4;

/// Mass of a strike on a rigid body, relative to the mass of the body.
const RIGID_MASS_RATIO: f64 = 0.25;

/// A strike on a body.
#[derive(Debug, Clone, Copy)]
struct Impact {
    /// The point, in m.
    point: DVec3,
    /// Direction, a unit vector.
    along: DVec3,
    /// Speed change at the centre, in m/s.
    speed: f64,
    /// Radius, in m.
    radius: f64,
    /// True if it passes through, and also hits the material behind the point.
    through: bool,
}

impl Engine {
    /// Strikes a body at a point, like a hammer or a bullet.
    pub(super) fn strike(&mut self, strike: &Strike) -> Result<Option<Reply>, Refusal> {
        self.needs_time()?;
        let speed = in_range("speed", strike.speed, 1e-3, MAX_STRIKE_SPEED)?;
        let radius = in_range("radius", strike.radius, 1e-6, 1e6)?;
        let along = DVec3::from(strike.direction).try_normalize().ok_or_else(|| {
            Refusal::new("out-of-range", "the direction of a strike is zero or not finite")
        })?;
        let Some(picked) = Picker::new(&self.stage).pick(&strike.point)? else {
            return Ok(Some(Reply { hit: Some(None), ..Reply::default() }));
        };
        let point = DVec3::from(picked.hit.position);
        let impact = Impact { point, along, speed, radius, through: strike.through };
        self.hit(&picked, &impact);
        self.dirty = true;
        Ok(Some(Reply { hit: Some(Some(picked.hit)), ..Reply::default() }))
    }

    fn hit(&mut self, picked: &Picked, impact: &Impact) {
        let Some(shown) = self.stage.shown.get(picked.hit.body) else { return };
        let Some(body) = self.stage.world.get_mut(shown.handle) else { return };
        impact.apply(body);
    }

    /// Adds an explosion to the next step.
    pub(super) fn explode(&mut self, explode: &Explode) -> Result<Option<Reply>, Refusal> {
        self.needs_time()?;
        let radius = in_range("radius", explode.radius, 1e-6, 1e6)?;
        let impulse = in_range("impulse", explode.impulse, 0.0, 1e9)?;
        let (centre, time) = (DVec3::from(explode.centre), self.stage.world.time());
        let blast = Blast { centre, radius, impulse, time };
        let refuse =
            |error: pliant::force::FieldError| Refusal::new("out-of-range", error.to_string());
        self.stage.world.add_blast(blast).map_err(refuse)?;
        self.dirty = true;
        Ok(Some(Reply::default()))
    }
}

impl Impact {
    /// Changes the velocities of a body around the point. Derived here.
    ///
    /// ```text
    /// Δv = s (1 − (d/R)²) a        where d < R
    /// ```
    ///
    /// - `s`, `a` speed and direction of the strike, `R` its radius
    /// - `d` the distance of a node from the point, or from the path through it
    fn apply(&self, body: &mut Body) {
        let model = body.model().clone();
        if let Some(inertia) = model.inertia() {
            let impulse = RIGID_MASS_RATIO * model.mass() * self.speed * self.along;
            return inertia.kick(&mut body.state, self.point, impulse, 0.0);
        }
        let distances: Vec<f64> = body.state.x.iter().map(|x| self.distance(*x)).collect();
        let nearest = distances.iter().copied().fold(f64::INFINITY, f64::min);
        // A strike between the nodes of a coarse mesh hits the nodes around it.
        let radius = self.radius.max(1.5 * nearest);
        for (node, distance) in distances.into_iter().enumerate() {
            if distance < radius && !body.unknowns().is_prescribed(node as u32) {
                let share = 1.0 - (distance / radius).powi(2);
                body.state.v[node] += share * self.speed * self.along;
            }
        }
    }

    fn distance(&self, x: DVec3) -> f64 {
        let away = x - self.point;
        let ahead = if self.through { away.dot(self.along).max(0.0) } else { 0.0 };
        (away - ahead * self.along).length()
    }
}
