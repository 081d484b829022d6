//! Straight quadratic cells in hierarchical form: corners, and the bend of each edge.
//!
//! Let d = 2 x_ij − x_i − x_j, twice the offset of a midpoint from the middle of its edge. The gradient at corner k
//! of a quadratic cell is that of the linear cell plus the contributions of the edges at that corner:
//!
//! ```text
//! Gₖ = Σⱼ xⱼ ⊗ gⱼ + Σ_{edges kj} d ⊗ gⱼ        gⱼ = R ∇λⱼ
//! ```
//!
//! (Bargteil & Cohen 2014, eq. 6, with λ barycentric; the gradients of a cell sum to zero.) An edge with a tied
//! midpoint has d = 0, so the cost of a cell depends on its free edges only, and tied midpoints need neither
//! displacements nor forces. Hooke's law is isotropic: it is enough to rotate the gradients once. Gradients are
//! linear over the cell, and the integral of a product of linear functions is a sum over corners, ∫ λₖ λₗ = V (1 +
//! δₖₗ)/20:
//!
//! ```text
//! ∫ σ : δG = V/20 Σₗ (Σₖ σₖ + σₗ) : δGₗ
//! ```
//!
//! The consistent mass needs no matrix either. For nodes with multi-indices a and b of degree 2, ∫ BₐB_b is V/210 times Π C(aᵢ + bᵢ, aᵢ), and
//! each of these binomials is a sum of products, Σₖ C(aᵢ, k) C(bᵢ, k) (Vandermonde). So
//!
//! ```text
//! (M x)ₐ = ρ V/210 (s + Σᵢ aᵢ uᵢ + xₐ)        uᵢ = Σ_b bᵢ x_b        s = Σ_b x_b = ½ Σᵢ uᵢ
//! ```
//!
//! which takes a quarter of the operations of the stiffness, and reads one number per cell. Derived here.

use crate::element::{CellShape, edges};
use crate::lanes::{Batch, PackBuffer, load};
use crate::math::{LANES, Lane, Lanes, Mat3, Pack, SingleNode, Vec3};

use super::product_buffer::{ProductBuffer, SingleBuffer};
use super::rest::{LAMBDA, MU, STRAIGHT, VOLUME};
use super::tiles::Tiles;

/// Numbers per cell that a product reads: three rotated gradients, μ V/20 and λ V/20.
const NUMBERS: usize = 11;

/// Cells packed by their free edges, with all data that a product reads.
#[derive(Debug, Clone)]
pub(crate) struct Packed {
    cells: [u32; LANES],
    used: usize,
    /// The edges that are free in some lane, as bits.
    edges: u8,
    /// True if some of them are not free in all lanes.
    mixed: bool,
    nodes: [[u32; LANES]; 10],
    places: [[u16; LANES]; 10],
    /// Corners of the cells, in the order of the pack.
    corners: [[u8; 4]; LANES],
    /// One where an edge is free, zero elsewhere.
    free: [Pack; 6],
    numbers: [Pack; NUMBERS],
    /// ρ V/210, in kg.
    masses: Pack,
}

/// ρ V/20 over ρ V/210: the mass matrix of a linear cell is ρ V/20 (1 + δ).
const LINEAR_MASS: f64 = 10.5;

impl Packed {
    pub(crate) fn new() -> Self {
        Self {
            cells: [0; LANES],
            used: 0,
            edges: 0,
            mixed: false,
            nodes: [[0; LANES]; 10],
            places: [[0; LANES]; 10],
            corners: [[0; 4]; LANES],
            free: [[0.0; LANES]; 6],
            numbers: [[0.0; LANES]; NUMBERS],
            masses: [0.0; LANES],
        }
    }

