//! The message with the surface of a body and its weights.

use std::collections::BTreeSet;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use bytes::Bytes;
use glam::{DVec2, DVec3};
use pliant::body::{Body, Model, Skin, Splinters};
use pliant::geometry::{Surface, SurfaceGroup};
use pliant::mesh::Mesh;
use pliant_io::glb::{AnimatedSurface, SplitVertices};
use pliant_io::picture::Colour;
use serde::Serialize;

use super::envelope::{Buffer, Kind, Payload, encode};
use super::seams::{closed, inside_part, joined};

/// Number of influences (pairs of node and weight) in a row of the texture that stores them.
const INFLUENCES_PER_ROW: usize = 1024;

/// The surface of a model, as pages draw it.
#[derive(Debug)]
pub(crate) struct DrawnModel {
    /// Its id.
    pub(crate) id: u32,
    /// Its skin.
    pub(crate) skin: Skin,
    /// The source surface, if the skin was made from one.
    pub(crate) surface: Option<Surface>,
    /// For each drawn triangle, its index in the skin.
    pub(crate) order: Vec<u32>,
    /// True if it is not the boundary of the cells.
    pub(crate) has_surface: bool,
    /// The message for pages.
    pub(crate) message: Bytes,
    /// The message with the boundary of the cells instead, made when a page first wants it.
    cells: OnceLock<Bytes>,
}

/// Bit that is set in the id of a drawn model for the boundary of its cells.
pub(crate) const OF_CELLS: u32 = 1 << 31;

/// The JSON part of the message.
#[derive(Debug, Serialize)]
struct Header<'a> {
    id: u32,
    nodes: usize,
    points: usize,
    vertices: usize,
    triangles: usize,
    buffers: Buffers,
    parts: Vec<PartHeader<'a>>,
    edges: Vec<EdgeGroup>,
    textures: Vec<TextureHeader<'a>>,
    two_sided: bool,
    size: f64,
}

#[derive(Debug, Serialize)]
struct Buffers {
    influence_start: Buffer,
    influences: Buffer,
    vertex_point: Buffer,
    triangles: Buffer,
    fan_start: Buffer,
    fans: Buffer,
    #[serde(skip_serializing_if = "Option::is_none")]
    uv: Option<Buffer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    colour: Option<Buffer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<Buffer>,
    edges: Buffer,
    rest: Buffer,
}

#[derive(Debug, Serialize)]
struct PartHeader<'a> {
    first: usize,
    count: usize,
    name: &'a str,
    colour: Option<[f32; 4]>,
    texture: Option<usize>,
}

#[derive(Debug, Serialize)]
struct EdgeGroup {
    degree: usize,
    first: usize,
    count: usize,
    outside: usize,
}

#[derive(Debug, Serialize)]
struct TextureHeader<'a> {
    mime: &'a str,
    offset: usize,
    bytes: usize,
}

impl DrawnModel {
    /// Makes the drawn model of a body; positions are relative to `origin`.
    pub(crate) fn new(body: &Body, surface: Option<Surface>, origin: DVec3) -> Self {
        let (id, model) = (next_id(), body.model());
        let has_surface = body.drawn().is_some() && !model.is_rigid();
        let skin = match body.drawn() {
            Some(skin) => skin.clone(),
            None => Skin::of_mesh(model.mesh(), Skin::subdivisions_for(model.mesh())),
        };
        // A surface that does not match the skin is not used.
        let surface = surface.filter(|surface| surface.triangles.len() == skin.triangles().len());
        let mut rest = Vec::new();
        skin.interpolate(&model.mesh().nodes, &mut rest);
        let seamless = surface.as_ref().and_then(|surface| closed(surface, &skin, &rest));
        let shown = seamless.as_ref().or(surface.as_ref());
        let order = by_part(&skin, shown);
        let drawn = DrawnSurface::new(&skin, shown, &rest, &order);
        let message = drawn.message(id, model, &skin, shown, origin);
        Self { id, skin, surface, order, has_surface, message, cells: OnceLock::new() }
    }

