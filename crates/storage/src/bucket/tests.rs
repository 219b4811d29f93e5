//! Tests of buckets against a service in this process.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Instant,
};

use futures_util::TryStreamExt;
use tempfile::TempDir;
use testkit::s3_server::{ACCESS_KEY_ID, BUCKET, S3Server, S3State, SECRET_ACCESS_KEY};
use tokio_rustls::rustls::{RootCertStore, crypto::ring};
use values::fault::Fault;

use super::*;
use crate::{Storage, codes};

/// Service, a bucket of it, and the folder for temporary files.
struct Bed {
    server: S3Server,
    folder: TempDir,
    storage: Storage,
}

fn bucket(server: &S3Server, secret: &str) -> Bucket {
    let tls = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(RootCertStore::empty())
        .with_no_client_auth();
    Bucket {
        address: format!("s3://{BUCKET}/stalhof/test").parse().unwrap(),
        region: Some("eu-central-1".to_owned()),
        endpoint: Some(server.endpoint()),
        access_key_id: Some(ACCESS_KEY_ID.to_owned()),
        secret_access_key: Some(secret.into()),
        tls: Arc::new(tls),
    }
}

impl Bed {
    async fn new() -> Self {
        let (server, folder) = (S3Server::start().await, tempfile::tempdir().unwrap());
        let storage = Storage::in_bucket(folder.path(), &bucket(&server, SECRET_ACCESS_KEY)).unwrap();
        Self { server, folder, storage }
    }

    /// Stores a file of a given size; returns its key and content.
    async fn keep(&self, size: usize) -> Result<(String, Vec<u8>)> {
        let mut content = vec![0; size];
        for (number, piece) in content.chunks_mut(4097).enumerate() {
            piece.fill(number.to_le_bytes()[0]);
        }
        let upload = self.folder.path().join("upload");
        std::fs::write(&upload, &content).unwrap();
        let stored = self.storage.store("imports", &upload).await?;
        assert_eq!((stored.size, stored.sha256), (size as u64, crate::sha256(&content)));
        Ok((stored.key, content))
    }

