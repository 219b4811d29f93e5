//! Architecture rules that neither the compiler nor a lint can check.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use clap::{Args, Command};
use migrations::Migrator;
use sea_orm_migration::MigratorTrait;
use stalhof::config::Settings;

mod words;

/// Allowed dependencies between our crates. A new edge is a decision.
const ARROWS: &[(&str, &[&str])] = &[
    ("values", &["testkit"]),
    ("store", &["values"]),
    ("lists", &["values", "store", "testkit"]),
    ("tenancy", &["values", "store", "lists", "testkit"]),
    ("background", &["values", "store", "testkit"]),
    ("mail", &["values", "store", "background", "testkit"]),
    ("identity", &["values", "store", "lists", "tenancy", "mail", "testkit"]),
    ("storage", &["values", "testkit"]),
    ("secrets", &["values", "store", "testkit"]),
    ("outbound", &["values", "testkit"]),
    (
        "feeds",
        &[
            "values",
            "store",
            "lists",
            "background",
            "storage",
            "imports",
            "outbound",
            "secrets",
            "tenancy",
            "testkit",
        ],
    ),
    ("webhooks", &["values", "store", "lists", "background", "outbound", "secrets", "tenancy", "testkit"]),
    ("sheets", &["values"]),
    ("catalog", &["values", "store", "lists", "storage", "sheets", "imports", "testkit"]),
    ("imports", &["values", "store", "lists", "background", "storage", "sheets", "tenancy", "testkit"]),
    ("logistics", &["values", "store", "lists", "sheets", "imports", "tenancy", "catalog", "testkit"]),
    (
        "pricing",
        &["values", "store", "lists", "sheets", "imports", "tenancy", "catalog", "logistics", "testkit"],
    ),
    ("http_api", &["values", "store", "lists", "background", "storage", "sheets", "tenancy", "identity"]),
    ("testkit", &["values", "store", "lists", "migrations"]),
    (
        "api",
        &[
            "values",
            "store",
            "lists",
            "storage",
            "sheets",
            "tenancy",
            "mail",
            "outbound",
            "secrets",
            "identity",
            "catalog",
            "imports",
            "background",
            "http_api",
            "feeds",
            "logistics",
            "pricing",
            "webhooks",
            "migrations",
            "testkit",
        ],
    ),
    (
        "stalhof",
        &[
            "values",
            "store",
            "lists",
            "api",
            "storage",
            "sheets",
            "tenancy",
            "mail",
            "outbound",
            "secrets",
            "identity",
            "catalog",
            "imports",
            "background",
            "http_api",
            "feeds",
            "logistics",
            "pricing",
            "webhooks",
            "migrations",
            "testkit",
        ],
    ),
];

pub(super) fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub(super) fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

pub(super) fn all_sources() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    sources(&workspace().join("crates"), &mut found);
    sources(&workspace().join("migrations/src"), &mut found);
    found.into_iter().map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

#[test]
fn crates_depend_only_on_allowed_crates() {
    let ours: Vec<_> = ARROWS.iter().map(|(name, _)| *name).chain(["migrations"]).collect();
    for (name, allowed) in ARROWS {
        let manifest = fs::read_to_string(workspace().join("crates").join(name).join("Cargo.toml")).unwrap();
        assert!(manifest.contains("[lints]\nworkspace = true"), "{name} does not take the workspace's lints");
        for used in ours.iter().filter(|used| manifest.contains(&format!("\n{used}.workspace"))) {
            assert!(allowed.contains(used), "{name} must not use {used}");
        }
    }
    for folder in fs::read_dir(workspace().join("crates")).unwrap() {
        let name = folder.unwrap().file_name().into_string().unwrap();
        assert!(ours.contains(&&*name), "{name} is missing in ARROWS");
    }
}

#[test]
fn domain_crates_neither_use_http_nor_serialize_rows() {
    for (path, text) in all_sources() {
        let path = path.display().to_string();
        if [
            "/values/",
            "/store/",
            "/lists/",
            "/tenancy/",
            "/mail/",
            "/secrets/",
            "/outbound/",
            "/feeds/",
            "/webhooks/",
            "/identity/",
            "/sheets/",
            "/catalog/",
            "/logistics/",
            "/pricing/",
            "/imports/",
        ]
        .iter()
        .any(|name| path.contains(&format!("crates{name}")))
        {
            assert!(!text.contains("actix"), "{path} uses HTTP");
        }
        for derived in text.lines().filter(|line| line.contains("DeriveEntityModel")) {
            assert!(!derived.contains("Serialize"), "{path} can be serialized");
        }
    }
}

