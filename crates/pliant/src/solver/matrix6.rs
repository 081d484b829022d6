//! Symmetric 6×6 systems for a velocity and an angular velocity.

use glam::{DMat3, DVec3};

/// A force and a torque, or a velocity and an angular velocity.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Vector6 {
    /// Force or velocity.
    pub linear: DVec3,
    /// Torque or angular velocity.
    pub angular: DVec3,
}

impl Vector6 {
    /// Adds Jᵀ f: a force at `arm` from the centre.
    pub fn add(&mut self, arm: DVec3, force: DVec3) {
        self.linear += force;
        self.angular += arm.cross(force);
    }

    /// J u: the velocity at `arm` from the centre.
    pub fn at(&self, arm: DVec3) -> DVec3 {
        self.linear + self.angular.cross(arm)
    }
}

impl From<[f64; 6]> for Vector6 {
    fn from([a, b, c, d, e, f]: [f64; 6]) -> Self {
        Self { linear: DVec3::new(a, b, c), angular: DVec3::new(d, e, f) }
    }
}

impl From<Vector6> for [f64; 6] {
    fn from(Vector6 { linear, angular }: Vector6) -> Self {
        [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z]
    }
}

/// A symmetric matrix; only the lower triangle is used.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Matrix6(pub(super) [[f64; 6]; 6]);

/// L of Cholesky's A = L Lᵀ.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Factor6([[f64; 6]; 6]);

impl Matrix6 {
    /// diag(m, I), in kg and kg·m².
    pub fn inertia(mass: f64, tensor: DMat3) -> Self {
        let mut matrix = [[0.0; 6]; 6];
        for i in 0..3 {
            matrix[i][i] = mass;
            for j in 0..3 {
                matrix[3 + i][3 + j] = tensor.col(j)[i];
            }
        }
        Self(matrix)
    }

    /// Adds Jᵀ B J of a point at `arm` from the centre.
    pub fn add(&mut self, arm: DVec3, block: DMat3) {
        let columns = columns(arm);
        for (i, column) in columns.iter().enumerate() {
            let pushed = block * *column;
            for (entry, other) in self.0[i].iter_mut().zip(&columns[..=i]) {
                *entry += other.dot(pushed);
            }
        }
    }

    /// Cholesky's factor; the matrix is positive definite, because every motion has a mass.
    pub(super) fn factor(self) -> Factor6 {
        let mut a = self.0;
        for j in 0..6 {
            for k in 0..j {
                for i in j..6 {
                    a[i][j] -= a[i][k] * a[j][k];
                }
            }
            let root = a[j][j].sqrt();
            a[j..].iter_mut().for_each(|row| row[j] /= root);
        }
        Factor6(a)
    }
}

/// Columns of J: the velocity of a point at `arm` for a unit of each unknown.
pub(super) fn columns(arm: DVec3) -> [DVec3; 6] {
    [DVec3::X, DVec3::Y, DVec3::Z, DVec3::X.cross(arm), DVec3::Y.cross(arm), DVec3::Z.cross(arm)]
}

impl Factor6 {
    /// A⁻¹ b.
    pub(super) fn solve(&self, b: Vector6) -> Vector6 {
        let a = &self.0;
        let mut y: [f64; 6] = b.into();
        for i in 0..6 {
            let known: f64 = (0..i).map(|k| a[i][k] * y[k]).sum();
            y[i] = (y[i] - known) / a[i][i];
        }
        for i in (0..6).rev() {
            let known: f64 = (i + 1..6).map(|k| a[k][i] * y[k]).sum();
            y[i] = (y[i] - known) / a[i][i];
        }
        y.into()
    }
}
