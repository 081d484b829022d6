//! A person pulls a body: a moving picture, made by the page.

mod gif;
mod palette;

use crate::browser::{BrowserError, Page};

/// Steps of the world from one picture to the next, and hundredths of a second for which it is shown.
const STEPS: u32 = 3;
const PAUSE: u16 = 5;
/// The frame at which the hand comes.
const FIRST: u64 = 100;

/// A picture in red, green and blue.
#[derive(Debug)]
struct Picture {
    size: [u32; 2],
    pixels: Vec<[u8; 3]>,
}

/// What the hand does in one picture: where it is, from where it took hold, as a share of the picture's height; and
/// whether it holds.
type Move = ([f64; 2], bool);

/// A GIF in which a hand pulls a point of the first body of what is shown at an address, in a picture of this size in pixels.
///
/// The world stands still between pictures and is stepped for each, so that the film is the same however fast the machine is.
///
/// # Errors
///
/// No browser, or one in which the page does not do as it is told.
pub async fn film(address: &str, size: [u32; 2]) -> Result<Vec<u8>, BrowserError> {
    let joint = if address.contains('?') { '&' } else { '?' };
    let wishes = format!("{address}{joint}frame={FIRST}&bare=1&theme=light");
    let mut page = Page::open(&wishes, size).await?;
    let pictures = pictures(&mut page, size).await;
    page.close().await;
    Ok(gif::gif(&pictures?, PAUSE))
}

async fn pictures(page: &mut Page, size: [u32; 2]) -> Result<Vec<Picture>, BrowserError> {
    page.wait_for(&format!("document.documentElement?.dataset.frozen === '{FIRST}'")).await?;
    page.evaluate(CURSOR).await?;
    let mut start = page.evaluate(LOWEST).await?;
    let (mut pictures, mut held, mut taken) = (Vec::new(), false, false);
    for ([right, up], holds) in moves() {
        // Until it is taken hold of, the body moves, and the hand goes where it is.
        if !taken {
            start = page.evaluate(LOWEST).await?;
        }
        taken |= holds;
        let at = |key: &str| start[key].as_f64().unwrap_or_default();
        let high = f64::from(size[1]);
        let (x, y) = (at("x") + high * right, at("y") - high * up);
        page.mouse("mouseMoved", x, y).await?;
        if holds != held {
            page.mouse(if holds { "mousePressed" } else { "mouseReleased" }, x, y).await?;
            held = holds;
        }
        page.evaluate(&format!("window.filmCursor({x}, {y}, {held})")).await?;
        page.evaluate(&STEP.replace("COUNT", &STEPS.to_string())).await?;
        pictures.push(decoded(&page.picture().await?)?);
    }
    Ok(pictures)
}

/// The hand comes, pulls out and up in a bow, waits, lets go, and leaves.
fn moves() -> Vec<Move> {
    let smooth = |t: f64| t * t * (3.0 - 2.0 * t);
    let share = |k: u32, of: u32| smooth(f64::from(k) / f64::from(of));
    let come =
        (0..=10).map(|k| ([0.3 * (1.0 - share(k, 10)), -0.15 * (1.0 - share(k, 10))], false));
    let pull = (0..=30).map(|k| {
        let t = share(k, 30);
        ([0.34 * t, 0.24 * t * t], true)
    });
    let hold = (0..8).map(|_| ([0.34, 0.24], true));
    let leave = (0..=36).map(|k| ([0.34 + 0.2 * share(k.min(15), 15), 0.24], false));
    come.chain(pull).chain(hold).chain(leave).collect()
}

/// A mark where the mouse is: a ring that is filled while it holds.
const CURSOR: &str = r"
(() => {
  const mark = document.body.appendChild(document.createElement('div'));
  Object.assign(mark.style, {
    position: 'fixed', width: '16px', height: '16px', border: '2px solid #1b1b1b', borderRadius: '50%',
    transform: 'translate(-50%, -50%)', zIndex: 99, pointerEvents: 'none',
  });
  window.filmCursor = (x, y, held) => Object.assign(mark.style, {
    left: `${x}px`, top: `${y}px`, background: held ? '#1b1b1b' : 'rgba(255, 255, 255, 0.6)',
  });
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

/// Steps the world once the page has sent where the hand is; done when that is drawn.
const STEP: &str = r"
(async () => {
  const tick = () => new Promise(requestAnimationFrame);
  await tick();
  await tick();
  const { serial } = await window.pliant.ask({ step: { count: COUNT } });
  while ((window.pliant.state().serial ?? 0) < serial) await tick();
  window.pliant.app.draw();
})()";

fn decoded(bytes: &[u8]) -> Result<Picture, BrowserError> {
    let failed = |reason: String| BrowserError::Call { method: "picture".to_owned(), reason };
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
