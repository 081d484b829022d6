//! The system on nodes, without a matrix.

use glam::DVec3;
use pliant_kernels::math::SingleNode;

use crate::body::{Masses, RestShape, Unknowns};
use crate::force::{Elasticity, PointForces};
use crate::persist::{Persist, Reader, SnapshotError, Writer};

use super::conjugate_gradient::Operator;
use super::vectors::{chunk_dot, dot, for_chunks, scatter, sum_chunks};

/// The parts of a system.
#[derive(Debug)]
pub struct SystemParts<'a> {
    /// The body's model and rest shape.
    pub rest: RestShape<'a>,
    /// Its unknowns.
    pub unknowns: &'a Unknowns,
    /// Its cells, linearised at the present positions.
    pub elasticity: &'a mut dyn Elasticity,
    /// Its mass matrix. It may change only together with the version of the unknowns.
    pub masses: Masses<'a>,
    /// Its point forces.
    pub points: &'a PointForces,
    /// Positions of its nodes.
    pub x: &'a [DVec3],
}

/// The factors of the parts in a system:
///
/// ```text
/// A = mass · M + stiffness · K + Σ points w (points[0] · S + points[1] · B) wᵀ
/// ```
///
/// with the stiffness S and the damping B of a point.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Scales {
    /// Factor of the mass.
    pub mass: f64,
    /// Factor of the stiffness of the cells.
    pub stiffness: f64,
    /// Factors of the stiffness and the damping of points.
    pub points: [f64; 2],
}

/// The vector of a node, in double or single precision.
pub(super) trait NodeVector {
    /// The same in double precision.
    fn double(&self) -> DVec3;

    /// Adds a vector.
    fn add(&mut self, other: DVec3);
}

impl NodeVector for DVec3 {
    fn double(&self) -> DVec3 {
        *self
    }

    fn add(&mut self, other: DVec3) {
        *self += other;
    }
}

impl NodeVector for SingleNode {
    fn double(&self) -> DVec3 {
        self.as_dvec4().truncate()
    }

    fn add(&mut self, other: DVec3) {
        *self += other.extend(0.0).as_vec4();
    }
}

impl Persist for Scales {
    fn save(&self, to: &mut Writer) {
        to.f64s(&[self.mass, self.stiffness]);
        to.f64s(&self.points);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        (self.mass, self.stiffness) = (from.f64()?, from.f64()?);
        from.f64s(&mut self.points)
    }
}

impl SystemParts<'_> {
    /// Writes A d, on nodes.
    pub(in crate::solver) fn product(
        &mut self,
        scales: &Scales,
        d: &[DVec3],
        product: &mut [DVec3],
    ) {
        let Scales { mass, stiffness, points } = *scales;
        let with_masses = self.product_of_cells(scales, d, product);
        match self.masses {
            _ if with_masses => product.iter_mut().for_each(|product| *product *= stiffness),
            Masses::Lumped(masses) => for_chunks(product, |first, product| {
                let moved = masses[first..].iter().zip(&d[first..]);
                for (product, (m, d)) in product.iter_mut().zip(moved) {
                    *product = stiffness * *product + (mass * *m) * *d;
                }
            }),
            Masses::Consistent(matrix) => {
                product.iter_mut().for_each(|product| *product *= stiffness);
                matrix.add_product(mass, d, product);
            }
        }
        self.points.add_product(points, d, product);
    }

    /// Writes K d, with the mass over the factor of K if cells have consistent masses: then returns true. Writes zero if the factor of K is zero.
    fn product_of_cells(
        &mut self,
        &Scales { mass, stiffness, .. }: &Scales,
        d: &[DVec3],
        product: &mut [DVec3],
    ) -> bool {
        if stiffness == 0.0 {
            product.fill(DVec3::ZERO);
            return false;
        }
        let with_masses =
            matches!(self.masses, Masses::Consistent(_)) && self.elasticity.has_masses();
        if with_masses {
            self.elasticity.apply_with_masses(self.rest, mass / stiffness, d, product);
        } else {
            self.elasticity.apply(self.rest, d, product);
        }
        with_masses
    }

    /// Adds the product with the points; tied nodes are in the middle of their ends, whatever `d` says.
    pub(super) fn add_points<V: NodeVector>(&self, scales: [f64; 2], d: &[V], product: &mut [V]) {
        let ends =
            |node: u32| self.unknowns.ends(node).unwrap_or([node; 2]).map(|end| end as usize);
        for (point, weights) in self.points.iter() {
            let twice = weights.iter().map(|(node, w)| {
                let [a, b] = ends(*node);
                *w * (d[a].double() + d[b].double())
            });
            let along = 0.5 * twice.sum::<DVec3>();
            let answer = DVec3::from(point.matrix(scales).mul_vec(along.into()));
            for (node, w) in weights {
                ends(*node).into_iter().for_each(|end| product[end].add((0.5 * *w) * answer));
            }
        }
    }

    /// Writes an approximation of the diagonal of A, on nodes.
    pub(super) fn diagonal(&mut self, scales: &Scales, diagonal: &mut [f64]) {
        let Scales { mass, stiffness, points } = *scales;
        diagonal.fill(0.0);
        if stiffness != 0.0 {
            self.elasticity.diagonal(self.rest, diagonal);
            diagonal.iter_mut().for_each(|d| *d *= stiffness);
        }
        match self.masses {
            Masses::Lumped(masses) => {
                diagonal.iter_mut().zip(masses).for_each(|(d, m)| *d += mass * *m);
            }
            Masses::Consistent(matrix) => {
                for (node, d) in diagonal.iter_mut().enumerate() {
                    *d += mass * matrix.diagonal(node);
                }
            }
        }
        for (point, weights) in self.points.iter() {
            let mean = point.matrix(points).trace() / 3.0;
            weights.iter().for_each(|(node, w)| diagonal[*node as usize] += w * w * mean);
        }
    }
}

