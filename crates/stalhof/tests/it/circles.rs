//! Number of files per crate that depend on each other in cycles, so that they cannot be read or moved one by
//! one. It may only decrease.
//!
//! An edge leads from a file to each file of the same crate that its code names by a path: `use
//! crate::article::Draft`, `super::rules::check`, `$crate::input`, or `belongs_to = "super::entity::Entity"`.
//! A path ends at the deepest file along it; a path that `lib.rs` re-exports ends at the origin of the name.
//! Tests, test beds and `#[cfg(test)]` are left out.
//!
//! A file and the files of its own folder (`article.rs`, `article/…`) may use each other, as parents and
//! children do in Rust: a cycle that stays below one file is examined again without that file, and only
//! counts if its files still reach each other.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::architecture::{sources, workspace};

/// Numbers of files in cycles and in the largest of them. A higher number is an error; a lower one must be
/// entered here.
const CIRCLES: &[(&str, usize, usize)] = &[
    ("values", 2, 2),
    ("lists", 4, 2),
    ("tenancy", 2, 2),
    ("identity", 4, 2),
    ("sheets", 2, 2),
    ("imports", 5, 3),
    ("catalog", 4, 2),
];

type Module = Vec<String>;

/// Files of one crate by their modules, with their dependencies.
#[derive(Default)]
struct Graph {
    files: BTreeMap<Module, TokenStream>,
    /// Names that `lib.rs` re-exports.
    root: BTreeMap<String, Module>,
    arrows: BTreeMap<Module, BTreeSet<Module>>,
}

#[test]
fn the_numbers_of_files_in_cycles_equal_the_listed_ones() {
    let mut differing = Vec::new();
    for folder in fs::read_dir(workspace().join("crates")).unwrap() {
        let folder = folder.unwrap();
        let name = folder.file_name().into_string().unwrap();
        let circles = Graph::read(&folder.path().join("src")).circles();
        let found = (circles.iter().map(BTreeSet::len).sum(), circles.iter().map(BTreeSet::len).max());
        let found = (found.0, found.1.unwrap_or_default());
        let listed = CIRCLES.iter().find(|(listed, ..)| *listed == name);
        if listed.map_or((0, 0), |(_, files, largest)| (*files, *largest)) != found {
            let shown: Vec<String> = circles
                .iter()
                .map(|circle| circle.iter().map(|file| file.join("/")).collect::<Vec<_>>().join(" "))
                .collect();
            differing.push(format!("(\"{name}\", {}, {}): {}", found.0, found.1, shown.join(" | ")));
        }
    }
    assert!(
        differing.is_empty(),
        "files in cycles, largest cycle; enter lower numbers in CIRCLES, and remove a dependency for higher ones:\n{}",
        differing.join("\n")
    );
}

impl Graph {
    fn read(folder: &Path) -> Self {
        let mut paths = Vec::new();
        sources(folder, &mut paths);
        let files = paths.iter().map(|path| {
            let module = path.strip_prefix(folder).unwrap().with_extension("");
            let module = module.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
            (module, fs::read_to_string(path).unwrap())
        });
        Self::new(files)
    }

    fn new(files: impl Iterator<Item = (Module, String)>) -> Self {
        let files =
            files.filter(|(module, _)| !module.iter().any(|part| part == "tests" || part == "testbed"));
        let files = files.map(|(mut module, text)| {
            if module == ["lib"] {
                module.clear();
            }
            (module, text.parse().unwrap())
        });
        let mut graph = Self { files: files.collect(), ..Self::default() };
        if let Some(root) = graph.files.remove(&Module::new()) {
            for path in Paths::used_modules(&root, &Module::new(), &graph) {
                graph.root.extend(path.last().cloned().map(|name| (name, path)));
            }
        }
        for (module, tokens) in &graph.files {
            let used =
                Paths::used_modules(tokens, module, &graph).into_iter().map(|path| graph.file_of(&path));
            let used = used.filter(|used| !used.is_empty() && used != module).collect();
            graph.arrows.insert(module.clone(), used);
        }
        graph
    }

    /// Returns the deepest file along a path, empty for `lib.rs`.
    fn file_of(&self, path: &[String]) -> Module {
        let files = (0..=path.len()).rev().map(|end| &path[..end]);
        let file = files.filter(|file| self.files.contains_key(*file)).max_by_key(|file| file.len());
        match (file, path.first().and_then(|name| self.root.get(name))) {
            (Some(file), _) => file.to_vec(),
            (None, Some(origin)) if origin != path => self.file_of(origin),
            (None, _) => Module::new(),
        }
    }

