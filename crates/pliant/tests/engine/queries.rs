//! Ray and point queries: the results for a box agree with its formula.

use std::sync::Arc;

use crate::common::Random;
use glam::{DQuat, DVec3};
use pliant::body::{Body, Model, RigidConfig, Skin};
use pliant::contact::{ContactLevel, Obstacle};
use pliant::geometry::{Pose, Shape};
use pliant::internals::{Collider, Facets, first_along_ray, nearest_of};
use pliant::material::Material;
use pliant::mesh::generate::{BoxConfig, Split, box_mesh};
use pliant::world::{Target, World, WorldConfig};

const SIZE: DVec3 = DVec3::new(1.0, 0.7, 1.4);

fn boxes(poses: &[Pose]) -> Vec<Collider> {
    let mesh = box_mesh(&BoxConfig { size: SIZE.to_array(), cells: [3; 3], ..Default::default() })
        .unwrap();
    let (skin, mut rest) = (Skin::of_mesh(&mesh, 1), Vec::new());
    skin.interpolate(&mesh.nodes, &mut rest);
    let (low, high) = mesh.bounds();
    rest.iter_mut().for_each(|x| *x -= 0.5 * (low + high));
    let facets = Arc::new(Facets::new(rest, skin.triangles()).unwrap());
    let place = |pose: &Pose| {
        let mut collider = Collider::new(facets.clone());
        collider.carry(pose, pose, 0.01);
        collider.refit(0.0);
        collider
    };
    poses.iter().map(place).collect()
}

fn pose(random: &mut Random) -> Pose {
    Pose {
        rotation: DQuat::from_scaled_axis(3.0 * random.vector()),
        translation: 2.0 * random.vector(),
    }
}

/// The nearest point of the skin of a box is at the signed distance of the box shape, to rounding, and is found
/// only within the given range.
#[test]
fn the_nearest_place_is_as_far_as_the_shape_says() {
    let (mut random, shape) = (Random::new(1), Shape::Box { half: 0.5 * SIZE });
    for _ in 0..200 {
        let pose = pose(&mut random);
        let colliders = boxes(&[pose]);
        let point = pose.translation + random.vector();
        let expected = shape.distance(pose.local_point(point));
        let place = colliders[0].nearest(point, 5.0).unwrap();
        assert!((place.distance - expected.distance).abs() < 1e-12);
        assert!((place.point.distance(point) - place.distance.abs()).abs() < 1e-12);
        assert!((place.feature.blend(colliders[0].x()) - place.point).length() < 1e-12);
        assert!(colliders[0].nearest(point, 0.99 * expected.distance.abs()).is_none());
    }
}

/// The distance at which a ray enters a box, and the normal there, by the slab method.
fn slab(origin: DVec3, direction: DVec3) -> Option<(f64, DVec3)> {
    let (mut enter, mut leave, mut normal) = (f64::NEG_INFINITY, f64::INFINITY, DVec3::ZERO);
    for axis in 0..3 {
        let way = direction[axis];
        let side = -way.signum();
        let (near, far) = (side * 0.5 * SIZE[axis], -side * 0.5 * SIZE[axis]);
        let (first, last) = ((near - origin[axis]) / way, (far - origin[axis]) / way);
        if first > enter {
            (enter, normal) = (first, side * DVec3::AXES[axis]);
        }
        leave = leave.min(last);
    }
    (enter <= leave && enter > 0.0).then_some((enter, normal))
}

/// A ray hits the nearest of three random boxes at the distance and with the normal of the slab method, to
/// rounding.
#[test]
fn a_ray_meets_the_first_box_in_its_way() {
    let mut random = Random::new(2);
    let mut met = 0;
    for _ in 0..300 {
        let poses = [(); 3].map(|()| pose(&mut random));
        let colliders = boxes(&poses);
        let (origin, direction) = (8.0 * random.vector().normalize(), DVec3::ZERO);
        let direction = (direction + random.vector() - origin).normalize();
        let expected = poses
            .iter()
            .enumerate()
            .filter_map(|(k, pose)| {
                let inverse = pose.rotation.inverse();
                let (distance, normal) = slab(pose.local_point(origin), inverse * direction)?;
                Some((k, distance, pose.direction(normal)))
            })
            .min_by(|a, b| a.1.total_cmp(&b.1));
        let found = first_along_ray(&colliders, origin, 3.0 * direction, 20.0);
        assert_eq!(found.map(|(k, _)| k), expected.map(|(k, ..)| k));
        if let (Some((_, place)), Some((_, distance, normal))) = (found, expected) {
            assert!((place.distance - distance).abs() < 1e-11);
            assert!((place.normal - normal).length() < 1e-11);
            assert!((place.point - origin - distance * direction).length() < 1e-11);
            assert!(first_along_ray(&colliders, origin, direction, 0.99 * distance).is_none());
            met += 1;
        }
    }
    assert!(met > 50, "{met}");
}

