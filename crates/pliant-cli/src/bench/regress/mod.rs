//! Two builds of `pliant`, run in turn on the same scenes.

mod program;
mod ratio;

use anyhow::Result;

use super::Progress;
use crate::args::BenchArgs;
use crate::failure::BadInput;
use crate::terminal::print;
use program::{Outcome, Program};
use ratio::Ratio;

/// The default scenes with their numbers of frames: about a second each.
const SCENES: [(&str, u64); 9] = [
    ("default", 120),
    ("gallery/twist", 480),
    ("gallery/mixed-materials", 240),
    ("bargteil/hanging-bar-quadratic", 480),
    ("nesme/ears", 120),
    ("mezger/wind", 60),
    ("contact/jellies", 90),
    ("parker/glass-cell", 60),
    ("saillant/torsion-p2", 120),
];

/// Number of frames of other scenes.
const FRAMES: u64 = 120;

/// Default number of pairs of runs of a scene.
const ROUNDS: u32 = 8;

/// Measures every scene with both programs, and prints its row.
pub(super) fn table(args: &BenchArgs, progress: Progress<'_>) -> Result<()> {
    let programs = programs(args)?;
    let scenes = scenes(args);
    progress("a first frame of every scene");
    check(&programs, &scenes)?;
    let rounds = args.rounds.unwrap_or(ROUNDS);
    print(&head(&programs, rounds))?;
    let mut slower = Vec::new();
    for (scene, frames) in scenes {
        let comparison = Comparison::run(&programs, &scene, frames, rounds, progress)?;
        print(&comparison.row(&scene))?;
        let ratio = comparison.ratio();
        slower.extend(ratio.is_slower().then_some((scene, ratio)));
    }
    print(&verdict(&slower))
}

/// The programs that the arguments name.
fn programs(args: &BenchArgs) -> Result<[Program; 2]> {
    let [old, new] = &args.programs[..] else {
        let text = "`regress` compares two builds of pliant: pliant bench regress OLD NEW, with the paths of both, \
                    such as old/pliant and target/release/pliant";
        return Err(BadInput(text.to_owned()).into());
    };
    Ok([
        Program::find(old.clone()).map_err(BadInput)?,
        Program::find(new.clone()).map_err(BadInput)?,
    ])
}

/// The scenes that the arguments name, with their numbers of frames.
fn scenes(args: &BenchArgs) -> Vec<(String, u64)> {
    if args.scenes.is_empty() {
        return SCENES.map(|(scene, frames)| (scene.to_owned(), frames)).into();
    }
    let frames = |name: &str| {
        SCENES.iter().find(|(scene, _)| *scene == name).map_or(FRAMES, |scene| scene.1)
    };
    args.scenes.iter().map(|scene| (scene.clone(), frames(scene))).collect()
}

/// Runs a frame of every scene, so that errors appear before the measurements.
fn check(programs: &[Program; 2], scenes: &[(String, u64)]) -> Result<()> {
    for (scene, _) in scenes {
        for program in programs {
            program.run(scene, 1).map_err(|reason| BadInput(without(&reason, scene, scenes)))?;
        }
    }
    Ok(())
}

/// The reason, and how to run the other scenes.
fn without(reason: &str, scene: &str, scenes: &[(String, u64)]) -> String {
    let others: Vec<&str> =
        scenes.iter().map(|(name, _)| name.as_str()).filter(|name| *name != scene).collect();
    match &others[..] {
        [] => {
            format!("{reason}; choose scenes that both programs know (`pliant scenes` lists them)")
        }
        others => format!("{reason}; without it: --scenes {}", others.join(",")),
    }
}

fn head([old, new]: &[Program; 2], rounds: u32) -> String {
    format!(
        "Old: `{}` ({}). New: `{}` ({}). Each scene runs {rounds} times with both, in turn (old new, new old, ...). Times are in \
         ms a frame. The ratio is the geometric mean of new/old over the pairs, with its interval of 95 %; p99 is the \
         median of the runs. \"Same\" means that the last states are equal in every bit.\n\n\
         | scene | old | new | new/old | 95 % | old p99 | new p99 | same |\n\
         |---|---|---|---|---|---|---|---|\n",
        old.name(),
        old.version,
        new.name(),
        new.version,
    )
}

