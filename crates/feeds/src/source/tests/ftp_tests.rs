//! FTP and FTPS explicit, with certificates that are right and others that are not.

use outbound::Failure;
use testkit::{certificates::Authority, file_server::ftp::FtpServer};

use super::*;

#[tokio::test]
async fn a_feed_works_by_ftp() {
    let folder = served_folder();
    let server = FtpServer::start(folder.path(), None).await;
    works_at(endpoint(Protocol::Ftp, server.port, PASSWORD)).await;
}

#[tokio::test]
async fn a_feed_works_by_explicit_ftps_with_a_private_authority() {
    let (folder, authority) = (served_folder(), Authority::new());
    let keys = tempfile::tempdir().unwrap();
    let server =
        FtpServer::start(folder.path(), Some(authority.issue(LISTEN, 2099).write(keys.path()))).await;
    let authorities = Some(authority.pem());
    works_at(Endpoint { authorities, ..endpoint(Protocol::FtpsExplicit, server.port, PASSWORD) }).await;
    // the server answers 534 to those who sign in without TLS
    let error = connect(endpoint(Protocol::Ftp, server.port, PASSWORD)).await.unwrap_err();
    assert_eq!(error.failure, SourceFailure::SignInRefused);
}

#[tokio::test]
async fn invalid_certificates_are_refused() {
    let folder = served_folder();
    let (authority, other) = (Authority::new(), Authority::new());
    for (case, certificate, trusted) in [
        ("unknown authority", authority.issue(LISTEN, 2099), None),
        ("other authority", authority.issue(LISTEN, 2099), Some(other.pem())),
        ("expired", authority.issue(LISTEN, 2025), Some(authority.pem())),
        ("other name", authority.issue("ftp.example.com", 2099), Some(authority.pem())),
        ("other address", authority.issue("127.9.9.8", 2099), Some(authority.pem())),
    ] {
        let keys = tempfile::tempdir().unwrap();
        let server = FtpServer::start(folder.path(), Some(certificate.write(keys.path()))).await;
        let endpoint = endpoint(Protocol::FtpsExplicit, server.port, PASSWORD);
        let error = connect(Endpoint { authorities: trusted, ..endpoint }).await.unwrap_err();
        assert_eq!(error, Failure::Untrusted.into(), "{case}");
    }
}

#[tokio::test]
async fn wrong_passwords_and_servers_without_tls_have_distinct_failures() {
    let folder = served_folder();
    let server = FtpServer::start(folder.path(), None).await;
    let error = connect(endpoint(Protocol::Ftp, server.port, "wrong")).await.unwrap_err();
    assert_eq!(error.failure, SourceFailure::SignInRefused);
    assert!(error.answer.as_ref().is_some_and(|answer| answer.starts_with("530")), "{error:?}");
    let error = connect(endpoint(Protocol::FtpsExplicit, server.port, PASSWORD)).await.unwrap_err();
    assert_eq!(error.failure, SourceFailure::TlsNotOffered);
    let error = connect(endpoint(Protocol::FtpsImplicit, server.port, PASSWORD)).await.unwrap_err();
    assert_eq!(error, Failure::Unreadable.into());
    let authorities = Some("no certificate".to_owned());
    let endpoint = endpoint(Protocol::FtpsExplicit, server.port, PASSWORD);
    let error = connect(Endpoint { authorities, ..endpoint }).await.unwrap_err();
    assert_eq!(error.failure, SourceFailure::AuthorityInvalid);
}
