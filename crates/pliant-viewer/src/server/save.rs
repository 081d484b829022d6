//! Downloads: scene, session, shapes and animations.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use axum::extract::{Path as Route, Query, State};
use axum::response::Response;
use glam::DVec3;
use pliant::geometry::{Surface, SurfaceGroup};
use pliant_io::WriteError;
use pliant_io::glb::{AnimatedSurface, Animation, write_glb};
use pliant_io::picture::{Colour, ColourMap};
use pliant_io::surface::write_obj;
use pliant_io::vtu::{self, Series};
use serde::Deserialize;
use tokio::sync::oneshot;

use super::answer::{download, refusal};
use super::routes::Shared;
use super::zip::Zip;
use crate::engine::frame::Frame;
use crate::engine::order::{Order, Refusal};
use crate::engine::record::Recording;
use crate::engine::session::Session;
use crate::engine::shown_scene::{ShownBody, ShownScene};
use crate::protocol::field::FieldName;

/// The largest number of vertex positions in an animation: 200 MB while it is made. Above it frames are left out.
const MAX_POSITIONS: usize = 8_000_000;

/// The largest number of nodes times frames in an archive of volumes.
const MAX_NODES: usize = 10_000_000;

/// Scalar fields in a volume file, with their names in scene files.
const VOLUME_FIELDS: [(&str, FieldName); 4] = [
    ("von-mises", FieldName::Stress),
    ("plastic-strain", FieldName::PlasticStrain),
    ("yield-share", FieldName::YieldShare),
    ("limit-share", FieldName::LimitShare),
];

/// `?body=0&field=stress`.
#[derive(Debug, Deserialize)]
pub(super) struct SaveQuery {
    #[serde(default)]
    body: usize,
    /// The field by which the vertices of a shape are coloured.
    field: Option<FieldName>,
}

/// Answers a download request.
pub(super) async fn save(
    State(shared): State<Shared>,
    Route(file): Route<String>,
    Query(query): Query<SaveQuery>,
) -> Response {
    match file_response(&shared, &file, &query).await {
        Ok(answer) => answer,
        Err(error) => refusal(&error),
    }
}

async fn file_response(
    shared: &Shared,
    file: &str,
    query: &SaveQuery,
) -> Result<Response, Refusal> {
    let SaveQuery { body, field } = *query;
    let hub = &shared.hub;
    let frame = hub.frames.borrow().clone();
    let name = frame.shown_scene.name.rsplit('/').next().unwrap_or("scene").to_owned();
    let (extension, mime) = match file {
        "scene.toml" => {
            let folder = format!("{}{}", hub.uploads.path().display(), std::path::MAIN_SEPARATOR);
            let text = frame.shown_scene.saved_text().replace(&folder, "");
            return Ok(download(&format!("{name}.toml"), "application/toml", text.into_bytes()));
        }
        "session" => ("session", "application/octet-stream"),
        "shape.obj" => ("obj", "model/obj"),
        "shape.glb" | "animation.glb" => ("glb", "model/gltf-binary"),
        "shape.vtu" => ("vtu", "application/xml"),
        "animation.zip" => ("zip", "application/zip"),
        _ => return Err(Refusal::new("not-found", "there is no download of this name")),
    };
    let recording =
        if file.starts_with("animation") { Some(recording(shared).await?) } else { None };
    let uploads = hub.uploads.path().to_owned();
    let made = tokio::task::spawn_blocking(move || match (extension, recording) {
        ("session", _) => Ok(Session::of(&frame, &uploads).bytes()),
        ("obj", _) => written_bytes("shape.obj", |path| write_obj(path, &surface(&frame))),
        ("glb", None) => {
            written_bytes("shape.glb", |path| write_glb(path, &still_animation(&frame, field)))
        }
        ("glb", Some(recording)) => {
            written_bytes("a.glb", |path| write_glb(path, &recorded_animation(&recording)))
        }
        ("zip", Some(recording)) => volumes(&recording),
        _ => volume(&frame, body),
    });
    let bytes =
        made.await.map_err(|_| Refusal::new("bad-request", "the file cannot be written"))??;
    Ok(download(&format!("{name}.{extension}"), mime, bytes))
}

