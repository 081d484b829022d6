//! Pictures of scenes with fracture, before, during and after the break, for visual inspection:
//!
//! ```text
//! PLIANT_PICTURES=DIR cargo test --release --workspace --test viewer pictures_of_what_breaks
//! ```
//!
//! writes three pictures for each scene, and `breaking.jpg` with all of them. It takes two to three minutes on two
//! cores; without the variable the test is skipped.

use std::path::Path;

use base64::Engine as _;
use pliant_viewer::Server;
use pliant_viewer::browser::{Browser, Page};

use super::{eval, in_a_browser};
use crate::common::{SCENE, serve};

/// The size of a picture, in pixels.
const SIZE: [u32; 2] = [960, 640];
const SMALL: [u32; 2] = [330, 220];

const WHEN: [&str; 3] = ["before", "during", "after"];

/// A scene, the frames of its pictures, and the camera.
struct Breaking {
    scene: &'static str,
    frames: [u64; 3],
    /// The target of the camera, in m.
    target: [f64; 3],
    /// The distance of the camera from its target, in m.
    distance: f64,
    /// Yaw and pitch, in rad.
    angles: [f64; 2],
}

const SCENES: [Breaking; 9] = [
    Breaking {
        scene: "panel",
        frames: [0, 6, 119],
        target: [0.0, 0.55, 0.0],
        distance: 4.0,
        angles: [0.5, 0.35],
    },
    Breaking {
        scene: "gate",
        frames: [0, 26, 140],
        target: [0.0, 0.85, 0.7],
        distance: 7.0,
        angles: [0.35, 0.25],
    },
    Breaking {
        scene: "trestle",
        frames: [0, 16, 120],
        target: [0.0, 0.5, 0.0],
        distance: 6.0,
        angles: [0.45, 0.25],
    },
    Breaking {
        scene: "pole",
        frames: [60, 92, 115],
        target: [0.0, 1.0, 0.0],
        distance: 4.2,
        angles: [0.5, 0.15],
    },
    Breaking {
        scene: "glass-cell",
        frames: [0, 26, 120],
        target: [0.0, 0.45, 0.0],
        distance: 7.6,
        angles: [0.5, 0.4],
    },
    Breaking {
        scene: "window",
        frames: [0, 8, 60],
        target: [0.0, 0.85, 0.0],
        distance: 4.2,
        angles: [0.6, 0.2],
    },
    Breaking {
        scene: "vase",
        frames: [24, 44, 95],
        target: [0.1, 0.35, 0.0],
        distance: 3.2,
        angles: [0.5, 0.3],
    },
    Breaking {
        scene: "chocolate",
        frames: [0, 40, 119],
        target: [0.0, 0.03, 0.0],
        distance: 0.36,
        angles: [0.5, 0.4],
    },
    Breaking {
        scene: "door",
        frames: [30, 150, 290],
        target: [1.9, 0.6, 0.0],
        distance: 7.5,
        angles: [0.6, 0.3],
    },
];

/// Makes the pictures; checks only that the page reports no errors.
#[test]
fn pictures_of_what_breaks() {
    let Some(folder) = std::env::var_os("PLIANT_PICTURES") else {
        println!("skipped: PLIANT_PICTURES names no folder");
        return;
    };
    in_a_browser(async |browser| {
        let server = serve(SCENE).await;
        let mut rows = String::new();
        for breaking in &SCENES {
            rows += &row(browser, &server, breaking, Path::new(&folder)).await;
        }
        let file = Path::new(&folder).join("breaking.jpg");
        std::fs::write(file, sheet(browser, &rows).await).unwrap();
        server.stop().await;
    });
}

/// Makes the pictures of a scene; returns its row of the overview.
async fn row(browser: &Browser, server: &Server, breaking: &Breaking, folder: &Path) -> String {
    let scene = breaking.scene;
    let options = "frame=0&bare=1&theme=light&hide=pins,sleep";
    let address = format!("{}?scene=parker/{scene}&{options}", server.address());
    let mut page = browser.open(&address, SIZE).await.unwrap();
    page.wait_for_frame(0, |_| {}).await.unwrap();
    look(&mut page, breaking).await;
    let mut row = format!("<p>{scene}</p>");
    for (frame, when) in breaking.frames.iter().zip(WHEN) {
        eval(&mut page, &format!("void window.pliant.freeze({frame})")).await;
        page.wait_for_frame(*frame, |_| {}).await.unwrap();
        let picture = page.picture().await.unwrap();
        std::fs::write(folder.join(format!("{scene}-{when}.png")), &picture).unwrap();
        let text = base64::engine::general_purpose::STANDARD.encode(&picture);
        row += &format!("<img src='data:image/png;base64,{text}'>");
    }
    assert_eq!(page.errors(), &[] as &[String], "the console must have no errors");
    page.close().await;
    row
}

/// Places the camera and keeps it there.
async fn look(page: &mut Page, Breaking { target, distance, angles: [yaw, pitch], .. }: &Breaking) {
    let place = format!(
        "(({{ view }}) => {{
            view.control.goal.target.set(...view.toPage({target:?}));
            Object.assign(view.control.goal, {{ distance: {distance}, yaw: {yaw}, pitch: {pitch} }});
            view.control.touched = true;
        }})(window.pliant.app)"
    );
    eval(page, &place).await;
}

/// Makes the overview of all rows, as a JPEG file.
async fn sheet(browser: &Browser, rows: &str) -> Vec<u8> {
    let [wide, high] = SMALL;
    let style = format!(
        "body {{ margin: 0; display: grid; grid-template-columns: 90px repeat(3, {wide}px); font: 14px sans-serif; background: white }}
         p {{ margin: auto }} img {{ width: {wide}px; height: {high}px }}"
    );
    let size = [90 + 3 * wide, high * SCENES.len() as u32];
    let mut page = browser.open("about:blank", size).await.unwrap();
    let html = serde_json::json!(format!("<style>{style}</style>{rows}"));
    eval(&mut page, &format!("void (document.body.innerHTML = {html})")).await;
    page.wait_for("[...document.images].every((image) => image.complete)").await.unwrap();
    let made = page.jpeg().await.unwrap();
    page.close().await;
    made
}