/// Rays along the axes through the vertices of a box hit it there, though they lie in the sides of boxes of the search tree.
#[test]
fn no_ray_along_an_axis_slips_through_a_vertex() {
    let collider = &boxes(&[Pose::from(DVec3::ZERO)])[0];
    for place in collider.x() {
        for way in DVec3::AXES.into_iter().flat_map(|axis| [axis, -axis]) {
            // Where a ray would only graze a side, it may miss.
            if ((*place - 0.1 * way).abs() - 0.5 * SIZE).max_element() < -0.01 {
                let found = first_along_ray([collider], *place + 3.0 * way, -way, 10.0);
                let (_, hit) = found.unwrap_or_else(|| panic!("{place} from {way} is missed"));
                assert!((hit.point - *place).length() < 1e-12, "{place} from {way}");
            }
        }
    }
}

/// The nearest of several bodies is found, and nothing out of range, among no bodies, or for invalid rays.
#[test]
fn of_several_the_nearest_is_told_and_nothing_of_nothing() {
    let poses = [0.0, 3.0, 6.0].map(|x| Pose::from(x * DVec3::X));
    let colliders = boxes(&poses);
    let (number, place) = nearest_of(&colliders, DVec3::new(4.1, 0.1, 0.1), 10.0).unwrap();
    assert_eq!(number, 1);
    assert!((place.distance - 0.6).abs() < 1e-12 && (place.normal - DVec3::X).length() < 1e-12);
    assert!(nearest_of(&colliders, DVec3::Y * 100.0, 10.0).is_none());
    assert!(nearest_of(&colliders[..0], DVec3::ZERO, 10.0).is_none());
    assert!(first_along_ray(&colliders, DVec3::ZERO, DVec3::ZERO, 10.0).is_none());
    assert!(first_along_ray(&colliders, DVec3::NAN, DVec3::X, 10.0).is_none());
}

/// A cube of 1 m around a point, with quadratic cells.
fn cube_at(name: &str, at: DVec3) -> Body {
    let config = BoxConfig {
        origin: [-0.5; 3],
        cells: [2; 3],
        degree: 2,
        split: Split::Tet5,
        ..Default::default()
    };
    let material = Material { young: 1e5, ..Default::default() };
    let model = Model::uniform(box_mesh(&config).unwrap(), material).unwrap();
    let mut body = Body::new(name, Arc::new(model), vec![]).unwrap();
    body.state.x.iter_mut().for_each(|x| *x += at);
    body
}

fn rays(world: &mut World) -> Option<(Target, f64)> {
    let hit = world.ray(DVec3::new(0.1, 10.0, 0.2), DVec3::NEG_Y * 3.0, 100.0)?;
    // Rounded to a nanometre: a step of a body at rest leaves rounding errors.
    Some((hit.target, (hit.distance * 1e9).round() / 1e9))
}

/// Queries see the current positions of bodies: at every level of contact, after steps and after changes by the user;
/// and they do not change the simulation.
#[test]
fn a_world_tells_what_a_ray_meets_now() {
    for contact in ContactLevel::ALL {
        let config = WorldConfig { contact, gravity: DVec3::ZERO, ..Default::default() };
        let mut world = World::new(config).unwrap();
        world.add_obstacle(Obstacle::ground(0.5)).unwrap();
        assert_eq!(rays(&mut world), Some((Target::Obstacle(world.obstacle_handles()[0]), 10.0)));
        let low = world.add(cube_at("low", DVec3::Y));
        let high = world.add(cube_at("high", 4.0 * DVec3::Y));
        assert_eq!(rays(&mut world), Some((Target::Body(high), 5.5)));
        world.step();
        assert_eq!(rays(&mut world), Some((Target::Body(high), 5.5)), "{contact:?}");
        let body = world.get_mut(high).unwrap();
        body.state.x.iter_mut().for_each(|x| x.x += 5.0);
        assert_eq!(rays(&mut world), Some((Target::Body(low), 8.5)), "{contact:?}");
        let only = |target: Target| target != Target::Body(low);
        let down = |world: &mut World| {
            world.ray_among(DVec3::new(0.1, 10.0, 0.2), DVec3::NEG_Y, 9.0, only)
        };
        assert_eq!(down(&mut world), None, "the ground is farther than 9 m");
        let (mut asked, mut other) = (world.clone(), world);
        for _ in 0..30 {
            asked.step();
            asked.ray(DVec3::splat(3.0), DVec3::NEG_ONE, 50.0).unwrap();
            asked.nearest(DVec3::splat(3.0), 50.0).unwrap();
            other.step();
        }
        assert_eq!(asked.state_hash(), other.state_hash(), "{contact:?}");
        assert_eq!(asked.snapshot(), other.snapshot(), "{contact:?}");
    }
}

/// A ray hits a sleeping cube, at its top within 1 cm (nodes of quadratic cells need not lie on the surface), and
/// does not wake it.
#[test]
fn who_sleeps_is_met() {
    let mut world = World::new(WorldConfig::default()).unwrap();
    world.add_obstacle(Obstacle::ground(0.5)).unwrap();
    let cube = world.add(cube_at("cube", DVec3::Y * 0.5));
    let slept = (0..900).any(|_| {
        world.step();
        world.is_asleep(cube).unwrap()
    });
    assert!(slept);
    let (target, distance) = rays(&mut world).unwrap();
    let nodes = &world.get(cube).unwrap().state.x;
    let top = nodes.iter().map(|x| x.y).fold(0.0, f64::max);
    assert_eq!(target, Target::Body(cube));
    assert!((10.0 - distance - top).abs() < 0.01, "{distance} to a top of {top}");
    assert!(world.is_asleep(cube).unwrap(), "a query must not wake a body");
}

