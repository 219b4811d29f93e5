//! What imports did with each row. It takes the place of the marks that articles carried, which move here.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

use crate::column::{dropped, index, optional_integer, optional_time};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

const COLUMNS: &str = "tenant_id bigint NOT NULL, import_id bigint NOT NULL, line bigint NOT NULL, \
    outcome text NOT NULL CONSTRAINT import_row_outcome_check \
    CHECK (outcome IN ('created', 'updated', 'unchanged', 'refused')), \
    record text NOT NULL, record_id bigint NULL, record_name text NOT NULL, before jsonb NULL, after jsonb NULL";

/// Which of these it was is told by the times, as far as it can be.
const MARKS: &str = "INSERT INTO import_row (tenant_id, import_id, line, outcome, record, record_id, record_name) \
    SELECT i.tenant_id, i.id, a.import_line, \
    CASE WHEN a.created_at >= i.started_at THEN 'created' WHEN a.updated_at >= i.started_at THEN 'updated' \
    ELSE 'unchanged' END, 'article', a.id, a.article_number \
    FROM article a JOIN import i ON i.id = a.import_id WHERE a.import_line IS NOT NULL ON CONFLICT DO NOTHING";

/// For the history of a record, and for finding a record's row in an import.
const OF_RECORD: &str = "CREATE INDEX import_row_record_record_id_import_id_index \
    ON import_row (record, record_id, import_id) WHERE record_id IS NOT NULL";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let db = manager.get_connection();
        if manager.get_database_backend() == DbBackend::Postgres {
            db.execute_unprepared(&format!("CREATE TABLE import_row ({COLUMNS})")).await?;
            db.execute_unprepared("ALTER TABLE import_row ADD PRIMARY KEY (tenant_id, import_id, line)")
                .await?;
            let tenant = "ALTER TABLE import_row ADD CONSTRAINT import_row_tenant_id_fkey \
                FOREIGN KEY (tenant_id) REFERENCES tenant (id) ON DELETE RESTRICT";
            db.execute_unprepared(tenant).await?;
        } else {
            let table = format!(
                "CREATE TABLE import_row ({COLUMNS}, PRIMARY KEY (tenant_id, import_id, line), \
                 CONSTRAINT import_row_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant (id) \
                 ON DELETE RESTRICT)"
            );
            db.execute_unprepared(&table).await?;
        }
        for statement in [MARKS, OF_RECORD] {
            db.execute_unprepared(statement).await?;
        }
        manager.drop_index(dropped("article", "article_import_index")).await?;
        for column in ["import_id", "import_line"] {
            manager.alter_table(Table::alter().table("article").drop_column(column).take()).await?;
        }
        let turn = Table::alter().table("import").add_column(optional_time("turn_at")).take();
        manager.alter_table(turn).await?;
        manager.create_index(index("import", &["tenant_id", "turn_at"], false)).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_index(dropped("import", "import_tenant_id_turn_at_index")).await?;
        manager.alter_table(Table::alter().table("import").drop_column("turn_at").take()).await?;
        for column in ["import_id", "import_line"] {
            let add = Table::alter().table("article").add_column(optional_integer(column)).take();
            manager.alter_table(add).await?;
        }
        let of_import = "CREATE INDEX article_import_index ON article (import_id, article_number_fold, id) \
            WHERE import_id IS NOT NULL";
        manager.get_connection().execute_unprepared(of_import).await?;
        manager.drop_table(Table::drop().table("import_row").take()).await
    }
}
