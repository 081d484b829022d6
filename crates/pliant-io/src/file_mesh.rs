//! A mesh as stored in its file, and its conversion to control points and blocks.
//!
//! Files contain Lagrange nodes, which lie on the cells; a [`Mesh`] contains Bernstein control points. Files also
//! contain cells without an element in the engine that it can still represent: tetrahedra of high degrees and
//! hexahedra without inner nodes. Every reader fills a [`FileMesh`]; [`FileMesh::finish`] does the rest.

use std::collections::BTreeMap;

use glam::DVec3;
use pliant::element::Kind;
use pliant::mesh::{Block, Mesh, NodeSet, Region};

use crate::error::ReadError;
use crate::high_degree;
use crate::lagrange::bernstein_points;
use crate::mesh_file::{MeshFile, ReadReport, finish};
use crate::resample::resample;
use crate::source::Source;

/// Maximum distance of stored control points from those computed from the nodes, relative to the size of the mesh.
/// Rounding in the file is far smaller, an edit larger.
const CONTROL_POINT_TOLERANCE: f64 = 1e-6;

/// The kind of a cell in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FileCellKind {
    /// One of the engine's kinds, with nodes in the order of its lattice.
    Of(Kind),
    /// A tetrahedron of degree 4 to [`high_degree::MAX_DEGREE`], with nodes in Gmsh's order.
    HighTet {
        /// Its degree.
        degree: usize,
    },
    /// A hexahedron with nodes on corners and edges: the first 20 of [`Kind::Hex27`].
    Hex20,
}

impl FileCellKind {
    /// Number of nodes per cell in the file.
    pub(crate) fn node_count(self) -> usize {
        match self {
            Self::Of(kind) => kind.node_count(),
            Self::HighTet { degree } => high_degree::node_count(degree),
            Self::Hex20 => 20,
        }
    }

    /// The kind that its cells are converted to.
    pub(crate) fn engine_kind(self) -> Kind {
        match self {
            Self::Of(kind) => kind,
            Self::HighTet { .. } => Kind::Tet20,
            Self::Hex20 => Kind::Hex27,
        }
    }
}

/// Named groups, with members in the order of the file.
pub(crate) type Groups = Vec<(String, Vec<u32>)>;

/// Names groups by their numbers in the file: `what_3`.
pub(crate) fn numbered_groups(what: &str, groups: BTreeMap<i64, Vec<u32>>) -> Groups {
    groups.into_iter().map(|(number, members)| (format!("{what}_{number}"), members)).collect()
}

/// A mesh as stored in its file.
#[derive(Debug, Default)]
pub(crate) struct FileMesh {
    /// Lagrange nodes.
    pub(crate) points: Vec<DVec3>,
    /// Cells in the order of the file.
    pub(crate) blocks: Vec<(FileCellKind, Vec<u32>)>,
    cell_count: usize,
    /// Groups of cells, with cell numbers in the order of the file. Names may repeat.
    pub(crate) regions: Groups,
    /// Groups of nodes. Names may repeat.
    pub(crate) node_sets: Groups,
    /// Control points of all nodes, if the file contains them.
    pub(crate) control_points: Option<Vec<DVec3>>,
    /// Number of faces, for the error about files without volume cells.
    pub(crate) face_count: usize,
}

impl FileMesh {
    /// Creates a file mesh with nodes but no cells.
    pub(crate) fn new(points: Vec<DVec3>) -> Self {
        Self { points, ..Self::default() }
    }

    /// Number of cells so far.
    pub(crate) fn cell_count(&self) -> usize {
        self.cell_count
    }

    /// Appends a cell.
    pub(crate) fn push_cell(&mut self, kind: FileCellKind, nodes: &[u32]) {
        self.cell_count += 1;
        match self.blocks.last_mut() {
            Some((last, all)) if *last == kind => all.extend_from_slice(nodes),
            _ => self.blocks.push((kind, nodes.to_vec())),
        }
    }

    /// Converts it to a mesh of the engine.
    pub(crate) fn finish(
        mut self,
        source: &Source<'_>,
        mut report: ReadReport,
    ) -> Result<MeshFile, ReadError> {
        if self.blocks.is_empty() && self.face_count > 0 {
            let (path, face_count) = (source.path.to_owned(), self.face_count);
            return Err(ReadError::SurfaceOnly { path, face_count });
        }
        resample(&mut self, source, &mut report)?;
        let (mut blocks, renumbered) = self.merged_blocks();
        let kept = self.kept_nodes(&mut blocks, &mut report);
        let node_count = self.points.len();
        let place: Vec<Option<u32>> = inverse(&kept, node_count);
        let nodes = self.control_points(&kept, &blocks, &mut report);
        let regions = merged_groups(self.regions, |cell| Some(renumbered[cell as usize]));
        let node_sets = merged_groups(self.node_sets, |node| place[node as usize]);
        let mesh = Mesh {
            nodes,
            blocks,
            regions: regions.into_iter().map(|(name, cells)| Region { name, cells }).collect(),
            node_sets: node_sets.into_iter().map(|(name, nodes)| NodeSet { name, nodes }).collect(),
        };
        finish(source, mesh, report)
    }

