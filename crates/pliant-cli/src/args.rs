//! What can be typed on the command line.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::{Parser, Subcommand};

/// Most frames of a run: a day at 60 frames per second, as for a scene.
const MOST_FRAMES: u64 = 60 * 86_400;

/// Deformable solids, simulated.
#[derive(Debug, Parser)]
#[command(
    name = "pliant",
    version,
    about = "Deformable solids, simulated",
    after_help = "\
Examples:
  pliant run                                    simulate the default scene, write out/default/
  pliant view                                   see it and touch it, in the browser
  pliant run saillant/static-bending-p2 --json  a bar of the papers, its numbers as JSON
  pliant scenes default > my.toml               copy a scene to play with
  pliant check my.toml                          all that is wrong with it
  pliant mesh part.msh --degree 2 -o part.vtu   look at a mesh, convert it
  pliant splinter 2x1x0.01 --kind glass         cut a pane into what it breaks into

Exit codes: 0 fine, 1 failed, 2 bad input.",
    disable_help_subcommand = true
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Simulate a scene, write its outputs, print a summary
    Run(RunArgs),
    /// Show a scene in the browser: pull it, paint it, change it while it runs
    View(ViewArgs),
    /// Say everything that is wrong with a scene, or how its bodies are advanced
    Check(CheckArgs),
    /// List the scenes that are built in, or print one
    Scenes(ScenesArgs),
    /// Make a mesh for a surface; or report on a mesh file, convert, refine or raise its degree
    Mesh(MeshArgs),
    /// Cut a closed surface into splinters: what it breaks into
    Splinter(SplinterArgs),
    /// Measure
    Bench(BenchArgs),
}

/// `pliant run`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pliant run                         the default scene
  pliant run my.toml --out results   a scene of your own
  pliant run gallery/twist --frames 60 --no-output --json

The summary tells where the time of a frame went, phase by phase, and how its linear solves went.
Which stepper and solver a scene uses is its [method]; `pliant check` shows it body by body.
Whatever went wrong and was dealt with (a body set back, a solve that did not converge) is a warning
on standard error, once for each body and kind.")]
pub(crate) struct RunArgs {
    /// A scene file, or the name of a built-in scene (see `pliant scenes`)
    #[arg(default_value = pliant_io::scene::catalogue::DEFAULT)]
    pub(crate) scene: PathBuf,
    /// Folder for the results [default: out/ and the name of the scene]
    #[arg(long, value_name = "DIR", conflicts_with = "no_output")]
    pub(crate) out: Option<PathBuf>,
    /// Print one JSON object on standard output, and nothing else
    #[arg(long)]
    pub(crate) json: bool,
    /// Threads to use [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Frames to simulate, whatever the scene's duration
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_FRAMES))]
    pub(crate) frames: Option<u64>,
    /// Write no files
    #[arg(long)]
    pub(crate) no_output: bool,
}

/// `pliant view`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pliant view                        the default scene, in the browser
  pliant view nesme/ears             another one; the page has a gallery of them
  pliant view --snapshot a.png --frame 60   a picture, where Chromium or Chrome is installed
  pliant view --film pull.gif        a film of a hand that pulls the first body
  pliant view --gallery DIR          the pictures of the gallery, all of them
  pliant view --host 0.0.0.0         for other machines too: the address then has a token in it