    /// Loads up to [`LANES`] cells with their patterns and, if they are known, ρ V/210 of all cells; unused lanes repeat the first.
    pub(crate) fn take(
        &mut self,
        (cells, masses): (&[u32], &[f64]),
        patterns: &[Pattern],
        batch: &Batch,
        tiles: &Tiles,
    ) {
        self.used = cells.len();
        let all = patterns.iter().fold(0, |all, pattern| all | pattern.edges);
        self.edges = all;
        self.mixed = patterns.iter().any(|pattern| pattern.edges != all);
        for lane in 0..LANES {
            let from = if lane < self.used { lane } else { 0 };
            let (cell, pattern) = (cells[from] as usize, &patterns[from]);
            self.cells[lane] = cell as u32;
            self.masses[lane] = masses.get(cell).copied().unwrap_or(0.0);
            self.corners[lane] = pattern.corners;
            let nodes = batch.pack_nodes(cell / LANES);
            let places = tiles.cell(cell, 10);
            for (slot, local) in pattern.nodes().into_iter().enumerate() {
                self.nodes[slot][lane] = nodes[local][cell % LANES];
                self.places[slot][lane] = places[local];
            }
            for (edge, free) in self.free.iter_mut().enumerate() {
                free[lane] = f64::from(pattern.edges >> edge & 1);
            }
        }
    }

    /// Rotates the gradients of the cells.
    pub(crate) fn turn(&mut self, rest: &[[Pack; STRAIGHT]], rotations: &[[Pack; 9]]) {
        for lane in 0..LANES {
            let (pack, from) =
                ((self.cells[lane] as usize) / LANES, self.cells[lane] as usize % LANES);
            let (rest, rotation) = (&rest[pack], &rotations[pack]);
            let matrix = |packs: &[Pack]| {
                Mat3([0, 3, 6].map(|k| Vec3([0, 1, 2].map(|i| packs[k + i][from]))))
            };
            let [a, b, c] = (matrix(rotation) * matrix(rest).transpose()).0;
            let gradients = [-(a + b + c), a, b, c];
            let turned = self.corners[lane].map(|corner| gradients[corner as usize].0);
            let scale = rest[VOLUME][from] / 20.0;
            let law = [rest[MU][from] * scale, rest[LAMBDA][from] * scale];
            let numbers = turned[1..].iter().flatten().chain(&law);
            self.numbers.iter_mut().zip(numbers).for_each(|(slot, number)| slot[lane] = *number);
        }
    }

    /// The corners and free edges, as bits.
    fn slots(&self) -> HierarchySlots {
        HierarchySlots(u16::from(self.edges) << 4 | 0xf)
    }

    /// Adds the results of those nodes to the sums of the tile.
    #[inline(always)]
    pub(crate) fn scatter(&self, buffer: &PackBuffer<10>, sums: &mut [glam::DVec3]) {
        for slot in self.slots() {
            buffer.add_slot(slot, &self.places[slot][..self.used], sums);
        }
    }

    /// The same in single precision.
    #[inline(always)]
    pub(crate) fn scatter_single(&self, buffer: &SingleBuffer<'_>, sums: &mut [SingleNode]) {
        for slot in self.slots() {
            buffer.add_slot(slot, &self.places[slot][..self.used], sums);
        }
    }

