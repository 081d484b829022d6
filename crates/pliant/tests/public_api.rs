//! The public names of the engine, with their fields and signatures, compared with a stored listing: a change that breaks programs is seen in review.
//!
//! After a wanted change write the listing again, and look at its difference: `PLIANT_RENEW=1 cargo test --release -p pliant --test public_api`.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use proc_macro2::{Spacing, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, Fields, ImplItem, Item, ItemImpl, Type, UseTree, Visibility};

/// The crates that define what `pliant` exports. No two of their types have the same name (`structure.rs`).
const CRATES: [&str; 4] = ["pliant", "pliant-mesh", "pliant-kernels", "pliant-sparse"];

/// The listing, beside this crate's manifest.
const LISTING: &str = "public-api.txt";

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The listing of the sources is the stored one.
#[test]
fn the_public_names_are_those_of_the_listing() {
    let Some(found) = listing() else {
        let _ = writeln!(std::io::stderr(), "skipped: the lower crates are not beside this one");
        return;
    };
    let path = folder().join(LISTING);
    if std::env::var_os("PLIANT_RENEW").is_some() {
        fs::write(&path, &found).unwrap();
        return;
    }
    let stored = fs::read_to_string(&path).unwrap_or_default();
    let difference = difference(&stored, &found);
    assert!(
        difference.is_empty(),
        "the public face of `pliant` is not that of {LISTING}:\n{difference}\
         A line with `-` is gone: programs that use it break, so the changelog must say why. If the change is wanted, renew the listing:\n\
         PLIANT_RENEW=1 cargo test --release -p pliant --test public_api"
    );
}

/// Lines that only one of two listings has, each under the name it belongs to.
fn difference(stored: &str, found: &str) -> String {
    let (stored, found) = (entries(stored), entries(found));
    let mut text = String::new();
    for (sign, of, other) in [('-', &stored, &found), ('+', &found, &stored)] {
        for (head, line) in of.difference(other) {
            let _ = writeln!(text, "  {sign} {head}: {}", line.trim());
        }
    }
    text
}

/// The lines of a listing, each with the name it belongs to.
fn entries(listing: &str) -> BTreeSet<(String, String)> {
    let mut head = String::new();
    let mut all = BTreeSet::new();
    for line in listing.lines().filter(|line| !line.is_empty()) {
        if !line.starts_with(' ') {
            head = line.to_owned();
        }
        all.insert((head.clone(), line.to_owned()));
    }
    all
}

/// All public names with their definitions, in the order of their paths; `None` if sources are missing, as beside a published crate.
fn listing() -> Option<String> {
    let mut known = Definitions::default();
    for krate in CRATES {
        let sources = folder().join("..").join(krate).join("src");
        if !sources.is_dir() {
            return None;
        }
        files(&sources).iter().for_each(|file| known.read(file));
    }
    let mut text = String::new();
    for (name, paths) in exported(&folder().join("src")) {
        let _ = writeln!(text, "{}", paths.into_iter().collect::<Vec<_>>().join(", "));
        let lines = known.lines_of(&name);
        assert!(!lines.is_empty() || name == "glam", "no definition of {name} is found");
        lines.iter().for_each(|line| _ = writeln!(text, "    {line}"));
        text.push('\n');
    }
    Some(text)
}

/// All source files of a folder, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    entries
        .into_iter()
        .flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] })
        .collect()
}

