//! Events of a step.

use std::fmt;

use glam::DVec3;

use crate::solver::Stepper;
use crate::world::attach::attachment::AttachmentHandle;
use crate::world::config::Fate;
use crate::world::slot::handle::{BodyHandle, ObstacleHandle};

/// An event of a body in a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Event {
    /// The body.
    pub body: BodyHandle,
    /// The kind of event.
    pub kind: EventKind,
}

/// The kinds of event of a body.
///
/// The text of a problem says what to do about it. [`World::event_text`](crate::world::World::event_text) names the other body as well:
///
/// ```
/// use pliant::EventKind;
///
/// let kind = EventKind::NotConverged { residual: 0.02, iterations: 200 };
/// assert!(kind.to_string().contains("max_iterations"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum EventKind {
    /// The state was not finite; the body is back at its last finite state, at rest.
    Reset {
        /// The stepper of the body; `None` for a rigid body, for which it makes no difference.
        stepper: Option<Stepper>,
    },
    /// A solve stopped above its tolerance; the step was taken with its result.
    NotConverged {
        /// Largest residual of the step, relative to the impulses that change the motion in it.
        residual: f64,
        /// Iterations of the step.
        iterations: u32,
    },
    /// Steps created energy or were not solved, and were taken again with implicit Euler, which damps.
    Damped {
        /// The number of such steps; more than one with substeps.
        steps: u32,
    },
    /// The body fell asleep: it was at rest for long enough, and is no longer stepped.
    Slept,
    /// The body woke up.
    Woke,
    /// Contact with another body, or with itself, began.
    Touched {
        /// The other.
        other: BodyHandle,
        /// The strongest impulse of a point, in N·s.
        strongest: f64,
    },
    /// Contact with another body, or with itself, ended.
    Parted {
        /// The other.
        other: BodyHandle,
    },
    /// The body was annealed after a time without plastic flow: its plastic strain is counted from its present shape on.
    Annealed {
        /// Cells that are too distorted for that and keep their old rest shape.
        kept: usize,
    },
    /// The body broke; [`World::breaks`](crate::world::World::breaks) has the points and the fragments.
    Broke {
        /// The number of fragments; one if it has only cracked.
        pieces: usize,
        /// The highest tensile stress at the points that opened, in Pa.
        stress: f64,
    },
    /// There were too many fragments, and this was the oldest sleeping one.
    SetAside {
        /// Its fate.
        fate: Fate,
    },
    /// An attachment broke.
    Detached {
        /// The attachment.
        attachment: AttachmentHandle,
        /// The force that broke it, in N.
        force: f64,
    },
    /// The body was put into another; the two are moved apart slowly.
    Overlapped {
        /// The other.
        other: BodyHandle,
        /// The depth of the overlap, in m.
        depth: f64,
    },
    /// The body was put into an obstacle, and is moved out slowly.
    InObstacle {
        /// The obstacle.
        obstacle: ObstacleHandle,
        /// The depth of the overlap, in m.
        depth: f64,
    },
    /// Contact with an obstacle began: the body landed, or ran into something.
    TouchedObstacle {
        /// The obstacle.
        obstacle: ObstacleHandle,
        /// The impulse of all points together on the body, in N·s.
        impulse: DVec3,
        /// Where the strongest impulse was, in m.
        point: DVec3,
        /// The normal of the obstacle there.
        normal: DVec3,
    },
    /// Contact with an obstacle ended.
    PartedObstacle {
        /// The obstacle.
        obstacle: ObstacleHandle,
    },
}

impl EventKind {
    /// True for a problem, false for an ordinary event.
    pub const fn is_trouble(&self) -> bool {
        matches!(
            self,
            Self::Reset { .. }
                | Self::NotConverged { .. }
                | Self::Overlapped { .. }
                | Self::InObstacle { .. }
        )
    }
}

impl fmt::Display for EventKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reset { stepper } => write!(
                f,
                "its numbers stopped being finite, and it was set back to its last finite state, at rest; {}",
                remedy(*stepper)
            ),
            Self::Damped { .. } => f.write_str(
                "its step gained energy from nowhere or was not solved, and was replaced by one that damps; if its motion must be exact, shorten dt or take more substeps",
            ),
            Self::Slept => {
                f.write_str("it lies still and is no longer stepped until something moves it")
            }
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
            Self::Overlapped { depth, .. } => write!(
                f,
                "it began {depth:.2e} m inside another body, and the two are moved apart slowly; put them farther apart, or let them not meet each other"
            ),
            Self::InObstacle { depth, .. } => write!(
                f,
                "it began {depth:.2e} m inside an obstacle, and is moved out slowly; put it farther away"
            ),
            Self::TouchedObstacle { impulse, .. } => {
                write!(f, "it began to touch an obstacle, by {:.2e} N·s", impulse.length())
            }
            Self::PartedObstacle { .. } => f.write_str("it no longer touches an obstacle"),
            Self::Parted { .. } => f.write_str("it no longer touches another body"),
            Self::NotConverged { residual, iterations } => write!(
                f,
                "a solve stopped after {iterations} iterations at a residual of {residual:.1e}, and the step was taken with what it had; raise max_iterations, loosen tolerance, choose solver = \"cholesky\", or shorten dt"
            ),
        }
    }
}

/// What helps against resets: the choices that are left to a body with this stepper.
fn remedy(stepper: Option<Stepper>) -> &'static str {
    match stepper {
        Some(stepper) if stepper.is_explicit() => {
            "shorten dt, take more substeps (without `substeps` their number is chosen), or choose an implicit stepper such as `implicit-euler`"
        }
        Some(Stepper::Xpbd) => {
            "take more substeps, or choose an implicit stepper such as `implicit-euler`"
        }
        None | Some(Stepper::ImplicitEuler | Stepper::BaraffWitkin) => {
            "shorten dt, take more substeps, or look for extreme loads, speeds or masses"
        }
        Some(_) => {
            "shorten dt, take more substeps, or choose the stepper `implicit-euler`, which damps most"
        }
    }
}
