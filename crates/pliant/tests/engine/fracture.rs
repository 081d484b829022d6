//! Fracture: the place and load of breaks, the fragments, and the conserved quantities.

use std::sync::Arc;

use glam::DVec3;
use pliant::body::{Action, Body, MaterialPoint, Model, Motion, Pin, Ramp, Seam, ToughnessMap};
use pliant::contact::ContactLevel;
use pliant::force::{Blast, FieldKind, ForceField};
use pliant::internals::Fracture;
use pliant::material::{Grain, LawKind, Material, Plastic, Toughness};
use pliant::mesh::Mesh;
use pliant::mesh::generate::{BoxConfig, Split, box_mesh};
use pliant::solver::MethodConfig;
use pliant::world::{
    Attachment, DebrisConfig, EventKind, Fate, FractureConfig, Support, World, WorldConfig,
};

use crate::common::{Random, cases};

/// A bar of 4 × 1 × 1 m.
fn bar(cells: [usize; 3], split: Split, degree: usize) -> Mesh {
    box_mesh(&BoxConfig { size: [4.0, 1.0, 1.0], cells, split, degree, ..Default::default() })
        .unwrap()
}

fn brittle(strength: f64) -> Material {
    Material {
        law: LawKind::Corotated,
        young: 1e6,
        poisson: 0.3,
        density: 1000.0,
        toughness: Some(Toughness::new(strength)),
        ..Default::default()
    }
}

const KINDS: [(Split, usize); 5] =
    [(Split::Tet5, 1), (Split::Tet6, 1), (Split::Tet6, 2), (Split::Tet6, 3), (Split::Hex, 1)];

/// In a uniformly stretched bar the tensile stress at every inner corner is that of Hooke's law, along the bar, for
/// every kind of cell. Corners at the ends are left out: the external force there is not part of the cells.
#[test]
fn even_tension_is_felt_everywhere_as_it_is() {
    for (split, degree) in KINDS {
        let model = Model::uniform(bar([4, 2, 2], split, degree), brittle(1.0)).unwrap();
        let mut body = Body::new("bar", Arc::new(model), vec![]).unwrap();
        let stretch = 1e-3;
        let side = 1.0 - 0.3 * stretch;
        let turn = glam::DQuat::from_axis_angle(DVec3::new(0.3, 1.0, 0.2).normalize(), 1.0);
        for x in &mut body.state.x {
            *x = turn * (*x * DVec3::new(1.0 + stretch, side, side));
        }
        let mut fracture = Fracture::default();
        let mesh = body.model().mesh();
        let inner = |node: u32| (0.1..3.9).contains(&mesh.nodes[node as usize].x);
        let found: Vec<_> = fracture.look(&body, 0).iter().filter(|o| inner(o.node)).collect();
        let corners = mesh.corners().into_iter().filter(|node| inner(*node)).count();
        assert_eq!(found.len(), corners, "{split:?} {degree}");
        for opening in found {
            // The corotated law is exactly Hooke's law in tension, so this is rounding at a strain of 1e-3.
            assert!((opening.stress / (1e6 * stretch) - 1.0).abs() < 1e-9, "{opening:?}");
            assert!((opening.normal.dot(turn * DVec3::X).abs() - 1.0).abs() < 1e-9, "{opening:?}");
        }
    }
}

/// A body under uniform compression does not break, whatever its strength.
#[test]
fn pressure_parts_nothing() {
    for (split, degree) in KINDS {
        let model = Model::uniform(bar([4, 2, 2], split, degree), brittle(1e-3)).unwrap();
        let mut body = Body::new("bar", Arc::new(model), vec![]).unwrap();
        for x in &mut body.state.x {
            *x *= 0.99;
        }
        assert!(Fracture::default().look(&body, 0).is_empty(), "{split:?} {degree}");
    }
}

/// A world without gravity and sleep.
fn empty(contact: ContactLevel) -> World {
    let config = WorldConfig { gravity: DVec3::ZERO, sleep: None, contact, ..Default::default() };
    World::new(config).unwrap()
}

/// A bar whose nodes begin with these velocities.
fn thrown(mesh: Mesh, material: Material, v: impl Fn(DVec3) -> DVec3) -> Body {
    let mut body =
        Body::new("bar", Arc::new(Model::uniform(mesh, material).unwrap()), vec![]).unwrap();
    body.state.v = body.state.x.iter().map(|x| v(*x)).collect();
    body
}

