//! Copies of bodies on a grid, from one description.

use glam::{DQuat, DVec3};
use pliant::geometry::Pose;
use pliant::math::SplitMix;

use super::plan::{BodyPlan, CopiesPlan, Copy};

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

/// Returns the copies of a body, with numbered names; `first` is its index in the scene.
pub(super) fn expanded(plan: BodyPlan, copies: &CopiesPlan, first: usize) -> Vec<BodyPlan> {
    let about = plan.world_from_mesh.translation;
    let poses = copies.poses(about);
    let copy = |(index, pose): (usize, Pose)| BodyPlan {
        name: format!("{}-{}", plan.name, index + 1),
        copy: Some(Copy { of: first, pose }),
        ..plan.clone()
    };
    poses.into_iter().enumerate().map(copy).collect()
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
