//! Writes a batch of articles: new and changed ones in one statement, marks of unchanged ones in another.

use catalog::article::{ActiveModel, Articles};
use kernel::{
    Decimal, Error, Result, Scope,
    bulk::{Data, Table},
    now,
};
use sea_orm::{ActiveValue, ConnectionTrait};

/// The number is the same, or the row would not have been found; the article type never changes.
const CHANGE: &str = "ON CONFLICT (article_number_fold) DO UPDATE SET material_id = excluded.material_id, \
    article_number_overridden = excluded.article_number_overridden, article_name = excluded.article_name, \
    article_name_fold = excluded.article_name_fold, article_name_overridden = excluded.article_name_overridden, \
    attribute_values = excluded.attribute_values, weight_per_base_unit = excluded.weight_per_base_unit, \
    weight_per_base_unit_overridden = excluded.weight_per_base_unit_overridden, \
    import_id = excluded.import_id, import_line = excluded.import_line, version = article.version + 1, \
    updated_at = excluded.updated_at";

/// Inserts new articles and changes those that have the same number, each with the line that says so.
pub(super) async fn upsert(
    tx: &impl ConnectionTrait,
    scope: &Scope,
    import_id: i64,
    rows: &[(ActiveModel, u32)],
) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    scope.claim::<Articles>()?;
    let json = |(row, _): &(ActiveModel, u32)| serde_json::to_string(&value(&row.attribute_values));
    let json: Vec<_> = rows.iter().map(json).collect::<Result<_, _>>().map_err(Error::internal)?;
    let integers = |column: fn(&ActiveModel) -> &ActiveValue<i64>| {
        Data::Integers(rows.iter().map(|(row, _)| value(column(row))).collect())
    };
    let texts = |column: fn(&ActiveModel) -> &ActiveValue<String>| {
        Data::Texts(rows.iter().map(|(row, _)| value(column(row))).collect())
    };
    let booleans = |column: fn(&ActiveModel) -> &ActiveValue<bool>| {
        Data::Booleans(rows.iter().map(|(row, _)| value(column(row))).collect())
    };
    let materials = rows.iter().map(|(row, _)| value(&row.material_id)).collect();
    let weights =
        rows.iter().map(|(row, _)| value(&row.weight_per_base_unit).map(Decimal::millionths)).collect();
    let now = now();
    Table::default()
        .with("article_type_id", integers(|row| &row.article_type_id))
        .with("material_id", Data::OptionalIntegers(materials))
        .with("article_number", texts(|row| &row.article_number))
        .with("article_number_fold", texts(|row| &row.article_number_fold))
        .with("article_number_overridden", booleans(|row| &row.article_number_overridden))
        .with("article_name", texts(|row| &row.article_name))
        .with("article_name_fold", texts(|row| &row.article_name_fold))
        .with("article_name_overridden", booleans(|row| &row.article_name_overridden))
        .with("attribute_values", Data::Json(json))
        .with("weight_per_base_unit", Data::OptionalIntegers(weights))
        .with("weight_per_base_unit_overridden", booleans(|row| &row.weight_per_base_unit_overridden))
        .with("import_line", Data::Integers(rows.iter().map(|(_, line)| i64::from(*line)).collect()))
        .constant("import_id", import_id)
        .constant("version", 1_i64)
        .constant("created_at", now)
        .constant("updated_at", now)
        .insert_into(tx, "article", CHANGE)
        .await
}

/// Notes in unchanged articles, by id, that this import has seen them in these lines.
pub(super) async fn mark(
    tx: &impl ConnectionTrait,
    scope: &Scope,
    import_id: i64,
    seen: &[(i64, u32)],
) -> Result<()> {
    if seen.is_empty() {
        return Ok(());
    }
    scope.claim::<Articles>()?;
    Table::default()
        .with("id", Data::Integers(seen.iter().map(|(id, _)| *id).collect()))
        .with("import_line", Data::Integers(seen.iter().map(|(_, line)| i64::from(*line)).collect()))
        .constant("import_id", import_id)
        .update(tx, "article", &[])
        .await
}

fn value<T: Clone + Into<sea_orm::Value>>(value: &ActiveValue<T>) -> T {
    value.try_as_ref().cloned().expect("a draft sets every column of its row")
}
