//! `pliant view`.

use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use pliant_io::write_whole;
use pliant_viewer::browser::snapshot;
use pliant_viewer::{Server, ServerConfig};

use crate::args::ViewArgs;
use crate::failure::BadInput;
use crate::scene_source::SceneSource;
use crate::terminal::print;

/// Shows a scene in the browser, until Ctrl-C.
pub(crate) fn view(args: &ViewArgs) -> Result<()> {
    let source = SceneSource::find(&args.scene)?;
    // Faults are shown with their places here, in the terminal.
    drop(pliant_io::scene::Scene::parse(&source.origin, &source.text)?);
    let config = ServerConfig {
        host: args.host.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        port: args.port,
        name: source.name,
        text: source.text,
        base: source.base,
        page: args.page.clone(),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .context("cannot start the threads of the server")?;
    runtime.block_on(serve(args, config))
}

async fn serve(args: &ViewArgs, config: ServerConfig) -> Result<()> {
    let server = Server::start(config).await.map_err(|error| match error {
        pliant_viewer::ServerError::Scene(refusal) => BadInput(refusal.to_string()).into(),
        other => anyhow::Error::from(other),
    })?;
    if let Some(path) = &args.snapshot {
        let done = picture(args, &server, path).await;
        server.stop().await;
        return done;
    }
    print(&format!("{}\n", server.address()))?;
    if !args.no_open && !opened(server.address()) {
        eprintln!("no browser was found; open the address in one");
    }
    tokio::signal::ctrl_c().await.context("cannot wait for Ctrl-C")?;
    server.stop().await;
    Ok(())
}

/// Writes a picture of a frame.
async fn picture(args: &ViewArgs, server: &Server, path: &Path) -> Result<()> {
    let bytes = snapshot(server.address(), args.frame, args.size.0).await?;
    write_whole(path, |file| file.write_all(&bytes))?;
    print(&format!("wrote {}\n", path.display()))
}

/// Opens the browser; false if there is none that this could ask.
fn opened(address: &str) -> bool {
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
