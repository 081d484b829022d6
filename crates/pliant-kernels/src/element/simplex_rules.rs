//! Symmetric quadrature rules with positive weights on triangles and tetrahedra.
//!
//! Points come in orbits of the symmetric group. The constants solve the moment equations and were
//! refined to 20 digits; `tests/kernels/elements.rs` integrates every monomial with them. The
//! 14- and 24-point rules are those of Walkington 2000 and Keast 1986; the 8-point rule is the
//! member with equal weights of its one-parameter family.

use glam::DVec3;

/// Orbit of points (a, a, a, b) with a common weight.
struct Orbit31(f64, f64);

/// Orbit of points (a, a, b, b) with a common weight.
struct Orbit22(f64, f64);

/// Orbit of points (a, a, b, c) with a common weight.
struct Orbit211(f64, f64, f64);

/// Returns the smallest tabulated rule of at least `degree` on the unit tetrahedron, if any.
pub(super) fn tetrahedron(degree: usize) -> Option<Vec<(DVec3, f64)>> {
    let mut points = Vec::new();
    match degree {
        0 | 1 => points.push((DVec3::splat(0.25), 1.0 / 6.0)),
        2 => Orbit31(0.138_196_601_125_010_5, 1.0 / 24.0).extend(&mut points),
        3 => {
            Orbit31(0.328_861_649_930_202_9, 1.0 / 48.0).extend(&mut points);
            Orbit31(0.112_956_794_512_511_03, 1.0 / 48.0).extend(&mut points);
        }
        4 | 5 => {
            Orbit31(0.092_735_250_310_891_23, 0.012_248_840_519_393_659).extend(&mut points);
            Orbit31(0.310_885_919_263_300_6, 0.018_781_320_953_002_643).extend(&mut points);
            Orbit22(0.045_503_704_125_649_65, 0.007_091_003_462_846_911).extend(&mut points);
        }
        6 => {
            Orbit31(0.214_602_871_259_152_03, 0.006_653_791_709_694_582).extend(&mut points);
            Orbit31(0.040_673_958_534_611_35, 0.001_679_535_175_886_774).extend(&mut points);
            Orbit31(0.322_337_890_142_275_5, 0.009_226_196_923_942_454).extend(&mut points);
            Orbit211(0.063_661_001_875_017_53, 0.269_672_331_458_315_8, 9.0 / 1120.0)
                .extend(&mut points);
        }
        _ => return None,
    }
    Some(points)
}

/// Returns the smallest tabulated rule of at least `degree` on the unit triangle, if any.
pub(super) fn triangle(degree: usize) -> Option<Vec<([f64; 2], f64)>> {
    match degree {
        0 | 1 => Some(vec![([1.0 / 3.0; 2], 0.5)]),
        2 => {
            let (a, b, w) = (1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0);
            Some(vec![([a, a], w), ([b, a], w), ([a, b], w)])
        }
        _ => None,
    }
}

impl Orbit31 {
    fn extend(self, points: &mut Vec<(DVec3, f64)>) {
        let Self(a, weight) = self;
        let b = 1.0 - 3.0 * a;
        for point in [[a, a, a], [b, a, a], [a, b, a], [a, a, b]] {
            points.push((point.into(), weight));
        }
    }
}

impl Orbit22 {
    fn extend(self, points: &mut Vec<(DVec3, f64)>) {
        let Self(a, weight) = self;
        let b = 0.5 - a;
        for point in [[a, b, b], [b, a, b], [b, b, a], [a, a, b], [a, b, a], [b, a, a]] {
            points.push((point.into(), weight));
        }
    }
}

impl Orbit211 {
    fn extend(self, points: &mut Vec<(DVec3, f64)>) {
        let Self(a, b, weight) = self;
        let c = 1.0 - 2.0 * a - b;
        for [p, q, r] in [
            [a, a, b],
            [a, b, a],
            [b, a, a],
            [a, a, c],
            [a, c, a],
            [c, a, a],
            [a, b, c],
            [b, c, a],
            [c, a, b],
            [a, c, b],
            [c, b, a],
            [b, a, c],
        ] {
            points.push((DVec3::new(p, q, r), weight));
        }
    }
}
