//! The bodies of a world: one slot for each, made of components.

pub(crate) mod component;
mod contact;
mod energy;
mod half_rate;
pub(crate) mod handle;
mod loads;
mod member;
pub(crate) mod slot;
pub(crate) mod slots;
