//! Masses are positive, complete, and exact for every motion that is linear in space.

use crate::common::{BOX, all_splits, crumpled, for_each_point, jittered};
use glam::{DMat3, DVec3};
use pliant::internals::{MassMatrix, consistent_mass, lumped_masses};
use pliant::mesh::Mesh;

const DENSITY: f64 = 700.0;

/// Quadrature is exact here; sums of a few thousand terms lose a few of sixteen digits.
const ROUNDING: f64 = 1e-12;

fn density(_: usize) -> f64 {
    DENSITY
}

/// Straight and curved meshes of every split and degree.
fn meshes() -> Vec<(String, Mesh)> {
    let both = |(split, degree)| {
        let cells = [2, 1, 2];
        let straight = (format!("straight {split:?} {degree}"), jittered(split, degree, cells));
        [straight, (format!("curved {split:?} {degree}"), crumpled(split, degree, cells))]
    };
    all_splits().into_iter().flat_map(both).collect()
}

/// A mass matrix as dense rows.
fn dense(mass: &MassMatrix, size: usize) -> Vec<Vec<f64>> {
    let mut rows = vec![vec![0.0; size]; size];
    for (row, column, value) in mass.entries() {
        rows[row as usize][column as usize] = value;
        rows[column as usize][row as usize] = value;
    }
    rows
}

/// The smallest pivot of Gaussian elimination without row exchanges; positive if and only if the matrix is positive
/// definite.
fn smallest_pivot(mut rows: Vec<Vec<f64>>) -> f64 {
    let mut smallest = f64::INFINITY;
    for k in 0..rows.len() {
        let pivot = rows[k].clone();
        smallest = smallest.min(pivot[k]);
        for row in &mut rows[k + 1..] {
            let factor = row[k] / pivot[k];
            row.iter_mut().zip(&pivot).for_each(|(x, p)| *x -= factor * p);
        }
    }
    smallest
}

/// Lumped masses are positive and sum to density times volume.
#[test]
fn lumped_masses_are_positive_and_add_up_to_the_whole() {
    for (name, mesh) in meshes() {
        let masses = lumped_masses(&mesh, density);
        assert!(masses.iter().all(|mass| *mass > 0.0), "{name}");
        let (sum, whole) = (masses.iter().sum::<f64>(), DENSITY * mesh.volume());
        assert!((sum / whole - 1.0).abs() < ROUNDING, "{name}: {sum} of {whole}");
    }
}

/// The masses of straight meshes sum to that of the box they fill.
#[test]
fn straight_meshes_weigh_what_the_box_weighs() {
    for (split, degree) in all_splits() {
        let mesh = jittered(split, degree, [2, 1, 2]);
        let sum = lumped_masses(&mesh, density).iter().sum::<f64>();
        let whole = DENSITY * BOX.element_product();
        assert!((sum / whole - 1.0).abs() < ROUNDING, "{split:?} {degree}: {sum} of {whole}");
    }
}

/// The centre of the lumped masses is the centre of mass of the body.
#[test]
fn lumped_masses_have_their_centre_where_the_body_has() {
    for (name, mesh) in meshes() {
        let masses = lumped_masses(&mesh, density);
        let lumped: DVec3 = masses.iter().zip(&mesh.nodes).map(|(m, x)| *m * *x).sum();
        let mut moment = DVec3::ZERO;
        for_each_point(&mesh, 14, |_, _, _, x, volume| moment += DENSITY * volume * x);
        assert!((lumped - moment).length() < ROUNDING * moment.length(), "{name}");
    }
}

/// The row sums of the consistent mass matrix are the lumped masses.
#[test]
fn rows_of_the_consistent_mass_sum_to_the_lumped() {
    for (name, mesh) in meshes() {
        let ones = vec![DVec3::X; mesh.nodes.len()];
        let rows = consistent_mass(&mesh, density).apply(&ones);
        for (row, mass) in rows.iter().zip(lumped_masses(&mesh, density)) {
            assert!((row.x / mass - 1.0).abs() < ROUNDING, "{name}: {} of {mass}", row.x);
        }
    }
}

/// The consistent mass matrix has positive entries, stored once in order, and is positive definite.
#[test]
fn the_consistent_mass_is_positive_definite() {
    for (name, mesh) in meshes() {
        let mass = consistent_mass(&mesh, density);
        let entries: Vec<_> = mass.entries().collect();
        assert!(entries.iter().all(|(row, column, m)| row >= column && *m > 0.0), "{name}");
        assert!(entries.windows(2).all(|pair| (pair[0].0, pair[0].1) < (pair[1].0, pair[1].1)));
        let pivot = smallest_pivot(dense(&mass, mesh.nodes.len()));
        assert!(pivot > 0.0, "{name}: pivot {pivot:.1e}");
    }
}

/// ½ vᵀ M v of a body that turns about the origin with angular velocity ω.
fn turning_energy(mesh: &Mesh, omega: DVec3) -> f64 {
    let v: Vec<DVec3> = mesh.nodes.iter().map(|x| omega.cross(*x)).collect();
    let momenta = consistent_mass(mesh, density).apply(&v);
    0.5 * v.iter().zip(momenta).map(|(v, p)| v.dot(p)).sum::<f64>()
}

/// The kinetic energy of a rotating box is ½ ω·I ω with the inertia of a rigid box.
#[test]
fn a_turning_box_has_the_energy_of_a_rigid_body() {
    let omega = DVec3::new(0.3, -1.1, 0.7);
    let mass = DENSITY * BOX.element_product();
    // The inertia of a box about its corner: ∫ ρ (|X|² I − X Xᵀ) dX, with ∫ ρ Xᵢ Xⱼ = m LᵢLⱼ/4, and m Lᵢ²/3 for i = j.
    let second = DMat3::from_cols_array_2d(&std::array::from_fn(|j| {
        std::array::from_fn(|i| mass * BOX[i] * BOX[j] / if i == j { 3.0 } else { 4.0 })
    }));
    let trace = second.x_axis.x + second.y_axis.y + second.z_axis.z;
    let inertia = DMat3::from_diagonal(DVec3::splat(trace)) - second;
    let expected = 0.5 * omega.dot(inertia * omega);
    for (split, degree) in all_splits() {
        let energy = turning_energy(&jittered(split, degree, [2, 1, 2]), omega);
        assert!((energy / expected - 1.0).abs() < ROUNDING, "{split:?} {degree}: {energy}");
    }
}

/// The kinetic energy of a rotating curved body is that of a rigid body, ½ ∫ ρ |ω × x|² dX.
#[test]
fn a_turning_curved_body_has_the_energy_of_a_rigid_one() {
    let omega = DVec3::new(0.3, -1.1, 0.7);
    for (split, degree) in all_splits() {
        let mesh = crumpled(split, degree, [2, 1, 2]);
        let mut expected = 0.0;
        for_each_point(&mesh, 14, |_, _, _, x, volume| {
            expected += 0.5 * DENSITY * volume * omega.cross(x).length_squared();
        });
        let energy = turning_energy(&mesh, omega);
        assert!((energy / expected - 1.0).abs() < ROUNDING, "{split:?} {degree}: {energy}");
    }
}
