//! Detection: surfaces that can touch, pairs of bodies near each other, contacts between surfaces, and queries.

pub(super) mod body_pairs;
pub(super) mod collider;
pub(super) mod contact;
pub(super) mod feature;
pub(super) mod find;
pub(super) mod query;
