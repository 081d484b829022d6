//! Mass and inertia of a rigid body, as four point masses.

use glam::{DMat3, DQuat, DVec3};

use crate::body::state::State;
use pliant_kernels::math::{Mat3, polar_rotation, svd};
use pliant_mesh::geometry::{MassProperties, SolidError};

/// Corners of a regular tetrahedron, of positive volume: Σ tₖ = 0, Σ tₖ tₖᵀ = 4 I.
const TETRAHEDRON: [DVec3; 4] = [
    DVec3::new(1.0, 1.0, 1.0),
    DVec3::new(-1.0, 1.0, -1.0),
    DVec3::new(1.0, -1.0, -1.0),
    DVec3::new(-1.0, -1.0, 1.0),
];

/// Smallest ratio of the radii: a thinner body cannot be told from a flat one.
const MIN_RADIUS_RATIO: f64 = 1e-6;

/// Mass and inertia of a rigid body.
///
/// Its nodes are four point masses of a quarter of the mass each, at
///
/// ```text
/// Xₖ = c + Q diag(s) tₖ        sᵢ² = Jᵢ/V
/// ```
///
/// - `c` centre of mass, in m; `J` second moment of the volume V about it, `Q` its axes
/// - `tₖ` corners (±1, ±1, ±1) of a regular tetrahedron
///
/// Since Σ tₖ = 0 and Σ tₖ tₖᵀ = 4 I they have exactly the mass, centre and inertia of the solid, so that momentum,
/// energy and contact of rigid bodies work as for any other body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Inertia {
    /// m, in kg.
    pub mass: f64,
    /// c at rest, in m.
    pub centre: DVec3,
    /// Q: the principal axes at rest, a rotation.
    pub axes: DMat3,
    /// s: root mean square distance of the matter from the centre along each axis, in m.
    pub radii: DVec3,
}

/// Position, rotation, velocity and angular momentum of a rigid body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RigidMotion {
    /// Centre of mass, in m.
    pub centre: DVec3,
    /// Rotation from rest to the present orientation.
    pub rotation: DMat3,
    /// Velocity of the centre of mass, in m/s.
    pub velocity: DVec3,
    /// Angular momentum about the centre of mass, in kg·m²/s.
    pub angular_momentum: DVec3,
}

impl Inertia {
    /// The inertia of a solid with this mass, in kg.
    ///
    /// # Errors
    ///
    /// Returns an error if the solid is too flat to have an inertia in all directions.
    pub fn new(solid: &MassProperties, mass: f64) -> Result<Self, SolidError> {
        let MassProperties { volume, centre, second_moment } = *solid;
        let parts = svd(&Mat3::from(second_moment).symmetric());
        let radii = DVec3::from(parts.sigma).max(DVec3::ZERO) / volume;
        let radii = DVec3::new(radii.x.sqrt(), radii.y.sqrt(), radii.z.sqrt());
        let turns = radii.min_element() >= MIN_RADIUS_RATIO * radii.max_element();
        if !(volume > 0.0 && turns && radii.is_finite() && radii.min_element() > 0.0) {
            return Err(SolidError::Flat { volume, size: 2.0 * radii.max_element() });
        }
        Ok(Self { mass, centre, axes: parts.u.into(), radii })
    }

    /// Rest positions of the four nodes, in m.
    pub fn nodes(&self) -> [DVec3; 4] {
        TETRAHEDRON.map(|corner| self.centre + self.axes * (self.radii * corner))
    }

    /// Weights of the nodes for a point at rest at `position`. They sum to 1; some are negative if the point lies
    /// outside the tetrahedron of the nodes.
    pub fn weights(&self, position: DVec3) -> [f64; 4] {
        let local = self.axes.transpose() * (position - self.centre) / self.radii;
        TETRAHEDRON.map(|corner| 0.25 * (1.0 + corner.dot(local)))
    }

    /// Principal moments m (s_j² + s_k²), in kg·m².
    pub fn moments(&self) -> DVec3 {
        let squares = self.radii * self.radii;
        self.mass * (DVec3::splat(squares.element_sum()) - squares)
    }

