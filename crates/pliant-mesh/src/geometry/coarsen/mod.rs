//! Surfaces with fewer triangles: a drawn surface is finer than contact needs.

mod coarse_surface;
mod collapse;
mod quadric;

pub use coarse_surface::{CoarseLimits, CoarseSurface};
