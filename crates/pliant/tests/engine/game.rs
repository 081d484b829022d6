//! What a game does with a world, frame by frame: obstacles come, move and go; bodies land, are placed, pulled and drawn.

use std::sync::Arc;

use glam::{DQuat, DVec3};
use pliant::body::{Model, Motion, Pull};
use pliant::material::{LawKind, Material, Toughness};
use pliant::mesh::generate::{BallConfig, BoxConfig, ball, box_mesh};
use pliant::solver::{MethodConfig, Stepper};
use pliant::world::{Attachment, EventKind, HandleError, Support, Target, World, WorldConfig};
use pliant::{Body, BodyHandle, Obstacle, ObstacleHandle, Pose, Shape};

use super::common::cases;

fn material() -> Material {
    Material { law: LawKind::Corotated, young: 2e5, ..Default::default() }
}

/// A cube of 0.4 m and 64 kg with its centre here.
fn cube_at(centre: DVec3) -> Body {
    let config = BoxConfig { size: [0.4; 3], cells: [2; 3], ..Default::default() };
    let model = Arc::new(Model::uniform(box_mesh(&config).unwrap(), material()).unwrap());
    let mut body = Body::new("cube", model, vec![]).unwrap();
    body.place(centre).unwrap();
    body
}

/// A table of 1 × 1 m whose top is at the height of `centre`.
fn table(centre: DVec3) -> Obstacle {
    let shape = Shape::Box { half: DVec3::new(0.5, 0.1, 0.5) };
    Obstacle { shape, pose: Pose::from(centre - 0.1 * DVec3::Y), ..Obstacle::default() }
}

fn steps(world: &mut World, count: usize) {
    (0..count).for_each(|_| _ = world.step());
}

fn height(world: &World, body: BodyHandle) -> f64 {
    world[body].centre_of_mass().y
}

/// Three tables with a cube each. When the first is removed its cube falls; the others sleep on undisturbed, to the bit, although their tables move up in the
/// list. The handle of the removed table names nothing any more, and a new table has another one.
#[test]
fn obstacles_can_be_removed() {
    let mut world = World::new(WorldConfig::default()).unwrap();
    let places = [0.0, 2.0, 4.0].map(|x| DVec3::new(x, 1.0, 0.0));
    let tables = places.map(|place| world.add_obstacle(table(place)).unwrap());
    let cubes = places.map(|place| world.add(cube_at(place + 0.2 * DVec3::Y)));
    steps(&mut world, 240);
    assert!(cubes.iter().all(|cube| world.is_asleep(*cube) == Some(true)));
    let before = cubes.map(|cube| world[cube].state.x.clone());

    world.remove_obstacle(tables[0]).unwrap();
    let gone = HandleError::ObstacleRemoved { number: 0 };
    assert_eq!(world.remove_obstacle(tables[0]).unwrap_err(), gone);
    assert!(world.obstacle(tables[0]).is_none() && world.obstacle(tables[2]).is_some());
    assert_eq!(world.obstacle_handles(), &tables[1..]);
    steps(&mut world, 30);
    // Half a second of falling: 1.2 m.
    assert!(height(&world, cubes[0]) < 0.2, "{}", height(&world, cubes[0]));
    for k in 1..3 {
        assert_eq!(world.is_asleep(cubes[k]), Some(true));
        assert_eq!(world[cubes[k]].state.x, before[k]);
    }
    // Awake they still lie on their own tables.
    world.wake(cubes[2]);
    steps(&mut world, 60);
    assert!((height(&world, cubes[2]) - 1.2).abs() < 0.01);
    let new = world.add_obstacle(table(places[0])).unwrap();
    assert!(!tables.contains(&new));
    let stranger = World::new(WorldConfig::default()).unwrap().add_obstacle(Obstacle::ground(0.5));
    let foreign = HandleError::ObstacleOfOtherWorld { number: 0 };
    assert_eq!(world.remove_obstacle(stranger.unwrap()).unwrap_err(), foreign);
}

