//! The command line arguments.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::{Parser, Subcommand};
use pliant_mesher::tets::Within;

/// The largest number of frames of a run: a day at 60 frames per second, as for a scene.
const MAX_FRAMES: u64 = 60 * 86_400;

/// Deformable solids, simulated.
#[derive(Debug, Parser)]
#[command(
    name = "pliant",
    version,
    about = "Deformable solids, simulated",
    after_help = "\
Examples:
  pliant run                                    simulate the default scene, write out/default/
  pliant view                                   show it in the browser and pull its bodies
  pliant run saillant/static-bending-p2 --json  a bar from a paper, results as JSON
  pliant scenes default > my.toml               copy a scene to edit
  pliant check my.toml                          list all its errors
  pliant mesh part.msh --degree 2 -o part.vtu   report on a mesh and convert it
  pliant splinter 2x1x0.01 --kind glass         cut a pane into splinters

Exit codes: 0 success, 1 failure, 2 invalid input.",
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
    /// List all errors of a scene; or, if it has none, print how each body is stepped
    Check(CheckArgs),
    /// List the built-in scenes, or print one
    Scenes(ScenesArgs),
    /// Make a mesh from a surface; or report on a mesh file, convert, refine or raise its degree
    Mesh(MeshArgs),
    /// Cut a closed surface into splinters: closed pieces that are drawn when a body breaks
    Splinter(SplinterArgs),
    /// Run a benchmark
    Bench(BenchArgs),
}

/// `pliant run`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pliant run                         the default scene
  pliant run my.toml --out results   a scene of your own
  pliant run gallery/twist --frames 60 --no-output --json

The summary lists the time of each phase of a frame and the results of its linear solves.
The [method] table of a scene sets its stepper and solver; `pliant check` shows them for each body.
Problems that the engine recovered from (a body reset, a solve that did not converge) are warnings
on standard error, one for each body and kind. If a body was reset or a step was not finite, the
last line says so; with --strict the exit code is then 1.")]
pub(crate) struct RunArgs {
    /// A scene file, or the name of a built-in scene (see `pliant scenes`)
    #[arg(default_value = pliant_io::scene::catalogue::DEFAULT)]
    pub(crate) scene: PathBuf,
    /// Folder for the results [default: out/NAME, with the name of the scene]
    #[arg(long, value_name = "DIR", conflicts_with = "no_output")]
    pub(crate) out: Option<PathBuf>,
    /// Print one JSON object on standard output, and nothing else
    #[arg(long)]
    pub(crate) json: bool,
    /// Threads to use [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Frames to simulate, instead of the duration that the scene gives
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MAX_FRAMES))]
    pub(crate) frames: Option<u64>,
    /// Write no files
    #[arg(long)]
    pub(crate) no_output: bool,
    /// Fail with exit code 1 if a body was reset or a step was not finite
    #[arg(long)]
    pub(crate) strict: bool,
}

/// `pliant view`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pliant view                        show the default scene in the browser
  pliant view nesme/ears             another scene; the page has a gallery of scenes
  pliant view --snapshot a.png --frame 60   write a picture (needs Chromium or Chrome)
  pliant view --film pull.gif        write an animation in which the first body is pulled
  pliant view --gallery DIR          write all pictures of the gallery
  pliant view --host 0.0.0.0         allow other machines; the address then contains a token
Ctrl-C stops the server.")]
pub(crate) struct ViewArgs {
    /// A scene file, the name of a built-in scene (see `pliant scenes`), or a saved session
    #[arg(default_value = pliant_io::scene::catalogue::DEFAULT)]
    pub(crate) scene: PathBuf,
    /// Continue the session that was saved automatically last
    #[arg(long, conflicts_with_all = ["snapshot", "film", "gallery"])]
    pub(crate) recover: bool,
    /// Do not save the session automatically
    #[arg(long)]
    pub(crate) no_autosave: bool,
    /// Address to listen on [default: this machine only]
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) host: Option<IpAddr>,
    /// Port to listen on [default: any free port]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub(crate) port: u16,
    /// Do not open the browser
    #[arg(long)]
    pub(crate) no_open: bool,
    /// Write a picture of a frame to this file, drawn by the page in a headless browser, and exit
    #[arg(long, value_name = "PNG")]
    pub(crate) snapshot: Option<PathBuf>,
    /// Frame to draw
    #[arg(long, value_name = "N", default_value_t = 120, requires = "snapshot", value_parser = clap::value_parser!(u64).range(0..=100_000))]
    pub(crate) frame: u64,
    /// Size of the picture in pixels [default: 1280x800, for --film 640x400]
    #[arg(long, value_name = "WxH", value_parser = picture_size)]
    pub(crate) size: Option<PictureSize>,
    /// Write an animated GIF to this file, in which the first body is pulled, and exit
    #[arg(long, value_name = "GIF", conflicts_with = "snapshot")]
    pub(crate) film: Option<PathBuf>,
    /// Write the pictures of all scenes of the gallery to this folder, and exit
    #[arg(long, value_name = "DIR", conflicts_with_all = ["snapshot", "film"])]
    pub(crate) gallery: Option<PathBuf>,
    /// Folder with the files of the page, used instead of the built-in ones, to develop the page
    #[arg(long, value_name = "DIR", hide = true)]
    pub(crate) page: Option<PathBuf>,
}

