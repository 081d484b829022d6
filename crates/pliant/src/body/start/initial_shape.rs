//! Initial shapes of bodies.

use glam::DVec3;

use pliant_kernels::math::SplitMix;
use pliant_mesh::mesh::Mesh;

/// An initial shape other than the rest shape: scaled, inverted, or scattered.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum InitialShape {
    /// Positions scaled about a point, with one factor per axis: `0` flattens the body, a negative factor turns it
    /// inside out.
    Scaled {
        /// Factors along x, y and z.
        factors: DVec3,
        /// The fixed point, in m; the centre of the bounds of the body if none.
        about: Option<DVec3>,
    },
    /// Every node at a random position within the bounds of the body. Equal seeds give equal positions on every
    /// machine.
    Scattered {
        /// Seed of the random numbers.
        seed: u64,
    },
}

impl InitialShape {
    /// Initial positions of the nodes of `mesh`, in m.
    pub fn positions(&self, mesh: &Mesh) -> Vec<DVec3> {
        let (low, high) = mesh.bounds();
        let (centre, half) = (0.5 * (low + high), 0.5 * (high - low));
        match *self {
            Self::Scaled { factors, about } => {
                let about = about.unwrap_or(centre);
                mesh.nodes.iter().map(|rest| about + factors * (*rest - about)).collect()
            }
            Self::Scattered { seed } => {
                let mut random = SplitMix::new(seed);
                let mut place = || {
                    let [x, y, z] = [(); 3].map(|()| random.signed_unit());
                    centre + half * DVec3::new(x, y, z)
                };
                mesh.nodes.iter().map(|_| place()).collect()
            }
        }
    }
}
