//! SFTP server that behaves, or misbehaves in a given way.

use std::{
    collections::HashMap,
    io::Read as _,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::Duration,
};

use russh::{
    Channel, ChannelId, MethodKind, MethodSet,
    keys::{Algorithm, PrivateKey, PublicKey, decode_secret_key, ssh_key::private::Ed25519Keypair},
    server::{Auth, Msg, Response, Session, VerifiedPublicKey},
};
use russh_sftp::protocol::{
    Attrs, Data, File, FileAttributes, Handle, Name, OpenFlags, Status, StatusCode, Version,
};
use tokio::{net::TcpListener, task::JoinHandle};

use super::{LISTEN, PASSWORD, USER};

/// RSA host key of a server, stored because generating one takes long without optimisation.
const RSA_HOST_KEY: &str = include_str!("rsa_host_key");

/// An Ed25519 key whose passphrase is `geheim`, encrypted with one round so that reading it is fast.
pub const ENCRYPTED_KEY: &str = include_str!("encrypted_key");

/// Kind of misbehaviour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SftpMood {
    Honest,
    /// Asks for the password by a question.
    AsksQuestions,
    /// Asks questions without an end.
    AsksForEver,
    HasNoSftp,
    /// Answers each read with this number of bytes at most.
    ReadsShort(usize),
    /// Answers each read with one byte more than was asked for.
    ReadsLong,
    /// Announces one size before a file is read and another one afterwards.
    Announces(u64, u64),
    /// Reports another time after a file was read.
    Touches,
    /// Lists this name again and again.
    ListsForEver(&'static str),
    /// Answers with empty lists again and again.
    ListsNothingForEver,
    /// Lists this name once, in addition to the existing ones.
    Lists(&'static str),
    SilentAtRead,
    HangsUpAtRead,
    /// Forbids everything, with these words.
    Forbids(&'static str),
}

/// A server that listens until it is dropped.
#[derive(Debug)]
pub struct SftpServer {
    pub port: u16,
    /// The paths that commands have named.
    paths: Arc<Mutex<Vec<String>>>,
    listening: JoinHandle<()>,
}

impl Drop for SftpServer {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

/// Makes a key of a server or a user.
pub fn ed25519_key() -> PrivateKey {
    let mut seed = [0; 32];
    let random = std::fs::File::open("/dev/urandom").and_then(|mut file| file.read_exact(&mut seed));
    random.expect("there is randomness");
    Ed25519Keypair::from_seed(&seed).into()
}

/// Returns a key of 2048 bits, always the same one.
pub fn rsa_key() -> PrivateKey {
    decode_secret_key(RSA_HOST_KEY, None).expect("a key in PEM")
}

impl SftpServer {
    /// Starts a server for a folder, with a key of its own.
    pub async fn start(folder: &Path, mood: SftpMood) -> Self {
        Self::with_keys(folder, mood, vec![ed25519_key()], None).await
    }

    /// Starts a server whose user has the key [`ENCRYPTED_KEY`] instead of a password.
    pub async fn with_encrypted_key(folder: &Path) -> Self {
        let key = PrivateKey::from_openssh(ENCRYPTED_KEY).expect("a key in OpenSSH's format");
        let key = Some(key.public_key().clone());
        Self::with_keys(folder, SftpMood::Honest, vec![ed25519_key()], key).await
    }

    /// Starts a server with host keys; the user has a password, or this key instead.
    pub async fn with_keys(
        folder: &Path,
        mood: SftpMood,
        keys: Vec<PrivateKey>,
        user_key: Option<PublicKey>,
    ) -> Self {
        let listener = TcpListener::bind((LISTEN, 0)).await.expect("a port is free");
        let port = listener.local_addr().expect("it listens").port();
        let config = Arc::new(russh::server::Config {
            auth_rejection_time: Duration::ZERO,
            keys,
            ..russh::server::Config::default()
        });
        let paths = Arc::<Mutex<Vec<String>>>::default();
        let files =
            Files { folder: folder.to_owned(), mood, paths: paths.clone(), listed: false, was_read: false };
        let listening = tokio::spawn(async move {
            let mut connections = tokio::task::JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                let session =
                    SshSession { files: files.clone(), user_key: user_key.clone(), channels: HashMap::new() };
                let config = config.clone();
                connections.spawn(async move {
                    if let Ok(running) = russh::server::run_stream(config, stream, session).await {
                        // the client may hang up at any point
                        let _ = running.await;
                    }
                });
            }
        });
        Self { port, paths, listening }
    }

    /// Returns the paths that commands have named.
    pub fn paths(&self) -> Vec<String> {
        self.paths.lock().expect("no test has panicked").clone()
    }
}

struct SshSession {
    files: Files,
    user_key: Option<PublicKey>,
    channels: HashMap<ChannelId, Channel<Msg>>,
}

fn question() -> Auth {
    Auth::Partial {
        name: "".into(),
        instructions: "".into(),
        prompts: vec![("Password: ".into(), false)].into(),
    }
}

impl russh::server::Handler for SshSession {
    type Error = russh::Error;

    async fn auth_password(&mut self, user: &str, password: &str) -> Result<Auth, russh::Error> {
        let asks = matches!(self.files.mood, SftpMood::AsksQuestions | SftpMood::AsksForEver);
        if !asks && self.user_key.is_none() && user == USER && password == PASSWORD {
            return Ok(Auth::Accept);
        }
        let next = asks.then(|| MethodSet::from([MethodKind::KeyboardInteractive].as_slice()));
        Ok(Auth::Reject { proceed_with_methods: next, partial_success: false })
    }

    async fn auth_keyboard_interactive<'a>(
        &'a mut self,
        user: &str,
        _: &str,
        response: Option<Response<'a>>,
    ) -> Result<Auth, russh::Error> {
        if !matches!(self.files.mood, SftpMood::AsksQuestions | SftpMood::AsksForEver) {
            return Ok(Auth::reject());
        }
        let Some(mut response) = response else { return Ok(question()) };
        if self.files.mood == SftpMood::AsksForEver {
            return Ok(question());
        }
        let is_right = response.next().is_some_and(|answer| answer == PASSWORD.as_bytes());
        Ok(if is_right && user == USER { Auth::Accept } else { Auth::reject() })
    }

    async fn auth_publickey(&mut self, user: &str, key: VerifiedPublicKey<'_>) -> Result<Auth, russh::Error> {
        let is_sha1 = matches!(key.algorithm, Algorithm::Rsa { hash: None });
        let is_right = self.user_key.as_ref().is_some_and(|own| own.key_data() == key.public_key.key_data());
        Ok(if is_right && user == USER && !is_sha1 { Auth::Accept } else { Auth::reject() })
    }

    async fn channel_open_session(
        &mut self,
        channel: Channel<Msg>,
        reply: russh::server::ChannelOpenHandle,
        _: &mut Session,
    ) -> Result<(), russh::Error> {
        self.channels.insert(channel.id(), channel);
        reply.accept().await;
        Ok(())
    }

    async fn subsystem_request(
        &mut self,
        id: ChannelId,
        name: &str,
        session: &mut Session,
    ) -> Result<(), russh::Error> {
        match self.channels.remove(&id) {
            Some(channel) if name == "sftp" && self.files.mood != SftpMood::HasNoSftp => {
                session.channel_success(id)?;
                russh_sftp::server::run(channel.into_stream(), self.files.clone()).await;
                Ok(())
            }
            _ => session.channel_failure(id),
        }
    }
}

#[derive(Clone)]
struct Files {
    folder: PathBuf,
    mood: SftpMood,
    paths: Arc<Mutex<Vec<String>>>,
    listed: bool,
    was_read: bool,
}

impl Files {
    fn local(&self, path: &str) -> Result<PathBuf, StatusCode> {
        self.paths.lock().expect("no test has panicked").push(path.to_owned());
        if let SftpMood::Forbids(_) = self.mood
            && path != "."
        {
            return Err(StatusCode::PermissionDenied);
        }
        Ok(self.folder.join(path))
    }

    fn attributes(&self, path: &Path) -> Result<FileAttributes, StatusCode> {
        let metadata = std::fs::metadata(path).map_err(|_| StatusCode::NoSuchFile)?;
        let mut attributes = FileAttributes::from(&metadata);
        if metadata.is_file() {
            match self.mood {
                SftpMood::Announces(before, after) => {
                    attributes.size = Some(if self.was_read { after } else { before });
                }
                SftpMood::Touches if self.was_read => attributes.mtime = Some(1),
                _ => {}
            }
        }
        Ok(attributes)
    }
}

fn ok(id: u32) -> Status {
    Status { id, status_code: StatusCode::Ok, error_message: String::new(), language_tag: "en".to_owned() }
}

impl russh_sftp::server::Handler for Files {
    type Error = StatusCode;

    fn unimplemented(&self) -> StatusCode {
        StatusCode::OpUnsupported
    }

    async fn init(&mut self, _: u32, _: HashMap<String, String>) -> Result<Version, StatusCode> {
        Ok(Version::new())
    }

    async fn stat(&mut self, id: u32, path: String) -> Result<Attrs, StatusCode> {
        let attrs = self.attributes(&self.local(&path)?)?;
        Ok(Attrs { id, attrs })
    }

    async fn open(
        &mut self,
        id: u32,
        path: String,
        _: OpenFlags,
        _: FileAttributes,
    ) -> Result<Handle, StatusCode> {
        let local = self.local(&path)?;
        self.attributes(&local)?;
        Ok(Handle { id, handle: local.display().to_string() })
    }

    async fn close(&mut self, id: u32, _: String) -> Result<Status, StatusCode> {
        Ok(ok(id))
    }

    async fn read(&mut self, id: u32, handle: String, offset: u64, len: u32) -> Result<Data, StatusCode> {
        self.was_read = true;
        match self.mood {
            SftpMood::SilentAtRead => std::future::pending::<()>().await,
            SftpMood::HangsUpAtRead => return Err(StatusCode::ConnectionLost),
            SftpMood::ReadsLong => return Ok(Data { id, data: vec![b'x'; len as usize + 1] }),
            _ => {}
        }
        let content = std::fs::read(handle).map_err(|_| StatusCode::Failure)?;
        let offset = usize::try_from(offset).map_err(|_| StatusCode::Failure)?;
        let rest = content.get(offset..).unwrap_or_default();
        let most = if let SftpMood::ReadsShort(most) = self.mood { most } else { usize::MAX };
        let data: Vec<u8> = rest.iter().copied().take(most.min(len as usize)).collect();
        if data.is_empty() { Err(StatusCode::Eof) } else { Ok(Data { id, data }) }
    }

    async fn opendir(&mut self, id: u32, path: String) -> Result<Handle, StatusCode> {
        self.listed = false;
        Ok(Handle { id, handle: self.local(&path)?.display().to_string() })
    }

    async fn readdir(&mut self, id: u32, handle: String) -> Result<Name, StatusCode> {
        let folder_entry = |name: &str| {
            File::new(name, FileAttributes { permissions: Some(0o100_644), ..FileAttributes::empty() })
        };
        match self.mood {
            SftpMood::ListsForEver(name) => return Ok(Name { id, files: vec![folder_entry(name)] }),
            SftpMood::ListsNothingForEver => return Ok(Name { id, files: Vec::new() }),
            _ => {}
        }
        if std::mem::replace(&mut self.listed, true) {
            return Err(StatusCode::Eof);
        }
        let mut files = vec![folder_entry("."), folder_entry("..")];
        for entry in std::fs::read_dir(handle).map_err(|_| StatusCode::NoSuchFile)? {
            let entry = entry.map_err(|_| StatusCode::Failure)?;
            // It may have been deleted meanwhile.
            let Ok(metadata) = entry.metadata() else { continue };
            let name = entry.file_name().into_string().map_err(|_| StatusCode::Failure)?;
            files.push(File::new(name, FileAttributes::from(&metadata)));
        }
        if let SftpMood::Lists(name) = self.mood {
            files.push(folder_entry(name));
        }
        Ok(Name { id, files })
    }

    async fn remove(&mut self, id: u32, path: String) -> Result<Status, StatusCode> {
        std::fs::remove_file(self.local(&path)?).map_err(|_| StatusCode::NoSuchFile)?;
        Ok(ok(id))
    }

    async fn rename(&mut self, id: u32, from: String, to: String) -> Result<Status, StatusCode> {
        let (from, to) = (self.local(&from)?, self.local(&to)?);
        std::fs::rename(from, to).map_err(|_| StatusCode::NoSuchFile)?;
        Ok(ok(id))
    }
}
