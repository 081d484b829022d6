//! The tests of elements, laws and 3×3 algebra, in one program.
//! To run one file: `cargo test --release -p pliant-kernels --test kernels laws::`.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

mod law_cases;
mod random;

mod elements;
mod laws;
mod materials;
mod math;
mod node_orders;
mod single_rows;
mod stiffness;
mod threads;
