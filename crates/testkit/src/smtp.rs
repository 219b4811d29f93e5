//! Mail server of one test: speaks SMTP, over TLS if it has a certificate, stores received mails, and
//! misbehaves on request.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use tokio::{
    io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};
use tokio_rustls::TlsAcceptor;

/// Mail as it was received.
#[derive(Debug, Clone)]
pub struct ReceivedMail {
    pub from: String,
    pub to: Vec<String>,
    pub content: String,
    /// True if it came over TLS.
    pub encrypted: bool,
}

/// Treatment of the next mails.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Behaviour {
    #[default]
    Accepts,
    /// Greets every client with this line, and hangs up.
    Greets(&'static str),
    /// Answers each recipient with this line.
    Answers(&'static str),
    /// Accepts a mail, but hangs up instead of answering.
    HangsUpAfterwards,
}

/// TLS of the server, and when it starts.
#[derive(Clone, Default)]
pub enum Security {
    #[default]
    None,
    /// Encrypted from the start, as for `smtps://`.
    FromTheBeginning(TlsAcceptor),
    /// Encrypted on request of the client (STARTTLS).
    WhenAsked(TlsAcceptor),
}

#[derive(Debug, Default)]
struct Shared {
    behaviour: Behaviour,
    received: Vec<ReceivedMail>,
    /// Lines that came unencrypted.
    overheard: Vec<String>,
}

/// Server that listens until it is stopped or dropped.
#[derive(Debug)]
pub struct SmtpServer {
    pub address: SocketAddr,
    shared: Arc<Mutex<Shared>>,
    listening: JoinHandle<()>,
}

impl SmtpServer {
    /// Starts a server without encryption.
    pub async fn start() -> Self {
        Self::secured(Security::None).await
    }

    /// Starts a server with this security on a free port.
    pub async fn secured(security: Security) -> Self {
        Self::listening(([127, 0, 0, 1], 0).into(), security).await
    }

    /// Starts a server at the address of a former one.
    ///
    /// # Panics
    /// If the address is in use, so the test cannot run.
    pub async fn at(address: SocketAddr) -> Self {
        Self::listening(address, Security::None).await
    }

    async fn listening(address: SocketAddr, security: Security) -> Self {
        let listener = TcpListener::bind(address).await.expect("the address is free");
        let address = listener.local_addr().expect("it listens");
        let shared: Arc<Mutex<Shared>> = Arc::default();
        let state = shared.clone();
        let listening = tokio::spawn(async move {
            // connections end with their server
            let mut connections = tokio::task::JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                let (state, security) = (state.clone(), security.clone());
                connections.spawn(async move {
                    // A client that hangs up has sent everything.
                    let _ = receive(stream, &security, &state).await;
                });
            }
        });
        Self { address, shared, listening }
    }

    /// Address of the server for settings: `smtp://127.0.0.1:2525`.
    pub fn url(&self) -> String {
        format!("smtp://{}", self.address)
    }

    /// Sets the behaviour for the next messages.
    pub fn set(&self, behaviour: Behaviour) {
        self.shared.lock().expect("no test has panicked").behaviour = behaviour;
    }

    /// Returns the messages received until now.
    pub fn received(&self) -> Vec<ReceivedMail> {
        self.shared.lock().expect("no test has panicked").received.clone()
    }

    /// Everything that an eavesdropper could read.
    pub fn overheard(&self) -> String {
        self.shared.lock().expect("no test has panicked").overheard.join("\n")
    }

    /// Stops listening.
    pub async fn stop(mut self) {
        self.listening.abort();
        // Waits until it has stopped.
        let _ = (&mut self.listening).await;
    }
}

impl Drop for SmtpServer {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

async fn receive(stream: TcpStream, security: &Security, shared: &Mutex<Shared>) -> std::io::Result<()> {
    match security {
        Security::None => converse(stream, Line::Open, shared).await.map(drop),
        Security::FromTheBeginning(tls) => {
            converse(tls.accept(stream).await?, Line::Encrypted, shared).await.map(drop)
        }
        Security::WhenAsked(tls) => match converse(stream, Line::Upgradable, shared).await? {
            Some(stream) => converse(tls.accept(stream).await?, Line::Upgraded, shared).await.map(drop),
            None => Ok(()),
        },
    }
}

/// State of the encryption of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    Open,
    Upgradable,
    /// Greeted already.
    Upgraded,
    Encrypted,
}

