//! The derivative of a tetrahedron in Bernstein form: a form of one degree less.

/// Nodes k + e₀ … k + e₃ of every coefficient k of the derivative of a linear tetrahedron:
///
/// ```text
/// ∂x/∂ξⱼ = Σₖ Bₖ p (x[k + eⱼ] − x[k + e₀])        |k| = p − 1
/// ```
pub const LINEAR_DERIVATIVE: [[usize; 4]; 1] = [[0, 1, 2, 3]];

/// The same for a quadratic tetrahedron: the coefficients of its corners.
pub const QUADRATIC_DERIVATIVE: [[usize; 4]; 4] =
    [[0, 4, 6, 7], [4, 1, 5, 8], [6, 5, 2, 9], [7, 8, 9, 3]];

/// The same for a cubic tetrahedron: the coefficients of its corners, then those of its edges.
pub const CUBIC_DERIVATIVE: [[usize; 4]; 10] = [
    [0, 4, 9, 10],
    [5, 1, 6, 12],
    [8, 7, 2, 14],
    [11, 13, 15, 3],
    [19, 18, 14, 15],
    [17, 12, 18, 13],
    [16, 6, 7, 18],
    [10, 17, 19, 11],
    [9, 16, 8, 19],
    [4, 5, 16, 17],
];

/// The nodes of the coefficients for cells with so many nodes; none for cells that are not tetrahedra.
#[inline(always)]
pub const fn derivative_nodes(node_count: usize) -> &'static [[usize; 4]] {
    match node_count {
        4 => &LINEAR_DERIVATIVE,
        10 => &QUADRATIC_DERIVATIVE,
        20 => &CUBIC_DERIVATIVE,
        _ => &[],
    }
}
