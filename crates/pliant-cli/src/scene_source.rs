//! Finds a scene by path or name.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use pliant_io::scene::{BuiltScene, Scene, catalogue};

use crate::failure::BadInput;

/// Largest accepted scene file: a larger one is a mistake, such as a mesh given as a scene.
const MAX_BYTES: u64 = 16 << 20;

/// The text of a scene and its origin.
#[derive(Debug)]
pub(crate) struct SceneSource {
    /// Name for reports and folders.
    pub(crate) name: String,
    /// Path or name, for messages.
    pub(crate) origin: String,
    /// The text.
    pub(crate) text: String,
    /// Folder that the paths in the scene are relative to.
    pub(crate) base: PathBuf,
}

impl SceneSource {
    /// Reads the scene file at this path, or else the built-in scene of this name.
    pub(crate) fn find(path: &Path) -> Result<Self> {
        if path.exists() && !path.is_dir() {
            return Self::read(path);
        }
        if let Some(entry) = path.to_str().and_then(catalogue::find) {
            let (name, text) = (entry.name.to_owned(), entry.text.to_owned());
            return Ok(Self { origin: name.clone(), name, text, base: PathBuf::from(".") });
        }
        Err(unknown(path).into())
    }

    fn read(path: &Path) -> Result<Self> {
        let mut bytes = Vec::new();
        File::open(path)
            .and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes))
            .with_context(|| format!("cannot read {}", path.display()))?;
        if bytes.len() as u64 > MAX_BYTES {
            let what =
                format!("{} is larger than 16 MiB, the limit for a scene file", path.display());
            return Err(BadInput(what).into());
        }
        let text = String::from_utf8(bytes).map_err(|_| {
            let what = "is not UTF-8 text: a scene file is TOML in UTF-8";
            let remedy = "text in UTF-16 becomes UTF-8 with `iconv -f UTF-16 -t UTF-8 OLD > NEW`";
            BadInput(format!("{} {what}; {remedy}", path.display()))
        })?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let base = path.parent().unwrap_or(Path::new(".")).to_owned();
        Ok(Self { name, origin: path.display().to_string(), text, base })
    }

    /// Parses the scene and builds its world.
    pub(crate) fn open(&self) -> Result<(Scene, BuiltScene)> {
        Ok(Scene::open(&self.origin, &self.text, &self.base)?)
    }
}

fn unknown(path: &Path) -> BadInput {
    let scene = path.to_string_lossy();
    if path.is_dir() {
        return BadInput(format!("{scene} is a folder; give the path of a scene file in it"));
    }
    let hint = match catalogue::similar(&scene) {
        Some(name) => format!("did you mean `{name}`? "),
        None => String::new(),
    };
    BadInput(format!(
        "there is no file and no built-in scene `{scene}`; {hint}`pliant scenes` lists the built-in ones"
    ))
}
