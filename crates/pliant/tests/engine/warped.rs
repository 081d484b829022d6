//! Warped stiffness: linear forces and stiffness that rotate with the cells.

use crate::common::{Random, all_splits, crumpled, jittered, largest, matrix, model, soft};
use glam::{DMat3, DQuat, DVec3};
use pliant::body::Model;
use pliant::internals::Unknowns;
use pliant::internals::{CellBlocks, Elastic, Elasticity, Warped};
use pliant::material::LawKind;
use pliant::mesh::Mesh;
use pliant::mesh::generate::Split;
use pliant::solver::Rotation;
use pliant_kernels::lanes::{Width, pair_index};
use pliant_kernels::math::{LANES, Mat3, polar_rotation, polar_rotation_from};

/// Straight and curved meshes of every kind.
fn meshes() -> Vec<(String, Mesh)> {
    let mut meshes = Vec::new();
    for (split, degree) in all_splits() {
        meshes.push((format!("{split:?} {degree} straight"), jittered(split, degree, [2, 1, 1])));
        meshes.push((format!("{split:?} {degree} curved"), crumpled(split, degree, [2, 1, 1])));
    }
    meshes
}

fn forces(warped: &mut Warped, model: &Model, x: &[DVec3]) -> (f64, Vec<DVec3>) {
    let mut forces = vec![DVec3::ZERO; x.len()];
    let energy = warped.forces(model.rest_shape(), x, &mut forces);
    (energy, forces)
}

fn product(warped: &mut Warped, model: &Model, d: &[DVec3]) -> Vec<DVec3> {
    let mut product = vec![DVec3::ZERO; d.len()];
    warped.apply(model.rest_shape(), d, &mut product);
    product
}

fn turn() -> DMat3 {
    DMat3::from_quat(DQuat::from_axis_angle(DVec3::new(1.0, 2.0, -0.5).normalize(), 2.5))
}

fn moves(count: usize, random: &mut Random) -> Vec<DVec3> {
    (0..count).map(|_| random.vector()).collect()
}

/// The scale of forces: stiffness times a displacement of 1 m.
fn scale(model: &Model) -> f64 {
    model.material(0).young
}

/// A rigid motion has no forces and no energy. Tolerance: rounding of positions of a few metres, 1e-15, times the
/// stiffness.
#[test]
fn rigid_motions_cost_nothing() {
    for (name, mesh) in meshes() {
        let model = model(mesh, soft(LawKind::Corotated), None);
        for rotation in Rotation::ALL {
            let mut warped = Warped::new(&model, rotation, Width::default());
            let x: Vec<DVec3> = model
                .mesh()
                .nodes
                .iter()
                .map(|x| turn() * *x + DVec3::new(1.0, -2.0, 3.0))
                .collect();
            let (energy, forces) = forces(&mut warped, &model, &x);
            let bound = 1e-12 * scale(&model);
            assert!(largest(forces) < bound, "{name}, {rotation:?}");
            assert!(energy.abs() < 1e-20 * scale(&model), "{name}, {rotation:?}: {energy}");
        }
    }
}

/// Under an affine deformation all points of a cell have the same rotation, so that rotation per cell, rotation per
/// point and the corotated law agree to rounding. (The rotation from edges is a different one.)
#[test]
fn affine_deformations_agree_with_the_corotated_law() {
    let f = turn() * matrix([[1.3, 0.1, -0.2], [0.1, 0.8, 0.15], [-0.2, 0.15, 1.1]]);
    for (name, mesh) in meshes() {
        let model = model(mesh, soft(LawKind::Corotated), None);
        let x: Vec<DVec3> = model.mesh().nodes.iter().map(|x| f * *x).collect();
        let mut expected = vec![DVec3::ZERO; x.len()];
        let energy =
            Elastic::new(&model, Width::default()).forces(model.rest_shape(), &x, &mut expected);
        for rotation in [Rotation::Cell, Rotation::Point] {
            let mut warped = Warped::new(&model, rotation, Width::default());
            let (own, forces) = forces(&mut warped, &model, &x);
            let error = largest(forces.iter().zip(&expected).map(|(a, b)| *a - *b));
            assert!(error < 1e-11 * largest(expected.clone()), "{name}, {rotation:?}: {error}");
            assert!((own - energy).abs() < 1e-11 * energy, "{name}, {rotation:?}");
        }
    }
}

