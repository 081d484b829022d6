//! A server with a small scene, and a simple client.
#![allow(dead_code, reason = "each test file uses its own part")]
#![allow(clippy::unwrap_used, reason = "tests may panic")]
#![allow(unreachable_pub, reason = "test files share this module")]

use std::io::{Read as _, Write as _};
use std::net::TcpStream as BlockingStream;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use glam::{DVec2, DVec3};
use pliant_io::glb::{AnimatedSurface, Animation, write_glb};
use pliant_io::picture::Colour;
use pliant_io::surface::{Surface, SurfaceGroup, Texture};
use pliant_viewer::protocol::decode;
use pliant_viewer::{Server, ServerConfig};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::runtime::Runtime;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// A bar that hangs from a wall, and a cube above the ground.
pub const SCENE: &str = r#"
version = 1
title = "Two bodies" # a comment that stays
[world]
damping = 1.0
[[body]]
name = "bar"
mesh = { box = { size = [1, 0.25, 0.25], cells = [4, 1, 1], split = "tet5" }, degree = 2 }
material = { young = 2e5, poisson = 0.4, density = 1000 }
[[body.pin]]
where = "x-"
[[body]]
name = "cube"
mesh = { box = { size = [0.3, 0.3, 0.3], cells = [2, 2, 2] } }
material = { young = 1e5, poisson = 0.4, density = 1000 }
transform = { translate = [3, 0, 0] }
[[obstacle]]
plane = { point = [0, -1, 0], normal = [0, 1, 0] }
[[probe]]
name = "tip"
body = "bar"
at = [1, 0.125, 0.125]
"#;

/// A bar with plastic flow, held at one end.
pub const PLASTIC: &str = r#"
version = 1
[world]
gravity = [0, 0, 0]
damping = 4.0
[[body]]
name = "bar"
mesh = { box = { size = [1, 0.25, 0.25], cells = [4, 1, 1], split = "tet5" }, degree = 2 }
material = { young = 2e5, poisson = 0.4, density = 1000, plastic = { yield_stress = 4e3, hardening = 2e3 } }
[[body.pin]]
where = "x-"
[[probe]]
name = "tip"
body = "bar"
at = [1, 0.125, 0.125]
"#;

/// The height of the probe at the end of the bar, in m.
pub fn height(frame: &Frame) -> f64 {
    frame.json["probes"][0][1].as_f64().unwrap()
}

/// The largest plastic strain that the page is sent.
pub async fn flowed(page: &mut Client) -> f64 {
    page.watch("stress").await;
    page.watch("plastic-strain").await.json["field"]["high"].as_f64().unwrap()
}

/// Lifts the end of that bar for `steps` steps, releases it, and waits `after` steps.
pub async fn bent(page: &mut Client, steps: u64, after: u64) -> Frame {
    page.done(json!("pause")).await;
    let point = json!({ "ray": { "origin": [0.9, 5, 0.125], "direction": [0, -1, 0] } });
    let grabbed = page.ask(json!({ "grab": { "grab": 1, "point": point, "strength": 5 } })).await;
    assert_eq!(grabbed.unwrap()["hit"]["body"], 0);
    page.done(json!({ "drag": { "grab": 1, "seq": 1, "target": [0.6, 0.8, 0.125] } })).await;
    page.done(json!({ "step": { "count": steps } })).await;
    page.done(json!({ "release": { "grab": 1 } })).await;
    page.done(json!({ "step": { "count": after } })).await
}

/// The longest wait for a message.
const TIMEOUT: Duration = Duration::from_secs(60);

pub fn runtime() -> Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

/// Runs a test. Boxed, so that the runtime is compiled once and not for every test.
pub fn run_test(test: impl Future<Output = ()>) {
    let test: Pin<Box<dyn Future<Output = ()> + '_>> = Box::pin(test);
    runtime().block_on(test);
}

pub fn config(text: &str) -> ServerConfig {
    ServerConfig { name: "test".to_owned(), text: text.to_owned(), ..Default::default() }
}

pub async fn serve(text: &str) -> Server {
    Server::start(config(text)).await.unwrap()
}

/// The host of an address: `127.0.0.1:4711` of `http://127.0.0.1:4711/…`.
pub fn host(address: &str) -> &str {
    address.strip_prefix("http://").unwrap().split('/').next().unwrap()
}

