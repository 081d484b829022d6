//! A uniform grid that finds the cells near a point.

use glam::DVec3;
use pliant::mesh::Mesh;
use pliant_kernels::math::Rows;

/// A grid of boxes, each with the cells whose bounding boxes overlap it.
#[derive(Debug)]
pub(super) struct CellGrid {
    low: DVec3,
    /// Boxes per unit length, along each axis.
    scale: DVec3,
    counts: [usize; 3],
    /// The cells of each box, ascending.
    cells: Rows,
    /// The bounding box of each cell's control points.
    bounds: Vec<(DVec3, DVec3)>,
}

impl CellGrid {
    /// Builds a grid with about as many boxes as there are cells.
    pub(super) fn new(mesh: &Mesh) -> Self {
        let (low, high) = mesh.bounds();
        let extent = (high - low).max(DVec3::splat(1e-12 * (high - low).max_element()));
        let side = (extent.element_product() / mesh.cell_count() as f64).cbrt();
        let counts = (extent / side).to_array().map(|n| (n.ceil() as usize).clamp(1, 1024));
        let scale = DVec3::from(counts.map(|n| n as f64)) / extent;
        let bounds = mesh.cells().map(|(_, nodes)| {
            let points = nodes.iter().map(|node| mesh.nodes[*node as usize]);
            let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
            points.fold(start, |(low, high), x| (low.min(x), high.max(x)))
        });
        let bounds = bounds.collect();
        let mut grid = Self { low, scale, counts, cells: Rows::default(), bounds };
        grid.cells =
            Rows::from_visits(counts.iter().product(), |visit| grid.for_each_overlap(visit));
        grid
    }

    /// Calls `visit` with every box and every cell whose bounding box overlaps it, in order of cells.
    fn for_each_overlap(&self, visit: &mut dyn FnMut(usize, u32)) {
        for (cell, (low, high)) in (0u32..).zip(&self.bounds) {
            let (first, last) = (self.place(*low), self.place(*high));
            for z in first[2]..=last[2] {
                for y in first[1]..=last[1] {
                    (first[0]..=last[0]).for_each(|x| visit(self.number([x, y, z]), cell));
                }
            }
        }
    }

    fn place(&self, point: DVec3) -> [usize; 3] {
        let place = (point - self.low) * self.scale;
        std::array::from_fn(|axis| (place[axis].max(0.0) as usize).min(self.counts[axis] - 1))
    }

    fn number(&self, [x, y, z]: [usize; 3]) -> usize {
        (z * self.counts[1] + y) * self.counts[0] + x
    }

    /// The cells of the box that contains a point, ascending.
    pub(super) fn around(&self, point: DVec3) -> &[u32] {
        self.cells.row(self.number(self.place(point)))
    }

    /// The cells whose bounding boxes contain a point, ascending.
    pub(super) fn candidates(&self, point: DVec3) -> impl Iterator<Item = &u32> {
        let may_hold = move |cell: &&u32| {
            let (low, high) = self.bounds[**cell as usize];
            point.cmpge(low).all() && point.cmple(high).all()
        };
        self.around(point).iter().filter(may_hold)
    }
}
