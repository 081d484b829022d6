//! `pliant check`.

use anyhow::Result;

use crate::args::CheckArgs;
use crate::scene_source::SceneSource;

/// Says nothing if the scene is in order; all that is wrong otherwise.
pub(crate) fn check(args: &CheckArgs) -> Result<()> {
    SceneSource::find(&args.scene)?.open().map(drop)
}
