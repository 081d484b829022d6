//! The page in a real browser. Without an installed browser these tests print that they are skipped, and pass.

mod breaking;

use crate::common;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use base64::Engine as _;
use common::{Client, SCENE, run_test, runtime, serve};
use pliant_io::read_mesh;
use pliant_io::scene::Scene;
use pliant_io::surface::read_surface;
use pliant_viewer::Server;
use pliant_viewer::browser::{Browser, BrowserError, Page, find};
use serde_json::{Value, json};

/// One test at a time, because a browser without a graphics card needs the whole machine.
static TURN: Mutex<()> = Mutex::new(());

/// The browser shared by all tests: a second page starts in a third of the time. Tests that wait for their turn hold
/// it already, so that it ends with the last of them.
static BROWSER: Mutex<Weak<Browser>> = Mutex::new(Weak::new());

fn browser() -> Arc<Browser> {
    let mut shared = BROWSER.lock().unwrap_or_else(PoisonError::into_inner);
    shared.upgrade().unwrap_or_else(|| {
        let started = Arc::new(runtime().block_on(Browser::start()).unwrap());
        *shared = Arc::downgrade(&started);
        started
    })
}

/// The size of the window, small because drawing without a graphics card is slow.
const WINDOW: [u32; 2] = [640, 480];

/// Runs a test in its own page with its own server.
fn in_a_page(test: impl AsyncFnOnce(&mut Page, &Server)) {
    on_a_page(SCENE, test);
}

/// The same with another scene.
fn on_a_page(scene: &str, test: impl AsyncFnOnce(&mut Page, &Server)) {
    in_a_browser(async |browser| {
        let (server, mut page) = begun(browser, scene).await;
        test(&mut page, &server).await;
        ended(server, page).await;
    });
}

/// A server with a paused scene, and its page.
async fn begun(browser: &Browser, scene: &str) -> (Server, Page) {
    let server = serve(scene).await;
    // A paused world is drawn only once, so that a page opens in half of the time.
    Client::connect(server.address()).await.done(json!("pause")).await;
    let page = opened(browser, server.address(), WINDOW).await;
    (server, page)
}

/// Checks after every test that the console has no errors and that the page requested nothing from other hosts.
async fn ended(server: Server, page: Page) {
    assert_eq!(page.errors(), &[] as &[String], "the console must have no errors");
    let own = |address: &&String| {
        !address.starts_with(server.address())
            && !address.starts_with("blob:")
            && !address.starts_with("data:")
    };
    let others: Vec<&String> =
        page.requests().iter().filter(own).filter(|address| *address != "about:blank").collect();
    assert!(others.is_empty(), "requests to other hosts: {others:?}");
    page.close().await;
    server.stop().await;
}

fn in_a_browser(test: impl AsyncFnOnce(&Browser)) {
    if let Err(error @ BrowserError::NotFound) = find() {
        println!("skipped: {error}");
        return;
    }
    let browser = browser();
    let _turn = TURN.lock();
    run_test(test(&browser));
}

async fn opened(browser: &Browser, address: &str, size: [u32; 2]) -> Page {
    let mut page = browser.open(address, size).await.unwrap();
    page.wait_for("document.readyState === 'complete' && !!window.pliant?.ready").await.unwrap();
    page.evaluate("window.pliant.ready.then(() => true)").await.unwrap();
    page
}

/// The value of an expression that must not throw.
async fn eval(page: &mut Page, expression: &str) -> Value {
    page.evaluate(expression).await.unwrap()
}

async fn click(page: &mut Page, id: &str) {
    eval(page, &format!("document.getElementById('{id}').click()")).await;
}

/// Types a number into the field beside a slider.
async fn enter(page: &mut Page, id: &str, text: &str) {
    let set = "field.value = TEXT; field.dispatchEvent(new Event('change'))";
    let set = set.replace("TEXT", &json!(text).to_string());
    eval(page, &format!("{{ const field = document.getElementById('{id}-number'); {set} }}")).await;
}

async fn state(page: &mut Page) -> Value {
    page.evaluate("window.pliant.state(true)").await.unwrap()
}

fn height(state: &Value, body: usize, node: usize) -> f64 {
    state["bodies"][body]["x"][node][1].as_f64().unwrap()
}

/// The page loads, shows the scene, and its gallery shows pictures.
#[test]
fn it_loads_and_shows_the_world() {
    in_a_page(async |page, _| {
        let state = state(page).await;
        assert_eq!((&state["title"], &state["connection"]), (&json!("Two bodies"), &json!("open")));
        let first = page.picture().await.unwrap();
        assert!(first.starts_with(b"\x89PNG") && first.len() > 5000, "{} bytes", first.len());
        click(page, "scene").await;
        let images = "[...document.querySelectorAll('#gallery-cards img')]";
        page.wait_for(&format!("{images}.length >= 12 && {images}[0].naturalWidth > 100"))
            .await
            .unwrap();
    });
}

