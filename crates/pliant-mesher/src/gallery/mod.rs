//! A gallery of shapes made by code, for demos and tests.
//!
//! Every figure is described by signed distances ([`Solid`]) and triangulated at any edge length. All figures stand on
//! y = 0, face +z and are about 1 m in size or less.

mod bear;
mod bird;
mod cut;
mod dragon;
mod drake;
mod figure_shape;
mod gear;
mod golem;
mod lattice;
mod letter;
mod mug;
mod plain;
mod primitives;
mod random;
mod remesh;
mod rope;
mod shirt;
mod solid;
mod starfish;

use pliant::geometry::Surface;

pub use random::random_shape;
pub use solid::Solid;

use figure_shape::FigureShape;

/// A shape of the gallery.
///
/// ```
/// use pliant_mesher::gallery::Figure;
///
/// let ball = Figure::from_name("ball").unwrap().surface(0.1);
/// let exact = 4.0 / 3.0 * std::f64::consts::PI * 0.5_f64.powi(3);
/// assert!((ball.volume() / exact - 1.0).abs() < 0.02);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Figure {
    /// A gummy bear, 1 m tall.
    Bear,
    /// A rubber bird for the bathtub, 0.8 m tall.
    Bird,
    /// A small dragon, 0.9 m tall: a closed body with wings of no thickness.
    Dragon,
    /// A stout sitting dragon, 1 m tall, with its wings folded: no part is thin.
    Drake,
    /// A stout clay man, 1 m tall, with his arms stretched out.
    Golem,
    /// A T-shirt, 0.7 m long: cloth of no thickness.
    Shirt,
    /// A mug, 0.6 m tall: a solid with one hole, at the handle.
    Mug,
    /// A starfish lying down, 1 m across.
    Starfish,
    /// A gear with a bore, 0.8 m across.
    Gear,
    /// The letter C, 0.8 m tall.
    LetterC,
    /// A ball of 0.5 m radius.
    Ball,
    /// A ring lying down, 0.8 m across.
    Torus,
    /// A rope in three coils, 1 m tall: a line, no triangles.
    Rope,
    /// A box of 0.8 × 0.4 × 0.6 m, the only figure with sharp edges.
    Box,
}

/// The shortest edge length of a figure, in m; about a million triangles.
const FINEST: f64 = 0.004;

/// The longest edge length of a figure, in m.
const COARSEST: f64 = 0.25;

impl Figure {
    /// All figures.
    pub const ALL: [Self; 14] = [
        Self::Bear,
        Self::Bird,
        Self::Dragon,
        Self::Drake,
        Self::Golem,
        Self::Shirt,
        Self::Mug,
        Self::Starfish,
        Self::Gear,
        Self::LetterC,
        Self::Ball,
        Self::Torus,
        Self::Box,
        Self::Rope,
    ];

    /// Returns its name in commands and scenes.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bear => "bear",
            Self::Bird => "bird",
            Self::Dragon => "dragon",
            Self::Drake => "drake",
            Self::Golem => "golem",
            Self::Shirt => "shirt",
            Self::Mug => "mug",
            Self::Starfish => "starfish",
            Self::Gear => "gear",
            Self::LetterC => "c",
            Self::Ball => "ball",
            Self::Torus => "torus",
            Self::Box => "box",
            Self::Rope => "rope",
        }
    }

    /// Returns the figure with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|figure| figure.name() == name)
    }

    /// Returns true if the surface has no border: all figures except the dragon, for its wings, the shirt and the rope.
    pub const fn is_closed(self) -> bool {
        !matches!(self, Self::Dragon | Self::Shirt | Self::Rope)
    }

    /// Returns triangles with edges of about `edge` in m, normals and texture coordinates.
    ///
    /// `edge` is clamped to the range from 4 mm to 25 cm; NaN counts as the longest. Very coarse surfaces keep their
    /// topology but lose details.
    pub fn surface(self, edge: f64) -> Surface {
        let edge = if edge.is_nan() { COARSEST } else { edge.clamp(FINEST, COARSEST) };
        match self.shape() {
            Some(shape) => shape.surface(edge),
            None if self == Self::Rope => rope::rope(edge),
            None => plain::block(edge),
        }
    }

    /// The shape of the figure; `None` for the box, which is made of grids, and the rope.
    fn shape(self) -> Option<FigureShape> {
        Some(match self {
            Self::Bear => bear::bear(),
            Self::Bird => bird::bird(),
            Self::Dragon => dragon::dragon(),
            Self::Drake => drake::drake(),
            Self::Golem => golem::golem(),
            Self::Shirt => shirt::shirt(),
            Self::Mug => mug::mug(),
            Self::Starfish => starfish::starfish(),
            Self::Gear => gear::gear(),
            Self::LetterC => letter::letter_c(),
            Self::Ball => plain::ball(),
            Self::Torus => plain::torus(),
            Self::Box | Self::Rope => return None,
        })
    }
}
