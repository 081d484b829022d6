//! Splinters: the drawn surface of a breakable body, in small pieces that never break.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::body::mesh_point::MeshPoint;
use crate::body::skin::skin::Skin;
use pliant_mesh::mesh::Mesh;

/// A surface of many small closed pieces, the splinters, each tied to the cell that contains its centre (Parker &
/// O'Brien 2009, section 5).
///
/// Its vertices follow their cells, so that the splinters of an unbroken body fit together. Where the body breaks, a
/// splinter moves with the cell of its centre: vertices in cells that are no longer connected to that one follow the
/// nearest connected cell. So the body looks like torn wood or shattered glass, not like cells.
///
/// A surface without splinters breaks along its triangles, and the open faces of cells are drawn as they are.
#[derive(Debug, Clone, PartialEq)]
pub struct Splinters {
    pub(crate) skin: Skin,
    /// Triangles of each splinter, and the cell that it is tied to.
    pub(crate) pieces: Vec<(Range<u32>, u32)>,
    /// For each triangle its index in the original surface, or [`Splinters::FRESH_FACE`].
    pub(crate) sources: Vec<u32>,
    /// True if splinters are closed: then open faces of cells are not drawn.
    pub(crate) closed: bool,
}

/// Invalid splinters.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SplinterError {
    /// The number of places differs from the number of vertices.
    #[error("there are {places} places for the {vertices} vertices of the splinters")]
    Count {
        /// Places given.
        places: usize,
        /// Vertices of the triangles.
        vertices: usize,
    },
    /// A triangle whose vertices are not all of one splinter.
    #[error(
        "triangle {triangle} is not of one splinter: the vertices of a splinter are its own, and its triangles follow one another"
    )]
    Shared {
        /// The triangle.
        triangle: usize,
    },
    /// A splinter with a hole, or an edge that more than two triangles share.
    #[error(
        "splinter {splinter} is not closed: the edge from ({ax:.4}, {ay:.4}, {az:.4}) to ({bx:.4}, {by:.4}, {bz:.4}) m has {triangles} triangles, expected two of opposite directions; close it, or cut the surface into splinters anew"
    )]
    Open {
        /// The splinter.
        splinter: usize,
        /// Where the edge begins, in m.
        ax: f64,
        /// Where the edge begins, in m.
        ay: f64,
        /// Where the edge begins, in m.
        az: f64,
        /// Where it ends, in m.
        bx: f64,
        /// Where it ends, in m.
        by: f64,
        /// Where it ends, in m.
        bz: f64,
        /// Number of triangles that share the edge.
        triangles: usize,
    },
    /// A splinter that lies in no cell.
    #[error(
        "splinter {splinter} lies outside every cell, {distance:.3e} m from the nearest: leave it out, or make cells that reach it"
    )]
    Outside {
        /// The splinter.
        splinter: usize,
        /// Distance from the nearest cell, in m.
        distance: f64,
    },
}

impl Splinters {
    /// The source of a triangle that is not on the original surface but on an open face of a cell.
    pub const FRESH_FACE: u32 = u32::MAX;

    /// Splinters with vertices at these points of a mesh. `pieces` are the ranges of vertices of each splinter; their
    /// triangles follow one another, in the same order. `middles` are the points of their centres.
    ///
    /// # Errors
    ///
    /// Splinters that share vertices or are not closed.
    ///
    /// # Panics
    /// If a place refers to a missing cell.
    pub fn new(
        mesh: &Mesh,
        (places, triangles): (&[MeshPoint], &[[u32; 3]]),
        pieces: &[Range<u32>],
        middles: &[MeshPoint],
    ) -> Result<Self, SplinterError> {
        let skin = Skin::embedded(mesh, places, triangles.to_vec());
        let vertices = pieces.last().map_or(0, |piece| piece.end as usize);
        if vertices != places.len() || middles.len() != pieces.len() {
            return Err(SplinterError::Count { places: places.len(), vertices });
        }
        let mut next = 0;
        let mut tied = Vec::new();
        for (splinter, (piece, middle)) in pieces.iter().zip(middles).enumerate() {
            let begin = next;
            let own = |triangle: &[u32; 3]| triangle.iter().all(|v| piece.contains(v));
            while triangles.get(next).is_some_and(own) {
                next += 1;
            }
            if let Some((edge, count)) = open_edge(&triangles[begin..next]) {
                let [a, b] = edge.map(|vertex| skin.rest_of(vertex, mesh));
                return Err(SplinterError::Open {
                    splinter,
                    ax: a.x,
                    ay: a.y,
                    az: a.z,
                    bx: b.x,
                    by: b.y,
                    bz: b.z,
                    triangles: count,
                });
            }
            tied.push((begin as u32..next as u32, middle.cell));
        }
        if next != triangles.len() {
            return Err(SplinterError::Shared { triangle: next });
        }
        let sources = (0..triangles.len() as u32).collect();
        Ok(Self { skin, pieces: tied, sources, closed: true })
    }

    /// The drawn surface.
    pub fn skin(&self) -> &Skin {
        &self.skin
    }

    /// The number of splinters.
    pub fn len(&self) -> usize {
        self.pieces.len()
    }

    /// True if there are no splinters.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// For each triangle its index in the original surface, or [`Splinters::FRESH_FACE`] on an open face of a cell.
    pub fn sources(&self) -> &[u32] {
        &self.sources
    }
}

/// Finds an edge that is not shared by exactly two triangles of opposite directions; returns it with the number of
/// its triangles.
fn open_edge(triangles: &[[u32; 3]]) -> Option<([u32; 2], usize)> {
    let mut edges: BTreeMap<[u32; 2], (i32, usize)> = BTreeMap::new();
    for [a, b, c] in triangles {
        for [a, b] in [[*a, *b], [*b, *c], [*c, *a]] {
            let (sum, count) = edges.entry([a.min(b), a.max(b)]).or_default();
            *sum += if a < b { 1 } else { -1 };
            *count += 1;
        }
    }
    edges
        .into_iter()
        .find(|(_, (sum, count))| (*sum, *count) != (0, 2))
        .map(|(edge, (_, n))| (edge, n))
}
