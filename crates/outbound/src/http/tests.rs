//! Tests of servers that answer, and of servers that misbehave.

use std::{
    net::{IpAddr, SocketAddr},
    sync::{Arc, Mutex},
};

use futures_util::future::BoxFuture;
use testkit::certificates::Authority;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
    time::{Instant, sleep},
};

use super::*;
use crate::{Resolve, Rules};

/// Address of the test servers, the only one that is allowed.
pub(crate) const LISTEN: &str = "127.9.9.9";
pub(crate) const NAME: &str = "erp.example";

/// Resolver that gives the same addresses for all names, or others each time.
pub(crate) struct Names(Mutex<Vec<Vec<IpAddr>>>);

impl Names {
    /// Answers in this order; the last one is repeated.
    pub(crate) fn answering(answers: &[&[&str]]) -> Self {
        let addresses = |answer: &&[&str]| answer.iter().map(|text| text.parse().unwrap()).collect();
        Self(Mutex::new(answers.iter().rev().map(addresses).collect()))
    }
}

impl Resolve for Names {
    fn resolve<'a>(&'a self, _: &'a str) -> BoxFuture<'a, std::io::Result<Vec<IpAddr>>> {
        let mut answers = self.0.lock().unwrap();
        let answer = if answers.len() > 1 { answers.pop().unwrap() } else { answers[0].clone() };
        Box::pin(async move { Ok(answer) })
    }
}

pub(crate) fn rules_of_listener() -> Rules {
    Rules::with_networks(vec![LISTEN.parse().unwrap()])
}

/// Answer of the server to each request, after its head.
#[derive(Clone)]
pub(crate) enum Mood {
    Says(Vec<u8>),
    /// Sends this again and again.
    Repeats(Vec<u8>),
    /// Sends one byte at a time, with pauses.
    Drips(Vec<u8>),
    SaysNothing,
}

pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    pub(crate) client: Client,
    heads: Arc<Mutex<Vec<String>>>,
    listening: JoinHandle<()>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

impl Server {
    pub(crate) async fn start(mood: Mood) -> Self {
        Self::with_certificate(mood, NAME, 2099).await
    }

    async fn with_certificate(mood: Mood, host: &str, last_year: i32) -> Self {
        let authority = Authority::new();
        let acceptor = authority.issue(host, last_year).acceptor();
        let listener = TcpListener::bind((LISTEN, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let heads = Arc::<Mutex<Vec<String>>>::default();
        let shared = heads.clone();
        let listening = tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let (acceptor, mood, heads) = (acceptor.clone(), mood.clone(), shared.clone());
                tokio::spawn(async move {
                    if let Ok(mut stream) = acceptor.accept(stream).await {
                        let mut head = vec![0; 8192];
                        let length = stream.read(&mut head).await.unwrap_or_default();
                        heads.lock().unwrap().push(String::from_utf8_lossy(&head[..length]).into_owned());
                        // The client may hang up at any point.
                        let _ = say(&mut stream, mood).await;
                    }
                });
            }
        });
        let outbound = Outbound::with_resolver(rules_of_listener(), Names::answering(&[&[LISTEN]]));
        let client = Client::new(outbound, Tls::with_authorities(authority.pem().as_bytes()).unwrap());
        Self { address, client, heads, listening }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("https://{NAME}:{}{path}", self.address.port())
    }

    async fn get(&self, limits: Limits) -> Result<Answer, Failure> {
        self.client.send(get(&self.url("/stock?page=1")), limits).await
    }

    fn heads(&self) -> Vec<String> {
        self.heads.lock().unwrap().clone()
    }
}

async fn say<S: tokio::io::AsyncWrite + Unpin>(stream: &mut S, mood: Mood) -> std::io::Result<()> {
    match mood {
        Mood::Says(answer) => {
            stream.write_all(&answer).await?;
            stream.shutdown().await
        }
        Mood::Repeats(answer) => loop {
            stream.write_all(&answer).await?;
        },
        Mood::Drips(answer) => {
            for byte in answer {
                stream.write_all(&[byte]).await?;
                stream.flush().await?;
                sleep(Duration::from_millis(50)).await;
            }
            Ok(())
        }
        Mood::SaysNothing => std::future::pending().await,
    }
}

pub(crate) fn get(url: &str) -> Call {
    Call {
        method: Method::GET,
        url: HttpsUrl::parse(url).unwrap(),
        headers: HeaderMap::new(),
        body: Bytes::new(),
    }
}

fn says(text: &str) -> Mood {
    Mood::Says(text.as_bytes().to_vec())
}

fn short() -> Limits {
    Limits { idle: Duration::from_millis(300), total: Duration::from_millis(900), ..patient() }
}

/// Limits of a test whose server does answer, even on a slow machine.
fn patient() -> Limits {
    Limits { bytes: 1000, redirects: 0, ..Limits::default() }
}

