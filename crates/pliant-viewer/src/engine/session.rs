//! A session as one file, saved by the user or automatically.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::DVec3;
use pliant::body::State;
use pliant::internals::CellFlow;
use pliant::internals::{Reader, Writer};
use pliant::world::SnapshotError;
use pliant_kernels::math::Mat3;

use super::document::Document;
use super::frame::Frame;
use super::order::Refusal;
use super::shown_scene::ShownBody;
use super::stage::Stage;

/// The marker at the start of the sealed bytes.
const MAGIC: u64 = u64::from_le_bytes(*b"session1");

/// The largest accepted number of quadrature points of a cell.
const MAX_POINTS: usize = 4096;

/// An edited scene, its state, and its uploaded files.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Session {
    /// Name of the scene.
    pub(crate) name: String,
    /// Text of the scene, with committed rest shapes.
    pub(crate) text: String,
    /// Folder that the paths in the scene are relative to.
    pub(crate) base: PathBuf,
    /// Uploaded files: name and bytes.
    pub(crate) files: Vec<(String, Vec<u8>)>,
    /// Time, in s.
    pub(crate) time: f64,
    pub(crate) bodies: Vec<SessionBody>,
}

/// The state of a body.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SessionBody {
    pub(crate) name: String,
    pub(crate) x: Vec<DVec3>,
    pub(crate) v: Vec<DVec3>,
    /// Rest shape, which annealing may have changed.
    pub(crate) rest: Vec<DVec3>,
    /// Plastic flow of its cells.
    pub(crate) flow: Vec<CellFlow>,
}

impl Session {
    /// Makes a session from a frame. Uploaded files are in `uploads`; the text names them without their folder.
    pub(crate) fn of(frame: &Frame, uploads: &Path) -> Self {
        let shown_scene = &frame.shown_scene;
        let folder = format!("{}{}", uploads.display(), std::path::MAIN_SEPARATOR);
        let text = shown_scene.saved_text().replace(&folder, "");
        let sent = std::fs::read_dir(uploads).into_iter().flatten().flatten();
        let mut files: Vec<(String, Vec<u8>)> = sent
            .filter_map(|file| {
                let name = file.file_name().into_string().ok()?;
                let used = shown_scene.toml.contains(&format!("{folder}{name}"));
                used.then(|| Some((name, std::fs::read(file.path()).ok()?)))?
            })
            .collect();
        files.sort();
        let own = shown_scene
            .bodies
            .iter()
            .enumerate()
            .filter(|(place, shown_body)| *place == shown_body.of);
        let bodies = own.map(|(place, shown_body)| SessionBody::of(frame, place, shown_body));
        Self {
            name: shown_scene.name.clone(),
            text,
            // The session may be continued from another folder.
            base: std::path::absolute(&shown_scene.base)
                .unwrap_or_else(|_| shown_scene.base.clone()),
            files,
            time: frame.time,
            bodies: bodies.collect(),
        }
    }

    /// The session as bytes.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut to = Writer::default();
        to.u64(MAGIC);
        for word in [&self.name, &self.text, &self.base.to_string_lossy().into_owned()] {
            put_bytes(&mut to, word.as_bytes());
        }
        to.u32(self.files.len() as u32);
        for (name, bytes) in &self.files {
            put_bytes(&mut to, name.as_bytes());
            put_bytes(&mut to, bytes);
        }
        to.f64(self.time);
        to.u32(self.bodies.len() as u32);
        self.bodies.iter().for_each(|body| body.save(&mut to));
        to.seal()
    }

    /// Reads a session from bytes.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, Refusal> {
        let bad = |error: SnapshotError| {
            let message = format!("the session cannot be read: {error}");
            Refusal::new("bad-session", message)
        };
        let mut from = Reader::open(bytes).map_err(bad)?;
        Self::read_contents(&mut from).map_err(bad)
    }

    fn read_contents(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        if from.u64()? != MAGIC {
            return Err(SnapshotError::NotASnapshot);
        }
        let [name, text, base] = [word(from)?, word(from)?, word(from)?];
        let mut files = Vec::new();
        for _ in 0..from.count(8)? {
            files.push((word(from)?, take_bytes(from)?));
        }
        let time = from.f64()?;
        let mut bodies = Vec::new();
        for _ in 0..from.count(12)? {
            bodies.push(SessionBody::read(from)?);
        }
        from.end()?;
        Ok(Self { name, text, base: PathBuf::from(base), files, time, bodies })
    }

    /// The document of the session; writes its uploaded files to a folder.
    pub(crate) fn document(&self, uploads: &Path) -> Result<Document, Refusal> {
        let mut text = self.text.clone();
        for (name, bytes) in &self.files {
            let failed = |what: String| {
                Refusal::new(
                    "bad-session",
                    format!("the file `{name}` of the session cannot be stored: {what}"),
                )
            };
            // A name must be a plain file name, so that it cannot leave the folder.
            if Path::new(name).components().count() != 1 || Path::new(name).file_name().is_none() {
                return Err(failed("its name is not a plain file name".to_owned()));
            }
            let path = uploads.join(name);
            std::fs::write(&path, bytes).map_err(|error| failed(error.to_string()))?;
            let quoted = |word: &str| toml_edit::Value::from(word).to_string();
            text = text.replace(&quoted(name), &quoted(&path.to_string_lossy()));
        }
        Document::new(&self.name, &text, &self.base)
    }
}