    /// Waits until no unfinished multipart upload is left.
    async fn is_tidy(&self) -> bool {
        for _ in 0..100 {
            if self.server.unfinished() == 0 {
                return true;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        false
    }
}

#[test]
fn an_address_consists_of_a_bucket_and_a_prefix() {
    for (text, expected) in [
        ("s3://files", "s3://files/"),
        ("s3://files/", "s3://files/"),
        ("s3://my-files.example/stalhof/prod", "s3://my-files.example/stalhof/prod"),
        ("s3://files/stalhof/", "s3://files/stalhof"),
    ] {
        assert_eq!(text.parse::<BucketAddress>().unwrap().to_string(), expected);
    }
    for bad in [
        "",
        "files",
        "s3:/files",
        "s3://",
        "s3://ab",
        "https://files",
        "s3://Files",
        "s3://key:secret@files/x",
        "s3://files/a//b",
        "s3://files/../x",
        "s3://files/a?b",
    ] {
        let refused = bad.parse::<BucketAddress>().unwrap_err();
        assert_eq!(refused, "expected is an address like s3://bucket/prefix", "{bad}");
    }
}

#[tokio::test]
async fn files_of_all_sizes_are_stored_read_listed_and_deleted() {
    const PART: usize = 5 << 20;
    let bed = Bed::new().await;
    let mut keys = Vec::new();
    for size in [1, PART - 1, PART, PART + 1, 3 * PART + 17] {
        let (key, content) = bed.keep(size).await.unwrap();
        let fetched = bed.storage.fetch_unchanged(&key, &crate::sha256(&content)).await.unwrap();
        assert!(std::fs::read(&fetched).unwrap() == content, "{size}");
        let pieces: Vec<_> = bed.storage.read(&key).await.unwrap().try_collect().await.unwrap();
        assert!(pieces.concat() == content, "{size}");
        assert!(bed.server.bucket().join("stalhof/test").join(&key).is_file());
        keys.push(key);
    }
    assert_eq!(bed.server.unfinished(), 0);
    let image = bed.storage.store_bytes("images", b"picture".to_vec()).await.unwrap();
    keys.push(image.clone());
    let mut listed = bed.storage.keys().await.unwrap();
    listed.sort();
    keys.sort();
    assert_eq!(listed, keys);

    assert_eq!(bed.storage.keys_older_than_a_day("images").await.unwrap(), Vec::<String>::new());
    let object = std::fs::File::open(bed.server.bucket().join("stalhof/test").join(&image)).unwrap();
    object.set_modified(std::time::SystemTime::now() - Duration::from_hours(25)).unwrap();
    assert_eq!(bed.storage.keys_older_than_a_day("images").await.unwrap(), std::slice::from_ref(&image));
    assert_eq!(bed.storage.keys_older_than_a_day("imports").await.unwrap(), Vec::<String>::new());

    bed.storage.discard(&image).await;
    bed.storage.discard(&image).await;
    let missing = bed.storage.fetch(&image).await.unwrap_err();
    assert_eq!((missing.code(), missing.fault()), (codes::STORED_FILE_MISSING, None));
    assert!(bed.storage.find(&image).await.unwrap().is_none());
    let empty = bed.keep(0).await.unwrap_err();
    assert!(matches!(empty, Error::Invalid(_)));
}

#[tokio::test]
async fn files_are_restored_under_their_key_and_the_marker_names_the_installation() {
    let bed = Bed::new().await;
    let file = bed.folder.path().join("upload");
    std::fs::write(&file, "content").unwrap();
    bed.storage.restore("imports/former", std::fs::File::open(&file).unwrap()).await.unwrap();
    assert_eq!(bed.storage.keys().await.unwrap(), ["imports/former"]);
    assert_eq!(bed.storage.marker().await.unwrap(), None);
    bed.storage.mark("installation").await.unwrap();
    assert_eq!(bed.storage.marker().await.unwrap().as_deref(), Some("installation"));
}

#[tokio::test]
async fn a_wrong_secret_is_reported_without_showing_it() {
    let bed = Bed::new().await;
    let storage = Storage::in_bucket(bed.folder.path(), &bucket(&bed.server, "wrong secret")).unwrap();
    let refused = storage.store_bytes("images", b"x".to_vec()).await.unwrap_err();
    assert_eq!((refused.code(), refused.fault()), (codes::FILES_AWAY, Some(Fault::FilesAway)));
    let said = refused.to_string();
    assert!(said.contains("access is denied") && !said.contains("secret of"), "{said}");
    assert!(!format!("{:?}", bucket(&bed.server, "wrong secret")).contains("wrong secret"));
}

#[tokio::test]
async fn a_missing_bucket_is_not_reported_as_a_missing_file() {
    let bed = Bed::new().await;
    let elsewhere =
        Bucket { address: "s3://elsewhere".parse().unwrap(), ..bucket(&bed.server, SECRET_ACCESS_KEY) };
    let storage = Storage::in_bucket(bed.folder.path(), &elsewhere).unwrap();
    for refused in [storage.mark("x").await.unwrap_err(), storage.marker().await.unwrap_err()] {
        assert!(matches!(&refused, Error::FilesAway(why) if why == "there is no such bucket"), "{refused}");
    }
}

#[tokio::test]
async fn requests_to_a_failing_service_are_retried_a_few_times() {
    let bed = Bed::new().await;
    let mut failures_left = 2;
    bed.server.decide(move |_| {
        failures_left -= 1;
        if failures_left >= 0 { S3State::Refuses(503) } else { S3State::Works }
    });
    bed.keep(10).await.unwrap();

    let request_count = Arc::new(AtomicUsize::new(0));
    let counter = request_count.clone();
    bed.server.decide(move |_| {
        counter.fetch_add(1, Ordering::Relaxed);
        S3State::Refuses(503)
    });
    let refused = bed.keep(10).await.unwrap_err();
    assert_eq!((refused.code(), request_count.load(Ordering::Relaxed)), (codes::FILES_AWAY, 1 + RETRIES));
}

#[tokio::test]
async fn requests_to_a_silent_or_absent_service_fail_within_nine_seconds() {
    let bed = Bed::new().await;
    let (key, _) = bed.keep(10).await.unwrap();
    bed.server.decide(|_| S3State::Silent);
    let began = Instant::now();
    let refused = bed.storage.fetch(&key).await.unwrap_err();
    assert_eq!(refused.code(), codes::FILES_AWAY);
    assert!(began.elapsed() < Duration::from_secs(9), "{:?}", began.elapsed());

    let Bed { server, folder: _folder, storage } = bed;
    drop(server);
    let began = Instant::now();
    let refused = storage.fetch(&key).await.unwrap_err();
    assert_eq!(refused.code(), codes::FILES_AWAY);
    assert!(refused.to_string().contains("Connection refused"), "{refused}");
    assert!(began.elapsed() < Duration::from_secs(9), "{:?}", began.elapsed());
}

#[tokio::test]
async fn an_interrupted_multipart_upload_is_aborted() {
    let bed = Bed::new().await;
    bed.server.decide(
        |target| {
            if target.contains("partNumber=2") { S3State::Refuses(403) } else { S3State::Works }
        },
    );
    let refused = bed.keep(16 << 20).await.unwrap_err();
    assert_eq!(refused.code(), codes::FILES_AWAY);
    assert!(bed.is_tidy().await, "parts stay behind");
    assert_eq!(bed.storage.keys().await.unwrap(), Vec::<String>::new());

    // the caller gives up while the second part is sent
    let second_part = Arc::new(tokio::sync::Notify::new());
    let sent = second_part.clone();
    bed.server.decide(move |target| {
        if !target.contains("partNumber=2") {
            return S3State::Works;
        }
        sent.notify_one();
        S3State::Silent
    });
    tokio::select! {
        kept = bed.keep(16 << 20) => panic!("{kept:?}"),
        () = second_part.notified() => {}
    }
    assert!(bed.is_tidy().await, "parts stay behind");
    assert_eq!(bed.storage.keys().await.unwrap(), Vec::<String>::new());
}
