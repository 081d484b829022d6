//! Skins are convex combinations of nodes, closed and oriented outward, and the forces on them are conjugate to their
//! motion.

use std::collections::BTreeMap;

use crate::common::{Random, all_splits, crumpled, jittered};
use glam::DVec3;
use pliant::body::Skin;
use pliant::mesh::Mesh;

const CELLS: [usize; 3] = [2, 2, 3];

/// The volume inside a closed surface, Σ a · (b × c)/6, by the divergence theorem.
fn enclosed(skin: &Skin, nodes: &[DVec3]) -> f64 {
    let mut vertices = Vec::new();
    skin.interpolate(nodes, &mut vertices);
    let signed = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|vertex| vertices[vertex as usize]);
        a.dot(b.cross(c)) / 6.0
    };
    skin.triangles().iter().map(signed).sum()
}

/// Straight and curved meshes of every split and degree.
fn meshes() -> Vec<(String, Mesh)> {
    let both = |(split, degree)| {
        let straight = (format!("straight {split:?} {degree}"), jittered(split, degree, CELLS));
        [straight, (format!("curved {split:?} {degree}"), crumpled(split, degree, CELLS))]
    };
    all_splits().into_iter().flat_map(both).collect()
}

/// The weights of every vertex are non-negative and sum to 1, to rounding.
#[test]
fn vertices_are_convex_combinations_of_nodes() {
    for (name, mesh) in meshes() {
        for subdivisions in [1, 2, 3, 5] {
            let skin = Skin::of_mesh(&mesh, subdivisions);
            for vertex in 0..skin.vertex_count() {
                let weights = skin.weights(vertex);
                assert!(weights.clone().all(|(_, weight)| weight >= 0.0), "{name}");
                let sum: f64 = weights.map(|(_, weight)| weight).sum();
                assert!((sum - 1.0).abs() < 1e-14, "{name}: weights sum to {sum}");
            }
        }
    }
}

/// Every skin is closed and consistently oriented: each edge belongs to two triangles, once in each direction.
#[test]
fn every_edge_is_run_once_in_each_direction() {
    for (name, mesh) in meshes() {
        for subdivisions in [1, 2, 3, 5] {
            let skin = Skin::of_mesh(&mesh, subdivisions);
            let mut runs: BTreeMap<[u32; 2], i32> = BTreeMap::new();
            for [a, b, c] in skin.triangles() {
                for run in [[*a, *b], [*b, *c], [*c, *a]] {
                    *runs.entry(run).or_default() += 1;
                }
            }
            for ([a, b], count) in &runs {
                assert_eq!((*count, runs.get(&[*b, *a])), (1, Some(&1)), "{name}: edge {a}–{b}");
            }
        }
    }
}

/// The skin of a box has the topology of a sphere: V − E + F = 2.
#[test]
fn a_sphere_of_triangles_has_eulers_number_two() {
    for (name, mesh) in meshes() {
        let skin = Skin::of_mesh(&mesh, 3);
        let triangles = skin.triangles().len() as i64;
        // Each edge belongs to two triangles, so E = 3/2 F.
        assert_eq!(skin.vertex_count() as i64 - triangles / 2, 2, "{name}");
    }
}

/// The skin of a straight mesh encloses its volume, to rounding.
#[test]
fn skins_of_straight_meshes_enclose_their_volume() {
    for (split, degree) in all_splits() {
        let mesh = jittered(split, degree, CELLS);
        for subdivisions in [1, 2, 3] {
            let volume = enclosed(&Skin::of_mesh(&mesh, subdivisions), &mesh.nodes);
            let error = (volume / mesh.volume() - 1.0).abs();
            assert!(error < 1e-12, "{split:?} {degree}: {volume} of {}", mesh.volume());
        }
    }
}

/// The volume of the skin of a curved mesh converges to that of the mesh with order 2 in the subdivisions.
#[test]
fn skins_of_curved_meshes_approach_their_volume_at_second_order() {
    for (split, degree) in all_splits().into_iter().filter(|(_, degree)| *degree > 1) {
        let mesh = crumpled(split, degree, CELLS);
        let error = |subdivisions| {
            (enclosed(&Skin::of_mesh(&mesh, subdivisions), &mesh.nodes) - mesh.volume()).abs()
        };
        let order = (error(8) / error(16)).log2();
        assert!(order > 1.8, "{split:?} {degree}: order {order:.2}");
        assert!(error(16) < 1e-4 * mesh.volume(), "{split:?} {degree}: {:.1e}", error(16));
    }
}

/// `spread` is the transpose of `interpolate`: nodal forces do the same work as the forces on vertices.
#[test]
fn spread_forces_do_the_work_of_the_forces_on_the_skin() {
    let mut random = Random::new(5);
    for (name, mesh) in meshes() {
        let skin = Skin::of_mesh(&mesh, 3);
        let forces: Vec<DVec3> = (0..skin.vertex_count()).map(|_| random.vector()).collect();
        let moves: Vec<DVec3> = mesh.nodes.iter().map(|_| random.vector()).collect();
        let (mut nodal, mut vertices) = (vec![DVec3::ZERO; mesh.nodes.len()], Vec::new());
        skin.spread(&forces, &mut nodal);
        skin.interpolate(&moves, &mut vertices);
        let work = |forces: &[DVec3], moves: &[DVec3]| -> f64 {
            forces.iter().zip(moves).map(|(f, d)| f.dot(*d)).sum()
        };
        // Rounding of sums of a few hundred terms of size one.
        let difference = work(&forces, &vertices) - work(&nodal, &moves);
        assert!(difference.abs() < 1e-12, "{name}: {difference:.1e}");
        // The total force is unchanged.
        let total = forces.iter().sum::<DVec3>() - nodal.iter().sum::<DVec3>();
        assert!(total.length() < 1e-12, "{name}: {total}");
    }
}
