//! Every law compared with its own energy, its symmetries, Hooke's law and the published formulas.

use crate::law_cases::{Case, POISSON, Random, YOUNG, case, cases, deformations, norm, scaled};
use pliant_kernels::material::{
    Lame, Law, LawFamily, LawKind, MacklinMuller, Parameters, RestStable, Simplex, Smith,
};
use pliant_kernels::math::{Mat3, Vec3};

/// The step of central differences: truncation h² and rounding ε/h are both about 1e-10 for numbers of order one; the
/// largest stresses here are of order 10³.
const H: f64 = 1e-5;

/// The derivative of ψ along dF, by central differences.
fn energy_difference(case: &Case, f: &Mat3, df: &Mat3) -> f64 {
    let (plus, minus) = (*f + scaled(df, H), *f - scaled(df, H));
    (case.energy(&plus) - case.energy(&minus)) / (2.0 * H)
}

fn stress_difference(case: &Case, f: &Mat3, df: &Mat3) -> Mat3 {
    let (plus, minus) = (*f + scaled(df, H), *f - scaled(df, H));
    scaled(&(case.stress(&plus) - case.stress(&minus)), 0.5 / H)
}

/// Calls `check` for every law, deformation and a random direction.
fn for_every_deformation(mut check: impl FnMut(&Case, &str, &Mat3, &Mat3)) {
    let mut random = Random(11);
    for case in cases() {
        for (what, f) in deformations() {
            check(&case, &format!("{}, {what}", case.name()), &f, &random.matrix());
        }
    }
}

/// P = ∂ψ/∂F. Tolerance 1e-8: the error of central differences.
#[test]
fn stress_is_the_derivative_of_energy() {
    for_every_deformation(|case, what, f, df| {
        if case.smooth_at(f) {
            let p = case.stress(f);
            let error = (p.ddot(df) - energy_difference(case, f, df)).abs();
            assert!(error < 1e-8 * (1.0 + norm(&p)), "{what}: {error:.1e}");
        }
    });
}

/// The two terms of a law add up to it: ψ = μ/2 ψ̃_A + λ/2 ψ̃_B + const, with one constant for all F, and likewise
/// for P. So position-based solvers solve the same law. Tolerance 1e-12: rounding of terms that are up to a hundred
/// times their sum.
#[test]
fn terms_add_up_to_the_law() {
    for_every_deformation(|case, what, f, _| {
        let sum = |f: &Mat3| {
            let terms = case.terms(f).into_iter().zip(case.term_stiffness());
            terms.fold((0.0, Mat3::ZERO), |(energy, stress), (term, k)| {
                (energy + 0.5 * k * term.energy, stress + term.stress * (0.5 * k))
            })
        };
        let ((energy, stress), (at_rest, _)) = (sum(f), sum(&Mat3::IDENTITY));
        let p = case.stress(f);
        let scale = 1.0 + norm(&p) + at_rest.abs() + case.energy(f).abs();
        assert!((energy - at_rest - case.energy(f)).abs() < 1e-12 * scale, "{what}");
        assert!(norm(&(stress - p)) < 1e-12 * scale, "{what}");
    });
}

/// The terms on a linear tetrahedron are those of its F, integrated: V ψ̃ and V P̃ J⁻ᵀ. So a shorter formula of a law for such
/// cells is the same law. Tolerance 1e-12: rounding of an ill-shaped cell.
#[test]
fn terms_of_a_linear_tetrahedron_are_integrals() {
    let inverse = Mat3([Vec3([2.0, 0.3, -0.4]), Vec3([-0.5, 1.5, 0.2]), Vec3([0.7, -0.1, 3.0])]);
    for_every_deformation(|case, what, f, _| {
        if !case.smooth_at(f) {
            return;
        }
        let (edges, volume) = (*f * inverse.inverse(), 0.25);
        let cell = Simplex { edges, inverse, volume, filled: volume * inverse.det() };
        for (whole, term) in case.simplex_terms(&cell).iter().zip(case.terms(f)) {
            let gradient = term.stress * inverse.transpose() * volume;
            let scale = 1.0 + norm(&gradient) + (volume * term.energy).abs() + norm(f).powi(3);
            assert!((whole.energy - volume * term.energy).abs() < 1e-12 * scale, "{what}");
            assert!(norm(&(whole.gradient - gradient)) < 1e-12 * scale, "{what}");
        }
    });
}

