//! Jobs that are due again and again, and the outbox of mails.

use sea_orm_migration::prelude::*;

use crate::column::{
    create_table, index, integer, optional_integer, optional_text, optional_time, part_of, records, text,
    text_key, time,
};

pub(super) const TABLES: &[&str] = &["background_job", "mail"];

/// A mail waits, was sent or was given up. It has a text only as long as it waits.
const ONE_STATE: &str = "(due_at IS NOT NULL AND sent_at IS NULL AND failed_at IS NULL AND text IS NOT NULL) OR \
    (due_at IS NULL AND (sent_at IS NULL) <> (failed_at IS NULL) AND text IS NULL AND html IS NULL)";

pub(super) async fn create(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let job = Table::create()
        .table("background_job")
        .col(text_key("name"))
        .col(time("due_at"))
        .col(optional_text("lease_owner"))
        .col(optional_time("lease_until"))
        .col(integer("fence"))
        .col(optional_time("started_at"))
        .col(optional_time("finished_at"))
        .col(optional_time("failed_at"))
        .col(optional_text("failure"))
        .col(integer("failures_in_row"))
        .col(integer("runs"))
        .col(integer("failed_runs"))
        .check(Expr::cust("(lease_owner IS NULL) = (lease_until IS NULL)"))
        .check(Expr::cust("(failed_at IS NULL) = (failure IS NULL)"))
        .take();
    create_table(manager, &job, []).await?;
    let mail = records("mail")
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
        .col(optional_text("lease_owner"))
        .col(optional_time("lease_until"))
        .col(optional_time("sent_at"))
        .col(optional_time("failed_at"))
        .col(optional_text("error"))
        .foreign_key(&mut part_of("mail", "user_id", "user"))
        .check(Expr::cust(ONE_STATE))
        .take();
    let indexes =
        [index("mail", &["due_at", "id"], false), index("mail", &["user_id", "kind", "created_at"], false)];
    create_table(manager, &mail, indexes).await
}
