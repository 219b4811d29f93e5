//! Measures of the English in code and documents, which `docs/glossary.md` and CONTRIBUTING ask for.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use syn::{
    Attribute, FnArg, ImplItem, ImplItemFn, Item, ItemImpl, PatIdent, Signature, Type, Visibility,
    visit::{self, Visit},
};

use super::{all_sources, workspace};

/// First words of a clause, with which no doc comment opens.
const OPENERS: &[&str] = &[
    "as", "at", "because", "by", "for", "from", "how", "if", "in", "it", "no", "nobody", "none", "not",
    "nothing", "of", "on", "only", "since", "so", "than", "that", "there", "to", "until", "what", "whatever",
    "when", "where", "whether", "which", "while", "who", "whoever", "whom", "whose", "why", "with",
];
/// Share of doc comments that may open so: some begin with "In-memory" or "No-op".
const TOLERATED_PERCENT: usize = 2;

/// Words and phrases that no text and no name has.
const BANNED: &[&[&str]] =
    &[&["told"], &["whoever"], &["somebody"], &["his"], &["him"], &["so", "many"], &["as", "far", "as"]];

/// Participles that name no type and no module: they do not say of what.
const BARE_PARTICIPLES: &[&str] = &[
    "asked", "former", "found", "held", "judged", "kept", "known", "made", "meant", "seen", "sent", "taken",
    "wanted",
];

/// First words of a subordinate clause, with which no name of a test begins: a test is named by what it
/// expects of whom, as in `unknown_fields_are_rejected`.
const CLAUSE_OPENERS: &[&str] = &[
    "as", "because", "by", "how", "of", "so", "that", "until", "what", "when", "where", "whether", "which",
    "who", "whom", "whose",
];

/// Words that name no function, no parameter and no variable, for the same reason.
const VAGUE_NAMES: &[&str] = &["asked", "held", "known", "meant", "named", "of", "there", "wanted"];

/// Width of prose in characters.
const WIDTH: usize = 110;

/// Names that several exported types of a crate share, and why.
const SHARED_NAMES: &[(&str, &str)] = &[
    ("Model", "rows of sea-orm are always written with the module of their entity"),
    ("Relation", "as Model"),
];

/// Comment of consecutive lines with the same mark.
struct Comment<'a> {
    /// Number of the first line, from 1.
    line: usize,
    mark: &'static str,
    lines: Vec<&'a str>,
}

impl Comment<'_> {
    fn is_documentation(&self) -> bool {
        self.mark != "//"
    }
}

fn comments(text: &str) -> Vec<Comment<'_>> {
    let mut comments: Vec<Comment> = Vec::new();
    let mut last = 0;
    for (number, line) in (1..).zip(text.lines()) {
        let Some((mark, prose)) =
            ["///", "//!", "//"].iter().find_map(|mark| Some((*mark, line.trim_start().strip_prefix(mark)?)))
        else {
            continue;
        };
        match comments.last_mut() {
            Some(comment) if last + 1 == number && comment.mark == mark => comment.lines.push(prose.trim()),
            _ => comments.push(Comment { line: number, mark, lines: vec![prose.trim()] }),
        }
        last = number;
    }
    comments
}

/// Lower-case words with the numbers of their lines; `HeldPrice` and `held_price` are two words each.
fn words(text: &str) -> Vec<(usize, String)> {
    let mut words = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let mut word = String::new();
        let mut was_lower = false;
        for letter in line.chars().chain([' ']) {
            if (!letter.is_alphabetic() || (letter.is_uppercase() && was_lower)) && !word.is_empty() {
                words.push((number, std::mem::take(&mut word)));
            }
            if letter.is_alphabetic() {
                word.extend(letter.to_lowercase());
            }
            was_lower = letter.is_lowercase();
        }
    }
    words
}

