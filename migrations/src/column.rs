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

pub(crate) fn optional_json(name: &'static str) -> ColumnDef {
    ColumnDef::new(name).json_binary().null().take()
}

/// A text that is the primary key.
pub(crate) fn text_key(name: &'static str) -> ColumnDef {
    text(name).primary_key().take()
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

/// A table whose rows have an id.
pub(crate) fn records(name: &'static str) -> TableCreateStatement {
    Table::create().table(name).col(id()).take()
}

/// `version`, `created_at`, `updated_at`: what every record carries.
pub(crate) fn record(table: &mut TableCreateStatement) -> &mut TableCreateStatement {
    table.col(integer("version")).col(time("created_at")).col(time("updated_at"))
}

/// A set of permissions that goes with a row of `owner`.
pub(crate) fn permissions_of(
    table: &'static str,
    column: &'static str,
    owner: &'static str,
) -> TableCreateStatement {
    Table::create()
        .table(table)
        .col(integer(column))
        .col(text("permission"))
        .primary_key(Index::create().col(column).col("permission"))
        .foreign_key(&mut part_of(table, column, owner))
        .take()
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
    let mut index = named_index(format!("{table}_{}_{kind}", columns.join("_")), table, columns);
    if unique {
        index.unique();
    }
    index
}

/// An index with a name of its own, where those of the columns are too long for one.
pub(crate) fn named_index(
    name: impl Into<String>,
    table: &'static str,
    columns: &[&'static str],
) -> IndexCreateStatement {
    let mut index = Index::create().name(name).table(table).take();
    for column in columns {
        index.col(*column);
    }
    index
}

/// Creates a table and its indexes.
pub(crate) async fn create_table<const N: usize>(
    manager: &SchemaManager<'_>,
    table: &TableCreateStatement,
    indexes: [IndexCreateStatement; N],
) -> Result<(), DbErr> {
    manager.create_table(table.clone()).await?;
    for index in indexes {
        manager.create_index(index).await?;
    }
    Ok(())
}

/// Executes statements, one after the other.
pub(crate) async fn execute<S: AsRef<str> + Sync>(
    manager: &SchemaManager<'_>,
    statements: &[S],
) -> Result<(), DbErr> {
    for statement in statements {
        manager.get_connection().execute_unprepared(statement.as_ref()).await?;
    }
    Ok(())
}