/// With a rotation per point the forces are those of the corotated law for any deformation, to rounding.
#[test]
fn rotation_per_point_is_the_corotated_law() {
    let mut random = Random::new(5);
    for (name, mesh) in meshes() {
        let model = model(mesh, soft(LawKind::Corotated), None);
        let nodes = &model.mesh().nodes;
        let x: Vec<DVec3> = nodes.iter().map(|x| turn() * (*x + 0.02 * random.vector())).collect();
        let mut expected = vec![DVec3::ZERO; x.len()];
        Elastic::new(&model, Width::default()).forces(model.rest_shape(), &x, &mut expected);
        let mut warped = Warped::new(&model, Rotation::Point, Width::default());
        let (_, forces) = forces(&mut warped, &model, &x);
        let error = largest(forces.iter().zip(&expected).map(|(a, b)| *a - *b));
        assert!(error < 1e-10 * largest(expected.clone()), "{name}: {error}");
    }
}

/// At rest there is no stress to rotate, so that K is the exact derivative of the forces. Tolerance 1e-7: central
/// differences with a step of 1e-5 leave errors of about 1e-9 from truncation and rounding.
#[test]
fn stiffness_at_rest_is_the_derivative_of_the_forces() {
    let mut random = Random::new(6);
    for (name, mesh) in meshes() {
        let model = model(mesh, soft(LawKind::Corotated), None);
        let nodes = &model.mesh().nodes;
        let d = moves(nodes.len(), &mut random);
        for rotation in Rotation::ALL {
            let mut warped = Warped::new(&model, rotation, Width::default());
            let step = 1e-5;
            let mut at = |sign: f64| {
                let x: Vec<DVec3> =
                    nodes.iter().zip(&d).map(|(x, d)| *x + sign * step * *d).collect();
                forces(&mut warped, &model, &x).1
            };
            let (ahead, behind) = (at(1.0), at(-1.0));
            forces(&mut warped, &model, nodes);
            let product = product(&mut warped, &model, &d);
            let slope = ahead.iter().zip(&behind).map(|(a, b)| (*b - *a) / (2.0 * step));
            let error = largest(product.iter().zip(slope).map(|(p, s)| *p - s));
            assert!(error < 1e-7 * largest(product.clone()), "{name}, {rotation:?}: {error}");
        }
    }
}

/// The product K d from the blocks of the cells equals the product without them, and the reported diagonal is a third
/// of the traces of the diagonal blocks. Tolerance 1e-12: sums of a few hundred terms in another order.
#[test]
fn blocks_make_the_same_product() {
    let mut random = Random::new(7);
    for (name, mesh) in meshes() {
        let model = model(mesh, soft(LawKind::Corotated), None);
        let nodes = &model.mesh().nodes;
        let x: Vec<DVec3> = nodes.iter().map(|x| turn() * (*x + 0.05 * random.vector())).collect();
        let d = moves(nodes.len(), &mut random);
        for rotation in Rotation::ALL {
            let mut warped = Warped::new(&model, rotation, Width::default());
            forces(&mut warped, &model, &x);
            let expected = product(&mut warped, &model, &d);
            let mut blocks = CellBlocks::new(&model);
            warped.blocks(model.rest_shape(), &mut blocks);
            let (sum, traces) = block_product(&model, &blocks, &d);
            let error = largest(sum.iter().zip(&expected).map(|(a, b)| *a - *b));
            assert!(error < 1e-12 * largest(expected.clone()), "{name}, {rotation:?}: {error}");
            let mut diagonal = vec![0.0; nodes.len()];
            warped.diagonal(model.rest_shape(), &mut diagonal);
            for (own, trace) in diagonal.iter().zip(traces) {
                assert!((own - trace / 3.0).abs() < 1e-12 * own, "{name}: {own}, {trace}");
            }
        }
    }
}

fn block_product(model: &Model, blocks: &CellBlocks, d: &[DVec3]) -> (Vec<DVec3>, Vec<f64>) {
    let mut sum = vec![DVec3::ZERO; d.len()];
    let mut traces = vec![0.0; d.len()];
    for (index, batch) in model.batches().iter().enumerate() {
        for cell in 0..batch.cells.len() {
            let start = blocks.cell_start(index, batch, cell);
            let nodes: Vec<usize> =
                batch.pack_nodes(cell / LANES).iter().map(|n| n[cell % LANES] as usize).collect();
            for (b, node_b) in nodes.iter().enumerate() {
                for (a, node_a) in nodes.iter().enumerate().take(b + 1) {
                    let block = blocks.blocks[start + pair_index(a, b)];
                    sum[*node_a] += DVec3::from(block.mul_vec(d[*node_b].into()));
                    if a == b {
                        traces[*node_a] += block.trace();
                    } else {
                        let mirrored = block.transpose_mul_vec(d[*node_a].into());
                        sum[*node_b] += DVec3::from(mirrored);
                    }
                }
            }
        }
    }
    (sum, traces)
}