    /// The message with the boundary of the cells, for pages that show it instead.
    pub(crate) fn of_cells(&self, model: &Model, origin: DVec3) -> Bytes {
        let made = self.cells.get_or_init(|| {
            let skin = Skin::of_mesh(model.mesh(), Skin::subdivisions_for(model.mesh()));
            let mut rest = Vec::new();
            skin.interpolate(&model.mesh().nodes, &mut rest);
            let drawn = DrawnSurface::new(&skin, None, &rest, &by_part(&skin, None));
            drawn.message(self.id | OF_CELLS, model, &skin, None, origin)
        });
        made.clone()
    }
}

impl DrawnModel {
    /// Makes the drawn model of a fragment: the original surface where it is left, and plain cut faces.
    pub(crate) fn of_fragment(body: &Body, whole: &Self, origin: DVec3) -> Self {
        let surface = whole.surface.as_ref().zip(body.splinters());
        let surface =
            surface.map(|(surface, splinters)| remaining_surface(surface, splinters, body.model()));
        Self::new(body, surface, origin)
    }
}

/// The remaining surface on the splinters of a fragment.
fn remaining_surface(whole: &Surface, splinters: &Splinters, model: &Model) -> Surface {
    let (skin, sources) = (splinters.skin(), splinters.sources());
    let triangles = skin.triangles().to_vec();
    let mut vertices = Vec::new();
    skin.interpolate(&model.mesh().nodes, &mut vertices);
    let known =
        |source: u32| source != Splinters::FRESH_FACE && (source as usize) < whole.triangles.len();
    let old = |source: &u32| known(*source).then_some(*source as usize);
    let flat = |corners: &[u32; 3]| {
        let [a, b, c] = corners.map(|vertex| vertices[vertex as usize]);
        [(b - a).cross(c - a).normalize_or_zero(); 3]
    };
    let normals = whole.normals.as_ref().map(|normals| {
        let all = sources.iter().zip(&triangles);
        all.map(|(source, corners)| old(source).map_or_else(|| flat(corners), |k| normals[k]))
            .collect()
    });
    let texcoords = whole.texcoords.as_ref().map(|places| {
        sources.iter().map(|source| old(source).map_or([DVec2::ZERO; 3], |k| places[k])).collect()
    });
    let colours = whole.colours.as_ref().map(|colours| {
        let mut own = vec![CUT_FACE_COLOUR; vertices.len()];
        for (source, corners) in sources.iter().zip(&triangles) {
            let Some(k) = old(source) else { continue };
            for (vertex, first) in corners.iter().zip(whole.triangles[k]) {
                own[*vertex as usize] = colours[first as usize];
            }
        }
        own
    });
    let mut parts = whole.parts.clone();
    let part_of = whole.part_of.as_ref().map(|part_of| {
        let fresh = parts.len() as u32;
        parts.push(SurfaceGroup::default());
        sources.iter().map(|source| old(source).map_or(fresh, |k| part_of[k])).collect()
    });
    Surface { vertices, triangles, lines: Vec::new(), normals, texcoords, colours, parts, part_of }
}

/// Colour of cut faces, if the surface has vertex colours.
const CUT_FACE_COLOUR: [f32; 3] = [0.75; 3];

/// Returns a new id. Ids are never reused, since worlds are built while others run, and pages keep models by id.
fn next_id() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed) & !OF_CELLS
}

/// Triangles sorted by part.
fn by_part(skin: &Skin, surface: Option<&Surface>) -> Vec<u32> {
    let mut order: Vec<u32> = (0..skin.triangles().len() as u32).collect();
    if let Some(part_of) = surface.and_then(|surface| surface.part_of.as_ref()) {
        order.sort_by_key(|triangle| part_of[*triangle as usize]);
    }
    order
}

/// The drawn data of a skin.
struct DrawnSurface {
    split: SplitVertices,
    /// Triangles in drawing order, with indices of split vertices.
    triangles: Vec<[u32; 3]>,
    fan_start: Vec<u32>,
    fans: Vec<u32>,
    parts: Vec<(usize, usize)>,
    size: f64,
}

