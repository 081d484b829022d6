//! How much contact between bodies promises.

/// How bodies of a world meet each other and themselves. Obstacles hold them at every level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ContactLevel {
    /// They pass through each other.
    Off,
    /// In a time known in advance: overlaps are pushed apart by implicit damping and a soft layer, which
    /// cannot chatter, and fast bodies are looked at along their way (Parker & O'Brien 2009, section 6).
    #[default]
    Game,
    /// A step ends with no two triangles of the skins through each other if none were before: motion is
    /// checked over the whole step, stopped by impulses, and at last cut short (Bridson et al. 2002,
    /// Brochu & Bridson 2009).
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
