//! Scene files, written piece by piece.

use std::fmt::Write as _;

use pliant::solver::Stepper;

use super::case::{DEFAULT_STEPPER, STEPPERS};

/// Density of all bodies, in kg/m³, unless a scene says otherwise.
pub(super) const DENSITY: f64 = 1000.0;

/// Size of the cubes of most scenes, in m.
pub(super) const EDGE: f64 = 0.3;

/// The usual rigid matter.
pub(super) const RIGID: Matter = Matter::Rigid(1e7);

/// The stuff of a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Matter {
    /// Rigid, with this Young's modulus for contact, in Pa.
    Rigid(f64),
    /// With this Young's modulus, in Pa.
    Soft(f64),
    /// The same, always stepped by XPBD.
    Xpbd(f64),
}

impl Matter {
    /// Its name in a row.
    pub(super) fn name(self) -> String {
        match self {
            Self::Rigid(_) if self == RIGID => "rigid".to_owned(),
            Self::Rigid(young) => format!("rigid E {young:.0e}"),
            Self::Soft(young) => format!("soft E {young:.0e}"),
            Self::Xpbd(_) => "xpbd".to_owned(),
        }
    }

    /// True if it does not deform.
    pub(super) const fn is_rigid(self) -> bool {
        matches!(self, Self::Rigid(_))
    }

    /// The steppers of a scene of this matter.
    pub(super) const fn steppers(self) -> &'static [Stepper] {
        if self.is_rigid() { &DEFAULT_STEPPER } else { &STEPPERS }
    }

    /// Its lines in a table `[[body]]`.
    fn lines(self, density: f64) -> String {
        let (Self::Rigid(young) | Self::Soft(young) | Self::Xpbd(young)) = self;
        let more = match self {
            Self::Rigid(_) => "rigid = true\n",
            Self::Soft(_) => "",
            Self::Xpbd(_) => "method = { stepper = \"xpbd\" }\n",
        };
        format!("material = {{ young = {young:e}, poisson = 0.3, density = {density:?} }}\n{more}")
    }
}

/// The bodies and obstacles of a scene file.
#[derive(Debug, Clone, Default)]
pub(super) struct SceneText(String);

impl SceneText {
    /// Adds the ground at y = 0.
    pub(super) fn ground(mut self, friction: f64) -> Self {
        let _ = write!(
            self.0,
            "[[obstacle]]\nplane = {{ point = [0, 0, 0], normal = [0, 1, 0] }}\nfriction = {friction:?}\n"
        );
        self
    }

    /// Adds other text.
    pub(super) fn text(mut self, text: &str) -> Self {
        self.0 += text;
        self.0.push('\n');
        self
    }

    /// Adds a body with this mesh, density in kg/m³, and further lines.
    pub(super) fn body(
        mut self,
        name: &str,
        mesh: &str,
        matter: Matter,
        density: f64,
        more: &str,
    ) -> Self {
        let lines = matter.lines(density);
        let _ = writeln!(self.0, "[[body]]\nname = \"{name}\"\nmesh = {{ {mesh} }}\n{lines}{more}");
        self
    }

    /// Adds a cube of one cell with its lowest corner at `low`.
    pub(super) fn cube(self, name: &str, low: [f64; 3], matter: Matter) -> Self {
        let mesh = box_mesh(low, [EDGE; 3], [1; 3]);
        self.body(name, &mesh, matter, DENSITY, "")
    }

    pub(super) fn finish(self) -> String {
        self.0
    }
}

/// The mesh of a box along the axes.
pub(super) fn box_mesh(low: [f64; 3], size: [f64; 3], cells: [usize; 3]) -> String {
    format!("box = {{ origin = {low:?}, size = {size:?}, cells = {cells:?} }}")
}
