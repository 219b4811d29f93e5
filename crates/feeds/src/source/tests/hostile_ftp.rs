//! An FTP server that misbehaves in every way that a feed has to survive.

use std::time::Instant;

use outbound::Failure;
use testkit::certificates::Authority;

use super::{
    scripted_ftp::{CONTENT, Encryption, Mood, ScriptedServer},
    *,
};
use crate::file_pattern::FilePattern;

async fn refusal(mood: Mood, limits: Limits) -> SourceError {
    let server = ScriptedServer::start(mood).await;
    connector(limits).connect(endpoint(Protocol::Ftp, server.port, PASSWORD)).await.unwrap_err()
}

/// Connection to a server with a mood; the server is returned to keep it alive.
async fn connected(mood: Mood, limits: Limits) -> (Source, ScriptedServer) {
    let server = ScriptedServer::start(mood).await;
    let source = connector(limits).connect(endpoint(Protocol::Ftp, server.port, PASSWORD)).await.unwrap();
    (source, server)
}

async fn failed_fetch(mood: Mood, limits: Limits) -> SourceError {
    let (mut source, _server) = connected(mood, limits).await;
    source.fetch("preise.csv", Vec::new()).await.unwrap_err()
}

async fn failed_list(mood: Mood, limits: Limits) -> SourceError {
    let (mut source, _server) = connected(mood, limits).await;
    source.list().await.unwrap_err()
}

#[tokio::test]
async fn the_scripted_server_supports_each_encryption() {
    let authority = Authority::new();
    let acceptor = authority.issue(LISTEN, 2099).acceptor();
    for (protocol, encryption) in [
        (Protocol::Ftp, Encryption::None),
        (Protocol::FtpsExplicit, Encryption::Explicit(acceptor.clone())),
        (Protocol::FtpsImplicit, Encryption::Implicit(acceptor.clone())),
    ] {
        let server = ScriptedServer::encrypted(Mood::Honest, encryption).await;
        let authorities = Some(authority.pem());
        let endpoint = Endpoint { authorities, ..endpoint(protocol, server.port, PASSWORD) };
        let mut source = connect(endpoint).await.unwrap();
        assert_eq!(source.greeting(), Some("220-Lager 220 ready"));
        assert_eq!(source.list().await.unwrap().entries.len(), 2);
        let mut fetched = Vec::new();
        source.fetch("preise.csv", &mut fetched).await.unwrap();
        assert_eq!(fetched, CONTENT);
        source.close().await;
        let commands = server.commands();
        let is_protected = commands.iter().any(|command| command == "PROT P");
        assert_eq!(is_protected, protocol != Protocol::Ftp, "{commands:?}");
        assert_eq!(commands.last().map(String::as_str), Some("QUIT"));
    }
}

#[tokio::test]
async fn implicit_tls_refuses_a_certificate_of_another_name() {
    let authority = Authority::new();
    let acceptor = authority.issue("ftp.example.com", 2099).acceptor();
    let server = ScriptedServer::encrypted(Mood::Honest, Encryption::Implicit(acceptor)).await;
    let endpoint = endpoint(Protocol::FtpsImplicit, server.port, PASSWORD);
    let error = connect(Endpoint { authorities: Some(authority.pem()), ..endpoint }).await.unwrap_err();
    assert_eq!(error, Failure::Untrusted.into());
    assert_eq!(server.commands(), Vec::<String>::new());
}

#[tokio::test]
async fn answers_injected_before_tls_are_refused() {
    let acceptor = Authority::new().issue(LISTEN, 2099).acceptor();
    let server = ScriptedServer::encrypted(Mood::Injects, Encryption::Explicit(acceptor)).await;
    let error = connect(endpoint(Protocol::FtpsExplicit, server.port, PASSWORD)).await.unwrap_err();
    assert_eq!(error, Failure::Unreadable.into());
    assert_eq!(server.commands(), ["AUTH TLS"]);
}

