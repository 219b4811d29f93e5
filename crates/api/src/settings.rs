//! Settings that requests and background work use. The binary reads them from the command line and the
//! environment.

use std::{net::IpAddr, path::PathBuf};

use identity::session::Lifetime;
use logistics::calendar::Installation;
use store::scope::PartnerCircle;

use crate::links::Links;

/// Settings that requests and background work use.
#[derive(Debug, Clone)]
pub struct ServerSettings {
    /// Folder of the embedded database and of uploaded files.
    pub data_dir: PathBuf,
    /// Folder in which mails are stored if there is no mail server.
    pub mail_folder: PathBuf,
    /// Address under which people reach the server, without a slash at its end.
    pub public_url: String,
    /// Address of the shop.
    pub shop_url: Option<String>,
    /// Address of the imprint.
    pub imprint_url: Option<String>,
    /// Address of the privacy notice.
    pub privacy_url: Option<String>,
    /// Menu entries that lead to other systems.
    pub links: Links,
    /// Addresses of proxies whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<IpAddr>,
    pub session_lifetime: Lifetime,
    /// MiB that an uploaded file may have.
    pub upload_max_mb: u64,
    /// MiB of memory for compiled prices.
    pub price_books_mb: usize,
    /// True if tenants may fetch files by FTP without encryption.
    pub plain_ftp: bool,
    /// Defaults for the calendars of warehouses.
    pub installation: Installation,
    pub flags: Flags,
    /// Companies that a tenant's users find and name as trading partners.
    pub partners: PartnerCircle,
}

/// Parts of the product that can be switched.
#[expect(clippy::struct_excessive_bools, reason = "independent switches")]
#[derive(Debug, Clone, Copy)]
pub struct Flags {
    pub processings: bool,
    pub new_price_menu: bool,
    pub price_adjustments: bool,
    pub demo_pages: bool,
}
