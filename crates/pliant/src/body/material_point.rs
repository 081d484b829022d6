//! A fixed point of the material.

use glam::{DMat3, DVec3};

use crate::body::mesh_point::MeshPoint;
use pliant_kernels::element::{CellShape, Kind, jacobian, shape, shape_gradient};
use pliant_mesh::mesh::Mesh;

/// A fixed point of the material: a combination `p = Σ wₐ qₐ` of the nodes of one cell. Weights are negative only for points outside the cell,
/// which move as if it were extended: those of rigid bodies, and those of a skin that is not quite inside the cells.
#[derive(Debug, Clone, PartialEq)]
pub struct MaterialPoint {
    /// The cell.
    pub cell: u32,
    /// Its nodes.
    pub nodes: Vec<u32>,
    /// Their weights; they sum to 1.
    pub weights: Vec<f64>,
}

/// Distance outside a cell, in reference coordinates, within which a point still belongs to it.
const CELL_SLACK: f64 = 1e-7;

/// How far outside its cell a point of a body that deforms may be: the sum of its negative weights, without sign.
pub(in crate::body) const MOST_EXTENSION: f64 = 10.0;

impl MaterialPoint {
    /// The point of a mesh that rests at `position`, if it lies in a cell.
    pub fn locate(mesh: &Mesh, position: DVec3) -> Option<Self> {
        Self::locate_all(mesh, position).next()
    }

    /// Points at rest at `position`, one for every cell that contains it.
    pub fn locate_all(mesh: &Mesh, position: DVec3) -> impl Iterator<Item = Self> {
        mesh.cells().enumerate().filter_map(move |(cell, (kind, nodes))| {
            let points = mesh.cell_points(nodes);
            let xi = reference_coordinate(kind, &points, position)?;
            // On the far face of a cell 1 − Σ ξ is zero up to rounding, which may be below it.
            let weights = shape(kind, xi).iter().map(|weight| weight.max(0.0)).collect();
            Some(Self { cell: cell as u32, nodes: nodes.to_vec(), weights })
        })
    }

    /// The point at rest at `position`, in a cell or hanging on it as a [`MeshPoint`] does, and how far outside the straight cell it is, in units of
    /// its sides.
    pub(crate) fn near_cell(mesh: &Mesh, cell: u32, position: DVec3) -> Option<(Self, f64)> {
        let (kind, nodes) = mesh.cells().nth(cell as usize)?;
        let points = mesh.cell_points(nodes);
        let with = |weights| Self { cell, nodes: nodes.to_vec(), weights };
        if let Some(xi) = reference_coordinate(kind, &points, position) {
            return Some((with(shape(kind, xi)), 0.0));
        }
        let inverse = mesh.straight_jacobian(cell as usize).inverse();
        let straight = DVec3::from(inverse.mul_vec((position - points[0]).into()));
        let xi = clamp(kind.shape(), straight);
        let at: DVec3 = shape(kind, xi).iter().zip(&points).map(|(b, point)| *b * *point).sum();
        let slopes: DMat3 = jacobian(&points, &shape_gradient(kind, xi)).into();
        let offset = slopes.inverse() * (position - at);
        // At the apex of a pyramid the map has no derivative.
        let offset = if offset.is_finite() { offset } else { DVec3::ZERO };
        let place = MeshPoint { cell, xi, offset };
        straight.is_finite().then(|| (with(place.weights(kind)), outside(kind, straight)))
    }

    /// The material point at a point of a mesh.
    ///
    /// # Panics
    /// If the cell is missing.
    pub fn at(mesh: &Mesh, place: &MeshPoint) -> Self {
        let (kind, nodes) = mesh.cell(place.cell as usize);
        Self { cell: place.cell, nodes: nodes.to_vec(), weights: place.weights(kind) }
    }

    /// Points at the given nodes, one each; nodes without a cell are left out.
    pub fn of_nodes(mesh: &Mesh, nodes: &[u32]) -> Vec<Self> {
        let mut cell_of = vec![None; mesh.nodes.len()];
        for (cell, (_, own)) in (0u32..).zip(mesh.cells()) {
            for node in own {
                cell_of[*node as usize].get_or_insert(cell);
            }
        }
        let point = |node: &u32| {
            let cell = cell_of.get(*node as usize).copied().flatten()?;
            let own = mesh.cell(cell as usize).1.to_vec();
            let weights = own.iter().map(|other| f64::from(u8::from(other == node))).collect();
            Some(Self { cell, nodes: own, weights })
        };
        nodes.iter().filter_map(point).collect()
    }

