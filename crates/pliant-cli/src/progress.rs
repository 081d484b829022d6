//! Progress on standard error; bars only if it is a terminal.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// A progress bar of `length` steps; `template` is the text around it.
pub(crate) fn bar(length: u64, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template);
    ProgressBar::new(length).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// A spinner with a message, for work of unknown length.
pub(crate) fn spinner() -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {elapsed} {msg}");
    let bar = ProgressBar::new_spinner();
    bar.enable_steady_tick(Duration::from_millis(120));
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
}

/// Progress of slow work: a changing line in a terminal, otherwise a new line every few seconds, so that a log shows it
/// too.
#[derive(Debug)]
pub(crate) struct Progress {
    line: ProgressBar,
    next: Instant,
}

impl Progress {
    /// Time between two lines if there is no terminal.
    const LINE_INTERVAL: Duration = Duration::from_secs(5);

    /// Starts with the message of the first task.
    pub(crate) fn start(text: &str) -> Self {
        let mut progress = Self { line: spinner(), next: Instant::now() };
        progress.update(text);
        progress
    }

    /// Shows the message of the current task.
    pub(crate) fn update(&mut self, text: &str) {
        self.line.set_message(text.to_owned());
        if self.line.is_hidden() && Instant::now() >= self.next {
            self.next = Instant::now() + Self::LINE_INTERVAL;
            eprintln!("{text}");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.line.finish_and_clear();
    }
}