/// Width and height of a picture, in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PictureSize(pub(crate) [u32; 2]);

/// Parses `1280x800`.
fn picture_size(text: &str) -> Result<PictureSize, String> {
    let side = |word: &str| word.parse().ok().filter(|side| (16..=8192).contains(side));
    let sides = text.split_once('x').and_then(|(wide, high)| Some([side(wide)?, side(high)?]));
    sides
        .map(PictureSize)
        .ok_or_else(|| "expected width and height of 16 to 8192, such as 1280x800".to_owned())
}

/// `pliant check`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Valid scene: prints one line for each moving body, with its stepper, substeps and solver; exit code 0.
Invalid scene: prints all errors, with line and column, on standard error; exit code 2.")]
pub(crate) struct CheckArgs {
    /// A scene file, or the name of a built-in scene
    pub(crate) scene: PathBuf,
}

/// `pliant scenes`.
#[derive(Debug, clap::Args)]
pub(crate) struct ScenesArgs {
    /// Print the source of this scene
    pub(crate) name: Option<PathBuf>,
    /// Print a JSON array on standard output, and nothing else
    #[arg(long, conflicts_with = "name")]
    pub(crate) json: bool,
}

/// `pliant mesh`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pliant mesh bunny.obj                         fill a surface with about 500 curved tetrahedra
  pliant mesh bunny.obj --cells 5000 -o bunny.msh --picture bunny.png
  pliant mesh bunny.obj --within 1%             no farther than 1 % of the diagonal from the surface
  pliant mesh bunny.ply --finer ff0000=0.02     cells shorter than 2 cm where it is painted red
  pliant mesh bunny.obj --method voxels --depth 4   voxels around any surface, open or defective
  pliant mesh bear                              a built-in surface: bear, bird, dragon,
                                                drake, golem, shirt, mug, starfish, gear, c,
                                                ball, torus, box
  pliant mesh part.msh                          report cells, regions, quality and validity
  pliant mesh part.msh --degree 2 -o p2.vtu     raise the degree, write for ParaView
  pliant mesh part.vtu --refine 1 -o fine.msh")]
pub(crate) struct MeshArgs {
    /// A surface (obj, ply, stl, gltf, glb), the name of a built-in one, or a mesh file
    pub(crate) file: PathBuf,
    /// Write the mesh to this file; the extension selects the format
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    /// Kind of mesh to make from a surface [default: tets, and a note if they do not follow it]
    #[arg(long, value_enum)]
    pub(crate) method: Option<MeshMethod>,
    /// Approximate number of tetrahedra [default: 500]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), conflicts_with_all = ["size", "depth"])]
    pub(crate) cells: Option<u32>,
    /// Edge length of the cells, in m
    #[arg(long, value_name = "L", conflicts_with = "depth")]
    pub(crate) size: Option<f64>,
    /// 2^N voxels along the longest side [default: 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=15))]
    pub(crate) depth: Option<u8>,
    /// 2^N leaves along the longest side, to separate material from empty space [default: three levels more than the
    /// voxels]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=15))]
    pub(crate) leaves: Option<u8>,
    /// How to decide which points are inside, for voxels [default: winding if the holes are small, else flood]
    #[arg(long, value_enum)]
    pub(crate) inside: Option<MeshInside>,
    /// Farthest that surface and tetrahedra may lie from each other: a share of the diagonal such as 1%, a length in m, or
    /// any; cells become finer where they must [default: 3% for 500 cells, less for more]
    #[arg(long, value_name = "DISTANCE", value_parser = within)]
    pub(crate) within: Option<Within>,
    /// How many times tetrahedra may be halved where the surface is curved [default: 0]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=6))]
    pub(crate) curved: Option<u8>,
    /// Tetrahedra no longer than L, in m, where the surface is painted in the colour RRGGBB; may be repeated
    #[arg(long, value_name = "RRGGBB=L", value_parser = FinerPaint::parsed)]
    pub(crate) finer: Vec<FinerPaint>,
    /// Thickness given to open sheets, which enclose no volume, in m [default: one cell]
    #[arg(long, value_name = "L")]
    pub(crate) thickness: Option<f64>,
    /// Write a picture of the mesh to this file
    #[arg(long, value_name = "PNG")]
    pub(crate) picture: Option<PathBuf>,
    /// Degree of the cells, 1 to 3 [default: 2 for tetrahedra, 1 for voxels, unchanged for a mesh file]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=3))]
    pub(crate) degree: Option<u8>,
    /// Number of times every cell is subdivided
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=8))]
    pub(crate) refine: u8,
    /// Print one JSON object on standard output, and nothing else
    #[arg(long)]
    pub(crate) json: bool,
}

