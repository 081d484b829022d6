//! The scene of the example.

use bevy_app::{App, Startup, Update};
use bevy_ecs::error::Result;
use bevy_ecs::message::MessageReader;
use bevy_ecs::name::Name;
use bevy_ecs::resource::Resource;
use bevy_ecs::system::{Commands, ResMut};
use bevy_math::Quat;
use bevy_pliant::messages::BodyBroke;
use bevy_pliant::pliant::glam::DVec3;
use bevy_pliant::pliant::mesh::generate::{BoxConfig, box_mesh};
use bevy_pliant::pliant::mesh::{Block, MeshError};
use bevy_pliant::pliant::{Material, Mesh, Toughness};
use bevy_pliant::{PliantBody, PliantObstacle, PliantPlugin};
use bevy_transform::components::Transform;

/// How many fragments broke off, as the messages said.
#[derive(Resource, Debug, Default)]
pub(crate) struct BrokenOff(pub usize);

/// Adds the plugin, the ground and the crate.
pub(crate) fn set_up(app: &mut App) {
    app.add_plugins(PliantPlugin::default())
        .init_resource::<BrokenOff>()
        .add_systems(Startup, spawn)
        .add_systems(Update, count_fragments);
}

fn spawn(mut commands: Commands) -> Result {
    commands.spawn((Name::new("ground"), PliantObstacle::ground(0.6)));
    let wood = Material {
        young: 2e7,
        poisson: 0.3,
        density: 600.0,
        toughness: Some(Toughness::new(2e5)),
        ..Material::preset("wood")?
    };
    let tilt = Quat::from_rotation_x(0.5) * Quat::from_rotation_z(0.4);
    commands.spawn((
        Name::new("crate"),
        PliantBody::soft(hollow_box(1.0, 6)?, wood)?,
        Transform::from_xyz(0.0, 4.0, 0.0).with_rotation(tilt),
    ));
    Ok(())
}

/// A box about the origin with walls of one layer of cells.
fn hollow_box(size: f64, cells: usize) -> Result<Mesh, MeshError> {
    let config = BoxConfig {
        origin: [-0.5 * size; 3],
        size: [size; 3],
        cells: [cells; 3],
        ..Default::default()
    };
    let full = box_mesh(&config)?;
    let inner = 0.5 * size - size / cells as f64;
    let is_wall = |nodes: &[u32]| {
        let sum: DVec3 = nodes.iter().map(|node| full.nodes[*node as usize]).sum();
        (sum / nodes.len() as f64).abs().max_element() > inner
    };
    // Nodes are numbered again, because those of the cells inside are not needed.
    let (mut number, mut nodes) = (vec![None; full.nodes.len()], Vec::new());
    let mut renumbered = |node: &u32| {
        *number[*node as usize].get_or_insert_with(|| {
            nodes.push(full.nodes[*node as usize]);
            nodes.len() as u32 - 1
        })
    };
    let kind = full.blocks[0].kind;
    let walls = full.cells().filter(|(_, nodes)| is_wall(nodes));
    let cells = walls.flat_map(|(_, nodes)| nodes.iter().map(&mut renumbered).collect::<Vec<_>>());
    let block = Block { kind, nodes: cells.collect() };
    Mesh::new(nodes, vec![block])
}

fn count_fragments(mut broke: MessageReader<BodyBroke>, mut count: ResMut<BrokenOff>) {
    count.0 += broke.read().map(|broke| broke.pieces.len()).sum::<usize>();
}
