//! The contents of all sections of a file.

use std::collections::BTreeMap;

use glam::DVec3;

use crate::error::ReadError;
use crate::file_mesh::{FileMesh, Groups};
use crate::mesh_file::ReadReport;
use crate::source::Source;

use super::element_type::{ElementType, ElementTypes};
use super::input::Input;
use super::node_tags::NodeTags;
use super::read_v2::PhysicalCells;

/// A dimension and a tag, which together identify an entity or a physical group.
pub(super) type DimTag = (i64, i64);

/// The data read so far.
#[derive(Debug, Default)]
pub(super) struct Contents {
    pub(super) file_mesh: FileMesh,
    pub(super) tags: NodeTags,
    pub(super) types: ElementTypes,
    /// Names of physical groups.
    names: BTreeMap<DimTag, String>,
    /// Physical groups of each entity (version 4).
    pub(super) physicals: BTreeMap<DimTag, Vec<i64>>,
    /// Members of each physical group: cells of volumes, nodes of all others.
    pub(super) groups: BTreeMap<DimTag, Vec<u32>>,
    /// Cells not yet in the file mesh (version 2).
    pub(super) pending: PhysicalCells,
}

impl Contents {
    /// Reads `$PhysicalNames`, which is text in every encoding.
    pub(super) fn read_names(&mut self, input: &mut Input<'_>) -> Result<(), ReadError> {
        let count = input.scanner.count(4, "a number of names")?;
        for _ in 0..count {
            let dimension = input.scanner.number("a dimension")?;
            let tag = input.scanner.number("a tag")?;
            let line = input.scanner.rest_of_line();
            let name = line.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\""));
            let name = name.ok_or_else(|| {
                input
                    .scanner
                    .unexpected_word(line, "a name in double quotes after dimension and tag")
            })?;
            self.names.insert((dimension, tag), String::from_utf8_lossy(name).into_owned());
        }
        Ok(())
    }

    /// Reads `$PliantControlPoints`, which is text in every encoding.
    pub(super) fn read_control_points(&mut self, input: &mut Input<'_>) -> Result<(), ReadError> {
        let count = input.scanner.count(6, "a number of control points")?;
        let points: Result<Vec<DVec3>, _> = (0..count).map(|_| input.scanner.point()).collect();
        self.file_mesh.control_points = Some(points?);
        Ok(())
    }

    /// Stores the nodes, sorted by tag.
    pub(super) fn set_nodes(
        &mut self,
        input: &Input<'_>,
        tags: &[u64],
        points: &[DVec3],
    ) -> Result<(), ReadError> {
        if !self.tags.is_empty() {
            return Err(input.unexpected("a second section of nodes", "one"));
        }
        let (sorted, order) = NodeTags::new(tags).map_err(|tag| {
            input.unexpected(format!("node tag {tag} twice"), "a unique tag for every node")
        })?;
        self.tags = sorted;
        self.file_mesh.points = order.into_iter().map(|index| points[index as usize]).collect();
        Ok(())
    }

    /// Returns the element type with this number.
    pub(super) fn element_type(
        &mut self,
        input: &Input<'_>,
        number: i64,
    ) -> Result<ElementType, ReadError> {
        match self.types.of(number) {
            Some(ElementType::Unsupported { what, instead }) => {
                Err(input.scanner.source.unsupported(input.place(), *what, *instead))
            }
            Some(known) => Ok(known.clone()),
            None => {
                Err(input.unexpected(format!("element type {number}"), "an element type of Gmsh"))
            }
        }
    }

    /// Returns the index of the node with this tag.
    pub(super) fn node(&self, input: &Input<'_>, tag: u64) -> Result<u32, ReadError> {
        self.tags.index(tag).ok_or_else(|| {
            input.unexpected(format!("node tag {tag} in an element"), self.tags.range())
        })
    }

    /// Returns the nodes, cells and named groups as a file mesh.
    pub(super) fn into_file_mesh(
        mut self,
        source: &Source<'_>,
        report: &mut ReadReport,
    ) -> Result<FileMesh, ReadError> {
        if self.tags.is_empty() {
            let place = source.line(source.bytes.len());
            return Err(source.unexpected(place, "no nodes", "a section `$Nodes`"));
        }
        let pending = std::mem::take(&mut self.pending);
        pending.move_into(&mut self, report);
        for ((dimension, tag), members) in std::mem::take(&mut self.groups) {
            let name = self.name(dimension, tag);
            let groups: &mut Groups = if dimension == 3 {
                &mut self.file_mesh.regions
            } else {
                &mut self.file_mesh.node_sets
            };
            groups.push((name, members));
        }
        Ok(self.file_mesh)
    }

    fn name(&self, dimension: i64, tag: i64) -> String {
        let what = match dimension {
            0 => "point",
            1 => "curve",
            2 => "surface",
            _ => "physical",
        };
        self.names.get(&(dimension, tag)).cloned().unwrap_or_else(|| format!("{what}_{tag}"))
    }
}