/// A falling body tells when it lands, on what, where, and with which impulse. All impulses of the ground together are the change of momentum and the weight
/// over the time (Newton): within 1 %, because contact ends within steps for steppers that test one contact after the other.
#[test]
fn landing_is_an_event_with_an_impulse() {
    let rigid = {
        let surface = Shape::Box { half: DVec3::splat(0.2) }.surface(2).unwrap();
        Arc::new(Model::rigid(&surface, pliant::body::RigidConfig::default()).unwrap())
    };
    let steppers = [Stepper::Bdf2, Stepper::ImplicitEuler, Stepper::Xpbd, Stepper::SymplecticEuler];
    let soft = steppers.map(|stepper| (stepper, cube_at(DVec3::Y)));
    let mut hard = Body::new("crate", rigid, vec![]).unwrap();
    hard.place(DVec3::Y).unwrap();
    for (stepper, body) in soft.into_iter().chain([(Stepper::Bdf2, hard)]) {
        let config = WorldConfig { sleep: None, ..Default::default() };
        let mut world = World::new(config).unwrap();
        let ground = Obstacle { name: "lawn".to_owned(), ..Obstacle::ground(0.5) };
        let ground = world.add_obstacle(ground).unwrap();
        let method = MethodConfig { stepper, ..MethodConfig::default() };
        let (mass, name) = (body.model().mass(), body.name().to_owned());
        let cube = world.add_with(body, method).unwrap();
        let (mut total, mut landings) = (DVec3::ZERO, Vec::new());
        let count = 120;
        for _ in 0..count {
            world.step();
            total += world.obstacle_pairs().map(|pair| pair.impulse).sum::<DVec3>();
            assert!(
                world.obstacle_pairs().all(|pair| (pair.body, pair.obstacle) == (cube, ground))
            );
            landings.extend(
                world
                    .events()
                    .iter()
                    .filter(|event| matches!(event.kind, EventKind::TouchedObstacle { .. }))
                    .copied(),
            );
        }
        let told = format!("{name}, {}", stepper.name());
        let momentum = world.momentum_of(cube).unwrap();
        let weight = mass * 9.81 * f64::from(count) / 60.0;
        let expected = momentum + weight * DVec3::Y;
        let missing = (total - expected).length() / weight;
        assert!(missing < 0.01, "{told}: {total} for {expected}");

        let EventKind::TouchedObstacle { obstacle, impulse, point, normal } = landings[0].kind
        else {
            panic!("{told}: {landings:?}")
        };
        assert_eq!(obstacle, ground, "{told}");
        // It falls by 0.8 m: 4 m/s. The first step of the landing stops only a part of that.
        assert!(impulse.y > 0.02 * mass * 4.0 && impulse.y < 1.5 * mass * 4.0, "{told}: {impulse}");
        assert!(
            point.y.abs() < 0.05 && normal.distance(DVec3::Y) < 1e-12,
            "{told}: {point} {normal}"
        );
        let text = world.event_text(&landings[0]);
        assert!(text.starts_with("it began to touch `lawn`, by"), "{text}");
    }
}

/// A lift that the game drives carries a cube 1 m up and turns it by a quarter; another cube on the ground sleeps on. Where the
/// lift was, a snapshot knows: the same steps from it have the same bits.
#[test]
fn a_driven_obstacle_carries_what_lies_on_it() {
    let mut world = World::new(WorldConfig::default()).unwrap();
    world.add_obstacle(Obstacle::ground(0.9)).unwrap();
    let lift = world.add_obstacle(Obstacle { friction: 0.9, ..table(0.2 * DVec3::Y) }).unwrap();
    let rider = world.add(cube_at(0.4 * DVec3::Y));
    let other = world.add(cube_at(DVec3::new(3.0, 0.2, 0.0)));
    steps(&mut world, 240);
    assert!([rider, other].iter().all(|cube| world.is_asleep(*cube) == Some(true)));
    let drive = |world: &mut World, frame: u32| {
        let share = f64::from(frame) / 120.0;
        let rotation = DQuat::from_rotation_y(share * std::f64::consts::FRAC_PI_2);
        let pose = Pose { translation: DVec3::new(0.0, 0.1 + share, 0.0), rotation };
        world.drive_obstacle(lift, pose).unwrap();
        world.step();
    };
    (1..=60).for_each(|frame| drive(&mut world, frame));
    let bytes = world.snapshot();
    (61..=120).for_each(|frame| drive(&mut world, frame));
    let end = world.state_hash();
    steps(&mut world, 60);
    assert!((height(&world, rider) - 1.4).abs() < 0.01, "{}", height(&world, rider));
    let corner = world[rider].state.x[0] - world[rider].centre_of_mass();
    let turned = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2) * DVec3::splat(-0.2);
    // It slips by a few degrees when the lift starts to turn at once.
    assert!(corner.distance(turned) < 0.03, "{corner} for {turned}");
    assert_eq!(world.is_asleep(other), Some(true), "it is not on the lift");

    world.restore(&bytes).unwrap();
    (61..=120).for_each(|frame| drive(&mut world, frame));
    assert_eq!(world.state_hash(), end);
    let bad = Pose::from(DVec3::new(f64::NAN, 0.0, 0.0));
    assert!(world.drive_obstacle(lift, bad).unwrap_err().to_string().contains("finite"));
}

