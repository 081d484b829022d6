//! The folder in which `pliant view` saves its sessions.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// Number of saved sessions; older ones are deleted.
const MAX_SESSIONS: usize = 10;

/// The folder for sessions, below the system's folder for application state. `PLIANT_SESSIONS` overrides it.
pub(crate) fn folder() -> Option<PathBuf> {
    let of =
        |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    if let Some(folder) = of("PLIANT_SESSIONS") {
        return Some(folder);
    }
    let state = if cfg!(windows) {
        of("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        of("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        of("XDG_STATE_HOME").or_else(|| of("HOME").map(|home| home.join(".local/state")))
    };
    Some(state?.join("pliant").join("sessions"))
}

/// Returns the file name for a new session, and deletes the oldest saved ones.
pub(crate) fn new_session_path(scene: &str) -> Option<PathBuf> {
    let folder = folder()?;
    for old in saved_sessions(&folder).into_iter().skip(MAX_SESSIONS - 1) {
        let _ = std::fs::remove_file(old);
    }
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let name: String = scene.chars().map(plain).take(60).collect();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    Some(folder.join(format!("{now}-{}-{name}.session", std::process::id())))
}

/// The session that was saved last.
pub(crate) fn newest() -> Option<PathBuf> {
    saved_sessions(&folder()?).into_iter().next()
}

/// All saved sessions, the newest first.
fn saved_sessions(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|file| file.path());
    let sessions = files.filter(|path| path.extension() == Some("session".as_ref()));
    let written = |path: &PathBuf| path.metadata().and_then(|data| data.modified()).ok();
    let mut dated: Vec<_> = sessions.filter_map(|path| Some((written(&path)?, path))).collect();
    dated.sort_by(|a, b| b.cmp(a));
    dated.into_iter().map(|(_, path)| path).collect()
}
