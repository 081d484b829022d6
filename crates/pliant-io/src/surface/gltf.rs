//! Reads glTF 2.0 files, `.gltf` and `.glb`.

use std::path::Path;

use glam::{DMat3, DMat4, DVec2, DVec3};
use pliant::geometry::SurfaceGroup;

use crate::error::{Place, ReadError};
use crate::source::{Source, quote};

use super::Surface;
use super::fan::fan;
use super::gltf_buffer::{LoadedDocument, load};
use super::gltf_json::{Document, Primitive};
use super::gltf_parts::Parts;
use super::weld::welded;

/// Maximum number of vertices of one document, counting all repeated meshes.
const MAX_VERTICES: usize = 1 << 25;

/// Required extensions that can be ignored here.
const IGNORED_EXTENSIONS: [&str; 4] = [
    "KHR_mesh_quantization",
    "KHR_materials_unlit",
    "KHR_texture_transform",
    "KHR_lights_punctual",
];

/// Reads a `.gltf` or `.glb` file from memory. Errors name `path`; its folder may contain further buffers. A buffer
/// outside that folder is an error.
///
/// All triangles and lines of the scene are transformed by their nodes and joined, and vertices with the same
/// position are merged. Each mesh with each of its materials is a part, with its base colour and texture; points,
/// morph targets, skins and other material properties are ignored.
pub fn parse_gltf(path: &Path, bytes: &[u8]) -> Result<Surface, ReadError> {
    let source = Source::text(path, bytes)?;
    let (json, chunk) = chunks(source.bytes, source)?;
    let document: Document = serde_json::from_slice(json).map_err(|error| {
        let expected = "a glTF 2.0 document";
        source.unexpected(Place::Line(error.line()), error.to_string(), expected)
    })?;
    check_extensions(source, &document)?;
    let loaded = load(source, document, chunk)?;
    let mut collector = Collector::new(&loaded);
    for node in loaded.roots()? {
        collector.node(node)?;
    }
    source.non_empty(welded(collector.finish()))
}

fn check_extensions(source: Source<'_>, document: &Document) -> Result<(), ReadError> {
    let known = |name: &&String| !IGNORED_EXTENSIONS.contains(&name.as_str());
    match document.extensions_required.iter().find(known) {
        None => Ok(()),
        Some(name) => Err(source.unsupported(
            Place::File,
            format!("the extension {name}"),
            "export without it (no compression)",
        )),
    }
}

/// Returns the document, and the binary chunk if there is one.
fn chunks<'b>(
    bytes: &'b [u8],
    source: Source<'_>,
) -> Result<(&'b [u8], Option<&'b [u8]>), ReadError> {
    if !bytes.starts_with(b"glTF") {
        return Ok((bytes, None));
    }
    let version = word(bytes, 4);
    if version != Some(2) {
        let found = format!("version {}", version.map_or("missing".into(), |v| v.to_string()));
        return Err(source.unexpected(Place::Byte(4), found, "version 2"));
    }
    let (json, next) = chunk(bytes, 12, b"JSON", source)?;
    if next >= bytes.len() {
        return Ok((json, None));
    }
    Ok((json, Some(chunk(bytes, next, b"BIN\0", source)?.0)))
}

/// Returns the chunk that begins at `start`, and the start of the next one.
fn chunk<'b>(
    bytes: &'b [u8],
    start: usize,
    kind: &[u8; 4],
    source: Source<'_>,
) -> Result<(&'b [u8], usize), ReadError> {
    let begin = start + 8;
    let end = word(bytes, start).and_then(|length| begin.checked_add(length));
    let found = bytes.get(start + 4..begin);
    match end.and_then(|end| Some((bytes.get(begin..end)?, end))) {
        Some(chunk) if found == Some(kind) => Ok(chunk),
        _ => Err(source.unexpected(
            Place::Byte(start),
            format!("a chunk {} in {} bytes", quote(found.unwrap_or_default()), bytes.len()),
            format!("a whole chunk {}", quote(kind)),
        )),
    }
}

