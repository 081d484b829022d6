//! Runs another program for a limited time.

use std::ffi::OsStr;
use std::io::{Read, Write as _};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Time between two looks at a program.
const PAUSE: Duration = Duration::from_millis(20);

/// Runs the program that `variable` names on one thread, with `input` on its standard input. Returns its standard output, or in
/// words why there is none; `hint` says what the variable should name.
pub(super) fn output(
    variable: &str,
    hint: &str,
    arguments: &[&str],
    input: &str,
    limit: Duration,
) -> Result<String, String> {
    let program = std::env::var_os(variable).ok_or_else(|| format!("set {variable} to {hint}"))?;
    output_of(&program, arguments, input, limit)
}

/// Runs a program with `input` on its standard input. Returns its standard output, or in words why there is none.
pub(super) fn output_of(
    program: &OsStr,
    arguments: &[&str],
    input: &str,
    limit: Duration,
) -> Result<String, String> {
    let mut child = Command::new(program)
        .args(arguments)
        .env("OMP_NUM_THREADS", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("{} does not start: {error}", program.display()))?;
    if let Some(mut stdin) = child.stdin.take() {
        // A program that does not read its input says by itself what is wrong.
        let _ = stdin.write_all(input.as_bytes());
    }
    // Threads empty the pipes, so that the program never waits for a reader.
    let (out, err) = (child.stdout.take().map(reader), child.stderr.take().map(reader));
    let status = finish(&mut child, limit)?;
    let text = |reader: Option<thread::JoinHandle<String>>| {
        reader.and_then(|reader| reader.join().ok()).unwrap_or_default()
    };
    let (out, err) = (text(out), text(err));
    if status.success() {
        return Ok(out);
    }
    let last = err.lines().rev().find(|line| !line.trim().is_empty());
    let line = |line: &str| line.trim().trim_start_matches("error: ").to_owned();
    Err(last.map_or_else(|| status.to_string(), line))
}

/// Reads all of a pipe in a thread.
fn reader(mut pipe: impl Read + Send + 'static) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// Waits for the end of a program; stops it after `limit`.
fn finish(child: &mut Child, limit: Duration) -> Result<std::process::ExitStatus, String> {
    let begin = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status),
            Ok(None) if begin.elapsed() < limit => thread::sleep(PAUSE),
            Ok(None) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("no result after {} s", limit.as_secs()));
            }
            Err(error) => return Err(format!("it cannot be waited for: {error}")),
        }
    }
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used, reason = "tests may panic")]
mod tests {
    use super::*;

    fn shell(script: &str, milliseconds: u64) -> Result<String, String> {
        output_of(OsStr::new("sh"), &["-s", "a"], script, Duration::from_millis(milliseconds))
    }

    /// A program gets its script and arguments; its failures are told in words: a missing variable or program, the last line of an
    /// error, the exit status, and the time limit.
    #[test]
    fn a_program_that_fails_is_told_in_words() {
        assert_eq!(shell("echo row $1", 10_000).unwrap(), "row a\n");
        assert_eq!(shell("echo one >&2; echo two >&2; exit 3", 10_000).unwrap_err(), "two");
        assert_eq!(shell("echo error: three >&2; exit 3", 10_000).unwrap_err(), "three");
        assert!(shell("exit 3", 10_000).unwrap_err().contains('3'));
        assert_eq!(shell("exec sleep 5", 50).unwrap_err(), "no result after 0 s");
        let missing = output_of(OsStr::new("/nowhere/python"), &[], "", Duration::ZERO);
        assert!(missing.unwrap_err().contains("/nowhere/python does not start"));
        let unset = output("PEERS_NO_SUCH_VARIABLE", "a program", &[], "", Duration::ZERO);
        assert_eq!(unset.unwrap_err(), "set PEERS_NO_SUCH_VARIABLE to a program");
    }
}
