//! A picture of a frame, made by the page itself.

use super::{BrowserError, Page};

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

/// The picture of what is shown at an address, as a file.
///
/// # Errors
///
/// No browser, or one in which the page does not come to that frame.
pub async fn snapshot(address: &str, shot: &Shot) -> Result<Vec<u8>, BrowserError> {
    let Shot { frame, size, wishes, small } = shot;
    let joint = if address.contains('?') { '&' } else { '?' };
    let address = format!("{address}{joint}frame={frame}&bare=1&{wishes}");
    let mut page = Page::open(&address, *size).await?;
    let frozen = format!("document.documentElement?.dataset.frozen === '{frame}'");
    let made = match page.wait_for(&frozen).await {
        Ok(()) if *small => page.photo().await,
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
