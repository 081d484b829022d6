//! Conservation in free motion: momentum, angular momentum, and energy on average.

use std::f64::consts::PI;

use crate::common::{Random, all_kinds, crumpled, free_body, held_body, soft, symplectic_euler};
use glam::DVec3;
use pliant::body::{Body, Model, State};
use pliant::internals::{External, Masses, NO_POINT_FORCES, SymplecticEuler, stable_step};
use pliant::material::{LawKind, Material};
use pliant::mesh::generate::{BoxConfig, Split, box_mesh};
use pliant::world::{BodyHandle, World, WorldConfig};
use pliant_kernels::math::TimeStep;

/// Laws whose energy does not depend on orientation: all but the linear law.
const FRAME_INVARIANT: [LawKind; 5] = [
    LawKind::Corotated,
    LawKind::StVenantKirchhoff,
    LawKind::MacklinMuller,
    LawKind::RestStable,
    LawKind::Smith,
];

fn momentum(model: &Model, state: &State) -> DVec3 {
    model.masses().iter().zip(&state.v).map(|(mass, v)| *mass * *v).sum()
}

fn angular_momentum(model: &Model, state: &State) -> DVec3 {
    let moving = model.masses().iter().zip(state.x.iter().zip(&state.v));
    moving.map(|(mass, (x, v))| *mass * x.cross(*v)).sum()
}

/// A world with one body.
fn world_of(body: Body, config: WorldConfig) -> (World, BodyHandle) {
    let mut world = World::new(config).unwrap();
    let handle = world.add_with(body, symplectic_euler()).unwrap();
    (world, handle)
}

fn weightless() -> WorldConfig {
    WorldConfig { gravity: DVec3::ZERO, ..Default::default() }
}

/// A body with curved cells that flies, spins and vibrates.
fn tumbling(split: Split, degree: usize, law: LawKind) -> Body {
    let mut body = free_body(crumpled(split, degree, [2, 1, 1]), soft(law));
    let (mut random, spin) = (Random::new(9), DVec3::new(0.5, 2.0, -1.0));
    let rest = body.state.x.clone();
    for ((x, v), rest) in body.state.x.iter_mut().zip(&mut body.state.v).zip(rest) {
        *v = DVec3::new(1.0, -0.5, 0.3) + spin.cross(rest) + 0.1 * random.vector();
        x.x *= 1.1;
    }
    body
}

/// Symplectic Euler conserves momentum and angular momentum exactly if the forces have neither resultant nor torque:
///
/// ```text
/// Σ m v′ = Σ m v + h Σ f        Σ m x′ × v′ = Σ m (x + h v′) × v′ = Σ m x × v + h Σ x × f
/// ```
///
/// Tolerance 1e-12: rounding. A force has an error of about 1e-16 E L², whatever the motion, and over n substeps the
/// sum drifts by h √n times that.
#[test]
fn a_free_body_keeps_momentum_and_angular_momentum() {
    for (split, degree) in all_kinds() {
        for law in FRAME_INVARIANT {
            let (mut world, handle) = world_of(tumbling(split, degree, law), weightless());
            let model = world.get(handle).unwrap().model().clone();
            let both = |world: &World| {
                let state = &world.get(handle).unwrap().state;
                (momentum(&model, state), angular_momentum(&model, state))
            };
            let (linear, angular) = both(&world);
            crate::common::run(&mut world, 30);
            let (linear_now, angular_now) = both(&world);
            let linear_error = (linear_now - linear).length() / linear.length();
            let angular_error = (angular_now - angular).length() / angular.length();
            assert!(linear_error < 1e-12, "{split:?} {degree} {law}: {linear_error:.1e}");
            assert!(angular_error < 1e-12, "{split:?} {degree} {law}: {angular_error:.1e}");
            assert_eq!(world.health().resets, 0, "{split:?} {degree} {law}");
        }
    }
}

/// The linear law conserves momentum to rounding (1e-12). Angular momentum is not checked: the law takes
/// rotation for strain.
#[test]
fn the_linear_law_keeps_momentum_but_cannot_turn() {
    let (mut world, handle) = world_of(tumbling(Split::Tet5, 2, LawKind::Linear), weightless());
    let model = world.get(handle).unwrap().model().clone();
    let before = momentum(&model, &world.get(handle).unwrap().state);
    crate::common::run(&mut world, 30);
    let after = momentum(&model, &world.get(handle).unwrap().state);
    assert!((after - before).length() < 1e-12 * before.length());
}

