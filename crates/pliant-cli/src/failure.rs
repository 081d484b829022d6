//! How a failure is told, and with which exit code.

use std::process::ExitCode;

use pliant::mesh::MeshError;
use pliant::solver::SolveError;
use pliant_io::scene::SceneError;
use pliant_io::{ReadError, WriteError};

use crate::terminal;

/// What was typed makes no sense.
#[derive(Debug)]
pub(crate) struct BadInput(pub(crate) String);

impl std::fmt::Display for BadInput {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadInput {}

/// Tells what went wrong on standard error; the exit code is 2 for bad input, 1 otherwise.
pub(crate) fn report(error: &anyhow::Error) -> ExitCode {
    let coloured = terminal::colour_on_stderr();
    match error.downcast_ref::<SceneError>() {
        Some(scene) => eprintln!("{}", scene.render(coloured)),
        None if coloured => eprintln!("\u{1b}[1;31merror\u{1b}[0m: {}", message(error)),
        None => eprintln!("error: {}", message(error)),
    }
    ExitCode::from(if is_bad_input(error) { 2 } else { 1 })
}

/// The causes, outermost first, without those that another already quotes.
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
            || cause.downcast_ref::<SolveError>().is_some_and(is_users_fault)
    })
}

/// A body that nothing holds is bad input; an equilibrium out of reach is not.
fn is_users_fault(error: &SolveError) -> bool {
    use SolveError::{Config, FreeToMove, RigidRegion};
    matches!(error, FreeToMove { .. } | Config { .. } | RigidRegion { .. })
}
