//! The tangent stiffness of hyperelastic cells, as implicit steppers use it.

use std::sync::Arc;

use crate::common::{Random, all_kinds, crumpled, interpolated, jittered, largest, model, soft};
use glam::{DMat3, DVec3};
use pliant::body::Model;
use pliant::internals::{CellBlocks, Elastic, Elasticity, Tangent};
use pliant::material::LawKind;
use pliant_kernels::lanes::RestBatch;
use pliant_kernels::lanes::{Width, pair_count, pair_index};
use pliant_kernels::material::{Law, LawFamily, LawVisitor};
use pliant_kernels::math::{DenseEigen, LANES, Mat3, Vec3};

/// Models with every kind of cell and every law, straight and curved; the number of cells is not a multiple of the
/// lanes.
fn all_models() -> Vec<(String, Arc<Model>)> {
    let mut models = Vec::new();
    for (split, degree) in all_kinds() {
        for law in LawKind::ALL {
            let (straight, curved) =
                (jittered(split, degree, [2, 1, 1]), crumpled(split, degree, [2, 1, 1]));
            for (mesh, shape) in [(straight, "straight"), (curved, "curved")] {
                let what = format!("{split:?} {degree}, {law}, {shape}");
                models.push((what, model(mesh, soft(law), None)));
            }
        }
    }
    models
}

/// Rest positions moved at random by up to `by`: with 0.1 m cells of half a metre are strained, with 1 m they are
/// inverted.
fn shaken(model: &Model, by: f64) -> Vec<DVec3> {
    let mut random = Random::new(5);
    model.mesh().nodes.iter().map(|x| *x + by * random.vector()).collect()
}

fn linearised(model: &Model, x: &[DVec3]) -> Tangent {
    let mut tangent = Tangent::new(model, Width::default());
    tangent.linearise(model.rest_shape(), x);
    tangent
}

fn blocks(model: &Model, x: &[DVec3]) -> CellBlocks {
    let mut blocks = CellBlocks::new(model);
    linearised(model, x).blocks(model.rest_shape(), &mut blocks);
    blocks
}

/// Every cell of a model: its batch, its index in the batch, its nodes and its blocks.
fn cells<'a>(
    model: &'a Model,
    blocks: &'a CellBlocks,
) -> impl Iterator<Item = (RestBatch<'a>, usize, Vec<usize>, &'a [Mat3])> {
    model.rest_batches().enumerate().flat_map(move |(index, batch)| {
        (0..batch.cells.len()).map(move |cell| {
            let nodes = batch.pack_nodes(cell / LANES).iter();
            let nodes = nodes.map(|lanes| lanes[cell % LANES] as usize).collect();
            let start = blocks.cell_start(index, &batch, cell);
            (batch, cell, nodes, &blocks.blocks[start..start + pair_count(&batch)])
        })
    })
}

/// Block (a, b) of a cell, also where a > b.
fn block(blocks: &[Mat3], a: usize, b: usize) -> Mat3 {
    if a <= b { blocks[pair_index(a, b)] } else { blocks[pair_index(b, a)].transpose() }
}

fn size(blocks: &[Mat3]) -> f64 {
    blocks.iter().map(|block| block.norm_squared().sqrt()).fold(0.0, f64::max)
}

/// The positive semidefinite stiffness of a law at F.
struct Positive<'a>(f64, f64, &'a Mat3);

impl LawVisitor for Positive<'_> {
    type Output = [[f64; 9]; 9];

    fn visit<F: LawFamily>(self) -> [[f64; 9]; 9] {
        F::law(self.0, self.1).stiffness_psd(self.2)
    }
}