    /// Writes K + `inertia` · M times the displacements of all nodes. They are read here, so that they need not be stored for all lanes first.
    #[inline(always)]
    pub(crate) fn product<L: Lanes>(
        &self,
        lanes: L,
        inertia: f64,
        buffer: &mut impl ProductBuffer<L>,
    ) {
        let g = self.gradients(lanes);
        let hooke =
            Hooke { mu: lanes.load(&self.numbers[9]), lambda: lanes.load(&self.numbers[10]) };
        let node = |slot: usize| &self.nodes[slot];
        let x = [
            buffer.read(lanes, node(0)),
            buffer.read(lanes, node(1)),
            buffer.read(lanes, node(2)),
            buffer.read(lanes, node(3)),
        ];
        let mut linear = Sym::outer(x[1] - x[0], g[1]);
        linear.add_outer(x[2] - x[0], g[2]);
        linear.add_outer(x[3] - x[0], g[3]);
        let linear = hooke.stress(&linear);
        // τₗ = Σₖ σₖ + σₗ = 5 σ + Σₖ bₖ + bₗ, with σ the stress of the linear part and bₖ that of the bends at corner
        // k.
        let mut base = linear * lanes.splat(5.0);
        if self.edges == 0 {
            let mut f = corner_forces(&(base * lanes.splat(4.0)), &g);
            if inertia != 0.0 {
                let weight = lanes.load(&self.masses) * lanes.splat(LINEAR_MASS * inertia);
                let sum = (x[0] + x[1]) + (x[2] + x[3]);
                f.iter_mut().zip(&x).for_each(|(f, x)| *f += (sum + *x) * weight);
            }
            return store_corners(lanes, &f, buffer);
        }
        // Those of tied midpoints are not read.
        let mut middles = [x[0]; 6];
        for (edge, middle) in middles.iter_mut().enumerate() {
            if self.edges >> edge & 1 == 1 {
                *middle = buffer.read(lanes, node(4 + edge));
            }
        }
        let mut bent = [Sym([lanes.splat(0.0); 6]); 4];
        self.bend::<L, 0>(lanes, &middles, &x, &g, &mut bent);
        self.bend::<L, 1>(lanes, &middles, &x, &g, &mut bent);
        self.bend::<L, 2>(lanes, &middles, &x, &g, &mut bent);
        self.bend::<L, 3>(lanes, &middles, &x, &g, &mut bent);
        self.bend::<L, 4>(lanes, &middles, &x, &g, &mut bent);
        self.bend::<L, 5>(lanes, &middles, &x, &g, &mut bent);
        let bent = [
            hooke.stress(&bent[0]),
            hooke.stress(&bent[1]),
            hooke.stress(&bent[2]),
            hooke.stress(&bent[3]),
        ];
        let sum = (bent[0] + bent[1]) + (bent[2] + bent[3]);
        base += sum;
        // The linear part of δG is the same at all corners: its forces are those of Σₗ τₗ = 4 base + Σₖ bₖ.
        let mut f = corner_forces(&(base * lanes.splat(4.0) + sum), &g);
        let tau = [base + bent[0], base + bent[1], base + bent[2], base + bent[3]];
        self.answer::<L, 0>(lanes, &tau, &g, &mut f, buffer);
        self.answer::<L, 1>(lanes, &tau, &g, &mut f, buffer);
        self.answer::<L, 2>(lanes, &tau, &g, &mut f, buffer);
        self.answer::<L, 3>(lanes, &tau, &g, &mut f, buffer);
        self.answer::<L, 4>(lanes, &tau, &g, &mut f, buffer);
        self.answer::<L, 5>(lanes, &tau, &g, &mut f, buffer);
        if inertia != 0.0 {
            self.add_inertia(lanes, inertia, &x, &middles, &mut f, buffer);
        }
        store_corners(lanes, &f, buffer);
    }

