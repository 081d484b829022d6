//! Moves the inside of a mesh for better cells.
//!
//! Where bounds of quality hold the boundary back, the control points inside make room: each goes where its cells are
//! distorted least, while all cells stay within the bounds.

use glam::{DMat3, DVec3};
use pliant::mesh::Mesh;
use pliant_kernels::element::{lattice, shape_gradient};
use pliant_kernels::math::{Rows, parallel_map};

use super::advance::independent_groups;
use super::curved_quality::CurvedGauge;

/// The number of times every control point is moved.
const SWEEPS: usize = 2;
/// The steps tried, in Newton steps.
const STRIDES: [f64; 4] = [1.0, 0.5, 0.25, 0.125];
/// The power of the distortion that is summed: large, so that the worst counts most.
const POWER: i32 = 4;

/// Relaxes control points inside a curved mesh, given the straight one it comes from.
pub(super) struct Relaxation<'a> {
    gauge: &'a CurvedGauge,
    /// The gradients of the shape functions at the points where distortion is measured.
    gradients: Vec<Vec<DVec3>>,
    /// (∂X/∂ξ)⁻¹ of every straight cell.
    inverse_rest: Vec<DMat3>,
    is_boundary: Vec<bool>,
    around: Rows,
}

impl<'a> Relaxation<'a> {
    pub(super) fn new(straight: &Mesh, gauge: &'a CurvedGauge) -> Self {
        let kind = straight.blocks[0].kind;
        let scale = 1.0 / kind.degree() as f64;
        let at = |place: [usize; 3]| DVec3::from(place.map(|k| k as f64 * scale));
        let points = lattice(kind).into_iter().map(at).chain([DVec3::splat(0.25)]);
        let inverse_rest = (0..straight.cell_count())
            .map(|cell| DMat3::from(straight.straight_jacobian(cell)).inverse())
            .collect();
        let mut is_boundary = vec![false; straight.nodes.len()];
        straight.boundary_nodes().iter().for_each(|node| is_boundary[*node as usize] = true);
        Self {
            gauge,
            gradients: points.map(|xi| shape_gradient(kind, xi)).collect(),
            inverse_rest,
            is_boundary,
            around: straight.node_cells(),
        }
    }

    /// Moves the control points inside of the cells around these nodes.
    pub(super) fn make_room(&self, mesh: &mut Mesh, held_back: &[usize]) {
        let cells = held_back.iter().flat_map(|node| self.around.row(*node));
        let mut inside: Vec<usize> = cells
            .flat_map(|cell| mesh.cell(*cell as usize).1)
            .map(|node| *node as usize)
            .filter(|node| !self.is_boundary[*node])
            .collect();
        inside.sort_unstable();
        inside.dedup();
        let groups = independent_groups(mesh, &inside, &self.around);
        for _ in 0..SWEEPS {
            for group in &groups {
                let moved = parallel_map(group, |node| self.relaxed(mesh, *node));
                group.iter().zip(moved).for_each(|(node, x)| mesh.nodes[*node] = x);
            }
        }
    }

    /// A better position of a control point, by a step of Newton's method that keeps its cells within the bounds.
    fn relaxed(&self, mesh: &Mesh, node: usize) -> DVec3 {
        let start = mesh.nodes[node];
        let star = self.star(mesh, node);
        let (energy, gradient) = energy(&star, DVec3::ZERO);
        let step = newton_step(&star, gradient);
        for stride in STRIDES {
            let way = stride * step;
            if self::energy(&star, way).0 < energy && self.fits(mesh, node, start + way) {
                return start + way;
            }
        }
        start
    }

    /// True if the cells around a node stay within the bounds when it is moved.
    fn fits(&self, mesh: &Mesh, node: usize, to: DVec3) -> bool {
        self.around.row(node).iter().all(|cell| {
            let (_, nodes) = mesh.cell(*cell as usize);
            let place = |other: &u32| {
                if *other as usize == node { to } else { mesh.nodes[*other as usize] }
            };
            let points: Vec<DVec3> = nodes.iter().map(place).collect();
            self.gauge.is_fit(&points)
        })
    }

    /// The deformation gradients around a node, as functions of its move.
    fn star(&self, mesh: &Mesh, node: usize) -> Vec<Slope> {
        let mut star = Vec::new();
        for cell in self.around.row(node) {
            let (_, nodes) = mesh.cell(*cell as usize);
            let own = nodes.iter().position(|other| *other as usize == node).unwrap_or(0);
            let points = mesh.cell_points(nodes);
            let inverse_rest = self.inverse_rest[*cell as usize];
            for gradients in &self.gradients {
                let columns = gradients.iter().zip(&points).fold(DMat3::ZERO, |sum, (g, x)| {
                    sum + DMat3::from_cols(*x * g.x, *x * g.y, *x * g.z)
                });
                let slope = inverse_rest.transpose() * gradients[own];
                star.push(Slope { f: columns * inverse_rest, slope });
            }
        }
        star
    }
}

/// The deformation gradient F + u ⊗ b at a point, for a move u of a node.
#[derive(Debug, Clone, Copy)]
struct Slope {
    f: DMat3,
    slope: DVec3,
}

/// The summed distortion after a move, and its gradient; infinite if a point is inverted.
///
/// ```text
/// E = Σ eⁿ        e = ‖F‖³ / (3√3 J) + (J + 1/J) / 2        J = det F
/// ```
///
/// The first term of e measures the change of angles and the second that of volume (Fu et al. 2015, eq. 4, in three
/// dimensions).
fn energy(star: &[Slope], way: DVec3) -> (f64, DVec3) {
    let norm = 3.0 * 3f64.sqrt();
    let (mut sum, mut gradient) = (0.0, DVec3::ZERO);
    for Slope { f, slope } in star {
        let f = *f + DMat3::from_cols(way * slope.x, way * slope.y, way * slope.z);
        let j = f.determinant();
        if j.is_nan() || j <= 0.0 {
            return (f64::INFINITY, DVec3::ZERO);
        }
        let squared: f64 = f.to_cols_array().iter().map(|x| x * x).sum();
        let (shape, volume) = (squared * squared.sqrt() / (norm * j), 0.5 * (j + 1.0 / j));
        let e = shape + volume;
        sum += e.powi(POWER);
        let inverse_transposed = f.inverse().transpose();
        let p = f * (3.0 * shape / squared) + inverse_transposed * (0.5 * (j - 1.0 / j) - shape);
        gradient += f64::from(POWER) * e.powi(POWER - 1) * (p * *slope);
    }
    (sum, gradient)
}

/// The Newton step for a gradient; a step along the gradient if the energy is not convex.
fn newton_step(star: &[Slope], gradient: DVec3) -> DVec3 {
    let steepest = star.iter().map(|slope| slope.slope.length_squared()).fold(0.0, f64::max);
    // One per mille of the length over which F changes by one.
    let small = 1e-3 / steepest.sqrt();
    let column = |axis: DVec3| (energy(star, small * axis).1 - gradient) / small;
    let hessian = DMat3::from_cols(column(DVec3::X), column(DVec3::Y), column(DVec3::Z));
    let newton = hessian.inverse() * -gradient;
    let steps_down = newton.is_finite() && newton.dot(gradient) < 0.0;
    let way = if steps_down { newton } else { -gradient };
    way.clamp_length_max(100.0 * small)
}
