//! Converts the arrays of a file to a mesh.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::Path;

use glam::DVec3;

use crate::error::ReadError;
use crate::file_mesh::{FileMesh, Groups, numbered_groups};
use crate::mesh_file::{MeshFile, ReadReport};
use crate::scanner::expected_finite;
use crate::source::{Source, read_bytes};

use super::cell_type::{CellType, cell_type};
use super::xml::{Array, Document, Section};
use super::{CONTROL_POINT, NODE_SET_PREFIX, REGION_PREFIX};

/// Cell arrays in which other programs store materials.
const REGION_ARRAYS: [&str; 8] = [
    "region",
    "material",
    "Material",
    "MaterialIds",
    "gmsh:physical",
    "medit:ref",
    "CellEntityIds",
    "attribute",
];

/// Reads a `.vtu` file.
pub fn read(path: &Path) -> Result<MeshFile, ReadError> {
    parse(path, &read_bytes(path)?)
}

/// Reads a `.vtu` file from memory; errors name `path`.
pub fn parse(path: &Path, bytes: &[u8]) -> Result<MeshFile, ReadError> {
    let source = Source::text(path, bytes)?;
    let document = Document::parse(source)?;
    let mut file_mesh = FileMesh::new(document.points()?);
    let cells = document.cells(&mut file_mesh)?;
    file_mesh.control_points = document.control_points()?;
    file_mesh.regions = document.regions(&cells)?;
    file_mesh.node_sets = document.node_sets()?;
    file_mesh.finish(&source, ReadReport::new("VTU"))
}

/// The number of each of the file's cells in the file mesh; `None` if it is not a volume cell.
type CellNumbers = Vec<Option<u32>>;

