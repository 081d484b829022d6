//! Parses and checks a scene.

use pliant::solver::MethodConfig;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::body::{body, copies};
use super::friction::FrictionNames;
use super::problems::Problems;
use super::scene_settings::SceneSettings;
use super::{attachment, field, method, obstacle, output, world};
use crate::scene::file::body::BodyFile;
use crate::scene::file::scene::SceneFile;
use crate::scene::file::world::WorldFile;
use crate::scene::plan::attachment::{AttachmentPlan, SupportPlan};
use crate::scene::plan::body::BodyPlan;
use crate::scene::plan::output::Probe;
use crate::scene::problem::fault::Fault;
use crate::scene::problem::problem::Problem;
use crate::scene::problem::scene_error::SceneError;
use crate::scene::read::key::Key;
use crate::scene::read::read::Read;
use crate::scene::read::read_error::invalid_toml;
use crate::scene::read::value::{Value, Word};
use crate::scene::scene::{Scene, VERSION};

impl Scene {
    /// Parses and checks the scene in `text`; `origin` is its path or name, for messages.
    ///
    /// This checks everything that needs no mesh; [`Scene::open`] also makes the meshes.
    ///
    /// # Errors
    ///
    /// Returns all problems, each with its position.
    pub fn parse(origin: &str, text: &str) -> Result<Self, SceneError> {
        let mut problems = Problems::default();
        let scene = Self::parse_valid_part(origin, text, &mut problems)?;
        let problems = problems.into_list();
        if problems.is_empty() { Ok(scene) } else { Err(SceneError::new(origin, text, problems)) }
    }

    /// Returns the valid part of the scene, and adds the problems of the rest.
    pub(crate) fn parse_valid_part(
        origin: &str,
        text: &str,
        problems: &mut Problems,
    ) -> Result<Self, SceneError> {
        let file = read(text).map_err(|problem| SceneError::new(origin, text, vec![*problem]))?;
        Ok(Self {
            origin: origin.to_owned(),
            text: text.to_owned(),
            ..checked_scene(&file, problems)
        })
    }
}

/// Parses the text; the version is checked before unknown keys.
fn read(text: &str) -> Result<SceneFile, Box<Problem>> {
    let root = DeTable::parse(text).map_err(|error| invalid_toml(&error))?;
    let root = Spanned::new(root.span(), DeValue::Table(root.into_inner()));
    check_version(root.get_ref().get("version"))?;
    SceneFile::read(&root, Key::new("scene"))
}

fn check_version(value: Option<&Value<'_>>) -> Result<(), Box<Problem>> {
    let Some(value) = value else {
        let fault = Fault::Missing { what: "`version`", example: "version = 1" };
        return Err(Box::new(Problem { fault, span: 0..0 }));
    };
    match i64::read(value, Key::new("version"))? {
        VERSION => Ok(()),
        version => {
            let fault = Fault::Version { version, known: VERSION };
            Err(Box::new(Problem { fault, span: value.span() }))
        }
    }
}

fn checked_scene(file: &SceneFile, problems: &mut Problems) -> Scene {
    let mode = world::mode(file, problems);
    let no_world = WorldFile::default();
    let world_file = file.world.as_ref().unwrap_or(&no_world);
    let world = world::world(world_file, problems);
    let duration = world::duration(world_file, &world, mode, problems);
    if file.body.is_empty() {
        problems.add(0..0, MISSING_BODY);
    }
    let names: Vec<&Word> = file.body.iter().map(|body| &body.get_ref().name).collect();
    problems.names("body", names.iter().copied());
    problems.names("probe", file.probe.iter().map(|probe| &probe.name));
    let probes = file.probe.iter();
    let probes: Vec<Probe> =
        probes.filter_map(|probe| output::probe(probe, &names, problems)).collect();
    output::distinct_outputs(&file.output, problems);
    let outputs = file.output.iter();
    let outputs = outputs.filter_map(|output| output::output(output, problems)).collect();
    let method_file = file.method.as_ref();
    let method = method::method(method_file, MethodConfig::default(), mode, problems);
    let method_file = method_file.map(Spanned::get_ref);
    let settings = SceneSettings { mode, duration, method, method_file };
    problems
        .names("attachment", file.attachment.iter().map(|attachment| &attachment.get_ref().name));
    let attachments = file.attachment.iter();
    let attachments: Vec<AttachmentPlan> = attachments
        .filter_map(|file| attachment::attachment(file, &names, (mode, duration), problems))
        .collect();
    let (bodies, place) = bodies(&file.body, &settings, problems);
    // Probes and attachments still refer to bodies by their order in the file; invalid bodies and copies shift it.
    let placed = |probe: Probe| Some(Probe { body: place[probe.body]?, ..probe });
    let probes = probes.into_iter().filter_map(placed).collect();
    let attachments =
        attachments.into_iter().filter_map(|plan| with_body_indices(plan, &place)).collect();
    let friction_names = FrictionNames::of(file);
    let frictions = file.friction.iter();
    let frictions = frictions.filter_map(|file| friction_names.friction(file, problems));
    let frictions = frictions.flatten().collect();
    let obstacles = file.obstacle.iter().enumerate();
    let obstacles = obstacles
        .filter_map(|(k, file)| obstacle::obstacle(file, k, (mode, duration), problems))
        .collect();
    Scene {
        title: file.title.clone().unwrap_or_default(),
        description: file.description.clone().unwrap_or_default(),
        mode,
        method,
        world,
        wind: file.wind.as_ref().and_then(|wind| field::wind(wind, problems)),
        blasts: file.blast.iter().filter_map(|file| field::blast(file, problems)).collect(),
        fields: file.field.iter().filter_map(|file| field::field(file, problems)).collect(),
        duration,
        budget: world::budget(world_file, mode, problems),
        statics: world::statics(file.statics.as_ref(), duration, problems),
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

const MISSING_BODY: Fault =
    Fault::Missing { what: "a `[[body]]`", example: "[[body]] name = \"beam\"" };

/// Returns the attachment with its bodies as indices into the list; `None` if one of them is invalid.
fn with_body_indices(plan: AttachmentPlan, place: &[Option<usize>]) -> Option<AttachmentPlan> {
    let support = match plan.support {
        SupportPlan::Body(body) => SupportPlan::Body(place[body]?),
        other => other,
    };
    Some(AttachmentPlan { body: place[plan.body]?, support, ..plan })
}

/// Returns the valid bodies, each followed by its copies, and for each body table of the file the index of its
/// body, or of its first copy; `None` if the body is invalid.
fn bodies(
    files: &[Spanned<BodyFile>],
    settings: &SceneSettings<'_>,
    problems: &mut Problems,
) -> (Vec<BodyPlan>, Vec<Option<usize>>) {
    let mut plans = Vec::new();
    let mut place = Vec::new();
    for (index, file) in files.iter().enumerate() {
        let plan = body::body(file, index, settings, problems);
        let copies = file.get_ref().copies.as_ref();
        let copies = copies.map(|file| copies::copies(file, problems));
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