Ctrl-C ends it.")]
pub(crate) struct ViewArgs {
    /// A scene file, the name of a built-in scene (see `pliant scenes`), or a session that was saved
    #[arg(default_value = pliant_io::scene::catalogue::DEFAULT)]
    pub(crate) scene: PathBuf,
    /// Go on with the session that was kept last
    #[arg(long, conflicts_with_all = ["snapshot", "film", "gallery"])]
    pub(crate) recover: bool,
    /// Keep no session
    #[arg(long)]
    pub(crate) no_autosave: bool,
    /// Address to listen at [default: this machine alone]
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) host: Option<IpAddr>,
    /// Port to listen at [default: any that is free]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub(crate) port: u16,
    /// Do not open the browser
    #[arg(long)]
    pub(crate) no_open: bool,
    /// Write a picture of a frame here, made by the page in a browser that no one sees, and end
    #[arg(long, value_name = "PNG")]
    pub(crate) snapshot: Option<PathBuf>,
    /// The frame of the picture
    #[arg(long, value_name = "N", default_value_t = 120, requires = "snapshot", value_parser = clap::value_parser!(u64).range(0..=100_000))]
    pub(crate) frame: u64,
    /// The size of the picture in pixels [default: 1280x800, of a film 640x400]
    #[arg(long, value_name = "WxH", value_parser = picture_size)]
    pub(crate) size: Option<PictureSize>,
    /// Write a film here, a GIF, in which a hand pulls the first body, and end
    #[arg(long, value_name = "GIF", conflicts_with = "snapshot")]
    pub(crate) film: Option<PathBuf>,
    /// Write the pictures of all scenes of the gallery to this folder, and end
    #[arg(long, value_name = "DIR", conflicts_with_all = ["snapshot", "film"])]
    pub(crate) gallery: Option<PathBuf>,
    /// Files of the page, in the place of those that are built in: to work on the page
    #[arg(long, value_name = "DIR", hide = true)]
    pub(crate) page: Option<PathBuf>,
}

/// Pixels along the two sides of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PictureSize(pub(crate) [u32; 2]);

/// From `1280x800`.
fn picture_size(text: &str) -> Result<PictureSize, String> {
    let side = |word: &str| word.parse().ok().filter(|side| (16..=8192).contains(side));
    let sides = text.split_once('x').and_then(|(wide, high)| Some([side(wide)?, side(high)?]));
    sides
        .map(PictureSize)
        .ok_or_else(|| "expected two sides of 16 to 8192, such as 1280x800".to_owned())
}

/// `pliant check`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A scene in order: one line for each moving body, with its stepper, substeps and solver; exit code 0.
Otherwise everything that is wrong, with line and column, on standard error; exit code 2.")]
pub(crate) struct CheckArgs {
    /// A scene file, or the name of a built-in scene
    pub(crate) scene: PathBuf,
}

/// `pliant scenes`.
#[derive(Debug, clap::Args)]
pub(crate) struct ScenesArgs {
    /// Print the text of this scene
    pub(crate) name: Option<PathBuf>,
    /// Print a JSON array on standard output, and nothing else
    #[arg(long, conflicts_with = "name")]
    pub(crate) json: bool,
}

/// `pliant mesh`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pliant mesh bunny.obj                         about 500 curved tetrahedra for a surface
  pliant mesh bunny.obj --cells 5000 -o bunny.msh --picture bunny.png
  pliant mesh bunny.ply --finer ff0000=0.02     shorter than 2 cm where it is painted red
  pliant mesh bunny.obj --method voxels --depth 4   cubes around any surface, open or broken
  pliant mesh bear                              a surface that is built in: bear, bird, dragon,
                                                drake, golem, shirt, mug, starfish, gear, c,
                                                ball, torus, box
  pliant mesh part.msh                          cells, regions, quality, validity of a mesh
  pliant mesh part.msh --degree 2 -o p2.vtu     raise the degree, write for ParaView
  pliant mesh part.vtu --refine 1 -o fine.msh")]
pub(crate) struct MeshArgs {
    /// A surface (obj, ply, stl, gltf, glb), the name of a built-in one, or a mesh file
    pub(crate) file: PathBuf,
    /// Write the mesh here; the extension names the format
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    /// What to make for a surface
    #[arg(long, value_enum, default_value_t = MeshMethod::Tets)]
    pub(crate) method: MeshMethod,
    /// About so many tetrahedra [default: 500]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), conflicts_with_all = ["size", "depth"])]
    pub(crate) cells: Option<u32>,
    /// Length of the cells, in m
    #[arg(long, value_name = "L", conflicts_with = "depth")]
    pub(crate) size: Option<f64>,
    /// 2^N voxels along the longest side [default: 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=15))]
    pub(crate) depth: Option<u8>,
    /// 2^N leaves along the longest side, to tell matter from void [default: three levels more]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=15))]
    pub(crate) leaves: Option<u8>,
    /// What is inside of voxels [default: winding for small holes, else flood]
    #[arg(long, value_enum)]
    pub(crate) inside: Option<MeshInside>,
    /// How often tetrahedra may halve where the surface curves [default: 0]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=6))]
    pub(crate) curved: Option<u8>,
    /// Tetrahedra no longer than L m where the surface is painted rrggbb; may be given several times
    #[arg(long, value_name = "RRGGBB=L", value_parser = FinerPaint::parsed)]
    pub(crate) finer: Vec<FinerPaint>,
    /// Thickness of sheets that bound nothing, in m [default: a cell]
    #[arg(long, value_name = "L")]
    pub(crate) thickness: Option<f64>,
    /// Draw the mesh
    #[arg(long, value_name = "PNG")]
    pub(crate) picture: Option<PathBuf>,
    /// Degree of the cells, 1 to 3 [default: 2 for tetrahedra, 1 for voxels, that of a mesh file]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=3))]
    pub(crate) degree: Option<u8>,
    /// Divide every cell so many times
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=8))]
    pub(crate) refine: u8,
    /// Print one JSON object on standard output, and nothing else
    #[arg(long)]
    pub(crate) json: bool,
}

