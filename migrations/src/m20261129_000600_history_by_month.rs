//! The history and the rows of imports by month: on PostgreSQL each month is a partition, which is dropped
//! when its rows have been stored long enough. SQLite keeps one table and an index by which the rows of a
//! month are found.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

use crate::{
    column::execute,
    distribution::{ANCHOR, TENANT, is_distributed},
};

#[derive(Debug, Clone, Copy)]
pub(crate) struct HistoryByMonth;

impl MigrationName for HistoryByMonth {
    fn name(&self) -> &'static str {
        "m20261129_000600_history_by_month"
    }
}

/// The outcomes of rows that go with the file of their import; all others go with the history.
const SHORT_LIVED: &str = "outcome IN ('unchanged', 'refused', 'unresolved')";

#[async_trait::async_trait]
impl MigrationTrait for HistoryByMonth {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let statements = if manager.get_database_backend() == DbBackend::Postgres {
            let time =
                "quote_literal(to_char(make_date(month / 12, month % 12 + 1, 1), 'YYYY-MM-DD 00:00:00+00'))";
            let months = [
                partitions("audit_entry", "id", 2, time),
                partitions("import_row", "tenant_id, import_id, line", 14, "month::text"),
            ];
            let tables = [ENTRIES_BY_MONTH.to_owned(), rows_by_month()];
            let last_day = format!(
                "(coalesce(i.finished_at, now()) + CASE WHEN r.{SHORT_LIVED} THEN interval '91 days' \
                 ELSE interval '401 days' END)"
            );
            let mut statements = moved(manager, tables, &months, &month(&last_day)).await?;
            statements.extend(ENTRY_INDEXES.map(|columns| entry_index(columns, "")));
            statements
        } else {
            let month = "strftime('%Y', {day}) * 12 + strftime('%m', {day}) - 1";
            let day = format!(
                "coalesce((SELECT finished_at FROM import WHERE id = import_id), CURRENT_TIMESTAMP), \
                 CASE WHEN {SHORT_LIVED} THEN '91 days' ELSE '401 days' END"
            );
            let mut statements = vec![
                "ALTER TABLE import_row ADD COLUMN last_month integer NOT NULL DEFAULT 0".to_owned(),
                format!("UPDATE import_row SET last_month = {}", month.replace("{day}", &day)),
                "CREATE INDEX import_row_last_month_index ON import_row (last_month)".to_owned(),
            ];
            statements
                .extend(ENTRY_INDEXES.map(|columns| format!("DROP INDEX {}", index_name(columns, "_id"))));
            statements.extend(ENTRY_INDEXES.map(|columns| entry_index(columns, "")));
            statements
        };
        execute(manager, &statements).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut statements = Vec::new();
        if manager.get_database_backend() == DbBackend::Postgres {
            let tables = [
                "LIKE former_audit_entry INCLUDING DEFAULTS INCLUDING IDENTITY, PRIMARY KEY (id)".to_owned(),
                "LIKE former_import_row INCLUDING CONSTRAINTS, PRIMARY KEY (tenant_id, import_id, line)"
                    .to_owned(),
            ];
            statements =
                moved(manager, tables.map(|table| format!("({table})")), &[], "r.last_month").await?;
        } else {
            statements.push("DROP INDEX import_row_last_month_index".to_owned());
            statements.extend(ENTRY_INDEXES.map(|columns| format!("DROP INDEX {}", index_name(columns, ""))));
        }
        statements.push("ALTER TABLE import_row DROP COLUMN last_month".to_owned());
        statements.extend(ENTRY_INDEXES.map(|columns| entry_index(columns, "_id")));
        execute(manager, &statements).await
    }
}

/// The columns by which the history is read. The id does not end them: rows of one call have one time, so
/// that PostgreSQL stores it once for all of them, and SQLite has the id in each index anyway.
const ENTRY_INDEXES: [&[&str]; 5] =
    [&["at"], &["record", "record_id", "at"], &["tenant_id", "at"], &["user_id", "at"], &["action", "at"]];

fn index_name(columns: &[&str], end: &str) -> String {
    format!("audit_entry_{}{end}_index", columns.join("_"))
}

fn entry_index(columns: &[&str], end: &str) -> String {
    let id = if end.is_empty() { "" } else { ", id" };
    format!("CREATE INDEX {} ON audit_entry ({}{id})", index_name(columns, end), columns.join(", "))
}

