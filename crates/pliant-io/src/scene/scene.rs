//! A checked scene.

use std::time::Duration;

use pliant::force::{Blast, ForceField, Wind};
use pliant::solver::{MethodConfig, StaticConfig};
use pliant::world::WorldConfig;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::check_friction::FrictionNames;
use super::error::{Problem, SceneError};
use super::fault::Fault;
use super::file::{MethodFile, SceneFile, Word, WorldFile};
use super::misread::no_toml;
use super::plan::{
    AttachmentPlan, BodyPlan, FrictionPlan, Mode, ObstaclePlan, Output, Probe, SupportPlan,
};
use super::problems::Problems;
use super::read::{Read, Value};
use super::{
    check_attachment, check_body, check_contact, check_field, check_method, check_obstacle,
    check_wind, check_world, copies,
};

/// The version of the scene format that this crate reads.
pub const VERSION: i64 = 1;

/// A checked scene, ready to be built into a world.
///
/// ```
/// use pliant_io::scene::{Mode, Scene};
///
/// let scene = Scene::parse("drop.toml", r#"
///     version = 1
///     [[body]]
///     name = "cube"
///     mesh = { box = { size = [1, 1, 1], cells = [2, 2, 2] }, degree = 2 }
///     material = { young = 1e5, poisson = 0.4, density = 1000 }
/// "#)?;
/// assert_eq!(scene.mode, Mode::Dynamic);
/// assert_eq!(scene.bodies[0].name, "cube");
/// # Ok::<(), pliant_io::scene::SceneError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Scene {
    /// Short description of the scene.
    pub title: String,
    /// Long description of the scene.
    pub description: String,
    /// Motion or equilibrium.
    pub mode: Mode,
    /// Default method; the method of each body is in its plan.
    pub method: MethodConfig,
    /// Gravity, time step, damping and other settings of the world.
    pub world: WorldConfig,
    /// The wind, if any.
    pub wind: Option<Wind>,
    /// Explosions.
    pub blasts: Vec<Blast>,
    /// Force fields.
    pub fields: Vec<ForceField>,
    /// Length of the scene, in s (default `4`; `1` for a static scene, where it is the length of the ramps).
    pub duration: f64,
    /// Maximum computing time of a step (default `None`: no limit). The caller enforces it with a
    /// [`pliant::world::Budget`], which reads a clock, so a scene with a budget is not reproducible bit for bit.
    pub budget: Option<Duration>,
    /// Settings of the static solver.
    pub statics: StaticConfig,
    /// The bodies.
    pub bodies: Vec<BodyPlan>,
    /// The obstacles.
    pub obstacles: Vec<ObstaclePlan>,
    /// The attachments of parts of bodies.
    pub attachments: Vec<AttachmentPlan>,
    /// Friction between pairs of materials, which overrides the coefficients of the bodies.
    pub frictions: Vec<FrictionPlan>,
    /// The points to track.
    pub probes: Vec<Probe>,
    /// The files to write.
    pub outputs: Vec<Output>,
    /// Path or name of the scene, and its text: errors found during the build point at it.
    pub(super) origin: String,
    pub(super) text: String,
}

impl Scene {
    /// Number of frames of a motion; at least 1.
    pub fn frame_count(&self) -> u64 {
        ((self.duration / self.world.dt).round() as u64).max(1)
    }

    /// Parses and checks the scene in `text`; `origin` is its path or name, for messages.
    ///
    /// This checks everything that needs no mesh; [`Scene::open`] also makes the meshes.
    ///
    /// # Errors
    ///
    /// Returns all problems, each with its position.
    pub fn parse(origin: &str, text: &str) -> Result<Self, SceneError> {
        let mut problems = Problems::default();
        let scene = Self::lenient(origin, text, &mut problems)?;
        let problems = problems.into_list();
        if problems.is_empty() { Ok(scene) } else { Err(SceneError::new(origin, text, problems)) }
    }

    /// Returns the valid part of the scene, and adds the problems of the rest.
    pub(super) fn lenient(
        origin: &str,
        text: &str,
        problems: &mut Problems,
    ) -> Result<Self, SceneError> {
        let file = read(text).map_err(|problem| SceneError::new(origin, text, vec![*problem]))?;
        Ok(Self { origin: origin.to_owned(), text: text.to_owned(), ..meaning(&file, problems) })
    }
}

/// Parses the text; the version is checked before unknown keys.
fn read(text: &str) -> Result<SceneFile, Box<Problem>> {
    let root = DeTable::parse(text).map_err(|error| no_toml(&error))?;
    let root = Spanned::new(root.span(), DeValue::Table(root.into_inner()));
    check_version(root.get_ref().get("version"))?;
    SceneFile::read(&root)
}

fn check_version(value: Option<&Value<'_>>) -> Result<(), Box<Problem>> {
    let Some(value) = value else {
        let fault = Fault::Missing { what: "`version`", example: "version = 1" };
        return Err(Box::new(Problem { fault, span: 0..0 }));
    };
    match i64::read(value)? {
        VERSION => Ok(()),
        version => {
            let fault = Fault::Version { version, known: VERSION };
            Err(Box::new(Problem { fault, span: value.span() }))
        }
    }
}

