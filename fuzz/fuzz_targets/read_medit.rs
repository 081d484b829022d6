//! The reader of `.mesh` files: any bytes give a mesh or an error.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = pliant_io::medit::parse("fuzz.mesh".as_ref(), bytes);
});
