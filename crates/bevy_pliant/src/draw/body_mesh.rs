//! Positions and normals of a body, written into the buffers of a mesh.

use bevy_asset::RenderAssetUsages;
use bevy_mesh::{Indices, Mesh, MeshVertexAttribute, PrimitiveTopology, VertexAttributeValues};
use pliant::Surface;
use pliant::glam::DVec3;

use super::creases::Creased;

/// A mesh for a surface that does not move: an obstacle, or scenery. Edges that turn by more than `crease`, in rad, are sharp.
pub fn mesh_of_surface(surface: &Surface, crease: f32, usages: RenderAssetUsages) -> Mesh {
    let creased = Creased::new(&surface.vertices, &surface.triangles, f64::from(crease));
    let mut mesh = empty_mesh(&creased, usages);
    MeshWriter::default().write(&surface.vertices, DVec3::ZERO, &creased, &mut mesh, usages);
    mesh
}

/// A mesh with triangles, but without positions.
pub(super) fn empty_mesh(creased: &Creased, usages: RenderAssetUsages) -> Mesh {
    let indices = creased.triangles.as_flattened().to_vec();
    Mesh::new(PrimitiveTopology::TriangleList, usages).with_inserted_indices(Indices::U32(indices))
}

/// Writes positions and normals. Its buffer keeps its memory from frame to frame.
#[derive(Debug, Default)]
pub(super) struct MeshWriter {
    areas: Vec<DVec3>,
}

impl MeshWriter {
    /// Writes the vertices of a skin, relative to `origin`, and their normals straight into the vectors that the mesh owns: each number is
    /// converted to single precision where the renderer takes it from. If the renderer has taken the vectors of the last frame, the mesh gets
    /// new ones.
    pub(super) fn write(
        &mut self,
        skin: &[DVec3],
        origin: DVec3,
        creased: &Creased,
        mesh: &mut Mesh,
        usages: RenderAssetUsages,
    ) {
        if mesh.try_indices().is_err() {
            *mesh = empty_mesh(creased, usages);
        }
        self.add_areas(skin, creased);
        let mut positions = taken(mesh, Mesh::ATTRIBUTE_POSITION);
        let place = |vertex: &u32| (skin[*vertex as usize] - origin).as_vec3().to_array();
        positions.extend(creased.skin_vertex.iter().map(place));
        mesh.insert_attribute(Mesh::ATTRIBUTE_POSITION, positions);

        let mut normals = taken(mesh, Mesh::ATTRIBUTE_NORMAL);
        let normal = |area: &DVec3| area.normalize_or(DVec3::Y).as_vec3().to_array();
        normals.extend(self.areas.iter().map(normal));
        mesh.insert_attribute(Mesh::ATTRIBUTE_NORMAL, normals);
    }

    /// Sums up the areas times normals of the triangles around each vertex.
    fn add_areas(&mut self, skin: &[DVec3], creased: &Creased) {
        self.areas.clear();
        self.areas.resize(creased.skin_vertex.len(), DVec3::ZERO);
        let at = |vertex: u32| skin[creased.skin_vertex[vertex as usize] as usize];
        for triangle in &creased.triangles {
            let [a, b, c] = triangle.map(at);
            let area = (b - a).cross(c - a);
            triangle.iter().for_each(|vertex| self.areas[*vertex as usize] += area);
        }
    }
}

/// The vector of an attribute, emptied, with its memory; a new one if there is none.
fn taken(mesh: &mut Mesh, attribute: MeshVertexAttribute) -> Vec<[f32; 3]> {
    match mesh.remove_attribute(attribute.id) {
        Some(VertexAttributeValues::Float32x3(mut values)) => {
            values.clear();
            values
        }
        _ => Vec::new(),
    }
}