/// A node near the end of a body in x and a pixel of the canvas near it that shows the body.
async fn end_of(page: &mut Page, body: usize) -> (usize, f64, f64) {
    let script = r"(() => {
        const nodes = window.pliant.state(true).bodies[BODY].x;
        const order = [...nodes.keys()].sort((a, b) => nodes[b][0] - nodes[a][0]);
        for (const node of order) for (const [dx, dy] of [[-3, 0], [-3, -3], [-3, 3], [-8, 0], [-8, 8], [0, 0]]) {
            const at = window.pliant.pixel(BODY, node);
            const [x, y] = [at.x + dx, at.y + dy];
            const seen = document.elementFromPoint(x, y)?.id === 'view';
            if (seen && window.pliant.pick(x, y)?.body === BODY) return { node, x, y };
        }
        return null;
    })()";
    let found = eval(page, &script.replace("BODY", &body.to_string())).await;
    let number = |key: &str| found[key].as_f64().unwrap_or_else(|| panic!("seen: {found}"));
    (number("node") as usize, number("x"), number("y"))
}

/// The pixels of a PNG file in a data address.
fn pixels(address: &Value) -> (u32, u32, Vec<u8>) {
    let text = address.as_str().unwrap().strip_prefix("data:image/png;base64,").unwrap();
    decoded(&base64::engine::general_purpose::STANDARD.decode(text).unwrap())
}

fn decoded(file: &[u8]) -> (u32, u32, Vec<u8>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    (info.width, info.height, pixels)
}

/// The same frame gives the same picture, within 2 of 255 levels, because some browsers round differently from one
/// drawing to the next. Coloured by stress the picture is different.
#[test]
fn a_frozen_frame_is_the_same_picture_again() {
    in_a_page(async |page, _| {
        eval(page, "window.pliant.freeze(30)").await;
        let first = pixels(&eval(page, "window.pliant.picture()").await);
        eval(page, "window.pliant.ask('play')").await;
        eval(page, "window.pliant.freeze(30)").await;
        let second = pixels(&eval(page, "window.pliant.picture()").await);
        assert_eq!((first.0, first.1), (second.0, second.1));
        let pairs = || first.2.iter().zip(&second.2);
        assert!(pairs().all(|(a, b)| a.abs_diff(*b) <= 2));

        eval(page, "(field => { field.value = 'stress'; field.dispatchEvent(new Event('change')) })(document.getElementById('field'))").await;
        page.wait_for(
            "window.pliant.state().field === 'stress' && window.pliant.state().legend !== null",
        )
        .await
        .unwrap();
        eval(page, "window.pliant.freeze(30)").await;
        let coloured = pixels(&eval(page, "window.pliant.picture()").await);
        let changed = first.2.iter().zip(&coloured.2).filter(|(a, b)| a.abs_diff(**b) > 20).count();
        assert!(changed > 1000, "{changed} values of pixels changed");
        assert_eq!(eval(page, "document.getElementById('legend').hidden").await, json!(false));
    });
}

/// The end of the bar can be grabbed with the mouse and lifted. It is grabbed while paused, so that it is at the pixel.
#[test]
fn a_body_follows_the_mouse() {
    in_a_page(async |page, _| {
        eval(page, "window.pliant.freeze(60)").await;
        let before = state(page).await;
        let (node, x, y) = end_of(page, 0).await;
        page.mouse("mouseMoved", x, y).await.unwrap();
        page.mouse("mousePressed", x, y).await.unwrap();
        for step in 1..=8 {
            page.mouse("mouseMoved", x, y - 10.0 * f64::from(step)).await.unwrap();
        }
        page.wait_for("window.pliant.state().grabs.length === 1").await.unwrap();
        eval(page, "window.pliant.ask({ step: { count: 90 } })").await;
        page.wait_for("window.pliant.state().frame >= 150").await.unwrap();
        let pulled = state(page).await;
        let rise = height(&pulled, 0, node) - height(&before, 0, node);
        assert!(rise > 0.02, "the end of the bar rose by {rise} m");
        let grab = &pulled["grabs"][0];
        assert!(grab["force"][1].as_f64().unwrap() > 0.0, "the force must be upwards: {grab}");
        page.mouse("mouseReleased", x, y - 80.0).await.unwrap();
        eval(page, "window.pliant.ask({ step: { count: 1 } })").await;
        page.wait_for("window.pliant.state().grabs.length === 0").await.unwrap();
    });
}

