//! A person pulls a body: a moving picture, made by the page.

mod gif;
mod palette;

use crate::browser::{Browser, BrowserError, Page};

/// Steps of the world from one picture to the next, and hundredths of a second for which it is shown.
const STEPS: u32 = 3;
const PAUSE: u16 = 5;
/// The frame at which the hand comes.
const FIRST: u64 = 100;
/// From where it is looked at: room below the bodies to pull them into, and none of the dots where they are held.
const LOOK: &str = "theme=light&hide=pins&look=0.3,0.2,1.15";

/// A picture in red, green and blue.
#[derive(Debug)]
struct Picture {
    size: [u32; 2],
    pixels: Vec<[u8; 3]>,
}

/// What the hand does in one picture: where it is, from where it took hold, as a share of the picture's height; and
/// whether it holds.
type Move = ([f64; 2], bool);

/// A GIF in which a hand pulls the lower end of the first body of what is shown at an address, in a picture of this size in
/// pixels. `tell` hears how many pictures are made, and of how many.
///
/// The world stands still between pictures and is stepped for each, so that the film is the same however fast the machine is.
///
/// # Errors
///
/// A browser in which the page does not do as it is told.
pub async fn film(
    browser: &Browser,
    address: &str,
    size: [u32; 2],
    tell: impl FnMut(usize, usize),
) -> Result<Vec<u8>, BrowserError> {
    let joint = if address.contains('?') { '&' } else { '?' };
    let wishes = format!("{address}{joint}frame={FIRST}&bare=1&{LOOK}");
    let mut page = browser.open(&wishes, size).await?;
    let pictures = pictures(&mut page, size, tell).await;
    page.close().await;
    Ok(gif::gif(&pictures?, PAUSE))
}

async fn pictures(
    page: &mut Page,
    [_, high]: [u32; 2],
    mut tell: impl FnMut(usize, usize),
) -> Result<Vec<Picture>, BrowserError> {
    let moves = moves();
    tell(0, moves.len());
    page.wait_for_frame(FIRST, |_| {}).await?;
    page.evaluate(HAND).await?;
    let mut start = page.evaluate(LOWEST).await?;
    let (mut pictures, mut held, mut taken) = (Vec::new(), false, false);
    for ([right, up], holds) in &moves {
        // Until it is taken hold of, the body moves, and the hand goes where it is.
        if !taken {
            start = page.evaluate(LOWEST).await?;
        }
        taken |= holds;
        let at = |key: &str| start[key].as_f64().unwrap_or_default();
        let (x, y) = (at("x") + f64::from(high) * right, at("y") - f64::from(high) * up);
        page.mouse("mouseMoved", x, y).await?;
        if *holds != held {
            page.mouse(if *holds { "mousePressed" } else { "mouseReleased" }, x, y).await?;
            held = *holds;
        }
        page.evaluate(&format!("window.filmStep({x}, {y}, {held}, {STEPS})")).await?;
        pictures.push(decoded(&page.picture().await?)?);
        tell(pictures.len(), moves.len());
    }
    Ok(pictures)
}

/// The hand comes, pulls down and to the right, waits, lets go, and leaves.
fn moves() -> Vec<Move> {
    let mut moves = Vec::new();
    let mut place = [0.2, -0.12];
    let legs = [
        (9, [0.0, 0.0], false),
        (2, [0.0, 0.0], true),
        (14, [-0.16, -0.2], true),
        (22, [0.24, -0.22], true),
        (7, [0.24, -0.22], true),
        (12, [0.45, -0.3], false),
        (22, [0.45, -0.3], false),
    ];
    for (count, to, holds) in legs {
        moves.extend(
            (1..=count).map(|k| (between(place, to, f64::from(k) / f64::from(count)), holds)),
        );
        place = to;
    }
    moves
}

/// A place on the way, which begins and ends slowly.
fn between(from: [f64; 2], to: [f64; 2], t: f64) -> [f64; 2] {
    let share = t * t * (3.0 - 2.0 * t);
    [0, 1].map(|axis| from[axis] + share * (to[axis] - from[axis]))
}

/// A mark where the mouse is, a ring that is filled while it holds; a hand that gives way, so that it is seen to pull; and a
/// function that steps the world once the page has sent where the hand is, which is done when that is drawn.
const HAND: &str = r"
(() => {
  const mark = document.body.appendChild(document.createElement('div'));
  Object.assign(mark.style, {
    position: 'fixed', width: '16px', height: '16px', border: '2px solid #1b1b1b', borderRadius: '50%',
    transform: 'translate(-50%, -50%)', zIndex: 99, pointerEvents: 'none',
  });
  const tick = () => new Promise(requestAnimationFrame);
  window.pliant.app.pull.strength = 0.3;
  window.filmStep = async (x, y, held, count) => {
    Object.assign(mark.style, {
      left: `${x}px`, top: `${y}px`, background: held ? 'rgba(27, 27, 27, 0.35)' : 'rgba(255, 255, 255, 0.6)',
    });
    await tick();
    await tick();
    const { serial } = await window.pliant.ask({ step: { count } });
    while ((window.pliant.state().serial ?? 0) < serial) await tick();
  };
})()";

/// Where on the page the lowest end of the first body is, at a place that can be taken hold of.
const LOWEST: &str = r"
(() => {
  const nodes = window.pliant.state(true).bodies[0].x.slice().sort((a, b) => a[1] - b[1]);
  for (const node of nodes) {
    const { x, y } = window.pliant.pixelOf(node);
    if (window.pliant.pick(x, y - 4)?.body === 0) return { x, y: y - 4 };
  }
  return { x: 0, y: 0 };
})()";

fn decoded(bytes: &[u8]) -> Result<Picture, BrowserError> {
    let failed = |reason: String| BrowserError::call("picture", reason);
    let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(|error| failed(error.to_string()))?;
    let mut buffer = vec![0; reader.output_buffer_size().unwrap_or_default()];
    let info = reader.next_frame(&mut buffer).map_err(|error| failed(error.to_string()))?;
    let channels = info.color_type.samples();
    let colours = buffer[..info.buffer_size()].chunks_exact(channels);
    let pixels = colours.map(|pixel| match pixel {
        [red, green, blue, ..] => [*red, *green, *blue],
        _ => [pixel[0]; 3],
    });
    Ok(Picture { size: [info.width, info.height], pixels: pixels.collect() })
}
