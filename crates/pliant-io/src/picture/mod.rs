//! A small software renderer for pictures and animations.
//!
//! A [`Picture`] is a camera fitted to all points to be shown; [`Picture::render`] draws a [`SceneView`] into an
//! [`Image`], which can be saved as PNG, or several of them as an animated PNG with [`write_apng`]. It uses neither a
//! GPU nor threads: the same scene gives the same bytes.

mod apng;
mod camera;
mod colour;
mod colour_map;
mod config;
mod facet;
mod floor;
mod font;
mod image;
mod legend;
mod light;
mod lines;
mod normals;
mod raster;
mod render;
mod resolve;
mod shadow;
mod sky;
mod view;
mod visibility;

pub use camera::Projected;
pub use colour::Colour;
pub use colour_map::ColourMap;
pub use config::{PictureConfig, PictureConfigError};
pub use image::{Image, write_apng};
pub use render::Picture;
pub use view::{Legend, Paint, SceneView, SurfaceView};

pub(crate) use normals::corner_normals;
