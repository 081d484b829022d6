//! The tests of the engine, in one program, because every program takes seconds to link.
//! To run one file: `cargo test --release -p pliant --test engine friction::`.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

mod common;

mod adaptive;
mod annealing;
mod attachments;
mod conservation;
mod contact;
mod contact_pairs;
mod contents;
mod convergence;
mod coupling;
mod determinism;
mod dilation;
mod editing;
mod extremes;
mod finding;
mod fracture;
mod frequencies;
mod friction;
mod handles;
mod launch;
mod limits;
mod linear;
mod masses;
mod model_and_state;
mod motion;
mod overlapping;
mod patch;
mod plasticity;
mod pulls;
mod queries;
mod regressions;
mod replace;
mod rest_shape;
mod resting;
mod rigid;
mod rigid_contact;
mod rigid_regions;
mod robustness;
mod safe;
mod skin;
mod snapshot;
mod solid_surfaces;
mod sparse;
mod statics;
mod surface_pins;
mod tangent;
mod time_order;
mod violence;
mod waking;
mod warped;
mod wind;
mod world;
mod xpbd;