/// `--finer`: a colour and a length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct FinerPaint {
    /// Red, green and blue.
    pub(crate) colour: [u8; 3],
    /// In m.
    pub(crate) length: f64,
}

impl FinerPaint {
    /// From `ff0000=0.02`; a `#` in front of the colour is allowed.
    fn parsed(text: &str) -> Result<Self, String> {
        let expected = || "expected a colour and a length in m, such as ff0000=0.02".to_owned();
        let (colour, length) = text.split_once('=').ok_or_else(expected)?;
        let digits = colour.strip_prefix('#').unwrap_or(colour);
        let is_colour = digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        let number = u32::from_str_radix(digits, 16).ok().filter(|_| is_colour);
        let [_, colour @ ..] = number.ok_or_else(expected)?.to_be_bytes();
        let length = length.parse().ok().filter(|length: &f64| length.is_finite() && *length > 0.0);
        Ok(Self { colour, length: length.ok_or_else(expected)? })
    }
}

/// What `pliant mesh` makes for a surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum MeshMethod {
    /// Cubes around it that know what is inside them; for any surface
    Voxels,
    /// Tetrahedra that fill it, curved to follow it
    Tets,
}

/// How voxels tell inside from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum MeshInside {
    /// What cannot be reached from outside: an open surface is a shell
    Flood,
    /// Where the surface winds round: an open surface is solid
    Winding,
}

impl From<MeshInside> for pliant_mesher::voxels::Inside {
    fn from(inside: MeshInside) -> Self {
        match inside {
            MeshInside::Flood => Self::Flood,
            MeshInside::Winding => Self::Winding,
        }
    }
}

/// `pliant splinter`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pliant splinter vase.glb -o pieces.glb                  about 100 pieces of stone
  pliant splinter vase.glb --count 500 --picture a.png    more of them, and a look at them
  pliant splinter 2x1x0.01 --kind glass --impact 0.3,0.5,0   a pane, hit at a point
  pliant splinter 2x0.2x0.05 --kind wood --grain 1,0,0 --length 0.3 --width 0.02
  pliant splinter 2x1.2x0.25 --kind brick --brick 0.25x0.075x0.12
  pliant splinter broken.glb --kind parts                 pieces as an artist made them