/// A pull keeps its handle when another is removed, and its target moves where the game says: within a second the point is there, to 5 mm.
#[test]
fn a_pull_follows_its_target() {
    let config = WorldConfig { gravity: DVec3::ZERO, ..Default::default() };
    let mut world = World::new(config).unwrap();
    let cube = world.add(cube_at(DVec3::ZERO));
    let hold = |world: &mut World, at: DVec3| {
        let point = world[cube].model().locate(DVec3::splat(0.2) + at).unwrap();
        let motion = Motion::default();
        let pull = Pull { point: point.clone(), motion, stiffness: 4e4, damping: 2e3 };
        (point, world.add_pull(cube, pull).unwrap())
    };
    let (_, first) = hold(&mut world, DVec3::splat(0.1));
    let (point, second) = hold(&mut world, DVec3::splat(-0.1));
    world.remove_pull(cube, first).unwrap();
    assert!(world.remove_pull(cube, first).is_err());
    let target = DVec3::new(0.5, -0.2, 0.3);
    for frame in 1..=60 {
        world.set_pull_target(cube, second, target * f64::from(frame) / 60.0).unwrap();
        world.step();
    }
    steps(&mut world, 60);
    let there = point.position(&world[cube].state.x);
    assert!(there.distance(target) < 5e-3, "{there} for {target}");
    let far = world.set_pull_target(cube, second, DVec3::splat(f64::INFINITY));
    assert!(far.is_err() && world[cube].pull(second).is_some());
}

/// A body is placed, turned and set in motion without strain: its energy is that of its motion alone.
#[test]
fn a_body_is_placed_turned_and_thrown() {
    let mesh = ball(&BallConfig { radius: 0.3, degree: 2, ..Default::default() }).unwrap();
    let model = Arc::new(Model::uniform(mesh, material()).unwrap());
    let mut body = Body::new("ball", model, vec![]).unwrap();
    let marked = body.state.x[0] - body.centre_of_mass();
    body.place(DVec3::new(5.0, 1.0, -2.0)).unwrap();
    let turn = DQuat::from_euler(glam::EulerRot::XYZ, 0.3, 1.0, -2.0);
    body.turn(turn).unwrap();
    body.set_velocity(DVec3::new(3.0, 0.0, 0.0)).unwrap();
    let centre = body.centre_of_mass();
    assert!(centre.distance(DVec3::new(5.0, 1.0, -2.0)) < 1e-12);
    assert!((body.state.x[0] - centre).distance(turn * marked) < 1e-12);
    let mass = body.model().mass();
    let mut world = World::new(WorldConfig::default()).unwrap();
    let ball = world.add(body);
    let energy = world.energy_of(ball).unwrap();
    // Rounding of positions metres away, squared, times the stiffness.
    assert!(energy.elastic < 1e-12 * mass && (energy.kinetic - 4.5 * mass).abs() < 1e-9 * mass);
    let body = world.get_mut(ball).unwrap();
    assert!(
        body.place(DVec3::NAN).is_err() && body.turn(DQuat::from_xyzw(1.0, 1.0, 0.0, 0.0)).is_err()
    );
    assert!(body.centre_of_mass().distance(centre) < 1e-12, "nothing has changed");
}

/// Positions and normals in single precision are those of the skin: on a ball of quadratic cells
/// normals point away from the centre, within the angle of a segment.
#[test]
fn a_renderer_gets_single_precision() {
    let mesh = ball(&BallConfig { radius: 0.5, degree: 2, ..Default::default() }).unwrap();
    let model = Arc::new(Model::uniform(mesh, material()).unwrap());
    let body = Body::new("ball", model, vec![]).unwrap();
    let skin = body.drawn_skin();
    let count = skin.vertex_count();
    let (mut scratch, mut positions, mut normals) = (Vec::new(), Vec::new(), Vec::new());
    // The second time the buffers are full.
    for _ in 0..2 {
        skin.write(&body.state.x, &mut scratch, &mut positions, &mut normals);
    }
    assert_eq!((positions.len(), normals.len()), (count, count));
    for (x, n) in positions.iter().zip(&normals) {
        let [x, n] = [x, n].map(|v| DVec3::from_array(v.map(f64::from)));
        assert!((x.length() - 0.5).abs() < 1e-2 && (n.length() - 1.0).abs() < 1e-6, "{x} {n}");
        assert!(x.normalize().dot(n) > 0.97, "{x} {n}");
    }
}

