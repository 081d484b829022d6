//! The choice how moduli enter a law.

use std::fmt;
use std::str::FromStr;

use crate::material::MaterialError;
use crate::material::nearest::nearest;

/// The constants used for μ and λ in the formula of a law.
///
/// The laws [`crate::material::Linear`], [`crate::material::Corotated`] and [`crate::material::StVenantKirchhoff`]
/// approach Hooke's law with the same constants: for them both choices are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Parameters {
    /// Constants such that E and ν are the small-strain values (default).
    #[default]
    Corrected,
    /// Lamé's moduli used directly in the published formula, to reproduce published results. Near rest the body then
    /// has a smaller bulk modulus than E and ν specify.
    AsPublished,
}

impl Parameters {
    /// Both choices.
    pub const ALL: [Self; 2] = [Self::Corrected, Self::AsPublished];

    /// Returns the name in scene files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Corrected => "corrected",
            Self::AsPublished => "as-published",
        }
    }
}

impl fmt::Display for Parameters {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

impl FromStr for Parameters {
    type Err = MaterialError;

    fn from_str(name: &str) -> Result<Self, MaterialError> {
        Self::ALL.into_iter().find(|choice| choice.name() == name).ok_or_else(|| {
            let names = Self::ALL.map(Self::name);
            MaterialError::UnknownParameters {
                name: name.to_owned(),
                nearest: nearest(name, &names),
            }
        })
    }
}