/// Parses `1%`, `0.02` or `any`.
fn within(text: &str) -> Result<Within, String> {
    let expected = "expected a share of the diagonal such as 1%, a length in m, or any";
    Within::parsed(text).ok_or_else(|| expected.to_owned())
}

/// `--finer`: a colour and a length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct FinerPaint {
    /// Red, green and blue, from 0 to 255.
    pub(crate) colour: [u8; 3],
    /// Largest edge length, in m.
    pub(crate) length: f64,
}

impl FinerPaint {
    /// Parses `ff0000=0.02`; a `#` before the colour is allowed.
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

/// The kind of mesh that `pliant mesh` makes from a surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum MeshMethod {
    /// Cubes around the surface, weighted by the material inside them; for any surface
    Voxels,
    /// Tetrahedra that fill the surface, curved to follow it
    Tets,
}

/// The test that separates the inside from the outside of a surface, for voxels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum MeshInside {
    /// Points that cannot be reached from outside: an open surface becomes a shell
    Flood,
    /// Points with a winding number above one half: an open surface becomes solid
    Winding,
}

impl From<MeshInside> for pliant_mesher::voxels::InsideRule {
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
  pliant splinter vase.glb -o splinters.glb               about 100 splinters of stone
  pliant splinter vase.glb --count 500 --picture a.png    more splinters, and a picture of them
  pliant splinter 2x1x0.01 --kind glass --impact 0.3,0.5,0   a pane hit at a point
  pliant splinter 2x0.2x0.05 --kind wood --grain 1,0,0 --length 0.3 --width 0.02
  pliant splinter 2x1.2x0.25 --kind brick --brick 0.25x0.075x0.12
  pliant splinter broken.glb --kind parts                 a surface that already consists of closed pieces
The surface must be closed. Every splinter is closed, and together they fill the solid. A GLB file has a node for each splinter, with
one material for the outside and one for the cut faces; obj, ply and stl files contain all splinters in one mesh.")]
pub(crate) struct SplinterArgs {
    /// A surface (obj, ply, stl, gltf, glb), the name of a built-in one, or a box given by its sides in m: 2x1x0.01
    pub(crate) surface: PathBuf,
    /// Fracture pattern, by the kind of material
    #[arg(long, value_enum, default_value_t = SplinterKind::Voronoi)]
    pub(crate) kind: SplinterKind,
    /// Approximate number of splinters [default: 100] (voronoi, glass)
    #[arg(long, value_name = "N", conflicts_with = "size", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) count: Option<u32>,
    /// Size of the splinters, in m (voronoi, glass)
    #[arg(long, allow_negative_numbers = true, value_name = "L")]
    pub(crate) size: Option<f64>,
    /// Point of impact, around which the splinters are smaller (voronoi, glass)
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = vector)]
    pub(crate) impact: Option<Vector>,
    /// Radius around the point of impact within which the splinters are smaller, in m [default: a tenth of the surface's
    /// size] (voronoi)
    #[arg(long, allow_negative_numbers = true, value_name = "L", requires = "impact")]
    pub(crate) radius: Option<f64>,
    /// Direction of the fibres [default: along the longest side] (wood)
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = vector)]
    pub(crate) grain: Option<Vector>,
    /// Length of the splinters, in m [default: a seventh of the longest side] (wood)
    #[arg(long, allow_negative_numbers = true, value_name = "L")]
    pub(crate) length: Option<f64>,
    /// Width of the splinters, in m [default: a twelfth of the length] (wood)
    #[arg(long, allow_negative_numbers = true, value_name = "L")]
    pub(crate) width: Option<f64>,
    /// Length, height and depth of a brick, in m [default: 0.25x0.075x0.125] (brick)
    #[arg(long, value_name = "LxHxD", value_parser = sides)]
    pub(crate) brick: Option<Vector>,
    /// Direction of the courses [default: 1,0,0] (brick)
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = vector)]
    pub(crate) along: Option<Vector>,
    /// Direction from one course to the next [default: 0,1,0] (brick)
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = vector)]
    pub(crate) up: Option<Vector>,
    /// Seed of the random pattern
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Merge splinters whose volume is below this share of the average into a neighbour
    #[arg(long, allow_negative_numbers = true, value_name = "SHARE", default_value_t = 0.01)]
    pub(crate) sliver: f64,
    /// Colour of the cut faces [default: depends on the kind]
    #[arg(long, value_name = "RRGGBB", value_parser = colour)]
    pub(crate) inside: Option<[u8; 3]>,
    /// Write the splinters to this file: glb, obj, ply or stl
    #[arg(short, long, visible_alias = "out", value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    /// Write a picture of the splinters, moved apart, to this file
    #[arg(long, value_name = "PNG")]
    pub(crate) picture: Option<PathBuf>,
    /// Displacement of the splinters in the picture, relative to their distance from the centre
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

