//! Reads sections of version 4.1.

use crate::error::ReadError;
use crate::file_mesh::FileCellKind;

use super::contents::Contents;
use super::element_type::ElementType;
use super::input::Input;

/// Reads `$Entities`; only the physical groups are used.
pub(super) fn entities(input: &mut Input<'_>, contents: &mut Contents) -> Result<(), ReadError> {
    let mut counts = [0; 4];
    for count in &mut counts {
        *count = input.count(input.bytes_of(1, 1, 3), "a number of entities")?;
    }
    for (dimension, count) in counts.into_iter().enumerate() {
        for _ in 0..count {
            entity(input, contents, dimension as i64)?;
        }
    }
    Ok(())
}

fn entity(input: &mut Input<'_>, contents: &mut Contents, dimension: i64) -> Result<(), ReadError> {
    let tag = input.int("an entity tag")?;
    // A point has coordinates, the others a bounding box.
    for _ in 0..if dimension == 0 { 3 } else { 6 } {
        input.any_real("a bound of an entity")?;
    }
    let physicals = tags(input, "a physical tag")?;
    if dimension > 0 {
        tags(input, "a bounding entity")?;
    }
    if !physicals.is_empty() {
        contents.physicals.insert((dimension, tag), physicals);
    }
    Ok(())
}

/// Reads a list of tags, preceded by its length.
fn tags(input: &mut Input<'_>, expected: &str) -> Result<Vec<i64>, ReadError> {
    let count = input.count(input.bytes_of(1, 0, 0), "a number of tags")?;
    (0..count).map(|_| input.int(expected)).collect()
}

/// Reads `$Nodes`: blocks of tags, then of coordinates.
pub(super) fn nodes(input: &mut Input<'_>, contents: &mut Contents) -> Result<(), ReadError> {
    let block_count = input.count(input.bytes_of(3, 1, 0), "a number of node blocks")?;
    let node_count = input.count(input.bytes_of(0, 1, 3), "a number of nodes")?;
    tag_range(input)?;
    let (mut all_tags, mut points) = (Vec::new(), Vec::new());
    for _ in 0..block_count {
        let dimension = input.int("a dimension")?;
        input.int("an entity tag")?;
        let parametric = input.int("0 or 1 for parametric nodes")? != 0;
        let count = input.count(input.bytes_of(0, 1, 3), "a number of nodes in a block")?;
        for _ in 0..count {
            all_tags.push(input.size("a node tag")?);
        }
        for _ in 0..count {
            points.push(input.point()?);
            for _ in 0..if parametric { dimension } else { 0 } {
                input.any_real("a parameter")?;
            }
        }
    }
    if points.len() != node_count {
        return Err(input
            .unexpected(format!("{} nodes in the blocks", points.len()), format!("{node_count}")));
    }
    contents.set_nodes(input, &all_tags, &points)
}

/// Reads `$Elements`: blocks of elements of one type and entity.
pub(super) fn elements(input: &mut Input<'_>, contents: &mut Contents) -> Result<(), ReadError> {
    let block_count = input.count(input.bytes_of(3, 1, 0), "a number of element blocks")?;
    input.size("a number of elements")?;
    tag_range(input)?;
    for _ in 0..block_count {
        block(input, contents)?;
    }
    Ok(())
}

/// Skips the smallest and largest tag.
fn tag_range(input: &mut Input<'_>) -> Result<(), ReadError> {
    input.size("a smallest tag")?;
    input.size("a largest tag").map(|_| ())
}

fn block(input: &mut Input<'_>, contents: &mut Contents) -> Result<(), ReadError> {
    let dimension = input.int("a dimension")?;
    let entity = input.int("an entity tag")?;
    let number = input.int("an element type")?;
    let element = contents.element_type(input, number)?;
    let physicals = contents.physicals.get(&(dimension, entity)).cloned().unwrap_or_default();
    let (dimension, members) = match element {
        ElementType::Cell { kind, order } => (3, cells(input, contents, kind, &order)?),
        ElementType::Boundary { dimension, node_count } => {
            let count = count(input, node_count)?;
            contents.file_mesh.face_count += if dimension == 2 { count } else { 0 };
            (dimension, boundary_nodes(input, contents, count, node_count)?)
        }
        ElementType::Unsupported { .. } => unreachable!("refused when looked up"),
    };
    for physical in physicals {
        contents.groups.entry((dimension, physical)).or_default().extend(&members);
    }
    Ok(())
}

/// Reads cells into the file mesh; returns their numbers.
fn cells(
    input: &mut Input<'_>,
    contents: &mut Contents,
    kind: FileCellKind,
    order: &[usize],
) -> Result<Vec<u32>, ReadError> {
    let count = count(input, order.len())?;
    let first = contents.file_mesh.cell_count() as u32;
    let mut cell = vec![0; order.len()];
    for _ in 0..count {
        input.size("an element tag")?;
        for place in order {
            cell[*place] = node(input, contents)?;
        }
        contents.file_mesh.push_cell(kind, &cell);
    }
    Ok((first..first + count as u32).collect())
}

/// Reads boundary elements; returns their nodes.
fn boundary_nodes(
    input: &mut Input<'_>,
    contents: &Contents,
    count: usize,
    node_count: usize,
) -> Result<Vec<u32>, ReadError> {
    let mut nodes = Vec::new();
    for _ in 0..count {
        input.size("an element tag")?;
        for _ in 0..node_count {
            nodes.push(node(input, contents)?);
        }
    }
    Ok(nodes)
}

fn count(input: &mut Input<'_>, node_count: usize) -> Result<usize, ReadError> {
    input.count(input.bytes_of(0, 1 + node_count, 0), "a number of elements in a block")
}

fn node(input: &mut Input<'_>, contents: &Contents) -> Result<u32, ReadError> {
    let tag = input.size("a node tag")?;
    contents.node(input, tag)
}
