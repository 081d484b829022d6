//! Pictures of `pliant view`, drawn by the page in a headless browser.

use std::path::Path;

use anyhow::{Context, Result, bail};
use pliant_io::write_atomic;
use pliant_viewer::browser::{Browser, SnapshotConfig, snapshot};
use pliant_viewer::{GalleryScene, Server, film, gallery_scenes};

use crate::args::ViewArgs;
use crate::progress::Progress;
use crate::terminal::{print, warn};

/// Default sizes in pixels.
const SNAPSHOT_SIZE: [u32; 2] = [1280, 800];
const FILM_SIZE: [u32; 2] = [640, 400];
/// The size of the pictures of the gallery; `--size` does not change it.
const GALLERY_SIZE: [u32; 2] = [480, 300];

/// Makes the requested pictures; `None` if none are requested.
pub(crate) async fn make(args: &ViewArgs, server: &Server) -> Option<Result<()>> {
    let size = args.size.map(|size| size.0);
    if let Some(path) = &args.snapshot {
        Some(write_snapshot(args.frame, size.unwrap_or(SNAPSHOT_SIZE), server, path).await)
    } else if let Some(path) = &args.film {
        Some(write_film(size.unwrap_or(FILM_SIZE), server, path).await)
    } else if let Some(folder) = &args.gallery {
        Some(write_gallery(server, folder).await)
    } else {
        None
    }
}

async fn write_snapshot(frame: u64, size: [u32; 2], server: &Server, path: &Path) -> Result<()> {
    let config = SnapshotConfig { frame, size, options: String::new(), jpeg: false };
    let mut progress = Progress::start("starting the browser");
    let browser = Browser::start().await?;
    let show = |now| progress.update(&format!("frame {now} of {frame}"));
    let made = snapshot(&browser, server.address(), &config, show).await?;
    write_picture(path, &made)
}

async fn write_film(size: [u32; 2], server: &Server, path: &Path) -> Result<()> {
    let mut progress = Progress::start("starting the browser");
    let browser = Browser::start().await?;
    let show = |done, of| progress.update(&format!("picture {done} of {of}"));
    let made = film(&browser, server.address(), size, show).await?;
    write_picture(path, &made)
}

/// Writes all pictures of the gallery with one browser; a failure is reported and the other pictures are still made.
async fn write_gallery(server: &Server, folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let mut progress = Progress::start("starting the browser");
    let browser = Browser::start().await?;
    let mut failed = Vec::new();
    for GalleryScene { name, file, frame, options } in gallery_scenes() {
        let options = format!("scene={name}&theme=light&{options}");
        let config = SnapshotConfig { frame, size: GALLERY_SIZE, options, jpeg: true };
        let show = |now| progress.update(&format!("{name}: frame {now} of {frame}"));
        match snapshot(&browser, server.address(), &config, show).await {
            Ok(made) => write_picture(&folder.join(file), &made)?,
            Err(error) => {
                warn(&format!("{name} has no picture: {error}"));
                failed.push(name);
            }
        }
    }
    if !failed.is_empty() {
        bail!("no picture was made of {}", failed.join(", "));
    }
    Ok(())
}

fn write_picture(path: &Path, bytes: &[u8]) -> Result<()> {
    write_atomic(path, |file| file.write_all(bytes))?;
    print(&format!("wrote {}\n", path.display()))
}