async fn recording(shared: &Shared) -> Result<Arc<Recording>, Refusal> {
    let (answer, answered) = oneshot::channel();
    let busy =
        || Refusal::new("busy", "the engine has more to do than it can; try again in a moment");
    shared.hub.orders.try_send(Order::Recording(answer)).map_err(|_| busy())?;
    let recording = answered.await.map_err(|_| busy())?;
    if recording.frame_count() == 0 {
        return Err(Refusal::new(
            "nothing-recorded",
            "no frames were recorded; let the scene run first",
        ));
    }
    Ok(recording)
}

/// Returns the bytes that a writer writes to a temporary file.
fn written_bytes(
    name: &str,
    write: impl FnOnce(&Path) -> Result<(), WriteError>,
) -> Result<Vec<u8>, Refusal> {
    let failed =
        |error: String| Refusal::new("bad-request", format!("it cannot be written: {error}"));
    let folder = tempfile::tempdir().map_err(|error| failed(error.to_string()))?;
    let path = folder.path().join(name);
    write(&path).map_err(|error| failed(error.to_string()))?;
    fs::read(&path).map_err(|error| failed(error.to_string()))
}

/// All bodies as one surface, each a part of it.
fn surface(frame: &Frame) -> Surface {
    let mut all = Surface::default();
    let mut part_of = Vec::new();
    for shown_body in visible_bodies(&frame.shown_scene) {
        let first = all.vertices.len() as u32;
        all.vertices.extend(frame.points(shown_body));
        let triangles = shown_body.drawn.skin.triangles().iter();
        all.triangles.extend(triangles.map(|corners| corners.map(|corner| first + corner)));
        part_of.resize(all.triangles.len(), all.parts.len() as u32);
        all.parts.push(SurfaceGroup { name: shown_body.name.clone(), ..SurfaceGroup::default() });
    }
    Surface { part_of: Some(part_of), ..all }
}

/// The surface of a body as it is drawn, without frames.
fn drawn(shown_body: &ShownBody) -> AnimatedSurface {
    let (name, colour) = (&shown_body.name, Colour::from_srgb(shown_body.colour));
    match &shown_body.drawn.surface {
        Some(surface) => AnimatedSurface::of(name, colour, surface),
        None => AnimatedSurface {
            name: name.clone(),
            colour,
            triangles: shown_body.drawn.skin.triangles().to_vec(),
            ..Default::default()
        },
    }
}

fn still_animation(frame: &Frame, field: Option<FieldName>) -> Animation {
    let all =
        frame.shown_scene.bodies.iter().enumerate().filter(|(_, shown_body)| !shown_body.gone);
    let bodies = all.map(|(place, shown_body)| {
        let mut body =
            AnimatedSurface { frames: vec![frame.points(shown_body)], ..drawn(shown_body) };
        if let Some(field) = field {
            let (low, high) = frame.field(field).range(field);
            let values = frame.surface_values(field, place);
            body.paint(ColourMap::default().colours(&values, low, high));
        }
        body
    });
    Animation { dt: frame.shown_scene.dt, normals: true, bodies: bodies.collect() }
}

/// The interval of kept frames, so that `frames * numbers` stays below `most`.
fn stride(frames: usize, numbers: usize, most: usize) -> usize {
    (frames * numbers).div_ceil(most).max(1)
}

/// All surfaces that are ever visible, in one file. While a surface is not visible, it collapses to a point.
fn recorded_animation(recording: &Recording) -> Animation {
    let mut bodies: Vec<(SurfaceKey, AnimatedSurface)> = Vec::new();
    let mut points = 0;
    for shown_body in recording.shown_scenes().flat_map(visible_bodies) {
        if !bodies.iter().any(|(known, _)| *known == key(shown_body)) {
            points += shown_body.drawn.skin.vertex_count();
            bodies.push((key(shown_body), drawn(shown_body)));
        }
    }
    let every = stride(recording.frame_count(), points, MAX_POSITIONS);
    let mut dt = 0.0;
    for frame in recording.every(every) {
        dt = frame.shown_scene.dt;
        for (known, body) in &mut bodies {
            let shown_body =
                visible_bodies(frame.shown_scene).find(|shown_body| key(shown_body) == *known);
            let mut vertices = Vec::new();
            match shown_body {
                Some(shown_body) => {
                    shown_body.drawn.skin.interpolate(&frame.x[shown_body.range()], &mut vertices)
                }
                None => vertices = collapsed(body),
            }
            body.frames.push(vertices);
        }
    }
    for (_, body) in &mut bodies {
        fill_before_first_visible(&mut body.frames);
    }
    let bodies = bodies.into_iter().map(|(_, body)| body).collect();
    Animation { dt: dt * every as f64, normals: true, bodies }
}