#[tokio::test]
async fn greetings_are_bounded() {
    let answer_bytes = limits().answer_bytes;
    let too_large: SourceError = Failure::TooLarge(answer_bytes).into();
    let ten_mib = vec![b'x'; 10 << 20];
    let lines = b"220-x\r\n".repeat(1_500_000);
    for mood in [
        Mood::Greets(ten_mib),
        Mood::Greets(lines),
        Mood::GreetsForEver(b"220-welcome\r\n"),
        Mood::GreetsForEver(&[b'x'; 4096]),
    ] {
        assert_eq!(refusal(mood, limits()).await, too_large);
    }
    for (greeting, failure, answer) in [
        (&b"SSH-2.0-OpenSSH_9.2\r\n"[..], Failure::Unreadable.into(), Some("SSH-2.0-OpenSSH_9.2")),
        (b"HTTP/1.1 400 Bad Request\r\n", Failure::Unreadable.into(), Some("HTTP/1.1 400 Bad Request")),
        (b"\xff\xfe\r\n", Failure::Unreadable.into(), Some("\u{fffd}\u{fffd}")),
        (b"\r\n", Failure::Unreadable.into(), None),
        (b"999 x\r\n", Failure::Unreadable.into(), Some("999 x")),
        (b"421 too many users\r\n", Failure::Interrupted.into(), Some("421 too many users")),
        (b"530 closed\x1b[2J\r\n", SourceFailure::Refused, Some("530 closed [2J")),
    ] {
        let error = refusal(Mood::Greets(greeting.to_vec()), limits()).await;
        assert_eq!((error.failure, error.answer.as_deref()), (failure, answer));
    }
}

#[tokio::test]
async fn a_silent_server_times_out_at_every_step() {
    let silent: SourceError = Failure::Silent.into();
    let began = Instant::now();
    for mood in [
        Mood::SaysNothing,
        Mood::Drips,
        Mood::Greets(b"220-half".to_vec()),
        Mood::SilentAfter("USER"),
        Mood::SilentAfter("PASS"),
        Mood::SilentAfter("FEAT"),
        Mood::SilentAfter("TYPE"),
    ] {
        assert_eq!(refusal(mood.clone(), impatient()).await, silent, "{mood:?}");
    }
    for mood in
        [Mood::SilentAfter("SIZE"), Mood::SilentAfter("EPSV"), Mood::SilentAfter("RETR"), Mood::Stalls]
    {
        assert_eq!(failed_fetch(mood.clone(), impatient()).await, silent, "{mood:?}");
    }
    assert_eq!(failed_list(Mood::SilentAfter("MLSD"), impatient()).await, silent);
    // thirteen times 300 ms, and the work of a busy machine
    assert!(began.elapsed() < Duration::from_secs(15), "{:?}", began.elapsed());
}

#[tokio::test]
async fn a_refused_sign_in_never_repeats_the_password() {
    for answer in ["530 Br@mme 17 is wrong", "430 no", "332 account?", "500 what?"] {
        let error = refusal(Mood::Answers("PASS", answer), limits()).await;
        assert_eq!(error.failure, SourceFailure::SignInRefused, "{answer}");
        assert!(error.answer.is_some_and(|answer| !answer.contains(PASSWORD)));
    }
    let error = refusal(Mood::Answers("USER", "530 no"), limits()).await;
    assert_eq!((error.failure, error.answer.as_deref()), (SourceFailure::SignInRefused, Some("530 no")));
}

#[tokio::test]
async fn line_breaks_in_a_user_name_or_a_password_are_never_sent() {
    let server = ScriptedServer::start(Mood::Honest).await;
    let with_break = endpoint(Protocol::Ftp, server.port, "a\r\nDELE preise.csv");
    let other_user =
        Endpoint { user_name: "a\nDELE b".to_owned(), ..endpoint(Protocol::Ftp, server.port, "x") };
    for endpoint in [with_break, other_user] {
        let error = connect(endpoint).await.unwrap_err();
        assert_eq!(error.failure, SourceFailure::SignInRefused);
    }
    assert_eq!(server.commands(), Vec::<String>::new());
}

