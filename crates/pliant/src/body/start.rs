//! Where the nodes of a body are at time zero.

use glam::DVec3;

use crate::math::SplitMix;
use crate::mesh::Mesh;

/// A shape to begin in, other than the one at rest: squashed, inverted, or in no order at all.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Start {
    /// Positions scaled about a point, each axis by a factor of its own: `0` flattens the body, a
    /// negative one turns it inside out.
    Scaled {
        /// Factors along x, y and z.
        factors: DVec3,
        /// The point that stays, in m; the centre of the body's bounds if none.
        about: Option<DVec3>,
    },
    /// Every node at a random place within the bounds of the body, the same for the same seed on every
    /// machine.
    Scattered {
        /// Start of the random numbers.
        seed: u64,
    },
}

impl Start {
    /// Where the nodes of `mesh` are then, in m.
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
