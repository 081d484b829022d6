//! Ambient occlusion: the fraction of the sky visible from a point.

use glam::Vec3;

use super::shadow::HeightMap;

/// Number of directions in which the sky is sampled.
const SKY_DIRECTIONS: usize = 10;
/// Samples across the map of each direction.
const SKY_MAP_SIZE: usize = 112;
/// Offset along each direction that avoids self-occlusion, in radii: about a sample.
const OCCLUSION_BIAS: f32 = 0.02;

/// Height maps of the surfaces from directions over the whole sky.
#[derive(Debug)]
pub(crate) struct Sky {
    maps: Vec<HeightMap>,
}

impl Sky {
    pub(crate) fn new<I: Iterator<Item = [Vec3; 3]>>(triangles: impl Fn() -> I) -> Self {
        let map = |index| HeightMap::new(SKY_MAP_SIZE, direction(index), triangles());
        Self { maps: (0..SKY_DIRECTIONS).map(map).collect() }
    }

    /// Returns the visible fraction of the sky in front of a surface, 0 to 1, weighted by the cosine with its normal;
    /// 1 for a surface that faces away from the whole sky.
    #[inline]
    pub(crate) fn visible_fraction(&self, point: Vec3, normal: Vec3) -> f32 {
        let (mut seen, mut all) = (1e-3, 1e-3);
        for map in &self.maps {
            let cosine = normal.dot(map.toward());
            if cosine > 0.0 {
                all += cosine;
                seen += cosine * map.lit::<1>(point + map.toward() * OCCLUSION_BIAS);
            }
        }
        seen / all
    }
}

/// Returns directions spread evenly over the upper hemisphere, along a spiral of golden angles.
fn direction(index: usize) -> Vec3 {
    let height = 1.0 - (index as f32 + 0.5) / SKY_DIRECTIONS as f32;
    let (sin, cos) = (index as f32 * 2.399_963).sin_cos();
    let radius = (1.0 - height * height).sqrt();
    Vec3::new(radius * cos, height, radius * sin)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Below a roof less than 0.3 of the sky is visible; a point above it, or a surface facing down, is not
    /// occluded.
    #[test]
    fn a_roof_hides_the_sky_and_a_free_point_sees_all_of_it() {
        let [a, b, c] = [(-0.9, -0.5), (0.9, -0.5), (0.0, 1.0)].map(|(x, z)| Vec3::new(x, 0.1, z));
        let sky = Sky::new(|| std::iter::once([a, b, c]));
        assert!(sky.visible_fraction(Vec3::ZERO, Vec3::Y) < 0.3);
        assert_eq!(sky.visible_fraction(Vec3::Y * 0.5, Vec3::Y), 1.0);
        assert_eq!(sky.visible_fraction(Vec3::ZERO, Vec3::NEG_Y), 1.0);
    }
}
