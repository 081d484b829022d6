//! Pictures of a frame, drawn by the page.

use super::{Browser, BrowserError, Page};

/// The settings of a picture.
#[derive(Debug, Clone)]
pub struct SnapshotConfig {
    /// The frame to draw.
    pub frame: u64,
    /// Width and height, in pixels.
    pub size: [u32; 2],
    /// Further options in the address of the page, such as `look=0.6,0.3,1&field=stress`. May be empty.
    pub options: String,
    /// True for a JPEG file instead of PNG: smaller, but lossy.
    pub jpeg: bool,
}

/// Makes a picture of the page at `address`, as the bytes of a file. `progress` gets the current frame.
///
/// # Errors
///
/// The browser fails, or the page does not reach the frame.
pub async fn snapshot(
    browser: &Browser,
    address: &str,
    config: &SnapshotConfig,
    progress: impl FnMut(u64),
) -> Result<Vec<u8>, BrowserError> {
    let SnapshotConfig { frame, size, options, .. } = config;
    let separator = if address.contains('?') { '&' } else { '?' };
    let address = format!("{address}{separator}frame={frame}&bare=1&{options}");
    let mut page = browser.open(&address, *size).await?;
    let made = capture_frame(&mut page, config, progress).await;
    page.close().await;
    made
}

async fn capture_frame(
    page: &mut Page,
    config: &SnapshotConfig,
    progress: impl FnMut(u64),
) -> Result<Vec<u8>, BrowserError> {
    page.wait_for_frame(config.frame, progress).await?;
    if config.jpeg { page.jpeg().await } else { page.picture().await }
}
