//! Generated meshes: valid, conforming, of the right volume, and refusing the impossible.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use std::f64::consts::PI;

use glam::DVec3;
use pliant::element::lagrange_from_bernstein;
use pliant::mesh::generate::{
    BallConfig, BoxConfig, CurvedBarConfig, HelixConfig, Split, TorusConfig, ball, box_mesh,
    curved_bar, helix, torus,
};
use pliant::mesh::{Mesh, MeshError};
use proptest::prelude::*;

/// All splits with the degrees they have.
fn all_splits() -> Vec<(Split, usize)> {
    let degrees = |split: Split| match split {
        Split::Hex => 1..=2,
        Split::Prism | Split::Pyramid => 1..=1,
        Split::Tet5 | Split::Tet6 | Split::Tet12 => 1..=3,
    };
    Split::ALL.into_iter().flat_map(|split| degrees(split).map(move |p| (split, p))).collect()
}

/// Every curved shape at its default resolution.
fn curved_shapes(split: Split, degree: usize) -> Vec<(&'static str, Mesh)> {
    vec![
        ("ball", ball(&BallConfig { split, degree, ..BallConfig::default() }).unwrap()),
        ("torus", torus(&TorusConfig { split, degree, ..TorusConfig::default() }).unwrap()),
        ("bar", curved_bar(&CurvedBarConfig { split, degree, ..Default::default() }).unwrap()),
        ("helix", helix(&HelixConfig { split, degree, ..HelixConfig::default() }).unwrap()),
    ]
}

/// Positions of the Lagrange nodes of the boundary's faces.
fn boundary_points(mesh: &Mesh) -> Vec<DVec3> {
    let mut points = vec![None; mesh.nodes.len()];
    for (kind, nodes) in mesh.cells() {
        let lagrange = lagrange_from_bernstein(kind).apply(&mesh.cell_points(nodes));
        nodes.iter().zip(lagrange).for_each(|(node, x)| points[*node as usize] = Some(x));
    }
    let surface = &mesh.node_set("surface").unwrap().nodes;
    surface.iter().map(|node| points[*node as usize].unwrap()).collect()
}

#[test]
fn every_shape_is_valid_for_every_split_and_degree() {
    for (split, degree) in all_splits() {
        for (name, mesh) in curved_shapes(split, degree) {
            let report =
                mesh.certify().unwrap_or_else(|e| panic!("{name} {split:?} {degree}: {e}"));
            assert_eq!(report.cell_count, mesh.cell_count());
            mesh.check_faces().unwrap();
            assert_eq!(mesh.components().len(), 1);
            assert!(mesh.unused_nodes().is_empty());
        }
    }
}

/// A misfit between neighbours would leave faces inside the shape as boundary, whose nodes are
/// not on the surface.
#[test]
fn balls_and_rings_have_no_boundary_but_their_surface() {
    for (split, degree) in all_splits() {
        let mesh = ball(&BallConfig { split, degree, layers: 2, ..BallConfig::default() }).unwrap();
        for x in boundary_points(&mesh) {
            assert!((x.length() - 1.0).abs() < 1e-13, "{split:?} {degree}: {x}");
        }
        let mesh = torus(&TorusConfig { split, degree, ..TorusConfig::default() }).unwrap();
        for x in boundary_points(&mesh) {
            let off_ring = (DVec3::new(x.x, 0.0, x.z).length() - 1.0).hypot(x.y);
            assert!((off_ring - 0.25).abs() < 1e-13, "{split:?} {degree}: {x}");
        }
    }
}

#[test]
fn ends_of_bars_hold_every_control_point_of_their_planes() {
    for (split, degree) in all_splits() {
        let mesh =
            curved_bar(&CurvedBarConfig { split, degree, cells: [2, 3, 8], ..Default::default() })
                .unwrap();
        for (name, x) in [("start", 2.0), ("end", -2.0)] {
            let set = &mesh.node_set(name).unwrap().nodes;
            let on_plane: Vec<u32> = (0..mesh.nodes.len() as u32)
                .filter(|node| mesh.nodes[*node as usize].y.abs() < 1e-12)
                .filter(|node| (mesh.nodes[*node as usize].x - x).abs() < 0.5)
                .collect();
            assert_eq!(*set, on_plane, "{split:?} {degree} {name}");
        }
    }
}

