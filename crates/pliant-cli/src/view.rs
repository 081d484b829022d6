//! `pliant view`.

use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use pliant_io::write_whole;
use pliant_viewer::browser::{Shot, snapshot};
use pliant_viewer::{GalleryScene, Server, ServerConfig, film, gallery_scenes};

use crate::args::ViewArgs;
use crate::failure::BadInput;
use crate::scene_source::SceneSource;
use crate::terminal::print;

/// The size of the pictures of the gallery in pixels.
const GALLERY_SIZE: [u32; 2] = [480, 300];

/// Shows a scene in the browser, until Ctrl-C.
pub(crate) fn view(args: &ViewArgs) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .context("cannot start the threads of the server")?;
    if let Some(folder) = &args.gallery {
        return runtime.block_on(gallery(args, folder));
    }
    runtime.block_on(serve(args, config(args, &args.scene)?))
}

fn config(args: &ViewArgs, scene: &Path) -> Result<ServerConfig> {
    let source = SceneSource::find(scene)?;
    // Faults are shown with their places here, in the terminal.
    drop(pliant_io::scene::Scene::parse(&source.origin, &source.text)?);
    Ok(ServerConfig {
        host: args.host.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        port: args.port,
        name: source.name,
        text: source.text,
        base: source.base,
        page: args.page.clone(),
    })
}

async fn started(config: ServerConfig) -> Result<Server> {
    Server::start(config).await.map_err(|error| match error {
        pliant_viewer::ServerError::Scene(refusal) => BadInput(refusal.to_string()).into(),
        other => anyhow::Error::from(other),
    })
}

async fn serve(args: &ViewArgs, config: ServerConfig) -> Result<()> {
    let server = started(config).await?;
    let size = args.size.0;
    if let Some(path) = &args.snapshot {
        let shot = Shot { frame: args.frame, size, wishes: String::new(), small: false };
        let made = snapshot(server.address(), &shot).await;
        server.stop().await;
        return written(path, &made?);
    }
    if let Some(path) = &args.film {
        let made = film(server.address(), size).await;
        server.stop().await;
        return written(path, &made?);
    }
    print(&format!("{}\n", server.address()))?;
    if !args.no_open && !opened(server.address()) {
        eprintln!("no browser was found; open the address in one");
    }
    tokio::signal::ctrl_c().await.context("cannot wait for Ctrl-C")?;
    server.stop().await;
    Ok(())
}

/// Writes the pictures of the gallery.
async fn gallery(args: &ViewArgs, folder: &Path) -> Result<()> {
    for GalleryScene { name, file, frame, wishes } in gallery_scenes() {
        let server = started(config(args, Path::new(&name))?).await?;
        let shot = Shot { frame, size: GALLERY_SIZE, wishes, small: true };
        let made = snapshot(server.address(), &shot).await;
        server.stop().await;
        written(&folder.join(file), &made?)?;
    }
    Ok(())
}

fn written(path: &Path, bytes: &[u8]) -> Result<()> {
    write_whole(path, |file| file.write_all(bytes))?;
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
