//! Interpolation of skin points, in bundles of eight that follow the same nodes.

use glam::DVec3;

use crate::element::{CellShape, edges};
use crate::lanes::{Kernel, Width, store};
use crate::math::{LANES, Lane, Lanes, One, Pack, Vec3};

/// Fewer points than this that follow the same nodes are interpolated one by one, because most lanes would be empty.
const MIN_BUNDLE_POINTS: usize = 4;

/// Up to eight points that follow the same nodes.
#[derive(Debug, Clone, PartialEq)]
struct Bundle {
    /// Start of the list of nodes, and its length.
    first: u32,
    count: u32,
    /// Start of its weights, or of the barycentric coordinates that determine them.
    weights: u32,
    quadratic: bool,
    /// The points, of which the first `used` are valid.
    points: [u32; LANES],
    used: u32,
}

/// The points of a chunk in bundles, and the remaining single points.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Bundles {
    bundles: Vec<Bundle>,
    /// The weights of every node of a bundle, one lane per point. For points in quadratic tetrahedra, the last three
    /// barycentric coordinates instead: three numbers to read instead of ten weights.
    weights: Vec<Pack>,
    /// Points that are interpolated one by one.
    loose: Vec<u32>,
}

impl Bundles {
    /// Creates bundles from rows: the start of the list of nodes, and the weights. Points with the same start follow
    /// the same nodes.
    pub fn of(rows: &[(u32, &[f64])]) -> Self {
        let mut order: Vec<u32> = (0..rows.len() as u32).collect();
        let key = |point: &u32| (rows[*point as usize].0, rows[*point as usize].1.len());
        order.sort_by_key(key);
        let mut bundles = Self::default();
        for same in order.chunk_by(|a, b| key(a) == key(b)) {
            for points in same.chunks(LANES) {
                if points.len() < MIN_BUNDLE_POINTS {
                    bundles.loose.extend_from_slice(points);
                } else {
                    bundles.push(points, rows);
                }
            }
        }
        bundles
    }

    fn push(&mut self, points: &[u32], rows: &[(u32, &[f64])]) {
        let (first, weights) = rows[points[0] as usize];
        let (count, used) = (weights.len() as u32, points.len() as u32);
        let from = self.weights.len() as u32;
        let mut packs = vec![[0.0; LANES]; weights.len()];
        for (node, pack) in packs.iter_mut().enumerate() {
            for (lane, point) in pack.iter_mut().zip(points) {
                *lane = rows[*point as usize].1[node];
            }
        }
        let coordinates = coordinates(&packs, points.len());
        let quadratic = coordinates.is_some();
        match coordinates {
            Some(three) => self.weights.extend(three),
            None => self.weights.extend(packs),
        }
        let mut bundle =
            Bundle { first, count, weights: from, quadratic, points: [0; LANES], used };
        bundle.points[..points.len()].copy_from_slice(points);
        self.bundles.push(bundle);
    }

    /// Returns the points that are in no bundle.
    pub fn loose(&self) -> &[u32] {
        &self.loose
    }

    /// Interpolates the points that are in bundles from node positions `q`.
    pub fn blend(&self, nodes: &[u32], q: &[DVec3], points: &mut [DVec3]) {
        Width::default().run(&mut Blend { bundles: self, nodes, q, points });
    }
}

/// The interpolation of bundled points from nodes `q`.
struct Blend<'a> {
    bundles: &'a Bundles,
    nodes: &'a [u32],
    q: &'a [DVec3],
    points: &'a mut [DVec3],
}

