//! Errors of shapes and solid surfaces.

/// The reason why a shape is invalid.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// An invalid length.
    #[error("{field} is {value} m, expected {expected}")]
    Length {
        /// The name of the length.
        field: &'static str,
        /// Its value, in m.
        value: f64,
        /// The values allowed.
        expected: &'static str,
    },
    /// A normal without a direction.
    #[error(
        "the normal of a plane is ({x}, {y}, {z}), expected a direction: three finite components, not all zero, such as (0, 1, 0)"
    )]
    Normal {
        /// Its first component.
        x: f64,
        /// Its second.
        y: f64,
        /// Its third.
        z: f64,
    },
    /// An unbounded shape where one with a volume is needed.
    #[error("a plane is unbounded and has no volume: use a flat box instead")]
    Unbounded,
    /// A surface of triangles that is not a valid solid.
    #[error(transparent)]
    Solid(#[from] SolidError),
    /// A fineness out of range.
    #[error("the fineness of a surface is {value}, expected 1 to {most} pieces")]
    Fineness {
        /// The requested number of pieces.
        value: u32,
        /// The largest number allowed.
        most: u32,
    },
}

/// A surface of triangles that is not a valid solid.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SolidError {
    /// The surface has no triangles.
    #[error("the surface has no triangles and encloses nothing")]
    Empty,
    /// A vertex position that is NaN, infinite or too far from the origin.
    #[error("vertex {vertex} of the surface is not at finite coordinates of at most 1e9 m")]
    NotFinite {
        /// The vertex.
        vertex: usize,
    },
    /// A triangle refers to a missing vertex.
    #[error("triangle {triangle} refers to vertex {vertex}, but there are {vertex_count} vertices")]
    NoSuchVertex {
        /// The triangle.
        triangle: usize,
        /// The missing vertex.
        vertex: u32,
        /// The number of vertices.
        vertex_count: usize,
    },
    /// A degenerate triangle: a line or a point.
    #[error("triangle {triangle} of the surface has no area: remove it, or move its corners apart")]
    NoArea {
        /// The triangle.
        triangle: usize,
    },
    /// A triangle that occurs twice.
    #[error(
        "triangle {triangle} of the surface has the same corners as triangle {first}: remove one of them"
    )]
    Repeated {
        /// The second of the two.
        triangle: usize,
        /// The first.
        first: usize,
    },
    /// A height field with fewer than two rows or columns.
    #[error("the height field has {rows} rows and {columns} columns, expected at least 2 of each")]
    Grid {
        /// Number of rows.
        rows: usize,
        /// Number of heights in the first row.
        columns: usize,
    },
    /// A row of heights with another length than the first.
    #[error(
        "row {row} of the height field has {count} heights, expected {expected}, as in the first row"
    )]
    Ragged {
        /// The row.
        row: usize,
        /// Number of heights in that row.
        count: usize,
        /// Number of heights in the first row.
        expected: usize,
    },
    /// A height that is not finite, too large, or not above the floor.
    #[error(
        "height {column} in row {row} of the height field is {value} m and its floor {floor} m, expected a finite number of at most 1e9 above the floor"
    )]
    Height {
        /// The row.
        row: usize,
        /// The position in the row.
        column: usize,
        /// The height, in m.
        value: f64,
        /// The floor, in m.
        floor: f64,
    },
    /// A side of a height field with an invalid length.
    #[error(
        "a side of the height field is {value} m long, expected a positive length from 1e-9 to 1e9 m"
    )]
    Side {
        /// The length given, in m.
        value: f64,
    },
    /// A surface with a hole, a doubled triangle, or triangles of different winding.
    #[error(
        "the surface is not closed: {count} edges are not used once in each direction, the first from vertex {from} to {to}; fill holes, remove duplicate triangles, give all triangles the same winding"
    )]
    Open {
        /// One end of the first such edge.
        from: u32,
        /// The other.
        to: u32,
        /// The number of such edges.
        count: usize,
    },
    /// A solid without thickness.
    #[error(
        "the surface is {size:.3e} m across but encloses {volume:.3e} m³: too flat to rotate; give it a thickness of at least a millionth of its size"
    )]
    Flat {
        /// Volume, in m³.
        volume: f64,
        /// Diagonal of its bounds, in m.
        size: f64,
    },
    /// A surface whose triangles face inwards.
    #[error(
        "the surface encloses {volume:.3e} m³: its triangles face inwards, swap two vertices of each"
    )]
    InsideOut {
        /// Volume, in m³.
        volume: f64,
    },
}
