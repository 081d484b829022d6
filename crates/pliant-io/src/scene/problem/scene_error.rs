//! The error of an invalid scene: every problem and its position in the text.

use std::error::Error;
use std::fmt;
use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Level, Renderer, Snippet};

use super::problem::Problem;

/// Maximum number of problems shown; the rest are only counted.
const MAX_SHOWN: usize = 20;

/// An invalid scene.
///
/// Displaying it shows each problem with its line:
///
/// ```
/// use pliant_io::scene::Scene;
///
/// let error = Scene::parse("soft.toml", "version = 1\n[world]\ndt = 0.0\n").unwrap_err();
/// let shown = error.to_string();
/// assert!(shown.contains("`dt` is 0, expected"));
/// assert!(shown.contains("soft.toml:3:6"));
/// ```
#[derive(Debug)]
pub struct SceneError {
    origin: String,
    text: String,
    problems: Vec<Problem>,
}

impl SceneError {
    /// Creates the error from all `problems` of the scene `text`; `origin` is its path or name.
    pub(crate) fn new(origin: &str, text: &str, mut problems: Vec<Problem>) -> Self {
        problems.sort_by_key(|problem| (problem.span.start, problem.span.end));
        for problem in &mut problems {
            problem.span = clipped_to_line(text, &problem.span);
        }
        Self { origin: origin.to_owned(), text: text.to_owned(), problems }
    }

    /// The problems, in text order.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Line and column of a problem, both counted from 1.
    pub fn place(&self, problem: &Problem) -> (usize, usize) {
        let before = &self.text[..problem.span.start];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }

    /// Formats the problems with their lines; `coloured` adds escape codes for colour.
    pub fn render(&self, coloured: bool) -> String {
        let renderer = if coloured { Renderer::styled() } else { Renderer::plain() };
        let first = self.problems.iter().take(MAX_SHOWN);
        let mut shown: Vec<String> =
            first.map(|problem| self.render_one(problem, &renderer)).collect();
        if let Some(more) = self.problems.len().checked_sub(MAX_SHOWN + 1) {
            shown.push(format!("and {} more", more + 1));
        }
        shown.join("\n\n")
    }

    fn render_one(&self, problem: &Problem, renderer: &Renderer) -> String {
        let title = Level::ERROR.primary_title(problem.fault.to_string());
        let mut group = title.element(self.snippet(problem));
        if let Some(help) = problem.fault.help() {
            group = group.element(Level::HELP.message(help));
        }
        renderer.render(&[group])
    }

    fn snippet<'a>(&'a self, problem: &Problem) -> Snippet<'a, Annotation<'a>> {
        let annotation = AnnotationKind::Primary.span(problem.span.clone());
        let annotation = annotation.label(problem.fault.label());
        Snippet::source(self.text.as_str()).path(self.origin.as_str()).annotation(annotation)
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl Error for SceneError {}

/// Clips `span` to its first line and to character boundaries, so that any span can be shown.
fn clipped_to_line(text: &str, span: &Range<usize>) -> Range<usize> {
    let start = floor_char_boundary(text, span.start);
    let end = floor_char_boundary(text, span.end).max(start);
    let line_end = text[start..end].find('\n').map_or(end, |newline| start + newline);
    start..line_end
}

fn floor_char_boundary(text: &str, index: usize) -> usize {
    let index = index.min(text.len());
    (0..=index).rev().find(|candidate| text.is_char_boundary(*candidate)).unwrap_or(0)
}