/// A frame as it was received.
#[derive(Debug, Clone)]
pub struct Frame {
    pub json: Value,
    pub payload: Vec<u8>,
}

impl Frame {
    pub fn numbers(&self, key: &str) -> Vec<f32> {
        numbers(&self.payload, &self.json[key])
    }

    pub fn nodes(&self) -> Vec<[f32; 3]> {
        self.numbers("nodes").chunks(3).map(|x| [x[0], x[1], x[2]]).collect()
    }

    pub fn frame(&self) -> u64 {
        self.json["frame"].as_u64().unwrap()
    }
}

/// The numbers of a buffer.
pub fn numbers(payload: &[u8], buffer: &Value) -> Vec<f32> {
    words(payload, buffer).into_iter().map(f32::from_bits).collect()
}

/// The unsigned integers of a buffer.
pub fn words(payload: &[u8], buffer: &Value) -> Vec<u32> {
    let offset = buffer["offset"].as_u64().unwrap() as usize;
    let count = buffer["count"].as_u64().unwrap() as usize;
    assert_eq!(offset % 4, 0, "buffers must start at multiples of four bytes");
    let bytes = payload[offset..offset + 4 * count].chunks(4);
    bytes.map(|bytes| u32::from_le_bytes(bytes.try_into().unwrap())).collect()
}

/// A page without a browser.
pub struct Client {
    pub socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// True if frames are acknowledged when they are received.
    pub acks: bool,
    pub page: u64,
    pub scene: Value,
    pub run: Value,
    pub models: Vec<(Value, Vec<u8>)>,
    pub held: Value,
    pub frames: Vec<Frame>,
    next_id: u64,
}

impl Client {
    pub async fn connect(address: &str) -> Self {
        let (socket, _) = connect_async(format!("ws://{}/socket", host(address))).await.unwrap();
        let none = Value::Null;
        let mut client = Self {
            socket,
            acks: true,
            page: 0,
            scene: none.clone(),
            run: none.clone(),
            models: Vec::new(),
            held: none,
            frames: Vec::new(),
            next_id: 1,
        };
        while client.frames.is_empty() {
            client.take().await;
        }
        client
    }

    /// Receives the next message; returns it if it is an answer.
    pub async fn take(&mut self) -> Option<Value> {
        let message = tokio::time::timeout(TIMEOUT, self.socket.next()).await;
        match message.expect("a message comes").expect("the connection is open").unwrap() {
            Message::Text(text) => self.text(serde_json::from_str(&text).unwrap()),
            Message::Binary(bytes) => {
                self.binary(&bytes).await;
                None
            }
            _ => None,
        }
    }

    fn text(&mut self, value: Value) -> Option<Value> {
        if let Some(hello) = value.get("hello") {
            assert_eq!(hello["protocol"], 1);
            self.page = hello["page"].as_u64().unwrap();
        } else if let Some(scene) = value.get("scene") {
            self.scene = scene.clone();
        } else if let Some(run) = value.get("run") {
            self.run = run.clone();
        } else {
            return Some(value);
        }
        None
    }

    async fn binary(&mut self, bytes: &[u8]) {
        let (kind, json, payload) = decode(bytes).expect("a whole message");
        let json: Value = serde_json::from_slice(json).unwrap();
        match kind {
            1 => {
                let (serial, payload) = (json["serial"].clone(), payload.to_vec());
                assert_eq!(
                    json["generation"], self.scene["generation"],
                    "the scene must come before its frames"
                );
                self.frames.push(Frame { json, payload });
                if self.acks {
                    self.send(json!({ "ack": { "serial": serial } })).await;
                }
            }
            2 => self.models.push((json, payload.to_vec())),
            3 => self.held = json,
            kind => panic!("a message of kind {kind}"),
        }
    }

    /// Sends a command without waiting for an answer.
    pub async fn send(&mut self, command: Value) {
        let text = json!({ "command": command }).to_string();
        self.socket.send(Message::text(text)).await.unwrap();
    }

    /// Sends a command; returns its answer.
    pub async fn ask(&mut self, command: Value) -> Result<Value, Value> {
        let id = self.next_id;
        self.next_id += 1;
        let text = json!({ "id": id, "command": command }).to_string();
        self.socket.send(Message::text(text)).await.unwrap();
        loop {
            let Some(answer) = self.take().await else { continue };
            if answer["reply"]["id"] == id {
                return Ok(answer["reply"].clone());
            }
            if answer["error"]["id"] == id {
                return Err(answer["error"].clone());
            }
        }
    }

