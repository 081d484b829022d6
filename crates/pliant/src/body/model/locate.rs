//! Material points of a model.

use glam::DVec3;

use crate::body::error::BodyError;
use crate::body::material_point::MaterialPoint;
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
        // The nodes of a rigid body span a tetrahedron; its points lie outside as well as inside.
        let valid = |weight: &f64| *weight >= 0.0 || (self.is_rigid() && weight.is_finite());
        let inside = weights.iter().all(valid) && (sum - 1.0).abs() < 1e-9;
        if !known || weights.len() != nodes.len() || !inside {
            return Err(BodyError::ForeignPoint { cell: *cell, cell_count: mesh.cell_count() });
        }
        Ok(())
    }
}
