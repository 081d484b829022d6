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
    /// A surface of triangles that encloses no solid.
    #[error(transparent)]
    Solid(#[from] SolidError),
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
    /// A position with a NaN, an infinity, or out of the way.
    #[error("vertex {vertex} of the surface is not at finite coordinates of at most 1e9 m")]
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
    /// A triangle that is a line or a point.
    #[error(
        "triangle {triangle} of the surface has no area: leave it out, or move its corners apart"
    )]
    NoArea {
        /// The triangle.
        triangle: usize,
    },
    /// A triangle that is there twice.
    #[error(
        "triangle {triangle} of the surface has the same corners as triangle {first}: leave one of them out"
    )]
    Repeated {
        /// The second of the two.
        triangle: usize,
        /// The first.
        first: usize,
    },
    /// A height field without squares.
    #[error("the height field has {rows} rows and {columns} columns, expected at least 2 of each")]
    Grid {
        /// Rows of heights.
        rows: usize,
        /// Heights in the first of them.
        columns: usize,
    },
    /// A row of heights that is longer or shorter than the first.
    #[error(
        "row {row} of the height field has {count} heights, expected {expected}, as the first has"
    )]
    Ragged {
        /// The row.
        row: usize,
        /// Its heights.
        count: usize,
        /// Those of the first row.
        expected: usize,
    },
    /// A height that is none, or lies below the floor.
    #[error(
        "height {column} in row {row} of the height field is {value} m and its floor {floor} m, expected a finite number of at most 1e9 above the floor"
    )]
    Height {
        /// The row.
        row: usize,
        /// The place in it.
        column: usize,
        /// The height, in m.
        value: f64,
        /// The floor, in m.
        floor: f64,
    },
    /// A height field without extent.
    #[error(
        "a side of the height field is {value} m long, expected a positive length from 1e-9 to 1e9 m"
    )]
    Side {
        /// The length given, in m.
        value: f64,
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
