//! Changes of an article type, together with the articles that depend on it.

use std::collections::HashMap;

use lists::{Changeable, Creatable, Managed};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, PaginatorTrait, QueryFilter, QuerySelect,
    sea_query::Condition,
};
use store::{Database, Scope, Write, scope::refuse_stale};
use values::{Result, Validated, Violations, rule::TEXT_MAX};

use super::{ArticleChange, ArticleEffect, Recalculation};
use crate::{
    article_type::{
        ActiveModel, ArticleType, ArticleTypeDetail, ArticleTypeFieldChange, ArticleTypeInput, ArticleTypes,
        Column, TypeAttributes, articles_of, get,
        rules::{TypeReferences, check, rows},
    },
    blueprint::Blueprint,
    cascade, codes,
    template::Template,
};

impl Managed for ArticleTypes {
    type Input = ArticleTypeInput;

    /// Updates an article type, and its articles if their numbers, names or weights change with it.
    async fn update(
        db: &Database,
        scope: &Scope,
        id: i64,
        input: impl Into<Validated<ArticleTypeInput>>,
    ) -> Result<ArticleTypeDetail> {
        let input = input.into();
        let tx = db.begin_long().await?;
        let before = scope.find::<Self>().filter(Column::Id.eq(id)).lock_exclusive().one(&tx).await?;
        let before = before.ok_or_else(values::Error::not_found)?;
        refuse_stale(input.version, before.version)?;
        let blueprint =
            check(&input, &TypeReferences::load(&tx, scope, &input).await?)?.with_article_type_id(id);
        if let RecalculationNeed::Recalculated =
            recalculation_need(&tx, scope, &before, &input, &blueprint).await?
        {
            cascade::apply(&tx, scope, &[blueprint], input.change_articles, str::to_owned).await?;
        }

        let version = input.version;
        let (row, attributes) = rows(&input);
        scope.update::<Self>(&tx, id, version, row).await?;
        scope.remove_parts::<TypeAttributes>(&tx, id, Condition::all()).await?;
        scope.add_parts::<TypeAttributes>(&tx, id, attributes).await?;
        let updated = get(&tx, scope, id).await?;
        tx.commit().await?;
        Ok(updated)
    }
}

impl Creatable for ArticleTypes {
    /// Creates an article type with its attributes.
    async fn create(
        db: &Database,
        scope: &Scope,
        input: impl Into<Validated<ArticleTypeInput>>,
    ) -> Result<ArticleTypeDetail> {
        let input = input.into();
        let tx = db.begin().await?;
        check(&input, &TypeReferences::load(&tx, scope, &input).await?)?;
        let (row, attributes) = rows(&input);
        let article_type = scope.create::<Self>(&tx, row).await?;
        scope.add_parts::<TypeAttributes>(&tx, article_type.id, attributes).await?;
        let created = get(&tx, scope, article_type.id).await?;
        tx.commit().await?;
        Ok(created)
    }
}

/// Calculates the effect of an article type change on its articles.
pub async fn effect(
    db: &impl ConnectionTrait,
    scope: &Scope,
    id: i64,
    input: &Validated<ArticleTypeInput>,
) -> Result<ArticleEffect> {
    let before = scope.get::<ArticleTypes>(db, id).await?;
    let blueprint = check(input, &TypeReferences::load(db, scope, input).await?)?.with_article_type_id(id);
    match recalculation_need(db, scope, &before, input, &blueprint).await? {
        RecalculationNeed::Unchanged(total) => {
            Ok(ArticleEffect { total, unchanged: total, ..ArticleEffect::default() })
        }
        RecalculationNeed::Recalculated => cascade::preview(db, scope, &[blueprint]).await,
    }
}

/// Passes all articles that [`effect`] counts as changed or refused to `take`, a thousand at a time, until it
/// returns false.
pub async fn each_change(
    db: &impl ConnectionTrait,
    scope: &Scope,
    id: i64,
    input: &Validated<ArticleTypeInput>,
    take: impl AsyncFn(Vec<ArticleChange>) -> bool,
) -> Result<()> {
    let before = scope.get::<ArticleTypes>(db, id).await?;
    let blueprint = check(input, &TypeReferences::load(db, scope, input).await?)?.with_article_type_id(id);
    if let RecalculationNeed::Unchanged(_) = recalculation_need(db, scope, &before, input, &blueprint).await?
    {
        return Ok(());
    }
    let mut recalculation = Recalculation::new(db, scope, &blueprint).await?;
    while let Some(changes) = recalculation.next(db).await? {
        let counted = changes.into_iter().filter(|change| change.problem.is_some() || change.is_visible());
        if !take(counted.collect()).await {
            break;
        }
    }
    Ok(())
}

