//! Safe contact: a step ends without intersecting triangles, whatever the motion.
//!
//! Intersections are counted by a test of all pairs of triangles, independently of the trees and the times of contact
//! under test.

use std::sync::Arc;

use crate::common::{Random, cases};
use glam::{DQuat, DVec3};
use pliant::body::Skin;
use pliant::contact::ContinuousReport;
use pliant::internals::Unknowns;
use pliant::internals::{
    ContinuousContact, ContinuousRules, ContinuousSurface, Facets, SurfaceMotion,
};
use pliant::mesh::Mesh;
use pliant::mesh::generate::{BoxConfig, Split, box_mesh};
use pliant_mesh::geometry::triangles_intersect;

const H: f64 = 1.0 / 60.0;
const SEPARATION: f64 = 1e-4;

/// A body of nodes without elasticity, so that its skin can move more violently than any material allows.
struct Thing {
    facets: Arc<Facets>,
    skin: Skin,
    x0: Vec<DVec3>,
    x1: Vec<DVec3>,
    /// Velocities at the start and at the end.
    v0: Vec<DVec3>,
    v: Vec<DVec3>,
    inverse_masses: Vec<f64>,
    rigid: bool,
    ties: Option<Unknowns>,
    /// The part of an impulse that acts on single nodes.
    give: f64,
}

impl Thing {
    fn new(mesh: &Mesh, place: impl Fn(DVec3) -> DVec3) -> Self {
        let skin = Skin::of_mesh(mesh, 1);
        let x0: Vec<DVec3> = mesh.nodes.iter().map(|x| place(*x)).collect();
        let mut rest = Vec::new();
        skin.interpolate(&x0, &mut rest);
        let facets = Arc::new(Facets::new(rest, skin.triangles()).unwrap());
        let (v, inverse_masses) = (vec![DVec3::ZERO; x0.len()], vec![2.0; x0.len()]);
        Self {
            facets,
            skin,
            x1: x0.clone(),
            x0,
            v0: v.clone(),
            v,
            inverse_masses,
            rigid: false,
            ties: None,
            give: 1.0,
        }
    }

    fn cube(size: f64, cells: usize, centre: DVec3, turn: DQuat) -> Self {
        let config = BoxConfig {
            size: [size; 3],
            cells: [cells; 3],
            split: Split::Tet5,
            ..Default::default()
        };
        let half = DVec3::splat(0.5 * size);
        Self::new(&box_mesh(&config).unwrap(), |x| centre + turn * (x - half))
    }

    /// Sets the positions at the end of the step from the velocities.
    fn go(&mut self) {
        for ((x1, x0), v) in self.x1.iter_mut().zip(&self.x0).zip(&self.v) {
            *x1 = *x0 + H * *v;
        }
        self.v0.clone_from(&self.v);
    }

    fn surface(&mut self) -> ContinuousSurface<'_> {
        let Self { facets, skin, x0, x1, v0, v, inverse_masses, rigid, ties, give } = self;
        let ties = ties.as_ref();
        let motion = SurfaceMotion::Nodes {
            skin,
            x0,
            x1,
            v0,
            v,
            inverse_masses,
            ties,
            give: *give,
            rigid: *rigid,
        };
        ContinuousSurface { facets, motion }
    }

    fn vertices(&self) -> Vec<DVec3> {
        let mut vertices = Vec::new();
        self.skin.interpolate(&self.x1, &mut vertices);
        vertices
    }

    fn momentum(&self) -> DVec3 {
        let nodes = self.v.iter().zip(&self.inverse_masses);
        nodes.filter(|(_, w)| **w > 0.0).map(|(v, w)| *v / *w).sum()
    }

    /// Ties every node that is halfway between two corners of a cube of two cells to them; they take its mass.
    fn tie_edges(&mut self) {
        let rest = self.x0.clone();
        let mut ties = Unknowns::with_pins(rest.len(), &[]);
        let mut masses = vec![0.5; rest.len()];
        let corners: Vec<usize> = (0..rest.len()).filter(|k| is_corner(&rest, *k)).collect();
        for (node, x) in rest.iter().enumerate().filter(|(node, _)| !corners.contains(node)) {
            let pairs = corners.iter().flat_map(|a| corners.iter().map(move |b| [*a, *b]));
            let halfway =
                |[a, b]: &[usize; 2]| a < b && (0.5 * (rest[*a] + rest[*b])).distance(*x) < 1e-9;
            if let Some(ends) = pairs.into_iter().find(halfway) {
                ties.tie(node as u32, ends.map(|end| end as u32));
                masses[node] = 0.0;
                ends.iter().for_each(|end| masses[*end] += 0.25);
            }
        }
        let inverse = |m: &f64| if *m > 0.0 { 1.0 / m } else { 0.0 };
        self.inverse_masses = masses.iter().map(inverse).collect();
        self.ties = Some(ties);
    }
}

