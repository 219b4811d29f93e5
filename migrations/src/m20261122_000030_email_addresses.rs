//! E-mail addresses that tell accents apart: whose account it is says a copy in which only case does not count. The folded
//! copy, in which umlauts do not count either, is what lists are searched by.

use sea_orm_migration::{
    prelude::*,
    sea_orm::{ConnectionTrait, DbBackend},
};
use unicode_normalization::UnicodeNormalization;

use crate::column::{dropped, index};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut column = ColumnDef::new("email_key");
        match manager.get_database_backend() {
            DbBackend::Postgres => column.custom("text COLLATE \"C\""),
            _ => column.text(),
        };
        // there are rows already; each gets its own right away
        let column = column.not_null().default("").take();
        manager.alter_table(Table::alter().table("user").add_column(column).take()).await?;
        let db = manager.get_connection();
        let users = Query::select().columns(["id", "email"]).from("user").take();
        for user in db.query_all(&users).await? {
            let (id, email): (i64, String) = (user.try_get("", "id")?, user.try_get("", "email")?);
            let key = Query::update()
                .table("user")
                .value("email_key", key(&email))
                .and_where(Expr::col("id").eq(id))
                .take();
            manager.execute(key).await?;
        }
        // what was told apart by less is told apart by more
        manager.create_index(index("user", &["email_key"], true)).await?;
        manager.drop_index(dropped("user", "user_email_fold_key")).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_index(index("user", &["email_fold"], true)).await?;
        manager.drop_index(dropped("user", "user_email_key_key")).await?;
        manager.alter_table(Table::alter().table("user").drop_column("email_key").take()).await
    }
}

/// As the program compares addresses (`kernel::fold_email`) when this is released.
fn key(email: &str) -> String {
    email.trim().nfc().flat_map(char::to_lowercase).nfc().collect()
}
