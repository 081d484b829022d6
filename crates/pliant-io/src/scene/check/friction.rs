//! Checks of friction between two bodies, materials or obstacles.

use super::problems::Problems;
use crate::scene::file::attachment::FrictionFile;
use crate::scene::file::body::BodyFile;
use crate::scene::file::material::MaterialValue;
use crate::scene::file::scene::SceneFile;
use crate::scene::plan::obstacle::FrictionPlan;
use crate::scene::problem::fault::Fault;
use crate::scene::read::value::Word;

/// The names that friction may refer to, and the material number of each. Each body has its own number, shared with
/// its copies, and so has each obstacle.
#[derive(Debug, Default)]
pub(crate) struct FrictionNames {
    names: Vec<(String, u32)>,
}

/// Returns the material number of the body with this index.
pub(crate) fn body_material(body: usize) -> u32 {
    2 * body as u32 + 1
}

/// Returns the material number of the obstacle with this index.
pub(crate) fn obstacle_material(obstacle: usize) -> u32 {
    2 * obstacle as u32 + 2
}

impl FrictionNames {
    /// Collects the names of a scene.
    pub(crate) fn of(file: &SceneFile) -> Self {
        let mut names = Vec::new();
        for (index, body) in file.body.iter().enumerate() {
            let all = body_names(body.get_ref());
            names.extend(all.into_iter().map(|name| (name, body_material(index))));
        }
        for (index, obstacle) in file.obstacle.iter().enumerate() {
            let name = obstacle.get_ref().material.as_ref().map(|word| word.get_ref().clone());
            names.extend(name.map(|name| (name, obstacle_material(index))));
        }
        Self { names }
    }

    fn numbers(&self, word: &Word, problems: &mut Problems) -> Option<Vec<u32>> {
        let name = word.get_ref();
        let numbers: Vec<u32> =
            self.names.iter().filter(|(known, _)| known == name).map(|(_, k)| *k).collect();
        if numbers.is_empty() {
            let mut known: Vec<String> = self.names.iter().map(|(name, _)| name.clone()).collect();
            known.sort_unstable();
            known.dedup();
            let (what, name) = ("body or material", name.clone());
            problems.add(word.span(), Fault::UnknownName { what, name, known });
            return None;
        }
        Some(numbers)
    }

    /// Checks `[[friction]]`; returns every pair of materials that the two names refer to.
    pub(crate) fn friction(
        &self,
        file: &FrictionFile,
        problems: &mut Problems,
    ) -> Option<Vec<FrictionPlan>> {
        let FrictionFile { between, coefficient } = file;
        let rough = |value: f64| (0.0..=100.0).contains(&value);
        let expected = "a number from 0 to 100";
        let coefficient = problems.number("coefficient", coefficient, expected, rough);
        let [first, second] = [&between[0], &between[1]].map(|word| self.numbers(word, problems));
        let (first, second, coefficient) = (first?, second?, coefficient?);
        let pairs = first.iter().flat_map(|a| second.iter().map(move |b| [*a, *b]));
        Some(pairs.map(|materials| FrictionPlan { materials, coefficient }).collect())
    }
}

/// Returns the names of a body, of its preset, and of the material in its `contact` table.
fn body_names(file: &BodyFile) -> Vec<String> {
    let preset = file.material.as_ref().and_then(|material| match material.get_ref() {
        MaterialValue::Preset(name) => Some(name.clone()),
        MaterialValue::Table(table) => table.preset.as_ref().map(|word| word.get_ref().clone()),
    });
    let touch = file.contact.as_ref().and_then(|contact| contact.get_ref().material.as_ref());
    let touch = touch.map(|word| word.get_ref().clone());
    [Some(file.name.get_ref().clone()), preset, touch].into_iter().flatten().collect()
}
