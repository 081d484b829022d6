//! Models of rigid bodies.

use glam::DVec3;

use crate::body::material_point::MaterialPoint;
use crate::body::mesh_point::MeshPoint;
use crate::body::model::config::ModelConfig;
use crate::body::model::error::ModelError;
use crate::body::model::model::Model;
use crate::body::model::rigid::inertia::{Inertia, RigidMotion};
use crate::body::skin::skin::Skin;
use crate::body::skin::touching::Touch;
use crate::body::state::State;
use pliant_kernels::element::Kind;
use pliant_kernels::material::{LawKind, Material};
use pliant_mesh::geometry::{MassProperties, Pose, Shape, Surface};
use pliant_mesh::mesh::{Block, Mesh};

/// Settings of a rigid body.
///
/// ```
/// use pliant::body::RigidConfig;
///
/// let anvil = RigidConfig { mass: Some(40.0), ..Default::default() };
/// assert_eq!(anvil.young, 1e7);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RigidConfig {
    /// In kg/m³ (default `1000`); if `mass` is given, the density follows from it.
    pub density: f64,
    /// Total mass, in kg (default `None`: density times volume).
    pub mass: Option<f64>,
    /// Young's modulus of the contact layer, in Pa (default `1e7`): under its own weight a cube of one metre with the
    /// density of water sinks into the ground by some hundredths of a millimetre. A stiffer layer sinks less, but a
    /// rolling body then hops from facet to facet of its skin, and systems with soft bodies take longer to solve.
    pub young: f64,
}

impl Default for RigidConfig {
    fn default() -> Self {
        Self { density: 1000.0, mass: None, young: 1e7 }
    }
}

impl Model {
    /// A rigid body of uniform density with this closed surface as its skin.
    ///
    /// ```
    /// use glam::DVec3;
    /// use pliant::body::RigidConfig;
    /// use pliant::{Model, Shape};
    ///
    /// let crate_ = Shape::Box { half: DVec3::new(0.5, 0.3, 0.4) }.surface(4)?;
    /// let model = Model::rigid(&crate_, RigidConfig::default())?;
    /// assert!(model.is_rigid() && (model.mass() - 480.0).abs() < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the surface is open, flat or inside out, or if the mass is not positive.
    pub fn rigid(surface: &Surface, config: RigidConfig) -> Result<Self, ModelError> {
        Self::rigid_of(&surface.mass_properties()?, surface, config)
    }

    /// A rigid ball, box or capsule: its inertia is that of the exact shape, its skin a triangulation of this
    /// [fineness](Shape::surface).
    ///
    /// # Errors
    ///
    /// Returns an error if the shape has no volume or is unbounded, or if the mass is not positive.
    pub fn rigid_shape(
        shape: &Shape,
        fineness: u32,
        config: RigidConfig,
    ) -> Result<Self, ModelError> {
        Self::rigid_of(&shape.mass_properties()?, &shape.surface(fineness)?, config)
    }

    /// A rigid body of known volume, centre and second moment. The surface is the skin; it need not be closed.
    ///
    /// # Errors
    ///
    /// Returns an error if the body is too flat to have an inertia in all directions, or if the mass is not positive.
    #[doc(hidden)]
    pub fn rigid_of(
        solid: &MassProperties,
        surface: &Surface,
        config: RigidConfig,
    ) -> Result<Self, ModelError> {
        let mass = config.mass.unwrap_or(config.density * solid.volume);
        if !(mass.is_finite() && mass > 0.0) {
            return Err(ModelError::RigidMass { mass, volume: solid.volume });
        }
        let inertia = Inertia::new(solid, mass)?;
        let (young, density) = (config.young, mass / solid.volume);
        let law = LawKind::Corotated;
        let material = Material { law, young, density, poisson: 0.3, ..Material::default() };
        let cell = Block { kind: Kind::Tet4, nodes: vec![0, 1, 2, 3] };
        let mesh = Mesh::new(inertia.nodes().to_vec(), vec![cell])?;
        let skin = rigid_skin(&mesh, &inertia, surface);
        let model = Self::new(mesh, vec![material], vec![0], ModelConfig::default())?;
        model.made_rigid(inertia).with_skin(skin).with_touch(Touch::Drawn)
    }
}

impl Model {
    /// The same as a rigid body: its single cell has a quarter of the mass at each node.
    #[must_use]
    pub(crate) fn made_rigid(self, inertia: Inertia) -> Self {
        let masses = vec![0.25 * inertia.mass; self.mesh.nodes.len()];
        Self { masses, inertia: Some(inertia), ..self }
    }

    /// Mass and inertia of a rigid body; none if the body deforms.
    pub fn inertia(&self) -> Option<&Inertia> {
        self.inertia.as_ref()
    }

    /// True if the body is rigid.
    pub fn is_rigid(&self) -> bool {
        self.inertia.is_some()
    }
}

/// The vertices of a surface as affine combinations of the four nodes.
fn rigid_skin(mesh: &Mesh, inertia: &Inertia, surface: &Surface) -> Skin {
    let place = |position: &DVec3| MeshPoint::within(0, reference(inertia, *position));
    let places: Vec<MeshPoint> = surface.vertices.iter().map(place).collect();
    let lines = surface.lines.iter().map(|line| line.to_vec()).collect();
    Skin::embedded(mesh, &places, surface.triangles.clone()).with_lines(lines)
}

/// ξ of a point in the linear tetrahedron: the weights of its last three nodes.
fn reference(inertia: &Inertia, position: DVec3) -> DVec3 {
    let [_, a, b, c] = inertia.weights(position);
    DVec3::new(a, b, c)
}

impl Inertia {
    /// The material point at rest at `position`.
    pub fn point(&self, position: DVec3) -> MaterialPoint {
        let weights = self.weights(position).to_vec();
        MaterialPoint { cell: 0, nodes: vec![0, 1, 2, 3], weights }
    }

    /// The rigid transformation from rest to the present position.
    pub fn pose(&self, state: &State) -> Pose {
        let motion = self.motion(state);
        let rotation = glam::DQuat::from_mat3(&motion.rotation).normalize();
        Pose { rotation, translation: motion.centre - rotation * self.centre }
    }

    /// Moves the body from rest by `pose`, with a velocity of its centre, in m/s, and an angular velocity, in rad/s.
    pub fn set(&self, pose: &Pose, velocity: DVec3, angular_velocity: DVec3, state: &mut State) {
        let rotation = glam::DMat3::from_quat(pose.rotation);
        let centre = pose.point(self.centre);
        let angular_momentum = self.tensor(rotation) * angular_velocity;
        let motion = RigidMotion { centre, rotation, velocity, angular_momentum };
        self.place(&motion, state);
    }
}
