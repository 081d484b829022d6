//! Reads sections of version 2.2.

use std::collections::BTreeSet;

use crate::error::ReadError;
use crate::file_mesh::FileCellKind;
use crate::mesh_file::ReadReport;

use super::contents::Contents;
use super::element_type::ElementType;
use super::input::Input;

/// Reads `$Nodes`: tag and coordinates of each node.
pub(super) fn nodes(input: &mut Input<'_>, contents: &mut Contents) -> Result<(), ReadError> {
    let count = text_count(input, input.bytes_of(1, 0, 3), "a number of nodes")?;
    let (mut tags, mut points) = (Vec::with_capacity(count), Vec::with_capacity(count));
    for _ in 0..count {
        tags.push(node_tag(input)?);
        points.push(input.point()?);
    }
    contents.set_nodes(input, &tags, &points)
}

/// Reads `$Elements`: in text one after the other, in binary in blocks of one type.
pub(super) fn elements(input: &mut Input<'_>, contents: &mut Contents) -> Result<(), ReadError> {
    let mut left = text_count(input, input.bytes_of(2, 0, 0), "a number of elements")?;
    while left > 0 {
        let mut header = ElementHeader::default();
        let mut following = 1;
        if input.is_binary() {
            header.read_type(input, contents)?;
            following = input.int("a number of elements in a block")?;
            header.read_tag_count(input)?;
        }
        if following < 1 || following as usize > left {
            let expected = format!("1 to {left}, the number left in the section");
            return Err(input.unexpected(format!("a block of {following} elements"), expected));
        }
        for _ in 0..following {
            header.read_element(input, contents)?;
        }
        left -= following as usize;
    }
    Ok(())
}

/// Reads the count at the start of a section, which is text in every encoding.
fn text_count(input: &mut Input<'_>, bytes: usize, expected: &str) -> Result<usize, ReadError> {
    let count = input.scanner.number(expected)?;
    if input.is_binary() {
        input.scanner.rest_of_line();
    }
    input.checked_count(count, bytes, expected)
}

fn node_tag(input: &mut Input<'_>) -> Result<u64, ReadError> {
    let tag = input.int("a node tag")?;
    u64::try_from(tag).map_err(|_| input.unexpected(format!("node tag {tag}"), "a positive number"))
}

/// The header that binary files have once per block of elements.
#[derive(Default)]
struct ElementHeader {
    element: Option<ElementType>,
    tag_count: usize,
}

impl ElementHeader {
    fn read_type(
        &mut self,
        input: &mut Input<'_>,
        contents: &mut Contents,
    ) -> Result<(), ReadError> {
        let number = input.int("an element type")?;
        self.element = Some(contents.element_type(input, number)?);
        Ok(())
    }

    fn read_tag_count(&mut self, input: &mut Input<'_>) -> Result<(), ReadError> {
        let count = input.int("a number of tags")?;
        let count = u64::try_from(count)
            .map_err(|_| input.unexpected(format!("{count} tags"), "0 or more"))?;
        self.tag_count = input.checked_count(count, input.bytes_of(1, 0, 0), "a number of tags")?;
        Ok(())
    }

    fn read_element(
        &mut self,
        input: &mut Input<'_>,
        contents: &mut Contents,
    ) -> Result<(), ReadError> {
        input.int("an element number")?;
        if !input.is_binary() {
            self.read_type(input, contents)?;
            self.read_tag_count(input)?;
        }
        let mut physical = 0;
        for tag in 0..self.tag_count {
            let value = input.int("a tag")?;
            physical = if tag == 0 { value } else { physical };
        }
        match &self.element {
            Some(ElementType::Cell { kind, order }) => {
                let mut nodes = vec![0; order.len()];
                for place in order {
                    let tag = node_tag(input)?;
                    nodes[*place] = contents.node(input, tag)?;
                }
                contents.pending.push(*kind, &nodes, physical);
            }
            Some(ElementType::Boundary { dimension, node_count }) => {
                contents.file_mesh.face_count += usize::from(*dimension == 2);
                for _ in 0..*node_count {
                    let tag = node_tag(input)?;
                    let node = contents.node(input, tag)?;
                    if physical != 0 {
                        contents.groups.entry((*dimension, physical)).or_default().push(node);
                    }
                }
            }
            _ => unreachable!("read before its elements, and refused if unsupported"),
        }
        Ok(())
    }
}

/// Cells, each with its physical group.
///
/// A file lists a cell of several groups once for each group; here the repeats are merged.
#[derive(Debug, Default)]
pub(super) struct PhysicalCells {
    cells: Vec<(FileCellKind, usize, i64)>,
    nodes: Vec<u32>,
}

impl PhysicalCells {
    fn push(&mut self, kind: FileCellKind, nodes: &[u32], physical: i64) {
        self.cells.push((kind, self.nodes.len(), physical));
        self.nodes.extend_from_slice(nodes);
    }

    fn nodes(&self, cell: usize) -> &[u32] {
        let (kind, start, _) = self.cells[cell];
        &self.nodes[start..start + kind.node_count()]
    }

    /// Adds the cells to the file mesh and to their groups.
    pub(super) fn move_into(&self, contents: &mut Contents, report: &mut ReadReport) {
        let first = self.first_occurrences();
        let mut number = vec![0; self.cells.len()];
        for (cell, (kind, _, physical)) in self.cells.iter().enumerate() {
            if first[cell] == cell {
                number[cell] = contents.file_mesh.cell_count() as u32;
                contents.file_mesh.push_cell(*kind, self.nodes(cell));
            } else {
                report.merged_cells += 1;
            }
            if *physical != 0 {
                let group = contents.groups.entry((3, *physical)).or_default();
                group.push(number[first[cell]]);
            }
        }
    }

    /// Returns for each cell the first cell that it repeats in another group, or itself.
    ///
    /// Repeats in the same group are kept: they are an error of the mesh.
    fn first_occurrences(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.cells.len()).collect();
        order.sort_by_key(|cell| (self.cells[*cell].0, self.nodes(*cell)));
        let mut first: Vec<usize> = (0..self.cells.len()).collect();
        let same = |a: &usize, b: &usize| {
            self.cells[*a].0 == self.cells[*b].0 && self.nodes(*a) == self.nodes(*b)
        };
        for repeats in order.chunk_by(same) {
            let mut groups = BTreeSet::new();
            for cell in repeats {
                if groups.insert(self.cells[*cell].2) {
                    first[*cell] = repeats[0];
                }
            }
        }
        first
    }
}
