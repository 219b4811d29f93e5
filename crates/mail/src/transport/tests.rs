//! Tests against a server that really speaks SMTP.

use testkit::{
    certificates::Authority,
    smtp::{Behaviour, Security, SmtpServer},
};
use tokio_rustls::TlsAcceptor;
use values::Instant;

use super::*;
use crate::Kind;

const FROM: &str = "Stalhof <post@stalhof.example>";

fn letter(name: &str, address: &str) -> Letter {
    Letter {
        id: 7,
        user_id: Some(1),
        kind: Kind::Invitation,
        name: name.to_owned(),
        address: address.to_owned(),
        language: "de".to_owned(),
        subject: "Grüße aus dem Stahlhof".to_owned(),
        text: Some("Öffnen Sie:\nhttps://stalhof.example/verification?token=lnk_x\n.\nEnde".to_owned()),
        html: Some("<p>Öffnen</p>".to_owned()),
        created_at: Instant::UNIX_EPOCH,
        attempts: 1,
        due_at: None,
        sent_at: None,
        failed_at: None,
        error: None,
        lease_owner: None,
        lease_until: None,
    }
}

#[tokio::test]
async fn a_mail_arrives_with_text_html_and_its_own_id() {
    let server = SmtpServer::start().await;
    let transport = Transport::smtp(&server.url(), FROM).unwrap();
    transport.send(&letter("Jürgen Groß", "juergen@nord.example")).await.unwrap();
    transport.send(&letter("Jürgen Groß", "juergen@nord.example")).await.unwrap();
    let [first, second] = &server.received()[..] else { panic!("two mails") };
    assert_eq!(
        (&*first.from, &first.to[..]),
        ("post@stalhof.example", &["juergen@nord.example".to_owned()][..])
    );
    for header in [
        "Message-ID: <7.0@stalhof.example>\n",
        "Auto-Submitted: auto-generated\n",
        "Content-Type: multipart/alternative",
        "Content-Type: text/plain; charset=utf-8\n",
        "Content-Type: text/html; charset=utf-8\n",
        "To: =?utf-8?b?",
        "Subject: =?utf-8?b?",
    ] {
        assert!(first.content.contains(header), "{header}: {}", first.content);
    }
    assert!(second.content.contains("Message-ID: <7.0@stalhof.example>\n"), "the same mail, the same id");
}

#[tokio::test]
async fn names_and_addresses_cannot_inject_headers() {
    let server = SmtpServer::start().await;
    let transport = Transport::smtp(&server.url(), FROM).unwrap();
    for name in
        ["Eva\r\nBcc: mallory@evil.example", "Eva\nX: y", "\"Eva\" <a@b.example>, c@d.example", "Eva\0"]
    {
        transport.send(&letter(name, "eva@nord.example")).await.unwrap();
    }
    for mail in server.received() {
        assert_eq!(mail.to, ["eva@nord.example"]);
        let (head, _) = mail.content.split_once("\n\n").unwrap();
        for line in head.lines().filter(|line| !line.starts_with([' ', '\t'])) {
            let name = line.split_once(':').unwrap().0;
            let header_names = [
                "From",
                "To",
                "Subject",
                "Message-ID",
                "Date",
                "Auto-Submitted",
                "MIME-Version",
                "Content-Type",
            ];
            assert!(header_names.contains(&name), "{head}");
        }
    }
    for address in [
        "eva@nord.example\r\nBcc: mallory@evil.example",
        "eva@nord.example>\r\nRCPT TO:<mallory@evil.example",
        "eva@nord.example, mallory@evil.example",
        "eva",
    ] {
        let refused = transport.send(&letter("Eva", address)).await;
        assert!(matches!(refused, Err(Failure::Refused(_))), "{address:?}: {refused:?}");
    }
    assert_eq!(server.received().len(), 4);
}