#[tokio::test]
async fn listings_are_bounded() {
    let too_long = SourceFailure::ListingTooLong { max: limits().entries };
    for mood in [
        Mood::ListsForEver(b"type=file;size=1; a.csv\r\n"),
        Mood::ListsForEver(b"type=file;size=1; a/b\r\n"),
        Mood::ListsForEver(b"\r\n"),
        Mood::ListsForEver(&[b'x'; 1024]),
        Mood::Lists(b"type=file;size=1; a.csv\r\n".repeat(101)),
    ] {
        assert_eq!(failed_list(mood.clone(), limits()).await.failure, too_long, "{mood:?}");
    }
    let (mut source, _server) =
        connected(Mood::Lists(b"type=file;size=1; a.csv\r\n".repeat(100)), limits()).await;
    assert_eq!(source.list().await.unwrap().entries.len(), 100);
}

#[tokio::test]
async fn hostile_names_are_neither_listed_nor_sent() {
    let listing = b"type=file;size=1; ../../etc/passwd\r\ntype=file;size=1; a\0b.csv\r\n\
        type=file;size=1; a\rDELE b.csv\r\ntype=file;size=1; pr\xe9is.csv\r\ntype=file;size=1; a\\b.csv\r\n\
        type=file;size=1; /abs.csv\r\ntype=file;size=1; good.csv\r\n";
    let (mut source, server) = connected(Mood::Lists(listing.to_vec()), limits()).await;
    let listed = source.list().await.unwrap();
    let names: Vec<_> = listed.entries.iter().map(|entry| &*entry.name).collect();
    assert_eq!((names, listed.unsafe_names), (vec!["good.csv"], 6));
    let before = server.commands();
    for name in ["../x", "/x", "a\\b", "a\r\nDELE b", "a\nb", "a\0b", "pr\u{fffd}is.csv", "", ".", ".."] {
        let unsafe_name = SourceFailure::UnsafeName(name.to_owned());
        assert_eq!(source.fetch(name, Vec::new()).await.unwrap_err().failure, unsafe_name, "{name:?}");
        assert_eq!(source.delete(name).await.unwrap_err().failure, unsafe_name);
        let home = RemotePath::default();
        assert_eq!(source.rename("good.csv", &home, name).await.unwrap_err().failure, unsafe_name);
    }
    assert_eq!(server.commands(), before);
}

#[tokio::test]
async fn two_files_of_one_pattern_are_read_oldest_first() {
    let listing = b"type=file;size=1;modify=20261128060000; preise-20261127.csv\r\n\
        type=file;size=1;modify=20261120060000; preise-20261128.csv\r\n\
        type=dir; preise-20261126.csv\r\ntype=file;size=1; preise-20261128.csv.done\r\n";
    let (mut source, _server) = connected(Mood::Lists(listing.to_vec()), limits()).await;
    let listed = source.list().await.unwrap();
    let pattern = FilePattern::parse("preise-{yyyyMMdd}.csv").unwrap();
    let names: Vec<_> = pattern.files(&listed).iter().map(|entry| &*entry.name).collect();
    assert_eq!(names, ["preise-20261127.csv", "preise-20261128.csv"]);
    assert_eq!(pattern.folder(&listed).map(|entry| &*entry.name), Some("preise-20261126.csv"));
}

#[tokio::test]
async fn a_file_is_complete_only_if_all_sizes_agree() {
    let size = CONTENT.len() as u64;
    let changed = SourceFailure::FileChanged("preise.csv".to_owned());
    for mood in [
        Mood::Announces(size, size + 1),
        Mood::Announces(size, size - 1),
        Mood::Announces(size + 1, size + 1),
        Mood::Announces(size - 1, size),
        Mood::Announces(size - 1, size - 1),
        Mood::Announces(0, 0),
        Mood::Shortens,
        Mood::SendsForEver,
    ] {
        assert_eq!(failed_fetch(mood.clone(), limits()).await.failure, changed, "{mood:?}");
    }
}

