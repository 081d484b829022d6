//! Tangent stiffness of cells of any law, stored at their quadrature points:
//!
//! ```text
//! K_ab = Σ (∂Bₐ/∂ξ) · Ĥ · (∂B_b/∂ξ) + cₐ ⊗ c_b        Ĥ = V J⁻¹ ∂P/∂F J⁻ᵀ, without negative directions
//! cₐ = √((λ − λ₀) V̂) ∂Ĵ/∂xₐ
//! ```
//!
//! The second term is that of [`Dilation::Mean`].

use glam::DVec3;

use crate::lanes::tasks::PackRows;
use crate::lanes::{
    Batch, BlockWriter, CellKernel, Dilation, LocalLaw, NodeCount, RestBatch, Width, add_gradients,
    gather, gradients, has_form, load, pair_count, pair_index, rest_point, run_batch, scatter,
    table,
};
use crate::material::{Law, LawFamily, LawVisitor, Principal};
use crate::math::{LANES, Lane, Lanes, Mat3, Pack, Svd, Vec3, svd};

/// Numbers of a symmetric 9×9 matrix: entry (r, c), r ≤ c, has index `pair_index(r, c)`.
pub const POINT: usize = 45;

/// Ĥ of a quadrature point of every cell of a pack.
pub type PointPack = [Pack; POINT];

/// Number of quadrature points that are computed together.
const POINTS: usize = 8;

/// c of a node of every cell of a pack.
pub type NodePack = [Pack; 3];

/// The stiffness of a batch: Ĥ of all points, and c of all nodes of every cell, or none for pointwise dilation.
#[derive(Debug, Clone, Copy)]
pub struct BatchStiffness<'a> {
    /// Ĥ, pack by pack.
    pub points: &'a [PointPack],
    /// c, pack by pack.
    pub means: &'a [NodePack],
}

impl BatchStiffness<'_> {
    /// c of the nodes of a pack of cells with `n` nodes; none for pointwise dilation.
    #[inline(always)]
    fn of_pack(&self, pack: usize, n: usize) -> &[NodePack] {
        if self.means.is_empty() { &[] } else { &self.means[pack * n..(pack + 1) * n] }
    }
}

/// Returns the number of vectors c of a batch.
pub fn mean_count(batch: &Batch) -> usize {
    match batch.dilation {
        Dilation::Pointwise => 0,
        Dilation::Mean => batch.pack_count() * batch.kind.node_count(),
    }
}

/// Writes Ĥ of all quadrature points of a batch at positions `x`, and c of all nodes of its cells, [`mean_count`] in number.
pub fn linearise(
    width: Width,
    batch: RestBatch<'_>,
    x: &[DVec3],
    (points, means): (&mut [PointPack], &mut [NodePack]),
) {
    run_batch(&Linearise { batch, x }, width, &batch, PackRows::new(points, batch.point_count()));
    if !means.is_empty() {
        let out = PackRows::new(means, batch.kind.node_count());
        run_batch(&LineariseMean { batch, x }, width, &batch, out);
    }
}

/// Writes K d of every cell, for displacements `d` of the nodes.
pub fn product(
    width: Width,
    batch: &Batch,
    stiffness: BatchStiffness<'_>,
    d: &[DVec3],
    products: &mut [DVec3],
) {
    let out = PackRows::new(products, LANES * batch.kind.node_count());
    run_batch(&Product { batch, stiffness, d }, width, batch, out);
}

/// Writes the diagonal entries of K_aa of every node of every cell.
pub fn diagonal(
    width: Width,
    batch: &Batch,
    stiffness: BatchStiffness<'_>,
    diagonal: &mut [DVec3],
) {
    let out = PackRows::new(diagonal, LANES * batch.kind.node_count());
    run_batch(&Diagonal { batch, stiffness }, width, batch, out);
}

/// Writes the blocks (a, b), a ≤ b, of every cell.
pub fn blocks(width: Width, batch: &Batch, stiffness: BatchStiffness<'_>, blocks: &mut [Mat3]) {
    let out = PackRows::new(blocks, LANES * pair_count(batch));
    run_batch(&Blocks { batch, stiffness }, width, batch, out);
}

/// Writes, for every cell, the largest absolute row sum of F(x) − F(marked); not finite where a position is not
/// finite.
pub fn change(
    width: Width,
    batch: RestBatch<'_>,
    x: &[DVec3],
    marked: &[DVec3],
    changes: &mut [Pack],
) {
    run_batch(&Change { batch, x, marked }, width, &batch, PackRows::new(changes, 1));
}

