//! The settings of a scene that apply to each of its bodies.

use pliant::solver::MethodConfig;

use crate::scene::file::method::MethodFile;
use crate::scene::plan::mode::Mode;

/// The settings of the scene that apply to each body.
#[derive(Debug)]
pub(crate) struct SceneSettings<'a> {
    pub(crate) mode: Mode,
    pub(crate) duration: f64,
    pub(crate) method: MethodConfig,
    pub(crate) method_file: Option<&'a MethodFile>,
}