fn parsed(path: &Path) -> syn::File {
    let text = fs::read_to_string(path).unwrap();
    syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The exported names, each with all its paths.
fn exported(sources: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let mut names = BTreeMap::new();
    export(parsed(&sources.join("lib.rs")).items, "pliant", sources, &mut names);
    names
}

/// Adds what the items of a module export; files of public modules are read.
fn export(
    items: Vec<Item>,
    path: &str,
    sources: &Path,
    names: &mut BTreeMap<String, BTreeSet<String>>,
) {
    for item in items {
        match item {
            Item::Use(item) if is_public(&item.vis) => {
                leaves(&item.tree, &mut |name| {
                    names.entry(name.clone()).or_default().insert(format!("{path}::{name}"));
                });
            }
            Item::Mod(module) if is_public(&module.vis) && !is_hidden(&module.attrs) => {
                let name = module.ident.to_string();
                let inner = match module.content {
                    Some((_, items)) => items,
                    None => parsed(&sources.join(&name).join("mod.rs")).items,
                };
                export(inner, &format!("{path}::{name}"), sources, names);
            }
            _ => {}
        }
    }
}

/// Calls `found` with each name that a `use` makes.
fn leaves(tree: &UseTree, found: &mut impl FnMut(String)) {
    match tree {
        UseTree::Path(path) => leaves(&path.tree, found),
        UseTree::Group(group) => group.items.iter().for_each(|item| leaves(item, found)),
        UseTree::Name(name) => found(name.ident.to_string()),
        UseTree::Rename(rename) => found(rename.rename.to_string()),
        _ => panic!("a public `use` with a star: name what it exports"),
    }
}

/// The definitions of types and functions, and the public methods of types, by name.
#[derive(Default)]
struct Definitions {
    lines: BTreeMap<String, BTreeSet<String>>,
    /// Traits of these crates, which are private to programs.
    own_traits: BTreeSet<String>,
}

impl Definitions {
    fn read(&mut self, file: &Path) {
        parsed(file).items.into_iter().for_each(|item| self.add(item));
    }

    fn add(&mut self, item: Item) {
        match item {
            Item::Struct(item) if is_public(&item.vis) => {
                let kind = format!("struct{}", spaced(&item.generics));
                self.head(&item.ident, &kind, &item.attrs);
                self.fields(&item.ident, "", &item.fields, true);
            }
            Item::Enum(item) if is_public(&item.vis) => {
                let kind = format!("enum{}", spaced(&item.generics));
                self.head(&item.ident, &kind, &item.attrs);
                for variant in item.variants {
                    let name = format!("variant {}", variant.ident);
                    self.line(&item.ident, name.clone());
                    self.fields(&item.ident, &format!("{name}: "), &variant.fields, false);
                }
            }
            Item::Fn(item) if is_public(&item.vis) => {
                self.line(&item.sig.ident, text(&item.sig.to_token_stream()));
            }
            Item::Trait(item) => _ = self.own_traits.insert(item.ident.to_string()),
            Item::Impl(item) => self.implementation(item),
            _ => {}
        }
    }

    /// What a type is, and what it derives.
    fn head(&mut self, name: &syn::Ident, kind: &str, attributes: &[Attribute]) {
        let open = attributes.iter().any(|attribute| attribute.path().is_ident("non_exhaustive"));
        self.line(name, format!("{kind}{}", if open { ", non_exhaustive" } else { "" }));
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("derive")) {
            let _ = attribute.parse_nested_meta(|derived| {
                self.line(name, format!("derive {}", text(&derived.path.to_token_stream())));
                Ok(())
            });
        }
    }

    /// The public fields of a struct, or all fields of a variant.
    fn fields(&mut self, name: &syn::Ident, before: &str, fields: &Fields, only_public: bool) {
        for (place, field) in fields.iter().enumerate() {
            if (only_public && !is_public(&field.vis)) || is_hidden(&field.attrs) {
                continue;
            }
            let own = field.ident.as_ref().map_or(place.to_string(), ToString::to_string);
            let kind = text(&field.ty.to_token_stream());
            self.line(name, format!("{before}field {own}: {kind}"));
        }
    }

    /// The public methods of a type, or the trait that it implements.
    fn implementation(&mut self, item: ItemImpl) {
        let Type::Path(own) = &*item.self_ty else { return };
        let name = own.path.segments.last().unwrap().ident.clone();
        if let Some((path, _)) = &item.trait_ {
            let last = path.segments.last().unwrap().ident.to_string();
            self.line(&name, format!("impl {last}\u{0}{}", text(&path.to_token_stream())));
            return;
        }
        for inner in item.items {
            match inner {
                ImplItem::Fn(method) if is_public(&method.vis) && !is_hidden(&method.attrs) => {
                    self.line(&name, text(&method.sig.to_token_stream()));
                }
                ImplItem::Const(value) if is_public(&value.vis) && !is_hidden(&value.attrs) => {
                    let kind = text(&value.ty.to_token_stream());
                    self.line(&name, format!("const {}: {kind}", value.ident));
                }
                _ => {}
            }
        }
    }

    fn line(&mut self, name: &syn::Ident, line: String) {
        self.lines.entry(name.to_string()).or_default().insert(line);
    }

    /// The lines of a name, without the traits of these crates: what it is, what it derives, and the rest.
    fn lines_of(&self, name: &str) -> Vec<String> {
        let lines = self.lines.get(name).into_iter().flatten();
        let is_own = |line: &&String| {
            let traits = line.strip_prefix("impl ").and_then(|line| line.split_once('\u{0}'));
            traits.is_some_and(|(last, _)| self.own_traits.contains(last))
        };
        let (mut heads, mut derived, mut others) = (Vec::new(), Vec::new(), Vec::new());
        for line in lines.filter(|line| !is_own(line)) {
            match (line.strip_prefix("derive "), line.split_once('\u{0}')) {
                (Some(name), _) => derived.push(name),
                (_, Some((_, path))) => others.push(format!("impl {path}")),
                _ if line.starts_with("struct") || line.starts_with("enum") => {
                    heads.push(line.clone());
                }
                _ => others.push(line.clone()),
            }
        }
        if !derived.is_empty() {
            heads.push(format!("derive {}", derived.join(", ")));
        }
        heads.into_iter().chain(others).collect()
    }
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// True for `#[doc(hidden)]`.
fn is_hidden(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| text(&attribute.meta.to_token_stream()) == "doc(hidden)")
}

