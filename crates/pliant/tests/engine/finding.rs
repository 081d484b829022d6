//! Contact detection: features that overlap, or will within the step, are reported once, with the direction of
//! separation.

use std::sync::Arc;

use crate::common::Random;
use glam::{DQuat, DVec3};
use pliant::body::Skin;
use pliant::geometry::{Pose, Shape};
use pliant::internals::{BodyPairs, Collider, ColliderError, Contact, Facets, Finder};
use pliant::mesh::generate::{BallConfig, BoxConfig, ball, box_mesh};
use pliant_mesh::geometry::Aabb;

const H: f64 = 0.01;

/// The skin of a box around the origin, with this number of cells along each side.
fn box_facets(size: [f64; 3], cells: [usize; 3]) -> Arc<Facets> {
    let mesh = box_mesh(&BoxConfig { size, cells, ..Default::default() }).unwrap();
    let (low, high) = mesh.bounds();
    let centred = mesh.nodes.iter().map(|x| *x - 0.5 * (low + high)).collect();
    Arc::new(
        Facets::new(
            surface(&Skin::of_mesh(&mesh, 1), centred),
            Skin::of_mesh(&mesh, 1).triangles(),
        )
        .unwrap(),
    )
}

fn surface(skin: &Skin, nodes: Vec<DVec3>) -> Vec<DVec3> {
    let mut vertices = Vec::new();
    skin.interpolate(&nodes, &mut vertices);
    vertices
}

fn placed(facets: &Arc<Facets>, before: Pose, velocity: DVec3) -> Collider {
    let mut collider = Collider::new(facets.clone());
    let after = Pose { translation: before.translation + H * velocity, ..before };
    collider.carry(&before, &after, H);
    collider.refit(0.0);
    collider
}

fn at(facets: &Arc<Facets>, translation: DVec3) -> Collider {
    placed(facets, Pose::from(translation), DVec3::ZERO)
}

fn between(first: &Collider, second: &Collider) -> Vec<Contact> {
    let mut contacts = Vec::new();
    Finder::default().between(first, second, 0.0, |_| None, &mut contacts);
    contacts
}

