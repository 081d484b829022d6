//! Checks of attachments.

use pliant::body::{Motion, Ramp};
use pliant::world::Bond;
use toml::Spanned;

use super::motion::ramp;
use super::output::named_body;
use super::problems::Problems;
use super::selection::selection;
use crate::scene::file::attachment::{AttachmentFile, HingeFile};
use crate::scene::plan::attachment::{AttachmentPlan, SupportPlan};
use crate::scene::plan::mode::Mode;
use crate::scene::problem::fault::Fault;
use crate::scene::read::value::Word;

/// Checks `[[attachment]]`; `bodies` are the names of all bodies of the file.
pub(crate) fn attachment(
    file: &Spanned<AttachmentFile>,
    bodies: &[&Word],
    (mode, duration): (Mode, f64),
    problems: &mut Problems,
) -> Option<AttachmentPlan> {
    let span = file.span();
    let AttachmentFile { name, body, selector, to, motion, hinge, stiffness, strength } =
        file.get_ref();
    if mode == Mode::Static {
        let when = "in a static scene; it belongs to `mode = \"dynamic\"`";
        problems.add(span, Fault::NoEffect { key: "attachment", when });
    }
    let body = named_body(name, body.as_ref(), bodies, MISSING_ATTACHMENT_BODY, problems);
    let selection = selection(selector, problems);
    let bond = hinge.as_ref().map_or(Some(Bond::Weld), |file| hinged(file, problems));
    let stiffness = stiffness.as_ref().map_or(Some(None), |number| {
        let expected = "a number from 0 to 1e15, in N/m";
        let fits = |value: f64| (0.0..=1e15).contains(&value);
        problems.number("stiffness", number, expected, fits).map(Some)
    });
    let strength = strength
        .as_ref()
        .map_or(Some(None), |number| problems.positive("strength", number).map(Some));
    let ramps: Vec<Option<Ramp>> =
        motion.iter().map(|file| ramp(file, duration, problems)).collect();
    let ramps = ramps.into_iter().collect::<Option<Vec<Ramp>>>();
    let support = match (to, motion.first()) {
        (Some(_), Some(first)) => {
            let when = "on an attachment to a body; give that body a pin that moves";
            problems.add(first.span(), Fault::NoEffect { key: "motion", when });
            None
        }
        (Some(word), None) => {
            named_body(name, Some(word), bodies, MISSING_ATTACHMENT_BODY, problems)
                .map(SupportPlan::Body)
        }
        (None, Some(_)) => ramps.map(|ramps| SupportPlan::Frame(Motion { ramps })),
        (None, None) => Some(SupportPlan::World),
    };
    Some(AttachmentPlan {
        name: name.get_ref().clone(),
        body: body?,
        selection: selection?,
        support: support?,
        bond: bond?,
        stiffness: stiffness?,
        strength: strength?,
    })
}

const MISSING_ATTACHMENT_BODY: Fault =
    Fault::Missing { what: "the attachment's `body`", example: "body = \"beam\"" };

fn hinged(file: &HingeFile, problems: &mut Problems) -> Option<Bond> {
    let through = problems.position("through", &file.through);
    let axis = problems.direction("axis", &file.axis);
    Some(Bond::Hinge { through: through?, axis: axis? })
}
