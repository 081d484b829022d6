//! Standard output, warnings and colours.

use std::env;
use std::io::{self, ErrorKind, IsTerminal, Write};

/// True if standard output is a terminal with colours that are not switched off (<https://no-color.org>).
pub(crate) fn colour_on_stdout() -> bool {
    io::stdout().is_terminal() && wanted()
}

/// True if standard error is a terminal with colours that are not switched off.
pub(crate) fn colour_on_stderr() -> bool {
    io::stderr().is_terminal() && wanted()
}

fn wanted() -> bool {
    env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        && env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Writes to standard output. A closed pipe, as with `head`, is not an error.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(anyhow::Error::new(error).context("cannot write to standard output"))
        }
        _ => Ok(()),
    }
}

/// Prints a warning on standard error.
pub(crate) fn warn(text: &str) {
    match colour_on_stderr() {
        true => eprintln!("\u{1b}[1;33mwarning\u{1b}[0m: {text}"),
        false => eprintln!("warning: {text}"),
    }
}

/// `text` in bold if `coloured`.
pub(crate) fn bold(text: &str, coloured: bool) -> String {
    if coloured { format!("\u{1b}[1m{text}\u{1b}[0m") } else { text.to_owned() }
}
