//! Fitting the boundary of a mesh to the detailed surface.

use glam::DVec3;
use pliant::math::parallel_map;
use pliant::mesh::{Face, Mesh};

use super::face_samples::FaceSamples;
use super::solid::Solid;

/// How far a point of the boundary may be moved, in lengths of its edge.
pub(super) const REACH: f64 = 0.4;
/// Rounds of the fit. The error of smooth surfaces stops falling after about this many.
const ROUNDS: usize = 4;
/// Pieces that the sides of a face are cut into for the fit.
const PIECES: usize = 6;
/// Iterations of the linear solver in a round.
const ITERATIONS: usize = 24;
/// What moving along the surface costs, relative to being off it.
const SLIDING: f64 = 0.2;
/// What moving at all costs, relative to the diagonal of the equations: lone control points stay.
const INERTIA: f64 = 0.05;

/// Normal of the triangle of the corners, of length twice its area.
pub(super) fn straight_normal(mesh: &Mesh, face: &Face) -> DVec3 {
    let [a, b, c] = [0, 1, 2].map(|k| mesh.nodes[face.corners[k] as usize]);
    (b - a).cross(c - a)
}

/// Moves control points to the least mean square of the distance between boundary and surface.
///
/// ```text
/// min Σₖ wₖ ((nₖ · (dₖ − rₖ))² + σ |tₖ dₖ|²)      dₖ = Σᵢ Bᵢ(ξₖ) Δbᵢ
/// rₖ = foot of x(ξₖ) − x(ξₖ)                      nₖ = rₖ / |rₖ|
/// ```
///
/// - `ξₖ` points of the boundary faces, `Bᵢ` the basis function of control point bᵢ, `wₖ` the area of
///   the face
/// - `tₖ` the part across nₖ, `σ` what sliding costs
///
/// The squared distance to the surface is that to its tangent plane in the first order, so that points
/// may slide along it and few rounds are needed (Pottmann & Hofer 2003).
pub(super) fn fit(mesh: &mut Mesh, solid: &Solid, fixed: &[bool]) {
    let faces = mesh.boundary_faces();
    let samples = FaceSamples::new(mesh.blocks[0].kind, PIECES);
    for _ in 0..ROUNDS {
        let pulls = parallel_map(&faces, |face| pulls(mesh, face, &samples, solid));
        let moves = Equations::new(&faces, &samples, pulls, fixed).solved();
        mesh.nodes.iter_mut().zip(moves).for_each(|(node, way)| *node += way);
    }
}

/// What draws a point of the boundary to the surface.
#[derive(Debug, Clone, Copy)]
struct Pull {
    /// To the surface.
    way: DVec3,
    /// The direction of the way, or that of the surface's normal where it is already there.
    normal: DVec3,
    weight: f64,
}

impl Pull {
    /// What a move of the point costs.
    fn times(&self, way: DVec3) -> DVec3 {
        self.weight * (SLIDING * way + (1.0 - SLIDING) * way.dot(self.normal) * self.normal)
    }
}

/// Pulls of points of a face to the surface; `None` over holes and where the surface found is too
/// far or looks another way.
fn pulls(mesh: &Mesh, face: &Face, samples: &FaceSamples, solid: &Solid) -> Vec<Option<Pull>> {
    let straight = straight_normal(mesh, face);
    let weight = straight.length();
    let reach = REACH * weight.sqrt();
    let outward = straight.normalize_or_zero();
    let pull = |point: DVec3| {
        let foot = solid.foot(point);
        let way = foot.point - point;
        let sound = !foot.at_rim && way.length() <= reach && foot.normal.dot(outward) > 0.3;
        sound.then(|| Pull { way, normal: way.normalize_or(foot.normal), weight })
    };
    samples.points(mesh, face).map(pull).collect()
}

/// The normal equations of a round.
struct Equations<'a> {
    faces: &'a [Face],
    samples: &'a FaceSamples,
    /// Of the samples of each face.
    pulls: Vec<Vec<Option<Pull>>>,
    fixed: &'a [bool],
    /// Σₖ wₖ Bᵢ² of each control point; zero where nothing pulls.
    diagonal: Vec<f64>,
    /// Longest way of the points around each control point.
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

    /// Calls with the control points of every sample, their weights and its pull.
    fn for_each(&self, mut call: impl FnMut(&[u32], &[f64], &Pull)) {
        for (face, pulls) in self.faces.iter().zip(&self.pulls) {
            for (weights, pull) in self.samples.weights.iter().zip(pulls) {
                if let Some(pull) = pull {
                    call(&face.nodes, weights, pull);
                }
            }
        }
    }

    /// The moves of all control points, by conjugate gradients preconditioned with the diagonal.
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

    /// No control point goes farther than twice the way of any point around it: the middle one of a
    /// quadratic edge moves its curve by half as much as itself.
    fn bounded(&self, mut moves: Vec<DVec3>) -> Vec<DVec3> {
        const FARTHEST: f64 = 2.0;
        for (way, longest) in moves.iter_mut().zip(&self.longest) {
            *way = way.clamp_length_max(FARTHEST * longest);
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
            .map(|(way, diagonal)| INERTIA * *diagonal * *way)
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

    /// Nothing for control points that are not to be moved.
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