/// Mass, momentum, angular momentum and energy of all bodies.
fn sums(world: &World) -> (f64, DVec3, DVec3, f64) {
    let (mut mass, mut linear, mut angular) = (0.0, DVec3::ZERO, DVec3::ZERO);
    for (_, body) in world.bodies() {
        let nodes = body.model().masses().iter().zip(body.state.x.iter().zip(&body.state.v));
        for (m, (x, v)) in nodes {
            mass += m;
            linear += *m * *v;
            angular += *m * x.cross(*v);
        }
    }
    let energy = world.energy();
    (mass, linear, angular, energy.elastic + energy.kinetic)
}

/// A break changes neither mass nor momentum, angular momentum or energy: they equal those of a body that took the
/// same step and is too tough to break.
#[test]
fn breaks_keep_mass_momenta_and_energy() {
    for (split, degree) in KINDS {
        let pulled = |x: DVec3| DVec3::new(3.0 * (x.x - 2.0) + 0.5 * x.y, x.z, 2.0 - x.y * x.z);
        let mut breaks = 0;
        for strength in [2e3, 2e4, 5e4] {
            let [mut tough, mut whole] = [strength, 1e12].map(|strength| {
                let mut world = empty(ContactLevel::Off);
                world.add(thrown(bar([6, 2, 2], split, degree), brittle(strength), pulled));
                world
            });
            // Both worlds are equal up to the step of the first break.
            for _ in 0..60 {
                tough.step();
                whole.step();
                if !tough.breaks().is_empty() {
                    break;
                }
            }
            breaks += tough.breaks().len();
            let ((m, p, l, e), (m0, p0, l0, e0)) = (sums(&tough), sums(&whole));
            // Rounding: sums of a few hundred terms in another order.
            assert!((m / m0 - 1.0).abs() < 1e-13, "{split:?} {degree}: {m} for {m0} kg");
            assert!((p - p0).length() < 1e-10 * m0, "{split:?} {degree}: {p} for {p0}");
            assert!((l - l0).length() < 1e-10 * m0, "{split:?} {degree}: {l} for {l0}");
            assert!((e / e0 - 1.0).abs() < 1e-12, "{split:?} {degree}: {e} for {e0} J");
        }
        assert!(breaks >= 2, "{split:?} {degree}: {breaks}");
    }
}

/// While a bar shatters, momentum is conserved to the solver's tolerance (1e-10) and energy does not grow, with and
/// without contact. (Linearly implicit Euler can add a little energy; 1e-6 per step is allowed for it, and nothing
/// from the beginning to the end.)
#[test]
fn momentum_is_kept_through_a_whole_shattering() {
    for contact in [ContactLevel::Off, ContactLevel::Game] {
        for (split, degree) in [(Split::Tet5, 1), (Split::Tet6, 2)] {
            let mut world = empty(contact);
            let pulled = |x: DVec3| DVec3::new(4.0 * (x.x - 2.0), 1.0, x.y);
            let tight = MethodConfig { tolerance: 1e-12, ..Default::default() };
            world
                .add_with(thrown(bar([6, 2, 2], split, degree), brittle(2e4), pulled), tight)
                .unwrap();
            let (mass, before, _, begin) = sums(&world);
            let mut energy = begin;
            for step in 0..60 {
                world.step();
                let (m, p, _, e) = sums(&world);
                assert!((m / mass - 1.0).abs() < 1e-12);
                assert!(
                    (p - before).length() < 1e-10 * before.length(),
                    "step {step}: {p}, {before}"
                );
                assert!(
                    e < energy * (1.0 + 1e-6),
                    "step {step}: {e} J after {energy}, {contact:?}"
                );
                energy = e;
            }
            assert!(energy < begin, "{energy} J of {begin}");
            assert!(world.bodies().count() > 2, "{split:?} {degree}: {}", world.bodies().count());
        }
    }
}

/// A bar with round notches on two sides at its middle. (At a sharp notch the stress is singular, and no two meshes
/// agree.)
fn notched(degree: usize) -> Mesh {
    let mut mesh = bar([24, 6, 3], Split::Tet5, 1);
    for x in &mut mesh.nodes {
        let depth = 0.5 * (-((x.x - 2.0) / 0.4).powi(2)).exp();
        x.y = 0.5 + (x.y - 0.5) * (1.0 - depth);
    }
    mesh.elevated(degree).unwrap()
}