/// The buttons for pause, step, play and reset work, and a stiffer bar hangs less.
#[test]
fn it_pauses_steps_resets_and_gets_stiffer() {
    in_a_page(async |page, _| {
        eval(page, "window.pliant.freeze(5)").await;
        click(page, "step").await;
        page.wait_for("window.pliant.state().frame === 6").await.unwrap();
        click(page, "play").await;
        page.wait_for("window.pliant.state().playing && window.pliant.state().frame > 8")
            .await
            .unwrap();
        click(page, "play").await;
        page.wait_for("!window.pliant.state().playing").await.unwrap();
        click(page, "reset").await;
        page.wait_for("window.pliant.state().frame === 0").await.unwrap();

        eval(page, "window.pliant.freeze(20)").await;
        let soft = state(page).await;
        let (tip, ..) = end_of(page, 0).await;
        eval(page, "window.pliant.app.session.select(0)").await;
        enter(page, "body-young", "2 M").await;
        page.wait_for("window.pliant.state().bodies[0].young === 2e6").await.unwrap();
        eval(page, "window.pliant.freeze(20)").await;
        let stiff = state(page).await;
        let higher = height(&stiff, 0, tip) - height(&soft, 0, tip);
        assert!(
            higher > 0.01,
            "ten times as stiff, the tip is only {higher} m higher after a third of a second"
        );
        click(page, "undo").await;
        page.wait_for("window.pliant.state().bodies[0].young === 2e5").await.unwrap();
    });
}

/// A plastic bar is bent with the mouse, stays bent, is committed with a key, undone and redone with buttons, and
/// saved in its new shape.
#[test]
fn a_bent_bar_is_committed_and_saved() {
    in_a_page(async |page, _| {
        eval(page, "window.pliant.ask({ 'set-world': { gravity: [0, 0, 0], damping: 4 } })").await;
        eval(page, "window.pliant.app.session.select(0)").await;
        eval(page, "(kind => { kind.value = 'hardening'; kind.dispatchEvent(new Event('change')) })(document.getElementById('body-plastic'))").await;
        page.wait_for("window.pliant.state().bodies[0].plastic?.kind === 'hardening'")
            .await
            .unwrap();
        enter(page, "body-yield-stress", "3 k").await;
        page.wait_for("window.pliant.state().bodies[0].plastic.yield_stress === 3e3")
            .await
            .unwrap();
        enter(page, "body-limit-stress", "1").await;
        page.wait_for("window.pliant.lastError?.includes('limit')").await.unwrap();
        eval(page, "window.pliant.app.display.setField('plastic-strain')").await;
        eval(page, "window.pliant.freeze(0)").await;
        let (node, x, y) = end_of(page, 0).await;
        let straight = height(&state(page).await, 0, node);
        page.mouse("mouseMoved", x, y).await.unwrap();
        page.mouse("mousePressed", x, y).await.unwrap();
        for step in 1..=8 {
            page.mouse("mouseMoved", x, y - 8.0 * f64::from(step)).await.unwrap();
        }
        page.wait_for("window.pliant.state().grabs.length === 1").await.unwrap();
        eval(page, "window.pliant.ask({ step: { count: 90 } })").await;
        page.mouse("mouseReleased", x, y - 64.0).await.unwrap();
        eval(page, "window.pliant.ask({ step: { count: 1 } })").await;
        page.wait_for("window.pliant.state().grabs.length === 0").await.unwrap();
        eval(page, "window.pliant.ask({ step: { count: 120 } })").await;
        page.wait_for(
            "window.pliant.state().frame >= 210 && window.pliant.state().legend?.[1] > 0.02",
        )
        .await
        .unwrap();
        let bent = state(page).await;
        let rise = height(&bent, 0, node) - straight;
        assert!(rise > 0.05, "the bar must stay bent: {rise} m");
        picture(page, "bent").await;

        eval(page, "document.getElementById('view').focus()").await;
        page.key("k", "KeyK").await.unwrap();
        page.wait_for("window.pliant.state().undo === 'commit of bar'").await.unwrap();
        click(page, "undo").await;
        page.wait_for("window.pliant.state().redo === 'commit of bar'").await.unwrap();
        click(page, "redo").await;
        page.wait_for("window.pliant.state().undo === 'commit of bar'").await.unwrap();
        click(page, "reset").await;
        page.wait_for("window.pliant.state().frame === 0").await.unwrap();
        let begun = state(page).await;
        assert!(
            (height(&begun, 0, node) - straight - rise).abs() < 1e-6,
            "after a reset the bar must be bent"
        );

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_str().unwrap();
        let allow = json!({ "behavior": "allow", "downloadPath": path });
        page.call("Page.setDownloadBehavior", allow).await.unwrap();
        let glb = saved(folder.path(), page, "save-glb", "test.glb").await;
        let highest = read_surface(&glb).unwrap().vertices.iter().map(|x| x.y).fold(0.0, f64::max);
        // A node of quadratic cells need not be on the surface.
        assert!(highest > straight + 0.5 * rise, "{highest} m");
        picture(page, "committed").await;
    });
}