impl Kernel for Blend<'_> {
    #[inline(always)]
    fn run<L: Lanes>(&mut self, lanes: L) {
        for bundle in &self.bundles.bundles {
            let (first, count) = (bundle.first as usize, bundle.count as usize);
            let nodes = &self.nodes[first..first + count];
            let packs = &self.bundles.weights[bundle.weights as usize..];
            let sum = if let (true, Some([x, y, z])) = (bundle.quadratic, packs.first_chunk()) {
                let weights = quadratic(lanes, [lanes.load(x), lanes.load(y), lanes.load(z)]);
                blended(lanes, nodes, self.q, |node| weights[node])
            } else {
                blended(lanes, nodes, self.q, |node| lanes.load(&packs[node]))
            };
            let mut moved = [[0.0; LANES]; 3];
            store(lanes, &[sum], &mut moved);
            let ([x, y, z], used) = (&moved, bundle.used as usize);
            for lane in lanes.selected().take(used.saturating_sub(lanes.selected().start)) {
                let point = bundle.points[lane] as usize;
                self.points[point] = DVec3::new(x[lane], y[lane], z[lane]);
            }
        }
    }
}

/// Number of nodes of a quadratic tetrahedron.
const QUADRATIC_NODES: usize = 10;

/// Tolerance for weights to count as those of a quadratic tetrahedron, for weights of one: rounding.
const ROUNDING: f64 = 1e-14;

/// The ten weights λᵢ² and 2λᵢλⱼ at barycentric coordinates λ; the first coordinate is one minus the others.
#[inline(always)]
fn quadratic<L: Lanes>(lanes: L, [x, y, z]: [L::Lane; 3]) -> [L::Lane; QUADRATIC_NODES] {
    let lambda = [lanes.splat(1.0) - x - y - z, x, y, z];
    let mut weights = [lanes.splat(0.0); QUADRATIC_NODES];
    for (weight, corner) in weights.iter_mut().zip(lambda) {
        *weight = corner * corner;
    }
    for (weight, [a, b]) in weights[4..].iter_mut().zip(edges(CellShape::Tetrahedron)) {
        *weight = lambda[*a] * lambda[*b] * 2.0;
    }
    weights
}

/// Returns the coordinates that determine the weights of the first `used` lanes, if these are weights of a quadratic
/// tetrahedron: λᵢ is the weight of the corner plus half of those of its edges.
fn coordinates(weights: &[Pack], used: usize) -> Option<[Pack; 3]> {
    let weights: &[Pack; QUADRATIC_NODES] = weights.try_into().ok()?;
    let mut lambda = [[0.0; LANES]; 3];
    for lane in 0..used {
        let all: [f64; 4] = std::array::from_fn(|corner| {
            let edges = weights[4..].iter().zip(edges(CellShape::Tetrahedron));
            let there = edges.filter(|(_, ends)| ends.contains(&corner));
            weights[corner][lane] + 0.5 * there.map(|(weight, _)| weight[lane]).sum::<f64>()
        });
        let own = quadratic(One(0), [all[1], all[2], all[3]]);
        let near = |(own, pack): (&f64, &Pack)| {
            (own - pack[lane]).abs() <= ROUNDING * (1.0 + pack[lane].abs())
        };
        if !own.iter().zip(weights).all(near) {
            return None;
        }
        lambda.iter_mut().zip(&all[1..]).for_each(|(pack, lambda)| pack[lane] = *lambda);
    }
    Some(lambda)
}

/// Σ w q in two partial sums, in the same order as for a single point, so that results are equal.
#[inline(always)]
fn blended<L: Lanes>(
    lanes: L,
    nodes: &[u32],
    q: &[DVec3],
    weight: impl Fn(usize) -> L::Lane,
) -> Vec3<L::Lane> {
    let zero = Vec3([lanes.splat(0.0); 3]);
    let (mut even, mut odd) = (zero, zero);
    let (pairs, last) = nodes.as_chunks::<2>();
    for (k, [first, second]) in pairs.iter().enumerate() {
        even += term(weight(2 * k), q[*first as usize]);
        odd += term(weight(2 * k + 1), q[*second as usize]);
    }
    if let [node] = last {
        even += term(weight(nodes.len() - 1), q[*node as usize]);
    }
    even + odd
}

#[inline(always)]
fn term<R: Lane>(weight: R, q: DVec3) -> Vec3<R> {
    Vec3([weight * q.x, weight * q.y, weight * q.z])
}
