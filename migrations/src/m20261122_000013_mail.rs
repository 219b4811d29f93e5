//! The outbox; who has asked for a new password; what a link is bound to.

use sea_orm_migration::prelude::*;

use crate::column::{
    dropped, id, index, integer, optional_integer, optional_text, optional_time, part_of, text, time,
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .create_table(
                Table::create()
                    .table("mail")
                    .col(id())
                    .col(optional_integer("user_id"))
                    .col(text("kind"))
                    .col(text("name"))
                    .col(text("address"))
                    .col(text("language"))
                    .col(text("subject"))
                    .col(optional_text("text"))
                    .col(optional_text("html"))
                    .col(time("created_at"))
                    .col(integer("attempts"))
                    .col(optional_time("due_at"))
                    .col(optional_time("sent_at"))
                    .col(optional_time("failed_at"))
                    .col(optional_text("error"))
                    .foreign_key(&mut part_of("mail", "user_id", "user"))
                    // it waits, has left or was given up, and has a text only as long as it waits
                    .check(Expr::cust(
                        "(due_at IS NOT NULL AND sent_at IS NULL AND failed_at IS NULL AND text IS NOT NULL) OR \
                         (due_at IS NULL AND (sent_at IS NULL) <> (failed_at IS NULL) AND text IS NULL AND html IS NULL)",
                    ))
                    .take(),
            )
            .await?;
        manager.create_index(index("mail", &["due_at", "id"], false)).await?;
        manager.create_index(index("mail", &["user_id", "kind", "created_at"], false)).await?;

        manager
            .create_table(
                Table::create()
                    .table("password_reset_request")
                    .col(id())
                    .col(text("source"))
                    .col(optional_text("email_fold"))
                    .col(time("created_at"))
                    .take(),
            )
            .await?;
        manager.create_index(index("password_reset_request", &["source", "created_at"], false)).await?;

        for column in ["public_id", "bound_to"] {
            manager
                .alter_table(Table::alter().table("one_time_link").add_column(optional_text(column)).take())
                .await?;
        }
        manager.create_index(index("one_time_link", &["public_id"], true)).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_index(dropped("one_time_link", "one_time_link_public_id_key")).await?;
        for column in ["public_id", "bound_to"] {
            manager.alter_table(Table::alter().table("one_time_link").drop_column(column).take()).await?;
        }
        manager.drop_table(Table::drop().table("password_reset_request").take()).await?;
        manager.drop_table(Table::drop().table("mail").take()).await
    }
}