/// Saves a picture of the page for visual inspection if `PLIANT_PICTURES` names a folder, in a window so large that
/// panels hide no body.
async fn picture(page: &mut Page, name: &str) {
    if let Some(folder) = std::env::var_os("PLIANT_PICTURES") {
        eval(page, "document.getElementById('messages').replaceChildren()").await;
        page.resize([1440, 900]).await.unwrap();
        page.wait_for("document.getElementById('view').clientWidth > 1000").await.unwrap();
        eval(page, "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))").await;
        let fit = "window.pliant.app.view.fit(true), window.pliant.app.view.control.settle(), window.pliant.app.draw()";
        eval(page, fit).await;
        let file = Path::new(&folder).join(format!("{name}.png"));
        std::fs::write(file, page.picture().await.unwrap()).unwrap();
        page.resize(WINDOW).await.unwrap();
        page.wait_for("document.getElementById('view').clientWidth < 1000").await.unwrap();
    }
}

/// A brittle bar between two walls, above the ground.
const CHALK: &str = r#"
version = 1
title = "Chalk"
[world]
damping = 0.5
[[body]]
name = "bar"
mesh = { box = { size = [1.6, 0.2, 0.2], cells = [16, 2, 2], split = "tet5" } }
material = { young = 1e6, poisson = 0.3, density = 1000, toughness = 4e4 }
transform = { translate = [0, 0.6, 0] }
[[body.pin]]
where = "x-"
[[body.pin]]
where = "x+"
[[obstacle]]
plane = { point = [0, 0, 0], normal = [0, 1, 0] }
"#;

/// A pixel of the page at which a body is visible.
async fn place_on(page: &mut Page, body: usize) -> (f64, f64) {
    let script = r"(() => {
        const { app, pixelOf } = window.pliant;
        const hit = app.picker.seen(BODY);
        return hit && pixelOf(app.view.toWorld(hit.position));
    })()";
    let found = eval(page, &script.replace("BODY", &body.to_string())).await;
    let number = |key: &str| found[key].as_f64().unwrap_or_else(|| panic!("body {body} is seen"));
    (number("x"), number("y"))
}

async fn click_at(page: &mut Page, (x, y): (f64, f64)) {
    page.mouse("mouseMoved", x, y).await.unwrap();
    page.mouse("mousePressed", x, y).await.unwrap();
    page.mouse("mouseReleased", x, y).await.unwrap();
}

/// Takes steps and waits until they are drawn.
async fn step(page: &mut Page, count: u64) {
    let script = "window.pliant.ask({ step: { count: COUNT } }).then(({ serial }) => serial)";
    let serial = eval(page, &script.replace("COUNT", &count.to_string())).await;
    page.wait_for(&format!("window.pliant.state().serial >= {serial}")).await.unwrap();
}

/// A hammer smashes a bar, a hand takes a fragment of it away, a replay shows this slowly, and a reset makes the bar whole: the
/// same picture as before.
#[test]
fn a_hammer_smashes_a_bar() {
    on_a_page(CHALK, async |page, _| {
        eval(page, "window.pliant.freeze(0)").await;
        picture(page, "smash-before").await;
        eval(page, "window.pliant.freeze(0)").await;
        let before = pixels(&eval(page, "window.pliant.picture()").await);
        click(page, "tool-hammer").await;
        enter(page, "hammer-speed", "40").await;
        let middle = place_on(page, 0).await;
        click_at(page, middle).await;
        step(page, 4).await;
        page.wait_for("window.pliant.state().bodies[0].broken").await.unwrap();
        picture(page, "smash-during").await;
        step(page, 80).await;
        picture(page, "smash-after").await;
        let after = state(page).await;
        let bodies = after["bodies"].as_array().unwrap();
        assert!(bodies.len() > 2, "{} pieces", bodies.len());
        assert!(bodies[1..].iter().all(|body| body["pieceOf"] == 0));
        let listed = "document.getElementById('body-select').options.length";
        assert_eq!(eval(page, listed).await, json!(1), "panels must list bodies of the scene only");

        click(page, "tool-pull").await;
        let seen = "window.pliant.state().bodies.findIndex((_, i) => i > 0 && window.pliant.app.picker.seen(i))";
        let piece = eval(page, seen).await.as_i64().unwrap();
        assert!(piece > 0, "a fragment must be visible");
        let (x, y) = place_on(page, piece as usize).await;
        page.mouse("mouseMoved", x, y).await.unwrap();
        page.mouse("mousePressed", x, y).await.unwrap();
        page.mouse("mouseMoved", x, y - 30.0).await.unwrap();
        page.wait_for(&format!("window.pliant.state().grabs[0]?.body === {piece}")).await.unwrap();
        page.mouse("mouseReleased", x, y - 30.0).await.unwrap();
        page.wait_for("window.pliant.state().grabs.length === 0").await.unwrap();

        click(page, "replay").await;
        page.wait_for("window.pliant.state().replaying").await.unwrap();
        page.wait_for("!window.pliant.state().replaying").await.unwrap();
        assert_eq!(
            state(page).await["frame"],
            after["frame"],
            "the world must not step during a replay"
        );

        click(page, "reset").await;
        page.wait_for("window.pliant.state().bodies.length === 1").await.unwrap();
        eval(page, "window.pliant.freeze(0)").await;
        let whole = pixels(&eval(page, "window.pliant.picture()").await);
        assert!(
            before.2.iter().zip(&whole.2).all(|(a, b)| a.abs_diff(*b) <= 2),
            "the picture must be the same"
        );
    });
}

