//! Checks of the bodies of a scene that need no mesh.

use std::ops::Range;

use glam::{DAffine3, DVec3};
use pliant::body::{Dilation, Motion, Ramp};
use pliant::contact::ContactConfig;
use toml::Spanned;

use super::contact::{contact, touch};
use super::material::material;
use super::mesh::mesh;
use super::rigid::rigid;
use super::splinters::splinters;
use super::start::{pull, start};
use super::toughness::toughness;
use crate::scene::check::colour::colour;
use crate::scene::check::friction::body_material;
use crate::scene::check::method::method;
use crate::scene::check::motion::{affine_transform, ramp};
use crate::scene::check::problems::Problems;
use crate::scene::check::scene_settings::SceneSettings;
use crate::scene::check::selection::selection;
use crate::scene::file::body::{BodyFile, PinFile, RegionFile};
use crate::scene::file::motion::TransformFile;
use crate::scene::plan::body::{BodyPlan, PinOn, PinPlan, RegionPlan};
use crate::scene::plan::method_spans::MethodSpans;
use crate::scene::plan::mode::Mode;
use crate::scene::problem::fault::Fault;
use crate::scene::read::value::Word;

/// Default colours of bodies, used in turn.
const COLOURS: [[u8; 3]; 6] = [
    [0xd9, 0x5f, 0x43],
    [0x3f, 0x88, 0xc5],
    [0xe8, 0xb0, 0x4a],
    [0x5b, 0xa1, 0x6f],
    [0x9a, 0x6f, 0xb0],
    [0x4f, 0xb3, 0xb8],
];

/// Checks one body; `index` is its index in the scene.
pub(crate) fn body(
    file: &Spanned<BodyFile>,
    index: usize,
    settings: &SceneSettings<'_>,
    problems: &mut Problems,
) -> Option<BodyPlan> {
    let span = file.span();
    let file = file.get_ref();
    let SceneSettings { mode, duration, .. } = *settings;
    if mode == Mode::Static && file.pin.is_empty() {
        problems.add(file.name.span(), Fault::Unpinned { body: file.name.get_ref().clone() });
    }
    if let (Some(_), Some(on)) = (&file.copies, pins_on_surface(file)) {
        let when = "on copies: their pins always hold nodes";
        problems.add(on.span(), Fault::NoEffect { key: "on", when });
    }
    let mesh =
        needed(&file.mesh, &span, MISSING_MESH, problems).and_then(|file| mesh(file, problems));
    let stuff = needed(&file.material, &span, MISSING_MATERIAL, problems);
    let stuff = stuff.and_then(|file| material(file, None, problems));
    let quadrature = file.quadrature.as_ref().and_then(|degree| {
        problems.whole("quadrature", degree, 1..21, "a degree from 1 to 20").map(|d| d as usize)
    });
    let dilation = file.dilation.as_ref().and_then(|word| {
        let choices = Dilation::ALL.map(|choice| (choice.name(), choice));
        problems.choice("dilation", word, &choices)
    });
    let [velocity, spin] = initial_motion(file, mode, problems);
    let transform = file.transform.as_ref().map(|file| transform(file, problems));
    let colour = file.colour.as_ref().map(|word| colour(word, problems));
    let pins = file.pin.iter().filter_map(|pin| pin_plan(pin, duration, problems)).collect();
    let pulls = file.pull.iter().filter_map(|file| pull(file, mode, duration, problems)).collect();
    let start = file.start.as_ref().and_then(|file| start(file, mode, problems));
    let rest = file.rest.as_ref().map(|rest| rest_shape(rest, file, problems));
    let contact = file
        .contact
        .as_ref()
        .map_or(Some(ContactConfig::default()), |file| contact(file.get_ref(), problems));
    let touch = file.contact.as_ref().and_then(|file| touch(file.get_ref(), problems));
    let own = file.method.as_ref();
    let method = method(own, settings.method, mode, problems);
    let own = own.map(Spanned::get_ref);
    problems.names("region", file.region.iter().map(|region| &region.get_ref().name));
    let regions = file.region.iter();
    let regions = regions.filter_map(|file| region(file, stuff, problems)).collect();
    Some(BodyPlan {
        name: file.name.get_ref().clone(),
        colour: colour.flatten().unwrap_or(COLOURS[index % COLOURS.len()]),
        mesh: mesh?,
        // The fault of an invalid material is added already; a default lets the pins be checked too.
        material: stuff.unwrap_or_default(),
        world_from_mesh: transform.flatten().unwrap_or(DAffine3::IDENTITY),
        velocity,
        spin,
        start,
        rest: rest.flatten(),
        quadrature,
        dilation,
        regions,
        pins,
        pulls,
        method,
        touch,
        contact: ContactConfig { material: body_material(index), ..contact? },
        rigid: file
            .rigid
            .as_ref()
            .and_then(|file| rigid(file.get_ref(), &stuff.unwrap_or_default(), problems)),
        toughness: file.toughness.as_ref().and_then(|file| {
            let plan = toughness(file.get_ref(), problems)?;
            Some(Spanned::new(file.span(), plan))
        }),
        splinters: file.splinters.as_ref().and_then(|file| {
            let plan = splinters(file.get_ref(), &stuff.unwrap_or_default(), problems)?;
            Some(Spanned::new(file.span(), plan))
        }),
        copy: None,
        method_spans: MethodSpans::new(own, settings.method_file, &file.name.span()),
        span,
    })
}

