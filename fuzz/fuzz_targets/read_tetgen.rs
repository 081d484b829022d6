//! The reader of `.node` and `.ele` files: any bytes give a mesh or an error. A zero byte separates
//! the two files.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut files = bytes.splitn(2, |byte| *byte == 0);
    let (nodes, elements) = (files.next().unwrap_or(&[]), files.next().unwrap_or(&[]));
    let _ = pliant_io::tetgen::parse("fuzz.ele".as_ref(), nodes, elements);
});