/// True if a node is one of the eight that are farthest from the centre of a cube.
fn is_corner(x: &[DVec3], node: usize) -> bool {
    let middle = x.iter().sum::<DVec3>() / x.len() as f64;
    let farthest = x.iter().map(|x| x.distance(middle)).fold(0.0, f64::max);
    x[node].distance(middle) > farthest - 1e-9
}

/// All triangles, each with its body, its vertex indices and its corners.
fn triangles(things: &[Thing]) -> Vec<(usize, [u32; 3], [DVec3; 3])> {
    let of = |(index, thing): (usize, &Thing)| {
        let vertices = thing.vertices();
        let corner = move |t: &[u32; 3]| (index, *t, t.map(|k| vertices[k as usize]));
        thing.skin.triangles().iter().map(corner).collect::<Vec<_>>()
    };
    things.iter().enumerate().flat_map(of).collect()
}

/// Pairs of triangles without a common vertex that intersect at the end of the step.
fn count_intersections(things: &[Thing]) -> usize {
    let all = triangles(things);
    let mut count = 0;
    for (k, (a, t, x)) in all.iter().enumerate() {
        for (b, u, y) in &all[k + 1..] {
            let share = a == b && t.iter().any(|vertex| u.contains(vertex));
            count += usize::from(!share && triangles_intersect(*x, *y));
        }
    }
    count
}

fn resolve(safe: &mut ContinuousContact, things: &mut [Thing]) -> ContinuousReport {
    resolve_with(safe, things, 0.0, DVec3::ZERO)
}

/// Corrects a step with this coefficient of friction between all things.
fn resolve_with(
    safe: &mut ContinuousContact,
    things: &mut [Thing],
    friction: f64,
    gravity: DVec3,
) -> ContinuousReport {
    let mut surfaces: Vec<_> = things.iter_mut().map(Thing::surface).collect();
    let report = safe.resolve(&mut surfaces, &rules(&|_, _| Some(friction), gravity));
    safe.keep_balance(&mut surfaces, |_| 0.0);
    report
}

fn rules(
    friction: &(dyn Fn(u32, u32) -> Option<f64> + Sync),
    gravity: DVec3,
) -> ContinuousRules<'_> {
    ContinuousRules { friction, separation: SEPARATION, h: H, gravity }
}

/// Takes a step and checks that it ends without intersections and, if nothing was rolled back, with the momentum it
/// began with (to rounding).
fn step(safe: &mut ContinuousContact, things: &mut [Thing], what: &str) -> ContinuousReport {
    things.iter_mut().for_each(Thing::go);
    let momentum = |things: &[Thing]| things.iter().map(Thing::momentum).sum::<DVec3>();
    let largest = things.iter().flat_map(|t| &t.v).map(|v| v.length()).fold(0.0, f64::max);
    let before = momentum(things);
    let report = resolve(safe, things);
    assert_eq!(count_intersections(things), 0, "{what}: {report:?}");
    if report.rolled_back == 0 {
        let change = (momentum(things) - before).length();
        let count: usize = things.iter().map(|thing| thing.v.len()).sum();
        assert!(change <= 1e-9 * largest * count as f64, "{what}: momentum changed by {change}");
    }
    for thing in things.iter_mut() {
        thing.x0.copy_from_slice(&thing.x1);
    }
    report
}