/// Checks `velocity` and `spin`; zero where they are not given or not valid.
fn initial_motion(file: &BodyFile, mode: Mode, problems: &mut Problems) -> [DVec3; 2] {
    if mode == Mode::Static {
        let when = "in a static scene, in which nothing moves; it belongs to `mode = \"dynamic\"`";
        for (key, triple) in [("velocity", &file.velocity), ("spin", &file.spin)] {
            triple.iter().for_each(|t| problems.add(t.span(), Fault::NoEffect { key, when }));
        }
    }
    let velocity = file.velocity.as_ref().and_then(|triple| problems.velocity(triple));
    let spin = file.spin.as_ref().and_then(|triple| problems.spin(triple));
    [velocity, spin].map(Option::unwrap_or_default)
}

/// Checks a committed rest shape.
fn rest_shape(
    rest: &Spanned<Vec<[f64; 3]>>,
    file: &BodyFile,
    problems: &mut Problems,
) -> Option<Spanned<Vec<DVec3>>> {
    let unlike = [("with `copies`", file.copies.is_some()), ("with `start`", file.start.is_some())];
    if let Some((when, _)) = unlike.into_iter().find(|(_, given)| *given) {
        problems.add(rest.span(), Fault::NoEffect { key: "rest", when });
        return None;
    }
    let points: Vec<DVec3> = rest.get_ref().iter().map(|point| DVec3::from(*point)).collect();
    if let Some(bad) = points.iter().find(|point| !point.is_finite()) {
        let (value, expected) = (bad.to_array(), "finite numbers in m");
        problems.add(rest.span(), Fault::BadTriple { key: "rest", value, expected });
        return None;
    }
    Some(Spanned::new(rest.span(), points))
}

/// Returns the `on` key of the first pin on the surface.
fn pins_on_surface(file: &BodyFile) -> Option<&Word> {
    let mut on = file.pin.iter().filter_map(|pin| pin.get_ref().on.as_ref());
    on.find(|on| on.get_ref() == PinOn::Surface.name())
}

const MISSING_MESH: Fault = Fault::Missing {
    what: "the body's `mesh`",
    example: "mesh = { box = { size = [4, 1, 1], cells = [8, 2, 2] }, degree = 2 }",
};

const MISSING_MATERIAL: Fault =
    Fault::Missing { what: "the body's `material`", example: "material = \"rubber\"" };

/// Returns the value; adds the fault if it is missing.
fn needed<'a, T>(
    value: &'a Option<T>,
    span: &Range<usize>,
    fault: Fault,
    problems: &mut Problems,
) -> Option<&'a T> {
    if value.is_none() {
        problems.add(span.clone(), fault);
    }
    value.as_ref()
}

fn transform(file: &TransformFile, problems: &mut Problems) -> Option<DAffine3> {
    let TransformFile { scale, rotate, translate } = file;
    affine_transform((scale, rotate, translate), problems)
}

fn region(
    file: &Spanned<RegionFile>,
    base: Option<pliant::material::Material>,
    problems: &mut Problems,
) -> Option<RegionPlan> {
    let span = file.span();
    let RegionFile { name, selector, material: stuff } = file.get_ref();
    let selection = selector.as_ref().map(|selector| selection(selector, problems));
    let stuff = needed(stuff, &span, MISSING_REGION_MATERIAL, problems);
    let stuff = stuff.and_then(|file| material(file, base, problems));
    let selection = match selection {
        Some(checked) => Some(checked?),
        None => None,
    };
    Some(RegionPlan { name: name.clone(), selection, material: stuff? })
}

const MISSING_REGION_MATERIAL: Fault =
    Fault::Missing { what: "the region's `material`", example: "material = { young = 1e5 }" };

fn pin_plan(file: &Spanned<PinFile>, duration: f64, problems: &mut Problems) -> Option<PinPlan> {
    let PinFile { selector, on, motion } = file.get_ref();
    let selection = selection(selector, problems);
    let choices = PinOn::ALL.map(|choice| (choice.name(), choice));
    let on = on.as_ref().map_or(Some(PinOn::default()), |on| problems.choice("on", on, &choices));
    let ramps: Vec<Option<Ramp>> =
        motion.iter().map(|file| ramp(file, duration, problems)).collect();
    let ramps = ramps.into_iter().collect::<Option<_>>()?;
    Some(PinPlan { selection: selection?, on: on?, motion: Motion { ramps } })
}