/// Pulls a notched bar slowly at its ends until it breaks in two; returns the world and the force at the first break,
/// in N.
fn pulled_apart(mesh: Mesh, strength: f64) -> (World, f64) {
    let model = Arc::new(Model::uniform(mesh, brittle(strength)).unwrap());
    // So slowly that waves, at 4 Hz, are damped away.
    let (speed, end) = (strength * 2e-7, 40.0);
    let pull = |sign: f64| Motion {
        ramps: vec![Ramp {
            start: 0.0,
            end,
            action: Action::Translate(DVec3::X * sign * speed * end),
        }],
    };
    let pin = |set: &str, sign: f64| Pin {
        nodes: model.mesh().node_set(set).unwrap().nodes.clone(),
        motion: pull(sign),
        ..Default::default()
    };
    let pins = vec![pin("x-", -1.0), pin("x+", 1.0)];
    let mut world = empty(ContactLevel::Off);
    let config = WorldConfig { damping: 4.0, dt: 1.0 / 30.0, ..*world.config() };
    world.set_config(config).unwrap();
    let method = MethodConfig { tolerance: 1e-6, ..Default::default() };
    let body = world.add_with(Body::new("bar", model, pins).unwrap(), method).unwrap();
    let mut load = 0.0;
    for _ in 0..1200 {
        let energy = world.energy().elastic;
        world.step();
        if load == 0.0 && !world.breaks().is_empty() {
            // The elastic energy is half of force times displacement; both ends move.
            load = energy / (speed * (world.time() - world.config().dt));
        }
        if world.bodies().count() > 1 {
            break;
        }
    }
    assert!(world.get(body).is_some() && world.bodies().count() > 1, "the bar must break in two");
    (world, load)
}

/// A notched bar in tension breaks at the notch, across the tension, at a load proportional to its strength.
/// Linear and quadratic cells break at the same load, within 10 %.
#[test]
fn a_notched_bar_breaks_at_its_notch() {
    let mut loads = Vec::new();
    for (degree, strengths) in [(1, &[1e3, 1e4][..]), (2, &[1e3][..])] {
        for strength in strengths {
            let (world, load) = pulled_apart(notched(degree), *strength);
            println!("degree {degree}, {strength} Pa: {load} N, {} pieces", world.bodies().count());
            loads.push(load / strength);
            let (mut along, mut total) = (0.0, 0.0);
            for (_, body) in world.bodies() {
                let mesh = body.model().mesh();
                for [cell, face] in body.fresh_faces() {
                    let corners = mesh.face(*cell as usize, *face as usize).corners;
                    let [a, b, c] = [0, 1, 2].map(|k| mesh.nodes[corners[k] as usize]);
                    let middle = (a + b + c) / 3.0;
                    assert!(
                        (middle.x - 2.0).abs() < 0.4,
                        "a fresh face at {middle} m is not at the notch"
                    );
                    let area = (b - a).cross(c - a);
                    along += area.x.abs();
                    total += area.length();
                }
            }
            // Faces of a regular mesh are oblique; for a surface without preferred direction the share would be one
            // half.
            assert!(along > 0.6 * total, "{} of the surface is across the pull", along / total);
        }
    }
    // Proportional over a decade, within 2 %: a step may go beyond the exact load of the break.
    assert!((loads[1] / loads[0] - 1.0).abs() < 0.02, "{loads:?}");
    assert!((loads[2] / loads[0] - 1.0).abs() < 0.1, "quadratic cells: {loads:?}");
}

/// Every fragment is connected through faces, and so are all cells around each of its corners; no cell is lost, and none is alone.
fn check_pieces(world: &World, cells: usize, fewest: usize, what: &str) {
    let mut count = 0;
    for (_, body) in world.bodies() {
        let mesh = body.model().mesh();
        count += mesh.cell_count();
        assert!(mesh.cell_count() >= fewest, "{what}: a piece of {} cells", mesh.cell_count());
        assert!(body.state.is_finite(), "{what}");
        let neighbours = mesh.cell_neighbours();
        let (node_cells, mut seen) = (mesh.node_cells(), vec![0]);
        let mut reached = vec![false; mesh.cell_count()];
        reached[0] = true;
        while let Some(cell) = seen.pop() {
            for other in neighbours[cell].iter().flatten().map(|other| *other as usize) {
                if !std::mem::replace(&mut reached[other], true) {
                    seen.push(other);
                }
            }
        }
        assert!(
            reached.iter().all(|reached| *reached),
            "{what}: a fragment is connected by a hinge or a ball joint only"
        );
        for node in mesh.corners() {
            let star = node_cells.row(node as usize);
            let mut found = vec![star[0]];
            let mut next = 0;
            while next < found.len() {
                let (kind, nodes) = mesh.cell(found[next] as usize);
                for (face, corners) in
                    pliant_kernels::element::faces(kind.shape()).iter().enumerate()
                {
                    let here = corners.iter().any(|corner| nodes[*corner] == node);
                    let other = neighbours[found[next] as usize][face].filter(|_| here);
                    found.extend(other.filter(|other| !found.contains(other)));
                }
                next += 1;
            }
            assert_eq!(found.len(), star.len(), "{what}: cells meet in a corner or an edge only");
        }
    }
    assert_eq!(count, cells, "{what}: cells are lost");
}

