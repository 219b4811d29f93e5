//! Effects of master data changes on the articles that depend on them: previewed before the change, and
//! applied with it in one transaction.
//!
//! Articles are recalculated by the blueprint of their type, in two passes: the first one finds numbers that
//! several articles would have.

pub mod article_type;
pub mod attribute;
mod field_change;
pub mod material;
pub mod trade_dimension;

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
};

use sea_orm::{
    ActiveValue::{self, Set},
    ColumnTrait, ConnectionTrait, QueryFilter, QueryOrder, QuerySelect, SqlErr,
    sea_query::Condition,
};
use store::{Scope, Write, deadline};
use values::{Decimal, Error, Message, Result, Unit, Violations};

pub use self::field_change::preview_field_change;
use crate::{
    article::{ActiveModel, Article, Articles, Column, Draft, other_number, value_of},
    blueprint::Blueprint,
    codes,
    material::{Material, Materials},
};

/// Maximum number of articles listed in an answer.
const SAMPLE_SIZE: usize = 100;
/// Number of articles that are recalculated together.
const AT_ONCE: u64 = 1_000;

/// Effect of a change on articles.
#[derive(Debug, Default)]
pub struct ArticleEffect {
    pub total: u64,
    pub unchanged: u64,
    pub changed: u64,
    /// Number of articles that would collide or break a rule; if there is one, the change cannot be made.
    pub refused: u64,
    /// First articles that are refused or change, refused ones first.
    pub changes: Vec<ArticleChange>,
}

/// Effect of a change on one article.
#[derive(Debug, Clone)]
pub struct ArticleChange {
    pub article: Article,
    /// Unit that the article's weights are per.
    pub base_unit_of_measure: Unit,
    /// Article after the change; `None` if it cannot be calculated.
    after: Option<Article>,
    pub problem: Option<Problem>,
}

/// Reason why a change cannot be made.
#[derive(Debug, Clone)]
pub struct Problem {
    /// Field of the article type that causes the problem.
    path: Cow<'static, str>,
    pub message: Message,
}

impl ArticleChange {
    /// Article number after the change.
    pub fn article_number(&self) -> Option<&str> {
        self.after.as_ref().map(|after| after.article_number.as_str())
    }

    /// Article name after the change.
    pub fn article_name(&self) -> Option<&str> {
        self.after.as_ref().map(|after| after.article_name.as_str())
    }

    /// Weight in kg per base unit after the change.
    pub fn weight_per_base_unit(&self) -> Option<Decimal> {
        self.after.as_ref()?.weight_per_base_unit
    }

    /// True if number, name or weight changes.
    pub fn is_visible(&self) -> bool {
        self.article_number() != Some(&self.article.article_number)
            || self.article_name() != Some(&self.article.article_name)
            || self.weight_per_base_unit() != self.article.weight_per_base_unit
    }

    fn is_renumbered(&self) -> bool {
        let after = self.after.as_ref();
        after.is_some_and(|after| after.article_number_fold != self.article.article_number_fold)
    }
}

/// Calculates the effect of recalculating the articles of these types by their blueprints.
pub(crate) async fn preview(
    db: &impl ConnectionTrait,
    scope: &Scope,
    blueprints: &[Blueprint],
) -> Result<ArticleEffect> {
    let mut counter = EffectCounter::default();
    for blueprint in blueprints {
        let mut recalculation = Recalculation::new(db, scope, blueprint).await?;
        while let Some(changes) = recalculation.next(db).await? {
            counter.add(&changes);
        }
    }
    Ok(counter.effect())
}

/// Calculates the effect of the changes written in the transaction, then rolls it back.
pub(crate) async fn preview_and_roll_back(
    tx: Write,
    scope: &Scope,
    blueprints: &[Blueprint],
) -> Result<ArticleEffect> {
    let effect = preview(&tx, scope, blueprints).await?;
    tx.rollback().await?;
    Ok(effect)
}

/// Recalculates the articles of these types by their blueprints if exactly `confirmed` articles change.
/// `blame` maps a field of the article type to the field of the changed record. After an error the
/// transaction is incomplete: drop it.
pub(crate) async fn apply(
    tx: &Write,
    scope: &Scope,
    blueprints: &[Blueprint],
    confirmed: Option<u64>,
    blame: impl Fn(&str) -> String,
) -> Result<()> {
    scope.claim::<Articles>()?;
    let confirmed = confirmed.unwrap_or_default();
    let mut counter = EffectCounter::default();
    for blueprint in blueprints {
        let mut recalculation = match confirmed {
            // In this case no article may be renumbered.
            0 => Recalculation::new(tx, scope, blueprint).await?,
            _ => Recalculation::with_freed_numbers(tx, scope, blueprint).await?,
        };
        while let Some(changes) = recalculation.next(tx).await? {
            counter.add(&changes);
            if counter.refused == 0 && counter.changed <= confirmed {
                write(tx, scope, changes).await.map_err(busy_if_number_taken)?;
            }
        }
    }
    let effect = counter.effect();
    effect.refusal(blame).check()?;
    if effect.changed != confirmed {
        return Err(codes::ARTICLES_CHANGE.with("count", effect.changed).into());
    }
    Ok(())
}

