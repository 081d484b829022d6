//! Errors of cutting a surface into splinters.

use crate::SurfaceError;

/// A surface or settings from which splinters cannot be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SplinterError {
    /// The surface is invalid.
    #[error(transparent)]
    Surface(#[from] SurfaceError),
    /// The surface has a hole.
    #[error(
        "{what} is not closed: {count} of its edges have one triangle only, the first from vertex {from} to {to}; fill its holes, or give its sheets a thickness"
    )]
    Open {
        /// `the surface`, or the name of its part.
        what: String,
        /// One end of the first such edge.
        from: u32,
        /// The other end.
        to: u32,
        /// The number of such edges.
        count: usize,
    },
    /// An edge has more than two triangles, or two with inconsistent orientation.
    #[error(
        "{what} is not manifold: its edge between vertices {from} and {to} is passed {forward} times one way and {backward} times the other, expected once each; remove duplicate triangles, orient all the same way, and name touching solids differently"
    )]
    NonManifold {
        /// `the surface`, or the name of its part.
        what: String,
        /// One end of the first such edge.
        from: u32,
        /// The other end.
        to: u32,
        /// The number of triangles that pass it from one end to the other.
        forward: usize,
        /// The number that pass it the other way.
        backward: usize,
    },
    /// The surface encloses no volume.
    #[error(
        "{what} is {size:.3e} m across but encloses {volume:.3e} m³: there is nothing to break; give it a thickness"
    )]
    NoVolume {
        /// `the surface`, or the name of its part.
        what: String,
        /// The volume, in m³.
        volume: f64,
        /// The diagonal of the bounding box, in m.
        size: f64,
    },
    /// Triangles face inwards.
    #[error(
        "{what} encloses {volume:.3e} m³: its triangles face inwards, swap two vertices of each"
    )]
    InsideOut {
        /// `the surface`, or the name of its part.
        what: String,
        /// The volume, in m³.
        volume: f64,
    },
    /// A setting is out of range.
    #[error("{field} is {value}, expected {expected}")]
    Setting {
        /// The name of the setting.
        field: &'static str,
        /// Its value.
        value: f64,
        /// The valid values.
        expected: &'static str,
    },
    /// A direction is zero or not finite.
    #[error(
        "{field} is ({x}, {y}, {z}), expected a direction: three finite components, not all zero{also}"
    )]
    Direction {
        /// The name of the direction.
        field: &'static str,
        /// The first component.
        x: f64,
        /// The second component.
        y: f64,
        /// The third component.
        z: f64,
        /// A further condition; may be empty.
        also: &'static str,
    },
    /// There would be more splinters than allowed.
    #[error(
        "about {count:.2e} splinters would be made, and at most {most} are allowed: ask for larger ones"
    )]
    TooMany {
        /// The approximate number of splinters.
        count: f64,
        /// The largest number allowed.
        most: usize,
    },
}
