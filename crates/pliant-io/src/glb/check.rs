//! Checks of an animation before it is written as GLB.

use std::path::Path;

use glam::DVec3;

use crate::error::WriteError;
use crate::surface_attributes::SurfaceAttributes;

use super::{AnimatedSurface, Animation};

/// Checks all input once, so that the writer need not.
pub(super) fn check(path: &Path, animation: &Animation) -> Result<(), WriteError> {
    let checker = Checker { path };
    let Animation { dt, normals: _, bodies } = animation;
    if !(dt.is_finite() && *dt > 0.0) {
        return checker.fail("dt", dt, "a time above 0 s");
    }
    if bodies.is_empty() {
        return checker.fail("the animation", "no bodies", "at least one");
    }
    bodies.iter().try_for_each(|body| checker.body(body))
}

/// The error of an animation that is too large for the format.
pub(super) fn too_large(path: &Path, total: usize) -> WriteError {
    WriteError::Mismatch {
        path: path.to_owned(),
        what: "the animation".to_owned(),
        found: format!("{total} bytes"),
        expected: "fewer than 4 GiB: write fewer frames, or no normals".to_owned(),
    }
}

fn attributes(body: &AnimatedSurface) -> SurfaceAttributes<'_> {
    SurfaceAttributes {
        normals: body.normals.as_deref(),
        texcoords: body.texcoords.as_deref(),
        parts: &body.parts,
        part_of: body.part_of.as_deref(),
    }
}

struct Checker<'a> {
    path: &'a Path,
}

impl Checker<'_> {
    fn fail(
        &self,
        what: impl ToString,
        found: impl ToString,
        expected: impl ToString,
    ) -> Result<(), WriteError> {
        Err(WriteError::Mismatch {
            path: self.path.to_owned(),
            what: what.to_string(),
            found: found.to_string(),
            expected: expected.to_string(),
        })
    }

    fn body(&self, body: &AnimatedSurface) -> Result<(), WriteError> {
        let name = format!("body {:?}", body.name);
        let Some(first) = body.frames.first() else {
            return self.fail(name, "no frames", "at least one");
        };
        if body.triangles.is_empty() && body.lines.is_empty() {
            return self.fail(name, "no triangles", "at least one, or a line");
        }
        let count = first.len();
        let outside = |triangle: &&[u32; 3]| triangle.iter().any(|v| *v as usize >= count);
        if let Some(triangle) = body.triangles.iter().find(outside) {
            return self.fail(
                name,
                format!("triangle {triangle:?}"),
                format!("vertices below {count}"),
            );
        }
        if let Some(line) = body.lines.iter().find(|line| line.iter().any(|v| *v as usize >= count))
        {
            return self.fail(name, format!("line {line:?}"), format!("vertices below {count}"));
        }
        if let Some((found, expected)) = attributes(body).fault(body.triangles.len()) {
            return self.fail(name, found, expected);
        }
        let colours = body.vertex_colours.as_ref().map_or(count, Vec::len);
        if colours != count {
            return self.fail(
                name,
                format!("{colours} colours"),
                format!("{count}, one per vertex"),
            );
        }
        let frames = body.frames.iter().enumerate();
        frames.into_iter().try_for_each(|(index, frame)| self.frame(&name, index, frame, count))
    }

    fn frame(
        &self,
        name: &str,
        index: usize,
        frame: &[DVec3],
        count: usize,
    ) -> Result<(), WriteError> {
        let what = format!("frame {index} of {name}");
        if frame.len() != count {
            return self.fail(what, format!("{} vertices", frame.len()), format!("{count}"));
        }
        // Half of the largest single-precision number, so that displacements are finite too.
        let largest = f64::from(f32::MAX) / 2.0;
        let fits = |v: &DVec3| v.is_finite() && v.abs().max_element() < largest;
        match frame.iter().position(|vertex| !fits(vertex)) {
            None => Ok(()),
            Some(bad) => {
                let found = format!("vertex {bad} at {}", frame[bad]);
                self.fail(what, found, "finite coordinates in single precision")
            }
        }
    }
}
