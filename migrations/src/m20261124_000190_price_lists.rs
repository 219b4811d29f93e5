//! Price lists: for whom they are and when they hold, and what an article costs in them.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

use crate::{
    column::{
        folded, id, index, integer, optional_integer, optional_text, optional_time, part_of, record,
        reference, text, time,
    },
    tenant_table::{TenantTable, drop_all},
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

/// Where the name of a list is unique.
const NAMES: &str = "price_list_owner_name_fold_key";

const SORTS: [&str; 4] = ["name_sort", "valid_from", "valid_until", "updated_at"];

const OWNED: &str = "(owner_tenant_id IS NULL) <> (owner_tenant_group_id IS NULL)";

const PRICE: &str = "(price IS NULL) = (price_unit IS NULL) AND (price IS NULL) = (price_quantity IS NULL) \
    AND coalesce(price, 0) >= 0 AND coalesce(price_quantity, 1) > 0 \
    AND (price IS NOT NULL OR bulk_prices IS NOT NULL)";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut list = Table::create()
            .table("price_list")
            .col(id())
            .col(optional_integer("owner_tenant_id"))
            .col(optional_integer("owner_tenant_group_id"))
            .col(text("name"))
            .col(folded(manager, "name_fold"))
            .col(folded(manager, "name_sort"))
            .col(text("type"))
            .col(text("scope"))
            .col(time("valid_from"))
            .col(optional_time("valid_until"))
            // how many prices it holds: counted where they are written
            .col(integer("price_count"))
            .foreign_key(&mut reference("price_list", "owner_tenant_id", "tenant"))
            .foreign_key(&mut reference("price_list", "owner_tenant_group_id", "tenant_group"))
            .check(Expr::cust(OWNED))
            .check(Expr::cust("valid_until IS NULL OR valid_until >= valid_from"))
            .take();
        manager.create_table(record(&mut list).take()).await?;
        // A name is unique among the lists of its owner, of whom one kind is always missing.
        let names = format!(
            "CREATE UNIQUE INDEX {NAMES} ON price_list \
             (coalesce(owner_tenant_id, 0), coalesce(owner_tenant_group_id, 0), name_fold)"
        );
        manager.get_connection().execute_unprepared(&names).await?;
        for owner in ["owner_tenant_id", "owner_tenant_group_id"] {
            manager.create_index(index("price_list", &[owner], false)).await?;
        }
        for column in SORTS {
            manager.get_connection().execute_unprepared(&empty_first(manager, column)).await?;
        }
        for (table, column, to) in [
            ("price_list_tenant", "tenant_id", "tenant"),
            ("price_list_tenant_group", "tenant_group_id", "tenant_group"),
        ] {
            let part = Table::create()
                .table(table)
                .col(integer("price_list_id"))
                .col(integer(column))
                .primary_key(Index::create().col("price_list_id").col(column))
                .foreign_key(&mut part_of(table, "price_list_id", "price_list"))
                .foreign_key(&mut reference(table, column, to))
                .take();
            manager.create_table(part).await?;
            manager.create_index(index(table, &[column], false)).await?;
        }
        // Of a list that a group owns, `tenant_id` is 0: the key of a tenant's table holds no NULL.
        TenantTable::of_records("price_list_entry")
            .part_of_platform("price_list_id", "price_list")
            .column(text("name"))
            .column(integer("price_list_id"))
            .column(integer("article_id"))
            .column(optional_integer("price"))
            .column(optional_integer("price_quantity"))
            .column(optional_text("price_unit"))
            .column(optional_json("bulk_prices"))
            .column(optional_json("held"))
            .check("price", PRICE)
            .refers_to_platform("article_id", "article")
            .unique_as("article", &["price_list_id", "article_id"])
            .listed_as("changed", &["price_list_id", "updated_at"])
            .create(manager)
            .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_all(manager, &["price_list_entry", "price_list_tenant_group", "price_list_tenant", "price_list"])
            .await
    }
}

/// NULL first on both databases, as the lists sort; a column without NULL is not told so, or its index would not be used.
fn empty_first(manager: &SchemaManager<'_>, column: &str) -> String {
    let can_be_empty = column == "valid_until" && manager.get_database_backend() == DbBackend::Postgres;
    let nulls = if can_be_empty { " NULLS FIRST" } else { "" };
    format!("CREATE INDEX price_list_{column}_id_index ON price_list ({column}{nulls}, id)")
}

fn optional_json(name: &'static str) -> ColumnDef {
    ColumnDef::new(name).json_binary().null().take()
}
