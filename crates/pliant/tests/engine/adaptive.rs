//! Adaptive degree: conservation when edges change their degree, and the conditions for a change.

use crate::common::{Random, free_body, held_body, jittered, soft};
use glam::DVec3;
use pliant::body::{Body, State};
use pliant::internals::NO_POINT_FORCES;
use pliant::internals::Unknowns;
use pliant::internals::{Adaptive, External, Implicit, Ties};
use pliant::material::LawKind;
use pliant::mesh::generate::Split;
use pliant::solver::{AdaptiveConfig, LinearSolver, Mass, MethodConfig, Stepper};
use pliant_kernels::math::TimeStep;

fn linear_momentum(masses: &[f64], state: &State) -> DVec3 {
    masses.iter().zip(&state.v).map(|(m, v)| *m * *v).sum()
}

fn angular_momentum(masses: &[f64], State { x, v, .. }: &State) -> DVec3 {
    masses.iter().zip(x.iter().zip(v)).map(|(m, (x, v))| *m * x.cross(*v)).sum()
}

/// A thousand random changes of degree conserve the linear momentum and the mass of a free body. Tolerance
/// 1e-12: both are sums of a few hundred terms, and each change rounds a few of them by 1e-16.
///
/// Angular momentum is not conserved by lumped masses, because half the mass of a midpoint at each end of the
/// edge has another moment of inertia than all of it in the middle. It must stay within 20 %, the share of the
/// momentum that midpoints carry.
#[test]
fn momentum_through_a_thousand_changes() {
    let mut random = Random::new(31);
    let mut body = free_body(jittered(Split::Tet5, 2, [3, 2, 2]), soft(LawKind::Corotated));
    let rest = body.model().mesh().nodes.clone();
    let spin = DVec3::new(0.3, 1.0, -0.4);
    for (v, x) in body.state.v.iter_mut().zip(&rest) {
        *v = DVec3::new(1.0, -2.0, 0.5) + spin.cross(*x) + 0.1 * random.vector();
    }
    let model = body.model().clone();
    let mut unknowns = body.unknowns().clone();
    let mut masses = model.masses().to_vec();
    let mut adaptive = Adaptive::new(&model, &unknowns, AdaptiveConfig::default());
    let total: f64 = masses.iter().sum();
    let (linear, angular) =
        (linear_momentum(&masses, &body.state), angular_momentum(&masses, &body.state));
    let mut worst: (f64, f64) = (0.0, 0.0);
    for _ in 0..1000 {
        let index = ((random.signed() * 0.5 + 0.5) * adaptive.edge_count() as f64) as usize;
        let index = index.min(adaptive.edge_count() - 1);
        let mut ties =
            Ties { unknowns: &mut unknowns, masses: &mut masses, state: &mut body.state };
        adaptive.flip(index, &mut ties);
        let now = linear_momentum(&masses, &body.state);
        worst.0 = worst.0.max((now - linear).length() / linear.length());
        let turned = angular_momentum(&masses, &body.state);
        worst.1 = worst.1.max((turned - angular).length() / angular.length());
    }
    println!("linear {:.1e}, angular {:.1e}", worst.0, worst.1);
    assert!(worst.0 < 1e-12, "{}", worst.0);
    assert!(worst.1 < 0.2, "{}", worst.1);
    assert!((masses.iter().sum::<f64>() - total).abs() < 1e-12 * total);
}

fn method(adaptive: Option<AdaptiveConfig>, solver: LinearSolver) -> MethodConfig {
    MethodConfig { solver, adaptive, tolerance: 1e-10, max_iterations: 2000, ..Default::default() }
}

fn run(body: &mut Body, method: &MethodConfig, steps: usize) -> (Vec<u8>, usize) {
    let mut stepper = Implicit::new(body, method).unwrap();
    let external =
        External { gravity: DVec3::new(0.0, -9.81, 0.0), damping: 0.0, points: &NO_POINT_FORCES };
    let h = 1.0 / 120.0;
    let mut unknowns = 0;
    for step in 0..steps {
        let report = stepper.step(body, TimeStep { t: step as f64 * h, h }, external, &mut |_| {});
        assert_eq!(report.unconverged, 0);
        unknowns = report.unknowns;
    }
    let mut degrees = vec![2; body.state.x.len()];
    stepper.degrees(&mut degrees);
    (degrees, unknowns)
}

fn distance(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
}

fn bar(degree: usize) -> Body {
    held_body(jittered(Split::Tet5, degree, [4, 1, 1]), soft(LawKind::Corotated), &["x-"])
}

