//! FTP settings.

use sea_orm::entity::prelude::*;
use secrets::SealedValue;
use values::{Instant, TenantId};

use super::fields::{AfterReading, FtpProtocol, PriceFile, Schedules, StockFile};

/// Row of the table `ftp_settings`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "ftp_settings")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub tenant_id: TenantId,
    pub protocol: FtpProtocol,
    pub host: String,
    pub port: i64,
    pub username: String,
    pub password_sealed: Option<SealedValue>,
    /// Time at which the password was entered; `None` without a password.
    pub password_set_at: Option<Instant>,
    pub private_key_sealed: Option<SealedValue>,
    pub private_key_set_at: Option<Instant>,
    /// The passphrase by which the private key is encrypted; `None` if it is not.
    pub private_key_passphrase_sealed: Option<SealedValue>,
    /// The key by which an SFTP server is recognised (`source::HostKey`); `None` until it is trusted.
    pub host_key: Option<String>,
    /// Certificates of authorities (PEM) that are trusted for an FTPS server.
    pub ca_certificate: Option<String>,
    pub base_path: Option<String>,
    #[sea_orm(column_type = "JsonBinary")]
    pub price_file: PriceFile,
    pub price_profile_id: Option<i64>,
    #[sea_orm(column_type = "JsonBinary")]
    pub stock_file: StockFile,
    pub stock_profile_id: Option<i64>,
    #[sea_orm(column_type = "JsonBinary")]
    pub schedules: Schedules,
    pub after_reading: AfterReading,
    pub processed_folder: Option<String>,
    pub version: i64,
    pub created_at: Instant,
    pub updated_at: Instant,
}

/// Relations of the table `ftp_settings`.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
