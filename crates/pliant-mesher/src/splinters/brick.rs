//! Cuts walls into bricks in courses.

use glam::{DMat3, DVec3};
use pliant::geometry::Surface;
use pliant_mesh::geometry::Aabb;

use super::cells::Cell;
use super::config::{direction, length, not_too_many, share};
use super::cut::cut;
use super::plane::Plane;
use super::random_sequence::RandomSequence;
use super::solid::Solid;
use super::{CutConfig, SplinterError, Splinters};

/// Settings of [`brick`].
///
/// ```
/// use pliant_mesher::splinters::BrickConfig;
///
/// assert!(BrickConfig { height: 0.1, ..BrickConfig::default() }.check().is_ok());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BrickConfig {
    /// Length along the wall, in m (default `0.25`).
    pub length: f64,
    /// Height of a course, in m (default `0.075`).
    pub height: f64,
    /// Depth into the wall, in m (default `0.125`).
    pub depth: f64,
    /// Direction of the courses (default: x).
    pub along: DVec3,
    /// Direction from one course to the next (default: y); its component along the courses is ignored.
    pub up: DVec3,
    /// Random displacement of joints, relative to the brick's sides, 0 to 0.4 (default `0.02`). Without it a joint may
    /// lie in a side of the solid, and then cuts off a sheet of no thickness.
    pub jitter: f64,
    /// Seed of the random displacements (default `1`).
    pub seed: u64,
}

impl Default for BrickConfig {
    fn default() -> Self {
        Self {
            length: 0.25,
            height: 0.075,
            depth: 0.125,
            along: DVec3::X,
            up: DVec3::Y,
            jitter: 0.02,
            seed: 1,
        }
    }
}

impl BrickConfig {
    /// Checks every field.
    pub fn check(&self) -> Result<(), SplinterError> {
        length("length", self.length)?;
        length("height", self.height)?;
        length("depth", self.depth)?;
        share("jitter", self.jitter, 0.4, "a number from 0 to 0.4")?;
        self.axes().map(drop)
    }

    /// The directions along, up, and into the wall.
    fn axes(&self) -> Result<DMat3, SplinterError> {
        let along = direction("the direction along courses", self.along, "")?;
        let across = ", and not along the courses";
        let up = direction("the direction up", self.up, across)?;
        let up = up - up.dot(along) * along;
        let up = if up.length() > 1e-6 { up } else { DVec3::ZERO };
        let up = direction("the direction up, across the courses,", up, across)?;
        Ok(DMat3::from_cols(along, up, along.cross(up)))
    }
}

/// Cuts a closed surface into bricks in courses.
///
/// The joints of every second course are shifted by half a brick, and in deep walls those of every second layer too.
///
/// Bricks are fitted: between the outermost points of the solid there is a whole number of courses, of layers and of
/// bricks, of nearly the given size.
///
/// # Errors
///
/// The surface is open, not manifold or without volume; a setting is out of range; there would be more than
/// [`MAX_SPLINTERS`](super::MAX_SPLINTERS).
pub fn brick(
    surface: &Surface,
    config: &BrickConfig,
    cutting: &CutConfig,
) -> Result<Splinters, SplinterError> {
    config.check()?;
    cutting.check()?;
    let solid = Solid::new(surface)?;
    let axes = config.axes()?;
    let reach = Aabb::of(solid.points().map(|x| axes.transpose() * x));
    let cells = bricks(config, axes, &reach, &solid.bounds)?;
    Ok(cut(solid, &cells, axes, cutting))
}

/// Evenly spaced joints between `low` and `low + count · size`.
struct Joints {
    low: f64,
    size: f64,
    count: usize,
}

impl Joints {
    /// A whole number of bricks of about this size.
    fn fitted(low: f64, high: f64, size: f64) -> Self {
        let count = ((high - low) / size).round().max(1.0);
        Self { low, size: (high - low) / count, count: count as usize }
    }

    /// The positions of joints, shifted by a fraction of a brick.
    fn places(&self, shift: f64, jitter: f64, random: &mut RandomSequence) -> Vec<f64> {
        let inner = (0..=self.count).map(|k| k as f64 + shift);
        let inner = inner.filter(|k| *k > 0.0 && *k < self.count as f64);
        inner.map(|k| self.low + (k + random.signed(jitter)) * self.size).collect()
    }
}

fn bricks(
    config: &BrickConfig,
    axes: DMat3,
    reach: &Aabb,
    within: &Aabb,
) -> Result<Vec<Cell>, SplinterError> {
    let sizes = [config.length, config.height, config.depth];
    let sides = (reach.high - reach.low).to_array();
    let count: f64 =
        sides.into_iter().zip(sizes).map(|(side, size)| (side / size).round() + 1.0).product();
    not_too_many(count)?;
    let [rows, courses, leaves] =
        [0, 1, 2].map(|k| Joints::fitted(reach.low[k], reach.high[k], sizes[k]));
    let mut random = RandomSequence::new(config.seed);
    let mut cells = Vec::new();
    for (course, up) in slabs(axes.y_axis, &courses.places(0.0, config.jitter, &mut random)) {
        let behind = leaves.places(0.0, config.jitter, &mut random);
        for (leaf, deep) in slabs(axes.z_axis, &behind) {
            let shift = if (course + leaf) % 2 == 0 { 0.0 } else { -0.5 };
            let joints = rows.places(shift, config.jitter, &mut random);
            for (_, along) in slabs(axes.x_axis, &joints) {
                let planes: Vec<Plane> = [&up[..], &deep, &along].concat();
                cells.extend(Cell::between(&planes, within));
            }
        }
    }
    Ok(cells)
}

/// The slabs between joints along an axis, each with its index and one or two planes.
fn slabs(axis: DVec3, joints: &[f64]) -> Vec<(usize, Vec<Plane>)> {
    let plane = |place: &f64| Plane { normal: axis, offset: *place, keeps_zero: true };
    let slab = |k: usize| {
        let before =
            k.checked_sub(1).and_then(|k| joints.get(k)).map(|place| plane(place).opposite());
        let behind = joints.get(k).map(plane);
        (k, before.into_iter().chain(behind).collect())
    };
    (0..=joints.len()).map(slab).collect()
}
