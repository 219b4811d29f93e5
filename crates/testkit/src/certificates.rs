//! Certificate authority of a company, and the certificates that it issues.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair, date_time_ymd};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        ServerConfig,
        crypto::ring,
        pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
    },
};

/// An authority that issues the certificates of a company's servers.
pub struct Authority(CertifiedIssuer<'static, KeyPair>);

impl std::fmt::Debug for Authority {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Authority").finish_non_exhaustive()
    }
}

/// A certificate and its key, in PEM.
pub struct ServerCertificate {
    chain: String,
    key: String,
}

impl std::fmt::Debug for ServerCertificate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ServerCertificate").field("chain", &self.chain).finish_non_exhaustive()
    }
}

impl Authority {
    /// Creates an authority with a key of its own.
    pub fn new() -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("there is randomness");
        Self(CertifiedIssuer::self_signed(params, key).expect("the parameters are complete"))
    }

    /// Certificate of the authority in PEM, as operators have it in a file.
    pub fn pem(&self) -> String {
        self.0.pem()
    }

    /// Issues a certificate for a host, valid from 2020 to the end of the last year.
    pub fn issue(&self, host: &str, last_year: i32) -> ServerCertificate {
        let mut params = CertificateParams::new([host.to_owned()]).expect("the name of a host");
        (params.not_before, params.not_after) = (date_time_ymd(2020, 1, 1), date_time_ymd(last_year, 12, 31));
        let key = KeyPair::generate().expect("there is randomness");
        let certificate = params.signed_by(&key, &self.0).expect("the parameters are complete");
        ServerCertificate { chain: certificate.pem(), key: key.serialize_pem() }
    }
}

impl Default for Authority {
    fn default() -> Self {
        Self::new()
    }
}

impl ServerCertificate {
    /// Writes certificate and key to two files.
    pub fn write(&self, folder: &Path) -> (PathBuf, PathBuf) {
        let (chain, key) = (folder.join("server.crt"), folder.join("server.key"));
        std::fs::write(&chain, &self.chain).expect("the folder of the test can be written to");
        std::fs::write(&key, &self.key).expect("the folder of the test can be written to");
        (chain, key)
    }

    /// Returns the server's side of TLS with this certificate.
    pub fn acceptor(&self) -> TlsAcceptor {
        let chain = CertificateDer::from_pem_slice(self.chain.as_bytes()).expect("written as PEM");
        let key = PrivateKeyDer::from_pem_slice(self.key.as_bytes()).expect("written as PEM");
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("ring supports TLS 1.2 and 1.3")
            .with_no_client_auth()
            .with_single_cert(vec![chain], key)
            .expect("the key is the certificate's");
        TlsAcceptor::from(Arc::new(config))
    }
}
