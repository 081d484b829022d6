//! Selection of laws at run time, by name.

use std::fmt;
use std::str::FromStr;

use crate::material::nearest::nearest;
use crate::material::{
    Corotated, LawVisitor, Linear, MacklinMuller, MaterialError, RestStable, Smith,
    StVenantKirchhoff,
};

/// A law, chosen at run time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LawKind {
    /// [`Linear`]: small strain and small rotation.
    Linear,
    /// [`Corotated`]: small strain, any rotation.
    Corotated,
    /// [`StVenantKirchhoff`]: any rotation, moderate strain.
    StVenantKirchhoff,
    /// [`MacklinMuller`]: neo-Hookean, Saillant et al. 2024 eq. 18.
    MacklinMuller,
    /// [`RestStable`]: neo-Hookean, Saillant et al. 2024 eq. 24.
    RestStable,
    /// [`Smith`]: neo-Hookean, Smith et al. 2018 eq. 14.
    Smith,
}

impl LawKind {
    /// All laws.
    pub const ALL: [Self; 6] = [
        Self::Linear,
        Self::Corotated,
        Self::StVenantKirchhoff,
        Self::MacklinMuller,
        Self::RestStable,
        Self::Smith,
    ];

    /// Returns the name in scene files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Corotated => "corotated",
            Self::StVenantKirchhoff => "st-venant-kirchhoff",
            Self::MacklinMuller => "macklin-muller",
            Self::RestStable => "rest-stable",
            Self::Smith => "smith",
        }
    }

    /// Runs `visitor` compiled for this law: one `match`, outside the loop over cells.
    ///
    /// ```
    /// use pliant_kernels::material::{LawFamily, LawKind, LawVisitor, Law};
    /// use pliant_kernels::math::Mat3;
    ///
    /// struct TotalEnergy<'a>(&'a [Mat3]);
    ///
    /// impl LawVisitor for TotalEnergy<'_> {
    ///     type Output = f64;
    ///
    ///     #[inline(always)]
    ///     fn visit<F: LawFamily>(self) -> f64 {
    ///         self.0.iter().map(|f| F::law(1.0, 1.0).energy(f)).sum()
    ///     }
    /// }
    ///
    /// assert_eq!(LawKind::Smith.visit(TotalEnergy(&[Mat3::IDENTITY; 3])), 0.0);
    /// ```
    #[inline(always)]
    pub fn visit<V: LawVisitor>(self, visitor: V) -> V::Output {
        match self {
            Self::Linear => visitor.visit::<Linear>(),
            Self::Corotated => visitor.visit::<Corotated>(),
            Self::StVenantKirchhoff => visitor.visit::<StVenantKirchhoff>(),
            Self::MacklinMuller => visitor.visit::<MacklinMuller>(),
            Self::RestStable => visitor.visit::<RestStable>(),
            Self::Smith => visitor.visit::<Smith>(),
        }
    }
}

impl fmt::Display for LawKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

impl FromStr for LawKind {
    type Err = MaterialError;

    fn from_str(name: &str) -> Result<Self, MaterialError> {
        Self::ALL.into_iter().find(|law| law.name() == name).ok_or_else(|| {
            let names = Self::ALL.map(Self::name);
            MaterialError::UnknownLaw { name: name.to_owned(), nearest: nearest(name, &names) }
        })
    }
}
