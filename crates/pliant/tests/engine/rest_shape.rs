//! Setting another rest shape (Bargteil & Cohen 2014, section 3.7).

use crate::common::soft;
use glam::DVec3;
use pliant::body::{Model, ModelError};
use pliant::internals::Elastic;
use pliant::material::LawKind;
use pliant::mesh::generate::{BoxConfig, Split, box_mesh};
use pliant::mesh::{CellStatus, MeshError};
use pliant_kernels::lanes::Width;

fn bar(degree: usize) -> Model {
    let config = BoxConfig { size: [4.0, 1.0, 1.0], cells: [4, 1, 1], ..Default::default() };
    let mesh = box_mesh(&BoxConfig { split: Split::Tet5, degree, ..config }).unwrap();
    Model::uniform(mesh, soft(LawKind::Corotated)).unwrap()
}

/// Bends and twists, so that edges of degree 2 and 3 are curved.
fn bent(x: DVec3) -> DVec3 {
    let (sin, cos) = (0.3 * x.x).sin_cos();
    let twisted = DVec3::new(x.x, x.y * cos - x.z * sin, x.y * sin + x.z * cos);
    twisted + 0.08 * x.x * x.x * DVec3::Y
}

/// The largest force on a node, in N, with nodes at `x`.
fn largest_force(model: &Model, x: &[DVec3]) -> f64 {
    let mut forces = vec![DVec3::ZERO; x.len()];
    Elastic::new(model, Width::default()).forces(model.rest_shape(), x, &mut forces);
    forces.iter().map(|force| force.length()).fold(0.0, f64::max)
}

/// A deformed shape that becomes the rest shape has no forces. Tolerance 1e-9 N: F = 1 up to rounding, so a force is
/// about E A times the rounding of x, 1e4 × 1e-15, times the number of cells at a node.
#[test]
fn a_deformed_state_becomes_the_rest_shape() {
    for degree in 1..=3 {
        let model = bar(degree);
        let x: Vec<DVec3> = model.mesh().nodes.iter().copied().map(bent).collect();
        let there = model.at_shape(&x).unwrap();
        assert_eq!(there.mesh().nodes, x);
        assert_eq!(there.mesh().node_sets, model.mesh().node_sets);
        let (pulled, at_rest) = (largest_force(&model, &x), largest_force(&there, &x));
        assert!(pulled > 10.0, "degree {degree}: {pulled:.1e} N before");
        assert!(at_rest < 1e-9, "degree {degree}: {at_rest:.1e} N at rest");
        let expected = there.mesh().volume() * 800.0;
        assert!((there.mass() / expected - 1.0).abs() < 1e-12);
    }
}

/// Figure 5 of the paper: midpoints are pushed through their cells. The corners do not move, and det J stays positive
/// at them, but it is negative in between. The error names all such cells.
#[test]
fn partly_inverted_cells_are_named() {
    let model = bar(2);
    let mut x = model.mesh().nodes.clone();
    let pushed: Vec<usize> = (0..x.len()).filter(|node| (x[*node].x - 1.5).abs() < 1e-9).collect();
    pushed.iter().for_each(|node| x[*node].x += 0.9);
    let ModelError::InvalidCells { cells } = model.at_shape(&x).unwrap_err() else {
        panic!("expected the cells");
    };
    let touched = |(_, (_, nodes)): &(usize, (_, &[u32]))| {
        nodes.iter().any(|node| pushed.contains(&(*node as usize)))
    };
    let expected: Vec<usize> =
        model.mesh().cells().enumerate().filter(touched).map(|(cell, _)| cell).collect();
    assert_eq!(cells.iter().map(|(cell, _)| *cell).collect::<Vec<_>>(), expected);
    assert!(cells.iter().all(|(_, v)| v.status == CellStatus::PartlyInverted));
    assert!(cells.iter().all(|(_, v)| v.smallest_det < 0.0));
    let message = ModelError::InvalidCells { cells }.to_string();
    for cell in expected {
        assert!(message.contains(&format!("cell {cell} is partly inverted (det J -")), "{message}");
    }
}

/// A shape with the wrong number of nodes, or with positions that are not finite, is an error.
#[test]
fn what_is_no_shape_of_the_mesh_is_refused() {
    let model = bar(1);
    let mut x = model.mesh().nodes.clone();
    x.pop();
    let error = model.at_shape(&x).unwrap_err();
    assert_eq!(error, ModelError::RestCount { given: 19, node_count: 20 });
    x.push(DVec3::new(0.0, f64::NAN, 0.0));
    let error = model.at_shape(&x).unwrap_err();
    assert!(matches!(error, ModelError::Mesh(MeshError::NotFinite { node: 19, .. })), "{error}");
}

/// The error message lists at most ten of the invalid cells.
#[test]
fn a_long_list_is_cut_short() {
    let model = bar(1);
    let x: Vec<DVec3> = model.mesh().nodes.iter().map(|x| DVec3::new(x.x, -x.y, x.z)).collect();
    let message = model.at_shape(&x).unwrap_err().to_string();
    assert!(message.starts_with("20 cells cannot be at rest"), "{message}");
    assert!(message.contains("and 10 more"), "{message}");
}