/// Vectors on nodes.
#[derive(Debug, Clone)]
pub(super) struct NodeBuffers {
    d: Vec<DVec3>,
    /// The same, for products with a mass matrix: pinned nodes are zero from the start, and tied ones have no entries.
    wide: Vec<[f64; 4]>,
    product: Vec<DVec3>,
}

impl NodeBuffers {
    pub(super) fn new(node_count: usize) -> Self {
        let zero = vec![DVec3::ZERO; node_count];
        Self { d: zero.clone(), wide: vec![[0.0; 4]; node_count], product: zero }
    }
}

/// CᵀAC without a matrix: expands to nodes, multiplies and reduces.
pub(super) struct MatrixFree<'a, 'p> {
    pub(super) parts: &'a mut SystemParts<'p>,
    pub(super) scales: &'a Scales,
    pub(super) buffers: &'a mut NodeBuffers,
    /// The nodes of the vectors, if they contain active unknowns only.
    pub(super) active: Option<&'a [u32]>,
}

impl Operator for MatrixFree<'_, '_> {
    fn apply(&mut self, p: &[DVec3], product: &mut [DVec3]) {
        let unknowns = self.parts.unknowns;
        if self.nodes().is_none() {
            let NodeBuffers { d, product: on_nodes, .. } = &mut *self.buffers;
            unknowns.expand(p, d);
            self.parts.product(self.scales, d, on_nodes);
            return unknowns.reduce(on_nodes, product);
        }
        let with_masses = self.multiply_on_nodes(p);
        for_chunks(product, |first, product| self.collect(with_masses, first, p, product));
    }

    fn apply_dot(&mut self, p: &[DVec3], product: &mut [DVec3], partial: &mut [f64]) -> f64 {
        if self.nodes().is_none() {
            self.apply(p, product);
            return dot(p, product, partial);
        }
        let with_masses = self.multiply_on_nodes(p);
        sum_chunks(product, partial, |first, product| {
            self.collect(with_masses, first, p, product);
            chunk_dot(&p[first..first + product.len()], product)
        })
    }
}

impl MatrixFree<'_, '_> {
    /// The node of every unknown in the common case: there are no ties, or tied nodes have no entries. Then only these nodes have mass, and
    /// a product takes fewer passes.
    fn nodes(&self) -> Option<&[u32]> {
        let unknowns = self.parts.unknowns;
        self.active.or_else(|| (!unknowns.has_ties()).then(|| unknowns.nodes()))
    }

    /// Writes the product of cells and points on nodes; returns true if it contains the masses.
    fn multiply_on_nodes(&mut self, p: &[DVec3]) -> bool {
        let unknowns = self.parts.unknowns;
        let nodes = self.active.unwrap_or_else(|| unknowns.nodes());
        let NodeBuffers { d, wide, product } = &mut *self.buffers;
        let Scales { stiffness, points, .. } = *self.scales;
        // Pinned nodes are zero from the start.
        scatter(nodes, p, d);
        let with_masses = self.parts.product_of_cells(self.scales, d, product);
        let scale = stiffness_factor(stiffness);
        self.parts.add_points(points.map(|own| own / scale), d, product);
        if !with_masses && matches!(self.parts.masses, Masses::Consistent(_)) {
            for (node, DVec3 { x, y, z }) in nodes.iter().zip(p) {
                wide[*node as usize] = [*x, *y, *z, 0.0];
            }
        }
        with_masses
    }

    /// Collects the product of the unknowns from `first` on, and adds the masses if they are missing.
    fn collect(&self, with_masses: bool, first: usize, p: &[DVec3], product: &mut [DVec3]) {
        let NodeBuffers { wide, product: on_nodes, .. } = &*self.buffers;
        let nodes = self.nodes().expect("products on nodes are for these unknowns");
        let nodes = &nodes[first..first + product.len()];
        let (mass, scale) = (self.scales.mass, stiffness_factor(self.scales.stiffness));
        match self.parts.masses {
            _ if with_masses => {
                for (product, node) in product.iter_mut().zip(nodes) {
                    *product = scale * on_nodes[*node as usize];
                }
            }
            Masses::Lumped(masses) => {
                for (product, (node, p)) in product.iter_mut().zip(nodes.iter().zip(&p[first..])) {
                    let (m, f) = (masses[*node as usize], on_nodes[*node as usize]);
                    *product = scale * f + (mass * m) * *p;
                }
            }
            Masses::Consistent(matrix) => {
                matrix.rows_product(nodes, wide, product);
                for (product, node) in product.iter_mut().zip(nodes) {
                    *product = scale * on_nodes[*node as usize] + mass * *product;
                }
            }
        }
    }
}

/// The factor of a product with cells; one if there is none, and points are added alone.
fn stiffness_factor(stiffness: f64) -> f64 {
    if stiffness == 0.0 { 1.0 } else { stiffness }
}