/// The blocks K_ab = Σ V gₐ · ∂P/∂F · g_b, with gradients with respect to X, computed index by index.
fn plain_blocks(model: &Model, batch: RestBatch<'_>, cell: usize, x: &[DVec3]) -> Vec<Mat3> {
    let (_, nodes) = model.mesh().cell(batch.cells[cell] as usize);
    let constants = model.material(batch.cells[cell] as usize).constants();
    let mut blocks = vec![Mat3::ZERO; pair_count(&batch)];
    for point in 0..batch.point_count() {
        let rest = batch.rest_point([cell / LANES, cell % LANES, point]);
        let reference = batch.point_gradients(point).iter();
        let g: Vec<Vec3> = reference.map(|g| rest.inverse.transpose_mul_vec(Vec3(*g))).collect();
        let f = nodes
            .iter()
            .zip(&g)
            .fold(Mat3::ZERO, |sum, (node, g)| sum + Mat3::outer(x[*node as usize].into(), *g));
        let h = batch.law.visit(Positive(constants.mu, constants.lambda, &f));
        for b in 0..nodes.len() {
            for a in 0..=b {
                blocks[pair_index(a, b)] += Mat3::from_fn(|i, k| {
                    let term = |j: usize, l: usize| g[a].0[j] * h[i + 3 * j][k + 3 * l] * g[b].0[l];
                    rest.volume * (0..9).map(|jl| term(jl % 3, jl / 3)).sum::<f64>()
                });
            }
        }
    }
    blocks
}

/// The blocks of cells equal the formula. Tolerance 1e-11: the same sum in another order. F differs in its last
/// digit, and the stiffness of a strongly distorted cell, with entries up to a thousand times those at rest,
/// amplifies this.
#[test]
fn blocks_are_those_of_the_formula() {
    for (what, model) in all_models() {
        for shake in [0.01, 0.1, 0.5] {
            let x = shaken(&model, shake);
            for (batch, cell, _, blocks) in cells(&model, &blocks(&model, &x)) {
                let plain = plain_blocks(&model, batch, cell, &x);
                let off = blocks.iter().zip(&plain).map(|(a, b)| *a - *b).collect::<Vec<_>>();
                let error = size(&off) / size(&plain);
                assert!(error < 1e-11, "{what}, shaken by {shake}: {error:.1e}");
            }
        }
    }
}

/// At rest the stiffness is the negative derivative of the forces: no law has a negative eigenvalue there, so that
/// the projection changes nothing. Tolerance 1e-7: central differences with a step of 1e-5 have errors of about 1e-9.
#[test]
fn at_rest_it_is_the_slope_of_the_forces() {
    for (what, model) in all_models() {
        let rest = model.mesh().nodes.clone();
        let mut random = Random::new(3);
        let d: Vec<DVec3> = rest.iter().map(|_| random.vector()).collect();
        let mut product = vec![DVec3::ZERO; rest.len()];
        linearised(&model, &rest).apply(model.rest_shape(), &d, &mut product);
        let forces = |by: f64| {
            let x: Vec<DVec3> = rest.iter().zip(&d).map(|(x, d)| *x + by * *d).collect();
            let mut forces = vec![DVec3::ZERO; x.len()];
            Elastic::new(&model, Width::default()).forces(model.rest_shape(), &x, &mut forces);
            forces
        };
        let (ahead, behind) = (forces(1e-5), forces(-1e-5));
        let slopes = ahead.iter().zip(&behind).map(|(a, b)| (*b - *a) / 2e-5);
        let error = largest(slopes.zip(&product).map(|(slope, p)| slope - *p));
        assert!(error < 1e-7 * largest(product), "{what}: {error:.1e}");
    }
}

/// Products computed at quadrature points equal those of the blocks, to rounding.
#[test]
fn products_are_those_of_the_blocks() {
    for (what, model) in all_models() {
        let x = shaken(&model, 0.3);
        let d = shaken(&model, 1.0);
        let mut product = vec![DVec3::ZERO; x.len()];
        linearised(&model, &x).apply(model.rest_shape(), &d, &mut product);
        let mut expected = vec![DVec3::ZERO; x.len()];
        let mut scale = 0.0_f64;
        for (_, _, nodes, blocks) in cells(&model, &blocks(&model, &x)) {
            scale = scale.max(size(blocks));
            for (a, node) in nodes.iter().enumerate() {
                for (b, other) in nodes.iter().enumerate() {
                    expected[*node] += DVec3::from(block(blocks, a, b).mul_vec(d[*other].into()));
                }
            }
        }
        let error = largest(product.iter().zip(&expected).map(|(a, b)| *a - *b));
        assert!(error < 1e-12 * scale, "{what}: {error:.1e} of {scale:.1e}");
    }
}

