//! An FTP client, without TLS or with it: the few commands that a feed needs.
//!
//! Libraries for FTP read listings without a bound and open data connections by themselves; here each byte
//! counts against a limit, and [`outbound`] opens every connection. Data connections are passive, to the
//! server's own address.

mod control;
mod list;

use std::net::SocketAddr;

use outbound::{Failure, Outbound, Tls};
use secrets::ExposeSecret;
use tokio::{
    io::AsyncWrite,
    net::TcpStream,
    time::{Duration, timeout},
};

use self::control::{Control, Line, Reply};
use super::{
    Credential, Endpoint, Limits, Listing, Protocol, RemoteEntry, Result, SourceError, SourceFailure,
    receiver::Receiver,
};

/// The time for a goodbye.
const QUIT_WITHIN: Duration = Duration::from_secs(2);
/// Number of bytes that are read at a time.
const CHUNK_BYTES: usize = 64 << 10;

/// A connection after the sign-in, in the folder of its endpoint.
pub(super) struct Ftp {
    outbound: Outbound,
    /// Present if control and data connections are encrypted.
    tls: Option<Tls>,
    endpoint: Endpoint,
    limits: Limits,
    control: Control,
    greeting: Option<String>,
    has_mlsd: bool,
    has_epsv: bool,
}

impl Ftp {
    pub(super) async fn connect(outbound: Outbound, endpoint: Endpoint, limits: Limits) -> Result<Self> {
        let tls = match (endpoint.protocol, &endpoint.authorities) {
            (Protocol::Ftp, _) => None,
            (_, None) => Some(Tls::default()),
            (_, Some(pem)) => {
                let tls = Tls::with_authorities(pem.as_bytes());
                Some(tls.map_err(|_| SourceFailure::AuthorityInvalid)?)
            }
        };
        let line = Line::Plain(outbound.connect(&endpoint.host, endpoint.port).await?);
        let control = Control::new(line, limits.answer, limits.answer_bytes);
        let mut ftp = Self {
            outbound,
            tls,
            endpoint,
            limits,
            control,
            greeting: None,
            has_mlsd: false,
            has_epsv: true,
        };
        if ftp.endpoint.protocol == Protocol::FtpsImplicit {
            ftp = ftp.secure_control().await?;
        }
        ftp.greet().await?;
        if ftp.endpoint.protocol == Protocol::FtpsExplicit {
            ftp.expect(&["AUTH TLS"], 2, SourceFailure::TlsNotOffered).await?;
            ftp = ftp.secure_control().await?;
        }
        ftp.sign_in().await?;
        if ftp.tls.is_some() {
            ftp.expect(&["PBSZ 0"], 2, SourceFailure::TlsNotOffered).await?;
            ftp.expect(&["PROT P"], 2, SourceFailure::TlsNotOffered).await?;
        }
        ftp.negotiate().await?;
        if !ftp.endpoint.base_path.as_str().is_empty() {
            let path = ftp.endpoint.base_path.clone();
            ftp.expect(&["CWD", path.as_str()], 2, SourceFailure::FolderMissing(path.clone())).await?;
        }
        Ok(ftp)
    }

    /// Behaves as if the server had refused EPSV.
    #[cfg(test)]
    pub(super) fn forget_epsv(&mut self) {
        self.has_epsv = false;
    }

    pub(super) fn greeting(&self) -> Option<&str> {
        self.greeting.as_deref()
    }

    pub(super) async fn list(&mut self) -> Result<Listing> {
        if self.has_mlsd {
            match self.open_transfer(&["MLSD"]).await? {
                Ok(line) => return self.read_listing(line, list::read_mlsd_line).await,
                Err(reply) if reply.is_unsupported() => self.has_mlsd = false,
                Err(reply) => return Err(self.fail(SourceFailure::Refused, &reply)),
            }
        }
        let today = values::today();
        match self.open_transfer(&["LIST"]).await? {
            Ok(line) => self.read_listing(line, |line| list::read_list_line(line, today)).await,
            Err(reply) => Err(self.fail(SourceFailure::Refused, &reply)),
        }
    }