#[tokio::test]
async fn refused_mails_are_distinguished_from_an_unavailable_server() {
    let server = SmtpServer::start().await;
    let transport = Transport::smtp(&server.url(), FROM).unwrap();
    let mail = letter("Eva", "eva@nord.example");
    for (mood, expected) in [
        (Behaviour::Answers("550 5.1.1 unknown"), "refused"),
        (Behaviour::Answers("451 4.7.1 greylisted"), "deferred"),
        (Behaviour::Greets("554 no service here"), "unreachable"),
        (Behaviour::Greets("421 closing"), "unreachable"),
        (Behaviour::HangsUpAfterwards, "unreachable"),
        (Behaviour::Accepts, "sent"),
    ] {
        server.set(mood);
        // A reused connection has already been greeted.
        let transport = Transport::smtp(&server.url(), FROM).unwrap();
        let outcome = match transport.send(&mail).await {
            Ok(()) => "sent",
            Err(Failure::Refused(_)) => "refused",
            Err(Failure::Deferred(_)) => "deferred",
            Err(Failure::Unreachable(_)) => "unreachable",
        };
        assert_eq!(outcome, expected, "{mood:?}");
    }
    let address = server.address;
    server.stop().await;
    assert!(matches!(transport.send(&mail).await, Err(Failure::Unreachable(_))));
    let again = SmtpServer::at(address).await;
    transport.send(&mail).await.unwrap();
    assert_eq!(again.received().len(), 1);
}

const HOST: &str = "127.0.0.1";

/// Sends a mail, with a password, over implicit TLS and over STARTTLS, to servers with this certificate.
async fn over_tls(certificate: TlsAcceptor, trusted: Option<&Authority>) -> Vec<Result<(), Failure>> {
    let mut outcomes = Vec::new();
    for implicit in [true, false] {
        let speaks = if implicit { Security::FromTheBeginning } else { Security::WhenAsked };
        let server = SmtpServer::secured(speaks(certificate.clone())).await;
        let address = server.address;
        let url = if implicit {
            format!("smtps://post:geheim@{address}")
        } else {
            format!("smtp://post:geheim@{address}?tls=required")
        };
        let transport = match trusted {
            Some(authority) => Transport::smtp_trusting(&url, FROM, authority.pem().as_bytes()).unwrap(),
            None => Transport::smtp(&url, FROM).unwrap(),
        };
        let outcome = transport.send(&letter("Eva", "eva@nord.example")).await;
        let received = server.received();
        assert_eq!(received.len(), usize::from(outcome.is_ok()), "{outcome:?}");
        for mail in received {
            assert!(mail.encrypted && mail.content.contains("token=3Dlnk_x"), "{}", mail.content);
        }
        let overheard = server.overheard();
        for secret in ["AUTH", "MAIL", "eva@", "lnk_", "cG9z", "geheim"] {
            assert!(!overheard.contains(secret), "{secret}: {overheard}");
        }
        outcomes.push(outcome);
    }
    outcomes
}

#[tokio::test]
async fn mails_are_sent_over_tls_to_a_server_with_a_trusted_certificate() {
    let company = Authority::new();
    for outcome in over_tls(company.issue(HOST, 2100).acceptor(), Some(&company)).await {
        outcome.unwrap();
    }
}

#[tokio::test]
async fn mails_are_not_sent_to_a_server_with_an_invalid_certificate() {
    let (company, other) = (Authority::new(), Authority::new());
    for (certificate, trusted, cause) in [
        (company.issue(HOST, 2100).acceptor(), None, "UnknownIssuer"),
        (other.issue(HOST, 2100).acceptor(), Some(&company), "BadSignature"),
        (company.issue("mail.example", 2100).acceptor(), Some(&company), "not valid for name \"127.0.0.1\""),
        (company.issue(HOST, 2025).acceptor(), Some(&company), "certificate expired"),
    ] {
        for outcome in over_tls(certificate, trusted).await {
            let Err(Failure::Unreachable(message)) = outcome else { panic!("{outcome:?}") };
            assert!(message.contains("certificate") && message.contains(cause), "{message}");
        }
    }
}

#[tokio::test]
async fn mails_are_not_sent_to_a_server_without_the_required_encryption() {
    let server = SmtpServer::start().await;
    let address = server.address;
    let company = Authority::new();
    let url = format!("smtp://post:geheim@{address}?tls=required");
    for transport in
        [Transport::smtp(&url, FROM), Transport::smtp_trusting(&url, FROM, company.pem().as_bytes())]
    {
        let outcome = transport.unwrap().send(&letter("Eva", "eva@nord.example")).await;
        let Err(Failure::Unreachable(message)) = outcome else { panic!("{outcome:?}") };
        assert!(message.contains("STARTTLS"), "{message}");
    }
    let said = server.overheard();
    assert!(
        said.lines().all(|line| line.starts_with("EHLO") || line == "QUIT") && !said.is_empty(),
        "{said}"
    );
}

