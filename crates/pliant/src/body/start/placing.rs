//! Putting a body in another place, turned another way, or in motion.

use glam::{DQuat, DVec3};

use crate::body::body::Body;
use crate::body::error::BodyError;
use crate::body::state::is_bounded;

impl Body {
    /// Moves the body, without turning or straining it, so that its centre of mass is at `centre`, in m. It keeps its velocities.
    ///
    /// Pinned nodes return to where their pins hold them in the next step, so place bodies before they are pinned. For a body in a world go through
    /// [`World::get_mut`](crate::World::get_mut), so that the world treats it as newly placed.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// use glam::{DQuat, DVec3};
    /// # use pliant::mesh::generate::{BoxConfig, box_mesh};
    /// # use pliant::{Body, Material, Model};
    ///
    /// # let model = Arc::new(Model::uniform(box_mesh(&BoxConfig::default())?, Material::default())?);
    /// let mut crate_ = Body::new("crate", model, vec![])?;
    /// crate_.place(DVec3::new(0.0, 5.0, 0.0))?;
    /// crate_.turn(DQuat::from_rotation_z(0.3))?;
    /// crate_.set_velocity(DVec3::new(2.0, 0.0, 0.0))?;
    /// assert!((crate_.centre_of_mass() - DVec3::new(0.0, 5.0, 0.0)).length() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if a node would be farther than 1e12 m from the origin, or if a number is not finite. The body is then unchanged.
    pub fn place(&mut self, centre: DVec3) -> Result<(), BodyError> {
        let way = centre - self.centre_of_mass();
        self.transform(|x| x + way, DQuat::IDENTITY)
    }

    /// Turns the body about its centre of mass. Velocities turn with it.
    ///
    /// # Errors
    ///
    /// As for [`Body::place`]; also if the rotation is not of unit length.
    pub fn turn(&mut self, rotation: DQuat) -> Result<(), BodyError> {
        if !rotation.is_normalized() {
            return Err(BodyError::BadPlace { what: format!("a turn by {rotation}") });
        }
        let centre = self.centre_of_mass();
        self.transform(|x| centre + rotation * (x - centre), rotation)
    }

    /// Sets the velocity of every free node, in m/s, whatever it was before.
    ///
    /// # Errors
    ///
    /// Returns an error if it is not finite, or faster than 1e12 m/s. The body is then unchanged.
    pub fn set_velocity(&mut self, velocity: DVec3) -> Result<(), BodyError> {
        self.set_motion(velocity, DVec3::ZERO)
    }

    fn transform(
        &mut self,
        place: impl Fn(DVec3) -> DVec3,
        rotation: DQuat,
    ) -> Result<(), BodyError> {
        let x: Vec<DVec3> = self.state.x.iter().map(|x| place(*x)).collect();
        if !is_bounded(&x) {
            let what = format!("a node at {}", x.first().copied().unwrap_or_default());
            return Err(BodyError::BadPlace { what });
        }
        self.state.x = x;
        self.state.v.iter_mut().for_each(|v| *v = rotation * *v);
        self.keep_form();
        Ok(())
    }
}
