//! Generated meshes are valid, conforming and of the right volume; invalid settings are errors.

use std::f64::consts::PI;

use glam::DVec3;
use pliant_kernels::element::lagrange_from_bernstein;
use pliant_mesh::mesh::generate::{
    BallConfig, BoxConfig, CurvedBarConfig, FinConfig, HelixConfig, SculptureConfig, Split,
    TorusConfig, ball, box_mesh, curved_bar, fin, helix, sculpture, torus,
};
use pliant_mesh::mesh::{Mesh, MeshError};

use crate::random::for_cases;

/// All splits with the degrees they have.
fn all_splits() -> Vec<(Split, usize)> {
    let degrees = |split: Split| match split {
        Split::Hex => 1..=2,
        Split::Prism | Split::Pyramid => 1..=1,
        Split::Tet5 | Split::Tet6 | Split::Tet12 => 1..=3,
    };
    Split::ALL.into_iter().flat_map(|split| degrees(split).map(move |p| (split, p))).collect()
}

/// All curved shapes at their default resolution.
fn curved_shapes(split: Split, degree: usize) -> Vec<(&'static str, Mesh)> {
    vec![
        ("ball", ball(&BallConfig { split, degree, ..BallConfig::default() }).unwrap()),
        ("torus", torus(&TorusConfig { split, degree, ..TorusConfig::default() }).unwrap()),
        ("bar", curved_bar(&CurvedBarConfig { split, degree, ..Default::default() }).unwrap()),
        ("helix", helix(&HelixConfig { split, degree, ..HelixConfig::default() }).unwrap()),
    ]
}

/// The positions of the Lagrange nodes on the boundary.
fn boundary_points(mesh: &Mesh) -> Vec<DVec3> {
    let mut points = vec![None; mesh.nodes.len()];
    for (kind, nodes) in mesh.cells() {
        let lagrange = lagrange_from_bernstein(kind).apply(&mesh.cell_points(nodes));
        nodes.iter().zip(lagrange).for_each(|(node, x)| points[*node as usize] = Some(x));
    }
    let surface = &mesh.node_set("surface").unwrap().nodes;
    surface.iter().map(|node| points[*node as usize].unwrap()).collect()
}

/// All curved shapes of every split and degree are certified, conforming and connected, without unused nodes.
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

/// All boundary nodes of balls and tori are on the smooth surface, to rounding. If neighbouring cells did not fit,
/// their faces would be boundary faces inside the shape.
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

/// The node sets of the ends of a curved bar are exactly the control points on their planes.
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

/// The volume error of curved meshes falls with the degree, to below 0.2 % for cubic cells.
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

/// The length of the default helix: two turns of radius 1 and pitch 1.
fn wire_length() -> f64 {
    2.0 * (2.0 * PI).hypot(1.0)
}

/// True if the boundary is closed: every edge belongs to exactly two faces, once in each direction.
fn is_watertight(mesh: &Mesh) -> bool {
    let mut edges = Vec::new();
    for face in mesh.boundary_faces() {
        let corners = &face.corners;
        edges.extend((0..corners.len()).map(|k| (corners[k], corners[(k + 1) % corners.len()])));
    }
    edges.sort_unstable();
    let once = edges.windows(2).all(|pair| pair[0] != pair[1]);
    once && edges.iter().all(|(a, b)| edges.binary_search(&(*b, *a)).is_ok())
}

/// Fins and sculptures of every split and degree are certified, conforming, closed and connected.
#[test]
fn fins_and_sculptures_are_valid_closed_and_straight() {
    for (split, degree) in all_splits() {
        let config = FinConfig { cells: [6, 9, 2], split, degree, ..FinConfig::default() };
        let levels =
            (1..=3).map(|level| SculptureConfig { level, split, degree, ..Default::default() });
        let meshes = levels.map(|config| sculpture(&config)).chain([fin(&config)]);
        for mesh in meshes.map(Result::unwrap) {
            mesh.certify().unwrap_or_else(|e| panic!("{split:?} {degree}: {e}"));
            mesh.check_faces().unwrap();
            assert!(is_watertight(&mesh), "{split:?} {degree}");
            assert_eq!(mesh.components().len(), 1);
            assert!(mesh.unused_nodes().is_empty());
        }
    }
}

/// Fins and sculptures have the sizes of Bargteil & Cohen 2014, tables I and II, within 7 %, and dihedral angles above
/// 16°. Elevation leaves every cell straight, as adaptive degree needs it.
#[test]
fn fins_and_sculptures_have_the_published_sizes() {
    let published = [(268, 124), (504, 213), (1360, 505), (6853, 1851)];
    let mut meshes = Vec::new();
    for (level, size) in (1..).zip(published) {
        let config = SculptureConfig { level, ..Default::default() };
        meshes.push((sculpture(&config).unwrap(), size));
        let raised = sculpture(&SculptureConfig { degree: 2, ..config }).unwrap();
        assert_eq!(raised.certify().unwrap().straight_count, raised.cell_count());
    }
    meshes.push((fin(&FinConfig::default()).unwrap(), (8705, 2740)));
    for (mesh, (cells, nodes)) in meshes {
        let near = |count: usize, published: usize| count.abs_diff(published) * 100 < 7 * published;
        let [cell_count, node_count] = [mesh.cell_count(), mesh.nodes.len()];
        let angle = mesh.quality().unwrap().dihedral_angles.unwrap()[0].to_degrees();
        println!(
            "{cell_count} cells ({cells}), {node_count} nodes ({nodes}), least angle {angle:.1}°"
        );
        assert!(near(cell_count, cells) && near(node_count, nodes));
        assert!(angle > 16.0, "smallest dihedral angle {angle:.1}°");
    }
}

