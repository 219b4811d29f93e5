//! Changes of an attribute, together with the templates and articles that depend on it.

use std::collections::HashMap;

use lists::{Changeable, Creatable, Managed};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, Condition, ConnectionTrait, DbBackend, ExprTrait, QueryFilter, QueryOrder, QuerySelect,
    QueryTrait,
    sea_query::{Expr, SimpleExpr},
};
use store::{Database, Scope, Write, scope::refuse_stale};
use values::{Result, Validated, Violations};

use super::ArticleEffect;
use crate::{
    article::{Articles, entity as article},
    article_type::{self, ArticleType, TypeAttributes, attribute_entity, check_measuring},
    attribute::{
        AttributeDetail, AttributeFieldChange, AttributeInput, AttributeOption, AttributeOptions,
        AttributeType, Attributes, Column, get, option_entity,
        rules::{AttributeRows, check},
    },
    blueprint::{Blueprint, display_text},
    cascade, codes,
};

impl Managed for Attributes {
    type Input = AttributeInput;

    /// Updates an attribute. Options keep their ids. If the placeholder changes with the name, the templates
    /// are rewritten; articles are recalculated if their texts or weights depend on the change.
    async fn update(
        db: &Database,
        scope: &Scope,
        id: i64,
        input: impl Into<Validated<AttributeInput>>,
    ) -> Result<AttributeDetail> {
        let input = input.into();
        let confirmed = input.change_articles;
        let tx = db.begin_long().await?;
        let (updated, blueprints) = write(&tx, scope, id, input).await?;
        cascade::apply(&tx, scope, &blueprints, confirmed, |_| match updated.attribute.r#type {
            AttributeType::Categorial => "options".to_owned(),
            AttributeType::Metric | AttributeType::Custom => "default_unit".to_owned(),
        })
        .await?;
        tx.commit().await?;
        Ok(updated)
    }
}

impl Creatable for Attributes {
    /// Creates an attribute in the last position.
    async fn create(
        db: &Database,
        scope: &Scope,
        input: impl Into<Validated<AttributeInput>>,
    ) -> Result<AttributeDetail> {
        let AttributeRows { mut attribute, options, .. } = check(input.into(), &[])?;
        scope.claim::<Self>()?;
        // Exclusive, so that attributes created at the same time get different positions.
        let tx = db.begin_alone::<Self>().await?;
        let last: Option<Option<i64>> = scope
            .find::<Self>()
            .select_only()
            .column_as(Column::Position.max(), "last")
            .into_tuple()
            .one(&tx)
            .await?;
        attribute.position = Set(last.flatten().unwrap_or_default() + 1);
        let attribute = scope.create::<Self>(&tx, attribute).await?;
        scope
            .add_parts::<AttributeOptions>(&tx, attribute.id, options.into_iter().map(|(_, option)| option))
            .await?;
        let created = get(&tx, scope, attribute.id).await?;
        tx.commit().await?;
        Ok(created)
    }
}

/// Calculates the effect of an attribute change on articles.
pub async fn effect(
    db: &Database,
    scope: &Scope,
    id: i64,
    input: impl Into<Validated<AttributeInput>>,
) -> Result<ArticleEffect> {
    let tx = db.begin_long().await?;
    let (_, blueprints) = write(&tx, scope, id, input.into()).await?;
    cascade::preview_and_roll_back(tx, scope, &blueprints).await
}

