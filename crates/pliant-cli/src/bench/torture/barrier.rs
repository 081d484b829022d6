//! Whether a sheet stops a ball.

use glam::DVec3;

use super::sample::Sample;

/// Distance beyond a sheet at which the centre of a ball has passed it, in m: the thickness of the sheet.
const BEYOND: f64 = 0.02;

/// Distance from the middle of a sheet up to which a ball is in front of it or beyond it, not beside it, in m.
const REACH: f64 = 0.45;

/// The first body flies along x against a sheet, which must stop it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Barrier {
    /// The sheet is the second body. At the start it lies in the plane x = 0.
    Body,
    /// The sheet is an obstacle around the plane x = 0.
    Obstacle,
}

/// The place of a ball relative to a sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Place {
    /// In front of it.
    #[default]
    Front,
    /// Beyond it: it has passed through.
    Beyond,
    /// Beside it, or the sheet has turned away. From then on the ball can get beyond it on a free path.
    Beside,
}

impl Barrier {
    /// The place of the ball now.
    pub(super) fn place(self, start: &Sample, now: &Sample) -> Place {
        let Some(ball) = now.centres().first().copied() else { return Place::Front };
        match (self, start.bodies.get(1), now.bodies.get(1)) {
            (Self::Body, Some(start), Some(now)) => place(ball, start, now),
            _ if ball.x > BEYOND => Place::Beyond,
            _ => Place::Front,
        }
    }
}

/// Compares a ball with the vertex of the sheet that is nearest to it across the normal of the sheet, which may turn and bulge.
fn place(ball: DVec3, start: &[DVec3], now: &[DVec3]) -> Place {
    let corner = |y: f64, z: f64| {
        let reach = |k: &usize| y * start[*k].y + z * start[*k].z;
        let farthest = (0..start.len().min(now.len())).max_by(|a, b| reach(a).total_cmp(&reach(b)));
        farthest.map_or(DVec3::ZERO, |k| now[k])
    };
    let (first, second, third) = (corner(-1.0, -1.0), corner(1.0, -1.0), corner(-1.0, 1.0));
    let normal = (second - first).cross(third - first).normalize_or(DVec3::X);
    let across = |from: DVec3| (ball - from).reject_from_normalized(normal).length();
    if across(0.5 * (second + third)) > REACH || normal.x < 0.0 {
        return Place::Beside;
    }
    let nearest = now.iter().min_by(|a, b| across(**a).total_cmp(&across(**b)));
    let is_beyond = nearest.is_some_and(|vertex| (ball - *vertex).dot(normal) > BEYOND);
    if is_beyond { Place::Beyond } else { Place::Front }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Corners of a sheet in the plane x = 0, turned about z by an angle.
    fn sheet(angle: f64) -> Vec<DVec3> {
        let turn = glam::DQuat::from_rotation_z(angle);
        let corners = [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)];
        corners.map(|(y, z)| turn * DVec3::new(0.0, y, z)).into()
    }

    /// A ball is in front of a sheet, beyond it or beside it, also if the sheet has turned.
    #[test]
    fn the_place_of_a_ball_is_that_in_the_frame_of_the_sheet() {
        for angle in [0.0, 0.8, -0.8] {
            let turn = glam::DQuat::from_rotation_z(angle);
            let place =
                |x: f64, y: f64| place(turn * DVec3::new(x, y, 0.1), &sheet(0.0), &sheet(angle));
            assert_eq!(place(-1.0, 0.1), Place::Front);
            assert_eq!(place(0.01, 0.1), Place::Front);
            assert_eq!(place(0.03, 0.1), Place::Beyond);
            assert_eq!(place(0.03, 0.6), Place::Beside);
        }
        assert_eq!(place(DVec3::X, &sheet(0.0), &sheet(2.0)), Place::Beside);
    }
}
