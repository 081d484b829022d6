//! Materials: hyperelastic laws ψ(F) and their constants.
//!
//! A [`Law`] is a formula, generic over the lanes of a kernel. A [`Material`] is the specification of the user: the
//! name of a law, E, ν and a density. [`Material::constants`] converts the material to the constants of the law once,
//! so that E and ν keep their small-strain meaning for every law.
//!
//! ```
//! use pliant_kernels::material::{Law, LawFamily, Material, RestStable};
//! use pliant_kernels::math::Mat3;
//!
//! let jelly = Material { young: 5e3, poisson: 0.45, ..Default::default() };
//! jelly.check()?;
//! let constants = jelly.constants();
//! let law = RestStable::law(constants.mu, constants.lambda);
//!
//! let stretched = Mat3::diagonal([1.001, 1.0, 1.0]);
//! let hooke = (jelly.lame().lambda + 2.0 * jelly.lame().mu) * 0.001;
//! assert!((law.stress(&stretched).at(0, 0) / hooke - 1.0).abs() < 2e-3);
//! # Ok::<(), pliant_kernels::material::MaterialError>(())
//! ```

mod at_point;
mod corotated;
mod error;
mod from_rest;
mod hessian;
mod kind;
mod lame;
mod law;
mod linear;
mod macklin_muller;
mod material;
mod nearest;
mod parameters;
mod plastic;
mod presets;
mod principal;
mod rest_stable;
mod simplex;
mod smith;
mod st_venant_kirchhoff;
mod term;
mod toughness;

pub use at_point::PointStiffness;
pub use corotated::Corotated;
pub use error::MaterialError;
pub use kind::LawKind;
pub use lame::Lame;
pub use law::{Isotropic, Law, LawFamily, LawVisitor};
pub use linear::Linear;
pub use macklin_muller::MacklinMuller;
pub use material::Material;
pub use nearest::nearest_name;
pub use parameters::Parameters;
pub use plastic::Plastic;
pub use presets::Preset;
pub use principal::Principal;
pub use rest_stable::RestStable;
pub use simplex::{Simplex, SimplexTerm};
pub use smith::Smith;
pub use st_venant_kirchhoff::StVenantKirchhoff;
pub use term::Term;
pub use toughness::{Grain, Toughness};
