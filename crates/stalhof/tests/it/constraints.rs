//! The constraints that the code names are those of the schema in both databases.

use std::collections::BTreeSet;

use sea_orm::{ConnectionTrait, DbBackend};
use store::constraint::violated_key;
use testkit::TestDatabase;

/// Unique indexes that no input can violate.
const NOT_ENTERED: &[&str] = &[
    "attribute_position_key",
    "category_parent_id_position_key",
    "held_price_tenant_id_stock_id_created_by_key",
    "import_in_progress_key",
    "import_undoes_key",
    "personal_access_token_token_hash_key",
    "price_adjustment_tenant_id_position_key",
    "unresolved_number_tenant_id_kind_number_fold_key",
];

async fn unique_indexes(db: &TestDatabase, table: &str) -> BTreeSet<String> {
    let sql = match db.get_database_backend() {
        DbBackend::Sqlite => format!(
            "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = '{table}' AND sql LIKE 'CREATE UNIQUE %'"
        ),
        _ => format!(
            "SELECT c.relname::text AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid \
             WHERE i.indrelid = '\"{table}\"'::regclass AND i.indisunique AND NOT i.indisprimary"
        ),
    };
    let rows = db.query_all_raw(sea_orm::Statement::from_string(db.get_database_backend(), sql)).await;
    rows.unwrap().iter().map(|row| row.try_get("", "name").unwrap()).collect()
}

#[actix_web::test]
async fn every_unique_index_declares_the_field_of_a_duplicate() {
    let db = testkit::database().await;
    api::app::routes();
    for resource in store::resource::all() {
        let declared: BTreeSet<String> = resource.unique.iter().map(|unique| unique.key.to_owned()).collect();
        let mut indexes = unique_indexes(&db, resource.table()).await;
        // targets of composite references
        let referred = format!("{}_tenant_id_id_key", resource.table());
        indexes.retain(|index| !NOT_ENTERED.contains(&index.as_str()) && *index != referred);
        assert_eq!(declared, indexes, "{}", resource.name);
    }
}

/// The longer of two names with the same ending must not be taken for the shorter.
#[actix_web::test]
async fn the_violated_index_of_a_refused_row_is_identified_exactly() {
    let db = testkit::database().await;
    let tx = db.begin().await.unwrap();
    for sql in [
        "CREATE TABLE sample (tenant_id bigint, number_fold text, external_number_fold text)",
        "CREATE UNIQUE INDEX sample_number_fold_key ON sample (number_fold)",
        "CREATE UNIQUE INDEX sample_tenant_id_external_number_fold_key ON sample (tenant_id, external_number_fold)",
        "CREATE UNIQUE INDEX sample_either_key ON sample (coalesce(tenant_id, 0), (number_fold || external_number_fold))",
        "INSERT INTO sample VALUES (1, 'a', 'x'), (NULL, 'b', 'y')",
    ] {
        tx.execute_unprepared(sql).await.unwrap();
    }
    tx.commit().await.unwrap();
    for (row, key) in [
        ("(2, 'a', 'z')", "sample_number_fold_key"),
        ("(1, 'c', 'x')", "sample_tenant_id_external_number_fold_key"),
        ("(0, '', 'by')", "sample_either_key"),
    ] {
        let tx = db.begin().await.unwrap();
        let refused = tx.execute_unprepared(&format!("INSERT INTO sample VALUES {row}")).await.unwrap_err();
        assert_eq!(violated_key(&refused).as_deref(), Some(key), "{row}: {refused}");
    }
}
