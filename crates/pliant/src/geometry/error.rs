//! What can be wrong with a shape.

/// A shape that is none.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// A length that is not one.
    #[error("{field} is {value} m, expected {expected}")]
    Length {
        /// Which length.
        field: &'static str,
        /// Its value, in m.
        value: f64,
        /// What would do.
        expected: &'static str,
    },
    /// A normal that points nowhere.
    #[error(
        "the normal of a plane is ({x}, {y}, {z}), expected a direction: three finite numbers that are not all zero, such as (0, 1, 0)"
    )]
    Normal {
        /// Its first component.
        x: f64,
        /// Its second.
        y: f64,
        /// Its third.
        z: f64,
    },
}