/// Writes the attribute and returns it with the article types whose articles depend on it.
async fn write(
    tx: &Write,
    scope: &Scope,
    id: i64,
    input: Validated<AttributeInput>,
) -> Result<(AttributeDetail, Vec<Blueprint>)> {
    // Article types are locked first, as when articles are written, to avoid deadlocks.
    types_using(scope, id).lock_exclusive().all(tx).await?;
    let before = get(tx, scope, id).await?;
    refuse_stale(input.version, before.attribute.version)?;
    let AttributeRows { version, attribute, options } = check(input, &before.options)?;
    let after = scope.update::<Attributes>(tx, id, version, attribute).await?;

    let types = types_using(scope, id).all(tx).await?;
    let mut violations = Violations::new();
    let mut fixed = |path: &str, changed: bool| {
        if changed && !types.is_empty() {
            violations.add(path, codes::TYPE_IN_USE.list("uses", types.iter().map(|using| &using.name)));
        }
    };
    fixed("type", before.attribute.r#type != after.r#type);
    fixed("unit_category", before.attribute.unit_category != after.unit_category);
    violations.check()?;

    if before.attribute.placeholder != after.placeholder {
        for article_type in &types {
            crate::cascade::article_type::rename_placeholder(
                tx,
                scope,
                article_type,
                &before.attribute.placeholder,
                &after.placeholder,
            )
            .await?;
        }
    }
    save_options(tx, scope, &before, options, &types).await?;
    let updated = get(tx, scope, id).await?;
    refuse_unmeasured(tx, scope, &updated).await?;
    let blueprints = if before.renders_the_same(&updated) {
        Vec::new()
    } else {
        Blueprint::load_some(tx, scope, types_using(scope, id)).await?
    };
    Ok((updated, blueprints))
}

impl AttributeDetail {
    /// True if articles with the same values get the same texts and weights.
    fn renders_the_same(&self, other: &Self) -> bool {
        let content = |option: &AttributeOption| {
            let AttributeOption { name, value, .. } = option.clone();
            (name, value, display_text(option).to_owned(), option.weight_per_base_unit)
        };
        let options: HashMap<i64, _> =
            other.options.iter().map(|option| (option.id, content(option))).collect();
        self.attribute.default_unit == other.attribute.default_unit
            && self.attribute.weight_per_base_unit == other.attribute.weight_per_base_unit
            && self
                .options
                .iter()
                .all(|option| options.get(&option.id).is_none_or(|other| *other == content(option)))
    }
}

/// Selects the article types that use an attribute.
fn types_using(scope: &Scope, attribute_id: i64) -> sea_orm::Select<article_type::ArticleTypes> {
    let using = scope
        .find::<article_type::ArticleTypes>()
        .select_only()
        .column(article_type::Column::Id)
        .inner_join(TypeAttributes)
        .filter(attribute_entity::Column::AttributeId.eq(attribute_id));
    scope
        .find::<article_type::ArticleTypes>()
        .filter(article_type::Column::Id.in_subquery(using.into_query()))
        .order_by_asc(article_type::Column::Id)
}

async fn save_options(
    tx: &Write,
    scope: &Scope,
    before: &AttributeDetail,
    options: Vec<(Option<i64>, option_entity::ActiveModel)>,
    types: &[ArticleType],
) -> Result<()> {
    use option_entity::Column;
    let id = before.attribute.id;
    let (existing, new): (Vec<_>, Vec<_>) = options.into_iter().partition(|(option, _)| option.is_some());
    let existing_rows: HashMap<i64, _> =
        existing.into_iter().filter_map(|(option, row)| Some((option?, row))).collect();

    let removed: Vec<&AttributeOption> =
        before.options.iter().filter(|option| !existing_rows.contains_key(&option.id)).collect();
    if !removed.is_empty() {
        refuse_used(tx, scope, id, &removed, types).await?;
        let removed = Column::Id.is_in(removed.iter().map(|option| option.id));
        scope.remove_parts::<AttributeOptions>(tx, id, removed).await?;
    }
    let changed = || {
        before.options.iter().filter_map(|option| {
            let row = existing_rows.get(&option.id)?;
            (!same(option, row)).then(|| (option.id, row.clone()))
        })
    };
    // Two options may swap names, so all of them first get a temporary name that no folded text can have.
    for (option, _) in changed() {
        let nameless = option_entity::ActiveModel {
            name_fold: Set(format!("ID{option}")),
            value_fold: Set(format!("ID{option}")),
            ..Default::default()
        };
        scope.change_parts::<AttributeOptions>(tx, id, Column::Id.eq(option), nameless).await?;
    }
    for (option, row) in changed() {
        scope.change_parts::<AttributeOptions>(tx, id, Column::Id.eq(option), row).await?;
    }
    scope.add_parts::<AttributeOptions>(tx, id, new.into_iter().map(|(_, row)| row)).await
}

fn same(option: &AttributeOption, row: &option_entity::ActiveModel) -> bool {
    let AttributeOption { position, name, value, display_value, weight_per_base_unit, .. } = option;
    row.position.try_as_ref() == Some(position)
        && row.name.try_as_ref() == Some(name)
        && row.value.try_as_ref() == Some(value)
        && row.display_value.try_as_ref() == Some(display_value)
        && row.weight_per_base_unit.try_as_ref() == Some(weight_per_base_unit)
}

/// Checks that options by which article types measure their articles still name a measure.
async fn refuse_unmeasured(
    tx: &impl ConnectionTrait,
    scope: &Scope,
    attribute: &AttributeDetail,
) -> Result<()> {
    if attribute.options.is_empty() {
        return Ok(());
    }
    let using = scope
        .all_parts::<TypeAttributes>()
        .filter(attribute_entity::Column::AttributeId.eq(attribute.attribute.id))
        .filter(attribute_entity::Column::Dimension.is_not_null());
    for dimension in using.all(tx).await?.into_iter().filter_map(|row| row.dimension) {
        check_measuring(attribute, dimension).map_err(|fault| Violations::error("options", fault))?;
    }
    Ok(())
}

/// Rejects the removal of options in use. Articles store the chosen option in a JSON column, which has no
/// foreign key.
async fn refuse_used(
    tx: &impl ConnectionTrait,
    scope: &Scope,
    attribute_id: i64,
    removed: &[&AttributeOption],
    types: &[ArticleType],
) -> Result<()> {
    if types.is_empty() {
        return Ok(());
    }
    let chosen = chosen_option(tx.get_database_backend(), attribute_id);
    let used: Vec<(i64, i64)> = scope
        .find::<Articles>()
        .select_only()
        .column_as(chosen.clone(), "chosen")
        .column_as(article::Column::Id.count(), "articles")
        .filter(article::Column::ArticleTypeId.is_in(types.iter().map(|article_type| article_type.id)))
        .filter(Condition::all().add(chosen.clone().is_in(removed.iter().map(|option| option.id))))
        .group_by(chosen)
        .into_tuple()
        .all(tx)
        .await?;
    if used.is_empty() {
        return Ok(());
    }
    let articles: HashMap<i64, i64> = used.into_iter().collect();
    let used: Vec<_> = removed
        .iter()
        .filter_map(|option| Some(format!("{} ({})", option.name, articles.get(&option.id)?)))
        .collect();
    Err(Violations::error("options", codes::OPTION_IN_USE.list("options", used)))
}

/// Id of the option that an article has for an attribute.
fn chosen_option(backend: DbBackend, attribute_id: i64) -> SimpleExpr {
    Expr::cust(match backend {
        DbBackend::Sqlite => format!("json_extract(article.attribute_values, '$.\"{attribute_id}\".o')"),
        _ => format!("(article.attribute_values -> '{attribute_id}' ->> 'o')::bigint"),
    })
}

impl Changeable for Attributes {
    type Change = AttributeFieldChange;

    /// Changes one field and checks all rules of an attribute.
    async fn change(db: &Database, scope: &Scope, id: i64, change: &AttributeFieldChange) -> Result<()> {
        let mut input = AttributeInput::from(get(db, scope, id).await?);
        match change {
            AttributeFieldChange::Primary(primary) => input.primary = *primary,
        }
        Self::update(db, scope, id, input).await.map(|_| ())
    }
}