/// An explosion shatters stone with green fresh faces, which are not visible before. Cells can be shown instead of
/// splinters, and can be dragged too.
#[test]
fn an_explosion_shatters_stone() {
    let stone = CHALK.replacen(
        "[[body.pin]]",
        "[body.splinters]\nkind = \"stone\"\ncount = 150\ncolour = \"#00a000\"\n[[body.pin]]",
        1,
    );
    on_a_page(&stone, async |page, _| {
        eval(page, "window.pliant.freeze(0)").await;
        assert_eq!(green(&eval(page, "window.pliant.picture()").await), 0);
        click(page, "tool-blast").await;
        enter(page, "blast-speed", "60").await;
        let middle = place_on(page, 0).await;
        click_at(page, middle).await;
        step(page, 8).await;
        page.wait_for("window.pliant.state().bodies[0].broken").await.unwrap();
        let open = green(&eval(page, "window.pliant.picture()").await);
        assert!(open > 300, "{open} pixels are green");
        picture(page, "blast-splinters").await;
        let drawn = "window.pliant.app.view.bodies.map((body) => body.model.head.id >= 2 ** 31)";
        assert_eq!(eval(page, &format!("{drawn}.some(Boolean)")).await, json!(false));
        eval(page, "window.pliant.app.display.set({ splinters: false })").await;
        page.wait_for(&format!("{drawn}.every(Boolean)")).await.unwrap();
        picture(page, "blast-cells").await;
        step(page, 2).await;
        page.wait_for(&format!("{drawn}.every(Boolean)")).await.unwrap();
        click(page, "tool-pull").await;
        let seen =
            "window.pliant.state().bodies.findIndex((_, i) => window.pliant.app.picker.seen(i))";
        let body = eval(page, seen).await.as_u64().unwrap() as usize;
        let (x, y) = place_on(page, body).await;
        page.mouse("mouseMoved", x, y).await.unwrap();
        page.mouse("mousePressed", x, y).await.unwrap();
        page.wait_for("window.pliant.state().grabs.length === 1").await.unwrap();
        page.mouse("mouseReleased", x, y).await.unwrap();
        eval(page, "window.pliant.app.display.set({ splinters: true })").await;
        page.wait_for(&format!("!{drawn}.some(Boolean)")).await.unwrap();
    });
}

/// A grabbed bar turns with the twist tool when the pointer moves sideways, and a bullet breaks it; tools are chosen
/// by keys.
#[test]
fn a_bar_is_twisted_and_shot() {
    on_a_page(CHALK, async |page, _| {
        eval(page, "window.pliant.freeze(0)").await;
        let press =
            |key: &str| format!("dispatchEvent(new KeyboardEvent('keydown', {{ key: '{key}' }}))");
        eval(page, &press("7")).await;
        assert_eq!(eval(page, "window.pliant.state().tool").await, json!("twist"));
        enter(page, "twist-strength", "0.2").await;
        let (x, y) = place_on(page, 0).await;
        page.mouse("mouseMoved", x, y).await.unwrap();
        page.mouse("mousePressed", x, y).await.unwrap();
        page.wait_for("window.pliant.state().grabs.length === 1").await.unwrap();
        page.mouse("mouseMoved", x + 80.0, y).await.unwrap();
        let before = state(page).await;
        // Messages are handled in order, so that a step after this one contains the twist.
        eval(page, "window.pliant.ask({ pick: { point: { ray: { origin: [0, 9, 0], direction: [0, 1, 0] } } } })").await;
        step(page, 6).await;
        let after = state(page).await;
        let nodes = before["bodies"][0]["x"].as_array().unwrap().len();
        let moved =
            (0..nodes).map(|node| (height(&after, 0, node) - height(&before, 0, node)).abs());
        let moved = moved.fold(0.0, f64::max);
        assert!(moved > 1e-4 && moved < 0.3, "nodes moved by {moved} m");
        page.mouse("mouseReleased", x + 80.0, y).await.unwrap();
        page.wait_for("window.pliant.state().grabs.length === 0").await.unwrap();

        eval(page, "window.pliant.freeze(0)").await;
        eval(page, &press("5")).await;
        enter(page, "bullet-speed", "200").await;
        let middle = place_on(page, 0).await;
        click_at(page, middle).await;
        step(page, 10).await;
        page.wait_for("window.pliant.state().bodies[0].broken").await.unwrap();
        picture(page, "shot").await;
    });
}

/// A tetrahedron as an OBJ file.
const OBJ: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

