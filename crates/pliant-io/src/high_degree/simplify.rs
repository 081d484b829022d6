//! Gives folded cells a shape of lower degree.

use std::collections::BTreeMap;

use glam::DVec3;
use pliant::element::Kind;
use pliant::mesh::{Block, CellStatus, Mesh};
use pliant_kernels::element::{edge_nodes, edges, face_nodes, faces};

use super::lowering::Lowering;
use crate::lagrange::bernstein_points;

/// Relative distance below which two shapes are the same: the rounding of coordinates and of interpolation at the
/// highest degree.
const ROUNDING: f64 = 1e-12;

/// Cells of one high degree of a file and the cubic cells made from them.
struct Cells<'a> {
    lowering: &'a Lowering,
    /// Nodes of the cells in the file.
    given: &'a [u32],
    /// Nodes of the cubic cells, in lattice order.
    cubic: &'a [u32],
}

impl<'a> Cells<'a> {
    /// The nodes of each cell: those in the file, and those of the cubic cell.
    fn pairs(&self) -> impl Iterator<Item = (&'a [u32], &'a [u32])> {
        let given = self.given.chunks_exact(self.lowering.cubic.columns);
        given.zip(self.cubic.chunks_exact(Kind::Tet20.node_count()))
    }
}

/// The result of [`simplify`].
#[derive(Debug, Default)]
pub(crate) struct Simplified {
    /// Number of cells that are not the sample of their shape in the file.
    pub(crate) cell_count: usize,
    /// The cells that have no valid shape, counted among the cells given.
    pub(crate) invalid: Vec<usize>,
    /// Maximum distance of a node of the file from its cell; 0 if all shapes are kept, up to rounding.
    pub(crate) error: f64,
}

/// Makes the cubic cells `cubic` valid, which are sampled from the cells `given` of a high degree.
///
/// The edges and faces of folded cells become quadratic and then straight, until no cell is folded. Neighbours share
/// them, so that the mesh stays conforming; a neighbour that this folds is treated in the same way. Every round lowers
/// an edge, so the rounds end.
pub(crate) fn simplify(
    points: &mut [DVec3],
    lowering: &Lowering,
    given: &[u32],
    cubic: &[u32],
) -> Simplified {
    let cells = Cells { lowering, given, cubic };
    let original: Vec<Vec<DVec3>> =
        cells.pairs().map(|(given, _)| positions(points, given)).collect();
    let mut folded = folded_cells(points, cubic);
    let mut curves: Option<Curves> = None;
    while !folded.is_empty() {
        let curves = curves.get_or_insert_with(|| Curves::new(&cells, points));
        let lowered = folded.iter().filter(|cell| curves.lower(**cell)).count();
        if lowered == 0 {
            break;
        }
        curves.apply(points);
        folded = folded_cells(points, cubic);
    }
    let error = |((_, cubic), given): ((_, &[u32]), &Vec<DVec3>)| {
        lowering.error(given, &positions(points, cubic))
    };
    let error = cells.pairs().zip(&original).map(error).fold(0.0, f64::max);
    let size = original.iter().flatten().fold(0.0, |size: f64, p| size.max(p.abs().max_element()));
    Simplified {
        cell_count: curves.as_ref().map_or(0, Curves::simplified_cells),
        invalid: folded,
        error: if error <= ROUNDING * size { 0.0 } else { error },
    }
}

fn positions(points: &[DVec3], nodes: &[u32]) -> Vec<DVec3> {
    nodes.iter().map(|node| points[*node as usize]).collect()
}

/// Returns the cells that are not valid. A cell that is mirrored as a whole is valid: it will be reversed.
fn folded_cells(points: &[DVec3], cubic: &[u32]) -> Vec<usize> {
    let blocks = vec![Block { kind: Kind::Tet20, nodes: cubic.to_vec() }];
    let nodes = bernstein_points(&blocks, points);
    let mesh = Mesh { nodes, blocks, regions: Vec::new(), node_sets: Vec::new() };
    let invalid = mesh.invalid_cells().into_iter();
    invalid
        .filter(|(_, found)| found.status != CellStatus::Inverted)
        .map(|(cell, _)| cell)
        .collect()
}

/// The degree of a curved edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Degree {
    Straight,
    Quadratic,
    Cubic,
}

#[derive(Debug)]
struct Edge {
    /// Its nodes in order.
    nodes: [u32; 4],
    /// The middle of the curve in the file.
    middle: DVec3,
    degree: Degree,
}

impl Edge {
    /// The positions of the two inner nodes, at 1/3 and 2/3 of the edge; `None` if the edge is as sampled.
    ///
    /// ```text
    /// quadratic:  x(1/3) = (2 a + 8 m − b) / 9      straight:  x(1/3) = (2 a + b) / 3
    /// ```
    fn inner(&self, points: &[DVec3]) -> Option<[DVec3; 2]> {
        let [a, b] = [self.nodes[0], self.nodes[3]].map(|node| points[node as usize]);
        match self.degree {
            Degree::Cubic => None,
            Degree::Quadratic => {
                let at = |near: DVec3, far: DVec3| (2.0 * near + 8.0 * self.middle - far) / 9.0;
                Some([at(a, b), at(b, a)])
            }
            Degree::Straight => Some([(2.0 * a + b) / 3.0, (a + 2.0 * b) / 3.0]),
        }
    }
}

