//! The bars of `motion` and `scoreboard` in other engines, each in a program of its own that prints its motion frame by frame; and other
//! meshers for `meshers`.

use std::time::Duration;

use super::process;

/// Time after which a program is stopped.
const LIMIT: Duration = Duration::from_secs(300);

/// The environment variable with the path of the program in `peers/`, which contains Rapier.
const RAPIER: &str = "PEERS_RAPIER";

/// The environment variable with the path of a Python that has the other engines.
const PYTHON: &str = "PEERS_PYTHON";

/// The bars; the script of an engine follows them.
const BARS: &str = include_str!("bars.py");
const MUJOCO: &str = include_str!("mujoco_bar.py");
const NEWTON: &str = include_str!("newton_bar.py");
const PYPBD: &str = include_str!("pypbd_bar.py");

/// The script for other meshers.
const MESHERS: &str = include_str!("meshers.py");

/// Another engine with its settings.
pub(in crate::bench) struct Peer {
    /// Its name in the tables.
    pub(in crate::bench) name: &'static str,
    /// True if a frame of 10,000 cells takes some tenths of a second: the scoreboard leaves its largest bar out.
    pub(in crate::bench) slow: bool,
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
pub(in crate::bench) const PEERS: [Peer; 6] = [
    Peer { name: "Rapier `fem`, defaults", slow: false, program: PeerProgram::Rapier("default") },
    Peer {
        name: "Rapier `fem`, material undamped",
        slow: false,
        program: PeerProgram::Rapier("undamped"),
    },
    Peer { name: "MuJoCo `discrete`", slow: false, program: PeerProgram::Python(MUJOCO, "1") },
    Peer {
        name: "Newton VBD, 10 iterations",
        slow: false,
        program: PeerProgram::Python(NEWTON, "1"),
    },
    Peer {
        name: "Newton VBD, 10 substeps of 10 iterations",
        slow: true,
        program: PeerProgram::Python(NEWTON, "10"),
    },
    Peer {
        name: "pypbd XPBD, 50 substeps",
        slow: false,
        program: PeerProgram::Python(PYPBD, "50"),
    },
];

/// A motion of a bar.
#[derive(Debug, Clone, Copy)]
pub(in crate::bench) enum PeerMotion {
    /// A clamped bar under gravity: the height of its end, in m.
    Swing,
    /// The same bar with velocities that are damped at this rate, in 1/s.
    Rest { damping: f64 },
    /// A free bar at this number of revolutions per second: its angular momentum, in N·m·s, and its length, in m.
    Spin { rate: f64 },
}

impl PeerMotion {
    /// The arguments of a program that name it.
    fn words(self) -> Vec<String> {
        match self {
            Self::Swing => vec!["swing".to_owned()],
            Self::Rest { damping } => vec!["rest".to_owned(), damping.to_string()],
            Self::Spin { rate } => vec!["spin".to_owned(), rate.to_string()],
        }
    }

    /// The number of values of a frame.
    const fn width(self) -> usize {
        match self {
            Self::Swing | Self::Rest { .. } => 1,
            Self::Spin { .. } => 2,
        }
    }
}

/// The motion that a program has printed.
#[derive(Debug)]
pub(in crate::bench) struct PeerRows {
    /// The values of each row: the start, then every frame.
    pub(in crate::bench) rows: Vec<Vec<f64>>,
    /// Processor time of a frame, in ms.
    pub(in crate::bench) ms: f64,
}

impl Peer {
    /// Runs a bar with linear tetrahedra, five for each of the boxes along and across. Returns its motion, or the reason why it is
    /// not measured.
    pub(in crate::bench) fn run(
        &self,
        motion: PeerMotion,
        [along, across]: [usize; 2],
        seconds: f64,
    ) -> Result<PeerRows, String> {
        let numbers = [along.to_string(), across.to_string(), seconds.to_string()];
        let words = [motion.words(), numbers.into()].concat();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let text = match self.program {
            PeerProgram::Rapier(settings) => {
                let arguments = [&["motion", settings], &words[..]].concat();
                rapier_output(&arguments)?
            }
            PeerProgram::Python(script, substeps) => {
                let arguments = [&["-", substeps], &words[..]].concat();
                let hint = "a Python that has this engine (docs/validation.md)";
                process::output(PYTHON, hint, &arguments, &format!("{BARS}\n{script}"), LIMIT)?
            }
        };
        printed(&text, motion.width())
    }
}

/// What the program in `peers/` prints for these arguments, or in words why there is nothing.
pub(in crate::bench) fn rapier_output(arguments: &[&str]) -> Result<String, String> {
    let hint = "the program that `cargo build --release --manifest-path peers/Cargo.toml` makes";
    process::output(RAPIER, hint, arguments, "", LIMIT)
}

/// Runs a mesher of the script with these arguments: its name, a surface, an edge length and a file for the cells. Returns its processor
/// time in s, or the reason why there is no mesh.
pub(in crate::bench) fn run_mesher(arguments: &[&str]) -> Result<f64, String> {
    let hint = "a Python that has this mesher (docs/speed.md)";
    let arguments = [&["-"], arguments].concat();
    let text = process::output(PYTHON, hint, &arguments, MESHERS, LIMIT)?;
    let seconds = text.lines().rev().find_map(|line| line.strip_prefix("seconds ")?.parse().ok());
    seconds.ok_or_else(|| "it printed no time".to_owned())
}

/// Reads the rows and the time; an engine may print lines of its own.
fn printed(text: &str, width: usize) -> Result<PeerRows, String> {
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
    Ok(PeerRows { rows, ms: ms.ok_or("it printed no time")? })
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