/// Checks what holds for every contact: weights that sum to 1, a unit normal, the gap measured along it, and no
/// duplicates.
fn check(contacts: &[Contact], first: &Collider, second: &Collider) {
    for contact in contacts {
        let Contact { normal, gap, .. } = *contact;
        let (p, q) = (contact.first.blend(first.x()), contact.second.blend(second.x()));
        assert!((normal.length() - 1.0).abs() < 1e-12);
        assert!((normal.dot(p - q) - gap).abs() < 1e-9, "{contact:?}");
        for feature in [contact.first, contact.second] {
            assert!((feature.weights().iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }
    let mut keys: Vec<_> = contacts.iter().map(Contact::key).collect();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), contacts.len(), "every contact must be reported once");
}

/// A box 0.05 m above another one is in contact if it moves more than that in the step of 0.01 s: above 5 m/s
/// downwards, and never upwards. Normal and gap are exact to rounding.
#[test]
fn boxes_that_approach_touch_when_they_will_meet_within_the_step() {
    let facets = box_facets([1.0; 3], [2; 3]);
    let ground = at(&facets, DVec3::ZERO);
    let turned =
        Pose { rotation: DQuat::from_rotation_y(0.3), translation: DVec3::new(0.1, 1.05, 0.07) };
    for (speed, expected) in [(0.0, false), (4.9, false), (5.1, true), (100.0, true)] {
        let above = placed(&facets, turned, -speed * DVec3::Y);
        let contacts = between(&above, &ground);
        check(&contacts, &above, &ground);
        assert_eq!(!contacts.is_empty(), expected, "at {speed} m/s");
        for contact in &contacts {
            assert!(
                (contact.normal - DVec3::Y).length() < 1e-9 && (contact.gap - 0.05).abs() < 1e-9
            );
        }
    }
    let away = placed(&facets, turned, 50.0 * DVec3::Y);
    assert!(between(&away, &ground).is_empty());
}

/// If one end of a body arrives first in a step, only that end is reported, because it stops the body. The rest is
/// reported only if it would end the step deeper than one node spacing, here 0.2 m, because a soft body does not stop
/// as a whole.
#[test]
fn what_arrives_later_in_a_step_is_told_only_if_it_would_go_deep() {
    let ground = at(&box_facets([3.0, 1.0, 3.0], [3, 1, 3]), DVec3::ZERO);
    let facets = box_facets([1.0, 0.2, 1.0], [5, 1, 5]);
    let tilt = DQuat::from_rotation_z(0.3);
    // The lowest edge is 0.02 m above the ground, the other lower edge sin 0.3 = 0.296 m higher.
    let lowest = tilt * DVec3::new(-0.5, -0.1, 0.0);
    let pose = Pose { rotation: tilt, translation: DVec3::new(0.0, 0.52 - lowest.y, 0.0) };
    for (travel, highest) in [(0.2, 0.02), (0.6, 0.02 + 0.3_f64.sin())] {
        let above = placed(&facets, pose, -travel / H * DVec3::Y);
        let contacts = between(&above, &ground);
        check(&contacts, &above, &ground);
        let last = contacts.iter().map(|contact| contact.gap).fold(0.0, f64::max);
        // Features within half a spacing of the first are reported with it.
        assert!(last > highest - 1e-9 && last < highest + 0.1, "{last} m after {travel} m");
    }
}

/// Two boxes that overlap by 2 cm have contacts of vertices, faces and edges, all with the vertical normal and
/// the gap −0.02 m to rounding, and the same contacts if the boxes are swapped.
#[test]
fn overlapping_boxes_are_told_the_way_out_from_either_side() {
    let facets = box_facets([1.0; 3], [3; 3]);
    let (low, high) = (at(&facets, DVec3::ZERO), at(&facets, DVec3::new(0.113, 0.98, 0.071)));
    let contacts = between(&high, &low);
    check(&contacts, &high, &low);
    // Vertices of the lower side of the upper box, vertices of the upper side of the lower box, and edges that cross.
    let kinds =
        |count: usize| contacts.iter().filter(|c| c.first.vertices().len() == count).count();
    assert!(
        kinds(1) >= 9 && kinds(3) >= 9 && kinds(2) >= 2,
        "{} {} {}",
        kinds(1),
        kinds(3),
        kinds(2)
    );
    for contact in &contacts {
        assert!((contact.normal - DVec3::Y).length() < 1e-9, "{contact:?}");
        assert!((contact.gap + 0.02).abs() < 1e-9);
    }
    let mut turned: Vec<_> = between(&low, &high).iter().map(|c| c.turned().key()).collect();
    let mut keys: Vec<_> = contacts.iter().map(Contact::key).collect();
    turned.sort_unstable();
    keys.sort_unstable();
    assert_eq!(turned, keys, "the order of the two bodies must not matter");
}

/// Two bars across each other, each with an edge towards the other, have exactly one contact, between these
/// edges, if they overlap or will within the step.
#[test]
fn crossing_bars_touch_with_their_edges() {
    let facets = box_facets([2.0, 0.1, 0.1], [1; 3]);
    // Both bars are rotated by 45° about their axes, and lie across each other.
    let edge = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_4);
    let half = 0.05 * 2f64.sqrt();
    let low = placed(&facets, Pose { rotation: edge, translation: DVec3::ZERO }, DVec3::ZERO);
    let across = DQuat::from_rotation_y(1.2) * edge;
    for (gap, speed, expected) in [(-0.01, 0.0, true), (0.01, 0.0, false), (0.01, 2.0, true)] {
        let pose = Pose { rotation: across, translation: DVec3::Y * (2.0 * half + gap) };
        let high = placed(&facets, pose, -speed * DVec3::Y);
        let contacts = between(&high, &low);
        check(&contacts, &high, &low);
        assert_eq!(contacts.len(), usize::from(expected), "{contacts:?}");
        if let [contact] = contacts[..] {
            assert!(
                (contact.normal - DVec3::Y).length() < 1e-9 && (contact.gap - gap).abs() < 1e-9
            );
            assert_eq!((contact.first.vertices().len(), contact.second.vertices().len()), (2, 2));
        }
    }
}

/// A narrow box that rocks on another has only its lower edges on an edge of that one, 10 µm deep, and no vertex inside: there are two contacts, upwards. Its
/// standing edges are 0.5 m from that edge along the way out sideways, and their lower ends below it; they did not come in that way.
#[test]
fn a_box_that_rocks_on_another_is_not_pushed_sideways() {
    let (angle, gap) = (0.01_f64, 0.00499);
    let (sine, cosine) = angle.sin_cos();
    let low = at(&box_facets([1.0; 3], [1; 3]), DVec3::ZERO);
    // Its lower left corner is in the middle above the lower box, and it falls to the right.
    let translation = DVec3::new(0.5 * (cosine + sine), 0.5 + gap + 0.5 * (cosine - sine), 0.0);
    let tilted = Pose { rotation: DQuat::from_rotation_z(-angle), translation };
    let high = placed(&box_facets([1.0, 1.0, 0.8], [1; 3]), tilted, DVec3::ZERO);
    let contacts = between(&high, &low);
    check(&contacts, &high, &low);
    assert_eq!(contacts.len(), 2, "{contacts:?}");
    for contact in &contacts {
        assert!(contact.normal.y > 0.99, "{contact:?}");
        assert!(contact.gap < 0.0 && contact.gap > -2e-5, "{contact:?}");
    }
}

