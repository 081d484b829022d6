//! Properties of every element: bases, quadrature rules, conversions between bases, faces and edges.

use glam::DVec3;
use pliant_kernels::element::{
    CellShape, DenseMatrix, Kind, QuadratureRule, barycentric_weights, bernstein_from_lagrange,
    bernstein_simplex, derivative_nodes, edge_nodes, edges, elevation, face_nodes, faces,
    lagrange_from_bernstein, lattice, reference_corners, restriction, shape, shape_gradient,
};

use crate::random::{Random, for_cases};

const SHAPES: [CellShape; 4] =
    [CellShape::Tetrahedron, CellShape::Hexahedron, CellShape::Prism, CellShape::Pyramid];

/// Maps a point of the unit cube into the reference cell by collapsing the cube.
fn inside(shape: CellShape, [x, y, z]: [f64; 3]) -> DVec3 {
    match shape {
        CellShape::Tetrahedron => DVec3::new(x * (1.0 - y) * (1.0 - z), y * (1.0 - z), z),
        CellShape::Hexahedron => DVec3::new(x, y, z),
        CellShape::Prism => DVec3::new(x * (1.0 - y), y, z),
        CellShape::Pyramid => DVec3::new(x * (1.0 - z), y * (1.0 - z), z),
    }
}

/// The reference coordinates of the lattice points.
fn lattice_points(kind: Kind) -> Vec<DVec3> {
    let p = kind.degree() as f64;
    lattice(kind).into_iter().map(|node| DVec3::from(node.map(|x| x as f64)) / p).collect()
}

/// The interpolated position Σₐ Bₐ(ξ) xₐ.
fn interpolated(kind: Kind, points: &[DVec3], xi: DVec3) -> DVec3 {
    shape(kind, xi).into_iter().zip(points).map(|(b, x)| b * *x).sum()
}

/// A random point of the unit cube.
fn in_cube(random: &mut Random) -> [f64; 3] {
    random.vector_within(0.0, 1.0).to_array()
}

/// Basis functions are non-negative and sum to 1 at random points of the cell, to rounding.
#[test]
fn bases_are_non_negative_and_sum_to_one() {
    for_cases(200, &mut |random| {
        let at = in_cube(random);
        for kind in Kind::ALL {
            let values = shape(kind, inside(kind.shape(), at));
            assert!(values.iter().all(|b| *b >= -1e-16), "{kind}: {values:?}");
            assert!((values.iter().sum::<f64>() - 1.0).abs() < 1e-14);
        }
    });
}

/// Control points on the lattice give the identity map, so that linear functions are reproduced, to rounding.
#[test]
fn bases_reproduce_positions() {
    for_cases(200, &mut |random| {
        let at = random.vector_within(0.0, 0.999).to_array();
        for kind in Kind::ALL {
            let xi = inside(kind.shape(), at);
            let x = interpolated(kind, &lattice_points(kind), xi);
            assert!(x.distance(xi) < 1e-14, "{kind} at {xi}: {x}");
        }
    });
}

/// Gradients are the derivatives of the basis. Tolerance 1e-7: central differences have rounding errors of ε/h ≈
/// 1e-11 and truncation errors of h² times the third derivative, which is large near the apex of pyramids.
#[test]
fn gradients_are_derivatives() {
    let h = 1e-5;
    for_cases(200, &mut |random| {
        let at = random.vector_within(0.05, 0.9).to_array();
        for kind in Kind::ALL {
            let xi = inside(kind.shape(), at);
            let gradients = shape_gradient(kind, xi);
            for (axis, unit) in DVec3::AXES.into_iter().enumerate() {
                let (ahead, behind) = (shape(kind, xi + h * unit), shape(kind, xi - h * unit));
                for (node, gradient) in gradients.iter().enumerate() {
                    let difference = (ahead[node] - behind[node]) / (2.0 * h);
                    assert!((gradient[axis] - difference).abs() < 1e-7, "{kind} {node} at {xi}");
                }
            }
        }
    });
}

