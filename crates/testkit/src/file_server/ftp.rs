//! libunftp as a server: FTP, and FTPS explicit.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use async_trait::async_trait;
use libunftp::ServerBuilder;
use tokio::{net::TcpListener, task::JoinHandle};
use unftp_core::auth::{AuthenticationError, Authenticator, Credentials, Principal};
use unftp_sbe_fs::Filesystem;

use super::{LISTEN, PASSWORD, USER};

#[derive(Debug)]
struct OneUser;

#[async_trait]
impl Authenticator for OneUser {
    async fn authenticate(
        &self,
        user: &str,
        credentials: &Credentials,
    ) -> Result<Principal, AuthenticationError> {
        if user == USER && credentials.password.as_deref() == Some(PASSWORD) {
            Ok(Principal { username: user.to_owned() })
        } else {
            Err(AuthenticationError::BadPassword)
        }
    }
}

/// A server that listens until it is dropped.
#[derive(Debug)]
pub struct FtpServer {
    pub port: u16,
    listening: JoinHandle<()>,
}

impl Drop for FtpServer {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

impl FtpServer {
    /// Starts a server for a folder. With a certificate and its key in files it demands TLS (explicit).
    pub async fn start(folder: &Path, certificate: Option<(PathBuf, PathBuf)>) -> Self {
        let listener = TcpListener::bind((LISTEN, 0)).await.expect("a port is free");
        let port = listener.local_addr().expect("it listens").port();
        let folder = folder.to_owned();
        let listening = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let folder = folder.clone();
                let files = Box::new(move || Filesystem::new(folder.clone()).expect("the folder exists"));
                let mut builder = ServerBuilder::with_authenticator(files, Arc::new(OneUser))
                    .passive_ports(20_000..=32_000);
                if let Some((chain, key)) = &certificate {
                    builder = builder.ftps(chain, key).ftps_required(true, true);
                }
                let server = builder.build().expect("the settings are complete");
                tokio::spawn(server.service(stream));
            }
        });
        Self { port, listening }
    }
}
