//! Settings of the tetrahedral mesher.

use super::TetError;

/// The size of the cells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Size {
    /// Length of the long edges at flat parts of the surface, in m; the short edges are 0.87 times as long.
    Length(f64),
    /// Approximate number of cells. The mesher searches for the length; how close it comes depends on the shape.
    CellCount(usize),
}

/// The treatment of triangles that enclose nothing: wings, shirts, single sheets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Sheets {
    /// Sheets are left out.
    LeftOut,
    /// Sheets are as thick as a cell is long, if they make up at least 2 % of the surface's area.
    AsThickAsCells,
    /// Sheets are this thick, in m. If this is less than a cell's length, they may get holes.
    Thick(f64),
}

/// The farthest that the surface and the boundary of the cells may lie from each other.
///
/// Where cells of the size asked for cannot hold a limb, or leave out more than this, they become finer. The report
/// has the distances reached.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Within {
    /// 3 % of the diagonal of the bounding box for up to 500 cells, and less for more, with the inverse square root of
    /// their number: 0.5 % for 18,000. For a given length of cells a quarter of it, at most 3 % of the diagonal.
    BySize,
    /// This fraction of the diagonal of the bounding box, above 0 and at most 1. Halving it takes up to four times as
    /// many cells.
    Diagonals(f64),
    /// This length, in m.
    Length(f64),
    /// Any distance: cells are never made finer, and parts thinner than they are vanish.
    Any,
}

impl Within {
    /// Reads a share of the diagonal such as `1%`, a length in m, or `any`; `None` for any other text.
    ///
    /// ```
    /// use pliant_mesher::tets::Within;
    ///
    /// assert_eq!(Within::parsed("1%"), Some(Within::Diagonals(0.01)));
    /// assert_eq!(Within::parsed("0.02"), Some(Within::Length(0.02)));
    /// assert_eq!(Within::parsed("any"), Some(Within::Any));
    /// assert_eq!(Within::parsed("-1"), None);
    /// ```
    pub fn parsed(text: &str) -> Option<Self> {
        let positive = |text: &str| {
            let number: f64 = text.trim().parse().ok()?;
            (number.is_finite() && number > 0.0).then_some(number)
        };
        match text.strip_suffix('%') {
            Some(percent) => positive(percent)
                .filter(|percent| *percent <= 100.0)
                .map(|percent| Self::Diagonals(percent / 100.0)),
            None if text == "any" => Some(Self::Any),
            None => positive(text).map(Self::Length),
        }
    }

    /// The length in units of the diagonal; `None` if any distance will do.
    pub(super) fn in_diagonals(self, size: Size, diagonal: f64) -> Option<f64> {
        /// The limit of the smallest meshes.
        const WIDEST: f64 = 0.03;
        /// The number of cells up to which it holds.
        const FEW_CELLS: f64 = 500.0;
        match (self, size) {
            (Self::Any, _) => None,
            (Self::Diagonals(part), _) => Some(part),
            (Self::Length(length), _) => Some(length / diagonal),
            (Self::BySize, Size::CellCount(count)) => {
                Some(WIDEST * (FEW_CELLS / count as f64).sqrt().min(1.0))
            }
            (Self::BySize, Size::Length(length)) => Some((0.25 * length / diagonal).min(WIDEST)),
        }
    }
}

/// The grading of cell sizes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grading {
    /// The number of times that cells may double in size away from the surface (default `2`). Zero makes all cells
    /// equal in size.
    pub inside: u8,
    /// The number of times that cells at the surface may halve where it curves (default `0`). A halving keeps an ear or
    /// a finger that is much thinner than the rest. At a given number of cells the other cells then become larger, and
    /// details too small for them are lost.
    pub curved: u8,
}

impl Default for Grading {
    fn default() -> Self {
        Self { inside: 2, curved: 0 }
    }
}

/// Settings of the tetrahedral mesher.
///
/// ```
/// use pliant_mesher::tets::{Size, TetConfig};
///
/// let config = TetConfig { size: Size::CellCount(2000), degree: 3, ..Default::default() };
/// assert!(config.check().is_ok());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TetConfig {
    /// The size of the cells (default `CellCount(500)`).
    pub size: Size,
    /// The degree of the cells, 1 to 3 (default `2`). From degree 2 on the boundary is curved.
    pub degree: usize,
    /// The grading of cell sizes (default: two doublings inside, no halvings where the surface curves).
    pub grading: Grading,
    /// The treatment of triangles that enclose nothing (default `AsThickAsCells`).
    pub sheets: Sheets,
    /// The farthest that the surface and the boundary of the cells may lie from each other (default `BySize`). Less
    /// takes more cells than asked for.
    pub within: Within,
    /// Edges of the surface with a larger angle between normals than this, in rad, are followed by edges of cells where
    /// dihedral angles allow (default 40°); π follows none.
    pub sharp_angle: f64,
    /// The largest number of cells (default 10 million). Asking for more is an error that reports the memory they would
    /// take.
    pub max_cells: usize,
}

impl Default for TetConfig {
    fn default() -> Self {
        Self {
            size: Size::CellCount(500),
            degree: 2,
            grading: Grading::default(),
            sheets: Sheets::AsThickAsCells,
            within: Within::BySize,
            sharp_angle: 40.0f64.to_radians(),
            max_cells: 10_000_000,
        }
    }
}

/// More levels would make cells a thousand times larger than those at the surface.
const MAX_LEVELS: u8 = 10;

impl TetConfig {
    /// Checks every field.
    pub fn check(&self) -> Result<(), TetError> {
        let Self { size, degree, grading, sheets, within, sharp_angle, max_cells } = *self;
        match size {
            Size::Length(length) => check_length("size", length)?,
            Size::CellCount(0) => return Err(setting("size", 0.0, "at least one cell")),
            Size::CellCount(count) if count > max_cells => {
                return Err(TetError::TooManyCells { cells: count as f64, max_cells });
            }
            Size::CellCount(_) => {}
        }
        if let Sheets::Thick(thickness) = sheets {
            check_length("sheets", thickness)?;
        }
        match within {
            Within::Diagonals(part) if !(part > 0.0 && part <= 1.0) => {
                return Err(setting(
                    "within",
                    part,
                    "a fraction of the diagonal, above 0 and at most 1",
                ));
            }
            Within::Length(length) => check_length("within", length)?,
            _ => {}
        }
        if !(1..=3).contains(&degree) {
            return Err(setting("degree", degree as f64, "1, 2 or 3"));
        }
        for (field, levels) in
            [("grading.inside", grading.inside), ("grading.curved", grading.curved)]
        {
            if levels > MAX_LEVELS {
                return Err(setting(field, f64::from(levels), "0 to 10"));
            }
        }
        if !(0.0..=std::f64::consts::PI).contains(&sharp_angle) {
            return Err(setting("sharp_angle", sharp_angle, "0 to π"));
        }
        Ok(())
    }
}

fn check_length(field: &'static str, value: f64) -> Result<(), TetError> {
    let sound = value.is_finite() && value > 0.0;
    if sound { Ok(()) } else { Err(setting(field, value, "a positive length in m")) }
}

fn setting(field: &'static str, value: f64, expected: &'static str) -> TetError {
    TetError::Setting { field, value, expected }
}