    /// Adds `inertia` · M times the displacements of corners and free midpoints.
    #[inline(always)]
    fn add_inertia<L: Lanes>(
        &self,
        lanes: L,
        inertia: f64,
        x: &[Vec3<L::Lane>; 4],
        middles: &[Vec3<L::Lane>; 6],
        f: &mut [Vec3<L::Lane>; 4],
        buffer: &mut impl ProductBuffer<L>,
    ) {
        let weight = lanes.load(&self.masses) * lanes.splat(inertia);
        let middles = [
            self.middle::<L, 0>(lanes, middles, x),
            self.middle::<L, 1>(lanes, middles, x),
            self.middle::<L, 2>(lanes, middles, x),
            self.middle::<L, 3>(lanes, middles, x),
            self.middle::<L, 4>(lanes, middles, x),
            self.middle::<L, 5>(lanes, middles, x),
        ];
        let [a, b, c, d, e, h] = middles;
        let u = [
            x[0] + x[0] + ((a + c) + d),
            x[1] + x[1] + ((a + b) + e),
            x[2] + x[2] + ((b + c) + h),
            x[3] + x[3] + ((d + e) + h),
        ];
        let sum = ((u[0] + u[1]) + (u[2] + u[3])) * lanes.splat(0.5);
        for ((f, u), x) in f.iter_mut().zip(&u).zip(x) {
            *f += (sum + (*u + *u) + *x) * weight;
        }
        let half = lanes.splat(0.5);
        for (edge, middle) in middles.iter().enumerate() {
            let [i, j] = EDGES[edge];
            let own = (sum + (u[i] + u[j]) + *middle) * weight;
            if self.edges >> edge & 1 == 1 && !self.mixed {
                buffer.add(lanes, 4 + edge, own);
                continue;
            }
            // The force on a tied midpoint is divided between the ends of its edge.
            let mut tied = own;
            if self.edges >> edge & 1 == 1 {
                let free = own * lanes.load(&self.free[edge]);
                buffer.add(lanes, 4 + edge, free);
                tied = tied - free;
            }
            f[i] += tied * half;
            f[j] += tied * half;
        }
    }

    /// The displacement of the midpoint of an edge: in the middle of its ends if it is tied.
    #[inline(always)]
    fn middle<L: Lanes, const EDGE: usize>(
        &self,
        lanes: L,
        middles: &[Vec3<L::Lane>; 6],
        x: &[Vec3<L::Lane>; 4],
    ) -> Vec3<L::Lane> {
        let [i, j] = EDGES[EDGE];
        let (is_free, free) = (self.edges >> EDGE & 1 == 1, middles[EDGE]);
        if is_free && !self.mixed {
            return free;
        }
        let tied = (x[i] + x[j]) * lanes.splat(0.5);
        if is_free { tied + (free - tied) * lanes.load(&self.free[EDGE]) } else { tied }
    }

    #[inline(always)]
    fn gradients<L: Lanes>(&self, lanes: L) -> [Vec3<L::Lane>; 4] {
        let a = load(lanes, &self.numbers, 0);
        let b = load(lanes, &self.numbers, 3);
        let c = load(lanes, &self.numbers, 6);
        [-(a + b + c), a, b, c]
    }

    /// Adds the contribution of an edge to the strains at its ends.
    #[inline(always)]
    fn bend<L: Lanes, const EDGE: usize>(
        &self,
        lanes: L,
        middles: &[Vec3<L::Lane>; 6],
        x: &[Vec3<L::Lane>; 4],
        g: &[Vec3<L::Lane>; 4],
        strains: &mut [Sym<L::Lane>; 4],
    ) {
        if self.edges >> EDGE & 1 == 0 {
            return;
        }
        let [i, j] = EDGES[EDGE];
        let middle = middles[EDGE];
        let mut d = (middle + middle) - (x[i] + x[j]);
        if self.mixed {
            d = d * lanes.load(&self.free[EDGE]);
        }
        strains[i].add_outer(d, g[j]);
        strains[j].add_outer(d, g[i]);
    }

    /// Adds the force conjugate to d to the midpoint and the ends of an edge.
    #[inline(always)]
    fn answer<L: Lanes, const EDGE: usize>(
        &self,
        lanes: L,
        stress: &[Sym<L::Lane>; 4],
        g: &[Vec3<L::Lane>; 4],
        f: &mut [Vec3<L::Lane>; 4],
        buffer: &mut impl ProductBuffer<L>,
    ) {
        if self.edges >> EDGE & 1 == 0 {
            return;
        }
        let [i, j] = EDGES[EDGE];
        let mut h = stress[i].add_mul_vec(g[j], stress[j].mul_vec(g[i]));
        if self.mixed {
            h = h * lanes.load(&self.free[EDGE]);
        }
        buffer.store(lanes, 4 + EDGE, h + h);
        f[i] = f[i] - h;
        f[j] = f[j] - h;
    }
}

