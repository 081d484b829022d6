//! Rays and points against skins: the answers of a box are those of its formula.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

mod common;

use std::sync::Arc;

use common::Random;
use glam::{DQuat, DVec3};
use pliant::body::Skin;
use pliant::contact::{Collider, Facets, first_along_ray, nearest_of};
use pliant::geometry::{Pose, Shape};
use pliant::mesh::generate::{BoxConfig, box_mesh};

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

/// Where a line enters a box and with which normal: the slabs one after the other.
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
