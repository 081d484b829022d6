//! Where a corotated cell measures its rotation.

/// Where a corotated cell measures its rotation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rotation {
    /// Once, from its corners (Bargteil & Cohen 2014, section 3.2.2).
    #[default]
    Cell,
    /// At every quadrature point (Mezger et al. 2007, section 4.3).
    Point,
    /// Once, from its averaged edges, the first kept in direction and the second in its plane (Nesme et
    /// al. 2006, section 4.1): cheap, and the same through flat and inverted cells, but not the same for
    /// all axes.
    Edges,
}

impl Rotation {
    /// All.
    pub const ALL: [Self; 3] = [Self::Cell, Self::Point, Self::Edges];

    /// The name in scene files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cell => "cell",
            Self::Point => "point",
            Self::Edges => "edges",
        }
    }
}
