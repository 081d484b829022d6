//! Builds an obstacle from its plan.

use std::path::Path;

use pliant::contact::Obstacle;
use pliant::geometry::Shape;

use super::surface::surface;
use crate::scene::plan::obstacle::ObstaclePlan;
use crate::scene::plan::surface::SurfaceSource;
use crate::scene::problem::fault::Fault;

/// Builds an obstacle; its file is searched for in `base`.
pub(crate) fn obstacle(plan: &ObstaclePlan, base: &Path) -> Result<Obstacle, Fault> {
    let mut obstacle = plan.obstacle.clone();
    if let Some(file) = &plan.file {
        let source = SurfaceSource::File(file.path.clone());
        let surface = surface(&source, base, &file.world_from_file)?;
        obstacle.shape = Shape::of_surface(&surface)?;
    }
    Ok(obstacle)
}