/// Signs of network connections in code, and libraries that open them.
const WAYS_OUT: [&str; 11] = [
    "TcpStream::connect",
    "TcpSocket",
    "UdpSocket",
    "UnixStream",
    "lookup_host",
    "to_socket_addrs",
    "TlsConnector",
    "hyper::client",
    "client::legacy",
    "client::connect(",
    "AsyncSmtpTransport<",
];
const LIBRARIES_OUT: [&str; 10] = [
    "hyper",
    "hyper-util",
    "hyper-rustls",
    "reqwest",
    "ureq",
    "awc",
    "suppaftp",
    "russh",
    "lettre",
    "hickory-resolver",
];

/// Crates that may open connections themselves, with the reason.
const MAY_GO_OUT: [(&str, &str); 3] = [
    ("outbound", "checks each address before it connects"),
    ("mail", "the operator names the mail server, not a user"),
    ("storage", "the operator names the service of the bucket, not a user"),
];
/// Libraries that get their connections from `outbound`, or are used only as servers.
const GIVEN_CONNECTIONS: [(&str, &str); 4] =
    [("feeds", "russh"), ("testkit", "russh"), ("testkit", "hyper"), ("testkit", "hyper-util")];

#[test]
fn only_one_crate_connects_to_hosts_that_users_name() {
    let mut exempt = 0;
    for (path, text) in all_sources() {
        let path = path.display().to_string();
        let is_test = path.contains("/tests/") || path.ends_with("tests.rs") || path.contains("/testkit/");
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let found = WAYS_OUT.iter().find(|way| code.contains(**way));
        let may = MAY_GO_OUT.iter().any(|(name, _)| path.contains(&format!("crates/{name}/")));
        exempt += usize::from(may && found.is_some());
        assert!(
            is_test || may || found.is_none(),
            "{path} goes out by {found:?}; outbound::Outbound does that"
        );
    }
    assert!(exempt >= MAY_GO_OUT.len(), "the walk finds nothing");
    for (name, _) in ARROWS {
        let manifest = fs::read_to_string(workspace().join("crates").join(name).join("Cargo.toml")).unwrap();
        let (used, _) = manifest.split_once("[dev-dependencies]").unwrap_or((&manifest, ""));
        let found = LIBRARIES_OUT.iter().find(|library| {
            used.contains(&format!("\n{library}.workspace")) && !GIVEN_CONNECTIONS.contains(&(name, library))
        });
        let may = MAY_GO_OUT.iter().any(|(exempt, _)| exempt == name);
        assert!(may || found.is_none(), "{name} takes {found:?}; outbound::Outbound goes out");
    }
}

#[test]
fn every_module_has_a_doc_comment() {
    for (path, text) in all_sources() {
        assert!(text.starts_with("//!"), "{} does not begin with //!", path.display());
    }
}

#[test]
fn every_migration_is_transactional_or_only_builds_indexes_concurrently() {
    for (path, text) in all_sources() {
        if path.starts_with(workspace().join("migrations")) && text.contains("impl MigrationTrait for") {
            let (_, said) =
                text.split_once("fn use_transaction(&self) -> Option<bool> {\n        Some(").unwrap();
            let is_transaction = said.starts_with("true)");
            let is_concurrent = text.contains("ConcurrentIndex {") && !text.contains("execute");
            assert!(is_transaction != is_concurrent, "{}", path.display());
        }
    }
}

#[actix_web::test]
async fn every_migration_can_be_reverted_and_repeated() {
    let db = testkit::database().await;
    for _ in 0..2 {
        Migrator::down(db.writer(), None).await.unwrap();
        Migrator::up(db.writer(), None).await.unwrap();
    }
}

#[test]
fn every_setting_is_documented_with_its_default() {
    let documented = fs::read_to_string(workspace().join("docs/operations.md")).unwrap();
    let rows = documented.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` | "));
    let mut rows: BTreeMap<_, _> = rows.filter(|(name, _)| !name.contains("stalhof")).collect();
    let settings = Settings::augment_args(Command::new("stalhof"));
    for setting in settings.get_arguments() {
        let name = setting.get_env().unwrap().to_str().unwrap();
        let meaning = rows.remove(name).unwrap_or_else(|| panic!("{name} is not documented"));
        if let [default] = setting.get_default_values() {
            let default = format!("`{}` | ", default.to_str().unwrap());
            assert!(meaning.starts_with(&default), "{name} has the default {default}");
        }
    }
    assert!(rows.is_empty(), "not settings: {rows:?}");
}