    /// Position of the point when the nodes are at `x`.
    pub fn position(&self, x: &[DVec3]) -> DVec3 {
        let terms = self.nodes.iter().zip(&self.weights);
        terms.map(|(node, weight)| *weight * x[*node as usize]).sum()
    }
}

/// Solves x(ξ) = `position` for ξ by Newton iteration; `None` if the point is outside the cell.
fn reference_coordinate(kind: Kind, points: &[DVec3], position: DVec3) -> Option<DVec3> {
    let low = points.iter().fold(DVec3::INFINITY, |low, point| low.min(*point));
    let high = points.iter().fold(DVec3::NEG_INFINITY, |high, point| high.max(*point));
    let margin = DVec3::splat(CELL_SLACK * (high - low).max_element());
    if position.cmplt(low - margin).any() || position.cmpgt(high + margin).any() {
        return None;
    }
    let mut xi = middle(kind.shape());
    for _ in 0..50 {
        let x: DVec3 = shape(kind, xi).iter().zip(points).map(|(b, point)| *b * *point).sum();
        let j: DMat3 = jacobian(points, &shape_gradient(kind, xi)).into();
        let step = j.inverse() * (position - x);
        if !step.is_finite() {
            return None;
        }
        xi += step;
        if step.length() < 1e-13 {
            break;
        }
    }
    // In a strongly curved cell the iteration may run in circles.
    let x: DVec3 = shape(kind, xi).iter().zip(points).map(|(b, point)| *b * *point).sum();
    let is_there = x.distance(position) <= margin.x;
    (is_there && inside(kind.shape(), xi)).then(|| clamp(kind.shape(), xi))
}

/// The distance of ξ outside a reference cell, in units of its sides; zero inside.
pub(crate) fn outside(kind: Kind, xi: DVec3) -> f64 {
    let below = (-xi.min_element()).max(0.0);
    let above = match kind.shape() {
        CellShape::Tetrahedron => xi.element_sum() - 1.0,
        CellShape::Hexahedron => xi.max_element() - 1.0,
        CellShape::Prism => (xi.x + xi.y - 1.0).max(xi.z - 1.0),
        CellShape::Pyramid => (xi.x.max(xi.y) + xi.z - 1.0).max(xi.z - 1.0),
    };
    below.max(above)
}

/// The mean of the corners of a reference cell.
fn middle(shape: CellShape) -> DVec3 {
    match shape {
        CellShape::Tetrahedron => DVec3::splat(0.25),
        CellShape::Hexahedron => DVec3::splat(0.5),
        CellShape::Prism => DVec3::new(1.0 / 3.0, 1.0 / 3.0, 0.5),
        CellShape::Pyramid => DVec3::new(0.4, 0.4, 0.2),
    }
}

/// True if ξ lies in the reference cell, up to [`CELL_SLACK`].
fn inside(shape: CellShape, xi: DVec3) -> bool {
    let top = match shape {
        CellShape::Tetrahedron => xi.element_sum(),
        CellShape::Hexahedron => xi.max_element(),
        CellShape::Prism => (xi.x + xi.y).max(xi.z),
        CellShape::Pyramid => xi.x.max(xi.y) + xi.z,
    };
    xi.min_element() >= -CELL_SLACK && top <= 1.0 + CELL_SLACK
}

/// Moves a point that rounding put outside the cell onto it, so that no weight is negative.
fn clamp(shape: CellShape, xi: DVec3) -> DVec3 {
    let xi = xi.max(DVec3::ZERO);
    let shrink = |sum: f64| if sum > 1.0 { 1.0 / sum } else { 1.0 };
    match shape {
        CellShape::Tetrahedron => xi * shrink(xi.element_sum()),
        CellShape::Hexahedron => xi.min(DVec3::ONE),
        CellShape::Prism => {
            let scale = shrink(xi.x + xi.y);
            DVec3::new(xi.x * scale, xi.y * scale, xi.z.min(1.0))
        }
        CellShape::Pyramid => {
            let z = xi.z.min(1.0);
            DVec3::new(xi.x.min(1.0 - z), xi.y.min(1.0 - z), z)
        }
    }
}
