//! Resizes bodies.

use glam::DVec3;
use pliant_io::scene::BodyPlan;
use toml_edit::{Item, TableLike, Value, value};

use crate::engine::table::{list, number, numbers, put, tables, triple};

/// A change of the size of a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Resize {
    /// Factor of the change.
    pub(crate) factor: f64,
    /// The fixed point, in m.
    pub(crate) fixed_point: DVec3,
}

impl Resize {
    /// Scales a body and its cells about the fixed point.
    pub(super) fn apply(self, body: &mut dyn TableLike, plan: &BodyPlan) {
        self.move_body(body, plan);
        for key in ["pin", "region"] {
            self.scale_all(body, key);
        }
        self.scale_cells(body);
    }

    fn move_body(self, body: &mut dyn TableLike, plan: &BodyPlan) {
        let old = body.get("transform").and_then(Item::as_table_like);
        let scale = old.and_then(|table| table.get("scale")).and_then(number).unwrap_or(1.0);
        let before = old.and_then(|table| table.get("translate")).and_then(Item::as_array);
        let before: Vec<f64> = before.map(numbers).unwrap_or_default();
        let before = <[f64; 3]>::try_from(before).map_or(DVec3::ZERO, DVec3::from);
        let place = plan.world_from_mesh.translation;
        let translate = before + (self.factor - 1.0) * (place - self.fixed_point);
        let entries = [
            ("scale", Some(Value::from(scale * self.factor))),
            ("translate", Some(triple(translate.to_array()))),
        ];
        put(body, "transform", "", entries);
    }

    /// Scales pins or regions with the body.
    fn scale_all(self, body: &mut dyn TableLike, key: &str) {
        if list(body, key).is_empty() {
            return;
        }
        let Some(tables) = tables(body, key) else { return };
        let shapes = tables.iter_mut().filter_map(|table| table.get_mut("where"));
        shapes.for_each(|shape| scale_shape(shape, self.factor, self.fixed_point));
    }

    /// Scales the cell size with the body, so that the number of cells stays the same.
    fn scale_cells(self, body: &mut dyn TableLike) {
        let Some(mesh) = body.get_mut("mesh").and_then(Item::as_table_like_mut) else { return };
        for mesher in ["voxels", "tetrahedra"] {
            if let Some(sizes) = mesh.get_mut(mesher).and_then(Item::as_table_like_mut)
                && let Some(length) = sizes.get("length").and_then(number)
            {
                sizes.insert("length", value(length * self.factor));
            }
        }
    }
}

/// Scales a selecting shape about a point.
fn scale_shape(shape: &mut Item, factor: f64, fixed_point: DVec3) {
    let Some(shape) = shape.as_table_like_mut() else { return };
    for (kind, points, lengths) in [
        ("sphere", &["centre"][..], &["radius"][..]),
        ("box", &["min", "max"], &[]),
        ("half_space", &["point"], &[]),
    ] {
        let Some(shape) = shape.get_mut(kind).and_then(Item::as_table_like_mut) else { continue };
        for key in points {
            let old = shape.get(key).and_then(Item::as_array).map(numbers).unwrap_or_default();
            if let Ok(old) = <[f64; 3]>::try_from(old) {
                let new = fixed_point + factor * (DVec3::from(old) - fixed_point);
                shape.insert(key, value(triple(new.to_array())));
            }
        }
        for key in lengths {
            if let Some(old) = shape.get(key).and_then(number) {
                shape.insert(key, value(factor * old));
            }
        }
    }
}
