//! Pictures: camera, visibility, light, and robustness.

use glam::DVec3;
use pliant_io::picture::{
    Colour, ColourMap, Image, Legend, Paint, Picture, PictureConfig, SceneView, SurfaceView,
    write_apng,
};

const SMALL: PictureConfig = PictureConfig {
    width: 160,
    height: 100,
    samples: 2,
    azimuth: 0.6,
    elevation: 0.32,
    field_of_view: 0.5,
    margin: 0.1,
    ground: None,
    line_width: 0.9,
};

const RED: Colour = Colour::new(0.6, 0.05, 0.05);
const BLUE: Colour = Colour::new(0.05, 0.05, 0.6);

/// A ball with a grid of latitudes and longitudes.
fn ball(centre: DVec3, radius: f64) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    const N: u32 = 24;
    let point = |i: u32, j: u32| {
        let (polar, turn) = (f64::from(i) / f64::from(N), f64::from(j) / f64::from(2 * N));
        let (sin_p, cos_p) = (polar * std::f64::consts::PI).sin_cos();
        let (sin_t, cos_t) = (turn * std::f64::consts::TAU).sin_cos();
        centre + radius * DVec3::new(sin_p * cos_t, cos_p, sin_p * sin_t)
    };
    let columns = 2 * N;
    let vertices = (0..=N).flat_map(|i| (0..columns).map(move |j| (i, j)));
    let vertices = vertices.map(|(i, j)| point(i, j)).collect();
    let index = |i: u32, j: u32| i * columns + j % columns;
    let cells = (0..N).flat_map(|i| (0..columns).map(move |j| (i, j)));
    let triangles = cells.flat_map(|(i, j)| {
        let [a, b, c, d] = [index(i, j), index(i, j + 1), index(i + 1, j + 1), index(i + 1, j)];
        [[a, b, c], [a, c, d]]
    });
    (vertices, triangles.collect())
}

fn view<'a>(vertices: &'a [DVec3], triangles: &'a [[u32; 3]], colour: Colour) -> SurfaceView<'a> {
    SurfaceView { vertices, triangles, paint: Paint::Plain(colour) }
}

fn scene<'a>(surfaces: &[SurfaceView<'a>]) -> SceneView<'a> {
    SceneView { surfaces: surfaces.to_vec(), ..Default::default() }
}

/// The colour of the pixel at the projection of a point.
fn colour_at(picture: &Picture, image: &Image, point: DVec3) -> [u8; 3] {
    let place = picture.project(point).unwrap();
    image.pixel(place.x as u32, place.y as u32)
}

fn is_reddish([r, _, b]: [u8; 3]) -> bool {
    i32::from(r) > i32::from(b) + 40
}

/// The camera is as close as its margins allow: all points are inside, and the ball touches the margins, to
/// 0.01 pixels.
#[test]
fn the_camera_sees_all_points_and_touches_its_margins() {
    let (points, _) = ball(DVec3::new(5.0, -3.0, 2.0), 1.7);
    let picture = Picture::new(&SMALL, points.iter().copied()).unwrap();
    let places: Vec<_> = points.iter().map(|point| picture.project(*point).unwrap()).collect();
    let low = places.iter().map(|place| place.y).fold(f32::INFINITY, f32::min);
    let high = places.iter().map(|place| place.y).fold(f32::NEG_INFINITY, f32::max);
    // A ball in a wide picture is limited by its height: 10 % of 100 pixels above and below.
    assert!((low - 10.0).abs() < 0.01, "upper edge at {low}");
    assert!((high - 90.0).abs() < 0.01, "lower edge at {high}");
    assert!(places.iter().all(|place| place.x > 15.0 && place.x < 145.0));
}

/// From the z axis, y is up, x is to the right, z is nearer, and points behind the camera are not projected.
#[test]
fn up_is_up_right_is_right_and_near_is_near() {
    let config = PictureConfig { azimuth: 0.0, elevation: 0.0, ..SMALL };
    let corners = [DVec3::splat(-1.0), DVec3::splat(1.0)];
    let picture = Picture::new(&config, corners.into_iter()).unwrap();
    let centre = picture.project(DVec3::ZERO).unwrap();
    let at = |point| picture.project(point).unwrap();
    assert!(at(DVec3::Y).y < centre.y, "y must point up");
    assert!((at(DVec3::Y).x - centre.x).abs() < 1e-3);
    assert!(at(DVec3::X).x > centre.x, "seen from z, x must point to the right");
    assert!(at(DVec3::Z).nearness > centre.nearness, "points along z must be nearer");
    assert!(
        picture.project(DVec3::Z * 1e3).is_none(),
        "points behind the camera must not be projected"
    );
    assert!(picture.project(DVec3::NAN).is_none());
}

