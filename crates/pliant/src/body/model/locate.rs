//! Material points of a model.

use glam::DVec3;

use crate::body::error::BodyError;
use crate::body::material_point::{MOST_EXTENSION, MaterialPoint};
use crate::body::model::model::Model;

impl Model {
    /// The material point at rest at `position`, if it lies in the body. Where cells overlap, it is the point in the
    /// cell with the nearest matter. A rigid body contains all points within the bounds of its skin.
    pub fn locate(&self, position: DVec3) -> Option<MaterialPoint> {
        if let Some(inertia) = &self.inertia {
            return self.skin_bounds_hold(position).then(|| inertia.point(position));
        }
        let Some(contents) = &self.contents else {
            return MaterialPoint::locate(&self.mesh, position);
        };
        let points = MaterialPoint::locate_all(&self.mesh, position);
        let distance = |point: &MaterialPoint| {
            let cell = point.cell as usize;
            let inverse = self.mesh.straight_jacobian(cell).inverse();
            let first = self.mesh.nodes[self.mesh.cell(cell).1[0] as usize];
            contents.distance(cell, DVec3::from(inverse.mul_vec((position - first).into())))
        };
        points.min_by(|a, b| distance(a).total_cmp(&distance(b)))
    }

    /// The material point at a point of a triangle of the skin that touches, or the nearest to it: in the cell that its corners follow, in one of
    /// several, or in one between them. `None` if the skin has no such vertices.
    pub(crate) fn point_of_skin(
        &self,
        vertices: [u32; 3],
        weights: [f64; 3],
    ) -> Option<MaterialPoint> {
        let (skin, mesh) = (self.touching_skin(), &self.mesh);
        if vertices.iter().any(|vertex| *vertex as usize >= skin.vertex_count()) {
            return None;
        }
        let corners = vertices.iter().zip(weights);
        let place = corners.map(|(vertex, weight)| weight * skin.rest_of(*vertex, mesh)).sum();
        if let Some(inertia) = &self.inertia {
            return Some(inertia.point(place));
        }
        let cells = match skin.cells() {
            [] => self.cells_at(&vertices),
            cells => vertices.iter().map(|vertex| cells[*vertex as usize]).collect(),
        };
        if let [cell, others @ ..] = &*cells
            && others.iter().all(|other| other == cell)
            && !skin.cells().is_empty()
        {
            return Some(self.blended(*cell, vertices, weights));
        }
        let near_cell = |cell: &u32| MaterialPoint::near_cell(mesh, *cell, place);
        let nearest = cells.iter().filter_map(near_cell).min_by(|a, b| a.1.total_cmp(&b.1));
        match nearest {
            Some((point, 0.0)) => Some(point),
            // A triangle that is longer than the cells has others between those of its corners.
            nearest => self.locate(place).or(nearest.map(|(point, _)| point)),
        }
    }

    /// The blend of vertices of the skin that follow one cell: it stays on their triangle however the cell deforms.
    fn blended(&self, cell: u32, vertices: [u32; 3], shares: [f64; 3]) -> MaterialPoint {
        let (skin, nodes) = (self.touching_skin(), self.mesh.cell(cell as usize).1);
        let of_vertex = |vertex: u32, node: u32| -> f64 {
            let own = skin.weights(vertex as usize).filter(|(other, _)| *other == node);
            own.map(|(_, weight)| weight).sum()
        };
        let weight = |node: &u32| {
            let corners = vertices.iter().zip(shares);
            corners.map(|(vertex, share)| share * of_vertex(*vertex, *node)).sum()
        };
        MaterialPoint { cell, nodes: nodes.to_vec(), weights: nodes.iter().map(weight).collect() }
    }

    /// Cells with a node that one of these vertices of the skin follows.
    fn cells_at(&self, vertices: &[u32; 3]) -> Vec<u32> {
        let skin = self.touching_skin();
        let weights = vertices.iter().flat_map(|vertex| skin.weights(*vertex as usize));
        let nodes: Vec<u32> = weights.map(|(node, _)| node).collect();
        let cells = (0u32..).zip(self.mesh.cells());
        let near = cells.filter(|(_, (_, own))| own.iter().any(|node| nodes.contains(node)));
        near.map(|(cell, _)| cell).collect()
    }

    /// True if a point lies within the bounds of the skin at rest, extended by a billionth of their size.
    fn skin_bounds_hold(&self, position: DVec3) -> bool {
        let mut vertices = Vec::new();
        self.skin.iter().for_each(|skin| skin.interpolate(&self.mesh.nodes, &mut vertices));
        let low = vertices.iter().fold(DVec3::INFINITY, |low, x| low.min(*x));
        let high = vertices.iter().fold(DVec3::NEG_INFINITY, |high, x| high.max(*x));
        let slack = 1e-9 * (high - low);
        position.cmpge(low - slack).all() && position.cmple(high + slack).all()
    }

    /// Checks that a point belongs to this model.
    pub(crate) fn check_point(&self, point: &MaterialPoint) -> Result<(), BodyError> {
        let mesh = &self.mesh;
        let MaterialPoint { cell, nodes, weights } = point;
        let known = mesh.cells().nth(*cell as usize).is_some_and(|(_, own)| own == nodes);
        let sum: f64 = weights.iter().sum();
        // The nodes of a rigid body span a tetrahedron; its points lie far outside as well as inside.
        let outside = -weights.iter().map(|weight| weight.min(0.0)).sum::<f64>();
        let near = outside <= MOST_EXTENSION || (self.is_rigid() && outside.is_finite());
        let inside = near && (sum - 1.0).abs() < 1e-9;
        if !known || weights.len() != nodes.len() || !inside {
            return Err(BodyError::ForeignPoint { cell: *cell, cell_count: mesh.cell_count() });
        }
        Ok(())
    }
}
