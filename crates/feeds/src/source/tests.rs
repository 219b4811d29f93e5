//! The clients against servers in this process, servers of Debian, and one that misbehaves.

mod connection_tests;
mod daemons;
mod ftp_tests;
mod hostile_ftp;
mod hostile_sftp;
mod scripted_ftp;

use std::time::Duration;

use outbound::{Host, Outbound, Rules};
use secrets::SecretString;
use testkit::file_server::{LISTEN, PASSWORD, USER};

use super::*;

/// An endpoint with a password, in the home of its user.
pub(crate) fn endpoint(protocol: Protocol, port: u16, password: &str) -> Endpoint {
    Endpoint {
        protocol,
        host: Host::parse(LISTEN).unwrap(),
        port,
        user_name: USER.to_owned(),
        credential: Credential::Password(SecretString::from(password.to_owned())),
        base_path: RemotePath::default(),
        host_key: None,
        authorities: None,
    }
}

/// Limits that are reached soon, except those of time: the machine of a test can be slow.
fn limits() -> Limits {
    Limits {
        answer: Duration::from_secs(20),
        idle: Duration::from_secs(20),
        transfer: Duration::from_mins(1),
        file_bytes: 1 << 20,
        entries: 100,
        listing_bytes: 32 << 10,
        answer_bytes: 4 << 10,
    }
}

/// Short limits, for tests of timeouts.
fn impatient() -> Limits {
    let short = Duration::from_millis(300);
    Limits { answer: short, idle: short, transfer: Duration::from_millis(900), ..limits() }
}

fn connector(limits: Limits) -> Connector {
    let rules = Rules::with_networks(vec!["127.0.0.0/8".parse().unwrap()]);
    Connector::new(Outbound::new(rules), limits).with_plain_ftp(true)
}

async fn connect(endpoint: Endpoint) -> Result<Source> {
    connector(limits()).connect(endpoint).await
}

/// A file that is larger than one part of any protocol.
fn price_file() -> Vec<u8> {
    (0..20_000).flat_map(|row| format!("{row};IPE 200;{}\n", row % 997).into_bytes()).collect()
}

/// Lists, fetches, renames and deletes, on a server that has `preise.csv`, and a folder `archiv` with nothing
/// in it.
async fn serves_a_feed(source: &mut Source) {
    let listing = source.list().await.unwrap();
    let file = listing.entry("preise.csv").unwrap();
    assert_eq!((file.kind, file.size), (EntryKind::File, Some(price_file().len() as u64)));
    assert!(file.modified.is_some());
    assert_eq!(listing.entry("archiv").unwrap().kind, EntryKind::Folder);
    assert_eq!((listing.entries.len(), listing.unsafe_names), (2, 0));
    assert!(is_settled(file, source.list().await.unwrap().entry("preise.csv").unwrap()));

    let mut fetched = Vec::new();
    let report = source.fetch("preise.csv", &mut fetched).await.unwrap();
    assert!(fetched == price_file());
    let sha256 = hex::encode(<sha2::Sha256 as sha2::Digest>::digest(&fetched));
    assert_eq!(report, FetchedFile { bytes: fetched.len() as u64, sha256 });

    let folder = source.fetch("archiv", Vec::new()).await.unwrap_err();
    assert_eq!(folder.failure, SourceFailure::NotAFile("archiv".to_owned()));
    let missing = source.fetch("Preise.csv", Vec::new()).await.unwrap_err();
    assert_eq!(missing.failure, SourceFailure::FileMissing("Preise.csv".to_owned()));

    let archive = RemotePath::parse("archiv").unwrap();
    source.rename("preise.csv", &archive, "preise ü 1.csv").await.unwrap();
    let names: Vec<_> = source.list().await.unwrap().entries.into_iter().map(|entry| entry.name).collect();
    assert_eq!(names, ["archiv"]);
    let error = source.delete("preise.csv").await.unwrap_err();
    assert!(matches!(error.failure, SourceFailure::Refused | SourceFailure::FileMissing(_)), "{error:?}");
}

