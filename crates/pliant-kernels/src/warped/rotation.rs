//! The choice where a corotated cell measures its rotation.

use crate::math::{LANES, Pack};

/// The unit matrix in all lanes.
pub fn unit_pack() -> [Pack; 9] {
    let (o, i) = ([0.0; LANES], [1.0; LANES]);
    [i, o, o, o, i, o, o, o, i]
}

/// The place where a corotated cell measures its rotation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rotation {
    /// Once, from its corners (Bargteil & Cohen 2014, section 3.2.2).
    #[default]
    Cell,
    /// At every quadrature point (Mezger et al. 2007, section 4.3).
    Point,
    /// Once, from its averaged edges: the first keeps its direction, the second its plane (Nesme et al. 2006, section
    /// 4.1). Cheap, and continuous through flat and inverted cells, but not symmetric in the axes.
    Edges,
}

impl Rotation {
    /// All choices.
    pub const ALL: [Self; 3] = [Self::Cell, Self::Point, Self::Edges];

    /// Returns the name in scene files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cell => "cell",
            Self::Point => "point",
            Self::Edges => "edges",
        }
    }
}