/// The stiffness is symmetric, to rounding, and positive in random directions, for small and large deformations.
#[test]
fn stiffness_is_symmetric_and_has_no_negative_direction() {
    let mut random = Random::new(8);
    for (name, mesh) in meshes() {
        let model = model(mesh, soft(LawKind::Corotated), None);
        let nodes = &model.mesh().nodes;
        for shake in [0.05, 1.0] {
            let x: Vec<DVec3> = nodes.iter().map(|x| *x + shake * random.vector()).collect();
            let mut warped = Warped::new(&model, Rotation::Cell, Width::default());
            let (_, forces) = forces(&mut warped, &model, &x);
            assert!(forces.iter().all(|force| force.is_finite()), "{name}");
            let (a, b) = (moves(nodes.len(), &mut random), moves(nodes.len(), &mut random));
            let (ka, kb) = (product(&mut warped, &model, &a), product(&mut warped, &model, &b));
            let dot =
                |a: &[DVec3], b: &[DVec3]| -> f64 { a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum() };
            let (ab, ba) = (dot(&ka, &b), dot(&kb, &a));
            assert!((ab - ba).abs() < 1e-12 * dot(&ka, &a), "{name}: {ab} {ba}");
            assert!(dot(&ka, &a) > 0.0, "{name}");
        }
    }
}

/// Every width of the lanes gives the same bits, for forces, products and blocks.
#[test]
fn every_width_gives_the_same_bits() {
    let mut random = Random::new(9);
    for (name, mesh) in meshes() {
        let model = model(mesh, soft(LawKind::Corotated), None);
        let nodes = &model.mesh().nodes;
        let d = moves(nodes.len(), &mut random);
        for shake in [0.0, 0.05, 1.0] {
            let x: Vec<DVec3> =
                nodes.iter().map(|x| turn() * *x + shake * random.vector()).collect();
            for rotation in Rotation::ALL {
                let bits = |width: Width| {
                    let mut warped = Warped::new(&model, rotation, width);
                    let (energy, forces) = forces(&mut warped, &model, &x);
                    let mut blocks = CellBlocks::new(&model);
                    warped.blocks(model.rest_shape(), &mut blocks);
                    (energy.to_bits(), forces, product(&mut warped, &model, &d), blocks)
                };
                let one = bits(Width::One);
                for width in Width::available() {
                    assert!(bits(width) == one, "{name} {rotation:?} {shake} {width:?}");
                }
            }
        }
    }
}

/// Ties the midpoints of the first cell that are not in the bit set `free`, and about half of those of other cells.
fn tied(model: &Model, free: usize, random: &mut Random) -> Unknowns {
    let mesh = model.mesh();
    let mut unknowns = Unknowns::with_pins(mesh.nodes.len(), &[]);
    let (_, first) = mesh.cells().next().unwrap();
    for edge in &mesh.edges() {
        let own = first[4..].iter().position(|node| *node == edge.nodes[1]);
        if own.map_or(random.signed() < 0.0, |own| free >> own & 1 == 0) {
            unknowns.tie(edge.nodes[1], edge.corners);
        }
    }
    unknowns
}

/// The product of cells with any of the 64 sets of tied edges is CᵀKC d of the quadratic cells, to rounding (about
/// ten terms of the size of the stiffness, 1e-16 each). It is zero at tied nodes, does not read their displacements,
/// and has the same bits in one lane and in eight.
#[test]
fn products_of_tied_cells() {
    let mut random = Random::new(12);
    let model = model(jittered(Split::Tet5, 2, [2, 2, 1]), soft(LawKind::Corotated), None);
    let nodes = &model.mesh().nodes;
    let x: Vec<DVec3> = nodes.iter().map(|x| turn() * *x + 0.05 * random.vector()).collect();
    let widths = [Width::default(), Width::One];
    let [mut quadratic, mut folded, mut single] =
        [widths[0], widths[0], widths[1]].map(|width| Warped::new(&model, Rotation::Cell, width));
    for warped in [&mut quadratic, &mut folded, &mut single] {
        forces(warped, &model, &x);
    }
    for free in 0..64 {
        let unknowns = tied(&model, free, &mut random);
        folded.follow_ties(&model, &unknowns);
        single.follow_ties(&model, &unknowns);
        let y = moves(unknowns.count(), &mut random);
        let mut d = vec![DVec3::ZERO; nodes.len()];
        unknowns.expand(&y, &mut d);
        let mut expected = vec![DVec3::ZERO; unknowns.count()];
        unknowns.reduce(&product(&mut quadratic, &model, &d), &mut expected);
        let is_tied = |node: usize| unknowns.ends(node as u32).is_some();
        (0..d.len()).filter(|node| is_tied(*node)).for_each(|node| d[node] = DVec3::NAN);
        let found = product(&mut folded, &model, &d);
        assert_eq!(found, product(&mut single, &model, &d), "{free:b}");
        // Without pins every node has the unknown with its own index.
        for (node, (found, expected)) in found.iter().zip(&expected).enumerate() {
            let error = found.distance(*expected) / scale(&model);
            assert!(error < 1e-13, "{free:b}: {error} at node {node}");
            assert!(!is_tied(node) || *found == DVec3::ZERO, "{free:b}: tied node {node}");
        }
    }
}

