//! Steps a world of soft bodies and a world of rigid bodies together.

use std::sync::Arc;

use glam::DVec3;
use pliant::body::RigidConfig;
use pliant::internals::Inertia;
use pliant::{Body, BodyHandle, Model, StepReport, World};
use rapier3d_f64::dynamics::{RigidBody, RigidBodyHandle};
use rapier3d_f64::pipeline::PhysicsWorld;

use crate::CouplingError;
use crate::convert::{from_rapier, pose_from_rapier, to_rapier};
use crate::skin::{solid_of, surface_of};

/// Contact settings of a proxy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProxyConfig {
    /// The number of segments along an edge of its skin (default `6`, see [`pliant::geometry::Shape::surface`]).
    /// Contact uses vertices and edges of the skin, so a wide box needs more.
    pub fineness: u32,
    /// Young's modulus of its contact layer, in Pa (default: that of [`RigidConfig`]).
    pub young: f64,
}

impl Default for ProxyConfig {
    fn default() -> Self {
        Self { fineness: 6, young: RigidConfig::default().young }
    }
}

/// A rigid body of Rapier and its proxy in Pliant.
#[derive(Debug, Clone, Copy)]
struct Proxy {
    rigid: RigidBodyHandle,
    body: BodyHandle,
    /// Momentum and angular momentum at the start of the step.
    begin: [DVec3; 2],
}

/// Steps a world of Pliant and one of Rapier together.
///
/// ```
/// use pliant::{World, WorldConfig};
/// use pliant_rapier::{Coupling, ProxyConfig};
/// use rapier3d_f64::prelude::*;
///
/// let mut rigid = PhysicsWorld::new();
/// let dice = RigidBodyBuilder::dynamic().translation(Vector::new(0.0, 2.0, 0.0));
/// let (dice, _) = rigid.insert(dice, ColliderBuilder::cuboid(0.1, 0.1, 0.1));
///
/// let soft = World::new(WorldConfig::default())?;
/// let mut coupling = Coupling::new(soft, rigid);
/// let proxy = coupling.add(dice, ProxyConfig::default())?;
/// coupling.step();
/// assert!(coupling.rigid.bodies[dice].linvel().y < 0.0);
/// assert!(coupling.soft.get(proxy).is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Obstacles of Pliant push proxies too. A fixed obstacle may therefore be in both worlds; bodies of both kinds then
/// rest on it. Contacts between two rigid bodies are solved in Rapier only.
pub struct Coupling {
    /// Soft bodies, and proxies of rigid ones.
    pub soft: World,
    /// Rigid bodies and joints.
    pub rigid: PhysicsWorld,
    proxies: Vec<Proxy>,
}

impl std::fmt::Debug for Coupling {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { soft, proxies, .. } = self;
        f.debug_struct("Coupling")
            .field("soft", soft)
            .field("proxies", proxies)
            .finish_non_exhaustive()
    }
}

/// The contact layer of proxies: they touch all other bodies, but not each other.
const PROXIES: u32 = 1 << 31;

/// A change of velocity below this, in m/s, does not wake a sleeping rigid body.
const UNFELT: f64 = 1e-3;

impl Coupling {
    /// Couples two worlds; both use the gravity and the step of the Pliant world from now on.
    pub fn new(soft: World, rigid: PhysicsWorld) -> Self {
        Self { soft, rigid, proxies: Vec::new() }
    }

