//! SFTP: host keys, credentials, and a server that misbehaves.

use std::path::Path;

use outbound::Failure;
use russh::keys::{HashAlg, PrivateKey, ssh_key::LineEnding};
use testkit::file_server::sftp::{ENCRYPTED_KEY, SftpMood, SftpServer, ed25519_key, rsa_key};

use super::{
    scripted_ftp::{Mood, ScriptedServer},
    *,
};

fn sftp(port: u16) -> Endpoint {
    endpoint(Protocol::Sftp, port, PASSWORD)
}

fn public_host_key(key: &PrivateKey, algorithm: &str) -> HostKey {
    format!("{algorithm} {}", key.fingerprint(HashAlg::Sha256)).parse().unwrap()
}

fn key_credential(key: &PrivateKey, passphrase: Option<&str>) -> Credential {
    let key = key.to_openssh(LineEnding::LF).unwrap();
    let passphrase = passphrase.map(|passphrase| SecretString::from(passphrase.to_owned()));
    Credential::PrivateKey { key: SecretString::from(key.to_string()), passphrase }
}

async fn connected(folder: &Path, mood: SftpMood, limits: Limits) -> (Source, SftpServer) {
    let server = SftpServer::start(folder, mood).await;
    let source = connector(limits).connect(sftp(server.port)).await.unwrap();
    (source, server)
}

async fn failed_fetch(mood: SftpMood, limits: Limits) -> SourceError {
    let folder = served_folder();
    let (mut source, _server) = connected(folder.path(), mood, limits).await;
    source.fetch("preise.csv", Vec::new()).await.unwrap_err()
}

#[tokio::test]
async fn a_feed_works_by_sftp() {
    let folder = served_folder();
    let server = SftpServer::start(folder.path(), SftpMood::Honest).await;
    works_at(sftp(server.port)).await;
}

#[tokio::test]
async fn a_host_key_is_shown_first_and_then_pinned() {
    let folder = served_folder();
    for (key, algorithm) in [(ed25519_key(), "ssh-ed25519"), (rsa_key(), "ssh-rsa")] {
        let server = SftpServer::with_keys(folder.path(), SftpMood::Honest, vec![key.clone()], None).await;
        let source = connect(sftp(server.port)).await.unwrap();
        let presented = public_host_key(&key, algorithm);
        assert_eq!(source.host_key(), Some(&presented));
        let pinned = Endpoint { host_key: Some(presented.clone()), ..sftp(server.port) };
        let mut source = connect(pinned).await.unwrap();
        source.fetch("preise.csv", Vec::new()).await.unwrap();

        let other = public_host_key(&ed25519_key(), "ssh-ed25519");
        let before = server.paths();
        let pinned = Endpoint { host_key: Some(other.clone()), ..sftp(server.port) };
        let error = connect(pinned).await.unwrap_err();
        assert_eq!(error.failure, SourceFailure::HostKeyChanged { pinned: other, presented });
        assert_eq!(server.paths(), before);
    }
}

#[tokio::test]
async fn a_server_with_a_second_key_still_presents_the_pinned_one() {
    let folder = served_folder();
    let keys = vec![ed25519_key(), rsa_key()];
    let server = SftpServer::with_keys(folder.path(), SftpMood::Honest, keys, None).await;
    let pinned = public_host_key(&rsa_key(), "ssh-rsa");
    let source = connect(Endpoint { host_key: Some(pinned.clone()), ..sftp(server.port) }).await.unwrap();
    assert_eq!(source.host_key(), Some(&pinned));
}

#[tokio::test]
async fn ed25519_and_rsa_keys_sign_in_and_wrong_credentials_do_not() {
    let folder = served_folder();
    for key in [ed25519_key(), rsa_key()] {
        let public = Some(key.public_key().clone());
        let server =
            SftpServer::with_keys(folder.path(), SftpMood::Honest, vec![ed25519_key()], public).await;
        let credential = key_credential(&key, None);
        let mut source = connect(Endpoint { credential, ..sftp(server.port) }).await.unwrap();
        source.fetch("preise.csv", Vec::new()).await.unwrap();
        // a passphrase that the key does not need
        let credential = key_credential(&key, Some("x"));
        connect(Endpoint { credential, ..sftp(server.port) }).await.unwrap();
        for credential in [
            key_credential(&ed25519_key(), None),
            Credential::Password(SecretString::from(PASSWORD.to_owned())),
        ] {
            let error = connect(Endpoint { credential, ..sftp(server.port) }).await.unwrap_err();
            assert_eq!(error.failure, SourceFailure::SignInRefused);
        }
    }
}