/// Effect of an article type change on the processing of its articles.
enum RecalculationNeed {
    /// Number of articles, none of which needs a recalculation.
    Unchanged(u64),
    Recalculated,
}

/// Decides if the articles are recalculated. Their attributes and the base unit of their weights cannot be
/// changed while there are articles.
async fn recalculation_need(
    db: &impl ConnectionTrait,
    scope: &Scope,
    before: &ArticleType,
    input: &Validated<ArticleTypeInput>,
    blueprint: &Blueprint,
) -> Result<RecalculationNeed> {
    let count = articles_of(scope, before.id).count(db).await?;
    if count == 0 {
        return Ok(RecalculationNeed::Unchanged(0));
    }
    let measured = scope.parts::<TypeAttributes>([before.id]).all(db).await?;
    let measured: HashMap<i64, _> =
        measured.into_iter().map(|row| (row.attribute_id, row.dimension)).collect();
    let measuring = input.attributes.iter().map(|attribute| (attribute.attribute_id, attribute.dimension));
    let measuring: HashMap<i64, _> = measuring.collect();

    let mut violations = Violations::new();
    if before.base_unit_of_measure != input.base_unit_of_measure {
        violations.add("base_unit_of_measure", codes::FIXED_BY_ARTICLES.with("count", count));
    }
    if measured.len() != measuring.len() || measured.keys().any(|id| !measuring.contains_key(id)) {
        violations.add("attributes", codes::FIXED_BY_ARTICLES.with("count", count));
    }
    violations.check()?;

    let after = &blueprint.article_type;
    let same = measured == measuring
        && before.article_number_template == after.article_number_template
        && before.article_name_template == after.article_name_template
        && before.section == after.section
        && before.trade_dimension_id == after.trade_dimension_id;
    Ok(if same { RecalculationNeed::Unchanged(count) } else { RecalculationNeed::Recalculated })
}

/// Writes an attribute's new placeholder into the templates of a type that uses it, which changes no article.
/// Rejected if a template becomes too long.
pub(crate) async fn rename_placeholder(
    tx: &Write,
    scope: &Scope,
    article_type: &ArticleType,
    from: &str,
    to: &str,
) -> Result<()> {
    let renamed = |text: &str| match Template::parse(text) {
        Ok(template) => template.renamed(from, to).to_string(),
        Err(_) => text.to_owned(),
    };
    let number = renamed(&article_type.article_number_template);
    let name = renamed(&article_type.article_name_template);
    if [&number, &name].iter().any(|template| template.chars().count() > TEXT_MAX) {
        let fault = codes::TEMPLATE_TOO_LONG.with("article_type", &article_type.name).with("max", TEXT_MAX);
        return Err(Violations::error("name", fault));
    }
    let row = ActiveModel {
        article_number_template: Set(number),
        article_name_template: Set(name),
        ..Default::default()
    };
    scope.update::<ArticleTypes>(tx, article_type.id, None, row).await?;
    Ok(())
}

impl Changeable for ArticleTypes {
    type Change = ArticleTypeFieldChange;

    /// Changes one field and checks all rules of an article type.
    async fn change(db: &Database, scope: &Scope, id: i64, change: &ArticleTypeFieldChange) -> Result<()> {
        let mut input = ArticleTypeInput::from(get(db, scope, id).await?);
        match change {
            ArticleTypeFieldChange::ArticleTypeGroupId(group) => input.article_type_group_id = *group,
            ArticleTypeFieldChange::ListingUnitOfMeasure(unit) => input.listing_unit_of_measure = *unit,
            ArticleTypeFieldChange::PriceUnitOfMeasure(unit) => input.price_unit_of_measure = *unit,
        }
        Self::update(db, scope, id, input).await.map(|_| ())
    }
}
