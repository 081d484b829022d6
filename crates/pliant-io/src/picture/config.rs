//! Settings of a picture.

/// Size, viewpoint and other settings of a picture.
///
/// ```
/// use pliant_io::picture::PictureConfig;
///
/// let config = PictureConfig { width: 320, height: 200, ..Default::default() };
/// assert!(config.check().is_ok());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PictureConfig {
    /// Width in pixels (default `640`).
    pub width: u32,
    /// Height in pixels (default `400`).
    pub height: u32,
    /// Samples per pixel in each direction (default `3`). The drawing time grows with its square.
    pub samples: u32,
    /// Angle of the view from the z axis towards the x axis, in rad (default `0.6`: from the front and a little from
    /// the right).
    pub azimuth: f64,
    /// Angle of the view above the ground, in rad (default `0.32`).
    pub elevation: f64,
    /// Vertical field of view, in rad (default `0.5`, a long lens).
    pub field_of_view: f64,
    /// Fraction of the width and height kept free at each edge (default `0.1`).
    pub margin: f64,
    /// Height of the ground, in m (default `None`: the lowest point).
    pub ground: Option<f64>,
    /// Width of lines, in pixels (default `0.9`).
    pub line_width: f64,
}

impl Default for PictureConfig {
    fn default() -> Self {
        Self {
            width: 640,
            height: 400,
            samples: 3,
            azimuth: 0.6,
            elevation: 0.32,
            field_of_view: 0.5,
            margin: 0.1,
            ground: None,
            line_width: 0.9,
        }
    }
}

/// An invalid setting.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("picture {field} is {value}, expected {expected}")]
pub struct PictureConfigError {
    /// The field.
    pub field: &'static str,
    /// Its value.
    pub value: f64,
    /// Description of the accepted values.
    pub expected: &'static str,
}

impl PictureConfig {
    /// Checks every field once, so that the renderer need not.
    pub fn check(&self) -> Result<(), PictureConfigError> {
        let Self {
            width,
            height,
            samples,
            azimuth,
            elevation,
            field_of_view,
            margin,
            ground,
            line_width,
        } = *self;
        within("width", width.into(), 1.0, 8192.0, "a whole number from 1 to 8192")?;
        within("height", height.into(), 1.0, 8192.0, "a whole number from 1 to 8192")?;
        within("samples", samples.into(), 1.0, 8.0, "a whole number from 1 to 8")?;
        let sample_count = f64::from(width) * f64::from(height) * f64::from(samples).powi(2);
        within(
            "sample count",
            sample_count,
            1.0,
            MAX_SAMPLES,
            "at most 2^27: lower the size or `samples`",
        )?;
        within("azimuth", azimuth, -1e6, 1e6, "an angle in rad")?;
        within("elevation", elevation, -1.5, 1.5, "an angle in [-1.5, 1.5] rad")?;
        within("field_of_view", field_of_view, 0.01, 2.5, "an angle in [0.01, 2.5] rad")?;
        within("margin", margin, 0.0, 0.45, "a number in [0, 0.45]")?;
        within("ground", ground.unwrap_or(0.0), f64::MIN, f64::MAX, "a finite height in m")?;
        within("line_width", line_width, 0.0, 100.0, "a number of pixels in [0, 100]")
    }
}

/// Maximum number of samples of one picture: a gigabyte of memory.
const MAX_SAMPLES: f64 = (1u32 << 27) as f64;

fn within(
    field: &'static str,
    value: f64,
    low: f64,
    high: f64,
    expected: &'static str,
) -> Result<(), PictureConfigError> {
    let fits = (low..=high).contains(&value);
    if fits { Ok(()) } else { Err(PictureConfigError { field, value, expected }) }
}