impl DrawnSurface {
    fn new(skin: &Skin, surface: Option<&Surface>, rest: &[DVec3], order: &[u32]) -> Self {
        let mut body = match surface {
            Some(surface) => AnimatedSurface::of("", Colour::WHITE, surface),
            None => AnimatedSurface { triangles: skin.triangles().to_vec(), ..Default::default() },
        };
        body.lines.clear();
        body.frames.push(rest.to_vec());
        let split = SplitVertices::new(&body, true);
        let triangles: Vec<_> = order.iter().map(|k| split.triangles[*k as usize]).collect();
        let part_of = surface.and_then(|surface| surface.part_of.as_ref());
        let parts = match part_of {
            Some(part_of) => runs(order.iter().map(|k| part_of[*k as usize])),
            None => vec![(0, 0)],
        };
        let (low, high) =
            rest.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), x| {
                (low.min(*x), high.max(*x))
            });
        let size = if rest.is_empty() { 0.0 } else { (high - low).length() };
        let mut of_fan = triangles_of_fans(&split, &triangles);
        if let Some(inside) = surface.and_then(|surface| inside_part(&surface.parts)) {
            let is_outside = |triangle: u32| {
                part_of.is_some_and(|part_of| part_of[order[triangle as usize] as usize] < inside)
            };
            of_fan = joined(&of_fan, is_outside, &split, &triangles, rest);
        }
        let (fan_start, fans) = packed(&split.fans, &of_fan);
        Self { split, triangles, fan_start, fans, parts, size }
    }

    fn message(
        &self,
        id: u32,
        model: &Model,
        skin: &Skin,
        surface: Option<&Surface>,
        origin: DVec3,
    ) -> Bytes {
        let mut payload = Payload::default();
        let (influence_start, influences) = influences(skin, &mut payload);
        let (edges, edge_buffer) = edges(model, &mut payload);
        let nodes = &model.mesh().nodes;
        let colours = surface.and_then(|surface| surface.colours.as_ref());
        let lines = surface.map(|surface| &surface.lines).filter(|lines| !lines.is_empty());
        let colour = |colours: &Vec<[f32; 3]>| {
            let sources = self.split.sources.iter();
            let colours = sources.flat_map(|source| colours[*source as usize]);
            colours.collect::<Vec<f32>>()
        };
        let uv = self.split.texcoords.as_ref();
        let buffers = Buffers {
            influence_start,
            influences,
            vertex_point: payload.integers(self.split.sources.iter().copied()),
            triangles: payload.integers(self.triangles.iter().flatten().copied()),
            fan_start: payload.integers(self.fan_start.iter().copied()),
            fans: payload.integers(self.fans.iter().copied()),
            uv: uv.map(|uv| payload.real(uv.iter().flat_map(|uv| uv.to_array()))),
            colour: colours.map(|colours| payload.real(colour(colours))),
            lines: lines.map(|lines| payload.integers(lines.iter().flatten().copied())),
            edges: edge_buffer,
            rest: payload.real(nodes.iter().flat_map(|x| (*x - origin).as_vec3().to_array())),
        };
        let parts = surface.map_or(&[][..], |surface| &surface.parts);
        let (part_headers, textures) = self.parts(parts, &mut payload);
        let header = Header {
            id,
            nodes: nodes.len(),
            points: skin.vertex_count(),
            vertices: self.split.sources.len(),
            triangles: self.triangles.len(),
            buffers,
            parts: part_headers,
            edges,
            textures,
            two_sided: is_open(skin.triangles()),
            size: self.size,
        };
        encode(Kind::Model, &header, &[&payload.bytes])
    }

    fn parts<'a>(
        &self,
        parts: &'a [SurfaceGroup],
        payload: &mut Payload,
    ) -> (Vec<PartHeader<'a>>, Vec<TextureHeader<'a>>) {
        let mut textures = Vec::new();
        let mut ends = self.parts.iter().skip(1).map(|(_, first)| *first).collect::<Vec<_>>();
        ends.push(self.triangles.len());
        let mut headers = Vec::new();
        for ((part, first), end) in self.parts.iter().zip(ends) {
            let given = parts.get(*part);
            let texture = given.and_then(|part| part.texture.as_ref()).map(|texture| {
                let (offset, bytes) = (payload.raw(&texture.bytes), texture.bytes.len());
                textures.push(TextureHeader { mime: &texture.mime, offset, bytes });
                textures.len() - 1
            });
            headers.push(PartHeader {
                first: *first,
                count: end - first,
                name: given.map_or("", |part| &part.name),
                colour: given.and_then(|part| part.colour),
                texture,
            });
        }
        (headers, textures)
    }
}