#[tokio::test]
async fn an_encrypted_key_needs_its_passphrase_and_a_bounded_number_of_rounds() {
    let folder = served_folder();
    let server = SftpServer::with_encrypted_key(folder.path()).await;
    let with = |key: &str, passphrase: Option<&str>| Endpoint {
        credential: Credential::PrivateKey {
            key: SecretString::from(key.to_owned()),
            passphrase: passphrase.map(|passphrase| SecretString::from(passphrase.to_owned())),
        },
        ..sftp(server.port)
    };
    connect(with(ENCRYPTED_KEY, Some("geheim"))).await.unwrap();
    let costly = include_str!("costly_key");
    let cut = ENCRYPTED_KEY.get(..200).unwrap();
    for (key, passphrase) in [
        (ENCRYPTED_KEY, None),
        (ENCRYPTED_KEY, Some("wrong")),
        (costly, Some("geheim")),
        (cut, Some("geheim")),
        (cut, None),
        ("", None),
        ("ssh-ed25519 AAAA", None),
    ] {
        let error = connect(with(key, passphrase)).await.unwrap_err();
        assert_eq!(error, SourceFailure::PrivateKeyInvalid.into());
    }
}

#[tokio::test]
async fn passwords_are_checked_and_keyboard_prompts_are_answered() {
    let folder = served_folder();
    for (mood, password, signs_in) in [
        (SftpMood::Honest, "wrong", false),
        (SftpMood::AsksQuestions, PASSWORD, true),
        (SftpMood::AsksQuestions, "wrong", false),
        (SftpMood::AsksForEver, PASSWORD, false),
    ] {
        let server = SftpServer::start(folder.path(), mood).await;
        let outcome = connect(endpoint(Protocol::Sftp, server.port, password)).await;
        match outcome {
            Ok(_) => assert!(signs_in, "{mood:?}"),
            Err(error) => assert_eq!((error.failure, signs_in), (SourceFailure::SignInRefused, false)),
        }
    }
    let server = SftpServer::start(folder.path(), SftpMood::HasNoSftp).await;
    assert_eq!(connect(sftp(server.port)).await.unwrap_err().failure, SourceFailure::Refused);
}

#[tokio::test]
async fn servers_of_other_protocols_are_refused_in_bounded_time() {
    for (mood, failure) in [
        (Mood::Greets(b"220 ready\r\n".to_vec()), Failure::Silent),
        (Mood::SaysNothing, Failure::Silent),
        (Mood::Greets(vec![b'x'; 10 << 20]), Failure::Unreadable),
        (Mood::GreetsForEver(b"hello\r\n"), Failure::Unreadable),
        (Mood::Greets(b"SSH-1.0-old\r\nSSH-2.0-x\r\n".to_vec()), Failure::Silent),
    ] {
        let server = ScriptedServer::start(mood.clone()).await;
        let error = connector(impatient()).connect(sftp(server.port)).await.unwrap_err();
        assert_eq!(error.failure, failure.into(), "{mood:?}");
    }
}

#[tokio::test]
async fn a_file_is_complete_only_if_all_sizes_and_times_agree() {
    let size = price_file().len() as u64;
    let changed = SourceFailure::FileChanged("preise.csv".to_owned());
    for mood in [
        SftpMood::Announces(size, size + 1),
        SftpMood::Announces(size + 1, size + 1),
        SftpMood::Announces(size - 1, size),
        SftpMood::Announces(size - 1, size - 1),
        SftpMood::Announces(0, 0),
        SftpMood::Touches,
    ] {
        assert_eq!(failed_fetch(mood, limits()).await.failure, changed, "{mood:?}");
    }
}