/// Eight cubes thrown at each other at 1 to 100 m/s, with random velocities of single nodes, never intersect,
/// and nothing is rolled back.
#[test]
fn cubes_thrown_at_each_other_stay_apart() {
    let mut random = Random::new(1);
    let mut backs = 0;
    for run in 0..5 {
        let mut things: Vec<Thing> = (0..8)
            .map(|k| {
                let place = DVec3::new((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2) as f64) * 1.2;
                Thing::cube(0.7, 2, place, DQuat::from_scaled_axis(3.0 * random.vector()))
            })
            .collect();
        // From walking speed to 100 m/s.
        let speed = [1.0, 5.0, 20.0, 100.0][run % 4];
        for thing in &mut things {
            // As soft as possible, and as stiff as rubber.
            thing.give = [1.0, 0.05][run % 2];
            let (way, wild) =
                (speed * random.vector() - speed * thing.x0[0].normalize(), 0.2 * speed);
            thing.v.iter_mut().for_each(|v| *v = way + wild * random.vector());
        }
        let mut safe = ContinuousContact::default();
        for k in 0..4 {
            backs += step(&mut safe, &mut things, &format!("run {run}, step {k}")).rolled_back;
        }
    }
    // No body is pinned and none has prescribed motion, so that impact zones always find a solution.
    assert_eq!(backs, 0);
}

/// Tied nodes stay halfway between their ends in a collision, in position and velocity, and no momentum is lost in
/// them.
#[test]
fn what_is_tied_stays_between_its_ends() {
    let mut safe = ContinuousContact::default();
    let turn = DQuat::from_scaled_axis(DVec3::new(0.3, 0.2, 0.5));
    let mut things = [
        Thing::cube(0.7, 2, DVec3::ZERO, DQuat::IDENTITY),
        Thing::cube(0.7, 2, DVec3::new(0.1, 1.0, 0.05), turn),
    ];
    things.iter_mut().for_each(Thing::tie_edges);
    things[1].v.fill(DVec3::new(0.0, -12.0, 0.0));
    let mut pushed = 0;
    for _ in 0..10 {
        pushed += step(&mut safe, &mut things, "tied").contacts;
        for Thing { x1, v, ties, .. } in &things {
            let ties = ties.as_ref().unwrap();
            assert!(ties.has_ties());
            for values in [x1, v] {
                let mut placed = values.clone();
                ties.place_tied(&mut placed);
                let off = placed.iter().zip(values).map(|(p, x)| p.distance(*x));
                // Rounding of a mean of numbers of about ten.
                assert!(off.fold(0.0, f64::max) < 1e-12);
            }
        }
    }
    assert!(pushed > 0, "the cubes must collide");
}

/// Four sheets whose sides are thrown through each other much harder than impulses can resolve: parts of them move as one impact zone,
/// nothing is rolled back, momentum is conserved, and angular momentum stays finite.
#[test]
fn what_cannot_be_parted_moves_as_one() {
    let config = BoxConfig {
        size: [1.0, 0.05, 1.0],
        cells: [5, 1, 5],
        split: Split::Tet5,
        ..Default::default()
    };
    let mesh = box_mesh(&config).unwrap();
    let mut random = Random::new(3);
    let mut zoned = 0;
    for run in 0..6 {
        let mut things: Vec<Thing> =
            (0..4).map(|k| Thing::new(&mesh, |x| x + DVec3::Y * 2.0 * f64::from(k))).collect();
        for thing in &mut things {
            thing.v.iter_mut().for_each(|v| *v = 15.0 * random.vector());
        }
        let mut safe = ContinuousContact::default();
        for k in 0..3 {
            let report = step(&mut safe, &mut things, &format!("run {run}, step {k}"));
            assert_eq!(report.rolled_back, 0, "run {run}, step {k}: {report:?}");
            zoned += report.zoned;
            assert!(spin(&things).is_finite());
        }
    }
    assert!(zoned > 0, "no impact zones were needed: the test is too easy");
}

/// Bodies that come near no other keep their positions and velocities to the bit.
#[test]
fn what_is_far_from_everything_is_left_as_it_is() {
    let mut things: Vec<Thing> =
        (0..3).map(|k| Thing::cube(0.5, 1, DVec3::X * f64::from(k), DQuat::IDENTITY)).collect();
    things.iter_mut().flat_map(|thing| &mut thing.v).for_each(|v| *v = DVec3::new(3.0, 2.0, 1.0));
    things.iter_mut().for_each(Thing::go);
    let ends: Vec<_> = things.iter().map(|thing| (thing.x1.clone(), thing.v.clone())).collect();
    let mut safe = ContinuousContact::default();
    let report = resolve(&mut safe, &mut things);
    assert_eq!(report.rounds, 0);
    for (thing, (x, v)) in things.iter().zip(ends) {
        assert!(thing.x1 == x && thing.v == v);
    }
}

