//! Materials, attributes, article types, articles.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

use crate::column::{
    boolean, folded, id, index, integer, json, optional_integer, optional_text, part_of, record, reference,
    text,
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[expect(clippy::too_many_lines, reason = "a list of tables")]
#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut material = Table::create()
            .table("material")
            .col(id())
            .col(text("name"))
            .col(folded(manager, "name_fold"))
            .col(optional_text("display_name"))
            .col(folded(manager, "display_name_fold"))
            .col(optional_text("article_number_name"))
            .col(folded(manager, "article_number_name_fold"))
            .col(optional_text("material_number"))
            .col(folded(manager, "material_number_fold"))
            .col(optional_integer("density").check(Expr::col("density").gt(0)).take())
            .take();
        manager.create_table(record(&mut material).take()).await?;
        manager.create_index(index("material", &["name_fold"], true)).await?;
        for sorted in ["display_name_fold", "article_number_name_fold", "material_number_fold", "updated_at"]
        {
            manager.create_index(index("material", &[sorted, "id"], false)).await?;
        }

        let mut attribute = Table::create()
            .table("attribute")
            .col(id())
            .col(text("name"))
            .col(folded(manager, "name_fold"))
            .col(text("placeholder"))
            .col(text("type").check(Expr::col("type").is_in(["categorial", "metric", "custom"])).take())
            .col(boolean("primary"))
            .col(integer("position"))
            .col(optional_text("unit_category"))
            .col(optional_text("default_unit"))
            .col(
                optional_integer("weight_per_base_unit")
                    .check(Expr::col("weight_per_base_unit").gt(0))
                    .take(),
            )
            .check(
                Expr::col("type")
                    .eq("metric")
                    .and(Expr::col("unit_category").is_not_null())
                    .and(Expr::col("default_unit").is_not_null())
                    .or(Expr::col("type")
                        .ne("metric")
                        .and(Expr::col("unit_category").is_null())
                        .and(Expr::col("default_unit").is_null())),
            )
            .take();
        manager.create_table(record(&mut attribute).take()).await?;
        manager.create_index(index("attribute", &["name_fold"], true)).await?;
        manager.create_index(index("attribute", &["placeholder"], true)).await?;
        manager.create_index(index("attribute", &["position", "id"], false)).await?;

        manager
            .create_table(
                Table::create()
                    .table("attribute_option")
                    .col(id())
                    .col(integer("attribute_id"))
                    .col(integer("position"))
                    .col(text("name"))
                    .col(folded(manager, "name_fold"))
                    .col(text("value"))
                    .col(folded(manager, "value_fold"))
                    .col(optional_text("display_value"))
                    .col(
                        optional_integer("weight_per_base_unit")
                            .check(Expr::col("weight_per_base_unit").gt(0))
                            .take(),
                    )
                    .foreign_key(&mut part_of("attribute_option", "attribute_id", "attribute"))
                    .take(),
            )
            .await?;
        manager.create_index(index("attribute_option", &["attribute_id", "name_fold"], true)).await?;
        manager.create_index(index("attribute_option", &["attribute_id", "value_fold"], true)).await?;

        let mut article_type = Table::create()
            .table("article_type")
            .col(id())
            .col(text("name"))
            .col(folded(manager, "name_fold"))
            .col(text("article_number_template"))
            .col(text("article_name_template"))
            .col(text("base_unit_of_measure"))
            .col(text("listing_unit_of_measure"))
            .col(text("price_unit_of_measure"))
            .take();
        manager.create_table(record(&mut article_type).take()).await?;
        manager.create_index(index("article_type", &["name_fold"], true)).await?;
        manager
            .create_table(
                Table::create()
                    .table("article_type_attribute")
                    .col(integer("article_type_id"))
                    .col(integer("attribute_id"))
                    .col(integer("position"))
                    .col(boolean("primary"))
                    .primary_key(Index::create().col("article_type_id").col("attribute_id"))
                    .foreign_key(&mut part_of("article_type_attribute", "article_type_id", "article_type"))
                    .foreign_key(&mut reference("article_type_attribute", "attribute_id", "attribute"))
                    .take(),
            )
            .await?;
        manager.create_index(index("article_type_attribute", &["attribute_id"], false)).await?;

        let mut article = Table::create()
            .table("article")
            .col(id())
            .col(integer("article_type_id"))
            .col(optional_integer("material_id"))
            .col(text("article_number"))
            .col(folded(manager, "article_number_fold"))
            .col(boolean("article_number_overridden"))
            .col(text("article_name"))
            .col(folded(manager, "article_name_fold"))
            .col(boolean("article_name_overridden"))
            .col(json("attribute_values"))
            .col(
                optional_integer("weight_per_base_unit")
                    .check(Expr::col("weight_per_base_unit").gt(0))
                    .take(),
            )
            .col(boolean("weight_per_base_unit_overridden"))
            // The import and the line that wrote the row last: a second row for it in the same file is refused.
            .col(optional_integer("import_id"))
            .col(optional_integer("import_line"))
            .foreign_key(&mut reference("article", "article_type_id", "article_type"))
            .foreign_key(&mut reference("article", "material_id", "material"))
            .take();
        manager.create_table(record(&mut article).take()).await?;
        manager.create_index(index("article", &["article_number_fold"], true)).await?;
        for columns in [
            // Parts of names and weights are looked for along the order of numbers, and so on, in the index alone.
            &["article_number_fold", "id", "article_name_fold", "weight_per_base_unit"][..],
            &["article_name_fold", "id", "article_number_fold", "weight_per_base_unit"],
            &["updated_at", "id"],
            &["article_type_id", "article_number_fold", "id"],
            &["article_type_id", "article_name_fold", "id"],
            &["material_id", "article_number_fold", "id"],
            &["article_type_id", "material_id", "article_number_fold", "id"],
        ] {
            manager.create_index(index("article", columns, false)).await?;
        }
        manager.get_connection().execute_unprepared(by_weight(manager)).await?;
        for statement in trigrams(manager) {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        if manager.get_database_backend() == DbBackend::Sqlite {
            manager.get_connection().execute_unprepared("DROP TABLE article_trigram").await?;
        }
        for table in
            ["article", "article_type_attribute", "article_type", "attribute_option", "attribute", "material"]
        {
            manager.drop_table(Table::drop().table(table).take()).await?;
        }
        Ok(())
    }
}

