//! The reader of glTF files never panics.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = pliant_io::surface::parse_gltf(Path::new("fuzzed.gltf"), bytes);
});
