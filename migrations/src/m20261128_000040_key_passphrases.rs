//! The passphrase of a private key in FTP settings, sealed like the key.

use sea_orm_migration::prelude::*;

use crate::column::{execute, optional_text};

#[derive(Debug, Clone, Copy)]
pub(crate) struct KeyPassphrases;

impl MigrationName for KeyPassphrases {
    fn name(&self) -> &'static str {
        "m20261128_000040_key_passphrases"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for KeyPassphrases {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let needs_key = Expr::cust("private_key_passphrase_sealed IS NULL OR private_key_sealed IS NOT NULL");
        let column = optional_text("private_key_passphrase_sealed").check(needs_key).take();
        let add = Table::alter().table("ftp_settings").add_column(column).take();
        manager.alter_table(add).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        execute(manager, &["ALTER TABLE ftp_settings DROP COLUMN private_key_passphrase_sealed"]).await
    }
}
