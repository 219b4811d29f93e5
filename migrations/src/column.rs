//! The kinds of columns that all tables share.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

pub(crate) fn id() -> ColumnDef {
    ColumnDef::new("id").big_integer().not_null().auto_increment().primary_key().take()
}

/// A reference, or a count.
pub(crate) fn integer(name: &'static str) -> ColumnDef {
    ColumnDef::new(name).big_integer().not_null().take()
}

pub(crate) fn optional_integer(name: &'static str) -> ColumnDef {
    ColumnDef::new(name).big_integer().null().take()
}

pub(crate) fn text(name: &'static str) -> ColumnDef {
    ColumnDef::new(name).text().not_null().take()
}

pub(crate) fn optional_text(name: &'static str) -> ColumnDef {
    ColumnDef::new(name).text().null().take()
}

pub(crate) fn boolean(name: &'static str) -> ColumnDef {
    ColumnDef::new(name).boolean().not_null().take()
}

pub(crate) fn time(name: &'static str) -> ColumnDef {
    ColumnDef::new(name).timestamp_with_time_zone().not_null().take()
}

pub(crate) fn optional_time(name: &'static str) -> ColumnDef {
    ColumnDef::new(name).timestamp_with_time_zone().null().take()
}

pub(crate) fn json(name: &'static str) -> ColumnDef {
    ColumnDef::new(name).json_binary().not_null().take()
}

/// Folded text: compared byte by byte on both databases, so that sort order and prefix search are the same.
pub(crate) fn folded(manager: &SchemaManager<'_>, name: impl Into<String>) -> ColumnDef {
    let mut column = ColumnDef::new(name.into());
    match manager.get_database_backend() {
        DbBackend::Postgres => column.custom("text COLLATE \"C\""),
        _ => column.text(),
    };
    column.not_null().take()
}

/// `version`, `created_at`, `updated_at`: what every record carries.
pub(crate) fn record(table: &mut TableCreateStatement) -> &mut TableCreateStatement {
    table.col(integer("version")).col(time("created_at")).col(time("updated_at"))
}

/// A foreign key whose target cannot be deleted while it is referred to.
pub(crate) fn reference(
    from: &'static str,
    column: &'static str,
    to: &'static str,
) -> ForeignKeyCreateStatement {
    ForeignKey::create().from(from, column).to(to, "id").on_delete(ForeignKeyAction::Restrict).take()
}

/// A foreign key of a part: it goes with its whole.
pub(crate) fn part_of(
    from: &'static str,
    column: &'static str,
    to: &'static str,
) -> ForeignKeyCreateStatement {
    ForeignKey::create().from(from, column).to(to, "id").on_delete(ForeignKeyAction::Cascade).take()
}

/// An index `table_a_b_key` (unique) or `table_a_b_index`; the names of the columns are in it on purpose.
pub(crate) fn index(table: &'static str, columns: &[&'static str], unique: bool) -> IndexCreateStatement {
    let kind = if unique { "key" } else { "index" };
    let mut index = Index::create().name(format!("{table}_{}_{kind}", columns.join("_"))).table(table).take();
    for column in columns {
        index.col(*column);
    }
    if unique {
        index.unique();
    }
    index
}

/// Drops an index by its name.
pub(crate) fn dropped(table: &'static str, name: impl Into<String>) -> IndexDropStatement {
    let mut index = Index::drop();
    index.name(name).table(table);
    index
}
