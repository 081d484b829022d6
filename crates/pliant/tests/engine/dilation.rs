//! Volume change evaluated at quadrature points or as the mean of a cell.

use std::sync::Arc;

use crate::common::heavy;
use glam::DVec3;
use pliant::body::{Body, Dilation, Model, ModelConfig, ModelError, Pin};
use pliant::internals::{CellStiffness, Definiteness, Elastic, Elasticity, Tangent};
use pliant::material::{LawKind, Material};
use pliant::mesh::generate::{BoxConfig, Split, box_mesh};
use pliant::solver::{Equilibrium, Loads, StaticConfig};
use pliant_kernels::lanes::Width;

const KINDS: [(Split, usize); 7] = [
    (Split::Tet5, 1),
    (Split::Tet5, 2),
    (Split::Tet5, 3),
    (Split::Hex, 1),
    (Split::Hex, 2),
    (Split::Prism, 1),
    (Split::Pyramid, 1),
];

/// A small jittered block of a nearly incompressible material.
fn block(split: Split, degree: usize, law: LawKind, dilation: Dilation) -> Model {
    let config =
        BoxConfig { cells: [2, 1, 1], split, degree, jitter: 0.1, seed: 3, ..Default::default() };
    let mesh = box_mesh(&config).unwrap();
    let cells = vec![0; mesh.cell_count()];
    let material = Material { law, young: 1.0, poisson: 0.48, ..Default::default() };
    let config = ModelConfig { dilation: Some(dilation), ..Default::default() };
    Model::new(mesh, vec![material], cells, config).unwrap()
}

/// A smooth deformation whose volume change varies within cells.
fn deformed(model: &Model) -> Vec<DVec3> {
    let bend = |x: &DVec3| {
        DVec3::new(
            1.1 * x.x + 0.2 * x.y * x.y,
            0.9 * x.y + 0.15 * x.x * x.z,
            x.z + 0.1 * x.x * x.x - 0.1 * x.y,
        )
    };
    model.mesh().nodes.iter().map(bend).collect()
}

fn forces(model: &Model, x: &[DVec3]) -> (f64, Vec<DVec3>) {
    let mut forces = vec![DVec3::ZERO; x.len()];
    let energy = Elastic::new(model, Width::default()).forces(model.rest_shape(), x, &mut forces);
    (energy, forces)
}

/// A direction in which all nodes move differently.
fn direction(count: usize) -> Vec<DVec3> {
    let wave = |k: usize| (k as f64 * 0.7).sin();
    (0..count).map(|k| DVec3::new(wave(3 * k), wave(3 * k + 1), wave(3 * k + 2))).collect()
}

fn moved(x: &[DVec3], d: &[DVec3], by: f64) -> Vec<DVec3> {
    x.iter().zip(d).map(|(x, d)| *x + by * *d).collect()
}

/// Forces are the negative gradient of the energy, for both kinds of dilation and every kind of cell. Tolerance
/// 1e-8: central differences of energies of order one with a step of 1e-5 have errors of about 1e-9.
#[test]
fn forces_are_the_slope_of_the_energy() {
    for dilation in Dilation::ALL {
        for (split, degree) in KINDS {
            let model = block(split, degree, LawKind::RestStable, dilation);
            let x = deformed(&model);
            let d = direction(x.len());
            let energy = |by| forces(&model, &moved(&x, &d, by)).0;
            let slope = (energy(1e-5) - energy(-1e-5)) / 2e-5;
            let works: Vec<f64> =
                forces(&model, &x).1.iter().zip(&d).map(|(f, d)| f.dot(*d)).collect();
            let size: f64 = works.iter().map(|work| work.abs()).sum();
            let off = (slope + works.iter().sum::<f64>()).abs() / size;
            assert!(off < 1e-8, "{split:?} {degree} {dilation:?}: {off:e}");
        }
    }
}

/// The stiffness is the negative gradient of the forces. Tolerance as above: the forces are of order one too.
#[test]
fn stiffness_is_the_slope_of_the_forces() {
    for dilation in Dilation::ALL {
        for law in [LawKind::RestStable, LawKind::MacklinMuller, LawKind::Smith] {
            for (split, degree) in KINDS {
                let model = block(split, degree, law, dilation);
                let x = deformed(&model);
                let d = direction(x.len());
                let mut product = vec![DVec3::ZERO; x.len()];
                for batch in model.rest_batches() {
                    for cell in 0..batch.cells.len() {
                        let exact = CellStiffness::new(batch, cell, &x, Definiteness::Exact);
                        exact.apply(&d, &mut product);
                    }
                }
                let forces = |by| forces(&model, &moved(&x, &d, by)).1;
                let (ahead, behind) = (forces(1e-5), forces(-1e-5));
                let size = product.iter().map(|p| p.length()).fold(0.0, f64::max);
                for ((a, b), p) in ahead.iter().zip(&behind).zip(&product) {
                    let off = ((*a - *b) / 2e-5 + *p).length() / size;
                    assert!(off < 1e-8, "{split:?} {degree} {law} {dilation:?}: {off:e}");
                }
            }
        }
    }
}

