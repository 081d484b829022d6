//! The examples run without error. They are modules of this program, so that no further programs have to be linked.

#[path = "../../examples/hello.rs"]
mod hello;
#[path = "../../examples/rollback.rs"]
mod rollback;
#[path = "../../examples/statics.rs"]
mod statics;
#[path = "../../examples/surface_file.rs"]
mod surface_file;

#[test]
fn hello_runs() {
    hello::main().unwrap();
}

#[test]
fn rollback_runs() {
    rollback::main().unwrap();
}

#[test]
fn statics_runs() {
    statics::main().unwrap();
}

#[test]
fn surface_file_runs() {
    surface_file::main().unwrap();
}