/// The stress of each term is the derivative of its energy, P̃ = ∂ψ̃/∂F, to the error of central differences.
#[test]
fn the_stress_of_each_term_is_the_derivative_of_its_energy() {
    for_every_deformation(|case, what, f, df| {
        if case.smooth_at(f) {
            let (plus, minus) =
                (case.terms(&(*f + scaled(df, H))), case.terms(&(*f - scaled(df, H))));
            for (k, term) in case.terms(f).iter().enumerate() {
                let difference = (plus[k].energy - minus[k].energy) / (2.0 * H);
                let error = (term.stress.ddot(df) - difference).abs();
                assert!(error < 1e-8 * (1.0 + norm(&term.stress)), "{what}, term {k}: {error:.1e}");
            }
        }
    });
}

/// At rest both terms of every law have zero stress, except those of Macklin & Müller (Saillant et al. 2024, section
/// 4.2).
#[test]
fn terms_are_at_ease_at_rest() {
    for case in cases() {
        let pulls = case.terms(&Mat3::IDENTITY).iter().map(|term| norm(&term.stress)).sum::<f64>();
        let balanced = case.material.law == LawKind::MacklinMuller;
        assert_eq!(pulls > 1.0, balanced, "{}: {pulls}", case.name());
    }
}

/// The stress differential is ∂P/∂F : dF. Tolerance 1e-7: the error of central differences.
#[test]
fn differential_is_the_derivative_of_stress() {
    for_every_deformation(|case, what, f, df| {
        if case.smooth_at(f) {
            let dp = case.stress_differential(f, df);
            let error = norm(&(dp - stress_difference(case, f, df)));
            assert!(error < 1e-7 * (1.0 + norm(&dp)), "{what}: {error:.1e}");
        }
    });
}

/// The joint evaluation of energy and stress equals the separate ones.
#[test]
fn energy_and_stress_together_are_what_they_are_apart() {
    for_every_deformation(|case, what, f, _| {
        let (energy, stress) = case.energy_and_stress(f);
        assert_eq!(stress, case.stress(f), "{what}");
        // St. Venant–Kirchhoff shares the product E : S, which rounds differently.
        assert!((energy - case.energy(f)).abs() <= 1e-14 * energy.abs(), "{what}");
    });
}

/// Energy is invariant and stress rotates under a rotation of the frame, ψ(QF) = ψ(F) and P(QF) = Q P(F), to
/// rounding.
#[test]
fn energy_and_stress_do_not_depend_on_the_frame() {
    let mut random = Random(13);
    for_every_deformation(|case, what, f, _| {
        if case.frame_invariant() && case.smooth_at(f) {
            let q = random.rotation();
            let (energy, stress) = case.energy_and_stress(f);
            let (turned_energy, turned_stress) = case.energy_and_stress(&(q * *f));
            assert!((turned_energy - energy).abs() < 1e-13 * (1.0 + energy), "{what}");
            let error = norm(&(turned_stress - q * stress));
            assert!(error < 1e-13 * (1.0 + norm(&stress)), "{what}: {error:.1e}");
        }
    });
}

/// The linear law has energy under a pure rotation, as its documentation warns.
#[test]
fn linear_law_resists_a_rotation() {
    let linear = case(LawKind::Linear, Parameters::Corrected);
    assert!(linear.energy(&Random(3).rotation()) > 0.1, "a rotation must cost energy");
}

/// All laws are isotropic: ψ(FQ) = ψ(F), to rounding.
#[test]
fn no_direction_of_the_material_is_special() {
    let mut random = Random(17);
    for_every_deformation(|case, what, f, _| {
        // The linear law takes its strain in space, so there the body must be rotated with the material.
        let q = random.rotation();
        let turned = if case.frame_invariant() { *f * q } else { q.transpose() * *f * q };
        let (energy, other) = (case.energy(f), case.energy(&turned));
        assert!((other - energy).abs() < 1e-12 * (1.0 + energy), "{what}: {energy} {other}");
    });
}

/// Energy and stress at rest are exactly zero.
#[test]
fn a_body_at_rest_has_neither_energy_nor_stress() {
    for case in cases() {
        let (energy, stress) = case.energy_and_stress(&Mat3::IDENTITY);
        assert_eq!((energy, stress), (0.0, Mat3::ZERO), "{}", case.name());
    }
}

/// Hooke's law, 2μ ε + λ tr(ε) I.
fn hooke(moduli: Lame, df: &Mat3) -> Mat3 {
    let strain = df.symmetric();
    scaled(&strain, 2.0 * moduli.mu).add_diagonal(moduli.lambda * strain.trace())
}

