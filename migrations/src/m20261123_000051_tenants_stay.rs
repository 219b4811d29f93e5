//! A tenant who has people, roles, imports or views is not deleted, whoever asks the database for it: until now these
//! would have gone with the tenant.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

const TABLES: [&str; 4] = ["role", "user", "import", "saved_view"];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        set(manager, "CASCADE", "RESTRICT").await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        set(manager, "RESTRICT", "CASCADE").await
    }
}

async fn set(manager: &SchemaManager<'_>, from: &str, to: &str) -> Result<(), DbErr> {
    let db = manager.get_connection();
    if manager.get_database_backend() == DbBackend::Postgres {
        for table in TABLES {
            let key = format!("{table}_tenant_id_fkey");
            db.execute_unprepared(&format!(
                "ALTER TABLE \"{table}\" DROP CONSTRAINT {key}; \
                 ALTER TABLE \"{table}\" ADD CONSTRAINT {key} FOREIGN KEY (tenant_id) REFERENCES tenant (id) ON DELETE {to}"
            ))
            .await?;
        }
        return Ok(());
    }
    // SQLite changes no foreign key, and making such a table anew would delete what refers to it. Its rows stay as they
    // are, so that the schema's text can be changed (https://sqlite.org/lang_altertable.html, section 7).
    let key = |action| format!(r#"FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE {action}"#);
    db.execute_unprepared("PRAGMA writable_schema = ON").await?;
    for table in TABLES {
        let changed = db
            .execute_unprepared(&format!(
                "UPDATE sqlite_schema SET sql = replace(sql, '{}', '{}') WHERE type = 'table' AND name = '{table}' \
                 AND instr(sql, '{}') > 0",
                key(from),
                key(to),
                key(from)
            ))
            .await?;
        if changed.rows_affected() != 1 {
            return Err(DbErr::Migration(format!("{table} does not refer to tenants as expected")));
        }
    }
    db.execute_unprepared("PRAGMA writable_schema = RESET").await?;
    Ok(())
}
