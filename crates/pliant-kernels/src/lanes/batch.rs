//! Cells of one kind and law, packed for lanes with the rest data their kernels read.

use glam::DVec3;

use super::Dilation;
use crate::element::{Kind, QuadraturePoint, QuadratureRule, jacobian, shape_gradient};
use crate::material::{Lame, LawKind};
use crate::math::{LANES, Mat3, Pack, Vec3};

/// Numbers of a rest point: the nine of J⁻¹ and the volume.
const REST_POINT: usize = 10;

/// Cells of one kind, law and straightness in packs of [`LANES`]. All packs of a model are full but the
/// last; those of a batch sorted by colour need not be.
///
/// A straight cell stores one J⁻¹ and one volume for all its quadrature points; a curved one
/// stores them for each, and so does one that is filled in part, whose points stand for the matter
/// around them. The reference gradients are shared by all cells. The last pack is
/// filled with copies of its first cell that weigh nothing.
#[derive(Debug, Clone)]
pub struct Batch {
    /// Kind of the cells.
    pub kind: Kind,
    /// Law of the cells; its constants may differ from cell to cell.
    pub law: LawKind,
    /// Whether one Jacobian serves a whole cell.
    pub straight: bool,
    /// Whether matter flows in it: J⁻¹ of its points then changes as it does.
    pub plastic: bool,
    /// Where changes of volume are counted.
    pub dilation: Dilation,
    /// The cells, by their number in the mesh.
    pub cells: Vec<u32>,
    /// Where the cells of each pack begin in `cells`, and where those of the last end.
    starts: Vec<u32>,
    /// Quadrature points on the reference cell.
    pub points: Vec<DVec3>,
    /// Their weights.
    pub weights: Vec<f64>,
    /// ∂Bₐ/∂ξ at every quadrature point, `kind.node_count()` for each.
    pub gradients: Vec<[f64; 3]>,
    /// Nodes: for every pack and local node, one of each lane.
    pub nodes: Vec<[u32; LANES]>,
    /// For every pack: the law's μ and λ, then J⁻¹ and volume of its rest points.
    rest: Vec<Pack>,
}

/// J⁻¹ and the volume of a quadrature point at rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RestPoint {
    /// ∂ξ/∂X.
    pub inverse: Mat3,
    /// Volume the point stands for, in m³.
    pub volume: f64,
}

/// A cell as it goes into a pack.
#[derive(Debug, Clone, PartialEq)]
pub struct RestCell<'a> {
    /// Its nodes.
    pub nodes: &'a [u32],
    /// Where they are at rest.
    pub points: Vec<DVec3>,
    /// μ and λ, for the formula of the law.
    pub constants: Lame,
    /// The part of the reference cell that each quadrature point stands for; the weights of the
    /// rule if the cell is filled evenly.
    pub weights: Option<Vec<f64>>,
}

impl Batch {
    /// A batch for cells that share kind, law and straightness, without any yet. `rule` is a rule for them.
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

    /// The same without cells.
    pub fn emptied(&self) -> Self {
        let (nodes, rest, cells, starts) = (Vec::new(), Vec::new(), Vec::new(), vec![0]);
        Self { nodes, rest, cells, starts, ..self.clone() }
    }

    /// Adds cells, beginning with a new pack.
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
            // An empty lane copies the first cell, so that it computes on sane numbers.
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

    /// The rule of its quadrature points.
    pub fn rule(&self) -> QuadratureRule {
        let points = self.points.iter().zip(&self.weights);
        let points = points.map(|(xi, weight)| QuadraturePoint { xi: *xi, weight: *weight });
        QuadratureRule { points: points.collect() }
    }

