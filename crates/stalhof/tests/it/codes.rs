//! Error codes and words of all crates: each is declared once, used, and has a text in both languages.
//! Permissions: each is declared once.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use values::{Code, Permission, code::Word};

use super::architecture::{all_sources, workspace};

/// Texts of all crates in one language, by code or word.
fn texts(kind: &str, language: &str) -> BTreeMap<String, String> {
    let mut texts = BTreeMap::new();
    for folder in fs::read_dir(workspace().join("crates")).unwrap() {
        let file = folder.unwrap().path().join(format!("texts/{kind}.{language}.json"));
        let Ok(json) = fs::read_to_string(&file) else { continue };
        let of_crate: BTreeMap<String, String> = serde_json::from_str(&json).unwrap();
        for (name, text) in of_crate {
            assert_eq!(texts.insert(name.clone(), text), None, "{name} has texts in two crates");
        }
    }
    texts
}

/// Names of the placeholders in a text, without the forms behind a colon, which are translated.
fn placeholders(text: &str) -> BTreeSet<&str> {
    text.split('{').skip(1).filter_map(|rest| rest.split(['}', ':']).next()).collect()
}

#[test]
fn every_code_has_a_text_in_both_languages_with_the_same_placeholders() {
    let (de, en) = (texts("errors", "de"), texts("errors", "en"));
    let codes: BTreeSet<_> = Code::all().map(Code::as_str).collect();
    assert!(codes.len() > 400, "{}", codes.len());
    assert_eq!(codes, de.keys().map(String::as_str).collect());
    assert_eq!(codes, en.keys().map(String::as_str).collect());
    for (code, text) in &de {
        assert!(!text.is_empty() && !en[code].is_empty(), "{code}");
        assert_eq!(placeholders(text), placeholders(&en[code]), "{code}");
        let stored = serde_json::to_value(Code::find(code).unwrap()).unwrap();
        assert_eq!(serde_json::from_value::<Code>(stored).unwrap().as_str(), code);
    }
    assert!(serde_json::from_str::<Code>(r#""no_such_code""#).is_err());
}

#[test]
fn every_word_has_a_text_in_both_languages() {
    let (de, en) = (texts("words", "de"), texts("words", "en"));
    let words: BTreeSet<_> = Word::all().map(Word::as_str).collect();
    assert!(words.contains("flange_thickness"));
    assert_eq!(words, de.keys().map(String::as_str).collect());
    assert_eq!(words, en.keys().map(String::as_str).collect());
    assert!(de.values().chain(en.values()).all(|text| !text.is_empty()));
}

#[test]
fn every_permission_is_declared_once_and_references_name_declared_ones() {
    let mut declared = BTreeSet::new();
    let mut named = BTreeSet::new();
    for (path, text) in all_sources() {
        // a fixture repeats those that tests name
        if path.ends_with("testkit/src/permissions.rs") {
            continue;
        }
        if path.ends_with("src/permissions.rs") {
            for line in text.lines().filter(|line| line.trim_end().ends_with('"')) {
                let name = line.split('"').nth(1).unwrap().to_owned();
                assert!(declared.insert(name.clone()), "{name} is declared twice");
            }
        } else if is_product(&path) && !path.ends_with("values/src/permission.rs") {
            // a call may be broken over two lines; names of tests are not sought
            let product = text.split("#[cfg(test)]\nmod tests").next().unwrap();
            let compact: String = product.split_whitespace().collect();
            let calls = compact.split("Permission::from_name(\"").skip(1);
            named.extend(calls.map(|rest| rest.split('"').next().unwrap().to_owned()));
        }
    }
    assert_eq!(declared, Permission::all().map(|permission| permission.as_str().to_owned()).collect());
    assert!(named.contains("stock.view"));
    assert!(named.is_subset(&declared), "{:?}", named.difference(&declared));
}

/// True for sources of the product, not of tests.
fn is_product(path: &Path) -> bool {
    let is = |name: &str| path.components().any(|part| part.as_os_str() == name);
    is("src") && !is("tests") && path.file_name().is_none_or(|name| name != "tests.rs")
}

#[test]
fn every_code_is_declared_once_and_used() {
    let mut declared = BTreeMap::new();
    let mut used = String::new();
    for (path, text) in all_sources() {
        if path.ends_with("src/codes.rs") {
            for line in text.lines().filter(|line| line.trim_end().ends_with('"')) {
                let [constant, _, name] = line.split_whitespace().collect::<Vec<_>>()[..] else { continue };
                let former = declared.insert(name.to_owned(), constant.to_owned());
                assert_eq!(former, None, "{name} is declared twice");
            }
        } else if is_product(&path) {
            used.push_str(&text);
        }
    }
    assert_eq!(declared.len(), Code::all().count());
    let words: BTreeSet<_> = used.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let is_unused = |(name, constant): &(&String, &String)| {
        !words.contains(constant.as_str()) && !used.contains(&format!("code = {name}"))
    };
    let unused: Vec<_> = declared.iter().filter(is_unused).collect();
    assert!(unused.is_empty(), "{unused:?}");
}
