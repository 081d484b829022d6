//! Merges two shells that share a cut face.

use std::collections::{BTreeMap, BTreeSet};

use pliant_kernels::math::DisjointSets;

use super::shell::{Facet, Origin, Shell};

/// The union of two shells with a common cut face; `None` if they have none, or if the union would not be manifold.
///
/// Faces are compared by their borders, since both may be triangulated differently. Vertices at most `near` apart, in
/// m, are the same.
pub(super) fn fused(host: &Shell, other: &Shell, near: f64) -> Option<Shell> {
    let same = same_vertices(host, other, near);
    let faces = faces(host);
    let (mut gone, mut gone_of_other) = (BTreeSet::new(), BTreeSet::new());
    let mut welded: BTreeMap<u32, u32> = BTreeMap::new();
    for face in self::faces(other) {
        let across = |[a, b]: &[u32; 2]| Some([*same.get(b)?, *same.get(a)?]);
        let Some(mut border) = face.border.iter().map(across).collect::<Option<Vec<_>>>() else {
            continue;
        };
        border.sort_unstable();
        if let Some(twin) = faces.iter().find(|twin| twin.border == border) {
            gone.extend(&twin.facets);
            gone_of_other.extend(&face.facets);
            welded.extend(face.border.iter().map(|[a, _]| (*a, same[a])));
        }
    }
    if gone.is_empty() {
        return None;
    }
    let mut one = Shell { points: host.points.clone(), facets: without(host, &gone) };
    for mut facet in without(other, &gone_of_other) {
        facet.corners = facet.corners.map(|vertex| {
            *welded.entry(vertex).or_insert_with(|| {
                one.points.push(other.points[vertex as usize]);
                one.points.len() as u32 - 1
            })
        });
        one.facets.push(facet);
    }
    one.drop_unused();
    one.is_manifold().then_some(one)
}

/// For each vertex of the second shell, the vertex of the first at the same position, if any.
fn same_vertices(host: &Shell, other: &Shell, near: f64) -> BTreeMap<u32, u32> {
    let bounds = other.bounds().inflated(near);
    let inside = |(_, x): &(usize, &glam::DVec3)| bounds.contains(**x);
    let close: Vec<_> = host.points.iter().enumerate().filter(inside).collect();
    let nearest = |x: &glam::DVec3| {
        let gap = |(_, y): &&(usize, &glam::DVec3)| x.distance_squared(**y);
        let found = close.iter().min_by(|a, b| gap(a).total_cmp(&gap(b)))?;
        (gap(&found) <= near * near).then_some(found.0 as u32)
    };
    let points = other.points.iter().enumerate();
    points.filter_map(|(vertex, x)| Some((vertex as u32, nearest(x)?))).collect()
}

fn without(shell: &Shell, gone: &BTreeSet<u32>) -> Vec<Facet> {
    let kept = shell.facets.iter().enumerate().filter(|(k, _)| !gone.contains(&(*k as u32)));
    kept.map(|(_, facet)| *facet).collect()
}

/// A connected part of a cut face.
struct Face {
    facets: Vec<u32>,
    /// The edges around it, sorted.
    border: Vec<[u32; 2]>,
}

/// All connected cut faces of a shell.
fn faces(shell: &Shell) -> Vec<Face> {
    let mut cut = Vec::new();
    for (number, facet) in shell.facets.iter().enumerate() {
        let Origin::Cut { normal } = facet.origin else { continue };
        let plane = normal.to_array().map(f64::to_bits);
        let [a, b, c] = facet.corners;
        cut.extend([[a, b], [b, c], [c, a]].map(|edge| (plane, edge, number as u32)));
    }
    // Triangles of one plane that share an edge are connected; an edge with one triangle of the plane is on the border.
    let key = |plane: [u64; 3], [a, b]: [u32; 2]| (plane, a.min(b), a.max(b));
    cut.sort_unstable_by_key(|(plane, edge, number)| (key(*plane, *edge), *number));
    let mut sets = DisjointSets::new(shell.facets.len());
    let mut border = Vec::new();
    for run in cut.chunk_by(|a, b| key(a.0, a.1) == key(b.0, b.1)) {
        run.iter().for_each(|(.., number)| sets.join(run[0].2, *number));
        if let [(_, edge, number)] = run {
            border.push((*number, *edge));
        }
    }
    let mut found: BTreeMap<u32, Face> = BTreeMap::new();
    let mut face_of = |set: u32, facet: Option<u32>, edge: Option<[u32; 2]>| {
        let face = found.entry(set).or_insert(Face { facets: Vec::new(), border: Vec::new() });
        face.facets.extend(facet);
        face.border.extend(edge);
    };
    for (number, facet) in shell.facets.iter().enumerate() {
        if matches!(facet.origin, Origin::Cut { .. }) {
            face_of(sets.find(number as u32), Some(number as u32), None);
        }
    }
    border.into_iter().for_each(|(number, edge)| face_of(sets.find(number), None, Some(edge)));
    let mut found: Vec<Face> = found.into_values().collect();
    found.iter_mut().for_each(|face| face.border.sort_unstable());
    found
}

impl Shell {
    /// True if every edge is passed once in each direction.
    fn is_manifold(&self) -> bool {
        let corners = self.facets.iter().map(|facet| facet.corners);
        let edges = corners.flat_map(|[a, b, c]| [[a, b], [b, c], [c, a]]);
        let mut edges: Vec<[u32; 2]> = edges.collect();
        edges.sort_unstable();
        let once = edges.windows(2).all(|pair| pair[0] != pair[1]);
        once && edges.iter().all(|[a, b]| edges.binary_search(&[*b, *a]).is_ok())
    }
}
