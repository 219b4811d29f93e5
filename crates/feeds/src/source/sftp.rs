//! An SFTP client: the host key is compared with the pinned one before anything secret is sent.

use std::{
    borrow::Cow,
    sync::{Arc, OnceLock},
};

use futures_util::{StreamExt, stream::FuturesOrdered};
use outbound::{Failure, Outbound};
use russh::{
    ChannelMsg, Disconnect, Preferred, SshId,
    client::{self, AuthResult, KeyboardInteractiveAuthResponse},
    compression,
    keys::{
        HashAlg, PrivateKey, PrivateKeyWithHashAlg, PublicKeyOrCertificate, decode_secret_key, ssh_key::Kdf,
    },
};
use russh_sftp::{
    client::{Config, RawSftpSession, error::Error as SftpError},
    protocol::{FileAttributes, OpenFlags, StatusCode},
};
use secrets::{ExposeSecret, SecretString};
use tokio::{
    io::AsyncWrite,
    time::{Duration, timeout},
};

use super::{
    Credential, Endpoint, EntryKind, HostKey, Limits, Listing, RemoteEntry, RemotePath, Result, SourceError,
    SourceFailure, is_safe_name, receiver::Receiver,
};

/// The bytes of one read.
const CHUNK_BYTES: u32 = 32 << 10;
/// Number of simultaneous reads: a distant server would be slow with one.
const READS_AT_ONCE: usize = 16;
/// The largest packet of a server.
const PACKET_BYTES_MAX: u32 = 256 << 10;
/// The rounds of the encryption of a private key. More only cost time, which the person who enters the key
/// could choose.
const KEY_ROUNDS_MAX: u32 = 1_000;
/// The rounds of questions at a sign-in.
const QUESTIONS_MAX: usize = 4;
/// The time for a goodbye.
const DISCONNECT_WITHIN: Duration = Duration::from_secs(2);

/// A connection after the sign-in.
pub(super) struct Sftp {
    session: client::Handle<HostKeyCheck>,
    files: RawSftpSession,
    endpoint: Endpoint,
    limits: Limits,
    host_key: HostKey,
}

/// Compares the key of the server with the pinned one, if there is one.
struct HostKeyCheck {
    pinned: Option<HostKey>,
    presented: Arc<OnceLock<HostKey>>,
}

impl client::Handler for HostKeyCheck {
    type Error = russh::Error;

    async fn check_server_key(&mut self, presented: &PublicKeyOrCertificate) -> Result<bool, russh::Error> {
        let Some(key) = HostKey::from_presented(presented) else { return Ok(false) };
        // a second exchange of keys has to show the same one
        let first = self.presented.get_or_init(|| key.clone());
        Ok(*first == key && self.pinned.as_ref().is_none_or(|pinned| *pinned == key))
    }
}

impl Sftp {
    pub(super) async fn connect(outbound: &Outbound, endpoint: Endpoint, limits: Limits) -> Result<Self> {
        // a key that cannot be read needs no connection
        let key = match &endpoint.credential {
            Credential::PrivateKey { key, passphrase } => Some(Arc::new(read_key(key, passphrase.as_ref())?)),
            Credential::Password(_) => None,
        };
        let stream = outbound.connect(&endpoint.host, endpoint.port).await?;
        let presented = Arc::<OnceLock<HostKey>>::default();
        let check = HostKeyCheck { pinned: endpoint.host_key.clone(), presented: presented.clone() };
        let config = Arc::new(config(endpoint.host_key.as_ref(), limits));
        let connected = client::connect_stream(config, stream, check);
        let connected = within(limits.answer, connected).await?;
        let mut session = connected.map_err(|error| match (&endpoint.host_key, presented.get()) {
            (Some(pinned), Some(presented)) if pinned != presented => {
                let (pinned, presented) = (pinned.clone(), presented.clone());
                SourceFailure::HostKeyChanged { pinned, presented }.into()
            }
            _ => ssh_error(&error, &endpoint),
        })?;
        let host_key = presented.get().cloned().ok_or(Failure::Unreadable)?;
        within(limits.answer, sign_in(&mut session, &endpoint, key)).await??;
        let files = within(limits.answer, open_files(&session, &endpoint, limits)).await??;
        let sftp = Self { session, files, endpoint, limits, host_key };
        let folder = sftp.folder();
        let attributes = sftp.answer(sftp.files.stat(folder)).await?;
        match attributes {
            Ok(attributes) if kind(&attributes.attrs) == EntryKind::Folder => Ok(sftp),
            outcome => {
                let missing = SourceFailure::FolderMissing(sftp.endpoint.base_path.clone());
                Err(outcome.map_or_else(
                    |error| sftp.refusal(&error, missing.clone(), &missing),
                    |_| missing.clone().into(),
                ))
            }
        }
    }