/// The end corners of the edges of a tetrahedron, in the order of their midpoints.
const EDGES: [[usize; 2]; 6] = [[0, 1], [1, 2], [2, 0], [0, 3], [1, 3], [2, 3]];

/// The corner forces of a constant stress.
#[inline(always)]
fn corner_forces<R: Lane>(stress: &Sym<R>, g: &[Vec3<R>; 4]) -> [Vec3<R>; 4] {
    let (a, b, c) = (stress.mul_vec(g[1]), stress.mul_vec(g[2]), stress.mul_vec(g[3]));
    [-(a + b + c), a, b, c]
}

#[inline(always)]
fn store_corners<L: Lanes>(lanes: L, f: &[Vec3<L::Lane>; 4], buffer: &mut impl ProductBuffer<L>) {
    for (corner, force) in f.iter().enumerate() {
        buffer.store(lanes, corner, *force);
    }
}

/// Iterates over the indices of the set bits.
struct HierarchySlots(u16);

impl Iterator for HierarchySlots {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let slot = self.0.trailing_zeros() as usize;
        self.0 &= self.0.wrapping_sub(1);
        (slot < 10).then_some(slot)
    }
}

/// A symmetric matrix: xx, yy, zz, xy, yz, zx. For strains the last three are the sums of both shear components.
#[derive(Debug, Clone, Copy)]
struct Sym<R>([R; 6]);

impl<R: Lane> Sym<R> {
    /// The strain of a gradient a ⊗ b.
    #[inline(always)]
    fn outer(Vec3([ax, ay, az]): Vec3<R>, Vec3([bx, by, bz]): Vec3<R>) -> Self {
        Self([
            ax * bx,
            ay * by,
            az * bz,
            ax.mul_add(by, ay * bx),
            ay.mul_add(bz, az * by),
            az.mul_add(bx, ax * bz),
        ])
    }

    /// Adds the strain of a gradient a ⊗ b.
    #[inline(always)]
    fn add_outer(&mut self, Vec3([ax, ay, az]): Vec3<R>, Vec3([bx, by, bz]): Vec3<R>) {
        let Self([xx, yy, zz, xy, yz, zx]) = *self;
        *self = Self([
            ax.mul_add(bx, xx),
            ay.mul_add(by, yy),
            az.mul_add(bz, zz),
            ax.mul_add(by, ay.mul_add(bx, xy)),
            ay.mul_add(bz, az.mul_add(by, yz)),
            az.mul_add(bx, ax.mul_add(bz, zx)),
        ]);
    }

    /// A stress times v.
    #[inline(always)]
    fn mul_vec(&self, Vec3([x, y, z]): Vec3<R>) -> Vec3<R> {
        let Self([xx, yy, zz, xy, yz, zx]) = *self;
        Vec3([
            xx.mul_add(x, xy.mul_add(y, zx * z)),
            xy.mul_add(x, yy.mul_add(y, yz * z)),
            zx.mul_add(x, yz.mul_add(y, zz * z)),
        ])
    }

    /// The vector (a, b, c) plus a stress times v.
    #[inline(always)]
    fn add_mul_vec(&self, Vec3([x, y, z]): Vec3<R>, Vec3([a, b, c]): Vec3<R>) -> Vec3<R> {
        let Self([xx, yy, zz, xy, yz, zx]) = *self;
        Vec3([
            xx.mul_add(x, xy.mul_add(y, zx.mul_add(z, a))),
            xy.mul_add(x, yy.mul_add(y, yz.mul_add(z, b))),
            zx.mul_add(x, yz.mul_add(y, zz.mul_add(z, c))),
        ])
    }
}

