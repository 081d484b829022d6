//! Friction and wind of a world.

use crate::contact::ObstacleError;
use crate::force::{Wind, WindError};
use crate::world::world::World;

impl World {
    /// The friction coefficient that [`World::set_friction`] gave to two materials; `None` if the coefficients of the
    /// bodies and obstacles themselves hold.
    pub fn friction(&self, materials: [u32; 2]) -> Option<f64> {
        self.environment.frictions.between(materials[0], materials[1])
    }

    /// Sets the friction coefficient between two materials of bodies and obstacles, which are numbers of your own choice
    /// ([`ContactConfig::material`](crate::contact::ContactConfig::material), [`Obstacle::material`](crate::contact::Obstacle::material)); `None` returns to the
    /// coefficients of the bodies and obstacles themselves. Wakes all bodies.
    ///
    /// ```
    /// use pliant::{Obstacle, World, WorldConfig};
    ///
    /// let (rubber, ice) = (1, 2);
    /// let mut world = World::new(WorldConfig::default())?;
    /// world.add_obstacle(Obstacle { material: ice, ..Obstacle::ground(0.5) })?;
    /// world.set_friction([rubber, ice], Some(0.1))?;
    /// assert_eq!(world.friction([ice, rubber]), Some(0.1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A coefficient that is negative or not finite; then nothing is changed.
    pub fn set_friction(
        &mut self,
        materials: [u32; 2],
        coefficient: Option<f64>,
    ) -> Result<(), ObstacleError> {
        self.environment.frictions.set(materials, coefficient)?;
        self.wake_all();
        Ok(())
    }

    /// The wind; `None` for still air.
    pub fn wind(&self) -> Option<&Wind> {
        self.environment.wind.as_ref()
    }

    /// Sets the wind on all bodies; `None` for still air. Sleeping bodies wake if their loads change by enough.
    ///
    /// # Errors
    ///
    /// A number out of range; then nothing is changed.
    pub fn set_wind(&mut self, wind: Option<Wind>) -> Result<(), WindError> {
        wind.iter().try_for_each(Wind::check)?;
        self.environment.wind_changed |= self.environment.wind != wind;
        self.environment.wind = wind;
        Ok(())
    }

    /// Finds the loads on the skins of all bodies that are stepped.
    pub(crate) fn find_loads(&mut self) {
        let wind = self.environment.wind_at(self.time + 0.5 * self.config.dt);
        self.slots.for_each(|slot| {
            if !(slot.sleep.is_asleep() || slot.double_step.is_under_way()) {
                slot.find_skin_loads(wind);
            }
        });
    }
}