    pub(super) fn host_key(&self) -> &HostKey {
        &self.host_key
    }

    pub(super) async fn list(&mut self) -> Result<Listing> {
        let missing = SourceFailure::FolderMissing(self.endpoint.base_path.clone());
        let opened = self.answer(self.files.opendir(self.folder())).await?;
        let handle = opened.map_err(|error| self.refusal(&error, missing.clone(), &missing))?.handle;
        let too_long = SourceFailure::ListingTooLong { max: self.limits.entries };
        let mut listing = Listing::default();
        let mut links = Vec::new();
        let (mut count, mut bytes) = (0, 0);
        loop {
            let names = match self.answer(self.files.readdir(handle.as_str())).await? {
                Ok(names) => names,
                Err(SftpError::Status(status)) if status.status_code == StatusCode::Eof => break,
                Err(error) => {
                    return Err(self.refusal(&error, SourceFailure::Refused, &SourceFailure::Refused));
                }
            };
            // an answer without entries counts too: it could come for ever
            count += names.files.len().max(1);
            bytes += names.files.iter().map(|file| file.filename.len() + file.longname.len()).sum::<usize>();
            if count > self.limits.entries + 2 || bytes > self.limits.listing_bytes {
                return Err(too_long.into());
            }
            for file in names.files {
                if matches!(&*file.filename, "." | "..") {
                    continue;
                }
                if !is_safe_name(&file.filename) {
                    listing.unsafe_names += 1;
                    continue;
                }
                if file.attrs.is_symlink() {
                    links.push(listing.entries.len());
                }
                listing.entries.push(entry(file.filename, &file.attrs));
            }
        }
        // A link is resolved to its target, such as the newest file.
        for index in links {
            let Some(link) = listing.entries.get_mut(index) else { continue };
            let path = self.endpoint.base_path.join(&link.name);
            if let Ok(target) = self.answer(self.files.stat(path)).await? {
                *link = entry(std::mem::take(&mut link.name), &target.attrs);
            }
        }
        self.close_handle(handle).await?;
        Ok(listing)
    }

    pub(super) async fn fetch<W: AsyncWrite + Unpin + Send>(
        &mut self,
        name: &str,
        receiver: &mut Receiver<W>,
    ) -> Result<()> {
        let path = self.endpoint.base_path.join(name);
        let before = self.file_attributes(name, &path).await?;
        receiver.check_announced(before.size)?;
        let missing = SourceFailure::FileMissing(name.to_owned());
        let opened = self.files.open(path.as_str(), OpenFlags::READ, FileAttributes::empty());
        let opened = self.answer(opened).await?;
        let handle = opened.map_err(|error| self.refusal(&error, missing.clone(), &missing))?.handle;
        self.read(&handle, name, before.size.unwrap_or_default(), receiver).await?;
        self.close_handle(handle).await?;
        let after = self.file_attributes(name, &path).await?;
        if before.mtime != after.mtime {
            return Err(SourceFailure::FileChanged(name.to_owned()).into());
        }
        receiver.check_complete(before.size, after.size)
    }

    pub(super) async fn rename(&mut self, name: &str, folder: &RemotePath, new_name: &str) -> Result<()> {
        let base = &self.endpoint.base_path;
        let (from, to) = (base.join(name), folder.below(base).join(new_name));
        let renamed = self.answer(self.files.rename(from, to)).await?;
        self.done(renamed, name)
    }

    pub(super) async fn delete(&mut self, name: &str) -> Result<()> {
        let removed = self.answer(self.files.remove(self.endpoint.base_path.join(name))).await?;
        self.done(removed, name)
    }

    pub(super) async fn close(self) {
        // the connection ends in any case
        let _ = self.files.close_session();
        let goodbye = self.session.disconnect(Disconnect::ByApplication, "", "en");
        let _ = timeout(DISCONNECT_WITHIN, goodbye).await;
    }

    /// Reads a file of a given size from beginning to end, several parts at a time.
    async fn read<W: AsyncWrite + Unpin + Send>(
        &self,
        handle: &str,
        name: &str,
        size: u64,
        receiver: &mut Receiver<W>,
    ) -> Result<()> {
        let mut reads = FuturesOrdered::new();
        let (mut next, mut length) = (0, CHUNK_BYTES);
        loop {
            // the read at the very end shows if the file has grown
            while reads.len() < READS_AT_ONCE && next <= size {
                reads.push_back(self.files.read(handle, next, length));
                next += u64::from(length);
            }
            let Some(read) = within(self.limits.idle, reads.next()).await? else {
                return Err(SourceFailure::FileChanged(name.to_owned()).into());
            };
            let data = match read {
                Ok(data) => data.data,
                Err(SftpError::Status(status)) if status.status_code == StatusCode::Eof => return Ok(()),
                Err(error) => {
                    return Err(self.refusal(&error, SourceFailure::Refused, &SourceFailure::Refused));
                }
            };
            if data.is_empty() {
                return Ok(());
            }
            if data.len() > length as usize {
                return Err(Failure::Unreadable.into());
            }
            receiver.write(&data).await?;
            if receiver.bytes() > size {
                return Err(SourceFailure::FileChanged(name.to_owned()).into());
            }
            if data.len() < length as usize {
                // The server returns less per read, or this is the end: the rest is read from here.
                reads.clear();
                next = receiver.bytes();
                if next < size {
                    length = u32::try_from(data.len()).unwrap_or(length).max(1024);
                }
            }
        }
    }