/// The stiffness of every cell is symmetric and has no negative eigenvalue, up to rounding, also in inverted cells.
#[test]
fn no_direction_is_negative() {
    for (what, model) in all_models() {
        for shake in [0.0, 0.3, 2.0] {
            for (_, _, nodes, blocks) in cells(&model, &blocks(&model, &shaken(&model, shake))) {
                let n = nodes.len();
                for a in 0..n {
                    let own = block(blocks, a, a);
                    let skew = (own - own.transpose()).norm_squared().sqrt();
                    assert!(skew < 1e-13 * size(blocks), "{what}, shaken by {shake}: {skew:.1e}");
                }
                let entry = |r: usize, c: usize| block(blocks, r / 3, c / 3).at(r % 3, c % 3);
                let row = |r: usize| (0..3 * n).map(|c| entry(r, c)).collect();
                let eigenvalues = DenseEigen::new((0..3 * n).map(row).collect()).unwrap().values;
                let (least, most) = (eigenvalues[0], eigenvalues[3 * n - 1]);
                assert!(least > -1e-13 * most, "{what}, shaken by {shake}: {least} of {most}");
            }
        }
    }
}

/// A translation of all nodes has no force, to rounding, also in strongly distorted cells.
#[test]
fn translations_meet_no_stiffness() {
    for (what, model) in all_models() {
        let x = shaken(&model, 0.3);
        let mut tangent = linearised(&model, &x);
        let mut product = vec![DVec3::ZERO; x.len()];
        tangent.apply(model.rest_shape(), &vec![DVec3::new(1.0, -2.0, 0.5); x.len()], &mut product);
        let mut diagonal = vec![0.0; x.len()];
        tangent.diagonal(model.rest_shape(), &mut diagonal);
        let scale = diagonal.into_iter().fold(0.0, f64::max);
        let push = largest(product);
        assert!(push < 1e-13 * scale, "{what}: {push:.1e} of {scale:.1e}");
    }
}

/// The diagonal adds a third of the trace of every diagonal block to the values given, to rounding.
#[test]
fn the_diagonal_is_added() {
    for (what, model) in all_models() {
        let x = shaken(&model, 0.3);
        let mut diagonal = vec![1.0; x.len()];
        linearised(&model, &x).diagonal(model.rest_shape(), &mut diagonal);
        let mut expected = vec![1.0; x.len()];
        for (_, _, nodes, blocks) in cells(&model, &blocks(&model, &x)) {
            for (a, node) in nodes.into_iter().enumerate() {
                expected[node] += block(blocks, a, a).trace() / 3.0;
            }
        }
        for (a, b) in diagonal.iter().zip(&expected) {
            assert!((a - b).abs() < 1e-13 * b, "{what}: {a} and {b}");
        }
    }
}

/// The change since the mark is the row-sum norm of the difference of deformation gradients, to rounding for affine
/// deformations.
#[test]
fn change_is_counted_from_the_mark() {
    let first = crate::common::matrix([[1.1, 0.2, 0.0], [0.0, 0.9, -0.3], [0.1, 0.0, 1.2]]);
    let second = crate::common::matrix([[1.0, 0.1, 0.4], [0.0, 0.8, -0.3], [-0.2, 0.0, 1.5]]);
    for (what, model) in all_models() {
        let place = |f: DMat3| interpolated(model.mesh(), |x| f * x);
        let mut tangent = Tangent::new(&model, Width::default());
        // Rows of `first` − 1 sum to 0.3, 0.4 and 0.3; those of the difference to 0.6, 0.1 and 0.6.
        let from_rest = tangent.change(model.rest_shape(), &place(first));
        assert!((from_rest - 0.4).abs() < 1e-12, "{what}: {from_rest}");
        tangent.mark(&model, &place(first));
        assert_eq!(tangent.change(model.rest_shape(), &place(first)), 0.0);
        let change = tangent.change(model.rest_shape(), &place(second));
        assert!((change - 0.6).abs() < 1e-12, "{what}: {change}");
    }
}

/// A node that is not finite gives an infinite change, so that an old factorisation is never kept for it.
#[test]
fn a_lost_node_is_an_infinite_change() {
    for (what, model) in all_models() {
        for lost in [f64::NAN, f64::INFINITY] {
            let mut x = model.mesh().nodes.clone();
            x[1].y = lost;
            let change = Tangent::new(&model, Width::default()).change(model.rest_shape(), &x);
            assert_eq!(change, f64::INFINITY, "{what}");
        }
    }
}