fn spaced(generics: &syn::Generics) -> String {
    let text = text(&generics.to_token_stream());
    if text.is_empty() { text } else { format!(" {text}") }
}

/// The text of tokens, with spaces as rustfmt sets them in most places; it does not depend on how a library prints them.
fn text(tokens: &TokenStream) -> String {
    let mut words = Vec::new();
    collect(tokens.clone(), &mut words);
    let mut text = words.join(" ");
    for (from, to) in TIGHT {
        text = text.replace(from, to);
    }
    text
}

/// What is set without a space, and what is not.
const TIGHT: [(&str, &str); 20] = [
    (" , )", ")"),
    (" ,", ","),
    (" :: ", "::"),
    (":: ", "::"),
    (" : ", ": "),
    (" ;", ";"),
    ("( ", "("),
    (" )", ")"),
    (" (", "("),
    ("[ ", "["),
    (" ]", "]"),
    (" < ", "<"),
    ("< ", "<"),
    (" <", "<"),
    (" >", ">"),
    ("& ", "&"),
    ("->(", "-> ("),
    ("->[", "-> ["),
    ("=(", "= ("),
    (" ?", "?"),
];

/// All words and signs; signs that belong together, such as `::`, are one.
fn collect(tokens: TokenStream, words: &mut Vec<String>) {
    let mut joint = false;
    for token in tokens {
        let (word, next) = match &token {
            TokenTree::Group(group) => {
                let [open, close] = match group.delimiter() {
                    proc_macro2::Delimiter::Parenthesis => ["(", ")"],
                    proc_macro2::Delimiter::Bracket => ["[", "]"],
                    proc_macro2::Delimiter::Brace => ["{", "}"],
                    proc_macro2::Delimiter::None => ["", ""],
                };
                words.push(open.to_owned());
                collect(group.stream(), words);
                words.push(close.to_owned());
                joint = false;
                continue;
            }
            TokenTree::Punct(sign) => {
                (sign.as_char().to_string(), sign.spacing() == Spacing::Joint)
            }
            other => (other.to_string(), false),
        };
        match words.last_mut().filter(|_| joint) {
            Some(last) => last.push_str(&word),
            None => words.push(word),
        }
        joint = next;
    }
}

#[test]
fn the_reader_of_sources_writes_signatures_in_one_way() {
    let item: syn::ItemFn = syn::parse_str(
        "pub fn add<'a>(&mut self,\n body: &'a [Option<Body>], f: impl Fn(u32) -> bool,) -> Result<(), E> {}",
    )
    .unwrap();
    let expected =
        "fn add<'a>(&mut self, body: &'a [Option<Body>], f: impl Fn(u32) -> bool) -> Result<(), E>";
    assert_eq!(text(&item.sig.to_token_stream()), expected);
    let before = "a\n    field x: f64\n";
    let after = "a\n    field x: f32\nb\n";
    assert_eq!(difference(before, before), "");
    assert_eq!(difference(before, after), "  - a: field x: f64\n  + a: field x: f32\n  + b: b\n");
    let hidden: syn::ItemMod = syn::parse_str("#[doc(hidden)]\npub mod internals;").unwrap();
    assert!(is_hidden(&hidden.attrs));
}
