//! Pulls of a body, and springs of attachments.

use glam::DVec3;

use crate::body::body::Body;
use crate::body::error::BodyError;
use crate::body::hold::pull::{Pull, PullHandle};

impl Body {
    /// The pulls, in the order in which they were added.
    pub fn pulls(&self) -> &[Pull] {
        &self.pulls
    }

    /// The handle of each of [`Body::pulls`].
    pub fn pull_handles(&self) -> &[PullHandle] {
        &self.pull_handles
    }

    /// A pull; `None` if it was removed.
    pub fn pull(&self, handle: PullHandle) -> Option<&Pull> {
        self.pulls.get(self.pull_index(handle).ok()?)
    }

    /// Adds a pull at a point of the body. To move its target in every frame see [`World::set_pull_target`](crate::World::set_pull_target).
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
    /// assert_eq!(body.pull(pull).map(|pull| pull.stiffness), Some(500.0));
    /// body.remove_pull(pull)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the stiffness or damping is negative or not finite, if the motion of the target is
    /// invalid, or if the point belongs to another body.
    pub fn add_pull(&mut self, pull: Pull) -> Result<PullHandle, BodyError> {
        pull.check(&self.model)?;
        let handle = PullHandle(self.pulls_added);
        self.pulls_added += 1;
        self.pulls.push(pull);
        self.pull_handles.push(handle);
        Ok(handle)
    }

    /// Replaces a pull; returns the previous one.
    ///
    /// # Errors
    ///
    /// As for [`Body::add_pull`]; also if the pull was removed.
    pub fn replace_pull(&mut self, handle: PullHandle, pull: Pull) -> Result<Pull, BodyError> {
        pull.check(&self.model)?;
        let index = self.pull_index(handle)?;
        Ok(std::mem::replace(&mut self.pulls[index], pull))
    }

    /// Removes a pull, and returns it.
    ///
    /// # Errors
    ///
    /// Returns an error if it was removed before.
    pub fn remove_pull(&mut self, handle: PullHandle) -> Result<Pull, BodyError> {
        let index = self.pull_index(handle)?;
        self.pull_handles.remove(index);
        Ok(self.pulls.remove(index))
    }

    /// Leads the target of a pull to a position, in m, from one time to another, in s.
    pub(crate) fn lead_pull(
        &mut self,
        handle: PullHandle,
        target: DVec3,
        times: [f64; 2],
    ) -> Result<(), BodyError> {
        let index = self.pull_index(handle)?;
        let mut pull = self.pulls[index].clone();
        pull.lead_to(target, &self.anchors, times);
        pull.check(&self.model)?;
        self.pulls[index] = pull;
        Ok(())
    }

    fn pull_index(&self, handle: PullHandle) -> Result<usize, BodyError> {
        let (number, count) = (handle.0, self.pulls.len());
        let found = self.pull_handles.binary_search(&handle);
        found.map_err(|_| BodyError::NoSuchPull { number, count })
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