/// Resting bodies cost no tests after the first step, and collide with a body that comes.
#[test]
fn what_stands_still_costs_nothing_and_is_still_there() {
    let mut things: Vec<Thing> =
        [0.0, 0.6].map(|y| Thing::cube(0.5, 2, DVec3::Y * y, DQuat::from_rotation_y(y))).into();
    let mut safe = ContinuousContact::default();
    let looks = [(); 4].map(|()| step(&mut safe, &mut things, "resting").tests);
    assert_eq!(looks[1..], [0; 3]);
    things[1].v.fill(-30.0 * DVec3::Y);
    let report = step(&mut safe, &mut things, "thrown");
    assert!(report.tests > 0 && report.held_back > 0);
}

/// Two equal blocks that collide face to face move on together: the impact is fully inelastic.
#[test]
fn a_block_thrown_at_an_equal_one_shares_its_velocity() {
    let mut things = vec![
        Thing::cube(1.0, 1, DVec3::ZERO, DQuat::IDENTITY),
        Thing::cube(1.0, 1, DVec3::new(1.05, 0.013, 0.021), DQuat::IDENTITY),
    ];
    things.iter_mut().for_each(|thing| thing.rigid = true);
    things[0].v.fill(12.0 * DVec3::X);
    let mut safe = ContinuousContact::default();
    let report = step(&mut safe, &mut things, "thrown");
    assert_eq!((report.rolled_back, report.crushed), (0, false));
    assert!(report.contacts >= 4);
    let mean = |thing: &Thing| thing.v.iter().sum::<DVec3>() / thing.v.len() as f64;
    // The blocks close the gap of 5 cm within the step and touch at its end.
    let (a, b) = (mean(&things[0]).x, mean(&things[1]).x);
    assert!((a + b - 12.0).abs() < 1e-9);
    let gap = 0.05 + H * (b - a);
    // Without contact they would overlap by 15 cm; a twentieth of that is allowed as a gap.
    assert!(gap > 0.0 && gap < 0.0075 + 5.0 * SEPARATION, "{gap}");
    let total: DVec3 = safe
        .impulses(H)
        .map(|(surfaces, push)| {
            assert_eq!(surfaces, [0, 1]);
            push
        })
        .sum();
    let gained = things[1].momentum();
    // Besides the impulses, the correction of the angular momentum moves the blocks: by as much as their finite rotation differs from a
    // small one, some 1e-9 of the momentum here.
    assert!((total + gained).length() < 1e-8 * gained.length(), "{total} {gained}");
}

/// Distances within colliding rigid blocks are unchanged, to rounding.
#[test]
fn rigid_blocks_stay_rigid() {
    let mut random = Random::new(4);
    for run in 0..6 {
        let turn = DQuat::from_scaled_axis(random.vector());
        let mut things = vec![
            Thing::cube(1.0, 1, DVec3::ZERO, DQuat::IDENTITY),
            Thing::cube(0.6, 1, DVec3::new(0.2, 1.3, 0.1), turn),
        ];
        things.iter_mut().for_each(|thing| thing.rigid = true);
        things[1].v.fill(DVec3::new(1.0, -30.0, 2.0));
        let lengths = |thing: &Thing| -> Vec<f64> {
            thing.x1.iter().map(|x| x.distance(thing.x1[0])).collect()
        };
        let before: Vec<_> = things.iter().map(lengths).collect();
        let mut safe = ContinuousContact::default();
        let report = step(&mut safe, &mut things, "rigid");
        assert!(
            report.held_back + report.contacts > 0 && report.rolled_back == 0,
            "run {run}: {report:?}"
        );
        for (thing, before) in things.iter().zip(before) {
            for (now, before) in lengths(thing).into_iter().zip(before) {
                assert!((now - before).abs() < 1e-12);
            }
        }
    }
}