/// With the consistent masses, the product of cells with any set of tied edges is Cᵀ(K + s M)C d of the quadratic cells, to rounding, for the mass
/// matrix that quadrature gives. It has the same bits in one lane and in eight.
#[test]
fn masses_in_products_are_consistent() {
    let mut random = Random::new(13);
    let model = model(jittered(Split::Tet5, 2, [2, 2, 1]), soft(LawKind::Corotated), None);
    let count = model.mesh().nodes.len();
    let [mut quadratic, mut folded, mut single] = [Width::default(), Width::default(), Width::One]
        .map(|width| Warped::new(&model, Rotation::Cell, width));
    let masses = model.consistent_mass();
    let inertia = scale(&model) / model.mass();
    let with_masses = |warped: &mut Warped, d: &[DVec3]| {
        let mut product = vec![DVec3::ZERO; count];
        assert!(warped.has_masses());
        warped.apply_with_masses(model.rest_shape(), inertia, d, &mut product);
        product
    };
    for free in 0..64 {
        let unknowns = tied(&model, free, &mut random);
        folded.follow_ties(&model, &unknowns);
        single.follow_ties(&model, &unknowns);
        let y = moves(unknowns.count(), &mut random);
        let mut d = vec![DVec3::ZERO; count];
        unknowns.expand(&y, &mut d);
        let mut whole = product(&mut quadratic, &model, &d);
        let own = with_masses(&mut quadratic, &d);
        for (node, (whole, inert)) in whole.iter_mut().zip(masses.apply(&d)).enumerate() {
            *whole += inertia * inert;
            let error = whole.distance(own[node]) / scale(&model);
            assert!(error < 1e-13, "{free:b}: {error} at node {node}, without ties");
        }
        let mut expected = vec![DVec3::ZERO; unknowns.count()];
        unknowns.reduce(&whole, &mut expected);
        let is_tied = |node: usize| unknowns.ends(node as u32).is_some();
        (0..d.len()).filter(|node| is_tied(*node)).for_each(|node| d[node] = DVec3::NAN);
        let found = with_masses(&mut folded, &d);
        assert_eq!(found, with_masses(&mut single, &d), "{free:b}");
        for (node, (found, expected)) in found.iter().zip(&expected).enumerate() {
            let error = found.distance(*expected) / scale(&model);
            assert!(error < 1e-13, "{free:b}: {error} at node {node}");
            assert!(!is_tied(node) || *found == DVec3::ZERO, "{free:b}: tied node {node}");
        }
    }
}

/// Cells that are curved, not quadratic, or evaluated at their quadrature points have no masses in their products.
#[test]
fn other_cells_have_no_masses_in_their_products() {
    let has = |mesh: Mesh, rotation: Rotation| {
        Warped::new(&model(mesh, soft(LawKind::Corotated), None), rotation, Width::default())
            .has_masses()
    };
    assert!(has(jittered(Split::Tet5, 2, [2, 1, 1]), Rotation::Cell));
    assert!(!has(jittered(Split::Tet5, 2, [2, 1, 1]), Rotation::Point));
    assert!(!has(crumpled(Split::Tet5, 2, [2, 1, 1]), Rotation::Cell));
    assert!(!has(jittered(Split::Tet5, 1, [2, 1, 1]), Rotation::Cell));
    assert!(!has(jittered(Split::Hex, 2, [2, 1, 1]), Rotation::Cell));
}

