//! Plastic flow compared with closed forms: the uniaxial cycle, creep, a bar stretched to three times its length.

use std::sync::Arc;

use crate::common::{all_kinds, crumpled};
use glam::DVec3;
use pliant::body::{Action, Body, Model, Motion, Pin, Ramp};
use pliant::internals::Elastic;
use pliant::internals::Flow;
use pliant::material::{LawKind, Material, MaterialError, Plastic};
use pliant::mesh::generate::{BoxConfig, Split, box_mesh};
use pliant::plasticity::{limit_share, plastic_strain, yield_share};
use pliant::solver::{MethodConfig, Stepper};
use pliant::world::{CommitError, World, WorldConfig};
use pliant_kernels::lanes::Width;
use pliant_kernels::material::{Law, LawFamily, RestStable};
use pliant_kernels::math::Mat3;

const YOUNG: f64 = 1e6;
const POISSON: f64 = 0.3;
const YIELD: f64 = 1e2;
const HARDENING: f64 = 1e5;

/// The largest plastic strain of a bar, 0.4 ‰.
const LARGEST: f64 = 0.0004;

fn mu() -> f64 {
    YOUNG / (2.0 * (1.0 + POISSON))
}

fn metal(law: LawKind) -> Material {
    let plastic = Plastic::Hardening {
        yield_stress: YIELD,
        hardening: HARDENING,
        limit: LARGEST * 3.0 * mu(),
    };
    let plastic = Some(plastic);
    Material { law, young: YOUNG, poisson: POISSON, plastic, ..Default::default() }
}

/// A cube with prescribed node positions.
struct Cube {
    body: Body,
    flow: Flow,
}

impl Cube {
    fn new(split: Split, degree: usize, material: Material) -> Self {
        let model = Arc::new(Model::uniform(crumpled(split, degree, [2, 1, 1]), material).unwrap());
        Self { body: Body::new("cube", model, Vec::new()).unwrap(), flow: Flow::default() }
    }

    fn stretch(&mut self, factors: DVec3) {
        let rest = self.body.model().mesh().nodes.clone();
        self.body.state.x.iter_mut().zip(rest).for_each(|(x, rest)| *x = factors * rest);
    }

    /// The diagonal of the mean of P over the volume, from the forces on nodes: ∫ P dV = −Σ f ⊗ X.
    fn stress(&self) -> [f64; 3] {
        let model = self.body.model();
        let mut forces = vec![DVec3::ZERO; model.mesh().nodes.len()];
        Elastic::new(model, Width::default()).forces(
            self.body.rest_shape(),
            &self.body.state.x,
            &mut forces,
        );
        let sum: DVec3 = forces.iter().zip(&model.mesh().nodes).map(|(f, x)| *f * *x).sum();
        (-sum / model.mesh().volume()).to_array()
    }

    /// Stretches the cube along x to this strain with free sides, lets it flow, and returns the stress along x.
    fn pull(&mut self, strain: f64, across: &mut f64) -> f64 {
        let side_stress = |cube: &Self, across: f64| {
            let mut cube = Self { body: cube.body.clone(), flow: Flow::default() };
            cube.stretch(DVec3::new(1.0 + strain, 1.0 + across, 1.0 + across));
            cube.flow.step(&mut cube.body, 1.0);
            let [x, y, z] = cube.stress();
            (cube, x, 0.5 * (y + z))
        };
        // A fixed-point iteration: the lateral stiffness is between the bulk modulus, where matter flows, and that
        // with the shear modulus.
        for _ in 0..60 {
            let (trial, along, aside) = side_stress(self, *across);
            if aside.abs() < 1e-5 * YIELD {
                *self = trial;
                return along;
            }
            *across -= aside / (1.5 * YOUNG);
        }
        panic!("the sides do not come to rest");
    }
}

/// The cycle of Mezger et al. 2007, figure 4b, in one dimension: elastic up to the yield stress, then a slope of 3/2
/// H against plastic strain, elastic again beyond the limit; on the way back yielding 2 σʸ lower, and so on.
struct ClosedForm {
    plastic: f64,
}