/// The identity of a surface: copies share a drawn model, and the rest of a broken body keeps its name.
type SurfaceKey = (u32, String);

fn key(shown_body: &ShownBody) -> SurfaceKey {
    (shown_body.drawn.id, shown_body.name.clone())
}

/// Bodies that have not been removed.
fn visible_bodies(shown_scene: &ShownScene) -> impl Iterator<Item = &ShownBody> {
    shown_scene.bodies.iter().filter(|shown_body| !shown_body.gone)
}

/// All vertices of a body at its last visible first vertex; empty if it was not visible yet.
fn collapsed(body: &AnimatedSurface) -> Vec<DVec3> {
    let last = body.frames.last().filter(|frame| !frame.is_empty());
    last.map_or_else(Vec::new, |frame| vec![frame[0]; frame.len()])
}

/// Fills the frames before a body is first visible with one point of its first shape.
fn fill_before_first_visible(frames: &mut [Vec<DVec3>]) {
    let Some(first) = frames.iter().position(|frame| !frame.is_empty()) else { return };
    let point = vec![frames[first][0]; frames[first].len()];
    frames[..first].iter_mut().for_each(|frame| frame.clone_from(&point));
}

fn volume(frame: &Frame, body: usize) -> Result<Vec<u8>, Refusal> {
    let count = frame.shown_scene.bodies.len();
    let none =
        || Refusal::new("bad-request", format!("there is no body {body}, the scene has {count}"));
    let shown_body = frame.shown_scene.bodies.get(body).ok_or_else(none)?;
    let (mesh, range) = (shown_body.model.mesh(), shown_body.range());
    let velocity = vtu::Field::vector("velocity", &frame.v[range.clone()]);
    let scalar = |(name, field)| vtu::Field::scalar(name, frame.node_values(field, body));
    let point_fields = std::iter::once(velocity).chain(VOLUME_FIELDS.map(scalar)).collect();
    let positions = Some(&frame.x[range]);
    let shape = vtu::Frame { positions, point_fields, ..vtu::Frame::new(mesh) };
    written_bytes("shape.vtu", |path| vtu::write(path, &shape))
}

/// A series of volumes for each body, in one archive.
fn volumes(recording: &Recording) -> Result<Vec<u8>, Refusal> {
    let failed =
        |error: String| Refusal::new("bad-request", format!("it cannot be written: {error}"));
    let nodes = |shown_scene: &ShownScene| {
        shown_scene.bodies.last().map_or(0, |shown_body| shown_body.range().end)
    };
    let count = recording.shown_scenes().map(nodes).max().unwrap_or(0);
    let every = stride(recording.frame_count(), count, MAX_NODES);
    let folder = tempfile::tempdir().map_err(|error| failed(error.to_string()))?;
    let mut all: BTreeMap<String, Series> = BTreeMap::new();
    for frame in recording.every(every) {
        for shown_body in visible_bodies(frame.shown_scene) {
            let path = || folder.path().join(format!("{}.pvd", shown_body.name));
            let series = all.entry(shown_body.name.clone()).or_insert_with(|| Series::new(path()));
            let positions = Some(&frame.x[shown_body.range()]);
            let cells = vtu::Frame { positions, ..vtu::Frame::new(shown_body.model.mesh()) };
            series.push(frame.time, &cells).map_err(|error| failed(error.to_string()))?;
        }
    }
    let mut zip = Zip::default();
    let files = fs::read_dir(folder.path()).map_err(|error| failed(error.to_string()))?;
    let mut files: Vec<_> = files.filter_map(|file| Some(file.ok()?.path())).collect();
    files.sort();
    for path in files {
        let bytes = fs::read(&path).map_err(|error| failed(error.to_string()))?;
        zip.add(&path.file_name().unwrap_or_default().to_string_lossy(), &bytes);
    }
    Ok(zip.finish())
}
