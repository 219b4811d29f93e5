//! The test of FTP settings against an SFTP server.

use std::path::Path;

use testkit::file_server::sftp::{SftpMood, SftpServer};
use tokio::time::Instant;

use super::*;
use crate::{
    codes,
    connection_test::{ConnectionTest, StepOutcome, TestRequest, TestStep},
    file_pattern::FilePattern,
};

/// Tests with a deadline; the report, and what was fetched.
async fn tested(endpoint: Endpoint, pattern: &str, within: Duration) -> (ConnectionTest, Vec<u8>) {
    let folder = tempfile::tempdir().unwrap();
    let empty = |name: &str| {
        let path = folder.path().join(name);
        std::fs::File::create(&path).unwrap();
        path
    };
    let (fetched, converted) = (empty("fetched"), empty("converted"));
    let request = TestRequest {
        endpoint,
        pattern: Some(FilePattern::parse(pattern).unwrap()),
        conversion: None,
        local_time: "2026-11-28T12:00:00".parse().unwrap(),
        deadline: Instant::now() + within,
        fetched: &fetched,
        converted: &converted,
    };
    let test = Box::pin(ConnectionTest::run(&connector(limits()), request)).await;
    (test, std::fs::read(fetched).unwrap_or_default())
}

fn steps(test: &ConnectionTest) -> Vec<(TestStep, Option<values::Code>)> {
    let code = |outcome: &StepOutcome| match outcome {
        StepOutcome::Done => None,
        StepOutcome::Failed(message) => Some(message.code),
    };
    test.steps.iter().map(|report| (report.step, code(&report.outcome))).collect()
}

async fn served(folder: &Path, mood: SftpMood) -> (SftpServer, Endpoint) {
    let server = SftpServer::start(folder, mood).await;
    let endpoint = endpoint(Protocol::Sftp, server.port, PASSWORD);
    (server, endpoint)
}

#[tokio::test]
async fn a_connection_test_shows_the_host_key_even_if_it_has_changed() {
    let folder = served_folder();
    let (_server, endpoint) = served(folder.path(), SftpMood::Honest).await;
    let (test, fetched) = tested(endpoint.clone(), "preise.csv", Duration::from_mins(1)).await;
    let done = [TestStep::Connect, TestStep::List, TestStep::Fetch].map(|step| (step, None));
    assert_eq!(steps(&test), done);
    assert!(fetched == price_file() && test.has_table);
    let host_key = test.host_key.unwrap();

    let other: HostKey = format!("ssh-ed25519 SHA256:{}", "k".repeat(43)).parse().unwrap();
    let changed = Endpoint { host_key: Some(other), ..endpoint };
    let (test, fetched) = tested(changed, "preise.csv", Duration::from_mins(1)).await;
    assert_eq!(steps(&test), [(TestStep::Connect, Some(codes::HOST_KEY_CHANGED))]);
    assert_eq!((test.host_key, fetched.len()), (Some(host_key), 0));
}

#[tokio::test]
async fn a_test_ends_at_its_deadline() {
    let folder = served_folder();
    let (_server, endpoint) = served(folder.path(), SftpMood::SilentAtRead).await;
    let (test, _) = tested(endpoint, "preise.csv", Duration::from_secs(10)).await;
    assert_eq!(steps(&test).last(), Some(&(TestStep::Fetch, Some(codes::HOST_SILENT))));
    assert!(!test.has_table);
}
