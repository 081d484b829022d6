//! Corrections in single precision: products, solves, and where they end.

use crate::common::{Random, crumpled, held_body, jittered, largest, soft};
use glam::DVec3;
use pliant::body::{Body, Pin};
use pliant::internals::{Elasticity, LinearSystem, Masses, PointForce, PointForces};
use pliant::internals::{MassMatrix, Scales, SystemParts, Unknowns, Warped};
use pliant::material::{LawKind, Material};
use pliant::mesh::Mesh;
use pliant::mesh::generate::Split;
use pliant::solver::{LinearReport, LinearSolver, MethodConfig, Rotation};
use pliant_kernels::lanes::Width;
use pliant_kernels::math::{Mat3, SingleNode};
use rayon::ThreadPoolBuilder;

const SOLVER: LinearSolver = LinearSolver::MatrixFree;

/// A bent bar of quadratic corotated tetrahedra, straight or curved, held at one side, with a stiff point force.
struct Bar {
    body: Body,
    elasticity: Warped,
    masses: Option<MassMatrix>,
    points: PointForces,
}

impl Bar {
    fn new(material: Material, cells: [usize; 3], consistent: bool) -> Self {
        Self::of(jittered(Split::Tet5, 2, cells), material, consistent)
    }

    fn curved(material: Material, cells: [usize; 3], consistent: bool) -> Self {
        Self::of(crumpled(Split::Tet5, 2, cells), material, consistent)
    }

    fn of(mesh: Mesh, material: Material, consistent: bool) -> Self {
        let mut body = held_body(mesh, material, &["x-"]);
        let mut random = Random::new(5);
        body.state.x.iter_mut().for_each(|x| *x += 0.02 * random.vector());
        let model = body.model().clone();
        let mut elasticity = Warped::new(&model, Rotation::Cell, Width::default());
        let mut forces = vec![DVec3::ZERO; body.state.x.len()];
        elasticity.forces(model.rest_shape(), &body.state.x, &mut forces);
        let (_, nodes) = model.mesh().cell(model.mesh().cell_count() - 1);
        let mut points = PointForces::default();
        let stiffness = Mat3::IDENTITY * model.material(0).young;
        let force = PointForce { force: DVec3::ZERO, stiffness, damping: Mat3::ZERO };
        points.push(nodes.iter().map(|node| (*node, 0.1)), force);
        let masses = consistent.then(|| model.consistent_mass());
        Self { body, elasticity, masses, points }
    }

    fn parts(&mut self) -> SystemParts<'_> {
        let lumped = self.body.model().masses();
        SystemParts {
            rest: self.body.rest_shape(),
            unknowns: self.body.unknowns(),
            elasticity: &mut self.elasticity,
            masses: self.masses.as_ref().map_or(Masses::Lumped(lumped), Masses::Consistent),
            points: &self.points,
            x: &self.body.state.x,
        }
    }

    /// Solves for a random load; returns the solution, its residual in double precision relative to the load, in the norm of the solver, and the report.
    fn solve(&mut self, tolerance: f64, scales: Scales) -> (Vec<DVec3>, f64, LinearReport) {
        let config =
            MethodConfig { solver: SOLVER, tolerance, max_iterations: 4000, ..Default::default() };
        let mut system =
            LinearSystem::new(self.body.model(), self.body.unknowns(), &config).unwrap();
        let mut random = Random::new(17);
        let count = self.body.unknowns().count();
        let b: Vec<DVec3> = (0..count).map(|_| random.vector()).collect();
        let (mut y, mut rest) = (vec![DVec3::ZERO; count], vec![DVec3::ZERO; count]);
        let mut report = LinearReport::default();
        let mut parts = self.parts();
        system.prepare(&mut parts, scales, &mut |_| {}, &mut report);
        system.solve(&mut parts, &b, &mut y, None, &mut report);
        system.apply(&mut parts, &y, &mut rest);
        rest.iter_mut().zip(&b).for_each(|(rest, b)| *rest = *b - *rest);
        let residual = system.norm(&rest) / system.norm(&b);
        (y, residual, report)
    }
}

/// The scales of a step of a sixtieth of a second.
fn scales(h: f64) -> Scales {
    Scales { mass: 1.0, stiffness: h * h, points: [h * h, h] }
}

fn bar_material(young: f64) -> Material {
    Material { young, ..soft(LawKind::Corotated) }
}

