//! Attachments of bodies to each other, to moving frames and to the world.

#[expect(clippy::module_inception, reason = "attaching is the concept of this folder")]
mod attach;
pub(crate) mod attached;
pub(crate) mod attachment;
mod tear;