/// The total energy oscillates but does not drift: symplectic Euler conserves an energy that differs from the
/// true one by O(h). Tolerances: 2 % for the oscillation, and a tenth of that for the drift between the first
/// and the last quarter of 40 s.
#[test]
fn energy_wobbles_but_does_not_drift() {
    for (split, degree) in [(Split::Tet5, 1), (Split::Tet5, 2), (Split::Tet5, 3), (Split::Hex, 2)] {
        let body = tumbling(split, degree, LawKind::RestStable);
        let (mut world, _) = world_of(body, weightless());
        let total = |world: &World| world.energy().elastic + world.energy().kinetic;
        // Shear waves cross the body about 3 times per second, so this is more than a hundred periods.
        let energies: Vec<f64> = (0..2400)
            .map(|_| {
                world.step();
                total(&world)
            })
            .collect();
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let (first, last) = (mean(&energies[..600]), mean(&energies[1800..]));
        let whole = mean(&energies);
        let wobble = energies.iter().map(|e| (e / whole - 1.0).abs()).fold(0.0, f64::max);
        println!("{split:?} {degree}: wobble {wobble:.1e}, drift {:.1e}", last / first - 1.0);
        assert!(wobble < 0.02, "{split:?} {degree}: {wobble:.1e}");
        assert!((last / first - 1.0).abs() < 2e-3, "{split:?} {degree}: {first} to {last}");
    }
}

/// A free body falls along the discrete parabola of the scheme: x = x₀ + v₀ n h + g h² n (n + 1)/2 after n substeps.
#[test]
fn a_falling_body_follows_the_parabola_of_the_scheme() {
    for (split, degree) in all_kinds() {
        let mut body = free_body(crumpled(split, degree, [2, 1, 1]), soft(LawKind::RestStable));
        let v0 = DVec3::new(2.0, 3.0, -1.0);
        body.state.v.fill(v0);
        let rest = body.state.x.clone();
        let config = WorldConfig { substeps: Some(50), ..Default::default() };
        let (mut world, handle) = world_of(body, config);
        crate::common::run(&mut world, 60);
        let (n, h) = (3000.0, config.dt / 50.0);
        let fall = v0 * n * h + config.gravity * h * h * n * (n + 1.0) / 2.0;
        let state = &world.get(handle).unwrap().state;
        // Rounding of forces far from the origin makes the body vibrate by about 1e-11 m.
        let error =
            crate::common::largest(state.x.iter().zip(&rest).map(|(x, rest)| *x - *rest - fall));
        assert!(error < 1e-9, "{split:?} {degree}: {error:.1e}");
    }
}

/// The elastic energy of a body with the linear law after 3000 substeps, relative to that at the start; the substep
/// is `share` times the stable step. Infinite if it overflows.
fn energy_growth(split: Split, degree: usize, young: f64, share: f64) -> f64 {
    let material = Material { young, ..soft(LawKind::Linear) };
    let mut body = free_body(crumpled(split, degree, [2, 1, 1]), material);
    let mut random = Random::new(4);
    body.state.x.iter_mut().for_each(|x| *x += 1e-6 * random.vector());
    let h = share * stable_step(body.model(), Masses::Lumped(body.model().masses()));
    let loads = External { gravity: DVec3::ZERO, damping: 0.0, points: &NO_POINT_FORCES };
    let mut stepper = SymplecticEuler::new(body.model());
    // Not in a world, which would stop the growth.
    let mut substep = || stepper.substep(&mut body, TimeStep { t: 0.0, h }, loads);
    let before = substep();
    let after = (0..3000).map(|_| substep()).last().unwrap();
    if after.is_finite() { after / before } else { f64::INFINITY }
}

/// The step reported as stable is the limit of stability, for soft and stiff bodies: at 0.9 of it the energy stays
/// bounded, at 1.05 of it the energy grows exponentially. (The margins allow for the few percent to which power
/// iteration finds the highest frequency.)
#[test]
fn the_stable_step_is_the_border_of_stability() {
    for (split, degree) in all_kinds() {
        for young in [1e-2, 1e4, 1e12] {
            let (below, above) = (
                energy_growth(split, degree, young, 0.9),
                energy_growth(split, degree, young, 1.05),
            );
            assert!(below < 30.0, "{split:?} {degree} at {young:e} Pa: {below:.1e}");
            assert!(above > 1e10, "{split:?} {degree} at {young:e} Pa: {above:.1e}");
        }
    }
}

