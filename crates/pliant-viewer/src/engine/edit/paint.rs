//! Paints spots of a body.

use std::sync::Arc;

use glam::DVec3;
use pliant::material::Material;
use toml_edit::{ArrayOfTables, InlineTable, TableLike};

use super::plastic::{Flow, flow_of};
use super::toughness::times;
use crate::engine::order::Refusal;
use crate::engine::table::{new_table, number, numbers, sphere, tables};
use crate::protocol::command::{Paint, SetBody};

/// The largest number of painted spots of a body.
const MAX_SPOTS: usize = 2000;

/// Prefix of the names of painted regions.
const SPOT_PREFIX: &str = "paint-";

/// Painted spots of a body, in its rest shape.
#[derive(Debug, Clone)]
pub(crate) struct PaintEdit {
    pub(crate) body: usize,
    pub(crate) centres: Vec<DVec3>,
    pub(crate) radius: f64,
    /// The painted material.
    pub(crate) material: InlineTable,
    pub(crate) stroke: Option<u32>,
    /// Centres of the parts that have separate materials, if they are finer than cells.
    pub(crate) parts: Option<Arc<[DVec3]>>,
}

impl PaintEdit {
    /// Adds the spots to a body, and removes those that they cover.
    pub(super) fn apply(&self, body: &mut dyn TableLike) -> Result<(), Refusal> {
        let Some(regions) = tables(body, "region") else { return Ok(()) };
        self.centres.iter().for_each(|centre| self.add(regions, *centre));
        if let Some(parts) = &self.parts {
            drop_hidden(regions, parts);
        }
        if regions.len() > MAX_SPOTS {
            let message =
                format!("a body has at most {MAX_SPOTS} painted spots; use a larger brush");
            return Err(Refusal::new("too-many", message));
        }
        Ok(())
    }

    fn add(&self, regions: &mut ArrayOfTables, centre: DVec3) {
        let covers = |(old, radius): (DVec3, f64)| {
            old.distance(centre) + radius <= self.radius * (1.0 + 1e-9)
        };
        regions.retain(|region| !ball_of(region).is_some_and(covers));
        let number = regions.iter().filter_map(|region| number_of(region)).max().unwrap_or(0) + 1;
        regions.push(new_table([
            ("name", format!("{SPOT_PREFIX}{number}").into()),
            ("where", sphere(centre.to_array(), self.radius)),
            ("material", self.material.clone().into()),
        ]));
    }
}

/// The material that a brush paints on a body with the material `body`.
pub(crate) fn painted_material(paint: &Paint, body: &Material) -> Result<InlineTable, Refusal> {
    let young = paint.factor * body.young;
    let given_keys = SetBody {
        plastic: paint.plastic,
        yield_stress: paint.yield_stress,
        hardening: paint.hardening,
        yield_strain: paint.yield_strain,
        rate: paint.rate,
        limit: paint.limit,
        limited: paint.limited,
        ..SetBody::default()
    };
    let mut material = InlineTable::new();
    material.insert("young", young.into());
    match flow_of(&given_keys, &Material { young, ..*body })? {
        Some(Flow::Some(flow)) => drop(material.insert("plastic", flow.into())),
        Some(Flow::None) => drop(material.insert("plastic", false.into())),
        None => {}
    }
    if let Some(factor) = paint.toughness {
        let Some(own) = body.toughness else {
            let message = "toughness is painted relative to the body, and this body is unbreakable; set its toughness first";
            return Err(Refusal::new("out-of-range", message));
        };
        material.insert("toughness", times(factor, own));
    }
    if paint.rigid {
        material.insert("rigid", true.into());
    }
    Ok(material)
}

/// Removes spots that are completely covered: a part has the material of the last spot that contains it, and a region
/// without any part would be invalid.
fn drop_hidden(regions: &mut ArrayOfTables, parts: &[DVec3]) {
    let spots: Vec<Option<(DVec3, f64)>> = regions.iter().map(|region| ball_of(region)).collect();
    let mut seen: Vec<bool> = spots.iter().map(Option::is_none).collect();
    for part in parts {
        let holds = |spot: &Option<(DVec3, f64)>| {
            spot.is_some_and(|(centre, radius)| part.distance(centre) <= radius)
        };
        if let Some(last) = spots.iter().rposition(holds) {
            seen[last] = true;
        }
    }
    let mut seen = seen.into_iter();
    regions.retain(|_| seen.next().unwrap_or(true));
}

/// The number of a painted region; `None` for other regions.
fn number_of(region: &dyn TableLike) -> Option<u64> {
    region.get("name")?.as_str()?.strip_prefix(SPOT_PREFIX)?.parse().ok()
}

/// Centre and radius of a painted region; `None` for other regions.
fn ball_of(region: &dyn TableLike) -> Option<(DVec3, f64)> {
    number_of(region)?;
    let ball = region.get("where")?.as_table_like()?.get("sphere")?.as_table_like()?;
    let centre = <[f64; 3]>::try_from(numbers(ball.get("centre")?.as_array()?)).ok()?;
    Some((DVec3::from(centre), number(ball.get("radius")?)?))
}