/// In a thousand random breaks (fewer in a quick run), with all kinds of cells, random motion, strength and grain,
/// fragments are valid and have at least three cells; at least 30 % of the bodies break.
#[test]
fn a_thousand_smashes_leave_no_crumbs() {
    let mut random = Random::new(7);
    let (mut pieces, mut broken) = (0, 0);
    let count = cases(1000);
    for smash in 0..count {
        let (split, degree) = [
            (Split::Tet5, 1),
            (Split::Tet6, 1),
            (Split::Tet12, 1),
            (Split::Tet5, 2),
            (Split::Tet6, 3),
            (Split::Hex, 1),
            (Split::Hex, 2),
            (Split::Prism, 1),
            (Split::Pyramid, 1),
        ][smash % 9];
        let counts =
            [3, 2, 1].map(|most: usize| 1 + (random.signed().abs() * most as f64) as usize);
        let mesh = bar(counts, split, degree);
        let cells = mesh.cell_count();
        let strength = 10f64.powf(4.0 + random.signed());
        let grain = (smash % 3 == 0).then(|| Grain { along: random.vector(), ratio: 5.0 });
        let material = Material { toughness: Some(Toughness { strength, grain }), ..brittle(1.0) };
        let (a, b, spin) = (random.vector() * 10.0, random.vector() * 10.0, random.vector() * 5.0);
        let v = |x: DVec3| a * (x.x - 2.0) + b * (x.y - 0.5) * x.z + spin.cross(x);
        let mut world = empty(if smash % 4 == 0 { ContactLevel::Game } else { ContactLevel::Off });
        let fracture = FractureConfig { seed: smash as u64, ..Default::default() };
        world.set_config(WorldConfig { fracture, ..*world.config() }).unwrap();
        world.add(thrown(mesh, material, v));
        for _ in 0..12 {
            world.step();
        }
        check_pieces(&world, cells, cells.min(3), &format!("smash {smash}, {split:?} {degree}"));
        pieces += world.bodies().count();
        broken += usize::from(world.bodies().count() > 1);
    }
    println!("{broken} broke, into {pieces} pieces in all");
    assert!(10 * broken > 3 * count, "{broken} of {count} broke, into {pieces}");
}

/// A shattering bar that hits the ground and its own fragments.
fn shattering(split: Split, degree: usize) -> World {
    let config = WorldConfig { sleep: None, ..Default::default() };
    let mut world = World::new(config).unwrap();
    world.add_obstacle(pliant::contact::Obstacle::ground(0.5)).unwrap();
    let v = |x: DVec3| DVec3::new(5.0 * (x.x - 2.0), -3.0, 2.0 * x.y);
    let mut body = thrown(bar([8, 2, 2], split, degree), brittle(2e4), v);
    body.state.x.iter_mut().for_each(|x| x.y += 0.2);
    world.add(body);
    world
}

/// Breaks have the same bits for any number of threads, and after restoring a snapshot from the middle of a break, in
/// the same world and in a new one. Restoring a snapshot from before the break makes the body whole again.
#[test]
fn breaks_are_the_same_for_threads_and_snapshots() {
    for (split, degree) in [(Split::Tet5, 1), (Split::Tet6, 2), (Split::Hex, 1)] {
        let hash = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut world = shattering(split, degree);
                (0..40).for_each(|_| {
                    world.step();
                });
                (world.state_hash(), world.bodies().count())
            })
        };
        let (one, pieces) = hash(1);
        assert!(pieces > 3, "{split:?} {degree}: {pieces}");
        assert_eq!(hash(2), (one, pieces), "{split:?} {degree}");

        let mut world = shattering(split, degree);
        let whole = world.snapshot();
        while world.bodies().count() < 2 {
            world.step();
        }
        let (middle, step) = (world.snapshot(), (world.time() * 60.0).round() as usize);
        (step..40).for_each(|_| {
            world.step();
        });
        assert_eq!(world.state_hash(), one);
        world.restore(&middle).unwrap();
        let mut other = shattering(split, degree);
        other.restore(&middle).unwrap();
        assert_eq!(other.bodies().count(), world.bodies().count());
        for world in [&mut world, &mut other] {
            (step..40).for_each(|_| {
                world.step();
            });
            assert_eq!(world.state_hash(), one, "{split:?} {degree}");
        }
        world.restore(&whole).unwrap();
        assert_eq!(world.bodies().count(), 1);
        (0..40).for_each(|_| {
            world.step();
        });
        assert_eq!(world.state_hash(), one, "{split:?} {degree}: restored from the beginning");
    }
}