impl ClosedForm {
    fn stress(&mut self, strain: f64) -> f64 {
        let slope = 1.5 * HARDENING;
        let trial = YOUNG * (strain - self.plastic) - slope * self.plastic;
        if trial.abs() > YIELD {
            self.plastic += trial.signum() * (trial.abs() - YIELD) / (YOUNG + slope);
        }
        self.plastic = self.plastic.clamp(-LARGEST, LARGEST);
        YOUNG * (strain - self.plastic)
    }
}

/// Stress follows the closed form through a loading cycle, within 1 % of the largest stress: strains are below 1 ‰,
/// where the laws agree with Hooke's law to about 1 ‰.
#[test]
fn the_uniaxial_cycle() {
    for (split, degree) in all_kinds() {
        for law in [LawKind::Corotated, LawKind::RestStable] {
            let mut cube = Cube::new(split, degree, metal(law));
            let (mut closed, mut across, mut worst, mut most) =
                (ClosedForm { plastic: 0.0 }, 0.0, 0.0_f64, 0.0_f64);
            let legs = [(0.0, 0.0008), (0.0008, -0.0008), (-0.0008, 0.0003)];
            for (from, to) in legs {
                for k in 1..=40 {
                    let strain = from + (to - from) * f64::from(k) / 40.0;
                    let stress = cube.pull(strain, &mut across);
                    let expected = closed.stress(strain);
                    worst = worst.max((stress - expected).abs());
                    most = most.max(expected.abs());
                }
            }
            println!("{split:?} {degree} {law}: off by {:.3} %", 100.0 * worst / most);
            assert!(worst < 0.01 * most, "{split:?} {degree} {law}: {worst} of {most} Pa");
        }
    }
}

/// At constant total strain the elastic strain relaxes as y + (ε₀ − y) e^(−ct), for steps of any length, to rounding
/// (1e-9).
#[test]
fn creep_relaxes_exponentially() {
    let (threshold, rate) = (0.01, 3.0);
    let plastic = Plastic::Creep { yield_strain: threshold, rate, limit: f64::INFINITY };
    for (split, degree) in all_kinds() {
        for law in LawKind::ALL {
            let material = Material { law, plastic: Some(plastic), ..Default::default() };
            let mut cube = Cube::new(split, degree, material);
            let stretch = 1.2_f64;
            cube.stretch(DVec3::new(stretch, stretch.powf(-0.5), stretch.powf(-0.5)));
            let start = 1.5_f64.sqrt() * stretch.ln();
            let mut time = 0.0;
            for h in [0.1, 0.02, 0.3, 0.05, 0.05] {
                cube.flow.step(&mut cube.body, h);
                time += h;
                let elastic = threshold + (start - threshold) * (-rate * time).exp();
                for strain in plastic_strain(cube.body.rest_shape()) {
                    let off = (strain - (start - elastic)).abs();
                    assert!(off < 1e-9, "{split:?} {degree} {law}: off by {off:.1e}");
                }
            }
        }
    }
}

/// A soft, nearly incompressible plastic material.
fn dough(plastic: Plastic) -> Material {
    Material { young: 1e5, poisson: 0.45, plastic: Some(plastic), ..Default::default() }
}

/// The elastic stretch along x at which a bar with free sides starts to yield: the Mandel stress σ ∂ψ/∂σ equals the
/// yield stress along the bar and is zero across it. By two nested bisections.
fn yield_stretch(material: &Material, stress: f64) -> f64 {
    let constants = material.constants();
    let law = RestStable::law(constants.mu, constants.lambda);
    let mandel = |along: f64, across: f64| {
        let p = law.stress(&Mat3::diagonal([along, across, across]));
        [along * p.at(0, 0), across * p.at(1, 1)]
    };
    let across_of = |along: f64| {
        let (mut low, mut high) = (0.5, 1.5);
        for _ in 0..100 {
            let middle = 0.5 * (low + high);
            if mandel(along, middle)[1] > 0.0 { high = middle } else { low = middle }
        }
        0.5 * (low + high)
    };
    let (mut low, mut high) = (1.0, 1.5);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if mandel(middle, across_of(middle))[0] > stress { high = middle } else { low = middle }
    }
    0.5 * (low + high)
}

