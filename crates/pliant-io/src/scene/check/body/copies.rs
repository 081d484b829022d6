//! Checks and expands copies of a body.

use glam::DVec3;
use pliant::geometry::Pose;
use toml::Spanned;

use crate::scene::check::problems::Problems;
use crate::scene::file::body::CopiesFile;
use crate::scene::plan::body::BodyPlan;
use crate::scene::plan::copies::{CopiesPlan, Copy};
use crate::scene::problem::fault::Fault;

/// Maximum number of copies of one body.
const MAX_COPIES: i64 = 100_000;

/// Checks `copies = { … }`.
pub(crate) fn copies(file: &Spanned<CopiesFile>, problems: &mut Problems) -> Option<CopiesPlan> {
    let CopiesFile { count, step, jitter, turn, seed } = file.get_ref();
    let product = count.get_ref().iter().try_fold(1i64, |product, n| product.checked_mul(*n));
    let fits = count.get_ref().iter().all(|n| *n >= 1)
        && product.is_some_and(|product| product <= MAX_COPIES);
    if !fits {
        let value = count.get_ref().map(|n| n as f64);
        let expected = "three whole numbers of at least 1 with a product of at most 100000";
        let fault = Fault::BadTriple { key: "count", value, expected };
        problems.add(count.span(), fault);
        return None;
    }
    let step: DVec3 = problems.position("step", step)?;
    let share = "a number from 0 to 1, as a fraction of `step`";
    let jitter = jitter.as_ref().map_or(Some(0.0), |jitter| {
        problems.number("jitter", jitter, share, |share| (0.0..=1.0).contains(&share))
    })?;
    let (turn, seed) = (turn.unwrap_or(false), seed.unwrap_or(0) as u64);
    Some(CopiesPlan { count: count.get_ref().map(|n| n as u32), step, jitter, turn, seed })
}

/// Returns the copies of a body, with numbered names; `first` is its index in the scene.
pub(crate) fn expanded(plan: BodyPlan, copies: &CopiesPlan, first: usize) -> Vec<BodyPlan> {
    let about = plan.world_from_mesh.translation;
    let poses = copies.poses(about);
    let copy = |(index, pose): (usize, Pose)| BodyPlan {
        name: format!("{}-{}", plan.name, index + 1),
        copy: Some(Copy { of: first, pose }),
        ..plan.clone()
    };
    poses.into_iter().enumerate().map(copy).collect()
}
