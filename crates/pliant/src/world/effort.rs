//! How much work a step may take.

use std::ops::AddAssign;

use super::World;

/// Limits on the work of a step, for who has a frame to keep: [`super::Budget`] finds them from a time.
///
/// A world reads no clock, so that the same limits give the same bits. Steps are never shorter and bodies never jump for them: solves
/// stop earlier and bodies come apart later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Effort {
    /// Most iterations of the solve of a body, or of bodies that touch, in all its rounds (default `None`: as many as the methods of the
    /// bodies say). At least one is taken.
    pub iterations: Option<u32>,
    /// Most bodies that come apart in a step (default `None`: any number). At least one does. The others come apart where they were found
    /// to in one of the next steps, whoever waits for longest first, and nothing is looked for in them meanwhile.
    pub breaks: Option<u32>,
    /// Whether bodies are stepped at half rate where that may be (default `false`): half of them take a step of twice the length, are seen
    /// in the middle of it, and at its end in the next step, in which the other half does the same. What is pulled, or pushed by what
    /// moves as prescribed, is stepped as ever; so are rules that do not damp, and worlds that let nothing through.
    pub half_rate: bool,
}

/// What a step has given up for its [`Effort`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GivenUp {
    /// Solves that would have gone on.
    pub solves: u32,
    /// Bodies that would have come apart, and will in one of the next steps.
    pub breaks: u32,
    /// Bodies that were not stepped, but went on as the step before had found.
    pub landed: u32,
}

impl GivenUp {
    /// Whether it has given up nothing.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

impl AddAssign for GivenUp {
    fn add_assign(&mut self, other: Self) {
        self.solves += other.solves;
        self.breaks += other.breaks;
        self.landed += other.landed;
    }
}

impl World {
    /// Limits the work of the steps to come.
    pub fn set_effort(&mut self, effort: Effort) {
        self.effort = effort;
    }

    /// How much work a step may take.
    pub fn effort(&self) -> Effort {
        self.effort
    }
}
