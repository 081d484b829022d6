//! Places of points in the cells of any mesh.

use glam::DVec3;
use pliant::body::MeshPoint;
use pliant::mesh::Mesh;
use pliant_kernels::element::{CellShape, jacobian, shape, shape_gradient};
use pliant_kernels::math::parallel_map;
use pliant_mesh::geometry::{Aabb, Tree};

use crate::tets::tetrahedral_places;

/// Returns the place of every point, and its distance outside the mesh in m.
///
/// The place is in the cell that contains the point. A point outside the mesh hangs on the nearest cell, by its offset
/// from the nearest point there.
///
/// ```
/// use glam::DVec3;
/// use pliant::mesh::generate::{BoxConfig, box_mesh};
/// use pliant_mesher::places;
///
/// let mesh = box_mesh(&BoxConfig { cells: [2, 2, 2], ..Default::default() })?;
/// let found = places(&mesh, &[DVec3::splat(0.3), DVec3::new(0.5, 1.25, 0.5)]);
/// assert_eq!(found[0].1, 0.0);
/// assert!((found[1].1 - 0.25).abs() < 1e-9);
/// # Ok::<(), pliant::mesh::MeshError>(())
/// ```
pub fn places(mesh: &Mesh, points: &[DVec3]) -> Vec<(MeshPoint, f64)> {
    let tetrahedra = mesh.blocks.first().map(|block| block.kind).filter(|kind| {
        kind.shape() == CellShape::Tetrahedron
            && mesh.blocks.iter().all(|block| block.kind == *kind)
    });
    match tetrahedra {
        Some(_) => tetrahedral_places(mesh, points),
        None => straight_places(mesh, points),
    }
}

/// The same, where the nearest cell is that of the straight-sided cells.
fn straight_places(mesh: &Mesh, points: &[DVec3]) -> Vec<(MeshPoint, f64)> {
    let boxes: Vec<Aabb> =
        mesh.cells().map(|(_, nodes)| Aabb::of(mesh.cell_points(nodes))).collect();
    let tree = Tree::new(&boxes);
    let find = |point: &DVec3| {
        let distance = |cell: u32| reached(mesh, cell, *point).1;
        let nearest = tree.nearest(*point, f64::INFINITY, distance);
        let (cell, squared) = nearest.unwrap_or((0, 0.0));
        let within = MeshPoint::within(cell, reached(mesh, cell, *point).0);
        (hung(mesh, within, *point), squared.sqrt())
    };
    parallel_map(points, find)
}

/// ξ of the point of a cell nearest to a point, and the squared distance between them, in m².
fn reached(mesh: &Mesh, cell: u32, point: DVec3) -> (DVec3, f64) {
    let (kind, nodes) = mesh.cell(cell as usize);
    let jacobian = mesh.straight_jacobian(cell as usize);
    let away = point - mesh.nodes[nodes[0] as usize];
    let xi = DVec3::from(jacobian.inverse().mul_vec(away.into()));
    let inside = match kind.shape() {
        // Clamped in reference coordinates: exact for boxes, an approximation for other cells.
        CellShape::Tetrahedron => xi.max(DVec3::ZERO) / xi.max(DVec3::ZERO).element_sum().max(1.0),
        _ => xi.clamp(DVec3::ZERO, DVec3::ONE),
    };
    let missed = DVec3::from(jacobian.mul_vec((xi - inside).into()));
    (inside, missed.length_squared())
}

/// The place of a point that hangs on a point of a cell: δ = (∂x/∂ξ)⁻¹ (x − x(ξ)); without an offset if it is there up to
/// rounding.
fn hung(mesh: &Mesh, on: MeshPoint, point: DVec3) -> MeshPoint {
    /// The largest offset that rounding gives a point of the cell.
    const ROUNDING: f64 = 1e-12;
    let (kind, nodes) = mesh.cell(on.cell as usize);
    let points = mesh.cell_points(nodes);
    let at: DVec3 = shape(kind, on.xi).iter().zip(&points).map(|(w, x)| *w * *x).sum();
    let slopes = jacobian(&points, &shape_gradient(kind, on.xi));
    let offset = DVec3::from(slopes.inverse().mul_vec((point - at).into()));
    // At the apex of a pyramid the map has no derivative.
    let hangs = offset.is_finite() && offset.abs().max_element() > ROUNDING;
    if hangs { MeshPoint { offset, ..on } } else { on }
}
