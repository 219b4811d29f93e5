//! Clients for the servers of suppliers: FTP, FTPS and SFTP.
//!
//! A [`Connector`] opens a [`Source`] for an [`Endpoint`]. All connections use [`outbound`], including data
//! connections, and everything that a server sends is limited by [`Limits`]. A fetched file is complete only
//! if its size before and after the transfer and the number of received bytes agree. A failed step returns
//! the reason ([`SourceFailure`]) and the server's answer.

mod failure;
mod ftp;
mod host_key;
mod listing;
mod name;
mod receiver;
mod sftp;

use std::{fmt, time::Duration};

use outbound::{Host, Outbound};
use secrets::SecretString;
use tokio::{io::AsyncWrite, time::timeout};

pub use self::{
    failure::{SourceError, SourceFailure},
    host_key::{HostKey, NotAHostKey},
    listing::{EntryKind, Listing, RemoteEntry, is_settled},
    name::{REMOTE_PATH_MAX, RemotePath, is_companion, is_safe_name},
    receiver::FetchedFile,
};
use self::{ftp::Ftp, receiver::Receiver, sftp::Sftp};

type Result<T, E = SourceError> = std::result::Result<T, E>;

/// The protocol of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Protocol {
    Ftp,
    /// FTP that becomes encrypted before the sign-in (AUTH TLS).
    FtpsExplicit,
    /// FTP within TLS from the first byte.
    FtpsImplicit,
    Sftp,
}

impl Protocol {
    /// Port of the protocol if the settings name none.
    pub const fn default_port(self) -> u16 {
        match self {
            Self::Ftp | Self::FtpsExplicit => 21,
            Self::FtpsImplicit => 990,
            Self::Sftp => 22,
        }
    }
}

/// The proof of a user towards a server.
#[derive(Debug, Clone)]
pub enum Credential {
    Password(SecretString),
    /// A private key in OpenSSH or PEM format, for SFTP only.
    PrivateKey {
        key: SecretString,
        passphrase: Option<SecretString>,
    },
}

/// A server, and the folder whose files are read.
#[derive(Debug, Clone)]
pub struct Endpoint {
    pub protocol: Protocol,
    pub host: Host,
    pub port: u16,
    pub user_name: String,
    pub credential: Credential,
    pub base_path: RemotePath,
    /// The host key that an SFTP server must have; at the first connection there is none.
    pub host_key: Option<HostKey>,
    /// Certificates of own authorities (PEM), trusted in addition to those that browsers trust.
    pub authorities: Option<String>,
}

/// The limits of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Time for one answer of the server, from the command to its end, and for each handshake.
    pub answer: Duration,
    /// Time without a byte of a file or a listing.
    pub idle: Duration,
    /// Time for a whole file or listing.
    pub transfer: Duration,
    /// The size of a file.
    pub file_bytes: u64,
    /// The number of entries of a folder.
    pub entries: usize,
    /// The size of a listing on the line.
    pub listing_bytes: usize,
    /// The size of a greeting or of another answer.
    pub answer_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            answer: Duration::from_secs(15),
            idle: Duration::from_secs(10),
            transfer: Duration::from_mins(5),
            file_bytes: 50 << 20,
            entries: 10_000,
            listing_bytes: 4 << 20,
            answer_bytes: 16 << 10,
        }
    }
}

/// Opens connections to servers. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Connector {
    outbound: Outbound,
    limits: Limits,
    allows_plain_ftp: bool,
}

impl Connector {
    /// Creates a connector that refuses unencrypted FTP.
    pub fn new(outbound: Outbound, limits: Limits) -> Self {
        Self { outbound, limits, allows_plain_ftp: false }
    }

    /// The same; FTP without encryption only if the operator allows it.
    #[must_use]
    pub fn with_plain_ftp(self, allows_plain_ftp: bool) -> Self {
        Self { allows_plain_ftp, ..self }
    }

    /// Connects, verifies the server, signs in and opens the folder of an endpoint.
    pub async fn connect(&self, endpoint: Endpoint) -> Result<Source> {
        let has_key = matches!(endpoint.credential, Credential::PrivateKey { .. });
        if endpoint.protocol == Protocol::Ftp && !self.allows_plain_ftp {
            return Err(SourceFailure::PlainFtpForbidden.into());
        }
        if endpoint.protocol != Protocol::Sftp && has_key {
            return Err(SourceFailure::PrivateKeyNeedsSftp.into());
        }
        let session = if endpoint.protocol == Protocol::Sftp {
            Session::Sftp(Box::new(Sftp::connect(&self.outbound, endpoint, self.limits).await?))
        } else {
            Session::Ftp(Box::new(Ftp::connect(self.outbound.clone(), endpoint, self.limits).await?))
        };
        Ok(Source { session, limits: self.limits, is_broken: false })
    }
}

