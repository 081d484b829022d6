//! Sample points on boundary faces.

use glam::DVec3;
use pliant::element::Kind;
use pliant::mesh::{Face, Mesh};

/// The weights of a triangular face's control points at evenly spaced sample points.
#[derive(Debug)]
pub(super) struct FaceSamples {
    /// The weight of every control point, in the order of the face's rows, for each sample point.
    pub(super) weights: Vec<Vec<f64>>,
}

impl FaceSamples {
    /// Samples at the centroids of the `pieces`² small triangles of a face.
    pub(super) fn new(kind: Kind, pieces: usize) -> Self {
        let n = 3.0 * pieces as f64;
        let mut places = Vec::new();
        for j in 0..pieces {
            for i in 0..pieces - j {
                let (x, y) = ((3 * i + 1) as f64 / n, (3 * j + 1) as f64 / n);
                places.push([1.0 - x - y, x, y]);
                if i + j + 1 < pieces {
                    let (x, y) = ((3 * i + 2) as f64 / n, (3 * j + 2) as f64 / n);
                    places.push([1.0 - x - y, x, y]);
                }
            }
        }
        let weights = places.iter().map(|place| face_weights(kind.degree(), *place)).collect();
        Self { weights }
    }

    /// The sample points of one face.
    pub(super) fn points<'a>(
        &'a self,
        mesh: &'a Mesh,
        face: &'a Face,
    ) -> impl Iterator<Item = DVec3> + 'a {
        self.weights.iter().map(|weights| {
            let terms = face.nodes.iter().zip(weights);
            terms.map(|(node, weight)| *weight * mesh.nodes[*node as usize]).sum()
        })
    }
}

/// The Bernstein polynomials p!/(a! b! c!) λ₀ᵃ λ₁ᵇ λ₂ᶜ of a triangle, in rows as faces list their control points.
pub(super) fn face_weights(degree: usize, lambda: [f64; 3]) -> Vec<f64> {
    let factorial = |n: usize| (1..=n).product::<usize>() as f64;
    let mut weights = Vec::new();
    for c in 0..=degree {
        for b in 0..=degree - c {
            let powers = [degree - b - c, b, c];
            let term = |k: usize| lambda[k].powi(powers[k] as i32) / factorial(powers[k]);
            weights.push(factorial(degree) * term(0) * term(1) * term(2));
        }
    }
    weights
}