const ENTRIES_BY_MONTH: &str =
    "(LIKE former_audit_entry INCLUDING DEFAULTS INCLUDING IDENTITY) PARTITION BY RANGE (at)";

fn rows_by_month() -> String {
    // a server process of the former version writes no month
    let default = month("(now() + interval '401 days')");
    format!(
        "(LIKE former_import_row INCLUDING CONSTRAINTS, last_month integer NOT NULL DEFAULT {default}) \
         PARTITION BY RANGE (last_month)"
    )
}

/// The number of the month of a moment, as an expression of PostgreSQL.
fn month(moment: &str) -> String {
    let day = format!("{moment} AT TIME ZONE 'UTC'");
    format!("(extract(year FROM {day}) * 12 + extract(month FROM {day}) - 1)::integer")
}

/// The columns of a row of an import but its month.
const ROW: &str = "import_id, tenant_id, line, outcome, record, record_id, record_name, before, after, warnings, price_change";

/// Statements of PostgreSQL that make both tables anew, as partitions or as they were, with what they hold.
async fn moved(
    manager: &SchemaManager<'_>,
    [entries, rows]: [String; 2],
    partitions: &[String],
    month: &str,
) -> Result<Vec<String>, DbErr> {
    let beside = "colocate_with => 'former_import_row'";
    let distributed = format!("SELECT create_distributed_table('{ANCHOR}', '{TENANT}', {beside})");
    let filled = format!(
        "INSERT INTO import_row ({ROW}, last_month) SELECT {}, {month} FROM former_import_row r \
         LEFT JOIN import i ON i.id = r.import_id",
        ROW.split(", ").map(|column| format!("r.{column}")).collect::<Vec<_>>().join(", ")
    );
    let mut statements = vec![
        "ALTER TABLE audit_entry RENAME TO former_audit_entry".to_owned(),
        "ALTER SEQUENCE audit_entry_id_seq RENAME TO former_audit_entry_id_seq".to_owned(),
        "ALTER TABLE import_row RENAME TO former_import_row".to_owned(),
        format!("CREATE TABLE audit_entry {entries}"),
        format!("CREATE TABLE import_row {rows}"),
    ];
    statements.extend(is_distributed(manager).await?.then_some(distributed));
    statements.extend(partitions.iter().cloned());
    statements.extend([
        "INSERT INTO audit_entry SELECT * FROM former_audit_entry".to_owned(),
        "SELECT setval('audit_entry_id_seq', last_value, is_called) FROM former_audit_entry_id_seq".to_owned(),
        filled,
        "DROP TABLE former_audit_entry, former_import_row".to_owned(),
        "CREATE INDEX audit_entry_deleted_index ON audit_entry (record, record_name COLLATE \"C\") \
         WHERE action = 'deleted'"
            .to_owned(),
        "CREATE INDEX audit_entry_address_index ON audit_entry (at) WHERE address <> ''".to_owned(),
        "CREATE INDEX audit_entry_undoes_index ON audit_entry (undoes) WHERE undoes IS NOT NULL".to_owned(),
        "CREATE INDEX import_row_record_record_id_import_id_index ON import_row (record, record_id, import_id) \
         WHERE record_id IS NOT NULL"
            .to_owned(),
    ]);
    Ok(statements)
}

/// A block that creates the partitions of a table for this month and some ahead, of which the first takes all
/// before it as well. `bound` is the expression for where a month begins, of which `month` is the number.
fn partitions(table: &str, key: &str, ahead: u32, bound: &str) -> String {
    let now = "now() AT TIME ZONE 'UTC'";
    format!(
        "DO $$ DECLARE first integer := extract(year FROM {now}) * 12 + extract(month FROM {now}) - 1; \
           month integer := first; name text; lower text := 'MINVALUE'; upper text; BEGIN \
         WHILE month <= first + {ahead} LOOP \
           name := '{table}_' || to_char(make_date(month / 12, month % 12 + 1, 1), 'YYYY_MM'); \
           month := month + 1; upper := {bound}; \
           EXECUTE format('CREATE TABLE %I PARTITION OF {table} FOR VALUES FROM (%s) TO (%s)', name, lower, upper); \
           EXECUTE format('ALTER TABLE %I ADD PRIMARY KEY ({key})', name); \
           lower := upper; \
         END LOOP; END $$"
    )
}
