//! What a change of an article type does to its articles: told before it is made, and made with it, as a whole or not at
//! all.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
};

use kernel::{
    Code, Decimal, Message, Result, Scope, Violations,
    bulk::{Data, Table},
    now,
};
use sea_orm::{
    ActiveValue, ColumnTrait, ConnectionTrait, QueryFilter, QueryOrder, QuerySelect, sea_query::Condition,
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

/// What a change does to the articles of a type.
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
    /// The article as it would be, as far as that can be said.
    row: Option<ActiveModel>,
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
        self.row.as_ref()?.article_number.try_as_ref().map(String::as_str)
    }

    pub fn article_name(&self) -> Option<&str> {
        self.row.as_ref()?.article_name.try_as_ref().map(String::as_str)
    }

    pub fn weight_per_base_unit(&self) -> Option<Decimal> {
        self.row.as_ref()?.weight_per_base_unit.try_as_ref().copied().flatten()
    }

    /// Whether people will see a difference.
    pub fn is_visible(&self) -> bool {
        self.article_number() != Some(&self.article.article_number)
            || self.article_name() != Some(&self.article.article_name)
            || self.weight_per_base_unit() != self.article.weight_per_base_unit
    }
}

/// What it does to make the articles of a type anew by this blueprint.
pub(crate) async fn effect(
    db: &impl ConnectionTrait,
    scope: &Scope,
    blueprint: &Blueprint,
) -> Result<Effect> {
    let mut effect = Effect::default();
    let mut named = (Vec::new(), Vec::new());
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
    let (refused, changed) = named;
    effect.changes = refused.into_iter().chain(changed).take(NAMED).collect();
    Ok(effect)
}

impl Effect {
    /// What forbids the change, at the fields that are to blame.
    pub(crate) fn refusal(&self) -> Violations {
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
        violations.add(&*fault.path, message.with("count", self.refused));
        violations
    }
}

/// Makes the articles anew, where the effect has refused none.
pub(crate) async fn remake(tx: &impl ConnectionTrait, scope: &Scope, blueprint: &Blueprint) -> Result<()> {
    scope.claim::<Articles>()?;
    let mut remaking = Remaking::new(tx, scope, blueprint).await?;
    while let Some(changes) = remaking.next(tx).await? {
        // An article may get the number that another one gives up: first all give up theirs, for something that no
        // folded text is.
        let ids = changes.iter().filter(|change| renumbered(change)).map(|change| change.article.id);
        let ids: Vec<i64> = ids.collect();
        let placeholders = ids.iter().map(|id| format!("ID{id}")).collect();
        Table::default()
            .with("id", Data::Integers(ids))
            .with("article_number_fold", Data::Texts(placeholders))
            .update(tx, "article", &[])
            .await?;
    }
    let mut remaking = remaking.again();
    while let Some(changes) = remaking.next(tx).await? {
        write(tx, &changes).await?;
    }
    Ok(())
}

fn renumbered(change: &Change) -> bool {
    let number = change.row.as_ref().and_then(|row| row.article_number_fold.try_as_ref());
    number.is_some_and(|number| *number != change.article.article_number_fold)
}

async fn write(tx: &impl ConnectionTrait, changes: &[Change]) -> Result<()> {
    fn differs<T: PartialEq + Into<sea_orm::Value>>(value: &ActiveValue<T>, known: &T) -> bool {
        value.try_as_ref().is_some_and(|value| value != known)
    }
    let rows: Vec<(i64, &ActiveModel)> = changes
        .iter()
        .filter_map(|Change { article, row, .. }| Some((article, row.as_ref()?)))
        .filter(|(article, row)| {
            differs(&row.article_number, &article.article_number)
                || differs(&row.article_number_overridden, &article.article_number_overridden)
                || differs(&row.article_name, &article.article_name)
                || differs(&row.article_name_overridden, &article.article_name_overridden)
                || differs(&row.weight_per_base_unit, &article.weight_per_base_unit)
                || differs(&row.weight_per_base_unit_overridden, &article.weight_per_base_unit_overridden)
        })
        .map(|(article, row)| (article.id, row))
        .collect();
    let texts = |column: fn(&ActiveModel) -> &ActiveValue<String>| {
        Data::Texts(rows.iter().filter_map(|(_, row)| column(row).try_as_ref().cloned()).collect())
    };
    let booleans = |column: fn(&ActiveModel) -> &ActiveValue<bool>| {
        Data::Booleans(rows.iter().filter_map(|(_, row)| column(row).try_as_ref().copied()).collect())
    };
    let weights = rows.iter().filter_map(|(_, row)| row.weight_per_base_unit.try_as_ref().copied());
    let weights = weights.map(|weight| weight.map(Decimal::millionths)).collect();
    Table::default()
        .with("id", Data::Integers(rows.iter().map(|(id, _)| *id).collect()))
        .with("article_number", texts(|row| &row.article_number))
        .with("article_number_fold", texts(|row| &row.article_number_fold))
        .with("article_number_overridden", booleans(|row| &row.article_number_overridden))
        .with("article_name", texts(|row| &row.article_name))
        .with("article_name_fold", texts(|row| &row.article_name_fold))
        .with("article_name_overridden", booleans(|row| &row.article_name_overridden))
        .with("weight_per_base_unit", Data::OptionalIntegers(weights))
        .with("weight_per_base_unit_overridden", booleans(|row| &row.weight_per_base_unit_overridden))
        .constant("updated_at", now())
        .update(tx, "article", &["version = article.version + 1"])
        .await
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
        let materials = scope.find::<Materials>().all(db).await?;
        let materials = materials.into_iter().map(|material| (material.id, material)).collect();
        let mut remaking = Self { scope, blueprint, materials, numbers: HashMap::new(), after: 0 };
        let mut numbers = HashMap::new();
        while let Some(articles) = remaking.articles(db).await? {
            for article in &articles {
                let row = remaking.remade(article).ok();
                let number = row.and_then(|row| row.article_number_fold.try_as_ref().cloned());
                *numbers.entry(number.unwrap_or_else(|| article.article_number_fold.clone())).or_default() +=
                    1;
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
        let mut changes: Vec<Change> = articles
            .into_iter()
            .map(|article| match self.remade(&article) {
                Ok(row) => Change { article, row: Some(row), problem: None },
                Err(violations) => Change { article, row: None, problem: self.fault(violations) },
            })
            .collect();
        let taken = self.taken_by_others(db, &changes).await?;
        for change in &mut changes {
            let Some(number) = change.row.as_ref().and_then(|row| row.article_number_fold.try_as_ref())
            else {
                continue;
            };
            let several = self.numbers.get(number).is_some_and(|count| *count > 1);
            if several || taken.contains(number) {
                let message =
                    Code::NumberCollides.with("number", change.article_number().unwrap_or_default());
                change.problem = Some(Fault { path: "article_number_template".into(), message });
            }
        }
        Ok(Some(changes))
    }

    fn remade(&self, article: &Article) -> Result<ActiveModel, Violations> {
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
        draft.row(self.blueprint, material)
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
            new.filter_map(|change| change.row.as_ref()?.article_number_fold.try_as_ref().cloned()).collect();
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
