//! Roles of tenants beside those of the platform; lists of roles and users.

use sea_orm_migration::prelude::*;

use crate::column::{dropped, index};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

/// A tenant's roles are told apart within the tenant: what others call theirs is nobody's business.
const NAMES: &str = "role_tenant_id_name_fold_key";

const SORTS: [(&str, &str); 5] = [
    ("role", "name_fold"),
    ("role", "updated_at"),
    ("user", "name_fold"),
    ("user", "email_fold"),
    ("user", "updated_at"),
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_index(dropped("role", "role_name_fold_key")).await?;
        let names = format!("CREATE UNIQUE INDEX {NAMES} ON role (coalesce(tenant_id, 0), name_fold)");
        manager.get_connection().execute_unprepared(&names).await?;
        for (table, column) in SORTS {
            manager.create_index(index(table, &[column, "id"], false)).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for (table, column) in SORTS {
            manager.drop_index(dropped(table, format!("{table}_{column}_id_index"))).await?;
        }
        manager.drop_index(dropped("role", NAMES)).await?;
        manager.create_index(index("role", &["name_fold"], true)).await
    }
}
