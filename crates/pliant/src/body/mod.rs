//! Bodies: the constant model, the changing state, and the map between nodes and unknowns.

mod batch;
#[expect(clippy::module_inception, reason = "the body is the concept of this layer")]
mod body;
mod coloured_batch;
mod combinations;
mod contents;
mod dilation;
mod error;
mod filling;
mod fingerprint;
mod flowed;
mod inertia;
mod mass;
mod material_point;
mod model;
mod motion;
mod place;
mod pull;
mod rigid;
mod rigid_regions;
mod skin;
mod spread;
mod start;
mod state;
mod unknowns;

pub use batch::{Batch, RestPoint};
pub use body::Body;
pub use coloured_batch::ColouredBatch;
pub use contents::{Contents, Leaf};
pub use dilation::Dilation;
pub use error::{BodyError, ContentsError, ModelError};
pub use flowed::CellFlow;
pub use inertia::{Inertia, RigidMotion};
pub use mass::{MassMatrix, consistent_mass, lumped_masses};
pub use material_point::MaterialPoint;
pub use model::{Model, ModelConfig};
pub use motion::{Action, Motion, Pin, Ramp};
pub use place::Place;
pub use pull::Pull;
pub use rigid::RigidConfig;
pub use rigid_regions::RigidRegions;
pub use skin::Skin;
pub use spread::Spread;
pub use start::Start;
pub use state::State;
pub use unknowns::Unknowns;
