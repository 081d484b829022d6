//! Runs the unit tests of private code without a second build of the whole engine: the library has `test = false`,
//! and the few files with unit tests are included here. `layers.rs` checks that none is missing.
#![allow(dead_code, reason = "of these files only the tests are wanted")]
#![allow(unreachable_pub, reason = "what is public to the engine is not here")]

#[path = "../src/solver/linear/multigrid/block_triangle.rs"]
mod block_triangle;
#[path = "../src/solver/linear/multigrid/chebyshev.rs"]
mod chebyshev;
#[path = "../src/solver/linear/conjugate_gradient.rs"]
mod conjugate_gradient;
#[path = "../src/solver/joint/envelope.rs"]
mod envelope;
#[path = "../src/body/skin/interpolation.rs"]
mod interpolation;
#[path = "../src/solver/xpbd/relay.rs"]
mod relay;
#[path = "../src/solver/linear/multigrid/rigid_groups.rs"]
mod rigid_groups;
#[path = "../src/solver/linear/multigrid/scaled_rows.rs"]
mod scaled_rows;
#[path = "../src/solver/linear/multigrid/smoothed_level.rs"]
mod smoothed_level;
#[path = "../src/solver/linear/multigrid/uneven.rs"]
mod uneven;
#[path = "../src/solver/linear/vectors.rs"]
mod vectors;

/// The paths by which these files name each other.
mod solver {
    pub(crate) mod linear {
        pub(crate) use crate::{conjugate_gradient, vectors};
    }
}
