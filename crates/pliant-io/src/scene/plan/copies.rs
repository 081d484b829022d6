//! The meaning of a scene file: checked numbers and known names, ready to build.

use glam::{DQuat, DVec3};
use pliant::geometry::Pose;
use pliant_kernels::math::SplitMix;

/// Marks a body as a copy of another one at a different pose.
#[derive(Debug, Clone, PartialEq)]
pub struct Copy {
    /// The copied body, as an index into the bodies of the scene.
    pub of: usize,
    /// Transform from the rest position of that body to the start position of this one.
    pub pose: Pose,
}

/// Copies of a body on a grid.
#[derive(Debug, Clone, PartialEq)]
pub struct CopiesPlan {
    /// Number of copies along each axis.
    pub count: [u32; 3],
    /// Spacing along each axis, in m.
    pub step: DVec3,
    /// Amplitude of the random offset, as a fraction of the spacing.
    pub jitter: f64,
    /// True if each copy is rotated at random.
    pub turn: bool,
    /// Seed of the random offsets and rotations.
    pub seed: u64,
}

impl CopiesPlan {
    /// Number of bodies in total.
    pub fn total(&self) -> usize {
        self.count.iter().map(|n| *n as usize).product()
    }

    /// The transform of each copy from the rest position of the body, in m; `about` is the centre of rotation. The
    /// first copy moves only by its random offset and rotation.
    pub fn poses(&self, about: DVec3) -> Vec<Pose> {
        let [nx, ny, nz] = self.count;
        let mut random = SplitMix::new(self.seed);
        let mut poses = Vec::with_capacity(self.total());
        for y in 0..ny {
            for z in 0..nz {
                for x in 0..nx {
                    let place = DVec3::new(f64::from(x), f64::from(y), f64::from(z)) * self.step;
                    let off = vector(&mut random) * (0.5 * self.jitter) * self.step;
                    let turn = if self.turn { rotation(&mut random) } else { DQuat::IDENTITY };
                    let about_centre = about - turn * about;
                    poses.push(Pose { rotation: turn, translation: place + off + about_centre });
                }
            }
        }
        poses
    }
}

fn vector(random: &mut SplitMix) -> DVec3 {
    DVec3::from([(); 3].map(|()| random.signed_unit()))
}

/// Draws a uniform random rotation: a point in the 4D unit ball, normalized to a unit quaternion.
fn rotation(random: &mut SplitMix) -> DQuat {
    loop {
        let [x, y, z, w] = [(); 4].map(|()| random.signed_unit());
        if (0.01..=1.0).contains(&(x * x + y * y + z * z + w * w)) {
            return DQuat::from_xyzw(x, y, z, w).normalize();
        }
    }
}
