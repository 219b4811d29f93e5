//! The history: changes, who made them and in which way. An entry outlives its record, so that it refers to
//! nothing.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

use crate::column::{create_table, execute, index, json, optional_integer, records, text, time};

const ENTRY: &str = "audit_entry";

pub(super) const TABLES: &[&str] = &[ENTRY];

pub(super) async fn create(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let entry = records(ENTRY)
        .col(time("at"))
        .col(text("action"))
        .col(text("record"))
        .col(optional_integer("record_id"))
        .col(text("record_name"))
        .col(optional_integer("tenant_id"))
        .col(optional_integer("user_id"))
        .col(text("channel"))
        .col(optional_integer("channel_id"))
        .col(text("address"))
        .col(text("request").default("").take())
        .col(optional_integer("undoes"))
        .col(json("changes"))
        .take();
    // The list can be narrowed by these, and is in the order of time.
    let indexes = [
        index(ENTRY, &["at", "id"], false),
        index(ENTRY, &["record", "record_id", "at", "id"], false),
        index(ENTRY, &["tenant_id", "at", "id"], false),
        index(ENTRY, &["user_id", "at", "id"], false),
        index(ENTRY, &["action", "at", "id"], false),
    ];
    create_table(manager, &entry, indexes).await?;
    let name = match manager.get_database_backend() {
        DbBackend::Postgres => "record_name COLLATE \"C\"",
        _ => "record_name",
    };
    // Deleted records are found by the beginning of their names.
    let deleted = format!(
        "CREATE INDEX audit_entry_deleted_index ON audit_entry (record, {name}) WHERE action = 'deleted'"
    );
    let statements = [
        "CREATE INDEX audit_entry_address_index ON audit_entry (at) WHERE address <> ''",
        "CREATE INDEX audit_entry_undoes_index ON audit_entry (undoes) WHERE undoes IS NOT NULL",
        deleted.as_str(),
    ];
    execute(manager, &statements).await
}
