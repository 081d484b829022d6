//! Why a blast or a force field is rejected.

/// An invalid blast or force field.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FieldError {
    /// A number out of its range.
    #[error("{field} is {value}, expected {expected}")]
    OutOfRange {
        /// The setting.
        field: &'static str,
        /// Its value.
        value: f64,
        /// The valid range.
        expected: &'static str,
    },
}
