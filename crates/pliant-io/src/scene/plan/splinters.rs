//! Splinters of a body.

use pliant_mesher::splinters::{BrickConfig, CutConfig, VoronoiConfig, WoodConfig};

/// How the surface of a body is cut into splinters.
#[derive(Debug, Clone, PartialEq)]
pub struct SplintersPlan {
    /// The shape of the splinters.
    pub kind: SplinterKind,
    /// The settings of the cut faces.
    pub cut: CutConfig,
}

/// The shape of splinters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SplinterKind {
    /// Long and slender, along a grain.
    Wood(WoodConfig),
    /// Irregular chunks, as of stone, or shards of a pane of glass.
    Voronoi(VoronoiConfig),
    /// Courses of bricks.
    Brick(BrickConfig),
    /// The separate parts of the artist's surface.
    Parts,
}