/// NULL first on both databases, as the lists sort.
fn by_weight(manager: &SchemaManager<'_>) -> &'static str {
    match manager.get_database_backend() {
        DbBackend::Postgres => {
            "CREATE INDEX article_weight_per_base_unit_id_index ON article (weight_per_base_unit NULLS FIRST, id)"
        }
        _ => "CREATE INDEX article_weight_per_base_unit_id_index ON article (weight_per_base_unit, id)",
    }
}

/// The index behind "contains" in a million articles. On PostgreSQL it is one of an expression: of the column itself it
/// would also be taken for `=`, where it is a thousand times slower than the unique index.
fn trigrams(manager: &SchemaManager<'_>) -> &'static [&'static str] {
    match manager.get_database_backend() {
        DbBackend::Postgres => &[
            "CREATE EXTENSION IF NOT EXISTS pg_trgm",
            "CREATE INDEX article_number_trigram ON article USING gin ((article_number_fold || '') gin_trgm_ops)",
            "CREATE INDEX article_name_trigram ON article USING gin ((article_name_fold || '') gin_trgm_ops)",
        ],
        _ => &[
            "CREATE VIRTUAL TABLE article_trigram USING fts5(article_number_fold, article_name_fold, \
             content='article', content_rowid='id', tokenize='trigram case_sensitive 1', detail='column')",
            "CREATE TRIGGER article_trigram_insert AFTER INSERT ON article BEGIN \
             INSERT INTO article_trigram(rowid, article_number_fold, article_name_fold) \
             VALUES (new.id, new.article_number_fold, new.article_name_fold); END",
            "CREATE TRIGGER article_trigram_delete AFTER DELETE ON article BEGIN \
             INSERT INTO article_trigram(article_trigram, rowid, article_number_fold, article_name_fold) \
             VALUES ('delete', old.id, old.article_number_fold, old.article_name_fold); END",
            "CREATE TRIGGER article_trigram_update AFTER UPDATE OF article_number_fold, article_name_fold ON article \
             WHEN old.article_number_fold <> new.article_number_fold OR old.article_name_fold <> new.article_name_fold \
             BEGIN \
             INSERT INTO article_trigram(article_trigram, rowid, article_number_fold, article_name_fold) \
             VALUES ('delete', old.id, old.article_number_fold, old.article_name_fold); \
             INSERT INTO article_trigram(rowid, article_number_fold, article_name_fold) \
             VALUES (new.id, new.article_number_fold, new.article_name_fold); END",
        ],
    }
}
