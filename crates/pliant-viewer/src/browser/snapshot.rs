//! Pictures of a frame, drawn by the page.

use super::{Browser, BrowserError, Page};

/// The settings of a picture.
#[derive(Debug, Clone)]
pub struct Shot {
    /// The frame to draw.
    pub frame: u64,
    /// Width and height, in pixels.
    pub size: [u32; 2],
    /// Further options in the address of the page, such as `look=0.6,0.3,1&field=stress`. May be empty.
    pub wishes: String,
    /// True for a JPEG file instead of PNG: smaller, but lossy.
    pub small: bool,
}

/// Makes a picture of the page at `address`, as the bytes of a file. `tell` gets the current frame.
///
/// # Errors
///
/// The browser fails, or the page does not reach the frame.
pub async fn snapshot(
    browser: &Browser,
    address: &str,
    shot: &Shot,
    tell: impl FnMut(u64),
) -> Result<Vec<u8>, BrowserError> {
    let Shot { frame, size, wishes, .. } = shot;
    let joint = if address.contains('?') { '&' } else { '?' };
    let address = format!("{address}{joint}frame={frame}&bare=1&{wishes}");
    let mut page = browser.open(&address, *size).await?;
    let made = taken(&mut page, shot, tell).await;
    page.close().await;
    made
}

async fn taken(
    page: &mut Page,
    shot: &Shot,
    tell: impl FnMut(u64),
) -> Result<Vec<u8>, BrowserError> {
    page.wait_for_frame(shot.frame, tell).await?;
    if shot.small { page.photo().await } else { page.picture().await }
}
