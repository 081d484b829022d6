//! Combines samples into pixels.

use super::camera::Camera;
use super::facet::{Facet, ShadingPoint};
use super::light::Light;
use super::visibility::{NO_FACET, Visibility};
use super::{Colour, Image, PictureConfig};

/// Colours of the background at the upper and lower edge.
const BACKGROUND_TOP: Colour = Colour::new(0.80, 0.83, 0.87);
const BACKGROUND_BOTTOM: Colour = Colour::new(0.90, 0.90, 0.89);
/// Lines are near black and slightly transparent.
const LINE: Colour = Colour::new(0.012, 0.014, 0.02);
const LINE_OPACITY: f32 = 0.72;

/// The data from which the pixels of a frame are computed.
pub(crate) struct Frame<'a> {
    pub(crate) config: &'a PictureConfig,
    pub(crate) camera: &'a Camera,
    pub(crate) facets: Vec<Facet>,
    pub(crate) light: Light,
    pub(crate) seen: Visibility,
    /// True for samples covered by a line; empty if there are no lines.
    pub(crate) lines: Vec<bool>,
}

/// The samples of one pixel that show the same facet.
#[derive(Clone, Copy, Default)]
struct Group {
    facet: u32,
    count: f32,
    under_line: f32,
    /// Sum of the sample positions, in samples from the upper left corner of the picture.
    x: f32,
    y: f32,
}

/// Groups that are lit together.
#[derive(Clone, Copy)]
struct Patch {
    shading_point: ShadingPoint,
    count: f32,
    under_line: f32,
}

impl Frame<'_> {
    pub(crate) fn resolve(&self) -> Image {
        let PictureConfig { width, height, .. } = *self.config;
        let mut image = Image::new(width, height);
        let (mut groups, mut patches) = (Vec::new(), Vec::new());
        for y in 0..height {
            for x in 0..width {
                self.gather(x, y, &mut groups);
                let colour = self.colour(x, y, &groups, &mut patches);
                image.set_pixel(x, y, colour.to_srgb());
            }
        }
        image
    }

    /// Groups the samples of a pixel by facet.
    fn gather(&self, x: u32, y: u32, groups: &mut Vec<Group>) {
        groups.clear();
        let samples = self.config.samples;
        if let Some(whole) = self.uniform(x, y) {
            return groups.push(whole);
        }
        for row in y * samples..(y + 1) * samples {
            let start = row as usize * self.seen.grid.width;
            for column in x * samples..(x + 1) * samples {
                let sample = start + column as usize;
                let group = find(groups, self.seen.facets[sample]);
                group.count += 1.0;
                group.x += column as f32 + 0.5;
                group.y += row as f32 + 0.5;
                if self.lines.get(sample).copied().unwrap_or(false) {
                    group.under_line += 1.0;
                }
            }
        }
    }

    /// Returns the single group of a pixel that shows one facet, or none, and no line; most pixels are of this kind.
    fn uniform(&self, x: u32, y: u32) -> Option<Group> {
        let samples = self.config.samples as usize;
        let start = y as usize * samples * self.seen.grid.width + x as usize * samples;
        let facet = self.seen.facets[start];
        let row = |k: usize| start + k * self.seen.grid.width;
        let same =
            |k: usize| self.seen.facets[row(k)..row(k) + samples].iter().all(|f| *f == facet);
        if !(self.lines.is_empty() && (0..samples).all(same)) {
            return None;
        }
        let (count, half) = ((samples * samples) as f32, samples as f32 / 2.0);
        let middle = |pixel: u32| (pixel as f32 * samples as f32 + half) * count;
        Some(Group { facet, count, under_line: 0.0, x: middle(x), y: middle(y) })
    }

    fn colour(&self, x: u32, y: u32, groups: &[Group], patches: &mut Vec<Patch>) -> Colour {
        patches.clear();
        let mut sum = Colour::BLACK;
        for group in groups {
            match group.facet {
                NO_FACET => {
                    sum = sum + with_lines(self.background(x, y), group.count, group.under_line)
                }
                _ => self.merge(group, patches),
            }
        }
        for patch in patches {
            sum = sum
                + with_lines(self.light.shade(&patch.shading_point), patch.count, patch.under_line);
        }
        sum * (1.0 / self.config.samples.pow(2) as f32)
    }

    /// Adds a group to the patches: small facets of a smooth surface share one lighting.
    fn merge(&self, group: &Group, patches: &mut Vec<Patch>) {
        let scale = 1.0 / (group.count * self.config.samples as f32);
        let shading_point =
            self.facets[group.facet as usize].shading_point(group.x * scale, group.y * scale);
        match patches.iter_mut().find(|patch| patch.shading_point.is_similar(&shading_point)) {
            Some(patch) => {
                patch.shading_point =
                    patch.shading_point.blend(&shading_point, patch.count, group.count);
                patch.count += group.count;
                patch.under_line += group.under_line;
            }
            None => patches.push(Patch {
                shading_point,
                count: group.count,
                under_line: group.under_line,
            }),
        }
    }

    fn background(&self, x: u32, y: u32) -> Colour {
        let (x, y) = (x as f32 + 0.5, y as f32 + 0.5);
        let background = BACKGROUND_TOP.mix(BACKGROUND_BOTTOM, y / self.config.height as f32);
        background * self.light.floor_brightness(self.camera.ray(x, y))
    }
}

/// Returns the light of `count` samples of a colour, `under_line` of which are below a line.
fn with_lines(colour: Colour, count: f32, under_line: f32) -> Colour {
    colour * (count - LINE_OPACITY * under_line) + LINE * (LINE_OPACITY * under_line)
}

/// Returns the group of a facet, which is usually the first.
#[inline]
fn find(groups: &mut Vec<Group>, facet: u32) -> &mut Group {
    let index = groups.iter().position(|group| group.facet == facet).unwrap_or_else(|| {
        groups.push(Group { facet, ..Default::default() });
        groups.len() - 1
    });
    &mut groups[index]
}