/// Files that git would know, by the ends of their names, below folders of the workspace.
fn files(folders: &[&str], endings: &[&str]) -> Vec<(PathBuf, String)> {
    fn walk(folder: &Path, endings: &[&str], found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            if path.is_dir() {
                if !["node_modules", "target", "dist", "__pycache__"].contains(&name)
                    && !name.starts_with('.')
                {
                    walk(&path, endings, found);
                }
            } else if endings.iter().any(|ending| name.ends_with(ending)) {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    for folder in folders {
        walk(&workspace().join(folder), endings, &mut found);
    }
    found.sort();
    found.into_iter().map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

/// Pages for readers: at the root, in the documents and beside code.
fn pages() -> Vec<(PathBuf, String)> {
    let root = fs::read_dir(workspace()).unwrap().map(|entry| entry.unwrap().path());
    let root = root.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let mut pages: Vec<_> = root.map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect();
    pages.extend(files(
        &["docs", "crates", "frontend", "migrations", "bench", "chaos", "clients", "examples", "docker"],
        &[".md"],
    ));
    pages
}

fn shown(path: &Path) -> String {
    path.strip_prefix(workspace()).unwrap().display().to_string()
}

fn place(path: &Path, line: usize) -> String {
    format!("{}:{line}", shown(path))
}

#[test]
fn doc_comments_open_with_a_noun_or_a_verb() {
    let (mut all, mut open) = (0, Vec::new());
    for (path, text) in all_sources() {
        for comment in comments(&text).iter().filter(|comment| comment.is_documentation()) {
            all += 1;
            let first = words(comment.lines[0]).into_iter().next().map(|(_, word)| word).unwrap_or_default();
            if OPENERS.contains(&first.as_str()) {
                open.push(format!("{}: {}", place(&path, comment.line), comment.lines[0]));
            }
        }
    }
    assert!(all > 5_000, "the walk finds nothing");
    assert!(open.len() * 100 < all * TOLERATED_PERCENT, "{} of {all}:\n{}", open.len(), open.join("\n"));
}

#[test]
fn banned_words_are_not_used() {
    let mut read = all_sources();
    read.extend(pages());
    read.extend(files(&["bench", "chaos", "clients", "scripts"], &[".py"]));
    let mut found = String::new();
    for (path, text) in read.iter().filter(|(path, _)| !path.ends_with("architecture/words.rs")) {
        let words = words(text);
        for phrase in BANNED {
            for window in words.windows(phrase.len()) {
                if window.iter().map(|(_, word)| word).eq(phrase.iter()) {
                    writeln!(found, "{}: {}", place(path, window[0].0), phrase.join(" ")).unwrap();
                }
            }
        }
    }
    assert!(found.is_empty(), "{found}");
}

#[test]
fn prose_does_not_exceed_the_line_width() {
    let mut wide = Vec::new();
    for (path, text) in all_sources() {
        for comment in comments(&text) {
            for (number, line) in (comment.line..).zip(&comment.lines) {
                if line.chars().count() > WIDTH && line.contains(' ') {
                    wide.push(place(&path, number));
                }
            }
        }
    }
    for (path, text) in pages() {
        let mut is_code = false;
        for (number, line) in (1..).zip(text.lines()) {
            is_code ^= line.trim_start().starts_with("```");
            let is_cell = line.trim_start().starts_with('|');
            if !is_code && !is_cell && line.chars().count() > WIDTH && line.contains(' ') {
                wide.push(place(&path, number));
            }
        }
    }
    assert!(wide.is_empty(), "{}", wide.join("\n"));
}

#[test]
fn types_and_modules_are_named_by_nouns() {
    let is_bare = |name: &str| BARE_PARTICIPLES.contains(&name.to_lowercase().as_str());
    let mut bare = Vec::new();
    for (path, file) in library_files() {
        let module = path.file_stem().unwrap().to_str().unwrap();
        if is_bare(module) {
            bare.push(shown(&path));
        }
        for name in file
            .items
            .iter()
            .filter_map(named_type)
            .map(|(_, name)| name)
            .filter(|name| is_bare(&name.to_string()))
        {
            bare.push(format!("{} {name}", shown(&path)));
        }
    }
    assert!(bare.is_empty(), "{}", bare.join("\n"));
}

/// Vague names of functions, parameters and variables, found in one file.
struct VagueNames<'a> {
    path: &'a Path,
    checked: usize,
    found: Vec<String>,
}

impl VagueNames<'_> {
    fn check(&mut self, name: &syn::Ident, is_vague: bool) {
        self.checked += 1;
        if is_vague {
            self.found.push(format!("{} {name}", shown(self.path)));
        }
    }
}

impl<'ast> Visit<'ast> for VagueNames<'_> {
    fn visit_signature(&mut self, signature: &'ast Signature) {
        let name = signature.ident.to_string();
        self.check(&signature.ident, VAGUE_NAMES.contains(&name.as_str()) || name.starts_with("of_"));
        visit::visit_signature(self, signature);
    }

    fn visit_pat_ident(&mut self, pattern: &'ast PatIdent) {
        self.check(&pattern.ident, VAGUE_NAMES.contains(&pattern.ident.to_string().as_str()));
        visit::visit_pat_ident(self, pattern);
    }
}

