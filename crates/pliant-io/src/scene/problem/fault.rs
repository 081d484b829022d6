//! The faults a scene can have.

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
use pliant_mesher::choose::SurfaceCellsError;
use pliant_mesher::tets::TetError;
use pliant_mesher::voxels::VoxelError;

use super::nearest::nearest;
use crate::error::ReadError;

/// One fault of a scene, without its position.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// Not TOML, an unknown key, or a value of the wrong type.
    #[error("{message}")]
    Syntax {
        /// Message of the parser.
        message: String,
        /// The known key nearest to the unknown one.
        nearest: Option<String>,
    },
    /// A file written for a later version of Pliant.
    #[error("this scene has version {version}, this Pliant reads version {known}")]
    Version {
        /// Version in the file.
        version: i64,
        /// The only version that this crate reads.
        known: i64,
    },
    /// A number out of range.
    #[error("`{key}` is {}, expected {expected}", short_number(*value))]
    OutOfRange {
        /// Key of the number.
        key: &'static str,
        /// The number.
        value: f64,
        /// Description of the accepted values.
        expected: &'static str,
    },
    /// A text that is no distance.
    #[error(
        "`{key}` is `{}`, expected a share of the diagonal such as \"1%\", a length in m such as \"0.02\", or \"any\"",
        clipped(text)
    )]
    NotADistance {
        /// Key of the text.
        key: &'static str,
        /// The text.
        text: String,
    },
    /// A triple with an invalid component.
    #[error("`{key}` is {value:?}, expected {expected}")]
    BadTriple {
        /// Key of the triple.
        key: &'static str,
        /// Its components.
        value: [f64; 3],
        /// Description of the accepted values.
        expected: &'static str,
    },
    /// An unknown name.
    #[error("there is no {what} `{}`", clipped(name))]
    UnknownName {
        /// The kind of thing that should be named: `law`, `body`.
        what: &'static str,
        /// The name.
        name: String,
        /// The known names.
        known: Vec<String>,
    },
    /// A name that is already in use.
    #[error("there is another {what} called `{name}`")]
    Duplicate {
        /// The kind of thing named.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A name that is empty, too long or not usable in a file name.
    #[error("`{}` cannot be the name of a {what}", clipped(name))]
    BadName {
        /// The kind of thing named.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A missing key or table.
    #[error("{what} is missing")]
    Missing {
        /// The missing thing.
        what: &'static str,
        /// An example of how to write it.
        example: &'static str,
    },
    /// No choice, or more than one, where exactly one is needed.
    #[error("{what}: {count} given, expected exactly one")]
    NotExactlyOne {
        /// The thing to choose.
        what: &'static str,
        /// Number of choices made.
        count: usize,
        /// The possible choices.
        choices: &'static str,
    },
    /// A key without effect in combination with the others.
    #[error("`{key}` has no effect {when}")]
    NoEffect {
        /// The key.
        key: &'static str,
        /// The circumstances in which the key has no effect.
        when: &'static str,
    },
    /// More nodes than allowed, because of the memory that they need.
    #[error(
        "with this mesh the scene would have about {} nodes and take {} GB of memory, expected at most {max:.0} nodes",
        short_number(*nodes), short_number(gigabytes(*nodes))
    )]
    TooLarge {
        /// Nodes of this body and of the bodies before it.
        nodes: f64,
        /// Maximum number of nodes.
        max: f64,
    },
    /// An empty selection.
    #[error("this {what} selects no {of} of body `{body}`")]
    EmptySelection {
        /// `pin`, `region` or `attachment`.
        what: &'static str,
        /// `node`, `vertex`, `cell` or `leaf`.
        of: &'static str,
        /// The body.
        body: String,
        /// Lowest corner of the body's bounds.
        min: DVec3,
        /// Highest corner of the body's bounds.
        max: DVec3,
    },
    /// A body without a pin in a static scene.
    #[error("body `{body}` has no pin, so a static scene has no equilibrium for it")]
    Unpinned {
        /// The body.
        body: String,
    },
    /// A probe outside its body.
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
    /// A pull whose point is outside its body.
    #[error("this pull at {at} is not inside body `{body}`")]
    PullOutside {
        /// Rest position of the point.
        at: DVec3,
        /// The body.
        body: String,
        /// Lowest corner of the body's bounds.
        min: DVec3,
        /// Highest corner of the body's bounds.
        max: DVec3,
    },
    /// An output path outside the results folder.
    #[error("output path `{}` leaves the results folder", clipped(path))]
    PathOutsideResults {
        /// The path.
        path: String,
    },
    /// An output path whose file name is invalid.
    #[error("output path `{}` cannot be the path of a file", clipped(path))]
    BadPath {
        /// The path.
        path: String,
    },
    /// Two outputs to the same file.
    #[error("another output already writes the {format} file of this path")]
    SameOutput {
        /// The format of both outputs.
        format: &'static str,
    },
    /// A pin on the surface of a body whose mesh was not made from a surface.
    #[error("this body has no surface: its mesh was not made from a `surface` or `figure`")]
    NoSurface,
    /// A selection by colour of nodes or cells, which have no colour.
    #[error(
        "nodes and cells have no colour: only the surface and the leaves of voxels have colours"
    )]
    NoColour,
    /// An invalid colour.
    #[error("`{}` is not a colour", clipped(colour))]
    BadColour {
        /// The text in the file.
        colour: String,
    },
    /// An invalid material.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// A surface that cannot be cut into splinters.
    #[error(transparent)]
    Splinters(#[from] pliant_mesher::splinters::SplinterError),
    /// Splinters that cannot be attached to cells.
    #[error(transparent)]
    SplinterAttachment(pliant::body::SplinterError),
    /// An invalid explosion or force field.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// An invalid method.
    #[error(transparent)]
    Method(#[from] MethodError),
    /// A mesh file that cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A mesh that cannot be generated.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// A mesh and materials that do not form a valid model.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// Pins that do not fit their body.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// An invalid surface.
    #[error(transparent)]
    Surface(#[from] SurfaceError),
    /// A surface that cannot be voxelized.
    #[error(transparent)]
    Voxels(#[from] VoxelError),
    /// A surface that cannot be filled with tetrahedra.
    #[error(transparent)]
    Tetrahedra(#[from] TetError),
    /// A surface that neither kind of cells fits.
    #[error(transparent)]
    Cells(#[from] SurfaceCellsError),
    /// An invalid obstacle.
    #[error(transparent)]
    Obstacle(#[from] ObstacleError),
    /// A surface that does not bound a solid.
    #[error(transparent)]
    Solid(#[from] SolidError),
    /// An invalid attachment.
    #[error(transparent)]
    Attachment(#[from] AttachmentError),
}

impl Fault {
    /// The text under the carets: the accepted values, where the message does not list them.
    pub fn label(&self) -> Option<String> {
        match self {
            Self::UnknownName { known, .. } => Some(one_of(known)),
            Self::NotExactlyOne { choices, .. } => Some(format!("choose one of {choices}")),
            Self::Duplicate { .. } => Some("names must be unique".to_owned()),
            Self::BadName { .. } => {
                Some("expected at most 64 letters, digits, spaces, `-`, `_` or `.`".to_owned())
            }
            Self::BadColour { .. } => Some("expected `#rrggbb`".to_owned()),
            Self::NoEffect { .. } => Some("remove this key".to_owned()),
            Self::EmptySelection { .. } | Self::OutsideBody { .. } | Self::PullOutside { .. } => {
                Some("no part of the body is here".to_owned())
            }
            _ => None,
        }
    }

    /// The help text: what to change in the file.
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
                "remove `on = \"surface\"`, or make the mesh from a `surface` or `figure`"
                    .to_owned(),
            ),
            Self::NoColour => Some(
                "select with `box`, `sphere`, `half_space` or `surface`, or use `voxels`"
                    .to_owned(),
            ),
            Self::Unpinned { .. } => Some(
                "add `[[body.pin]]` with `where = \"x-\"`, or use `mode = \"dynamic\"`".to_owned(),
            ),
            Self::BadPath { .. } => {
                Some("give a file name of at most 200 bytes without control characters".to_owned())
            }
            Self::SameOutput { .. } => Some("give each output a `path` of its own".to_owned()),
            Self::PathOutsideResults { .. } => {
                Some("give a relative path without `..`; choose the folder with `--out`".to_owned())
            }
            _ => None,
        }
    }
}

/// Maximum number of characters of the user's text that a message repeats.
const MAX_QUOTED_CHARACTERS: usize = 80;

/// Returns the text, shortened to [`MAX_QUOTED_CHARACTERS`] characters.
fn clipped(text: &str) -> String {
    match text.char_indices().nth(MAX_QUOTED_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Formats a number, with an exponent if it would otherwise have many zeros.
fn short_number(value: f64) -> String {
    match value.abs() {
        size if size == 0.0 || (1e-6..1e15).contains(&size) => value.to_string(),
        _ => format!("{value:e}"),
    }
}

/// Memory of this many nodes, in GB, for linear tetrahedra, which need the most: five to six cells per node, 350
/// bytes per cell.
fn gigabytes(nodes: f64) -> f64 {
    (nodes * 2e-6).round().max(1.0)
}

fn did_you_mean(name: &str) -> String {
    format!("did you mean `{name}`?")
}

/// `expected a, b or c`.
fn one_of(known: &[String]) -> String {
    match known {
        [] => "no names are defined".to_owned(),
        [only] => format!("expected `{only}`"),
        [first @ .., last] => format!("expected `{}` or `{last}`", first.join("`, `")),
    }
}
