//! The part of a background tetrahedron inside the surface.
//!
//! Corners are inside, on or outside the surface. A cell without an outside corner is kept whole, and one without an
//! inside corner is dropped, unless all its corners are on the surface and the solid is between them: a part one cell
//! thick. Of the others, the part inside is a tetrahedron, a pyramid or a prism between inside
//! corners, corners on the surface, and cut points of edges (Labelle & Shewchuk 2007).

use glam::DVec3;

use super::dihedral::dihedral_range;

/// The position of a background point relative to the solid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// Inside the solid.
    Inside,
    /// Moved onto the surface.
    On,
    /// Outside the solid.
    Outside,
}

/// The queries of the lattice that a stencil needs.
pub(super) trait Lattice {
    /// The position of a background point relative to the solid.
    fn side(&self, point: u32) -> Side;
    /// The mesh vertex of a background point.
    fn vertex(&self, point: u32) -> u32;
    /// The mesh vertex at the cut of the edge from an inside to an outside point.
    fn cut(&self, inside: u32, outside: u32) -> u32;
    /// The position of a vertex.
    fn position(&self, vertex: u32) -> DVec3;
    /// True if the solid contains a tetrahedron whose corners all lie on its surface.
    fn is_filled(&self, corners: [u32; 4]) -> bool;
    /// Chooses the diagonal of the quadrilateral that remains of a triangle with two inside points and one outside:
    /// true for the diagonal at `a`. Must not depend on the order of `a` and `b`.
    fn diagonal_at_first(&self, a: u32, b: u32, outside: u32) -> bool;
}

/// The tetrahedra of the part inside; `None` if the diagonals of its sides allow no division.
pub(super) fn cells(lattice: &impl Lattice, corners: [u32; 4]) -> Option<Vec<[u32; 4]>> {
    let with = |side: Side| -> Vec<u32> {
        corners.into_iter().filter(|point| lattice.side(*point) == side).collect()
    };
    let (inside, on, outside) = (with(Side::Inside), with(Side::On), with(Side::Outside));
    let on: Vec<u32> = on.into_iter().map(|point| lattice.vertex(point)).collect();
    let found = match (inside.as_slice(), outside.as_slice()) {
        ([], []) if lattice.is_filled(corners) => vec![corners.map(|point| lattice.vertex(point))],
        ([], _) => Vec::new(),
        (_, []) => vec![corners.map(|point| lattice.vertex(point))],
        ([a], _) => {
            let cuts = outside.iter().map(|point| lattice.cut(*a, *point));
            let ring: Vec<u32> = on.into_iter().chain(cuts).collect();
            vec![[lattice.vertex(*a), ring[0], ring[1], ring[2]]]
        }
        ([a, b], [c]) => pyramid(lattice, [*a, *b], on[0], *c),
        ([a, b], [c, d]) => prism_of_two(lattice, [*a, *b], [*c, *d])?,
        ([a, b, c], [d]) => prism_of_three(lattice, [*a, *b, *c], *d)?,
        _ => unreachable!("a tetrahedron has four corners"),
    };
    Some(found.into_iter().map(|cell| wound(lattice, cell)).collect())
}

/// Two corners inside, one on, one outside.
fn pyramid(lattice: &impl Lattice, [a, b]: [u32; 2], apex: u32, outside: u32) -> Vec<[u32; 4]> {
    let (va, vb) = (lattice.vertex(a), lattice.vertex(b));
    let (ca, cb) = (lattice.cut(a, outside), lattice.cut(b, outside));
    if lattice.diagonal_at_first(a, b, outside) {
        vec![[va, vb, cb, apex], [va, cb, ca, apex]]
    } else {
        vec![[va, vb, ca, apex], [vb, cb, ca, apex]]
    }
}

/// Two corners inside, two outside: a prism between (a, its cuts) and (b, its cuts). The quadrilateral of the four cuts
/// lies on the surface, where no neighbour shares it: its diagonal is free.
fn prism_of_two(
    lattice: &impl Lattice,
    [a, b]: [u32; 2],
    [c, d]: [u32; 2],
) -> Option<Vec<[u32; 4]>> {
    let end = |p: u32| [lattice.vertex(p), lattice.cut(p, c), lattice.cut(p, d)];
    let first = [(0, 1, c), (0, 2, d)].map(|(i, j, outside)| {
        if lattice.diagonal_at_first(a, b, outside) { (i, j) } else { (j, i) }
    });
    prism(lattice, end(a), end(b), &first)
}

/// Three corners inside, one outside: a prism between the inside triangle and its cuts.
fn prism_of_three(lattice: &impl Lattice, inside: [u32; 3], outside: u32) -> Option<Vec<[u32; 4]>> {
    let base = inside.map(|point| lattice.vertex(point));
    let top = inside.map(|point| lattice.cut(point, outside));
    let first = [(0, 1), (1, 2), (0, 2)].map(|(i, j)| {
        let at_first = lattice.diagonal_at_first(inside[i], inside[j], outside);
        if at_first { (i, j) } else { (j, i) }
    });
    prism(lattice, base, top, &first)
}

/// All orders of the three edges of a prism.
const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// Divides a prism with the edges aᵢbᵢ into three tetrahedra.
///
/// Every division corresponds to an order of the three edges: on the side between two edges, the diagonal runs from a
/// of the earlier to b of the later. `first` lists (earlier, later) of the diagonals that are fixed. Of the divisions
/// that remain, the one with the largest minimum angle is chosen.
fn prism(
    lattice: &impl Lattice,
    a: [u32; 3],
    b: [u32; 3],
    first: &[(usize, usize)],
) -> Option<Vec<[u32; 4]>> {
    let place = |order: &[usize; 3], k: usize| order.iter().position(|x| *x == k);
    let fits = |order: &&[usize; 3]| {
        first.iter().all(|(early, late)| place(order, *early) < place(order, *late))
    };
    let divided = |[x, y, z]: &[usize; 3]| {
        let (x, y, z) = (*x, *y, *z);
        [[a[x], a[y], a[z], b[z]], [a[x], a[y], b[y], b[z]], [a[x], b[x], b[y], b[z]]]
    };
    let worst = |cells: &[[u32; 4]; 3]| {
        let angle = |cell: &[u32; 4]| dihedral_range(&cell.map(|v| lattice.position(v)))[0];
        cells.iter().map(angle).fold(f64::INFINITY, f64::min)
    };
    let choices = ORDERS.iter().filter(fits).map(divided);
    let best = choices.max_by(|p, q| worst(p).total_cmp(&worst(q)))?;
    Some(best.to_vec())
}

/// Orders the corners for positive volume.
fn wound(lattice: &impl Lattice, mut cell: [u32; 4]) -> [u32; 4] {
    if super::dihedral::determinant(&cell.map(|vertex| lattice.position(vertex))) < 0.0 {
        cell.swap(2, 3);
    }
    cell
}
