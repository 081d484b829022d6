//! Access to the server: hosts, origins, tokens, paths and uploads.

use crate::common;

use std::net::{IpAddr, Ipv4Addr};

use common::{Client, SCENE, config, get, get_json, host, post, request, run_test, serve};
use pliant_viewer::Server;
use serde_json::{Value, json};

fn code(body: &[u8]) -> String {
    let value: Value = serde_json::from_slice(body).unwrap();
    value["error"]["code"].as_str().unwrap().to_owned()
}

/// Runs a blocking test beside a server.
fn beside(test: impl FnOnce(&str) + Send + 'static) {
    run_test(async {
        let server = serve(SCENE).await;
        let host = host(server.address()).to_owned();
        tokio::task::spawn_blocking(move || test(&host)).await.unwrap();
        server.stop().await;
    });
}

/// Requests with another host are refused, as in a DNS rebinding attack.
#[test]
fn a_wrong_host_is_refused() {
    beside(|host| {
        for wrong in ["evil.example", "evil.example:80", "127.0.0.1", "", "127.0.0.1:1"] {
            for path in ["/", "/socket", "/state", "/upload", "/save/scene.toml"] {
                let text =
                    format!("GET {path} HTTP/1.1\r\nHost: {wrong}\r\nConnection: close\r\n\r\n");
                let (status, _, body) = request(host, &text, &[]);
                assert_eq!((status, code(&body).as_str()), (403, "bad-host"), "{wrong} {path}");
            }
        }
        let two = format!(
            "GET /state HTTP/1.1\r\nHost: {host}\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
        );
        let (status, ..) = request(host, &two, &[]);
        assert!(status == 403 || status == 400, "two hosts: {status}");
        assert_eq!(get(host, "/state").0, 200);
    });
}

