//! Queries of the tree of boxes give the same results as a test of every box, before and after the boxes move.

use crate::random::Random;
use glam::DVec3;
use pliant_mesh::geometry::{Aabb, Tree};

/// Random boxes of many sizes, some of them points, some equal.
fn boxes(random: &mut Random, count: usize) -> Vec<Aabb> {
    let mut boxes: Vec<Aabb> = (0..count)
        .map(|k| {
            let (centre, size) = (random.vector(), 0.3 * random.signed().powi(4));
            let other = if k % 5 == 0 { centre } else { centre + size * random.vector() };
            Aabb::of([centre, other])
        })
        .collect();
    for k in (0..count).step_by(7) {
        boxes[k] = boxes[0];
    }
    boxes
}

fn sorted<T: Ord>(mut items: Vec<T>) -> Vec<T> {
    items.sort_unstable();
    items
}

fn check_all(tree: &Tree, boxes: &[Aabb], random: &mut Random) {
    let items = || 0..boxes.len() as u32;
    let at = |item: u32| &boxes[item as usize];
    for _ in 0..30 {
        let point = random.vector();
        let asked = Aabb::of([point, point + 0.2 * random.vector()]);
        let mut found = Vec::new();
        tree.overlapping(&asked, |item| found.push(item));
        let expected: Vec<u32> = items().filter(|item| at(*item).overlaps(&asked)).collect();
        assert_eq!(sorted(found), expected);

        let nearest = tree.nearest(point, 0.25, |item| at(item).distance_squared(point));
        let least = boxes.iter().map(|b| b.distance_squared(point)).fold(f64::INFINITY, f64::min);
        match nearest {
            Some((item, squared)) => {
                assert_eq!((squared, at(item).distance_squared(point)), (least, least));
            }
            None => assert!(least >= 0.25),
        }

        let (direction, mut met) = (random.vector(), Vec::new());
        tree.along_ray(point, direction, 0.7, |item, reach| {
            met.push(item);
            reach
        });
        let inverse = direction.recip();
        let expected = items().filter(|item| at(*item).meets_ray(point, inverse, 0.7)).collect();
        assert_eq!(sorted(met), sorted::<u32>(expected));
    }
    let mut pairs = Vec::new();
    tree.self_pairs(|a, b| pairs.push([a.min(b), a.max(b)]));
    let two = items().flat_map(|a| (a + 1..boxes.len() as u32).map(move |b| [a, b]));
    let expected: Vec<_> = two.filter(|[a, b]| at(*a).overlaps(at(*b))).collect();
    assert_eq!(sorted(pairs), expected);
}

/// Overlap, nearest, ray and pair queries equal a test of every box, for trees of 0 to 300 boxes, before and
/// after refitting.
#[test]
fn answers_are_those_of_asking_every_box() {
    let mut random = Random::new(1);
    for count in [0, 1, 2, 3, 4, 5, 17, 64, 300] {
        let mut boxes = boxes(&mut random, count);
        let mut tree = Tree::new(&boxes);
        assert_eq!((tree.len(), tree.is_empty()), (count, count == 0));
        check_all(&tree, &boxes, &mut random);
        for bounds in &mut boxes {
            let way = 0.5 * random.vector();
            *bounds = Aabb { low: bounds.low + way, high: bounds.high + way }.inflated(0.01);
        }
        tree.refit(&boxes);
        check_all(&tree, &boxes, &mut random);
    }
}

/// The pairs of two trees are all overlapping pairs, each once.
#[test]
fn two_trees_tell_every_pair_once() {
    let mut random = Random::new(2);
    for (count, other_count) in [(0, 5), (1, 1), (1, 40), (200, 3), (150, 120)] {
        let (first, second) = (boxes(&mut random, count), boxes(&mut random, other_count));
        let mut pairs = Vec::new();
        Tree::new(&first).pairs(&Tree::new(&second), |a, b| pairs.push([a, b]));
        let all = (0..count).flat_map(|a| (0..other_count).map(move |b| [a, b]));
        let overlap = |[a, b]: &[usize; 2]| first[*a].overlaps(&second[*b]);
        let expected: Vec<_> = all.filter(overlap).map(|pair| pair.map(|k| k as u32)).collect();
        assert_eq!(sorted(pairs), expected);
    }
}

/// Invalid, empty and huge boxes, and boxes that would make a very deep tree, cause no panic and no endless
/// loop.
#[test]
fn hostile_boxes_end_in_no_panic_and_no_endless_loop() {
    let nan = Aabb { low: DVec3::NAN, high: DVec3::NAN };
    let far = Aabb::of([DVec3::splat(1e300), DVec3::splat(-1e300)]);
    // Boxes of halving sizes would make a tree as deep as the number of boxes.
    let halving = (0..1000).map(|k| Aabb::of([DVec3::ZERO, DVec3::splat(0.5f64.powi(k))]));
    let boxes: Vec<Aabb> = [nan, Aabb::EMPTY, far].into_iter().chain(halving).collect();
    let tree = Tree::new(&boxes);
    let mut count = 0;
    tree.self_pairs(|_, _| count += 1);
    assert!(count <= 1003 * 1002 / 2);
    assert_eq!(Tree::new(&boxes[3..]).nearest(DVec3::ZERO, 1.0, |_| f64::INFINITY), None);
    let mut pairs = 0;
    Tree::new(&boxes[3..]).self_pairs(|_, _| pairs += 1);
    assert_eq!(pairs, 1000 * 999 / 2, "all of them contain the origin");
}
