//! Velocities of surfaces that move only a part of their path.

use glam::DVec3;

use crate::solver::WholeMotion;
use pliant_kernels::math::PointMasses;

use super::surface::{ContinuousRules, ContinuousSurface, SurfaceMotion, is_held, place_tied};
use super::swept_surface::SweptSurface;

impl SweptSurface {
    /// Takes back the changes of velocity of the time for which a held body stands still.
    ///
    /// ```text
    /// v = v₁ − (1 − s) (a − a_r + w)        a = v₁ − v₀        w = min(a_r·ĝ, h |g|) ĝ,  if positive
    /// ```
    ///
    /// - `s` the part of its path that it moves; `v₀`, `v₁` velocities at start and end of the step, in m/s
    /// - `a_r` the rigid motion with the same momenta as `a`; `w` what gravity `g` added to it in the step of length `h`, with `ĝ` the
    ///   unit vector along `g`
    ///
    /// Gravity that acted while the body did not fall would be energy from nowhere, in every step of a heap that rains down. So would be
    /// a velocity that the elastic energy of the end gave to a shape that is still that of the start. Other changes of a_r stay: they
    /// come from bodies that move on. So do those of the shape that took energy from it.
    pub(super) fn lose_time(
        &self,
        surface: &mut ContinuousSurface<'_>,
        rules: &ContinuousRules<'_>,
    ) {
        let SurfaceMotion::Nodes { x1, v0, v, inverse_masses, ties, rigid, .. } =
            &mut surface.motion
        else {
            return;
        };
        let rest = 1.0 - self.part;
        // Pins keep no momentum: there the whole change is taken back.
        let held = !*rigid && is_held(inverse_masses, *ties);
        let (whole, fallen) = match held {
            true => (WholeMotion::REST, DVec3::ZERO),
            false => {
                let (whole, change) = whole_change(x1, [*v0, &**v], inverse_masses);
                (whole, fallen(change, rules))
            }
        };
        let bent = |node: usize, v: DVec3| v - v0[node] - whole.at(x1[node]);
        let heavy = || (0..x1.len()).filter(|node| inverse_masses[*node] > 0.0);
        // Twice the kinetic energy that this adds. Nodes that the ground has stopped must not move on.
        let added: f64 = heavy()
            .map(|node| (rest * bent(node, v[node]), v[node], inverse_masses[node]))
            .map(|(lost, v, w)| lost.dot(lost - 2.0 * v) / w)
            .sum();
        let shaped = !*rigid && added < 0.0;
        for node in heavy() {
            let bent = if shaped { bent(node, v[node]) } else { DVec3::ZERO };
            v[node] -= rest * (bent + fallen);
        }
        place_tied(*ties, v);
    }
}

/// The part of a change of velocity that gravity made in the step, in m/s.
fn fallen(change: DVec3, rules: &ContinuousRules<'_>) -> DVec3 {
    let (down, most) = (rules.gravity.normalize_or_zero(), rules.h * rules.gravity.length());
    down.dot(change).clamp(0.0, most) * down
}

/// The rigid motion with the momenta of a change of velocity from `v0` to `v`, and its velocity at the centre of mass, in m/s.
fn whole_change(
    x: &[DVec3],
    [v0, v]: [&[DVec3]; 2],
    inverse_masses: &[f64],
) -> (WholeMotion, DVec3) {
    let heavy = || (0..x.len()).filter(|node| inverse_masses[*node] > 0.0);
    let masses = PointMasses::of(heavy().map(|node| (x[node], 1.0 / inverse_masses[node])));
    let (mut momentum, mut turning) = (DVec3::ZERO, DVec3::ZERO);
    for node in heavy() {
        let change = (v[node] - v0[node]) / inverse_masses[node];
        momentum += change;
        turning += (x[node] - masses.centre).cross(change);
    }
    if masses.mass > 0.0 {
        (WholeMotion::new(&masses, [momentum, turning]), momentum / masses.mass)
    } else {
        (WholeMotion::REST, DVec3::ZERO)
    }
}