#[tokio::test]
async fn invalid_authorities_are_reported_before_anything_is_sent() {
    let pem = Authority::new().pem();
    let garbled = pem.replace("MII", "AAA");
    for (url, authorities, message) in [
        ("smtps://mail.example", "", "no PEM file"),
        (
            "smtps://mail.example",
            "-----BEGIN PRIVATE KEY-----\nMII=\n-----END PRIVATE KEY-----\n",
            "no PEM file",
        ),
        ("smtps://mail.example", &pem[..pem.len() / 2], "no PEM file"),
        ("smtps://mail.example", &garbled, "no PEM file"),
        ("smtp://mail.example", &pem, "is neither"),
        ("smtp://mail.example?tls=opportunistic", &pem, "is neither"),
        ("smtp:geheim", &pem, "STALHOF_SMTP_URL"),
    ] {
        let error = Transport::smtp_trusting(url, FROM, authorities.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(message) && !error.contains("geheim"), "{url}: {error}");
    }
}

#[tokio::test]
async fn a_mail_sent_twice_is_one_file_in_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let mailbox = Mailbox::default();
    let transport = Transport::folder(&folder.path().join("mails"), FROM, Some(mailbox.clone())).unwrap();
    for _ in 0..2 {
        transport.send(&letter("Eva", "eva@nord.example")).await.unwrap();
    }
    let files: Vec<_> = std::fs::read_dir(folder.path().join("mails")).unwrap().map(Result::unwrap).collect();
    assert_eq!(files.len(), 1);
    let file = std::fs::read_to_string(files[0].path()).unwrap();
    assert!(file.contains("To: Eva <eva@nord.example>"), "{file}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(files[0].metadata().unwrap().permissions().mode() & 0o077, 0, "links are secret");
    }
    let latest = mailbox.latest();
    assert_eq!(latest.len(), 1);
    assert_eq!(latest[0].link(), Some("https://stalhof.example/verification?token=lnk_x"));
}

#[tokio::test]
async fn own_mail_files_are_deleted_after_a_month_and_partial_ones_after_a_day() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("mails");
    // A mail server has been used from the beginning.
    clean_up(&folder, now()).unwrap();
    let transport = Transport::folder(&folder, FROM, None).unwrap();
    transport.send(&letter("Eva", "eva@nord.example")).await.unwrap();
    for name in ["123456789.eml", "00000008.eml.part"] {
        std::fs::write(folder.join(name), "x").unwrap();
    }
    let others = ["0000001.eml", "notes.txt", "a0000001.eml", "00000001.eml.bak", "00000001.part", ".eml"];
    for name in others {
        std::fs::write(folder.join(name), "x").unwrap();
    }
    std::fs::create_dir(folder.join("00000002.eml")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(place.path(), folder.join("00000003.eml")).unwrap();
    let own = || {
        let names = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
        names.retain(|name| {
            !others.contains(&&**name) && !["00000002.eml", "00000003.eml"].contains(&&**name)
        });
        names.sort();
        names
    };
    for (hours, remaining_files) in [
        (23, &["00000007.eml", "00000008.eml.part", "123456789.eml"][..]),
        (25, &["00000007.eml", "123456789.eml"]),
        (30 * 24 - 1, &["00000007.eml", "123456789.eml"]),
        (30 * 24 + 1, &[]),
    ] {
        clean_up(&folder, now() + TimeDelta::hours(hours)).unwrap();
        assert_eq!(own(), remaining_files, "after {hours} hours");
    }
    for name in others.iter().chain(&["00000002.eml", "00000003.eml"]) {
        assert!(folder.join(name).symlink_metadata().is_ok(), "{name}");
    }
}

#[tokio::test]
async fn invalid_settings_are_reported_without_the_password() {
    for (url, from) in
        [("http://user:geheim@host", FROM), ("smtp:geheim", FROM), ("smtp://localhost", "post")]
    {
        let error = Transport::smtp(url, from).unwrap_err().to_string();
        assert!(error.contains("STALHOF_") && !error.contains("geheim"), "{error}");
    }
}