/// A stack of blocks without gaps, the lowest one fixed, stands under gravity for 60 steps: no intersections, and
/// each block within ten separations (1 mm) of its height.
#[test]
fn a_flush_stack_stands_and_does_not_sink() {
    let mut things: Vec<Thing> = (0..4)
        .map(|k| Thing::cube(0.5, 1, DVec3::Y * 0.5 * f64::from(k), DQuat::IDENTITY))
        .collect();
    things.iter_mut().for_each(|thing| thing.rigid = true);
    things[0].inverse_masses.fill(0.0);
    let mut safe = ContinuousContact::default();
    for k in 0..60 {
        for thing in &mut things[1..] {
            thing.v.iter_mut().for_each(|v| v.y -= 9.81 * H);
        }
        things.iter_mut().for_each(Thing::go);
        let report = resolve(&mut safe, &mut things);
        assert!(!report.crushed, "step {k}: {report:?}");
        assert_eq!(count_intersections(&things), 0, "step {k}");
        things.iter_mut().for_each(|thing| thing.x0.copy_from_slice(&thing.x1));
    }
    for (k, thing) in things.iter().enumerate() {
        let centre = thing.x1.iter().sum::<DVec3>() / thing.x1.len() as f64;
        assert!((centre.y - 0.5 * k as f64).abs() < 10.0 * SEPARATION, "{k}: {centre}");
    }
}

/// A block whose contact is resolved by impulses alone slides to rest in v²/(2 μ g), at any time step: friction takes μ g h from its velocity
/// in every step. Within 2 %, and what it slides in the first step before it meets the ground; it does not turn by more than a hundredth.
#[test]
fn a_block_on_impulses_slides_as_far_as_friction_lets_it() {
    for (friction, speed) in [(0.1, 1.5), (0.5, 3.0), (0.3, 1.0)] {
        let mut things = vec![
            Thing::cube(8.0, 1, DVec3::new(0.0, -4.0, 0.0), DQuat::IDENTITY),
            Thing::cube(0.5, 1, DVec3::new(-2.0, 0.25 + 0.5 * SEPARATION, 0.1), DQuat::IDENTITY),
        ];
        things.iter_mut().for_each(|thing| thing.rigid = true);
        things[0].inverse_masses.fill(0.0);
        things[1].v.fill(speed * DVec3::X);
        let gravity = -9.81 * DVec3::Y;
        let start = things[1].x0.clone();
        let mut safe = ContinuousContact::default();
        for k in 0..150 {
            things[1].v.iter_mut().for_each(|v| *v += H * gravity);
            things.iter_mut().for_each(Thing::go);
            let report = resolve_with(&mut safe, &mut things, friction, gravity);
            assert_eq!((report.zoned, report.rolled_back), (0, 0), "step {k}: {report:?}");
            things.iter_mut().for_each(|thing| thing.x0.copy_from_slice(&thing.x1));
        }
        let (way, expected) = (things[1].x1[0] - start[0], speed * speed / (2.0 * friction * 9.81));
        let tolerance = 0.02 * expected + H * speed;
        assert!((way.x - expected).abs() < tolerance, "μ = {friction}: {way}, {expected}");
        let speed = things[1].v.iter().map(|v| v.length()).fold(0.0, f64::max);
        assert!(speed < 0.01, "still {speed} m/s");
        let turn = (things[1].x1[1] - things[1].x1[0]).angle_between(start[1] - start[0]);
        assert!(turn < 0.01, "turned by {turn}");
    }
}

