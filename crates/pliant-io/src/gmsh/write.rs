//! Writes `.msh` files.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use glam::DVec3;
use pliant::element::Kind;
use pliant::mesh::Mesh;
use pliant_kernels::element::gmsh_order;

use crate::error::WriteError;
use crate::lagrange::{has_control_points, lagrange_points};
use crate::write::write_atomic;

use super::CONTROL_POINTS;
use super::element_type::{POINT, number};
use super::output::Output;

/// Version and encoding of a written file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Encoding {
    /// Version 4.1 as text.
    Text41,
    /// Version 4.1 in little-endian binary: half the size, and faster to read.
    #[default]
    Binary41,
    /// Version 2.2 as text, for older programs.
    Text22,
}

/// Writes a mesh with its degree, regions as physical volumes and node sets as physical points. Double quotes and
/// line ends in names become `_`, because the format cannot represent them.
pub fn write(path: &Path, mesh: &Mesh, encoding: Encoding) -> Result<(), WriteError> {
    mesh.check().map_err(|error| WriteError::Mesh { path: path.to_owned(), source: error })?;
    write_atomic(path, |writer| write_to(writer, mesh, encoding))
}

fn write_to(writer: &mut dyn Write, mesh: &Mesh, encoding: Encoding) -> io::Result<()> {
    let binary = encoding == Encoding::Binary41;
    let mut file = File { mesh, parts: Parts::new(mesh), output: Output::new(writer, binary) };
    file.header(encoding)?;
    file.names()?;
    let points = lagrange_points(mesh, &mesh.nodes);
    if encoding == Encoding::Text22 {
        file.nodes_v2(&points)?;
        file.elements_v2()?;
    } else {
        file.entities()?;
        file.nodes_v4(&points)?;
        file.elements_v4()?;
    }
    file.control_points()
}

struct File<'a> {
    mesh: &'a Mesh,
    parts: Parts,
    output: Output<'a>,
}

