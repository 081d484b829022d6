//! Collects all problems of a scene instead of stopping at the first.

use std::collections::BTreeSet;
use std::ops::Range;

use glam::DVec3;
use toml::Spanned;

use crate::scene::plan::shape::MAX_NODES;
use crate::scene::problem::fault::Fault;
use crate::scene::problem::problem::Problem;
use crate::scene::read::value::{Number, Triple, Word};

/// The problems found so far.
#[derive(Debug, Default)]
pub(crate) struct Problems {
    list: Vec<Problem>,
    /// Number of nodes of the generated meshes so far.
    nodes: f64,
}

impl Problems {
    /// Adds a fault at a position of the text.
    pub(crate) fn add(&mut self, span: Range<usize>, fault: Fault) {
        self.list.push(Problem { fault, span });
    }

    /// Returns the value of a result, or adds its fault at a position of the text.
    pub(crate) fn ok<T>(&mut self, result: Result<T, Fault>, span: &Range<usize>) -> Option<T> {
        result.map_err(|fault| self.add(span.clone(), fault)).ok()
    }

    /// Number of problems so far.
    pub(crate) fn count(&self) -> usize {
        self.list.len()
    }

    /// Returns all problems.
    pub(crate) fn into_list(self) -> Vec<Problem> {
        self.list
    }

    /// Counts `nodes` more nodes; adds a fault and returns false if the scene then has too many.
    pub(crate) fn add_nodes(&mut self, span: Range<usize>, nodes: f64) -> bool {
        self.nodes += nodes;
        let (nodes, fits) = (self.nodes, self.nodes <= MAX_NODES);
        if !fits {
            self.add(span, Fault::TooLarge { nodes, max: MAX_NODES });
        }
        fits
    }

    /// Returns the number if it is finite and `fits`; otherwise adds a fault with the text `expected`.
    pub(crate) fn number(
        &mut self,
        key: &'static str,
        number: &Number,
        expected: &'static str,
        fits: impl Fn(f64) -> bool,
    ) -> Option<f64> {
        let value = *number.get_ref();
        if value.is_finite() && fits(value) {
            return Some(value);
        }
        self.add(number.span(), Fault::OutOfRange { key, value, expected });
        None
    }

    /// Returns the number if it is finite and positive.
    pub(crate) fn positive(&mut self, key: &'static str, number: &Number) -> Option<f64> {
        self.number(key, number, "a finite number above 0", |value| value > 0.0)
    }

    /// Returns the whole number if it is in `range`.
    pub(crate) fn whole(
        &mut self,
        key: &'static str,
        number: &Spanned<i64>,
        range: Range<i64>,
        expected: &'static str,
    ) -> Option<u32> {
        let value = *number.get_ref();
        if range.contains(&value) {
            return u32::try_from(value).ok();
        }
        self.add(number.span(), Fault::OutOfRange { key, value: value as f64, expected });
        None
    }

    /// Returns the number if it is given and positive, or `default`.
    pub(crate) fn positive_or(
        &mut self,
        key: &'static str,
        number: &Option<Number>,
        default: f64,
    ) -> Option<f64> {
        number.as_ref().map_or(Some(default), |number| self.positive(key, number))
    }

    /// Returns the number of cells if it is given and in range, or `default`.
    pub(crate) fn count_or(
        &mut self,
        key: &'static str,
        number: &Option<Spanned<i64>>,
        default: usize,
    ) -> Option<usize> {
        let expected = "a whole number from 1 to 1000000000";
        number.as_ref().map_or(Some(default), |number| {
            self.whole(key, number, 1..1_000_000_001, expected).map(|count| count as usize)
        })
    }

    /// Returns the triple if it is given and finite, or `default`.
    pub(crate) fn triple_or(
        &mut self,
        key: &'static str,
        triple: &Option<Triple>,
        default: [f64; 3],
    ) -> Option<[f64; 3]> {
        triple.as_ref().map_or(Some(default), |triple| {
            self.triple(key, triple).map(|vector| vector.to_array())
        })
    }

    /// Returns the triple if its components are finite.
    pub(crate) fn triple(&mut self, key: &'static str, triple: &Triple) -> Option<DVec3> {
        self.triple_where(key, triple, "three finite numbers", |_| true)
    }

    /// Returns the triple if its components are finite and it `fits`.
    pub(crate) fn triple_where(
        &mut self,
        key: &'static str,
        triple: &Triple,
        expected: &'static str,
        fits: impl Fn(DVec3) -> bool,
    ) -> Option<DVec3> {
        let value = *triple.get_ref();
        let vector = DVec3::from(value);
        if vector.is_finite() && fits(vector) {
            return Some(vector);
        }
        self.add(triple.span(), Fault::BadTriple { key, value, expected });
        None
    }

    /// Returns the triple if it is a valid position: finite and at most 1e9 m per component.
    pub(crate) fn position(&mut self, key: &'static str, triple: &Triple) -> Option<DVec3> {
        let expected = "three finite numbers of at most 1e9 m";
        self.triple_where(key, triple, expected, |x| x.abs().max_element() <= 1e9)
    }

    /// Returns the triple if it is a valid velocity: finite and below the speed of light per component.
    pub(crate) fn velocity(&mut self, triple: &Triple) -> Option<DVec3> {
        let expected = "three finite numbers below the speed of light, 3e8 m/s";
        self.triple_where("velocity", triple, expected, |v| v.abs().max_element() < 3e8)
    }

    /// Returns the triple if it is a valid angular velocity: finite and at most 1e9 rad/s per component.
    pub(crate) fn spin(&mut self, triple: &Triple) -> Option<DVec3> {
        let expected = "three finite numbers of at most 1e9 rad/s";
        self.triple_where("spin", triple, expected, |spin| spin.abs().max_element() <= 1e9)
    }

    /// Returns the unit vector along the triple.
    pub(crate) fn direction(&mut self, key: &'static str, triple: &Triple) -> Option<DVec3> {
        let expected = "three finite numbers, not all zero";
        let vector = self.triple_where(key, triple, expected, |v| v != DVec3::ZERO)?;
        // Scale first: the square of a very long or short vector is infinite or zero.
        (vector / vector.abs().max_element()).try_normalize()
    }

    /// Returns the value of the word in `choices`.
    pub(crate) fn choice<T: Copy>(
        &mut self,
        what: &'static str,
        word: &Word,
        choices: &[(&str, T)],
    ) -> Option<T> {
        let name = word.get_ref();
        if let Some((_, choice)) = choices.iter().find(|(known, _)| known == name) {
            return Some(*choice);
        }
        let known = choices.iter().map(|(known, _)| (*known).to_owned()).collect();
        self.add(word.span(), Fault::UnknownName { what, name: name.clone(), known });
        None
    }

    /// Adds a fault for each name that repeats or that is invalid in a file name.
    pub(crate) fn names<'a>(&mut self, what: &'static str, words: impl Iterator<Item = &'a Word>) {
        let mut seen = BTreeSet::new();
        for word in words {
            let name = word.get_ref();
            if !is_valid_name(name) {
                self.add(word.span(), Fault::BadName { what, name: name.clone() });
            } else if !seen.insert(name.clone()) {
                self.add(word.span(), Fault::Duplicate { what, name: name.clone() });
            }
        }
    }
}

/// Returns true if a name is valid in a table, a file name and a command line.
fn is_valid_name(name: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ' ');
    !name.trim().is_empty() && name.chars().count() <= 64 && name.chars().all(plain)
}