/// Sockets and uploads from pages of other origins are refused.
#[test]
fn a_page_from_elsewhere_is_refused() {
    beside(|host| {
        let upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
        for origin in
            ["http://evil.example", "null", "https://127.0.0.1:1", "http://localhost", "file://"]
        {
            let text = format!(
                "GET /socket HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}\r\n{upgrade}\r\n"
            );
            let (status, _, body) = request_until_head(host, &text);
            assert_eq!((status, code(&body).as_str()), (403, "bad-origin"), "{origin}");
            let text = format!(
                "POST /upload?name=a.obj HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            );
            assert_eq!(request(host, &text, &[]).0, 403);
        }
        let cross = format!(
            "GET /state HTTP/1.1\r\nHost: {host}\r\nSec-Fetch-Site: cross-site\r\nConnection: close\r\n\r\n"
        );
        assert_eq!(request(host, &cross, &[]).0, 403);
        let own = format!(
            "GET /state HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nConnection: close\r\n\r\n"
        );
        assert_eq!(request(host, &own, &[]).0, 200);
    });
}

/// Like `request`, for requests that keep the connection open.
fn request_until_head(host: &str, text: &str) -> (u16, String, Vec<u8>) {
    request(host, &text.replace("Connection: Upgrade", "Connection: Upgrade, close"), &[])
}

/// If the server is open to other machines, every request needs the token; only the page address sets it as a cookie.
#[test]
fn other_machines_need_the_token() {
    run_test(async {
        let host = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
        let server =
            Server::start(pliant_viewer::ServerConfig { host, ..config(SCENE) }).await.unwrap();
        let address = server.address().to_owned();
        let done = tokio::task::spawn_blocking(move || {
            let host = common::host(&address);
            let token = address.split("token=").nth(1).unwrap();
            assert_eq!(token.len(), 32);
            for path in [
                "/",
                "/state",
                "/socket",
                "/save/scene.toml",
                "/?token=",
                "/?token=0123456789abcdef0123456789abcdef",
            ] {
                let (status, _, body) = get(host, path);
                assert_eq!((status, code(&body).as_str()), (403, "no-token"), "{path}");
            }
            // Only the page itself takes the token from the address.
            assert_eq!(get(host, &format!("/state?token={token}")).0, 403);
            let (status, head, _) = get(host, &format!("/?token={token}"));
            assert_eq!(status, 303);
            assert!(head.contains("httponly") && head.contains("samesite=strict"), "{head}");
            let text = format!(
                "GET /state HTTP/1.1\r\nHost: {host}\r\nCookie: a=b; pliant_token={token}\r\nConnection: close\r\n\r\n"
            );
            assert_eq!(request(host, &text, &[]).0, 200);
        });
        done.await.unwrap();
        server.stop().await;
    });
}

/// All answers have a content security policy that allows nothing from other hosts.
#[test]
fn answers_say_what_may_be_loaded() {
    beside(|host| {
        for path in ["/", "/state", "/nothing", "/gallery"] {
            let (_, head, _) = get(host, path);
            assert!(head.contains("content-security-policy: default-src 'none'"), "{head}");
            assert!(!head.contains("http://") && !head.contains("unsafe"), "{head}");
            assert!(head.contains("x-content-type-options: nosniff"));
        }
    });
}

/// Paths with `..` and similar tricks never lead to other files.
#[test]
fn paths_lead_nowhere_else() {
    beside(|host| {
        for path in [
            "/../Cargo.toml",
            "/..%2f..%2fCargo.toml",
            "/%2e%2e/%2e%2e/etc/passwd",
            "/....//etc/passwd",
            "//etc/passwd",
            "/gallery/../scenes.json",
            "/gallery/..%2fpage%2findex.html",
            "/gallery/scenes.json",
            "/save/..%2f..%2fetc%2fpasswd",
            "/save/scene.toml%00",
            "/index.html/",
            "/page/index.html",
        ] {
            let (status, _, body) = get(host, path);
            assert!(status == 404 || status == 400, "{path}: {status}");
            assert!(!body.windows(5).any(|five| five == b"root:"), "{path}");
        }
    });
}

/// Uploads are written only to the folder of the session, whatever their name, and are limited in size and parameters.
#[test]
fn uploads_are_limited_and_stay_in_their_folder() {
    beside(|host| {
        let cube = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
        let (status, _, body) =
            post(host, "/upload?name=..%2f..%2f..%2ftmp%2fpliant-escaped.obj&cells=3", cube);
        assert_eq!(status, 200, "{}", String::from_utf8_lossy(&body));
        assert!(!std::path::Path::new("/tmp/pliant-escaped.obj").exists());
        for (path, file, expected) in [
            ("/upload?name=a.exe", &cube[..], "bad-file"),
            ("/upload?name=a.obj", b"garbage \xff\xfe", "bad-file"),
            ("/upload?name=a.obj", b"", "bad-file"),
            ("/upload?name=a.glb", cube, "bad-file"),
            ("/upload?name=a.obj&size=-1", cube, "bad-request"),
            ("/upload?name=a.obj&size=NaN", cube, "bad-request"),
            ("/upload?name=a.obj&cells=1000000", cube, "bad-request"),
        ] {
            let (status, _, body) = post(host, path, file);
            assert_eq!((status, code(&body).as_str()), (400, expected), "{path}");
        }
        let text = format!(
            "POST /upload?name=a.obj HTTP/1.1\r\nHost: {host}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            40 << 20
        );
        let (status, ..) = request(host, &text, &vec![b' '; 33 << 20]);
        assert!(status == 413 || status == 0, "{status}");
        assert_eq!(get(host, "/state").0, 200);
    });
}

/// A message of more than 64 KiB closes its connection only.
#[test]
fn oversized_messages_end_the_connection() {
    use futures_util::{SinkExt as _, StreamExt as _};
    use tokio_tungstenite::tungstenite::Message;
    run_test(async {
        let server = serve(SCENE).await;
        let mut other = Client::connect(server.address()).await;
        let mut page = Client::connect(server.address()).await;
        let _ = page.socket.send(Message::text(" ".repeat(100 << 10))).await;
        let ended = async {
            while let Some(Ok(message)) = page.socket.next().await {
                if message.is_close() {
                    break;
                }
            }
        };
        tokio::time::timeout(std::time::Duration::from_secs(20), ended)
            .await
            .expect("it is closed");
        other.ask(json!("pause")).await.unwrap();
        server.stop().await;
    });
}

/// Every scene of the gallery has a picture.
#[test]
fn the_gallery_has_its_pictures() {
    beside(|host| {
        let gallery = get_json(host, "/gallery");
        let cards = gallery.as_array().unwrap();
        assert!(cards.len() >= 12);
        for card in cards {
            let (status, head, bytes) = get(host, card["picture"].as_str().unwrap());
            assert_eq!(status, 200, "{card}");
            assert!(head.contains("content-type: image/jpeg"), "{head}");
            assert!(bytes.starts_with(&[0xff, 0xd8, 0xff]) && bytes.len() > 4000, "{card}");
        }
    });
}