/// Counts and examples collected so far, while articles are processed in batches.
#[derive(Default)]
struct EffectCounter {
    total: u64,
    changed: u64,
    refused: u64,
    /// First examples of each kind.
    changed_sample: Vec<ArticleChange>,
    refused_sample: Vec<ArticleChange>,
}

impl EffectCounter {
    fn add(&mut self, changes: &[ArticleChange]) {
        for change in changes {
            self.total += 1;
            let sample = if change.problem.is_some() {
                self.refused += 1;
                &mut self.refused_sample
            } else if change.is_visible() {
                self.changed += 1;
                &mut self.changed_sample
            } else {
                continue;
            };
            if sample.len() < SAMPLE_SIZE {
                sample.push(change.clone());
            }
        }
    }

    fn effect(self) -> ArticleEffect {
        let Self { total, changed, refused, changed_sample, refused_sample } = self;
        let changes = refused_sample.into_iter().chain(changed_sample).take(SAMPLE_SIZE).collect();
        ArticleEffect { total, unchanged: total - changed - refused, changed, refused, changes }
    }
}

impl ArticleEffect {
    /// Returns the violations that forbid the change; `blame` maps a field of the article type to that of the
    /// changed record.
    fn refusal(&self, blame: impl Fn(&str) -> String) -> Violations {
        let mut violations = Violations::new();
        let Some(ArticleChange { article, problem: Some(problem), .. }) = self.changes.first() else {
            return violations;
        };
        let message = if problem.message.code == codes::NUMBER_COLLIDES {
            codes::ARTICLES_COLLIDE.with("example", &article.article_number)
        } else {
            let reason = problem.message.clone();
            codes::ARTICLES_REFUSED.with("example", &article.article_number).message("reason", reason)
        };
        violations.add(blame(&problem.path), message.with("count", self.refused));
        violations
    }
}

/// Maps a unique violation to `Busy`: articles of other types are written concurrently. A repeated preview
/// lists the articles that have taken a number.
fn busy_if_number_taken(error: Error) -> Error {
    match error {
        Error::Database(error) if matches!(error.sql_err(), Some(SqlErr::UniqueConstraintViolation(_))) => {
            codes::BUSY.into()
        }
        error => error,
    }
}

async fn write(tx: &Write, scope: &Scope, changes: Vec<ArticleChange>) -> Result<()> {
    let rows = changes.into_iter().filter_map(|change| Some((change.article, change.after?)));
    let rows = rows.filter(|(before, after)| before != after).map(|(before, after)| {
        let row = ActiveModel {
            article_number: Set(after.article_number),
            article_number_fold: Set(after.article_number_fold),
            article_number_overridden: Set(after.article_number_overridden),
            article_name: Set(after.article_name),
            article_name_fold: Set(after.article_name_fold),
            article_name_overridden: Set(after.article_name_overridden),
            weight_per_base_unit: Set(after.weight_per_base_unit),
            weight_per_base_unit_overridden: Set(after.weight_per_base_unit_overridden),
            ..Default::default()
        };
        (before, row)
    });
    let rows: Vec<(Article, ActiveModel)> = rows.collect();
    let before: HashMap<i64, Article> = rows.iter().map(|(before, _)| (before.id, before.clone())).collect();
    let after = scope.update_many::<Articles>(tx, rows).await?;
    let pairs = || after.iter().filter_map(|after| Some((before.get(&after.id)?, after)));
    let new = pairs().filter(|(before, after)| other_number::is_renumbered(before, after));
    let new: Vec<String> = new.map(|(_, after)| after.article_number_fold.clone()).collect();
    if !new.is_empty() {
        other_number::remove_former_numbers(tx, scope, new).await?;
    }
    other_number::renumber(tx, scope, pairs()).await
}

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
    async fn with_freed_numbers(tx: &Write, scope: &'a Scope, blueprint: &'a Blueprint) -> Result<Self> {
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
        let taken_numbers = self.numbers_of_others(db, &changes).await?;
        for change in &mut changes {
            let Some(Article { article_number, article_number_fold, .. }) = &change.after else { continue };
            let several = self.numbers.get(article_number_fold).is_some_and(|count| *count > 1);
            if several || taken_numbers.contains(article_number_fold) {
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
        let taken_numbers: Vec<String> = self
            .scope
            .find::<Articles>()
            .select_only()
            .column(Column::ArticleNumberFold)
            .filter(others)
            .into_tuple()
            .all(db)
            .await?;
        Ok(taken_numbers.into_iter().collect())
    }
}

/// Recalculates an article from its values; overridden fields stay.
fn recalculate(
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
