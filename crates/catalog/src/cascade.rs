//! Effects of master data changes on the articles that depend on them: previewed before the change, and
//! applied with it in one transaction.

pub mod article_type;
pub mod attribute;
mod field_change;
pub mod material;
mod recalculation;
pub mod trade_dimension;

use std::{borrow::Cow, collections::HashMap};

use sea_orm::{ActiveValue::Set, ConnectionTrait, SqlErr};
use store::{Scope, Write};
use values::{Decimal, Error, Message, Result, Unit, Violations};

pub use self::field_change::preview_field_change;
pub(crate) use self::recalculation::Recalculation;
use crate::{
    article::{ActiveModel, Article, Articles, other_number},
    blueprint::Blueprint,
    codes,
};

/// Maximum number of articles listed in an answer.
const NAMED: usize = 100;

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
    named_changed: Vec<ArticleChange>,
    named_refused: Vec<ArticleChange>,
}

impl EffectCounter {
    fn add(&mut self, changes: &[ArticleChange]) {
        for change in changes {
            self.total += 1;
            let named = if change.problem.is_some() {
                self.refused += 1;
                &mut self.named_refused
            } else if change.is_visible() {
                self.changed += 1;
                &mut self.named_changed
            } else {
                continue;
            };
            if named.len() < NAMED {
                named.push(change.clone());
            }
        }
    }

    fn effect(self) -> ArticleEffect {
        let Self { total, changed, refused, named_changed, named_refused } = self;
        let changes = named_refused.into_iter().chain(named_changed).take(NAMED).collect();
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
