//! Attachments.

use pliant::body::Motion;
use pliant::world::Bond;
use toml::Spanned;

use super::selection::Selection;

/// A part of a body that is attached to a support.
#[derive(Debug, Clone)]
pub struct AttachmentPlan {
    /// Name, unique in the scene.
    pub name: String,
    /// Its body, as an index into the bodies of the scene.
    pub body: usize,
    /// The attached part of the body.
    pub selection: Spanned<Selection>,
    /// The support it is attached to.
    pub support: SupportPlan,
    /// The kind of bond.
    pub bond: Bond,
    /// Stiffness of all springs together, in N/m; derived from the bodies if `None`.
    pub stiffness: Option<f64>,
    /// Force at which it breaks, in N; never if `None`.
    pub strength: Option<f64>,
}

/// The support of an attachment.
#[derive(Debug, Clone, PartialEq)]
pub enum SupportPlan {
    /// The fixed world.
    World,
    /// A frame with prescribed motion.
    Frame(Motion),
    /// Another body, as an index into the bodies of the scene.
    Body(usize),
}
