//! Bodies: the constant model, the changing state, and the map between nodes and unknowns.
//!
//! ```text
//! body.rs         one body: model, state, pins and pulls     state.rs     everything that steps change
//! kinematics.rs   positions and velocities alone
//! start/          first shapes, places, motions               mesh_point.rs    a point of a cell
//! material_point.rs   a point that moves with the material   fingerprint.rs   hashes of the constant parts
//! model/          mesh, materials, masses, packs; rigid bodies and rigid regions
//! skin/           the surface: vertices interpolated from nodes
//! hold/           pins, pulls, and the unknowns that they leave
//! fracture/       data of fracture that models and bodies store
//! flow/           plastic rest shapes, which states hold
//! ```

mod body;
mod error;
mod fingerprint;
pub(crate) mod flow;
mod fracture;
pub(crate) mod hold;
mod kinematics;
mod limits;
mod material_point;
mod mesh_point;
pub(crate) mod model;
mod skin;
mod snapshot;
mod start;
mod state;

pub use body::Body;
pub use error::BodyError;
pub use flow::flow_state::FlowState;
pub use flow::flowed_model::FlowedModel;
pub use flow::rest_shape::RestShape;
pub use fracture::splinters::{SplinterError, Splinters};
pub use fracture::toughness_map::{Seam, ToughnessMap};
pub(crate) use fracture::whole::{PartOf, Whole};
pub use hold::motion::{Action, Motion, Ramp};
pub use hold::pin::Pin;
pub use hold::pull::{Pull, PullHandle};
pub(crate) use hold::unknowns::Unknowns;
pub(crate) use kinematics::Kinematics;
pub use material_point::MaterialPoint;
pub(crate) use material_point::outside;
pub use mesh_point::MeshPoint;
pub(crate) use model::coloured_batch::ColouredBatch;
pub use model::config::ModelConfig;
pub use model::contents::Contents;
pub use model::contents_error::ContentsError;
pub use model::error::ModelError;
pub(crate) use model::mass::Masses;
pub(crate) use model::mass_matrix::MassMatrix;
pub use model::model::Model;
pub(crate) use model::part::CellNeighbours;
pub(crate) use model::rigid::inertia::{Inertia, RigidMotion};
pub use model::rigid::rigid::RigidConfig;
pub use pliant_kernels::lanes::Dilation;
pub(crate) use pliant_kernels::lanes::{Batch, RestBatch};
pub use skin::motion::SkinMotion;
pub use skin::skin::Skin;
pub use skin::touching::Touch;
pub use start::initial_shape::InitialShape;
pub use state::State;
