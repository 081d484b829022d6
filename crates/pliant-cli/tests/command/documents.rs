//! The guide names every command and option, and none that does not exist.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use clap::CommandFactory;

use super::args::Args;
use super::markdown::{blocks, sections, spans};

/// The options of each command, as they are typed; hidden ones are for development.
fn options() -> BTreeMap<String, BTreeSet<String>> {
    let command = Args::command();
    let of_command = |command: &clap::Command| {
        let shown = command.get_arguments().filter(|argument| !argument.is_hide_set());
        let names =
            shown.flat_map(|argument| argument.get_long_and_visible_aliases().unwrap_or_default());
        (command.get_name().to_owned(), names.map(|name| format!("--{name}")).collect())
    };
    command.get_subcommands().map(of_command).collect()
}

fn guide() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide")
}

/// The options in the code of a text.
fn named(code: &str) -> impl Iterator<Item = &str> {
    let words = code.split(|c: char| !c.is_alphanumeric() && c != '-');
    words.filter(|word| word.starts_with("--") && word.len() > 2)
}

/// The guide has a section for every command that names all its options, and no others.
#[test]
fn the_guide_names_every_command_and_option() {
    let text = fs::read_to_string(guide().join("command.md")).unwrap();
    for (command, options) in options() {
        let title = format!("`pliant {command}`\n");
        let section = sections(&text).find(|section| section.starts_with(&title));
        let section = section.unwrap_or_else(|| panic!("command.md has no section of {command}"));
        let prose = blocks(section).0;
        let found: BTreeSet<String> = spans(&prose).flat_map(named).map(str::to_owned).collect();
        assert_eq!(found, options, "options of {command} in command.md, and in the command");
    }
}

/// All commands and options in the guide and in the README exist. At least 40 must be found, so that a broken
/// parser cannot pass.
#[test]
fn commands_in_the_guide_exist() {
    let options = options();
    let pages = fs::read_dir(guide()).unwrap().map(|entry| entry.unwrap().path());
    let mut count = 0;
    for page in pages.chain([guide().join("../../README.md")]) {
        let text = fs::read_to_string(&page).unwrap();
        let (prose, blocks) = blocks(&text);
        let lines = blocks.iter().flat_map(|(_, code)| code.lines()).chain(spans(&prose));
        for line in lines.filter_map(arguments) {
            let mut words = line.split_whitespace();
            let Some(command) = words.next().filter(|word| word.starts_with(char::is_lowercase))
            else {
                continue; // `pliant --help`, `pliant COMMAND --help`
            };
            let known = options.get(command);
            let known =
                known.unwrap_or_else(|| panic!("{}: no command in: {line}", page.display()));
            for option in named(line).filter(|option| *option != "--help") {
                assert!(known.contains(option), "{}: no {option} in: {line}", page.display());
            }
            count += 1;
        }
    }
    assert!(count > 40, "only {count} commands found");
}

/// The arguments in a line that calls the command, without comments, pipes and redirections.
fn arguments(line: &str) -> Option<&str> {
    let line = line.trim_start_matches("$ ");
    let rest =
        line.strip_prefix("pliant ").or_else(|| line.strip_prefix("cargo run --release -- "))?;
    rest.split(['#', '|', '>']).next()
}
