//! Fits the boundary of a mesh to the detailed surface.

use glam::DVec3;
use pliant::mesh::{Face, Mesh};
use pliant_kernels::math::parallel_map;

use super::face_samples::FaceSamples;
use super::solid::Solid;

/// The largest distance a point of the boundary may be moved, in lengths of its edge.
pub(super) const MAX_RELATIVE_MOVE: f64 = 0.4;
/// The number of pieces that the sides of a face are cut into for sampling.
const PIECES: usize = 6;
/// Iterations of the linear solver in each round.
const ITERATIONS: usize = 24;
/// The penalty on sliding along the surface, relative to distance from it.
const SLIDING_PENALTY: f64 = 0.2;
/// The penalty on any move, relative to the diagonal of the equations: it holds control points that few samples
/// determine.
const MOVE_PENALTY: f64 = 0.05;

/// The normal of the triangle of the corners; its length is twice the area.
pub(super) fn straight_normal(mesh: &Mesh, face: &Face) -> DVec3 {
    let [a, b, c] = [0, 1, 2].map(|k| mesh.nodes[face.corners[k] as usize]);
    (b - a).cross(c - a)
}

/// Moves control points to the least mean squared distance between boundary and surface.
///
/// ```text
/// min Σₖ wₖ ((nₖ · (dₖ − rₖ))² + σ |tₖ dₖ|²)      dₖ = Σᵢ Bᵢ(ξₖ) Δbᵢ
/// rₖ = foot of x(ξₖ) − x(ξₖ)                      nₖ = rₖ / |rₖ|
/// ```
///
/// - `ξₖ` sample points of the boundary faces, `Bᵢ` the basis function of control point bᵢ, `wₖ` a weight proportional
///   to the face's area
/// - `tₖ` the projection onto the plane across nₖ, `σ` the penalty on sliding
///
/// To first order the squared distance to the surface is that to its tangent plane, so that points may slide along it
/// and few rounds are needed (Pottmann & Hofer 2003).
pub(super) fn fit(mesh: &mut Mesh, solid: &Solid, fixed: &[bool], rounds: usize) {
    let faces = mesh.boundary_faces();
    let samples = FaceSamples::new(mesh.blocks[0].kind, PIECES);
    for _ in 0..rounds {
        let pulls = parallel_map(&faces, |face| pulls(mesh, face, &samples, solid));
        let moves = Equations::new(&faces, &samples, pulls, fixed).solved();
        mesh.nodes.iter_mut().zip(moves).for_each(|(node, way)| *node += way);
    }
}

/// The pull of a sample point of the boundary to the surface.
#[derive(Debug, Clone, Copy)]
struct Pull {
    /// The vector to the surface.
    way: DVec3,
    /// Its direction, or the surface's normal if the sample is already on the surface.
    normal: DVec3,
    weight: f64,
}

impl Pull {
    /// The penalty matrix of the sample times a move.
    fn times(&self, way: DVec3) -> DVec3 {
        self.weight
            * (SLIDING_PENALTY * way + (1.0 - SLIDING_PENALTY) * way.dot(self.normal) * self.normal)
    }
}

/// The pulls of a face's samples to the surface; `None` over holes, and where the surface is too far or its normal
/// differs too much.
fn pulls(mesh: &Mesh, face: &Face, samples: &FaceSamples, solid: &Solid) -> Vec<Option<Pull>> {
    let straight = straight_normal(mesh, face);
    let weight = straight.length();
    let reach = MAX_RELATIVE_MOVE * weight.sqrt();
    let outward = straight.normalize_or_zero();
    let pull = |point: DVec3| {
        let foot = solid.foot(point);
        let way = foot.point - point;
        let sound = !foot.at_rim && way.length() <= reach && foot.normal.dot(outward) > 0.3;
        sound.then(|| Pull { way, normal: way.normalize_or(foot.normal), weight })
    };
    samples.points(mesh, face).map(pull).collect()
}

/// The normal equations of one round.
struct Equations<'a> {
    faces: &'a [Face],
    samples: &'a FaceSamples,
    /// The pulls of the samples of each face.
    pulls: Vec<Vec<Option<Pull>>>,
    fixed: &'a [bool],
    /// Σₖ wₖ Bᵢ² of each control point; zero where no sample pulls.
    diagonal: Vec<f64>,
    /// The longest pull of the samples around each control point.
    longest: Vec<f64>,
}

