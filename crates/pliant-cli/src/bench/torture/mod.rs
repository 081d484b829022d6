//! Hard scenes against bars: `pliant bench torture`.
//!
//! Every scene runs under several steppers, contact levels and time steps. A run is measured step by step (`figures.rs`) and compared with
//! the bars of its scene (`bars.rs`). `docs/torture.md` defines all figures.

mod bad_input;
mod barrier;
mod bars;
mod breaking;
mod bullets;
mod case;
mod energy_ledger;
mod engine;
mod figures;
mod overlaps;
mod piles;
mod pyramids;
mod queue;
mod rapier;
mod ratios;
mod run;
mod sample;
mod scene_files;
mod scene_text;
mod slender;
mod stacks;
mod strains;
mod table;
mod verdict;
mod watch;

use anyhow::Result;

use super::Progress;
use crate::args::BenchArgs;
use crate::failure::BadInput;
use crate::terminal::print;
use case::Case;
use engine::Job;
use verdict::Verdict;

/// All scenes, by group.
fn cases() -> Vec<Case> {
    [
        pyramids::cases(),
        stacks::cases(),
        ratios::cases(),
        overlaps::cases(),
        bullets::cases(),
        piles::cases(),
        strains::cases(),
        slender::cases(),
        breaking::cases(),
        bad_input::cases(),
    ]
    .concat()
}

/// Runs all scenes, or those that the arguments select, and prints a row for each run.
pub(super) fn table(args: &BenchArgs, progress: Progress<'_>) -> Result<()> {
    let cases = cases();
    let jobs: Vec<Job<'_>> =
        cases.iter().flat_map(Case::jobs).filter(|job| is_asked(job, args)).collect();
    if jobs.is_empty() {
        let only = args.only.as_deref().unwrap_or_default();
        let text = format!("no row of the benchmark `torture` contains all words of `{only}`");
        return Err(BadInput(text).into());
    }
    if let Some(folder) = &args.write {
        return scene_files::write(&jobs, folder);
    }
    print(&table::head(&cases))?;
    let mut verdict = Verdict::default();
    queue::run_in_order(&jobs, progress, |job, outcome| {
        verdict.add(job, &outcome);
        print(&table::row(job, &outcome))
    })?;
    print(&verdict.text())
}

/// True if a run has all words of `--only` in its name and, with `--short`, is one of the quick ones.
fn is_asked(job: &Job<'_>, args: &BenchArgs) -> bool {
    let name = job.name();
    let words = args.only.as_deref().unwrap_or_default();
    let has_all = words.split([' ', ',']).all(|word| name.contains(word));
    has_all && (!args.short || job.is_short())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use pliant_io::scene::Scene;

    use super::*;

    /// There are at least 40 scenes with different names, and every run has a scene file that can be built.
    #[test]
    fn every_scene_can_be_built() {
        let cases = cases();
        let names: BTreeSet<&str> = cases.iter().map(|case| case.name.as_str()).collect();
        assert!(names.len() >= 40 && names.len() == cases.len(), "{} names", names.len());
        for job in cases.iter().flat_map(Case::jobs) {
            let built = Scene::parse(&job.case.name, &job.scene_text())
                .and_then(|scene| scene.build(Path::new(".")));
            assert!(built.is_ok(), "{}: {:?}", job.name(), built.err());
        }
    }
}
