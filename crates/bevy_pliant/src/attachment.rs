//! Attachments: regions of bodies that are held by other bodies, moving frames or the world.

use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::lifecycle::Remove;
use bevy_ecs::message::MessageWriter;
use bevy_ecs::observer::On;
use bevy_ecs::query::Without;
use bevy_ecs::system::{Commands, Query, ResMut};
use bevy_math::Vec3;
use pliant::body::MaterialPoint;
use pliant::world::{AttachmentHandle, Bond, Support};
use pliant::{Attachment, Body, Motion};

use crate::body::{BodyLink, Rejected};
use crate::convert::to_pliant;
use crate::error::PliantError;
use crate::messages::PliantProblem;
use crate::world::PliantWorld;

/// Holds a region of a body where it is when both bodies are in the world. It is a component of an entity of its own: despawn that to release the
/// region. When it breaks, the plugin removes the component.
#[derive(Component, Debug, Clone)]
pub struct PliantAttachment {
    /// The entity of the body.
    pub body: Entity,
    /// The region of it that is held.
    pub region: Region,
    /// The support.
    pub support: PliantSupport,
    /// A weld (the default) or a hinge. The axis of a hinge is in world coordinates.
    pub bond: Bond,
    /// Stiffness of all springs together, in N/m (default `None`: much stiffer than the bodies).
    pub stiffness: Option<f64>,
    /// The force, in N, above which it breaks (default `None`: it never breaks).
    pub strength: Option<f64>,
}

impl PliantAttachment {
    /// A weld that never breaks.
    pub fn new(body: Entity, region: Region, support: PliantSupport) -> Self {
        Self { body, region, support, bond: Bond::Weld, stiffness: None, strength: None }
    }
}

/// A region of a body.
#[derive(Debug, Clone)]
pub enum Region {
    /// A set of nodes that the mesh names, such as the side `x-` of a box.
    Set(String),
    /// The nodes with these indices.
    Nodes(Vec<u32>),
    /// The nodes that are now in a ball.
    Ball {
        /// In m.
        centre: Vec3,
        /// In m.
        radius: f32,
    },
    /// These points.
    Points(Vec<MaterialPoint>),
}

impl Region {
    /// The points of a body; none if the region misses it.
    fn points(&self, body: &Body) -> Vec<MaterialPoint> {
        let mesh = body.model().mesh();
        match self {
            Self::Set(name) => {
                let nodes = mesh.node_set(name).map_or(&[][..], |set| &set.nodes);
                MaterialPoint::of_nodes(mesh, nodes)
            }
            Self::Nodes(nodes) => MaterialPoint::of_nodes(mesh, nodes),
            Self::Ball { centre, radius } => {
                let (centre, radius) = (to_pliant(*centre), f64::from(*radius));
                let own = (0u32..).zip(&body.state.x);
                let inside = own.filter(|(_, x)| x.distance(centre) <= radius);
                MaterialPoint::of_nodes(mesh, &inside.map(|(node, _)| node).collect::<Vec<_>>())
            }
            Self::Points(points) => points.clone(),
        }
    }
}

/// The support of an attachment.
#[derive(Debug, Clone, Default)]
pub enum PliantSupport {
    /// The fixed world.
    #[default]
    World,
    /// A frame with prescribed motion.
    Frame(Motion),
    /// The body of another entity.
    Body(Entity),
}

/// The attachment of an entity in the [`PliantWorld`]. The plugin adds it, and removes it with the [`PliantAttachment`] when that breaks.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq)]
pub struct AttachmentLink(pub AttachmentHandle);

/// Adds the attachments of new entities whose bodies are in the world, in the order of their entities.
pub(crate) fn add_attachments(
    mut commands: Commands,
    mut world: ResMut<PliantWorld>,
    mut problems: MessageWriter<PliantProblem>,
    bodies: Query<&BodyLink>,
    new: Query<(Entity, &PliantAttachment), (Without<AttachmentLink>, Without<Rejected>)>,
) {
    let mut new: Vec<_> = new.iter().collect();
    new.sort_by_key(|parts| parts.0);
    for (entity, attachment) in new {
        let Some(attachment) = resolved(attachment, &world, &bodies) else { continue };
        match world.attach(&attachment) {
            Ok(handle) => {
                world.attachments.insert(handle, entity);
                commands.entity(entity).insert(AttachmentLink(handle));
            }
            Err(error) => {
                problems.write(PliantProblem { entity, error: PliantError::from(error) });
                commands.entity(entity).insert(Rejected);
            }
        }
    }
}

/// The attachment with handles for entities; `None` until both bodies are in the world.
fn resolved(
    attachment: &PliantAttachment,
    world: &PliantWorld,
    bodies: &Query<&BodyLink>,
) -> Option<Attachment> {
    let BodyLink(body) = *bodies.get(attachment.body).ok()?;
    let support = match &attachment.support {
        PliantSupport::World => Support::World,
        PliantSupport::Frame(motion) => Support::Frame(motion.clone()),
        PliantSupport::Body(other) => Support::Body(bodies.get(*other).ok()?.0),
    };
    let points = attachment.region.points(world.get(body)?);
    let PliantAttachment { bond, stiffness, strength, .. } = *attachment;
    Some(Attachment { body, points, support, bond, stiffness, strength })
}

/// Releases the attachment of an entity that is despawned.
pub(crate) fn remove_attachment(
    event: On<'_, '_, Remove<AttachmentLink>>,
    links: Query<&AttachmentLink>,
    mut world: ResMut<PliantWorld>,
) {
    let Ok(AttachmentLink(handle)) = links.get(event.entity) else { return };
    if world.attachments.remove(handle).is_some() {
        world.detach(*handle);
    }
}
