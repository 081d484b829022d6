//! Order of convergence, measured against a manufactured solution of finite elasticity.
//!
//! A displacement is chosen. The body force that makes it the equilibrium follows from the law by exact derivatives.
//! The solver gets this force and the displacement of the boundary, and the L² error inside must fall with the size
//! of the cells as h^(p + 1).

use crate::common::{carried, for_each_point, heavy, interpolated, model, soft};
use glam::DVec3;
use pliant::body::Body;
use pliant::material::{LawKind, Material};
use pliant::mesh::Mesh;
use pliant::mesh::generate::{BoxConfig, Split, box_mesh};
use pliant::solver::{Equilibrium, Loads, StaticConfig};
use pliant_kernels::material::{Law, LawFamily, RestStable};
use pliant_kernels::math::Mat3;

/// Amplitude of the displacement, in m: strains reach 20 %.
const AMPLITUDE: f64 = 0.08;

/// Wave vectors of the three components, in 1/m.
const WAVES: [DVec3; 3] =
    [DVec3::new(2.0, -1.0, 1.0), DVec3::new(1.0, 2.0, -1.0), DVec3::new(-1.0, 1.0, 2.0)];

/// Phases of the three components.
const PHASES: [f64; 3] = [0.3, 1.1, 2.0];

/// Degree of the quadrature for loads and errors; its own error is below the errors measured.
const FINE: usize = 9;

fn material() -> Material {
    soft(LawKind::RestStable)
}

/// u_k = A sin(w_k · X + φ_k).
fn displacement(x: DVec3) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|k| AMPLITUDE * (WAVES[k].dot(x) + PHASES[k]).sin()))
}

/// F = I + ∂u/∂X.
fn deformation_gradient(x: DVec3) -> Mat3 {
    let slope = |k: usize| AMPLITUDE * (WAVES[k].dot(x) + PHASES[k]).cos();
    Mat3::from_fn(|k, l| f64::from(u8::from(k == l)) + slope(k) * WAVES[k][l])
}

/// ∂F/∂X_j: entry (k, l) is ∂²u_k/∂X_l∂X_j.
fn gradient_change(x: DVec3, j: usize) -> Mat3 {
    let curve = |k: usize| -AMPLITUDE * (WAVES[k].dot(x) + PHASES[k]).sin();
    Mat3::from_fn(|k, l| curve(k) * WAVES[k][l] * WAVES[k][j])
}

/// The body force b = −Div P, in N/m³: (Div P)ᵢ = Σⱼ (∂P/∂F : ∂F/∂Xⱼ)ᵢⱼ.
fn body_force(x: DVec3) -> DVec3 {
    let constants = material().constants();
    let law = RestStable::law(constants.mu, constants.lambda);
    let f = deformation_gradient(x);
    let column = |j: usize| law.stress_differential(&f, &gradient_change(x, j)).0[j];
    -DVec3::from(column(0) + column(1) + column(2))
}

/// The load ∫ Bₐ b dX of every node.
fn nodal_loads(mesh: &Mesh) -> Vec<DVec3> {
    let mut loads = vec![DVec3::ZERO; mesh.nodes.len()];
    for_each_point(mesh, FINE, |_, nodes, values, x, volume| {
        let force = volume * body_force(x);
        for (node, value) in nodes.iter().zip(values) {
            loads[*node as usize] += *value * force;
        }
    });
    loads
}

/// The L² error √∫ |u_h − u|² dX of the solution on `mesh`.
fn error(mesh: &Mesh, quadrature: Option<usize>) -> f64 {
    let exact = interpolated(mesh, displacement);
    let target = |node: u32| mesh.nodes[node as usize] + exact[node as usize];
    let boundary = mesh.boundary_nodes().into_iter();
    let pins = boundary.map(|node| carried(mesh, node, target(node))).collect();
    let model = model(mesh.clone(), material(), quadrature);
    let mut body = Body::new("manufactured", model, pins).unwrap();
    let forces = nodal_loads(mesh);
    let loads = Loads { gravity: DVec3::ZERO, forces: &forces };
    let config = StaticConfig { tolerance: 1e-9, ..Default::default() };
    let mut solver = Equilibrium::new(&body, loads).unwrap();
    solver.solve(&mut body, &config, &mut |_| {}).unwrap();
    distance(mesh, &body.state.x)
}

fn distance(mesh: &Mesh, x: &[DVec3]) -> f64 {
    let mut squares = 0.0;
    for_each_point(mesh, FINE, |_, nodes, values, place, volume| {
        let now: DVec3 = nodes.iter().zip(values).map(|(node, b)| *b * x[*node as usize]).sum();
        squares += volume * (now - place - displacement(place)).length_squared();
    });
    squares.sqrt()
}

