//! Every law with both choices of parameters, and deformations for their tests.

#![allow(dead_code, reason = "each test file uses its own part of this module")]

use pliant_kernels::material::{
    Lame, Law, LawFamily, LawKind, LawVisitor, Material, Parameters, Simplex, SimplexTerm, Term,
};
use pliant_kernels::math::{Mat3, svd};

/// Young's modulus of the cases, in Pa: of order one, so that tolerances are relative to it.
pub(crate) const YOUNG: f64 = 2.0;
/// Poisson's ratio of the cases, large enough for the published forms to be stable at rest.
pub(crate) const POISSON: f64 = 0.4;

/// A law as plain functions of F.
pub(crate) struct Case {
    pub(crate) material: Material,
    constants: Lame,
    code: Code,
}

#[derive(Clone, Copy)]
struct Code {
    energy: fn(Lame, &Mat3) -> f64,
    stress: fn(Lame, &Mat3) -> Mat3,
    both: fn(Lame, &Mat3) -> (f64, Mat3),
    differential: fn(Lame, &Mat3, &Mat3) -> Mat3,
    stiffness: fn(Lame, &Mat3) -> [[f64; 9]; 9],
    stiffness_psd: fn(Lame, &Mat3) -> [[f64; 9]; 9],
    terms: fn(Lame, &Mat3) -> [Term; 2],
    simplex_terms: fn(Lame, &Simplex) -> [SimplexTerm; 2],
}

struct Compile;

impl LawVisitor for Compile {
    type Output = Code;

    fn visit<F: LawFamily>(self) -> Code {
        Code {
            energy: |c, f| F::law(c.mu, c.lambda).energy(f),
            stress: |c, f| F::law(c.mu, c.lambda).stress(f),
            both: |c, f| F::law(c.mu, c.lambda).energy_and_stress(f),
            differential: |c, f, df| F::law(c.mu, c.lambda).stress_differential(f, df),
            stiffness: |c, f| F::law(c.mu, c.lambda).stiffness(f),
            stiffness_psd: |c, f| F::law(c.mu, c.lambda).stiffness_psd(f),
            terms: |c, f| F::law(c.mu, c.lambda).terms(f),
            simplex_terms: |c, cell| F::law(c.mu, c.lambda).simplex_terms(cell),
        }
    }
}

impl Case {
    pub(crate) fn new(material: Material) -> Self {
        let code = material.law.visit(Compile);
        Self { material, constants: material.constants(), code }
    }

    pub(crate) fn energy(&self, f: &Mat3) -> f64 {
        (self.code.energy)(self.constants, f)
    }

    pub(crate) fn terms(&self, f: &Mat3) -> [Term; 2] {
        (self.code.terms)(self.constants, f)
    }

    pub(crate) fn simplex_terms(&self, cell: &Simplex) -> [SimplexTerm; 2] {
        (self.code.simplex_terms)(self.constants, cell)
    }

    /// The stiffnesses μ and λ of the two terms.
    pub(crate) fn term_stiffness(&self) -> [f64; 2] {
        [self.constants.mu, self.constants.lambda]
    }

    pub(crate) fn stress(&self, f: &Mat3) -> Mat3 {
        (self.code.stress)(self.constants, f)
    }

    pub(crate) fn energy_and_stress(&self, f: &Mat3) -> (f64, Mat3) {
        (self.code.both)(self.constants, f)
    }

    pub(crate) fn stress_differential(&self, f: &Mat3, df: &Mat3) -> Mat3 {
        (self.code.differential)(self.constants, f, df)
    }

    pub(crate) fn stiffness(&self, f: &Mat3) -> [[f64; 9]; 9] {
        (self.code.stiffness)(self.constants, f)
    }

    pub(crate) fn stiffness_psd(&self, f: &Mat3) -> [[f64; 9]; 9] {
        (self.code.stiffness_psd)(self.constants, f)
    }

    pub(crate) fn frame_invariant(&self) -> bool {
        self.material.law != LawKind::Linear
    }

    /// True if P is differentiable at F: not where the rotation of the corotated law jumps.
    pub(crate) fn smooth_at(&self, f: &Mat3) -> bool {
        let [_, y, z] = svd(f).sigma;
        self.material.law != LawKind::Corotated || y + z > 0.05
    }

    pub(crate) fn name(&self) -> String {
        format!("{} {}", self.material.law, self.material.parameters)
    }
}

/// Every law with both choices of parameters.
pub(crate) fn cases() -> Vec<Case> {
    let all = LawKind::ALL.into_iter().flat_map(|law| Parameters::ALL.map(|p| (law, p)));
    all.map(|(law, parameters)| case(law, parameters)).collect()
}

/// One law with one choice of parameters.
pub(crate) fn case(law: LawKind, parameters: Parameters) -> Case {
    let (young, poisson) = (YOUNG, POISSON);
    Case::new(Material { law, parameters, young, poisson, density: 1000.0, ..Default::default() })
}

/// A repeatable stream of numbers in [−1, 1) (Knuth's linear congruential generator).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub(crate) fn matrix(&mut self) -> Mat3 {
        Mat3::from_fn(|_, _| self.number())
    }

    pub(crate) fn rotation(&mut self) -> Mat3 {
        svd(&self.matrix()).u
    }
}

/// Singular values of the deformations, with their names.
const STRETCHES: [(&str, [f64; 3]); 11] = [
    ("rest", [1.0, 1.0, 1.0]),
    ("small strain", [1.01, 1.0, 0.98]),
    ("moderate strain", [1.4, 1.1, 0.7]),
    ("swollen", [3.0, 3.0, 3.0]),
    ("pulled long", [5.0, 0.45, 0.45]),
    ("pressed", [1.2, 1.2, 0.1]),
    ("nearly flat", [1.3, 0.9, 1e-4]),
    ("flat", [1.3, 0.9, 0.0]),
    ("inverted", [1.4, 0.9, -0.5]),
    ("turned inside out", [1.0, 1.0, -1.0]),
    ("squashed to a line", [1.5, 0.0, 0.0]),
];

/// All these deformations, in random frames.
pub(crate) fn deformations() -> Vec<(&'static str, Mat3)> {
    let mut random = Random(7);
    let mut all = Vec::new();
    for (name, sigma) in STRETCHES {
        for _ in 0..4 {
            let (u, v) = (random.rotation(), random.rotation());
            all.push((name, u * Mat3::diagonal(sigma) * v.transpose()));
        }
    }
    all
}

/// The Frobenius norm ‖A‖.
pub(crate) fn norm(a: &Mat3) -> f64 {
    a.norm_squared().sqrt()
}

/// The product A s.
pub(crate) fn scaled(a: &Mat3, s: f64) -> Mat3 {
    *a * s
}