/// Wood breaks between its fibres: under uniform tension in the plane of a plank, the share of the fresh surface
/// across the grain is less than half of that in a material without grain.
#[test]
fn a_plank_breaks_along_its_grain() {
    let across = |grain: Option<Grain>| {
        let size = [2.0, 0.2, 2.0];
        let mesh = box_mesh(&BoxConfig {
            size,
            cells: [10, 1, 10],
            split: Split::Tet5,
            ..Default::default()
        });
        let material =
            Material { toughness: Some(Toughness { strength: 2e4, grain }), ..brittle(1.0) };
        let mut world = empty(ContactLevel::Off);
        world.add(thrown(mesh.unwrap(), material, |x| 3.0 * DVec3::new(x.x - 1.0, 0.0, x.z - 1.0)));
        let (mut along, mut total) = (0.0, 0.0);
        for _ in 0..30 {
            world.step();
            for face in world.breaks().iter().flat_map(|broken| &broken.faces) {
                along += face.area * face.normal.x.abs();
                total += face.area;
            }
        }
        assert!(total > 0.5, "{total} m² of fresh surface");
        along / total
    };
    let grain = Grain { along: DVec3::X, ratio: 20.0 };
    let (wood, chalk) = (across(Some(grain)), across(None));
    println!("{wood} {chalk}");
    // The faces of tetrahedra are oblique, so the share is not zero even for wood.
    assert!(
        wood < 0.5 * chalk,
        "{wood} of the fresh surface is across the grain, {chalk} without grain"
    );
}

/// A scored bar under uniform tension breaks exactly at its seams, within one cell.
#[test]
fn a_scored_bar_breaks_at_its_seams() {
    let mesh = bar([12, 2, 2], Split::Tet5, 1);
    let seams = [4.0 / 3.0, 8.0 / 3.0]
        .map(|x| Seam { point: DVec3::X * x, normal: DVec3::X, share: 0.3 })
        .to_vec();
    let map = ToughnessMap { seams, ..Default::default() };
    let model = Model::uniform(mesh, brittle(3e4)).unwrap().with_toughness(map).unwrap();
    let mut body = Body::new("bar", Arc::new(model), vec![]).unwrap();
    // 1.2e4 Pa: more than 0.3 of the strength, less than the strength.
    body.state.x.iter_mut().for_each(|x| x.x *= 1.012);
    let mut world = empty(ContactLevel::Off);
    world.add(body);
    let mut faces = Vec::new();
    for _ in 0..6 {
        world.step();
        faces.extend(world.breaks().iter().flat_map(|broken| broken.faces.clone()));
    }
    assert_eq!(world.bodies().count(), 3, "three pieces");
    for face in faces {
        let nearest = [4.0 / 3.0, 8.0 / 3.0].map(|x| (face.point.x / 1.012 - x).abs());
        // Within a cell, which is a third of a metre long.
        assert!(nearest[0].min(nearest[1]) < 0.34, "{face:?}");
    }
}

/// Unbreakable cells stay in one piece while the cells around them break off.
#[test]
fn unbreakable_cells_stay_together() {
    let mesh = bar([8, 2, 2], Split::Tet5, 1);
    let middles: Vec<DVec3> = mesh
        .cells()
        .map(|(_, nodes)| nodes.iter().map(|k| mesh.nodes[*k as usize]).sum::<DVec3>() / 4.0)
        .collect();
    let of_cell = middles.iter().map(|x| u32::from(x.y > 0.5)).collect();
    let steel = Material { toughness: None, ..brittle(1.0) };
    let model = Model::new(mesh, vec![brittle(1e4), steel], of_cell, Default::default()).unwrap();
    let mut body = Body::new("bar", Arc::new(model), vec![]).unwrap();
    body.state.v = body.state.x.iter().map(|x| 6.0 * DVec3::new(x.x - 2.0, x.y, x.z)).collect();
    let mut world = empty(ContactLevel::Off);
    world.add(body);
    for _ in 0..30 {
        world.step();
    }
    assert!(world.bodies().count() > 2, "{}", world.bodies().count());
    let steels = world.bodies().filter(|(_, body)| {
        let model = body.model();
        (0..model.mesh().cell_count()).any(|cell| model.material(cell).toughness.is_none())
    });
    assert_eq!(steels.count(), 1, "all of the steel must be in one fragment");
}

/// At most `limit` corners open in a step, with one event per break; with a limit of 0 nothing breaks.
#[test]
fn the_limit_of_breaks_holds() {
    for limit in [0, 1, 5] {
        let mut world = shattering(Split::Tet5, 1);
        let fracture = FractureConfig { limit, ..Default::default() };
        world.set_config(WorldConfig { fracture, ..*world.config() }).unwrap();
        for _ in 0..20 {
            world.step();
            let places: usize = world.breaks().iter().map(|broken| broken.openings.len()).sum();
            assert!(places <= limit as usize, "{places} of {limit}");
            let told = world.events().iter().filter(|e| matches!(e.kind, EventKind::Broke { .. }));
            assert_eq!(told.count(), world.breaks().len());
        }
        assert_eq!(world.bodies().count() > 1, limit > 0);
    }
}

