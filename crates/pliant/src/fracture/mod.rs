//! Where bodies come apart, and into what.
//!
//! ```text
//! Strengths       what every corner of the mesh bears, in which direction
//! Separation      forces that cells exert on their corners → separation tensors → where, along what plane
//! Cutting         faces between cells on both sides of such planes come apart
//! parts           cells that still hang together through faces, with nodes of their own
//! fragment        such a part as a body of its own
//! SkinTransfer    the drawn surface of the unbroken body, tied to the cells of a fragment
//! ```
//!
//! After Parker & O'Brien 2009, section 5, and O'Brien & Hodgins 1999. No cell is ever split.

mod cutting;
#[expect(
    clippy::module_inception,
    reason = "what finds breaks and makes them is the concept of this layer"
)]
mod fracture;
mod fragment;
mod fragment_surface;
mod links;
mod parts;
mod separation;
mod skin_transfer;
mod stars;
mod strengths;

pub(crate) use fracture::Broken;
pub use fracture::{Fracture, Opening};
pub(crate) use fragment::{read_part, save_part};
pub(crate) use links::Links;
