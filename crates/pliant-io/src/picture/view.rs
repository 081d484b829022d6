//! The contents of a picture.

use glam::DVec3;

use super::{Colour, ColourMap};

/// The colours of a surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Paint<'a> {
    /// One colour for the whole surface.
    Plain(Colour),
    /// A colour per vertex, interpolated between vertices. Vertices beyond the end of the slice are grey.
    PerVertex(&'a [Colour]),
}

/// A surface to be drawn on both sides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SurfaceView<'a> {
    /// Positions, in m.
    pub vertices: &'a [DVec3],
    /// The three vertices of each triangle. A triangle with a vertex that is missing or not finite is not drawn.
    pub triangles: &'a [[u32; 3]],
    /// Its colours.
    pub paint: Paint<'a>,
}

/// A bar with the meaning of the colours.
#[derive(Debug, Clone, PartialEq)]
pub struct Legend {
    /// The quantity and its unit: `von Mises (kPa)`.
    pub title: String,
    /// Value at the lower end.
    pub low: f64,
    /// Value at the upper end.
    pub high: f64,
    /// The colours.
    pub map: ColourMap,
}

/// One frame: surfaces, lines on them, and a legend.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SceneView<'a> {
    /// Surfaces.
    pub surfaces: Vec<SurfaceView<'a>>,
    /// Thin dark lines, such as the edges of cells; hidden where a surface is in front.
    pub lines: Vec<&'a [DVec3]>,
    /// A legend in the lower left corner.
    pub legend: Option<Legend>,
}