/// A product in single precision is that in double precision to rounding, with the masses and without, for any set of tied edges, and has the same bits
/// at every width. Tolerance: some thirty operations of 6e-8 each.
#[test]
fn products_agree_with_double_precision_and_between_widths() {
    let mut random = Random::new(12);
    let bar = Bar::new(bar_material(1e5), [3, 2, 1], true);
    let model = bar.body.model();
    let inertia = model.material(0).young / model.mass();
    for tied in [false, true] {
        let mut unknowns = Unknowns::with_pins(model.mesh().nodes.len(), &[] as &[Pin]);
        for edge in model.mesh().edges().iter().filter(|_| tied && random.signed() < 0.0) {
            unknowns.tie(edge.nodes[1], edge.corners);
        }
        let is_tied = |node: usize| unknowns.ends(node as u32).is_some();
        let count = model.mesh().nodes.len();
        let mut d: Vec<DVec3> = (0..count).map(|_| random.vector()).collect();
        (0..count).filter(|node| is_tied(*node)).for_each(|node| d[node] = DVec3::ZERO);
        for factor in [0.0, inertia] {
            let mut double = vec![DVec3::ZERO; count];
            let mut own = bar.elasticity.clone();
            own.follow_ties(model, &unknowns);
            own.apply_with_masses(model.rest_shape(), factor, &d, &mut double);
            assert_single_product(&bar, &unknowns, factor, &d, &double);
        }
    }
}

/// The same for curved cells, against the product of all points with the consistent masses as a matrix: the cells have the same masses.
#[test]
fn products_of_curved_cells_agree_with_double_precision_and_between_widths() {
    let mut random = Random::new(13);
    let bar = Bar::curved(bar_material(1e5), [3, 2, 2], true);
    let model = bar.body.model();
    assert!(model.batches().iter().all(|batch| !batch.straight));
    let unknowns = Unknowns::with_pins(model.mesh().nodes.len(), &[] as &[Pin]);
    let d: Vec<DVec3> = model.mesh().nodes.iter().map(|_| random.vector()).collect();
    for inertia in [0.0, model.material(0).young / model.mass(), 1e9] {
        let mut double = vec![DVec3::ZERO; d.len()];
        bar.elasticity.clone().apply(model.rest_shape(), &d, &mut double);
        bar.masses.as_ref().unwrap().add_product(inertia, &d, &mut double);
        assert_single_product(&bar, &unknowns, inertia, &d, &double);
    }
}

/// Asserts that the product of d in single precision has the same bits at every width, and is `double` to rounding.
fn assert_single_product(
    bar: &Bar,
    unknowns: &Unknowns,
    inertia: f64,
    d: &[DVec3],
    double: &[DVec3],
) {
    let single: Vec<SingleNode> = d.iter().map(|d| d.extend(0.0).as_vec4()).collect();
    let of_widths: Vec<_> =
        Width::available().map(|width| of_width(bar, width, unknowns, inertia, &single)).collect();
    let what = format!("masses times {inertia:e}, ties: {}", unknowns.has_ties());
    assert!(of_widths.windows(2).all(|pair| pair[0] == pair[1]), "{what}");
    let pairs = of_widths[0].iter().zip(double);
    let errors = pairs.map(|(single, double)| single.as_dvec4().truncate() - *double);
    let error = largest(errors) / largest(double.iter().copied());
    assert!(error < 2e-6, "{what}: {error:e}");
}

/// A translation of curved cells has no product with the stiffness, to rounding of their masses alone.
#[test]
fn translations_of_curved_cells_have_no_force() {
    let bar = Bar::curved(bar_material(1e5), [2, 2, 1], false);
    let count = bar.body.state.x.len();
    let unknowns = Unknowns::with_pins(count, &[] as &[Pin]);
    let shift = vec![SingleNode::new(0.3, -0.2, 0.7, 0.0); count];
    let product = of_width(&bar, Width::default(), &unknowns, 0.0, &shift);
    assert!(product.iter().all(|force| *force == SingleNode::ZERO));
}

fn of_width(
    bar: &Bar,
    width: Width,
    unknowns: &Unknowns,
    inertia: f64,
    d: &[SingleNode],
) -> Vec<SingleNode> {
    let model = bar.body.model();
    let mut warped = Warped::new(model, Rotation::Cell, width);
    let mut forces = vec![DVec3::ZERO; d.len()];
    warped.forces(model.rest_shape(), &bar.body.state.x, &mut forces);
    warped.follow_ties(model, unknowns);
    assert!(warped.has_single());
    let mut product = vec![SingleNode::NAN; d.len()];
    warped.apply_single(model.rest_shape(), inertia, d, &mut product);
    product
}

