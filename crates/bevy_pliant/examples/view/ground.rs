//! What obstacles look like: the ground is a board of tiles of 0.5 m, other shapes are grey.

use bevy::asset::RenderAssetUsages;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;
use bevy_pliant::pliant::Shape;
use bevy_pliant::{ObstacleLink, PliantObstacle, mesh_of_surface};

/// Side of a tile, in m, and tiles from the middle to the edge.
const TILE: f32 = 0.5;
const TILES: i32 = 40;

/// Gives new obstacles a mesh and a material.
pub(crate) fn dress_obstacles(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    obstacles: Query<(Entity, &PliantObstacle), Added<ObstacleLink>>,
) {
    for (entity, obstacle) in &obstacles {
        let material = StandardMaterial { perceptual_roughness: 0.9, ..default() };
        let mesh = Mesh3d(meshes.add(mesh_of(&obstacle.shape)));
        commands.entity(entity).insert((mesh, MeshMaterial3d(materials.add(material))));
    }
}

fn mesh_of(shape: &Shape) -> Mesh {
    match shape.surface(8) {
        Ok(surface) => mesh_of_surface(&surface, 0.7, RenderAssetUsages::RENDER_WORLD),
        // A plane has no end.
        Err(_) => tiles(),
    }
}

fn tiles() -> Mesh {
    let (mut positions, mut colours, mut indices) = (Vec::new(), Vec::new(), Vec::new());
    for (x, z) in (-TILES..TILES).flat_map(|x| (-TILES..TILES).map(move |z| (x, z))) {
        let first = positions.len() as u32;
        let light = if (x + z) % 2 == 0 { 0.45 } else { 0.36 };
        for (dx, dz) in [(0, 0), (0, 1), (1, 1), (1, 0)] {
            positions.push([TILE * (x + dx) as f32, 0.0, TILE * (z + dz) as f32]);
            colours.push([light, light, light, 1.0]);
        }
        indices.extend([0, 1, 2, 0, 2, 3].map(|k| first + k));
    }
    let normals = vec![[0.0, 1.0, 0.0]; positions.len()];
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD)
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, normals)
        .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, colours)
        .with_inserted_indices(Indices::U32(indices))
}
