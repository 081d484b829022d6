//! Nearest points of the curved boundary of a mesh.

use glam::DVec3;
use pliant::body::MeshPoint;
use pliant::mesh::{Face, Mesh};
use pliant_kernels::element::{faces, reference_corners};
use pliant_kernels::math::Rows;
use pliant_mesh::geometry::nearest_on_triangle;

use crate::SurfaceTree;

use super::farthest::{boundary_corners, small_triangles};

/// The nearest point of the boundary, or of a part of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Foot {
    /// The boundary face it lies on.
    pub(super) face: u32,
    /// Its place in the cell of the face.
    pub(super) place: MeshPoint,
    /// The distance to the query point.
    pub(super) distance: f64,
    /// The outward normal of the boundary there; its length is twice the area of a small triangle.
    pub(super) normal: DVec3,
}

/// The boundary faces of a mesh, each approximated by small triangles.
pub(super) struct BoundaryFaces<'a> {
    mesh: &'a Mesh,
    faces: Vec<Face>,
    tree: SurfaceTree,
    /// The corners of the small triangles of a face, in barycentric coordinates of the face.
    pieces: Vec<[[f64; 3]; 3]>,
    /// The corners of the small triangles, face by face.
    corners: Vec<[DVec3; 3]>,
    /// The boundary faces at each corner of a cell.
    faces_at: Rows,
    /// The boundary faces of each cell.
    faces_of: Rows,
}

impl<'a> BoundaryFaces<'a> {
    pub(super) fn new(mesh: &'a Mesh) -> Self {
        let degree = mesh.blocks[0].kind.degree();
        let (faces, pieces) = (mesh.boundary_faces(), small_triangles(degree));
        let corners = boundary_corners(mesh);
        let numbered = || (0u32..).zip(&faces);
        let faces_at = Rows::from_pairs(mesh.nodes.len(), || {
            numbered().flat_map(|(face, f)| f.corners.iter().map(move |c| (*c as usize, face)))
        });
        let faces_of = Rows::from_pairs(mesh.cell_count(), || {
            numbered().map(|(face, f)| (f.cell as usize, face))
        });
        let tree = SurfaceTree::of_corners(corners.clone());
        Self { mesh, tree, pieces, corners, faces_at, faces_of, faces }
    }

    /// The nearest point of the whole boundary.
    pub(super) fn nearest(&self, point: DVec3) -> Foot {
        let nearest = self.tree.nearest(point);
        self.foot(nearest.triangle as usize, nearest.point, nearest.distance)
    }

    /// The nearest point of the boundary that is reached from a face by steps to neighbouring faces, each of which is
    /// nearer than the last: it does not jump across gaps.
    pub(super) fn nearest_from(&self, start: u32, point: DVec3) -> Foot {
        let mut best = self.nearest_on(start, point);
        let mut from = start;
        loop {
            let corners = &self.faces[from as usize].corners;
            for face in corners.iter().flat_map(|corner| self.faces_at.row(*corner as usize)) {
                let found = self.nearest_on(*face, point);
                if found.distance < best.distance {
                    best = found;
                }
            }
            if best.face == from {
                return best;
            }
            from = best.face;
        }
    }

    /// True if a cell has no boundary face, or one that faces the half space of this direction.
    pub(super) fn may_face(&self, cell: u32, direction: DVec3) -> bool {
        let faces = self.faces_of.row(cell as usize);
        let normal = |face: &u32| self.outward(*face as usize * self.pieces.len());
        faces.is_empty() || faces.iter().any(|face| normal(face).dot(direction) >= 0.0)
    }

    /// The longest side of the straight triangle of a face.
    pub(super) fn size(&self, face: u32) -> f64 {
        let corners = &self.faces[face as usize].corners;
        let [a, b, c] = [0, 1, 2].map(|k| self.mesh.nodes[corners[k] as usize]);
        a.distance(b).max(b.distance(c)).max(c.distance(a))
    }

    fn nearest_on(&self, face: u32, point: DVec3) -> Foot {
        let first = face as usize * self.pieces.len();
        let (mut best, mut squared) = ((first, self.corners[first][0]), f64::INFINITY);
        for number in first..first + self.pieces.len() {
            let nearest = nearest_on_triangle(point, self.corners[number]);
            if nearest.distance_squared(point) < squared {
                (best, squared) = ((number, nearest), nearest.distance_squared(point));
            }
        }
        self.foot(best.0, best.1, best.1.distance(point))
    }

    /// The foot at a point of a small triangle.
    fn foot(&self, number: usize, point: DVec3, distance: f64) -> Foot {
        let face = &self.faces[number / self.pieces.len()];
        let piece = &self.pieces[number % self.pieces.len()];
        let weights = barycentric(&self.corners[number], point);
        let (kind, _) = self.mesh.cell(face.cell as usize);
        let reference = reference_corners(kind.shape());
        let mut xi = DVec3::ZERO;
        for (k, corner) in faces(kind.shape())[face.face as usize].iter().enumerate() {
            let share: f64 = (0..3).map(|j| weights[j] * piece[j][k]).sum();
            xi += share * DVec3::from(reference[*corner].map(|x| x as f64));
        }
        Foot {
            face: (number / self.pieces.len()) as u32,
            place: MeshPoint::within(face.cell, xi),
            distance,
            normal: self.outward(number),
        }
    }

    fn outward(&self, number: usize) -> DVec3 {
        let [a, b, c] = self.corners[number];
        (b - a).cross(c - a)
    }
}

/// The barycentric coordinates of a point of a triangle; those of the centroid if it has no area.
fn barycentric([a, b, c]: &[DVec3; 3], point: DVec3) -> [f64; 3] {
    let normal = (b - a).cross(c - a);
    let squared = normal.length_squared();
    if squared <= 0.0 {
        return [1.0 / 3.0; 3];
    }
    let v = (point - a).cross(c - a).dot(normal) / squared;
    let w = (b - a).cross(point - a).dot(normal) / squared;
    [1.0 - v - w, v, w]
}
