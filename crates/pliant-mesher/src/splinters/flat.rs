//! Triangulates flat regions with holes.

use glam::DVec2;

use super::ears::clip_ears;

/// A loop of point indices.
pub(super) type Ring = Vec<u32>;

/// Triangles that fill the region on the left of all loops and pass each of their edges once.
///
/// Holes are joined to the loop around them by the shortest bridge that crosses nothing, and the resulting polygon is
/// triangulated by ear clipping (Eberly 2002). Where loops cross or touch there may be no such bridge and no ear: then
/// the least bad one is taken. The boundary edges are still those of the loops, so that a closed surface stays closed.
pub(super) fn triangulated(points: &[DVec2], rings: Vec<Ring>) -> Vec<[u32; 3]> {
    let mut triangles = Vec::new();
    for (outer, holes) in nested(points, rings) {
        clip_ears(points, &joined(points, outer, holes), &mut triangles);
    }
    triangles
}

/// Each outer loop with its holes.
fn nested(points: &[DVec2], rings: Vec<Ring>) -> Vec<(Ring, Vec<Ring>)> {
    let (mut outer, mut holes) = (Vec::new(), Vec::new());
    for ring in rings.into_iter().filter(|ring| ring.len() > 2) {
        let area = area(points, &ring);
        if area >= 0.0 { outer.push((area, ring, Vec::new())) } else { holes.push(ring) }
    }
    for hole in holes {
        let around = outer.iter().enumerate().filter(|(_, (_, ring, _))| {
            let inside = hole.iter().filter(|k| contains(points, ring, points[**k as usize]));
            2 * inside.count() > hole.len()
        });
        match around.min_by(|(_, a), (_, b)| a.0.total_cmp(&b.0)).map(|(k, _)| k) {
            Some(k) => outer[k].2.push(hole),
            None => outer.push((0.0, hole, Vec::new())),
        }
    }
    outer.into_iter().map(|(_, ring, holes)| (ring, holes)).collect()
}

/// Twice the signed area.
fn area(points: &[DVec2], ring: &[u32]) -> f64 {
    let origin = points[ring[0] as usize];
    let at = |k: usize| points[ring[k % ring.len()] as usize] - origin;
    (0..ring.len()).map(|k| at(k).perp_dot(at(k + 1))).sum()
}

/// True if a point lies in a loop: a ray from it crosses the loop an odd number of times.
fn contains(points: &[DVec2], ring: &[u32], x: DVec2) -> bool {
    let at = |k: usize| points[ring[k % ring.len()] as usize];
    let crosses = |k: &usize| {
        let (a, b) = (at(*k), at(*k + 1));
        (a.y > x.y) != (b.y > x.y) && x.x < a.x + (x.y - a.y) / (b.y - a.y) * (b.x - a.x)
    };
    (0..ring.len()).filter(crosses).count() % 2 == 1
}

/// One loop around all: each hole is connected by a bridge that is passed in both directions.
fn joined(points: &[DVec2], outer: Ring, mut holes: Vec<Ring>) -> Ring {
    let at = |k: u32| points[k as usize];
    let rightmost = |ring: &Ring| {
        let x = |k: &usize| at(ring[*k]).x;
        (0..ring.len()).max_by(|a, b| x(a).total_cmp(&x(b))).unwrap_or(0)
    };
    holes.sort_by(|a, b| at(b[rightmost(b)]).x.total_cmp(&at(a[rightmost(a)]).x));
    let mut ring = outer;
    for index in 0..holes.len() {
        let hole = &holes[index];
        let from = rightmost(hole);
        let to = bridge(points, &ring, &holes[index..], at(hole[from]));
        let there = hole.iter().cycle().skip(from).take(hole.len() + 1);
        let way: Vec<u32> = there.chain([&ring[to]]).copied().collect();
        ring.splice(to + 1..to + 1, way);
    }
    ring
}

/// The nearest corner of a loop that is visible from a point of the first hole; the nearest of all if none is visible.
fn bridge(points: &[DVec2], ring: &[u32], holes: &[Ring], from: DVec2) -> usize {
    let at = |k: u32| points[k as usize];
    let mut order: Vec<usize> = (0..ring.len()).collect();
    let distance = |k: &usize| from.distance_squared(at(ring[*k]));
    order.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
    let blocks = |ring: &[u32], to: DVec2| {
        (0..ring.len()).any(|k| cross([from, to], [at(ring[k]), at(ring[(k + 1) % ring.len()])]))
    };
    let seen = |k: &&usize| {
        let to = at(ring[**k]);
        opens_towards(points, ring, **k, from)
            && !blocks(ring, to)
            && !holes.iter().any(|hole| blocks(hole, to))
    };
    let nearest = order.first().copied().unwrap_or(0);
    order.iter().find(seen).copied().unwrap_or(nearest)
}

/// True if a point lies in the angle of a corner. Of several corners at one position, this holds for one.
fn opens_towards(points: &[DVec2], ring: &[u32], corner: usize, x: DVec2) -> bool {
    let n = ring.len();
    let [a, b, c] = [corner + n - 1, corner, corner + 1].map(|k| points[ring[k % n] as usize]);
    let (after, before) = ((c - b).perp_dot(x - b) > 0.0, (b - a).perp_dot(x - b) > 0.0);
    if (b - a).perp_dot(c - b) >= 0.0 { after && before } else { after || before }
}

/// True if two segments cross in their interiors.
fn cross([a, b]: [DVec2; 2], [c, d]: [DVec2; 2]) -> bool {
    let side = |p: DVec2, q: DVec2, r: DVec2| (q - p).perp_dot(r - p);
    side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0
}
