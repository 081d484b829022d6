//! Progress bars, on standard error and only if it is a terminal.

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
    bar.enable_steady_tick(std::time::Duration::from_millis(120));
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
}
