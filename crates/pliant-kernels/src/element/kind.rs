//! Cell kinds: shape and degree.

use std::fmt;

/// The polyhedral shape of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CellShape {
    /// Four corners.
    Tetrahedron,
    /// Eight corners.
    Hexahedron,
    /// Six corners: a triangle swept along a line.
    Prism,
    /// Five corners: a quadrilateral and an apex.
    Pyramid,
}

/// A kind of cell: its shape and the degree of its interpolation. Named after its node count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Linear tetrahedron.
    Tet4,
    /// Quadratic tetrahedron.
    Tet10,
    /// Cubic tetrahedron.
    Tet20,
    /// Trilinear hexahedron.
    Hex8,
    /// Triquadratic hexahedron.
    Hex27,
    /// Linear prism.
    Prism6,
    /// Linear pyramid, with a rational basis.
    Pyramid5,
}

/// Largest number of nodes of a cell of any kind.
pub const MAX_NODES: usize = 27;

/// Largest number of corners of a cell of any kind.
pub const MAX_CORNERS: usize = 8;

impl Kind {
    /// Returns the kind of degree 1 with the same shape.
    pub const fn linear(self) -> Self {
        match self.shape() {
            CellShape::Tetrahedron => Self::Tet4,
            CellShape::Hexahedron => Self::Hex8,
            CellShape::Prism => Self::Prism6,
            CellShape::Pyramid => Self::Pyramid5,
        }
    }

    /// All kinds.
    pub const ALL: [Self; 7] = [
        Self::Tet4,
        Self::Tet10,
        Self::Tet20,
        Self::Hex8,
        Self::Hex27,
        Self::Prism6,
        Self::Pyramid5,
    ];

    /// Returns the lower-case name, as in reports: `tet10`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tet4 => "tet4",
            Self::Tet10 => "tet10",
            Self::Tet20 => "tet20",
            Self::Hex8 => "hex8",
            Self::Hex27 => "hex27",
            Self::Prism6 => "prism6",
            Self::Pyramid5 => "pyramid5",
        }
    }

    /// Returns the shape.
    pub const fn shape(self) -> CellShape {
        match self {
            Self::Tet4 | Self::Tet10 | Self::Tet20 => CellShape::Tetrahedron,
            Self::Hex8 | Self::Hex27 => CellShape::Hexahedron,
            Self::Prism6 => CellShape::Prism,
            Self::Pyramid5 => CellShape::Pyramid,
        }
    }

    /// Returns the polynomial degree, per direction for hexahedra and prisms.
    pub const fn degree(self) -> usize {
        match self {
            Self::Tet4 | Self::Hex8 | Self::Prism6 | Self::Pyramid5 => 1,
            Self::Tet10 | Self::Hex27 => 2,
            Self::Tet20 => 3,
        }
    }

    /// Returns the number of control points of a cell.
    pub const fn node_count(self) -> usize {
        match self {
            Self::Tet4 => 4,
            Self::Tet10 => 10,
            Self::Tet20 => 20,
            Self::Hex8 => 8,
            Self::Hex27 => 27,
            Self::Prism6 => 6,
            Self::Pyramid5 => 5,
        }
    }

    /// Returns the number of corners of a cell; they come first among its nodes.
    pub const fn corner_count(self) -> usize {
        self.shape().corner_count()
    }

    /// Returns the kind with this shape and degree, if it exists.
    pub fn of(shape: CellShape, degree: usize) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.shape() == shape && kind.degree() == degree)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl CellShape {
    /// Number of corners.
    pub const fn corner_count(self) -> usize {
        match self {
            Self::Tetrahedron => 4,
            Self::Hexahedron => 8,
            Self::Prism => 6,
            Self::Pyramid => 5,
        }
    }

    /// Volume of the reference cell.
    pub const fn reference_volume(self) -> f64 {
        match self {
            Self::Tetrahedron => 1.0 / 6.0,
            Self::Hexahedron => 1.0,
            Self::Prism => 0.5,
            Self::Pyramid => 1.0 / 3.0,
        }
    }
}
