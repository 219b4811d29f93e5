//! S3 service in this process: it verifies signatures, stores objects in a folder, and fails on request of a
//! test.

use std::{
    io,
    net::SocketAddr,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use hyper::{Request, Response, StatusCode, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use s3s::{
    Body,
    auth::SimpleAuth,
    service::{S3Service, S3ServiceBuilder},
};
use s3s_fs::FileSystem;
use tempfile::TempDir;
use tokio::{
    net::TcpListener,
    task::{JoinHandle, JoinSet},
};

use crate::file_server::LISTEN;

/// Name of the bucket.
pub const BUCKET: &str = "files";
/// Access key that requests are signed with.
pub const ACCESS_KEY_ID: &str = "stalhof";
/// Secret of the access key.
pub const SECRET_ACCESS_KEY: &str = "a secret of this test";

/// The state of the service for a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum S3State {
    Works,
    /// Rejects the request with this status.
    Refuses(u16),
    /// Accepts the request and never answers.
    Silent,
}

type Deciding = Box<dyn FnMut(&str) -> S3State + Send>;

/// A service with one empty bucket; it ends with this value.
pub struct S3Server {
    pub address: SocketAddr,
    folder: TempDir,
    deciding: Arc<Mutex<Deciding>>,
    listening: JoinHandle<()>,
}

impl std::fmt::Debug for S3Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("S3Server").field("address", &self.address).finish_non_exhaustive()
    }
}

impl S3Server {
    /// Starts a service with an empty bucket.
    pub async fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder for objects");
        std::fs::create_dir(folder.path().join(BUCKET)).expect("a bucket");
        let mut builder = S3ServiceBuilder::new(FileSystem::new(folder.path()).expect("a service"));
        builder.set_auth(SimpleAuth::from_single(ACCESS_KEY_ID, SECRET_ACCESS_KEY));
        let service = builder.build();
        let listener = TcpListener::bind((LISTEN, 0)).await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let deciding: Deciding = Box::new(|_| S3State::Works);
        let deciding = Arc::new(Mutex::new(deciding));
        let listening = tokio::spawn(listen(listener, service, deciding.clone()));
        Self { address, folder, deciding, listening }
    }

    /// The address of the service.
    pub fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Sets the function that decides about each request; it receives the method and the path with its query.
    pub fn decide(&self, deciding: impl FnMut(&str) -> S3State + Send + 'static) {
        *self.deciding.lock().unwrap_or_else(PoisonError::into_inner) = Box::new(deciding);
    }

    /// The folder in which an object of the bucket is a file.
    pub fn bucket(&self) -> PathBuf {
        self.folder.path().join(BUCKET)
    }

    /// The number of files that belong to uploads in parts which are neither completed nor aborted.
    pub fn unfinished(&self) -> usize {
        let entries = std::fs::read_dir(self.folder.path()).expect("the folder of objects");
        entries.flatten().filter(|entry| entry.file_name().to_string_lossy().starts_with(".upload")).count()
    }
}

impl Drop for S3Server {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

async fn listen(listener: TcpListener, service: S3Service, deciding: Arc<Mutex<Deciding>>) {
    // connections end with this
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        let (service, deciding) = (service.clone(), deciding.clone());
        let answering = service_fn(move |request| answer(request, service.clone(), deciding.clone()));
        connections.spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), answering));
    }
}

async fn answer(
    request: Request<Incoming>,
    service: S3Service,
    deciding: Arc<Mutex<Deciding>>,
) -> Result<Response<Body>, io::Error> {
    let target = format!("{} {}", request.method(), request.uri());
    let state = deciding.lock().unwrap_or_else(PoisonError::into_inner)(&target);
    let is_elsewhere = !request.uri().path().starts_with(&format!("/{BUCKET}"));
    match state {
        // The implementation would create the bucket.
        S3State::Works if is_elsewhere => {
            let mut answer = Response::new(Body::from("<Error><Code>NoSuchBucket</Code></Error>".to_owned()));
            *answer.status_mut() = StatusCode::NOT_FOUND;
            Ok(answer)
        }
        S3State::Works => hyper::service::Service::call(&service, request)
            .await
            .map_err(|error| io::Error::other(format!("{error:?}"))),
        S3State::Refuses(status) => {
            let mut answer = Response::new(Body::empty());
            *answer.status_mut() = StatusCode::from_u16(status).map_err(io::Error::other)?;
            Ok(answer)
        }
        S3State::Silent => std::future::pending().await,
    }
}
