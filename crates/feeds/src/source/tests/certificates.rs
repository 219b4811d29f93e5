//! An authority of a company, and the certificates that it issues.

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

pub(super) struct Authority(CertifiedIssuer<'static, KeyPair>);

/// A certificate and its key, in PEM.
pub(super) struct Certificate {
    chain: String,
    key: String,
}

impl Authority {
    pub(super) fn new() -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Self(CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap())
    }

    pub(super) fn pem(&self) -> String {
        self.0.pem()
    }

    pub(super) fn issue(&self, host: &str, last_year: i32) -> Certificate {
        let mut params = CertificateParams::new([host.to_owned()]).unwrap();
        (params.not_before, params.not_after) = (date_time_ymd(2020, 1, 1), date_time_ymd(last_year, 12, 31));
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.0).unwrap();
        Certificate { chain: certificate.pem(), key: key.serialize_pem() }
    }
}

impl Certificate {
    /// Writes certificate and key to two files.
    pub(super) fn write(&self, folder: &Path) -> (PathBuf, PathBuf) {
        let (chain, key) = (folder.join("server.crt"), folder.join("server.key"));
        std::fs::write(&chain, &self.chain).unwrap();
        std::fs::write(&key, &self.key).unwrap();
        (chain, key)
    }

    pub(super) fn acceptor(&self) -> TlsAcceptor {
        let chain = CertificateDer::from_pem_slice(self.chain.as_bytes()).unwrap();
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![chain], PrivateKeyDer::from_pem_slice(self.key.as_bytes()).unwrap());
        TlsAcceptor::from(Arc::new(config.unwrap()))
    }
}