fn word(bytes: &[u8], at: usize) -> Option<usize> {
    let word = bytes.get(at..at + 4)?;
    Some(u32::from_le_bytes(word.try_into().expect("a slice of four")) as usize)
}

/// A node to visit, and the transform from its parent to the scene.
type Visit = (usize, DMat4);

impl LoadedDocument<'_> {
    /// Returns the root nodes of the scene; without scenes, the nodes that have no parent.
    fn roots(&self) -> Result<Vec<usize>, ReadError> {
        let document = &self.document;
        if document.scenes.is_empty() {
            let mut is_child = vec![false; document.nodes.len()];
            for child in document.nodes.iter().flat_map(|node| &node.children) {
                *is_child.get_mut(*child).ok_or_else(|| self.missing("node", *child))? = true;
            }
            return Ok((0..is_child.len()).filter(|node| !is_child[*node]).collect());
        }
        let scene = document.scene.unwrap_or(0);
        let found = document.scenes.get(scene).ok_or_else(|| self.missing("scene", scene))?;
        Ok(found.nodes.clone())
    }
}

/// Joins the contents of all nodes.
struct Collector<'a> {
    loaded: &'a LoadedDocument<'a>,
    visited: Vec<bool>,
    surface: Surface,
    parts: Parts<'a>,
    /// True if any primitive has texture coordinates.
    textured: bool,
}

impl<'a> Collector<'a> {
    fn new(loaded: &'a LoadedDocument<'a>) -> Self {
        let visited = vec![false; loaded.document.nodes.len()];
        let surface = Surface {
            normals: Some(Vec::new()),
            texcoords: Some(Vec::new()),
            colours: Some(Vec::new()),
            part_of: Some(Vec::new()),
            ..Default::default()
        };
        Self { loaded, visited, surface, parts: Parts::new(loaded), textured: false }
    }

    fn finish(mut self) -> Surface {
        self.surface.texcoords = self.surface.texcoords.filter(|_| self.textured);
        self.surface.parts = self.parts.parts;
        if self.surface.parts.iter().all(|part| *part == SurfaceGroup::default()) {
            (self.surface.parts, self.surface.part_of) = (Vec::new(), None);
        }
        self.surface
    }

    /// Visits a node and all its descendants; a second visit is an error, because a cycle would never end.
    fn node(&mut self, root: usize) -> Result<(), ReadError> {
        let mut stack: Vec<Visit> = vec![(root, DMat4::IDENTITY)];
        while let Some((index, scene_from_parent)) = stack.pop() {
            let node = self.loaded.document.nodes.get(index);
            let node = node.ok_or_else(|| self.loaded.missing("node", index))?;
            if std::mem::replace(&mut self.visited[index], true) {
                let found = format!("node {index} with two parents, or below itself");
                return Err(self.loaded.source.unexpected(Place::File, found, "a tree of nodes"));
            }
            let scene_from_node = scene_from_parent * node.parent_from_node();
            if let Some(mesh) = node.mesh {
                self.mesh(mesh, scene_from_node)?;
            }
            stack.extend(node.children.iter().rev().map(|child| (*child, scene_from_node)));
        }
        Ok(())
    }

    fn mesh(&mut self, index: usize, scene_from_node: DMat4) -> Result<(), ReadError> {
        let mesh = self.loaded.document.meshes.get(index);
        let mesh = mesh.ok_or_else(|| self.loaded.missing("mesh", index))?;
        for primitive in &mesh.primitives {
            let before = self.surface.triangles.len();
            self.primitive(primitive, scene_from_node)?;
            let more = self.surface.triangles.len() - before;
            if let Some(part_of) = self.surface.part_of.as_mut().filter(|_| more > 0) {
                let part = self.parts.number(index, mesh.name.as_deref(), primitive.material)?;
                part_of.resize(part_of.len() + more, part);
            }
        }
        Ok(())
    }

