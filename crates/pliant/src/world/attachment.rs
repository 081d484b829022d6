//! Parts of bodies that are held by other bodies, by moving frames, or by the world.

use glam::DVec3;

use crate::body::{BodyError, MaterialPoint, Motion, Pull};
use crate::force::{PairForces, PairSide, PointForce};
use crate::math::Mat3;

use super::Handle;

/// Names an attachment of a world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AttachmentHandle {
    pub(super) index: u32,
}

/// What holds a part of a body.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Support {
    /// Nothing that ever moves.
    #[default]
    World,
    /// A frame that moves as prescribed.
    Frame(Motion),
    /// Another body: what it holds with it also feels.
    Body(Handle),
}

/// How a part of a body is held.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Bond {
    /// Every point of the region where it is.
    #[default]
    Weld,
    /// Two points of an axis, as far apart as the region reaches along it: all can turn about it.
    Hinge {
        /// A point of the axis, in m.
        through: DVec3,
        /// Its direction; its length does not matter.
        axis: DVec3,
    },
}

/// A region of a body that something holds where it is now, by stiff springs of no length.
///
/// ```
/// # use std::sync::Arc;
/// # use pliant::body::{Body, MaterialPoint, Model};
/// # use pliant::material::Material;
/// # use pliant::mesh::generate::{BoxConfig, box_mesh};
/// use pliant::world::{Attachment, Support, World, WorldConfig};
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
    pub body: Handle,
    /// The region of it that is held.
    pub points: Vec<MaterialPoint>,
    /// What holds it.
    pub support: Support,
    /// How (default a weld).
    pub bond: Bond,
    /// Stiffness of all springs together, in N/m (default `None`: ten times the modulus of the softer body
    /// times its size, so that the springs give way by much less than the bodies do).
    pub stiffness: Option<f64>,
    /// The force, in N, beyond which it lets go (default `None`: it never does).
    pub strength: Option<f64>,
}

impl Attachment {
    /// A weld of no points yet.
    pub fn new(body: Handle, support: Support) -> Self {
        let (points, stiffness, strength) = (Vec::new(), None, None);
        Self { body, points, support, bond: Bond::Weld, stiffness, strength }
    }
}

/// An attachment that cannot be.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AttachmentError {
    /// A handle of another world.
    #[error("there is no body {index} in this world, which has {count}")]
    NoSuchBody {
        /// The place asked for.
        index: u32,
        /// How many there are.
        count: usize,
    },
    /// A body that is to hold itself.
    #[error("a body cannot be attached to itself")]
    Itself,
    /// A body that nothing can hold.
    #[error(
        "all nodes of the body are pinned, so that nothing can hold it: attach the other body to it, or give it fewer pins"
    )]
    Pinned,
    /// A supporting body that is pinned in parts.
    #[error(
        "all nodes of the supporting body are pinned, and not all by the same motion: attach to a frame that moves as the one meant"
    )]
    NoFrame,
    /// No region.
    #[error("there are no points to be held: its region misses the body")]
    NoPoints,
    /// A region or frame that is none.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// A direction that is none.
    #[error("the axis of a hinge is ({x}, {y}, {z}) m, expected a direction, such as (0, 0, 1)")]
    Axis {
        /// Its first component.
        x: f64,
        /// Its second.
        y: f64,
        /// Its third.
        z: f64,
    },
    /// A strength that is none.
    #[error(
        "an attachment that lets go beyond {value} N holds nothing: expected a positive number, or none for one that always holds"
    )]
    Strength {
        /// The value given, in N.
        value: f64,
    },
    /// A point where a soft body is not.
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

/// A point of a body.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Point {
    /// The cell it is in.
    pub(super) cell: u32,
    /// Nodes of that, and their weights.
    pub(super) weights: Vec<(u32, f64)>,
}

/// What the points of an attachment are held at.
#[derive(Debug, Clone)]
pub(super) enum Held {
    /// Points of another body.
    By(u32, Vec<Point>),
    /// Targets of springs, which are those of the body.
    At(Vec<Pull>),
}

/// An attachment as it is stepped.
#[derive(Debug, Clone)]
pub(super) struct Attached {
    pub(super) body: u32,
    pub(super) points: Vec<Point>,
    pub(super) held: Held,
    /// Of each spring, in N/m.
    pub(super) stiffness: f64,
    /// Force on all its points together beyond which it lets go, in N.
    pub(super) strength: f64,
}

impl Attached {
    /// The two bodies, if it is between two.
    pub(super) fn bodies(&self) -> Option<[u32; 2]> {
        match self.held {
            Held::By(other, _) => Some([self.body, other]),
            Held::At(_) => None,
        }
    }

    /// Adds its springs between two bodies, which are these members of an island.
    pub(super) fn push_pairs<'s>(
        &self,
        members: [u32; 2],
        x: impl Fn(u32) -> &'s [DVec3],
        pairs: &mut PairForces,
    ) {
        let Held::By(_, others) = &self.held else { return };
        for (first, second) in self.points.iter().zip(others) {
            let sides = [(members[0], first), (members[1], second)]
                .map(|(member, point)| PairSide { member, weights: &point.weights });
            let [p, q] = sides.map(|side| side.blend(x(side.member)));
            let (stiffness, damping) = (Mat3::IDENTITY * self.stiffness, Mat3::ZERO);
            pairs.push(sides, PointForce { force: self.stiffness * (q - p), stiffness, damping });
        }
    }
}
