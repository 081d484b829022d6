//! Hides the seams between splinters that are not separated.

use glam::DVec3;
use pliant::body::Skin;
use pliant::geometry::{Surface, SurfaceGroup};
use pliant_io::glb::SplitVertices;
use pliant_kernels::math::DisjointSets;

/// The name of the part with the faces between splinters that move as one. They are drawn in the colour of the body,
/// since rounding leaves hairlines between splinters.
const CLOSED_PART: &str = "closed";

/// Weights that differ by less are equal up to rounding.
const SAME_WEIGHT: f64 = 1e-4;

/// The index of the part with the faces between splinters; `None` if there is none.
pub(super) fn inside_part(parts: &[SurfaceGroup]) -> Option<u32> {
    parts.iter().position(|part| part.name == INSIDE_PART).map(|part| part as u32)
}

/// The name of the part with the faces between splinters.
const INSIDE_PART: &str = "inside";

/// Cosine of the largest angle between splinters that are shaded smoothly: 40°, as in an uncut surface.
const SMOOTH_COSINE: f64 = 0.766;

/// Joins the fans of different splinters on the outside, so that the surface is shaded as before the cut. Separated
/// fragments are not joined, since a break has a sharp edge.
pub(super) fn joined(
    of_fan: &[Vec<u32>],
    is_outside: impl Fn(u32) -> bool,
    split: &SplitVertices,
    triangles: &[[u32; 3]],
    rest: &[DVec3],
) -> Vec<Vec<u32>> {
    let at = |vertex: u32| rest[split.sources[vertex as usize] as usize];
    let normal = |fan: &Vec<u32>| {
        let area = |triangle: &u32| {
            let [a, b, c] = triangles[*triangle as usize].map(at);
            (b - a).cross(c - a)
        };
        fan.iter().map(area).sum::<DVec3>().normalize_or_zero()
    };
    let place = grid_positions(rest);
    let all = split.fans.iter().zip(&split.sources);
    let mut places: Vec<_> = all
        .filter(|(fan, _)| of_fan[**fan as usize].first().is_some_and(|first| is_outside(*first)))
        .map(|(fan, source)| (place(rest[*source as usize]), *fan))
        .collect();
    places.sort_unstable();
    places.dedup();
    let mut joined = of_fan.to_vec();
    for here in places.chunk_by(|a, b| a.0 == b.0).filter(|here| here.len() > 1) {
        let normals: Vec<_> = here.iter().map(|(_, fan)| normal(&of_fan[*fan as usize])).collect();
        for ((_, fan), own) in here.iter().zip(&normals) {
            let smooth = here
                .iter()
                .zip(&normals)
                .filter(|((_, _), other)| own.dot(**other) > SMOOTH_COSINE);
            joined[*fan as usize] = smooth
                .flat_map(|((_, other), _)| of_fan[*other as usize].iter().copied())
                .collect();
        }
    }
    joined
}

/// Maps positions to grid cells, so that positions that differ only by rounding coincide: a hundred-thousandth of the
/// size. The shift keeps round numbers away from the borders of the grid cells.
fn grid_positions(rest: &[DVec3]) -> impl Fn(DVec3) -> [i64; 3] {
    let (low, high) = rest
        .iter()
        .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), x| (low.min(*x), high.max(*x)));
    let scale = 1e5 / (high - low).length().max(f64::MIN_POSITIVE);
    move |x| ((x - low) * scale + 0.2357).floor().as_i64vec3().to_array()
}

/// Moves the faces between splinters that move as one to a part of their own; `None` if the surface has no splinters.
///
/// A face belongs to it if another splinter has all of its corners. Splinters are convex except for the original
/// surface, so the triangle between three points of both is part of a face of both, whatever their triangulation.
pub(super) fn closed(surface: &Surface, skin: &Skin, rest: &[DVec3]) -> Option<Surface> {
    let inside = inside_part(&surface.parts)?;
    let mut part_of = surface.part_of.clone()?;
    let touching_splinters = touching_splinters(skin, rest);
    let shared = |corners: &[u32; 3]| {
        let [a, b, c] = corners.map(|vertex| &touching_splinters[vertex as usize]);
        a.iter().any(|splinter| b.contains(splinter) && c.contains(splinter))
    };
    let own = surface.parts.len() as u32;
    for (part, corners) in part_of.iter_mut().zip(skin.triangles()) {
        if *part == inside && shared(corners) {
            *part = own;
        }
    }
    let mut parts = surface.parts.clone();
    parts.push(SurfaceGroup { name: CLOSED_PART.to_owned(), ..SurfaceGroup::default() });
    Some(Surface { parts, part_of: Some(part_of), ..surface.clone() })
}

/// For each vertex, the other splinters that have a vertex at the same position which moves with it.
fn touching_splinters(skin: &Skin, rest: &[DVec3]) -> Vec<Vec<u32>> {
    let (place, splinter) = (grid_positions(rest), splinters(skin));
    let mut all: Vec<_> = (0_u32..).zip(rest).map(|(vertex, x)| (place(*x), vertex)).collect();
    all.sort_unstable();
    let mut touching_splinters = vec![Vec::new(); rest.len()];
    for here in all.chunk_by(|a, b| a.0 == b.0) {
        for (_, one) in here {
            let others = here.iter().map(|(_, other)| *other).filter(|other| {
                splinter[*other as usize] != splinter[*one as usize]
                    && move_as_one(skin, *one, *other)
            });
            touching_splinters[*one as usize] =
                others.map(|other| splinter[other as usize]).collect();
        }
    }
    touching_splinters
}

/// For each vertex, the id of its splinter: the lowest vertex that triangles connect it to.
fn splinters(skin: &Skin) -> Vec<u32> {
    let count = skin.vertex_count();
    let mut splinters = DisjointSets::new(count);
    for [a, b, c] in skin.triangles() {
        splinters.join(*a, *b);
        splinters.join(*b, *c);
    }
    (0..count as u32).map(|vertex| splinters.find(vertex)).collect()
}

/// True if two points have the same nodes and weights.
fn move_as_one(skin: &Skin, one: u32, other: u32) -> bool {
    let weight = |point: u32, node: u32| {
        let mut weights = skin.weights(point as usize);
        weights.find(|(own, _)| *own == node).map_or(0.0, |(_, weight)| weight)
    };
    let as_in = |point: u32, other: u32| {
        skin.weights(point as usize)
            .all(|(node, own)| (own - weight(other, node)).abs() < SAME_WEIGHT)
    };
    as_in(one, other) && as_in(other, one)
}