#[tokio::test]
async fn a_call_is_sent_unchanged_and_its_answer_read_for_any_status() {
    for (answer, status, body) in [
        ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nETag: \"7\"\r\n\r\n42", 200, "42"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n4\r\n1\r\n2\r\n0\r\n\r\n", 200, "42"),
        ("HTTP/1.1 429 Too Many\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n", 429, ""),
        ("HTTP/1.1 503 Away\r\nConnection: close\r\n\r\nlater", 503, "later"),
    ] {
        let server = Server::start(says(answer)).await;
        let mut call = get(&server.url("/stock?page=1"));
        call.method = Method::POST;
        call.body = Bytes::from_static(b"{}");
        call.headers.insert(header::AUTHORIZATION, HeaderValue::from_static("Bearer geheim"));
        call.headers.insert(header::HOST, HeaderValue::from_static("elsewhere.example"));
        let answer = server.client.send(call, Limits::default()).await.unwrap();
        assert_eq!((answer.status.as_u16(), &answer.body[..]), (status, body.as_bytes()));
        let head = server.heads().concat().to_lowercase();
        assert!(head.starts_with("post /stock?page=1 http/1.1\r\n"), "{head}");
        assert!(head.contains(&format!("\r\nhost: {NAME}:{}\r\n", server.address.port())), "{head}");
        assert!(head.contains("\r\nauthorization: bearer geheim\r\n"), "{head}");
        assert!(!head.contains("elsewhere") && !head.contains("cookie"), "{head}");
    }
}

#[tokio::test]
async fn misbehaving_servers_fail_in_time_with_distinct_reasons() {
    let endless_head = [b"HTTP/1.1 200 OK\r\nX: ".to_vec(), vec![b'x'; 200_000]].concat();
    let many_headers = format!("HTTP/1.1 200 OK\r\n{}\r\n", "X: y\r\n".repeat(500));
    let mut drip = b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n".to_vec();
    drip.resize(900, b'x');
    for (mood, expected) in [
        (Mood::SaysNothing, Failure::Silent),
        (Mood::Drips(drip), Failure::Silent),
        (says("HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n"), Failure::TooLarge(1000)),
        (says("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx"), Failure::Interrupted),
        (says(""), Failure::Interrupted),
        (says("SSH-2.0-OpenSSH\r\n\r\n"), Failure::Unreadable),
        (Mood::Says(endless_head), Failure::Unreadable),
        (says(&many_headers), Failure::Unreadable),
        (
            says("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx"),
            Failure::Unreadable,
        ),
        (Mood::Repeats(b"HTTP/1.1 100 Continue\r\n\r\n".to_vec()), Failure::Silent),
        (says("HTTP/1.1 302 Found\r\nLocation: /there\r\nContent-Length: 0\r\n\r\n"), Failure::Redirected),
    ] {
        let server = Server::start(mood).await;
        let began = Instant::now();
        let limits = if expected == Failure::Silent { short() } else { patient() };
        assert_eq!(server.get(limits).await.unwrap_err(), expected, "{:?}", server.heads());
        assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    }
}

#[tokio::test]
async fn an_endless_body_is_cut_off_at_its_limit() {
    let chunk = format!("3e8\r\n{}\r\n", "x".repeat(1000));
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    let server = Server::start(Mood::Says([head, &chunk, &chunk].concat().into_bytes())).await;
    assert_eq!(server.get(patient()).await.unwrap_err(), Failure::TooLarge(1000));
}

#[tokio::test]
async fn certificates_are_verified_against_name_time_and_authority() {
    let other_name = Server::with_certificate(Mood::SaysNothing, "other.example", 2099).await;
    let expired = Server::with_certificate(Mood::SaysNothing, NAME, 2001).await;
    for server in [&other_name, &expired] {
        assert_eq!(server.get(patient()).await.unwrap_err(), Failure::Untrusted);
    }
    let server = Server::start(Mood::SaysNothing).await;
    let strangers = Client { tls: Tls::default(), ..server.client.clone() };
    let refused = strangers.send(get(&server.url("/")), patient()).await.unwrap_err();
    assert_eq!(refused, Failure::Untrusted);
    assert_eq!(server.heads(), [""; 0], "nothing is said before the certificate is verified");
    assert!(Tls::with_authorities(b"no certificate").is_err());
}

#[tokio::test]
async fn a_server_without_tls_is_refused() {
    let listener = TcpListener::bind((LISTEN, 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        stream.write_all(b"220 ftp ready\r\n").await.unwrap();
        sleep(Duration::from_secs(5)).await;
    });
    let server = Server::start(Mood::SaysNothing).await;
    let refused = server.client.send(get(&format!("https://{NAME}:{port}/")), patient()).await.unwrap_err();
    assert_eq!(refused, Failure::Unreadable);
}