#[tokio::test]
async fn a_file_of_five_gigabytes_is_refused_before_its_first_byte() {
    let server = ScriptedServer::start(Mood::Announces(5 << 30, 5 << 30)).await;
    let mut source = connect(endpoint(Protocol::Ftp, server.port, PASSWORD)).await.unwrap();
    let mut fetched = Vec::new();
    let error = source.fetch("preise.csv", &mut fetched).await.unwrap_err();
    let too_large = SourceFailure::FileTooLarge { name: "preise.csv".to_owned(), max: limits().file_bytes };
    assert_eq!((error.failure, fetched.len()), (too_large, 0));
    assert!(server.commands().iter().all(|command| !command.starts_with("RETR")));
}

#[tokio::test]
async fn a_broken_transfer_makes_the_connection_unusable() {
    for mood in
        [Mood::Resets, Mood::HangsUpAfter("RETR"), Mood::HangsUpAfter("SIZE"), Mood::HangsUpAfter("EPSV")]
    {
        let (mut source, _server) = connected(mood.clone(), limits()).await;
        let mut fetched = Vec::new();
        let error = source.fetch("preise.csv", &mut fetched).await.unwrap_err();
        assert_eq!(error.failure, Failure::Interrupted.into(), "{mood:?}");
        assert!(fetched.len() < CONTENT.len());
        assert_eq!(source.list().await.unwrap_err(), Failure::Interrupted.into());
    }
}

#[tokio::test]
async fn data_connections_go_only_to_the_server() {
    for (verb, answer) in [("EPSV", "229 (|||22|)"), ("EPSV", "229 (|||1023|)")] {
        assert_eq!(
            failed_fetch(Mood::Answers(verb, answer), limits()).await,
            Failure::DataHostDiffers.into()
        );
    }
    for (answer, failure) in [
        ("227 (8,8,8,8,200,80)", Failure::DataHostDiffers),
        ("227 (127,9,9,9,0,22)", Failure::DataHostDiffers),
        ("227 (8,8,8,8)", Failure::Unreadable),
    ] {
        let server = ScriptedServer::start(Mood::Answers("PASV", answer)).await;
        let mut source = connect(endpoint(Protocol::Ftp, server.port, PASSWORD)).await.unwrap();
        // as if EPSV had been refused
        if let Session::Ftp(ftp) = &mut source.session {
            ftp.forget_epsv();
        }
        let error = source.fetch("preise.csv", Vec::new()).await.unwrap_err();
        assert_eq!(error.failure, failure.into(), "{answer}");
    }
    for answer in ["229 nothing", "229 (|||99999|)"] {
        assert_eq!(
            failed_fetch(Mood::Answers("EPSV", answer), limits()).await.failure,
            Failure::Unreadable.into()
        );
    }
}

#[tokio::test]
async fn old_servers_without_mlsd_epsv_or_size_are_supported() {
    let listing = b"total 1\r\n-rw-r--r-- 1 ftp ftp 27 Nov 28 06:00 preise.csv\r\n".to_vec();
    let (mut source, _server) = connected(Mood::Answers("EPSV", "500 what?"), limits()).await;
    source.fetch("preise.csv", Vec::new()).await.unwrap();
    let (mut source, server) = connected(Mood::Answers("FEAT", "502 what?"), limits()).await;
    source.list().await.unwrap();
    assert!(server.commands().iter().any(|command| command == "LIST"));
    let (mut source, _server) = connected(Mood::Answers("SIZE", "502 what?"), limits()).await;
    source.fetch("preise.csv", Vec::new()).await.unwrap();
    let (mut source, _server) = connected(Mood::Answers("MLSD", "502 what?"), limits()).await;
    source.list().await.unwrap();
    let (mut source, _server) = connected(Mood::Lists(listing), limits()).await;
    assert_eq!(source.list().await.unwrap().unsafe_names, 0);
}

#[tokio::test]
async fn a_failing_writer_is_reported_as_not_stored() {
    let (mut source, _server) = connected(Mood::Honest, limits()).await;
    let mut small = [0; 10];
    let error = source.fetch("preise.csv", std::io::Cursor::new(&mut small[..])).await.unwrap_err();
    assert_eq!(error.failure, SourceFailure::NotStored);
}
