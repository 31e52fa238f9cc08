//! Whom the crawler believes that a host is the one it says, over secure connections.

use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};
use webrank_base::error::{Error, Result};

/// The longest file of certificates.
const MAX_FILE: u64 = 1 << 24;

/// Certificates of authorities: by default those of the web, as Mozilla lists them.
#[derive(Debug, Clone)]
pub struct TlsRoots(RootCerts);

impl Default for TlsRoots {
    fn default() -> Self {
        TlsRoots(RootCerts::WebPki)
    }
}

impl TlsRoots {
    /// The authorities in a file (PEM), and no others.
    ///
    /// # Errors
    /// If the file cannot be read, or has no certificate, or a damaged one.
    pub fn read(path: &Path) -> Result<Self> {
        let cannot = |source| Error::io(path, "cannot read", source);
        let mut pem = Vec::new();
        let file = File::open(path).map_err(cannot)?;
        let read = file.take(MAX_FILE + 1).read_to_end(&mut pem);
        if read.map_err(cannot)? as u64 > MAX_FILE {
            let problem = "is longer than 16 MiB; is this the right file?";
            return Err(Error::file(path, problem));
        }
        let mut authorities = Vec::new();
        for item in parse_pem(&pem) {
            let item = item.map_err(|_| Error::file(path, "is no whole PEM file"))?;
            if let PemItem::Certificate(certificate) = item {
                check(&certificate).map_err(|problem| {
                    let number = authorities.len() + 1;
                    Error::file(
                        path,
                        format!("certificate {number} cannot be read: {problem}"),
                    )
                })?;
                authorities.push(certificate);
            }
        }
        if authorities.is_empty() {
            let problem = "has no certificate; give one or more between lines -----BEGIN CERTIFICATE----- \
                           and -----END CERTIFICATE-----";
            return Err(Error::file(path, problem));
        }
        Ok(TlsRoots(RootCerts::from(authorities)))
    }

    pub(super) fn config(&self) -> TlsConfig {
        let roots = self.0.clone();
        TlsConfig::builder().root_certs(roots).build()
    }
}

/// Connections would leave out an authority that cannot be read.
fn check(certificate: &Certificate) -> std::result::Result<(), rustls::Error> {
    RootCertStore::empty().add(CertificateDer::from(certificate.der()))
}