/// Elevation gives the same map in a higher degree, to rounding.
#[test]
fn elevation_reproduces_every_map() {
    for_cases(200, &mut |random| {
        let at = in_cube(random);
        let points: Vec<DVec3> = (0..27).map(|_| random.vector()).collect();
        for (from, to) in pairs() {
            let xi = inside(from.shape(), at);
            let elevated = elevation(from, to).apply(&points[..from.node_count()]);
            let error = interpolated(from, &points, xi).distance(interpolated(to, &elevated, xi));
            assert!(error < 1e-14, "{from} to {to}: {error:e}");
        }
    });
}

/// The restriction to any affine part of the cell is that part of the same map, also for parts that are not simple
/// fractions.
#[test]
fn restriction_reproduces_parts() {
    for_cases(200, &mut |random| {
        let at = in_cube(random);
        let points: Vec<DVec3> = (0..27).map(|_| random.vector()).collect();
        let origin = random.vector_within(0.0, 0.5).to_array();
        let scale = random.within(0.01, 0.5);
        for kind in [Kind::Tet4, Kind::Tet10, Kind::Tet20, Kind::Hex8, Kind::Hex27, Kind::Prism6] {
            let place = |xi: DVec3| 0.5 * inside(kind.shape(), origin) + scale * xi;
            let part = restriction(kind, kind, place).apply(&points[..kind.node_count()]);
            let xi = inside(kind.shape(), at);
            let expected = interpolated(kind, &points, place(xi));
            // Entries of up to 5 at degree 3, each rounded a few times.
            assert!(expected.distance(interpolated(kind, &part, xi)) < 1e-12, "{kind}");
        }
    });
}

/// Kinds of the same shape, the second of higher or equal degree.
fn pairs() -> Vec<(Kind, Kind)> {
    let all = || Kind::ALL.into_iter();
    all()
        .flat_map(|from| all().map(move |to| (from, to)))
        .filter(|(from, to)| from.shape() == to.shape() && from.degree() <= to.degree())
        .collect()
}

fn product(a: &DenseMatrix, b: &DenseMatrix) -> Vec<Vec<f64>> {
    let entry = |row: &[f64], j: usize| -> f64 {
        row.iter().zip(b.rows()).map(|(x, row)| x * row[j]).sum()
    };
    a.rows().map(|row| (0..b.columns).map(|j| entry(row, j)).collect()).collect()
}

/// The conversions between the Lagrange and the Bernstein basis are inverse to each other, to rounding.
#[test]
fn lagrange_and_bernstein_are_inverse_to_each_other() {
    for kind in Kind::ALL {
        let (to, from) = (bernstein_from_lagrange(kind), lagrange_from_bernstein(kind));
        for product in [product(&to, &from), product(&from, &to)] {
            for (i, row) in product.iter().enumerate() {
                for (j, x) in row.iter().enumerate() {
                    let unit = if i == j { 1.0 } else { 0.0 };
                    assert!((x - unit).abs() < 1e-14, "{kind} ({i}, {j}): {x}");
                }
            }
        }
    }
}

/// All conversion matrices have exact entries: multiples of 1/1728 = 1/(27·64), to the last bit.
#[test]
fn conversions_are_exact_fractions() {
    let half = |xi: DVec3| 0.5 * xi;
    let mut matrices: Vec<DenseMatrix> = Vec::new();
    for kind in Kind::ALL {
        matrices.push(lagrange_from_bernstein(kind));
        matrices.push(bernstein_from_lagrange(kind));
        matrices.push(restriction(kind, kind, half));
    }
    matrices.extend(pairs().into_iter().map(|(from, to)| elevation(from, to)));
    for x in matrices.iter().flat_map(|matrix| &matrix.entries) {
        let multiple = (x * 1728.0).round();
        assert_eq!(*x, multiple / 1728.0);
    }
}

