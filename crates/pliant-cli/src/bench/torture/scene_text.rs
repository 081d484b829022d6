//! Scene files, written piece by piece.

use std::fmt::Write as _;

/// Density of all bodies, in kg/m³, unless a scene says otherwise.
pub(super) const DENSITY: f64 = 1000.0;

/// Size of the cubes of most scenes, in m.
pub(super) const EDGE: f64 = 0.3;

/// The stuff of a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Matter {
    Rigid,
    /// With this Young's modulus, in Pa.
    Soft(f64),
    /// The same, always stepped by XPBD.
    Xpbd(f64),
}

impl Matter {
    /// Its name in a row.
    pub(super) fn name(self) -> String {
        match self {
            Self::Rigid => "rigid".to_owned(),
            Self::Soft(young) => format!("soft E {young:.0e}"),
            Self::Xpbd(_) => "xpbd".to_owned(),
        }
    }

    /// Its lines in a table `[[body]]`.
    fn lines(self, density: f64) -> String {
        let young = match self {
            Self::Rigid => 1e9,
            Self::Soft(young) | Self::Xpbd(young) => young,
        };
        let more = match self {
            Self::Rigid => "rigid = true\n",
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