/// Kernel of [`linearise`].
struct Linearise<'a> {
    batch: RestBatch<'a>,
    x: &'a [DVec3],
}

impl CellKernel<PackRows<'_, PointPack>> for Linearise<'_> {
    const IS_HEAVY: bool = true;

    #[inline(always)]
    fn run<L: Lanes, C: NodeCount<ROOM>, const ROOM: usize>(
        &self,
        lanes: L,
        pack: usize,
        out: &mut PackRows<'_, PointPack>,
    ) {
        let Self { batch, x } = *self;
        let x: [_; ROOM] = gather(lanes, batch.pack_nodes(pack), x);
        let n = C::of(&batch);
        let local = LocalLaw::at(lanes, batch, pack, (n, &x));
        let mut f = [Mat3([x[0]; 3])];
        let rest = batch.pack_rest(pack);
        for (point, out) in out.values.iter_mut().enumerate() {
            let (inverse, volume) = rest_point(lanes, &batch, rest, point);
            gradients((batch.batch(), n), &x, point, &mut f);
            point_stiffness(lanes, &local, &(f[0] * inverse), (&inverse, volume), out);
        }
    }
}

/// The kernel of [`linearise`] for c.
struct LineariseMean<'a> {
    batch: RestBatch<'a>,
    x: &'a [DVec3],
}

impl CellKernel<PackRows<'_, NodePack>> for LineariseMean<'_> {
    const IS_HEAVY: bool = true;

    /// ```text
    /// cₐ = √((λ − λ₀)/V̂) Σ V cof F J⁻ᵀ ∂Bₐ/∂ξ
    /// ```
    #[inline(always)]
    fn run<L: Lanes, C: NodeCount<ROOM>, const ROOM: usize>(
        &self,
        lanes: L,
        pack: usize,
        out: &mut PackRows<'_, NodePack>,
    ) {
        let Self { batch, x } = *self;
        let (n, zero) = (C::of(&batch), lanes.splat(0.0));
        let x: [_; ROOM] = gather(lanes, batch.pack_nodes(pack), x);
        let of_mean = LocalLaw::pointwise(lanes, &batch, pack).of_mean_only(batch.dilation);
        let rest = batch.pack_rest(pack);
        let cell = (batch.batch(), n);
        let mut slopes = [Vec3([zero; 3]); ROOM];
        let mut f = [Mat3([x[0]; 3])];
        let mut total = zero;
        for point in 0..batch.point_count() {
            let (inverse, volume) = rest_point(lanes, &batch, rest, point);
            gradients(cell, &x, point, &mut f);
            f[0] = (f[0] * inverse).cofactor() * inverse.transpose() * volume;
            add_gradients(cell, point, &f, &mut slopes);
            total += volume;
        }
        // Unused lanes have no volume.
        let scale = zero.if_less(total, (of_mean / total).sqrt(), zero);
        for (slope, out) in slopes[..n].iter().zip(out.values.iter_mut()) {
            for (number, out) in (*slope * scale).0.iter().zip(out) {
                lanes.store(*number, out);
            }
        }
    }
}

/// Writes Ĥ of a point. Not inlined, so that it is not compiled for each kind of cell.
#[inline(never)]
fn point_stiffness<L: Lanes>(
    lanes: L,
    local: &LocalLaw<L::Lane>,
    f: &Mat3<L::Lane>,
    (inverse, volume): (&Mat3<L::Lane>, L::Lane),
    out: &mut PointPack,
) {
    lanes.run(
        #[inline(always)]
        || {
            let mut frame = svd(f);
            let LocalLaw { law, constants, pressure } = *local;
            let mut principal = law.visit(Evaluate { constants, frame: &mut frame });
            if let Some(pressure) = pressure {
                principal.add_pressure(&frame.sigma, pressure);
            }
            let modes = Modes::new(&frame.u, &(*inverse * frame.v), &principal.positive());
            modes.store(lanes, volume, out);
        },
    );
}

struct Evaluate<'a, R> {
    constants: [R; 2],
    frame: &'a mut Svd<R>,
}

impl<R: Lane> LawVisitor for Evaluate<'_, R> {
    type Output = Principal<R>;

    #[inline(always)]
    fn visit<F: LawFamily>(self) -> Principal<R> {
        let [mu, lambda] = self.constants;
        F::law(mu, lambda).principal_in(self.frame)
    }
}