/// A very flat cell is not stiffer than others (the clamp of Parker & O'Brien 2009, section 3), and still has no
/// force at rest.
#[test]
fn slivers_are_clamped_and_still_rest() {
    let diagonal_of = |flatness: f64| {
        let mut mesh = jittered(Split::Tet5, 2, [1, 1, 1]);
        mesh.nodes.iter_mut().for_each(|x| x.y *= flatness);
        let model = model(mesh, soft(LawKind::Corotated), None);
        let mut warped = Warped::new(&model, Rotation::Cell, Width::default());
        let (energy, forces) = forces(&mut warped, &model, &model.mesh().nodes);
        assert!(energy.abs() < 1e-20 && largest(forces) < 1e-9, "{flatness}");
        let mut diagonal = vec![0.0; model.mesh().nodes.len()];
        warped.diagonal(model.rest_shape(), &mut diagonal);
        diagonal.into_iter().fold(0.0, f64::max)
    };
    // Without the clamp the stiffness grows as 1/flatness; with it, it falls with the volume.
    let (thin, flat) = (diagonal_of(1e-2), diagonal_of(1e-5));
    assert!(flat < 2e-3 * thin, "{flat} {thin}");
}

/// The polar rotation is found from any guess. Tolerance 1e-9: the condition number of F (det F ≥ 0.06) times rounding.
#[test]
fn polar_rotation_from_any_guess() {
    let mut random = Random::new(10);
    for _ in 0..2000 {
        let guess: Mat3 = DMat3::from_quat(DQuat::from_axis_angle(
            random.vector().normalize(),
            3.2 * random.signed(),
        ))
        .into();
        let f = Mat3::from_fn(|_, _| random.signed());
        if f.det() < 0.06 {
            continue;
        }
        let (from_guess, nearest) = (polar_rotation_from(&f, &guess), polar_rotation(&f));
        let error = (from_guess - nearest).norm_squared().sqrt();
        assert!(error < 1e-9, "{f:?}: {error}");
    }
}

/// The change of a cell is the row-sum norm of the change of F, to rounding, and zero after a mark.
#[test]
fn change_is_the_row_sum_of_the_gradient() {
    let f = matrix([[1.0, 0.3, 0.0], [0.0, 1.0, -0.1], [0.0, 0.0, 1.0]]);
    for (name, mesh) in meshes() {
        let model = model(mesh, soft(LawKind::Corotated), None);
        let mut warped = Warped::new(&model, Rotation::Cell, Width::default());
        let x: Vec<DVec3> = model.mesh().nodes.iter().map(|x| f * *x).collect();
        let change = warped.change(model.rest_shape(), &x);
        assert!((change - 0.3).abs() < 1e-12, "{name}: {change}");
        warped.mark(&model, &x);
        assert!(warped.change(model.rest_shape(), &x) == 0.0, "{name}");
    }
}

/// K depends only on the rotations of cells, so that its age is the row-sum norm of their change: zero for a stretch,
/// and sin θ + 1 − cos θ for a rotation by θ about an axis.
#[test]
fn stiffness_ages_by_turning_alone() {
    let turn = 0.1_f64;
    let rotated =
        matrix([[turn.cos(), -turn.sin(), 0.0], [turn.sin(), turn.cos(), 0.0], [0.0, 0.0, 1.0]]);
    let stretched = matrix([[1.4, 0.0, 0.0], [0.0, 0.9, 0.0], [0.0, 0.0, 0.9]]);
    for (name, mesh) in meshes() {
        let model = model(mesh, soft(LawKind::Corotated), None);
        for rotation in [Rotation::Cell, Rotation::Point] {
            let mut warped = Warped::new(&model, rotation, Width::default());
            let mut forces = vec![DVec3::ZERO; model.mesh().nodes.len()];
            let mut turned = |f: &dyn Fn(DVec3) -> DVec3| {
                let x: Vec<DVec3> = model.mesh().nodes.iter().map(|x| f(*x)).collect();
                warped.forces(model.rest_shape(), &x, &mut forces);
                let turned = warped.turned(model.rest_shape(), &x);
                warped.mark(&model, &x);
                assert_eq!(warped.turned(model.rest_shape(), &x), 0.0, "{name}");
                turned
            };
            // Rotations are exact to about 1e-12.
            assert!(turned(&|x| stretched * x) < 1e-11, "{name}");
            let change = turned(&|x| rotated * (stretched * x));
            assert!((change - (turn.sin() + 1.0 - turn.cos())).abs() < 1e-11, "{name}: {change}");
        }
    }
}
