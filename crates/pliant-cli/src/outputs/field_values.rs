//! Fields of a body at its nodes, as Bernstein coefficients: the form in which control points,
//! files and skins interpolate them.

use glam::DVec3;
use pliant::body::{Body, Skin};
use pliant::force::{det_f, von_mises};
use pliant::plasticity::{limit_share, plastic_strain, yield_share};
use pliant::world::{BodyHandle, World};
use pliant_io::scene::Field;
use pliant_io::{bernstein_values, vtu};

/// A body of a world.
#[derive(Debug, Clone, Copy)]
pub(super) struct OutputBody<'a> {
    pub(super) world: &'a World,
    pub(super) handle: BodyHandle,
    pub(super) body: &'a Body,
}

impl<'a> OutputBody<'a> {
    /// All bodies of a world, in its order.
    pub(super) fn all(world: &'a World) -> impl Iterator<Item = Self> {
        world.bodies().map(move |(handle, body)| Self { world, handle, body })
    }
}

/// Returns the values of a field on a body, for a volume file.
pub(super) fn volume_field(field: Field, output_body: OutputBody<'_>) -> vtu::Field {
    let body = output_body.body;
    match field {
        Field::Displacement => vtu::Field::vector(field.name(), &displacements(body)),
        Field::Velocity => vtu::Field::vector(field.name(), &body.state.v),
        _ => {
            let values = node_values(field, output_body);
            vtu::Field::scalar(field.name(), bernstein_values(body.model().mesh(), 1, &values))
        }
    }
}

/// Returns the values of a field at the vertices of a skin; for vector fields, the lengths of the vectors.
pub(super) fn skin_values(field: Field, output_body: OutputBody<'_>, skin: &Skin) -> Vec<f64> {
    let body = output_body.body;
    let vectors = |nodes: &[DVec3]| {
        let mut vertices = Vec::new();
        skin.interpolate(nodes, &mut vertices);
        vertices.into_iter().map(DVec3::length).collect()
    };
    match field {
        Field::Displacement => vectors(&displacements(body)),
        Field::Velocity => vectors(&body.state.v),
        // Node values are used as Bernstein coefficients: an interpolating polynomial would overshoot between nodes, to
        // degrees above 2 or below 1, and to negative norms.
        Field::Degree | Field::PlasticStrain | Field::YieldShare | Field::LimitShare => {
            blended(&node_values(field, output_body), skin)
        }
        Field::VonMises | Field::DetF => {
            let values = node_values(field, output_body);
            blended(&bernstein_values(body.model().mesh(), 1, &values), skin)
        }
    }
}

/// The range of values of the colour map: the lowest value and the 99th percentile, since at a clamped corner stress
/// grows without bound as the mesh is refined.
pub(super) fn colour_range<'a>(
    field: Option<Field>,
    values: impl Iterator<Item = &'a f64>,
) -> (f64, f64) {
    let mut values: Vec<f64> = values.copied().filter(|value| value.is_finite()).collect();
    values.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let index = (share * values.len() as f64) as usize;
        values.get(index.min(values.len().saturating_sub(1))).copied().unwrap_or(0.0)
    };
    match field {
        Some(Field::Degree) => (1.0, at(1.0).max(2.0)),
        // At 1 the material yields, or is elastic again.
        Some(Field::YieldShare | Field::LimitShare) => (0.0, 1.0),
        _ => (at(0.0), at(0.99)),
    }
}

/// Interpolates Bernstein coefficients at the vertices of a skin: means with weights of 0 to 1.
fn blended(coefficients: &[f64], skin: &Skin) -> Vec<f64> {
    let blend = |vertex| {
        let terms = skin.weights(vertex);
        terms.map(|(node, weight)| weight * coefficients[node as usize]).sum()
    };
    (0..skin.vertex_count()).map(blend).collect()
}

fn displacements(body: &Body) -> Vec<DVec3> {
    let rest = &body.model().mesh().nodes;
    body.state.x.iter().zip(rest).map(|(x, x_rest)| *x - *x_rest).collect()
}

/// The values of a scalar field at the Lagrange nodes.
fn node_values(field: Field, output_body: OutputBody<'_>) -> Vec<f64> {
    let OutputBody { world, handle, body } = output_body;
    let (rest, x) = (body.rest_shape(), &body.state.x);
    match field {
        Field::DetF => det_f(&rest, x),
        Field::PlasticStrain => plastic_strain(rest),
        Field::YieldShare => yield_share(rest, x),
        Field::LimitShare => limit_share(rest),
        Field::Degree => {
            let degrees = world.degrees(handle).unwrap_or_default();
            degrees.into_iter().map(f64::from).collect()
        }
        _ => von_mises(rest, x),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use pliant::body::{Model, Pin};
    use pliant::material::Material;
    use pliant::mesh::generate::{BoxConfig, box_mesh};
    use pliant::solver::{AdaptiveConfig, MethodConfig};
    use pliant::world::WorldConfig;

    /// The degree shown at a vertex is between those of the nodes, because it is a mean; an interpolating polynomial
    /// reached 2.33.
    #[test]
    fn no_vertex_has_a_degree_above_or_below_those_of_the_nodes() {
        let config =
            BoxConfig { size: [4.0, 1.0, 1.0], cells: [4, 1, 1], degree: 2, ..Default::default() };
        let mesh = box_mesh(&config).expect("a box");
        let nodes = mesh.node_set("x-").expect("a side").nodes.clone();
        let skin = Skin::of_mesh(&mesh, 4);
        let material = Material { young: 1e5, ..Default::default() };
        let model = Arc::new(Model::uniform(mesh, material).expect("a model"));
        let pin = Pin { nodes, ..Default::default() };
        let body = Body::new("bar", model, vec![pin]).expect("a body");
        let mut world = World::new(WorldConfig::default()).expect("a world");
        let method =
            MethodConfig { adaptive: Some(AdaptiveConfig::default()), ..Default::default() };
        let handle = world.add_with(body, method).expect("a method");
        let mut mixed = 0;
        for _ in 0..60 {
            world.step();
            let output_body = OutputBody::all(&world).next().expect("a body");
            let degrees = world.degrees(handle).expect("its degrees");
            mixed += u32::from(degrees.contains(&1) && degrees.contains(&2));
            // Weights sum to 1 up to rounding.
            let within = |degree: &f64| (1.0 - 1e-12..=2.0 + 1e-12).contains(degree);
            assert!(skin_values(Field::Degree, output_body, &skin).iter().all(within));
        }
        assert!(mixed > 10, "degrees differ in only {mixed} steps");
    }
}
