//! Draws all bodies between the last two steps.

use bevy_asset::{Assets, RenderAssetUsages};
use bevy_ecs::entity::Entity;
use bevy_ecs::resource::Resource;
use bevy_ecs::system::{Commands, Local, Query, Res, ResMut};
use bevy_math::Quat;
use bevy_mesh::{Mesh, Mesh3d};
use bevy_time::{Fixed, Time};
use bevy_transform::components::Transform;
use pliant::Body;
use pliant::glam::{DMat3, DQuat, DVec3};

use super::body_mesh::{MeshWriter, empty_mesh};
use super::drawn_body::DrawnBody;
use crate::body::BodyLink;
use crate::convert::{rotation_to_bevy, to_bevy};
use crate::world::PliantWorld;

/// How bodies are drawn.
#[derive(Resource, Debug, Clone, Copy)]
pub(crate) struct DrawConfig {
    pub(crate) usages: RenderAssetUsages,
    /// In rad.
    pub(crate) crease: f64,
}

/// Buffers that keep their memory from frame to frame.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    skin: Vec<DVec3>,
    writer: MeshWriter,
}

/// A body as it is drawn.
type Drawn<'a> = (Entity, &'a BodyLink, &'a mut DrawnBody, &'a mut Transform, Option<&'a Mesh3d>);

/// Places every body that moves, and writes its vertices.
pub(crate) fn draw_bodies(
    mut commands: Commands,
    world: Res<PliantWorld>,
    time: Res<Time<Fixed>>,
    config: Res<DrawConfig>,
    mut meshes: Option<ResMut<Assets<Mesh>>>,
    mut bodies: Query<Drawn<'_>>,
    mut buffers: Local<Buffers>,
) {
    let fraction = time.overstep_fraction_f64();
    for (entity, BodyLink(handle), mut drawn, mut transform, mesh) in &mut bodies {
        let Some(body) = world.get(*handle) else { continue };
        let version = world.version(*handle);
        if !drawn.blend(body, version, fraction) {
            continue;
        }
        let (centre, rotation) = place_of(body, drawn.nodes());
        *transform = Transform { translation: to_bevy(centre), rotation, ..Transform::IDENTITY };
        let Some(meshes) = &mut meshes else { continue };
        let is_new = drawn.renew(body, version, config.crease);
        let Some(mesh) = mesh.filter(|_| !is_new) else {
            let mut mesh = empty_mesh(&drawn.creased, config.usages);
            buffers.write(body, &drawn, centre, &mut mesh, config.usages);
            commands.entity(entity).insert(Mesh3d(meshes.add(mesh)));
            continue;
        };
        // The mesh of a rigid body turns with its transform.
        if !body.model().is_rigid()
            && let Some(mut mesh) = meshes.get_mut(mesh)
        {
            buffers.write(body, &drawn, centre, &mut mesh, config.usages);
        }
    }
}

impl Buffers {
    fn write(
        &mut self,
        body: &Body,
        drawn: &DrawnBody,
        centre: DVec3,
        mesh: &mut Mesh,
        usages: RenderAssetUsages,
    ) {
        let model = body.model();
        let (nodes, origin) = match model.inertia() {
            Some(inertia) => (&model.mesh().nodes[..], inertia.centre),
            None => (drawn.nodes(), centre),
        };
        body.drawn_skin().interpolate(nodes, &mut self.skin);
        self.writer.write(&self.skin, origin, &drawn.creased, mesh, usages);
    }
}

/// The centre of mass, and the rotation of a rigid body.
fn place_of(body: &Body, nodes: &[DVec3]) -> (DVec3, Quat) {
    let model = body.model();
    let weighted = nodes.iter().zip(model.masses()).map(|(x, mass)| *mass * *x);
    let centre = weighted.sum::<DVec3>() / model.mass();
    if !model.is_rigid() {
        return (centre, Quat::IDENTITY);
    }
    (centre, rotation_to_bevy(rigid_rotation(&model.mesh().nodes, nodes)))
}

/// The rotation that takes the four nodes of a rigid body from rest to where they are.
fn rigid_rotation(rest: &[DVec3], nodes: &[DVec3]) -> DQuat {
    let sides = |x: &[DVec3]| DMat3::from_cols(x[1] - x[0], x[2] - x[0], x[3] - x[0]);
    let map = sides(nodes) * sides(rest).inverse();
    // Nodes between two steps are nearly, not exactly, turned.
    let x = map.x_axis.normalize_or(DVec3::X);
    let z = x.cross(map.y_axis).normalize_or(DVec3::Z);
    DQuat::from_mat3(&DMat3::from_cols(x, z.cross(x), z))
}