    async fn file_attributes(&self, name: &str, path: &str) -> Result<FileAttributes> {
        let missing = SourceFailure::FileMissing(name.to_owned());
        let answer = self.answer(self.files.stat(path)).await?;
        let attributes = answer.map_err(|error| self.refusal(&error, missing.clone(), &missing))?.attrs;
        if kind(&attributes) == EntryKind::File {
            Ok(attributes)
        } else {
            Err(SourceFailure::NotAFile(name.to_owned()).into())
        }
    }

    fn folder(&self) -> &str {
        match self.endpoint.base_path.as_str() {
            "" => ".",
            path => path,
        }
    }

    async fn close_handle(&self, handle: String) -> Result<()> {
        // the file has been read; an answer is only awaited to stay in step
        let _ = self.answer(self.files.close(handle)).await?;
        Ok(())
    }

    /// An answer within the limit. The inner error is the server's refusal.
    async fn answer<T>(
        &self,
        answer: impl Future<Output = Result<T, SftpError>>,
    ) -> Result<Result<T, SftpError>> {
        within(self.limits.answer, answer).await
    }

    fn done<T>(&self, outcome: Result<T, SftpError>, name: &str) -> Result<()> {
        let missing = SourceFailure::FileMissing(name.to_owned());
        outcome.map(drop).map_err(|error| self.refusal(&error, missing, &SourceFailure::Refused))
    }

    /// Maps an error of the file protocol to a failure.
    fn refusal(&self, error: &SftpError, missing: SourceFailure, forbidden: &SourceFailure) -> SourceError {
        let failure = match error {
            SftpError::Status(status) => match status.status_code {
                StatusCode::NoSuchFile => missing,
                StatusCode::PermissionDenied => forbidden.clone(),
                StatusCode::NoConnection | StatusCode::ConnectionLost => Failure::Interrupted.into(),
                _ => SourceFailure::Refused,
            },
            SftpError::Timeout => Failure::Silent.into(),
            SftpError::UnexpectedPacket | SftpError::Limited(_) => Failure::Unreadable.into(),
            SftpError::IO(_) | SftpError::UnexpectedBehavior(_) => Failure::Interrupted.into(),
        };
        match error {
            SftpError::Status(status) => {
                SourceError::with_answer(failure, &status.error_message, &self.endpoint)
            }
            _ => failure.into(),
        }
    }
}

async fn within<T>(limit: Duration, step: impl Future<Output = T>) -> Result<T> {
    Ok(timeout(limit, step).await.map_err(|_| Failure::Silent)?)
}

fn config(pinned: Option<&HostKey>, limits: Limits) -> client::Config {
    let mut key = Preferred::DEFAULT.key.to_vec();
    if let Some(pinned) = pinned {
        // a server with several keys shows the pinned one, also after it got a newer one
        key.sort_by_key(|algorithm| !pinned.is_of(algorithm));
    }
    let preferred = Preferred {
        key: Cow::Owned(key),
        // a few packed bytes could become many
        compression: Cow::Borrowed(&[compression::NONE]),
        ..Preferred::DEFAULT
    };
    client::Config {
        client_id: SshId::Standard(Cow::Borrowed("SSH-2.0-Stalhof")),
        preferred,
        // the end of a connection that was not closed
        inactivity_timeout: Some(limits.transfer + limits.answer),
        nodelay: true,
        ..client::Config::default()
    }
}

fn ssh_error(error: &russh::Error, endpoint: &Endpoint) -> SourceError {
    use russh::Error;
    match error {
        Error::IO(_) | Error::Disconnect | Error::HUP | Error::SendError | Error::RecvError => {
            Failure::Interrupted.into()
        }
        Error::ConnectionTimeout | Error::InactivityTimeout | Error::KeepaliveTimeout => {
            Failure::Silent.into()
        }
        // "No common algorithm" names what the server offers
        _ => SourceError::with_answer(Failure::Unreadable.into(), &error.to_string(), endpoint),
    }
}