/// Conversions have the entries of textbooks: elevation of a line from degree 2 to 3 has the weights 1/3, 2/3 and
/// 2/3, 1/3; the middle control point of a parabola is 2m − (a + b)/2; halving is de Casteljau's algorithm.
#[test]
fn conversions_have_their_textbook_entries() {
    let row = |matrix: &DenseMatrix, k: usize| matrix.rows().nth(k).unwrap().to_vec();
    let at = |row: &[f64], nodes: &[usize]| nodes.iter().map(|n| row[*n]).collect::<Vec<_>>();
    let elevated = elevation(Kind::Tet10, Kind::Tet20);
    assert_eq!(at(&row(&elevated, 4), &[0, 4, 1]), [1.0 / 3.0, 2.0 / 3.0, 0.0]);
    assert_eq!(at(&row(&elevated, 5), &[0, 4, 1]), [0.0, 2.0 / 3.0, 1.0 / 3.0]);
    let control = bernstein_from_lagrange(Kind::Tet10);
    assert_eq!(at(&row(&control, 4), &[0, 4, 1]), [-0.5, 2.0, -0.5]);
    let cubic = bernstein_from_lagrange(Kind::Tet20);
    assert_eq!(at(&row(&cubic, 4), &[0, 4, 5, 1]), [-5.0 / 6.0, 3.0, -1.5, 1.0 / 3.0]);
    let halved = restriction(Kind::Tet20, Kind::Tet20, |xi| 0.5 * xi);
    assert_eq!(at(&row(&halved, 1), &[0, 4, 5, 1]), [0.125, 0.375, 0.375, 0.125]);
}

/// The integral of x^a y^b z^c over the reference cell; for the pyramid that of u^a v^b z^c in collapsed coordinates.
fn moment(shape: CellShape, [a, b, c]: [usize; 3]) -> f64 {
    let factorial = |n: usize| (1..=n).map(|k| k as f64).product::<f64>();
    // The integral ∫₀¹ tᵏ (1 − t)ⁿ dt.
    let beta = |k: usize, n: usize| factorial(k) * factorial(n) / factorial(k + n + 1);
    match shape {
        CellShape::Tetrahedron => {
            factorial(a) * factorial(b) * factorial(c) / factorial(a + b + c + 3)
        }
        CellShape::Hexahedron => beta(a, 0) * beta(b, 0) * beta(c, 0),
        CellShape::Prism => factorial(a) * factorial(b) / factorial(a + b + 2) * beta(c, 0),
        CellShape::Pyramid => beta(a, 0) * beta(b, 0) * beta(c, 2),
    }
}

fn monomial(shape: CellShape, xi: DVec3, powers: [usize; 3]) -> f64 {
    let side = if shape == CellShape::Pyramid { 1.0 - xi.z } else { 1.0 };
    let at = [xi.x / side, xi.y / side, xi.z];
    (0..3).map(|axis| at[axis].powi(powers[axis] as i32)).product()
}

/// The monomials that a rule of this degree must integrate exactly.
fn monomials(shape: CellShape, degree: usize) -> Vec<[usize; 3]> {
    let all = (0..(degree + 1).pow(3))
        .map(|k| [k % (degree + 1), k / (degree + 1) % (degree + 1), k / (degree + 1).pow(2)]);
    all.filter(|[a, b, c]| match shape {
        CellShape::Tetrahedron => a + b + c <= degree,
        CellShape::Prism => a + b <= degree,
        CellShape::Hexahedron | CellShape::Pyramid => true,
    })
    .collect()
}

fn assert_exact(rule: &QuadratureRule, shape: CellShape, powers: [usize; 3]) {
    let sum: f64 = rule.points.iter().map(|q| q.weight * monomial(shape, q.xi, powers)).sum();
    let exact = moment(shape, powers);
    let volume = shape.reference_volume();
    // Rounding, relative to the volume: small moments of high powers have fewer correct digits.
    assert!((sum - exact).abs() < 1e-15 + 3e-15 * volume, "{shape:?} {powers:?}: {sum} {exact}");
}

