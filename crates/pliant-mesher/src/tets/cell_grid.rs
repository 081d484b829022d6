//! A uniform grid that finds the cells near a point.

use glam::DVec3;
use pliant::mesh::Mesh;

/// A grid of boxes, each with the cells whose bounding boxes overlap it.
#[derive(Debug)]
pub(super) struct CellGrid {
    low: DVec3,
    /// Boxes per unit length, along each axis.
    scale: DVec3,
    counts: [usize; 3],
    /// The cells of box b are `cells[starts[b]..starts[b + 1]]`, ascending.
    starts: Vec<u32>,
    cells: Vec<u32>,
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
        let mut grid =
            Self { low, scale, counts, starts: Vec::new(), cells: Vec::new(), bounds: Vec::new() };
        grid.fill(mesh);
        grid
    }

    fn fill(&mut self, mesh: &Mesh) {
        let mut pairs: Vec<[u32; 2]> = Vec::new();
        for (cell, (_, nodes)) in (0u32..).zip(mesh.cells()) {
            let points = nodes.iter().map(|node| mesh.nodes[*node as usize]);
            let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
            let (low, high) = points.fold(start, |(low, high), x| (low.min(x), high.max(x)));
            self.bounds.push((low, high));
            let (first, last) = (self.place(low), self.place(high));
            for z in first[2]..=last[2] {
                for y in first[1]..=last[1] {
                    pairs.extend((first[0]..=last[0]).map(|x| [self.number([x, y, z]), cell]));
                }
            }
        }
        pairs.sort_unstable();
        let mut starts = vec![0u32; self.counts.iter().product::<usize>() + 1];
        pairs.iter().for_each(|[number, _]| starts[*number as usize + 1] += 1);
        (1..starts.len()).for_each(|number| starts[number] += starts[number - 1]);
        self.starts = starts;
        self.cells = pairs.into_iter().map(|[_, cell]| cell).collect();
    }

    fn place(&self, point: DVec3) -> [usize; 3] {
        let place = (point - self.low) * self.scale;
        std::array::from_fn(|axis| (place[axis].max(0.0) as usize).min(self.counts[axis] - 1))
    }

    fn number(&self, [x, y, z]: [usize; 3]) -> u32 {
        ((z * self.counts[1] + y) * self.counts[0] + x) as u32
    }

    /// The cells of the box that contains a point, ascending.
    pub(super) fn around(&self, point: DVec3) -> &[u32] {
        let number = self.number(self.place(point)) as usize;
        &self.cells[self.starts[number] as usize..self.starts[number + 1] as usize]
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
