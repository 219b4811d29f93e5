//! What the change of one field does to many articles: each is changed by itself, and refused by itself.

use std::collections::{HashMap, HashSet};

use kernel::{Code, Database, Result, Scope, Violation};
use sea_orm::{ColumnTrait, QueryFilter, QueryOrder, QuerySelect};

use super::{ArticleChange, ArticleEffect, Counting, Problem, recalculation::recalculated};
use crate::{
    article::{Article, ArticleFieldChange, Articles, Column},
    catalogue::Catalogue,
};

/// What it would do to change one field of these articles.
pub async fn of_change(
    db: &Database,
    scope: &Scope,
    ids: &[i64],
    change: &ArticleFieldChange,
) -> Result<ArticleEffect> {
    let these = scope.find::<Articles>().filter(Column::Id.is_in(ids.iter().copied()));
    let articles = these.order_by_asc(Column::Id).all(db).await?;
    let catalogue = db.compiled::<Catalogue>(scope).await?;
    let mut changes: Vec<ArticleChange> =
        articles.into_iter().filter_map(|article| changed(&catalogue, article, change)).collect();
    let taken = taken(db, scope, &changes).await?;
    for change in &mut changes {
        let Some(Article { article_number, article_number_fold, .. }) = &change.after else { continue };
        if change.is_renumbered() && taken.contains(article_number_fold) {
            let message = Code::NumberCollides.with("number", article_number);
            change.problem = Some(Problem { path: "article_number".into(), message });
        }
    }
    let mut counting = Counting::default();
    counting.add(&changes);
    Ok(counting.effect())
}

fn changed(catalogue: &Catalogue, article: Article, change: &ArticleFieldChange) -> Option<ArticleChange> {
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
            Err(Violation { path: "material_id".to_owned(), message: Code::UnknownReference.into() })
        }
        _ => recalculated(blueprint, material, &with).map_err(|violations| {
            let first = violations.into_iter().next();
            first.unwrap_or_else(|| Violation { path: String::new(), message: Code::InvalidInput.into() })
        }),
    };
    let (after, problem) = match outcome {
        Ok(after) => (Some(after), None),
        Err(Violation { path, message }) => (None, Some(Problem { path: path.into(), message })),
    };
    let base_unit_of_measure = blueprint.article_type.base_unit_of_measure;
    Some(ArticleChange { article, base_unit_of_measure, after, problem })
}

/// New numbers that several of them would have, or another article that keeps its own.
async fn taken(db: &Database, scope: &Scope, changes: &[ArticleChange]) -> Result<HashSet<String>> {
    let renumbered: Vec<(i64, &String)> = changes
        .iter()
        .filter(|change| change.is_renumbered())
        .filter_map(|change| Some((change.article.id, &change.after.as_ref()?.article_number_fold)))
        .collect();
    if renumbered.is_empty() {
        return Ok(HashSet::new());
    }
    let mut wanted: HashMap<&String, u32> = HashMap::new();
    for (_, number) in &renumbered {
        *wanted.entry(number).or_default() += 1;
    }
    let several = wanted.iter().filter(|(_, count)| **count > 1).map(|(number, _)| (*number).clone());
    let mut taken: HashSet<String> = several.collect();
    let holders: Vec<(i64, String)> = scope
        .find::<Articles>()
        .select_only()
        .columns([Column::Id, Column::ArticleNumberFold])
        .filter(Column::ArticleNumberFold.is_in(wanted.into_keys().cloned()))
        .into_tuple()
        .all(db)
        .await?;
    let moving: HashSet<i64> = renumbered.iter().map(|(id, _)| *id).collect();
    taken.extend(holders.into_iter().filter(|(id, _)| !moving.contains(id)).map(|(_, number)| number));
    Ok(taken)
}
