//! Vectors of an implicit step on nodes.

use glam::DVec3;

use crate::body::Kinematics;

/// Vectors on nodes.
#[derive(Debug, Clone)]
pub(super) struct NodeVectors {
    /// Elastic forces.
    pub(super) forces: Vec<DVec3>,
    /// Positions at which they are evaluated.
    pub(super) x: Vec<DVec3>,
    /// Positions at the start of the step.
    pub(super) begin: Vec<DVec3>,
    /// Velocities of the stage: guess, then solution.
    pub(super) v: Vec<DVec3>,
    /// Velocities of the stage if the motion does not change.
    pub(super) steady: Vec<DVec3>,
    /// x̄ and v̄.
    pub(super) base: Kinematics,
    /// Right-hand side.
    pub(super) rhs: Vec<DVec3>,
    /// Products.
    pub(super) product: Vec<DVec3>,
    /// Changes of v, or of x.
    pub(super) change: Vec<DVec3>,
    /// x̂ − x̄ of a step in a turning frame.
    pub(super) offset: Vec<DVec3>,
    /// Displacements in the step of a joint solve, over its length: v and the motion of a turning frame.
    pub(super) chord: Vec<DVec3>,
    /// Vectors with a fourth number, for fast products.
    pub(super) padded: Vec<[f64; 4]>,
    /// A right-hand side kept from one stage to the next, or a temporary.
    pub(super) kept: Vec<DVec3>,
}

impl NodeVectors {
    pub(super) fn new(count: usize) -> Self {
        let zero = || vec![DVec3::ZERO; count];
        Self {
            forces: zero(),
            x: zero(),
            begin: zero(),
            v: zero(),
            steady: zero(),
            base: Kinematics::at_rest(&zero()),
            rhs: zero(),
            product: zero(),
            change: zero(),
            offset: zero(),
            chord: zero(),
            padded: vec![[0.0; 4]; count],
            kept: zero(),
        }
    }
}
