//! Imports into a price list, and what they keep aside until all of a file becomes effective.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

use crate::{
    admitted::admit,
    column::{index, optional_integer},
    tenant_table::drop_all,
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

const TYPE: [&str; 2] = ["import", "type"];
const BEFORE: &str =
    "'Listing', 'Price', 'Stock', 'Article', 'Matching', 'DeleteMatchings', 'ExternalApiMetaData'";
const AFTER: &str = "'Listing', 'Price', 'PriceList', 'Stock', 'Article', 'Matching', 'DeleteMatchings', \
    'ExternalApiMetaData'";

/// As the rows of imports, with which it is written and read. `becomes`: what becomes of the price.
const COLUMNS: &str = "tenant_id bigint NOT NULL, import_id bigint NOT NULL, line bigint NOT NULL, \
    article_id bigint NOT NULL, base_version bigint NOT NULL, \
    becomes text NOT NULL CONSTRAINT price_list_stage_becomes_check CHECK (becomes IN ('written', 'same', 'gone')), \
    name text NOT NULL, price bigint NULL, price_quantity bigint NULL, price_unit text NULL, \
    bulk_prices jsonb NULL, held jsonb NULL";

const TENANT: &str = "CONSTRAINT price_list_stage_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant (id) \
    ON DELETE RESTRICT";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        admit(manager, TYPE, BEFORE, AFTER).await?;
        let list = Table::alter().table("import").add_column(optional_integer("price_list_id")).take();
        manager.alter_table(list).await?;
        manager.create_index(index("import", &["tenant_id", "price_list_id"], false)).await?;
        let db = manager.get_connection();
        if manager.get_database_backend() == DbBackend::Postgres {
            db.execute_unprepared(&format!("CREATE TABLE price_list_stage ({COLUMNS})")).await?;
            let key = "ALTER TABLE price_list_stage ADD PRIMARY KEY (tenant_id, import_id, line)";
            db.execute_unprepared(key).await?;
            db.execute_unprepared(&format!("ALTER TABLE price_list_stage ADD {TENANT}")).await?;
        } else {
            let table = format!(
                "CREATE TABLE price_list_stage ({COLUMNS}, PRIMARY KEY (tenant_id, import_id, line), {TENANT})"
            );
            db.execute_unprepared(&table).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_all(manager, &["price_list_stage"]).await?;
        let lists = "DELETE FROM import_row WHERE import_id IN (SELECT id FROM import WHERE type = 'PriceList'); \
            DELETE FROM import WHERE type = 'PriceList'";
        manager.get_connection().execute_unprepared(lists).await?;
        manager.drop_index(crate::column::dropped("import", "import_tenant_id_price_list_id_index")).await?;
        manager.alter_table(Table::alter().table("import").drop_column("price_list_id").take()).await?;
        admit(manager, TYPE, AFTER, BEFORE).await
    }
}
