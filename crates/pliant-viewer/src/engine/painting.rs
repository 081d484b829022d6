//! Paints parts of a body with a material of their own.

use std::sync::Arc;

use glam::DVec3;
use pliant::body::Body;
use pliant_kernels::element::shape;

use super::command_checks::{in_range, unbroken_body, within};
use super::edit::{Edit, PaintEdit, painted_material};
use super::order::Refusal;
use super::pick::Picker;
use super::thread::Engine;
use crate::protocol::command::{Paint, Point};

/// The largest number of points of a stroke in one message.
const MAX_STROKE_POINTS: usize = 64;

impl Engine {
    /// Makes the edit for a brush stroke.
    pub(super) fn paint_edit(&self, paint: &Paint) -> Result<Edit, Refusal> {
        in_range("factor", paint.factor, 1e-3, 1e3)?;
        if let Some(toughness) = paint.toughness {
            in_range("toughness", toughness, 1e-3, 1e3)?;
        }
        let radius = in_range("radius", paint.radius, 1e-6, 1e6)?;
        within("points", paint.points.len() as u64, 1, MAX_STROKE_POINTS as u64)?;
        let body = unbroken_body(&self.stage, paint.body)?;
        let plan = &self.stage.scene.bodies[body];
        let Some(held) = self.stage.body(body).filter(|_| plan.rigid.is_none()) else {
            let message = "a rigid body cannot be painted; paint a deformable one";
            return Err(Refusal::new("rigid", message));
        };
        let (parts, finer) = (part_centres(held), held.model().contents().is_some());
        let centres = self.centres(paint)?;
        let reached =
            centres.iter().map(|centre| min_radius(&parts, *centre)).fold(radius, f64::max);
        if centres.is_empty() {
            let message =
                "the brush did not touch the body, and a region needs cells; start on its surface";
            return Err(Refusal::new("no-cells", message));
        }
        let material = painted_material(paint, &plan.material)?;
        let (stroke, parts) = (paint.stroke, finer.then_some(parts));
        Ok(Edit::Paint(PaintEdit { body, centres, radius: reached, material, stroke, parts }))
    }

    /// Rest positions of the points of a stroke that are on the body.
    fn centres(&self, paint: &Paint) -> Result<Vec<DVec3>, Refusal> {
        let picker = Picker::new(&self.stage);
        let mut centres = Vec::new();
        for point in &paint.points {
            let at = matches!(point, Point::At { .. });
            let own = picker.pick(point)?.filter(|picked| at || picked.hit.body == paint.body);
            centres.extend(own.map(|picked| picked.anchor));
        }
        Ok(centres)
    }
}

/// The smallest radius of a spot that contains the centre of a part.
fn min_radius(parts: &[DVec3], centre: DVec3) -> f64 {
    let nearest = parts.iter().map(|part| part.distance(centre)).fold(f64::INFINITY, f64::min);
    if nearest.is_finite() { nearest * (1.0 + 1e-9) } else { 0.0 }
}

/// Centres, in the rest shape of the scene, of the parts with separate materials: leaves of voxels, otherwise cells.
fn part_centres(body: &Body) -> Arc<[DVec3]> {
    let (model, mesh, rest) = (body.model(), body.model().mesh(), body.anchors());
    let mut part_centres = Vec::new();
    for (cell, (kind, nodes)) in mesh.cells().enumerate() {
        let corners = &nodes[..kind.corner_count()];
        let Some(contents) = model.contents() else {
            let sum: DVec3 = corners.iter().map(|node| rest[*node as usize]).sum();
            part_centres.push(sum / corners.len() as f64);
            continue;
        };
        let side = f64::from(contents.resolution);
        for leaf in contents.cell(cell) {
            let xi = (DVec3::from(leaf.place.map(f64::from)) + 0.5) / side;
            let weights = shape(kind, xi).into_iter().zip(nodes);
            part_centres.push(weights.map(|(weight, node)| weight * rest[*node as usize]).sum());
        }
    }
    part_centres.into()
}
