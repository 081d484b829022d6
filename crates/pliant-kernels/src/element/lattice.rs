//! The lattice: positions of the control points of a straight reference cell.
//!
//! Node order: corners, then the nodes inside edges, inside faces and inside the cell. All other node tables (faces,
//! file orders, degree elevation) are found by looking up points in this lattice.

use super::kind::{CellShape, Kind};
use super::topology::{edges, faces};

/// Returns the corners of the reference cell.
///
/// The tetrahedron is `x, y, z ≥ 0, x + y + z ≤ 1`; the hexahedron the unit cube; the prism the
/// unit triangle over `0 ≤ z ≤ 1`; the pyramid the unit square with its apex at (0, 0, 1).
pub const fn reference_corners(shape: CellShape) -> &'static [[usize; 3]] {
    match shape {
        CellShape::Tetrahedron => &[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
        CellShape::Hexahedron => &HEX_CORNERS,
        CellShape::Prism => &[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [0, 1, 1]],
        CellShape::Pyramid => &[[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1]],
    }
}

/// Corners of the reference hexahedron.
pub const HEX_CORNERS: [[usize; 3]; 8] =
    [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]];

/// Returns the lattice points of a kind in node order, in units of 1/degree.
pub fn lattice(kind: Kind) -> Vec<[usize; 3]> {
    let (p, shape) = (kind.degree(), kind.shape());
    let corners = reference_corners(shape);
    let mut points: Vec<[usize; 3]> = corners.iter().map(|c| c.map(|x| x * p)).collect();
    for [a, b] in edges(shape) {
        for k in 1..p {
            points.push(std::array::from_fn(|x| (p - k) * corners[*a][x] + k * corners[*b][x]));
        }
    }
    for face in faces(shape) {
        points.extend(face_interior(corners, face, p));
    }
    for point in all_points(shape, p) {
        if !points.contains(&point) {
            points.push(point);
        }
    }
    points
}

/// Returns the powers (λ₀, λ₁, λ₂, λ₃) of all Bernstein polynomials of a degree on a tetrahedron.
pub fn simplex_indices(degree: usize) -> Vec<[usize; 4]> {
    let mut list = Vec::new();
    for z in 0..=degree {
        for y in 0..=degree - z {
            for x in 0..=degree - z - y {
                list.push([degree - x - y - z, x, y, z]);
            }
        }
    }
    list
}

/// Lattice points strictly inside a face.
fn face_interior(corners: &[[usize; 3]], face: &[usize], p: usize) -> Vec<[usize; 3]> {
    let blend = |weights: &[usize], total: usize| -> [usize; 3] {
        std::array::from_fn(|axis| {
            let sum: usize = face.iter().zip(weights).map(|(c, w)| w * corners[*c][axis]).sum();
            sum * p / total
        })
    };
    let mut points = Vec::new();
    for j in 1..p {
        for i in 1..p {
            if face.len() == 4 {
                let weights = [(p - i) * (p - j), i * (p - j), i * j, (p - i) * j];
                points.push(blend(&weights, p * p));
            } else if i + j < p {
                points.push(blend(&[p - i - j, i, j], p));
            }
        }
    }
    points
}

/// All lattice points of a cell, lexicographically.
fn all_points(shape: CellShape, p: usize) -> Vec<[usize; 3]> {
    let inside = |[x, y, z]: [usize; 3]| match shape {
        CellShape::Tetrahedron => x + y + z <= p,
        CellShape::Hexahedron => true,
        CellShape::Prism => x + y <= p,
        CellShape::Pyramid => x + z <= p && y + z <= p,
    };
    let mut points = Vec::new();
    for z in 0..=p {
        for y in 0..=p {
            for x in 0..=p {
                if inside([x, y, z]) {
                    points.push([x, y, z]);
                }
            }
        }
    }
    points
}

/// Returns the weights of the corners of `shape` at the lattice point `point`, in units of `1/total`.
///
/// Two cells that share a face give its points the same weights on the same corners; this identifies the
/// shared nodes of neighbouring cells. The total is `d` for tetrahedra, d² for prisms, d³ for hexahedra and d·d! for
/// pyramids, with `d` the denominator of the lattice.
pub fn barycentric_weights(shape: CellShape, d: usize, point: [usize; 3]) -> Vec<usize> {
    let [x, y, z] = point;
    let square =
        |x: usize, y: usize, d: usize| [(d - x) * (d - y), x * (d - y), x * y, (d - x) * y];
    match shape {
        CellShape::Tetrahedron => vec![d - x - y - z, x, y, z],
        CellShape::Hexahedron => {
            let base = square(x, y, d);
            base.iter().map(|w| w * (d - z)).chain(base.iter().map(|w| w * z)).collect()
        }
        CellShape::Prism => {
            let base = [d - x - y, x, y];
            base.iter().map(|w| w * (d - z)).chain(base.iter().map(|w| w * z)).collect()
        }
        CellShape::Pyramid => {
            // At height z the cross-section of the pyramid is a square of this side, which divides `common`.
            let (side, common) = (d - z, (1..=d).product::<usize>());
            let base = square(x, y, side).map(|w| (w * common).checked_div(side).unwrap_or(0));
            base.into_iter().chain([z * common]).collect()
        }
    }
}
