//! The same bars in other engines, each in a program of its own that prints its motion frame by frame.

mod process;

use std::time::Duration;

use super::FRAME;
use super::spin::Spin;
use super::swing::{self, Swing};

/// Time after which a program is stopped.
const LIMIT: Duration = Duration::from_secs(180);

/// The environment variable with the path of the program in `peers/`, which contains Rapier.
const RAPIER: &str = "PEERS_RAPIER";

/// The environment variable with the path of a Python that has the other engines.
const PYTHON: &str = "PEERS_PYTHON";

/// The bars; the script of an engine follows them.
const BARS: &str = include_str!("bars.py");
const MUJOCO: &str = include_str!("mujoco_bar.py");
const NEWTON: &str = include_str!("newton_bar.py");
const PYPBD: &str = include_str!("pypbd_bar.py");

/// Another engine with its settings.
pub(super) struct Peer {
    /// Its name in the tables.
    pub(super) name: &'static str,
    program: PeerProgram,
}

/// The program that runs an engine.
enum PeerProgram {
    /// The program in `peers/`, with these settings.
    Rapier(&'static str),
    /// A Python script, and the number of substeps in a frame.
    Python(&'static str, &'static str),
}

/// All engines.
pub(super) const PEERS: [Peer; 6] = [
    Peer { name: "Rapier `fem`, defaults", program: PeerProgram::Rapier("default") },
    Peer { name: "Rapier `fem`, material undamped", program: PeerProgram::Rapier("undamped") },
    Peer { name: "MuJoCo `discrete`", program: PeerProgram::Python(MUJOCO, "1") },
    Peer { name: "Newton VBD, 10 iterations", program: PeerProgram::Python(NEWTON, "1") },
    Peer {
        name: "Newton VBD, 10 substeps of 10 iterations",
        program: PeerProgram::Python(NEWTON, "10"),
    },
    Peer { name: "pypbd XPBD, 50 substeps", program: PeerProgram::Python(PYPBD, "50") },
];

/// What a program has printed.
struct Printed {
    /// The numbers of each row: the start, then every frame.
    rows: Vec<Vec<f64>>,
    /// Time of a frame, in ms.
    ms: f64,
}

impl Peer {
    /// The swing of the clamped bar, or the reason why it is not measured.
    pub(super) fn swing(&self) -> Result<Swing, String> {
        let Printed { rows, ms } = self.run(&["swing", &swing::DURATION.to_string()], 1)?;
        let heights: Vec<f64> = rows.iter().map(|row| row[0]).collect();
        Swing::of(&heights, FRAME, ms).map_err(|error| error.to_string())
    }

    /// The spin of the free bar at `rate` revolutions per second, or the reason why it is not measured.
    pub(super) fn spin(&self, rate: f64, duration: f64) -> Result<Spin, String> {
        let (rate, duration) = (rate.to_string(), duration.to_string());
        let Printed { rows, .. } = self.run(&["spin", &rate, &duration], 2)?;
        let samples: Vec<[f64; 2]> = rows.iter().map(|row| [row[0], row[1]]).collect();
        Ok(Spin::of(&samples, FRAME))
    }

    /// Runs a motion whose rows have `width` numbers.
    fn run(&self, motion: &[&str], width: usize) -> Result<Printed, String> {
        let text = match self.program {
            PeerProgram::Rapier(settings) => {
                let arguments = [&["motion", settings], motion].concat();
                let hint = "the program that `cargo build --release --manifest-path peers/Cargo.toml` makes";
                process::output(RAPIER, hint, &arguments, "", LIMIT)?
            }
            PeerProgram::Python(script, substeps) => {
                let arguments = [&["-", substeps], motion].concat();
                let hint = "a Python that has this engine (docs/validation.md)";
                process::output(PYTHON, hint, &arguments, &format!("{BARS}\n{script}"), LIMIT)?
            }
        };
        printed(&text, width)
    }
}

/// Reads the rows and the time; an engine may print lines of its own.
fn printed(text: &str, width: usize) -> Result<Printed, String> {
    let numbers = |words: &str| -> Vec<f64> {
        words.split_whitespace().map(|word| word.parse().unwrap_or(f64::NAN)).collect()
    };
    let rows: Vec<Vec<f64>> =
        text.lines().filter_map(|line| line.strip_prefix("row ")).map(numbers).collect();
    if rows.len() < 2 || rows.iter().any(|row| row.len() != width) {
        return Err("it printed no motion".to_owned());
    }
    if let Some(frame) = rows.iter().position(|row| row.iter().any(|number| !number.is_finite())) {
        return Err(format!("its numbers stopped being finite in frame {frame}"));
    }
    let ms = text.lines().rev().find_map(|line| line.strip_prefix("ms ")?.parse().ok());
    Ok(Printed { rows, ms: ms.ok_or("it printed no time")? })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests may panic")]
mod tests {
    use super::*;

    /// Rows are read among other lines; a motion that is not finite, cut off or missing is told in words.
    #[test]
    fn what_a_program_prints_is_read_or_told() {
        let good = printed("hello\nrow 1 2\nrow 3 4\nms 0.5\nbye\n", 2).unwrap();
        assert_eq!((good.rows, good.ms), (vec![vec![1.0, 2.0], vec![3.0, 4.0]], 0.5));
        let refused = |text: &str| printed(text, 2).err().unwrap();
        assert!(refused("row 1 2\nrow nan 4\nms 1\n").contains("in frame 1"));
        assert!(refused("row 1 2\nrow 3\nms 1\n").contains("no motion"));
        assert!(refused("row 1 2\nrow 3 4\n").contains("no time"));
        assert!(refused("").contains("no motion"));
    }
}
