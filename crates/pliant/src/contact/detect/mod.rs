//! Detection: surfaces that can touch, pairs of bodies near each other, contacts between surfaces, and queries.

pub(crate) mod body_pairs;
pub(crate) mod collider;
pub(crate) mod contact;
pub(crate) mod feature;
pub(crate) mod find;
pub(crate) mod query;
pub(crate) mod way_apart;