/// Stretches a bar to three times its length in 2 s, holds it for 1 s and releases it; returns its final length and
/// volume relative to the original ones.
fn pulled_bar(material: Material, stepper: Stepper) -> (f64, f64) {
    // With one sweep per substep a position-based bar would be softer than its material.
    let method = MethodConfig { stepper, sweeps: 8, ..Default::default() };
    let mesh = box_mesh(&BoxConfig {
        size: [0.6, 0.1, 0.1],
        cells: [6, 1, 1],
        degree: 2,
        split: Split::Tet6,
        ..Default::default()
    })
    .unwrap();
    let set = |name: &str| mesh.node_set(name).unwrap().nodes.clone();
    let action = Action::Translate(DVec3::X * 1.2);
    let motion = Motion { ramps: vec![Ramp { start: 0.0, end: 2.0, action }] };
    let pins = vec![
        Pin { nodes: set("x-"), ..Default::default() },
        Pin { nodes: set("x+"), motion, ..Default::default() },
    ];
    let ends = [set("x-"), set("x+")];
    let model = Arc::new(Model::uniform(mesh, material).unwrap());
    let config = WorldConfig { gravity: DVec3::ZERO, ..Default::default() };
    let mut world = World::new(config).unwrap();
    let body = Body::new("bar", model, pins).unwrap();
    let handle = world.add_with(body, method).unwrap();
    for _ in 0..180 {
        world.step();
    }
    // Release: the same model without pins.
    let held = world.get(handle).unwrap();
    let mut free = Body::new("bar", held.model().clone(), Vec::new()).unwrap();
    free.state.x.clone_from(&held.state.x);
    free.state.flow.clone_from(&held.state.flow);
    let mut world = World::new(WorldConfig { damping: 2.0, ..config }).unwrap();
    let handle = world.add_with(free, method).unwrap();
    for _ in 0..300 {
        world.step();
    }
    let body = world.get(handle).unwrap();
    let middle = |nodes: &[u32]| {
        nodes.iter().map(|node| body.state.x[*node as usize].x).sum::<f64>() / nodes.len() as f64
    };
    let length = middle(&ends[1]) - middle(&ends[0]);
    (length / 0.6, world.volume_ratio())
}

fn assert_stays(material: Material, stepper: Stepper, expected: f64) {
    let (length, volume) = pulled_bar(material, stepper);
    println!("{stepper:?}: {length:.4} of {expected:.4}, volume {volume:.5}");
    assert!((length / expected - 1.0).abs() < 0.02, "{stepper:?}: {length} of {expected}");
    assert!((volume - 1.0).abs() < 0.01, "{stepper:?}: {volume}");
}

/// A released bar springs back by exactly the elastic stretch at which it yields, within 2 %, and its volume
/// stays within 1 %.
#[test]
fn a_bar_pulled_to_three_times_its_length() {
    let (yield_stress, limit) = (5e3, f64::INFINITY);
    let material = dough(Plastic::Hardening { yield_stress, hardening: 0.0, limit });
    let expected = 3.0 / yield_stretch(&material, yield_stress);
    for stepper in [Stepper::ImplicitEuler, Stepper::BackwardEuler] {
        assert_stays(material, stepper, expected);
    }
}

/// A creeping bar springs back by the elastic strain at the threshold, √(2/3) (1 + ν) ε = y. It does not neck,
/// because creep resists faster stretching more. (A bar with one yield stress and no hardening necks, a
/// position-based one so much that it misses the closed form of a uniform bar by 3 %.)
#[test]
fn a_bar_that_creeps_to_three_times_its_length() {
    let yield_strain = 0.05;
    let material = dough(Plastic::Creep { yield_strain, rate: 5.0, limit: f64::INFINITY });
    let elastic = yield_strain / ((2.0_f64 / 3.0).sqrt() * (1.0 + material.poisson));
    let expected = 3.0 * (-elastic).exp();
    for stepper in [Stepper::ImplicitEuler, Stepper::BackwardEuler, Stepper::Xpbd] {
        assert_stays(material, stepper, expected);
    }
}