/// The moduli of the published formulas at small strain, from E and ν (derived by hand; see each law).
fn published_moduli(law: LawKind) -> Lame {
    let Lame { mu, lambda } = Lame::from_young_poisson(YOUNG, POISSON);
    match law {
        LawKind::MacklinMuller | LawKind::RestStable => Lame { mu, lambda: lambda - mu },
        LawKind::Smith => Lame { mu: 0.75 * mu, lambda: lambda - 0.625 * mu },
        _ => Lame { mu, lambda },
    }
}

/// At small strain corrected laws are Hooke's law with the given E and ν, and published ones with the moduli
/// derived by hand, to rounding.
#[test]
fn small_strain_is_hookes_law_with_the_typed_young_and_poisson() {
    let mut random = Random(19);
    for case in cases() {
        let moduli = match case.material.parameters {
            Parameters::Corrected => Lame::from_young_poisson(YOUNG, POISSON),
            Parameters::AsPublished => published_moduli(case.material.law),
        };
        for _ in 0..10 {
            let df = random.matrix();
            let error =
                norm(&(case.stress_differential(&Mat3::IDENTITY, &df) - hooke(moduli, &df)));
            assert!(error < 1e-9 * norm(&df), "{}: {error:.1e}", case.name());
        }
    }
}

/// The energy at a strain of 1e-8 is that of Hooke's law.
#[test]
fn energy_of_a_tiny_strain_keeps_its_digits() {
    let df = Random(23).matrix().symmetric();
    for case in cases() {
        let f = Mat3::IDENTITY + scaled(&df, 1e-8);
        let expected = 0.5 * df.ddot(&hooke(case.material.small_strain(), &df)) * 1e-16;
        let error = (case.energy(&f) / expected - 1.0).abs();
        // F itself is rounded to 1e-8 of the strain. An energy computed from F without care would consist of rounding
        // errors only.
        assert!(error < 1e-6, "{}: {error:.1e}", case.name());
    }
}

/// The lateral stretch and the axial stress of a bar with free sides at an axial `stretch`, by Newton's method.
fn bar(case: &Case, stretch: f64) -> (f64, f64) {
    let mut side = 1.0 - POISSON * (stretch - 1.0);
    let df = Mat3::diagonal([0.0, 1.0, 1.0]);
    for _ in 0..30 {
        let f = Mat3::diagonal([stretch, side, side]);
        side -= case.stress(&f).at(1, 1) / case.stress_differential(&f, &df).at(1, 1);
    }
    (side, case.stress(&Mat3::diagonal([stretch, side, side])).at(0, 0))
}

/// The stress of a stretched bar approaches Hooke's law with order 1 in the strain.
#[test]
fn a_stretched_bar_approaches_hookes_law_at_first_order() {
    for law in LawKind::ALL {
        let case = case(law, Parameters::Corrected);
        let error = |strain: f64| (bar(&case, 1.0 + strain).1 / (YOUNG * strain) - 1.0).abs();
        let (coarse, fine) = (error(1e-2), error(5e-3));
        assert!(fine < 0.02, "{law}: relative error {fine:.2e} at 0.5 % strain");
        // The linear and the corotated law are exactly Hooke's law for a bar that does not rotate.
        let order = (coarse / fine).log2();
        assert!(coarse < 1e-12 || (order - 1.0).abs() < 0.05, "{law}: order {order:.3}");
    }
}

/// The compressive stress of a St. Venant–Kirchhoff bar is largest at the stretch 1/√3, as documented.
#[test]
fn a_st_venant_kirchhoff_bar_gives_way_at_its_documented_length() {
    let case = case(LawKind::StVenantKirchhoff, Parameters::Corrected);
    let at = |stretch| bar(&case, stretch).1;
    let limit = 1.0 / 3.0_f64.sqrt();
    assert!(
        at(limit) < at(limit + 0.05) && at(limit) < at(limit - 0.05),
        "the compressive stress must be largest at 1/√3"
    );
}