/// An open connection to the folder of an endpoint. It serves one step at a time.
pub struct Source {
    session: Session,
    limits: Limits,
    /// True after a step that left the connection in the middle of something.
    is_broken: bool,
}

enum Session {
    Ftp(Box<Ftp>),
    Sftp(Box<Sftp>),
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source").field("is_broken", &self.is_broken).finish_non_exhaustive()
    }
}

impl Source {
    /// The key that the server has shown, to be pinned at the first connection; only SFTP servers have one.
    pub fn host_key(&self) -> Option<&HostKey> {
        match &self.session {
            Session::Ftp(_) => None,
            Session::Sftp(sftp) => Some(sftp.host_key()),
        }
    }

    /// The server's greeting, for a person who tests the connection.
    pub fn greeting(&self) -> Option<&str> {
        match &self.session {
            Session::Ftp(ftp) => ftp.greeting(),
            Session::Sftp(_) => None,
        }
    }

    /// Lists the folder of the endpoint.
    pub async fn list(&mut self) -> Result<Listing> {
        self.check_usable()?;
        let limit = self.limits.transfer;
        let listed = match &mut self.session {
            Session::Ftp(ftp) => timeout(limit, ftp.list()).await,
            Session::Sftp(sftp) => timeout(limit, sftp.list()).await,
        };
        self.settle(listed.unwrap_or_else(|_| Err(outbound::Failure::Silent.into())))
    }

    /// Reads a file of the folder into a writer, and stops at the limit. Only a file that did not change
    /// meanwhile is complete.
    pub async fn fetch<W: AsyncWrite + Unpin + Send>(
        &mut self,
        name: &str,
        writer: W,
    ) -> Result<FetchedFile> {
        self.check_usable()?;
        check_name(name)?;
        let limit = self.limits.transfer;
        let mut receiver = Receiver::new(name, writer, self.limits.file_bytes);
        let fetched = match &mut self.session {
            Session::Ftp(ftp) => timeout(limit, ftp.fetch(name, &mut receiver)).await,
            Session::Sftp(sftp) => timeout(limit, sftp.fetch(name, &mut receiver)).await,
        };
        self.settle(fetched.unwrap_or_else(|_| Err(outbound::Failure::Silent.into())))?;
        receiver.finish().await
    }

    /// Moves a file of the folder, to a folder below it or one from the root.
    pub async fn rename(&mut self, name: &str, folder: &RemotePath, new_name: &str) -> Result<()> {
        self.check_usable()?;
        check_name(name)?;
        check_name(new_name)?;
        let renamed = match &mut self.session {
            Session::Ftp(ftp) => ftp.rename(name, &folder.join(new_name)).await,
            Session::Sftp(sftp) => sftp.rename(name, folder, new_name).await,
        };
        self.settle(renamed)
    }

    /// Deletes a file of the folder.
    pub async fn delete(&mut self, name: &str) -> Result<()> {
        self.check_usable()?;
        check_name(name)?;
        let deleted = match &mut self.session {
            Session::Ftp(ftp) => ftp.delete(name).await,
            Session::Sftp(sftp) => sftp.delete(name).await,
        };
        self.settle(deleted)
    }

    /// Closes the connection with a goodbye. One that is dropped instead ends without it.
    pub async fn close(self) {
        if self.is_broken {
            return;
        }
        match self.session {
            Session::Ftp(ftp) => ftp.close().await,
            Session::Sftp(sftp) => sftp.close().await,
        }
    }

    fn check_usable(&self) -> Result<()> {
        if self.is_broken { Err(outbound::Failure::Interrupted.into()) } else { Ok(()) }
    }

    /// Notes if a step left the connection in the middle of something: only an answer of the server ends a
    /// step.
    fn settle<T>(&mut self, outcome: Result<T>) -> Result<T> {
        if let Err(error) = &outcome {
            self.is_broken |= !matches!(
                error.failure,
                SourceFailure::FileMissing(_) | SourceFailure::NotAFile(_) | SourceFailure::Refused
            );
        }
        outcome
    }
}

fn check_name(name: &str) -> Result<()> {
    if is_safe_name(name) { Ok(()) } else { Err(SourceFailure::UnsafeName(name.to_owned()).into()) }
}

#[cfg(test)]
mod tests;