/// ∂P/∂F as a sum over modes: Σ mode ⊗ answer, where the answer is the stress response to a mode.
///
/// The modes are the stretches uᵢ ⊗ wᵢ, the twists uᵢ ⊗ wⱼ − uⱼ ⊗ wᵢ and the flips uᵢ ⊗ wⱼ + uⱼ ⊗ wᵢ of
/// [`Principal`], with w = J⁻¹ V, so that they are in reference coordinates at no extra cost.
struct Modes<R> {
    /// Column by column.
    modes: [[R; 9]; 9],
    answers: [[R; 9]; 9],
}

impl<R: Lane> Modes<R> {
    #[inline(always)]
    fn new(u: &Mat3<R>, w: &Mat3<R>, principal: &Principal<R>) -> Self {
        let ([a, b, c], [p, q, r]) = (u.0, w.0);
        let [x, y, z] = [Mat3::outer(a, p), Mat3::outer(b, q), Mat3::outer(c, r)];
        let [flat_x, flat_y, flat_z] = [x.numbers(), y.numbers(), z.numbers()];
        let mut modes = [flat_x, flat_y, flat_z, flat_x, flat_y, flat_z, flat_x, flat_y, flat_z];
        let mut answers = modes;
        for (answer, row) in answers.iter_mut().zip(&principal.hessian.0) {
            let [i, j, k] = row.0;
            *answer = (x * i).add_scaled(&y, j).add_scaled(&z, k).numbers();
        }
        for (k, (i, j)) in [(1, 2), (2, 0), (0, 1)].into_iter().enumerate() {
            let (ij, ji) = (Mat3::outer(u.0[i], w.0[j]), Mat3::outer(u.0[j], w.0[i]));
            let (twist, flip) = (ij - ji, ij + ji);
            modes[3 + k] = twist.numbers();
            modes[6 + k] = flip.numbers();
            // Twists and flips have length √2 in the principal frame, hence the factor ½.
            answers[3 + k] = (twist * (principal.twist[k] * 0.5)).numbers();
            answers[6 + k] = (flip * (principal.flip[k] * 0.5)).numbers();
        }
        Self { modes, answers }
    }

    /// Writes the sum multiplied by the volume.
    #[inline(always)]
    fn store<L: Lanes<Lane = R>>(&self, lanes: L, volume: R, out: &mut PointPack) {
        for c in 0..9 {
            for r in 0..=c {
                let mut sum = self.modes[0][r] * self.answers[0][c];
                for (mode, answer) in self.modes[1..].iter().zip(&self.answers[1..]) {
                    sum = mode[r].mul_add(answer[c], sum);
                }
                lanes.store(sum * volume, &mut out[pair_index(r, c)]);
            }
        }
    }
}

/// Kernel of [`product`].
struct Product<'a> {
    batch: &'a Batch,
    stiffness: BatchStiffness<'a>,
    d: &'a [DVec3],
}

impl CellKernel<PackRows<'_, DVec3>> for Product<'_> {
    #[inline(always)]
    fn run<L: Lanes, C: NodeCount<ROOM>, const ROOM: usize>(
        &self,
        lanes: L,
        pack: usize,
        out: &mut PackRows<'_, DVec3>,
    ) {
        let n = C::of(self.batch);
        let d: [_; ROOM] = gather(lanes, self.batch.pack_nodes(pack), self.d);
        let mut product = [Vec3([lanes.splat(0.0); 3]); ROOM];
        let count = self.batch.point_count();
        let points = &self.stiffness.points[pack * count..(pack + 1) * count];
        if has_form(n) {
            add_products::<L, ROOM, POINTS>(lanes, (self.batch, n), points, &d, &mut product);
        } else {
            add_products::<L, ROOM, 1>(lanes, (self.batch, n), points, &d, &mut product);
        }
        let means = self.stiffness.of_pack(pack, n);
        if !means.is_empty() {
            let mut along = lanes.splat(0.0);
            for (mean, d) in means.iter().zip(&d[..n]) {
                along += load(lanes, mean, 0).dot(*d);
            }
            for (mean, product) in means.iter().zip(&mut product[..n]) {
                *product += load(lanes, mean, 0) * along;
            }
        }
        scatter(lanes, &product[..n], out.values);
    }
}

/// Adds the products of some points at a time.
#[inline(always)]
fn add_products<L: Lanes, const ROOM: usize, const AT_ONCE: usize>(
    lanes: L,
    cell: (&Batch, usize),
    points: &[PointPack],
    d: &[Vec3<L::Lane>; ROOM],
    product: &mut [Vec3<L::Lane>; ROOM],
) {
    let mut stresses = [Mat3([d[0]; 3]); AT_ONCE];
    for (start, points) in (0..).step_by(AT_ONCE).zip(points.chunks(AT_ONCE)) {
        let stresses = &mut stresses[..points.len()];
        gradients(cell, d, start, stresses);
        for (stress, stiffness) in stresses.iter_mut().zip(points) {
            *stress = symmetric_product(lanes, stiffness, stress);
        }
        add_gradients(cell, start, stresses, product);
    }
}