impl SessionBody {
    /// Saves the state of a body of the scene. A broken body starts from its initial state, and its fragments are not
    /// saved.
    fn of(frame: &Frame, place: usize, shown_body: &ShownBody) -> Self {
        let name = shown_body.name.clone();
        if shown_body.broken {
            let (x, v, rest) = Default::default();
            return Self { name, x, v, rest, flow: Vec::new() };
        }
        Self {
            name,
            x: frame.x[shown_body.range()].to_vec(),
            v: frame.v[shown_body.range()].to_vec(),
            rest: shown_body.model.mesh().nodes.clone(),
            flow: shown_body.rest_shape(frame.flow(place)).cell_flow(),
        }
    }

    fn save(&self, to: &mut Writer) {
        put_bytes(to, self.name.as_bytes());
        to.u32(self.x.len() as u32);
        to.vectors(&self.x);
        to.vectors(&self.v);
        to.vectors(&self.rest);
        to.u32(self.flow.len() as u32);
        for CellFlow { cell, points } in &self.flow {
            to.u32(*cell);
            to.u32(points.len() as u32);
            to.matrices(points);
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let name = word(from)?;
        let count = from.count(72)?;
        let mut lists = [const { Vec::new() }; 3];
        for list in &mut lists {
            list.resize(count, DVec3::ZERO);
            from.vectors(list)?;
        }
        let [x, v, rest] = lists;
        let mut flow = Vec::new();
        for _ in 0..from.count(8)? {
            let cell = from.u32()?;
            let count = from.count(72)?;
            if count > MAX_POINTS {
                return Err(from.bad("points of a cell"));
            }
            let mut points = vec![Mat3::IDENTITY; count];
            from.matrices(&mut points)?;
            flow.push(CellFlow { cell, points });
        }
        Ok(Self { name, x, v, rest, flow })
    }
}

impl Stage {
    /// Restores the state of a session for all bodies that match; returns the names of the others.
    pub(crate) fn restore_session(&mut self, session: &Session) -> Vec<String> {
        let mut others = Vec::new();
        for saved in &session.bodies {
            let of = self.scene.bodies.iter().position(|plan| plan.name == saved.name);
            if of.is_none_or(|index| self.restore_session_body(index, saved).is_none()) {
                others.push(saved.name.clone());
            }
        }
        if session.time.is_finite() {
            self.world.set_time(session.time);
        }
        others
    }

    fn restore_session_body(&mut self, index: usize, saved: &SessionBody) -> Option<()> {
        let handle = *self.handles.get(index)?;
        let body = self.world.get(handle)?;
        let mut state = State { x: saved.x.clone(), v: saved.v.clone(), flow: None };
        if state.x.len() != body.state.x.len() || !state.is_finite() {
            return None;
        }
        let mut flowed = body.flowed_model();
        if flowed.model.mesh().nodes != saved.rest {
            flowed = flowed.model.at_shape(&saved.rest).ok()?.into();
        }
        if !saved.flow.is_empty() {
            flowed = flowed.model.with_cell_flow(&saved.flow).ok()?;
        }
        state.flow.clone_from(&flowed.flow);
        if !Arc::ptr_eq(&flowed.model, body.model()) {
            self.world.set_model(handle, flowed).ok()?;
        }
        let body = self.world.get_mut(handle)?;
        body.state = state;
        body.keep_form();
        Some(())
    }
}

fn put_bytes(to: &mut Writer, bytes: &[u8]) {
    to.u32(bytes.len() as u32);
    bytes.iter().for_each(|byte| to.u8(*byte));
}

fn take_bytes(from: &mut Reader<'_>) -> Result<Vec<u8>, SnapshotError> {
    (0..from.count(1)?).map(|_| from.u8()).collect()
}

fn word(from: &mut Reader<'_>) -> Result<String, SnapshotError> {
    String::from_utf8(take_bytes(from)?).map_err(|_| from.bad("a word"))
}
