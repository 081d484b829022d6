//! The contact laws of all vertices of a skin, from its areas and materials.

use crate::body::{Model, Skin};

use super::vertex_law::VertexLaw;

/// Thickness of the elastic contact layer, in spacings of the skin.
const LAYER_THICKNESS: f64 = 0.1;

impl VertexLaw {
    /// The law of every vertex of a skin.
    pub fn of_skin(model: &Model, skin: &Skin) -> Vec<Self> {
        let solids = stiffest_at_nodes(model);
        let law = |(vertex, patch): (usize, &Patch)| {
            let weights = skin.weights(vertex);
            let blend = |value: fn(&Solid) -> f64| -> f64 {
                weights.clone().map(|(node, w)| w * value(&solids[node as usize])).sum()
            };
            patch.law(blend(|solid| solid.young), blend(|solid| solid.density))
        };
        patches(model, skin).iter().enumerate().map(law).collect()
    }
}

/// Material properties used by contact.
#[derive(Debug, Clone, Copy, Default)]
struct Solid {
    young: f64,
    density: f64,
}

/// The largest stiffness and density of the cells around every node.
fn stiffest_at_nodes(model: &Model) -> Vec<Solid> {
    let mut solids = vec![Solid::default(); model.mesh().nodes.len()];
    for (cell, (_, nodes)) in model.mesh().cells().enumerate() {
        let material = model.material(cell);
        for node in nodes {
            let solid = &mut solids[*node as usize];
            solid.young = solid.young.max(material.young);
            solid.density = solid.density.max(material.density);
        }
    }
    solids
}

/// The triangles of a skin around a vertex.
#[derive(Debug, Clone, Copy, Default)]
struct Patch {
    /// Sum of their areas at rest, in m².
    area: f64,
    count: f64,
}

impl Patch {
    /// `spacing` is the side of a square of two mean triangles: the same for every vertex of a regular skin, for any number
    /// of triangles around it. Then k is proportional to A, and an even pressure meets an even resistance.
    fn law(&self, young: f64, density: f64) -> VertexLaw {
        // A vertex without triangles, or only with triangles without area, represents no surface.
        if self.area <= 0.0 {
            return VertexLaw { stiffness: 0.0, damping: 0.0, spacing: 0.0 };
        }
        let (share, spacing) = (self.area / 3.0, (2.0 * self.area / self.count).sqrt());
        VertexLaw {
            stiffness: young * share / (LAYER_THICKNESS * spacing),
            damping: 2.0 * share * (young * density).sqrt(),
            spacing,
        }
    }
}

fn patches(model: &Model, skin: &Skin) -> Vec<Patch> {
    let mut vertices = Vec::new();
    skin.interpolate(&model.mesh().nodes, &mut vertices);
    let mut patches = vec![Patch::default(); skin.vertex_count()];
    for triangle in skin.triangles() {
        let [a, b, c] = triangle.map(|vertex| vertices[vertex as usize]);
        let area = 0.5 * (b - a).cross(c - a).length();
        for vertex in triangle {
            patches[*vertex as usize].area += area;
            patches[*vertex as usize].count += 1.0;
        }
    }
    patches
}