/// Ĥ · ∂d/∂ξ, both read column by column.
#[inline(always)]
fn symmetric_product<L: Lanes>(lanes: L, h: &PointPack, d: &Mat3<L::Lane>) -> Mat3<L::Lane> {
    let [Vec3([a, b, c]), Vec3([e, f, g]), Vec3([p, q, r])] = d.0;
    let d = [a, b, c, e, f, g, p, q, r];
    let mut sum = [lanes.splat(0.0); 9];
    for c in 0..9 {
        for r in 0..c {
            let entry = lanes.load(&h[pair_index(r, c)]);
            sum[r] = entry.mul_add(d[c], sum[r]);
            sum[c] = entry.mul_add(d[r], sum[c]);
        }
        sum[c] = lanes.load(&h[pair_index(c, c)]).mul_add(d[c], sum[c]);
    }
    let [a, b, c, e, f, g, p, q, r] = sum;
    Mat3([Vec3([a, b, c]), Vec3([e, f, g]), Vec3([p, q, r])])
}

/// Kernel of [`diagonal`].
struct Diagonal<'a> {
    batch: &'a Batch,
    stiffness: BatchStiffness<'a>,
}

impl CellKernel<PackRows<'_, DVec3>> for Diagonal<'_> {
    #[inline(always)]
    fn run<L: Lanes, C: NodeCount<ROOM>, const ROOM: usize>(
        &self,
        lanes: L,
        pack: usize,
        out: &mut PackRows<'_, DVec3>,
    ) {
        let n = C::of(self.batch);
        let mut diagonal = [Vec3([lanes.splat(0.0); 3]); ROOM];
        for (table, point) in tables_and_points((self.batch, n), self.stiffness.points, pack) {
            for j in 0..3 {
                for l in j..3 {
                    let twice = if l == j { 1.0 } else { 2.0 };
                    let at = |i: usize| pair_index(i + 3 * j, i + 3 * l);
                    let [x, y, z] = [at(0), at(1), at(2)];
                    let h = [lanes.load(&point[x]), lanes.load(&point[y]), lanes.load(&point[z])];
                    for (diagonal, gradient) in diagonal[..n].iter_mut().zip(table) {
                        let weight = lanes.splat(gradient[j] * gradient[l] * twice);
                        *diagonal += Vec3(h) * weight;
                    }
                }
            }
        }
        for (mean, diagonal) in self.stiffness.of_pack(pack, n).iter().zip(&mut diagonal[..n]) {
            let Vec3([x, y, z]) = load(lanes, mean, 0);
            *diagonal += Vec3([x * x, y * y, z * z]);
        }
        scatter(lanes, &diagonal[..n], out.values);
    }
}

/// Kernel of [`blocks`].
struct Blocks<'a> {
    batch: &'a Batch,
    stiffness: BatchStiffness<'a>,
}

impl CellKernel<PackRows<'_, Mat3>> for Blocks<'_> {
    const IS_HEAVY: bool = true;

    #[inline(always)]
    fn run<L: Lanes, C: NodeCount<ROOM>, const ROOM: usize>(
        &self,
        lanes: L,
        pack: usize,
        out: &mut PackRows<'_, Mat3>,
    ) {
        let (zero, n) = (lanes.splat(0.0), C::of(self.batch));
        let means = self.stiffness.of_pack(pack, n);
        let mut out = BlockWriter { blocks: &mut *out.values, pairs: n * (n + 1) / 2 };
        let points: &[PointPack] = self.stiffness.points;
        let points = &points[pack * self.batch.point_count()..][..self.batch.point_count()];
        let none = Mat3([Vec3([zero; 3]); 3]);
        let mut answered = [[none; 3]; POINTS];
        // One column of blocks at a time stays in the first-level cache, and one block in registers.
        for b in 0..n {
            let mut column = [none; ROOM];
            for (start, points) in (0..).step_by(POINTS).zip(points.chunks(POINTS)) {
                for (k, (point, answered)) in points.iter().zip(&mut answered).enumerate() {
                    *answered = answers(lanes, point, &table(self.batch, n, start + k)[b]);
                }
                for (a, block) in column[..=b].iter_mut().enumerate() {
                    let mut sum = *block;
                    for (k, answered) in answered[..points.len()].iter().enumerate() {
                        let gradient = &table(self.batch, n, start + k)[a];
                        for (answer, weight) in answered.iter().zip(gradient) {
                            sum = sum.add_scaled(answer, lanes.splat(*weight));
                        }
                    }
                    *block = sum;
                }
            }
            if let Some(mean) = means.get(b) {
                let own = load(lanes, mean, 0);
                for (block, mean) in column[..=b].iter_mut().zip(means) {
                    *block += Mat3::outer(load(lanes, mean, 0), own);
                }
            }
            for (a, block) in column[..=b].iter().enumerate() {
                out.write(lanes, pair_index(a, b), block);
            }
        }
    }
}