/// Solves reach their tolerance, measured in double precision, whatever the stiffness and the tolerance, with lumped and with consistent masses: where single
/// precision is not enough, the solve goes on in double precision.
#[test]
fn solves_reach_their_tolerance_at_every_stiffness() {
    for young in [1e-9, 1e-3, 1e3, 1e5, 1e7, 1e9, 1e12, 1e15] {
        for tolerance in [1e-2, 1e-3, 1e-5, 1e-9] {
            let kinds = [(false, false), (false, true), (true, false), (true, true)];
            for (curved, consistent) in kinds {
                let make = if curved { Bar::curved } else { Bar::new };
                let mut bar = make(bar_material(young), [4, 2, 2], consistent);
                let (_, residual, report) = bar.solve(tolerance, scales(1.0 / 60.0));
                let what = format!("{young:e} {tolerance:e} {curved} {consistent}: {report:?}");
                assert_eq!(report.unconverged, 0, "{what}");
                assert!(residual <= tolerance * (1.0 + 1e-6), "{residual:e}, {what}");
            }
        }
    }
}

/// Corrections cost few iterations more than a solve in double precision, which a tolerance just below their limit takes.
#[test]
fn corrections_take_about_as_many_iterations() {
    for young in [1e4, 1e6, 1e8] {
        for make in [Bar::new, Bar::curved] {
            let iterations = [1.001e-5, 0.999e-5].map(|tolerance| {
                let mut bar = make(bar_material(young), [6, 2, 2], true);
                bar.solve(tolerance, scales(1.0 / 60.0)).2.iterations
            });
            let [single, double] = iterations.map(f64::from);
            // The second correction begins without the directions of the first.
            assert!(single < 1.6 * double + 4.0, "{young:e}: {single} and {double}");
        }
    }
}

/// The solution has the same bits for any number of threads.
#[test]
fn threads_do_not_change_a_correction() {
    let bits = |threads: usize| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let solution = |mut bar: Bar| {
                let (y, _, report) = bar.solve(1e-3, scales(1.0 / 60.0));
                assert!(report.iterations > 2);
                y.into_iter().flat_map(|y| y.to_array()).map(f64::to_bits).collect::<Vec<u64>>()
            };
            let [straight, curved] = [Bar::new, Bar::curved];
            [
                solution(straight(bar_material(1e5), [16, 8, 8], true)),
                solution(curved(bar_material(1e5), [10, 8, 8], true)),
            ]
        })
    };
    let [one, two, three] = [1, 2, 3].map(bits);
    assert!(one == two && one == three);
}

/// Systems that single precision cannot hold are solved in double precision, and loads that are not finite leave nothing behind.
#[test]
fn numbers_beyond_single_precision_do_no_harm() {
    for make in [Bar::new, Bar::curved] {
        let mut bar = make(bar_material(1e15), [2, 1, 1], true);
        for scales in [scales(1e-30), scales(1e25)] {
            let (y, residual, report) = bar.solve(1e-3, scales);
            assert!(y.iter().all(|y| y.is_finite()), "{report:?}");
            assert!(residual <= 1.001e-3 || report.unconverged == 1, "{residual}: {report:?}");
        }
        bar.points.push(
            [(0, 1.0)],
            PointForce {
                force: DVec3::ZERO,
                stiffness: Mat3::IDENTITY * f64::INFINITY,
                damping: Mat3::ZERO,
            },
        );
        let (y, _, report) = bar.solve(1e-3, scales(1.0 / 60.0));
        assert!(y.iter().all(|y| y.is_finite()), "{report:?}");
    }
}

/// A model whose cells have no products in single precision is solved as before.
#[test]
fn other_cells_have_no_products_in_single_precision() {
    let model = |degree, law| {
        crate::common::model(jittered(Split::Tet5, degree, [2, 1, 1]), soft(law), None)
    };
    assert!(Warped::has_single_products(&model(2, LawKind::Corotated)));
    let curved =
        crate::common::model(crumpled(Split::Tet5, 2, [2, 1, 1]), soft(LawKind::Corotated), None);
    assert!(Warped::has_single_products(&curved));
    assert!(!Warped::has_single_products(&model(1, LawKind::Corotated)));
    assert!(!Warped::has_single_products(&model(3, LawKind::Corotated)));
    assert!(!Warped::has_single_products(&model(2, LawKind::RestStable)));
}