    /// Adds a proxy of a rigid body, with its mass, inertia and shape, so that soft bodies can touch it; returns the
    /// proxy. The mass and the colliders of the rigid body must not change afterwards.
    ///
    /// # Errors
    ///
    /// The body is fixed or kinematic, already has a proxy, or has no shape that soft bodies could touch.
    pub fn add(
        &mut self,
        rigid: RigidBodyHandle,
        config: ProxyConfig,
    ) -> Result<BodyHandle, CouplingError> {
        if self.proxies.iter().any(|proxy| proxy.rigid == rigid) {
            return Err(CouplingError::AlreadyCoupled);
        }
        let colliders = &self.rigid.colliders;
        let owner = self.rigid.bodies.get_mut(rigid).ok_or(CouplingError::NoSuchBody)?;
        if !owner.is_dynamic() {
            return Err(CouplingError::NotDynamic);
        }
        owner.recompute_mass_properties_from_colliders(colliders);
        let surface = surface_of(owner, colliders, &config)?;
        let mass = Some(owner.mass());
        let settings = RigidConfig { mass, young: config.young, ..RigidConfig::default() };
        let model = Model::rigid_of(&solid_of(owner, colliders), &surface, settings)?;
        let body = self.soft.add(Body::new("proxy", Arc::new(model), Vec::new())?);
        self.set_filter(body);
        self.proxies.push(Proxy { rigid, body, begin: [DVec3::ZERO; 2] });
        Ok(body)
    }

    fn set_filter(&mut self, body: BodyHandle) {
        if let Some(contact) = self.soft.contact(body) {
            let own =
                pliant::contact::ContactConfig { layers: PROXIES, meets: !PROXIES, ..*contact };
            self.soft.set_contact(body, own).expect("only its layers were changed");
        }
    }

    /// The proxy of a rigid body, if it has one.
    pub fn proxy(&self, rigid: RigidBodyHandle) -> Option<BodyHandle> {
        self.proxies.iter().find(|proxy| proxy.rigid == rigid).map(|proxy| proxy.body)
    }

    /// Advances both worlds by the step of Pliant.
    pub fn step(&mut self) -> StepReport {
        let config = *self.soft.config();
        self.rigid.gravity = to_rapier(config.gravity);
        self.rigid.integration_parameters.dt = config.dt;
        for index in 0..self.proxies.len() {
            self.place(index);
        }
        let report = self.soft.step();
        for index in 0..self.proxies.len() {
            self.hand_over(index, config.dt * config.gravity);
        }
        self.rigid.step();
        report
    }

    /// Gives a proxy the pose and the velocity of its rigid body.
    fn place(&mut self, index: usize) {
        let Self { soft, rigid, proxies } = self;
        let proxy = &mut proxies[index];
        let Some(owner) = rigid.bodies.get(proxy.rigid) else { return };
        let Some(body) = soft.get_mut(proxy.body) else { return };
        let Some(inertia) = body.model().inertia().copied() else { return };
        let (velocity, spin) = (from_rapier(owner.linvel()), from_rapier(owner.angvel()));
        inertia.set(&pose_from_rapier(owner.position()), velocity, spin, &mut body.state);
        proxy.begin = momenta(&inertia, body);
    }

    /// Applies the momentum that a proxy gained in the step to its rigid body, without the part of gravity, which
    /// Rapier adds itself.
    fn hand_over(&mut self, index: usize, fall: DVec3) {
        let Self { soft, rigid, proxies } = self;
        let Proxy { rigid: handle, body, begin } = proxies[index];
        let Some(owner) = rigid.bodies.get_mut(handle) else { return };
        let Some(body) = soft.get(body) else { return };
        let Some(inertia) = body.model().inertia() else { return };
        let [linear, angular] = momenta(inertia, body);
        let (gained, turned) = (linear - begin[0], angular - begin[1]);
        if owner.is_sleeping() && gained.length() < UNFELT * inertia.mass {
            return;
        }
        push(owner, gained - inertia.mass * fall, turned);
    }
}

fn push(owner: &mut RigidBody, impulse: DVec3, angular: DVec3) {
    owner.apply_impulse(to_rapier(impulse), true);
    owner.apply_torque_impulse(to_rapier(angular), true);
}

/// Linear momentum, and angular momentum about the centre.
fn momenta(inertia: &Inertia, body: &Body) -> [DVec3; 2] {
    let motion = inertia.motion(&body.state);
    [inertia.mass * motion.velocity, motion.angular_momentum]
}
