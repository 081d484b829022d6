//! The order of the nodes in Gmsh's tetrahedra of any degree.

/// The highest degree of Gmsh's tetrahedra.
pub(crate) const MAX_DEGREE: usize = 10;

/// Edges and faces in Gmsh's order (its reference manual, "Node ordering").
const EDGES: [[usize; 2]; 6] = [[0, 1], [1, 2], [2, 0], [3, 0], [3, 2], [3, 1]];
const FACES: [[usize; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [3, 1, 2]];

/// The barycentric coordinates of a node, in units of one over the degree.
pub(super) type Weights = [usize; 4];

/// Returns the number of nodes of a tetrahedron of a degree.
pub(crate) const fn node_count(degree: usize) -> usize {
    (degree + 1) * (degree + 2) * (degree + 3) / 6
}

/// Returns the nodes of a tetrahedron in Gmsh's order: corners, edges, faces, interior. The nodes inside a face are
/// those of a triangle of three degrees less, and those inside the cell of a tetrahedron of four degrees less.
pub(super) fn nodes(degree: usize) -> Vec<Weights> {
    let corners = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]];
    if degree == 0 {
        return vec![[0; 4]];
    }
    let mut nodes: Vec<Weights> = corners.iter().map(|corner| scaled(*corner, degree)).collect();
    for [a, b] in EDGES {
        nodes.extend(between(corners[a], corners[b], degree));
    }
    if degree >= 3 {
        for face in FACES {
            let inner = triangle(face.map(|corner| corners[corner]), degree - 3);
            nodes.extend(inner.into_iter().map(|node| sum(node, face_sum(face))));
        }
    }
    if degree >= 4 {
        nodes.extend(self::nodes(degree - 4).into_iter().map(|node| sum(node, [1; 4])));
    }
    nodes
}

/// Returns the nodes of a triangle: corners, edges, interior.
fn triangle(corners: [Weights; 3], degree: usize) -> Vec<Weights> {
    if degree == 0 {
        return vec![[0; 4]];
    }
    let [a, b, c] = corners;
    let mut nodes: Vec<Weights> = corners.iter().map(|corner| scaled(*corner, degree)).collect();
    for [from, to] in [[a, b], [b, c], [c, a]] {
        nodes.extend(between(from, to, degree));
    }
    if degree >= 3 {
        let inner = triangle(corners, degree - 3);
        nodes.extend(inner.into_iter().map(|node| sum(node, sum(a, sum(b, c)))));
    }
    nodes
}

/// Returns the nodes inside an edge.
fn between(a: Weights, b: Weights, degree: usize) -> impl Iterator<Item = Weights> {
    (1..degree).map(move |k| sum(scaled(a, degree - k), scaled(b, k)))
}

fn face_sum(face: [usize; 3]) -> Weights {
    std::array::from_fn(|corner| usize::from(face.contains(&corner)))
}

fn scaled(node: Weights, factor: usize) -> Weights {
    node.map(|weight| weight * factor)
}

fn sum(a: Weights, b: Weights) -> Weights {
    std::array::from_fn(|k| a[k] + b[k])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The order is that of Gmsh 4.15: the last three coordinates of the nodes of its element type 31, in units of 1/5.
    #[test]
    fn the_nodes_of_degree_5_are_in_the_order_of_gmsh() {
        let expected = "000 500 050 005 100 200 300 400 410 320 230 140 040 030 020 010 004 003 002 001 014 023 032 \
            041 104 203 302 401 110 130 310 120 220 210 101 301 103 201 202 102 011 013 031 012 022 021 113 311 131 \
            212 221 122 111 211 121 112";
        let found: Vec<String> = nodes(5).iter().map(|[_, x, y, z]| format!("{x}{y}{z}")).collect();
        assert_eq!(found.join(" "), expected.split_whitespace().collect::<Vec<_>>().join(" "));
    }

    /// Each degree has all lattice points, once.
    #[test]
    fn each_degree_has_every_lattice_point_once() {
        for degree in 1..=MAX_DEGREE {
            let mut all = nodes(degree);
            assert!(all.iter().all(|node| node.iter().sum::<usize>() == degree));
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len(), node_count(degree), "degree {degree}");
        }
    }
}