impl<R: Lane> std::ops::Add for Sym<R> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let (Self([a, b, c, d, e, f]), Self([g, h, i, j, k, l])) = (self, other);
        Self([a + g, b + h, c + i, d + j, e + k, f + l])
    }
}

impl<R: Lane> std::ops::AddAssign for Sym<R> {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<R: Lane> std::ops::Mul<R> for Sym<R> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, s: R) -> Self {
        let Self([a, b, c, d, e, f]) = self;
        Self([a * s, b * s, c * s, d * s, e * s, f * s])
    }
}

/// σ = λ tr ε I + 2μ ε.
struct Hooke<R> {
    mu: R,
    lambda: R,
}

impl<R: Lane> Hooke<R> {
    #[inline(always)]
    fn stress(&self, strain: &Sym<R>) -> Sym<R> {
        let Sym([xx, yy, zz, xy, yz, zx]) = *strain;
        let (mu, twice) = (self.mu, self.mu + self.mu);
        let pressure = self.lambda * (xx + yy + zz);
        Sym([
            xx.mul_add(twice, pressure),
            yy.mul_add(twice, pressure),
            zz.mul_add(twice, pressure),
            xy * mu,
            yz * mu,
            zx * mu,
        ])
    }
}

/// The renumbering of a cell that brings its free edges to the places of the pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pattern {
    /// Its free edges after the renumbering, as bits.
    pub(super) edges: u8,
    /// The corner at each place.
    corners: [u8; 4],
    /// The edge at each place.
    middles: [u8; 6],
}

impl Pattern {
    /// Returns the renumbering with the smallest edge bits, the first if there are several. Cells that differ only in
    /// numbering share a pattern; there are eleven graphs on four corners.
    fn of(free: u8) -> Self {
        let numbered = orders().map(|corners| Self::numbered(free, corners));
        numbered.min_by_key(|pattern| pattern.edges).expect("there are 24 orders")
    }

    fn numbered(free: u8, corners: [u8; 4]) -> Self {
        let mut pattern = Self { edges: 0, corners, middles: [0; 6] };
        for (place, ends) in EDGES.iter().enumerate() {
            let [a, b] = ends.map(|end| corners[end] as usize);
            let same = |edge: &[usize; 2]| *edge == [a, b] || *edge == [b, a];
            let edge = EDGES.iter().position(same).expect("every two corners have an edge");
            pattern.middles[place] = edge as u8;
            pattern.edges |= (free >> edge & 1) << place;
        }
        pattern
    }

    /// The node of the cell at each place; a corner instead of each tied midpoint, so that no undefined value is
    /// read.
    fn nodes(&self) -> [usize; 10] {
        let mut nodes = [self.corners[0] as usize; 10];
        for (node, corner) in nodes.iter_mut().zip(self.corners) {
            *node = corner as usize;
        }
        for (place, middle) in self.middles.into_iter().enumerate() {
            if self.edges >> place & 1 == 1 {
                nodes[4 + place] = 4 + middle as usize;
            }
        }
        nodes
    }
}

/// The patterns of all 64 sets of free edges.
pub(crate) fn patterns() -> Box<[Pattern; 64]> {
    debug_assert_eq!(edges(CellShape::Tetrahedron), EDGES);
    let mut patterns = Box::new([Pattern::of(0); 64]);
    for (free, pattern) in (0..).zip(patterns.iter_mut()) {
        *pattern = Pattern::of(free);
    }
    patterns
}

/// All orders of four corners, the identity first.
fn orders() -> impl Iterator<Item = [u8; 4]> {
    let digits = |code: u8| [code >> 6 & 3, code >> 4 & 3, code >> 2 & 3, code & 3];
    let differ = |order: &[u8; 4]| order.iter().fold(0, |seen, corner| seen | 1 << corner) == 0xf;
    (0..=u8::MAX).map(digits).filter(differ)
}