/// Fetches and deletes the file that [`serves_a_feed`] moved.
async fn serves_the_archive(source: &mut Source) {
    let mut fetched = Vec::new();
    source.fetch("preise ü 1.csv", &mut fetched).await.unwrap();
    assert!(fetched == price_file());
    source.delete("preise ü 1.csv").await.unwrap();
    assert_eq!(source.list().await.unwrap(), Listing::default());
}

/// A folder with what [`serves_a_feed`] expects.
fn served_folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("preise.csv"), price_file()).unwrap();
    std::fs::create_dir(folder.path().join("archiv")).unwrap();
    folder
}

/// The whole life of a feed at one endpoint.
async fn works_at(endpoint: Endpoint) {
    let mut source = connect(endpoint.clone()).await.unwrap();
    serves_a_feed(&mut source).await;
    source.close().await;
    let base = endpoint.base_path.join("archiv");
    let archive = Endpoint { base_path: RemotePath::parse(&base).unwrap(), ..endpoint };
    let mut source = connect(archive.clone()).await.unwrap();
    serves_the_archive(&mut source).await;
    source.close().await;
    let base_path = RemotePath::parse(&archive.base_path.join("alt")).unwrap();
    let error = connect(Endpoint { base_path: base_path.clone(), ..archive }).await.unwrap_err();
    assert_eq!(error.failure, SourceFailure::FolderMissing(base_path));
}

#[test]
fn paths_with_parent_folders_or_unsafe_characters_are_refused() {
    for (text, path) in [
        ("", "."),
        (".", "."),
        ("/", "/"),
        ("/export/preise/", "/export/preise"),
        ("export//./preise", "export/preise"),
        ("/a..b/..c", "/a..b/..c"),
        ("/Größe x", "/Größe x"),
    ] {
        assert_eq!(RemotePath::parse(text).unwrap().to_string(), path);
    }
    for text in ["..", "/..", "a/../b", "../a", "a\\b", "a\0b", "a\r\nDELE b", "a\nb", &"x".repeat(256)] {
        assert!(RemotePath::parse(text).is_err(), "{text:?}");
    }
}

#[tokio::test]
async fn plain_ftp_must_be_allowed_and_private_keys_need_sftp() {
    let forbidden = connector(limits()).with_plain_ftp(false);
    let error = forbidden.connect(endpoint(Protocol::Ftp, 1, PASSWORD)).await.unwrap_err();
    assert_eq!(error.failure, SourceFailure::PlainFtpForbidden);
    let key = Credential::PrivateKey { key: SecretString::from("x".to_owned()), passphrase: None };
    for protocol in [Protocol::Ftp, Protocol::FtpsExplicit, Protocol::FtpsImplicit] {
        let credential = key.clone();
        let error = connect(Endpoint { credential, ..endpoint(protocol, 1, "") }).await.unwrap_err();
        assert_eq!(error.failure, SourceFailure::PrivateKeyNeedsSftp);
    }
}

#[tokio::test]
async fn addresses_that_are_not_allowed_are_refused_by_every_protocol() {
    let listener = tokio::net::TcpListener::bind((LISTEN, 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let strict = Connector::new(Outbound::new(Rules::default()), limits()).with_plain_ftp(true);
    for protocol in [Protocol::Ftp, Protocol::FtpsExplicit, Protocol::FtpsImplicit, Protocol::Sftp] {
        let error = strict.connect(endpoint(protocol, port, PASSWORD)).await.unwrap_err();
        assert_eq!(error, outbound::Failure::Unreachable.into(), "{protocol:?}");
    }
    let nothing = tokio::time::timeout(Duration::from_millis(100), listener.accept()).await;
    assert!(nothing.is_err(), "a client connected");
}
