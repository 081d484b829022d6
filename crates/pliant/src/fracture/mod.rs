//! Fracture: where bodies break, and the fragments.
//!
//! ```text
//! Strengths       strength of every corner of the mesh, by direction
//! Separation      forces of cells on their corners → separation tensors → place and plane of a break
//! Cutting         faces between cells on both sides of such planes open
//! parts           cells that are still connected through faces, with their own nodes
//! fragment        such a part as a body of its own
//! SkinTransfer    the drawn surface of the unbroken body, tied to the cells of a fragment
//! ```
//!
//! After Parker & O'Brien 2009, section 5, and O'Brien & Hodgins 1999. No cell is ever split.

mod cutting;
pub(crate) mod fracture;
mod fragment;
mod fragment_surface;
mod links;
mod parts;
mod separation;
mod skin_transfer;
mod stars;
mod strengths;

pub use fracture::Opening;
pub(crate) use fracture::{Broken, Fracture};
pub(crate) use fragment::{FragmentPlace, read_part, save_part};
pub(crate) use links::Links;
