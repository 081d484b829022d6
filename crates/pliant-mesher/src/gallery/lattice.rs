//! Polygonises a signed distance by marching tetrahedra on a body-centred cubic lattice.

use std::collections::HashMap;

use glam::DVec3;
use pliant::geometry::Surface;
use pliant_kernels::math::parallel_range;

use super::solid::Solid;

/// The triangles of the zero set of a solid's distance, with edges up to about `spacing`.
///
/// The centres of two neighbouring cubes and an edge of the face between them span a tetrahedron. These tetrahedra fill
/// space, so the surface is closed (where the zero set stays inside the bounds) and two triangles meet at every edge,
/// whatever the function.
pub(super) fn zero_set(solid: &Solid, spacing: f64) -> Surface {
    let lattice = Lattice::around(solid, spacing);
    let values = lattice.values(solid);
    let (cuts, surface) = (HashMap::new(), Surface::default());
    let mut march = March { lattice: &lattice, values: &values, cuts, surface };
    for axis in 0..3 {
        lattice.each_face(axis, |tetrahedron| march.tetrahedron(tetrahedron));
    }
    march.surface
}

/// The side, in cubes, of a block that is skipped if it is far from the surface.
const BLOCK: usize = 4;

/// The corners and centres of a block of cubes.
struct Lattice {
    origin: DVec3,
    spacing: f64,
    cells: [usize; 3],
}

impl Lattice {
    fn around(solid: &Solid, spacing: f64) -> Self {
        let (low, high) = solid.bounds();
        // Two cubes of margin: in the outermost half cube there are no tetrahedra.
        let origin = low - DVec3::splat(2.0 * spacing);
        let cells = ((high - low) / spacing).ceil().to_array().map(|count| count as usize + 4);
        Self { origin, spacing, cells }
    }

    /// The distance at every point; far from the surface that at the centre of a block instead.
    ///
    /// All combinations used here change by less than 2 m per metre.
    fn values(&self, solid: &Solid) -> Vec<f64> {
        let blocks = self.cells.map(|cells| cells / BLOCK + 1);
        let size = BLOCK as f64 * self.spacing;
        let middle = |id: usize| {
            let block = [id / (blocks[1] * blocks[2]), id / blocks[2] % blocks[1], id % blocks[2]];
            self.origin + DVec3::from_array(block.map(|index| (index as f64 + 0.5) * size))
        };
        let count = blocks.iter().product::<usize>();
        let coarse: Vec<f64> = parallel_range(count, |id| solid.distance(middle(id)));
        let value = |id: usize| {
            let x = self.point(id);
            let [i, j, k] = ((x - self.origin) / size).to_array().map(|index| index as usize);
            let far = coarse[(i * blocks[1] + j) * blocks[2] + k];
            if far.abs() > 2.0 * size { far } else { solid.distance(x) }
        };
        parallel_range(self.point_count(), value)
    }

    fn corner_count(&self) -> usize {
        self.cells.iter().map(|cells| cells + 1).product()
    }

    fn point_count(&self) -> usize {
        self.corner_count() + self.cells.iter().product::<usize>()
    }

    fn corner(&self, [i, j, k]: [usize; 3]) -> usize {
        (i * (self.cells[1] + 1) + j) * (self.cells[2] + 1) + k
    }

    fn centre(&self, [i, j, k]: [usize; 3]) -> usize {
        self.corner_count() + (i * self.cells[1] + j) * self.cells[2] + k
    }

    fn point(&self, id: usize) -> DVec3 {
        let corners = self.corner_count();
        let (id, extra, offset) = if id < corners { (id, 1, 0.0) } else { (id - corners, 0, 0.5) };
        let (ny, nz) = (self.cells[1] + extra, self.cells[2] + extra);
        let place = [id / (ny * nz), id / nz % ny, id % nz].map(|index| index as f64 + offset);
        self.origin + DVec3::from_array(place) * self.spacing
    }

    /// Visits the four tetrahedra around each face across `axis`, all of positive volume.
    fn each_face(&self, axis: usize, mut visit: impl FnMut([usize; 4])) {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let [nx, ny, nz] = self.cells;
        for id in 0..nx * ny * nz {
            let cell = [id / (ny * nz), id / nz % ny, id % nz];
            if cell[axis] + 1 == self.cells[axis] {
                continue;
            }
            let mut next = cell;
            next[axis] += 1;
            let ring = [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[du, dv]| {
                let mut corner = next;
                corner[u] += du;
                corner[v] += dv;
                self.corner(corner)
            });
            let (a, b) = (self.centre(cell), self.centre(next));
            (0..4).for_each(|k| visit([a, b, ring[k], ring[(k + 1) % 4]]));
        }
    }
}

struct March<'a> {
    lattice: &'a Lattice,
    values: &'a [f64],
    /// Vertices by the lattice edge they cut. Only looked up, never iterated, so that order does not matter.
    cuts: HashMap<(usize, usize), u32>,
    surface: Surface,
}

impl March<'_> {
    fn tetrahedron(&mut self, corners: [usize; 4]) {
        let inside = corners.map(|corner| self.values[corner] < 0.0);
        let mask = (0..4).fold(0, |mask, k| mask | usize::from(inside[k]) << k);
        // Even permutations of the corners, so that the volume stays positive: the one corner, or the two, that differ
        // from the others come first.
        let (order, inward) = match mask {
            0b0001 => ([0, 1, 2, 3], false),
            0b0010 => ([1, 0, 3, 2], false),
            0b0100 => ([2, 0, 1, 3], false),
            0b1000 => ([3, 0, 2, 1], false),
            0b1110 => ([0, 1, 2, 3], true),
            0b1101 => ([1, 0, 3, 2], true),
            0b1011 => ([2, 0, 1, 3], true),
            0b0111 => ([3, 0, 2, 1], true),
            0b0011 => return self.quad(corners, [0, 1, 2, 3]),
            0b0101 => return self.quad(corners, [0, 2, 3, 1]),
            0b1001 => return self.quad(corners, [0, 3, 1, 2]),
            0b0110 => return self.quad(corners, [1, 2, 0, 3]),
            0b1010 => return self.quad(corners, [1, 3, 2, 0]),
            0b1100 => return self.quad(corners, [2, 3, 0, 1]),
            _ => return,
        };
        let [a, b, c, d] = order.map(|k| corners[k]);
        let [x, y, z] = [b, c, d].map(|other| self.cut(a, other));
        self.surface.triangles.push(if inward { [x, z, y] } else { [x, y, z] });
    }

    /// Two corners inside, two outside.
    fn quad(&mut self, corners: [usize; 4], order: [usize; 4]) {
        let [a, b, c, d] = order.map(|k| corners[k]);
        let [p, q, r, s] = [(a, c), (a, d), (b, d), (b, c)].map(|(x, y)| self.cut(x, y));
        self.surface.triangles.extend([[p, q, r], [p, r, s]]);
    }

    fn cut(&mut self, a: usize, b: usize) -> u32 {
        let (a, b) = (a.min(b), a.max(b));
        let Self { lattice, values, cuts, surface } = self;
        *cuts.entry((a, b)).or_insert_with(|| {
            // Never at an end, where triangles would have no area.
            let t = (values[a] / (values[a] - values[b])).clamp(0.05, 0.95);
            surface.vertices.push(lattice.point(a).lerp(lattice.point(b), t));
            surface.vertices.len() as u32 - 1
        })
    }
}
