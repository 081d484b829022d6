//! Pulls of a body, and springs of attachments.

use crate::body::body::Body;
use crate::body::error::BodyError;
use crate::body::hold::pull::Pull;

impl Body {
    /// The pulls.
    pub fn pulls(&self) -> &[Pull] {
        &self.pulls
    }

    /// Adds a pull at a point of the body; returns its index.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use glam::DVec3;
    /// use pliant::{Body, Model, Motion, Pull};
    /// # use pliant::material::Material;
    /// # use pliant::mesh::generate::{BoxConfig, box_mesh};
    ///
    /// # let model = Arc::new(Model::uniform(box_mesh(&BoxConfig::default())?, Material::default())?);
    /// let mut body = Body::new("cube", model, vec![])?;
    /// let point = body.model().locate(DVec3::ONE).ok_or("outside the body")?;
    /// let motion = Motion::default();
    /// let pull = body.add_pull(Pull { point, motion, stiffness: 500.0, damping: 5.0 })?;
    /// assert_eq!(body.pulls()[pull].stiffness, 500.0);
    /// body.remove_pull(pull)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the stiffness or damping is negative or not finite, if the motion of the target is
    /// invalid, or if the point belongs to another body.
    pub fn add_pull(&mut self, pull: Pull) -> Result<usize, BodyError> {
        pull.check(&self.model)?;
        self.pulls.push(pull);
        Ok(self.pulls.len() - 1)
    }

    /// Replaces pull `index`; returns the previous pull.
    ///
    /// # Errors
    ///
    /// As for [`Body::add_pull`]; also if the pull is missing.
    pub fn replace_pull(&mut self, index: usize, pull: Pull) -> Result<Pull, BodyError> {
        pull.check(&self.model)?;
        let count = self.pulls.len();
        let old = self.pulls.get_mut(index).ok_or(BodyError::NoSuchPull { index, count })?;
        Ok(std::mem::replace(old, pull))
    }

    /// Removes pull `index`. The indices of later pulls drop by one.
    ///
    /// # Errors
    ///
    /// Returns an error if the pull is missing.
    pub fn remove_pull(&mut self, index: usize) -> Result<Pull, BodyError> {
        let count = self.pulls.len();
        if index >= count {
            return Err(BodyError::NoSuchPull { index, count });
        }
        Ok(self.pulls.remove(index))
    }

    /// Iterates over pulls and springs of attachments.
    pub(crate) fn springs(&self) -> impl Iterator<Item = &Pull> {
        self.pulls.iter().chain(self.ties.iter().map(|(_, pull)| pull))
    }

    /// Adds the springs of an attachment.
    pub(crate) fn tie(&mut self, attachment: u32, springs: &[Pull]) -> Result<(), BodyError> {
        springs.iter().try_for_each(|spring| spring.check(&self.model))?;
        self.ties.extend(springs.iter().map(|spring| (attachment, spring.clone())));
        Ok(())
    }

    /// Adds springs that are known to be valid.
    pub(crate) fn tie_again(&mut self, attachment: u32, springs: &[Pull]) {
        self.ties.extend(springs.iter().map(|spring| (attachment, spring.clone())));
    }

    /// Removes the springs of all attachments.
    pub(crate) fn untie_all(&mut self) {
        self.ties.clear();
    }

    /// Removes the springs of an attachment.
    pub(crate) fn untie(&mut self, attachment: u32) {
        self.ties.retain(|(of, _)| *of != attachment);
    }
}
