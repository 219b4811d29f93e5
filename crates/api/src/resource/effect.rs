//! Effect of a change on articles, as resources show it whose changes also change articles.

use catalog::{
    article::Article,
    cascade::{ArticleChange, ArticleEffect},
};
use serde::Serialize;
use utoipa::ToSchema;
use values::{Decimal, Language, Unit};

/// Effect of a change on articles.
#[derive(Serialize, ToSchema)]
#[schema(as = ArticleEffect)]
pub(super) struct EffectView {
    /// All articles that depend on the changed record, and the others of the same types.
    #[schema(example = 40)]
    total: u64,
    #[schema(example = 27)]
    unchanged: u64,
    /// Articles that would change; send this number to confirm the change.
    #[schema(example = 12)]
    changed: u64,
    /// Articles that would collide or break a rule. The change is refused while there are any.
    #[schema(example = 1)]
    refused: u64,
    /// First hundred articles that are refused or change, refused ones first.
    changes: Vec<ChangeView>,
}

/// Effect of a change on one article.
#[derive(Serialize, ToSchema)]
#[schema(as = ArticleChange)]
pub(super) struct ChangeView {
    article_id: i64,
    #[schema(example = "HEB-200-S235JR")]
    pub article_number: String,
    #[schema(example = "HEB 200 S235JR")]
    pub article_name: String,
    /// Unit that the weights refer to.
    base_unit_of_measure: Unit,
    #[schema(required)]
    pub weight_per_base_unit: Option<Decimal>,
    /// New number; `null` if the values give none.
    #[schema(required, example = "HEB-200-S355J2")]
    new_article_number: Option<String>,
    #[schema(required, example = "HEB 200 S355J2")]
    new_article_name: Option<String>,
    #[schema(required)]
    new_weight_per_base_unit: Option<Decimal>,
    /// Reason why the change is refused.
    #[schema(required, example = "Diese Artikelnummer ist bereits vergeben.")]
    pub problem: Option<String>,
}

impl EffectView {
    pub(super) fn new(effect: ArticleEffect, language: Language) -> Self {
        let ArticleEffect { total, unchanged, changed, refused, changes } = effect;
        let changes = changes.iter().map(|change| ChangeView::new(change, language)).collect();
        Self { total, unchanged, changed, refused, changes }
    }
}

impl ChangeView {
    pub(super) fn new(change: &ArticleChange, language: Language) -> Self {
        let Article { id, article_number, article_name, weight_per_base_unit, .. } = change.article.clone();
        Self {
            article_id: id,
            article_number,
            article_name,
            base_unit_of_measure: change.base_unit_of_measure,
            weight_per_base_unit,
            new_article_number: change.article_number().map(str::to_owned),
            new_article_name: change.article_name().map(str::to_owned),
            new_weight_per_base_unit: change.weight_per_base_unit(),
            problem: change.problem.as_ref().map(|fault| fault.message.text(language)),
        }
    }
}
