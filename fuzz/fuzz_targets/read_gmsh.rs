//! The reader of `.msh` files: any bytes give a mesh or an error.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = pliant_io::gmsh::parse("fuzz.msh".as_ref(), bytes);
});
