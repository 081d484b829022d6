//! An animation of a body that is pulled, drawn by the page.

mod gif;
mod palette;

use crate::browser::{Browser, BrowserError, Page};

/// Steps of the world between two pictures, and the time for which each is shown, in hundredths of a second.
const STEPS_PER_PICTURE: u32 = 3;
const PICTURE_DURATION: u16 = 5;
/// The frame at which the pull begins.
const FIRST_FRAME: u64 = 100;
/// View settings: space below the bodies to pull them into, and no marks of pins.
const VIEW_OPTIONS: &str = "theme=light&hide=pins&look=0.3,0.2,1.15";

/// An RGB picture.
#[derive(Debug)]
struct Picture {
    size: [u32; 2],
    pixels: Vec<[u8; 3]>,
}

/// State of the mouse in one picture: its offset from the point where it takes hold, relative to the height of the
/// picture; and true while it holds.
type Move = ([f64; 2], bool);

/// Makes a GIF in which the lower end of the first body is pulled, from the page at `address`, with a `size` in pixels.
/// `progress` is called with the number of finished pictures and the total.
///
/// The world is paused between pictures and stepped for each of them, so the film does not depend on the speed of the
/// machine.
///
/// # Errors
///
/// The browser fails, or the page does not respond.
pub async fn film(
    browser: &Browser,
    address: &str,
    size: [u32; 2],
    progress: impl FnMut(usize, usize),
) -> Result<Vec<u8>, BrowserError> {
    let separator = if address.contains('?') { '&' } else { '?' };
    let options = format!("{address}{separator}frame={FIRST_FRAME}&bare=1&{VIEW_OPTIONS}");
    let mut page = browser.open(&options, size).await?;
    let pictures = pictures(&mut page, size, progress).await;
    page.close().await;
    Ok(gif::gif(&pictures?, PICTURE_DURATION))
}

async fn pictures(
    page: &mut Page,
    [_, high]: [u32; 2],
    mut progress: impl FnMut(usize, usize),
) -> Result<Vec<Picture>, BrowserError> {
    let moves = moves();
    progress(0, moves.len());
    page.wait_for_frame(FIRST_FRAME, |_| {}).await?;
    page.evaluate(POINTER_SCRIPT).await?;
    let mut start = page.evaluate(LOWEST_POINT_SCRIPT).await?;
    let (mut pictures, mut held, mut taken) = (Vec::new(), false, false);
    for ([right, up], holds) in &moves {
        // The body moves until it is held, so the mouse follows it.
        if !taken {
            start = page.evaluate(LOWEST_POINT_SCRIPT).await?;
        }
        taken |= holds;
        let at = |key: &str| start[key].as_f64().unwrap_or_default();
        let (x, y) = (at("x") + f64::from(high) * right, at("y") - f64::from(high) * up);
        page.mouse("mouseMoved", x, y).await?;
        if *holds != held {
            page.mouse(if *holds { "mousePressed" } else { "mouseReleased" }, x, y).await?;
            held = *holds;
        }
        page.evaluate(&format!("window.filmStep({x}, {y}, {held}, {STEPS_PER_PICTURE})")).await?;
        pictures.push(decoded(&page.picture().await?)?);
        progress(pictures.len(), moves.len());
    }
    Ok(pictures)
}

/// The path of the mouse: it approaches, pulls down and to the right, waits, releases and leaves.
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

/// Interpolates between two positions with a smooth start and end.
fn between(from: [f64; 2], to: [f64; 2], t: f64) -> [f64; 2] {
    let share = t * t * (3.0 - 2.0 * t);
    [0, 1].map(|axis| from[axis] + share * (to[axis] - from[axis]))
}

/// Script that adds a marker at the mouse, filled while it holds; weakens the pull, so that the body visibly lags
/// behind; and defines `filmStep`, which waits until the page has sent the mouse position, steps the world, and
/// resolves when the result is drawn.
const POINTER_SCRIPT: &str = r"
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

/// Script that returns the position on the page of the lowest point of the first body that can be picked.
const LOWEST_POINT_SCRIPT: &str = r"
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