/// Talks to a client until it is done, or asks for TLS: then the stream is returned to be encrypted.
async fn converse<S: AsyncRead + AsyncWrite + Unpin>(
    stream: S,
    line: Line,
    shared: &Mutex<Shared>,
) -> std::io::Result<Option<S>> {
    let shared = || shared.lock().expect("no test has panicked");
    let behaviour = || shared().behaviour;
    let mut stream = BufReader::new(stream);
    if let Behaviour::Greets(greeting) = behaviour() {
        stream.write_all(format!("{greeting}\r\n").as_bytes()).await?;
        stream.flush().await?;
        return Ok(None);
    }
    if line != Line::Upgraded {
        write_line(&mut stream, "220 test ESMTP").await?;
    }
    let encrypted = matches!(line, Line::Encrypted | Line::Upgraded);
    let mut mail = ReceivedMail { from: String::new(), to: Vec::new(), content: String::new(), encrypted };
    while let Some(command) = read_line(&mut stream, encrypted, &shared).await? {
        let verb = command.split([' ', ':']).next().unwrap_or_default().to_ascii_uppercase();
        let answer = match (&*verb, behaviour()) {
            // A client that would send a password unencrypted is not prevented from it.
            ("EHLO", _) if line == Line::Upgradable => "250-test\r\n250-STARTTLS\r\n250 AUTH PLAIN",
            ("EHLO", _) => "250-test\r\n250-8BITMIME\r\n250 AUTH PLAIN",
            ("STARTTLS", _) if line == Line::Upgradable => {
                write_line(&mut stream, "220 go on").await?;
                return Ok(Some(stream.into_inner()));
            }
            ("AUTH", _) => "235 you are known",
            ("MAIL", _) => {
                mail = ReceivedMail {
                    from: bracketed(&command),
                    to: Vec::new(),
                    content: String::new(),
                    encrypted,
                };
                "250 ok"
            }
            ("RCPT", Behaviour::Answers(refusal)) => refusal,
            ("RCPT", _) => {
                mail.to.push(bracketed(&command));
                "250 ok"
            }
            ("DATA", _) => {
                write_line(&mut stream, "354 go on").await?;
                while let Some(text_line) = read_line(&mut stream, encrypted, &shared).await? {
                    if text_line == "." {
                        break;
                    }
                    mail.content += text_line.strip_prefix('.').unwrap_or(&text_line);
                    mail.content += "\n";
                }
                shared().received.push(mail.clone());
                if behaviour() == Behaviour::HangsUpAfterwards {
                    return Ok(None);
                }
                "250 queued"
            }
            ("NOOP" | "RSET", _) => "250 ok",
            ("QUIT", _) => {
                write_line(&mut stream, "221 bye").await?;
                return Ok(None);
            }
            _ => "502 not known",
        };
        write_line(&mut stream, answer).await?;
    }
    Ok(None)
}

async fn write_line<S: AsyncWrite + Unpin>(stream: &mut S, answer: &str) -> std::io::Result<()> {
    stream.write_all(format!("{answer}\r\n").as_bytes()).await?;
    stream.flush().await
}

/// Reads the next line with any bytes; empty if the other side has hung up.
async fn read_line<'s, S: AsyncRead + Unpin>(
    stream: &mut BufReader<S>,
    encrypted: bool,
    shared: &impl Fn() -> std::sync::MutexGuard<'s, Shared>,
) -> std::io::Result<Option<String>> {
    let mut bytes = Vec::new();
    if stream.read_until(b'\n', &mut bytes).await? == 0 {
        return Ok(None);
    }
    let line = String::from_utf8_lossy(&bytes).trim_end_matches(['\r', '\n']).to_owned();
    if !encrypted {
        shared().overheard.push(line.clone());
    }
    Ok(Some(line))
}

fn bracketed(line: &str) -> String {
    line.split(['<', '>']).nth(1).unwrap_or_default().to_owned()
}