/// A body of one or two cells never breaks, because the smallest fragment has three cells.
#[test]
fn single_cells_do_not_break() {
    for split in [Split::Hex, Split::Prism] {
        let mut world = empty(ContactLevel::Off);
        world.add(thrown(bar([1, 1, 1], split, 1), brittle(1e-3), |x| 10.0 * x));
        for _ in 0..10 {
            world.step();
        }
        assert_eq!(world.bodies().count(), 1);
    }
}

/// A blast gives a plate that faces it the impulse J (1 − r/R)² times its area; a plate beyond the radius gets none,
/// and before its time none acts. Tolerance 2 %: distance and angle differ over the plate.
#[test]
fn a_blast_pushes_what_it_reaches() {
    let plate = |z: f64| {
        let config = BoxConfig {
            origin: [-0.1, -0.1, z],
            size: [0.2, 0.2, 0.02],
            cells: [2, 2, 1],
            ..Default::default()
        };
        Body::new(
            "plate",
            Arc::new(Model::uniform(box_mesh(&config).unwrap(), tough()).unwrap()),
            vec![],
        )
        .unwrap()
    };
    let mut world = empty(ContactLevel::Off);
    let bodies = [world.add(plate(1.0)), world.add(plate(3.0))];
    let blast = Blast { centre: DVec3::ZERO, radius: 2.0, impulse: 100.0, time: 0.05 };
    world.add_blast(blast).unwrap();
    crate::common::run(&mut world, 2);
    let momentum = |world: &World, body| {
        let body = world.get(body).unwrap();
        let nodes = body.model().masses().iter().zip(&body.state.v);
        nodes.map(|(m, v)| *m * *v).sum::<DVec3>()
    };
    assert!(momentum(&world, bodies[0]).length() < 1e-12, "the blast must not act before its time");
    crate::common::run(&mut world, 2);
    let p = momentum(&world, bodies[0]);
    // The plate extends 0.1 m to each side of the axis at 1 m: distances differ by half a percent.
    assert!((p.z / (100.0 * 0.25 * 0.04) - 1.0).abs() < 0.02, "{p}");
    assert!(p.x.abs() + p.y.abs() < 1e-9 * p.z, "{p}");
    assert!(
        momentum(&world, bodies[1]).length() < 1e-12,
        "the blast must not act beyond its radius"
    );
    assert!(world.add_blast(Blast { radius: f64::NAN, ..blast }).is_err());
}

fn tough() -> Material {
    Material { toughness: None, ..brittle(1.0) }
}

/// A force field opposite to gravity holds the body inside it at rest, to rounding; a body outside falls freely.
#[test]
fn a_field_accelerates_all_that_is_in_it() {
    let mut world =
        World::new(WorldConfig { contact: ContactLevel::Off, ..Default::default() }).unwrap();
    let bodies = [0.0, 10.0].map(|x| {
        let mut body = thrown(bar([4, 1, 1], Split::Tet5, 1), tough(), |_| DVec3::ZERO);
        body.state.x.iter_mut().for_each(|place| place.x += x);
        world.add(body)
    });
    let kind = FieldKind::Steady(DVec3::Y * 9.81);
    let centre = DVec3::new(2.0, 0.5, 0.5);
    world.add_field(ForceField { centre, radius: 4.0, kind, ..Default::default() }).unwrap();
    crate::common::run(&mut world, 30);
    let speed = |world: &World, body| {
        let body = world.get(body).unwrap();
        let nodes = body.model().masses().iter().zip(&body.state.v);
        nodes.map(|(m, v)| m * v.y).sum::<f64>() / body.model().mass()
    };
    assert!(speed(&world, bodies[0]).abs() < 1e-9, "{}", speed(&world, bodies[0]));
    // Half a second of free fall; the elastic motion leaves the centre of mass alone.
    assert!((speed(&world, bodies[1]) / (-9.81 * 0.5) - 1.0).abs() < 1e-6);
}

/// An attachment breaks if its reaction exceeds its strength, and reports it by one event.
#[test]
fn attachments_break() {
    for (strength, holds) in [(1e6, true), (100.0, false)] {
        let mut world = World::new(WorldConfig::default()).unwrap();
        let body = world.add(thrown(bar([4, 1, 1], Split::Tet5, 1), tough(), |_| DVec3::ZERO));
        let mesh = world.get(body).unwrap().model().mesh();
        let points = MaterialPoint::of_nodes(mesh, &mesh.node_set("x-").unwrap().nodes);
        let attachment = Attachment {
            points,
            strength: Some(strength),
            ..Attachment::new(body, Support::World)
        };
        let handle = world.attach(&attachment).unwrap();
        let mut told = 0;
        for _ in 0..30 {
            world.step();
            told += world
                .events()
                .iter()
                .filter(|e| matches!(e.kind, EventKind::Detached { .. }))
                .count();
        }
        assert_eq!((world.reaction(handle).is_some(), told), (holds, usize::from(!holds)));
        let none = Attachment { strength: Some(-1.0), ..attachment.clone() };
        assert!(world.attach(&none).is_err());
    }
}

