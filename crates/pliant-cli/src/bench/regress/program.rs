//! A build of `pliant` that is run as another program.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;

use crate::bench::process;

/// Time after which a run is stopped.
const LIMIT: Duration = Duration::from_secs(600);

/// A build of `pliant`.
pub(super) struct Program {
    path: PathBuf,
    /// What it says of its version.
    pub(super) version: String,
}

/// The result of a run.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Outcome {
    /// Mean time of a frame, and the time that one frame in a hundred exceeds, in ms.
    pub(super) mean: f64,
    pub(super) p99: f64,
    /// Hash of the last state.
    pub(super) state: String,
}

impl Program {
    /// The program at a path, or in words why it cannot be used.
    pub(super) fn find(path: PathBuf) -> Result<Self, String> {
        let example = "give the path of a build of pliant, such as target/release/pliant";
        let version = process::output_of(path.as_os_str(), &["--version"], "", LIMIT)
            .map_err(|reason| format!("`{}` cannot be run: {reason}; {example}", path.display()))?;
        let version = version.trim().to_owned();
        if !version.starts_with("pliant ") {
            return Err(format!("`{}` is another program; {example}", path.display()));
        }
        Ok(Self { path, version })
    }

    /// The path as it was typed.
    pub(super) fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// Runs a scene, or returns in words why it cannot.
    pub(super) fn run(&self, scene: &str, frames: u64) -> Result<Outcome, String> {
        let frames = frames.to_string();
        let arguments = ["run", scene, "--json", "--no-output", "--frames", &frames];
        let text = process::output_of(self.path.as_os_str(), &arguments, "", LIMIT)
            .map_err(|reason| format!("`{}` does not run `{scene}`: {reason}", self.name()))?;
        outcome(&text).map_err(|reason| {
            format!(
                "the result of `{} {}` cannot be read: {reason}",
                self.name(),
                arguments.join(" ")
            )
        })
    }
}

/// Reads the JSON object of a run.
fn outcome(text: &str) -> Result<Outcome, String> {
    let object: Value = serde_json::from_str(text).map_err(|error| format!("not JSON: {error}"))?;
    let number = |key: &str| {
        let value = object["ms_per_frame"][key].as_f64().filter(|value| *value > 0.0);
        value.ok_or_else(|| format!("it has no number `ms_per_frame.{key}` above 0"))
    };
    let state = object["state_hash"].as_str().ok_or("it has no text `state_hash`")?.to_owned();
    Ok(Outcome { mean: number("mean")?, p99: number("p99")?, state })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests may panic")]
mod tests {
    use super::*;

    /// Times and hash are read; a missing key is named.
    #[test]
    fn the_result_of_a_run_is_read_or_what_it_lacks_is_named() {
        let good = r#"{"ms_per_frame": {"mean": 1.5, "p99": 2}, "state_hash": "ab"}"#;
        let expected = Outcome { mean: 1.5, p99: 2.0, state: "ab".to_owned() };
        assert_eq!(outcome(good).unwrap(), expected);
        assert!(outcome("warning").unwrap_err().contains("not JSON"));
        assert!(outcome(r#"{"state_hash": "ab"}"#).unwrap_err().contains("ms_per_frame.mean"));
        assert!(outcome(&good.replace("1.5", "0")).unwrap_err().contains("above 0"));
        assert!(outcome(&good.replace("state_hash", "hash")).unwrap_err().contains("state_hash"));
    }

    /// A missing program and another program are refused with an example of a right path.
    #[test]
    fn a_path_without_pliant_is_refused() {
        let refused = |path: &str| Program::find(PathBuf::from(path)).err().unwrap();
        for path in ["/nowhere/pliant", "echo"] {
            assert!(
                refused(path).contains(path) && refused(path).contains("target/release/pliant")
            );
        }
    }
}
