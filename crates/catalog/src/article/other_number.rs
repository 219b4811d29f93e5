//! Other numbers of an article: former numbers, added automatically when its number changes, GTINs, drawing
//! numbers and free ones. Each is unique within its kind. A former number is removed as soon as an article
//! has it as its current number.

pub mod entity;

use std::collections::{HashMap, HashSet};

use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, QueryFilter, QueryOrder, QuerySelect,
};
use serde::{Deserialize, Serialize};
use store::{Scope, Write, audit::Action, constraint::violated_key, scope::Part};
use utoipa::ToSchema;
use values::{
    Error, Result, Violations, fold,
    reference::named_by,
    rule::{required, trimmed},
};

pub use self::entity::{ActiveModel, Column, Entity as OtherNumbers, Model, NumberKind};
use super::{Article, Articles, Column as ArticleColumn};
use crate::{codes, gtin};

impl Part for OtherNumbers {
    type Whole = Articles;
    const WHOLE: Column = Column::ArticleId;
}

/// Other number of an article.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OtherNumber {
    pub kind: NumberKind,
    /// Number; unique within its kind, ignoring case. A GTIN counts as the same however many digits it is
    /// written with.
    #[schema(min_length = 1, max_length = 255, example = "4006381333931")]
    pub number: String,
}

impl OtherNumber {
    /// Key for comparisons.
    pub(crate) fn key(&self) -> Key {
        let fold = match self.kind {
            NumberKind::Gtin => gtin::full(&self.number),
            _ => fold(&self.number),
        };
        (self.kind, fold)
    }
}

/// Unique key of a number: its kind and its folded text.
pub(crate) type Key = (NumberKind, String);

/// Article that has a number.
#[derive(Debug, Clone)]
pub(crate) struct NumberOwner {
    pub id: i64,
    pub article_number: String,
}

/// Maximum number of other numbers of an article.
const MAX: usize = 100;

/// Converts the other numbers of an input to those that are stored; reports errors at
/// `other_numbers.<i>.number`.
pub(crate) fn read(inputs: &[OtherNumber], faults: &mut Violations) -> Vec<OtherNumber> {
    if inputs.len() > MAX {
        faults.add("other_numbers", codes::TOO_MANY.with("max", MAX));
        return Vec::new();
    }
    let mut seen = HashSet::new();
    let mut numbers = Vec::new();
    for (index, input) in inputs.iter().enumerate() {
        let path = format!("other_numbers.{index}.number");
        let number = trimmed(Some(input.number.clone())).unwrap_or_default();
        let before = faults.len();
        required(faults, &path, &number);
        if faults.len() > before {
            continue;
        }
        let number = match input.kind {
            NumberKind::Gtin => gtin::read(&number),
            _ => Ok(number),
        };
        match number {
            Err(fault) => faults.add(path, fault),
            Ok(number) => {
                let number = OtherNumber { kind: input.kind, number };
                if seen.insert(number.key()) {
                    numbers.push(number);
                } else {
                    faults.add(path, codes::DUPLICATE);
                }
            }
        }
    }
    numbers
}

impl From<Model> for OtherNumber {
    fn from(Model { kind, number, .. }: Model) -> Self {
        Self { kind, number }
    }
}

/// Loads the other numbers of one article in the order in which they were added.
pub(super) async fn load(db: &impl ConnectionTrait, scope: &Scope, article: i64) -> Result<Vec<Model>> {
    Ok(scope.parts::<OtherNumbers>([article]).order_by_asc(Column::Id).all(db).await?)
}

