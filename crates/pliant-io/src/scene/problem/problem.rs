//! One problem of a scene.

use std::ops::Range;

use super::fault::Fault;

/// A fault and its position in the text.
#[derive(Debug)]
pub struct Problem {
    /// The fault.
    pub fault: Fault,
    /// Byte range in the text.
    pub span: Range<usize>,
}
