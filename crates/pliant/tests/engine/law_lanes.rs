//! Laws give the same bits on one number as on a pack of cells.

use crate::law_cases::{Random, deformations};
use fearless_simd::{Level, dispatch};
use pliant::material::{Law, LawFamily, LawKind, LawVisitor};
use pliant::math::{LANES, Lanes, Mat3, One, Pack, Vec3, Wide};

/// Cells with a different deformation, direction and material in every lane.
struct Cells {
    f: [Pack; 9],
    df: [Pack; 9],
    mu: Pack,
    lambda: Pack,
}

/// Numbers a law gives a cell: energy, stress, differential and the 81 of the stiffness.
const OUTPUTS: usize = 1 + 9 + 9 + 81;

impl Cells {
    fn new() -> Self {
        let mut random = Random(37);
        let all = deformations();
        let f: [Mat3; LANES] = std::array::from_fn(|lane| all[5 * lane].1);
        let df: [Mat3; LANES] = std::array::from_fn(|_| random.matrix());
        let pack = |m: [Mat3; LANES]| std::array::from_fn(|r| m.map(|m| m.at(r % 3, r / 3)));
        let mut number = || std::array::from_fn(|_| 2.0 + random.number());
        Self { f: pack(f), df: pack(df), mu: number(), lambda: number() }
    }
}

/// All outputs of the law `F`, for the lanes of `L`.
#[inline(always)]
fn kernel<F: LawFamily, L: Lanes>(lanes: L, cells: &Cells, out: &mut [Pack; OUTPUTS]) {
    let matrix = |packs: &[Pack; 9]| {
        Mat3(std::array::from_fn(|j| Vec3(std::array::from_fn(|i| lanes.load(&packs[i + 3 * j])))))
    };
    let (f, df) = (matrix(&cells.f), matrix(&cells.df));
    let law = F::law(lanes.load(&cells.mu), lanes.load(&cells.lambda));
    let (energy, stress) = law.energy_and_stress(&f);
    let differential = law.stress_differential(&f, &df);
    let stiffness = law.stiffness_psd(&f);
    let matrices = [stress, differential].into_iter().flat_map(|m| m.0).flat_map(|c| c.0);
    let values = std::iter::once(energy).chain(matrices).chain(stiffness.into_iter().flatten());
    for (value, pack) in values.zip(out) {
        lanes.store(value, pack);
    }
}

/// The kernel for a law known at run time.
struct Run<'a, L>(L, &'a Cells, &'a mut [Pack; OUTPUTS]);

impl<L: Lanes> LawVisitor for Run<'_, L> {
    type Output = ();

    #[inline(always)]
    fn visit<F: LawFamily>(self) {
        kernel::<F, L>(self.0, self.1, self.2);
    }
}

#[test]
fn one_lane_and_many_give_the_same_bits() {
    let cells = Cells::new();
    for law in LawKind::ALL {
        let (mut one, mut wide) = ([[0.0; LANES]; OUTPUTS], [[0.0; LANES]; OUTPUTS]);
        for lane in 0..LANES {
            law.visit(Run(One(lane), &cells, &mut one));
        }
        dispatch!(Level::new(), simd => law.visit(Run(Wide(simd), &cells, &mut wide)));
        for (output, (one, wide)) in one.iter().zip(&wide).enumerate() {
            assert_eq!(one.map(f64::to_bits), wide.map(f64::to_bits), "{law}, output {output}");
        }
    }
}