    /// Returns the cycles, largest first.
    fn circles(&self) -> Vec<BTreeSet<Module>> {
        let mut circles = self.circles_among(&self.files.keys().collect());
        circles.sort_by_key(|circle| std::cmp::Reverse(circle.len()));
        circles
    }

    fn circles_among(&self, files: &BTreeSet<&Module>) -> Vec<BTreeSet<Module>> {
        let reached: BTreeMap<&Module, BTreeSet<&Module>> =
            files.iter().map(|file| (*file, self.reached(file, files))).collect();
        let mut circles = Vec::new();
        let mut seen = BTreeSet::new();
        for file in files {
            let mut circle: BTreeSet<&Module> =
                reached[*file].iter().copied().filter(|other| reached[*other].contains(*file)).collect();
            if circle.len() < 2 || !seen.insert(circle.clone()) {
                continue;
            }
            let top = circle.iter().copied().min_by_key(|file| file.len()).unwrap();
            if circle.iter().all(|file| file.starts_with(top)) {
                circle.remove(top);
                circles.extend(self.circles_among(&circle));
            } else {
                circles.push(circle.into_iter().cloned().collect());
            }
        }
        circles
    }

    /// Returns the files that a file uses directly or indirectly; includes itself only if there is a way
    /// back.
    fn reached<'a>(&'a self, file: &'a Module, among: &BTreeSet<&'a Module>) -> BTreeSet<&'a Module> {
        let mut reached = BTreeSet::new();
        let mut next = vec![file];
        while let Some(file) = next.pop() {
            let used = self.arrows[file].iter().filter_map(|used| among.get(used));
            next.extend(used.filter(|used| reached.insert(**used)));
        }
        reached
    }
}

/// Collects the paths of a file into its own crate, from the root.
struct Paths<'a> {
    graph: &'a Graph,
    paths: Vec<Module>,
}

impl<'a> Paths<'a> {
    fn used_modules(tokens: &TokenStream, module: &Module, graph: &'a Graph) -> Vec<Module> {
        let mut paths = Self { graph, paths: Vec::new() };
        paths.read(tokens, module);
        paths.paths
    }

    fn read(&mut self, tokens: &TokenStream, module: &[String]) {
        let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            at += 1;
            match token {
                TokenTree::Punct(sign) if sign.as_char() == '#' && is_of_tests(tokens.get(at)) => {
                    let rest = tokens[at..].iter().position(ends_item);
                    at += rest.map_or(tokens.len(), |rest| rest + 1);
                }
                TokenTree::Ident(word) if word == "use" => at = self.read_tree(&tokens, at, module, &[]),
                TokenTree::Ident(word) if word == "mod" => {
                    if let (Some(name), Some(TokenTree::Group(group))) = (tokens.get(at), tokens.get(at + 1))
                    {
                        let inner: Vec<_> = module.iter().cloned().chain([name.to_string()]).collect();
                        self.read(&group.stream(), &inner);
                        at += 2;
                    }
                }
                TokenTree::Ident(word) => {
                    let mut path = vec![word.to_string()];
                    while let (true, Some(TokenTree::Ident(next))) =
                        (is_path(&tokens, at), tokens.get(at + 2))
                    {
                        path.push(next.to_string());
                        at += 3;
                    }
                    if path.len() > 1 {
                        self.add(module, &path);
                    }
                }
                TokenTree::Literal(literal) => {
                    let text = literal.to_string();
                    let path: Vec<String> = text.trim_matches('"').split("::").map(str::to_owned).collect();
                    if matches!(path[0].as_str(), "crate" | "self" | "super") {
                        self.add(module, &path);
                    }
                }
                TokenTree::Group(group) => self.read(&group.stream(), module),
                TokenTree::Punct(_) => {}
            }
        }
    }

    /// Reads one tree of a `use` with its prefix and returns the end of it.
    fn read_tree(
        &mut self,
        tokens: &[TokenTree],
        mut at: usize,
        module: &[String],
        prefix: &[String],
    ) -> usize {
        let mut path = prefix.to_vec();
        while let Some(token) = tokens.get(at) {
            match token {
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                    let mut next = 0;
                    while next < inner.len() {
                        next = self.read_tree(&inner, next, module, &path) + 1;
                    }
                    return at + 1;
                }
                TokenTree::Punct(sign) if sign.as_char() == ':' => {}
                TokenTree::Ident(word) if word == "as" => at += 1,
                TokenTree::Ident(word) => path.push(word.to_string()),
                _ => break,
            }
            at += 1;
        }
        if path.len() > 1 && path.last().is_some_and(|part| part == "self") {
            path.pop();
        }
        if !path.is_empty() {
            self.add(module, &path);
        }
        at
    }

    fn add(&mut self, module: &[String], path: &[String]) {
        let (first, rest) = path.split_first().unwrap();
        let mut absolute: Module = match first.as_str() {
            "crate" => Module::new(),
            "self" => module.to_vec(),
            "super" => module.split_last().map(|(_, parents)| parents.to_vec()).unwrap_or_default(),
            child => {
                let child: Module = module.iter().cloned().chain([child.to_owned()]).collect();
                if !self.graph.files.contains_key(&child) {
                    return;
                }
                child
            }
        };
        for part in rest {
            if part == "super" {
                absolute.pop();
            } else {
                absolute.push(part.clone());
            }
        }
        self.paths.push(absolute);
    }
}

