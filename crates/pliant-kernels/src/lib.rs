//! Per-cell computations of the Pliant engine, in packs of eight cells.
//!
//! All code that is compiled for several instruction sets is in this crate, behind plain functions on slices, so that
//! the engine built on it does not compile any of it again. Laws and elements are here because the kernels are
//! generic over them.
//!
//! | module | contents |
//! |---|---|
//! | [`math`] | numbers, lanes and 3×3 algebra |
//! | [`element`] | reference cells: basis, quadrature, topology |
//! | [`material`] | laws ψ(F) and their constants |
//! | [`lanes`] | cells in packs ([`lanes::Batch`]), and the one place where the instruction set is chosen ([`lanes::Width`]) |
//! | [`elastic`], [`tangent`] | energy, forces and stiffness of any law by quadrature |
//! | [`warped`] | forces and stiffness of corotated cells |
//! | [`xpbd`] | position-based constraints of cells |
//! | [`plastic`] | plastic flow at quadrature points |
//! | [`separation`] | stress around corners, for fracture |
//! | [`bundles`] | interpolated points of a skin |
//! | [`wide_rows`], [`single_rows`] | rows of a block matrix, in double and in single precision |
#![forbid(unsafe_code)]

pub mod bundles;
pub mod elastic;
pub mod element;
pub mod lanes;
pub mod material;
pub mod math;
pub mod plastic;
pub mod separation;
pub mod single_rows;
pub mod tangent;
pub mod warped;
pub mod wide_rows;
pub mod xpbd;

/// The snippet of the page of the crate, which compiles and runs with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct KernelsPage;
