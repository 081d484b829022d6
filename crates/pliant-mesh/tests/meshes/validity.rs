//! Certificates of validity are correct and do not depend on scale.

use glam::DVec3;
use pliant_kernels::element::{Kind, bernstein_from_lagrange, jacobian, lattice, shape_gradient};
use pliant_mesh::mesh::generate::{BallConfig, BoxConfig, Split, ball, box_mesh};
use pliant_mesh::mesh::{Block, CellStatus, Mesh, MeshError};

use crate::random::for_cases;

/// Control points of the reference cell.
fn reference_points(kind: Kind) -> Vec<DVec3> {
    let p = kind.degree() as f64;
    lattice(kind).into_iter().map(|node| DVec3::from(node.map(|x| x as f64)) / p).collect()
}

fn single(kind: Kind, points: Vec<DVec3>) -> Mesh {
    let nodes = (0..points.len() as u32).collect();
    Mesh::new(points, vec![Block { kind, nodes }]).unwrap()
}

fn status(kind: Kind, points: &[DVec3]) -> CellStatus {
    single(kind, points.to_vec())
        .invalid_cells()
        .first()
        .map_or(CellStatus::Valid, |(_, validity)| validity.status)
}

/// An affine map with positive determinant, far from singular.
fn stretched(x: DVec3) -> DVec3 {
    DVec3::new(x.x + 0.3 * x.y, 0.8 * x.y - 0.2 * x.z, 0.5 * x.z + 0.1 * x.x)
}

/// Affine images of reference cells are valid and straight at every scale, with the exact determinant to
/// rounding.
#[test]
fn affine_cells_are_valid_and_straight_at_every_scale() {
    for kind in Kind::ALL {
        for scale in [1e-100, 1e-6, 1.0, 1e6, 1e100] {
            let points: Vec<_> =
                reference_points(kind).into_iter().map(|x| scale * stretched(x)).collect();
            let mesh = single(kind, points);
            assert_eq!(mesh.straight_cells(), [true], "{kind} at {scale}");
            let report = mesh.certify().unwrap();
            // The determinant of the columns (1, 0, 0.1), (0.3, 0.8, 0), (0, −0.2, 0.5).
            let det = 0.394;
            let cubed = scale * scale * scale;
            assert_eq!(report.straight_count, 1);
            if cubed > 0.0 && cubed.is_finite() {
                assert!((report.smallest_det / cubed / det - 1.0).abs() < 1e-12, "{kind}");
            }
        }
    }
}

/// Cells in a plane, and cells in a point, are reported as flat at every scale.
#[test]
fn flat_cells_are_flat_at_every_scale() {
    for kind in Kind::ALL {
        for scale in [1e-6, 1.0, 1e6] {
            let flat = |x: DVec3| {
                scale
                    * (x.x * DVec3::new(0.3, 0.7, 0.1)
                        + (x.y + 0.37 * x.z) * DVec3::new(0.9, -0.2, 0.4))
            };
            let points: Vec<_> = reference_points(kind).into_iter().map(flat).collect();
            assert_eq!(status(kind, &points), CellStatus::Flat, "{kind} at {scale}");
        }
        let point = vec![DVec3::ONE; kind.node_count()];
        assert_eq!(status(kind, &point), CellStatus::Flat);
    }
}

/// Mirrored cells are reported as inverted, and repairing the winding makes them valid.
#[test]
fn mirrored_cells_are_inverted_and_repaired() {
    for kind in Kind::ALL {
        let mirrored = |x: DVec3| stretched(DVec3::new(-x.x, x.y, x.z));
        let points: Vec<_> = reference_points(kind).into_iter().map(mirrored).collect();
        let mut mesh = single(kind, points);
        let volume = mesh.volume();
        assert_eq!(mesh.invalid_cells()[0].1.status, CellStatus::Inverted, "{kind}");
        let error = mesh.certify().unwrap_err().to_string();
        assert!(error.contains("cell 0") && error.contains("is inverted"), "{error}");
        assert_eq!(mesh.repair_winding().unwrap(), 1);
        assert!(mesh.certify().is_ok());
        assert!((mesh.volume() + volume).abs() < 1e-15);
        assert_eq!(mesh.repair_winding().unwrap(), 0);
    }
}

/// Reversing curved cells changes the sign of the volume only, and reversing them twice restores the mesh exactly.
#[test]
fn reversing_curved_cells_twice_gives_them_back() {
    for (split, degree) in [(Split::Tet5, 3), (Split::Tet12, 2), (Split::Hex, 2), (Split::Prism, 1)]
    {
        let mesh = ball(&BallConfig { split, degree, ..BallConfig::default() }).unwrap();
        let mut reversed = mesh.clone();
        (0..mesh.cell_count()).for_each(|cell| reversed.reverse(cell));
        assert!((reversed.volume() + mesh.volume()).abs() < 1e-13);
        assert_eq!(reversed.repair_winding().unwrap(), mesh.cell_count());
        assert_eq!(reversed, mesh);
    }
}

/// A quadratic tetrahedron whose node 4, between corners 0 and 1, is at m along the edge is valid exactly for 0 < m <
/// 1: on the edge x = 2λ₀λ₁ m + λ₁², so that det J is proportional to 2m at corner 0 and to 2(1 − m) at corner 1.
#[test]
fn a_sliding_edge_node_turns_a_cell_invalid_where_theory_says() {
    for (m, valid) in [(-0.01, false), (0.01, true), (0.5, true), (0.99, true), (1.01, false)] {
        let mut points = reference_points(Kind::Tet10);
        points[4] = DVec3::new(m, 0.0, 0.0);
        let expected = if valid { CellStatus::Valid } else { CellStatus::PartlyInverted };
        assert_eq!(status(Kind::Tet10, &points), expected, "m = {m}");
    }
}

