//! A whole scene file, as it was typed.

use toml::Spanned;

use super::attachment::{AttachmentFile, FrictionFile};
use super::body::BodyFile;
use super::field::{BlastFile, FieldFile, WindFile};
use super::method::MethodFile;
use super::obstacle::ObstacleFile;
use super::world::{StaticsFile, WorldFile};
use crate::scene::read::table::tables;
use crate::scene::read::value::{Triple, Word};

tables! {
    /// A whole scene file.
    struct SceneFile {
        /// Read before all other keys; listed here because unknown keys are errors.
        _version as "version": i64,
        title: Option<String>,
        description: Option<String>,
        mode: Option<Word>,
        world: Option<WorldFile>,
        method: Option<Spanned<MethodFile>>,
        statics: Option<Spanned<StaticsFile>>,
        wind: Option<WindFile>,
        body: Vec<Spanned<BodyFile>>,
        obstacle: Vec<Spanned<ObstacleFile>>,
        attachment: Vec<Spanned<AttachmentFile>>,
        blast: Vec<Spanned<BlastFile>>,
        field: Vec<Spanned<FieldFile>>,
        friction: Vec<FrictionFile>,
        probe: Vec<ProbeFile>,
        output: Vec<OutputFile>,
    }

    /// `[[probe]]`.
    struct ProbeFile {
        name: Word,
        body: Option<Word>,
        at: Triple,
    }

    /// `[[output]]`.
    struct OutputFile {
        format: Word,
        path: Option<Word>,
        every: Option<Spanned<i64>>,
        fields: Vec<Word>,
    }
}