/// Snapshots contain the plastic state: a restored world continues with the same bits.
#[test]
fn a_snapshot_remembers_what_flowed() {
    for stepper in [Stepper::ImplicitEuler, Stepper::Xpbd, Stepper::Bdf2] {
        let mesh = crumpled(Split::Tet5, 2, [3, 1, 1]);
        let held = Pin { nodes: mesh.node_set("x-").unwrap().nodes.clone(), ..Default::default() };
        let plastic = Plastic::Creep { yield_strain: 1e-3, rate: 2.0, limit: 0.5 };
        let material = Material { young: 1e5, plastic: Some(plastic), ..Default::default() };
        let model = Arc::new(Model::uniform(mesh, material).unwrap());
        let mut world = World::new(WorldConfig::default()).unwrap();
        let body = Body::new("bar", model, vec![held]).unwrap();
        let method = MethodConfig { stepper, ..Default::default() };
        world.add_with(body, method).unwrap();
        let flowed = (0..20).map(|_| world.step().flow.points).sum::<usize>();
        assert!(flowed > 0, "nothing flowed");
        let snapshot = world.snapshot();
        let run = |world: &mut World| {
            (0..20).for_each(|_| _ = world.step());
            let strains = world.bodies().flat_map(|(_, body)| plastic_strain(body.rest_shape()));
            let strains: Vec<u64> = strains.map(f64::to_bits).collect();
            (world.state_hash(), strains)
        };
        let first = run(&mut world);
        world.restore(&snapshot).unwrap();
        assert_eq!(run(&mut world), first, "{stepper:?}");
    }
}

/// Every kind of invalid plastic parameter returns its own error.
#[test]
fn thresholds_that_cannot_be_are_refused() {
    let check = |plastic| Material { plastic: Some(plastic), ..Default::default() }.check();
    let hardening = |yield_stress, hardening, limit| {
        check(Plastic::Hardening { yield_stress, hardening, limit })
    };
    let creep = |yield_strain, rate, limit| check(Plastic::Creep { yield_strain, rate, limit });
    assert!(matches!(hardening(0.0, 0.0, 1.0), Err(MaterialError::Yield { .. })));
    assert!(matches!(hardening(f64::NAN, 0.0, 1.0), Err(MaterialError::Yield { .. })));
    assert!(matches!(hardening(1.0, -1.0, 1.0), Err(MaterialError::Hardening { .. })));
    assert!(matches!(hardening(2.0, 0.0, 1.0), Err(MaterialError::PlasticLimit { .. })));
    assert!(matches!(creep(-0.1, 1.0, 1.0), Err(MaterialError::Yield { .. })));
    assert!(matches!(creep(0.1, 0.0, 1.0), Err(MaterialError::CreepRate { .. })));
    assert!(matches!(creep(0.1, 1.0, 0.05), Err(MaterialError::PlasticLimit { .. })));
    assert!(creep(0.1, 1.0, f64::INFINITY).is_ok());
}

/// A committed shape has no stress and no plastic strain, to rounding (1e-12), and does not move by more than its
/// velocity at the commit carries it. Setting the old model restores the stress.
#[test]
fn a_commit_leaves_no_stress() {
    let mesh = crumpled(Split::Tet5, 2, [3, 1, 1]);
    let set = |name: &str| mesh.node_set(name).unwrap().nodes.clone();
    let action = Action::Translate(DVec3::new(0.3, 0.1, 0.0));
    let motion = Motion { ramps: vec![Ramp { start: 0.0, end: 0.4, action }] };
    let pins = vec![
        Pin { nodes: set("x-"), ..Default::default() },
        Pin { nodes: set("x+"), motion, ..Default::default() },
    ];
    let plastic = Plastic::Hardening { yield_stress: 2e3, hardening: 1e3, limit: 1e5 };
    for stepper in [Stepper::ImplicitEuler, Stepper::Bdf2, Stepper::Xpbd] {
        let model = Arc::new(Model::uniform(mesh.clone(), dough(plastic)).unwrap());
        let config = WorldConfig { gravity: DVec3::ZERO, ..Default::default() };
        let mut world = World::new(config).unwrap();
        let body = Body::new("bar", model, pins.clone()).unwrap();
        let method = MethodConfig { stepper, ..Default::default() };
        let handle = world.add_with(body, method).unwrap();
        (0..30).for_each(|_| _ = world.step());
        let strained = world.energy().elastic;
        let flowed = plastic_strain(world.get(handle).unwrap().rest_shape());
        assert!(strained > 1.0 && flowed.iter().any(|strain| *strain > 0.01));
        let before = world.commit(handle).unwrap().before;
        assert!(world.energy().elastic < 1e-12 * strained, "{}", world.energy().elastic);
        let body = world.get(handle).unwrap();
        assert!(plastic_strain(body.rest_shape()).iter().all(|strain| *strain < 1e-12));
        // The pins no longer move, so only the velocity at the commit moves the body, which stops within 0.05 s.
        let place = body.state.x.clone();
        let speed = body.state.v.iter().map(|v| v.length()).fold(0.0, f64::max);
        (0..60).for_each(|_| _ = world.step());
        let body = world.get(handle).unwrap();
        let moved =
            body.state.x.iter().zip(&place).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
        assert!(moved < 0.05 * speed + 1e-9, "{stepper:?}: {moved} m at {speed} m/s");
        let now = body.model().clone();
        assert_eq!(world.set_model(handle, before).unwrap().model.mesh(), now.mesh());
        assert!(world.energy().elastic > 0.5 * strained);
    }
}

