//! Attachments: regions of bodies that are held by other bodies, moving frames or the world.

use glam::DVec3;

use crate::body::{BodyError, MaterialPoint, Motion};
use crate::world::slot::handle::{BodyHandle, HandleError};

/// Names an attachment of a world, until it is released or breaks; after that it names nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AttachmentHandle {
    /// How many attachments were made before.
    pub(crate) number: u32,
}

/// The support of an attachment.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Support {
    /// The fixed world.
    #[default]
    World,
    /// A frame with prescribed motion.
    Frame(Motion),
    /// Another body, on which the opposite forces act.
    Body(BodyHandle),
}

/// The kind of an attachment.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Bond {
    /// Holds every point of the region.
    #[default]
    Weld,
    /// Holds two points of an axis, as far apart as the region extends along it: the region can turn about the axis.
    Hinge {
        /// A point of the axis, in m.
        through: DVec3,
        /// Its direction; its length does not matter.
        axis: DVec3,
    },
}

/// A region of a body that a support holds at its present position, by stiff springs of zero length.
///
/// ```
/// # use std::sync::Arc;
/// # use pliant::body::{Body, MaterialPoint, Model};
/// # use pliant::material::Material;
/// # use pliant::mesh::generate::{BoxConfig, box_mesh};
/// use pliant::world::Support;
/// use pliant::{Attachment, World, WorldConfig};
///
/// # let mesh = box_mesh(&BoxConfig { cells: [4, 1, 1], ..Default::default() })?;
/// let side = mesh.node_set("x-").expect("a box names its sides").nodes.clone();
/// # let model = Arc::new(Model::uniform(mesh, Material::default())?);
/// let points = MaterialPoint::of_nodes(model.mesh(), &side);
/// let mut world = World::new(WorldConfig::default())?;
/// let beam = world.add(Body::new("beam", model, vec![])?);
/// let wall = world.attach(&Attachment { points, ..Attachment::new(beam, Support::World) })?;
/// world.step();
/// assert!(world.reaction(wall).expect("it holds").force.y > 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Attachment {
    /// The body.
    pub body: BodyHandle,
    /// The region of it that is held.
    pub points: Vec<MaterialPoint>,
    /// The support.
    pub support: Support,
    /// The kind of attachment (default [`Bond::Weld`]).
    pub bond: Bond,
    /// Stiffness of all springs together, in N/m (default `None`: ten times Young's modulus of the softer body
    /// times its size, so that the springs stretch much less than the bodies).
    pub stiffness: Option<f64>,
    /// The force, in N, above which it breaks (default `None`: it never breaks).
    pub strength: Option<f64>,
}

impl Attachment {
    /// A weld without points: fill in `points` before use.
    pub fn new(body: BodyHandle, support: Support) -> Self {
        let (points, stiffness, strength) = (Vec::new(), None, None);
        Self { body, points, support, bond: Bond::Weld, stiffness, strength }
    }
}

/// An invalid attachment.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AttachmentError {
    /// A handle that names no body of this world.
    #[error(transparent)]
    Handle(#[from] HandleError),
    /// The body and its support are the same.
    #[error("a body cannot be attached to itself")]
    Itself,
    /// All nodes of the body are pinned.
    #[error(
        "all nodes of the body are pinned, so that nothing can hold it: attach the other body to it, or give it fewer pins"
    )]
    Pinned,
    /// The supporting body is pinned by different motions.
    #[error(
        "all nodes of the supporting body are pinned, and not all by the same motion: attach to a frame that moves as the one meant"
    )]
    NoFrame,
    /// The region is empty.
    #[error("there are no points to be held: its region misses the body")]
    NoPoints,
    /// An invalid region or stiffness.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// An axis without direction.
    #[error("the axis of a hinge is ({x}, {y}, {z}) m, expected a direction, such as (0, 0, 1)")]
    Axis {
        /// Its first component.
        x: f64,
        /// Its second.
        y: f64,
        /// Its third.
        z: f64,
    },
    /// An invalid strength.
    #[error(
        "an attachment that lets go beyond {value} N holds nothing: expected a positive number, or none for one that always holds"
    )]
    Strength {
        /// The value given, in N.
        value: f64,
    },
    /// A point outside of a soft body.
    #[error(
        "the {which} body is not at ({x}, {y}, {z}) m, where it would be attached: bring the two together first, or move the axis into the body"
    )]
    Apart {
        /// `first` or `second`.
        which: &'static str,
        /// Where, in m.
        x: f64,
        /// Where, in m.
        y: f64,
        /// Where, in m.
        z: f64,
    },
}
