//! TLS to other systems: certificates are always verified, against the roots that browsers trust and, if
//! given, a company's own authorities.

use std::{fmt, io, sync::Arc};

use tokio::net::TcpStream;
use tokio_rustls::{
    TlsConnector,
    client::TlsStream,
    rustls::{
        self, ClientConfig, RootCertStore,
        crypto::ring,
        pki_types::{CertificateDer, ServerName, pem::PemObject},
    },
};

use crate::{Failure, Host};

/// Error for a text without a certificate of an authority.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoAuthorities;

impl fmt::Display for NoAuthorities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected are certificates of authorities in PEM")
    }
}

impl std::error::Error for NoAuthorities {}

/// Verification of servers. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Tls(Arc<ClientConfig>);

impl Default for Tls {
    fn default() -> Self {
        Self::with_roots(browser_roots())
    }
}

impl Tls {
    /// Trusts these authorities (PEM) in addition to those that browsers trust.
    pub fn with_authorities(authorities: &[u8]) -> Result<Self, NoAuthorities> {
        let mut roots = browser_roots();
        let before = roots.len();
        for certificate in CertificateDer::pem_slice_iter(authorities) {
            roots.add(certificate.map_err(|_| NoAuthorities)?).map_err(|_| NoAuthorities)?;
        }
        if roots.len() == before { Err(NoAuthorities) } else { Ok(Self::with_roots(roots)) }
    }

    fn with_roots(roots: RootCertStore) -> Self {
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("ring knows TLS 1.2 and 1.3")
            .with_root_certificates(roots)
            .with_no_client_auth();
        Self(Arc::new(config))
    }

    /// Configuration for libraries of other protocols that speak TLS themselves.
    pub fn config(&self) -> Arc<ClientConfig> {
        self.0.clone()
    }

    /// Starts TLS on a connection, and verifies the server's certificate for the host.
    pub async fn secure(&self, stream: TcpStream, host: &Host) -> Result<TlsStream<TcpStream>, Failure> {
        let name = host.name();
        let name = name.strip_suffix('.').unwrap_or(&name).to_owned();
        let name = ServerName::try_from(name).map_err(|_| Failure::InvalidHost)?;
        let connector = TlsConnector::from(self.0.clone());
        connector.connect(name, stream).await.map_err(|error| classify(&error))
    }
}

fn browser_roots() -> RootCertStore {
    RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() }
}

fn classify(error: &io::Error) -> Failure {
    let cause = error.get_ref().and_then(|cause| cause.downcast_ref::<rustls::Error>());
    match cause {
        Some(rustls::Error::InvalidCertificate(_) | rustls::Error::NoCertificatesPresented) => {
            Failure::Untrusted
        }
        Some(_) => Failure::Unreadable,
        None => Failure::Interrupted,
    }
}
