//! Reads TetGen's `.node` and `.ele` files.
//!
//! The number of the first node, 0 or 1, is the base of all numbers. The region attribute of tetrahedra becomes
//! regions `region_N`; nonzero boundary markers of nodes become node sets `marker_N`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use glam::DVec3;
use pliant::element::Kind;
use pliant_kernels::element::{edge_nodes, edges};

use crate::error::ReadError;
use crate::file_mesh::{FileCellKind, FileMesh, Groups, numbered_groups};
use crate::mesh_file::{MeshFile, ReadReport};
use crate::scanner::Scanner;
use crate::source::{Source, read_bytes};

/// Edges in the order in which TetGen lists their nodes (observed in files of TetGen 1.6).
const EDGES: [[usize; 2]; 6] = [[2, 3], [0, 3], [0, 1], [1, 2], [1, 3], [0, 2]];

/// Reads a pair of files; `path` may be either.
pub fn read(path: &Path) -> Result<MeshFile, ReadError> {
    let (node_path, ele_path) = (path.with_extension("node"), path.with_extension("ele"));
    let (nodes, elements) = (read_bytes(&node_path)?, read_bytes(&ele_path)?);
    parse_files([&node_path, &ele_path], &nodes, &elements)
}

/// Reads a pair of files from memory; errors name `path` with their extensions.
///
/// ```
/// let nodes = b"4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n";
/// let elements = b"1 4 1\n1 1 2 3 4 7\n";
/// let file = pliant_io::tetgen::parse("one.ele".as_ref(), nodes, elements)?;
/// assert_eq!(file.mesh.regions[0].name, "region_7");
/// # Ok::<(), pliant_io::ReadError>(())
/// ```
pub fn parse(path: &Path, nodes: &[u8], elements: &[u8]) -> Result<MeshFile, ReadError> {
    let paths: [PathBuf; 2] = [path.with_extension("node"), path.with_extension("ele")];
    parse_files([&paths[0], &paths[1]], nodes, elements)
}

fn parse_files(paths: [&Path; 2], nodes: &[u8], elements: &[u8]) -> Result<MeshFile, ReadError> {
    let node_source = Source::text(paths[0], nodes)?;
    let ele_source = Source::text(paths[1], elements)?;
    let nodes = Nodes::read(node_source)?;
    let first = nodes.first;
    let mut file_mesh = FileMesh::new(nodes.points);
    file_mesh.node_sets = nodes.sets;
    read_elements(ele_source, first, &mut file_mesh)?;
    file_mesh.finish(&ele_source, ReadReport::new("TetGen"))
}

/// Contents of a `.node` file.
struct Nodes {
    /// Number of the first node: 0 or 1.
    first: u64,
    points: Vec<DVec3>,
    sets: Groups,
}

impl Nodes {
    fn read(source: Source<'_>) -> Result<Self, ReadError> {
        let mut scanner = Scanner::new(source).with_comments(b'#');
        let count = scanner.count(8, "a number of nodes")?;
        let dimension: u64 = scanner.number("a dimension")?;
        if dimension != 3 {
            return Err(scanner.unexpected_word(dimension.to_string().as_bytes(), "dimension 3"));
        }
        let attribute_count: u64 = scanner.number("a number of attributes")?;
        let has_marker = scanner.number::<u64>("0 or 1 for boundary markers")? != 0;
        let mut nodes = Self { first: 0, points: Vec::with_capacity(count), sets: Groups::new() };
        let mut markers: BTreeMap<i64, Vec<u32>> = BTreeMap::new();
        for node in 0..count {
            let number = scanner.number("a node number")?;
            nodes.check_number(&scanner, node, number)?;
            nodes.points.push(scanner.point()?);
            for _ in 0..attribute_count {
                scanner.number::<f64>("an attribute")?;
            }
            let marker = if has_marker { scanner.number("a boundary marker")? } else { 0 };
            if marker != 0 {
                markers.entry(marker).or_default().push(node as u32);
            }
        }
        nodes.sets = numbered_groups("marker", markers);
        Ok(nodes)
    }

    /// Checks that nodes are numbered consecutively from 0 or 1.
    fn check_number(
        &mut self,
        scanner: &Scanner<'_>,
        node: usize,
        number: u64,
    ) -> Result<(), ReadError> {
        if node == 0 && number <= 1 {
            self.first = number;
        }
        let expected = self.first + node as u64;
        if number == expected {
            return Ok(());
        }
        let found = format!("node number {number}");
        Err(scanner.source.unexpected(scanner.line(), found, expected.to_string()))
    }
}

fn read_elements(
    source: Source<'_>,
    first: u64,
    file_mesh: &mut FileMesh,
) -> Result<(), ReadError> {
    let mut scanner = Scanner::new(source).with_comments(b'#');
    let count = scanner.count(10, "a number of tetrahedra")?;
    let kind = match scanner.number("a number of nodes per tetrahedron")? {
        4 => Kind::Tet4,
        10 => Kind::Tet10,
        other => {
            let other: u64 = other;
            return Err(scanner
                .unexpected_word(other.to_string().as_bytes(), "4 or 10 nodes per tetrahedron"));
        }
    };
    let attribute_count: u64 = scanner.number("a number of attributes")?;
    let (order, mut nodes) = (order(kind), vec![0; kind.node_count()]);
    let mut regions: BTreeMap<i64, Vec<u32>> = BTreeMap::new();
    for cell in 0..count {
        scanner.number::<u64>("a tetrahedron's number")?;
        for place in &order {
            nodes[*place] = read_node(&mut scanner, first, file_mesh.points.len())?;
        }
        file_mesh.push_cell(FileCellKind::Of(kind), &nodes);
        for attribute in 0..attribute_count {
            // Regions have whole numbers, but a file may write them as reals.
            let value = scanner.real("a region attribute")?;
            if attribute == 0 {
                regions.entry(value as i64).or_default().push(cell as u32);
            }
        }
    }
    file_mesh.regions = numbered_groups("region", regions);
    Ok(())
}

/// Returns the local node of the engine at each place of a TetGen cell.
fn order(kind: Kind) -> Vec<usize> {
    let mut order: Vec<usize> = (0..4).collect();
    if kind == Kind::Tet10 {
        let same = |a: [usize; 2], b: [usize; 2]| a == b || a == [b[1], b[0]];
        for wanted in EDGES {
            let ours = edges(kind.shape()).iter().position(|edge| same(*edge, wanted));
            order.extend(ours.map(|edge| edge_nodes(kind, edge)[1]));
        }
    }
    order
}

fn read_node(scanner: &mut Scanner<'_>, first: u64, count: usize) -> Result<u32, ReadError> {
    let number: u64 = scanner.number("a node number")?;
    let index = number.checked_sub(first).filter(|index| *index < count as u64);
    index.map(|index| index as u32).ok_or_else(|| {
        let last = (first + count as u64).saturating_sub(1);
        let found = format!("node {number}");
        scanner.source.unexpected(scanner.line(), found, format!("{first} to {last}"))
    })
}
