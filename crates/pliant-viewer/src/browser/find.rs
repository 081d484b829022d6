//! Finds an installed browser.

use std::env;
use std::path::PathBuf;

use super::BrowserError;

/// Names of browsers that support the DevTools protocol.
const NAMES: [&str; 6] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
];

/// Usual paths of browsers outside `PATH`.
const KNOWN_PATHS: [&str; 4] = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
];

/// Returns the browser named by `PLIANT_BROWSER`, or the first installed one.
///
/// # Errors
///
/// No browser is found.
pub fn find() -> Result<PathBuf, BrowserError> {
    if let Some(path) = env::var_os("PLIANT_BROWSER") {
        return Some(PathBuf::from(path))
            .filter(|path| path.is_file())
            .ok_or(BrowserError::NotFound);
    }
    let folders: Vec<PathBuf> = env::var_os("PATH").iter().flat_map(env::split_paths).collect();
    let in_path = NAMES.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    let mut places = in_path.chain(KNOWN_PATHS.map(PathBuf::from));
    places.find(|path| path.is_file()).ok_or(BrowserError::NotFound)
}