/// Things thrown at each other keep their momentum and angular momentum to rounding, and their kinetic energy does not rise: rigid ones, and
/// ones whose nodes move at random, with and without friction, and with any part of an impulse on single nodes.
#[test]
fn impulses_keep_momenta_and_add_no_energy() {
    let mut random = Random::new(17);
    let (mut pushed, mut zoned) = (0, 0);
    for run in 0..cases(160) {
        let (friction, rigid) = ([0.0, 0.3, 1.0, 100.0][run % 4], run % 3 == 0);
        let speed = [0.3, 3.0, 30.0][run / 4 % 3];
        let mut things: Vec<Thing> = (0..4)
            .map(|k| {
                let turn = DQuat::from_scaled_axis(random.vector());
                let place = DVec3::new(f64::from(k % 2), f64::from(k / 2), 0.0) * 0.8;
                Thing::cube(0.4, 1 + run % 2, place + 0.1 * random.vector(), turn)
            })
            .collect();
        for (k, thing) in things.iter_mut().enumerate() {
            thing.rigid = rigid || k == 0;
            thing.give = if run % 5 == 0 { 1.0 } else { 0.05 };
            let mean = thing.x0.iter().sum::<DVec3>() / thing.x0.len() as f64;
            let way = speed * (DVec3::new(0.4, 0.4, 0.0) - mean + 0.2 * random.vector());
            let whirl = speed * random.vector();
            for (v, x) in thing.v.iter_mut().zip(&thing.x0) {
                let bent = if thing.rigid { DVec3::ZERO } else { 0.2 * speed * random.vector() };
                *v = way + whirl.cross(*x - mean) + bent;
            }
        }
        let mut safe = ContinuousContact::default();
        for k in 0..8 {
            things.iter_mut().for_each(Thing::go);
            let before = (total_momentum(&things), spin(&things), kinetic(&things));
            let report = resolve_with(&mut safe, &mut things, friction, DVec3::ZERO);
            let what = format!("run {run}, step {k}: {report:?}");
            assert_eq!(count_intersections(&things), 0, "{what}");
            if report.rolled_back > 0 {
                break;
            }
            (pushed, zoned) = (pushed + report.contacts, zoned + report.zoned);
            let momentum = total_momentum(&things) - before.0;
            assert!(momentum.length() < 1e-9 * speed, "{what}: momentum {momentum}");
            let turned = spin(&things) - before.1;
            assert!(turned.length() < 1e-9 * speed, "{what}: angular momentum {turned}");
            let gained = kinetic(&things) - before.2;
            assert!(gained < 1e-9 * before.2, "{what}: {gained} J of {}", before.2);
            things.iter_mut().for_each(|thing| thing.x0.copy_from_slice(&thing.x1));
        }
    }
    assert!(pushed > 0 && zoned > 0, "too easy: {pushed} pushed, {zoned} in zones");
}

/// Angular momentum about the origin.
fn spin(things: &[Thing]) -> DVec3 {
    let of = |t: &Thing| -> DVec3 {
        t.x1.iter().zip(&t.v).zip(&t.inverse_masses).map(|((x, v), w)| x.cross(*v) / *w).sum()
    };
    things.iter().map(of).sum()
}

fn total_momentum(things: &[Thing]) -> DVec3 {
    things.iter().map(Thing::momentum).sum()
}

fn kinetic(things: &[Thing]) -> f64 {
    let of = |thing: &Thing| -> f64 {
        let nodes = thing.v.iter().zip(&thing.inverse_masses).filter(|(_, w)| **w > 0.0);
        nodes.map(|(v, w)| 0.5 * v.length_squared() / w).sum()
    };
    things.iter().map(of).sum()
}

/// A sheet that is folded and disturbed at random for 12 steps never intersects itself.
#[test]
fn a_mat_does_not_pass_through_itself() {
    let config = BoxConfig {
        size: [2.0, 0.05, 1.0],
        cells: [12, 1, 6],
        split: Split::Tet5,
        ..Default::default()
    };
    let mesh = box_mesh(&config).unwrap();
    for (seed, speed) in [(7, 3.0), (8, 30.0)] {
        let mut random = Random::new(seed);
        let mut things = vec![Thing::new(&mesh, |x| x)];
        let mut safe = ContinuousContact::default();
        for k in 0..12 {
            let way = |x: DVec3| {
                let fold = if x.x > 1.0 { DVec3::new(-1.0, 1.5 - x.x, 0.0) } else { DVec3::ZERO };
                speed * fold
            };
            let x0 = things[0].x0.clone();
            for (v, x) in things[0].v.iter_mut().zip(x0) {
                *v = way(x) + 0.1 * speed * random.vector();
            }
            step(&mut safe, &mut things, &format!("{speed} m/s, step {k}"));
        }
    }
}

/// Bodies that intersect at the start are left out of the test and can separate.
#[test]
fn bodies_that_begin_through_each_other_can_leave() {
    let mut things = vec![
        Thing::cube(1.0, 2, DVec3::ZERO, DQuat::IDENTITY),
        Thing::cube(1.0, 2, DVec3::new(0.83, 0.11, 0.07), DQuat::from_rotation_y(0.2)),
    ];
    things[1].v.fill(20.0 * DVec3::X);
    things.iter_mut().for_each(Thing::go);
    let report = resolve(&mut ContinuousContact::default(), &mut things);
    assert_eq!((report.left_out, report.rounds), (1, 0));
    assert_eq!(count_intersections(&things), 0, "the bodies must be apart at the end");
}