The surface must be closed. Every piece is closed, and together they are the solid. A GLB has a node for each piece, with a
material outside and one inside; obj, ply and stl have all in one.")]
pub(crate) struct SplinterArgs {
    /// A surface (obj, ply, stl, gltf, glb), the name of a built-in one, or a box by its sides in m: 2x1x0.01
    pub(crate) surface: PathBuf,
    /// What it is made of
    #[arg(long, value_enum, default_value_t = SplinterKind::Voronoi)]
    pub(crate) kind: SplinterKind,
    /// About so many pieces [default: 100] (voronoi, glass)
    #[arg(long, value_name = "N", conflicts_with = "size", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) count: Option<u32>,
    /// Size of the pieces, in m (voronoi, glass)
    #[arg(long, allow_negative_numbers = true, value_name = "L")]
    pub(crate) size: Option<f64>,
    /// Where it is hit: pieces are smaller there (voronoi, glass)
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = vector)]
    pub(crate) impact: Option<Vector>,
    /// How far from there they are smaller, in m [default: a tenth of the surface's size] (voronoi)
    #[arg(long, allow_negative_numbers = true, value_name = "L", requires = "impact")]
    pub(crate) radius: Option<f64>,
    /// Along the fibres [default: the longest side] (wood)
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = vector)]
    pub(crate) grain: Option<Vector>,
    /// Length of the pieces, in m [default: a seventh of the longest side] (wood)
    #[arg(long, allow_negative_numbers = true, value_name = "L")]
    pub(crate) length: Option<f64>,
    /// Width of the pieces, in m [default: a twelfth of the length] (wood)
    #[arg(long, allow_negative_numbers = true, value_name = "L")]
    pub(crate) width: Option<f64>,
    /// Length, height and depth of a brick, in m [default: 0.25x0.075x0.125] (brick)
    #[arg(long, value_name = "LxHxD", value_parser = sides)]
    pub(crate) brick: Option<Vector>,
    /// Along the courses [default: 1,0,0] (brick)
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = vector)]
    pub(crate) along: Option<Vector>,
    /// From course to course [default: 0,1,0] (brick)
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = vector)]
    pub(crate) up: Option<Vector>,
    /// Another number gives other pieces
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Pieces below this share of the average join a neighbour
    #[arg(long, allow_negative_numbers = true, value_name = "SHARE", default_value_t = 0.01)]
    pub(crate) sliver: f64,
    /// Colour of fresh faces [default: by the kind]
    #[arg(long, value_name = "RRGGBB", value_parser = colour)]
    pub(crate) inside: Option<[u8; 3]>,
    /// Write the pieces here: glb, obj, ply or stl
    #[arg(short, long, visible_alias = "out", value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    /// Draw the pieces moved apart
    #[arg(long, value_name = "PNG")]
    pub(crate) picture: Option<PathBuf>,
    /// How far apart they are drawn, over their distance from the middle
    #[arg(
        long,
        allow_negative_numbers = true,
        value_name = "SHARE",
        default_value_t = 0.35,
        requires = "picture"
    )]
    pub(crate) apart: f64,
    /// Print one JSON object on standard output, and nothing else
    #[arg(long)]
    pub(crate) json: bool,
}

/// What a surface is made of, for `pliant splinter`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum SplinterKind {
    /// Random pieces, about as thick as wide: stone, plaster, ice
    Voronoi,
    /// A pane cracked around the point where it is hit
    Glass,
    /// Long pieces along a grain
    Wood,
    /// Courses with offset joints
    Brick,
    /// The closed parts of the surface, as they are
    Parts,
}

/// Three numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Vector(pub(crate) [f64; 3]);

fn three(text: &str, between: char) -> Option<Vector> {
    let numbers: Vec<f64> =
        text.split(between).map(|word| word.trim().parse().ok()).collect::<Option<_>>()?;
    numbers.try_into().ok().map(Vector)
}

/// From `1,0,-2.5`.
fn vector(text: &str) -> Result<Vector, String> {
    three(text, ',').ok_or_else(|| "expected three numbers, such as 1,0,-0.5".to_owned())
}

/// From `2x1x0.01`.
pub(crate) fn sides(text: &str) -> Result<Vector, String> {
    three(text, 'x').ok_or_else(|| "expected three lengths in m, such as 2x1x0.01".to_owned())
}

/// From `ff8800`; a `#` in front is allowed.
fn colour(text: &str) -> Result<[u8; 3], String> {
    let digits = text.strip_prefix('#').unwrap_or(text);
    let is_colour = digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let number = u32::from_str_radix(digits, 16).ok().filter(|_| is_colour);
    let [_, colour @ ..] = number.ok_or("expected a colour, such as ff8800")?.to_be_bytes();
    Ok(colour)
}

/// `pliant bench`.
#[derive(Debug, clap::Args)]
pub(crate) struct BenchArgs {
    /// Which benchmark; lists them if none is named
    pub(crate) name: Option<String>,
    /// Only rows whose names hold this text, such as "chickens, safe" (contact-scenes)
    #[arg(long, value_name = "TEXT")]
    pub(crate) only: Option<String>,
    /// Starts of each scene [default: 10] (contact-scenes)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub(crate) starts: Option<u64>,
}

impl BenchArgs {
    /// Whether only a part is asked for.
    pub(crate) fn has_choice(&self) -> bool {
        self.only.is_some() || self.starts.is_some()
    }
}
