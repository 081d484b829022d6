//! From a scene to an image.

use glam::{DVec3, Vec3};

use super::camera::{Camera, Lens, Projected};
use super::facet::{Facet, facets};
use super::legend::draw_legend;
use super::light::Light;
use super::lines::mark_lines;
use super::raster::{Grid, fill};
use super::{Colour, Image, PictureConfig, PictureConfigError, SceneView};

/// The background at the upper and at the lower edge.
const ABOVE: Colour = Colour::new(0.80, 0.83, 0.87);
const BELOW: Colour = Colour::new(0.90, 0.90, 0.89);
/// Lines are near black, and let a little of the surface through.
const LINE: Colour = Colour::new(0.012, 0.014, 0.02);
const LINE_OPACITY: f32 = 0.72;

/// A camera set up in front of a ground, ready to draw frames that all look alike.
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
    /// A picture whose camera sees all the points: those of every frame to be drawn, so that it
    /// holds still. Points that are not finite are left out.
    pub fn new(
        config: &PictureConfig,
        points: impl Iterator<Item = DVec3> + Clone,
    ) -> Result<Self, PictureConfigError> {
        config.check()?;
        let camera = Camera::fit(&Lens::of(config), points.clone());
        let lowest = points.map(|point| point.y).filter(|y| y.is_finite()).fold(f64::NAN, f64::min);
        let ground = config.ground.unwrap_or(if lowest.is_nan() { 0.0 } else { lowest });
        let floor = camera.unit(DVec3::Y * ground).y;
        Ok(Self { config: *config, camera, floor })
    }

    /// Where a point of the scene falls; `None` behind the camera or if not finite.
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
        let frame = Frame { picture: self, facets, light, seen, lines };
        let mut image = frame.develop();
        if let Some(legend) = &view.legend {
            draw_legend(&mut image, legend);
        }
        image
    }

    /// The marked samples, or nothing at all where there are no lines.
    fn lines(&self, view: &SceneView<'_>, seen: &Visibility) -> Vec<bool> {
        if view.lines.is_empty() {
            return Vec::new();
        }
        let PictureConfig { line_width, samples, .. } = self.config;
        let (width, samples) = (line_width as f32, samples as f32);
        mark_lines(&self.camera, &view.lines, width, seen.grid, samples, &seen.nearness)
    }
}

impl Lens {
    fn of(config: &PictureConfig) -> Self {
        let PictureConfig { width, height, azimuth, elevation, opening, margin, .. } = *config;
        Self { width, height, azimuth, elevation, opening, margin }
    }
}

/// For each sample the facet seen there, and how near it is.
#[derive(Debug)]
struct Visibility {
    grid: Grid,
    nearness: Vec<f32>,
    facets: Vec<u32>,
}

/// Marks a sample where no facet is seen.
const NOTHING: u32 = u32::MAX;

impl Visibility {
    fn new(config: &PictureConfig, facets: &[Facet]) -> Self {
        let grid = Grid {
            width: (config.width * config.samples) as usize,
            height: (config.height * config.samples) as usize,
        };
        let size = grid.width * grid.height;
        let mut seen = Self { grid, nearness: vec![0.0; size], facets: vec![NOTHING; size] };
        for (index, facet) in facets.iter().enumerate() {
            seen.draw(index as u32, facet, config.samples as f32);
        }
        seen
    }

    fn draw(&mut self, index: u32, facet: &Facet, samples: f32) {
        let corners = facet.screen.map(|point| [point.x * samples, point.y * samples]);
        let near = facet.screen.map(|point| point.nearness);
        fill(self.grid, corners, near, |sample, nearness| {
            if nearness > self.nearness[sample] {
                self.nearness[sample] = nearness;
                self.facets[sample] = index;
            }
        });
    }
}

/// All that the pixels of a frame are made of.
struct Frame<'a> {
    picture: &'a Picture,
    facets: Vec<Facet>,
    light: Light,
    seen: Visibility,
    lines: Vec<bool>,
}

/// The samples of one pixel that show one facet.
#[derive(Clone, Copy, Default)]
struct Group {
    facet: u32,
    count: u32,
    lined: u32,
    /// Sum of the sample places, in samples from the upper left corner of the picture.
    x: f32,
    y: f32,
}

impl Frame<'_> {
    fn develop(&self) -> Image {
        let PictureConfig { width, height, .. } = self.picture.config;
        let mut image = Image::new(width, height);
        let mut groups = Vec::new();
        for y in 0..height {
            for x in 0..width {
                self.gather(x, y, &mut groups);
                image.set_pixel(x, y, self.colour(x, y, &groups).to_srgb());
            }
        }
        image
    }

    /// Groups the samples of a pixel by facet: one lighting per group is enough.
    fn gather(&self, x: u32, y: u32, groups: &mut Vec<Group>) {
        groups.clear();
        let samples = self.picture.config.samples;
        for row in y * samples..(y + 1) * samples {
            let start = row as usize * self.seen.grid.width;
            for column in x * samples..(x + 1) * samples {
                let sample = start + column as usize;
                let group = find(groups, self.seen.facets[sample]);
                group.count += 1;
                group.lined += u32::from(self.lines.get(sample).copied().unwrap_or(false));
                group.x += column as f32 + 0.5;
                group.y += row as f32 + 0.5;
            }
        }
    }

    fn colour(&self, x: u32, y: u32, groups: &[Group]) -> Colour {
        let total = self.picture.config.samples.pow(2) as f32;
        groups.iter().fold(Colour::BLACK, |sum, group| {
            let bare = match group.facet {
                NOTHING => self.background(x, y),
                facet => self.lit(facet, group),
            };
            let lined = LINE_OPACITY * group.lined as f32 / group.count as f32;
            sum + bare.mix(LINE, lined) * (group.count as f32 / total)
        })
    }

    fn lit(&self, facet: u32, group: &Group) -> Colour {
        let scale = 1.0 / (group.count * self.picture.config.samples) as f32;
        let spot = self.facets[facet as usize].spot(group.x * scale, group.y * scale);
        self.light.shade(&spot)
    }

    fn background(&self, x: u32, y: u32) -> Colour {
        let (x, y) = (x as f32 + 0.5, y as f32 + 0.5);
        let paper = ABOVE.mix(BELOW, y / self.picture.config.height as f32);
        let ray: Vec3 = self.picture.camera.ray(x, y);
        paper * self.light.floor_brightness(ray)
    }
}

fn find(groups: &mut Vec<Group>, facet: u32) -> &mut Group {
    let index = groups.iter().position(|group| group.facet == facet).unwrap_or_else(|| {
        groups.push(Group { facet, ..Default::default() });
        groups.len() - 1
    });
    &mut groups[index]
}
