//! Volume files: VTU with fields, and Gmsh.

use std::path::{Path, PathBuf};

use anyhow::Result;
use pliant::mesh::Mesh;
use pliant_io::gmsh;
use pliant_io::scene::{BuiltScene, Field, Output};
use pliant_io::surface::sequence_path;
use pliant_io::vtu::{Frame, Series};

use super::field_values::{OutputBody, volume_field};
use super::{OutputWriter, path_of_body};

/// A series of VTU files for each body.
pub(super) struct VtuSeries {
    path: PathBuf,
    fields: Vec<Field>,
    /// One series for every body, and for every fragment from its creation on.
    series: Vec<Series>,
}

impl VtuSeries {
    pub(super) fn new(output: &Output, built: &BuiltScene, path: &Path) -> Self {
        let bodies = built.world.bodies();
        let series =
            bodies.map(|(_, body)| Series::new(path_of_body(path, built, body.name()))).collect();
        Self { path: path.to_owned(), fields: output.fields.clone(), series }
    }
}

impl OutputWriter for VtuSeries {
    fn record(&mut self, built: &BuiltScene) -> Result<()> {
        for (_, body) in built.world.bodies().skip(self.series.len()) {
            self.series.push(Series::new(path_of_body(&self.path, built, body.name())));
        }
        for (series, output_body) in self.series.iter_mut().zip(OutputBody::all(&built.world)) {
            let fields =
                self.fields.iter().map(|field| volume_field(*field, output_body)).collect();
            let body = output_body.body;
            let mesh = body.model().mesh();
            let frame =
                Frame { positions: Some(&body.state.x), point_fields: fields, ..Frame::new(mesh) };
            series.push(built.world.time(), &frame)?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Vec<PathBuf>> {
        Ok(self.series.iter().map(|series| series.path().to_owned()).collect())
    }
}

/// A Gmsh file for each body and frame.
pub(super) struct GmshSequence {
    path: PathBuf,
    paths: Vec<PathBuf>,
    frames: usize,
}

impl GmshSequence {
    pub(super) fn new(built: &BuiltScene, path: &Path) -> Self {
        let bodies = built.world.bodies();
        let paths = bodies.map(|(_, body)| path_of_body(path, built, body.name())).collect();
        Self { path: path.to_owned(), paths, frames: 0 }
    }
}

impl OutputWriter for GmshSequence {
    fn record(&mut self, built: &BuiltScene) -> Result<()> {
        for (_, body) in built.world.bodies().skip(self.paths.len()) {
            self.paths.push(path_of_body(&self.path, built, body.name()));
        }
        for (path, (_, body)) in self.paths.iter().zip(built.world.bodies()) {
            let mesh = Mesh { nodes: body.state.x.clone(), ..body.model().mesh().clone() };
            gmsh::write(&sequence_path(path, self.frames), &mesh, gmsh::Encoding::default())?;
        }
        self.frames += 1;
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Vec<PathBuf>> {
        let last = self.frames.saturating_sub(1);
        Ok(self.paths.iter().map(|path| sequence_path(path, last)).collect())
    }
}
