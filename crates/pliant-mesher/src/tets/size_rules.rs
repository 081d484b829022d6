//! Rules of the user for finer cells.

use std::fmt;

use glam::DVec3;
use pliant::geometry::Surface;

use crate::SurfaceTree;

use super::TetError;
use super::frame::UnitFrame;

/// An upper bound of the cell size in a region: finer fingers, a painted face.
///
/// Where several rules apply, the smallest size counts. A size larger than that of the settings has no effect.
#[derive(Debug, Clone, Copy)]
pub struct SizeRule<'a> {
    /// The longest edge allowed there, in m. Edge lengths are halved until they are at most this.
    pub size: f64,
    /// The region.
    pub source: SizeSource<'a>,
}

/// A region, by position or by colour.
#[derive(Clone, Copy)]
pub enum SizeSource<'a> {
    /// Points, in m, that satisfy a condition. Every cell is tested at 64 points: a region thinner than a quarter of a
    /// cell may be missed.
    Region(&'a (dyn Fn(DVec3) -> bool + Sync)),
    /// Triangles of the surface that have this colour at all three corners.
    Painted {
        /// Red, green and blue, 0 to 1.
        colour: [f32; 3],
        /// The largest difference allowed in each of red, green and blue.
        tolerance: f32,
    },
}

impl fmt::Debug for SizeSource<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Region(_) => f.write_str("Region"),
            Self::Painted { colour, tolerance } => f
                .debug_struct("Painted")
                .field("colour", colour)
                .field("tolerance", tolerance)
                .finish(),
        }
    }
}

/// The user's rules, prepared for queries, in units of the frame.
#[derive(Debug)]
pub(super) struct SizeRules<'a> {
    frame: UnitFrame,
    rules: Vec<PreparedRule<'a>>,
}

#[derive(Debug)]
struct PreparedRule<'a> {
    size: f64,
    place: RuleRegion<'a>,
}

enum RuleRegion<'a> {
    Region(&'a (dyn Fn(DVec3) -> bool + Sync)),
    Painted(SurfaceTree),
}

impl fmt::Debug for RuleRegion<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if let Self::Region(_) = self { "Region" } else { "Painted" })
    }
}

impl<'a> SizeRules<'a> {
    /// Prepares rules for a surface given in m.
    pub(super) fn new(
        rules: &[SizeRule<'a>],
        surface: &Surface,
        frame: UnitFrame,
    ) -> Result<Self, TetError> {
        let prepared = |(rule, wanted): (usize, &SizeRule<'a>)| {
            let SizeRule { size, source } = *wanted;
            if !(size.is_finite() && size > 0.0) {
                let expected = "a positive length in m";
                return Err(TetError::Setting { field: "finer size", value: size, expected });
            }
            let place = match source {
                SizeSource::Region(holds) => RuleRegion::Region(holds),
                SizeSource::Painted { colour, tolerance } => {
                    let corners = painted_corners(surface, colour, tolerance);
                    if corners.is_empty() {
                        return Err(TetError::NotPainted { rule, colour });
                    }
                    let in_units = |corners: [DVec3; 3]| corners.map(|x| frame.in_units(x));
                    RuleRegion::Painted(SurfaceTree::of_corners(
                        corners.into_iter().map(in_units).collect(),
                    ))
                }
            };
            Ok(PreparedRule { size: size / frame.scale, place })
        };
        let rules = rules.iter().enumerate().map(prepared).collect::<Result<_, _>>()?;
        Ok(Self { frame, rules })
    }

    /// The number of times that cells of this length must halve to reach the smallest size of the rules.
    pub(super) fn halvings(&self, length: f64) -> u8 {
        /// Tolerance: a size missed only by rounding causes no further halving.
        const ROUNDING: f64 = 1e-9;
        let smallest = self.rules.iter().map(|rule| rule.size).fold(f64::INFINITY, f64::min);
        // The cast saturates: values below 0 become 0, and 255 is more than any octree has.
        ((length / smallest).log2() - ROUNDING).ceil() as u8
    }

    /// True if a cube with this centre and side is larger than some rule allows.
    pub(super) fn is_too_large(&self, middle: DVec3, side: f64) -> bool {
        const ROUNDING: f64 = 1e-9;
        self.rules.iter().any(|rule| {
            side > rule.size * (1.0 + ROUNDING) && rule.place.touches(middle, side, &self.frame)
        })
    }

    /// Returns an error if a rule applies to none of the cells, given by their centres and extents.
    pub(super) fn check_met(&self, cells: &[(DVec3, f64)]) -> Result<(), TetError> {
        let is_idle = |rule: &PreparedRule| {
            !cells.iter().any(|(middle, side)| rule.place.touches(*middle, *side, &self.frame))
        };
        match self.rules.iter().position(is_idle) {
            Some(rule) => Err(TetError::NothingThere { rule }),
            None => Ok(()),
        }
    }
}

impl RuleRegion<'_> {
    fn touches(&self, middle: DVec3, side: f64, frame: &UnitFrame) -> bool {
        /// The number of test points along the side of a cube.
        const POINTS: usize = 4;
        match self {
            Self::Painted(tree) => {
                let half_diagonal = side * 0.75f64.sqrt();
                tree.distance_up_to(middle, half_diagonal) < half_diagonal
            }
            Self::Region(holds) => (0..POINTS.pow(3)).any(|number| {
                let along = |step: usize| (step % POINTS) as f64 / (POINTS - 1) as f64 - 0.5;
                let steps = [number, number / POINTS, number / POINTS.pow(2)];
                holds(frame.in_metres(middle + side * DVec3::from(steps.map(along))))
            }),
        }
    }
}

/// The triangles that have a colour at all corners.
fn painted_corners(surface: &Surface, colour: [f32; 3], tolerance: f32) -> Vec<[DVec3; 3]> {
    let Some(colours) = &surface.colours else { return Vec::new() };
    let is_painted = |vertex: &u32| {
        colours.get(*vertex as usize).is_some_and(|own| {
            own.iter().zip(&colour).all(|(own, wanted)| (own - wanted).abs() <= tolerance)
        })
    };
    let triangles = surface.triangles.iter().zip(surface.corners());
    let painted = triangles.filter(|(triangle, _)| triangle.iter().all(is_painted));
    painted.map(|(_, corners)| corners).collect()
}