/// Volume errors of curved meshes fall with the degree: the boundary is met at more points.
#[test]
fn volumes_approach_the_smooth_shapes() {
    let exact =
        [4.0 / 3.0 * PI, 2.0 * PI * PI * 0.0625, 2.0 * PI * 0.25, PI * 0.04 * wire_length()];
    for split in [Split::Tet5, Split::Tet6, Split::Tet12] {
        let mut last = [f64::INFINITY; 4];
        for degree in 1..=3 {
            for (k, (name, mesh)) in curved_shapes(split, degree).into_iter().enumerate() {
                let error = (mesh.volume() / exact[k] - 1.0).abs();
                println!("{name} {split:?} degree {degree}: volume error {error:.2e}");
                assert!(error < last[k], "{name} {split:?} degree {degree}: {error:.2e}");
                last[k] = error;
            }
        }
        assert!(last.iter().all(|error| *error < 2e-3), "{split:?}: {last:?}");
    }
}

/// Length of the default helix: two turns of radius 1 and pitch 1.
fn wire_length() -> f64 {
    2.0 * (2.0 * PI).hypot(1.0)
}

#[test]
fn a_ring_of_odd_cells_cannot_alternate() {
    let odd = TorusConfig { around: 7, degree: 1, ..TorusConfig::default() };
    assert!(matches!(torus(&odd), Err(MeshError::NotAlternating { .. })));
    assert!(torus(&TorusConfig { split: Split::Tet6, ..odd }).unwrap().certify().is_ok());
}

#[test]
fn impossible_numbers_are_refused_with_a_reason() {
    let message = |config: BoxConfig| box_mesh(&config).unwrap_err().to_string();
    let config = BoxConfig::default();
    for (config, expected) in [
        (BoxConfig { size: [1.0, 0.0, 1.0], ..config }, "a side of the box is 0"),
        (BoxConfig { size: [1.0, f64::NAN, 1.0], ..config }, "a side of the box is NaN"),
        (BoxConfig { origin: [f64::INFINITY, 0.0, 0.0], ..config }, "the origin of the box is inf"),
        (BoxConfig { cells: [1, 0, 1], ..config }, "at least 1 needed"),
        (BoxConfig { cells: [usize::MAX; 3], ..config }, "at most 50 million"),
        (BoxConfig { cells: [20_000_000, 1, 1], ..config }, "at most 50 million"),
        (BoxConfig { degree: 4, ..config }, "no tet4 of degree 4"),
        (BoxConfig { degree: 0, ..config }, "no tet4 of degree 0"),
        (BoxConfig { split: Split::Prism, degree: 2, ..config }, "no prism6 of degree 2"),
        (BoxConfig { jitter: 0.5, ..config }, "the jitter is 0.5"),
    ] {
        assert!(message(config).contains(expected), "{}", message(config));
    }
    let fat = TorusConfig { tube_radius: 1.0, ..TorusConfig::default() };
    assert!(torus(&fat).unwrap_err().to_string().contains("less than 1 (the ring's radius)"));
    let (cells, layers) = (usize::MAX, usize::MAX);
    assert!(ball(&BallConfig { cells, layers, ..Default::default() }).is_err());
    assert!(torus(&TorusConfig { cells, layers, ..Default::default() }).is_err());
    assert!(helix(&HelixConfig { cells, layers, ..Default::default() }).is_err());
    assert!(curved_bar(&CurvedBarConfig { cells: [cells; 3], ..Default::default() }).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..Default::default() })]

    /// However large the jitter, the box stays filled, valid and flat-sided.
    #[test]
    fn jittered_boxes_stay_valid(
        jitter in 0.0..0.499,
        seed: u64,
        cells in prop::array::uniform3(1usize..5),
        pick in 0usize..13,
    ) {
        let (split, degree) = all_splits()[pick];
        let config =
            BoxConfig { size: [1.0, 2.0, 3.0], cells, split, degree, jitter, seed, ..Default::default() };
        let mesh = box_mesh(&config).unwrap();
        prop_assert!(mesh.certify().is_ok());
        prop_assert!((mesh.volume() - 6.0).abs() < 1e-11);
        prop_assert_eq!(&mesh, &box_mesh(&config).unwrap());
        let (low, high) = mesh.bounds();
        prop_assert_eq!((low, high), (DVec3::ZERO, DVec3::new(1.0, 2.0, 3.0)));
    }
}
