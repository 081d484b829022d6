//! One call from a surface to a body.

use std::path::PathBuf;
use std::sync::Arc;

use pliant::body::Touch;
use pliant::{Body, Material, Model, Preset, Surface};
use pliant_mesher::choose::{CellMethod, SurfaceCells};
use pliant_mesher::gallery::Figure;

use crate::error::BodyFromSurfaceError;
use crate::source::SurfaceOrigin;
use crate::surface_model::{DrawnSkin, SurfaceModel};

/// Makes a body from a surface: everything has a default and can be set.
///
/// | | default | set with |
/// |---|---|---|
/// | size | that of the surface, in m | [`size`](Self::size) |
/// | material | the preset `rubber` | [`material`](Self::material) |
/// | cells | about 200: tetrahedra of degree 2 where they follow the surface, else voxels | [`cells`](Self::cells), [`degree`](Self::degree), [`method`](Self::method) |
/// | drawn skin | the surface | [`drawn`](Self::drawn) |
/// | touching skin | a coarse form of the surface, at most a hundredth of the diagonal away | [`touch`](Self::touch) |
/// | name | that of the file | [`name`](Self::name) |
///
/// ```
/// use pliant_game::io::surface::write_surface;
/// use pliant_game::mesher::gallery::Figure;
/// use pliant_game::{BodyFromSurface, Material};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("bear.obj");
/// write_surface(&path, &Figure::Bear.surface(0.05))?; // any OBJ, PLY, STL or glTF file
/// let bear = BodyFromSurface::file(&path)
///     .size(0.3)
///     .material(Material::preset("gelatin")?)
///     .build()?;
/// assert_eq!(bear.name(), "bear");
/// let (low, high) = bear.model().mesh().bounds();
/// assert!((0.27..0.33).contains(&(high - low).max_element()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The body is where the surface is, scaled about the origin: [`Body::place`] and [`Body::turn`] put it elsewhere. For many bodies of one surface take
/// [`model`](Self::model) once.
#[derive(Debug, Clone)]
#[must_use = "`build` makes the body"]
pub struct BodyFromSurface {
    origin: SurfaceOrigin,
    name: Option<String>,
    size: Option<f64>,
    material: Material,
    cells: usize,
    degree: Option<usize>,
    /// In place of number and degree.
    method: Option<CellMethod>,
    drawn: DrawnSkin,
    touch: Touch,
}

impl BodyFromSurface {
    /// From a file: OBJ, PLY, STL or glTF, in m.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        Self::new(SurfaceOrigin::File(path.into()))
    }

    /// From triangles in memory, in m.
    pub fn surface(surface: Surface) -> Self {
        Self::new(SurfaceOrigin::Given(Box::new(surface)))
    }

    /// From a figure of the gallery, about 1 m large.
    pub fn figure(figure: Figure) -> Self {
        Self::new(SurfaceOrigin::Figure(figure))
    }

    fn new(origin: SurfaceOrigin) -> Self {
        let (name, size, degree, method, drawn, touch) = Default::default();
        let (material, cells) = (rubber(), CellMethod::DEFAULT_CELLS);
        Self { origin, name, size, material, cells, degree, method, drawn, touch }
    }

    /// Names the body.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Scales the surface about the origin, so that the longest side of its bounding box has this length, in m.
    pub fn size(mut self, longest_side: f64) -> Self {
        self.size = Some(longest_side);
        self
    }

    /// The material of all cells.
    pub fn material(mut self, material: Material) -> Self {
        self.material = material;
        self
    }

    /// About this many cells, whose kind is chosen (default `200`); up to three times as many tetrahedra where thin parts take them. Twice as many take about
    /// twice the time of a step.
    pub fn cells(mut self, cells: usize) -> Self {
        (self.cells, self.method) = (cells, None);
        self
    }

    /// Cells of this degree, whose kind is chosen: 1 to 3; voxels have at most 2 (default: 2 for tetrahedra, 1 for voxels).
    pub fn degree(mut self, degree: usize) -> Self {
        (self.degree, self.method) = (Some(degree), None);
        self
    }

    /// The kind of cells with all their settings, in place of [`cells`](Self::cells) and [`degree`](Self::degree).
    pub fn method(mut self, method: CellMethod) -> Self {
        self.method = Some(method);
        self
    }

    /// The surface that is drawn.
    pub fn drawn(mut self, drawn: DrawnSkin) -> Self {
        self.drawn = drawn;
        self
    }

    /// The surface that touches. A drawn skin that touches costs many times more than a coarse form of it.
    pub fn touch(mut self, touch: Touch) -> Self {
        self.touch = touch;
        self
    }

    /// Makes the body.
    ///
    /// # Errors
    ///
    /// Returns an error, with the name of the file and the remedy, if the file cannot be read, if no cells can be made for the surface, or if a setting is
    /// invalid.
    pub fn build(&self) -> Result<Body, BodyFromSurfaceError> {
        let name = self.name.clone().unwrap_or_else(|| self.origin.name());
        let surface = self.origin.to_string();
        self.model()?.body(&name).map_err(|error| BodyFromSurfaceError::Body { surface, error })
    }

    /// Makes the model, for several bodies, and the drawn surface for a renderer.
    ///
    /// # Errors
    ///
    /// As for [`build`](Self::build).
    pub fn model(&self) -> Result<SurfaceModel, BodyFromSurfaceError> {
        let surface = self.scaled(self.origin.surface()?)?;
        let automatic = CellMethod::Automatic { cells: self.cells, degree: self.degree };
        let cells = SurfaceCells::new(&surface, self.method.unwrap_or(automatic));
        let cells = cells.map_err(|error| BodyFromSurfaceError::Cells {
            surface: self.origin.to_string(),
            error,
        })?;
        let model = self.model_of(&cells).map_err(|error| BodyFromSurfaceError::Model {
            surface: self.origin.to_string(),
            error,
        })?;
        let SurfaceCells { embedding, misfit, .. } = cells;
        let surface = (self.drawn == DrawnSkin::Surface).then_some(embedding.surface);
        Ok(SurfaceModel { model: Arc::new(model), surface, misfit })
    }

    fn model_of(&self, cells: &SurfaceCells) -> Result<Model, pliant::body::ModelError> {
        let model = match self.drawn {
            DrawnSkin::Surface => cells.model(self.material)?,
            DrawnSkin::Cells => cells.bare_model(self.material)?,
        };
        model.with_touch(self.touch)
    }

    /// The surface in the wished size.
    fn scaled(&self, mut surface: Surface) -> Result<Surface, BodyFromSurfaceError> {
        let Some(size) = self.size else { return Ok(surface) };
        let name = || self.origin.to_string();
        if !(size.is_finite() && size > 0.0) {
            return Err(BodyFromSurfaceError::Size { surface: name(), size });
        }
        let (low, high) = surface.bounds();
        let extent = (high - low).max_element();
        if !(extent.is_finite() && extent > 0.0) {
            return Err(BodyFromSurfaceError::NoExtent { surface: name() });
        }
        surface.vertices.iter_mut().for_each(|vertex| *vertex *= size / extent);
        Ok(surface)
    }
}

fn rubber() -> Material {
    let rubber = Preset::ALL.iter().find(|preset| preset.name == "rubber");
    rubber.expect("it is a preset").material
}