    /// Returns one block per kind, in order of first appearance, and the new number of every cell.
    fn merged_blocks(&self) -> (Vec<Block>, Vec<u32>) {
        let mut blocks: Vec<Block> = Vec::new();
        let mut places = Vec::new();
        for (kind, nodes) in &self.blocks {
            let kind = kind.engine_kind();
            let known = blocks.iter().position(|block| block.kind == kind);
            let index = known.unwrap_or_else(|| {
                blocks.push(Block { kind, nodes: Vec::new() });
                blocks.len() - 1
            });
            let first = blocks[index].cell_count();
            blocks[index].nodes.extend_from_slice(nodes);
            places.extend((first..blocks[index].cell_count()).map(|local| (index, local)));
        }
        // The new number of a cell is its position in its block plus the number of cells in earlier blocks.
        let starts: Vec<usize> = blocks
            .iter()
            .scan(0, |sum, block| Some(std::mem::replace(sum, *sum + block.cell_count())))
            .collect();
        let renumbered = places.iter().map(|(index, local)| (starts[*index] + local) as u32);
        (blocks, renumbered.collect())
    }

    /// Removes the nodes that no cell uses; returns the old numbers of the others, in ascending order.
    fn kept_nodes(&self, blocks: &mut [Block], report: &mut ReadReport) -> Vec<u32> {
        let mut used = vec![false; self.points.len()];
        for node in blocks.iter().flat_map(|block| &block.nodes) {
            used[*node as usize] = true;
        }
        let kept: Vec<u32> = (0..used.len() as u32).filter(|node| used[*node as usize]).collect();
        let place = inverse(&kept, used.len());
        for node in blocks.iter_mut().flat_map(|block| &mut block.nodes) {
            *node = place[*node as usize].expect("a node of a cell is kept");
        }
        // Nodes that resampling replaced are not counted: the file is not at fault.
        if report.lowered_cells == 0 {
            report.dropped_nodes = used.len() - kept.len();
        }
        kept
    }

    /// Returns the control points of the kept nodes: those in the file if they match, else those computed from the
    /// Lagrange nodes.
    fn control_points(
        &self,
        kept: &[u32],
        blocks: &[Block],
        report: &mut ReadReport,
    ) -> Vec<DVec3> {
        let pick = |points: &[DVec3]| -> Vec<DVec3> {
            kept.iter().map(|node| points[*node as usize]).collect()
        };
        let found = bernstein_points(blocks, &pick(&self.points));
        let Some(stored) = &self.control_points else { return found };
        if stored.len() == self.points.len() {
            let stored = pick(stored);
            if agree(&stored, &found) {
                return stored;
            }
        }
        report.control_points_ignored = true;
        found
    }
}

/// Returns true if two sets of points are equal up to rounding.
fn agree(a: &[DVec3], b: &[DVec3]) -> bool {
    let size = b.iter().fold(0.0, |size: f64, point| size.max(point.abs().max_element()));
    a.iter().zip(b).all(|(a, b)| (*a - *b).length() <= CONTROL_POINT_TOLERANCE * size)
}

/// Returns the new index of each old one; `kept` lists the old indices that stay.
fn inverse(kept: &[u32], count: usize) -> Vec<Option<u32>> {
    let mut place = vec![None; count];
    for (new, old) in kept.iter().enumerate() {
        place[*old as usize] = Some(new as u32);
    }
    place
}

/// Merges groups of the same name, in order of first appearance; the members are renumbered, sorted and unique. Empty
/// groups are dropped.
fn merged_groups(groups: Groups, renumber: impl Fn(u32) -> Option<u32>) -> Groups {
    let mut index = BTreeMap::new();
    let mut merged: Groups = Vec::new();
    for (name, members) in groups {
        let at = *index.entry(name.clone()).or_insert_with(|| {
            merged.push((name, Vec::new()));
            merged.len() - 1
        });
        merged[at].1.extend(members.into_iter().filter_map(&renumber));
    }
    for (_, members) in &mut merged {
        members.sort_unstable();
        members.dedup();
    }
    merged.retain(|(_, members)| !members.is_empty());
    merged
}
