//! A picture of a frame, made by the page itself.

use super::{BrowserError, Page};

/// The picture of frame `frame` of what is shown at an address, as a PNG file of this size in pixels.
///
/// # Errors
///
/// No browser, or one in which the page does not come to that frame.
pub async fn snapshot(address: &str, frame: u64, size: [u32; 2]) -> Result<Vec<u8>, BrowserError> {
    let joint = if address.contains('?') { '&' } else { '?' };
    let mut page = Page::open(&format!("{address}{joint}frame={frame}&bare=1"), size).await?;
    let frozen = format!("document.documentElement?.dataset.frozen === '{frame}'");
    let made = match page.wait_for(&frozen).await {
        Ok(()) => page.picture().await,
        Err(error) => Err(with_errors(error, page.errors())),
    };
    page.close().await;
    made
}

/// The error, with what the page complained of.
fn with_errors(error: BrowserError, errors: &[String]) -> BrowserError {
    match error {
        BrowserError::Call { method, reason } if !errors.is_empty() => BrowserError::Call {
            method,
            reason: format!("{reason}; the page says: {}", errors.join("; ")),
        },
        other => other,
    }
}
