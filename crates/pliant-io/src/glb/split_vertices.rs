//! Splits vertices at creases and seams, so that each has one normal and one texture coordinate.

use std::collections::BTreeMap;

use glam::{DVec2, DVec3, Vec2, Vec3};

use crate::picture::corner_normals;

use super::AnimatedSurface;

/// Cosine of the angle up to which an artist's normals at a vertex are equal: the rounding error of normals in files.
const SAME_NORMAL_COSINE: f64 = 0.9999;

/// The vertices of a surface in the form that viewers need: each with one normal and one texture coordinate.
///
/// ```
/// use glam::DVec3;
/// use pliant_io::glb::{AnimatedSurface, SplitVertices};
/// use pliant_io::picture::Colour;
/// use pliant_io::surface::Surface;
///
/// // Two triangles that meet at a right angle: the edge between them is a crease, and is split.
/// let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
/// let bent = Surface::new(corners.clone(), vec![[0, 1, 2], [0, 3, 1]]);
/// let mut bent = AnimatedSurface::of("bent", Colour::WHITE, &bent);
/// bent.frames.push(corners);
/// assert_eq!(SplitVertices::new(&bent, true).sources.len(), 6);
/// ```
#[derive(Debug)]
pub struct SplitVertices {
    /// The original vertex of each new vertex.
    pub sources: Vec<u32>,
    /// The triangles in terms of the new vertices.
    pub triangles: Vec<[u32; 3]>,
    /// The lines in terms of the new vertices.
    pub lines: Vec<[u32; 2]>,
    /// Texture coordinates of the new vertices, with the origin at the upper left, as in glTF.
    pub texcoords: Option<Vec<Vec2>>,
    /// The fan of each new vertex: triangles in the same fan are shaded smoothly together.
    pub fans: Vec<u32>,
}

impl SplitVertices {
    /// Creates one vertex for each pair of fan and texture coordinate at a vertex; if `normals` is false, for each
    /// texture coordinate.
    ///
    /// # Panics
    /// If the surface has no frame.
    pub fn new(body: &AnimatedSurface, normals: bool) -> Self {
        if !normals && body.texcoords.is_none() {
            return Self::unsplit(body);
        }
        let fans = match (normals, &body.normals) {
            (false, _) => body.triangles.clone(),
            (true, None) => fans_of_angles(&body.frames[0], &body.triangles),
            (true, Some(normals)) => fans_of_normals(&body.triangles, normals),
        };
        let mut splitter = Splitter::default();
        for (index, triangle) in body.triangles.iter().enumerate() {
            let texcoords = body.texcoords.as_ref().map(|all| all[index].map(gltf_texcoord));
            splitter.triangle(*triangle, fans[index], texcoords);
        }
        splitter.finish(body)
    }

    /// Returns the vertices unchanged.
    fn unsplit(body: &AnimatedSurface) -> Self {
        let sources: Vec<u32> = (0..body.frames[0].len() as u32).collect();
        Self {
            fans: sources.clone(),
            sources,
            triangles: body.triangles.clone(),
            lines: body.lines.clone(),
            texcoords: None,
        }
    }

    /// Returns the positions of the new vertices.
    pub(super) fn positions<'a>(&'a self, frame: &'a [DVec3]) -> impl Iterator<Item = DVec3> + 'a {
        self.sources.iter().map(|source| frame[*source as usize])
    }

    /// Returns unit normals of the new vertices: area-weighted means over the triangles of their fan.
    pub(super) fn normals(&self, frame: &[DVec3]) -> Vec<Vec3> {
        let count = self.fans.iter().max().map_or(0, |most| *most as usize + 1);
        let mut sums = vec![DVec3::ZERO; count];
        for triangle in &self.triangles {
            let [a, b, c] = triangle.map(|vertex| frame[self.sources[vertex as usize] as usize]);
            let area = (b - a).cross(c - a);
            triangle.iter().for_each(|v| sums[self.fans[*v as usize] as usize] += area);
        }
        // A fan of flat triangles has no normal; the y axis is a valid unit vector.
        let unit = |fan: &u32| sums[*fan as usize].normalize_or(DVec3::Y).as_vec3();
        self.fans.iter().map(unit).collect()
    }
}

