//! Progress bars, on standard error and only if it is a terminal.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar of this length; `template` is what stands around it.
pub(crate) fn bar(length: u64, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template);
    ProgressBar::new(length).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
