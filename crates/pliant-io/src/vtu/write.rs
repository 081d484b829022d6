//! Writes `.vtu` files.

use std::io::{self, Write};
use std::path::Path;

use glam::DVec3;
use pliant::mesh::Mesh;
use pliant_kernels::element::vtk_order;

use crate::error::WriteError;
use crate::lagrange::{has_control_points, lagrange_points, lagrange_values};
use crate::write::write_atomic;

use super::cell_type::number;
use super::{CONTROL_POINT, NODE_SET_PREFIX, REGION_PREFIX};

/// Named values at nodes or cells.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// Name, as ParaView shows it.
    pub name: String,
    /// Number of components per node or cell: 1 for a scalar, 3 for a vector.
    pub components: usize,
    /// The values, with the components of one node or cell together. At nodes they are Bernstein coefficients, like
    /// the control points, and are written as values at the Lagrange nodes.
    pub values: Vec<f64>,
}

impl Field {
    /// Creates a field with one number per node or cell.
    pub fn scalar(name: impl Into<String>, values: Vec<f64>) -> Self {
        Self { name: name.into(), components: 1, values }
    }

    /// Creates a field with a vector per node or cell.
    pub fn vector(name: impl Into<String>, values: &[DVec3]) -> Self {
        let values = values.iter().flat_map(|value| value.to_array()).collect();
        Self { name: name.into(), components: 3, values }
    }
}

/// The contents of one file: a mesh at one time, with fields.
#[derive(Debug, Clone)]
pub struct Frame<'a> {
    /// Cells and groups.
    pub mesh: &'a Mesh,
    /// Control points at this time; those of the mesh if `None`.
    pub positions: Option<&'a [DVec3]>,
    /// Fields at nodes, as Bernstein coefficients.
    pub point_fields: Vec<Field>,
    /// Fields at cells.
    pub cell_fields: Vec<Field>,
}

impl<'a> Frame<'a> {
    /// Creates a frame of the mesh with its own control points, without fields.
    pub fn new(mesh: &'a Mesh) -> Self {
        Self { mesh, positions: None, point_fields: Vec::new(), cell_fields: Vec::new() }
    }

    fn control_points(&self) -> &'a [DVec3] {
        self.positions.unwrap_or(&self.mesh.nodes)
    }

    fn check(&self, path: &Path) -> Result<(), WriteError> {
        let mesh = self.mesh;
        mesh.check().map_err(|error| WriteError::Mesh { path: path.to_owned(), source: error })?;
        let fits = |what: String, found: usize, expected: usize| {
            if found == expected {
                return Ok(());
            }
            let (found, expected) = (format!("{found} numbers"), expected.to_string());
            Err(WriteError::Mismatch { path: path.to_owned(), what, found, expected })
        };
        fits("positions".into(), 3 * self.control_points().len(), 3 * mesh.nodes.len())?;
        let at_nodes = self.point_fields.iter().map(|field| (field, mesh.nodes.len()));
        let at_cells = self.cell_fields.iter().map(|field| (field, mesh.cell_count()));
        for (field, count) in at_nodes.chain(at_cells) {
            let what = format!("field `{}`", field.name);
            fits(what, field.values.len(), field.components * count)?;
        }
        Ok(())
    }
}

/// Writes a file: version 1.0 with raw appended data, which VTK, ParaView and meshio can read.
pub fn write(path: &Path, frame: &Frame<'_>) -> Result<(), WriteError> {
    frame.check(path)?;
    write_atomic(path, |writer| Contents::new(frame).write_to(writer))
}

/// An array to write.
struct Array {
    section: &'static str,
    name: String,
    number: &'static str,
    components: usize,
    bytes: Vec<u8>,
}

/// All arrays, in the order of the file.
struct Contents {
    point_count: usize,
    cell_count: usize,
    arrays: Vec<Array>,
}

const POINTS: &str = "Points";
const CELLS: &str = "Cells";
const POINT_DATA: &str = "PointData";
const CELL_DATA: &str = "CellData";

impl Contents {
    fn new(frame: &Frame<'_>) -> Self {
        let mesh = frame.mesh;
        let (point_count, cell_count) = (mesh.nodes.len(), mesh.cell_count());
        let mut contents = Self { point_count, cell_count, arrays: Vec::new() };
        contents.vectors(POINTS, "Points", &lagrange_points(mesh, frame.control_points()));
        contents.cells(mesh);
        for field in &frame.point_fields {
            let values = lagrange_values(mesh, field.components, &field.values);
            contents.reals(POINT_DATA, &field.name, field.components, &values);
        }
        for set in &mesh.node_sets {
            let name = format!("{NODE_SET_PREFIX}{}", set.name);
            contents.membership(POINT_DATA, name, point_count, &set.nodes);
        }
        if has_control_points(mesh) {
            contents.vectors(POINT_DATA, CONTROL_POINT, frame.control_points());
        }
        for field in &frame.cell_fields {
            contents.reals(CELL_DATA, &field.name, field.components, &field.values);
        }
        contents.regions(mesh);
        contents
    }

