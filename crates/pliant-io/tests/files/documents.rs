//! The guide names every key of a scene file and every stepper, solver, law and preset, and none that does not exist.
//!
//! The keys are read from the `tables!` of the scene's sources, the names from the enums.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use pliant::body::Dilation;
use pliant::contact::ContactLevel;
use pliant::material::{LawKind, Parameters, Preset};
use pliant::mesh::generate::Split;
use pliant::solver::{LinearSolver, Mass, Projection, Rotation, Stepper};
use pliant::world::Fate;
use pliant_io::scene::{Field, Format, Mode, PinOn};
use pliant_mesher::gallery::Figure;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::markdown::{blocks, sections, spans, tables};

/// The pages with keys of scene files.
const PAGES: [&str; 8] = [
    "README.md",
    "docs/guide/first-steps.md",
    "docs/guide/materials.md",
    "docs/guide/meshes.md",
    "docs/guide/methods.md",
    "docs/guide/scene-files.md",
    "docs/guide/splinters.md",
    "docs/guide/view.md",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn page(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

/// The tables of a scene file by the name of their struct, each with the types of its keys.
struct Schema(BTreeMap<String, BTreeMap<String, String>>);

impl Schema {
    fn new() -> Self {
        let mut tables = BTreeMap::<String, BTreeMap<String, String>>::new();
        for file in fs::read_dir(root().join("crates/pliant-io/src/scene/file")).unwrap() {
            let mut table = None;
            for line in fs::read_to_string(file.unwrap().path()).unwrap().lines().map(str::trim) {
                if let Some(start) = line.strip_prefix("struct ") {
                    table = Some(start.trim_end_matches(" {").to_owned());
                } else if line == "}" {
                    table = None;
                } else if let (Some(table), Some((field, of_type))) =
                    (&table, line.split_once(": "))
                    && !line.starts_with("//")
                {
                    let key = field.split_once(" as ").map_or(field, |(_, key)| key);
                    let keys = tables.entry(table.clone()).or_default();
                    keys.insert(key.trim_matches('"').to_owned(), of_type.to_owned());
                }
            }
        }
        assert!(tables.len() > 40 && tables["SceneFile"].contains_key("version"));
        Self(tables)
    }

    /// The table that a key with this type contains.
    fn inner(of_type: &str) -> Option<&str> {
        let mut words = of_type.split(|c: char| !c.is_alphanumeric());
        words.find_map(|word| match word {
            "MaterialValue" => Some("MaterialFile"),
            "Selector" => Some("ShapeFile"),
            word => word.ends_with("File").then_some(word),
        })
    }

    /// Returns true if the table has this key, or this path of keys: `contact.friction`.
    fn has(&self, table: &str, path: &str) -> bool {
        let (key, rest) = path.split_once('.').map_or((path, None), |(a, b)| (a, Some(b)));
        let Some(of_type) = self.0[table].get(key) else { return false };
        rest.is_none_or(|rest| Self::inner(of_type).is_some_and(|inner| self.has(inner, rest)))
    }

    /// Returns true if all keys are keys of the table, and all words names that it accepts for them.
    fn fits(&self, table: &str, values: &DeTable<'_>, choices: &Choices) -> bool {
        values.iter().all(|(key, value)| {
            let key = key.get_ref().as_ref();
            let Some(of_type) = self.0[table].get(key) else { return false };
            let what = if of_type.contains("MaterialValue") { "preset" } else { key };
            self.value_fits(value.get_ref(), Self::inner(of_type), choices.get(what), choices)
        })
    }

    fn value_fits(
        &self,
        value: &DeValue<'_>,
        inner: Option<&str>,
        names: Option<&BTreeSet<&str>>,
        choices: &Choices,
    ) -> bool {
        match value {
            DeValue::Table(values) => inner.is_some_and(|inner| self.fits(inner, values, choices)),
            DeValue::Array(list) => {
                list.iter().all(|item| self.value_fits(item.get_ref(), inner, names, choices))
            }
            DeValue::String(word) => names.is_none_or(|names| names.contains(word.as_ref())),
            _ => true,
        }
    }

    /// Returns true if the text is a part of a scene: keys of one of its tables.
    fn accepts(&self, values: &DeTable<'_>, choices: &Choices) -> bool {
        self.0.keys().any(|table| self.fits(table, values, choices))
    }
}

/// The names that a key accepts.
type Choices = BTreeMap<&'static str, BTreeSet<&'static str>>;

fn choices() -> Choices {
    let modes = [Mode::Dynamic, Mode::Static];
    let named: [(&str, Vec<&str>); 15] = [
        ("stepper", Stepper::ALL.map(Stepper::name).to_vec()),
        ("solver", LinearSolver::ALL.map(LinearSolver::name).to_vec()),
        ("law", LawKind::ALL.map(LawKind::name).to_vec()),
        ("preset", Preset::ALL.map(|preset| preset.name).to_vec()),
        ("figure", Figure::ALL.map(Figure::name).to_vec()),
        ("rotation", Rotation::ALL.map(Rotation::name).to_vec()),
        ("mass", Mass::ALL.map(Mass::name).to_vec()),
        ("projection", Projection::ALL.map(Projection::name).to_vec()),
        ("parameters", Parameters::ALL.map(Parameters::name).to_vec()),
        ("dilation", Dilation::ALL.map(Dilation::name).to_vec()),
        ("contact", ContactLevel::ALL.map(ContactLevel::name).to_vec()),
        ("fate", Fate::ALL.map(Fate::name).to_vec()),
        ("split", Split::ALL.map(Split::name).to_vec()),
        ("mode", modes.map(Mode::name).to_vec()),
        ("on", PinOn::ALL.map(PinOn::name).to_vec()),
    ];
    let mut choices: Choices =
        named.into_iter().map(|(key, names)| (key, names.into_iter().collect())).collect();
    choices.insert("fields", Field::ALL.map(Field::name).into_iter().collect());
    choices.insert("format", Format::ALL.map(Format::name).into_iter().collect());
    choices
}

/// The words of all code in a text.
fn words(text: &str) -> BTreeSet<String> {
    let (prose, blocks) = blocks(text);
    let code = spans(&prose).map(str::to_owned);
    let code = code.chain(blocks.into_iter().map(|(_, code)| code));
    let split = |c: char| !c.is_alphanumeric() && c != '_' && c != '-' && c != '+';
    code.flat_map(|code| code.split(split).map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// The guide names all keys of every table of a scene file, each table in one section.
#[test]
fn the_guide_names_every_key_of_a_scene() {
    let guide = page("docs/guide/scene-files.md");
    let sections: Vec<_> = sections(&guide).map(words).collect();
    for (table, keys) in Schema::new().0 {
        // The keys of the whole scene are the titles of many sections; those of other tables are explained together.
        let known = |words: &BTreeSet<String>| keys.keys().all(|key| words.contains(key));
        let found = match table.as_str() {
            "SceneFile" => known(&words(&guide)),
            _ => sections.iter().any(known),
        };
        assert!(found, "no section of scene-files.md names all keys of {table}: {:?}", keys.keys());
    }
}

/// All keys in tables of the guide exist, together in one table of a scene file.
#[test]
fn keys_in_tables_of_the_guide_exist() {
    let schema = Schema::new();
    for path in ["docs/guide/scene-files.md", "docs/guide/methods.md"] {
        for rows in
            tables(&blocks(&page(path)).0).iter().filter(|rows| rows[0][0].starts_with("key"))
        {
            let keys: Vec<String> =
                rows[1..].iter().flat_map(|row| spans(&row[0])).map(plain_key).collect();
            let fits = |table: &String| keys.iter().all(|key| schema.has(table, key));
            assert!(schema.0.keys().any(fits), "{path}: no table of a scene has all of {keys:?}");
        }
    }
}

/// The key of a heading: `[[body.pin]]` is the key `pin` of a body.
fn plain_key(code: &str) -> String {
    let key = code.trim_matches(['[', ']']);
    key.strip_prefix("body.").unwrap_or(key).to_owned()
}

/// All examples in the guide are valid parts of scene files. At least 50 must be found, so that a broken parser
/// cannot pass.
#[test]
fn examples_in_the_guide_are_parts_of_scenes() {
    let (schema, choices) = (Schema::new(), choices());
    let mut count = 0;
    for path in PAGES {
        let text = page(path);
        let (prose, blocks) = blocks(&text);
        for (_, code) in blocks.iter().filter(|(language, _)| *language == "toml") {
            let values = DeTable::parse(code).unwrap_or_else(|error| panic!("{path}: {error}"));
            assert!(
                schema.accepts(values.get_ref(), &choices),
                "{path}: no part of a scene:\n{code}"
            );
            count += 1;
        }
        // Alternatives in comments, and code in the text: `on = "surface"`, `{ refine = 1e-3 }`.
        let comments = blocks.iter().filter(|(language, _)| *language == "toml");
        let comments = comments.flat_map(|(_, code)| code.lines());
        let comments = comments.filter_map(|line| line.strip_prefix("# "));
        for code in comments.chain(spans(&prose)).filter(|code| is_assignment(code)) {
            let text = code.replace("[…]", "[]").replace('…', "0");
            let text = if text.starts_with('{') { format!("all = {text}") } else { text };
            let Ok(values) = DeTable::parse(&text) else { continue };
            let fits = match values.get_ref().get("all").map(Spanned::get_ref) {
                Some(DeValue::Table(values)) => schema.accepts(values, &choices),
                _ => schema.accepts(values.get_ref(), &choices),
            };
            assert!(fits, "{path}: no part of a scene: {code}");
            count += 1;
        }
    }
    assert!(count > 50, "only {count} examples found");
}

/// Returns true for code that sets a key; options of other programs begin with a capital letter.
fn is_assignment(code: &str) -> bool {
    code.contains(" = ") && code.starts_with(|c: char| c.is_lowercase() || c == '{')
}

/// The guide names every choice of every key.
#[test]
fn the_guide_names_every_choice() {
    let words = words(&page("docs/guide/scene-files.md"));
    for (key, names) in choices() {
        let missing: Vec<_> = names.iter().filter(|name| !words.contains(**name)).collect();
        assert!(missing.is_empty(), "scene-files.md does not name {missing:?} of `{key}`");
    }
}

/// The names in code spans of cells, without double quotes.
fn names<'a>(cells: impl IntoIterator<Item = &'a String>) -> BTreeSet<&'a str> {
    cells.into_iter().flat_map(|cell| spans(cell)).map(|name| name.trim_matches('"')).collect()
}

/// Tables and rows that list choices list exactly those that exist.
#[test]
fn lists_of_choices_in_the_guide_are_complete() {
    let choices = choices();
    let guide = blocks(&page("docs/guide/scene-files.md")).0;
    let rows: Vec<_> = tables(&guide).into_iter().flatten().collect();
    for key in ["stepper", "solver", "law", "preset", "figure"] {
        let of_key = |row: &&Vec<String>| row[0] == format!("`{key}`") && row.len() > 2;
        let row = rows.iter().rfind(of_key).unwrap_or_else(|| panic!("no row for `{key}`"));
        assert_eq!(names(&row[1..]), choices[key], "the row of `{key}` in scene-files.md");
    }
    let methods = blocks(&page("docs/guide/methods.md")).0;
    for (text, key) in
        [(&methods, "stepper"), (&methods, "solver"), (&guide, "split"), (&guide, "format")]
    {
        let all = tables(text);
        let table = all.iter().find(|rows| rows[0][0] == format!("`{key}`"));
        let table = table.unwrap_or_else(|| panic!("no table of each `{key}`"));
        assert_eq!(
            names(table[1..].iter().map(|row| &row[0])),
            choices[key],
            "the table of `{key}`"
        );
    }
    let materials = blocks(&page("docs/guide/materials.md")).0;
    let laws = tables(&materials).swap_remove(0);
    assert_eq!(
        names(laws[1..].iter().map(|row| &row[1])),
        choices["law"],
        "the laws of materials.md"
    );
}