/// Under uniform strain det F is constant in a cell, so that mean and pointwise dilation give the same energy
/// and forces, up to rounding.
#[test]
fn mean_and_pointwise_agree_under_uniform_strain() {
    for (split, degree) in KINDS {
        let [pointwise, mean] =
            Dilation::ALL.map(|dilation| block(split, degree, LawKind::RestStable, dilation));
        let stretch = |x: &DVec3| DVec3::new(1.2 * x.x + 0.1 * x.y, 0.8 * x.y, 1.1 * x.z);
        let x: Vec<DVec3> = pointwise.mesh().nodes.iter().map(stretch).collect();
        let ((energy, f), (mean_energy, g)) = (forces(&pointwise, &x), forces(&mean, &x));
        assert!((energy - mean_energy).abs() < 1e-13 * energy);
        let size = f.iter().map(|f| f.length()).fold(0.0, f64::max);
        assert!(f.iter().zip(&g).all(|(f, g)| (*f - *g).length() < 1e-12 * size));
    }
}

/// Mean dilation never has more energy than pointwise dilation: bending a nearly incompressible block changes
/// the volume at points, but not that of whole cells. Linear tetrahedra have one point, so that both are equal
/// to rounding.
#[test]
fn mean_dilation_is_never_stiffer() {
    for (split, degree) in KINDS {
        let [pointwise, mean] =
            Dilation::ALL.map(|dilation| block(split, degree, LawKind::RestStable, dilation));
        let x = deformed(&pointwise);
        let (stiff, soft) = (forces(&pointwise, &x).0, forces(&mean, &x).0);
        if degree == 1 && split == Split::Tet5 {
            assert!(
                (stiff - soft).abs() < 1e-14 * stiff,
                "a cell with one point has nothing to average"
            );
        } else {
            assert!(soft < stiff, "{split:?} {degree}: {soft} against {stiff}");
        }
    }
}

/// Every width of the lanes gives the same bits, also with the extra pass of mean dilation.
#[test]
fn lanes_do_not_change_bits() {
    for (split, degree) in KINDS {
        let model = block(split, degree, LawKind::Smith, Dilation::Mean);
        let x = deformed(&model);
        let forces = |width| {
            let mut forces = vec![DVec3::ZERO; x.len()];
            let energy = Elastic::new(&model, width).forces(model.rest_shape(), &x, &mut forces);
            (energy, forces)
        };
        for width in Width::available() {
            assert_eq!(forces(width), forces(Width::One), "{split:?} {degree}, {width:?}");
        }
    }
}

/// Mean dilation with a law that has no separate volume term is an error that names laws that have one.
#[test]
fn a_law_without_a_volume_term_is_refused() {
    let mesh = box_mesh(&BoxConfig::default()).unwrap();
    let cells = vec![0; mesh.cell_count()];
    let material = Material { law: LawKind::Corotated, ..Default::default() };
    let config = ModelConfig { dilation: Some(Dilation::Mean), ..Default::default() };
    let error = Model::new(mesh, vec![material], cells, config).unwrap_err();
    assert!(matches!(error, ModelError::NoMeanDilation { law: LawKind::Corotated, .. }));
    assert!(error.to_string().contains("rest-stable"), "{error}");
}

/// The stiffness of implicit steppers, in lanes, is the positive stiffness of every cell, one after the other. Near rest no direction is
/// negative, and it is the slope of the forces, too. Tolerance 1e-12 for sums in another order, and 1e-4 of the slope for a strain of 1e-5.
#[test]
fn the_tangent_contains_the_mean() {
    for law in [LawKind::RestStable, LawKind::MacklinMuller, LawKind::Smith] {
        for (split, degree) in KINDS {
            let model = block(split, degree, law, Dilation::Mean);
            let d = direction(model.mesh().nodes.len());
            let rest = model.mesh().nodes.clone();
            for (x, near_rest) in [(deformed(&model), false), (moved(&rest, &d, 1e-6), true)] {
                let mut tangent = Tangent::new(&model, Width::default());
                let [mut product, mut expected] = [(); 2].map(|()| vec![DVec3::ZERO; x.len()]);
                tangent.linearise(model.rest_shape(), &x);
                tangent.apply(model.rest_shape(), &d, &mut product);
                for batch in model.rest_batches() {
                    for cell in 0..batch.cells.len() {
                        let stiffness = CellStiffness::new(batch, cell, &x, Definiteness::Positive);
                        stiffness.apply(&d, &mut expected);
                    }
                }
                let size = expected.iter().map(|p| p.length()).fold(0.0, f64::max);
                let off = |a: &[DVec3], b: &[DVec3]| {
                    a.iter().zip(b).map(|(a, b)| (*a - *b).length() / size).fold(0.0, f64::max)
                };
                let what = format!("{split:?} {degree} {law}");
                assert!(off(&product, &expected) < 1e-12, "{what}: {:e}", off(&product, &expected));
                if near_rest {
                    let forces = |by| forces(&model, &moved(&x, &d, by)).1;
                    let pairs = forces(-1e-6).into_iter().zip(forces(1e-6));
                    let slope: Vec<DVec3> = pairs.map(|(a, b)| (a - b) / 2e-6).collect();
                    assert!(off(&product, &slope) < 1e-4, "{what}: {:e}", off(&product, &slope));
                }
            }
        }
    }
}

