//! A picture of a frame, made by the page itself.

use super::{Browser, BrowserError, Page};

/// What is to be on a picture.
#[derive(Debug, Clone)]
pub struct Shot {
    /// The frame.
    pub frame: u64,
    /// Pixels along the two sides.
    pub size: [u32; 2],
    /// What else the page's address is to ask for: `look=0.6,0.3,1&field=stress`. May be empty.
    pub wishes: String,
    /// A JPEG file in the place of a PNG: smaller, and not exact.
    pub small: bool,
}

/// The picture of what is shown at an address, as a file. `tell` hears which frame it has come to.
///
/// # Errors
///
/// The browser has none in which the page comes to that frame.
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
