//! Islands: groups of bodies that are stepped together.

mod build;
mod half_rate;
#[expect(clippy::module_inception, reason = "the island is the concept of this folder")]
pub(crate) mod island;
pub(crate) mod islands;
mod sleep;
mod wake;
