//! Error messages and exit codes.

use std::process::ExitCode;

use pliant::mesh::MeshError;
use pliant::solver::SolveError;
use pliant_io::scene::SceneError;
use pliant_io::{ReadError, WriteError};

use crate::terminal;

/// An error in the command line or in an input file.
#[derive(Debug)]
pub(crate) struct BadInput(pub(crate) String);

impl std::fmt::Display for BadInput {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadInput {}

/// Prints the error on standard error; returns exit code 2 for invalid input, 1 otherwise.
pub(crate) fn report(error: &anyhow::Error) -> ExitCode {
    let coloured = terminal::colour_on_stderr();
    match error.downcast_ref::<SceneError>() {
        Some(scene) => eprintln!("{}", scene.render(coloured)),
        None if coloured => eprintln!("\u{1b}[1;31merror\u{1b}[0m: {}", message(error)),
        None => eprintln!("error: {}", message(error)),
    }
    ExitCode::from(if is_bad_input(error) { 2 } else { 1 })
}

/// Joins the causes, outermost first, and leaves out those that an outer one already quotes.
fn message(error: &anyhow::Error) -> String {
    error.chain().map(ToString::to_string).fold(String::new(), |text, cause| {
        match (text.is_empty(), text.contains(&cause)) {
            (true, _) => cause,
            (false, true) => text,
            (false, false) => format!("{text}: {cause}"),
        }
    })
}

fn is_bad_input(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.is::<BadInput>()
            || cause.is::<SceneError>()
            || cause.is::<ReadError>()
            || cause.is::<MeshError>()
            || matches!(cause.downcast_ref(), Some(WriteError::UnknownFormat { .. }))
            || cause.downcast_ref::<SolveError>().is_some_and(is_input_error)
    })
}

/// True for errors in the scene, such as an unconstrained body; false for a solve that did not converge.
fn is_input_error(error: &SolveError) -> bool {
    use SolveError::{Config, FreeToMove, RigidRegion};
    matches!(error, FreeToMove { .. } | Config { .. } | RigidRegion { .. })
}