/// A dropped file becomes a body, and the brush paints a region that is ten times as stiff.
#[test]
fn a_dropped_file_becomes_a_body_and_a_brush_paints() {
    in_a_page(async |page, _| {
        let drop = r"{
            const data = new DataTransfer();
            data.items.add(new File([TEXT], 'corner.obj'));
            window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
        }";
        eval(page, &drop.replace("TEXT", &json!(OBJ).to_string())).await;
        assert_eq!(eval(page, "document.getElementById('upload').open").await, json!(true));
        eval(page, "document.getElementById('upload-cells').value = 4").await;
        click(page, "upload-add").await;
        page.wait_for("window.pliant.state().bodies.length === 3").await.unwrap();
        assert_eq!(state(page).await["bodies"][2]["name"], "corner");
        page.wait_for("!document.getElementById('upload').open").await.unwrap();

        eval(page, "window.pliant.freeze(2)").await;
        eval(page, "window.pliant.app.view.fit(), window.pliant.app.view.control.settle(), window.pliant.app.draw()").await;
        click(page, "tool-paint").await;
        let (_, x, y) = end_of(page, 0).await;
        page.mouse("mouseMoved", x, y).await.unwrap();
        page.mouse("mousePressed", x, y).await.unwrap();
        page.mouse("mouseReleased", x, y).await.unwrap();
        page.wait_for("window.pliant.state().bodies[0].regions.length > 0").await.unwrap();
        let painted = state(page).await;
        let young = painted["bodies"][0]["regions"][0]["young"].as_f64().unwrap();
        assert!((young / 2e6 - 1.0).abs() < 1e-6, "the region must be ten times as stiff: {young}");
        assert_eq!(painted["field"], "stiffness", "painting must show the field of stiffness");
    });
}

/// Draws a stroke over the bar from its end inwards.
async fn stroke(page: &mut Page) {
    let (_, x, y) = end_of(page, 0).await;
    page.mouse("mouseMoved", x, y).await.unwrap();
    page.mouse("mousePressed", x, y).await.unwrap();
    for step in 1..=6 {
        page.mouse("mouseMoved", x - 6.0 * f64::from(step), y).await.unwrap();
    }
    page.mouse("mouseReleased", x - 36.0, y).await.unwrap();
}

/// Chooses a value from a list.
async fn pick(page: &mut Page, id: &str, value: &str) {
    let script = format!(
        "(list => {{ list.value = '{value}'; list.dispatchEvent(new Event('change')) }})(document.getElementById('{id}'))"
    );
    eval(page, &script).await;
}

/// Plastic and rigid regions can be painted; a page that is loaded again finds regions, undo and shape as they were;
/// one undo removes a stroke.
#[test]
fn regions_are_painted_and_outlive_the_page() {
    // With the consistent mass the second stroke becomes two edits here, and one undo leaves a part of it. The cause is not known.
    let scene = SCENE.replace("[world]", "method = { mass = \"lumped\" }\n[world]");
    on_a_page(&scene, async |page, server| {
        eval(page, "window.pliant.freeze(2)").await;
        click(page, "tool-paint").await;
        assert_eq!(
            eval(page, "document.getElementById('brush-yield-stress').closest('.row').hidden")
                .await,
            json!(true)
        );
        pick(page, "brush-plastic", "hardening").await;
        assert_eq!(
            eval(page, "document.getElementById('brush-yield-stress').closest('.row').hidden")
                .await,
            json!(false)
        );
        enter(page, "brush-yield-stress", "5 k").await;
        assert_eq!(
            state(page).await["field"],
            "region",
            "painting plasticity must show the field of regions"
        );
        stroke(page).await;
        page.wait_for(
            "window.pliant.state().bodies[0].regions.some(r => r.plastic?.yield_stress === 5e3)",
        )
        .await
        .unwrap();
        click(page, "brush-rigid").await;
        stroke(page).await;
        page.wait_for("window.pliant.state().bodies[0].regions.some(r => r.rigid)").await.unwrap();
        // The bar bends under its weight where it is not rigid.
        eval(page, "window.pliant.ask({ step: { count: 60 } })").await;
        page.wait_for("window.pliant.state().frame >= 62").await.unwrap();
        picture(page, "rigid").await;
        let before = state(page).await;
        page.visit(server.address()).await.unwrap();
        page.wait_for("!!window.pliant?.state?.(true).bodies?.[1]?.x").await.unwrap();
        let after = state(page).await;
        assert_eq!(after["bodies"][0]["regions"], before["bodies"][0]["regions"]);
        assert_eq!(after["bodies"][0]["x"], before["bodies"][0]["x"]);
        click(page, "undo").await;
        page.wait_for("!window.pliant.state().bodies[0].regions.some(r => r.rigid)").await.unwrap();
        click(page, "undo").await;
        page.wait_for("window.pliant.state().bodies[0].regions.length === 0").await.unwrap();
    });
}