/// A shape with positions that are not finite cannot be committed: the call returns an error and changes
/// nothing.
#[test]
fn a_shape_without_numbers_is_not_committed() {
    let material = dough(Plastic::Creep { yield_strain: 0.01, rate: 1.0, limit: 1.0 });
    let model = Arc::new(Model::uniform(crumpled(Split::Tet5, 1, [1, 1, 1]), material).unwrap());
    let mut world = World::new(WorldConfig::default()).unwrap();
    let handle = world.add(Body::new("cube", model.clone(), Vec::new()).unwrap());
    world.get_mut(handle).unwrap().state.x[0].y = f64::NAN;
    let error = world.commit(handle).unwrap_err();
    assert!(matches!(error, CommitError::Shape(_)), "{error}");
    assert!(Arc::ptr_eq(world.get(handle).unwrap().model(), &model));
}

/// Changing the parameters of a material does not change plastic strain.
#[test]
fn changing_a_material_keeps_what_flowed() {
    let plastic = Plastic::Creep { yield_strain: 0.01, rate: 3.0, limit: 1.0 };
    for (split, degree) in all_kinds() {
        let mut cube = Cube::new(split, degree, dough(plastic));
        cube.stretch(DVec3::new(1.3, 0.9, 0.9));
        cube.flow.step(&mut cube.body, 0.2);
        let flowed = cube.body.flowed_model();
        let harder = Material { young: 3e5, ..*flowed.model.material(0) };
        let changed = flowed.with_materials(vec![harder]).unwrap();
        let [before, after] = [flowed, changed].map(|model| plastic_strain(model.rest_shape()));
        assert!(before.iter().any(|strain| *strain > 0.0), "{split:?} {degree}");
        assert_eq!(before, after, "{split:?} {degree}");
    }
}

/// In a uniformly strained cube the share of the yield stress is the von Mises stress over the yield stress at every
/// node, and 1 where it flows; the share of the limit is the plastic strain over the largest one. Uniform fields are
/// extrapolated exactly.
#[test]
fn shares_of_yield_and_limit_are_what_they_say() {
    for (split, degree) in all_kinds() {
        let mut cube = Cube::new(split, degree, metal(LawKind::Corotated));
        cube.stretch(DVec3::new(1.00003, 0.999985, 0.999985));
        let (rest, x) = (cube.body.rest_shape(), &cube.body.state.x);
        let stress = pliant::force::von_mises(rest, x);
        for (share, stress) in yield_share(rest, x).iter().zip(&stress) {
            // Cauchy stress and Mandel stress differ by the strain, 3e-5.
            assert!((share / (stress / YIELD) - 1.0).abs() < 1e-3, "{split:?} {degree}: {share}");
            assert!((0.2..0.9).contains(share));
        }
        cube.stretch(DVec3::new(1.0004, 0.9998, 0.9998));
        cube.flow.step(&mut cube.body, 1.0);
        let (rest, x) = (cube.body.rest_shape(), &cube.body.state.x);
        assert!(yield_share(rest, x).iter().all(|share| (share - 1.0).abs() < 1e-6));
        let largest = rest.material(0).flow().unwrap().largest_strain(mu());
        for (share, strain) in limit_share(rest).iter().zip(plastic_strain(rest)) {
            assert!((share - strain / largest).abs() < 1e-9 && (0.1..1.0).contains(share));
        }
    }
}