/// Converts a texture coordinate to glTF, where the origin is the upper left corner.
fn gltf_texcoord(texcoord: DVec2) -> Vec2 {
    DVec2::new(texcoord.x, 1.0 - texcoord.y).as_vec2()
}

/// Returns the fans from the angles between facets: one for each smooth normal at a vertex.
fn fans_of_angles(points: &[DVec3], triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let origin = points.first().copied().unwrap_or_default();
    let local: Vec<Vec3> = points.iter().map(|point| (point - origin).as_vec3()).collect();
    let normals = corner_normals(&local, triangles);
    let mut seen = BTreeMap::new();
    let mut fan = |vertex: u32, normal: Vec3| {
        let next = seen.len() as u32;
        *seen.entry((vertex, normal.to_array().map(f32::to_bits))).or_insert(next)
    };
    let corners = triangles.iter().zip(&normals);
    corners.map(|(triangle, normals)| [0, 1, 2].map(|k| fan(triangle[k], normals[k]))).collect()
}

/// Returns the fans from the artist's normals: one for each distinct normal at a vertex.
fn fans_of_normals(triangles: &[[u32; 3]], normals: &[[DVec3; 3]]) -> Vec<[u32; 3]> {
    let mut at_vertex: BTreeMap<u32, Vec<(DVec3, u32)>> = BTreeMap::new();
    let mut count = 0;
    let mut fan = |vertex: u32, normal: DVec3| {
        let normal = normal.normalize_or_zero();
        let fans = at_vertex.entry(vertex).or_default();
        let same =
            |(other, _): &&(DVec3, u32)| *other == normal || other.dot(normal) > SAME_NORMAL_COSINE;
        if let Some((_, fan)) = fans.iter().find(same) {
            return *fan;
        }
        fans.push((normal, count));
        count += 1;
        count - 1
    };
    let corners = triangles.iter().zip(normals);
    corners.map(|(triangle, normals)| [0, 1, 2].map(|k| fan(triangle[k], normals[k]))).collect()
}

#[derive(Debug, Default)]
struct Splitter {
    sources: Vec<u32>,
    fans: Vec<u32>,
    texcoords: Vec<Vec2>,
    triangles: Vec<[u32; 3]>,
    seen: BTreeMap<(u32, u32, [u32; 2]), u32>,
}

impl Splitter {
    fn triangle(&mut self, triangle: [u32; 3], fans: [u32; 3], texcoords: Option<[Vec2; 3]>) {
        let texcoords = texcoords.unwrap_or_default();
        let new = [0, 1, 2].map(|k| self.vertex(triangle[k], fans[k], texcoords[k]));
        self.triangles.push(new);
    }

    fn vertex(&mut self, source: u32, fan: u32, texcoord: Vec2) -> u32 {
        let next = self.sources.len() as u32;
        let key = (source, fan, texcoord.to_array().map(f32::to_bits));
        let vertex = *self.seen.entry(key).or_insert(next);
        if vertex == next {
            self.sources.push(source);
            self.fans.push(fan);
            self.texcoords.push(texcoord);
        }
        vertex
    }

    /// Adds the vertices of lines, in fans without triangles.
    fn finish(mut self, body: &AnimatedSurface) -> SplitVertices {
        let first = self.fans.iter().max().map_or(0, |most| most + 1);
        let lines = body.lines.iter();
        let lines = lines.map(|line| line.map(|v| self.vertex(v, first + v, Vec2::ZERO))).collect();
        let Self { sources, fans, texcoords, triangles, .. } = self;
        let texcoords = body.texcoords.as_ref().map(|_| texcoords);
        SplitVertices { sources, triangles, lines, texcoords, fans }
    }
}
