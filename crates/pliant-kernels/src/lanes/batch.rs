//! Cells of one kind and law, packed for lanes together with the rest data that kernels read.

use glam::DVec3;

use super::Dilation;
use crate::element::{Kind, QuadraturePoint, QuadratureRule, jacobian, shape_gradient};
use crate::material::{Lame, LawKind};
use crate::math::{LANES, Mat3, Pack, Vec3};

/// Numbers stored per rest point: the nine entries of J⁻¹ and the volume.
const REST_POINT: usize = 10;

/// Cells of one kind, law and straightness in packs of [`LANES`].
///
/// All packs of a model except the last are full; in a batch sorted by colour every colour starts a new pack. A
/// straight cell stores one J⁻¹ and one volume for all its quadrature points. A curved cell stores them for each
/// point, and so does a partly filled cell, whose points represent the material around them. The reference gradients
/// are shared by all cells. Unused lanes of a pack are copies of its first cell with zero volume.
#[derive(Debug, Clone)]
pub struct Batch {
    /// Kind of the cells.
    pub kind: Kind,
    /// Law of the cells; its constants may differ from cell to cell.
    pub law: LawKind,
    /// True if one Jacobian is valid in the whole cell.
    pub straight: bool,
    /// True if the cells can flow plastically: J⁻¹ of their points then changes with the flow.
    pub plastic: bool,
    /// The evaluation of changes of volume.
    pub dilation: Dilation,
    /// The cells, by their index in the mesh.
    pub cells: Vec<u32>,
    /// Start of each pack in `cells`, and the end of the last.
    starts: Vec<u32>,
    /// Quadrature points on the reference cell.
    pub points: Vec<DVec3>,
    /// Their weights.
    pub weights: Vec<f64>,
    /// ∂Bₐ/∂ξ at every quadrature point, `kind.node_count()` for each.
    pub gradients: Vec<[f64; 3]>,
    /// Nodes: for every pack and local node, one per lane.
    pub nodes: Vec<[u32; LANES]>,
    /// For every pack: the law's μ and λ, then J⁻¹ and volume of its rest points.
    rest: Vec<Pack>,
}

/// J⁻¹ and the volume of a quadrature point at rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RestPoint {
    /// ∂ξ/∂X.
    pub inverse: Mat3,
    /// Volume represented by the point, in m³.
    pub volume: f64,
}

/// The input data of a cell.
#[derive(Debug, Clone, PartialEq)]
pub struct RestCell<'a> {
    /// Its nodes.
    pub nodes: &'a [u32],
    /// Rest positions of its nodes.
    pub points: Vec<DVec3>,
    /// Constants μ and λ of the law's formula.
    pub constants: Lame,
    /// The volume of the reference cell represented by each quadrature point; `None` for the weights of the rule, if
    /// the cell is filled evenly.
    pub weights: Option<Vec<f64>>,
}

impl Batch {
    /// Creates an empty batch for cells that share kind, law and straightness, with a quadrature rule for them.
    pub fn new(rule: &QuadratureRule, (kind, law, straight): (Kind, LawKind, bool)) -> Self {
        let gradients = rule.points.iter().flat_map(|point| shape_gradient(kind, point.xi));
        Self {
            kind,
            law,
            straight,
            plastic: false,
            dilation: Dilation::default(),
            points: rule.points.iter().map(|point| point.xi).collect(),
            weights: rule.points.iter().map(|point| point.weight).collect(),
            gradients: gradients.map(|gradient| gradient.to_array()).collect(),
            nodes: Vec::new(),
            rest: Vec::new(),
            cells: Vec::new(),
            starts: vec![0],
        }
    }

    /// Returns the same batch without cells.
    pub fn emptied(&self) -> Self {
        let (nodes, rest, cells, starts) = (Vec::new(), Vec::new(), Vec::new(), vec![0]);
        Self { nodes, rest, cells, starts, ..self.clone() }
    }

