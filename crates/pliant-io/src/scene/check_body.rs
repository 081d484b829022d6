//! Checks of the bodies of a scene that need no mesh.

use std::ops::Range;
use std::path::PathBuf;

use glam::{DAffine3, DQuat, DVec3};
use pliant::body::{Action, Dilation, Motion, Ramp};
use pliant::contact::ContactConfig;
use toml::Spanned;

use super::check_contact::{contact, rigid};
use super::check_friction::body_material;
use super::check_material::material;
use super::check_mesh::mesh;
use super::check_method::{MethodSpans, method};
use super::check_start::{pull, start};
use super::check_toughness::toughness;
use super::fault::Fault;
use super::file::{
    BodyFile, Number, PinFile, RampFile, RegionFile, RotateFile, ShapeFile, TransformFile, Triple,
    Word,
};
use super::plan::{BodyPlan, Mode, PinOn, PinPlan, RegionPlan, Selection};
use super::problems::Problems;
use super::scene::Common;
use super::shorthand::Selector;
use super::splinters_plan::splinters;

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
pub(super) fn body(
    file: &Spanned<BodyFile>,
    index: usize,
    common: &Common<'_>,
    problems: &mut Problems,
) -> Option<BodyPlan> {
    let span = file.span();
    let file = file.get_ref();
    let Common { mode, duration, .. } = *common;
    if mode == Mode::Static && file.pin.is_empty() {
        problems.add(file.name.span(), Fault::Loose { body: file.name.get_ref().clone() });
    }
    if let (Some(_), Some(on)) = (&file.copies, pins_on_surface(file)) {
        let when = "on copies: their pins always hold nodes";
        problems.add(on.span(), Fault::NoEffect { key: "on", when });
    }
    let mesh = needed(&file.mesh, &span, MESH, problems).and_then(|file| mesh(file, problems));
    let stuff = needed(&file.material, &span, MATERIAL, problems);
    let stuff = stuff.and_then(|file| material(file, None, problems));
    let quadrature = file.quadrature.as_ref().and_then(|degree| {
        problems.whole("quadrature", degree, 1..21, "a degree from 1 to 20").map(|d| d as usize)
    });
    let dilation = file.dilation.as_ref().and_then(|word| {
        let choices = Dilation::ALL.map(|choice| (choice.name(), choice));
        problems.choice("dilation", word, &choices)
    });
    let velocity = file.velocity.as_ref().map(|v| problems.velocity(v));
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
    let own = file.method.as_ref();
    let method = method(own, common.method, mode, problems);
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
        velocity: velocity.flatten().unwrap_or(DVec3::ZERO),
        start,
        rest: rest.flatten(),
        quadrature,
        dilation: dilation.unwrap_or_default(),
        regions,
        pins,
        pulls,
        method,
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
        method_spans: MethodSpans::new(own, common.method_file, &file.name.span()),
        span,
    })
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

const MESH: Fault = Fault::Missing {
    what: "the body's `mesh`",
    example: "mesh = { box = { size = [4, 1, 1], cells = [8, 2, 2] }, degree = 2 }",
};
const MATERIAL: Fault =
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

/// Checks a colour `#rrggbb`.
pub(super) fn colour(word: &Word, problems: &mut Problems) -> Option<[u8; 3]> {
    let text = word.get_ref();
    let hexadecimal = |digits: &str| digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let digits = text.strip_prefix('#');
    let digits = digits.filter(|digits| digits.len() == 6 && hexadecimal(digits));
    let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
    if number.is_none() {
        problems.add(word.span(), Fault::BadColour { colour: text.clone() });
    }
    number.map(|number| [(number >> 16) as u8, (number >> 8) as u8, number as u8])
}

fn transform(file: &TransformFile, problems: &mut Problems) -> Option<DAffine3> {
    let TransformFile { scale, rotate, translate } = file;
    scaled_turned_moved((scale, rotate, translate), problems)
}

/// Checks a transform: scale, then rotation, then translation.
pub(super) fn scaled_turned_moved(
    (scale, rotate, translate): (&Option<Number>, &Option<RotateFile>, &Option<Triple>),
    problems: &mut Problems,
) -> Option<DAffine3> {
    let scale = scale.as_ref().map_or(Some(1.0), |scale| problems.positive("scale", scale));
    let translate = translate.as_ref();
    let translate = translate.map_or(Some(DVec3::ZERO), |by| problems.triple("translate", by));
    let rotate =
        rotate.as_ref().map_or(Some((DVec3::ZERO, DVec3::Y, 0.0)), |file| rotation(file, problems));
    let (centre, axis, angle) = rotate?;
    let turn = DQuat::from_axis_angle(axis, angle);
    let about_centre = DAffine3::from_translation(centre)
        * DAffine3::from_quat(turn)
        * DAffine3::from_translation(-centre);
    let scale = DAffine3::from_scale(DVec3::splat(scale?));
    Some(DAffine3::from_translation(translate?) * about_centre * scale)
}

