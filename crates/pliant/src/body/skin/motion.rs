//! Positions, velocities and areas of a skin in a state.

use glam::DVec3;

use crate::body::skin::skin::Skin;
use crate::body::state::State;

/// Positions, velocities and areas of a skin: the data that another simulation needs to couple with a body.
///
/// ```
/// use pliant::Skin;
/// use pliant::body::{SkinMotion, State};
/// use pliant::mesh::generate::{BoxConfig, box_mesh};
///
/// let mesh = box_mesh(&BoxConfig::default())?;
/// let (skin, state) = (Skin::of_mesh(&mesh, 1), State::at_rest(&mesh.nodes));
/// let mut motion = SkinMotion::default();
/// motion.follow(&skin, &state);
/// let whole: f64 = motion.areas.iter().map(|area| area.length()).sum();
/// assert!((whole - 6.0).abs() < 1e-12, "a cube of a metre has six sides");
/// # Ok::<(), pliant::mesh::MeshError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SkinMotion {
    /// Positions of the vertices, in m.
    pub x: Vec<DVec3>,
    /// Their velocities, in m/s.
    pub v: Vec<DVec3>,
    /// The area of every triangle times its normal, which points outward, in m².
    pub areas: Vec<DVec3>,
}

impl SkinMotion {
    /// Updates all fields for the skin of a body in this state. Reuses its buffers, so that later calls allocate
    /// nothing.
    pub fn follow(&mut self, skin: &Skin, state: &State) {
        skin.interpolate(&state.x, &mut self.x);
        skin.interpolate(&state.v, &mut self.v);
        self.areas.clear();
        let x = &self.x;
        self.areas.extend(skin.triangles().iter().map(|triangle| {
            let [a, b, c] = triangle.map(|vertex| x[vertex as usize]);
            0.5 * (b - a).cross(c - a)
        }));
    }

    /// The centroid of a triangle, in m.
    pub fn centre(&self, triangle: [u32; 3]) -> DVec3 {
        mean(&self.x, triangle)
    }

    /// The velocity of the centroid of a triangle, in m/s.
    pub fn velocity(&self, triangle: [u32; 3]) -> DVec3 {
        mean(&self.v, triangle)
    }

    /// Adds the forces of tractions to the forces on the vertices, in N; `tractions`, in Pa, has one entry per
    /// triangle of the skin.
    ///
    /// ```text
    /// f = ⅓ A t        for each of the three vertices
    /// ```
    ///
    /// Their sum is the force A t on the triangle, and their torque is that of this force at its centroid.
    pub fn add_tractions(&self, skin: &Skin, tractions: &[DVec3], forces: &mut [DVec3]) {
        let loaded = skin.triangles().iter().zip(&self.areas).zip(tractions);
        for ((triangle, area), traction) in loaded {
            let share = area.length() / 3.0 * *traction;
            triangle.iter().for_each(|vertex| forces[*vertex as usize] += share);
        }
    }
}

fn mean(values: &[DVec3], triangle: [u32; 3]) -> DVec3 {
    let [a, b, c] = triangle.map(|vertex| values[vertex as usize]);
    (a + b + c) / 3.0
}