    pub(super) async fn fetch<W: AsyncWrite + Unpin + Send>(
        &mut self,
        name: &str,
        receiver: &mut Receiver<W>,
    ) -> Result<()> {
        let before = self.size(name).await?;
        receiver.check_announced(before)?;
        let mut line = match self.open_transfer(&["RETR", name]).await? {
            Ok(line) => line,
            Err(reply) => return Err(self.missing(name, &reply).await?),
        };
        let mut chunk = vec![0; CHUNK_BYTES];
        loop {
            let data = self.read_data(&mut line, &mut chunk).await?;
            if data.is_empty() {
                break;
            }
            receiver.write(data).await?;
            if before.is_some_and(|before| receiver.bytes() > before) {
                return Err(SourceFailure::FileChanged(name.to_owned()).into());
            }
        }
        let reply = self.finish_transfer(line).await?;
        if reply.class() != 2 {
            // some servers begin to send a folder before they notice
            let is_folder = receiver.bytes() == 0 && self.is_folder(name).await?;
            let not_a_file = SourceFailure::NotAFile(name.to_owned());
            return Err(self.fail(if is_folder { not_a_file } else { Failure::Interrupted.into() }, &reply));
        }
        let after = self.size(name).await?;
        receiver.check_complete(before, after)
    }

    pub(super) async fn rename(&mut self, name: &str, path: &str) -> Result<()> {
        self.expect(&["RNFR", name], 3, SourceFailure::Refused).await?;
        self.expect(&["RNTO", path], 2, SourceFailure::Refused).await?;
        Ok(())
    }

    pub(super) async fn delete(&mut self, name: &str) -> Result<()> {
        self.expect(&["DELE", name], 2, SourceFailure::Refused).await?;
        Ok(())
    }

    pub(super) async fn close(mut self) {
        // the connection ends in any case
        let _ = timeout(QUIT_WITHIN, self.control.command(&["QUIT"])).await;
    }

    async fn secure_control(self) -> Result<Self> {
        let Some(tls) = &self.tls else { return Ok(self) };
        let control = self.control.secure(tls, &self.endpoint.host).await?;
        Ok(Self { control, ..self })
    }

    async fn greet(&mut self) -> Result<()> {
        let mut reply = self.read_reply().await?;
        // "Ready in a few minutes": the same limit applies to the next answer.
        if reply.class() == 1 {
            reply = self.read_reply().await?;
        }
        if reply.class() != 2 {
            return Err(self.fail(SourceFailure::Refused, &reply));
        }
        self.greeting = self.fail(SourceFailure::Refused, &reply).answer;
        Ok(())
    }

    async fn sign_in(&mut self) -> Result<()> {
        let Credential::Password(password) = self.endpoint.credential.clone() else {
            return Err(SourceFailure::PrivateKeyNeedsSftp.into());
        };
        let user_name = self.endpoint.user_name.clone();
        // Neither can be part of a command, so the server would reject them.
        if user_name.contains(char::is_control) || password.expose_secret().contains(char::is_control) {
            return Err(SourceFailure::SignInRefused.into());
        }
        let reply = self.command(&["USER", &user_name]).await?;
        let reply = match reply.class() {
            3 => self.command(&["PASS", password.expose_secret()]).await?,
            _ => reply,
        };
        if reply.class() == 2 { Ok(()) } else { Err(self.fail(SourceFailure::SignInRefused, &reply)) }
    }

    /// Reads the features of the server, and switches to binary transfer.
    async fn negotiate(&mut self) -> Result<()> {
        let features = self.command(&["FEAT"]).await?;
        let has = |name: &str| {
            features.class() == 2
                && features.lines().any(|line| line.trim().to_ascii_uppercase().starts_with(name))
        };
        self.has_mlsd = has("MLST") || has("MLSD");
        if has("UTF8") {
            // those that refuse it send UTF-8 anyway, or names that are left out
            self.command(&["OPTS UTF8 ON"]).await?;
        }
        self.expect(&["TYPE I"], 2, SourceFailure::Refused).await?;
        Ok(())
    }

    /// The size of a file, from the listing where the server does not know SIZE.
    async fn size(&mut self, name: &str) -> Result<Option<u64>> {
        let reply = self.command(&["SIZE", name]).await?;
        if reply.is(213) {
            return Ok(reply.rest().parse().ok());
        }
        if !reply.is_unsupported() {
            return Err(self.missing(name, &reply).await?);
        }
        let listing = self.list().await?;
        let entry = listing.entry(name).ok_or_else(|| SourceFailure::FileMissing(name.to_owned()))?;
        Ok(entry.size)
    }

    /// Finds the reason why a file cannot be read.
    async fn missing(&mut self, name: &str, reply: &Reply) -> Result<SourceError> {
        let is_folder = self.is_folder(name).await?;
        let name = name.to_owned();
        let failure =
            if is_folder { SourceFailure::NotAFile(name) } else { SourceFailure::FileMissing(name) };
        Ok(self.fail(failure, reply))
    }

    /// Tries to enter a folder of this name: only a folder lets one in.
    async fn is_folder(&mut self, name: &str) -> Result<bool> {
        let is_folder = self.command(&["CWD", name]).await?.class() == 2;
        if is_folder {
            self.expect(&["CDUP"], 2, Failure::Interrupted.into()).await?;
        }
        Ok(is_folder)
    }

