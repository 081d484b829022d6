//! Transfers colours of the surface to the leaves.

use std::collections::VecDeque;

use glam::DVec3;
use pliant::geometry::Surface;

use super::grid::{Grid, for_each_neighbour};
use super::leaf_state::LeafState;
use super::octree::{corners_in_leaves, for_each_touched_leaf, items};

/// Marks a leaf without a colour.
const NONE: u32 = u32::MAX;

/// The colours of all leaves that are not empty.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Paint {
    colours: Vec<[f32; 3]>,
    /// The index of each leaf's colour.
    of_leaf: Vec<u32>,
}

/// The best colour so far of a boundary leaf.
#[derive(Debug, Clone, Copy)]
struct LeafColour {
    distance_squared: f64,
    colour: [f32; 3],
}

impl Paint {
    /// Memory per leaf of the grid, in bytes.
    pub(super) const BYTES_PER_LEAF: f64 = 4.0;

    pub(super) fn new(
        surface: &Surface,
        colours: &[[f32; 3]],
        grid: &Grid,
        states: &[LeafState],
    ) -> Self {
        let mut of_leaf = vec![NONE; states.len()];
        let leaf_colours = leaf_colours(surface, colours, grid, &mut of_leaf);
        spread(grid, states, &mut of_leaf);
        Self {
            colours: leaf_colours.into_iter().map(|leaf_colour| leaf_colour.colour).collect(),
            of_leaf,
        }
    }

    /// The colours of some leaves, numbered in their order.
    pub(super) fn of_leaves(&self, leaves: &[u32]) -> Self {
        let of_leaf = leaves.iter().map(|leaf| self.of_leaf[*leaf as usize]).collect();
        Self { colours: self.colours.clone(), of_leaf }
    }

    /// The colour of a leaf.
    pub(super) fn of_leaf(&self, leaf: usize) -> Option<[f32; 3]> {
        self.colours.get(self.of_leaf[leaf] as usize).copied()
    }
}

/// The colours of boundary leaves, each from the nearest triangle through it (from the first of several).
fn leaf_colours(
    surface: &Surface,
    colours: &[[f32; 3]],
    grid: &Grid,
    of_leaf: &mut [u32],
) -> Vec<LeafColour> {
    let mut leaf_colours: Vec<LeafColour> = Vec::new();
    for item in items(surface) {
        let corners = corners_in_leaves(surface, grid, &item);
        let corner_colours = item.map(|vertex| colours[vertex as usize]);
        for_each_touched_leaf(grid, corners, |leaf| {
            let centre = DVec3::from(leaf.map(f64::from)) + 0.5;
            let leaf_colour = leaf_colour(corners, corner_colours, centre);
            let number = &mut of_leaf[grid.leaf_index(leaf)];
            match leaf_colours.get_mut(*number as usize) {
                None => {
                    *number = leaf_colours.len() as u32;
                    leaf_colours.push(leaf_colour);
                }
                Some(best) if leaf_colour.distance_squared < best.distance_squared => {
                    *best = leaf_colour
                }
                Some(_) => {}
            }
        });
    }
    leaf_colours
}

/// The colour of a triangle near a point, and the squared distance.
fn leaf_colour(corners: [DVec3; 3], colours: [[f32; 3]; 3], point: DVec3) -> LeafColour {
    let weights = near_weights(corners, point);
    let blend = |values: [f64; 3]| values.iter().zip(&weights).map(|(v, w)| v * w).sum::<f64>();
    let near = DVec3::from([0, 1, 2].map(|axis| blend(corners.map(|corner| corner[axis]))));
    let colour = [0, 1, 2].map(|k| blend(colours.map(|colour| f64::from(colour[k]))) as f32);
    LeafColour { distance_squared: (point - near).length_squared(), colour }
}

/// The barycentric weights of a point of a triangle near `point`: its projection on the plane, with negative weights
/// set to zero. Equal weights if the triangle has no area.
fn near_weights([a, b, c]: [DVec3; 3], point: DVec3) -> [f64; 3] {
    let normal = (b - a).cross(c - a);
    let weight = |p: DVec3, q: DVec3| normal.dot((p - point).cross(q - point)).max(0.0);
    let weights = [weight(b, c), weight(c, a), weight(a, b)];
    let sum: f64 = weights.iter().sum();
    if sum > 0.0 { weights.map(|w| w / sum) } else { [1.0 / 3.0; 3] }
}

/// Spreads colours through faces from boundary leaves to all other leaves that are not empty, nearest first.
fn spread(grid: &Grid, states: &[LeafState], of_leaf: &mut [u32]) {
    let counts = grid.leaves();
    let coloured = (0..of_leaf.len()).filter(|leaf| of_leaf[*leaf] != NONE);
    let mut front: VecDeque<[u32; 3]> = coloured.map(|leaf| grid.leaf(leaf)).collect();
    while let Some(leaf) = front.pop_front() {
        let colour = of_leaf[grid.leaf_index(leaf)];
        for_each_neighbour(leaf, counts, |neighbour| {
            let index = grid.leaf_index(neighbour);
            if of_leaf[index] == NONE && states[index] != LeafState::Outside {
                of_leaf[index] = colour;
                front.push_back(neighbour);
            }
        });
    }
}
