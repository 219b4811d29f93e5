//! Orders of articles that begin anywhere within equal values, and those of one import in the order of their numbers.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

use crate::column::{dropped, index};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

/// Thousands of articles share a weight, and an import writes many in one moment. SQLite goes to one of them in an
/// index that ends with the rowid by itself, but not in one where `id` is a column.
const TIED: [&str; 2] = ["weight_per_base_unit", "updated_at"];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        if manager.get_database_backend() == DbBackend::Sqlite {
            for column in TIED {
                manager.drop_index(dropped("article", format!("article_{column}_id_index"))).await?;
                manager.create_index(index("article", &[column], false)).await?;
            }
        }
        let of_import = "CREATE INDEX article_import_index ON article (import_id, article_number_fold, id) \
            WHERE import_id IS NOT NULL";
        manager.get_connection().execute_unprepared(of_import).await?;
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_index(dropped("article", "article_import_index")).await?;
        if manager.get_database_backend() == DbBackend::Sqlite {
            for column in TIED {
                manager.create_index(index("article", &[column, "id"], false)).await?;
                manager.drop_index(dropped("article", format!("article_{column}_index"))).await?;
            }
        }
        Ok(())
    }
}