/// The runs of a scene, in pairs of old and new.
struct Comparison(Vec<[Outcome; 2]>);

impl Comparison {
    /// Runs both programs in turn; the second of a pair is the first of the next one, so that a slow drift of the machine cancels.
    fn run(
        programs: &[Program; 2],
        scene: &str,
        frames: u64,
        rounds: u32,
        progress: Progress<'_>,
    ) -> Result<Self> {
        let [old, new] = programs;
        let mut pairs = Vec::new();
        for round in 0..rounds {
            progress(&format!("{scene}, round {} of {rounds}", round + 1));
            let run = |program: &Program| program.run(scene, frames).map_err(anyhow::Error::msg);
            pairs.push(if round % 2 == 0 {
                let first = run(old)?;
                [first, run(new)?]
            } else {
                let first = run(new)?;
                [run(old)?, first]
            });
        }
        Ok(Self(pairs))
    }

    fn ratio(&self) -> Ratio {
        let means: Vec<[f64; 2]> = self.0.iter().map(|[old, new]| [old.mean, new.mean]).collect();
        Ratio::of(&means)
    }

    fn row(&self, scene: &str) -> String {
        let Ratio { mean, low, high } = self.ratio();
        let time = |side: usize| {
            self.0.iter().map(|pair| pair[side].mean).sum::<f64>() / self.0.len() as f64
        };
        let p99 = |side: usize| median(self.0.iter().map(|pair| pair[side].p99).collect());
        let same = self.0.iter().all(|[old, new]| old.state == new.state);
        format!(
            "| {scene} | {:.3} | {:.3} | {mean:.3} | {low:.3} to {high:.3} | {:.3} | {:.3} | {} |\n",
            time(0),
            time(1),
            p99(0),
            p99(1),
            if same { "yes" } else { "no" },
        )
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let half = values.len() / 2;
    0.5 * (values[half] + values[(values.len() - 1) / 2])
}

/// The last line: scenes that became slower.
fn verdict(slower: &[(String, Ratio)]) -> String {
    if slower.is_empty() {
        return "\nNo scene is slower: no ratio is above 1.05 with its whole interval above 1.\n"
            .to_owned();
    }
    let names: Vec<String> =
        slower.iter().map(|(scene, ratio)| format!("{scene} ({:.2})", ratio.mean)).collect();
    format!("\nSlower (ratio above 1.05, whole interval above 1): {}.\n", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(mean: f64, state: &str) -> Outcome {
        Outcome { mean, p99: 2.0 * mean, state: state.to_owned() }
    }

    /// A row has as many cells as the head, with means, ratio, interval, p99 and equality.
    #[test]
    fn a_row_has_the_cells_of_the_head() {
        let pairs =
            vec![[outcome(1.0, "a"), outcome(1.5, "a")], [outcome(3.0, "a"), outcome(4.5, "a")]];
        let same = Comparison(pairs);
        assert_eq!(
            same.row("default"),
            "| default | 2.000 | 3.000 | 1.500 | 1.500 to 1.500 | 4.000 | 6.000 | yes |\n"
        );
        let different = Comparison(vec![
            [outcome(1.0, "a"), outcome(1.0, "b")],
            [outcome(1.0, "a"), outcome(1.0, "a")],
        ]);
        assert!(different.row("default").ends_with("| no |\n"));
    }

    /// The last line names slower scenes with their ratios.
    #[test]
    fn the_last_line_names_slower_scenes() {
        assert!(verdict(&[]).contains("No scene is slower"));
        let ratio = Ratio { mean: 1.234, low: 1.1, high: 1.4 };
        assert!(verdict(&[("gallery/twist".to_owned(), ratio)]).contains("gallery/twist (1.23)."));
    }

    /// A scene that one program does not know is told with the option that leaves it out.
    #[test]
    fn an_unknown_scene_is_told_with_the_others() {
        let scenes = ["a", "b", "c"].map(|name| (name.to_owned(), 1));
        assert_eq!(without("no", "b", &scenes), "no; without it: --scenes a,c");
        assert!(without("no", "b", &scenes[1..2]).contains("pliant scenes"));
    }
}