/// Nearer surfaces hide farther ones, whatever the order of drawing.
#[test]
fn what_is_nearer_hides_what_is_behind_in_any_order() {
    let config = PictureConfig { azimuth: 0.0, elevation: 0.0, ..SMALL };
    let (front, triangles) = ball(DVec3::Z * 2.0, 0.25);
    let (back, _) = ball(DVec3::Z * -2.0, 1.0);
    let picture = Picture::new(&config, front.iter().chain(&back).copied()).unwrap();
    let red = view(&front, &triangles, RED);
    let blue = view(&back, &triangles, BLUE);
    for order in [[red, blue], [blue, red]] {
        let image = picture.render(&scene(&order));
        assert!(is_reddish(colour_at(&picture, &image, DVec3::Z * 2.25)));
        assert!(!is_reddish(colour_at(&picture, &image, DVec3::new(0.0, 0.9, -2.0))));
    }
}

/// A ball is brighter above than below and casts a shadow on the floor.
#[test]
fn light_comes_from_above_and_shadow_falls_on_the_floor() {
    let (points, triangles) = ball(DVec3::ZERO, 1.0);
    let picture = Picture::new(&SMALL, points.iter().copied()).unwrap();
    let grey = Colour::new(0.4, 0.4, 0.4);
    let image = picture.render(&scene(&[view(&points, &triangles, grey)]));
    let empty = picture.render(&SceneView::default());
    let above = colour_at(&picture, &image, DVec3::new(0.2, 0.75, 0.6));
    let below = colour_at(&picture, &image, DVec3::new(0.4, -0.6, 0.7));
    assert!(above[0] > below[0].saturating_add(40), "{above:?} over {below:?}");
    let darker = image.pixels().iter().zip(empty.pixels()).filter(|(with, without)| {
        let [r, g, b] = with;
        r.abs_diff(*g) < 12 && g.abs_diff(*b) < 14 && with[0].saturating_add(15) < without[0]
    });
    assert!(darker.count() > 100, "a part of the floor must be in shadow");
}

/// An empty scene is a bright picture.
#[test]
fn a_picture_of_nothing_is_calm() {
    let picture = Picture::new(&SMALL, std::iter::empty()).unwrap();
    let image = picture.render(&SceneView::default());
    assert!(image.pixels().iter().flatten().all(|channel| *channel > 200));
}

/// Vertices that are not finite and triangles with invalid indices do not change the picture.
#[test]
fn bad_vertices_and_triangles_are_left_out() {
    let (mut points, mut triangles) = ball(DVec3::ZERO, 1.0);
    let whole = {
        let picture = Picture::new(&SMALL, points.iter().copied()).unwrap();
        picture.render(&scene(&[view(&points, &triangles, RED)]))
    };
    let extra = [DVec3::NAN, DVec3::new(f64::INFINITY, 0.0, 0.0), DVec3::new(0.0, f64::NAN, 1.0)];
    let first = points.len() as u32;
    points.extend(extra);
    triangles.extend([[first, 0, 1], [first + 1, 2, 3], [first + 2, 5, 9], [7, 8, u32::MAX]]);
    let picture = Picture::new(&SMALL, points.iter().copied()).unwrap();
    let lines = [DVec3::NAN, DVec3::ZERO, DVec3::splat(1e300)];
    let mut scene = scene(&[view(&points, &triangles, RED)]);
    assert!(picture.render(&scene) == whole, "the picture must be the same as without them");
    scene.lines = vec![&lines];
    picture.render(&scene);
}

/// The picture does not depend on the scale of the scene, and extreme scales and positions cause no panic.
#[test]
fn size_and_place_do_not_matter() {
    let (unit, triangles) = ball(DVec3::ZERO, 1.0);
    let reference = render_scaled(&unit, &triangles, 1.0, DVec3::ZERO);
    for scale in [1e-9, 1e9, 1e200] {
        let image = render_scaled(&unit, &triangles, scale, DVec3::ZERO);
        let differing =
            image.pixels().iter().zip(reference.pixels()).filter(|(a, b)| a != b).count();
        // Rounding changes single samples at the outline.
        assert!(differing < 200, "{differing} pixels differ at scale {scale:e}");
    }
    render_scaled(&unit, &triangles, 1.0, DVec3::splat(1e12));
    render_scaled(&unit, &triangles, f64::MAX, DVec3::ZERO);
    render_scaled(&unit, &triangles, f64::MIN_POSITIVE / 1e3, DVec3::ZERO);
    render_scaled(&unit, &triangles, 0.0, DVec3::ONE);
}

fn render_scaled(unit: &[DVec3], triangles: &[[u32; 3]], scale: f64, shift: DVec3) -> Image {
    let points: Vec<DVec3> = unit.iter().map(|point| point * scale + shift).collect();
    let picture = Picture::new(&SMALL, points.iter().copied()).unwrap();
    picture.render(&scene(&[view(&points, triangles, RED)]))
}