/// Writes the other numbers of an article, if any are given, and adds its former number if its number has
/// changed. The article itself is already written in the transaction. Returns all its other numbers.
pub(super) async fn write(
    tx: &Write,
    scope: &Scope,
    before: Option<&Article>,
    after: &Article,
    numbers: Option<Vec<OtherNumber>>,
) -> Result<Vec<OtherNumber>> {
    let renumbered = before.is_none_or(|before| is_renumbered(before, after));
    if renumbered {
        remove_former_numbers(tx, scope, [after.article_number_fold.clone()]).await?;
    }
    let mut existing = match before {
        Some(_) => load(tx, scope, after.id).await?,
        None => Vec::new(),
    };
    let mut changed = false;
    if let Some(numbers) = numbers {
        let own = (NumberKind::Former, after.article_number_fold.clone());
        let numbers: Vec<_> =
            numbers.into_iter().enumerate().filter(|(_, number)| number.key() != own).collect();
        let exists = |number: &OtherNumber| existing.iter().any(|row| row.is(number));
        let added: Vec<_> = numbers.iter().filter(|(_, number)| !exists(number)).cloned().collect();
        let is_requested = |row: &Model| numbers.iter().any(|(_, number)| row.is(number));
        let removed_ids: Vec<i64> =
            existing.iter().filter(|row| !is_requested(row)).map(|row| row.id).collect();
        changed = !added.is_empty() || !removed_ids.is_empty();
        refuse_taken(tx, scope, after.id, &added).await?;
        if !removed_ids.is_empty() {
            scope.remove_parts::<OtherNumbers>(tx, after.id, Column::Id.is_in(removed_ids)).await?;
        }
        let rows = added.into_iter().map(|(_, number)| number.row(after.id));
        scope.add_parts::<OtherNumbers>(tx, after.id, rows).await.map_err(taken_meanwhile)?;
    }
    if let Some(before) = before.filter(|_| renumbered) {
        renumber(tx, scope, [(before, after)]).await?;
        changed = true;
    }
    if changed {
        existing = load(tx, scope, after.id).await?;
    }
    Ok(existing.into_iter().map(OtherNumber::from).collect())
}

impl Model {
    fn is(&self, number: &OtherNumber) -> bool {
        self.kind == number.kind && self.number == number.number
    }
}

impl OtherNumber {
    pub(crate) fn row(self, article: i64) -> ActiveModel {
        let (kind, fold) = self.key();
        ActiveModel {
            article_id: Set(article),
            kind: Set(kind),
            number: Set(self.number),
            number_fold: Set(fold),
            ..Default::default()
        }
    }
}

/// True if the number of an article has changed. Compares folded numbers, because a bulk change may have
/// replaced `article_number_fold` by a placeholder.
pub(crate) fn is_renumbered(before: &Article, after: &Article) -> bool {
    fold(&before.article_number) != after.article_number_fold
}

/// Adds the previous numbers of renumbered articles as former numbers, with a constant number of statements.
pub(crate) async fn renumber<'a>(
    tx: &Write,
    scope: &Scope,
    articles: impl IntoIterator<Item = (&'a Article, &'a Article)>,
) -> Result<()> {
    let renumbered = articles.into_iter().filter(|(before, after)| is_renumbered(before, after));
    let old_numbers: Vec<_> = renumbered.map(|(before, _)| (before, fold(&before.article_number))).collect();
    if old_numbers.is_empty() {
        return Ok(());
    }
    // Another article of the same change may have this number now.
    let current: Vec<String> = scope
        .find::<Articles>()
        .select_only()
        .column(ArticleColumn::ArticleNumberFold)
        .filter(ArticleColumn::ArticleNumberFold.is_in(old_numbers.iter().map(|(_, fold)| fold.as_str())))
        .into_tuple()
        .all(tx)
        .await?;
    let current: HashSet<String> = current.into_iter().collect();
    let former = old_numbers.into_iter().filter(|(_, fold)| !current.contains(fold));
    let former = former.map(|(before, fold)| ActiveModel {
        article_id: Set(before.id),
        kind: Set(NumberKind::Former),
        number: Set(before.article_number.clone()),
        number_fold: Set(fold),
        ..Default::default()
    });
    scope.insert_missing_parts::<OtherNumbers>(tx, former.collect()).await
}

