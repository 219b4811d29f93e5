//! What a change of an article type, or of what it refers to, does to the articles: told before it is made, and made with
//! it, as a whole or not at all.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
};

use kernel::{Code, Decimal, Error, Message, Result, Scope, Unit, Violations, Write, deadline};
use sea_orm::{
    ActiveValue::{self, Set},
    ColumnTrait, ConnectionTrait, QueryFilter, QueryOrder, QuerySelect, SqlErr,
    sea_query::Condition,
};

use crate::{
    article::{ActiveModel, Article, Articles, Draft, value_of},
    blueprint::Blueprint,
    entity::article::Column,
    material::{Material, Materials},
};

const AT_ONCE: u64 = 1_000;
/// How many articles an answer names.
const NAMED: usize = 100;

/// What a change does to articles.
#[derive(Debug, Default)]
pub struct Effect {
    pub total: u64,
    pub unchanged: u64,
    pub changed: u64,
    /// Collide or break a rule: the change cannot be made.
    pub refused: u64,
    /// The first of those that are refused or change, refused ones first.
    pub changes: Vec<Change>,
}

/// What a change does to one article.
#[derive(Debug)]
pub struct Change {
    pub article: Article,
    /// What the article's weights refer to.
    pub base_unit_of_measure: Unit,
    /// The article as it would be, as far as that can be said.
    after: Option<Article>,
    pub problem: Option<Fault>,
}

/// Why a change cannot be made.
#[derive(Debug, Clone)]
pub struct Fault {
    /// The field of the article type that is to blame.
    path: Cow<'static, str>,
    pub message: Message,
}

impl Change {
    pub fn article_number(&self) -> Option<&str> {
        self.after.as_ref().map(|after| after.article_number.as_str())
    }

    pub fn article_name(&self) -> Option<&str> {
        self.after.as_ref().map(|after| after.article_name.as_str())
    }

    pub fn weight_per_base_unit(&self) -> Option<Decimal> {
        self.after.as_ref()?.weight_per_base_unit
    }

    /// Whether people will see a difference.
    pub fn is_visible(&self) -> bool {
        self.article_number() != Some(&self.article.article_number)
            || self.article_name() != Some(&self.article.article_name)
            || self.weight_per_base_unit() != self.article.weight_per_base_unit
    }
}

/// What it does to make the articles of these types anew by their blueprints.
pub(crate) async fn effect(
    db: &impl ConnectionTrait,
    scope: &Scope,
    blueprints: &[Blueprint],
) -> Result<Effect> {
    let mut effect = Effect::default();
    let mut named = (Vec::new(), Vec::new());
    for blueprint in blueprints {
        let mut remaking = Remaking::new(db, scope, blueprint).await?;
        while let Some(changes) = remaking.next(db).await? {
            for change in changes {
                effect.total += 1;
                let named = if change.problem.is_some() {
                    effect.refused += 1;
                    &mut named.0
                } else if change.is_visible() {
                    effect.changed += 1;
                    &mut named.1
                } else {
                    effect.unchanged += 1;
                    continue;
                };
                if named.len() < NAMED {
                    named.push(change);
                }
            }
        }
    }
    let (refused, changed) = named;
    effect.changes = refused.into_iter().chain(changed).take(NAMED).collect();
    Ok(effect)
}

/// The same of what was written in the transaction, which is taken back.
pub(crate) async fn told(tx: Write, scope: &Scope, blueprints: &[Blueprint]) -> Result<Effect> {
    let effect = effect(&tx, scope, blueprints).await?;
    tx.rollback().await?;
    Ok(effect)
}

impl Effect {
    /// What forbids the change; `blame` finds the field for one of the article type.
    fn refusal(&self, blame: impl Fn(&str) -> String) -> Violations {
        let mut violations = Violations::new();
        let Some(Change { article, problem: Some(fault), .. }) = self.changes.first() else {
            return violations;
        };
        let message = if fault.message.code == Code::NumberCollides {
            Code::ArticlesCollide.with("example", &article.article_number)
        } else {
            let reason = fault.message.clone();
            Code::ArticlesRefused.with("example", &article.article_number).message("reason", reason)
        };
        violations.add(blame(&fault.path), message.with("count", self.refused));
        violations
    }
}

/// Makes the articles of these types anew by their blueprints, where as many change as were confirmed.
pub(crate) async fn follow(
    tx: &Write,
    scope: &Scope,
    blueprints: &[Blueprint],
    confirmed: Option<u64>,
    blame: impl Fn(&str) -> String,
) -> Result<()> {
    let effect = effect(tx, scope, blueprints).await?;
    effect.refusal(blame).check()?;
    if effect.changed != confirmed.unwrap_or_default() {
        return Err(Code::ArticlesChange.with("count", effect.changed).into());
    }
    for blueprint in blueprints {
        remake(tx, scope, blueprint).await.map_err(taken_meanwhile)?;
    }
    Ok(())
}

/// Articles of other types are written beside this: asked again, the effect names those that took a number.
fn taken_meanwhile(error: Error) -> Error {
    match error {
        Error::Database(error) if matches!(error.sql_err(), Some(SqlErr::UniqueConstraintViolation(_))) => {
            Code::Busy.into()
        }
        error => error,
    }
}