/// A line is visible in front of the ball and hidden behind it.
#[test]
fn lines_show_on_the_near_side_only() {
    let config = PictureConfig { azimuth: 0.0, elevation: 0.0, line_width: 4.0, ..SMALL };
    let (points, triangles) = ball(DVec3::ZERO, 1.0);
    let picture = Picture::new(&config, points.iter().copied()).unwrap();
    let bare = picture.render(&scene(&[view(&points, &triangles, RED)]));
    let line = |z: f64| [DVec3::new(-0.3, 0.0, z), DVec3::new(0.3, 0.0, z)];
    let with = |line: &[DVec3]| {
        let mut scene = scene(&[view(&points, &triangles, RED)]);
        scene.lines = vec![line];
        picture.render(&scene)
    };
    assert!(with(&line(-1.1)) == bare, "a line behind the ball must be hidden");
    let front = with(&line(1.01));
    let centre = colour_at(&picture, &front, DVec3::Z);
    let before = colour_at(&picture, &bare, DVec3::Z);
    assert!(centre[0] < before[0] - before[0] / 4, "a line in front of the ball must be dark");
}

/// The legend shows the colours of the whole map, from one end to the other.
#[test]
fn a_legend_shows_both_ends_of_its_map() {
    let picture = Picture::new(&PictureConfig::default(), std::iter::empty()).unwrap();
    let map = ColourMap::Sequential;
    let legend = Legend { title: "von Mises (kPa)".into(), low: 0.0, high: 12.5, map };
    let image = picture.render(&SceneView { legend: Some(legend), ..Default::default() });
    for t in [0.01, 0.5, 0.99] {
        let wanted = map.colour(t).to_srgb();
        let near = |pixel: &&[u8; 3]| (0..3).all(|k| pixel[k].abs_diff(wanted[k]) < 6);
        assert!(image.pixels().iter().any(|pixel| near(&pixel)), "no pixel at {t}");
    }
}

/// Rendering and writing are deterministic.
#[test]
fn the_same_scene_gives_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str| {
        let (points, triangles) = ball(DVec3::ZERO, 1.0);
        let picture = Picture::new(&SMALL, points.iter().copied()).unwrap();
        let path = folder.path().join(name);
        picture.render(&scene(&[view(&points, &triangles, RED)])).write_png(&path).unwrap();
        std::fs::read(path).unwrap()
    };
    assert_eq!(write("one.png"), write("two.png"));
}

/// An animated PNG decodes to its frames exactly, with the right delays.
#[test]
fn an_animation_decodes_to_its_frames() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bounce.png");
    let heights = [1.0, 1.4, 1.6, 1.6, 1.4];
    let balls: Vec<_> = heights.iter().map(|height| ball(DVec3::Y * *height, 1.0)).collect();
    let points = balls.iter().flat_map(|(points, _)| points.iter().copied());
    let picture = Picture::new(&SMALL, points).unwrap();
    let frames: Vec<Image> = balls
        .iter()
        .map(|(points, triangles)| picture.render(&scene(&[view(points, triangles, BLUE)])))
        .collect();
    write_apng(&path, &frames, 25.0).unwrap();

    let file = std::io::BufReader::new(std::fs::File::open(&path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    assert_eq!(reader.info().animation_control().unwrap().num_frames, 5);
    let mut canvas = Image::new(SMALL.width, SMALL.height);
    for (k, frame) in frames.iter().enumerate() {
        let mut buffer = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut buffer).unwrap();
        let control = *reader.info().frame_control().unwrap();
        assert_eq!(f64::from(control.delay_num) / f64::from(control.delay_den), 0.04);
        for (index, pixel) in buffer.chunks_exact(3).enumerate() {
            let (x, y) = (index as u32 % control.width, index as u32 / control.width);
            if y < control.height {
                let pixel = [pixel[0], pixel[1], pixel[2]];
                canvas.set_pixel(control.x_offset + x, control.y_offset + y, pixel);
            }
        }
        assert!(canvas == *frame, "frame {k}");
    }
}

/// Invalid animations are errors, and no file is written.
#[test]
fn animations_that_make_no_sense_are_refused() {
    let path = std::path::Path::new("never-written.png");
    let refusal = |frames: &[Image], rate| write_apng(path, frames, rate).unwrap_err().to_string();
    assert!(refusal(&[], 25.0).contains("no frames"));
    let frames = [Image::new(4, 4), Image::new(5, 4)];
    assert!(refusal(&frames, 25.0).contains("frame 1 has 5×4"));
    for rate in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(refusal(&frames[..1], rate).contains("frames per second"));
    }
    assert!(!path.exists());
}

/// Settings out of range are errors with the name of the field.
#[test]
fn settings_are_checked() {
    let refused =
        |config: PictureConfig| Picture::new(&config, std::iter::empty()).unwrap_err().to_string();
    assert!(refused(PictureConfig { width: 0, ..SMALL }).contains("width is 0"));
    assert!(refused(PictureConfig { samples: 9, ..SMALL }).contains("samples is 9"));
    assert!(
        refused(PictureConfig { field_of_view: f64::NAN, ..SMALL })
            .contains("field_of_view is NaN")
    );
    assert!(refused(PictureConfig { margin: 0.5, ..SMALL }).contains("margin"));
    let huge = PictureConfig { width: 8000, height: 8000, samples: 8, ..SMALL };
    assert!(refused(huge).contains("lower the size"));
}