impl File<'_> {
    fn header(&mut self, encoding: Encoding) -> io::Result<()> {
        self.output.text("$MeshFormat")?;
        match encoding {
            Encoding::Text22 => self.output.text("2.2 0 8")?,
            Encoding::Text41 => self.output.text("4.1 0 8")?,
            Encoding::Binary41 => {
                self.output.text("4.1 1 8")?;
                self.output.int(1)?;
                self.output.end_numbers()?;
            }
        }
        self.output.text("$EndMeshFormat")
    }

    fn names(&mut self) -> io::Result<()> {
        let sets = self.mesh.node_sets.iter().map(|set| (0, &set.name));
        let regions = self.mesh.regions.iter().map(|region| (3, &region.name));
        let (set_count, region_count) = (self.mesh.node_sets.len(), self.mesh.regions.len());
        if set_count + region_count == 0 {
            return Ok(());
        }
        self.output.text("$PhysicalNames")?;
        self.output.text(&(set_count + region_count).to_string())?;
        for (k, (dimension, name)) in sets.chain(regions).enumerate() {
            let tag = if dimension == 0 { k + 1 } else { k + 1 - set_count };
            let name = name.replace(['"', '\n', '\r'], "_");
            self.output.text(&format!("{dimension} {tag} \"{name}\""))?;
        }
        self.output.text("$EndPhysicalNames")
    }

    /// Writes a point entity for each node set, and a volume for each combination of regions.
    fn entities(&mut self) -> io::Result<()> {
        self.output.text("$Entities")?;
        for count in [self.mesh.node_sets.len(), 0, 0, self.parts.used.len()] {
            self.output.size(count)?;
        }
        self.output.end_line()?;
        for (k, set) in self.mesh.node_sets.iter().enumerate() {
            let first = set.nodes.first().map_or(DVec3::ZERO, |n| self.mesh.nodes[*n as usize]);
            self.output.int(k as i32 + 1)?;
            self.output.point(first)?;
            self.tags(&[k as i32 + 1])?;
            self.output.end_line()?;
        }
        let (low, high) = self.mesh.bounds();
        for part in self.parts.used.clone() {
            self.output.int(part as i32 + 1)?;
            self.output.point(low)?;
            self.output.point(high)?;
            let regions = self.parts.regions[part as usize].clone();
            self.tags(&regions)?;
            self.tags(&[])?;
            self.output.end_line()?;
        }
        self.output.end_numbers()?;
        self.output.text("$EndEntities")
    }

    fn tags(&mut self, tags: &[i32]) -> io::Result<()> {
        self.output.size(tags.len())?;
        tags.iter().try_for_each(|tag| self.output.int(*tag))
    }

    fn nodes_v4(&mut self, points: &[DVec3]) -> io::Result<()> {
        self.output.text("$Nodes")?;
        self.sizes(&[1, points.len(), 1, points.len()])?;
        let part = self.parts.used.first().map_or(1, |part| *part as i32 + 1);
        self.block_header(3, part, 0, points.len())?;
        for tag in 1..=points.len() {
            self.sizes(&[tag])?;
        }
        for point in points {
            self.output.point(*point)?;
            self.output.end_line()?;
        }
        self.output.end_numbers()?;
        self.output.text("$EndNodes")
    }

    /// Writes runs of cells of one kind and part as blocks, so that cells keep their order.
    fn elements_v4(&mut self) -> io::Result<()> {
        let runs = self.parts.runs(self.mesh);
        let sets = &self.mesh.node_sets;
        let set_nodes: usize = sets.iter().map(|set| set.nodes.len()).sum();
        let count = self.mesh.cell_count() + set_nodes;
        self.output.text("$Elements")?;
        self.sizes(&[runs.len() + sets.len(), count, 1, count])?;
        let mut tag = 1;
        let mut cells = self.mesh.cells();
        for Run { kind, part, length } in runs {
            self.block_header(3, part as i32 + 1, number(kind), length)?;
            let order = gmsh_order(kind);
            for (_, cell) in cells.by_ref().take(length) {
                self.output.size(tag)?;
                for place in &order {
                    self.output.size(cell[*place] as usize + 1)?;
                }
                self.output.end_line()?;
                tag += 1;
            }
        }
        for (k, set) in sets.iter().enumerate() {
            self.block_header(0, k as i32 + 1, POINT, set.nodes.len())?;
            for node in &set.nodes {
                self.sizes(&[tag, *node as usize + 1])?;
                tag += 1;
            }
        }
        self.output.end_numbers()?;
        self.output.text("$EndElements")
    }

    fn sizes(&mut self, sizes: &[usize]) -> io::Result<()> {
        sizes.iter().try_for_each(|size| self.output.size(*size))?;
        self.output.end_line()
    }

    fn block_header(&mut self, dim: i32, entity: i32, third: i32, count: usize) -> io::Result<()> {
        [dim, entity, third].into_iter().try_for_each(|value| self.output.int(value))?;
        self.output.size(count)?;
        self.output.end_line()
    }

    fn nodes_v2(&mut self, points: &[DVec3]) -> io::Result<()> {
        self.output.text("$Nodes")?;
        self.sizes(&[points.len()])?;
        for (k, point) in points.iter().enumerate() {
            self.output.size(k + 1)?;
            self.output.point(*point)?;
            self.output.end_line()?;
        }
        self.output.text("$EndNodes")
    }

    /// Writes a cell of several regions once for each of them, as the format requires.
    fn elements_v2(&mut self) -> io::Result<()> {
        let mut elements: Vec<Vec<usize>> = Vec::new();
        let mut parts = self.parts.of_cell.iter();
        for block in &self.mesh.blocks {
            let order = gmsh_order(block.kind);
            for (cell, part) in block.cells().zip(parts.by_ref()) {
                let nodes: Vec<usize> = order.iter().map(|at| cell[*at] as usize + 1).collect();
                let regions = &self.parts.regions[*part as usize];
                for region in if regions.is_empty() { &[0][..] } else { regions } {
                    let kind = number(block.kind) as usize;
                    let head = [kind, 2, *region as usize, *part as usize + 1];
                    elements.push([&head[..], &nodes].concat());
                }
            }
        }
        for (k, set) in self.mesh.node_sets.iter().enumerate() {
            let point = |node: &u32| vec![POINT as usize, 2, k + 1, k + 1, *node as usize + 1];
            elements.extend(set.nodes.iter().map(point));
        }
        self.output.text("$Elements")?;
        self.sizes(&[elements.len()])?;
        for (k, element) in elements.iter().enumerate() {
            self.output.size(k + 1)?;
            self.sizes(element)?;
        }
        self.output.text("$EndElements")
    }

    fn control_points(&mut self) -> io::Result<()> {
        if !has_control_points(self.mesh) {
            return Ok(());
        }
        self.output.text(&format!("${CONTROL_POINTS}"))?;
        self.output.text(&self.mesh.nodes.len().to_string())?;
        for point in &self.mesh.nodes {
            self.output.text(&format!("{:?} {:?} {:?}", point.x, point.y, point.z))?;
        }
        self.output.text(&format!("$End{CONTROL_POINTS}"))
    }
}

/// The mesh divided by its regions: a part is the cells with the same set of regions, and becomes an entity of Gmsh.
struct Parts {
    /// The part of each cell.
    of_cell: Vec<u32>,
    /// Tags of the regions of each part, in ascending order.
    regions: Vec<Vec<i32>>,
    /// Parts with cells, in ascending order.
    used: Vec<u32>,
}

/// Consecutive cells of one kind and part.
struct Run {
    kind: Kind,
    part: u32,
    length: usize,
}

impl Parts {
    fn new(mesh: &Mesh) -> Self {
        let mut of_cell = vec![0; mesh.cell_count()];
        let mut regions = vec![Vec::new()];
        let mut joined = BTreeMap::new();
        for (k, region) in mesh.regions.iter().enumerate() {
            for cell in &region.cells {
                // All cells of a part that are also in region k form one new part.
                let part = &mut of_cell[*cell as usize];
                *part = *joined.entry((*part, k)).or_insert_with(|| {
                    let tags = [&regions[*part as usize][..], &[k as i32 + 1]].concat();
                    regions.push(tags);
                    regions.len() as u32 - 1
                });
            }
        }
        let mut used = of_cell.clone();
        used.sort_unstable();
        used.dedup();
        Self { of_cell, regions, used }
    }

    fn runs(&self, mesh: &Mesh) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        for ((kind, _), part) in mesh.cells().zip(&self.of_cell) {
            match runs.last_mut() {
                Some(run) if run.kind == kind && run.part == *part => run.length += 1,
                _ => runs.push(Run { kind, part: *part, length: 1 }),
            }
        }
        runs
    }
}