    fn push(&mut self, section: &'static str, name: &str, number: &'static str, bytes: Vec<u8>) {
        self.arrays.push(Array { section, name: name.into(), number, components: 1, bytes });
    }

    fn reals(&mut self, section: &'static str, name: &str, components: usize, values: &[f64]) {
        let bytes = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.arrays.push(Array {
            section,
            name: name.into(),
            number: "Float64",
            components,
            bytes,
        });
    }

    fn vectors(&mut self, section: &'static str, name: &str, values: &[DVec3]) {
        let values: Vec<f64> = values.iter().flat_map(|value| value.to_array()).collect();
        self.reals(section, name, 3, &values);
    }

    /// Adds an array with ones for members and zeros for the others.
    fn membership(&mut self, section: &'static str, name: String, count: usize, members: &[u32]) {
        let mut bytes = vec![0; count];
        members.iter().for_each(|member| bytes[*member as usize] = 1);
        self.push(section, &name, "UInt8", bytes);
    }

    /// Adds the cells; offsets are signed because meshio fails on unsigned ones.
    fn cells(&mut self, mesh: &Mesh) {
        let (mut connectivity, mut offsets, mut types) = (Vec::new(), Vec::new(), Vec::new());
        let mut end = 0_i64;
        for block in &mesh.blocks {
            let order = vtk_order(block.kind);
            for cell in block.cells() {
                let nodes = order.iter().map(|place| i64::from(cell[*place]));
                connectivity.extend(nodes.flat_map(i64::to_le_bytes));
                end += order.len() as i64;
                offsets.extend(end.to_le_bytes());
                types.push(number(block.kind));
            }
        }
        self.push(CELLS, "connectivity", "Int64", connectivity);
        self.push(CELLS, "offsets", "Int64", offsets);
        self.push(CELLS, "types", "UInt8", types);
    }

    fn regions(&mut self, mesh: &Mesh) {
        if mesh.regions.is_empty() {
            return;
        }
        let mut first = vec![-1_i32; self.cell_count];
        for (k, region) in mesh.regions.iter().enumerate().rev() {
            region.cells.iter().for_each(|cell| first[*cell as usize] = k as i32);
        }
        let bytes = first.iter().flat_map(|region| region.to_le_bytes()).collect();
        self.push(CELL_DATA, "region", "Int32", bytes);
        for region in &mesh.regions {
            let name = format!("{REGION_PREFIX}{}", region.name);
            self.membership(CELL_DATA, name, self.cell_count, &region.cells);
        }
    }

    fn write_to(&self, writer: &mut dyn Write) -> io::Result<()> {
        writeln!(writer, "<?xml version=\"1.0\"?>")?;
        writeln!(
            writer,
            "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">"
        )?;
        writeln!(writer, "<UnstructuredGrid>")?;
        let (points, cells) = (self.point_count, self.cell_count);
        writeln!(writer, "<Piece NumberOfPoints=\"{points}\" NumberOfCells=\"{cells}\">")?;
        let mut offset = 0;
        for section in [POINTS, CELLS, POINT_DATA, CELL_DATA] {
            writeln!(writer, "<{section}>")?;
            for array in self.arrays.iter().filter(|array| array.section == section) {
                array.write_tag(writer, offset)?;
                offset += HEADER_BYTES + array.bytes.len();
            }
            writeln!(writer, "</{section}>")?;
        }
        writeln!(writer, "</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">")?;
        write!(writer, "_")?;
        for section in [POINTS, CELLS, POINT_DATA, CELL_DATA] {
            for array in self.arrays.iter().filter(|array| array.section == section) {
                writer.write_all(&(array.bytes.len() as u64).to_le_bytes())?;
                writer.write_all(&array.bytes)?;
            }
        }
        writeln!(writer, "\n</AppendedData>\n</VTKFile>")
    }
}

/// Width of the length before each array, in bytes.
const HEADER_BYTES: usize = 8;

impl Array {
    fn write_tag(&self, writer: &mut dyn Write, offset: usize) -> io::Result<()> {
        writeln!(
            writer,
            "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" offset=\"{offset}\"/>",
            self.number,
            quick_xml::escape::escape(self.name.as_str()),
            self.components
        )
    }
}
