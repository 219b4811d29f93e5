//! A small FTP server that behaves, or misbehaves in the way of its mood, and notes each command.

use std::{
    io,
    sync::{Arc, Mutex},
};

use tokio::{
    io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};
use tokio_rustls::TlsAcceptor;

use super::{LISTEN, PASSWORD};

/// A way to misbehave.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Mood {
    Honest,
    /// Accepts and sends nothing.
    SaysNothing,
    /// Sends this instead of a greeting, and waits.
    Greets(Vec<u8>),
    /// Sends this again and again.
    GreetsForEver(&'static [u8]),
    /// Sends one byte of a greeting at a time.
    Drips,
    /// Answers the command with this line.
    Answers(&'static str, &'static str),
    /// Sends nothing after this command.
    SilentAfter(&'static str),
    /// Hangs up after this command.
    HangsUpAfter(&'static str),
    /// Sends this as a listing.
    Lists(Vec<u8>),
    /// Sends this as a listing again and again.
    ListsForEver(&'static [u8]),
    /// Announces this size before and another after a transfer.
    Announces(u64, u64),
    /// Sends a file without an end.
    SendsForEver,
    /// Resets the data connection in the middle of a file.
    Resets,
    /// Ends the data connection in the middle of a file, and calls it complete.
    Shortens,
    /// Stops sending in the middle of a file.
    Stalls,
    /// Sends a response before TLS begins, as an attacker on the line could.
    Injects,
}

#[derive(Clone, Default)]
pub(super) enum Encryption {
    #[default]
    None,
    Explicit(TlsAcceptor),
    Implicit(TlsAcceptor),
}

pub(super) struct ScriptedServer {
    pub(super) port: u16,
    commands: Arc<Mutex<Vec<String>>>,
    listening: JoinHandle<()>,
}

impl Drop for ScriptedServer {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

/// The file of the server.
pub(super) const CONTENT: &[u8] = b"article;price\nIPE 200;1.50\n";
const LISTING: &[u8] = b"type=file;size=27;modify=20261128060000; preise.csv\r\ntype=dir; archiv\r\n";

trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}
impl<S: AsyncRead + AsyncWrite + Unpin + Send> Stream for S {}
type Line = Box<dyn Stream>;

impl ScriptedServer {
    pub(super) async fn start(mood: Mood) -> Self {
        Self::encrypted(mood, Encryption::None).await
    }

    pub(super) async fn encrypted(mood: Mood, encryption: Encryption) -> Self {
        let listener = TcpListener::bind((LISTEN, 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let commands = Arc::<Mutex<Vec<String>>>::default();
        let noted = commands.clone();
        let listening = tokio::spawn(async move {
            let mut connections = tokio::task::JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                let mut session = Session {
                    mood: mood.clone(),
                    encryption: encryption.clone(),
                    commands: noted.clone(),
                    data: None,
                    has_sent: false,
                };
                connections.spawn(async move {
                    // the client may hang up at any point
                    let _ = session.serve(stream).await;
                });
            }
        });
        Self { port, commands, listening }
    }

    /// The commands that have arrived, in their order.
    pub(super) fn commands(&self) -> Vec<String> {
        self.commands.lock().unwrap().clone()
    }
}

struct Session {
    mood: Mood,
    encryption: Encryption,
    commands: Arc<Mutex<Vec<String>>>,
    data: Option<TcpListener>,
    has_sent: bool,
}

impl Session {
    async fn serve(&mut self, stream: TcpStream) -> io::Result<()> {
        let mut line: Line = match &self.encryption {
            Encryption::Implicit(acceptor) => Box::new(acceptor.accept(stream).await?),
            _ => Box::new(stream),
        };
        match self.mood.clone() {
            Mood::SaysNothing => return std::future::pending().await,
            Mood::Greets(bytes) => {
                line.write_all(&bytes).await?;
                return std::future::pending().await;
            }
            Mood::GreetsForEver(bytes) => loop {
                line.write_all(bytes).await?;
            },
            Mood::Drips => loop {
                line.write_all(b"2").await?;
                line.flush().await?;
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            },
            _ => line.write_all(b"220-Lager\r\n220 ready\r\n").await?,
        }
        let mut line = BufReader::new(line);
        loop {
            let mut command = Vec::new();
            if line.read_until(b'\n', &mut command).await? == 0 {
                return Ok(());
            }
            let command = String::from_utf8_lossy(&command).trim_end_matches("\r\n").to_owned();
            self.commands.lock().unwrap().push(command.clone());
            let (verb, argument) = command.split_once(' ').unwrap_or((&command, ""));
            match &self.mood {
                Mood::SilentAfter(last) if verb == *last => return std::future::pending().await,
                Mood::HangsUpAfter(last) if verb == *last => return Ok(()),
                Mood::Answers(expected_verb, answer) if verb == *expected_verb => {
                    line.write_all(format!("{answer}\r\n").as_bytes()).await?;
                    continue;
                }
                _ => {}
            }
            let answer = match verb {
                "AUTH" => {
                    let Encryption::Explicit(acceptor) = self.encryption.clone() else {
                        line.write_all(b"502 no\r\n").await?;
                        continue;
                    };
                    if self.mood == Mood::Injects {
                        // In one write, so that one read returns both.
                        line.write_all(b"234 go on\r\n230 you are signed in\r\n").await?;
                        line.flush().await?;
                        return std::future::pending().await;
                    }
                    line.write_all(b"234 go on\r\n").await?;
                    line.flush().await?;
                    line = BufReader::new(Box::new(acceptor.accept(line.into_inner()).await?));
                    continue;
                }
                "USER" => "331 password?",
                "PASS" if argument == PASSWORD => "230 welcome",
                "PASS" => "530 Login incorrect.",
                "FEAT" => "211-Features:\r\n MLST type*;size*;modify*;\r\n UTF8\r\n211 End",
                "SIZE" if argument == "preise.csv" => &format!("213 {}", self.size()),
                "CWD" if argument == "archiv" => "250 ok",
                "SIZE" | "CWD" => "550 no such file",
                "EPSV" | "PASV" => &self.listen(verb).await?,
                "MLSD" | "LIST" => &self.send_listing(&mut line).await?,
                "RETR" if argument == "preise.csv" => &self.send_file(&mut line).await?,
                "RETR" | "DELE" | "RNFR" => "550 no",
                "QUIT" => return line.write_all(b"221 bye\r\n").await,
                _ => "200 ok",
            };
            line.write_all(format!("{answer}\r\n").as_bytes()).await?;
            line.flush().await?;
        }
    }

    fn size(&self) -> u64 {
        match self.mood {
            Mood::Announces(before, after) => {
                if self.has_sent {
                    after
                } else {
                    before
                }
            }
            _ => CONTENT.len() as u64,
        }
    }

    async fn listen(&mut self, verb: &str) -> io::Result<String> {
        let listener = TcpListener::bind((LISTEN, 0)).await?;
        let port = listener.local_addr()?.port();
        self.data = Some(listener);
        Ok(if verb == "EPSV" {
            format!("229 Extended (|||{port}|)")
        } else {
            format!("227 Passive ({},{},{})", LISTEN.replace('.', ","), port >> 8, port & 255)
        })
    }

    /// Accepts the data connection and confirms it.
    async fn accept(&mut self, line: &mut BufReader<Line>) -> io::Result<TcpStream> {
        let listener = self.data.take().ok_or(io::ErrorKind::NotConnected)?;
        let (data, _) = listener.accept().await?;
        line.write_all(b"150 here it comes\r\n").await?;
        line.flush().await?;
        Ok(data)
    }

    async fn secure(&self, data: TcpStream) -> io::Result<Line> {
        Ok(match &self.encryption {
            Encryption::None => Box::new(data),
            Encryption::Explicit(acceptor) | Encryption::Implicit(acceptor) => {
                Box::new(acceptor.accept(data).await?)
            }
        })
    }

    async fn send_listing(&mut self, line: &mut BufReader<Line>) -> io::Result<String> {
        let data = self.accept(line).await?;
        let mut data = self.secure(data).await?;
        match &self.mood {
            Mood::Lists(bytes) => data.write_all(bytes).await?,
            Mood::ListsForEver(bytes) => loop {
                data.write_all(bytes).await?;
            },
            _ => data.write_all(LISTING).await?,
        }
        data.shutdown().await?;
        Ok("226 done".to_owned())
    }

    async fn send_file(&mut self, line: &mut BufReader<Line>) -> io::Result<String> {
        let data = self.accept(line).await?;
        self.has_sent = true;
        let half = &CONTENT[..10];
        if self.mood == Mood::Resets {
            let mut data = data;
            data.write_all(half).await?;
            data.set_zero_linger()?;
            drop(data);
            return Ok("426 gone".to_owned());
        }
        let mut data = self.secure(data).await?;
        match self.mood {
            Mood::SendsForEver => loop {
                data.write_all(&[b'x'; 4096]).await?;
            },
            Mood::Stalls => {
                data.write_all(half).await?;
                data.flush().await?;
                std::future::pending::<()>().await;
            }
            Mood::Shortens => data.write_all(half).await?,
            _ => data.write_all(CONTENT).await?,
        }
        data.shutdown().await?;
        Ok("226 done".to_owned())
    }
}
