//! Pointwise or mean dilation of a cell.

use crate::material::LawKind;

/// The evaluation of the volumetric energy λ/2 (J − α)² in a cell.
///
/// ```text
/// pointwise  Σ V λ/2 (J − α)²          mean  V̂ λ/2 (Ĵ − α)²        Ĵ = Σ V J / V̂,  V̂ = Σ V
/// ```
///
/// Pointwise, a nearly incompressible cell has one volume constraint per quadrature point, more than it has degrees
/// of freedom for: it locks. In the mean, the cell has only one (Nagtegaal, Parks & Rice 1974; Simo, Taylor & Pister
/// 1985). For cells with one point both are the same.
///
/// The mean works well for linear hexahedra, and for quadratic tetrahedra in tension; pyramids gain a little.
/// Compressed tetrahedra bulge too much with it, and so do prisms. Quadratic hexahedra and cubic tetrahedra, which
/// have far more degrees of freedom than one volume constrains, lose their equilibrium (`docs/validation.md`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Dilation {
    /// At every quadrature point, as in the papers.
    #[default]
    Pointwise,
    /// For the cell as a whole: only for the neo-Hookean laws, whose energy has that term.
    Mean,
}

impl Dilation {
    /// Both choices.
    pub const ALL: [Self; 2] = [Self::Pointwise, Self::Mean];

    /// Returns the name in scene files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pointwise => "pointwise",
            Self::Mean => "mean",
        }
    }

    /// Returns true if a law supports this choice.
    pub const fn suits(self, law: LawKind) -> bool {
        match self {
            Self::Pointwise => true,
            Self::Mean => {
                matches!(law, LawKind::MacklinMuller | LawKind::RestStable | LawKind::Smith)
            }
        }
    }
}