/// Reads a private key. An encrypted one must be in OpenSSH's format, which specifies the cost of its
/// decryption.
fn read_key(key: &SecretString, passphrase: Option<&SecretString>) -> Result<PrivateKey> {
    let text = key.expose_secret().trim();
    let key = match passphrase {
        None => decode_secret_key(text, None).ok(),
        Some(passphrase) => PrivateKey::from_openssh(text).ok().and_then(|key| {
            let is_costly = matches!(key.kdf(), Kdf::Bcrypt { rounds, .. } if *rounds > KEY_ROUNDS_MAX);
            if is_costly {
                return None;
            }
            if key.is_encrypted() { key.decrypt(passphrase.expose_secret()).ok() } else { Some(key) }
        }),
    };
    key.filter(|key| !key.is_encrypted()).ok_or_else(|| SourceFailure::PrivateKeyInvalid.into())
}

async fn sign_in(
    session: &mut client::Handle<HostKeyCheck>,
    endpoint: &Endpoint,
    key: Option<Arc<PrivateKey>>,
) -> Result<()> {
    let failed = |error: russh::Error| ssh_error(&error, endpoint);
    let user = endpoint.user_name.as_str();
    let outcome = match (&endpoint.credential, key) {
        (_, Some(key)) => {
            let hash = if key.algorithm().is_rsa() {
                let best = session.best_supported_rsa_hash().await.map_err(failed)?;
                best.flatten().or(Some(HashAlg::Sha256))
            } else {
                None
            };
            session
                .authenticate_publickey(user, PrivateKeyWithHashAlg::new(key, hash))
                .await
                .map_err(failed)?
        }
        (Credential::Password(password), None) => {
            let outcome = session.authenticate_password(user, password.expose_secret()).await;
            match outcome.map_err(failed)? {
                // servers that ask questions instead, the password being the answer
                AuthResult::Failure { remaining_methods, .. }
                    if remaining_methods.contains(&russh::MethodKind::KeyboardInteractive) =>
                {
                    return answer_questions(session, endpoint, password).await;
                }
                outcome => outcome,
            }
        }
        (Credential::PrivateKey { .. }, None) => return Err(SourceFailure::PrivateKeyInvalid.into()),
    };
    if outcome.success() { Ok(()) } else { Err(SourceFailure::SignInRefused.into()) }
}

/// Answers the one hidden question of a server with the password.
async fn answer_questions(
    session: &mut client::Handle<HostKeyCheck>,
    endpoint: &Endpoint,
    password: &SecretString,
) -> Result<()> {
    let failed = |error: russh::Error| ssh_error(&error, endpoint);
    let user = endpoint.user_name.as_str();
    let mut answer = session.authenticate_keyboard_interactive_start(user, None).await.map_err(failed)?;
    for _ in 0..QUESTIONS_MAX {
        let prompts = match answer {
            KeyboardInteractiveAuthResponse::Success => return Ok(()),
            KeyboardInteractiveAuthResponse::Failure { .. } => break,
            KeyboardInteractiveAuthResponse::InfoRequest { prompts, .. } => prompts,
        };
        let answers = match prompts.as_slice() {
            [] => Vec::new(),
            [prompt] if !prompt.echo => vec![password.expose_secret().to_owned()],
            _ => break,
        };
        answer = session.authenticate_keyboard_interactive_respond(answers).await.map_err(failed)?;
    }
    Err(SourceFailure::SignInRefused.into())
}

/// Opens the file protocol within the session.
async fn open_files(
    session: &client::Handle<HostKeyCheck>,
    endpoint: &Endpoint,
    limits: Limits,
) -> Result<RawSftpSession> {
    let failed = |error: russh::Error| ssh_error(&error, endpoint);
    let mut channel = session.channel_open_session().await.map_err(failed)?;
    channel.request_subsystem(true, "sftp").await.map_err(failed)?;
    loop {
        match channel.wait().await {
            Some(ChannelMsg::Success) => break,
            Some(ChannelMsg::Failure) => return Err(SourceFailure::Refused.into()),
            Some(_) => {}
            None => return Err(Failure::Interrupted.into()),
        }
    }
    let config = Config {
        max_packet_len: PACKET_BYTES_MAX,
        request_timeout_secs: limits.transfer.as_secs().max(1),
        ..Config::default()
    };
    let files = RawSftpSession::new_with_config(channel.into_stream(), config);
    files.init().await.map_err(|_| Failure::Unreadable)?;
    Ok(files)
}

fn kind(attributes: &FileAttributes) -> EntryKind {
    if attributes.is_dir() {
        EntryKind::Folder
    } else if attributes.is_regular() || attributes.permissions.is_none() {
        EntryKind::File
    } else {
        EntryKind::Other
    }
}

fn entry(name: String, attributes: &FileAttributes) -> RemoteEntry {
    let modified = attributes.mtime.and_then(|seconds| chrono::DateTime::from_timestamp(seconds.into(), 0));
    RemoteEntry { name, kind: kind(attributes), size: attributes.size, modified }
}