async fn remake(tx: &Write, scope: &Scope, blueprint: &Blueprint) -> Result<()> {
    scope.claim::<Articles>()?;
    let mut remaking = Remaking::new(tx, scope, blueprint).await?;
    while let Some(changes) = remaking.next(tx).await? {
        // An article may get the number that another one gives up: first all give up theirs.
        let ids = changes.iter().filter(|change| renumbered(change)).map(|change| change.article.id);
        scope.vacate::<Articles>(tx, Column::ArticleNumberFold, ids.collect()).await?;
    }
    let mut remaking = remaking.again();
    while let Some(changes) = remaking.next(tx).await? {
        write(tx, scope, changes).await?;
    }
    Ok(())
}

fn take<T: Into<sea_orm::Value>>(from: &mut ActiveValue<T>, to: &mut T) {
    if let Some(value) = from.take() {
        *to = value;
    }
}

fn renumbered(change: &Change) -> bool {
    let after = change.after.as_ref();
    after.is_some_and(|after| after.article_number_fold != change.article.article_number_fold)
}

async fn write(tx: &Write, scope: &Scope, changes: Vec<Change>) -> Result<()> {
    let rows = changes.into_iter().filter_map(|Change { article, after, .. }| Some((article, after?)));
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
    scope.update_many::<Articles>(tx, rows.collect()).await.map(|_| ())
}

/// The articles of a type made anew, a thousand at a time.
pub(crate) struct Remaking<'a> {
    scope: &'a Scope,
    blueprint: &'a Blueprint,
    materials: HashMap<i64, Material>,
    /// How many articles of the type would have each folded number.
    numbers: HashMap<String, u32>,
    /// The last article so far.
    after: i64,
}

impl<'a> Remaking<'a> {
    /// Memory grows with the number of articles of the type, by their numbers.
    pub(crate) async fn new(
        db: &impl ConnectionTrait,
        scope: &'a Scope,
        blueprint: &'a Blueprint,
    ) -> Result<Self> {
        deadline::extend(deadline::MANY_RECORDS);
        let materials = scope.find::<Materials>().all(db).await?;
        let materials = materials.into_iter().map(|material| (material.id, material)).collect();
        let mut remaking = Self { scope, blueprint, materials, numbers: HashMap::new(), after: 0 };
        let mut numbers = HashMap::new();
        while let Some(articles) = remaking.articles(db).await? {
            for article in &articles {
                let number = remaking.remade(article).map(|after| after.article_number_fold);
                *numbers
                    .entry(number.unwrap_or_else(|_| article.article_number_fold.clone()))
                    .or_default() += 1;
            }
        }
        remaking.numbers = numbers;
        Ok(remaking.again())
    }

    #[must_use]
    fn again(self) -> Self {
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

    /// What becomes of the next articles; `None` after the last.
    pub(crate) async fn next(&mut self, db: &impl ConnectionTrait) -> Result<Option<Vec<Change>>> {
        let Some(articles) = self.articles(db).await? else { return Ok(None) };
        let base_unit_of_measure = self.blueprint.article_type.base_unit_of_measure;
        let change = |article: Article| {
            let (after, problem) = match self.remade(&article) {
                Ok(after) => (Some(after), None),
                Err(violations) => (None, self.fault(violations)),
            };
            Change { article, base_unit_of_measure, after, problem }
        };
        let mut changes: Vec<Change> = articles.into_iter().map(change).collect();
        let taken = self.taken_by_others(db, &changes).await?;
        for change in &mut changes {
            let Some(Article { article_number, article_number_fold, .. }) = &change.after else { continue };
            let several = self.numbers.get(article_number_fold).is_some_and(|count| *count > 1);
            if several || taken.contains(article_number_fold) {
                let message = Code::NumberCollides.with("number", article_number);
                change.problem = Some(Fault { path: "article_number_template".into(), message });
            }
        }
        Ok(Some(changes))
    }

    fn remade(&self, article: &Article) -> Result<Article, Violations> {
        let material = article.material_id.and_then(|id| self.materials.get(&id));
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
        let mut row = draft.row(self.blueprint, material)?;
        let mut after = article.clone();
        // a draft sets each of them
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

    /// Where in the article type the reason lies that an article breaks a rule.
    fn fault(&self, violations: Violations) -> Option<Fault> {
        let violation = violations.into_iter().next()?;
        let measured = || {
            let (attribute, _) = value_of(&violation.path)?;
            self.blueprint.attributes().iter().position(|one| one.id == attribute && one.dimension.is_some())
        };
        let path = match (violation.path.as_str(), violation.message.code, measured()) {
            ("article_name", ..) => "article_name_template".into(),
            (_, Code::NoCluster, _) => "trade_dimension_id".into(),
            (_, Code::NotGreater, Some(index)) => format!("attributes.{index}.dimension").into(),
            _ => "article_number_template".into(),
        };
        Some(Fault { path, message: violation.message })
    }

    /// The new numbers that articles of other types have.
    async fn taken_by_others(
        &self,
        db: &impl ConnectionTrait,
        changes: &[Change],
    ) -> Result<HashSet<String>> {
        let new = changes.iter().filter(|change| renumbered(change));
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
