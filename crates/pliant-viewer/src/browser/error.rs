//! What can go wrong with a browser.

/// A browser that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BrowserError {
    /// There is none.
    #[error(
        "no Chromium or Chrome was found; install one (on Debian and Ubuntu `apt-get install chromium`), or name it in PLIANT_BROWSER"
    )]
    NotFound,
    /// It does not start.
    #[error("{path} does not start: {reason}")]
    Launch {
        /// The program.
        path: String,
        /// Why.
        reason: String,
    },
    /// It does not answer, or with an error.
    #[error("the browser failed at {method}: {reason}")]
    Call {
        /// What it was asked.
        method: String,
        /// What it said.
        reason: String,
    },
}
