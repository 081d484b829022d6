//! Signed distances of shapes: their gradient is the normal, they are 1-Lipschitz and finite everywhere.

use crate::random::Random;
use glam::{DQuat, DVec3};
use pliant_mesh::geometry::{Pose, Shape, ShapeError};

const HALF: DVec3 = DVec3::new(0.5, 0.8, 0.3);

fn shapes() -> [Shape; 5] {
    [
        Shape::Plane { normal: DVec3::new(1.0, 2.0, -2.0) },
        Shape::Sphere { radius: 0.7 },
        Shape::Box { half: HALF },
        Shape::Capsule { half_length: 0.6, radius: 0.3 },
        Shape::Capsule { half_length: 0.0, radius: 0.3 },
    ]
}

/// The normal is the gradient of the distance, at 1998 of 2000 random points.
#[test]
fn the_normal_is_the_gradient_of_the_distance() {
    const NUDGE: f64 = 1e-6;
    let mut random = Random::new(3);
    for shape in shapes() {
        let mut smooth = 0;
        for _ in 0..2000 {
            let point = 1.5 * random.vector();
            let normal = shape.distance(point).normal;
            let slope = |axis: DVec3| {
                let at = |sign: f64| shape.distance(point + sign * NUDGE * axis);
                (at(1.0).distance - at(-1.0).distance) / (2.0 * NUDGE)
            };
            let gradient = DVec3::new(slope(DVec3::X), slope(DVec3::Y), slope(DVec3::Z));
            // Tolerance: second derivatives of about 1/0.05 m times the step, and rounding of 1e-16/1e-6. Where the
            // nearest side changes within the step there is no gradient.
            smooth += usize::from((gradient - normal).length() < 1e-4);
        }
        assert!(smooth >= 1998, "{shape:?}: {smooth} of 2000");
    }
}

/// Normals have unit length and distances are finite at random and at special points: centres, corners, edges,
/// and coordinates that are tiny or huge.
#[test]
fn normals_have_unit_length_and_distances_are_finite_everywhere() {
    let mut random = Random::new(4);
    let special = [0.0, -0.0, 0.5, 0.8, 0.3, -0.3, 0.6, 0.9, -0.9, 1e-200, 1e-160, 1e9];
    let mut points: Vec<DVec3> = (0..500).map(|_| random.vector()).collect();
    for x in special {
        for y in special {
            points.extend(special.map(|z| DVec3::new(x, y, z)));
        }
    }
    for shape in shapes() {
        for point in &points {
            let touch = shape.distance(*point);
            assert!(touch.distance.is_finite(), "{shape:?} at {point}");
            let length = touch.normal.length();
            assert!((length - 1.0).abs() < 1e-14, "{shape:?} at {point}: {length}");
        }
    }
}

/// Distances are 1-Lipschitz, to rounding.
#[test]
fn distance_changes_no_more_than_the_point_moves() {
    let mut random = Random::new(5);
    for shape in shapes() {
        for _ in 0..2000 {
            let (a, b) = (random.vector(), random.vector());
            let change = (shape.distance(a).distance - shape.distance(b).distance).abs();
            assert!(change <= (a - b).length() + 1e-15, "{shape:?} from {a} to {b}: {change}");
        }
    }
}

/// A point moved by its distance against the normal is on the surface, to rounding.
#[test]
fn along_the_normal_by_the_distance_lies_the_surface() {
    let mut random = Random::new(6);
    for shape in shapes() {
        for _ in 0..2000 {
            let point = 1.5 * random.vector();
            let touch = shape.distance(point);
            let foot = shape.distance(point - touch.distance * touch.normal).distance;
            assert!(foot.abs() < 1e-14, "{shape:?} from {point}: {foot}");
        }
    }
}

/// Points mirrored in the planes of symmetry have the same distance to the bit, and mirrored normals.
#[test]
fn mirrored_points_are_equally_far() {
    let mut random = Random::new(7);
    for shape in &shapes()[1..] {
        for _ in 0..500 {
            let (point, mirror) = (random.vector(), DVec3::ONE.copysign(random.vector()));
            let (touch, mirrored) = (shape.distance(point), shape.distance(point * mirror));
            assert_eq!(touch.distance.to_bits(), mirrored.distance.to_bits(), "{shape:?}");
            assert_eq!(touch.normal * mirror, mirrored.normal, "{shape:?} at {point}");
        }
    }
}

/// A capsule of zero length is exactly a sphere.
#[test]
fn a_capsule_of_no_length_is_a_sphere() {
    let mut random = Random::new(8);
    let (capsule, sphere) =
        (Shape::Capsule { half_length: 0.0, radius: 0.3 }, Shape::Sphere { radius: 0.3 });
    for _ in 0..500 {
        let point = random.vector();
        assert_eq!(capsule.distance(point), sphere.distance(point));
    }
}

/// Some distances of a cube and of a capsule are known exactly.
#[test]
fn known_distances() {
    let cube = Shape::Box { half: DVec3::ONE };
    assert_eq!(cube.distance(DVec3::new(0.2, -0.9, 0.0)).distance, 0.9 - 1.0);
    assert_eq!(cube.distance(DVec3::new(0.2, -0.9, 0.0)).normal, DVec3::NEG_Y);
    assert_eq!(cube.distance(DVec3::new(4.0, 0.0, 5.0)).distance, 5.0);
    assert_eq!(cube.distance(DVec3::ONE).distance, 0.0);
    let capsule = Shape::Capsule { half_length: 2.0, radius: 1.0 };
    assert_eq!(capsule.distance(DVec3::new(0.0, 5.0, 0.0)).distance, 2.0);
    assert_eq!(capsule.distance(DVec3::new(3.0, 1.0, 0.0)).distance, 2.0);
}

/// Poses compose, invert, and rotate about a fixed centre, to rounding.
#[test]
fn poses_keep_lengths_and_compose() {
    let mut random = Random::new(9);
    for _ in 0..100 {
        let mut pose = || Pose {
            rotation: DQuat::from_axis_angle(random.vector().normalize(), 3.0 * random.signed()),
            translation: random.vector(),
        };
        let (outer, inner) = (pose(), pose());
        let point = random.vector();
        let both = (outer * inner).point(point);
        assert!((both - outer.point(inner.point(point))).length() < 1e-14);
        assert!(((outer * inner).local_point(both) - point).length() < 1e-14);
        let centre = random.vector();
        let turn = Pose::turn(centre, random.vector(), 2.0);
        assert!((turn.point(centre) - centre).length() < 1e-14);
    }
}

/// Shapes with sizes or normals that are zero, negative or not finite are errors with the value.
#[test]
fn shapes_that_are_none_are_refused() {
    for radius in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-12] {
        assert!(Shape::Sphere { radius }.check().is_err(), "{radius}");
        assert!(Shape::Capsule { half_length: 1.0, radius }.check().is_err(), "{radius}");
        assert!(Shape::Box { half: DVec3::new(1.0, radius, 1.0) }.check().is_err(), "{radius}");
    }
    for half_length in [-1.0, f64::NAN] {
        assert!(Shape::Capsule { half_length, radius: 1.0 }.check().is_err());
    }
    for normal in [DVec3::ZERO, DVec3::NAN, DVec3::INFINITY] {
        let error = Shape::Plane { normal }.check().unwrap_err();
        assert!(matches!(error, ShapeError::Normal { .. }), "{error}");
    }
    let message = Shape::Sphere { radius: -2.0 }.check().unwrap_err().to_string();
    assert!(message.contains("-2") && message.contains("positive"), "{message}");
    assert!(shapes().iter().all(|shape| shape.check().is_ok()));
}
