//! The kind of solution of a scene.

/// The kind of solution of a scene: a motion or an equilibrium.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// A motion, step by step.
    Dynamic,
    /// The static equilibrium of all forces.
    Static,
}

impl Mode {
    /// The name in scene files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dynamic => "dynamic",
            Self::Static => "static",
        }
    }
}
