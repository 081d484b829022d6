//! Finds the visible facet of each sample.

use super::PictureConfig;
use super::facet::Facet;
use super::raster::{Grid, fill};

/// The visible facet of each sample, and its nearness.
#[derive(Debug)]
pub(crate) struct Visibility {
    pub(crate) grid: Grid,
    pub(crate) nearness: Vec<f32>,
    pub(crate) facets: Vec<u32>,
}

/// Marks a sample without a visible facet.
pub(crate) const NO_FACET: u32 = u32::MAX;

impl Visibility {
    pub(crate) fn new(config: &PictureConfig, facets: &[Facet]) -> Self {
        let grid = Grid {
            width: (config.width * config.samples) as usize,
            height: (config.height * config.samples) as usize,
        };
        let size = grid.width * grid.height;
        let mut seen = Self { grid, nearness: vec![0.0; size], facets: vec![NO_FACET; size] };
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
