//! What the user chooses.

use super::TetError;

/// How large the cells are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Size {
    /// Length of the long edges at the surface where it is flat, in m; the short ones are 0.87 of it.
    Length(f64),
    /// About this many cells: the length is searched for. How near it comes depends on the shape.
    CellCount(usize),
}

/// What becomes of triangles that bound nothing: wings, shirts, single sheets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Sheets {
    /// They are left out.
    LeftOut,
    /// They are made as thick as a cell is long, if they are a part of the surface worth it.
    AsThickAsCells,
    /// They are made this thick, in m. Thinner than a cell, they may come out with holes.
    Thick(f64),
}

/// How cells grow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grading {
    /// How often cells may double in size away from the surface (default `2`). Zero makes all cells
    /// alike.
    pub inside: u8,
    /// How often cells at the surface may halve where it curves (default `0`). A halving keeps an ear or a
    /// finger that is much thinner than the rest; at a given number of cells those elsewhere are then
    /// larger, and what they are too large for is lost.
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
    /// Size of the cells (default `CellCount(500)`).
    pub size: Size,
    /// Degree of the cells, 1 to 3 (default `2`). From degree 2 on the boundary is curved.
    pub degree: usize,
    /// How cells grow (default: twice inside, finer once where the surface curves).
    pub grading: Grading,
    /// What becomes of triangles that bound nothing (default `AsThickAsCells`).
    pub sheets: Sheets,
    /// Edges of the surface sharper than this, in rad, are followed by edges of cells where angles
    /// allow (default 40°); π follows none.
    pub sharp_angle: f64,
    /// Most cells to make (default 10 million): asking for more is an error that tells how much
    /// memory they would take.
    pub most_cells: usize,
}

impl Default for TetConfig {
    fn default() -> Self {
        Self {
            size: Size::CellCount(500),
            degree: 2,
            grading: Grading::default(),
            sheets: Sheets::AsThickAsCells,
            sharp_angle: 40.0f64.to_radians(),
            most_cells: 10_000_000,
        }
    }
}

/// Levels beyond this would make cells a thousand times larger than their neighbours at the surface.
const MOST_LEVELS: u8 = 10;

impl TetConfig {
    /// Checks every field once, so that nothing else need.
    pub fn check(&self) -> Result<(), TetError> {
        let Self { size, degree, grading, sheets, sharp_angle, most_cells } = *self;
        match size {
            Size::Length(length) => check_length("size", length)?,
            Size::CellCount(0) => return Err(setting("size", 0.0, "at least one cell")),
            Size::CellCount(count) if count > most_cells => {
                return Err(TetError::TooManyCells { cells: count as f64, most_cells });
            }
            Size::CellCount(_) => {}
        }
        if let Sheets::Thick(thickness) = sheets {
            check_length("sheets", thickness)?;
        }
        if !(1..=3).contains(&degree) {
            return Err(setting("degree", degree as f64, "1, 2 or 3"));
        }
        for (field, levels) in
            [("grading.inside", grading.inside), ("grading.curved", grading.curved)]
        {
            if levels > MOST_LEVELS {
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
