//! A mail server of one test: it speaks SMTP, keeps what it was given, and misbehaves when told to.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

/// A mail as it came over the wire.
#[derive(Debug, Clone)]
pub struct Received {
    pub from: String,
    pub to: Vec<String>,
    pub content: String,
}

/// How the server treats the next mails.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Mood {
    #[default]
    Accepts,
    /// Greets everybody with this line, and hangs up.
    Greets(&'static str),
    /// Answers each recipient with this line.
    Answers(&'static str),
    /// Hangs up when a mail has been given, and has it all the same.
    HangsUpAfterwards,
}

/// Listens until it is stopped or dropped.
#[derive(Debug)]
pub struct SmtpServer {
    pub address: SocketAddr,
    shared: Arc<Mutex<(Mood, Vec<Received>)>>,
    listening: JoinHandle<()>,
}

impl SmtpServer {
    pub async fn start() -> Self {
        Self::at(([127, 0, 0, 1], 0).into()).await
    }

    /// Where another one has been before.
    ///
    /// # Panics
    /// When the address is in use: the test cannot run.
    pub async fn at(address: SocketAddr) -> Self {
        let listener = TcpListener::bind(address).await.expect("the address is free");
        let address = listener.local_addr().expect("it listens");
        let shared: Arc<Mutex<(Mood, Vec<Received>)>> = Arc::default();
        let kept = shared.clone();
        let listening = tokio::spawn(async move {
            // connections end with their server
            let mut connections = tokio::task::JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                let kept = kept.clone();
                connections.spawn(async move {
                    // who hangs up has said all that he wanted to
                    let _ = converse(stream, &kept).await;
                });
            }
        });
        Self { address, shared, listening }
    }

    pub fn url(&self) -> String {
        format!("smtp://{}", self.address)
    }

    pub fn set(&self, mood: Mood) {
        self.shared.lock().expect("no test has panicked").0 = mood;
    }

    pub fn received(&self) -> Vec<Received> {
        self.shared.lock().expect("no test has panicked").1.clone()
    }

    /// From now on nobody answers.
    pub async fn stop(mut self) {
        self.listening.abort();
        // until it is so
        let _ = (&mut self.listening).await;
    }
}

impl Drop for SmtpServer {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

async fn converse(stream: TcpStream, shared: &Mutex<(Mood, Vec<Received>)>) -> std::io::Result<()> {
    let mood = || shared.lock().expect("no test has panicked").0;
    let (reader, mut writer) = stream.into_split();
    let mut lines = BufReader::new(reader).lines();
    if let Mood::Greets(line) = mood() {
        return writer.write_all(format!("{line}\r\n").as_bytes()).await;
    }
    writer.write_all(b"220 test ESMTP\r\n").await?;
    let mut mail = Received { from: String::new(), to: Vec::new(), content: String::new() };
    while let Some(line) = lines.next_line().await? {
        let verb = line.split([' ', ':']).next().unwrap_or_default().to_ascii_uppercase();
        let answer = match (&*verb, mood()) {
            ("EHLO", _) => "250-test\r\n250 8BITMIME",
            ("MAIL", _) => {
                mail = Received { from: bracketed(&line), to: Vec::new(), content: String::new() };
                "250 ok"
            }
            ("RCPT", Mood::Answers(refusal)) => refusal,
            ("RCPT", _) => {
                mail.to.push(bracketed(&line));
                "250 ok"
            }
            ("DATA", _) => {
                writer.write_all(b"354 go on\r\n").await?;
                while let Some(line) = lines.next_line().await? {
                    if line == "." {
                        break;
                    }
                    mail.content += line.strip_prefix('.').unwrap_or(&line);
                    mail.content += "\n";
                }
                shared.lock().expect("no test has panicked").1.push(mail.clone());
                if mood() == Mood::HangsUpAfterwards {
                    return Ok(());
                }
                "250 queued"
            }
            ("NOOP" | "RSET", _) => "250 ok",
            ("QUIT", _) => return writer.write_all(b"221 bye\r\n").await,
            _ => "502 not known",
        };
        writer.write_all(format!("{answer}\r\n").as_bytes()).await?;
    }
    Ok(())
}

fn bracketed(line: &str) -> String {
    line.split(['<', '>']).nth(1).unwrap_or_default().to_owned()
}