/// True for `[cfg(test)]` and the features for tests.
fn is_of_tests(attribute: Option<&TokenTree>) -> bool {
    let text = attribute.map(ToString::to_string).unwrap_or_default();
    let words: Vec<&str> = text.split(|sign: char| !sign.is_alphanumeric()).collect();
    words.contains(&"cfg") && words.contains(&"test") && !words.contains(&"not")
}

fn ends_item(token: &TokenTree) -> bool {
    match token {
        TokenTree::Punct(sign) => sign.as_char() == ';',
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        _ => false,
    }
}

fn is_path(tokens: &[TokenTree], at: usize) -> bool {
    let is_colon =
        |token: Option<&TokenTree>| matches!(token, Some(TokenTree::Punct(sign)) if sign.as_char() == ':');
    is_colon(tokens.get(at)) && is_colon(tokens.get(at + 1))
}

#[test]
fn cycles_are_found_in_every_form_of_reference() {
    for (files, expected) in [
        // no way back
        (vec![("a", "use crate::b::B;"), ("b", "")], vec![]),
        (
            vec![("a", "use crate::{c, b::{self, B}};"), ("b", "fn f() { crate::a::f() }"), ("c", "")],
            vec!["a b"],
        ),
        (vec![("a", "/* crate::b::B */ // crate::b::B\n"), ("b", "use crate::a;")], vec![]),
        // in macros, and in the texts of derives
        (vec![("a", "macro_rules! m { () => { $crate::b::f() } }"), ("b", "use crate::a;")], vec!["a b"]),
        (
            vec![("a", "#[sea_orm(belongs_to = \"super::b::Entity\")] enum R {}"), ("b", "use super::a;")],
            vec!["a b"],
        ),
        // names of the root
        (
            vec![("lib", "pub use b::{B, C};"), ("a", "use crate::{B};"), ("b", "use crate::a::A;")],
            vec!["a b"],
        ),
        // tests
        (vec![("a", "#[cfg(test)] mod tests { use crate::b; }"), ("b", "use crate::a;")], vec![]),
        (vec![("a/tests", "use crate::b;"), ("a", "mod tests;"), ("b", "use crate::a;")], vec![]),
        // parent and children
        (vec![("a", "mod x; use self::x::X;"), ("a/x", "use super::A;")], vec![]),
        (
            vec![("a", "mod x; mod y; use x::X;"), ("a/x", "use super::y::Y;"), ("a/y", "use super::x::X;")],
            vec!["a/x a/y"],
        ),
        (
            vec![("a", "use x::X;"), ("a/x", "use super::A; use crate::b;"), ("b", "use crate::a;")],
            vec!["a a/x b"],
        ),
    ] {
        let sources = files
            .iter()
            .map(|(file, text)| (file.split('/').map(str::to_owned).collect(), (*text).to_owned()));
        let circles = Graph::new(sources).circles();
        let circles = circles
            .iter()
            .map(|circle| circle.iter().map(|file| file.join("/")).collect::<Vec<_>>().join(" "));
        assert_eq!(circles.collect::<Vec<_>>(), expected, "{files:?}");
    }
}
