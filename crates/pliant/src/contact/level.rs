//! Levels of contact between bodies.

/// The guarantee of contact between bodies, and of bodies with themselves. Contact with obstacles is on at every level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ContactLevel {
    /// Bodies pass through each other.
    Off,
    /// Bounded time: implicit damping and a soft layer separate overlaps without chatter, and the paths of fast
    /// bodies are searched (Parker & O'Brien 2009, section 6).
    #[default]
    Game,
    /// A step ends with no intersecting triangles of skins if it began with none: motion is checked over the whole
    /// step, stopped by impulses, and finally cut short (Bridson et al. 2002, Brochu & Bridson 2009).
    Safe,
}

impl ContactLevel {
    /// All levels.
    pub const ALL: [Self; 3] = [Self::Off, Self::Game, Self::Safe];

    /// The name in scene files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Game => "game",
            Self::Safe => "safe",
        }
    }
}
