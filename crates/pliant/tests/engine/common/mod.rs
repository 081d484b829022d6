//! Helpers shared by test files: lists of all elements, distorted meshes, small functions.
#![allow(dead_code, unused_imports, reason = "every test file takes what it needs")]
#![allow(unreachable_pub, reason = "a module of helpers is no crate")]
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use std::sync::Arc;

use glam::{DMat3, DVec3};
use pliant::body::{Action, Body, Model, ModelConfig, Motion, Pin, Ramp};
use pliant::material::{LawKind, Material};
use pliant::mesh::Mesh;
use pliant::mesh::generate::{BoxConfig, Split, box_mesh};
use pliant::solver::{MethodConfig, Stepper};
use pliant::world::World;
use pliant_kernels::element::{
    QuadratureRule, bernstein_from_lagrange, jacobian, lagrange_from_bernstein, shape,
    shape_gradient,
};
use pliant_kernels::math::Mat3;

#[path = "../../../../pliant-kernels/tests/kernels/random.rs"]
mod random;

pub use random::{Random, cases, for_cases, heavy};

/// Every split with every degree it has: all kinds of cells, in all arrangements.
pub fn all_splits() -> Vec<(Split, usize)> {
    let degrees = |split: Split| match split {
        Split::Hex => 1..=2,
        Split::Prism | Split::Pyramid => 1..=1,
        Split::Tet5 | Split::Tet6 | Split::Tet12 => 1..=3,
    };
    Split::ALL.into_iter().flat_map(|split| degrees(split).map(move |p| (split, p))).collect()
}

/// One split and degree for every kind of cell.
pub fn all_kinds() -> Vec<(Split, usize)> {
    all_splits()
        .into_iter()
        .filter(|(split, _)| !matches!(split, Split::Tet6 | Split::Tet12))
        .collect()
}

/// The size of the box that the meshes below fill, in m.
pub const BOX: DVec3 = DVec3::new(1.2, 0.9, 1.0);

/// A box whose inner corners are moved at random: its sides are flat, and no two cells are equal.
pub fn jittered(split: Split, degree: usize, cells: [usize; 3]) -> Mesh {
    let config = BoxConfig { size: BOX.to_array(), cells, split, degree, ..Default::default() };
    box_mesh(&BoxConfig { jitter: 0.2, seed: 7, ..config }).unwrap()
}

/// A box whose control points are all moved at random, on the boundary too: its cells are curved if their degree
/// allows it.
pub fn crumpled(split: Split, degree: usize, cells: [usize; 3]) -> Mesh {
    let mut mesh = jittered(split, degree, cells);
    let spacing = 1.0 / (degree * cells.into_iter().max().unwrap()) as f64;
    let mut random = Random::new(11);
    mesh.nodes.iter_mut().for_each(|node| *node += 0.08 * spacing * random.vector());
    mesh.certify().expect("moved too little to fold a cell");
    mesh
}

/// The control points of a field that is given in space, interpolated at the Lagrange points of every cell.
pub fn interpolated(mesh: &Mesh, field: impl Fn(DVec3) -> DVec3) -> Vec<DVec3> {
    let mut control = vec![DVec3::ZERO; mesh.nodes.len()];
    for block in &mesh.blocks {
        let to_lagrange = lagrange_from_bernstein(block.kind);
        let from_lagrange = bernstein_from_lagrange(block.kind);
        for nodes in block.cells() {
            let places = to_lagrange.apply(&mesh.cell_points(nodes));
            let values: Vec<DVec3> = places.into_iter().map(&field).collect();
            for (node, value) in nodes.iter().zip(from_lagrange.apply(&values)) {
                control[*node as usize] = value;
            }
        }
    }
    control
}

/// Calls `visit(cell, nodes, basis values, position, volume)` at all points of the quadrature rule of `degree`.
pub fn for_each_point(
    mesh: &Mesh,
    degree: usize,
    mut visit: impl FnMut(usize, &[u32], &[f64], DVec3, f64),
) {
    for block in 0..mesh.blocks.len() {
        let kind = mesh.blocks[block].kind;
        let rule = QuadratureRule::of_degree(kind.shape(), degree);
        let tables: Vec<_> = rule
            .points
            .iter()
            .map(|point| (point.weight, shape(kind, point.xi), shape_gradient(kind, point.xi)))
            .collect();
        for (cell, nodes) in mesh.block_range(block).zip(mesh.blocks[block].cells()) {
            let points = mesh.cell_points(nodes);
            for (weight, values, gradients) in &tables {
                let place = values.iter().zip(&points).map(|(b, x)| *b * *x).sum();
                let volume = weight * jacobian(&points, gradients).det();
                visit(cell, nodes, values, place, volume);
            }
        }
    }
}

/// A model of one material with a quadrature of the given degree, or the default one.
pub fn model(mesh: Mesh, material: Material, quadrature: Option<usize>) -> Arc<Model> {
    let cells = vec![0; mesh.cell_count()];
    Arc::new(
        Model::new(mesh, vec![material], cells, ModelConfig { quadrature, ..Default::default() })
            .unwrap(),
    )
}

/// A body of one material without pins.
pub fn free_body(mesh: Mesh, material: Material) -> Body {
    Body::new("free", model(mesh, material, None), Vec::new()).unwrap()
}

/// A body of one material whose node sets with these names are held still.
pub fn held_body(mesh: Mesh, material: Material, sets: &[&str]) -> Body {
    let pins = sets.iter().map(|set| held(&mesh, set)).collect();
    Body::new("held", model(mesh, material, None), pins).unwrap()
}

/// A pin that holds a node set still.
pub fn held(mesh: &Mesh, set: &str) -> Pin {
    Pin { nodes: mesh.node_set(set).unwrap().nodes.clone(), ..Default::default() }
}

/// A pin that moves a single node to `target` in the first second.
pub fn carried(mesh: &Mesh, node: u32, target: DVec3) -> Pin {
    let action = Action::Translate(target - mesh.nodes[node as usize]);
    let motion = Motion { ramps: vec![Ramp { start: 0.0, end: 1.0, action }] };
    Pin { nodes: vec![node], motion, ..Default::default() }
}

/// Takes `steps` steps.
pub fn run(world: &mut World, steps: usize) {
    for _ in 0..steps {
        world.step();
    }
}

/// The explicit method that other methods are compared with.
pub fn symplectic_euler() -> MethodConfig {
    MethodConfig { stepper: Stepper::SymplecticEuler, ..Default::default() }
}

/// A soft material of moderate Poisson's ratio.
pub fn soft(law: LawKind) -> Material {
    Material { law, young: 1e4, poisson: 0.3, density: 800.0, ..Default::default() }
}

/// A matrix given by its rows.
pub fn matrix(rows: [[f64; 3]; 3]) -> DMat3 {
    Mat3::from_fn(|i, j| rows[i][j]).into()
}

/// The largest length among vectors.
pub fn largest(values: impl IntoIterator<Item = DVec3>) -> f64 {
    values.into_iter().map(DVec3::length).fold(0.0, f64::max)
}