    fn primitive(
        &mut self,
        primitive: &Primitive,
        scene_from_node: DMat4,
    ) -> Result<(), ReadError> {
        let mode = primitive.mode.unwrap_or(4);
        let Some(positions) = primitive.attributes.get("POSITION").filter(|_| mode > 0) else {
            return Ok(());
        };
        if let Some(name) = primitive.extensions.keys().find(|name| name.contains("compression")) {
            let what = format!("the extension {name}");
            return Err(self.loaded.source.unsupported(Place::File, what, "export without it"));
        }
        let positions: Vec<[f64; 3]> = self.loaded.rows(*positions)?;
        let indices = self.indices(primitive, positions.len())?;
        let mut local = triangles(mode, &indices);
        let linear = DMat3::from_mat4(scene_from_node);
        if linear.determinant() < 0.0 {
            // A mirrored mesh has the opposite triangle orientation.
            local.iter_mut().for_each(|triangle| triangle.swap(1, 2));
        }
        self.attributes(primitive, &local, positions.len(), linear)?;
        let first = self.surface.vertices.len() as u32;
        self.append(&positions, &local, scene_from_node)?;
        let lines = lines(mode, &indices);
        self.surface.lines.extend(lines.iter().map(|line| line.map(|vertex| vertex + first)));
        Ok(())
    }

    fn indices(&self, primitive: &Primitive, vertex_count: usize) -> Result<Vec<u32>, ReadError> {
        let Some(accessor) = primitive.indices else {
            return Ok((0..vertex_count as u32).collect());
        };
        let rows: Vec<[f64; 1]> = self.loaded.rows(accessor)?;
        let bad = |row: &&[f64; 1]| {
            !(row[0] >= 0.0 && row[0] < vertex_count as f64 && row[0].fract() == 0.0)
        };
        if let Some([index]) = rows.iter().find(bad) {
            let found = format!("index {index} in accessor {accessor}");
            let expected = format!("one of the {vertex_count} vertices of its primitive");
            return Err(self.loaded.source.unexpected(Place::File, found, expected));
        }
        Ok(rows.iter().map(|[index]| *index as u32).collect())
    }

    /// Adds the attributes of a primitive. Normals and colours are kept only if every primitive has them; missing
    /// texture coordinates are zero.
    fn attributes(
        &mut self,
        primitive: &Primitive,
        triangles: &[[u32; 3]],
        vertex_count: usize,
        linear: DMat3,
    ) -> Result<(), ReadError> {
        let normal_map = linear.inverse().transpose();
        let turn = |n: [f64; 3]| (normal_map * DVec3::from_array(n)).normalize_or_zero();
        let normals = self.attribute::<3>(primitive, "NORMAL", vertex_count)?;
        if !triangles.is_empty() {
            extend(&mut self.surface.normals, normals, triangles, turn);
        }
        let texcoords = self.attribute::<2>(primitive, "TEXCOORD_0", vertex_count)?;
        self.textured |= texcoords.is_some();
        let texcoords = texcoords.unwrap_or_else(|| vec![[0.0; 2]; vertex_count]);
        // In glTF the texture origin is the upper left corner.
        let upward = |[u, v]: [f64; 2]| DVec2::new(u, 1.0 - v);
        extend(&mut self.surface.texcoords, Some(texcoords), triangles, upward);
        let colours = self.colours(primitive, vertex_count)?;
        match (&mut self.surface.colours, colours) {
            (Some(all), Some(more)) => all.extend(more),
            (all, _) => *all = None,
        }
        Ok(())
    }

