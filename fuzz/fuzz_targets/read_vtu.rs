//! The reader of `.vtu` files: any bytes give a mesh or an error.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = pliant_io::vtu::parse("fuzz.vtu".as_ref(), bytes);
});
