//! Fields of a body at its nodes, as Bernstein coefficients: the form in which control points,
//! files and skins interpolate them.

use glam::DVec3;
use pliant::body::{Body, Skin};
use pliant::force::{det_f, von_mises};
use pliant::world::{Handle, World};
use pliant_io::scene::Field;
use pliant_io::{bernstein_values, vtu};

/// A body of a world.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shown<'a> {
    pub(super) world: &'a World,
    pub(super) handle: Handle,
    pub(super) body: &'a Body,
}

impl<'a> Shown<'a> {
    /// All bodies of a world, in its order.
    pub(super) fn all(world: &'a World) -> impl Iterator<Item = Self> {
        world.bodies().map(move |(handle, body)| Self { world, handle, body })
    }
}

/// A field of a body, for a volume file.
pub(super) fn volume_field(field: Field, shown: Shown<'_>) -> vtu::Field {
    let body = shown.body;
    match field {
        Field::Displacement => vtu::Field::vector(field.name(), &displacements(body)),
        Field::Velocity => vtu::Field::vector(field.name(), &body.state.v),
        Field::VonMises | Field::DetF | Field::Degree => {
            vtu::Field::scalar(field.name(), scalars(field, shown))
        }
    }
}

/// A field of a body at the vertices of its skin; of vectors their length.
pub(super) fn skin_values(field: Field, shown: Shown<'_>, skin: &Skin) -> Vec<f64> {
    let body = shown.body;
    let vectors = |nodes: &[DVec3]| {
        let mut vertices = Vec::new();
        skin.interpolate(nodes, &mut vertices);
        vertices.into_iter().map(DVec3::length).collect()
    };
    match field {
        Field::Displacement => vectors(&displacements(body)),
        Field::Velocity => vectors(&body.state.v),
        Field::VonMises | Field::DetF | Field::Degree => {
            let nodes = scalars(field, shown);
            let blend = |vertex| {
                let terms = skin.weights(vertex).iter();
                terms.map(|(node, weight)| weight * nodes[*node as usize]).sum()
            };
            (0..skin.vertex_count()).map(blend).collect()
        }
    }
}

fn displacements(body: &Body) -> Vec<DVec3> {
    let rest = &body.model().mesh().nodes;
    body.state.x.iter().zip(rest).map(|(x, x_rest)| *x - *x_rest).collect()
}

/// Coefficients of a field of one number, which the engine gives at the Lagrange nodes.
fn scalars(field: Field, shown: Shown<'_>) -> Vec<f64> {
    let Shown { world, handle, body } = shown;
    let (model, x) = (body.model(), &body.state.x);
    let values = match field {
        Field::DetF => det_f(model, x),
        Field::Degree => {
            let degrees = world.degrees(handle).unwrap_or_default();
            degrees.into_iter().map(f64::from).collect()
        }
        _ => von_mises(model, x),
    };
    bernstein_values(model.mesh(), 1, &values)
}
