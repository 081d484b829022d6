//! tmp
#[path = "../src/bench/validation.rs"]
mod validation;
fn main() {
    let t = std::time::Instant::now();
    match validation::tables(&mut |s| eprintln!("{:.1} {s}", t.elapsed().as_secs_f64())) {
        Ok(s) => println!("{s}"),
        Err(e) => println!("{e:?}"),
    }
}
