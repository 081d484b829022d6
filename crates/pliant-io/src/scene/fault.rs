//! What can be wrong with a scene.

use glam::DVec3;
use pliant::body::{BodyError, ModelError};
use pliant::contact::ObstacleError;
use pliant::force::FieldError;
use pliant::geometry::SolidError;
use pliant::material::MaterialError;
use pliant::mesh::MeshError;
use pliant::solver::MethodError;
use pliant::world::AttachmentError;
use pliant_mesher::SurfaceError;
use pliant_mesher::tets::TetError;
use pliant_mesher::voxels::VoxelError;

use crate::error::ReadError;

use super::nearest::nearest;

/// One thing that is wrong with a scene, without its place.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// Not TOML, an unknown key, or a value of the wrong type.
    #[error("{message}")]
    Syntax {
        /// What the parser said.
        message: String,
        /// The known key nearest to the unknown one.
        nearest: Option<String>,
    },
    /// A file written for a later Pliant.
    #[error("this scene has version {version}, this Pliant reads version {known}")]
    Version {
        /// What the file says.
        version: i64,
        /// The only version there is.
        known: i64,
    },
    /// A number out of its range.
    #[error("`{key}` is {}, expected {expected}", short_number(*value))]
    OutOfRange {
        /// Key of the number.
        key: &'static str,
        /// The number.
        value: f64,
        /// What would do.
        expected: &'static str,
    },
    /// A triple with a component that will not do.
    #[error("`{key}` is {value:?}, expected {expected}")]
    BadTriple {
        /// Key of the triple.
        key: &'static str,
        /// Its components.
        value: [f64; 3],
        /// What would do.
        expected: &'static str,
    },
    /// A name that nothing has.
    #[error("there is no {what} `{}`", clipped(name))]
    UnknownName {
        /// What it should name: `law`, `body`.
        what: &'static str,
        /// The name.
        name: String,
        /// The names there are.
        known: Vec<String>,
    },
    /// A name that is taken.
    #[error("there is another {what} called `{name}`")]
    Duplicate {
        /// What it names.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A name that is empty, long or cannot be part of a file's name.
    #[error("`{}` cannot be the name of a {what}", clipped(name))]
    BadName {
        /// What it names.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// Something that must be there is not.
    #[error("{what} is missing")]
    Missing {
        /// What.
        what: &'static str,
        /// How to write it.
        example: &'static str,
    },
    /// None, or more than one, where exactly one is needed.
    #[error("{what}: {count} given, expected exactly one")]
    NotOne {
        /// What is chosen.
        what: &'static str,
        /// How many there are.
        count: usize,
        /// The choices.
        choices: &'static str,
    },
    /// A key that means nothing together with the others.
    #[error("`{key}` has no effect {when}")]
    NoEffect {
        /// The key.
        key: &'static str,
        /// The circumstance.
        when: &'static str,
    },
    /// More cells than any machine would like.
    #[error(
        "with this mesh the scene would have about {} nodes and take {} GB of memory, expected at most {most:.0} nodes",
        short_number(*nodes), short_number(gigabytes(*nodes))
    )]
    TooLarge {
        /// Nodes of this body and those before it.
        nodes: f64,
        /// Most that are allowed.
        most: f64,
    },
    /// A selection with nothing in it.
    #[error("this {what} selects no {of} of body `{body}`")]
    EmptySelection {
        /// `pin`, `region` or `attachment`.
        what: &'static str,
        /// `node` or `cell`.
        of: &'static str,
        /// The body.
        body: String,
        /// Lowest corner of the body's bounds.
        min: DVec3,
        /// Highest corner of the body's bounds.
        max: DVec3,
    },
    /// A body that nothing holds in a static scene.
    #[error("nothing holds body `{body}`: a static scene has no answer for it")]
    Loose {
        /// The body.
        body: String,
    },
    /// A probe beside its body.
    #[error("probe `{probe}` at {at} is not inside body `{body}`")]
    OutsideBody {
        /// The probe.
        probe: String,
        /// Its rest position.
        at: DVec3,
        /// The body.
        body: String,
        /// Lowest corner of the body's bounds.
        min: DVec3,
        /// Highest corner of the body's bounds.
        max: DVec3,
    },
    /// A pull beside its body.
    #[error("this pull at {at} is not inside body `{body}`")]
    PullOutside {
        /// Where its point would be at rest.
        at: DVec3,
        /// The body.
        body: String,
        /// Lowest corner of the body's bounds.
        min: DVec3,
        /// Highest corner of the body's bounds.
        max: DVec3,
    },
    /// An output that would leave the folder of the results.
    #[error("output path `{}` leaves the folder of the results", clipped(path))]
    PathLeaves {
        /// The path.
        path: String,
    },
    /// An output path that ends in no name a file can have.
    #[error("output path `{}` cannot be the path of a file", clipped(path))]
    BadPath {
        /// The path.
        path: String,
    },
    /// Two outputs to the same file.
    #[error("another output already writes the {format} file of this path")]
    SameOutput {
        /// The format of both.
        format: &'static str,
    },
    /// A pin on the surface of a body that was not made for one.
    #[error("this body has no surface of its own: its mesh was not made for one")]
    NoSurface,
    /// A colour to select with, where nothing has any.
    #[error("only the surface and the leaves of voxels have colours, nodes and cells have none")]
    Unpainted,
    /// Not a colour.
    #[error("`{}` is not a colour", clipped(colour))]
    BadColour {
        /// What was typed.
        colour: String,
    },
    /// A material that cannot be simulated.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// A surface that cannot be cut into splinters.
    #[error(transparent)]
    Splinters(#[from] pliant_mesher::splinters::SplinterError),
    /// Splinters that cannot be tied to cells.
    #[error(transparent)]
    Tied(pliant::body::SplinterError),
    /// An explosion or a force field that cannot be.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// A method that cannot be.
    #[error(transparent)]
    Method(#[from] MethodError),
    /// A mesh file that cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A mesh that cannot be made.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// A mesh and material that do not make a model.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// Pins that do not fit their body.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// A surface that nothing can be made of.
    #[error(transparent)]
    Surface(#[from] SurfaceError),
    /// A surface that no voxels can be made of.
    #[error(transparent)]
    Voxels(#[from] VoxelError),
    /// A surface that no tetrahedra can be made of.
    #[error(transparent)]
    Tetrahedra(#[from] TetError),
    /// An obstacle that cannot be.
    #[error(transparent)]
    Obstacle(#[from] ObstacleError),
    /// A surface that is no solid.
    #[error(transparent)]
    Solid(#[from] SolidError),
    /// An attachment that cannot be.
    #[error(transparent)]
    Attachment(#[from] AttachmentError),
}

impl Fault {
    /// What stands under the carets: what would be right, where the message does not say it.
    pub fn label(&self) -> Option<String> {
        match self {
            Self::UnknownName { known, .. } => Some(one_of(known)),
            Self::NotOne { choices, .. } => Some(format!("choose one of {choices}")),
            Self::Duplicate { .. } => Some("names must differ".to_owned()),
            Self::BadName { .. } => {
                Some("expected letters, digits, `-`, `_`, at most 64 of them".to_owned())
            }
            Self::BadColour { .. } => Some("expected `#rrggbb`".to_owned()),
            Self::NoEffect { .. } => Some("remove this key".to_owned()),
            Self::EmptySelection { .. } | Self::OutsideBody { .. } | Self::PullOutside { .. } => {
                Some("nothing of the body is here".to_owned())
            }
            _ => None,
        }
    }

    /// What to change.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::Syntax { nearest, .. } => nearest.as_deref().map(did_you_mean),
            Self::UnknownName { name, known, .. } => {
                nearest(name, known.iter().map(String::as_str)).map(did_you_mean)
            }
            Self::Version { .. } => Some("use a newer Pliant, or `version = 1`".to_owned()),
            Self::Missing { example, .. } => Some(format!("for example `{example}`")),
            Self::TooLarge { .. } => {
                Some("use fewer cells, a lower degree or less `refine`".to_owned())
            }
            Self::EmptySelection { body, min, max, .. }
            | Self::OutsideBody { body, min, max, .. }
            | Self::PullOutside { body, min, max, .. } => {
                Some(format!("body `{body}` reaches from {min} to {max}"))
            }
            Self::NoSurface => Some(
                "remove `on = \"surface\"`, or make the mesh for a `surface` or `figure`"
                    .to_owned(),
            ),
            Self::Unpainted => Some(
                "select with `box`, `sphere`, `half_space` or `surface`, or use `voxels`"
                    .to_owned(),
            ),
            Self::Loose { .. } => Some(
                "add `[[body.pin]]` with `where = \"x-\"`, or use `mode = \"dynamic\"`".to_owned(),
            ),
            Self::BadPath { .. } => {
                Some("name a file: up to 200 letters and no control characters".to_owned())
            }
            Self::SameOutput { .. } => Some("give each a `path` of its own".to_owned()),
            Self::PathLeaves { .. } => {
                Some("give a relative path without `..`; choose the folder with `--out`".to_owned())
            }
            _ => None,
        }
    }
}

/// Most letters of something typed that are shown again.
const SHOWN: usize = 80;

/// The beginning of what was typed, if there is much of it.
fn clipped(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The number, with an exponent where it would fill lines with zeros.
fn short_number(value: f64) -> String {
    match value.abs() {
        size if size == 0.0 || (1e-6..1e15).contains(&size) => value.to_string(),
        _ => format!("{value:e}"),
    }
}

/// Memory that so many nodes of linear tetrahedra take, which take most: five to six cells a
/// node, of 350 bytes each.
fn gigabytes(nodes: f64) -> f64 {
    (nodes * 2e-6).round().max(1.0)
}

fn did_you_mean(name: &str) -> String {
    format!("did you mean `{name}`?")
}

/// `expected a, b or c`.
fn one_of(known: &[String]) -> String {
    match known {
        [] => "there are none".to_owned(),
        [only] => format!("expected `{only}`"),
        [first @ .., last] => format!("expected `{}` or `{last}`", first.join("`, `")),
    }
}