/// The law of Macklin & Müller is eq. 18, up to its energy at rest, and the rest-stable law has the same stress
/// (eq. 24), to rounding.
#[test]
fn macklin_muller_is_equation_18_and_rest_stable_equation_24() {
    let (mu, lambda) = (0.7, 2.9);
    let (gamma, offset) = (1.0 + mu / lambda, mu * mu / (2.0 * lambda));
    let law = MacklinMuller::law(mu, lambda);
    assert_eq!((law.gamma(), law.published_rest_energy()), (gamma, offset));
    for (what, f) in deformations() {
        let j = f.det();
        let energy = 0.5 * mu * (f.norm_squared() - 3.0) + 0.5 * lambda * (j - gamma).powi(2);
        let stress = scaled(&f, mu) + scaled(&f.cofactor(), lambda * (j - gamma));
        let scale = 1.0 + energy;
        assert!((law.energy(&f) + offset - energy).abs() < 1e-14 * scale, "{what}");
        assert!(norm(&(law.stress(&f) - stress)) < 1e-13 * scale, "{what}");
        let rest_stable = RestStable::law(mu, lambda);
        assert!(norm(&(rest_stable.stress(&f) - stress)) < 1e-13 * scale, "{what}");
    }
}

/// The law of Smith is eq. 14 of Smith et al. 2018, up to its energy at rest, to rounding.
#[test]
fn smith_is_equation_14() {
    let (mu, lambda) = (0.7, 2.9);
    let alpha: f64 = 1.0 + mu / lambda - mu / (4.0 * lambda);
    let at_rest = 0.5 * lambda * (1.0 - alpha).powi(2) - 0.5 * mu * 4.0_f64.ln();
    let law = Smith::law(mu, lambda);
    for (what, f) in deformations() {
        let (i, j) = (f.norm_squared(), f.det());
        let volume = 0.5 * lambda * (j - alpha).powi(2);
        let energy = 0.5 * mu * (i - 3.0 - (i + 1.0).ln()) + volume;
        let stress =
            scaled(&f, mu * (1.0 - 1.0 / (i + 1.0))) + scaled(&f.cofactor(), lambda * (j - alpha));
        let scale = 1.0 + energy.abs();
        assert!((law.energy(&f) + at_rest - energy).abs() < 1e-14 * scale, "{what}");
        assert!(norm(&(law.stress(&f) - stress)) < 1e-13 * scale, "{what}");
    }
}

/// Where the two smallest stretches of an inverted cell are equal in size, the nearest rotation is not unique: there
/// the corotated energy is continuous and the stress jumps.
#[test]
fn corotated_energy_is_continuous_where_its_rotation_jumps_and_stress_is_not() {
    let law = case(LawKind::Corotated, Parameters::Corrected);
    let at = |delta: f64| law.energy_and_stress(&Mat3::diagonal([1.0, 0.5 + delta, -0.5]));
    let ((before, push), (after, pull)) = (at(-1e-9), at(1e-9));
    assert!((before - after).abs() < 1e-7, "energy {before} to {after}");
    assert!(norm(&(push - pull)) > 1.0, "stress {push:?} to {pull:?}");
}

/// The energy grows monotonically as a cell is flattened and inverted, so that inverted cells recover.
#[test]
fn neo_hookean_energy_grows_with_inversion_so_that_cells_come_back() {
    for law in [LawKind::RestStable, LawKind::MacklinMuller, LawKind::Smith, LawKind::Corotated] {
        let case = case(law, Parameters::Corrected);
        let energy = |z: f64| case.energy(&Mat3::diagonal([1.0, 1.0, z]));
        let stages = [1.0, 0.5, 0.0, -0.5, -0.9].map(energy);
        assert!(stages.is_sorted_by(|a, b| a < b), "{law}: {stages:?}");
    }
}

/// Huge, tiny and invalid deformations cause no panic, and a cell squashed to a point has finite energy, stress
/// and stiffness.
#[test]
fn extreme_deformations_never_panic() {
    let [zero, identity] = [Mat3::ZERO, Mat3::IDENTITY];
    let wild = [1e150, 1e300, 1e-200, f64::NAN, f64::INFINITY, -1e150];
    for case in cases() {
        for f in wild.map(|size| scaled(&identity, size)) {
            let _ = (case.energy_and_stress(&f), case.stress_differential(&f, &identity));
            let _ = (case.stiffness(&f), case.stiffness_psd(&f));
        }
        let (energy, stress) = case.energy_and_stress(&zero);
        let finite = energy.is_finite() && norm(&stress).is_finite();
        assert!(finite, "{}: a cell squashed to a point must have a finite energy", case.name());
        assert!(case.stiffness_psd(&zero).as_flattened().iter().all(|entry| entry.is_finite()));
    }
}
