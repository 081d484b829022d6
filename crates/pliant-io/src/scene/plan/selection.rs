//! A part of a body.

use std::path::PathBuf;

use glam::DVec3;

/// A part of a body, in scene coordinates at rest.
#[derive(Debug, Clone, PartialEq)]
pub enum Selection {
    /// A node set, a region or a side (`x-` … `z+`) of this name.
    Named(String),
    /// All points in a box, faces included.
    Box {
        /// Lowest corner, in m.
        min: DVec3,
        /// Highest corner, in m.
        max: DVec3,
    },
    /// All points in a ball, surface included.
    Sphere {
        /// Centre, in m.
        centre: DVec3,
        /// Radius, in m.
        radius: f64,
    },
    /// All points on the side of a plane that the normal points to, plane included.
    HalfSpace {
        /// A point of the plane, in m.
        point: DVec3,
        /// Unit normal.
        normal: DVec3,
    },
    /// All points inside another closed surface, read from a file and transformed like the body's own surface.
    Enclosed(PathBuf),
    /// Vertices of the surface with this colour, and the leaves of voxels below them.
    Painted([f32; 3]),
}