/// Bodies and obstacles that come and go by the thousand leave nothing behind: places are used again, stale handles are refused, rays find what is
/// there, and the bits are the same for any number of threads.
#[test]
fn spawning_leaves_nothing_behind() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut world = World::new(WorldConfig::default()).unwrap();
            world.add_obstacle(Obstacle::ground(0.5)).unwrap();
            let model = cube_at(DVec3::ZERO).model().clone();
            let mut last: Vec<(BodyHandle, ObstacleHandle)> = Vec::new();
            for round in 0..cases(2000) {
                let mut body = Body::new("bullet", model.clone(), vec![]).unwrap();
                body.place(DVec3::new((round % 7) as f64, 0.5, 0.0)).unwrap();
                let place = DVec3::new((round % 5) as f64, 0.3, 3.0);
                let obstacle = world.add_obstacle(table(place)).unwrap();
                last.push((world.add(body), obstacle));
                if round % 10 == 0 {
                    world.step();
                }
                if last.len() > 3 {
                    let (body, obstacle) = last.remove(0);
                    world.remove(body).unwrap();
                    world.remove_obstacle(obstacle).unwrap();
                    assert!(world.get(body).is_none() && world.obstacle(obstacle).is_none());
                }
            }
            assert_eq!((world.bodies().count(), world.obstacles().len()), (3, 4));
            let above = world[last[2].0].centre_of_mass() + DVec3::Y;
            let hit = world.ray(above, DVec3::NEG_Y, 10.0).unwrap();
            assert!(matches!(hit.target, Target::Body(_)), "{hit:?}");
            world.state_hash()
        })
    };
    assert_eq!(run(1), run(2));
}

/// The memory of this process, in KiB, where the system tells it.
fn memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(4 * pages)
}

/// A game of many hours: 100,000 bodies come and go, with obstacles, pulls, attachments, contact, breaks and rays. The memory after the last ten thousand is that
/// after the first twenty thousand, within 2 MiB (what the allocator keeps varies by hundreds of KiB).
///
/// It takes a minute or two: `cargo test --release -p pliant --test engine spawning_for_hours -- --ignored --nocapture`.
#[test]
#[ignore = "takes a minute or two"]
fn spawning_for_hours_keeps_memory_flat() {
    let mut world = World::new(WorldConfig::default()).unwrap();
    world.add_obstacle(Obstacle::ground(0.5)).unwrap();
    let whole = cube_at(DVec3::ZERO).model().clone();
    let chalk = Material { toughness: Some(Toughness::new(1e2)), ..material() };
    let fragile = Arc::new(Model::uniform(whole.mesh().clone(), chalk).unwrap());
    let mut broken = 0;
    let mut measured = Vec::new();
    for round in 0..100_000 {
        let model = if round % 10 == 9 { &fragile } else { &whole };
        broken += spawn_use_remove(&mut world, model.clone(), round);
        if round % 10_000 == 9_999 {
            measured.extend(memory());
            println!("{} bodies: {:?} KiB, {broken} broke", round + 1, measured.last());
        }
    }
    assert!(broken > 1000, "only {broken} bodies broke");
    assert_eq!((world.bodies().count(), world.obstacles().len()), (0, 1));
    if let [_, early, .., last] = measured[..] {
        assert!(last < early + 2048, "{measured:?} KiB");
    }
}

/// A body lands on a table, is seen, pulled, welded and thrown, and goes with all its fragments; true (one) if it broke.
fn spawn_use_remove(world: &mut World, model: Arc<Model>, round: u32) -> u32 {
    let place = DVec3::new(f64::from(round % 7), 1.2, 0.0);
    let table = world.add_obstacle(table(place - 0.21 * DVec3::Y)).unwrap();
    let mut body = Body::new("bullet", model, vec![]).unwrap();
    body.place(place).unwrap();
    body.set_velocity(-8.0 * DVec3::Y).unwrap();
    let body = world.add(body);
    let above = place + DVec3::new(0.05, 1.0, 0.03);
    let hit = world.ray(above, DVec3::NEG_Y, 10.0).unwrap();
    let point = hit.material_point(&world[body]).unwrap();
    let motion = Motion::default();
    let pull = Pull { point: point.clone(), motion, stiffness: 1e3, damping: 10.0 };
    let pull = world.add_pull(body, pull).unwrap();
    let weld = Attachment { points: vec![point], ..Attachment::new(body, Support::World) };
    let weld = world.attach(&weld).unwrap();
    world.set_pull_target(body, pull, place).unwrap();
    world.step();
    world.detach(weld);
    assert!(!world.detach(weld), "a released attachment is gone");
    world.step();
    let pieces: Vec<BodyHandle> = world.pieces(body).collect();
    for piece in &pieces {
        world.remove(*piece).unwrap();
        assert!(world.get(*piece).is_none());
    }
    world.remove_obstacle(table).unwrap();
    u32::from(pieces.len() > 1)
}