/// A ball pressed into a plate has a contact for every vertex below the surface of the plate, with the vertical
/// normal.
#[test]
fn a_ball_pressed_into_a_plate_touches_with_its_lower_cap() {
    let mesh = ball(&BallConfig { radius: 0.5, ..Default::default() }).unwrap();
    let skin = Skin::of_mesh(&mesh, 2);
    let round =
        Arc::new(Facets::new(surface(&skin, mesh.nodes.clone()), skin.triangles()).unwrap());
    let plate = at(&box_facets([4.0, 0.5, 4.0], [4, 1, 4]), DVec3::new(0.0, -0.25, 0.0));
    let sunk = at(&round, DVec3::new(0.03, 0.42, 0.02));
    let contacts = between(&sunk, &plate);
    check(&contacts, &sunk, &plate);
    let under = sunk.x().iter().filter(|x| x.y < 0.0).count();
    let vertices = contacts.iter().filter(|c| c.first.vertices().len() == 1);
    assert_eq!(vertices.clone().count(), under);
    assert!(under > 0 && vertices.clone().all(|c| (c.normal - DVec3::Y).length() < 1e-9));
}

/// Every vertex inside a box is reported, with a depth of at least its distance from the surface of the box; no
/// vertex that is not reported is inside. At least 500 vertices are inside in 60 random poses.
#[test]
fn vertices_inside_a_box_are_those_that_its_signed_distance_tells() {
    let size = DVec3::new(1.0, 0.8, 1.2);
    let shape = Shape::Box { half: 0.5 * size };
    let cube = at(&box_facets(size.to_array(), [5, 4, 6]), DVec3::ZERO).with_depth(1.0);
    let small = box_facets([0.5; 3], [4; 3]);
    let mut random = Random::new(5);
    let mut met = 0;
    for _ in 0..60 {
        let rotation = DQuat::from_scaled_axis(3.0 * random.vector());
        let body =
            placed(&small, Pose { rotation, translation: 0.7 * random.vector() }, DVec3::ZERO);
        let contacts = between(&body, &cube);
        check(&contacts, &body, &cube);
        let told = |vertex: usize| contacts.iter().find(|c| c.first.vertices() == [vertex as u32]);
        for (vertex, x) in body.x().iter().enumerate() {
            let distance = shape.distance(*x).distance;
            match told(vertex) {
                // At least as deep as the nearest side; deeper if that side faces the same way as the vertex.
                Some(contact) => assert!(contact.gap < distance + 1e-9),
                None => assert!(distance >= 0.0, "{x} is inside by {distance}"),
            }
            met += usize::from(told(vertex).is_some());
        }
    }
    assert!(met > 500, "{met}");
}

/// A flat strip in the plane y = 0, 0.1 m thick, deformed by `bend`.
fn strip(bend: impl Fn(DVec3) -> DVec3) -> Collider {
    let mut collider = Collider::new(box_facets([4.0, 0.1, 0.5], [40, 1, 5]));
    let nodes: Vec<DVec3> = collider.x().iter().map(|x| bend(*x)).collect();
    collider.place(&nodes, &vec![DVec3::ZERO; nodes.len()], H);
    collider.refit(0.0);
    collider
}

fn within(collider: &Collider) -> Vec<Contact> {
    let mut contacts = Vec::new();
    Finder::default().within(collider, 0.0, &mut contacts);
    contacts
}

/// Bends the strip to a U of this radius about the z axis, with both arms along x.
fn folded(x: DVec3, radius: f64) -> DVec3 {
    let quarter = std::f64::consts::FRAC_PI_2;
    let angle = (x.x / radius).clamp(-quarter, quarter);
    let arm = (x.x.abs() - quarter * radius).max(0.0);
    let r = radius + x.y;
    DVec3::new(arm - r * angle.cos(), r * angle.sin(), x.z)
}

/// A strip has no contacts with itself at rest, folded without overlap, or compressed; it has them where its
/// arms overlap, with normals across the arms and gaps of about the overlap.
#[test]
fn a_strip_touches_itself_only_where_it_is_folded_through_itself() {
    assert!(within(&strip(|x| x)).is_empty(), "at rest");
    assert!(within(&strip(|x| folded(x, 0.2))).is_empty(), "folded, arms 0.3 m apart");
    assert!(within(&strip(|x| x * DVec3::new(1.0, 0.3, 1.0))).is_empty(), "pressed flat");
    let pressed = strip(|x| {
        let y = folded(x, 0.2);
        // The arms are moved together until they overlap by 2 cm.
        let arm = (x.x.abs() - 0.5).clamp(0.0, 1.0);
        y - DVec3::Y * 0.16 * arm * y.y.signum()
    });
    let contacts = within(&pressed);
    check(&contacts, &pressed, &pressed);
    assert!(contacts.len() > 20, "{}", contacts.len());
    for contact in &contacts {
        assert!(
            contact.normal.y.abs() > 0.9 && contact.gap < 0.0 && contact.gap > -0.03,
            "{contact:?}"
        );
    }
}