    /// Adds cells, starting a new pack.
    pub fn push_run<'a>(&mut self, cells: &[u32], rest_cell: &dyn Fn(u32) -> RestCell<'a>) {
        for cells in cells.chunks(LANES) {
            self.cells.extend_from_slice(cells);
            self.starts.push(self.cells.len() as u32);
            self.push_pack(self.pack_count() - 1, rest_cell);
        }
    }

    fn push_pack<'a>(&mut self, pack: usize, rest_cell: &dyn Fn(u32) -> RestCell<'a>) {
        let (node_start, rest_start) = (self.nodes.len(), self.rest.len());
        self.nodes.resize(node_start + self.kind.node_count(), [0; LANES]);
        self.rest.resize(rest_start + self.rest_stride(), [0.0; LANES]);
        let used = self.lanes_used(pack);
        for lane in 0..LANES {
            // An unused lane copies the first cell, so that it computes with valid numbers.
            let cell = rest_cell(self.pack_cells(pack)[if lane < used { lane } else { 0 }]);
            for (slot, node) in self.nodes[node_start..].iter_mut().zip(cell.nodes) {
                slot[lane] = *node;
            }
            let weight = if lane < used { 1.0 } else { 0.0 };
            let numbers = self.rest_numbers(&cell, weight);
            for (slot, number) in self.rest[rest_start..].iter_mut().zip(numbers) {
                slot[lane] = number;
            }
        }
    }

    fn rest_numbers(&self, cell: &RestCell<'_>, weight: f64) -> Vec<f64> {
        let mut numbers = vec![cell.constants.mu, cell.constants.lambda];
        let weights = cell.weights.as_ref().unwrap_or(&self.weights);
        for (point, at) in weights.iter().take(self.rest_point_count()).enumerate() {
            let j = jacobian_at(&cell.points, self.point_gradients(point));
            let reference = if self.straight { 1.0 } else { *at };
            numbers.extend(j.inverse().0.iter().flat_map(|column| column.0));
            numbers.push(weight * reference * j.det());
        }
        numbers
    }

    /// Returns the rule of its quadrature points.
    pub fn rule(&self) -> QuadratureRule {
        let points = self.points.iter().zip(&self.weights);
        let points = points.map(|(xi, weight)| QuadraturePoint { xi: *xi, weight: *weight });
        QuadratureRule { points: points.collect() }
    }

    /// Returns the memory of its packs in bytes: nodes and rest data.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.nodes[..]) + size_of_val(&self.rest[..])
    }

    /// Number of packs.
    #[inline]
    pub fn pack_count(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the cells of a pack, one per lane starting at the first.
    #[inline]
    pub fn pack_cells(&self, pack: usize) -> &[u32] {
        &self.cells[self.starts[pack] as usize..self.starts[pack + 1] as usize]
    }

    /// Returns the number of lanes of a pack that hold a cell of their own.
    #[inline]
    pub fn lanes_used(&self, pack: usize) -> usize {
        self.pack_cells(pack).len()
    }

    /// Number of quadrature points of a cell.
    #[inline]
    pub fn point_count(&self) -> usize {
        self.weights.len()
    }

    /// Returns the number of rest points stored per cell: one if straight, else one per quadrature point.
    #[inline]
    pub fn rest_point_count(&self) -> usize {
        if self.straight { 1 } else { self.point_count() }
    }

    #[inline]
    fn rest_stride(&self) -> usize {
        2 + REST_POINT * self.rest_point_count()
    }

    /// Returns the reference gradients at one quadrature point.
    #[inline]
    pub fn point_gradients(&self, point: usize) -> &[[f64; 3]] {
        let n = self.kind.node_count();
        &self.gradients[point * n..(point + 1) * n]
    }

    /// Returns the nodes of a pack, local node by local node.
    #[inline]
    pub fn pack_nodes(&self, pack: usize) -> &[[u32; LANES]] {
        let n = self.kind.node_count();
        &self.nodes[pack * n..(pack + 1) * n]
    }

    /// Returns μ and λ of a pack.
    #[inline]
    pub fn pack_constants(&self, pack: usize) -> &[Pack; 2] {
        let start = pack * self.rest_stride();
        self.rest[start..].first_chunk().expect("every pack starts with its constants")
    }

    /// Returns the rest points of a pack: J⁻¹ by columns, then the volume. The volume of a straight cell has to be
    /// multiplied by the weight of each point; that of a curved cell already includes it.
    #[inline]
    pub fn pack_rest(&self, pack: usize) -> &[[Pack; REST_POINT]] {
        let start = pack * self.rest_stride() + 2;
        let end = (pack + 1) * self.rest_stride();
        self.rest[start..end].as_chunks().0
    }

    /// Returns the rest data of quadrature point `point` of the cell in `lane` of `pack`.
    #[inline]
    pub fn rest_point(&self, pack: usize, lane: usize, point: usize) -> RestPoint {
        let stored = &self.pack_rest(pack)[if self.straight { 0 } else { point }];
        let inverse = Mat3::from_fn(|i, j| stored[3 * j + i][lane]);
        let scale = if self.straight { self.weights[point] } else { 1.0 };
        RestPoint { inverse, volume: stored[REST_POINT - 1][lane] * scale }
    }

    /// Returns pack, lane and point of all quadrature points.
    pub fn places(&self) -> impl Iterator<Item = [usize; 3]> + '_ {
        let lanes = |pack: usize| (0..self.lanes_used(pack)).map(move |lane| (pack, lane));
        let cells = (0..self.pack_count()).flat_map(lanes);
        cells.flat_map(|(pack, lane)| (0..self.point_count()).map(move |q| [pack, lane, q]))
    }

    /// Updates the rest data of the cells that are also in a batch of a model and for which `wanted` is true, if both
    /// have the same quadrature points. `take` combines the data of a point here and there.
    fn take_rest(
        &mut self,
        other: &Self,
        wanted: &dyn Fn(u32) -> bool,
        take: impl Fn(&RestPoint, &RestPoint) -> RestPoint,
    ) {
        if self.point_count() != other.point_count() {
            return;
        }
        for pack in 0..self.pack_count() {
            for lane in 0..self.lanes_used(pack) {
                // In the batches of a model cells are sorted and packs are full.
                let cell = self.pack_cells(pack)[lane];
                let Ok(place) = other.cells.binary_search(&cell) else { continue };
                for point in (0..self.point_count()).filter(|_| wanted(cell)) {
                    let there = other.rest_point(place / LANES, place % LANES, point);
                    let here = self.rest_point(pack, lane, point);
                    self.set_rest_point([pack, lane, point], &take(&here, &there));
                }
            }
        }
    }

    /// Copies rest data from the batch of the original mesh to a fragment: `cells` maps cells of the fragment to
    /// cells of the original mesh.
    pub fn take_part(&mut self, whole: &Self, cells: &[u32]) {
        for pack in 0..self.pack_count() {
            for lane in 0..self.lanes_used(pack) {
                let cell = cells[self.pack_cells(pack)[lane] as usize];
                let Ok(place) = whole.cells.binary_search(&cell) else { continue };
                for point in 0..self.point_count() {
                    let there = whole.rest_point(place / LANES, place % LANES, point);
                    self.set_rest_point([pack, lane, point], &there);
                }
            }
        }
    }

    /// Copies the rest data of the same cells from a batch of a model.
    pub fn follow_flow(&mut self, model: &Self) {
        self.take_rest(model, &|_| true, |_, there| *there);
    }

    /// Copies the plastic rest shapes of the cells with `wanted` from another batch of the same mesh. The volume
    /// changes with the rest shape, by the ratio of the determinants of J⁻¹.
    pub fn carry_flow(&mut self, other: &Self, wanted: &dyn Fn(u32) -> bool) {
        self.take_rest(other, wanted, |here, there| RestPoint {
            inverse: there.inverse,
            volume: here.volume * (here.inverse.det() / there.inverse.det()),
        });
    }

    /// Sets the plastic rest shape at a point, and the volume that belongs to it.
    pub fn flow_to(&mut self, place: [usize; 3], inverse: &Mat3) {
        let [pack, lane, point] = place;
        let here = self.rest_point(pack, lane, point);
        let volume = here.volume * (here.inverse.det() / inverse.det());
        self.set_rest_point(place, &RestPoint { inverse: *inverse, volume });
    }

    fn set_rest_point(&mut self, place: [usize; 3], rest: &RestPoint) {
        self.set_rest_inverse(place, &rest.inverse);
        self.set_rest_volume(place, rest.volume);
    }

    /// Replaces ∂ξ/∂X of a point, after plastic flow has changed its rest shape.
    pub fn set_rest_inverse(&mut self, place: [usize; 3], inverse: &Mat3) {
        let (start, lane) = (self.rest_start(place), place[1]);
        let numbers = inverse.0.iter().flat_map(|column| column.0);
        self.rest[start..start + 9].iter_mut().zip(numbers).for_each(|(slot, n)| slot[lane] = n);
    }

    /// Replaces the rest volume represented by a point, in m³.
    pub fn set_rest_volume(&mut self, place: [usize; 3], volume: f64) {
        let (start, lane) = (self.rest_start(place), place[1]);
        self.rest[start + REST_POINT - 1][lane] = volume;
    }

    /// Start of the numbers of a point, in a batch that is not straight.
    fn rest_start(&self, [pack, _, point]: [usize; 3]) -> usize {
        debug_assert!(!self.straight, "points with a rest shape each");
        pack * self.rest_stride() + 2 + REST_POINT * point
    }

    /// Returns ∂x/∂ξ of a point for node positions `x`.
    pub fn jacobian_now(&self, x: &[DVec3], [pack, lane, point]: [usize; 3]) -> Mat3 {
        let nodes = self.pack_nodes(pack).iter().map(|lanes| x[lanes[lane] as usize]);
        summed(nodes, self.point_gradients(point))
    }
}

/// Σ x ⊗ ∂B/∂ξ.
fn summed(x: impl Iterator<Item = DVec3>, gradients: &[[f64; 3]]) -> Mat3 {
    let terms = x.zip(gradients).map(|(x, gradient)| Mat3::outer(x.into(), Vec3(*gradient)));
    terms.fold(Mat3::ZERO, |sum, term| sum + term)
}

fn jacobian_at(points: &[DVec3], gradients: &[[f64; 3]]) -> Mat3 {
    let gradients: Vec<DVec3> = gradients.iter().map(|gradient| (*gradient).into()).collect();
    jacobian(points, &gradients)
}
