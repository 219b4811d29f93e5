//! ERP over HTTPS in this process that answers or misbehaves as a test requires.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use testkit::certificates::Authority;
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::TcpListener,
    task::JoinHandle,
    time::sleep,
};

/// Address at which servers of tests may be reached.
pub(crate) const HOST: &str = "127.9.9.9";

/// Reaction to a request.
pub(crate) enum Reaction {
    /// Answers with status, headers and body.
    Answer(u16, Vec<(&'static str, String)>, Vec<u8>),
    /// Answers after a delay.
    Late(Duration, String),
    /// Sends one byte of the body at a time.
    Drip(String),
    /// Never answers.
    Silence,
    /// Sends an endless body.
    Endless,
}

/// Response 200 with JSON.
pub(crate) fn json(body: &serde_json::Value) -> Reaction {
    Reaction::Answer(200, Vec::new(), body.to_string().into_bytes())
}

/// Response without a body.
pub(crate) fn status(status: u16) -> Reaction {
    Reaction::Answer(status, Vec::new(), Vec::new())
}

/// Request as received.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Received {
    /// Method and path with query.
    pub(crate) fn target(&self) -> &str {
        self.head.split(" HTTP/").next().unwrap()
    }
}

type React = dyn Fn(&Received) -> Reaction + Send + Sync;

pub(crate) struct ErpServer {
    pub(crate) port: u16,
    pub(crate) authority: String,
    received: Arc<Mutex<Vec<Received>>>,
    listening: JoinHandle<()>,
}

impl Drop for ErpServer {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

impl ErpServer {
    pub(crate) async fn start(react: impl Fn(&Received) -> Reaction + Send + Sync + 'static) -> Self {
        Self::start_as(HOST, react).await
    }

    /// Starts a server with the certificate of another name.
    pub(crate) async fn start_as(
        name: &str,
        react: impl Fn(&Received) -> Reaction + Send + Sync + 'static,
    ) -> Self {
        let authority = Authority::new();
        let acceptor = authority.issue(name, 2099).acceptor();
        let listener = TcpListener::bind((HOST, 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let received = Arc::<Mutex<Vec<Received>>>::default();
        let (react, noted): (Arc<React>, _) = (Arc::new(react), received.clone());
        let listening = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (acceptor, react, noted) = (acceptor.clone(), react.clone(), noted.clone());
                tokio::spawn(async move {
                    let Ok(mut stream) = acceptor.accept(stream).await else { return };
                    let Ok(request) = read(&mut stream).await else { return };
                    noted.lock().unwrap().push(request.clone());
                    let reaction = react(&request);
                    // the client may hang up at any point
                    let _ = perform(&mut stream, reaction).await;
                });
            }
        });
        Self { port, authority: authority.pem(), received, listening }
    }

    pub(crate) fn url(&self) -> String {
        format!("https://{HOST}:{}/api", self.port)
    }

    pub(crate) fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }

    pub(crate) fn targets(&self) -> Vec<String> {
        self.received().iter().map(|request| request.target().to_owned()).collect()
    }
}

async fn read(stream: &mut (impl AsyncRead + Unpin)) -> std::io::Result<Received> {
    let mut bytes = Vec::new();
    loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
            let length = head.lines().find_map(|line| {
                let (name, value) = line.split_once(':')?;
                name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
            });
            let mut body = bytes.split_off(end + 4);
            let read = body.len();
            body.resize(length.unwrap_or_default().max(read), 0);
            stream.read_exact(&mut body[read..]).await?;
            return Ok(Received { head, body: String::from_utf8_lossy(&body).into_owned() });
        }
        let mut chunk = [0; 4096];
        let length = stream.read(&mut chunk).await?;
        if length == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        bytes.extend_from_slice(&chunk[..length]);
    }
}

async fn perform(stream: &mut (impl AsyncWrite + Unpin), reaction: Reaction) -> std::io::Result<()> {
    let head = |status: u16, headers: &[(&str, String)], length: usize| {
        let mut lines = vec![format!("HTTP/1.1 {status} X")];
        lines.extend(headers.iter().map(|(name, value)| format!("{name}: {value}")));
        format!("{}\r\nContent-Length: {length}\r\n\r\n", lines.join("\r\n"))
    };
    match reaction {
        Reaction::Answer(status, headers, body) => {
            stream.write_all(head(status, &headers, body.len()).as_bytes()).await?;
            stream.write_all(&body).await?;
        }
        Reaction::Late(pause, body) => {
            sleep(pause).await;
            stream.write_all((head(200, &[], body.len()) + &body).as_bytes()).await?;
        }
        Reaction::Drip(body) => {
            stream.write_all(head(200, &[], body.len()).as_bytes()).await?;
            for byte in body.bytes() {
                stream.write_all(&[byte]).await?;
                stream.flush().await?;
                sleep(Duration::from_millis(100)).await;
            }
        }
        Reaction::Silence => std::future::pending().await,
        Reaction::Endless => {
            stream.write_all(head(200, &[], 100 << 20).as_bytes()).await?;
            let brackets = vec![b'['; 65_536];
            loop {
                stream.write_all(&brackets).await?;
            }
        }
    }
    stream.shutdown().await
}
