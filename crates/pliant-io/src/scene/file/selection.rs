//! Selections of a part of a body, as they were typed.

use toml::de::DeValue;

use crate::scene::problem::problem::Problem;
use crate::scene::read::key::Key;
use crate::scene::read::read::Read;
use crate::scene::read::read_error::wrong_type;
use crate::scene::read::table::tables;
use crate::scene::read::value::{Number, Triple, Value, Word};

/// The selection of a pin or region: a name or a shape.
#[derive(Debug)]
pub(crate) enum Selector {
    /// `where = "x-"`: a side, a node set or a region.
    Name(String),
    /// `where = { box = … }`.
    Shape(Box<ShapeFile>),
}

impl Read for Selector {
    fn read(value: &Value<'_>, key: Key<'_>) -> Result<Self, Box<Problem>> {
        match value.get_ref() {
            DeValue::String(name) => Ok(Self::Name(name.to_string())),
            DeValue::Table(_) => Read::read(value, key).map(Self::Shape),
            _ => Err(wrong_type(
                value,
                "the name of a side, node set or region, or a table with `box`, `sphere`, `half_space`, `surface` or `colour`",
            )),
        }
    }
}

tables! {
    /// A selection: the points in a shape or of a colour.
    struct ShapeFile {
        block as "box": Option<BoundsFile>,
        sphere: Option<SphereFile>,
        half_space: Option<HalfSpaceFile>,
        surface: Option<Word>,
        colour: Option<Word>,
    }

    /// Two opposite corners of a box.
    struct BoundsFile {
        min: Triple,
        max: Triple,
    }

    /// A ball that selects points.
    struct SphereFile {
        centre: Triple,
        radius: Number,
    }

    /// All points on the side of a plane that the normal points to, plane included.
    struct HalfSpaceFile {
        point: Triple,
        normal: Triple,
    }
}