/// A quadratic hexahedron with the centre of a face pushed far inside is partly inverted although det J is positive
/// at all corners, so that sampling the corners would miss it.
#[test]
fn a_face_pushed_through_the_cell_is_found() {
    let mut lagrange = reference_points(Kind::Hex27);
    let centre = lagrange.iter().position(|x| *x == DVec3::new(0.0, 0.5, 0.5)).unwrap();
    lagrange[centre].x = 0.45;
    let points = bernstein_from_lagrange(Kind::Hex27).apply(&lagrange);
    assert_eq!(status(Kind::Hex27, &points), CellStatus::PartlyInverted);
    let error = single(Kind::Hex27, points).certify().unwrap_err();
    assert!(matches!(error, MeshError::InvalidCell { det, .. } if det < 0.0), "{error}");
}

/// A trilinear hexahedron with det J positive at all eight corners and negative elsewhere is found to be partly
/// inverted.
#[test]
fn a_hexahedron_positive_at_its_corners_can_still_fail() {
    let found = (0..200_000u64).find_map(|seed| {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut unit = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        let points: Vec<DVec3> = reference_points(Kind::Hex8)
            .into_iter()
            .map(|x| x + 1.1 * DVec3::new(unit(), unit(), unit()))
            .collect();
        let det = |xi: DVec3| jacobian(&points, &shape_gradient(Kind::Hex8, xi)).det();
        let corners = reference_points(Kind::Hex8).into_iter().all(|xi| det(xi) > 0.0);
        (corners && grid_points().any(|xi| det(xi) < 0.0)).then_some(points)
    });
    let points = found.expect("such cells are not rare");
    assert_eq!(status(Kind::Hex8, &points), CellStatus::PartlyInverted);
}

/// Points of a fine grid in the unit cube.
fn grid_points() -> impl Iterator<Item = DVec3> {
    let n = 12;
    (0..=n).flat_map(move |i| {
        (0..=n).flat_map(move |j| {
            (0..=n)
                .map(move |k| DVec3::new(f64::from(i), f64::from(j), f64::from(k)) / f64::from(n))
        })
    })
}

/// True if a point of the unit cube is in the reference cell.
fn inside(kind: Kind, x: DVec3) -> bool {
    use pliant_kernels::element::CellShape;
    match kind.shape() {
        CellShape::Tetrahedron => x.x + x.y + x.z <= 1.0,
        CellShape::Hexahedron => true,
        CellShape::Prism => x.x + x.y <= 1.0,
        CellShape::Pyramid => x.x + x.z <= 1.0 && x.y + x.z <= 1.0 && x.z < 0.999,
    }
}

/// Certificates agree with dense sampling: no sample of det J in a valid cell is below its bound, and cells that are
/// not certified have samples near zero or below.
#[test]
fn certificates_agree_with_dense_sampling() {
    for_cases(200, &mut |random| {
        let kind = Kind::ALL[random.below(7)];
        let size = random.within(0.0, 0.6) / kind.degree() as f64;
        let moved = |x: DVec3| x + size * random.vector();
        let points: Vec<DVec3> = reference_points(kind).into_iter().map(moved).collect();
        let det = |xi: DVec3| jacobian(&points, &shape_gradient(kind, xi)).det();
        let samples = grid_points().filter(|x| inside(kind, *x)).map(det);
        let least = samples.fold(f64::INFINITY, f64::min);
        let mesh = single(kind, points.clone());
        match mesh.invalid_cells().first() {
            None => {
                let bound = mesh.certify().unwrap().smallest_det;
                assert!(bound > 0.0 && bound <= least * (1.0 + 1e-9), "{kind} {bound} {least}");
            }
            Some((_, validity)) => {
                // Cells are undecided only if det J comes near zero, and then sampling finds small values.
                assert!(least < 1e-2, "{kind} {validity:?} {least}");
                if validity.status == CellStatus::PartlyInverted && least < -1e-3 {
                    assert!(validity.smallest_det < 0.0);
                    assert!(validity.smallest_det <= 0.9 * least, "{validity:?} {least}");
                }
            }
        }
    });
}

/// A cell with the same corners as another one is an error with both indices.
#[test]
fn duplicates_are_named() {
    let mut mesh = box_mesh(&BoxConfig::default()).unwrap();
    let copy: Vec<u32> = mesh.blocks[0].cell(3).to_vec();
    mesh.blocks.push(Block { kind: Kind::Tet4, nodes: vec![copy[1], copy[2], copy[0], copy[3]] });
    assert_eq!(mesh.certify(), Err(MeshError::DuplicateCell { first: 3, second: 5 }));
    assert_eq!(mesh.duplicate_cells(), vec![[3, 5]]);
}

/// The largest and smallest coordinates cause no panic.
#[test]
fn coordinates_of_any_size_never_panic() {
    for scale in [f64::MAX, 1e-310, 5e-324] {
        let points =
            reference_points(Kind::Hex8).into_iter().map(|x| x * scale - DVec3::splat(scale / 2.0));
        let mesh = single(Kind::Hex8, points.collect());
        let _ = mesh.certify();
    }
    let points = [DVec3::splat(f64::MAX), DVec3::splat(f64::MIN), DVec3::X, DVec3::Y];
    assert!(single(Kind::Tet4, points.to_vec()).certify().is_err());
}