#[test]
fn functions_and_variables_have_no_vague_names() {
    let (mut checked, mut found) = (0, Vec::new());
    for (path, file) in library_files() {
        let mut visitor = VagueNames { path: &path, checked: 0, found: Vec::new() };
        visitor.visit_file(&file);
        checked += visitor.checked;
        found.extend(visitor.found);
    }
    assert!(checked > 10_000, "the walk finds nothing");
    assert!(found.is_empty(), "{} names:\n{}", found.len(), found.join("\n"));
}

/// Names of the tests in a file, with the numbers of their lines; also of those within `proptest!`.
fn test_names(text: &str) -> Vec<(usize, &str)> {
    let mut names = Vec::new();
    let mut is_test = false;
    for (number, line) in (1..).zip(text.lines().map(str::trim_start)) {
        if let Some(attribute) = line.strip_prefix("#[") {
            let path = attribute.split([']', '(']).next().unwrap_or_default();
            is_test |= path.rsplit("::").next() == Some("test");
        } else if is_test {
            is_test = false;
            let name = line.split("fn ").nth(1).and_then(|name| name.split('(').next());
            names.extend(name.map(|name| (number, name)));
        }
    }
    names
}

#[test]
fn names_of_tests_are_sentences_with_a_subject() {
    let (mut all, mut found) = (0, Vec::new());
    for (path, text) in all_sources() {
        for (line, name) in test_names(&text) {
            all += 1;
            if CLAUSE_OPENERS.contains(&name.split('_').next().unwrap_or_default()) {
                found.push(format!("{} {name}", place(&path, line)));
            }
        }
    }
    assert!(all > 1_500, "the walk finds nothing");
    assert!(found.is_empty(), "{} names:\n{}", found.len(), found.join("\n"));
}

/// True for a tuple and for references to one, except for `()`.
fn is_tuple(r#type: &Type) -> bool {
    match r#type {
        Type::Tuple(tuple) => !tuple.elems.is_empty(),
        Type::Reference(reference) => is_tuple(&reference.elem),
        _ => false,
    }
}

/// Functions with a parameter that is a tuple, found in one file.
struct TupleParameters<'a> {
    path: &'a Path,
    checked: usize,
    found: Vec<String>,
}

impl<'ast> Visit<'ast> for TupleParameters<'_> {
    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        let is_conversion = item
            .trait_
            .as_ref()
            .is_some_and(|(path, _)| path.segments.last().is_some_and(|segment| segment.ident == "From"));
        if !is_conversion {
            visit::visit_item_impl(self, item);
        }
    }

    fn visit_signature(&mut self, signature: &'ast Signature) {
        self.checked += 1;
        let is_tuple_parameter =
            |input: &FnArg| matches!(input, FnArg::Typed(parameter) if is_tuple(&parameter.ty));
        if signature.inputs.iter().any(is_tuple_parameter) {
            self.found.push(format!("{} {}", shown(self.path), signature.ident));
        }
    }
}

#[test]
fn each_parameter_has_a_name() {
    let (mut checked, mut found) = (0, Vec::new());
    for (path, file) in library_files() {
        let mut visitor = TupleParameters { path: &path, checked: 0, found: Vec::new() };
        visitor.visit_file(&file);
        checked += visitor.checked;
        found.extend(visitor.found);
    }
    assert!(checked > 4_000, "the walk finds nothing");
    assert!(found.is_empty(), "{} functions:\n{}", found.len(), found.join("\n"));
}

