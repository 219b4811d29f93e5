//! Materials, processings, attributes, commercial lengths, article types, articles and categories.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

use crate::column::{
    boolean, create_table, execute, folded, index, integer, json, named_index, optional_integer,
    optional_text, part_of, record, records, reference, text,
};

pub(super) const TABLES: &[&str] = &[
    "material",
    "processing",
    "attribute",
    "attribute_option",
    "trade_dimension",
    "trade_dimension_cluster",
    "article_type_group",
    "article_type",
    "article_type_attribute",
    "article",
    "article_other_number",
    "article_image",
    "category",
    "category_image",
];

pub(super) async fn create(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    create_materials(manager).await?;
    create_processings(manager).await?;
    create_attributes(manager).await?;
    create_trade_dimensions(manager).await?;
    create_article_types(manager).await?;
    create_articles(manager).await?;
    create_search(manager).await?;
    create_categories(manager).await
}

async fn create_materials(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let mut material = records("material")
        .col(text("name"))
        .col(folded(manager, "name_fold"))
        .col(folded(manager, "name_sort"))
        .col(optional_text("display_name"))
        .col(folded(manager, "display_name_fold"))
        .col(folded(manager, "display_name_sort"))
        .col(optional_text("article_number_name"))
        .col(folded(manager, "article_number_name_fold"))
        .col(folded(manager, "article_number_name_sort"))
        .col(optional_text("material_number"))
        .col(folded(manager, "material_number_fold"))
        .col(folded(manager, "material_number_sort"))
        .col(optional_positive("density"))
        .take();
    let sorted =
        |name: &str, columns: &[&'static str]| named_index(format!("material_{name}"), "material", columns);
    let indexes = [
        index("material", &["name_fold"], true),
        sorted("name_sort_index", &["name_sort", "id"]),
        sorted("display_name_sort_index", &["display_name_sort", "id"]),
        sorted("article_number_name_sort_index", &["article_number_name_sort", "id"]),
        sorted("number_sort_index", &["material_number_sort", "id"]),
        index("material", &["updated_at", "id"], false),
    ];
    create_table(manager, record(&mut material), indexes).await
}

async fn create_processings(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let mut processing = records("processing")
        .col(text("name"))
        .col(folded(manager, "name_fold"))
        .col(optional_text("display_name"))
        .col(folded(manager, "display_name_fold"))
        .col(text("type").check(Expr::col("type").is_in(["sawing"])).take())
        .col(text("article_number_addition_template"))
        .take();
    let indexes = [
        index("processing", &["name_fold"], true),
        index("processing", &["display_name_fold", "id"], false),
        index("processing", &["updated_at", "id"], false),
    ];
    create_table(manager, record(&mut processing), indexes).await
}

async fn create_attributes(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let is_metric = Expr::col("type")
        .eq("metric")
        .and(Expr::col("unit_category").is_not_null())
        .and(Expr::col("default_unit").is_not_null());
    let has_no_unit = Expr::col("type")
        .ne("metric")
        .and(Expr::col("unit_category").is_null())
        .and(Expr::col("default_unit").is_null());
    let mut attribute = records("attribute")
        .col(text("name"))
        .col(folded(manager, "name_fold"))
        .col(text("placeholder"))
        .col(text("type").check(Expr::col("type").is_in(["categorial", "metric", "custom"])).take())
        .col(boolean("primary"))
        .col(integer("position"))
        .col(optional_text("unit_category"))
        .col(optional_text("default_unit"))
        .col(optional_positive("weight_per_base_unit"))
        .check(is_metric.or(has_no_unit))
        .take();
    let indexes = [
        index("attribute", &["name_fold"], true),
        index("attribute", &["placeholder"], true),
        index("attribute", &["position"], true),
        index("attribute", &["position", "id"], false),
    ];
    create_table(manager, record(&mut attribute), indexes).await?;
    let option = records("attribute_option")
        .col(integer("attribute_id"))
        .col(integer("position"))
        .col(text("name"))
        .col(folded(manager, "name_fold"))
        .col(text("value"))
        .col(folded(manager, "value_fold"))
        .col(optional_text("display_value"))
        .col(optional_positive("weight_per_base_unit"))
        .foreign_key(&mut part_of("attribute_option", "attribute_id", "attribute"))
        .take();
    let indexes = [
        index("attribute_option", &["attribute_id", "name_fold"], true),
        index("attribute_option", &["attribute_id", "value_fold"], true),
    ];
    create_table(manager, &option, indexes).await
}

/// Creates the commercial lengths, which are clusters of lengths.
async fn create_trade_dimensions(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    const CLUSTER: &str = "trade_dimension_cluster";
    let mut trade_dimension = records("trade_dimension")
        .col(text("name"))
        .col(folded(manager, "name_fold"))
        .col(folded(manager, "name_sort"))
        .take();
    let indexes = [
        index("trade_dimension", &["name_fold"], true),
        named_index("trade_dimension_name_sort_index", "trade_dimension", &["name_sort", "id"]),
        index("trade_dimension", &["updated_at", "id"], false),
    ];
    create_table(manager, record(&mut trade_dimension), indexes).await?;
    let cluster = Table::create()
        .table(CLUSTER)
        .col(integer("trade_dimension_id"))
        .col(integer("position"))
        .col(text("short_code"))
        .col(folded(manager, "short_code_fold"))
        .col(optional_positive("minimum"))
        .col(optional_positive("maximum"))
        .col(integer("calculation_value").check(Expr::col("calculation_value").gt(0)).take())
        .check(Expr::col("maximum").gt(Expr::col("minimum")))
        .primary_key(Index::create().col("trade_dimension_id").col("position"))
        .foreign_key(&mut part_of(CLUSTER, "trade_dimension_id", "trade_dimension"))
        .take();
    create_table(manager, &cluster, [index(CLUSTER, &["trade_dimension_id", "short_code_fold"], true)]).await
}

async fn create_article_types(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let mut group = records("article_type_group")
        .col(text("name"))
        .col(folded(manager, "name_fold"))
        .col(optional_text("description"))
        .col(folded(manager, "description_fold"))
        .take();
    let indexes = [
        index("article_type_group", &["name_fold"], true),
        index("article_type_group", &["description_fold", "id"], false),
        index("article_type_group", &["updated_at", "id"], false),
    ];
    create_table(manager, record(&mut group), indexes).await?;
    let mut article_type = records("article_type")
        .col(optional_integer("article_type_group_id"))
        .col(text("name"))
        .col(folded(manager, "name_fold"))
        .col(folded(manager, "name_sort"))
        .col(text("article_number_template"))
        .col(text("article_name_template"))
        .col(text("base_unit_of_measure"))
        .col(text("listing_unit_of_measure"))
        .col(text("price_unit_of_measure"))
        // The shape of the section: with the dimensions of the attributes it gives the weight.
        .col(optional_text("section"))
        .col(optional_integer("trade_dimension_id"))
        .foreign_key(&mut reference("article_type", "article_type_group_id", "article_type_group"))
        .foreign_key(&mut reference("article_type", "trade_dimension_id", "trade_dimension"))
        .take();
    let indexes = [
        index("article_type", &["name_fold"], true),
        named_index("article_type_name_sort_index", "article_type", &["name_sort", "id"]),
        named_index(
            "article_type_group_name_sort_index",
            "article_type",
            &["article_type_group_id", "name_sort", "id"],
        ),
        named_index(
            "article_type_trade_dimension_name_sort_index",
            "article_type",
            &["trade_dimension_id", "name_sort", "id"],
        ),
    ];
    create_table(manager, record(&mut article_type), indexes).await?;
    let attribute = Table::create()
        .table("article_type_attribute")
        .col(integer("article_type_id"))
        .col(integer("attribute_id"))
        .col(integer("position"))
        .col(boolean("primary"))
        // The dimension of the section that the attribute measures.
        .col(optional_text("dimension"))
        .primary_key(Index::create().col("article_type_id").col("attribute_id"))
        .foreign_key(&mut part_of("article_type_attribute", "article_type_id", "article_type"))
        .foreign_key(&mut reference("article_type_attribute", "attribute_id", "attribute"))
        .take();
    let indexes = [
        index("article_type_attribute", &["article_type_id", "dimension"], true),
        index("article_type_attribute", &["attribute_id"], false),
    ];
    create_table(manager, &attribute, indexes).await
}

async fn create_articles(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    const NUMBER: &str = "article_other_number";
    let mut article = records("article")
        .col(integer("article_type_id"))
        .col(optional_integer("material_id"))
        .col(text("article_number"))
        .col(folded(manager, "article_number_fold"))
        .col(folded(manager, "article_number_sort"))
        .col(boolean("article_number_overridden"))
        .col(text("article_name"))
        .col(folded(manager, "article_name_fold"))
        .col(folded(manager, "article_name_sort"))
        .col(boolean("article_name_overridden"))
        .col(json("attribute_values"))
        .col(optional_positive("weight_per_base_unit"))
        .col(boolean("weight_per_base_unit_overridden"))
        .foreign_key(&mut reference("article", "article_type_id", "article_type"))
        .foreign_key(&mut reference("article", "material_id", "material"))
        .take();
    create_table(manager, record(&mut article), article_indexes()).await?;
    execute(manager, orders_with_equal_values(manager)).await?;

    let kinds = ["former", "gtin", "drawing", "free"];
    let number = records(NUMBER)
        .col(integer("article_id"))
        .col(text("kind").check(Expr::col("kind").is_in(kinds)).take())
        .col(text("number"))
        .col(folded(manager, "number_fold"))
        .foreign_key(&mut part_of(NUMBER, "article_id", "article"))
        .take();
    let indexes = [
        index(NUMBER, &["kind", "number_fold"], true),
        // A search does not know the kind.
        index(NUMBER, &["number_fold", "article_id"], false),
        index(NUMBER, &["article_id"], false),
    ];
    create_table(manager, &number, indexes).await?;
    let image = Table::create()
        .table("article_image")
        .col(integer("article_id"))
        .primary_key(Index::create().col("article_id"))
        .foreign_key(&mut part_of("article_image", "article_id", "article"))
        .take();
    create_images(manager, "article_image", image).await
}

/// Indexes of articles. Parts of numbers, names and weights are looked for along the order, in the index alone.
fn article_indexes() -> [IndexCreateStatement; 8] {
    let article =
        |name: &str, columns: &[&'static str]| named_index(format!("article_{name}"), "article", columns);
    [
        index("article", &["article_number_fold"], true),
        article(
            "number_sort_index",
            &[
                "article_number_sort",
                "id",
                "article_number_fold",
                "article_name_fold",
                "weight_per_base_unit",
            ],
        ),
        article(
            "name_sort_index",
            &["article_name_sort", "id", "article_name_fold", "article_number_fold", "weight_per_base_unit"],
        ),
        article("name_fold_index", &["article_name_fold", "id"]),
        article("of_type_number_sort_index", &["article_type_id", "article_number_sort", "id"]),
        article("of_type_name_sort_index", &["article_type_id", "article_name_sort", "id"]),
        article("of_material_number_sort_index", &["material_id", "article_number_sort", "id"]),
        article(
            "of_type_and_material_number_sort_index",
            &["article_type_id", "material_id", "article_number_sort", "id"],
        ),
    ]
}

/// Indexes of columns in which thousands of articles have the same value: a weight, or the moment of an
/// import. A page may begin anywhere within them. SQLite goes to that row in an index that ends with the
/// rowid by itself, but not in one where `id` is a column. Empty weights come first on both databases.
fn orders_with_equal_values(manager: &SchemaManager<'_>) -> &'static [&'static str] {
    match manager.get_database_backend() {
        DbBackend::Postgres => &[
            "CREATE INDEX article_weight_per_base_unit_id_index ON article (weight_per_base_unit NULLS FIRST, id)",
            "CREATE INDEX article_updated_at_id_index ON article (updated_at, id)",
        ],
        _ => &[
            "CREATE INDEX article_weight_per_base_unit_index ON article (weight_per_base_unit)",
            "CREATE INDEX article_updated_at_index ON article (updated_at)",
        ],
    }
}

/// Creates the index behind "contains" in a million articles. On PostgreSQL it is one of an expression: an
/// index of the column itself would also be taken for `=`, where it is a thousand times slower than the
/// unique index.
async fn create_search(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let statements: &[&str] = match manager.get_database_backend() {
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
    };
    execute(manager, statements).await
}

/// Drops SQLite's full-text index, which is no part of the table of articles.
pub(super) async fn drop_search(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    match manager.get_database_backend() {
        DbBackend::Postgres => Ok(()),
        _ => execute(manager, &["DROP TABLE article_trigram"]).await,
    }
}

async fn create_categories(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let mut category = records("category")
        .col(optional_integer("parent_id"))
        // Orders siblings; may have gaps.
        .col(integer("position"))
        .col(text("name"))
        .col(folded(manager, "name_fold"))
        .col(folded(manager, "name_sort"))
        .col(optional_text("display_name"))
        .col(folded(manager, "display_name_fold"))
        .col(folded(manager, "display_name_sort"))
        .col(optional_integer("article_type_id"))
        .check(Expr::col("parent_id").ne(Expr::col("id")))
        .foreign_key(&mut reference("category", "parent_id", "category"))
        .foreign_key(&mut reference("category", "article_type_id", "article_type"))
        .take();
    let sorted =
        |name: &str, columns: &[&'static str]| named_index(format!("category_{name}"), "category", columns);
    let indexes = [
        sorted("name_sort_index", &["name_sort", "id"]),
        sorted("display_name_sort_index", &["display_name_sort", "id"]),
        sorted("parent_name_sort_index", &["parent_id", "name_sort", "id"]),
        sorted("article_type_name_sort_index", &["article_type_id", "name_sort", "id"]),
        index("category", &["parent_id", "position", "id"], false),
        index("category", &["updated_at", "id"], false),
    ];
    create_table(manager, record(&mut category), indexes).await?;
    // NULL is not equal to NULL: roots are siblings all the same.
    let siblings = [
        "CREATE UNIQUE INDEX category_parent_id_name_fold_key ON category (parent_id, name_fold) \
         WHERE parent_id IS NOT NULL",
        "CREATE UNIQUE INDEX category_name_fold_key ON category (name_fold) WHERE parent_id IS NULL",
        "CREATE UNIQUE INDEX category_parent_id_position_key ON category (coalesce(parent_id, 0), position)",
    ];
    execute(manager, &siblings).await?;
    let image = Table::create()
        .table("category_image")
        .col(integer("category_id"))
        .col(text("kind").check(Expr::col("kind").is_in(["category", "article_type"])).take())
        .primary_key(Index::create().col("category_id").col("kind"))
        .foreign_key(&mut part_of("category_image", "category_id", "category"))
        .take();
    create_images(manager, "category_image", image).await
}

/// Creates a table of pictures, of which `image` says the owner.
async fn create_images(
    manager: &SchemaManager<'_>,
    name: &'static str,
    mut image: TableCreateStatement,
) -> Result<(), DbErr> {
    image
        .col(text("sha256"))
        .col(integer("width"))
        .col(integer("height"))
        .col(text("key"))
        .col(text("media_type"))
        .col(text("thumbnail_key"))
        .col(text("thumbnail_media_type"));
    create_table(manager, &image, [index(name, &["key"], true), index(name, &["thumbnail_key"], true)]).await
}

fn optional_positive(name: &'static str) -> ColumnDef {
    optional_integer(name).check(Expr::col(name).gt(0)).take()
}