/// Groups equal consecutive values: each value with the index where it begins.
fn runs(values: impl Iterator<Item = u32>) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (place, value) in values.enumerate() {
        if runs.last().is_none_or(|(last, _)| *last != value as usize) {
            runs.push((value as usize, place));
        }
    }
    runs
}

/// The triangles of each fan.
fn triangles_of_fans(split: &SplitVertices, triangles: &[[u32; 3]]) -> Vec<Vec<u32>> {
    let count = split.fans.iter().max().map_or(0, |most| *most as usize + 1);
    let mut of_fan = vec![Vec::new(); count];
    for (triangle, corners) in (0u32..).zip(triangles) {
        for vertex in corners {
            of_fan[split.fans[*vertex as usize] as usize].push(triangle);
        }
    }
    of_fan
}

/// For each vertex, the triangles over which its normal is averaged.
fn packed(fan_of: &[u32], of_fan: &[Vec<u32>]) -> (Vec<u32>, Vec<u32>) {
    let (mut start, mut fans) = (vec![0], Vec::new());
    for fan in fan_of {
        fans.extend_from_slice(&of_fan[*fan as usize]);
        start.push(fans.len() as u32);
    }
    (start, fans)
}

/// Nodes and weights of all points, without zeros, padded to whole rows.
fn influences(skin: &Skin, payload: &mut Payload) -> (Buffer, Buffer) {
    let (mut start, mut pairs) = (vec![0], Vec::new());
    for point in 0..skin.vertex_count() {
        let weights = skin.weights(point).filter(|(_, weight)| *weight != 0.0);
        pairs.extend(weights.flat_map(|(node, weight)| [node as f32, weight as f32]));
        start.push(pairs.len() as u32 / 2);
    }
    pairs.resize(pairs.len().next_multiple_of(2 * INFLUENCES_PER_ROW), 0.0);
    (payload.integers(start), payload.real(pairs))
}

/// Edges of cells grouped by degree, boundary edges first. A rigid body has none.
fn edges(model: &Model, payload: &mut Payload) -> (Vec<EdgeGroup>, Buffer) {
    let mesh = model.mesh();
    if model.is_rigid() {
        return (Vec::new(), payload.integers([]));
    }
    let boundary = boundary_edges(mesh);
    let mut all = mesh.edges();
    let key =
        |edge: &pliant_mesh::mesh::Edge| (edge.nodes.len(), !boundary.contains(&edge.corners));
    all.sort_by_key(key);
    let (mut groups, mut first) = (Vec::new(), 0);
    for group in all.chunk_by(|a, b| a.nodes.len() == b.nodes.len()) {
        let outside = group.iter().filter(|edge| boundary.contains(&edge.corners)).count();
        let (degree, count) = (group[0].nodes.len() - 1, group.len());
        groups.push(EdgeGroup { degree, first, count, outside });
        first += count * (degree + 1);
    }
    let buffer = payload.integers(all.iter().flat_map(|edge| edge.nodes.iter().copied()));
    (groups, buffer)
}

/// End nodes of the boundary edges, sorted.
fn boundary_edges(mesh: &Mesh) -> BTreeSet<[u32; 2]> {
    let skin = Skin::of_mesh(mesh, 1);
    // The vertices of an undivided face are its corners, and each follows one node.
    let corner = |vertex: &u32| {
        skin.weights(*vertex as usize).max_by(|a, b| a.1.total_cmp(&b.1)).map(|(node, _)| node)
    };
    let ends = skin
        .edges()
        .iter()
        .filter_map(|line| Some([corner(line.first()?)?, corner(line.last()?)?]));
    ends.map(|[a, b]| [a.min(b), a.max(b)]).collect()
}

/// True if an edge of a triangle has no neighbour.
fn is_open(triangles: &[[u32; 3]]) -> bool {
    let sides = triangles.iter().flat_map(|[a, b, c]| [[*a, *b], [*b, *c], [*c, *a]]);
    let sides: BTreeSet<[u32; 2]> = sides.collect();
    sides.iter().any(|[a, b]| !sides.contains(&[*b, *a]))
}