    /// Sends a command that must succeed; returns the first frame that contains its effect.
    pub async fn done(&mut self, command: Value) -> Frame {
        let reply = self.ask(command.clone()).await;
        let reply = reply.unwrap_or_else(|error| panic!("{command}: {error}"));
        self.frame_from(reply["serial"].as_u64().unwrap()).await
    }

    /// The first frame with this serial or a later one.
    pub async fn frame_from(&mut self, serial: u64) -> Frame {
        loop {
            let late = |frame: &&Frame| frame.json["serial"].as_u64().unwrap() >= serial;
            if let Some(frame) = self.frames.iter().find(late) {
                return frame.clone();
            }
            self.take().await;
        }
    }

    /// Asks for a field; returns the first frame that has it.
    pub async fn watch(&mut self, field: &str) -> Frame {
        let before = self.frames.len();
        self.ask(json!({ "watch": { "field": field } })).await.unwrap();
        loop {
            let coloured = |frame: &&Frame| frame.json["field"]["name"] == field;
            if let Some(frame) = self.frames[before..].iter().find(coloured) {
                return frame.clone();
            }
            self.take().await;
        }
    }

    /// The next frame for which `holds` is true.
    pub async fn until(&mut self, holds: impl Fn(&Frame) -> bool) -> Frame {
        loop {
            let before = self.frames.len();
            self.take().await;
            if let Some(frame) = self.frames[before..].iter().find(|frame| holds(frame)) {
                return frame.clone();
            }
        }
    }
}

/// Sends a plain HTTP request; returns status, headers in lower case, and body.
pub fn request(host: &str, text: &str, body: &[u8]) -> (u16, String, Vec<u8>) {
    let mut stream = BlockingStream::connect(host).unwrap();
    stream.set_read_timeout(Some(TIMEOUT)).unwrap();
    stream.write_all(text.as_bytes()).unwrap();
    // A server that refuses may close the connection before it has read everything.
    let _ = stream.write_all(body);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or(answer.len());
    let head = String::from_utf8_lossy(&answer[..end]).to_ascii_lowercase();
    let status = head.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0);
    (status, head, answer.get(end + 4..).unwrap_or_default().to_vec())
}

/// Sends a GET request with the right host.
pub fn get(host: &str, path: &str) -> (u16, String, Vec<u8>) {
    let text = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    request(host, &text, &[])
}

/// Sends a GET request whose answer is JSON.
pub fn get_json(host: &str, path: &str) -> Value {
    let (status, _, body) = get(host, path);
    assert_eq!(status, 200, "{path}");
    serde_json::from_slice(&body).unwrap()
}

/// Sends a POST request with the right host.
pub fn post(host: &str, path: &str, body: &[u8]) -> (u16, String, Vec<u8>) {
    let length = body.len();
    let text = format!(
        "POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    request(host, &text, body)
}

/// A GLB file of a box with a green texture, and the PNG file of the texture.
pub fn textured_glb() -> (Vec<u8>, Vec<u8>) {
    let mut png = Vec::new();
    let mut encoder = png::Encoder::new(&mut png, 2, 2);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&[0, 200, 0].repeat(4)).unwrap();
    writer.finish().unwrap();
    let texture = Texture { mime: "image/png".into(), bytes: png.clone() };
    let part = SurfaceGroup { texture: Some(Arc::new(texture)), ..SurfaceGroup::default() };
    let corner = |k: u32| DVec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2));
    let sides =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles: Vec<[u32; 3]> =
        sides.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
    let [a, b, c, d] =
        [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[u, v]| DVec2::new(f64::from(u), f64::from(v)));
    let surface = Surface {
        vertices: (0..8).map(corner).collect(),
        texcoords: Some([[a, b, c], [a, c, d]].repeat(6)),
        part_of: Some(vec![0; triangles.len()]),
        parts: vec![part],
        triangles,
        ..Surface::default()
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("die.glb");
    let mut body = AnimatedSurface::of("die", Colour::WHITE, &surface);
    body.frames = vec![surface.vertices];
    write_glb(&path, &Animation { dt: 0.1, normals: false, bodies: vec![body] }).unwrap();
    (std::fs::read(&path).unwrap(), png)
}