    /// Inertia tensor about the centre after a rotation, in kg·m².
    pub fn tensor(&self, rotation: DMat3) -> DMat3 {
        self.in_world(rotation, self.moments())
    }

    /// ω = I⁻¹ L after a rotation, in rad/s.
    pub fn angular_velocity(&self, rotation: DMat3, angular_momentum: DVec3) -> DVec3 {
        self.in_world(rotation, self.moments().recip()) * angular_momentum
    }

    /// A matrix that is diagonal in the principal axes, in world coordinates.
    fn in_world(&self, rotation: DMat3, diagonal: DVec3) -> DMat3 {
        let axes = rotation * self.axes;
        axes * DMat3::from_diagonal(diagonal) * axes.transpose()
    }

    /// Applies an impulse at a point, in N·s, as if it had acted `h` seconds ago: it changes the velocities, and the
    /// position that they led to.
    pub fn kick(&self, state: &mut State, place: DVec3, impulse: DVec3, h: f64) {
        let mut motion = self.motion(state);
        let (push, twist) = (impulse / self.mass, (place - motion.centre).cross(impulse));
        let turn = h * self.angular_velocity(motion.rotation, twist);
        motion.velocity += push;
        motion.angular_momentum += twist;
        motion.centre += h * push;
        motion.rotation = DMat3::from_quat(DQuat::from_scaled_axis(turn)) * motion.rotation;
        self.place(&motion, state);
    }

    /// The rigid motion of the nodes. If they do not move exactly rigidly, it is the nearest rigid motion: with the
    /// same centre, linear and angular momentum, rotated by the polar factor of Σ xₖ Xₖᵀ.
    #[doc(hidden)]
    pub fn motion(&self, state: &State) -> RigidMotion {
        let (centre, velocity) = (mean(&state.x), mean(&state.v));
        let rotation = self.rotation(&state.x);
        let mut moment = DVec3::ZERO;
        for (corner, v) in TETRAHEDRON.iter().zip(&state.v) {
            moment += self.arm(rotation, *corner).cross(*v - velocity);
        }
        RigidMotion { centre, rotation, velocity, angular_momentum: 0.25 * self.mass * moment }
    }

    /// Sets positions and velocities of the nodes to those of a rigid motion.
    #[doc(hidden)]
    pub fn place(&self, motion: &RigidMotion, state: &mut State) {
        let RigidMotion { centre, rotation, velocity, angular_momentum } = *motion;
        let omega = self.angular_velocity(rotation, angular_momentum);
        for (k, corner) in TETRAHEDRON.into_iter().enumerate() {
            let arm = self.arm(rotation, corner);
            state.x[k] = centre + arm;
            state.v[k] = velocity + omega.cross(arm);
        }
    }

    /// Projects the state to the nearest rigid motion, with the same momenta.
    pub fn project(&self, state: &mut State) {
        self.place(&self.motion(state), state);
    }

    /// Vectors from the centre to each node after a rotation, in m.
    pub fn arms(&self, rotation: DMat3) -> [DVec3; 4] {
        TETRAHEDRON.map(|corner| self.arm(rotation, corner))
    }

    /// Vector from the centre to a node, in m.
    fn arm(&self, rotation: DMat3, corner: DVec3) -> DVec3 {
        rotation * (self.axes * (self.radii * corner))
    }

    /// The rotation that fits the nodes best. In principal axes the columns of Σ xₖ Xₖᵀ keep their digits even for
    /// very thin bodies.
    fn rotation(&self, x: &[DVec3]) -> DMat3 {
        let centre = mean(x);
        let mut columns = [DVec3::ZERO; 3];
        for (corner, x) in TETRAHEDRON.iter().zip(x) {
            for (column, t) in columns.iter_mut().zip(corner.to_array()) {
                *column += 0.25 * t * (*x - centre);
            }
        }
        let [a, b, c] = columns;
        let scaled = DMat3::from_cols(self.radii.x * a, self.radii.y * b, self.radii.z * c);
        let turned: DMat3 = polar_rotation(&Mat3::from(scaled)).into();
        turned * self.axes.transpose()
    }
}

/// The mean of four points.
fn mean(points: &[DVec3]) -> DVec3 {
    0.25 * points.iter().take(4).sum::<DVec3>()
}