impl Document<'_> {
    fn points(&self) -> Result<Vec<DVec3>, ReadError> {
        let array = self.required(Section::Points, "Points")?;
        self.vectors(array)
    }

    fn vectors(&self, array: &Array<'_>) -> Result<Vec<DVec3>, ReadError> {
        if array.components != 3 {
            let found = format!("{} components in `{}`", array.components, array.name);
            return Err(self.unexpected(array.at, found, "3"));
        }
        let values = self.reals(array, self.point_count)?;
        if let Some(at) = values.iter().position(|value| !value.is_finite()) {
            let found = format!("{} at point {}", values[at], at / 3);
            return Err(self.unexpected(array.at, found, expected_finite("a coordinate")));
        }
        Ok(values.chunks_exact(3).map(DVec3::from_slice).collect())
    }

    /// Returns the exact control points, if Pliant wrote the file.
    fn control_points(&self) -> Result<Option<Vec<DVec3>>, ReadError> {
        let array = self.in_section(Section::PointData).find(|array| array.name == CONTROL_POINT);
        array.map(|array| self.vectors(array)).transpose()
    }

    /// Adds the volume cells to the file mesh.
    fn cells(&self, file_mesh: &mut FileMesh) -> Result<CellNumbers, ReadError> {
        let offsets = self.integers(self.required(Section::Cells, "offsets")?, self.cell_count)?;
        let types = self.integers(self.required(Section::Cells, "types")?, self.cell_count)?;
        let ends = self.ends(&offsets)?;
        let connectivity = self.required(Section::Cells, "connectivity")?;
        let nodes = self.integers(connectivity, ends.last().copied().unwrap_or(0))?;
        let mut known: BTreeMap<(i64, usize), CellType> = BTreeMap::new();
        let mut numbers = CellNumbers::new();
        let mut start = 0;
        for (cell, (number, end)) in types.into_iter().zip(ends).enumerate() {
            let nodes = &nodes[start..end];
            let key = (number, nodes.len());
            let cell_type = match known.entry(key) {
                Entry::Occupied(entry) => entry.into_mut(),
                Entry::Vacant(entry) => entry.insert(self.cell_type(cell, key, connectivity.at)?),
            };
            numbers.push(self.push_cell(file_mesh, cell, cell_type, nodes, connectivity.at)?);
            start = end;
        }
        Ok(numbers)
    }

    /// Adds a cell to the file mesh; returns its number there if it is a volume cell.
    fn push_cell(
        &self,
        file_mesh: &mut FileMesh,
        cell: usize,
        cell_type: &CellType,
        nodes: &[i64],
        at: usize,
    ) -> Result<Option<u32>, ReadError> {
        match cell_type {
            CellType::Cell { kind, order } => {
                let mut ordered = vec![0; order.len()];
                for (node, place) in nodes.iter().zip(order) {
                    ordered[*place] = self.node(cell, *node, at)?;
                }
                file_mesh.push_cell(*kind, &ordered);
                Ok(Some(file_mesh.cell_count() as u32 - 1))
            }
            CellType::Boundary { is_face } => {
                file_mesh.face_count += usize::from(*is_face);
                Ok(None)
            }
            CellType::Unsupported { .. } => unreachable!("refused when looked up"),
        }
    }

    /// Returns the end of each cell's nodes, in ascending order.
    fn ends(&self, offsets: &[i64]) -> Result<Vec<usize>, ReadError> {
        let at = self.required(Section::Cells, "offsets")?.at;
        let mut last = 0;
        let mut ends = Vec::with_capacity(offsets.len());
        for (cell, offset) in offsets.iter().enumerate() {
            if *offset < last {
                let found = format!("offset {offset} of cell {cell}");
                return Err(self.unexpected(at, found, format!("at least {last}")));
            }
            last = *offset;
            ends.push(last as usize);
        }
        Ok(ends)
    }

    fn cell_type(
        &self,
        cell: usize,
        (number, node_count): (i64, usize),
        at: usize,
    ) -> Result<CellType, ReadError> {
        match cell_type(number, node_count) {
            Some(CellType::Unsupported { what, instead }) => {
                Err(self.unsupported(at, format!("cell {cell}, {what},"), instead))
            }
            Some(known) => Ok(known),
            None => {
                let found = format!("cell {cell} of VTK type {number} with {node_count} nodes");
                Err(self.unexpected(at, found, "a known cell type with its number of nodes"))
            }
        }
    }

    fn node(&self, cell: usize, node: i64, at: usize) -> Result<u32, ReadError> {
        let in_range = usize::try_from(node).is_ok_and(|node| node < self.point_count);
        if in_range {
            return Ok(node as u32);
        }
        let found = format!("point {node} in cell {cell}");
        let expected = format!("0 to {}", self.point_count.saturating_sub(1));
        Err(self.unexpected(at, found, expected))
    }

    fn regions(&self, cells: &CellNumbers) -> Result<Groups, ReadError> {
        let members = |values: &[f64], value: f64| -> Vec<u32> {
            let equal = values.iter().zip(cells).filter(|(other, _)| **other == value);
            equal.filter_map(|(_, cell)| *cell).collect()
        };
        let mut groups = Groups::new();
        for (name, array) in self.prefixed(Section::CellData, REGION_PREFIX) {
            groups.push((name, members(&self.reals(array, cells.len())?, 1.0)));
        }
        if groups.is_empty() {
            let known = |array: &&Array<'_>| REGION_ARRAYS.contains(&array.name.as_str());
            let array = self.in_section(Section::CellData).find(known);
            if let Some(array) = array.filter(|array| array.components == 1) {
                groups = by_value(&self.reals(array, cells.len())?, cells);
            }
        }
        Ok(groups)
    }

    fn node_sets(&self) -> Result<Groups, ReadError> {
        let mut groups = Groups::new();
        for (name, array) in self.prefixed(Section::PointData, NODE_SET_PREFIX) {
            let values = self.reals(array, self.point_count)?;
            let inside = values.iter().enumerate().filter(|(_, value)| **value == 1.0);
            groups.push((name, inside.map(|(node, _)| node as u32).collect()));
        }
        Ok(groups)
    }

    /// Returns the arrays of one component whose names have the prefix, with the rest of their names.
    fn prefixed(&self, section: Section, prefix: &str) -> Vec<(String, &Array<'_>)> {
        let named = |array| Some((Array::name_after(array, prefix)?, array));
        self.in_section(section).filter(|array| array.components == 1).filter_map(named).collect()
    }
}

impl Array<'_> {
    fn name_after(&self, prefix: &str) -> Option<String> {
        self.name.strip_prefix(prefix).map(str::to_owned)
    }
}

/// Returns a region for each value of an array, in ascending order; negative values mean no region.
fn by_value(values: &[f64], cells: &CellNumbers) -> Groups {
    let mut groups: BTreeMap<i64, Vec<u32>> = BTreeMap::new();
    for (value, cell) in values.iter().zip(cells) {
        if let (Some(cell), true) = (cell, *value >= 0.0 && value.fract() == 0.0) {
            groups.entry(*value as i64).or_default().push(*cell);
        }
    }
    numbered_groups("region", groups)
}