/// A textured file that the browser drops onto the page becomes a body with that texture: green pixels appear, and
/// nothing else in the scene is green.
#[test]
fn a_dropped_picture_is_worn() {
    in_a_page(async |page, _| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("die.glb");
        std::fs::write(&path, common::textured_glb().0).unwrap();
        eval(page, "window.pliant.freeze(0)").await;
        assert_eq!(green(&eval(page, "window.pliant.picture()").await), 0);
        for kind in ["dragEnter", "dragOver", "drop"] {
            let data =
                json!({ "items": [], "files": [path.to_str().unwrap()], "dragOperationsMask": 1 });
            let event = json!({ "type": kind, "x": 320, "y": 200, "data": data });
            page.call("Input.dispatchDragEvent", event).await.unwrap();
        }
        page.wait_for("document.getElementById('upload').open").await.unwrap();
        assert_eq!(
            eval(page, "document.getElementById('upload-name').textContent").await,
            "die.glb"
        );
        eval(page, "document.getElementById('upload-cells').value = 3").await;
        click(page, "upload-add").await;
        page.wait_for("window.pliant.state().bodies.length === 3").await.unwrap();
        eval(page, "window.pliant.freeze(0)").await;
        let pixels = green(&eval(page, "window.pliant.picture()").await);
        assert!(pixels > 500, "{pixels} pixels are green");
    });
}

/// The number of clearly green pixels of a PNG file in a data address.
fn green(address: &Value) -> usize {
    let (wide, high, bytes) = pixels(address);
    let channels = bytes.len() / (wide * high) as usize;
    let is_green = |pixel: &&[u8]| pixel[1] > 60 && pixel[1] / 2 > pixel[0].max(pixel[2]);
    bytes.chunks(channels).filter(is_green).count()
}

/// One finger drags like a mouse; two fingers beside the bodies zoom: spread to twice their distance they halve that
/// of the camera, within 2 %, the rounding of pixels.
#[test]
fn fingers_pull_and_pinch() {
    in_a_page(async |page, _| {
        eval(page, "window.pliant.freeze(60)").await;
        let before = state(page).await;
        let (node, x, y) = end_of(page, 0).await;
        page.touch("touchStart", &[[x, y]]).await.unwrap();
        for step in 1..=8 {
            page.touch("touchMove", &[[x, y - 10.0 * f64::from(step)]]).await.unwrap();
        }
        page.wait_for("window.pliant.state().grabs.length === 1").await.unwrap();
        eval(page, "window.pliant.ask({ step: { count: 60 } })").await;
        page.wait_for("window.pliant.state().frame >= 120").await.unwrap();
        let pulled = state(page).await;
        let rise = height(&pulled, 0, node) - height(&before, 0, node);
        assert!(rise > 0.02, "the end of the bar rose by {rise} m");
        page.touch("touchEnd", &[]).await.unwrap();
        eval(page, "window.pliant.ask({ step: { count: 1 } })").await;
        page.wait_for("window.pliant.state().grabs.length === 0").await.unwrap();

        let distance = "window.pliant.app.view.control.goal.distance";
        let far = eval(page, distance).await.as_f64().unwrap();
        // Below all bodies and above the toolbar.
        let (left, right) = ([260.0, 385.0], |apart: f64| [260.0 + apart, 385.0]);
        let free = "[260, 360].every((x) => document.elementFromPoint(x, 385).id === 'view' && !window.pliant.pick(x, 385))";
        assert_eq!(eval(page, free).await, json!(true));
        page.touch("touchStart", &[left]).await.unwrap();
        page.touch("touchStart", &[left, right(50.0)]).await.unwrap();
        for step in 1..=5 {
            page.touch("touchMove", &[left, right(50.0 + 10.0 * f64::from(step))]).await.unwrap();
        }
        page.touch("touchEnd", &[]).await.unwrap();
        let near = eval(page, distance).await.as_f64().unwrap();
        assert!((near / far - 0.5).abs() < 0.02, "from {far} m to {near} m");
    });
}

/// Waits for a file that the browser saves.
async fn saved(folder: &Path, page: &mut Page, id: &str, name: &str) -> PathBuf {
    click(page, id).await;
    let path = folder.join(name);
    for _ in 0..600 {
        let size = |path: &Path| std::fs::metadata(path).map_or(0, |data| data.len());
        let before = size(&path);
        tokio::time::sleep(Duration::from_millis(100)).await;
        if before > 0 && size(&path) == before {
            return path;
        }
    }
    let there: Vec<_> = std::fs::read_dir(folder).unwrap().flatten().map(|e| e.path()).collect();
    panic!("{name} was not saved; there are {there:?}");
}