/// Duplicate and degenerate triangles do not change the contacts of the others; indices out of range and
/// coordinates that are not finite are errors; an empty surface has no contacts.
#[test]
fn broken_surfaces_do_no_harm() {
    let plain = box_facets([1.0; 3], [2; 3]);
    let mut vertices = at(&plain, DVec3::ZERO).x().to_vec();
    let count = vertices.len() as u32;
    let mut triangles = plain.triangles().to_vec();
    triangles.extend_from_within(..10);
    vertices.extend([
        DVec3::new(0.1, 0.5, 0.1),
        DVec3::new(0.2, 0.5, 0.1),
        DVec3::new(0.3, 0.5, 0.1),
    ]);
    triangles.extend([[0, 0, 1], [2, 2, 2], [count, count + 1, count + 2], [count, count, count]]);
    let broken = Arc::new(Facets::new(vertices, &triangles).unwrap());
    let above = DVec3::new(0.113, 0.98, 0.071);
    let expected = between(&at(&plain, above), &at(&plain, DVec3::ZERO));
    let found = between(&at(&plain, above), &at(&broken, DVec3::ZERO));
    let of_plain = |c: &&Contact| c.second.vertices().iter().all(|k| *k < count);
    let told = |contacts: &[Contact]| -> Vec<_> {
        let mut keys: Vec<_> =
            contacts.iter().filter(of_plain).map(|c| (c.key(), (1e6 * c.gap) as i64)).collect();
        keys.sort_unstable();
        keys
    };
    assert_eq!(told(&found), told(&expected));
    let missing = Facets::new(vec![DVec3::ZERO], &[[0, 0, 1]]).unwrap_err();
    assert_eq!(missing, ColliderError::Vertex { triangle: 0, vertex: 1, count: 1 });
    assert!(Facets::new(vec![DVec3::NAN], &[]).is_err());
    let nothing = Arc::new(Facets::new(Vec::new(), &[]).unwrap());
    assert!(between(&at(&nothing, DVec3::ZERO), &at(&plain, DVec3::ZERO)).is_empty());
    assert!(within(&at(&nothing, DVec3::ZERO)).is_empty());
}

/// A single-sided open sheet supports a cube that is pressed into it, and has no contact with a cube beside its
/// border.
#[test]
fn an_open_sheet_holds_what_comes_from_above_and_not_what_passes_its_border() {
    let corners =
        [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, z)| DVec3::new(x, 0.0, z));
    let sheet = Arc::new(Facets::new(corners.to_vec(), &[[0, 2, 1], [0, 3, 2]]).unwrap());
    let ground = at(&sheet, DVec3::ZERO);
    let cube = box_facets([0.2; 3], [2; 3]);
    let sunk = at(&cube, DVec3::new(0.3, 0.09, 0.2));
    assert!(between(&sunk, &ground).iter().filter(|c| c.gap < 0.0).count() >= 9);
    let beside = at(&cube, DVec3::new(1.15, -0.05, 0.2));
    assert!(between(&beside, &ground).is_empty());
}

/// The broad phase finds exactly the pairs of overlapping boxes that a test of all pairs finds, in every step
/// of 200 moving boxes.
#[test]
fn pairs_of_bodies_are_those_that_overlap_and_stay_right_while_they_move() {
    let mut random = Random::new(9);
    let mut centres: Vec<DVec3> = (0..200).map(|_| 4.0 * random.vector()).collect();
    let mut pairs = BodyPairs::default();
    for _ in 0..50 {
        centres.iter_mut().for_each(|x| *x += 0.3 * random.vector());
        let boxes: Vec<Aabb> = centres.iter().map(|x| Aabb::of([*x]).inflated(0.4)).collect();
        let two = (0..200u32).flat_map(|a| (a + 1..200).map(move |b| [a, b]));
        let overlap = |[a, b]: &[u32; 2]| boxes[*a as usize].overlaps(&boxes[*b as usize]);
        let expected: Vec<_> = two.filter(overlap).collect();
        assert_eq!(pairs.find(&boxes), expected);
        assert!(!expected.is_empty());
    }
    assert!(pairs.find(&[]).is_empty());
}
