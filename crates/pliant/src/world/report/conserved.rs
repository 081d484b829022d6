//! Energies and momenta: the quantities that a free motion keeps.

use glam::DVec3;

use crate::body::{Masses, State};
use crate::force::{Elastic, Width};
use crate::world::slot::handle::BodyHandle;
use crate::world::slot::slot::BodySlot;
use crate::world::world::World;

use super::report::Energy;

impl World {
    /// Energy of all bodies now.
    pub fn energy(&self) -> Energy {
        let mut sum = Energy::default();
        self.present().for_each(|slot| sum += slot.energy(self.config.gravity));
        sum
    }

    /// Kinetic energy of all bodies now, in J.
    pub fn kinetic_energy(&self) -> f64 {
        self.present().map(BodySlot::kinetic_energy).sum()
    }

    /// Energy of a body now; zero if it has faded, `None` if it was removed.
    pub fn energy_of(&self, handle: BodyHandle) -> Option<Energy> {
        let slot = self.slots.named(handle)?;
        let energy = slot.is_present().then(|| slot.energy(self.config.gravity));
        Some(energy.unwrap_or_default())
    }

    /// Momentum Σ m v of all bodies now, in N·s.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use pliant::mesh::generate::{BoxConfig, box_mesh};
    /// # use pliant::{Body, Material, Model, World, WorldConfig};
    /// use glam::DVec3;
    ///
    /// # let model = Arc::new(Model::uniform(box_mesh(&BoxConfig::default())?, Material::default())?);
    /// # let mass = model.mass();
    /// let mut cube = Body::new("cube", model, vec![])?;
    /// cube.set_motion(2.0 * DVec3::X, DVec3::ZERO)?;
    /// let mut world = World::new(WorldConfig::default())?;
    /// world.add(cube);
    /// assert!((world.momentum() - 2.0 * mass * DVec3::X).length() < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn momentum(&self) -> DVec3 {
        self.present().map(BodySlot::momentum).sum()
    }

    /// Momentum of a body now, in N·s; zero if it has faded, `None` if it was removed.
    pub fn momentum_of(&self, handle: BodyHandle) -> Option<DVec3> {
        let slot = self.slots.named(handle)?;
        Some(if slot.is_present() { slot.momentum() } else { DVec3::ZERO })
    }

    /// Angular momentum Σ m x × v of all bodies about the origin of the world now, in N·m·s, with the mass that their steppers use.
    /// About their centre of mass c it is this minus c × momentum.
    pub fn angular_momentum(&self) -> DVec3 {
        self.present().map(BodySlot::angular_momentum).sum()
    }

    /// Angular momentum of a body about the origin of the world now, in N·m·s; zero if it has faded, `None` if it was removed.
    pub fn angular_momentum_of(&self, handle: BodyHandle) -> Option<DVec3> {
        let slot = self.slots.named(handle)?;
        Some(if slot.is_present() { slot.angular_momentum() } else { DVec3::ZERO })
    }
}

impl BodySlot {
    fn energy(&self, gravity: DVec3) -> Energy {
        let (model, state) = (self.body.model(), &self.body.state);
        let weighted = state.x.iter().zip(model.masses());
        let elastic = Elastic::new(model, Width::default());
        let mut elastic = if self.is_position_based() { elastic.pointwise() } else { elastic };
        Energy {
            elastic: elastic.energy(self.body.rest_shape(), &state.x),
            kinetic: self.kinetic_energy(),
            potential: weighted.map(|(x, m)| -m * gravity.dot(*x)).sum(),
        }
    }

    fn kinetic_energy(&self) -> f64 {
        self.masses().kinetic_energy(&self.body.state.v)
    }

    pub(crate) fn momentum(&self) -> DVec3 {
        let [momentum, _] = self.momenta();
        momentum
    }

    fn angular_momentum(&self) -> DVec3 {
        let [_, angular] = self.momenta();
        angular
    }

    /// Momentum, and angular momentum about the origin.
    fn momenta(&self) -> [DVec3; 2] {
        let State { x, v, .. } = &self.body.state;
        self.masses().momenta(x, v, DVec3::ZERO)
    }

    /// The mass that its stepper uses.
    fn masses(&self) -> Masses<'_> {
        self.stepping.stepper.mass_matrix(self.body.model())
    }
}
