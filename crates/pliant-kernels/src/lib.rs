//! What the Pliant engine computes cell by cell, in packs of eight cells.
//!
//! Everything that is compiled for several instruction levels is here, and leaves this crate as plain functions on slices: an engine
//! built on it compiles none of it again. Laws and elements are here because kernels are generic over them.
//!
//! | module | contents |
//! |---|---|
//! | [`math`] | numbers, lanes and 3×3 algebra |
//! | [`element`] | reference cells: basis, quadrature, topology |
//! | [`material`] | laws ψ(F) and the constants put into them |
//! | [`lanes`] | cells in packs ([`lanes::Batch`]), and the one place where instructions are chosen ([`lanes::Width`]) |
//! | [`elastic`], [`tangent`] | energy, forces and stiffness of any law by quadrature |
//! | [`warped`] | forces and stiffness of corotated cells |
//! | [`xpbd`] | position-based constraints of cells |
//! | [`plastic`] | plastic flow at quadrature points |
//! | [`separation`] | stress around corners, for fracture |
//! | [`bundles`], [`wide_rows`] | points of a skin, and rows of a block matrix |
#![forbid(unsafe_code)]

pub mod bundles;
pub mod elastic;
pub mod element;
pub mod lanes;
pub mod material;
pub mod math;
pub mod plastic;
pub mod separation;
pub mod tangent;
pub mod warped;
pub mod wide_rows;
pub mod xpbd;