#[tokio::test]
async fn a_redirect_is_followed_where_it_is_allowed_and_credentials_stay_with_their_host() {
    let last = Server::start(says("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")).await;
    let redirect =
        format!("HTTP/1.1 307 There\r\nLocation: {}#x\r\nContent-Length: 0\r\n\r\n", last.url("/b"));
    let first = Server::start(says(&redirect)).await;
    // The client of the second server trusts only its authority.
    let mut call = get(&last.url("/a"));
    call.headers.insert(header::AUTHORIZATION, HeaderValue::from_static("Bearer geheim"));
    let limits = Limits { redirects: 1, ..patient() };
    let to_first = Call { url: HttpsUrl::parse(&first.url("/a")).unwrap(), ..call.clone() };
    assert_eq!(first.client.send(to_first, limits).await.unwrap_err(), Failure::Untrusted);

    let within = "HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n";
    let server = Server::start(says(within)).await;
    let mut call = Call { url: HttpsUrl::parse(&server.url("/a")).unwrap(), ..call };
    let refused = server.client.send(call.clone(), Limits { redirects: 3, ..patient() }).await.unwrap_err();
    let heads = server.heads();
    assert_eq!((refused, heads.len()), (Failure::Redirected, 4));
    assert!(heads[3].starts_with("GET /again ") && heads[3].contains("Bearer geheim"), "{heads:?}");
    call.method = Method::POST;
    assert_eq!(server.client.send(call, limits).await.unwrap_err(), Failure::Redirected);

    // The server itself is allowed: only the scheme is rejected.
    let unencrypted = last.url("/").replace("https:", "http:");
    for elsewhere in [&*unencrypted, "ftp://erp.example/", "https://a:b@erp.example/", "//", "https://["] {
        let answer = format!("HTTP/1.1 302 Found\r\nLocation: {elsewhere}\r\nContent-Length: 0\r\n\r\n");
        let server = Server::start(says(&answer)).await;
        assert_eq!(server.get(limits).await.unwrap_err(), Failure::Redirected, "{elsewhere}");
    }
}

#[tokio::test]
async fn credentials_are_not_sent_to_another_port_on_a_redirect() {
    let authority = Authority::new();
    let (acceptor, listener) =
        (authority.issue(NAME, 2099).acceptor(), TcpListener::bind((LISTEN, 0)).await.unwrap());
    let other = TcpListener::bind((LISTEN, 0)).await.unwrap();
    let (port, other_port) = (listener.local_addr().unwrap().port(), other.local_addr().unwrap().port());
    let head_of = |stream: TcpStream, acceptor: tokio_rustls::TlsAcceptor, answer: String| async move {
        let mut stream = acceptor.accept(stream).await.unwrap();
        let mut head = vec![0; 8192];
        let length = stream.read(&mut head).await.unwrap();
        stream.write_all(answer.as_bytes()).await.unwrap();
        stream.shutdown().await.unwrap();
        String::from_utf8_lossy(&head[..length]).into_owned()
    };
    let redirect =
        format!("HTTP/1.1 302 Found\r\nLocation: https://{NAME}:{other_port}/\r\nContent-Length: 0\r\n\r\n");
    let serving = tokio::spawn(async move {
        let (stream, _) = listener.accept().await.unwrap();
        let first = head_of(stream, acceptor.clone(), redirect).await;
        let (stream, _) = other.accept().await.unwrap();
        (first, head_of(stream, acceptor, "HTTP/1.1 204 No\r\n\r\n".to_owned()).await)
    });
    let outbound = Outbound::with_resolver(rules_of_listener(), Names::answering(&[&[LISTEN]]));
    let client = Client::new(outbound, Tls::with_authorities(authority.pem().as_bytes()).unwrap());
    let mut call = get(&format!("https://{NAME}:{port}/"));
    call.headers.insert(header::AUTHORIZATION, HeaderValue::from_static("Bearer geheim"));
    call.headers.insert("x-api-key", HeaderValue::from_static("geheim"));
    let answer = client.send(call, Limits { redirects: 1, ..Limits::default() }).await.unwrap();
    let (first, second) = serving.await.unwrap();
    assert_eq!(answer.status, StatusCode::NO_CONTENT);
    assert!(first.contains("geheim") && !second.contains("geheim"), "{second}");
}

#[test]
fn an_address_is_https_without_credentials_and_without_a_fragment() {
    for good in ["https://erp.example", "https://erp.example:8443/a?b=c", "https://[2606:4700::1111]/"] {
        assert!(HttpsUrl::parse(good).is_ok(), "{good}");
    }
    let long = format!("https://erp.example/{}", "a".repeat(2048));
    for bad in [
        "",
        "erp.example",
        "http://erp.example",
        "ftp://erp.example",
        "file:///etc/passwd",
        "gopher://erp.example",
        "https://user@erp.example",
        "https://user:password@erp.example",
        "https://erp.example#x",
        "https://erp.example\\@127.0.0.1/",
        "https://erp.example/\r\nX: y",
        "https://erp.example/\ta",
        "https://erp.example:0/",
        "https:///path",
        "https:erp.example",
        "https:/erp.example",
        &long,
    ] {
        assert_eq!(HttpsUrl::parse(bad), Err(Failure::InvalidUrl), "{bad}");
    }
}