/// The node sets `foot` and `root` are exactly the control points on the plane y = 0.
#[test]
fn feet_and_roots_are_flat() {
    for degree in 1..=3 {
        let standing = sculpture(&SculptureConfig { degree, ..Default::default() }).unwrap();
        let swimming = fin(&FinConfig { degree, cells: [6, 9, 2], ..Default::default() }).unwrap();
        for (mesh, set) in [(standing, "foot"), (swimming, "root")] {
            let low = (0u32..).zip(&mesh.nodes).filter(|(_, x)| x.y.abs() < 1e-12);
            let low: Vec<u32> = low.map(|(node, _)| node).collect();
            assert_eq!(mesh.node_set(set).unwrap().nodes, low, "{set}, degree {degree}");
            assert!(mesh.bounds().0.y.abs() < 1e-12);
        }
    }
}

/// Without layers the cross-section of a wire is the square inscribed in the circle, of area 2 r².
#[test]
fn a_wire_without_layers_is_square() {
    let config = HelixConfig { layers: 0, split: Split::Tet6, along: 64, ..Default::default() };
    let mesh = helix(&config).unwrap();
    assert_eq!((mesh.cell_count(), mesh.certify().unwrap().cell_count), (384, 384));
    // Quadratic cells of a 32nd of a turn approximate the wire to about (π/32)⁴ of its size.
    let exact = 2.0 * 0.04 * wire_length();
    assert!((mesh.volume() / exact - 1.0).abs() < 1e-4, "{} against {exact}", mesh.volume());
    let ring = torus(&TorusConfig { layers: 0, cells: 1, ..TorusConfig::default() }).unwrap();
    assert!(ring.certify().is_ok() && is_watertight(&ring));
}

/// A ring with an odd number of cells cannot be split into five tetrahedra per cube, whose diagonals alternate;
/// the split into six works.
#[test]
fn a_ring_of_odd_cells_cannot_alternate() {
    let odd = TorusConfig { around: 7, degree: 1, ..TorusConfig::default() };
    assert!(matches!(torus(&odd), Err(MeshError::NotAlternating { .. })));
    assert!(torus(&TorusConfig { split: Split::Tet6, ..odd }).unwrap().certify().is_ok());
}

/// Every kind of invalid setting is an error that names it.
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
    for level in [0, 5, usize::MAX] {
        let error = sculpture(&SculptureConfig { level, ..Default::default() }).unwrap_err();
        assert!(error.to_string().contains("expected 1, 2, 3 or 4"), "{error}");
    }
    assert!(sculpture(&SculptureConfig { height: f64::NAN, ..Default::default() }).is_err());
    assert!(fin(&FinConfig { thickness: 0.7, ..Default::default() }).is_err());
    assert!(fin(&FinConfig { cells: [usize::MAX; 3], ..Default::default() }).is_err());
    let (cells, layers) = (usize::MAX, usize::MAX);
    assert!(ball(&BallConfig { cells, layers, ..Default::default() }).is_err());
    assert!(torus(&TorusConfig { cells, layers, ..Default::default() }).is_err());
    assert!(helix(&HelixConfig { cells, layers, ..Default::default() }).is_err());
    assert!(curved_bar(&CurvedBarConfig { cells: [cells; 3], ..Default::default() }).is_err());
}

/// Jittered boxes of any jitter below 0.5 are valid, fill the box, to rounding, and are reproducible.
#[test]
fn jittered_boxes_stay_valid() {
    for_cases(40, &mut |random| {
        let (split, degree) = all_splits()[random.below(13)];
        let cells = [1 + random.below(4), 1 + random.below(4), 1 + random.below(4)];
        let config =
            BoxConfig { size: [1.0, 2.0, 3.0], cells, split, degree, ..Default::default() };
        let (jitter, seed) = (random.within(0.0, 0.499), random.bits());
        let config = BoxConfig { jitter, seed, ..config };
        let mesh = box_mesh(&config).unwrap();
        assert!(mesh.certify().is_ok(), "{config:?}");
        assert!((mesh.volume() - 6.0).abs() < 1e-11, "{config:?}");
        assert_eq!(mesh, box_mesh(&config).unwrap());
        assert_eq!(mesh.bounds(), (DVec3::ZERO, DVec3::new(1.0, 2.0, 3.0)), "{config:?}");
    });
}