    /// Bytes that its packs take: nodes and rest data.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.nodes[..]) + size_of_val(&self.rest[..])
    }

    /// Number of packs.
    #[inline]
    pub fn pack_count(&self) -> usize {
        self.starts.len() - 1
    }

    /// The cells of a pack, one in each lane from the first on.
    #[inline]
    pub fn pack_cells(&self, pack: usize) -> &[u32] {
        &self.cells[self.starts[pack] as usize..self.starts[pack + 1] as usize]
    }

    /// Lanes of a pack that hold a cell of their own.
    #[inline]
    pub fn lanes_used(&self, pack: usize) -> usize {
        self.pack_cells(pack).len()
    }

    /// Number of quadrature points of a cell.
    #[inline]
    pub fn point_count(&self) -> usize {
        self.weights.len()
    }

    /// Rest points stored for a cell: one if straight, else all.
    #[inline]
    pub fn rest_point_count(&self) -> usize {
        if self.straight { 1 } else { self.point_count() }
    }

    #[inline]
    fn rest_stride(&self) -> usize {
        2 + REST_POINT * self.rest_point_count()
    }

    /// Reference gradients of one quadrature point.
    #[inline]
    pub fn point_gradients(&self, point: usize) -> &[[f64; 3]] {
        let n = self.kind.node_count();
        &self.gradients[point * n..(point + 1) * n]
    }

    /// Nodes of a pack, local node by local node.
    #[inline]
    pub fn pack_nodes(&self, pack: usize) -> &[[u32; LANES]] {
        let n = self.kind.node_count();
        &self.nodes[pack * n..(pack + 1) * n]
    }

    /// μ and λ of a pack.
    #[inline]
    pub fn pack_constants(&self, pack: usize) -> &[Pack; 2] {
        let start = pack * self.rest_stride();
        self.rest[start..].first_chunk().expect("every pack starts with its constants")
    }

    /// Rest points of a pack: J⁻¹ by columns, then the volume. A straight cell's volume is to be
    /// multiplied by the weight of each point, a curved one's has it already.
    #[inline]
    pub fn pack_rest(&self, pack: usize) -> &[[Pack; REST_POINT]] {
        let start = pack * self.rest_stride() + 2;
        let end = (pack + 1) * self.rest_stride();
        self.rest[start..end].as_chunks().0
    }

    /// The rest data of quadrature point `point` of the cell in `lane` of `pack`.
    #[inline]
    pub fn rest_point(&self, pack: usize, lane: usize, point: usize) -> RestPoint {
        let stored = &self.pack_rest(pack)[if self.straight { 0 } else { point }];
        let inverse = Mat3::from_fn(|i, j| stored[3 * j + i][lane]);
        let scale = if self.straight { self.weights[point] } else { 1.0 };
        RestPoint { inverse, volume: stored[REST_POINT - 1][lane] * scale }
    }

    /// Pack, lane and point of all quadrature points.
    pub fn places(&self) -> impl Iterator<Item = [usize; 3]> + '_ {
        let lanes = |pack: usize| (0..self.lanes_used(pack)).map(move |lane| (pack, lane));
        let cells = (0..self.pack_count()).flat_map(lanes);
        cells.flat_map(|(pack, lane)| (0..self.point_count()).map(move |q| [pack, lane, q]))
    }

    /// Takes the rest shapes of the cells that a batch of a model has, too, and of which `wanted` is true, if their points are the
    /// same: of every point as it is `here` and `there`.
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
                // Cells rise in the batches of a model, and fill their packs.
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

    /// Takes the rest shapes of the cells of a whole that its own are: `cells` are those of the part, by their number there.
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

    /// Takes the rest shapes of the same cells of a model.
    pub fn follow_flow(&mut self, model: &Self) {
        self.take_rest(model, &|_| true, |_, there| *there);
    }

    /// Lets matter rest in the shapes that it has flowed to in another batch of the same mesh, in some cells. As its volume is that
    /// of the shape it rests in, det G says how that changes.
    pub fn carry_flow(&mut self, other: &Self, wanted: &dyn Fn(u32) -> bool) {
        self.take_rest(other, wanted, |here, there| RestPoint {
            inverse: there.inverse,
            volume: here.volume * (here.inverse.det() / there.inverse.det()),
        });
    }

    /// Lets matter at a point rest in a shape that it has flowed to, with the volume that goes with it.
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

    /// Replaces ∂ξ/∂X of a point: matter has flowed there, and rests in another shape from now on.
    pub fn set_rest_inverse(&mut self, place: [usize; 3], inverse: &Mat3) {
        let (start, lane) = (self.rest_start(place), place[1]);
        let numbers = inverse.0.iter().flat_map(|column| column.0);
        self.rest[start..start + 9].iter_mut().zip(numbers).for_each(|(slot, n)| slot[lane] = n);
    }

    /// Replaces the volume that a point stands for at rest, in m³.
    pub fn set_rest_volume(&mut self, place: [usize; 3], volume: f64) {
        let (start, lane) = (self.rest_start(place), place[1]);
        self.rest[start + REST_POINT - 1][lane] = volume;
    }

    /// Where the numbers of a point begin, in a batch that is not straight.
    fn rest_start(&self, [pack, _, point]: [usize; 3]) -> usize {
        debug_assert!(!self.straight, "points with a rest shape each");
        pack * self.rest_stride() + 2 + REST_POINT * point
    }

    /// ∂x/∂ξ of a point.
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