fn meaning(file: &SceneFile, problems: &mut Problems) -> Scene {
    let mode = check_world::mode(file, problems);
    let no_world = WorldFile::default();
    let world_file = file.world.as_ref().unwrap_or(&no_world);
    let world = check_world::world(world_file, problems);
    let duration = check_world::duration(world_file, &world, mode, problems);
    if file.body.is_empty() {
        problems.add(0..0, NO_BODY);
    }
    let names: Vec<&Word> = file.body.iter().map(|body| &body.get_ref().name).collect();
    problems.names("body", names.iter().copied());
    problems.names("probe", file.probe.iter().map(|probe| &probe.name));
    let probes = file.probe.iter();
    let probes: Vec<Probe> =
        probes.filter_map(|probe| check_world::probe(probe, &names, problems)).collect();
    check_world::distinct_outputs(&file.output, problems);
    let outputs = file.output.iter();
    let outputs = outputs.filter_map(|output| check_world::output(output, problems)).collect();
    let method_file = file.method.as_ref();
    let method = check_method::method(method_file, MethodConfig::default(), mode, problems);
    let method_file = method_file.map(Spanned::get_ref);
    let common = Common { mode, duration, method, method_file };
    problems.names("attachment", file.attachment.iter().map(|held| &held.get_ref().name));
    let held = file.attachment.iter();
    let held: Vec<AttachmentPlan> = held
        .filter_map(|file| check_attachment::attachment(file, &names, (mode, duration), problems))
        .collect();
    let (bodies, place) = bodies(&file.body, &common, problems);
    // Probes and attachments still refer to bodies by their order in the file; invalid bodies and copies shift it.
    let placed = |probe: Probe| Some(Probe { body: place[probe.body]?, ..probe });
    let probes = probes.into_iter().filter_map(placed).collect();
    let attachments = held.into_iter().filter_map(|plan| among(plan, &place)).collect();
    let friction_names = FrictionNames::of(file);
    let frictions = file.friction.iter();
    let frictions = frictions.filter_map(|file| friction_names.friction(file, problems));
    let frictions = frictions.flatten().collect();
    let obstacles = file.obstacle.iter().enumerate();
    let obstacles = obstacles
        .filter_map(|(k, file)| check_obstacle::obstacle(file, k, (mode, duration), problems))
        .collect();
    Scene {
        title: file.title.clone().unwrap_or_default(),
        description: file.description.clone().unwrap_or_default(),
        mode,
        method,
        world,
        wind: file.wind.as_ref().and_then(|wind| check_wind::wind(wind, problems)),
        blasts: file.blast.iter().filter_map(|file| check_field::blast(file, problems)).collect(),
        fields: file.field.iter().filter_map(|file| check_field::field(file, problems)).collect(),
        duration,
        budget: check_world::budget(world_file, mode, problems),
        statics: check_world::statics(file.statics.as_ref(), duration, problems),
        bodies,
        obstacles,
        attachments,
        frictions,
        probes,
        outputs,
        origin: String::new(),
        text: String::new(),
    }
}

/// The settings of the scene that apply to each body.
#[derive(Debug)]
pub(super) struct Common<'a> {
    pub(super) mode: Mode,
    pub(super) duration: f64,
    pub(super) method: MethodConfig,
    pub(super) method_file: Option<&'a MethodFile>,
}

const NO_BODY: Fault = Fault::Missing { what: "a `[[body]]`", example: "[[body]] name = \"beam\"" };

/// Returns the attachment with its bodies as indices into the list; `None` if one of them is invalid.
fn among(plan: AttachmentPlan, place: &[Option<usize>]) -> Option<AttachmentPlan> {
    let support = match plan.support {
        SupportPlan::Body(body) => SupportPlan::Body(place[body]?),
        other => other,
    };
    Some(AttachmentPlan { body: place[plan.body]?, support, ..plan })
}

/// Returns the valid bodies, each followed by its copies, and for each body table of the file the index of its
/// body, or of its first copy; `None` if the body is invalid.
fn bodies(
    files: &[Spanned<super::file::BodyFile>],
    common: &Common<'_>,
    problems: &mut Problems,
) -> (Vec<BodyPlan>, Vec<Option<usize>>) {
    let mut plans = Vec::new();
    let mut place = Vec::new();
    for (index, file) in files.iter().enumerate() {
        let plan = check_body::body(file, index, common, problems);
        let copies = file.get_ref().copies.as_ref();
        let copies = copies.map(|file| check_contact::copies(file, problems));
        place.push(plan.as_ref().map(|_| plans.len()));
        match (plan, copies) {
            (Some(plan), Some(Some(copies))) => {
                plans.extend(copies::expanded(plan, &copies, plans.len()));
            }
            (plan, _) => plans.extend(plan),
        }
    }
    (plans, place)
}
