//! Recalculation of articles by the blueprint of their type, in two passes: the first one finds numbers that
//! several articles would have.

use std::collections::{HashMap, HashSet};

use sea_orm::{
    ActiveValue, ColumnTrait, ConnectionTrait, QueryFilter, QueryOrder, QuerySelect, sea_query::Condition,
};
use store::{Scope, Write, deadline};
use values::{Result, Violations};

use super::{ArticleChange, Problem};
use crate::{
    article::{Article, Articles, Column, Draft, value_of},
    blueprint::Blueprint,
    codes,
    material::{Material, Materials},
};

const AT_ONCE: u64 = 1_000;

/// Recalculation of the articles of a type, a thousand at a time.
pub(crate) struct Recalculation<'a> {
    scope: &'a Scope,
    blueprint: &'a Blueprint,
    materials: HashMap<i64, Material>,
    /// Number of articles of the type that would have each folded number.
    numbers: HashMap<String, u32>,
    /// Id of the last article processed.
    after: i64,
}

impl<'a> Recalculation<'a> {
    /// Reads the articles once and counts their new numbers. Memory grows with the number of articles of the
    /// type.
    pub(crate) async fn new(
        db: &impl ConnectionTrait,
        scope: &'a Scope,
        blueprint: &'a Blueprint,
    ) -> Result<Self> {
        let mut recalculation = Self::empty(db, scope, blueprint).await?;
        while let Some(changes) = recalculation.changes(db).await? {
            recalculation.count_numbers(&changes);
        }
        Ok(recalculation.restart())
    }

    /// Same as [`Self::new`]; also frees the numbers of articles that will be renumbered, so that other
    /// articles can take them.
    pub(super) async fn with_freed_numbers(
        tx: &Write,
        scope: &'a Scope,
        blueprint: &'a Blueprint,
    ) -> Result<Self> {
        let mut recalculation = Self::empty(tx, scope, blueprint).await?;
        while let Some(changes) = recalculation.changes(tx).await? {
            recalculation.count_numbers(&changes);
            let renumbered = changes.iter().filter(|change| change.is_renumbered());
            let ids = renumbered.map(|change| change.article.id).collect();
            scope.replace_by_placeholder::<Articles>(tx, Column::ArticleNumberFold, ids).await?;
        }
        Ok(recalculation.restart())
    }

    async fn empty(db: &impl ConnectionTrait, scope: &'a Scope, blueprint: &'a Blueprint) -> Result<Self> {
        deadline::extend(deadline::MANY_RECORDS);
        let materials = scope.find::<Materials>().all(db).await?;
        let materials = materials.into_iter().map(|material| (material.id, material)).collect();
        Ok(Self { scope, blueprint, materials, numbers: HashMap::new(), after: 0 })
    }

    fn count_numbers(&mut self, changes: &[ArticleChange]) {
        for ArticleChange { article, after, .. } in changes {
            let number = &after.as_ref().unwrap_or(article).article_number_fold;
            *self.numbers.entry(number.clone()).or_default() += 1;
        }
    }

    fn restart(self) -> Self {
        Self { after: 0, ..self }
    }

    async fn articles(&mut self, db: &impl ConnectionTrait) -> Result<Option<Vec<Article>>> {
        let articles = self
            .scope
            .find::<Articles>()
            .filter(Column::ArticleTypeId.eq(self.blueprint.article_type.id))
            .filter(Column::Id.gt(self.after))
            .order_by_asc(Column::Id)
            .limit(AT_ONCE)
            .all(db)
            .await?;
        Ok(articles.last().map(|last| last.id).map(|last| {
            self.after = last;
            articles
        }))
    }

    /// Returns the changes of the next articles, or `None` after the last.
    pub(crate) async fn next(&mut self, db: &impl ConnectionTrait) -> Result<Option<Vec<ArticleChange>>> {
        let Some(mut changes) = self.changes(db).await? else { return Ok(None) };
        let taken = self.numbers_of_others(db, &changes).await?;
        for change in &mut changes {
            let Some(Article { article_number, article_number_fold, .. }) = &change.after else { continue };
            let several = self.numbers.get(article_number_fold).is_some_and(|count| *count > 1);
            if several || taken.contains(article_number_fold) {
                let message = codes::NUMBER_COLLIDES.with("number", article_number);
                change.problem = Some(Problem { path: "article_number_template".into(), message });
            }
        }
        Ok(Some(changes))
    }

