//! Where a law sees the change of volume.

use crate::material::LawKind;

/// How the energy of a change of volume, λ/2 (J − α)², is counted in a cell.
///
/// ```text
/// pointwise  Σ V λ/2 (J − α)²          mean  V̂ λ/2 (Ĵ − α)²        Ĵ = Σ V J / V̂,  V̂ = Σ V
/// ```
///
/// Pointwise, every quadrature point of a nearly incompressible cell wants its volume kept, more
/// than the cell has freedom for: it locks. In the mean, only the cell as a whole does (Nagtegaal,
/// Parks & Rice 1974; Simo, Taylor & Pister 1985). Cells with one point do not change.
///
/// The mean suits linear hexahedra, and quadratic tetrahedra in tension; pyramids gain a little.
/// Squeezed tetrahedra bulge too much with it, prisms too, and quadratic hexahedra and cubic
/// tetrahedra, which have far more freedom than one volume holds, lose their equilibrium
/// (`docs/validation.md`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Dilation {
    /// At every quadrature point, as the papers do.
    #[default]
    Pointwise,
    /// For the cell as a whole: for the neo-Hookean laws, whose energy has that term.
    Mean,
}

impl Dilation {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Pointwise, Self::Mean];

    /// Name in scene files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pointwise => "pointwise",
            Self::Mean => "mean",
        }
    }

    /// Whether a law can be counted this way.
    pub const fn suits(self, law: LawKind) -> bool {
        match self {
            Self::Pointwise => true,
            Self::Mean => {
                matches!(law, LawKind::MacklinMuller | LawKind::RestStable | LawKind::Smith)
            }
        }
    }
}
