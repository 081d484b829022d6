//! What happened in a step that a caller should know of.

use std::fmt;

use super::{AttachmentHandle, Fate, Handle};

/// Something that happened to a body in a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Event {
    /// The body.
    pub body: Handle,
    /// What happened.
    pub kind: EventKind,
}

/// What can happen to a body in a step.
///
/// Its text says what to do about it:
///
/// ```
/// use pliant::world::EventKind;
///
/// let kind = EventKind::NotConverged { residual: 0.02, iterations: 200 };
/// assert!(kind.to_string().contains("max_iterations"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum EventKind {
    /// Numbers stopped being finite; the body is back at its last finite state, at rest.
    Reset,
    /// A solve stopped before it reached its tolerance; the step was taken with what it had.
    NotConverged {
        /// Largest residual of the step, relative to the right-hand side.
        residual: f64,
        /// Iterations of the step.
        iterations: u32,
    },
    /// It has lain still for long enough, and is no longer stepped.
    Slept,
    /// Something moves it again.
    Woke,
    /// It began to touch another body, or itself.
    Touched {
        /// The other.
        other: Handle,
        /// The strongest impulse of a point, in N·s.
        strongest: f64,
    },
    /// It no longer touches another body, or itself.
    Parted {
        /// The other.
        other: Handle,
    },
    /// It has not flowed for a while, and its plastic strain is counted from its present shape on.
    Annealed {
        /// Cells that are too distorted for that: they keep the rest shape that they had.
        kept: usize,
    },
    /// It came apart; [`World::breaks`](super::World::breaks) tells where and into what.
    Broke {
        /// Pieces that it came apart into; one if it has only cracked.
        pieces: usize,
        /// The strongest tensile stress that parted it, in Pa.
        stress: f64,
    },
    /// There were too many pieces, and it was the oldest that slept.
    SetAside {
        /// What became of it.
        fate: Fate,
    },
    /// What held it was pulled harder than it bears, and let go.
    Detached {
        /// What held it.
        attachment: AttachmentHandle,
        /// With what force it was pulled, in N.
        force: f64,
    },
    /// It was put into another body; the two are let apart slowly.
    Overlapped {
        /// The other.
        other: Handle,
        /// How deep, in m.
        depth: f64,
    },
    /// It was put into an obstacle, and is let out slowly.
    InObstacle {
        /// The obstacle, by its place in [`World::obstacles`](super::World::obstacles).
        obstacle: usize,
        /// How deep, in m.
        depth: f64,
    },
}

impl EventKind {
    /// Whether something went wrong, rather than happened.
    pub const fn is_trouble(&self) -> bool {
        matches!(
            self,
            Self::Reset
                | Self::NotConverged { .. }
                | Self::Overlapped { .. }
                | Self::InObstacle { .. }
        )
    }
}

impl fmt::Display for EventKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reset => f.write_str(
                "its numbers stopped being finite, and it was set back to its last finite state, at rest; shorten dt, take more substeps, or choose an implicit stepper",
            ),
            Self::Slept => f.write_str("it lies still and is no longer stepped until something moves it"),
            Self::Woke => f.write_str("something moves it again"),
            Self::Annealed { kept: 0 } => {
                f.write_str("it no longer flows, and plastic strain is counted from this shape on")
            }
            Self::Annealed { kept } => write!(
                f,
                "it no longer flows, and plastic strain is counted from this shape on; {kept} of its cells are folded or too thin in it and keep the shape that they rested in before"
            ),
            Self::Broke { pieces: 1, stress } => write!(f, "it cracked, under {stress:.2e} Pa"),
            Self::Broke { pieces, stress } => {
                write!(f, "it broke into {pieces} pieces, under {stress:.2e} Pa")
            }
            Self::SetAside { fate: Fate::Fade } => {
                f.write_str("there are too many pieces, and it is gone")
            }
            Self::SetAside { fate: Fate::Freeze } => {
                f.write_str("there are too many pieces, and it lies where it is for ever")
            }
            Self::Detached { force, .. } => {
                write!(f, "what held it was pulled with {force:.2e} N, and let go")
            }
            Self::Touched { strongest, .. } => {
                write!(f, "it began to touch another body, by {strongest:.2e} N·s at a point")
            }
            Self::Overlapped { other, depth } => write!(
                f,
                "it began {depth:.2e} m deep in body {}, and the two are let apart slowly; put them farther apart, or let them not meet each other",
                other.index
            ),
            Self::InObstacle { obstacle, depth } => write!(
                f,
                "it began {depth:.2e} m deep in obstacle {obstacle}, and is let out slowly; put it farther away"
            ),
            Self::Parted { .. } => f.write_str("it no longer touches another body"),
            Self::NotConverged { residual, iterations } => write!(
                f,
                "a solve stopped after {iterations} iterations at a residual of {residual:.1e}, and the step was taken with what it had; raise max_iterations, loosen tolerance, choose solver = \"cholesky\", or shorten dt"
            ),
        }
    }
}
