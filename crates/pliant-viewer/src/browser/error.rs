//! Errors of a browser.

/// An error of a browser.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BrowserError {
    /// No browser is installed.
    #[error(
        "no Chromium or Chrome was found; install one (on Debian and Ubuntu `apt-get install chromium`), or name it in PLIANT_BROWSER"
    )]
    NotFound,
    /// The browser does not start.
    #[error("{path} does not start: {reason}")]
    Launch {
        /// The program.
        path: String,
        /// The reason.
        reason: String,
    },
    /// The browser answers with an error.
    #[error("the browser failed at {method}: {reason}")]
    Call {
        /// The called method.
        method: String,
        /// The error message.
        reason: String,
    },
    /// The browser takes too long.
    #[error(
        "the browser did not finish {what} within {seconds} s: without a graphics card it draws slowly; choose a smaller picture (--size), or try again when the machine is less busy{page_errors}"
    )]
    Timeout {
        /// The task.
        what: String,
        /// The waiting time, in s.
        seconds: u64,
        /// Errors of the page so far; may be empty.
        page_errors: String,
    },
}

impl BrowserError {
    pub(crate) fn call(method: &str, reason: impl Into<String>) -> Self {
        Self::Call { method: method.to_owned(), reason: reason.into() }
    }
}