#[derive(Debug)]
struct Face {
    centre: u32,
    corners: [u32; 3],
    edge_nodes: [u32; 6],
    /// True if the centre follows from the edges.
    simple: bool,
}

impl Face {
    /// The centre of the surface that its edges alone determine.
    ///
    /// ```text
    /// x(1/3, 1/3) = ¼ Σ (6 nodes of edges) − ⅙ Σ (3 corners)
    /// ```
    ///
    /// Derived here: the weights that are equal among nodes of a kind and exact for quadratic surfaces.
    fn centre(&self, points: &[DVec3]) -> DVec3 {
        let sum = |nodes: &[u32]| nodes.iter().map(|node| points[*node as usize]).sum::<DVec3>();
        sum(&self.edge_nodes) / 4.0 - sum(&self.corners) / 6.0
    }
}

/// The edges and faces of the cubic cells.
#[derive(Debug, Default)]
struct Curves {
    edges: Vec<Edge>,
    faces: Vec<Face>,
    cell_edges: Vec<Vec<usize>>,
    cell_faces: Vec<Vec<usize>>,
}

impl Curves {
    fn new(cells: &Cells<'_>, points: &[DVec3]) -> Self {
        let mut curves = Self::default();
        let (mut known_edges, mut known_faces) = (BTreeMap::new(), BTreeMap::new());
        for (given, cubic) in cells.pairs() {
            let middles = cells.lowering.quadratic.apply(&positions(points, given));
            let of_cell = (0..edges(Kind::Tet20.shape()).len()).map(|edge| {
                let nodes = edge_nodes(Kind::Tet20, edge);
                let nodes = [0, 1, 2, 3].map(|k| cubic[nodes[k]]);
                let middle = middles[edge_nodes(Kind::Tet10, edge)[1]];
                let key = [nodes[0].min(nodes[3]), nodes[0].max(nodes[3])];
                *known_edges.entry(key).or_insert_with(|| {
                    curves.edges.push(Edge { nodes, middle, degree: Degree::Cubic });
                    curves.edges.len() - 1
                })
            });
            curves.cell_edges.push(of_cell.collect());
            let of_cell = (0..faces(Kind::Tet20.shape()).len()).map(|face| {
                let nodes = face_nodes(Kind::Tet20, face);
                // The nodes are in rows of 4, 3, 2 and 1: corners are 0, 3 and 9, and the centre is 5.
                let at = |k: usize| cubic[nodes[k]];
                *known_faces.entry(at(5)).or_insert_with(|| {
                    let (corners, edge_nodes) = ([0, 3, 9].map(at), [1, 2, 4, 6, 7, 8].map(at));
                    curves.faces.push(Face { centre: at(5), corners, edge_nodes, simple: false });
                    curves.faces.len() - 1
                })
            });
            curves.cell_faces.push(of_cell.collect());
        }
        curves
    }

    /// Lowers the degree of all edges of a cell by one, and simplifies its faces; returns true if an edge changed.
    fn lower(&mut self, cell: usize) -> bool {
        let mut changed = false;
        for edge in &self.cell_edges[cell] {
            let degree = &mut self.edges[*edge].degree;
            let lower = match degree {
                Degree::Cubic => Degree::Quadratic,
                _ => Degree::Straight,
            };
            changed |= lower != *degree;
            *degree = lower;
        }
        self.cell_faces[cell].iter().for_each(|face| self.faces[*face].simple = true);
        changed
    }

    /// Moves the nodes to the curves; faces beside a changed edge follow it.
    fn apply(&mut self, points: &mut [DVec3]) {
        let mut moved = vec![false; points.len()];
        for edge in &self.edges {
            if let Some(inner) = edge.inner(points) {
                for (node, position) in edge.nodes[1..3].iter().zip(inner) {
                    points[*node as usize] = position;
                    moved[*node as usize] = true;
                }
            }
        }
        for face in &mut self.faces {
            face.simple |= face.edge_nodes.iter().any(|node| moved[*node as usize]);
            if face.simple {
                points[face.centre as usize] = face.centre(points);
            }
        }
    }

