//! Cells of one kind and law, packed for lanes.

use glam::DVec3;

use super::Dilation;
use super::cell_gradient::form_values;
use super::rest_points::{REST_POINT, RestPoints};
use crate::element::{Kind, QuadraturePoint, QuadratureRule, jacobian, shape_gradient};
use crate::material::{Lame, LawKind};
use crate::math::{LANES, Mat3, Pack};

/// Cells of one kind, law and straightness in packs of [`LANES`].
///
/// All packs of a model except the last are full; in a batch sorted by colour every colour starts a new pack. The
/// reference gradients are shared by all cells. Unused lanes of a pack are copies of its first cell. The rest data of
/// the quadrature points is apart, in [`RestPoints`]: everything here is constant.
#[derive(Debug, Clone)]
pub struct Batch {
    /// Kind of the cells.
    pub kind: Kind,
    /// Law of the cells; its constants may differ from cell to cell.
    pub law: LawKind,
    /// True if one Jacobian is valid in the whole cell.
    pub straight: bool,
    /// True if the cells can flow plastically: their rest points then change with the flow.
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
    /// p Bₖ of the coefficients of ∂x/∂ξ at every quadrature point, for tetrahedra.
    pub(super) form: Vec<f64>,
    /// Nodes: for every pack and local node, one per lane.
    pub nodes: Vec<[u32; LANES]>,
    /// μ and λ of the law, for every pack.
    constants: Vec<[Pack; 2]>,
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
        let points: Vec<DVec3> = rule.points.iter().map(|point| point.xi).collect();
        Self {
            kind,
            law,
            straight,
            plastic: false,
            dilation: Dilation::Pointwise,
            form: form_values(kind, &points),
            points,
            weights: rule.points.iter().map(|point| point.weight).collect(),
            gradients: gradients.map(|gradient| gradient.to_array()).collect(),
            nodes: Vec::new(),
            constants: Vec::new(),
            cells: Vec::new(),
            starts: vec![0],
        }
    }

    /// Returns the same batch without cells.
    pub fn emptied(&self) -> Self {
        let (nodes, constants, cells) = (Vec::new(), Vec::new(), Vec::new());
        Self { nodes, constants, cells, starts: vec![0], ..self.clone() }
    }

    /// Adds cells, starting a new pack; their rest points are added to `rest`.
    pub fn push_run<'a>(
        &mut self,
        rest: &mut RestPoints,
        cells: &[u32],
        rest_cell: &dyn Fn(u32) -> RestCell<'a>,
    ) {
        for cells in cells.chunks(LANES) {
            self.cells.extend_from_slice(cells);
            self.starts.push(self.cells.len() as u32);
            self.push_pack(rest, self.pack_count() - 1, rest_cell);
        }
    }

    fn push_pack<'a>(
        &mut self,
        rest: &mut RestPoints,
        pack: usize,
        rest_cell: &dyn Fn(u32) -> RestCell<'a>,
    ) {
        let (node_start, rest_start) = (self.nodes.len(), rest.packs.len());
        self.nodes.resize(node_start + self.kind.node_count(), [0; LANES]);
        self.constants.push([[0.0; LANES]; 2]);
        rest.packs.resize(rest_start + self.rest_point_count(), [[0.0; LANES]; REST_POINT]);
        let used = self.lanes_used(pack);
        for lane in 0..used {
            let cell = rest_cell(self.pack_cells(pack)[lane]);
            for (slot, node) in self.nodes[node_start..].iter_mut().zip(cell.nodes) {
                slot[lane] = *node;
            }
            let Lame { mu, lambda } = cell.constants;
            self.constants[pack].iter_mut().zip([mu, lambda]).for_each(|(slot, n)| slot[lane] = n);
            let points = rest.packs[rest_start..].as_flattened_mut();
            for (slot, number) in points.iter_mut().zip(self.rest_numbers(&cell)) {
                slot[lane] = number;
            }
        }
        // Unused lanes copy the first cell without its weights, so that they compute with valid numbers.
        let nodes = self.nodes[node_start..].iter_mut();
        nodes.for_each(|slot| repeat_first(slot, used));
        self.constants[pack].iter_mut().for_each(|slot| repeat_first(slot, used));
        for [inverse @ .., weight] in &mut rest.packs[rest_start..] {
            inverse.iter_mut().for_each(|slot| repeat_first(slot, used));
            weight[used..].fill(0.0);
        }
    }

    fn rest_numbers(&self, cell: &RestCell<'_>) -> Vec<f64> {
        let mut numbers = Vec::new();
        let weights = cell.weights.as_ref().unwrap_or(&self.weights);
        for (point, at) in weights.iter().take(self.rest_point_count()).enumerate() {
            let j = jacobian(&cell.points, self.point_gradients(point));
            let reference = if self.straight { 1.0 } else { *at };
            numbers.extend(j.inverse().0.iter().flat_map(|column| column.0));
            numbers.push(reference * j.det());
        }
        numbers
    }

    /// Returns the rule of its quadrature points.
    pub fn rule(&self) -> QuadratureRule {
        let points = self.points.iter().zip(&self.weights);
        let points = points.map(|(xi, weight)| QuadraturePoint { xi: *xi, weight: *weight });
        QuadratureRule { points: points.collect() }
    }

    /// Returns the memory of its packs in bytes: nodes and constants.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.nodes[..]) + size_of_val(&self.constants[..])
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
        &self.constants[pack]
    }

    /// Returns pack and lane of a cell, given by its index in the mesh, in a batch of a model: there cells are sorted
    /// and packs are full.
    pub fn find(&self, cell: u32) -> Option<[usize; 2]> {
        let place = self.cells.binary_search(&cell).ok()?;
        Some([place / LANES, place % LANES])
    }

    /// Returns pack, lane and point of all quadrature points.
    pub fn places(&self) -> impl Iterator<Item = [usize; 3]> + '_ {
        let lanes = |pack: usize| (0..self.lanes_used(pack)).map(move |lane| (pack, lane));
        let cells = (0..self.pack_count()).flat_map(lanes);
        cells.flat_map(|(pack, lane)| (0..self.point_count()).map(move |q| [pack, lane, q]))
    }

    /// Returns ∂x/∂ξ of a point for node positions `x`.
    pub fn jacobian_now(&self, x: &[DVec3], [pack, lane, point]: [usize; 3]) -> Mat3 {
        let nodes = self.pack_nodes(pack).iter().map(|lanes| &x[lanes[lane] as usize]);
        jacobian(nodes, self.point_gradients(point))
    }
}

/// Copies the first lane to those that are not used.
fn repeat_first<T: Copy>(lanes: &mut [T; LANES], used: usize) {
    let first = lanes[0];
    lanes[used..].fill(first);
}
