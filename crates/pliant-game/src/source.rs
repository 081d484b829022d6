//! Where the surface of a body comes from.

use std::fmt;
use std::path::PathBuf;

use pliant::Surface;
use pliant_io::ReadError;
use pliant_io::surface::read_surface;
use pliant_mesher::gallery::Figure;

/// Edge length of a figure, in m, before it is scaled; figures are about 1 m large.
const FIGURE_EDGE: f64 = 0.03;

/// The source of a surface.
#[derive(Debug, Clone)]
pub(crate) enum SurfaceOrigin {
    File(PathBuf),
    Figure(Figure),
    Given(Box<Surface>),
}

impl SurfaceOrigin {
    /// Reads or makes the surface.
    pub(crate) fn surface(&self) -> Result<Surface, ReadError> {
        match self {
            Self::File(path) => read_surface(path),
            Self::Figure(figure) => Ok(figure.surface(FIGURE_EDGE)),
            Self::Given(surface) => Ok((**surface).clone()),
        }
    }

    /// The name of a body made of it: that of the file without folder and extension, that of the figure, or `body`.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::File(path) => {
                path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
            }
            Self::Figure(figure) => figure.name().to_owned(),
            Self::Given(_) => "body".to_owned(),
        }
    }
}

/// As errors call it.
impl fmt::Display for SurfaceOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "{}", path.display()),
            Self::Figure(figure) => write!(f, "figure `{}`", figure.name()),
            Self::Given(_) => write!(f, "the given surface"),
        }
    }
}
