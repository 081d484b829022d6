//! Steps a world of soft bodies and a world of rigid bodies together.

use std::sync::Arc;

use glam::DVec3;
use pliant::body::RigidConfig;
use pliant::internals::Inertia;
use pliant::{Body, BodyHandle, Model, StepReport, World};
use rapier3d_f64::dynamics::{RigidBody, RigidBodyHandle};
use rapier3d_f64::math::Vector;
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

/// A force and a torque about the centre of mass, in N and N·m; or a momentum and an angular momentum, in N·s and N·m·s.
type Wrench = [DVec3; 2];

/// A rigid body of Rapier and its proxy in Pliant.
#[derive(Debug, Clone, Copy)]
struct Proxy {
    rigid: RigidBodyHandle,
    body: BodyHandle,
    /// Momenta at the start of the step.
    begin: Wrench,
    /// What soft bodies and springs do to it in the step.
    soft: Wrench,
    /// What Rapier did to it besides, by contacts, joints and forces of the user, in the last two steps; the later one first.
    others: [Wrench; 2],
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
        let none = [DVec3::ZERO; 2];
        self.proxies.push(Proxy { rigid, body, begin: none, soft: none, others: [none; 2] });
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
            self.place(index, config.dt);
        }
        let report = self.soft.step();
        for index in 0..self.proxies.len() {
            self.hand_over(index, config.dt, config.gravity);
        }
        self.rigid.step();
        for index in 0..self.proxies.len() {
            self.take_back(index, config.dt, config.gravity);
        }
        report
    }

    /// Gives a proxy the pose of its rigid body, and the velocity that the body would have at the end of the step without soft bodies: with what
    /// Rapier is likely to do to it. So the step of Pliant ends in equilibrium where the whole does.
    fn place(&mut self, index: usize, dt: f64) {
        let Self { soft, rigid, proxies } = self;
        let proxy = &mut proxies[index];
        let Some(owner) = rigid.bodies.get(proxy.rigid) else { return };
        let Some(body) = soft.get_mut(proxy.body) else { return };
        let Some(inertia) = body.model().inertia().copied() else { return };
        let (mut velocity, mut spin) = (from_rapier(owner.linvel()), from_rapier(owner.angvel()));
        let [force, torque] = steady(proxy.others);
        velocity += dt / inertia.mass * force;
        spin += dt * from_rapier(turned_by(owner, torque));
        inertia.set(&pose_from_rapier(owner.position()), velocity, spin, &mut body.state);
        proxy.begin = momenta(&inertia, body);
    }

    /// Lets the force and the torque that Pliant put on a proxy act on its rigid body during the step of Rapier: evenly, as gravity does.
    fn hand_over(&mut self, index: usize, dt: f64, gravity: DVec3) {
        let Self { soft, rigid, proxies } = self;
        let proxy = &mut proxies[index];
        proxy.soft = [DVec3::ZERO; 2];
        let Some(owner) = rigid.bodies.get_mut(proxy.rigid) else { return };
        let Some(body) = soft.get(proxy.body) else { return };
        let Some(inertia) = body.model().inertia() else { return };
        let now = momenta(inertia, body);
        let gained = [now[0] - proxy.begin[0], now[1] - proxy.begin[1]];
        let begin = [inertia.mass * from_rapier(owner.linvel()), angular_momentum(owner)];
        if owner.is_sleeping() && gained[0].length() < UNFELT * inertia.mass {
            return;
        }
        proxy.soft = [gained[0] / dt - inertia.mass * gravity, gained[1] / dt];
        act(owner, proxy.soft);
        proxy.begin = begin;
    }

    /// Ends the force after the step of Rapier, and finds what else Rapier did to the body.
    fn take_back(&mut self, index: usize, dt: f64, gravity: DVec3) {
        let proxy = &mut self.proxies[index];
        let Some(owner) = self.rigid.bodies.get_mut(proxy.rigid) else { return };
        let [force, torque] = proxy.soft;
        act(owner, [-force, -torque]);
        let mass = owner.mass();
        let now = [mass * from_rapier(owner.linvel()), angular_momentum(owner)];
        let others = [
            (now[0] - proxy.begin[0]) / dt - mass * gravity - force,
            (now[1] - proxy.begin[1]) / dt - torque,
        ];
        proxy.others = [others, proxy.others[0]];
    }
}

/// The part of two successive forces that lasts: a weight that rests on a body does, a blow does not.
fn steady([now, before]: [Wrench; 2]) -> Wrench {
    let least = |a: DVec3, b: DVec3| {
        let share = a.dot(b) / b.length_squared();
        // Of two forces in like directions the weaker one.
        if share > 0.0 { if share < 1.0 { a } else { b } } else { DVec3::ZERO }
    };
    [least(now[0], before[0]), least(now[1], before[1])]
}

/// Adds a force at the centre of mass and a torque.
fn act(owner: &mut RigidBody, [force, torque]: Wrench) {
    let wakes = force != DVec3::ZERO || torque != DVec3::ZERO;
    owner.add_force(to_rapier(force), wakes);
    owner.add_torque(to_rapier(torque), wakes);
}

/// Linear momentum, and angular momentum about the centre.
fn momenta(inertia: &Inertia, body: &Body) -> Wrench {
    let motion = inertia.motion(&body.state);
    [inertia.mass * motion.velocity, motion.angular_momentum]
}

/// The angular momentum of a rigid body about its centre.
fn angular_momentum(owner: &RigidBody) -> DVec3 {
    let properties = owner.mass_properties();
    let inertia = properties.local_mprops.reconstruct_inertia_matrix();
    let rotation = owner.position().rotation;
    let local = rotation.inverse() * owner.angvel();
    from_rapier(rotation * (inertia * local))
}

/// The angular acceleration of a rigid body under a torque.
fn turned_by(owner: &RigidBody, torque: DVec3) -> Vector {
    let properties = owner.mass_properties();
    let inverse = properties.local_mprops.reconstruct_inverse_inertia_matrix();
    let rotation = owner.position().rotation;
    rotation * (inverse * (rotation.inverse() * to_rapier(torque)))
}