    /// Calculates the next articles, without a check for colliding numbers.
    async fn changes(&mut self, db: &impl ConnectionTrait) -> Result<Option<Vec<ArticleChange>>> {
        let Some(articles) = self.articles(db).await? else { return Ok(None) };
        let base_unit_of_measure = self.blueprint.article_type.base_unit_of_measure;
        let change = |article: Article| {
            let material = article.material_id.and_then(|id| self.materials.get(&id));
            let (after, problem) = match recalculate(self.blueprint, material, &article) {
                Ok(after) => (Some(after), None),
                Err(violations) => (None, self.problem(violations)),
            };
            ArticleChange { article, base_unit_of_measure, after, problem }
        };
        Ok(Some(articles.into_iter().map(change).collect()))
    }

    /// Problem of an article that breaks a rule, at the field of the article type that causes it.
    fn problem(&self, violations: Violations) -> Option<Problem> {
        let violation = violations.into_iter().next()?;
        let measured = || {
            let (attribute, _) = value_of(&violation.path)?;
            self.blueprint.attributes().iter().position(|one| one.id == attribute && one.dimension.is_some())
        };
        let path = match (violation.path.as_str(), violation.message.code, measured()) {
            ("article_name", ..) => "article_name_template".into(),
            (_, codes::NO_CLUSTER, _) => "trade_dimension_id".into(),
            (_, codes::NOT_GREATER, Some(index)) => format!("attributes.{index}.dimension").into(),
            _ => "article_number_template".into(),
        };
        Some(Problem { path, message: violation.message })
    }

    /// New numbers that articles of other types already have.
    async fn numbers_of_others(
        &self,
        db: &impl ConnectionTrait,
        changes: &[ArticleChange],
    ) -> Result<HashSet<String>> {
        let new = changes.iter().filter(|change| change.is_renumbered());
        let new: Vec<String> =
            new.filter_map(|change| Some(change.after.as_ref()?.article_number_fold.clone())).collect();
        if new.is_empty() {
            return Ok(HashSet::new());
        }
        let others = Condition::all()
            .add(Column::ArticleTypeId.ne(self.blueprint.article_type.id))
            .add(Column::ArticleNumberFold.is_in(new));
        let taken: Vec<String> = self
            .scope
            .find::<Articles>()
            .select_only()
            .column(Column::ArticleNumberFold)
            .filter(others)
            .into_tuple()
            .all(db)
            .await?;
        Ok(taken.into_iter().collect())
    }
}

/// Recalculates an article from its values; overridden fields stay.
pub(super) fn recalculate(
    blueprint: &Blueprint,
    material: Option<&Material>,
    article: &Article,
) -> Result<Article, Violations> {
    let own = |overridden: bool, text: &String| overridden.then(|| text.clone());
    let draft = Draft {
        material_id: article.material_id,
        values: article.attribute_values.clone(),
        article_number: own(article.article_number_overridden, &article.article_number),
        article_name: own(article.article_name_overridden, &article.article_name),
        weight_per_base_unit: article
            .weight_per_base_unit
            .filter(|_| article.weight_per_base_unit_overridden),
    };
    let mut row = draft.row(blueprint, material)?;
    let mut after = article.clone();
    // A draft sets each of these fields.
    take(&mut row.article_number, &mut after.article_number);
    take(&mut row.article_number_fold, &mut after.article_number_fold);
    take(&mut row.article_number_overridden, &mut after.article_number_overridden);
    take(&mut row.article_name, &mut after.article_name);
    take(&mut row.article_name_fold, &mut after.article_name_fold);
    take(&mut row.article_name_overridden, &mut after.article_name_overridden);
    take(&mut row.weight_per_base_unit, &mut after.weight_per_base_unit);
    take(&mut row.weight_per_base_unit_overridden, &mut after.weight_per_base_unit_overridden);
    Ok(after)
}

fn take<T: Into<sea_orm::Value>>(from: &mut ActiveValue<T>, to: &mut T) {
    if let Some(value) = from.take() {
        *to = value;
    }
}
