//! The model of a body that was made from a surface.

use std::sync::Arc;

use pliant::body::BodyError;
use pliant::{Body, Model, Surface};
use pliant_mesher::choose::Misfit;

/// The surface that is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DrawnSkin {
    /// The surface of the artist, which moves with the cells (the default).
    #[default]
    Surface,
    /// The boundary of the cells: to look at them, or where the surface is finer than the picture needs.
    Cells,
}

/// A model made from a surface, for one body or many: bodies of one model share its memory.
#[derive(Debug, Clone)]
pub struct SurfaceModel {
    /// The constant part of all bodies made of it.
    pub model: Arc<Model>,
    /// The drawn surface at rest, with normals, texture coordinates, colours and materials of the file; `None` if the boundary of the cells is drawn. Its vertices and
    /// triangles are those of [`Body::drawn_skin`], in this order. Voxels split the triangles of a file where they pass from cell to cell.
    pub surface: Option<Surface>,
    /// Why the cells are voxels although tetrahedra are the first choice; `None` if they are tetrahedra, or if voxels were asked for.
    pub misfit: Option<Misfit>,
}

impl SurfaceModel {
    /// A body of this model, at the place of the surface.
    ///
    /// ```
    /// use pliant_game::mesher::gallery::Figure;
    /// use pliant_game::{BodyFromSurface, World, WorldConfig, glam::DVec3};
    ///
    /// let star = BodyFromSurface::figure(Figure::Starfish).size(0.4).model()?;
    /// let mut world = World::new(WorldConfig::default())?;
    /// for k in 0..3 {
    ///     let mut body = star.body(&format!("star {k}"))?;
    ///     body.place(DVec3::new(0.0, 0.5 * f64::from(k), 0.0))?;
    ///     world.add(body);
    /// }
    /// assert_eq!(world.bodies().count(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the model cannot be a body; the message says why.
    pub fn body(&self, name: &str) -> Result<Body, BodyError> {
        Body::new(name, self.model.clone(), vec![])
    }
}