/// A bar that is attached at both ends and breaks stays attached at both ends; a snapshot from before gives the same
/// bits.
#[test]
fn attachments_follow_the_pieces() {
    let mut world = empty(ContactLevel::Off);
    let body = world.add(thrown(bar([8, 2, 2], Split::Tet5, 1), brittle(1e4), |x| {
        DVec3::X * if (x.x - 2.0).abs() < 0.3 { 0.0 } else { 4.0 * (x.x - 2.0).signum() }
    }));
    let mesh = world.get(body).unwrap().model().mesh().clone();
    for set in ["x-", "x+"] {
        let points = MaterialPoint::of_nodes(&mesh, &mesh.node_set(set).unwrap().nodes);
        world.attach(&Attachment { points, ..Attachment::new(body, Support::World) }).unwrap();
    }
    let bytes = world.snapshot();
    crate::common::run(&mut world, 60);
    assert!(world.bodies().count() > 1);
    let moved = |world: &World| {
        let ends = world.bodies().flat_map(|(_, body)| {
            body.anchors()
                .iter()
                .zip(&body.state.x)
                .filter(|(rest, _)| rest.x < 1e-9 || rest.x > 4.0 - 1e-9)
        });
        ends.map(|(rest, x)| rest.distance(*x)).fold(0.0, f64::max)
    };
    // The springs of attachments are ten times as stiff as the body, so the ends move by less than 0.1 m.
    assert!(moved(&world) < 0.1, "{}", moved(&world));
    let hash = world.state_hash();
    world.restore(&bytes).unwrap();
    crate::common::run(&mut world, 60);
    assert_eq!(world.state_hash(), hash);
}

/// Too many fragments: the oldest sleeping ones disappear, or stay where they are forever; the others still rest on the ground, and a
/// snapshot contains all of this.
#[test]
fn debris_is_kept_within_its_budget() {
    for fate in Fate::ALL {
        let mut world = shattering(Split::Tet5, 1);
        let debris = Some(DebrisConfig { most: 2, fate });
        let sleep = Some(Default::default());
        world.set_config(WorldConfig { debris, sleep, damping: 2.0, ..*world.config() }).unwrap();
        let mut aside = 0;
        for _ in 0..600 {
            world.step();
            let told = world.events().iter();
            aside += told.filter(|event| matches!(event.kind, EventKind::SetAside { .. })).count();
        }
        let there = |world: &World| {
            let handles: Vec<_> = world.bodies().map(|(handle, _)| handle).collect();
            let here = handles.iter().filter(|h| {
                world.is_gone(**h) == Some(false) && world.is_frozen(**h) == Some(false)
            });
            here.count()
        };
        assert!(aside > 0 && there(&world) <= 2, "{fate:?}: {aside}, {}", there(&world));
        let (bytes, hash) = (world.snapshot(), world.state_hash());
        let mut other = shattering(Split::Tet5, 1);
        other.set_config(*world.config()).unwrap();
        other.restore(&bytes).unwrap();
        assert_eq!((other.state_hash(), there(&other)), (hash, there(&world)), "{fate:?}");
        for world in [&mut world, &mut other] {
            crate::common::run(world, 20);
        }
        assert_eq!(world.state_hash(), other.state_hash(), "{fate:?}");
    }
}

/// A ductile bar stretches before it breaks: with unlimited flow it stretches more than twice as far as with a limit,
/// and with the limit it still stretches beyond the 1.5 % at which elastic matter of the same strength breaks.
#[test]
fn ductile_matter_stretches_before_it_breaks() {
    let stretch = |limit: f64| {
        let plastic = Plastic::Hardening { yield_stress: 5e3, hardening: 1e3, limit };
        let material = Material { plastic: Some(plastic), ..brittle(1.5e4) };
        let model = Arc::new(Model::uniform(bar([6, 2, 2], Split::Tet5, 1), material).unwrap());
        let pull = Ramp { start: 0.0, end: 4.0, action: Action::Translate(DVec3::X * 0.8) };
        let pin = |set: &str, ramps: Vec<Ramp>| Pin {
            nodes: model.mesh().node_set(set).unwrap().nodes.clone(),
            motion: Motion { ramps },
            ..Default::default()
        };
        let pins = vec![pin("x-", vec![]), pin("x+", vec![pull])];
        let mut world = empty(ContactLevel::Off);
        world.set_config(WorldConfig { damping: 3.0, ..*world.config() }).unwrap();
        world.add(Body::new("bar", model.clone(), pins).unwrap());
        let steps = (0..240).take_while(|_| {
            world.step();
            world.breaks().is_empty()
        });
        0.2 * steps.count() as f64 / 240.0
    };
    let (free, bound) = (stretch(f64::INFINITY), stretch(2e4));
    // Elastic matter breaks at σ/E = 1.5 %.
    assert!(bound > 0.02 && free > 2.0 * bound, "{bound} and {free}");
}

