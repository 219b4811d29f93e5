//! FTP settings of tenants: the server that their price and stock files come from.

use sea_orm_migration::prelude::*;

use crate::{
    column::{integer, json, optional_integer, optional_text, optional_time, text},
    tenant_table::TenantTable,
};

const TABLE: &str = "ftp_settings";

#[derive(Debug, Clone, Copy)]
pub(crate) struct FtpSettings;

impl MigrationName for FtpSettings {
    fn name(&self) -> &'static str {
        "m20261128_000006_ftp_settings"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for FtpSettings {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        TenantTable::of_records(TABLE)
            .column(text("protocol"))
            .column(text("host"))
            .column(integer("port"))
            .column(text("username"))
            .column(optional_text("password_sealed"))
            .column(optional_time("password_set_at"))
            .column(optional_text("private_key_sealed"))
            .column(optional_time("private_key_set_at"))
            .column(optional_text("host_key"))
            .column(optional_text("ca_certificate"))
            .column(optional_text("base_path"))
            .column(json("price_file"))
            .column(optional_integer("price_profile_id"))
            .column(json("stock_file"))
            .column(optional_integer("stock_profile_id"))
            .column(json("schedules"))
            .column(text("after_reading"))
            .column(optional_text("processed_folder"))
            .check("protocol", "protocol IN ('ftp', 'ftps', 'sftp')")
            .check("port", "port BETWEEN 1 AND 65535")
            .check("password_sealed", "password_sealed IS NULL OR password_set_at IS NOT NULL")
            .check("private_key_sealed", "private_key_sealed IS NULL OR private_key_set_at IS NOT NULL")
            .check("host_key", "host_key IS NULL OR protocol = 'sftp'")
            .check("ca_certificate", "ca_certificate IS NULL OR protocol = 'ftps'")
            .check("after_reading", "after_reading IN ('leave', 'move', 'delete')")
            .check("processed_folder", "processed_folder IS NOT NULL OR after_reading <> 'move'")
            .refers_within_tenant("price_profile_id", "import_profile")
            .refers_within_tenant("stock_profile_id", "import_profile")
            // one for each tenant, until there are names to tell them apart
            .unique(&[])
            .create(manager)
            .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table(TABLE).take()).await
    }
}