/// Derivatives of the columns of Ĥ · ∂d/∂ξ with respect to the displacement of the node with gradient `g`.
#[inline(always)]
fn answers<L: Lanes>(lanes: L, h: &PointPack, g: &[f64; 3]) -> [Mat3<L::Lane>; 3] {
    let zero = lanes.splat(0.0);
    let [x, y, z] = [lanes.splat(g[0]), lanes.splat(g[1]), lanes.splat(g[2])];
    let mut answers = [Mat3([Vec3([zero; 3]); 3]); 3];
    for (answer, rows) in answers.iter_mut().zip(PLACES.as_chunks::<3>().0) {
        for (k, column) in answer.0.iter_mut().enumerate() {
            for (entry, places) in column.0.iter_mut().zip(rows) {
                let [a, b, c] = [&h[places[k]], &h[places[k + 3]], &h[places[k + 6]]];
                let sum = lanes.load(b).mul_add(y, lanes.load(a) * x);
                *entry = lanes.load(c).mul_add(z, sum);
            }
        }
    }
    answers
}

/// The index of entry (r, c) of Ĥ among its [`POINT`] numbers, also for r > c.
const PLACES: [[usize; 9]; 9] = {
    let mut places = [[0; 9]; 9];
    let mut r = 0;
    while r < 9 {
        let mut c = 0;
        while c < 9 {
            places[r][c] = if r < c { pair_index(r, c) } else { pair_index(c, r) };
            c += 1;
        }
        r += 1;
    }
    places
};

/// Kernel of [`change`].
struct Change<'a> {
    batch: RestBatch<'a>,
    x: &'a [DVec3],
    marked: &'a [DVec3],
}

impl CellKernel<PackRows<'_, Pack>> for Change<'_> {
    #[inline(always)]
    fn run<L: Lanes, C: NodeCount<ROOM>, const ROOM: usize>(
        &self,
        lanes: L,
        pack: usize,
        out: &mut PackRows<'_, Pack>,
    ) {
        let (nodes, n) = (self.batch.pack_nodes(pack), C::of(&self.batch));
        let mut moves: [_; ROOM] = gather(lanes, nodes, self.x);
        let marked: [_; ROOM] = gather(lanes, nodes, self.marked);
        for (moves, marked) in moves.iter_mut().zip(marked) {
            *moves = *moves - marked;
        }
        let rest = self.batch.pack_rest(pack);
        let mut moved = [Mat3([moves[0]; 3])];
        let (mut largest, mut total) = (lanes.splat(0.0), lanes.splat(0.0));
        for point in 0..self.batch.point_count() {
            let (inverse, _) = rest_point(lanes, &self.batch, rest, point);
            gradients((self.batch.batch(), n), &moves, point, &mut moved);
            let [x, y, z] = row_sums(&(moved[0] * inverse));
            largest = largest.max(x).max(y).max(z);
            total += x + y + z;
        }
        // The maximum ignores NaN; the sum does not, so adding zero times the sum passes NaN on.
        lanes.store(largest + total * 0.0, &mut out.values[0]);
    }
}

/// The sums of absolute values in each row.
#[inline(always)]
fn row_sums<R: Lane>(m: &Mat3<R>) -> [R; 3] {
    let [Vec3([a, b, c]), Vec3([d, e, f]), Vec3([g, h, i])] = m.0;
    [a.abs() + d.abs() + g.abs(), b.abs() + e.abs() + h.abs(), c.abs() + f.abs() + i.abs()]
}

/// Reference gradients and Ĥ of the quadrature points of a pack.
#[inline(always)]
fn tables_and_points<'a>(
    (batch, n): (&'a Batch, usize),
    points: &'a [PointPack],
    pack: usize,
) -> impl Iterator<Item = (&'a [[f64; 3]], &'a PointPack)> {
    let count = batch.point_count();
    let points = &points[pack * count..(pack + 1) * count];
    points.iter().enumerate().map(move |(point, h)| (table(batch, n, point), h))
}
