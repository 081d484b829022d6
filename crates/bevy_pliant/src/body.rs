//! Components of bodies.

use std::sync::Arc;

use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_math::Vec3;
use bevy_transform::components::Transform;
use pliant::body::{ModelError, RigidConfig};
use pliant::{BodyHandle, ContactConfig, Material, Mesh, MethodConfig, Model, Motion, Pin, Shape};

/// A soft or rigid body. Spawn it with a [`Transform`], which says where it begins, and with a material of your renderer.
///
/// At the next fixed step it is added to the [`PliantWorld`](crate::PliantWorld) and gets a [`BodyLink`] and a mesh. From then on the plugin
/// writes the transform: its translation is the centre of mass, and a rigid body also turns it. To move a body later, use the
/// world. Despawn the entity to remove the body. A body has no parent, because it moves in world coordinates.
///
/// A `Name` becomes the name of the body. Changes of this component after that have no effect.
#[derive(Component, Debug, Clone)]
#[require(Transform)]
pub struct PliantBody {
    /// The constant part, which bodies of one kind share.
    pub model: Arc<Model>,
    /// How it is stepped (default [`MethodConfig::default`]).
    pub method: MethodConfig,
    /// How it touches others (default [`ContactConfig::default`]).
    pub contact: ContactConfig,
}

impl From<Arc<Model>> for PliantBody {
    fn from(model: Arc<Model>) -> Self {
        Self { model, method: MethodConfig::default(), contact: ContactConfig::default() }
    }
}

impl PliantBody {
    /// A soft body of one material.
    ///
    /// # Errors
    ///
    /// Returns an error if a cell of the mesh is invalid, or the material is.
    pub fn soft(mesh: Mesh, material: Material) -> Result<Self, ModelError> {
        Ok(Arc::new(Model::uniform(mesh, material)?).into())
    }

    /// A rigid ball, box or capsule. For other rigid bodies make the model with [`Model::rigid`].
    ///
    /// # Errors
    ///
    /// Returns an error if the shape has no volume, or the mass is not positive.
    pub fn rigid(shape: &Shape, config: RigidConfig) -> Result<Self, ModelError> {
        /// Triangles along a side of a shape: enough for a ball to roll.
        const FINENESS: u32 = 4;
        Ok(Arc::new(Model::rigid_shape(shape, FINENESS, config)?).into())
    }

    /// The same with other contact settings.
    #[must_use]
    pub fn with_contact(self, contact: ContactConfig) -> Self {
        Self { contact, ..self }
    }

    /// The same with another method.
    #[must_use]
    pub fn with_method(self, method: MethodConfig) -> Self {
        Self { method, ..self }
    }
}

/// Nodes of a body that are held or led. It is read when the body is added. Positions and axes of its motions are those of the model, before the
/// transform of the entity.
#[derive(Component, Debug, Clone, Default)]
pub struct PliantPins(pub Vec<Pin>);

impl PliantPins {
    /// Holds the nodes of a set of a mesh, such as the side `x-` of a box; `None` if there is no such set.
    pub fn hold(mesh: &Mesh, set: &str) -> Option<Self> {
        Self::lead(mesh, set, Motion::default())
    }

    /// Moves the nodes of a set of a mesh; `None` if there is no such set.
    pub fn lead(mesh: &Mesh, set: &str, motion: Motion) -> Option<Self> {
        let nodes = mesh.node_set(set)?.nodes.clone();
        Some(Self(vec![Pin { nodes, motion, ..Pin::default() }]))
    }
}

/// The velocity with which a body begins. It is read when the body is added.
#[derive(Component, Debug, Clone, Copy, Default, PartialEq)]
pub struct PliantVelocity {
    /// Of the centre of mass, in m/s.
    pub linear: Vec3,
    /// Angular velocity, in rad/s.
    pub angular: Vec3,
}

/// The body of an entity in the [`PliantWorld`](crate::PliantWorld). The plugin adds it; remove it, or despawn the entity, to remove the body.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq)]
pub struct BodyLink(pub BodyHandle);

/// A fragment of a body that broke. It has clones of the components that the entity of the unbroken body had, its material for example.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fragment {
    /// The entity of the body that it broke off from. It may be despawned by now.
    pub of: Entity,
}

/// What could not be added to the world, as a [`PliantProblem`](crate::messages::PliantProblem) said. Remove it to try again.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rejected;
