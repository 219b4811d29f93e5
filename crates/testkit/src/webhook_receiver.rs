//! Receiver of webhooks in this process, over HTTPS, with the answers that a test sets.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::TcpListener,
    task::JoinHandle,
};

use crate::{certificates::Authority, file_server::LISTEN};

/// Received request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceivedRequest {
    /// Method and path.
    pub target: String,
    /// Names in lower case, and values.
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl ReceivedRequest {
    /// The value of a header, or an empty text.
    pub fn header(&self, name: &str) -> &str {
        let header = self.headers.iter().find(|(header_name, _)| header_name == name);
        header.map(|(_, value)| value.as_str()).unwrap_or_default()
    }
}

/// The answer to a request.
#[derive(Debug, Clone)]
pub enum Reply {
    Status(u16),
    /// A status with a line of a header.
    WithHeader(u16, String),
    /// A status after a pause.
    After(Duration, u16),
    Nothing,
}

type Answering = Box<dyn FnMut(&ReceivedRequest) -> Reply + Send>;

/// Receiver that runs until it is dropped.
pub struct WebhookReceiver {
    pub address: SocketAddr,
    authority: Authority,
    shared: Arc<Shared>,
    listening: JoinHandle<()>,
}

struct Shared {
    answering: Mutex<Answering>,
    received: Mutex<Vec<ReceivedRequest>>,
}

impl std::fmt::Debug for WebhookReceiver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WebhookReceiver").field("address", &self.address).finish_non_exhaustive()
    }
}

impl Drop for WebhookReceiver {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

impl WebhookReceiver {
    /// Starts a receiver that answers every request with 200.
    pub async fn start() -> Self {
        let authority = Authority::new();
        let acceptor = authority.issue(LISTEN, 2099).acceptor();
        let listener = TcpListener::bind((LISTEN, 0)).await.expect("a loopback address can be listened on");
        let address = listener.local_addr().expect("it listens");
        let shared = Arc::new(Shared {
            answering: Mutex::new(Box::new(|_| Reply::Status(200))),
            received: Mutex::default(),
        });
        let own = shared.clone();
        let listening = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (acceptor, shared) = (acceptor.clone(), own.clone());
                tokio::spawn(async move {
                    if let Ok(stream) = acceptor.accept(stream).await {
                        // the client may hang up at any point
                        let _ = shared.serve(stream).await;
                    }
                });
            }
        });
        Self { address, authority, shared, listening }
    }

    /// The address of a path on this receiver.
    pub fn url(&self, path: &str) -> String {
        format!("https://{LISTEN}:{}{path}", self.address.port())
    }

    /// The certificate of its authority, in PEM.
    pub fn authority(&self) -> String {
        self.authority.pem()
    }

    /// Sets the function that answers from now on.
    pub fn answers(&self, answering: impl FnMut(&ReceivedRequest) -> Reply + Send + 'static) {
        *lock(&self.shared.answering) = Box::new(answering);
    }

    /// Answers every request with this status from now on.
    pub fn answers_with(&self, status: u16) {
        self.answers(move |_| Reply::Status(status));
    }

    /// Requests received so far, in their order.
    pub fn received(&self) -> Vec<ReceivedRequest> {
        lock(&self.shared.received).clone()
    }
}

impl Shared {
    async fn serve<S: AsyncRead + AsyncWrite + Unpin>(&self, mut stream: S) -> std::io::Result<()> {
        let Some(request) = read(&mut stream).await? else { return Ok(()) };
        let reply = (lock(&self.answering))(&request);
        lock(&self.received).push(request);
        let (status, header) = match reply {
            Reply::Status(status) => (status, String::new()),
            Reply::WithHeader(status, header) => (status, format!("{header}\r\n")),
            Reply::After(pause, status) => {
                tokio::time::sleep(pause).await;
                (status, String::new())
            }
            Reply::Nothing => return std::future::pending().await,
        };
        let answer = format!("HTTP/1.1 {status} X\r\n{header}Content-Length: 0\r\nConnection: close\r\n\r\n");
        stream.write_all(answer.as_bytes()).await?;
        stream.shutdown().await
    }
}

async fn read<S: AsyncRead + Unpin>(stream: &mut S) -> std::io::Result<Option<ReceivedRequest>> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|some| some == b"\r\n\r\n") {
            break end;
        }
        if stream.read_buf(&mut bytes).await? == 0 {
            return Ok(None);
        }
    };
    let head = String::from_utf8_lossy(bytes.get(..end).unwrap_or_default()).into_owned();
    let mut lines = head.split("\r\n");
    let target = lines.next().unwrap_or_default().trim_end_matches(" HTTP/1.1").to_owned();
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
        .collect();
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length: usize = length.and_then(|(_, length)| length.parse().ok()).unwrap_or_default();
    while bytes.len() < end + 4 + length {
        if stream.read_buf(&mut bytes).await? == 0 {
            return Ok(None);
        }
    }
    let body = String::from_utf8_lossy(bytes.get(end + 4..).unwrap_or_default()).into_owned();
    Ok(Some(ReceivedRequest { target, headers, body }))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