/// Quadrature rules have positive weights and integrate all monomials up to their degree, to rounding.
#[test]
fn rules_are_positive_and_exact_to_their_degree() {
    for shape in SHAPES {
        for degree in 0..=10 {
            let rule = QuadratureRule::of_degree(shape, degree);
            assert!(rule.points.iter().all(|q| q.weight > 0.0));
            let volume: f64 = rule.points.iter().map(|q| q.weight).sum();
            assert!((volume - shape.reference_volume()).abs() < 2e-15);
            monomials(shape, degree)
                .into_iter()
                .for_each(|powers| assert_exact(&rule, shape, powers));
        }
    }
}

/// All quadrature points are inside their cell.
#[test]
fn rules_lie_inside_their_cells() {
    for shape in SHAPES {
        for q in (0..=10).flat_map(|degree| QuadratureRule::of_degree(shape, degree).points) {
            let linear = Kind::of(shape, 1).unwrap();
            assert!(
                pliant_kernels::element::shape(linear, q.xi).iter().all(|b| *b > 0.0),
                "{shape:?} {}",
                q.xi
            );
        }
    }
}

/// The default rules have as many points as the smallest known rules of their degree.
#[test]
fn rules_of_kinds_have_the_sizes_known_to_suffice() {
    let sizes = |rule: fn(Kind) -> QuadratureRule| Kind::ALL.map(|kind| rule(kind).len());
    assert_eq!(sizes(QuadratureRule::for_straight), [1, 4, 14, 8, 27, 6, 4]);
    assert_eq!(sizes(QuadratureRule::for_curved), [1, 8, 24, 8, 27, 6, 4]);
}

/// The default rule of straight cells integrates the stiffness ∫ ∂Bₐ/∂xᵢ ∂B_b/∂xⱼ exactly: it equals that of a rule
/// of degree 10, to rounding.
#[test]
fn straight_rules_integrate_the_stiffness_exactly() {
    for kind in Kind::ALL {
        let matrix = |rule: &QuadratureRule| {
            let mut sums = vec![0.0; 9 * kind.node_count().pow(2)];
            for q in &rule.points {
                let gradients: Vec<f64> =
                    shape_gradient(kind, q.xi).into_iter().flat_map(|g| g.to_array()).collect();
                for (i, a) in gradients.iter().enumerate() {
                    for (j, b) in gradients.iter().enumerate() {
                        sums[i * gradients.len() + j] += q.weight * a * b;
                    }
                }
            }
            sums
        };
        let (least, high) =
            (QuadratureRule::for_straight(kind), QuadratureRule::of_degree(kind.shape(), 10));
        for (a, b) in matrix(&least).into_iter().zip(matrix(&high)) {
            assert!((a - b).abs() < 1e-13, "{kind}: {a} {b}");
        }
    }
}

/// Faces are oriented outward, and their nodes are listed in rows from the first corner to the second.
#[test]
fn faces_wind_outward_and_list_their_nodes_in_rows() {
    for kind in Kind::ALL {
        let corners: Vec<DVec3> = reference_corners(kind.shape())
            .iter()
            .map(|c| DVec3::from(c.map(|x| x as f64)))
            .collect();
        let middle = corners.iter().sum::<DVec3>() / corners.len() as f64;
        let points = lattice_points(kind);
        for (face, ring) in faces(kind.shape()).iter().enumerate() {
            let (a, b, last) = (corners[ring[0]], corners[ring[1]], corners[ring[ring.len() - 1]]);
            let normal = (b - a).cross(last - a);
            assert!(normal.dot(a - middle) > 0.0, "{kind} face {face}");
            let nodes = face_nodes(kind, face);
            let p = kind.degree();
            let expected = if ring.len() == 3 { (p + 1) * (p + 2) / 2 } else { (p + 1).pow(2) };
            assert_eq!(nodes.len(), expected);
            for node in &nodes {
                assert!((points[*node] - a).dot(normal).abs() < 1e-15, "{kind} face {face}");
            }
            // The first row runs from the first corner to the second.
            for (k, node) in nodes[..=p].iter().enumerate() {
                let place = a.lerp(b, k as f64 / p as f64);
                assert!(points[*node].distance(place) < 1e-15);
            }
            assert_eq!(nodes[nodes.len() - 1], ring[2]);
        }
    }
}