    /// Number of cells with a changed edge or face.
    fn simplified_cells(&self) -> usize {
        self.cell_faces
            .iter()
            .filter(|faces| faces.iter().any(|face| self.faces[*face].simple))
            .count()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests may panic")]
mod tests {
    use std::path::Path;

    use pliant_kernels::element::lattice;

    use super::super::nodes::nodes;
    use super::*;
    use crate::{MeshFile, ReadError, gmsh};

    /// Corners of two tetrahedra with a common face.
    const CORNERS: [[f64; 3]; 5] =
        [[0.0, 0.0, 0.0], [1.0, 0.0, 0.1], [0.2, 1.0, 0.0], [0.1, 0.2, 1.0], [1.1, 1.2, 0.9]];
    const TETRAHEDRA: [[usize; 4]; 2] = [[0, 1, 2, 3], [1, 4, 2, 3]];

    /// Reads a Gmsh file of these tetrahedra in a degree, with every node moved by `place`. Each cell has nodes of its
    /// own, except corners.
    fn read(degree: usize, place: impl Fn(DVec3) -> DVec3) -> Result<MeshFile, ReadError> {
        let (mut points, mut cells) = (Vec::<DVec3>::new(), String::new());
        for (number, cell) in TETRAHEDRA.into_iter().enumerate() {
            let element = if degree == 4 { 30 } else { 31 };
            cells += &format!("{} {element} 2 1 1", number + 1);
            for weights in nodes(degree) {
                let corners = weights.iter().zip(cell);
                let mean: DVec3 = corners.map(|(w, c)| *w as f64 * DVec3::from(CORNERS[c])).sum();
                let point = place(mean / degree as f64);
                let known = points.iter().position(|other| (*other - point).length() < 1e-9);
                let node = known.unwrap_or_else(|| {
                    points.push(point);
                    points.len() - 1
                });
                cells += &format!(" {}", node + 1);
            }
            cells += "\n";
        }
        let lines = points.iter().enumerate();
        let lines: String =
            lines.map(|(k, p)| format!("{} {:?} {:?} {:?}\n", k + 1, p.x, p.y, p.z)).collect();
        let text = format!(
            "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{}\n{lines}$EndNodes\n$Elements\n2\n{cells}$EndElements\n",
            points.len()
        );
        gmsh::parse(Path::new("high.msh"), text.as_bytes())
    }

    /// A cubic map, so that the cells are exactly of degree 3.
    fn cubic(x: DVec3) -> DVec3 {
        x + 0.1 * DVec3::new(x.y * x.y * x.z, x.x * x.z - x.x.powi(3), x.x * x.y * x.y)
    }

    /// Cells of degree 4 and 5 with a cubic shape keep it: corners, edges and faces of the shape are those of the map.
    #[test]
    fn a_cubic_shape_in_a_higher_degree_is_kept() {
        for degree in [4, 5] {
            let file = read(degree, cubic).unwrap();
            assert_eq!((file.report.lowered_cells, file.report.simplified_cells), (2, 0));
            assert_eq!(file.report.lowering_error, 0.0, "degree {degree}");
            let matrix = pliant_kernels::element::lagrange_from_bernstein(Kind::Tet20);
            let first = file.mesh.cell_points(file.mesh.cell(0).1);
            for (found, [x, y, z]) in matrix.apply(&first).into_iter().zip(lattice(Kind::Tet20)) {
                let weights = [3 - x - y - z, x, y, z];
                let mean: DVec3 =
                    (0..4).map(|k| weights[k] as f64 / 3.0 * DVec3::from(CORNERS[k])).sum();
                // Rounding of interpolation at a few dozen nodes of size 1.
                assert!((found - cubic(mean)).length() < 1e-13, "degree {degree}: {found}");
            }
            file.mesh.certify().unwrap();
        }
    }

    /// A node that is pushed far into its cell folds the cell of degree 3; the edge is lowered, and both cells of the
    /// edge stay valid, with the same corners.
    #[test]
    fn folded_cells_get_a_simpler_shape() {
        let middle = (DVec3::from(CORNERS[1]) + DVec3::from(CORNERS[2])) / 2.0;
        let pushed = |x: DVec3| {
            let bump = (1.0 - (x - middle).length_squared() / 0.04).max(0.0);
            x + bump * (DVec3::new(0.5, 0.5, 0.5) - middle) * 3.0
        };
        let file = read(4, pushed).unwrap();
        assert!(file.report.simplified_cells > 0, "{:?}", file.report);
        assert!(file.report.lowering_error > 0.1, "{:?}", file.report);
        file.mesh.certify().unwrap();
        assert_eq!(file.mesh.nodes[0], DVec3::from(CORNERS[0]));
        assert!(file.report.notes().iter().any(|note| note.contains("straightened in part")));
    }

    /// A cell that is invalid at every degree is refused, with its number and the remedy: here the second cell is
    /// flattened into the plane of its common face.
    #[test]
    fn cells_without_a_valid_shape_are_refused_by_number() {
        let [_, a, b, c, tip] = CORNERS.map(DVec3::from);
        let normal = (b - a).cross(c - a).normalize();
        let outward = if normal.dot(tip - a) > 0.0 { normal } else { -normal };
        let flat = |x: DVec3| x - outward.dot(x - a).max(0.0) * outward;
        let error = read(4, flat).unwrap_err().to_string();
        assert!(error.contains("1 of 2 tetrahedra of degree 4"), "{error}");
        assert!(error.contains("cell 1;") && error.contains("-order 3"), "{error}");
    }
}
