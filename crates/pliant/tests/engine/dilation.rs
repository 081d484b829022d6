//! Volume change evaluated at quadrature points or as the mean of a cell.

use glam::DVec3;
use pliant::body::{Dilation, Model, ModelConfig, ModelError};
use pliant::internals::{CellStiffness, Definiteness, Elastic};
use pliant::material::{LawKind, Material};
use pliant::mesh::generate::{BoxConfig, Split, box_mesh};
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
    let config = ModelConfig { dilation, ..Default::default() };
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
    let config = ModelConfig { dilation: Dilation::Mean, ..Default::default() };
    let error = Model::new(mesh, vec![material], cells, config).unwrap_err();
    assert!(matches!(error, ModelError::NoMeanDilation { law: LawKind::Corotated, .. }));
    assert!(error.to_string().contains("rest-stable"), "{error}");
}