/// Removes former numbers that are now the current number of an article. If another article loses one, its
/// history gets an entry; if an article gets its own former number back, the entry for the change of its
/// number suffices.
pub(crate) async fn remove_former_numbers(
    tx: &Write,
    scope: &Scope,
    numbers: impl IntoIterator<Item = String>,
) -> Result<()> {
    let condition =
        Condition::all().add(Column::Kind.eq(NumberKind::Former)).add(Column::NumberFold.is_in(numbers));
    let former: Vec<Model> = scope.all_parts::<OtherNumbers>().filter(condition).all(tx).await?;
    if former.is_empty() {
        return Ok(());
    }
    let losers = ArticleColumn::Id.is_in(former.iter().map(|number| number.article_id));
    for article in scope.find::<Articles>().filter(losers).all(tx).await? {
        let is_lost = |number: &&Model| {
            number.article_id == article.id && number.number_fold != article.article_number_fold
        };
        let lost: Vec<_> = former.iter().filter(is_lost).collect();
        if !lost.is_empty() {
            scope.note::<Articles>(tx, Action::Changed, Some(&article), Some(&article));
            scope.note_removed::<OtherNumbers>(tx, article.id, lost);
        }
    }
    let removed = Column::Id.is_in(former.iter().map(|number| number.id));
    scope.replace_parts::<OtherNumbers>(tx, removed, Vec::new()).await
}

/// Returns the current number of the article that this was a former number of.
pub async fn renumbered_to(db: &impl ConnectionTrait, scope: &Scope, number: &str) -> Result<Option<String>> {
    let former =
        Condition::all().add(Column::Kind.eq(NumberKind::Former)).add(Column::NumberFold.eq(fold(number)));
    let Some(former) = scope.all_parts::<OtherNumbers>().filter(former).one(db).await? else {
        return Ok(None);
    };
    Ok(Some(scope.get::<Articles>(db, former.article_id).await?.article_number))
}

/// Rejects numbers that other articles have.
async fn refuse_taken(tx: &Write, scope: &Scope, article: i64, added: &[(usize, OtherNumber)]) -> Result<()> {
    let owners = find_owners(tx, scope, added.iter().map(|(_, number)| number.key()).collect()).await?;
    let mut violations = Violations::new();
    for (index, number) in added {
        if let Some(owner) = owners.get(&number.key()).filter(|owner| owner.id != article) {
            let fault =
                codes::OTHER_NUMBER_TAKEN.with("article", &owner.article_number).with("owner_id", owner.id);
            violations.add(format!("other_numbers.{index}.number"), fault);
        }
    }
    violations.check()
}

/// Finds the articles that have these numbers. The current number of an article counts as a former number.
pub(crate) async fn find_owners(
    tx: &Write,
    scope: &Scope,
    keys: HashSet<Key>,
) -> Result<HashMap<Key, NumberOwner>> {
    if keys.is_empty() {
        return Ok(HashMap::new());
    }
    let folds = || keys.iter().map(|(_, fold)| fold.as_str());
    let others = scope.all_parts::<OtherNumbers>().filter(Column::NumberFold.is_in(folds())).all(tx).await?;
    let of_others = named_by(
        ArticleColumn::Id,
        others.iter().map(|other| other.article_id),
        ArticleColumn::ArticleNumberFold,
        folds().map(str::to_owned),
    );
    let articles = scope.find::<Articles>().filter(of_others).all(tx).await?;
    let owner = |key: Key| {
        let other = others.iter().find(|other| (other.kind, &other.number_fold) == (key.0, &key.1));
        let owner = articles.iter().find(|article| match other {
            Some(other) => article.id == other.article_id,
            None => key.0 == NumberKind::Former && article.article_number_fold == key.1,
        })?;
        Some((key, NumberOwner { id: owner.id, article_number: owner.article_number.clone() }))
    };
    Ok(keys.iter().cloned().filter_map(owner).collect())
}