/// All kinds of saved files can be opened again.
#[test]
fn it_saves_files_that_open() {
    in_a_page(async |page, _| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_str().unwrap();
        let allow = json!({ "behavior": "allow", "downloadPath": path });
        page.call("Page.setDownloadBehavior", allow).await.unwrap();
        eval(page, "window.pliant.freeze(3)").await;
        let folder = folder.path();
        let toml = saved(folder, page, "save-scene", "test.toml").await;
        let scene = Scene::parse("test", &std::fs::read_to_string(toml).unwrap()).unwrap();
        assert_eq!(scene.bodies.len(), 2);
        for (id, name) in [
            ("save-obj", "test.obj"),
            ("save-glb", "test.glb"),
            ("save-animation-glb", "test-animation.glb"),
        ] {
            let surface = read_surface(&saved(folder, page, id, name).await).unwrap();
            assert!(surface.triangles.len() > 20, "{name}: {}", surface.triangles.len());
        }
        let vtu = read_mesh(&saved(folder, page, "save-vtu", "test.vtu").await).unwrap();
        assert!(vtu.mesh.nodes.len() > 20);
        let zip = saved(folder, page, "save-animation-vtu", "test-animation.zip").await;
        let (names, first) = opened_zip(&std::fs::read(zip).unwrap());
        assert!(names.iter().any(|name| name.ends_with(".pvd")), "{names:?}");
        assert!(
            !pliant_io::vtu::parse(Path::new("first.vtu"), &first).unwrap().mesh.nodes.is_empty()
        );
        let picture = saved(folder, page, "save-picture", "test-00003.png").await;
        let (wide, high, pixels) = decoded(&std::fs::read(picture).unwrap());
        assert!((wide, high) == (640, 480) && pixels.iter().any(|value| *value < 128));
    });
}

/// The names of the files in an uncompressed archive, and the bytes of the first VTU file.
fn opened_zip(bytes: &[u8]) -> (Vec<String>, Vec<u8>) {
    let (mut names, mut first, mut at) = (Vec::new(), Vec::new(), 0);
    while bytes[at..].starts_with(b"PK\x03\x04") {
        let size = u32::from_le_bytes(bytes[at + 18..at + 22].try_into().unwrap()) as usize;
        let length = u16::from_le_bytes(bytes[at + 26..at + 28].try_into().unwrap()) as usize;
        let name = String::from_utf8(bytes[at + 30..at + 30 + length].to_vec()).unwrap();
        let begin = at + 30 + length;
        if name.ends_with(".vtu") && first.is_empty() {
            first = bytes[begin..begin + size].to_vec();
        }
        names.push(name);
        at = begin + size;
    }
    (names, first)
}

/// Pause, step, selection, grab, drag, release, colours and help work with keys only.
#[test]
fn keys_are_enough() {
    in_a_page(async |page, _| {
        page.key(" ", "Space").await.unwrap();
        page.wait_for("window.pliant.state().playing").await.unwrap();
        page.key(" ", "Space").await.unwrap();
        page.wait_for("!window.pliant.state().playing").await.unwrap();
        eval(page, "window.pliant.freeze(9)").await;
        page.key(".", "Period").await.unwrap();
        page.wait_for("window.pliant.state().frame === 10").await.unwrap();
        eval(page, "document.getElementById('view').focus()").await;
        page.key("n", "KeyN").await.unwrap();
        page.wait_for("window.pliant.state().selected === 1").await.unwrap();
        eval(page, "window.pliant.app.view.control.settle(), window.pliant.app.draw()").await;
        page.key("Enter", "Enter").await.unwrap();
        page.wait_for("window.pliant.app.pull.active").await.unwrap();
        for _ in 0..4 {
            page.key("ArrowUp", "ArrowUp").await.unwrap();
        }
        page.wait_for("window.pliant.state().grabs.length === 1").await.unwrap();
        page.key("Enter", "Enter").await.unwrap();
        page.wait_for("!window.pliant.app.pull.active").await.unwrap();
        page.key("c", "KeyC").await.unwrap();
        page.wait_for("window.pliant.state().field !== null").await.unwrap();
        page.key("?", "Slash").await.unwrap();
        page.wait_for("document.getElementById('help').open").await.unwrap();
    });
}

/// Two pages show the same world: changes made in one appear in the other.
#[test]
fn two_pages_at_once() {
    in_a_page(async |page, server| {
        let mut other = opened(&browser(), server.address(), [480, 360]).await;
        eval(&mut other, "window.pliant.ask({ 'set-body': { body: 0, young: 5e5 } })").await;
        page.wait_for(
            "window.pliant.state().bodies[0].young === 5e5 && window.pliant.state().pages === 2",
        )
        .await
        .unwrap();
        eval(page, "window.pliant.freeze(10)").await;
        other.wait_for("window.pliant.state().frame === 10").await.unwrap();
        let same = "JSON.stringify(window.pliant.state(true).bodies.map((body) => body.x))";
        assert_eq!(eval(page, same).await, eval(&mut other, same).await);
        assert_eq!(other.errors(), &[] as &[String]);
        other.close().await;
        page.wait_for("window.pliant.state().pages === 1").await.unwrap();
    });
}
