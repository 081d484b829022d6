//! The patch test: under a uniform deformation of the boundary the inside deforms uniformly, for every element, any
//! shape of its cells, and every law.

use crate::common::{
    Random, all_splits, carried, crumpled, jittered, largest, matrix, model, soft,
};
use glam::{DMat3, DVec3};
use pliant::body::{Body, Model};
use pliant::internals::Elastic;
use pliant::material::LawKind;
use pliant::mesh::Mesh;
use pliant::mesh::generate::Split;
use pliant::solver::{Equilibrium, Loads, StaticConfig};
use pliant_kernels::lanes::Width;

/// Relative error: rounding, and for solves the tolerance of Newton's method.
const TOLERANCE: f64 = 1e-10;

/// A stretch and shear of a few percent.
fn moderate() -> DMat3 {
    matrix([[1.05, 0.03, -0.02], [0.01, 0.97, 0.04], [-0.03, 0.02, 1.02]])
}

/// A rotation by 70° after stretches of 1.5, 0.8 and 1.1 and a shear.
fn large() -> DMat3 {
    let turn = DMat3::from_axis_angle(DVec3::new(1.0, 2.0, -1.0).normalize(), 1.2);
    turn * matrix([[1.5, 0.3, 0.0], [0.0, 0.8, 0.1], [0.0, 0.0, 1.1]])
}

/// Straight and curved meshes of every split and degree, all with inner nodes.
fn meshes() -> Vec<(String, Split, Mesh)> {
    let both = |(split, degree)| {
        let cells = [2, 2, 2];
        let meshes = [
            ("straight", jittered(split, degree, cells)),
            ("curved", crumpled(split, degree, cells)),
        ];
        meshes
            .map(|(how, mesh)| (format!("{how} {} of degree {degree}", split.name()), split, mesh))
    };
    all_splits().into_iter().flat_map(both).collect()
}

fn inner_nodes(mesh: &Mesh) -> Vec<usize> {
    let boundary = mesh.boundary_nodes();
    (0..mesh.nodes.len()).filter(|node| boundary.binary_search(&(*node as u32)).is_err()).collect()
}

/// The largest force on an inner node relative to the largest on any node, with all nodes at F₀ X.
fn unbalanced(model: &Model, f0: DMat3) -> f64 {
    let x: Vec<DVec3> = model.mesh().nodes.iter().map(|x| f0 * *x).collect();
    let mut forces = vec![DVec3::ZERO; x.len()];
    Elastic::new(model, Width::default()).forces(model.rest_shape(), &x, &mut forces);
    let inner = inner_nodes(model.mesh());
    assert!(!inner.is_empty());
    largest(inner.into_iter().map(|node| forces[node])) / largest(forces.iter().copied())
}

/// Under a uniform deformation the forces on all inner nodes vanish, for every element and law.
#[test]
fn forces_of_a_uniform_deformation_cancel_inside() {
    let mut worst: f64 = 0.0;
    for (name, _, mesh) in meshes() {
        for law in LawKind::ALL {
            let model = model(mesh.clone(), soft(law), None);
            for f0 in [moderate(), large()] {
                let unbalanced = unbalanced(&model, f0);
                assert!(unbalanced < TOLERANCE, "{name}, {law}: {unbalanced:.1e}");
                worst = worst.max(unbalanced);
            }
        }
    }
    println!("worst unbalanced force: {worst:.1e} of the largest");
}

/// The same with quadrature of higher degree than needed.
#[test]
fn forces_cancel_with_higher_quadrature_too() {
    for (name, _, mesh) in meshes() {
        let model = model(mesh, soft(LawKind::RestStable), Some(8));
        let unbalanced = unbalanced(&model, large());
        assert!(unbalanced < TOLERANCE, "{name}: {unbalanced:.1e}");
    }
}

/// Solves for the inner nodes, starting from a randomly disturbed rest shape. Returns the largest distance from F₀ X
/// relative to the largest displacement.
fn recovered(mesh: &Mesh, law: LawKind, f0: DMat3) -> f64 {
    let pins = mesh.boundary_nodes().into_iter();
    let pins = pins.map(|node| carried(mesh, node, f0 * mesh.nodes[node as usize])).collect();
    let mut body = Body::new("patch", model(mesh.clone(), soft(law), None), pins).unwrap();
    let mut random = Random::new(3);
    for node in inner_nodes(mesh) {
        body.state.x[node] += 0.02 * random.vector();
    }
    // The last step of Newton's method squares the error, so that it ends well below the tolerance.
    let config = StaticConfig { tolerance: 1e-11, ..Default::default() };
    let mut solver = Equilibrium::new(&body, Loads::default()).unwrap();
    solver.solve(&mut body, &config, &mut |_| {}).unwrap();
    let distance = body.state.x.iter().zip(&mesh.nodes).map(|(x, rest)| *x - f0 * *rest);
    largest(distance) / largest(mesh.nodes.iter().map(|rest| f0 * *rest - *rest))
}

/// The static solver finds the uniform deformation from the displacement of the boundary, for a deformation of
/// a few percent.
#[test]
fn the_solver_recovers_a_moderate_deformation() {
    for (name, split, mesh) in meshes() {
        for law in LawKind::ALL {
            // Other splits into tetrahedra have the same elements, so one law is enough for them.
            let again = matches!(split, Split::Tet6 | Split::Tet12);
            if again && law != LawKind::RestStable {
                continue;
            }
            let error = recovered(&mesh, law, moderate());
            assert!(error < TOLERANCE, "{name}, {law}: {error:.1e}");
        }
    }
}

/// The same for a large deformation with rotation.
#[test]
fn the_solver_recovers_a_large_deformation() {
    for (name, split, mesh) in meshes() {
        if !matches!(split, Split::Tet6 | Split::Tet12) {
            let error = recovered(&mesh, LawKind::RestStable, large());
            assert!(error < TOLERANCE, "{name}: {error:.1e}");
        }
    }
}