/// Checks a rotation; returns centre, unit axis and angle in rad.
pub(super) fn rotation(file: &RotateFile, problems: &mut Problems) -> Option<(DVec3, DVec3, f64)> {
    let RotateFile { centre, axis, angle_deg } = file;
    let centre = centre.as_ref().map_or(Some(DVec3::ZERO), |at| problems.position("centre", at));
    let axis = problems.direction("axis", axis);
    let angle = problems.number("angle_deg", angle_deg, "a finite number of degrees", |_| true);
    Some((centre?, axis?, angle?.to_radians()))
}

fn region(
    file: &Spanned<RegionFile>,
    base: Option<pliant::material::Material>,
    problems: &mut Problems,
) -> Option<RegionPlan> {
    let span = file.span();
    let RegionFile { name, selector, material: stuff } = file.get_ref();
    let selection = selector.as_ref().map(|selector| selection(selector, problems));
    let stuff = needed(stuff, &span, REGION_MATERIAL, problems);
    let stuff = stuff.and_then(|file| material(file, base, problems));
    let selection = match selection {
        Some(checked) => Some(checked?),
        None => None,
    };
    Some(RegionPlan { name: name.clone(), selection, material: stuff? })
}

const REGION_MATERIAL: Fault =
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

/// Checks one ramp; by default it lasts for the whole scene.
pub(super) fn ramp(
    file: &Spanned<RampFile>,
    duration: f64,
    problems: &mut Problems,
) -> Option<Ramp> {
    let span = file.span();
    let RampFile { start, end, translate, rotate } = file.get_ref();
    let from_zero = "a finite number of 0 or more, in s";
    let start = start.as_ref().map_or(Some(0.0), |start| {
        problems.number("start", start, from_zero, |value| value >= 0.0)
    })?;
    let end = end.as_ref().map_or(Some(duration.max(start)), |end| {
        problems.number("end", end, "a finite number, not before `start`", |end| end >= start)
    });
    let action = match (translate, rotate) {
        (Some(by), None) => problems.position("translate", by).map(Action::Translate),
        (None, Some(file)) => rotation(file, problems)
            .map(|(centre, axis, angle)| Action::Rotate { centre, axis, angle }),
        _ => {
            let count = usize::from(translate.is_some()) + usize::from(rotate.is_some());
            let choices = "`translate`, `rotate`";
            problems.add(span, Fault::NotOne { what: "a motion", count, choices });
            None
        }
    };
    Some(Ramp { start, end: end?, action: action? })
}

/// Checks a selection by name or shape.
pub(super) fn selection(
    file: &Spanned<Selector>,
    problems: &mut Problems,
) -> Option<Spanned<Selection>> {
    let span = file.span();
    let selection = match file.get_ref() {
        Selector::Name(name) => Some(Selection::Named(name.clone())),
        Selector::Shape(shape) => shape_selection(shape, &span, problems),
    };
    Some(Spanned::new(span, selection?))
}

fn shape_selection(
    file: &ShapeFile,
    span: &Range<usize>,
    problems: &mut Problems,
) -> Option<Selection> {
    let ShapeFile { block, sphere, half_space, surface, colour: paint } = file;
    let given = [
        block.is_some(),
        sphere.is_some(),
        half_space.is_some(),
        surface.is_some(),
        paint.is_some(),
    ];
    let count = given.into_iter().filter(|given| *given).count();
    if count != 1 {
        let choices = "`box`, `sphere`, `half_space`, `surface`, `colour`";
        let fault = Fault::NotOne { what: "a shape to select with", count, choices };
        problems.add(span.clone(), fault);
        return None;
    }
    if let Some(file) = block {
        let min = problems.triple("min", &file.min)?;
        let expected = "no coordinate below that of `min`";
        let above = |max: DVec3| max.cmpge(min).all();
        let max = problems.triple_where("max", &file.max, expected, above)?;
        return Some(Selection::Box { min, max });
    }
    if let Some(file) = sphere {
        let centre = problems.triple("centre", &file.centre);
        let radius = problems.positive("radius", &file.radius);
        return Some(Selection::Sphere { centre: centre?, radius: radius? });
    }
    if let Some(file) = half_space {
        let point = problems.triple("point", &file.point);
        let normal = problems.direction("normal", &file.normal);
        return Some(Selection::HalfSpace { point: point?, normal: normal? });
    }
    if let Some(path) = surface {
        return Some(Selection::Enclosed(PathBuf::from(path.get_ref())));
    }
    let paint = colour(paint.as_ref()?, problems)?;
    Some(Selection::Painted(paint.map(|byte| f32::from(byte) / 255.0)))
}
