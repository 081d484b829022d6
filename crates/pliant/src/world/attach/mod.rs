//! Attachments of bodies to each other, to moving frames and to the world.

mod attach;
pub(crate) mod attached;
pub(crate) mod attachment;
mod tear;
