//! Pins: nodes with prescribed motion.

use glam::DVec3;

use crate::body::hold::motion::Motion;
use crate::body::hold::spread::Spread;
use crate::body::material_point::MaterialPoint;

/// Nodes with prescribed motion.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pin {
    /// The nodes.
    pub nodes: Vec<u32>,
    /// The motion of the nodes, or of the points that lead them. Without ramps they stay at rest.
    pub motion: Motion,
    /// How points of the surface lead the nodes; if none, every node follows the motion itself.
    #[doc(hidden)]
    pub spread: Option<Spread>,
}

impl Pin {
    /// A pin on points of a body, which follow the motion. `rest` are the nodes of its mesh.
    ///
    /// ```
    /// use glam::DVec3;
    /// use pliant::mesh::generate::{BoxConfig, box_mesh};
    /// use pliant::{MaterialPoint, Motion, Pin};
    ///
    /// let mesh = box_mesh(&BoxConfig::default())?;
    /// let point = MaterialPoint::locate(&mesh, DVec3::splat(0.3)).ok_or("outside")?;
    /// let pin = Pin::on_points(&[point], &mesh.nodes, Motion::default());
    /// assert_eq!(pin.position(0, mesh.nodes[pin.nodes[0] as usize], 1.0), mesh.nodes[pin.nodes[0] as usize]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn on_points(points: &[MaterialPoint], rest: &[DVec3], motion: Motion) -> Self {
        let (nodes, spread) = Spread::of_points(points, rest);
        Self { nodes, motion, spread: Some(spread) }
    }

    /// True if both pins move a common node in the same way.
    pub(crate) fn agrees(&self, other: &Self) -> bool {
        let rests = self.motion.ramps.is_empty() && other.motion.ramps.is_empty();
        let alike = self.spread.is_none() && other.spread.is_none();
        rests || (alike && self.motion == other.motion)
    }

    /// Position at time `t` of the `k`-th node, which rests at `x_rest`.
    pub fn position(&self, k: usize, x_rest: DVec3, t: f64) -> DVec3 {
        match &self.spread {
            Some(spread) => spread.position(k, x_rest, &self.motion.pose(t)),
            None => self.motion.position(x_rest, t),
        }
    }
}
