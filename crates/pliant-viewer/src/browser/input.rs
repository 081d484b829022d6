//! Mouse, touch and keyboard input.

use serde_json::{Value, json};

use super::{BrowserError, Page};

impl Page {
    /// Moves, presses or releases the mouse: `mouseMoved`, `mousePressed`, `mouseReleased`.
    ///
    /// # Errors
    ///
    /// The browser does not answer.
    pub async fn mouse(&mut self, kind: &str, x: f64, y: f64) -> Result<(), BrowserError> {
        let moves = kind == "mouseMoved";
        self.pressed = if moves { self.pressed } else { kind == "mousePressed" };
        let event = json!({
            "type": kind, "x": x, "y": y, "button": if moves { "none" } else { "left" },
            "buttons": u8::from(self.pressed), "clickCount": u8::from(!moves),
        });
        self.call("Input.dispatchMouseEvent", event).await.map(drop)
    }

    /// Sends a touch event: `touchStart`, `touchMove`, `touchEnd`; `fingers` are the positions of all fingers that are
    /// down.
    ///
    /// # Errors
    ///
    /// The browser does not answer.
    pub async fn touch(&mut self, kind: &str, fingers: &[[f64; 2]]) -> Result<(), BrowserError> {
        let finger = |(id, [x, y]): (usize, &[f64; 2])| json!({ "x": x, "y": y, "id": id });
        let points: Vec<Value> = fingers.iter().enumerate().map(finger).collect();
        let event = json!({ "type": kind, "touchPoints": points });
        self.call("Input.dispatchTouchEvent", event).await.map(drop)
    }

    /// Presses and releases a key; `key` and `code` as in browser events: `a` and `KeyA`.
    ///
    /// # Errors
    ///
    /// The browser does not answer.
    pub async fn key(&mut self, key: &str, code: &str) -> Result<(), BrowserError> {
        let text = if key.chars().count() == 1 { key } else { "" };
        for kind in ["keyDown", "keyUp"] {
            let event = json!({ "type": kind, "key": key, "code": code, "text": text });
            self.call("Input.dispatchKeyEvent", event).await?;
        }
        Ok(())
    }
}