/// With thresholds that are never reached all edges stay linear, and the corners move as those of a linear mesh with the same
/// kind of mass, with every linear solver. Tolerance 1e-6 m: the error of the linear solves (relative 1e-10) over 30 steps.
#[test]
fn never_refined_is_linear() {
    let never = AdaptiveConfig { refine: 1e9, coarsen: 1e8, dwell: 5 };
    for mass in [Mass::Lumped, Mass::Consistent] {
        let method = |adaptive, solver| MethodConfig { mass, ..method(adaptive, solver) };
        let mut linear = bar(1);
        run(&mut linear, &method(None, LinearSolver::Cholesky), 30);
        for solver in LinearSolver::ALL {
            let mut body = bar(2);
            let (degrees, _) = run(&mut body, &method(Some(never), solver), 30);
            assert!(degrees.iter().all(|degree| *degree == 1), "{mass:?} {solver:?}");
            let corners = linear.state.x.len();
            let error = distance(&body.state.x[..corners], &linear.state.x);
            assert!(error < 1e-6, "{mass:?} {solver:?}: {error}");
        }
    }
}

/// With thresholds of zero all edges become quadratic in the first step, and the body moves as a quadratic mesh.
/// Tolerance as in [`never_refined_is_linear`].
#[test]
fn always_refined_is_quadratic() {
    let always = AdaptiveConfig { refine: 1e-300, coarsen: 0.0, dwell: 0 };
    let mut quadratic = bar(2);
    run(&mut quadratic, &method(None, LinearSolver::Cholesky), 30);
    for solver in LinearSolver::ALL {
        let mut body = bar(2);
        let (degrees, _) = run(&mut body, &method(Some(always), solver), 30);
        // Pinned midpoints have no unknown and keep their degree.
        let free = |node: usize| body.unknowns().own(node as u32).is_some();
        let quadratic_ones = degrees.iter().enumerate().filter(|(node, _)| free(*node));
        assert!(quadratic_ones.clone().all(|(_, degree)| *degree == 2), "{solver:?}");
        let error = distance(&body.state.x, &quadratic.state.x);
        // Degrees are chosen before the first step, so no step is linear.
        assert!(error < 1e-6, "{solver:?}: {error}");
    }
}

/// With moderate thresholds some edges are quadratic. The motion is then at least twice as close to that of the
/// quadratic mesh as to that of the linear mesh, and all linear solvers agree to 1e-5 m, the error of their solves
/// over 40 steps.
#[test]
fn in_between() {
    let some = AdaptiveConfig { refine: 4e-4, coarsen: 8e-5, dwell: 5 };
    let (mut linear, mut quadratic) = (bar(1), bar(2));
    run(&mut linear, &method(None, LinearSolver::Cholesky), 40);
    run(&mut quadratic, &method(None, LinearSolver::Cholesky), 40);
    let corners = linear.state.x.len();
    let mut first: Option<Vec<DVec3>> = None;
    for solver in LinearSolver::ALL {
        let mut body = bar(2);
        let (degrees, unknowns) = run(&mut body, &method(Some(some), solver), 40);
        assert!(degrees.contains(&2) && unknowns > 0, "{solver:?}");
        let to_quadratic = distance(&body.state.x[..corners], &quadratic.state.x[..corners]);
        let to_linear = distance(&body.state.x[..corners], &linear.state.x);
        assert!(to_quadratic < 0.5 * to_linear, "{solver:?}: {to_quadratic} {to_linear}");
        match &first {
            None => first = Some(body.state.x.clone()),
            Some(first) => assert!(distance(first, &body.state.x) < 1e-5, "{solver:?}"),
        }
    }
}

/// Every implicit stepper works with adaptive degree: a bar of about a metre stays finite and within 10 m.
#[test]
fn every_implicit_stepper_adapts() {
    let implicit = |stepper: &Stepper| stepper.solves() && !stepper.is_explicit();
    for stepper in Stepper::ALL.into_iter().filter(implicit) {
        let mut body = bar(2);
        let adaptive = Some(AdaptiveConfig::default());
        let method = MethodConfig {
            stepper,
            newton_iterations: 100,
            tolerance: 1e-8,
            ..method(adaptive, LinearSolver::MatrixFree)
        };
        run(&mut body, &method, 20);
        assert!(body.state.is_finite(), "{stepper:?}");
        assert!(body.state.x.iter().all(|x| x.length() < 10.0), "{stepper:?}");
    }
}

/// An edge keeps its degree for `dwell` steps, even under a huge force, and changes in the next.
#[test]
fn edges_dwell() {
    let model = bar(2).model().clone();
    let mut unknowns = Unknowns::with_pins(model.mesh().nodes.len(), &[]);
    let mut masses = model.masses().to_vec();
    let mut state = State::at_rest(&model.mesh().nodes);
    let config = AdaptiveConfig { dwell: 3, ..Default::default() };
    let mut adaptive = Adaptive::new(&model, &unknowns, config);
    let mut ties = Ties { unknowns: &mut unknowns, masses: &mut masses, state: &mut state };
    adaptive.make_linear(&mut ties);
    let forces = vec![DVec3::splat(1e12); model.mesh().nodes.len()];
    let prediction =
        pliant::internals::Prediction { forces: &forces, gravity: DVec3::ZERO, h: 0.01 };
    let changes: Vec<usize> = (0..5).map(|_| adaptive.choose(&prediction, &mut ties)).collect();
    assert_eq!(changes[..3], [0, 0, 0]);
    assert_eq!(changes[3], adaptive.edge_count());
}
