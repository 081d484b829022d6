//! `pliant view`.

use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use pliant_viewer::{Server, ServerConfig};

use crate::args::ViewArgs;
use crate::failure::BadInput;
use crate::scene_source::SceneSource;
use crate::sessions;
use crate::terminal::print;
use crate::view_pictures;

/// Shows a scene in the browser until Ctrl-C, or writes pictures of it.
pub(crate) fn view(args: &ViewArgs) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .context("cannot start the threads of the server")?;
    runtime.block_on(async {
        let server = start_server(config(args, &args.scene)?).await?;
        let done = match view_pictures::make(args, &server).await {
            Some(made) => made,
            None => serve(args, &server).await,
        };
        server.stop().await;
        done
    })
}

fn config(args: &ViewArgs, scene: &Path) -> Result<ServerConfig> {
    let common = ServerConfig {
        host: args.host.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        port: args.port,
        page: args.page.clone(),
        ..Default::default()
    };
    if let Some(path) = session(args, scene)? {
        let cannot = |error| BadInput(format!("cannot read {}: {error}", path.display()));
        let bytes = std::fs::read(&path).map_err(cannot)?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let autosave = autosave(args, &name);
        return Ok(ServerConfig { session: Some(bytes), autosave, ..common });
    }
    let source = SceneSource::find(scene)?;
    // Parsed here so that errors are shown in the terminal with line and column.
    drop(pliant_io::scene::Scene::parse(&source.origin, &source.text)?);
    let autosave = autosave(args, &source.name);
    let SceneSource { name, text, base, .. } = source;
    Ok(ServerConfig { name, text, base, autosave, ..common })
}

/// The saved session to continue: the newest one for `--recover`, or the scene argument if it is a `.session` file.
fn session(args: &ViewArgs, scene: &Path) -> Result<Option<PathBuf>> {
    if !args.recover {
        return Ok(
            Some(scene.to_owned()).filter(|path| path.extension() == Some("session".as_ref()))
        );
    }
    let none = || {
        let folder = sessions::folder();
        let place =
            folder.map_or("anywhere".to_owned(), |folder| format!("in {}", folder.display()));
        BadInput(format!(
            "no saved session was found {place}; `pliant view` saves one after the first edit"
        ))
    };
    Ok(Some(sessions::newest().ok_or_else(none)?))
}

/// The file for automatic saves of this session; `None` with `--no-autosave`, or when only pictures are made.
fn autosave(args: &ViewArgs, name: &str) -> Option<PathBuf> {
    let pictures = args.snapshot.is_some() || args.film.is_some() || args.gallery.is_some();
    if args.no_autosave || pictures { None } else { sessions::new_session_path(name) }
}

async fn start_server(config: ServerConfig) -> Result<Server> {
    Server::start(config).await.map_err(|error| match error {
        pliant_viewer::ServerError::Scene(refusal) => BadInput(refusal.to_string()).into(),
        other => anyhow::Error::from(other),
    })
}

async fn serve(args: &ViewArgs, server: &Server) -> Result<()> {
    print(&format!("{}\n", server.address()))?;
    if !args.no_open && !open_browser(server.address()) {
        eprintln!("no browser was found; open this address in a browser");
    }
    tokio::signal::ctrl_c().await.context("cannot wait for Ctrl-C")
}

/// Opens the address in the browser; returns false if no browser could be started.
fn open_browser(address: &str) -> bool {
    let opener = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else if std::env::var_os("DISPLAY").is_none() && std::env::var_os("WAYLAND_DISPLAY").is_none()
    {
        return false;
    } else {
        "xdg-open"
    };
    let mut command = Command::new(opener);
    command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().is_ok()
}