impl<'a> Equations<'a> {
    fn new(
        faces: &'a [Face],
        samples: &'a FaceSamples,
        pulls: Vec<Vec<Option<Pull>>>,
        fixed: &'a [bool],
    ) -> Self {
        let equations =
            Self { faces, samples, pulls, fixed, diagonal: Vec::new(), longest: Vec::new() };
        let (mut diagonal, mut longest) = (vec![0.0; fixed.len()], vec![0.0f64; fixed.len()]);
        equations.for_each(|nodes, weights, pull| {
            for (node, weight) in nodes.iter().map(|node| *node as usize).zip(weights) {
                diagonal[node] += pull.weight * weight * weight;
                longest[node] = longest[node].max(pull.way.length());
            }
        });
        Self { diagonal, longest, ..equations }
    }

    /// Calls `call` with the control points of every sample, their weights and its pull.
    fn for_each(&self, mut call: impl FnMut(&[u32], &[f64], &Pull)) {
        for (face, pulls) in self.faces.iter().zip(&self.pulls) {
            for (weights, pull) in self.samples.weights.iter().zip(pulls) {
                if let Some(pull) = pull {
                    call(&face.nodes, weights, pull);
                }
            }
        }
    }

    /// Returns the moves of all control points, by conjugate gradients with a diagonal preconditioner.
    fn solved(&self) -> Vec<DVec3> {
        let mut moves = vec![DVec3::ZERO; self.fixed.len()];
        let mut residual = self.right_side();
        let mut z = self.preconditioned(&residual);
        let mut direction = z.clone();
        let mut rho = dot(&residual, &z);
        for _ in 0..ITERATIONS {
            let product = self.product(&direction);
            let curvature = dot(&direction, &product);
            if curvature <= 0.0 {
                break;
            }
            let alpha = rho / curvature;
            add(&mut moves, alpha, &direction);
            add(&mut residual, -alpha, &product);
            z = self.preconditioned(&residual);
            let next = dot(&residual, &z);
            let beta = next / rho;
            rho = next;
            direction.iter_mut().zip(&z).for_each(|(d, z)| *d = *z + beta * *d);
        }
        self.bounded(moves)
    }

    /// Limits each move to twice the longest pull around its control point: the curve of a quadratic edge moves half as
    /// far as its middle control point.
    fn bounded(&self, mut moves: Vec<DVec3>) -> Vec<DVec3> {
        const MAX_MOVE_RATIO: f64 = 2.0;
        for (way, longest) in moves.iter_mut().zip(&self.longest) {
            *way = way.clamp_length_max(MAX_MOVE_RATIO * longest);
        }
        moves
    }

    fn right_side(&self) -> Vec<DVec3> {
        let mut sums = vec![DVec3::ZERO; self.fixed.len()];
        self.for_each(|nodes, weights, pull| {
            spread(&mut sums, nodes, weights, pull.times(pull.way))
        });
        self.freed(sums)
    }

    fn product(&self, moves: &[DVec3]) -> Vec<DVec3> {
        let mut sums: Vec<DVec3> = moves
            .iter()
            .zip(&self.diagonal)
            .map(|(way, diagonal)| MOVE_PENALTY * *diagonal * *way)
            .collect();
        self.for_each(|nodes, weights, pull| {
            let terms = nodes.iter().zip(weights);
            let way = terms.map(|(node, weight)| *weight * moves[*node as usize]).sum();
            spread(&mut sums, nodes, weights, pull.times(way));
        });
        self.freed(sums)
    }

    fn preconditioned(&self, residual: &[DVec3]) -> Vec<DVec3> {
        let scaled = |(residual, diagonal): (&DVec3, &f64)| match *diagonal > 0.0 {
            true => *residual / *diagonal,
            false => DVec3::ZERO,
        };
        residual.iter().zip(&self.diagonal).map(scaled).collect()
    }

    /// Sets the entries of fixed control points to zero.
    fn freed(&self, mut sums: Vec<DVec3>) -> Vec<DVec3> {
        let fixed = sums.iter_mut().zip(self.fixed).filter(|(_, fixed)| **fixed);
        fixed.for_each(|(sum, _)| *sum = DVec3::ZERO);
        sums
    }
}

fn spread(sums: &mut [DVec3], nodes: &[u32], weights: &[f64], way: DVec3) {
    for (node, weight) in nodes.iter().zip(weights) {
        sums[*node as usize] += *weight * way;
    }
}

fn dot(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum()
}

fn add(sum: &mut [DVec3], factor: f64, other: &[DVec3]) {
    sum.iter_mut().zip(other).for_each(|(sum, other)| *sum += factor * *other);
}
