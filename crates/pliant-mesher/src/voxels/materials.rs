//! Materials of leaves.

use std::fmt;

use glam::DVec3;
use pliant::geometry::{Pose, Shape};

use super::{VoxelError, Winding};

/// A rule that gives some leaves a material: bone in flesh.
///
/// The last rule that applies to a leaf decides; without one the material is 0.
#[derive(Debug, Clone)]
pub struct MaterialRule<'a> {
    /// The index of the material in the list of the model.
    pub material: u32,
    /// The choice of leaves.
    pub source: MaterialSource<'a>,
}

/// A choice of leaves.
#[derive(Clone)]
pub enum MaterialSource<'a> {
    /// Leaves whose centre is inside a second closed surface, given by its winding number.
    Enclosed(Winding<'a>),
    /// Leaves whose centre is inside a shape.
    Shape {
        /// The shape.
        shape: Shape,
        /// The pose of the shape.
        pose: Pose,
    },
    /// Leaves whose centre, in m, satisfies a condition.
    Region(&'a (dyn Fn(DVec3) -> bool + Sync)),
    /// Leaves where the vertices of the surface have a colour. A boundary leaf has the colour of the nearest triangle
    /// through it, and an inside leaf that of the nearest boundary leaf, counted in leaves.
    Painted {
        /// Red, green and blue, 0 to 1.
        colour: [f32; 3],
        /// The largest difference allowed in each of red, green and blue.
        tolerance: f32,
    },
}

impl MaterialSource<'_> {
    /// True if it chooses the leaf with this centre and colour.
    pub(super) fn chooses(&self, centre: DVec3, paint: Option<[f32; 3]>) -> bool {
        match self {
            Self::Enclosed(winding) => winding(centre) > 0.5,
            Self::Shape { shape, pose } => shape.distance(pose.local_point(centre)).distance < 0.0,
            Self::Region(holds) => holds(centre),
            Self::Painted { colour, tolerance } => paint.is_some_and(|paint| {
                paint.iter().zip(colour).all(|(a, b)| (a - b).abs() <= *tolerance)
            }),
        }
    }
}

/// The material of a leaf with this centre and colour.
pub(super) fn material(rules: &[MaterialRule], centre: DVec3, paint: Option<[f32; 3]>) -> u32 {
    let last = rules.iter().rfind(|rule| rule.source.chooses(centre, paint));
    last.map_or(0, |rule| rule.material)
}

/// True if any rule chooses by colour; an error if the surface has no colours then.
pub(super) fn needs_paint(rules: &[MaterialRule], has_colours: bool) -> Result<bool, VoxelError> {
    let painted = |rule: &MaterialRule| matches!(rule.source, MaterialSource::Painted { .. });
    match rules.iter().position(painted) {
        Some(rule) if !has_colours => Err(VoxelError::NoColours { rule }),
        rule => Ok(rule.is_some()),
    }
}

impl fmt::Debug for MaterialSource<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Enclosed(_) => f.write_str("Enclosed"),
            Self::Shape { shape, pose } => {
                f.debug_struct("Shape").field("shape", shape).field("pose", pose).finish()
            }
            Self::Region(_) => f.write_str("Region"),
            Self::Painted { colour, tolerance } => f
                .debug_struct("Painted")
                .field("colour", colour)
                .field("tolerance", tolerance)
                .finish(),
        }
    }
}