    fn attribute<const N: usize>(
        &self,
        primitive: &Primitive,
        name: &str,
        vertex_count: usize,
    ) -> Result<Option<Vec<[f64; N]>>, ReadError> {
        let Some(accessor) = primitive.attributes.get(name) else { return Ok(None) };
        let rows = self.loaded.rows::<N>(*accessor)?;
        let finite = rows.iter().flatten().all(|number| number.is_finite());
        if rows.len() != vertex_count || !finite {
            let found = format!("{name} with {} rows, or with non-finite numbers", rows.len());
            let expected = format!("{vertex_count} finite rows, as in POSITION");
            return Err(self.loaded.source.unexpected(Place::File, found, expected));
        }
        Ok(Some(rows))
    }

    /// Reads colours of three or four components.
    fn colours(
        &self,
        primitive: &Primitive,
        vertex_count: usize,
    ) -> Result<Option<Vec<[f32; 3]>>, ReadError> {
        let accessor = primitive.attributes.get("COLOR_0").copied();
        let accessor = accessor.and_then(|index| self.loaded.document.accessors.get(index));
        if accessor.is_some_and(|accessor| accessor.shape == "VEC4") {
            let rows = self.attribute::<4>(primitive, "COLOR_0", vertex_count)?;
            return Ok(
                rows.map(|rows| rows.iter().map(|[r, g, b, _]| to_f32([*r, *g, *b])).collect())
            );
        }
        let rows = self.attribute::<3>(primitive, "COLOR_0", vertex_count)?;
        Ok(rows.map(|rows| rows.into_iter().map(to_f32).collect()))
    }

    fn append(
        &mut self,
        positions: &[[f64; 3]],
        triangles: &[[u32; 3]],
        scene_from_node: DMat4,
    ) -> Result<(), ReadError> {
        let source = self.loaded.source;
        let first = self.surface.vertices.len();
        if first + positions.len() + triangles.len() > MAX_VERTICES {
            let found = format!("more than {MAX_VERTICES} vertices, with all repetitions,");
            return Err(source.unexpected(Place::File, found, "a smaller scene"));
        }
        for position in positions {
            let point = scene_from_node.transform_point3(DVec3::from_array(*position));
            self.surface.vertices.push(source.finite(Place::File, point)?);
        }
        let shifted = triangles.iter().map(|triangle| triangle.map(|vertex| vertex + first as u32));
        self.surface.triangles.extend(shifted);
        Ok(())
    }
}

fn to_f32(row: [f64; 3]) -> [f32; 3] {
    row.map(|number| number as f32)
}

/// Adds the values at the corners of the triangles; drops them all if a primitive has none.
fn extend<T, const N: usize>(
    all: &mut Option<Vec<[T; 3]>>,
    rows: Option<Vec<[f64; N]>>,
    triangles: &[[u32; 3]],
    convert: impl Fn([f64; N]) -> T,
) {
    match (all.as_mut(), rows) {
        (Some(all), Some(rows)) => {
            all.extend(triangles.iter().map(|t| t.map(|vertex| convert(rows[vertex as usize]))));
        }
        _ => *all = None,
    }
}

/// Returns the lines of a list (1), a loop (2) or a strip (3).
fn lines(mode: u32, indices: &[u32]) -> Vec<[u32; 2]> {
    let strip = || indices.windows(2).map(|pair| [pair[0], pair[1]]);
    match (mode, indices) {
        (1, _) => indices.as_chunks().0.to_vec(),
        (2, [first, .., last]) => strip().chain([[*last, *first]]).collect(),
        (3, _) => strip().collect(),
        _ => Vec::new(),
    }
}

/// Returns the triangles of a list (4), a strip (5) or a fan (6).
fn triangles(mode: u32, indices: &[u32]) -> Vec<[u32; 3]> {
    match mode {
        4 => indices.as_chunks().0.to_vec(),
        5 => {
            let strip = indices.windows(3).enumerate();
            strip
                .map(|(k, w)| if k % 2 == 0 { [w[0], w[1], w[2]] } else { [w[1], w[0], w[2]] })
                .collect()
        }
        6 => fan(indices).collect(),
        _ => Vec::new(),
    }
}
