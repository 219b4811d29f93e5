//! The control connection: commands of one line, and answers of bounded length.

use std::io::{self, ErrorKind};

use outbound::{Failure, Host, Tls};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::{Duration, timeout},
};
use tokio_rustls::client::TlsStream;

/// A connection, with TLS or without it.
pub(super) enum Line {
    Plain(TcpStream),
    Secured(Box<TlsStream<TcpStream>>),
}

impl Line {
    /// Reads what has arrived; nothing at the end. Many servers end TLS without saying so: sizes and the
    /// answer on the control connection say if something is missing.
    pub(super) async fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Failure> {
        let read = match self {
            Self::Plain(stream) => stream.read(buffer).await,
            Self::Secured(stream) => match stream.read(buffer).await {
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(0),
                read => read,
            },
        };
        read.map_err(|_| Failure::Interrupted)
    }

    async fn write_all(&mut self, data: &[u8]) -> io::Result<()> {
        match self {
            Self::Plain(stream) => stream.write_all(data).await,
            Self::Secured(stream) => {
                stream.write_all(data).await?;
                stream.flush().await
            }
        }
    }

    /// Ends the connection; everything has been read.
    pub(super) async fn close(self) {
        // The other side may have hung up already.
        let _ = match self {
            Self::Plain(mut stream) => stream.shutdown().await,
            Self::Secured(mut stream) => stream.shutdown().await,
        };
    }
}

/// An answer of the server: a code of three digits and lines of text.
pub(super) struct Reply {
    code: u16,
    text: String,
}

impl Reply {
    pub(super) fn is(&self, code: u16) -> bool {
        self.code == code
    }

    /// The first digit: 2 for success, 3 for more to come, 4 and 5 for refusals.
    pub(super) const fn class(&self) -> u16 {
        self.code / 100
    }

    /// True if the server does not know the command.
    pub(super) const fn is_unsupported(&self) -> bool {
        matches!(self.code, 202 | 500..=504)
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn lines(&self) -> impl Iterator<Item = &str> {
        self.text.lines()
    }

    /// The text after the code.
    pub(super) fn rest(&self) -> &str {
        self.text.get(4..).unwrap_or_default().trim()
    }
}

/// Missing or unreadable answer; the latter with its first line.
#[derive(Debug)]
pub(super) struct NoReply {
    pub(super) failure: Failure,
    pub(super) line: String,
}

impl From<Failure> for NoReply {
    fn from(failure: Failure) -> Self {
        Self { failure, line: String::new() }
    }
}

/// The control connection.
pub(super) struct Control {
    line: Line,
    /// Bytes that have arrived and are not read yet.
    arrived: Vec<u8>,
    within: Duration,
    bytes_max: usize,
}

impl Control {
    pub(super) fn new(line: Line, within: Duration, bytes_max: usize) -> Self {
        Self { line, arrived: Vec::new(), within, bytes_max }
    }

    pub(super) fn tcp(&self) -> &TcpStream {
        match &self.line {
            Line::Plain(stream) => stream,
            Line::Secured(stream) => stream.get_ref().0,
        }
    }

    /// Begins TLS. Bytes that arrived before would seem to be encrypted, so they end the connection.
    pub(super) async fn secure(self, tls: &Tls, host: &Host) -> Result<Self, Failure> {
        let Line::Plain(stream) = self.line else { return Err(Failure::Unreadable) };
        if !self.arrived.is_empty() {
            return Err(Failure::Unreadable);
        }
        let secured = timeout(self.within, tls.secure(stream, host)).await.map_err(|_| Failure::Silent)??;
        let line = Line::Secured(Box::new(secured));
        Ok(Self::new(line, self.within, self.bytes_max))
    }

    /// Sends a command, its words separated by spaces, and reads the answer.
    pub(super) async fn command(&mut self, words: &[&str]) -> Result<Reply, NoReply> {
        let command = words.join(" ");
        // names are checked before; this is the last gate before the line
        if command.contains(['\r', '\n', '\0']) {
            return Err(Failure::Unreadable.into());
        }
        let sent = timeout(self.within, self.line.write_all(format!("{command}\r\n").as_bytes())).await;
        sent.map_err(|_| Failure::Silent)?.map_err(|_| Failure::Interrupted)?;
        self.read_reply().await
    }

    /// Reads one answer, of one line or several.
    pub(super) async fn read_reply(&mut self) -> Result<Reply, NoReply> {
        let within = self.within;
        timeout(within, self.read_lines()).await.unwrap_or_else(|_| Err(Failure::Silent.into()))
    }

    async fn read_lines(&mut self) -> Result<Reply, NoReply> {
        let mut bytes_left = self.bytes_max;
        let mut text = self.read_line(&mut bytes_left).await?;
        let Some((code, is_last)) = code_of(&text) else {
            return Err(NoReply { failure: Failure::Unreadable, line: text });
        };
        let mut is_last = is_last;
        while !is_last {
            let line = self.read_line(&mut bytes_left).await?;
            is_last = code_of(&line) == Some((code, true));
            text.push('\n');
            text.push_str(&line);
        }
        Ok(Reply { code, text })
    }

    async fn read_line(&mut self, bytes_left: &mut usize) -> Result<String, Failure> {
        let mut searched = 0;
        loop {
            let new = self.arrived.get(searched..).unwrap_or_default();
            if let Some(end) = new.iter().position(|byte| *byte == b'\n') {
                let length = searched + end + 1;
                *bytes_left = bytes_left.checked_sub(length).ok_or(Failure::TooLarge(self.bytes_max))?;
                let line: Vec<u8> = self.arrived.drain(..length).collect();
                return Ok(String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']).to_owned());
            }
            searched = self.arrived.len();
            if searched > *bytes_left {
                return Err(Failure::TooLarge(self.bytes_max));
            }
            let mut chunk = [0; 4096];
            let read = self.line.read(&mut chunk).await?;
            if read == 0 {
                return Err(Failure::Interrupted);
            }
            self.arrived.extend_from_slice(chunk.get(..read).unwrap_or_default());
        }
    }
}

/// The code at the beginning of a line, and true if the answer ends with it.
fn code_of(line: &str) -> Option<(u16, bool)> {
    let (digits, rest) = line.split_at_checked(3)?;
    let code = digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())??;
    let is_code = (100..600).contains(&code);
    match rest.bytes().next() {
        None | Some(b' ') if is_code => Some((code, true)),
        Some(b'-') if is_code => Some((code, false)),
        _ => None,
    }
}
