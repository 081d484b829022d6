//! Cuts triangles and lines along the planes between cells.
//!
//! A flat triangle stays flat however its corners move, so a triangle that spans several cells has to be split at their
//! faces to bend with them (Nesme et al. 2006, section 3.2).

use std::collections::HashMap;

use glam::{DVec2, DVec3};
use pliant::geometry::Surface;

use super::grid::Grid;
use super::octree::sum_of_touches;

/// A vertex closer to a plane than this, in cells, lies on it.
const ON_PLANE: f64 = 1e-9;

/// A corner of a triangle with the attributes that may differ between triangles at a vertex.
#[derive(Debug, Clone, Copy)]
struct Corner {
    vertex: u32,
    normal: DVec3,
    texcoord: DVec2,
}

/// A plane of the grid: `position` cells along `axis`.
#[derive(Debug, Clone, Copy)]
struct Plane {
    axis: usize,
    position: f64,
}

/// Memory of a triangle of the split surface, with its share of vertices and cuts, in bytes.
const BYTES_PER_TRIANGLE: f64 = 150.0;

/// A surface while it is split.
///
/// Every edge is cut by the planes across the first axis, from the lowest up, then by those across the second and the
/// third. So two triangles with a common edge cut it at the same vertices, which are identified by the ends of the edge
/// they cut and the plane: no cracks appear.
#[derive(Debug)]
pub(super) struct Splitter {
    /// The vertices, in cells from the lowest corner of the grid.
    points: Vec<DVec3>,
    surface: Surface,
    cuts: HashMap<(u32, u32, usize), u32>,
}

/// Splits a surface; returns it and all its vertices in cells. The first vertices are those of `surface`.
///
/// `points` are the vertices of `surface`, in cells from the lowest corner of the grid.
pub(super) fn split(surface: &Surface, points: Vec<DVec3>) -> (Surface, Vec<DVec3>) {
    let empty = Surface {
        vertices: surface.vertices.clone(),
        triangles: Vec::with_capacity(surface.triangles.len()),
        lines: Vec::with_capacity(surface.lines.len()),
        normals: surface.normals.as_ref().map(|list| Vec::with_capacity(list.len())),
        texcoords: surface.texcoords.as_ref().map(|list| Vec::with_capacity(list.len())),
        colours: surface.colours.clone(),
        parts: surface.parts.clone(),
        part_of: surface.part_of.as_ref().map(|list| Vec::with_capacity(list.len())),
    };
    let mut splitter = Splitter { points, surface: empty, cuts: HashMap::new() };
    for triangle in 0..surface.triangles.len() {
        splitter.add_triangle(corners(surface, triangle));
        if let (Some(parts), Some(given)) = (&mut splitter.surface.part_of, &surface.part_of) {
            parts.resize(splitter.surface.triangles.len(), given[triangle]);
        }
    }
    for line in &surface.lines {
        splitter.add_line(*line);
    }
    (splitter.surface, splitter.points)
}

/// The approximate memory of the split surface, in bytes: one polygon of a few triangles for each cell that a triangle
/// touches.
pub(super) fn split_memory(surface: &Surface, grid: &Grid) -> f64 {
    let cells = Grid { levels: 0, ..*grid };
    let triangles = |touched: usize| if touched == 1 { 1 } else { 3 * touched };
    BYTES_PER_TRIANGLE * sum_of_touches(surface, &cells, triangles) as f64
}

fn corners(surface: &Surface, triangle: usize) -> [Corner; 3] {
    let vertices = surface.triangles[triangle];
    let normals = surface.normals.as_ref().map_or([DVec3::ZERO; 3], |list| list[triangle]);
    let texcoords = surface.texcoords.as_ref().map_or([DVec2::ZERO; 3], |list| list[triangle]);
    std::array::from_fn(|k| Corner {
        vertex: vertices[k],
        normal: normals[k],
        texcoord: texcoords[k],
    })
}

impl Splitter {
    fn add_triangle(&mut self, triangle: [Corner; 3]) {
        let mut rest = vec![triangle];
        while let Some(triangle) = rest.pop() {
            match self.first_plane(&triangle.map(|corner| corner.vertex)) {
                Some(plane) => self.cut_triangle(plane, triangle, &mut rest),
                None => self.emit(triangle),
            }
        }
    }

    fn add_line(&mut self, line: [u32; 2]) {
        let mut rest = vec![line];
        while let Some([from, to]) = rest.pop() {
            match self.first_plane(&[from, to]) {
                Some(plane) => {
                    let (middle, _) = self.cut_edge(plane, from, to);
                    rest.extend([[middle, to], [from, middle]]);
                }
                None => self.surface.lines.push([from, to]),
            }
        }
    }