/// Visibility and name of a type or trait.
fn named_type(item: &Item) -> Option<(&Visibility, &syn::Ident)> {
    match item {
        Item::Struct(item) => Some((&item.vis, &item.ident)),
        Item::Enum(item) => Some((&item.vis, &item.ident)),
        Item::Trait(item) => Some((&item.vis, &item.ident)),
        Item::Type(item) => Some((&item.vis, &item.ident)),
        _ => None,
    }
}

#[test]
fn exported_types_of_a_crate_have_unique_names() {
    let mut names: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for (path, file) in library_files() {
        let relative = path.strip_prefix(workspace().join("crates")).unwrap();
        let package = relative.iter().next().unwrap().to_str().unwrap().to_owned();
        for item in &file.items {
            let Some((visibility, name)) = named_type(item) else { continue };
            let is_shared = SHARED_NAMES.iter().any(|(shared, _)| name == shared);
            if !matches!(visibility, Visibility::Inherited) && !is_private(visibility) && !is_shared {
                names.entry((package.clone(), name.to_string())).or_default().push(shown(&path));
            }
        }
    }
    assert!(names.len() > 500, "the walk finds nothing");
    let twice: Vec<String> = names
        .iter()
        .filter(|(_, places)| places.len() > 1)
        .map(|((package, name), places)| format!("{package}: {name} in {}", places.join(", ")))
        .collect();
    assert!(twice.is_empty(), "{}", twice.join("\n"));
}

/// True for `pub(super)` and `pub(in …)`, which nothing outside of one module sees.
fn is_private(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Restricted(restricted) if !restricted.path.is_ident("crate"))
}

/// Parsed files of all crates without their tests.
fn library_files() -> Vec<(PathBuf, syn::File)> {
    let is_library = |path: &Path| {
        path.iter().any(|part| part == "src")
            && !path.iter().any(|part| part == "tests" || part == "tests.rs" || part == "migrations")
    };
    let sources = all_sources().into_iter().filter(|(path, _)| is_library(path));
    sources.map(|(path, text)| (path, syn::parse_file(&text).unwrap())).collect()
}

/// Public items without a doc comment, found in one file.
struct Undescribed<'a> {
    path: &'a Path,
    described: usize,
    found: Vec<String>,
}

impl Undescribed<'_> {
    fn check(&mut self, visibility: &Visibility, attributes: &[Attribute], name: &syn::Ident) {
        if !matches!(visibility, Visibility::Public(_)) {
            return;
        }
        if attributes.iter().any(|attribute| attribute.path().is_ident("doc")) {
            self.described += 1;
        } else {
            self.found.push(format!("{} {name}", shown(self.path)));
        }
    }
}

impl<'ast> Visit<'ast> for Undescribed<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::Struct(item) => self.check(&item.vis, &item.attrs, &item.ident),
            Item::Enum(item) => self.check(&item.vis, &item.attrs, &item.ident),
            Item::Trait(item) => self.check(&item.vis, &item.attrs, &item.ident),
            Item::Type(item) => self.check(&item.vis, &item.attrs, &item.ident),
            Item::Fn(item) => self.check(&item.vis, &item.attrs, &item.sig.ident),
            Item::Const(item) => self.check(&item.vis, &item.attrs, &item.ident),
            Item::Static(item) => self.check(&item.vis, &item.attrs, &item.ident),
            _ => (),
        }
        visit::visit_item(self, item);
    }

    fn visit_item_impl(&mut self, block: &'ast ItemImpl) {
        for item in &block.items {
            if let (None, ImplItem::Fn(ImplItemFn { vis, attrs, sig, .. })) = (&block.trait_, item) {
                self.check(vis, attrs, &sig.ident);
            }
        }
    }
}

#[test]
fn public_items_are_described() {
    let (mut described, mut found) = (0, Vec::new());
    for (path, file) in library_files() {
        let mut visitor = Undescribed { path: &path, described: 0, found: Vec::new() };
        visitor.visit_file(&file);
        described += visitor.described;
        found.extend(visitor.found);
    }
    assert!(described > 2_000, "the walk finds nothing");
    assert!(found.is_empty(), "{} items:\n{}", found.len(), found.join("\n"));
}