/// The shape of the mesh of the unit cube.
#[derive(Debug, Clone, Copy)]
enum Shape {
    Straight,
    Jittered,
    /// With bulging sides: the cells are curved, less so the finer they are.
    Bulged,
}

fn cube(split: Split, degree: usize, n: usize, shape: Shape) -> Mesh {
    let jitter = if matches!(shape, Shape::Jittered) { 0.15 } else { 0.0 };
    let config = BoxConfig { cells: [n; 3], split, degree, jitter, seed: 2, ..Default::default() };
    let mut mesh = box_mesh(&config).unwrap();
    if matches!(shape, Shape::Bulged) {
        let bulge =
            |x: DVec3| 0.1 * DVec3::new((3.0 * x.y).sin(), (3.0 * x.z).sin(), (3.0 * x.x).sin());
        mesh.nodes = interpolated(&mesh, |x| x + bulge(x));
    }
    mesh
}

/// Prints the errors on the meshes of a sequence and returns the order between its last two.
fn measured(
    split: Split,
    degree: usize,
    shape: Shape,
    levels: [usize; 3],
    rule: Option<usize>,
) -> f64 {
    let errors = levels.map(|n| error(&cube(split, degree, n, shape), rule));
    let order = |k: usize| {
        (errors[k] / errors[k + 1]).ln() / (levels[k + 1] as f64 / levels[k] as f64).ln()
    };
    println!(
        "| {} | {degree} | {shape:?} | {rule:?} | {levels:?} | {:.2e} {:.2e} {:.2e} | {:.2} {:.2} |",
        split.name(),
        errors[0],
        errors[1],
        errors[2],
        order(0),
        order(1),
    );
    order(1)
}

/// The smallest acceptable order for a degree p: p + 1, less 0.1 to 0.3 because the meshes are coarse.
fn promised(degree: usize) -> f64 {
    [1.9, 2.8, 3.7][degree - 1]
}

/// Numbers of cells along a side, coarse enough to be solved within a second.
fn levels(split: Split, degree: usize) -> [usize; 3] {
    match (split, degree) {
        (Split::Pyramid, _) => [3, 5, 8],
        (_, 1) => [4, 7, 11],
        (_, 2) => [2, 3, 5],
        _ => [1, 2, 3],
    }
}

fn check(split: Split, degree: usize, shape: Shape) {
    let order = measured(split, degree, shape, levels(split, degree), None);
    let least = promised(degree);
    assert!(order >= least, "{split:?} {degree} {shape:?}: {order:.2}, expected {least}");
}

/// Tetrahedra of degree 1 to 3 converge with order p + 1.
#[test]
fn tetrahedra_converge_as_their_degree_promises() {
    for degree in 1..=3 {
        check(Split::Tet5, degree, Shape::Straight);
    }
}

/// So do tetrahedra of another split of the cube.
#[test]
fn tetrahedra_of_other_splits_converge_alike() {
    check(Split::Tet6, 2, Shape::Straight);
    if heavy() {
        check(Split::Tet6, 1, Shape::Straight);
        check(Split::Tet6, 3, Shape::Straight);
    }
}

/// So do hexahedra, prisms and pyramids.
#[test]
fn hexahedra_prisms_and_pyramids_converge_alike() {
    check(Split::Hex, 1, Shape::Straight);
    check(Split::Hex, 2, Shape::Straight);
    check(Split::Prism, 1, Shape::Straight);
    check(Split::Pyramid, 1, Shape::Straight);
}

/// Curved cells have the same order; a heavy run takes all kinds.
#[test]
fn curved_cells_keep_the_order() {
    check(Split::Tet5, 2, Shape::Bulged);
    check(Split::Hex, 1, Shape::Bulged);
    if heavy() {
        check(Split::Tet5, 1, Shape::Bulged);
        check(Split::Tet5, 3, Shape::Bulged);
        check(Split::Hex, 2, Shape::Bulged);
        check(Split::Prism, 1, Shape::Bulged);
        check(Split::Pyramid, 1, Shape::Bulged);
    }
}

/// Prints the orders with finer quadrature, for the documentation; run it by hand with `--ignored --nocapture`.
#[test]
#[ignore = "a measurement for the docs, slower than a test should be"]
fn orders_with_higher_quadrature() {
    for (split, degree) in crate::common::all_kinds() {
        for shape in [Shape::Straight, Shape::Jittered, Shape::Bulged] {
            for rule in [None, Some(2 * degree), Some(2 * degree + 2)] {
                measured(split, degree, shape, levels(split, degree), rule);
            }
        }
    }
}