/// A floor with prescribed motion lifts a cube; a cube crushed between two plates is reported.
#[test]
fn a_carried_plate_pushes_and_what_it_crushes_is_told() {
    let config = BoxConfig { size: [2.0, 0.2, 2.0], cells: [2, 1, 2], ..Default::default() };
    let plate = Thing::new(&box_mesh(&config).unwrap(), |x| x - DVec3::new(1.0, 0.1, 1.0));
    let at =
        |y: f64| -> Vec<DVec3> { plate.vertices().iter().map(|x| *x + y * DVec3::Y).collect() };
    let mut cube = Thing::cube(0.5, 2, DVec3::new(0.01, 0.5, 0.02), DQuat::IDENTITY);
    cube.rigid = true;
    let mut safe = ContinuousContact::default();
    // A rising floor alone lifts the cube; with a ceiling that comes down below the top of the cube there is no
    // solution.
    for (floor, ceiling, crushed) in [(0.3, 3.0, false), (0.3, 0.6, true)] {
        let mut cube_surface = cube.surface();
        let SurfaceMotion::Nodes { x0, x1, .. } = &mut cube_surface.motion else { unreachable!() };
        x1.copy_from_slice(x0);
        let (low, high) = ([at(0.0), at(floor)], [at(1.0), at(ceiling)]);
        let carried =
            |[begin, end]: &'static [Vec<DVec3>; 2]| SurfaceMotion::Prescribed { begin, end };
        let (low, high): (&'static _, &'static _) =
            (Box::leak(Box::new(low)), Box::leak(Box::new(high)));
        let mut surfaces = vec![
            cube_surface,
            ContinuousSurface { facets: &plate.facets, motion: carried(low) },
            ContinuousSurface { facets: &plate.facets, motion: carried(high) },
        ];
        let report = safe.resolve(&mut surfaces, &rules(&|_, _| Some(0.0), DVec3::ZERO));
        drop(surfaces);
        assert_eq!(report.crushed, crushed, "{report:?}");
        if !crushed {
            let lowest = cube.vertices().iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
            assert!(lowest > 0.1 + floor, "{lowest}");
        }
    }
}

/// Two cubes that touch at a corner, along an edge or with a side, at a distance of rounding, do not pass into each other, however they move. Between points that touch
/// there is no direction that says on which side of each other they are.
#[test]
fn what_touches_at_the_start_does_not_pass_through() {
    for seed in 0..cases(300) as u64 {
        let mut random = Random::new(seed);
        let turn = DQuat::from_euler(
            glam::EulerRot::XYZ,
            random.within(-3.0, 3.0),
            random.within(-3.0, 3.0),
            random.within(-3.0, 3.0),
        );
        let lean = [
            DQuat::IDENTITY,
            DQuat::from_rotation_z(std::f64::consts::FRAC_PI_4),
            DQuat::from_rotation_arc(DVec3::new(1.0, 1.0, 1.0).normalize(), DVec3::Y),
        ][seed as usize % 3];
        let mut upper = Thing::cube(1.0, 2, DVec3::ZERO, lean);
        let mut lower = Thing::cube(1.0, 2, DVec3::new(0.0, -0.5, 0.0), DQuat::IDENTITY);
        let lowest = upper.x0.iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
        let aside = DVec3::new(random.within(-0.6, 0.6), 0.0, random.within(-0.6, 0.6));
        let shift = aside - lowest * DVec3::Y;
        upper.x0.iter_mut().for_each(|x| *x = turn * (*x + shift));
        lower.x0.iter_mut().for_each(|x| *x = turn * *x);
        let mut things = vec![upper, lower];
        let mut safe = ContinuousContact::default();
        for step in 0..4 {
            for thing in &mut things {
                thing.x1.copy_from_slice(&thing.x0);
            }
            if count_intersections(&things) > 0 {
                break;
            }
            let speed = 10f64.powf(random.within(-3.0, 1.0));
            for (thing, sign) in things.iter_mut().zip([-1.0, 1.0]) {
                let along = turn
                    * DVec3::new(random.within(-1.0, 1.0), 0.7 * sign, random.within(-1.0, 1.0));
                for v in &mut thing.v {
                    *v = speed * (along + 0.5 * random.vector());
                }
                thing.go();
            }
            let report = resolve(&mut safe, &mut things);
            let found = count_intersections(&things);
            assert_eq!(found, 0, "seed {seed}, step {step}, {speed} m/s: {report:?}");
            for thing in &mut things {
                thing.x0.copy_from_slice(&thing.x1);
            }
        }
    }
}