/// The material point of a hit is at the position of the hit, for soft and rigid bodies, to rounding.
#[test]
fn what_was_hit_can_be_grabbed() {
    let mut world = World::new(WorldConfig::default()).unwrap();
    let soft = world.add(cube_at("soft", DVec3::ZERO));
    let half = DVec3::splat(0.5);
    let rigid = Model::rigid_shape(&Shape::Box { half }, 2, RigidConfig::default()).unwrap();
    let mut rigid = Body::new("rigid", Arc::new(rigid), vec![]).unwrap();
    rigid.state.x.iter_mut().for_each(|x| *x += 3.0 * DVec3::X);
    let rigid = world.add(rigid);
    for (handle, at) in [(soft, 0.0), (rigid, 3.0)] {
        let eye = DVec3::new(at + 0.13, 0.21, 6.0);
        let hit = world.ray(eye, DVec3::NEG_Z, 20.0).unwrap();
        assert_eq!(hit.target, Target::Body(handle));
        let body = world.get(handle).unwrap();
        let point = hit.material_point(body).unwrap();
        body.check_point(&point).unwrap();
        let error = (point.position(&body.state.x) - hit.point).length();
        assert!(error < 1e-9, "{error:e} m off");
        assert!((hit.point - DVec3::new(at + 0.13, 0.21, 0.5)).length() < 1e-9);
        let skin = hit.skin.unwrap();
        assert!((skin.weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }
    assert_eq!(world.ray(DVec3::NAN, DVec3::X, 1.0), None);
    assert_eq!(world.ray(DVec3::X, DVec3::ZERO, 1.0), None);
    assert_eq!(world.nearest(DVec3::NAN, 1.0), None);
}

/// The nearest of all bodies and obstacles is found; inside, the distance is negative; of equal distances the first
/// body counts.
#[test]
fn the_nearest_of_a_world() {
    let mut world = World::new(WorldConfig::default()).unwrap();
    let ball = Shape::Sphere { radius: 0.5 };
    let pose = Pose::from(DVec3::new(4.0, 0.0, 0.0));
    world.add_obstacle(Obstacle { shape: ball, pose, ..Obstacle::default() }).unwrap();
    let first = world.add(cube_at("first", DVec3::ZERO));
    let _second = world.add(cube_at("second", DVec3::ZERO));
    let hit = world.nearest(DVec3::new(0.1, 0.7, 0.0), 1.0).unwrap();
    assert_eq!(hit.target, Target::Body(first));
    assert!((hit.distance - 0.2).abs() < 1e-12 && (hit.normal - DVec3::Y).length() < 1e-9);
    let hit = world.nearest(DVec3::new(3.0, 0.0, 0.0), 1.0).unwrap();
    assert_eq!((hit.target, hit.distance), (Target::Obstacle(world.obstacle_handles()[0]), 0.5));
    let hit = world.nearest(DVec3::new(3.8, 0.0, 0.0), 1.0).unwrap();
    assert!((hit.distance + 0.3).abs() < 1e-12 && (hit.normal + DVec3::X).length() < 1e-12);
    assert_eq!(world.nearest(DVec3::new(2.0, 5.0, 0.0), 1.0), None);
}

/// A ray ends at the first point where the distance from the shape is zero, for every shape, to rounding.
#[test]
fn rays_end_on_shapes() {
    let surface = Shape::Capsule { half_length: 0.6, radius: 0.3 }.surface(4).unwrap();
    let shapes = [
        Shape::Plane { normal: DVec3::new(1.0, 2.0, -2.0) },
        Shape::Sphere { radius: 0.7 },
        Shape::Box { half: 0.5 * SIZE },
        Shape::Capsule { half_length: 0.6, radius: 0.3 },
        Shape::Capsule { half_length: 0.0, radius: 0.3 },
        Shape::of_surface(&surface).unwrap(),
    ];
    let mut random = Random::new(5);
    for shape in &shapes {
        let mut met = 0;
        for _ in 0..2000 {
            let (origin, direction) = (1.5 * random.vector(), random.vector());
            let Some((along, normal)) = shape.ray(origin, direction, 10.0) else { continue };
            met += 1;
            let end = origin + along * direction;
            let touch = shape.distance(end);
            assert!(touch.distance.abs() < 1e-12, "{shape:?}: {touch:?}");
            assert!((normal.length() - 1.0).abs() < 1e-12);
            let side = shape.distance(origin).distance.signum();
            for k in 1..20 {
                let before = origin + (along * f64::from(k) / 20.0) * direction;
                assert!(shape.distance(before).distance * side > -1e-12, "{shape:?}");
            }
            assert_eq!(shape.ray(origin, direction, 0.999 * along), None);
        }
        assert!(met > 30, "{shape:?}: met {met} times");
    }
}
