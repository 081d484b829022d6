//! The structure of a scene file as it was typed, before any check.
//!
//! Numbers and names that can be invalid carry their position in the text, so that an error can point at them. The
//! meaning of the file is a [`Scene`](super::Scene).

use toml::Spanned;

use super::attachment_file::{AttachmentFile, FrictionFile};
use super::obstacle_file::ObstacleFile;
use super::shorthand::{FlagOr, MaterialValue, NumberOr, Selector};
use super::splinters_file::SplintersFile;
use super::table::tables;
use super::toughness_file::{
    BlastFile, DebrisFile, FieldFile, FractureFile, StrengthFile, ToughnessFile,
};

/// A number with its position.
pub(super) type Number = Spanned<f64>;
/// Three numbers with their position.
pub(super) type Triple = Spanned<[f64; 3]>;
/// A word with its position.
pub(super) type Word = Spanned<String>;

tables! {
    /// A whole scene file.
    struct SceneFile {
        /// Read before all other keys; listed here because unknown keys are errors.
        _version as "version": i64,
        title: Option<String>,
        description: Option<String>,
        mode: Option<Word>,
        world: Option<WorldFile>,
        method: Option<Spanned<MethodFile>>,
        statics: Option<Spanned<StaticsFile>>,
        wind: Option<WindFile>,
        body: Vec<Spanned<BodyFile>>,
        obstacle: Vec<Spanned<ObstacleFile>>,
        attachment: Vec<Spanned<AttachmentFile>>,
        blast: Vec<Spanned<BlastFile>>,
        field: Vec<Spanned<FieldFile>>,
        friction: Vec<FrictionFile>,
        probe: Vec<ProbeFile>,
        output: Vec<OutputFile>,
    }

    /// `[world]`.
    #[derive(Default)]
    struct WorldFile {
        gravity: Option<Triple>,
        dt: Option<Number>,
        duration: Option<Number>,
        budget: Option<Number>,
        damping: Option<Number>,
        substeps: Option<Spanned<i64>>,
        contact: Option<Word>,
        sleep: Option<Spanned<FlagOr<SleepFile>>>,
        anneal: Option<Number>,
        fracture: Option<FractureFile>,
        debris: Option<DebrisFile>,
    }

    /// `sleep = { … }`.
    #[derive(Default)]
    struct SleepFile {
        speed: Option<Number>,
        steps: Option<Spanned<i64>>,
        force: Option<Number>,
    }

    /// `[wind]`.
    struct WindFile {
        velocity: Triple,
        density: Option<Number>,
        drag: Option<Number>,
        friction: Option<Number>,
        gusts: Option<Number>,
        gust_length: Option<Number>,
        seed: Option<Spanned<i64>>,
        start: Option<Number>,
        end: Option<Number>,
    }

    /// `[method]` and `[body.method]`.
    #[derive(Default)]
    struct MethodFile {
        stepper: Option<Word>,
        solver: Option<Word>,
        tolerance: Option<Number>,
        max_iterations: Option<Spanned<i64>>,
        newton_iterations: Option<Spanned<i64>>,
        rotation: Option<Word>,
        mass: Option<Word>,
        rayleigh: Option<Spanned<RayleighFile>>,
        lazy: Option<Number>,
        adaptive: Option<Spanned<FlagOr<AdaptiveFile>>>,
        substeps: Option<Spanned<i64>>,
        sweeps: Option<Spanned<i64>>,
        projection: Option<Word>,
    }

    /// `rayleigh = { … }`.
    #[derive(Default)]
    struct RayleighFile {
        mass: Option<Number>,
        stiffness: Option<Number>,
    }

    /// `adaptive = { … }`.
    #[derive(Default)]
    struct AdaptiveFile {
        refine: Option<Number>,
        coarsen: Option<Number>,
        dwell: Option<Spanned<i64>>,
    }

    /// `[statics]`.
    #[derive(Default)]
    struct StaticsFile {
        tolerance: Option<Number>,
        load_steps: Option<Spanned<i64>>,
        max_iterations: Option<Spanned<i64>>,
    }

    /// `[[body]]`.
    struct BodyFile {
        name: Word,
        colour: Option<Word>,
        mesh: Option<Spanned<MeshFile>>,
        material: Option<Spanned<MaterialValue>>,
        transform: Option<TransformFile>,
        velocity: Option<Triple>,
        start: Option<Spanned<StartFile>>,
        rest: Option<Spanned<Vec<[f64; 3]>>>,
        quadrature: Option<Spanned<i64>>,
        dilation: Option<Word>,
        method: Option<Spanned<MethodFile>>,
        contact: Option<Spanned<ContactFile>>,
        rigid: Option<Spanned<FlagOr<RigidFile>>>,
        copies: Option<Spanned<CopiesFile>>,
        toughness: Option<Spanned<ToughnessFile>>,
        splinters: Option<Spanned<SplintersFile>>,
        region: Vec<Spanned<RegionFile>>,
        pin: Vec<Spanned<PinFile>>,
        pull: Vec<Spanned<PullFile>>,
    }

    /// `contact = { … }`.
    #[derive(Default)]
    struct ContactFile {
        friction: Option<Number>,
        with_itself as "self": Option<bool>,
        layers: Option<Vec<Spanned<i64>>>,
        meets: Option<Vec<Spanned<i64>>>,
        material: Option<Word>,
    }

    /// `rigid = { … }`.
    #[derive(Default)]
    struct RigidFile {
        mass: Option<Number>,
    }

    /// `copies = { … }`: copies of the body on a grid.
    struct CopiesFile {
        count: Spanned<[i64; 3]>,
        step: Triple,
        jitter: Option<Number>,
        turn: Option<bool>,
        seed: Option<i64>,
    }

    /// `start = { … }`.
    struct StartFile {
        scale: Option<Triple>,
        about: Option<Triple>,
        scatter: Option<i64>,
    }

    /// `[[body.pull]]`: a point that a spring pulls towards a target.
    struct PullFile {
        at: Triple,
        motion: Vec<Spanned<RampFile>>,
        stiffness: Number,
        damping: Option<Number>,
    }

    /// `[body.mesh]`: one generator or file, and how to process its mesh.
    struct MeshFile {
        file: Option<Word>,
        block as "box": Option<Spanned<BoxFile>>,
        ball: Option<Spanned<BallFile>>,
        torus: Option<Spanned<TorusFile>>,
        curved_bar as "curved-bar": Option<Spanned<CurvedBarFile>>,
        helix: Option<Spanned<HelixFile>>,
        fin: Option<Spanned<FinFile>>,
        sculpture: Option<Spanned<SculptureFile>>,
        surface: Option<Word>,
        figure: Option<Word>,
        edge: Option<Number>,
        voxels: Option<Spanned<VoxelsFile>>,
        tetrahedra: Option<Spanned<TetrahedraFile>>,
        degree: Option<Spanned<i64>>,
        refine: Option<Spanned<i64>>,
    }

    /// `voxels = { … }`.
    #[derive(Default)]
    struct VoxelsFile {
        depth: Option<Spanned<i64>>,
        length: Option<Number>,
        leaves: Option<Spanned<i64>>,
        inside: Option<Word>,
        fill: Option<Number>,
        stiffness: Option<Word>,
    }

    /// `tetrahedra = { … }`.
    #[derive(Default)]
    struct TetrahedraFile {
        cells: Option<Spanned<i64>>,
        length: Option<Number>,
        inside: Option<Spanned<i64>>,
        curved: Option<Spanned<i64>>,
        thickness: Option<Number>,
        finer: Vec<FinerFile>,
    }

    /// `finer = [{ … }]`: a place with smaller tetrahedra.
    struct FinerFile {
        selector as "where": Spanned<Selector>,
        size: Number,
    }

    /// `box = { … }`.
    struct BoxFile {
        origin: Option<Triple>,
        size: Option<Triple>,
        cells: Option<Spanned<[i64; 3]>>,
        split: Option<Word>,
        jitter: Option<Number>,
        seed: Option<i64>,
    }

    /// `ball = { … }`.
    struct BallFile {
        centre: Option<Triple>,
        radius: Option<Number>,
        cells: Option<Spanned<i64>>,
        layers: Option<Spanned<i64>>,
        split: Option<Word>,
    }

    /// `torus = { … }`.
    struct TorusFile {
        centre: Option<Triple>,
        ring_radius: Option<Number>,
        tube_radius: Option<Number>,
        cells: Option<Spanned<i64>>,
        layers: Option<Spanned<i64>>,
        around: Option<Spanned<i64>>,
        split: Option<Word>,
    }

    /// `curved-bar = { … }`.
    struct CurvedBarFile {
        centre: Option<Triple>,
        radius: Option<Number>,
        angle_deg: Option<Number>,
        section: Option<[Number; 2]>,
        cells: Option<Spanned<[i64; 3]>>,
        split: Option<Word>,
    }

    /// `helix = { … }`.
    struct HelixFile {
        centre: Option<Triple>,
        coil_radius: Option<Number>,
        wire_radius: Option<Number>,
        pitch: Option<Number>,
        turns: Option<Number>,
        cells: Option<Spanned<i64>>,
        layers: Option<Spanned<i64>>,
        along: Option<Spanned<i64>>,
        split: Option<Word>,
    }

    /// `fin = { … }`.
    struct FinFile {
        base: Option<Triple>,
        height: Option<Number>,
        chord: Option<Number>,
        thickness: Option<Number>,
        cells: Option<Spanned<[i64; 3]>>,
        split: Option<Word>,
    }

    /// `sculpture = { … }`.
    struct SculptureFile {
        base: Option<Triple>,
        height: Option<Number>,
        level: Option<Spanned<i64>>,
        split: Option<Word>,
    }

    /// `transform = { … }`: scale, then rotation, then translation.
    #[derive(Default)]
    struct TransformFile {
        scale: Option<Number>,
        rotate: Option<RotateFile>,
        translate: Option<Triple>,
    }

    /// A rotation about an axis through a centre.
    struct RotateFile {
        centre: Option<Triple>,
        axis: Triple,
        angle_deg: Number,
    }

    /// A material given key by key; a preset, if named, gives the missing keys.
    #[derive(Default)]
    struct MaterialFile {
        preset: Option<Word>,
        law: Option<Word>,
        young: Option<Number>,
        poisson: Option<Number>,
        density: Option<Number>,
        parameters: Option<Word>,
        plastic: Option<Spanned<FlagOr<PlasticFile>>>,
        toughness: Option<Spanned<NumberOr<StrengthFile>>>,
        rigid: Option<bool>,
    }

    /// Plastic flow: hardening with `yield_stress`, creep with `yield_strain`.
    #[derive(Default)]
    struct PlasticFile {
        yield_stress: Option<Number>,
        hardening: Option<Number>,
        yield_strain: Option<Number>,
        rate: Option<Number>,
        limit: Option<Number>,
    }

    /// `[[body.region]]`: a material for some of the cells.
    struct RegionFile {
        name: Word,
        selector as "where": Option<Spanned<Selector>>,
        material: Option<Spanned<MaterialValue>>,
    }

    /// `[[body.pin]]`: nodes that are fixed or follow a prescribed motion.
    struct PinFile {
        selector as "where": Spanned<Selector>,
        on: Option<Word>,
        motion: Vec<Spanned<RampFile>>,
    }

    /// A selection: the points in a shape or of a colour.
    struct ShapeFile {
        block as "box": Option<BoundsFile>,
        sphere: Option<SphereFile>,
        half_space: Option<HalfSpaceFile>,
        surface: Option<Word>,
        colour: Option<Word>,
    }

    /// Two opposite corners of a box.
    struct BoundsFile {
        min: Triple,
        max: Triple,
    }

    /// A ball that selects points.
    struct SphereFile {
        centre: Triple,
        radius: Number,
    }

    /// All points on the side of a plane that the normal points to, plane included.
    struct HalfSpaceFile {
        point: Triple,
        normal: Triple,
    }

    /// One motion between two times.
    struct RampFile {
        start: Option<Number>,
        end: Option<Number>,
        translate: Option<Triple>,
        rotate: Option<RotateFile>,
    }

    /// `[[probe]]`.
    struct ProbeFile {
        name: Word,
        body: Option<Word>,
        at: Triple,
    }

    /// `[[output]]`.
    struct OutputFile {
        format: Word,
        path: Option<Word>,
        every: Option<Spanned<i64>>,
        fields: Vec<Word>,
    }
}