/// With the decay rate d the velocity of a free body falls as (1 + h d)⁻ⁿ. Tolerance 1e-9: rounding of 10 000
/// products and elastic forces.
#[test]
fn damping_slows_a_free_body_at_its_rate() {
    let mut body = free_body(crumpled(Split::Tet5, 2, [1, 1, 1]), soft(LawKind::RestStable));
    body.state.v.fill(DVec3::X);
    let config = WorldConfig { damping: 3.0, substeps: Some(100), dt: 0.01, ..weightless() };
    let (mut world, handle) = world_of(body, config);
    crate::common::run(&mut world, 100);
    let expected = (1.0_f64 + 1e-4 * 3.0).powi(-10_000);
    for v in &world.get(handle).unwrap().state.v {
        assert!((v.x / expected - 1.0).abs() < 1e-9, "{} of {expected}", v.x);
    }
}

/// A bar clamped at x = 0, 1 m long and 0.1 m thick, with ν = 0, so that its width does not change.
fn bar(degree: usize) -> Body {
    let config = BoxConfig { size: [1.0, 0.1, 0.1], cells: [10, 1, 1], ..Default::default() };
    let mesh = box_mesh(&BoxConfig { split: Split::Tet6, degree, ..config }).unwrap();
    held_body(mesh, Material { poisson: 0.0, ..soft(LawKind::RestStable) }, &["x-"])
}

/// Frequency of the motion of `body` along `shape`, in Hz, from the zeros of its amplitude.
///
/// The amplitude is the projection on `shape` weighted with the nodal masses, to which other modes hardly contribute.
fn frequency(mut body: Body, shape: impl Fn(DVec3) -> DVec3, guess: f64) -> f64 {
    let model = body.model().clone();
    let shapes: Vec<DVec3> = model.mesh().nodes.iter().map(|x| shape(*x)).collect();
    body.state.x.iter_mut().zip(&shapes).for_each(|(x, s)| *x += 1e-4 * *s);
    let dt = 1.0 / (200.0 * guess);
    let (mut world, handle) = world_of(body, WorldConfig { dt, ..weightless() });
    let amplitude = |world: &World| -> f64 {
        let now = world.get(handle).unwrap().state.x.iter().zip(&model.mesh().nodes);
        let moved = now.map(|(x, rest)| *x - *rest);
        moved.zip(shapes.iter().zip(model.masses())).map(|(d, (s, m))| m * d.dot(*s)).sum()
    };
    let (mut zeros, mut last) = (Vec::new(), amplitude(&world));
    while zeros.len() < 9 {
        let time = world.time();
        world.step();
        let now = amplitude(&world);
        if (now < 0.0) != (last < 0.0) {
            zeros.push(time + dt * last / (last - now));
        }
        last = now;
        assert!(time < 20.0 / guess, "no oscillation");
    }
    4.0 / (zeros[8] - zeros[0])
}

/// The axial frequency of a clamped bar is f = √(E/ρ)/(4 L), a quarter of a wave in the bar.
#[test]
fn a_bar_rings_along_its_axis_as_theory_says() {
    let material = soft(LawKind::RestStable);
    let theory = (material.young / material.density).sqrt() / 4.0;
    for degree in 1..=3 {
        let shape = |x: DVec3| DVec3::X * (0.5 * PI * x.x).sin();
        let measured = frequency(bar(degree), shape, theory);
        println!("axial, degree {degree}: {:.4} of theory", measured / theory);
        // Within 1 %: the mesh resolves this mode, lateral inertia vanishes with ν = 0, and the clamp is exact.
        assert!((measured / theory - 1.0).abs() < 0.01, "degree {degree}: {measured} Hz");
    }
}

/// The bending frequency of a clamped bar is f = 1.8751² √(E I/(ρ A L⁴))/(2π) after Euler and Bernoulli. The range
/// 0.96 to 1.02 allows for shear and rotary inertia, which lower it by 1 to 2 % at this thickness, and for the mesh.
#[test]
fn a_bar_sways_as_theory_says() {
    let material = soft(LawKind::RestStable);
    let stiffness = (material.young * 0.1 * 0.1 / 12.0 / material.density).sqrt();
    let theory = 1.8751_f64.powi(2) * stiffness / (2.0 * PI);
    for degree in 2..=3 {
        // Cross-sections stay perpendicular to the axis: (−y w′, w, 0), with y measured from the axis.
        let shape = |x: DVec3| {
            let (w, slope) = (1.0 - (0.5 * PI * x.x).cos(), 0.5 * PI * (0.5 * PI * x.x).sin());
            DVec3::new((0.05 - x.y) * slope, w, 0.0)
        };
        let measured = frequency(bar(degree), shape, theory);
        println!("bending, degree {degree}: {:.4} of theory", measured / theory);
        assert!((0.96..1.02).contains(&(measured / theory)), "degree {degree}: {measured} Hz");
    }
}
