//! Skins in the form that renderers take: single precision, in buffers of the caller.

use glam::DVec3;

use crate::body::skin::skin::Skin;

impl Skin {
    /// Writes positions, in m, and unit normals of all vertices in single precision, for nodes at `nodes`. The buffers get one entry per vertex and
    /// keep their memory from frame to frame, and so does `scratch`. The normal of a vertex is the mean of those of the triangles around it, weighted by
    /// their areas; zero for a vertex of no triangle.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use pliant::mesh::generate::{BoxConfig, box_mesh};
    /// # use pliant::{Body, Material, Model, World, WorldConfig};
    /// # let mut world = World::new(WorldConfig::default())?;
    /// # let model = Arc::new(Model::uniform(box_mesh(&BoxConfig::default())?, Material::default())?);
    /// # let cube = world.add(Body::new("cube", model, vec![])?);
    /// let triangles = world[cube].drawn_skin().triangles(); // constant until `World::version` changes
    /// let indices: Vec<u32> = triangles.iter().flatten().copied().collect();
    /// let (mut scratch, mut positions, mut normals) = (Vec::new(), Vec::new(), Vec::new());
    ///
    /// // In every frame:
    /// world.step();
    /// let body = &world[cube];
    /// body.drawn_skin().write(&body.state.x, &mut scratch, &mut positions, &mut normals);
    /// assert_eq!((indices.len(), positions.len(), normals.len()), (36, 8, 8));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write(
        &self,
        nodes: &[DVec3],
        scratch: &mut Vec<DVec3>,
        positions: &mut Vec<[f32; 3]>,
        normals: &mut Vec<[f32; 3]>,
    ) {
        let count = self.vertex_count();
        self.interpolate(nodes, scratch);
        positions.clear();
        positions.extend(scratch.iter().map(|x| x.as_vec3().to_array()));
        // The second half of the scratch has the sums of the areas.
        scratch.resize(2 * count, DVec3::ZERO);
        let (x, areas) = scratch.split_at_mut(count);
        for triangle in self.triangles() {
            let [a, b, c] = triangle.map(|vertex| x[vertex as usize]);
            let area = (b - a).cross(c - a);
            triangle.iter().for_each(|vertex| areas[*vertex as usize] += area);
        }
        normals.clear();
        normals.extend(areas.iter().map(|area| area.normalize_or_zero().as_vec3().to_array()));
        scratch.truncate(count);
    }
}
