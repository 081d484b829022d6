//! Images, and PNG files of them.

use std::io;
use std::path::Path;

use crate::error::WriteError;
use crate::write::write_atomic;

use super::apng::encode_frames;

/// An opaque sRGB image with 8 bits per channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    width: u32,
    height: u32,
    pixels: Vec<[u8; 3]>,
}

impl Image {
    /// Creates a black image.
    pub fn new(width: u32, height: u32) -> Self {
        Self { width, height, pixels: vec![[0; 3]; width as usize * height as usize] }
    }

    /// Width in pixels.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Height in pixels.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The pixels, in rows from the top, each from the left.
    pub fn pixels(&self) -> &[[u8; 3]] {
        &self.pixels
    }

    /// Returns the colour of a pixel.
    ///
    /// # Panics
    /// If the pixel is outside the image.
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 3] {
        self.pixels[self.index(x, y)]
    }

    /// Sets the colour of a pixel.
    ///
    /// # Panics
    /// If the pixel is outside the image.
    pub fn set_pixel(&mut self, x: u32, y: u32, colour: [u8; 3]) {
        let index = self.index(x, y);
        self.pixels[index] = colour;
    }

    fn index(&self, x: u32, y: u32) -> usize {
        assert!(x < self.width && y < self.height, "pixel ({x}, {y}) lies outside the image");
        y as usize * self.width as usize + x as usize
    }

    /// Writes a PNG file.
    pub fn write_png(&self, path: &Path) -> Result<(), WriteError> {
        write_atomic(path, |writer| {
            let mut encoder = png::Encoder::new(writer, self.width, self.height);
            encoder.set_color(png::ColorType::Rgb);
            encoder.set_compression(png::Compression::High);
            let mut body = encoder.write_header()?;
            body.write_image_data(self.pixels.as_flattened())?;
            body.finish().map_err(io::Error::from)
        })
    }
}

/// Writes frames as an animated PNG, which every browser plays in a loop.
///
/// The frames must have the same size. Each frame stores only the rectangle that differs from the previous one.
pub fn write_apng(path: &Path, frames: &[Image], frames_per_second: f64) -> Result<(), WriteError> {
    let mismatch = |what: &str, found: String, expected: &str| WriteError::Mismatch {
        path: path.to_owned(),
        what: what.to_owned(),
        found,
        expected: expected.to_owned(),
    };
    let Some(first) = frames.first() else {
        return Err(mismatch("the animation", "no frames".to_owned(), "at least one"));
    };
    let size = (first.width, first.height);
    if let Some(odd) = frames.iter().position(|frame| (frame.width, frame.height) != size) {
        let found = format!("{}×{} pixels", frames[odd].width, frames[odd].height);
        let expected = format!("{}×{} as the first frame", size.0, size.1);
        return Err(mismatch(&format!("frame {odd}"), found, &expected));
    }
    if !(0.01..=1000.0).contains(&frames_per_second) {
        let found = format!("{frames_per_second} frames per second");
        return Err(mismatch("the animation", found, "0.01 to 1000"));
    }
    write_atomic(path, |writer| encode_frames(writer, frames, frames_per_second))
}