    fn emit(&mut self, triangle: [Corner; 3]) {
        self.surface.triangles.push(triangle.map(|corner| corner.vertex));
        if let Some(normals) = &mut self.surface.normals {
            normals.push(triangle.map(|corner| corner.normal));
        }
        if let Some(texcoords) = &mut self.surface.texcoords {
            texcoords.push(triangle.map(|corner| corner.texcoord));
        }
    }

    /// The lowest plane, across the first possible axis, that has vertices on both sides; `None` if there is none.
    fn first_plane(&self, vertices: &[u32]) -> Option<Plane> {
        (0..3).find_map(|axis| {
            let along = |vertex: &u32| self.points[*vertex as usize][axis];
            let low = vertices.iter().map(along).fold(f64::INFINITY, f64::min);
            let high = vertices.iter().map(along).fold(f64::NEG_INFINITY, f64::max);
            let position = (low + ON_PLANE).floor() + 1.0;
            (position < high - ON_PLANE).then_some(Plane { axis, position })
        })
    }

    /// The side of a plane that a vertex is on: −1, 0 or 1.
    fn side(&self, plane: Plane, vertex: u32) -> i32 {
        let beyond = self.points[vertex as usize][plane.axis] - plane.position;
        i32::from(beyond > ON_PLANE) - i32::from(beyond < -ON_PLANE)
    }

    /// Cuts a triangle with corners on both sides of a plane into two or three.
    fn cut_triangle(&mut self, plane: Plane, triangle: [Corner; 3], parts: &mut Vec<[Corner; 3]>) {
        let sides = triangle.map(|corner| self.side(plane, corner.vertex));
        let sum: i32 = sides.iter().sum();
        // The corner on the plane, or else the corner that is alone on its side.
        let apart = if sides.contains(&0) { 0 } else { -sum };
        let first = sides.iter().position(|side| *side == apart).unwrap_or(0);
        let [a, b, c] = [0, 1, 2].map(|k| triangle[(first + k) % 3]);
        if apart == 0 {
            let middle = self.cut(plane, b, c);
            parts.extend([[a, b, middle], [a, middle, c]]);
            return;
        }
        let (ab, ac) = (self.cut(plane, a, b), self.cut(plane, a, c));
        parts.push([a, ab, ac]);
        if self.distance_squared(b, ac) <= self.distance_squared(c, ab) {
            parts.extend([[ab, b, ac], [b, c, ac]]);
        } else {
            parts.extend([[ab, b, c], [ab, c, ac]]);
        }
    }

    fn distance_squared(&self, a: Corner, b: Corner) -> f64 {
        self.points[a.vertex as usize].distance_squared(self.points[b.vertex as usize])
    }

    /// The corner where the edge between two corners crosses a plane.
    fn cut(&mut self, plane: Plane, a: Corner, b: Corner) -> Corner {
        let (vertex, t) = self.cut_edge(plane, a.vertex, b.vertex);
        let normal = a.normal.lerp(b.normal, t);
        Corner { vertex, normal, texcoord: a.texcoord.lerp(b.texcoord, t) }
    }

    /// The vertex where an edge crosses a plane, and its position along the edge, 0 to 1.
    fn cut_edge(&mut self, plane: Plane, from: u32, to: u32) -> (u32, f64) {
        let along = |vertex: u32| self.points[vertex as usize][plane.axis];
        let is_rising = along(from) < along(to);
        let (low, high) = if is_rising { (from, to) } else { (to, from) };
        let t = (plane.position - along(low)) / (along(high) - along(low));
        let key = (low, high, plane.axis);
        let vertex = self.cuts.get(&key).copied().unwrap_or_else(|| {
            let vertex = self.add_vertex(plane, low, high, t);
            self.cuts.insert(key, vertex);
            vertex
        });
        (vertex, if is_rising { t } else { 1.0 - t })
    }

    /// Adds a vertex on an edge, always computed from its lower end so that the order of triangles does not matter.
    fn add_vertex(&mut self, plane: Plane, low: u32, high: u32, t: f64) -> u32 {
        let (low, high) = (low as usize, high as usize);
        let mut point = self.points[low].lerp(self.points[high], t);
        point[plane.axis] = plane.position;
        self.points.push(point);
        let vertices = &mut self.surface.vertices;
        vertices.push(vertices[low].lerp(vertices[high], t));
        if let Some(colours) = &mut self.surface.colours {
            let (a, b) = (colours[low], colours[high]);
            colours.push(std::array::from_fn(|k| a[k] + t as f32 * (b[k] - a[k])));
        }
        self.points.len() as u32 - 1
    }
}