/// Invalid toughness, grain and toughness maps are errors; the error of a material says what to change.
#[test]
fn bad_toughness_is_refused() {
    for strength in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = brittle(strength).check().unwrap_err().to_string();
        assert!(error.contains("toughness") && error.contains("never breaks"), "{error}");
    }
    let grained = |along: DVec3, ratio: f64| {
        let toughness = Some(Toughness { strength: 1e4, grain: Some(Grain { along, ratio }) });
        Material { toughness, ..brittle(1.0) }.check()
    };
    assert!(grained(DVec3::X, 10.0).is_ok());
    assert!(grained(DVec3::ZERO, 10.0).is_err() && grained(DVec3::X, 0.5).is_err());
    let model = || Model::uniform(bar([2, 1, 1], Split::Tet5, 1), brittle(1.0)).unwrap();
    let map = |factors: Vec<f64>, share: f64| {
        let seams = vec![Seam { point: DVec3::ZERO, normal: DVec3::X, share }];
        model().with_toughness(ToughnessMap { factors, seams })
    };
    assert!(map(vec![], 0.5).is_ok());
    assert!(
        map(vec![1.0], 0.5).is_err()
            && map(vec![], 0.0).is_err()
            && map(vec![f64::NAN; 10], 0.5).is_err()
    );
}

/// The pieces of a pane that hangs from its upper edge and is hit by a ball fall down, and lose energy: none is left in the air. Pieces share the
/// faces of their cracks, and their contacts start with overlaps. The energy of these as springs was taken for energy that motion could get; it never did,
/// and pieces were stopped in every step because of it, and stayed where they were.
#[test]
fn pieces_of_a_pane_fall_and_gain_no_energy() {
    for frames in [60, 120] {
        let mut world =
            World::new(WorldConfig { dt: 1.0 / f64::from(frames), ..Default::default() }).unwrap();
        world.add_obstacle(pliant::contact::Obstacle::ground(0.6)).unwrap();
        let config = BoxConfig {
            origin: [-0.4, 0.6, -0.015],
            size: [0.8, 0.6, 0.03],
            cells: [8, 6, 1],
            split: Split::Tet5,
            ..Default::default()
        };
        let glass = Material { young: 3e7, poisson: 0.22, density: 2500.0, ..brittle(5e4) };
        let model = Model::uniform(box_mesh(&config).unwrap(), glass).unwrap();
        let nodes = &model.mesh().nodes;
        let upper = (0..nodes.len() as u32).filter(|node| nodes[*node as usize].y > 1.199);
        let pin = Pin { nodes: upper.collect(), motion: Motion::default(), spread: None };
        world.add(Body::new("pane", Arc::new(model), vec![pin]).unwrap());
        let ball = pliant::geometry::Shape::Sphere { radius: 0.1 };
        let heavy = pliant::body::RigidConfig { density: 4000.0, ..Default::default() };
        let ball = Model::rigid_shape(&ball, 2, heavy).unwrap();
        let mut ball = Body::new("ball", Arc::new(ball), vec![]).unwrap();
        ball.state.x.iter_mut().for_each(|x| *x += DVec3::new(0.03, 0.85, 0.4));
        ball.set_motion(-12.0 * DVec3::Z, DVec3::ZERO).unwrap();
        world.add(ball);
        let total = |world: &World| {
            let energy = world.energy();
            energy.elastic + energy.kinetic + energy.potential
        };
        let begin = total(&world);
        for step in 0..2 * frames {
            world.step();
            let now = total(&world);
            assert!(now < 1.01 * begin, "{frames}, step {step}: {now} of {begin} J");
        }
        assert!(world.bodies().count() > 10, "{frames}: {} bodies", world.bodies().count());
        for (_, body) in world.bodies().filter(|(_, body)| body.pins().is_empty()) {
            let highest = body.state.x.iter().map(|x| x.y).fold(f64::NEG_INFINITY, f64::max);
            assert!(highest < 0.5, "{frames}: {} is still {highest:.2} m high", body.name());
        }
    }
}
