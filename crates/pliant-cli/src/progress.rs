//! Progress, on standard error; bars only if it is a terminal.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// A bar of this length; `template` is what stands around it.
pub(crate) fn bar(length: u64, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template);
    ProgressBar::new(length).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// A line that tells what is being done, for work of unknown length.
pub(crate) fn spinner() -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {elapsed} {msg}");
    let bar = ProgressBar::new_spinner();
    bar.enable_steady_tick(Duration::from_millis(120));
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
}

/// How far a slow work is: a line that changes in a terminal, and elsewhere a line now and then, so that a log shows it too.
#[derive(Debug)]
pub(crate) struct Progress {
    line: ProgressBar,
    next: Instant,
}

impl Progress {
    /// Time from one line to the next where there is no terminal.
    const PAUSE: Duration = Duration::from_secs(5);

    /// Begins, with what is done first.
    pub(crate) fn start(text: &str) -> Self {
        let mut progress = Self { line: spinner(), next: Instant::now() };
        progress.tell(text);
        progress
    }

    /// Tells what is being done now.
    pub(crate) fn tell(&mut self, text: &str) {
        self.line.set_message(text.to_owned());
        if self.line.is_hidden() && Instant::now() >= self.next {
            self.next = Instant::now() + Self::PAUSE;
            eprintln!("{text}");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.line.finish_and_clear();
    }
}