/// Every edge of a cell belongs to two of its faces, in opposite directions.
#[test]
fn faces_close() {
    for shape in SHAPES {
        let mut directed: Vec<[usize; 2]> = Vec::new();
        for ring in faces(shape) {
            directed.extend((0..ring.len()).map(|k| [ring[k], ring[(k + 1) % ring.len()]]));
        }
        assert_eq!(directed.len(), 2 * edges(shape).len());
        for [a, b] in edges(shape) {
            assert!(directed.contains(&[*a, *b]) && directed.contains(&[*b, *a]), "{shape:?}");
        }
    }
}

/// The nodes of an edge are listed from its first corner to its second, equally spaced.
#[test]
fn edges_list_their_nodes_from_end_to_end() {
    for kind in Kind::ALL {
        let points = lattice_points(kind);
        for (edge, [a, b]) in edges(kind.shape()).iter().enumerate() {
            let nodes = edge_nodes(kind, edge);
            for (k, node) in nodes.iter().enumerate() {
                let place = points[*a].lerp(points[*b], k as f64 / kind.degree() as f64);
                assert!(points[*node].distance(place) < 1e-15);
            }
        }
    }
}

/// Barycentric weights of the corners give every lattice point exactly, in integers, for lattices up to degree 6.
#[test]
fn corner_weights_are_exact() {
    for shape in SHAPES {
        for d in 1..=6 {
            let corners = reference_corners(shape);
            for point in (0..(d + 1usize).pow(3))
                .map(|k| [k % (d + 1), k / (d + 1) % (d + 1), k / (d + 1).pow(2)])
            {
                let [x, y, z] = point;
                let is_inside = match shape {
                    CellShape::Tetrahedron => x + y + z <= d,
                    CellShape::Hexahedron => true,
                    CellShape::Prism => x + y <= d,
                    CellShape::Pyramid => x + z <= d && y + z <= d,
                };
                if !is_inside {
                    continue;
                }
                let weights = barycentric_weights(shape, d, point);
                let total: usize = weights.iter().sum();
                for axis in 0..3 {
                    let sum: usize = weights.iter().zip(corners).map(|(w, c)| w * c[axis]).sum();
                    assert_eq!(sum * d, point[axis] * total, "{shape:?} {d} {point:?}");
                }
            }
        }
    }
}

/// ∂x/∂ξ of a tetrahedron is a Bernstein form of one degree less, whose coefficients are differences of nodes: to rounding, at any point and for any nodes.
#[test]
fn derivatives_of_tetrahedra_are_forms_of_differences() {
    for kind in [Kind::Tet4, Kind::Tet10, Kind::Tet20] {
        let (p, nodes) = (kind.degree(), lattice(kind));
        for_cases(20, &mut |random| {
            let x: Vec<DVec3> = nodes.iter().map(|_| random.vector_within(-1.0, 1.0)).collect();
            let xi = inside(kind.shape(), in_cube(random));
            let lambda = [1.0 - xi.element_sum(), xi.x, xi.y, xi.z];
            for axis in 0..3 {
                let gradients = shape_gradient(kind, xi);
                let expected: DVec3 = gradients.iter().zip(&x).map(|(g, x)| g[axis] * *x).sum();
                let coefficient = |of: &[usize; 4]| {
                    let [a, b, c] = nodes[of[0]];
                    let value = bernstein_simplex([p - 1 - a - b - c, a, b, c], lambda);
                    p as f64 * value * (x[of[1 + axis]] - x[of[0]])
                };
                let sum: DVec3 = derivative_nodes(nodes.len()).iter().map(coefficient).sum();
                assert!(sum.distance(expected) < 1e-13, "{kind:?}: {sum} and {expected}");
            }
        });
    }
}
