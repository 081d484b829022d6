//! Renders a scene to an image.

use glam::DVec3;

use super::camera::{Camera, CameraConfig, Projected};
use super::facet::{Facet, facets};
use super::legend::draw_legend;
use super::light::Light;
use super::lines::mark_lines;
use super::resolve::Frame;
use super::visibility::Visibility;
use super::{Image, PictureConfig, PictureConfigError, SceneView};

/// A camera and a ground for frames that all have the same view.
///
/// ```
/// use glam::DVec3;
/// use pliant_io::picture::{Colour, Paint, Picture, PictureConfig, SceneView, SurfaceView};
///
/// let vertices = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
/// let config = PictureConfig { width: 64, height: 40, ..Default::default() };
/// let picture = Picture::new(&config, vertices.iter().copied())?;
///
/// let triangles = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
/// let paint = Paint::Plain(Colour::of_body(0));
/// let tetrahedron = SurfaceView { vertices: &vertices, triangles: &triangles, paint };
/// let image = picture.render(&SceneView { surfaces: vec![tetrahedron], ..Default::default() });
/// assert_ne!(image.pixel(32, 20), image.pixel(0, 0));
/// # Ok::<(), pliant_io::picture::PictureConfigError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Picture {
    config: PictureConfig,
    camera: Camera,
    floor: f32,
}

impl Picture {
    /// Creates a picture whose camera sees all points. Pass those of every frame to be drawn, so that the camera does
    /// not move. Points that are not finite are ignored.
    pub fn new(
        config: &PictureConfig,
        points: impl Iterator<Item = DVec3> + Clone,
    ) -> Result<Self, PictureConfigError> {
        config.check()?;
        let camera = Camera::fit(&CameraConfig::of(config), points.clone());
        let lowest = points.map(|point| point.y).filter(|y| y.is_finite()).fold(f64::NAN, f64::min);
        let ground = config.ground.unwrap_or(if lowest.is_nan() { 0.0 } else { lowest });
        let floor = camera.unit(DVec3::Y * ground).y;
        Ok(Self { config: *config, camera, floor })
    }

    /// Projects a point of the scene; `None` behind the camera or if not finite.
    pub fn project(&self, point: DVec3) -> Option<Projected> {
        self.camera.project(self.camera.unit(point))
    }

    /// Draws one frame.
    pub fn render(&self, view: &SceneView<'_>) -> Image {
        let facets: Vec<Facet> =
            view.surfaces.iter().flat_map(|surface| facets(&self.camera, surface)).collect();
        let light = Light::new(&self.camera, self.floor, &facets);
        let seen = Visibility::new(&self.config, &facets);
        let lines = self.lines(view, &seen);
        let frame =
            Frame { config: &self.config, camera: &self.camera, facets, light, seen, lines };
        let mut image = frame.resolve();
        if let Some(legend) = &view.legend {
            draw_legend(&mut image, legend);
        }
        image
    }

    /// Returns the marks of samples covered by lines; empty if there are no lines.
    fn lines(&self, view: &SceneView<'_>, seen: &Visibility) -> Vec<bool> {
        if view.lines.is_empty() {
            return Vec::new();
        }
        let PictureConfig { line_width, samples, .. } = self.config;
        let (width, samples) = (line_width as f32, samples as f32);
        mark_lines(&self.camera, &view.lines, width, seen.grid, samples, &seen.nearness)
    }
}

impl CameraConfig {
    fn of(config: &PictureConfig) -> Self {
        let PictureConfig { width, height, azimuth, elevation, field_of_view, margin, .. } =
            *config;
        Self { width, height, azimuth, elevation, field_of_view, margin }
    }
}