/// Loads the other numbers of several articles, by article id.
pub(crate) async fn load_by_article(
    db: &impl ConnectionTrait,
    scope: &Scope,
    articles: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, Vec<OtherNumber>>> {
    let rows = scope.parts::<OtherNumbers>(articles).order_by_asc(Column::Id).all(db).await?;
    let mut all = HashMap::<i64, Vec<OtherNumber>>::new();
    for row in rows {
        all.entry(row.article_id).or_default().push(row.into());
    }
    Ok(all)
}

/// Replaces the numbers of these kinds for many articles together; fails as stale if another article has one
/// of them.
pub(crate) async fn replace(
    tx: &Write,
    scope: &Scope,
    replacements: impl IntoIterator<Item = (i64, NumberKind, Vec<OtherNumber>)>,
) -> Result<()> {
    let mut removed = Condition::any();
    let mut added = Vec::new();
    let mut of_kinds = HashMap::<NumberKind, Vec<i64>>::new();
    for (article, kind, numbers) in replacements {
        of_kinds.entry(kind).or_default().push(article);
        added.extend(numbers.into_iter().map(|number| number.row(article)));
    }
    if of_kinds.is_empty() {
        return Ok(());
    }
    for (kind, articles) in of_kinds {
        removed =
            removed.add(Condition::all().add(Column::Kind.eq(kind)).add(Column::ArticleId.is_in(articles)));
    }
    scope.replace_parts::<OtherNumbers>(tx, removed, added).await.map_err(taken_meanwhile)
}

/// Maps a unique violation to `Stale`: at the next attempt the rules name the article that has taken the
/// number.
pub(crate) fn taken_meanwhile(error: Error) -> Error {
    const KEY: &str = "article_other_number_kind_number_fold_key";
    match error {
        Error::Database(error) if violated_key(&error).as_deref() == Some(KEY) => codes::STALE.into(),
        error => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(kind: NumberKind, number: &str) -> OtherNumber {
        OtherNumber { kind, number: number.to_owned() }
    }

    fn wrong(inputs: &[OtherNumber]) -> Vec<(String, &'static str)> {
        let mut faults = Violations::new();
        read(inputs, &mut faults);
        faults.into_iter().map(|fault| (fault.path, fault.message.code.as_str())).collect()
    }

    #[test]
    fn numbers_are_stored_as_written_and_compared_normalised() {
        let mut faults = Violations::new();
        let inputs = [
            number(NumberKind::Gtin, " 4 006381 333931 "),
            number(NumberKind::Drawing, " Z-4711/a "),
            number(NumberKind::Free, "4006381333931"),
            number(NumberKind::Former, "HEB 200"),
        ];
        let actual: Vec<_> =
            read(&inputs, &mut faults).iter().map(|number| (number.number.clone(), number.key().1)).collect();
        let expected = [
            ("4006381333931", "04006381333931"),
            ("Z-4711/a", "z-4711/a"),
            ("4006381333931", "4006381333931"),
            ("HEB 200", "heb 200"),
        ];
        assert_eq!(actual, expected.map(|(number, fold)| (number.to_owned(), fold.to_owned())));
        assert!(faults.is_empty());
    }

    #[test]
    fn violations_are_reported_at_the_index_of_the_number() {
        let at = |index: usize| format!("other_numbers.{index}.number");
        let inputs = [
            number(NumberKind::Gtin, "4006381333932"),
            number(NumberKind::Gtin, "12345"),
            number(NumberKind::Free, "  "),
            number(NumberKind::Free, &"x".repeat(256)),
            number(NumberKind::Free, "a\u{7}b"),
            number(NumberKind::Drawing, "Z 1"),
            number(NumberKind::Drawing, "z  1"),
            number(NumberKind::Free, "Z 1"),
            number(NumberKind::Gtin, "4006381333931"),
            number(NumberKind::Gtin, "04006381333931"),
            number(NumberKind::Free, &"x".repeat(255)),
        ];
        let expected = [
            (at(0), "gtin_check_digit"),
            (at(1), "invalid_gtin"),
            (at(2), "required"),
            (at(3), "too_long"),
            (at(4), "not_printable"),
            (at(6), "duplicate"),
            (at(9), "duplicate"),
        ];
        assert_eq!(wrong(&inputs), expected);
    }

    #[test]
    fn an_article_has_at_most_a_hundred_other_numbers() {
        let many =
            |count: usize| (0..count).map(|n| number(NumberKind::Free, &n.to_string())).collect::<Vec<_>>();
        assert_eq!(wrong(&many(100)), []);
        assert_eq!(wrong(&many(101)), [("other_numbers".to_owned(), "too_many")]);
    }
}