/// The fracture pattern of `pliant splinter`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum SplinterKind {
    /// Random splinters, about as thick as they are wide: stone, plaster, ice
    Voronoi,
    /// A pane, cracked around the point of impact
    Glass,
    /// Long splinters along a grain
    Wood,
    /// Courses of bricks with offset joints
    Brick,
    /// The closed parts of the surface, as they are
    Parts,
}

/// A vector of three components.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Vector(pub(crate) [f64; 3]);

fn three_numbers(text: &str, between: char) -> Option<Vector> {
    let numbers: Vec<f64> =
        text.split(between).map(|word| word.trim().parse().ok()).collect::<Option<_>>()?;
    numbers.try_into().ok().map(Vector)
}

/// Parses `1,0,-2.5`.
fn vector(text: &str) -> Result<Vector, String> {
    three_numbers(text, ',').ok_or_else(|| "expected three numbers, such as 1,0,-0.5".to_owned())
}

/// Parses `2x1x0.01`.
pub(crate) fn sides(text: &str) -> Result<Vector, String> {
    three_numbers(text, 'x')
        .ok_or_else(|| "expected three lengths in m, such as 2x1x0.01".to_owned())
}

/// Parses `ff8800`; a `#` before the colour is allowed.
fn colour(text: &str) -> Result<[u8; 3], String> {
    let digits = text.strip_prefix('#').unwrap_or(text);
    let is_colour = digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let number = u32::from_str_radix(digits, 16).ok().filter(|_| is_colour);
    let [_, colour @ ..] = number.ok_or("expected a colour, such as ff8800")?.to_be_bytes();
    Ok(colour)
}

/// `pliant bench`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pliant bench                             list all benchmarks
  pliant bench regress old/pliant target/release/pliant
  pliant bench regress old/pliant new/pliant --scenes default,gallery/twist --rounds 20
  pliant bench scoreboard                  error against time, and the picture scoreboard.svg")]
pub(crate) struct BenchArgs {
    /// Name of the benchmark; without it all benchmarks are listed
    pub(crate) name: Option<String>,
    /// The two builds of `pliant` to compare, the old one first (regress)
    #[arg(value_name = "PROGRAM")]
    pub(crate) programs: Vec<PathBuf>,
    /// Run only the rows whose names contain this text, such as "chickens, safe" (contact-scenes,
    /// meshers, solvers), or all its words (torture)
    #[arg(long, value_name = "TEXT")]
    pub(crate) only: Option<String>,
    /// Run a few quick rows only (torture)
    #[arg(long)]
    pub(crate) short: bool,
    /// Write the scene files of the rows to this folder, to look at with `pliant view`, and run nothing (torture)
    #[arg(long, value_name = "DIR")]
    pub(crate) write: Option<PathBuf>,
    /// Number of random starts of each scene [default: 10] (contact-scenes)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub(crate) starts: Option<u64>,
    /// Scenes to run, with commas between them [default: a short list] (regress)
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    pub(crate) scenes: Vec<String>,
    /// Approximate number of cells [default: 5000] (meshers)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(10..=1_000_000))]
    pub(crate) cells: Option<u32>,
    /// Print one JSON array on standard output, and nothing else (meshers)
    #[arg(long)]
    pub(crate) json: bool,
    /// Number of pairs of runs of each scene [default: 8] (regress)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=1000))]
    pub(crate) rounds: Option<u32>,
}

impl BenchArgs {
    /// The given arguments that only some benchmarks have.
    pub(crate) fn given(&self) -> Vec<&'static str> {
        let all = [
            ("PROGRAM", !self.programs.is_empty()),
            ("--only", self.only.is_some()),
            ("--short", self.short),
            ("--write", self.write.is_some()),
            ("--starts", self.starts.is_some()),
            ("--scenes", !self.scenes.is_empty()),
            ("--cells", self.cells.is_some()),
            ("--json", self.json),
            ("--rounds", self.rounds.is_some()),
        ];
        all.into_iter().filter(|(_, given)| *given).map(|(name, _)| name).collect()
    }
}
