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
    /// It answers with an error.
    #[error("the browser failed at {method}: {reason}")]
    Call {
        /// What it was asked.
        method: String,
        /// What it said.
        reason: String,
    },
    /// It takes too long.
    #[error(
        "the browser was not done with {what} after {seconds} s: without a graphics card it draws slowly; ask for a smaller picture (--size), or try again when the machine has less to do{complaints}"
    )]
    Slow {
        /// What it was asked for.
        what: String,
        /// How long that was waited for.
        seconds: u64,
        /// What the page complained of meanwhile; may be empty.
        complaints: String,
    },
}

impl BrowserError {
    pub(crate) fn call(method: &str, reason: impl Into<String>) -> Self {
        Self::Call { method: method.to_owned(), reason: reason.into() }
    }
}