/// Without a setting, dilation is that of the mean where a law has a volume term and Poisson's ratio is above 0.4; up to that, nothing
/// changes, to the bit.
#[test]
fn the_default_is_the_mean_where_it_matters() {
    let energy = |law, poisson, dilation| {
        let mesh = box_mesh(&BoxConfig { degree: 2, ..Default::default() }).unwrap();
        let cells = vec![0; mesh.cell_count()];
        let material = Material { law, poisson, ..Default::default() };
        let config = ModelConfig { dilation, ..Default::default() };
        let model = Model::new(mesh, vec![material], cells, config).unwrap();
        forces(&model, &deformed(&model)).0
    };
    for law in LawKind::ALL {
        for poisson in [0.0, 0.3, 0.4] {
            let pointwise = energy(law, poisson, Some(Dilation::Pointwise));
            assert_eq!(energy(law, poisson, None), pointwise, "{law} {poisson}");
        }
        let [default, pointwise] =
            [None, Some(Dilation::Pointwise)].map(|dilation| energy(law, 0.45, dilation));
        assert_eq!(default < pointwise, Dilation::Mean.suits(law), "{law}");
    }
}

/// Cook's membrane: a tapered panel of 48 by 44 to 16 m, 10 m thick, clamped at its left side, with a shear load on its right side. Returns
/// by how much the upper right corner rises.
fn cooks_membrane(grid: [usize; 3], split: Split, dilation: Option<Dilation>) -> f64 {
    let config = BoxConfig { cells: grid, split, degree: 2, ..Default::default() };
    let mut mesh = box_mesh(&config).unwrap();
    let (low, high) = mesh.bounds();
    for node in &mut mesh.nodes {
        let at = (*node - low) / (high - low);
        let (bottom, top) = (44.0 * at.x, 44.0 + 16.0 * at.x);
        *node = DVec3::new(48.0 * at.x, bottom + (top - bottom) * at.y, 10.0 * at.z);
    }
    let sides = ["x-", "x+"].map(|side| mesh.node_set(side).unwrap().nodes.clone());
    let (cells, loaded) = (vec![0; mesh.cell_count()], &sides[1]);
    // An even share of every node: the sum of the load is the same on every mesh, and its distribution matters little at the corner.
    let mut loads = vec![DVec3::ZERO; mesh.nodes.len()];
    for node in loaded {
        loads[*node as usize] = DVec3::new(0.0, 100.0 / loaded.len() as f64, 0.0);
    }
    let corner = |x: &DVec3| x.x + x.y;
    let tip = (0..mesh.nodes.len())
        .max_by(|a, b| corner(&mesh.nodes[*a]).total_cmp(&corner(&mesh.nodes[*b])))
        .unwrap();
    let start = mesh.nodes[tip];
    let material = Material { young: 250.0, poisson: 0.4999, ..Default::default() };
    let model =
        Model::new(mesh, vec![material], cells, ModelConfig { dilation, ..Default::default() });
    let pin = Pin { nodes: sides[0].clone(), ..Default::default() };
    let mut body = Body::new("membrane", Arc::new(model.unwrap()), vec![pin]).unwrap();
    let loads = Loads { gravity: DVec3::ZERO, forces: &loads };
    let mut solver = Equilibrium::new(&body, loads).unwrap();
    solver.solve(&mut body, &StaticConfig::default(), &mut |_| {}).unwrap();
    body.state.x[tip].y - start.y
}

/// A nearly incompressible panel bends on few cells: Poisson's ratio 0.4999, 80 quadratic tetrahedra, or 16 quadratic hexahedra. The
/// reference are 256 quadratic hexahedra. Pointwise, the same cells are far too stiff. A heavy run also refines the tetrahedra.
#[test]
fn cooks_membrane_does_not_lock() {
    let reference = cooks_membrane([8, 8, 4], Split::Hex, None);
    let panels = [
        ([4, 4, 1], Split::Tet5, 0.1),
        ([4, 4, 1], Split::Hex, 0.05),
        ([8, 8, 2], Split::Tet5, 0.03),
    ];
    for (grid, split, most) in panels.into_iter().take(if heavy() { 3 } else { 2 }) {
        let [mean, pointwise] = [None, Some(Dilation::Pointwise)]
            .map(|dilation| 1.0 - cooks_membrane(grid, split, dilation) / reference);
        println!(
            "{split:?} {grid:?}: mean {:.1} %, pointwise {:.1} %",
            100.0 * mean,
            100.0 * pointwise
        );
        assert!(mean.abs() < most, "{split:?} {grid:?}: {mean}");
        assert!(pointwise > 2.0 * mean.abs(), "{split:?} {grid:?}: {pointwise} against {mean}");
    }
}
