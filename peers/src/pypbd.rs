//! The bar in pypbd, the Python package of the PositionBasedDynamics library, in a separate process.

use std::process::Command;

use crate::xpbd::{ALONG, FRAMES, Run, SUBSTEPS, WARM};

/// The environment variable with the path of a Python that has pypbd.
const PYTHON: &str = "PEERS_PYTHON";

/// The script that steps the bar.
const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/pypbd_bar.py");

/// Measures once, or returns the reason why it cannot.
pub fn run() -> Result<Run, String> {
    let python = std::env::var_os(PYTHON).ok_or_else(|| {
        format!(
            "skipped: set {PYTHON} to a Python after `python -m pip install pypbd==2.2.2 numpy`"
        )
    })?;
    let numbers = [ALONG, SUBSTEPS as usize, WARM, FRAMES].map(|number| number.to_string());
    let output = Command::new(&python)
        .arg(SCRIPT)
        .args(numbers)
        .env("OMP_NUM_THREADS", "1")
        .output()
        .map_err(|error| format!("failed: {} does not start: {error}", python.display()))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        let last = text.lines().last().unwrap_or("no message").to_owned();
        return Err(format!("failed: {}, {last}", output.status));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().rev().find_map(parse).ok_or_else(|| "failed: the script printed no result".to_owned())
}

/// Reads `bar CELLS MS SUNK`; the library may print lines of its own.
fn parse(line: &str) -> Option<Run> {
    let mut words = line.strip_prefix("bar ")?.split_whitespace();
    Some(Run {
        cells: words.next()?.parse().ok()?,
        ms: words.next()?.parse().ok()?,
        sunk: words.next()?.parse().ok()?,
    })
}
