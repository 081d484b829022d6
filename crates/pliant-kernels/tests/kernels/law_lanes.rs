//! Laws give the same bits in every width of the lanes.

use crate::law_cases::{Random, deformations};
use pliant_kernels::lanes::{Kernel, Width};
use pliant_kernels::material::{Law, LawFamily, LawKind, LawVisitor};
use pliant_kernels::math::{LANES, Lanes, Mat3, Pack, Vec3};

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

/// All lanes of a law.
struct AllLanes<'a> {
    law: LawKind,
    cells: &'a Cells,
    out: [Pack; OUTPUTS],
}

impl Kernel for AllLanes<'_> {
    #[inline(always)]
    fn run<L: Lanes>(&mut self, lanes: L) {
        self.law.visit(Run(lanes, self.cells, &mut self.out));
    }
}

#[test]
fn every_width_gives_the_same_bits() {
    let cells = Cells::new();
    for law in LawKind::ALL {
        let outputs = |width: Width| {
            let mut kernel = AllLanes { law, cells: &cells, out: [[0.0; LANES]; OUTPUTS] };
            width.run(&mut kernel);
            kernel.out
        };
        let one = outputs(Width::One);
        for width in Width::available() {
            for (output, (one, wide)) in one.iter().zip(&outputs(width)).enumerate() {
                let [one, wide] = [one, wide].map(|pack| pack.map(f64::to_bits));
                assert_eq!(one, wide, "{law}, output {output}, {width:?}");
            }
        }
    }
}
