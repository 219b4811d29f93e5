//! Changes of one field in many articles, each of which is changed or refused by itself.

use std::collections::HashMap;

use sea_orm::{ColumnTrait, QueryFilter, QueryOrder, QuerySelect};
use store::{Database, Scope};
use values::{Result, Violation};

use super::{ArticleChange, ArticleEffect, EffectCounter, Problem, recalculate};
use crate::{
    article::{Article, ArticleFieldChange, Articles, Column},
    catalogue::Catalogue,
    codes,
};

/// Calculates the effect of changing one field of these articles.
pub async fn preview_field_change(
    db: &Database,
    scope: &Scope,
    ids: &[i64],
    change: &ArticleFieldChange,
) -> Result<ArticleEffect> {
    let these = scope.find::<Articles>().filter(Column::Id.is_in(ids.iter().copied()));
    let articles = these.order_by_asc(Column::Id).all(db).await?;
    let catalogue = db.compiled::<Catalogue>(scope).await?;
    let mut changes: Vec<ArticleChange> =
        articles.into_iter().filter_map(|article| preview_article(&catalogue, article, change)).collect();
    let mut holders = current_holders(db, scope, &changes).await?;
    for change in &mut changes {
        let id = change.article.id;
        let Some(after) = change.after.as_ref().filter(|_| change.is_renumbered()) else { continue };
        if holders.get(&after.article_number_fold).is_some_and(|holder| *holder != id) {
            let message = codes::NUMBER_COLLIDES.with("number", &after.article_number);
            change.problem = Some(Problem { path: "article_number".into(), message });
        } else {
            // Articles are changed one after the other, so a number given up is free for later ones.
            holders.remove(&change.article.article_number_fold);
            holders.insert(after.article_number_fold.clone(), id);
        }
    }
    let mut counter = EffectCounter::default();
    counter.add(&changes);
    Ok(counter.effect())
}

fn preview_article(
    catalogue: &Catalogue,
    article: Article,
    change: &ArticleFieldChange,
) -> Option<ArticleChange> {
    let blueprint = catalogue.blueprint(article.article_type_id)?;
    let mut with = article.clone();
    match change {
        ArticleFieldChange::MaterialId(material) => with.material_id = *material,
        ArticleFieldChange::WeightPerBaseUnit(weight) => {
            with.weight_per_base_unit = *weight;
            with.weight_per_base_unit_overridden = weight.is_some();
        }
    }
    let material = with.material_id.and_then(|id| catalogue.material(id));
    let outcome = match (with.material_id, material) {
        (Some(_), None) => {
            Err(Violation { path: "material_id".to_owned(), message: codes::UNKNOWN_REFERENCE.into() })
        }
        _ => recalculate(blueprint, material, &with).map_err(|violations| {
            let first = violations.into_iter().next();
            first.unwrap_or_else(|| Violation { path: String::new(), message: codes::INVALID_INPUT.into() })
        }),
    };
    let (after, problem) = match outcome {
        Ok(after) => (Some(after), None),
        Err(Violation { path, message }) => (None, Some(Problem { path: path.into(), message })),
    };
    let base_unit_of_measure = blueprint.article_type.base_unit_of_measure;
    Some(ArticleChange { article, base_unit_of_measure, after, problem })
}

/// Articles that have the new numbers now, by folded number.
async fn current_holders(
    db: &Database,
    scope: &Scope,
    changes: &[ArticleChange],
) -> Result<HashMap<String, i64>> {
    let new = changes.iter().filter(|change| change.is_renumbered());
    let new: Vec<String> =
        new.filter_map(|change| Some(change.after.as_ref()?.article_number_fold.clone())).collect();
    if new.is_empty() {
        return Ok(HashMap::new());
    }
    let holders: Vec<(String, i64)> = scope
        .find::<Articles>()
        .select_only()
        .columns([Column::ArticleNumberFold, Column::Id])
        .filter(Column::ArticleNumberFold.is_in(new))
        .into_tuple()
        .all(db)
        .await?;
    Ok(holders.into_iter().collect())
}
