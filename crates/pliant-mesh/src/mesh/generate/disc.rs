//! A round section: a central square of cells, and layers of cells around it.

use std::f64::consts::FRAC_PI_4;

use super::lattice_grid::{LatticeCell, back, step};

/// Half the side of the central square, for a disc of radius one.
const SQUARE: f64 = 0.45;

/// The same for a disc without layers: the square inscribed in the circle.
const INSCRIBED: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// A disc cut into quadrilaterals; without layers, the square inscribed in it.
///
/// Lattice coordinates 0 and 1 lie in the square, 2 is the layer and 3 the position along the sweep.
#[derive(Debug, Clone, Copy)]
pub(super) struct Disc {
    /// Cells along a side of the central square.
    pub(super) cells: usize,
    /// Layers of cells around it.
    pub(super) layers: usize,
}

impl Disc {
    /// Numbers of hexahedra along three directions whose product is the number in the disc swept over `along` steps.
    pub(super) const fn counts(&self, along: usize) -> [f64; 3] {
        let n = self.cells as f64;
        [n, n + 4.0 * self.layers as f64, along as f64]
    }

    /// Cells of the disc swept over `along` steps of coordinate 3.
    pub(super) fn swept_cells(&self, along: usize) -> Vec<LatticeCell> {
        let section = self.section();
        let at = |mut cell: LatticeCell, k: usize| {
            cell.base[3] = k as i32;
            cell
        };
        (0..along).flat_map(|k| section.iter().map(move |cell| at(*cell, k))).collect()
    }

    fn section(&self) -> Vec<LatticeCell> {
        let n = self.cells as i32;
        let cell = |base, i, j| LatticeCell { base, steps: [i, j, step(3)] };
        let inside = (0..n * n).map(|k| cell([k % n, k / n, 0, 0], step(0), step(1)));
        let mut cells: Vec<_> = inside.collect();
        for layer in 0..self.layers as i32 {
            for k in 0..n {
                // The four sides of the square, anticlockwise.
                cells.push(cell([n, k, layer, 0], step(2), step(1)));
                cells.push(cell([n - k, n, layer, 0], step(2), back(0)));
                cells.push(cell([0, n - k, layer, 0], step(2), back(1)));
                cells.push(cell([k, 0, layer, 0], step(2), step(0)));
            }
        }
        cells
    }

    /// Point of the unit disc at a lattice coordinate.
    pub(super) fn point(&self, at: [f64; 4]) -> [f64; 2] {
        let n = self.cells as f64;
        let [x, y] = [2.0 * at[0] / n - 1.0, 2.0 * at[1] / n - 1.0];
        if self.layers == 0 {
            return [x * INSCRIBED, y * INSCRIBED];
        }
        let t = at[2] / self.layers as f64;
        // Equal angles along the sides of the square give equal cells on the rim.
        let [c, s] = rim(x, y);
        [x * SQUARE * (1.0 - t) + c * t, y * SQUARE * (1.0 - t) + s * t]
    }
}

/// Point of the unit circle that corresponds to a point on the boundary of the square [−1, 1]².
fn rim(x: f64, y: f64) -> [f64; 2] {
    if x.abs() >= y.abs() {
        let (s, c) = (y * FRAC_PI_4).sin_cos();
        [c * x.signum(), s]
    } else {
        let (s, c) = (x * FRAC_PI_4).sin_cos();
        [s, c * y.signum()]
    }
}
