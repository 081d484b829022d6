//! What can be wrong with a shape.

/// A shape that is none.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// A length that is not one.
    #[error("{field} is {value} m, expected {expected}")]
    Length {
        /// Which length.
        field: &'static str,
        /// Its value, in m.
        value: f64,
        /// What would do.
        expected: &'static str,
    },
    /// A normal that points nowhere.
    #[error(
        "the normal of a plane is ({x}, {y}, {z}), expected a direction: three finite numbers that are not all zero, such as (0, 1, 0)"
    )]
    Normal {
        /// Its first component.
        x: f64,
        /// Its second.
        y: f64,
        /// Its third.
        z: f64,
    },
    /// A shape without end where one with a volume is needed.
    #[error("a plane has no volume and no end: take a flat box instead")]
    Unbounded,
    /// A surface cut too coarsely or too finely.
    #[error("the fineness of a surface is {value}, expected 1 to {most} pieces")]
    Fineness {
        /// Pieces asked for.
        value: u32,
        /// The most there may be.
        most: u32,
    },
}

/// A surface of triangles that encloses no solid.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SolidError {
    /// Nothing there.
    #[error("the surface has no triangles and encloses nothing")]
    Empty,
    /// A position with a NaN or an infinity.
    #[error("vertex {vertex} of the surface is not finite")]
    NotFinite {
        /// The vertex.
        vertex: usize,
    },
    /// A triangle on a vertex that is not there.
    #[error("triangle {triangle} names vertex {vertex}, but there are {vertex_count}")]
    NoSuchVertex {
        /// The triangle.
        triangle: usize,
        /// The vertex it names.
        vertex: u32,
        /// How many there are.
        vertex_count: usize,
    },
    /// A surface with a hole, a doubled triangle, or triangles of different winding.
    #[error(
        "the surface is not closed: {count} edges are not passed once in each direction, the first from vertex {from} to {to}; fill its holes, leave out doubled triangles, wind all the same way"
    )]
    Open {
        /// One end of the first such edge.
        from: u32,
        /// The other.
        to: u32,
        /// How many such edges there are.
        count: usize,
    },
    /// A solid without thickness.
    #[error(
        "the surface is {size:.3e} m across but encloses {volume:.3e} m³: too flat to turn; give it a thickness of a millionth of its size at least"
    )]
    Flat {
        /// Volume, in m³.
        volume: f64,
        /// Diagonal of its bounds, in m.
        size: f64,
    },
    /// Triangles that face inwards.
    #[error(
        "the surface encloses {volume:.3e} m³: its triangles face inwards, swap two vertices of each"
    )]
    InsideOut {
        /// Volume, in m³.
        volume: f64,
    },
}
