//! Why a surface did not become splinters.

use crate::SurfaceError;

/// A surface, or settings, of which no splinters can be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SplinterError {
    /// The surface itself is wrong.
    #[error(transparent)]
    Surface(#[from] SurfaceError),
    /// The surface has a hole.
    #[error(
        "{what} is not closed: {count} of its edges have one triangle only, the first from vertex {from} to {to}; fill its holes, or give its sheets a thickness"
    )]
    Open {
        /// `the surface`, or the part of it.
        what: String,
        /// One end of the first such edge.
        from: u32,
        /// The other.
        to: u32,
        /// How many such edges there are.
        count: usize,
    },
    /// An edge with more than two triangles, or with two that are wound differently.
    #[error(
        "{what} is no manifold: its edge between vertices {from} and {to} is passed {forward} times one way and {backward} times the other, expected once each; leave out doubled triangles, wind all the same way, and give solids that touch names of their own"
    )]
    NonManifold {
        /// `the surface`, or the part of it.
        what: String,
        /// One end of the first such edge.
        from: u32,
        /// The other.
        to: u32,
        /// Triangles that pass it from one to the other.
        forward: usize,
        /// And the other way.
        backward: usize,
    },
    /// Nothing is inside.
    #[error(
        "{what} is {size:.3e} m across but encloses {volume:.3e} m³: there is nothing to break; give it a thickness"
    )]
    NoVolume {
        /// `the surface`, or the part of it.
        what: String,
        /// In m³.
        volume: f64,
        /// Diagonal of its bounds, in m.
        size: f64,
    },
    /// Triangles that face inwards.
    #[error(
        "{what} encloses {volume:.3e} m³: its triangles face inwards, swap two vertices of each"
    )]
    InsideOut {
        /// `the surface`, or the part of it.
        what: String,
        /// In m³.
        volume: f64,
    },
    /// A setting is out of range.
    #[error("{field} is {value}, expected {expected}")]
    Setting {
        /// Which one.
        field: &'static str,
        /// Its value.
        value: f64,
        /// What would do.
        expected: &'static str,
    },
    /// A direction that points nowhere.
    #[error(
        "{field} is ({x}, {y}, {z}), expected a direction: three finite numbers that are not all zero{also}"
    )]
    Direction {
        /// Which one.
        field: &'static str,
        /// Its first component.
        x: f64,
        /// Its second.
        y: f64,
        /// Its third.
        z: f64,
        /// What else it must be; may be empty.
        also: &'static str,
    },
    /// More splinters than allowed.
    #[error(
        "about {count:.2e} splinters would be made, and at most {most} are allowed: ask for larger ones"
    )]
    TooMany {
        /// How many, roughly.
        count: f64,
        /// How many may be.
        most: usize,
    },
}
