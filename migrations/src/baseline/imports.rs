//! Imports, which are their own queue; their rows; and numbers of other systems that nothing matches.

use sea_orm_migration::prelude::*;

use crate::{
    column::{
        boolean, create_table, execute, folded, index, integer, json, optional_integer, optional_json,
        optional_text, optional_time, part_of, record, records, reference, text,
    },
    tenant_table::TenantTable,
};

pub(super) const TABLES: &[&str] =
    &["import", "import_error", "import_row", "unresolved_number", "unresolved_row"];

const TYPES: [&str; 8] = [
    "Listing",
    "Price",
    "PriceList",
    "Stock",
    "Article",
    "Matching",
    "DeleteMatchings",
    "ExternalApiMetaData",
];

const STATUSES: [&str; 6] = ["Queued", "InProgress", "Success", "PartialSuccess", "Failed", "Cancelled"];

const OUTCOMES: &str = "outcome IN ('created', 'updated', 'unchanged', 'refused', 'held', 'unresolved', \
    'removed', 'skipped', 'kept')";

pub(super) async fn create(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    create_imports(manager).await?;
    create_rows(manager).await?;
    create_unresolved_numbers(manager).await
}

async fn create_imports(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    create_table(manager, record(&mut import(manager)), import_indexes()).await?;
    let partial = [
        "CREATE UNIQUE INDEX import_in_progress_key ON import (tenant_id, type) WHERE status = 'InProgress'",
        "CREATE INDEX import_queued_index ON import (id) WHERE status IN ('Queued', 'InProgress')",
        "CREATE INDEX import_files_index ON import (finished_at) WHERE upload_key <> ''",
        // An undo that failed or was cancelled can be tried again.
        "CREATE UNIQUE INDEX import_undoes_key ON import (undoes) \
         WHERE undoes IS NOT NULL AND NOT dry_run AND status NOT IN ('Failed', 'Cancelled')",
    ];
    execute(manager, &partial).await
}

fn import(manager: &SchemaManager<'_>) -> TableCreateStatement {
    let mut import = records("import")
        .col(integer("tenant_id"))
        .col(optional_integer("created_by"))
        .col(optional_text("name"))
        .col(folded(manager, "name_fold"))
        .col(text("type").check(Expr::col("type").is_in(TYPES)).take())
        .col(text("status").check(Expr::col("status").is_in(STATUSES)).take())
        .col(optional_text("status_message"))
        .col(boolean("dry_run"))
        .col(text("language"))
        // The uploaded file.
        .col(text("upload_file"))
        .col(text("upload_key"))
        .col(integer("upload_size"))
        .col(text("sha256"))
        .col(optional_integer("identical_to"))
        .take();
    // Other records and imports that it is about.
    for column in ["price_list_id", "replays", "undoes", "applies"] {
        import.col(optional_integer(column));
    }
    // How the file is read. Files with the same header have the same key.
    import
        .col(optional_json("mapping"))
        .col(optional_text("header_key"))
        .col(optional_text("number_style"))
        .col(boolean("skip_hidden_rows").default(false))
        .col(optional_integer("rows_hidden"))
        // True if the uploader may not see prices.
        .col(boolean("hides_prices").default(false))
        // Records that the file does not name: their treatment, and how many the dry run has named that go.
        .col(text("strategy").default("add_and_replace"))
        .col(text("replace_scope").default("all"))
        .col(optional_integer("removals_expected"));
    // Progress and result.
    import.col(optional_integer("rows_total"));
    for count in ["rows_done", "rows_created", "rows_updated", "rows_unchanged", "rows_refused"] {
        import.col(integer(count));
    }
    for count in ["rows_held", "rows_unresolved", "rows_removed", "rows_skipped", "rows_kept"] {
        import.col(integer(count).default(0));
    }
    // The job and its lease. A worker whose fence is not the row's has lost it.
    import
        .col(optional_time("started_at"))
        .col(optional_time("finished_at"))
        .col(optional_time("turn_at"))
        .col(optional_text("lease_owner"))
        .col(optional_time("lease_until"))
        .col(integer("fence"))
        .col(integer("attempt"))
        .col(integer("checkpoint"))
        .foreign_key(&mut reference("import", "tenant_id", "tenant"))
        .foreign_key(&mut set_null("created_by", "user"))
        .foreign_key(&mut set_null("identical_to", "import"));
    import
}

/// A foreign key that is emptied when its target goes.
fn set_null(column: &'static str, to: &'static str) -> ForeignKeyCreateStatement {
    ForeignKey::create().from("import", column).to(to, "id").on_delete(ForeignKeyAction::SetNull).take()
}

fn import_indexes() -> [IndexCreateStatement; 10] {
    [
        index("import", &["tenant_id", "updated_at", "id"], false),
        index("import", &["updated_at", "id"], false),
        index("import", &["tenant_id", "type", "sha256"], false),
        index("import", &["tenant_id", "type", "header_key"], false),
        index("import", &["tenant_id", "price_list_id"], false),
        index("import", &["tenant_id", "applies"], false),
        index("import", &["tenant_id", "turn_at"], false),
        index("import", &["created_by"], false),
        index("import", &["identical_to"], false),
        index("import", &["upload_key"], false),
    ]
}

async fn create_rows(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let error = Table::create()
        .table("import_error")
        .col(integer("import_id"))
        .col(integer("line"))
        .col(json("cells"))
        .col(json("messages"))
        .primary_key(Index::create().col("import_id").col("line"))
        .foreign_key(&mut part_of("import_error", "import_id", "import"))
        .take();
    create_table(manager, &error, []).await?;
    TenantTable::parts_without_reference("import_row", "import_id", &["line"])
        .column(integer("line"))
        .column(text("outcome"))
        .column(text("record"))
        .column(optional_integer("record_id"))
        .column(text("record_name"))
        .column(optional_json("before"))
        .column(optional_json("after"))
        .column(optional_json("warnings"))
        // The change of a price.
        .column(optional_integer("price_change"))
        .check("outcome", OUTCOMES)
        .create(manager)
        .await?;
    // Finds the history of a record, and its row in an import.
    let record = "CREATE INDEX import_row_record_record_id_import_id_index \
        ON import_row (record, record_id, import_id) WHERE record_id IS NOT NULL";
    execute(manager, &[record]).await
}

async fn create_unresolved_numbers(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    TenantTable::of_records("unresolved_number")
        .column(text("kind"))
        .column(text("number"))
        .column(folded(manager, "number_fold"))
        .column(folded(manager, "number_sort"))
        .column(text("gtin").default("").take())
        .column(text("designation"))
        .column(folded(manager, "designation_fold"))
        .column(text("state"))
        .column(integer("times"))
        .column(optional_integer("import_id"))
        .check("kind", "kind IN ('article', 'warehouse', 'tenant')")
        .check("state", "state IN ('open', 'ignored')")
        .unique(&["kind", "number_fold"])
        .listed_by(&["number_sort"])
        .listed_by(&["times"])
        .listed_by(&["state", "updated_at"])
        .create(manager)
        .await?;
    // The rows of imports that wait for them.
    let key = &["import_id", "line"];
    TenantTable::of_parts("unresolved_row", "unresolved_number_id", "unresolved_number", key)
        .column(integer("import_id"))
        .column(integer("line"))
        .create(manager)
        .await?;
    manager.create_index(index("unresolved_row", &["tenant_id", "import_id", "line"], false)).await
}