    /// Opens a data connection and sends the command that uses it. The inner error is the server's refusal.
    async fn open_transfer(&mut self, command: &[&str]) -> Result<Result<Line, Reply>> {
        let stream = self.open_data().await?;
        let reply = self.command(command).await?;
        if reply.class() != 1 {
            return Ok(Err(reply));
        }
        let Some(tls) = &self.tls else { return Ok(Ok(Line::Plain(stream))) };
        let secured = timeout(self.limits.answer, tls.secure(stream, &self.endpoint.host)).await;
        let secured = secured.map_err(|_| Failure::Silent)??;
        Ok(Ok(Line::Secured(Box::new(secured))))
    }

    async fn open_data(&mut self) -> Result<TcpStream> {
        let announced = self.announced_address().await?;
        Ok(self.outbound.connect_data(self.control.tcp(), announced).await?)
    }

    async fn announced_address(&mut self) -> Result<SocketAddr> {
        if self.has_epsv {
            let reply = self.command(&["EPSV"]).await?;
            if reply.is(229) {
                let port = list::epsv_port(reply.rest());
                let port = port.ok_or_else(|| self.fail(Failure::Unreadable.into(), &reply))?;
                let peer = self.control.tcp().peer_addr().map_err(|_| Failure::Interrupted)?;
                return Ok(SocketAddr::new(peer.ip(), port));
            }
            self.has_epsv = false;
        }
        let reply = self.command(&["PASV"]).await?;
        if !reply.is(227) {
            return Err(self.fail(SourceFailure::Refused, &reply));
        }
        list::pasv_address(reply.rest()).ok_or_else(|| self.fail(Failure::Unreadable.into(), &reply))
    }

    async fn read_listing(
        &mut self,
        mut line: Line,
        read: impl Fn(&str) -> Option<RemoteEntry>,
    ) -> Result<Listing> {
        let too_long = SourceFailure::ListingTooLong { max: self.limits.entries };
        let mut listing = Listing::default();
        let (mut pending, mut bytes, mut chunk) = (Vec::new(), 0, vec![0; CHUNK_BYTES]);
        loop {
            let data = self.read_data(&mut line, &mut chunk).await?;
            let is_end = data.is_empty();
            bytes += data.len();
            pending.extend_from_slice(data);
            if is_end && !pending.is_empty() {
                pending.push(b'\n');
            }
            if bytes > self.limits.listing_bytes {
                return Err(too_long.into());
            }
            let complete = pending.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
            let rest = pending.split_off(complete);
            for line in pending.split(|byte| *byte == b'\n') {
                list::add_line(&mut listing, line, &read);
                if listing.entries.len() + listing.unsafe_names > self.limits.entries {
                    return Err(too_long.into());
                }
            }
            pending = rest;
            if is_end {
                break;
            }
        }
        let reply = self.finish_transfer(line).await?;
        if reply.class() == 2 { Ok(listing) } else { Err(self.fail(Failure::Interrupted.into(), &reply)) }
    }

    async fn read_data<'a>(&self, line: &mut Line, chunk: &'a mut [u8]) -> Result<&'a [u8]> {
        let read = timeout(self.limits.idle, line.read(chunk)).await.map_err(|_| Failure::Silent)??;
        Ok(chunk.get(..read).unwrap_or_default())
    }

    /// Ends a data connection. The transfer is complete only if the server confirms it.
    async fn finish_transfer(&mut self, line: Line) -> Result<Reply> {
        line.close().await;
        self.read_reply().await
    }

    async fn read_reply(&mut self) -> Result<Reply> {
        let read = self.control.read_reply().await;
        self.check_reply(read)
    }

    async fn command(&mut self, words: &[&str]) -> Result<Reply> {
        let answered = self.control.command(words).await;
        self.check_reply(answered)
    }

    /// Sends a command and expects an answer of a class.
    async fn expect(&mut self, words: &[&str], class: u16, failure: SourceFailure) -> Result<Reply> {
        let reply = self.command(words).await?;
        if reply.class() == class { Ok(reply) } else { Err(self.fail(failure, &reply)) }
    }

    fn check_reply(&self, read: Result<Reply, control::NoReply>) -> Result<Reply> {
        match read {
            Ok(reply) if reply.is(421) => Err(self.fail(Failure::Interrupted.into(), &reply)),
            Ok(reply) => Ok(reply),
            Err(control::NoReply { failure, line }) => {
                Err(SourceError::with_answer(failure.into(), &line, &self.endpoint))
            }
        }
    }

    fn fail(&self, failure: SourceFailure, reply: &Reply) -> SourceError {
        SourceError::with_answer(failure, reply.text(), &self.endpoint)
    }
}