#[tokio::test]
async fn short_reads_are_accepted_and_long_ones_refused() {
    for most in [1_000, 1 << 14, (1 << 15) - 1] {
        let folder = served_folder();
        let (mut source, _server) = connected(folder.path(), SftpMood::ReadsShort(most), limits()).await;
        let mut fetched = Vec::new();
        source.fetch("preise.csv", &mut fetched).await.unwrap();
        assert!(fetched == price_file(), "{most}");
    }
    for size in [0, 1, (1 << 15) - 1, 1 << 15, (1 << 15) + 1, 3 << 15] {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("x"), vec![7; size]).unwrap();
        let (mut source, _server) = connected(folder.path(), SftpMood::Honest, limits()).await;
        assert_eq!(source.fetch("x", Vec::new()).await.unwrap().bytes, size as u64);
    }
    assert_eq!(failed_fetch(SftpMood::ReadsLong, limits()).await, Failure::Unreadable.into());
}

#[tokio::test]
async fn large_files_silence_and_lost_connections_abort_a_fetch() {
    let too_large = SourceFailure::FileTooLarge { name: "preise.csv".to_owned(), max: limits().file_bytes };
    assert_eq!(failed_fetch(SftpMood::Announces(5 << 30, 5 << 30), limits()).await.failure, too_large);
    let silent = Limits { idle: Duration::from_millis(300), ..limits() };
    assert_eq!(failed_fetch(SftpMood::SilentAtRead, silent).await, Failure::Silent.into());
    let lost = failed_fetch(SftpMood::HangsUpAtRead, limits()).await;
    assert_eq!(lost.failure, Failure::Interrupted.into());
}

#[tokio::test]
async fn listings_are_bounded_and_hostile_names_left_out() {
    let folder = served_folder();
    let too_long = SourceFailure::ListingTooLong { max: limits().entries };
    for mood in
        [SftpMood::ListsForEver("a.csv"), SftpMood::ListsForEver("a/b"), SftpMood::ListsNothingForEver]
    {
        let (mut source, _server) = connected(folder.path(), mood, limits()).await;
        assert_eq!(source.list().await.unwrap_err().failure, too_long, "{mood:?}");
        assert_eq!(source.list().await.unwrap_err(), Failure::Interrupted.into());
    }
    for name in ["../../etc/passwd", "/etc/passwd", "a\\b", "a\0b", "a\r\nb", "a\nb", "pr\u{fffd}is.csv", ""]
    {
        let (mut source, server) = connected(folder.path(), SftpMood::Lists(name), limits()).await;
        let listing = source.list().await.unwrap();
        assert_eq!((listing.entries.len(), listing.unsafe_names), (2, 1), "{name:?}");
        let before = server.paths();
        let unsafe_name = SourceFailure::UnsafeName(name.to_owned());
        assert_eq!(source.fetch(name, Vec::new()).await.unwrap_err().failure, unsafe_name);
        assert_eq!(server.paths(), before);
    }
}

#[tokio::test]
async fn a_forbidden_file_is_reported_as_missing() {
    let error = failed_fetch(SftpMood::Forbids("no"), limits()).await;
    assert_eq!(error.failure, SourceFailure::FileMissing("preise.csv".to_owned()));
    let folder = served_folder();
    let (mut source, _server) = connected(folder.path(), SftpMood::Forbids("no"), limits()).await;
    assert_eq!(source.delete("preise.csv").await.unwrap_err().failure, SourceFailure::Refused);
}

#[tokio::test]
async fn symbolic_links_are_resolved_to_their_target() {
    let folder = served_folder();
    std::os::unix::fs::symlink("preise.csv", folder.path().join("aktuell.csv")).unwrap();
    std::os::unix::fs::symlink("archiv", folder.path().join("alt")).unwrap();
    std::os::unix::fs::symlink("nowhere", folder.path().join("kaputt")).unwrap();
    let (mut source, _server) = connected(folder.path(), SftpMood::Honest, limits()).await;
    let listing = source.list().await.unwrap();
    let kind = |name: &str| listing.entry(name).map(|entry| (entry.kind, entry.size.is_some()));
    assert_eq!(kind("aktuell.csv"), Some((EntryKind::File, true)));
    assert_eq!(listing.entry("aktuell.csv").unwrap().size, Some(price_file().len() as u64));
    assert_eq!(kind("alt").map(|(kind, _)| kind), Some(EntryKind::Folder));
    source.fetch("aktuell.csv", Vec::new()).await.unwrap();
}
