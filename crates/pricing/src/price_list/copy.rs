//! Copy of a list: a duplicate, or its next version, with which the original ends in the same transaction.
//! Prices are taken over, optionally with a change; a preview shows the result before.

use chrono::{DateTime, Utc};
use sea_orm::{ColumnTrait, ConnectionTrait, QueryFilter, QueryOrder, QuerySelect};
use serde::Deserialize;
use store::{Database, Scope, Write, deadline, scope::refuse_stale};
use utoipa::ToSchema;
use validator::Validate;
use values::{Instant, Result, Validated, now, rule::printable, tidy};

use super::{
    PriceList, PriceListDetail, PriceListInput, PriceLists, audience,
    change::{PriceChange, Rounding, Rule},
    difference::{ListDifference, PriceChangeResult},
};
use crate::{
    codes,
    price_list_entry::{self, Column, Entries, Entry},
    price_side::Side,
};

/// Number of prices in memory at the same time.
const CHUNK: u64 = 1_000;

/// Copy of a price list.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = PriceListCopy)]
pub struct CopyInput {
    /// Name, unique among the lists of the owner, ignoring case.
    #[schema(min_length = 1, max_length = 255, example = "Verkauf ab Juli 2027")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub name: String,
    /// Beginning of the list, at least five minutes from now.
    #[schema(example = "2027-07-01T00:00:00Z")]
    pub valid_from: DateTime<Utc>,
    /// First moment at which the list is no longer in effect; if omitted, it has no end.
    #[schema(example = "2028-01-01T00:00:00Z")]
    pub valid_until: Option<DateTime<Utc>>,
    /// Tenant that owns the copy; if neither tenant nor group is given, the owner of the original.
    pub owner_tenant_id: Option<i64>,
    /// Group that owns the copy; only for platform administrators.
    pub owner_tenant_group_id: Option<i64>,
    #[serde(default)]
    pub change: PriceChange,
    pub rounding: Option<Rounding>,
    /// True if the copy is the next version: the original then ends when the copy begins.
    #[serde(default)]
    #[schema(default = false)]
    pub ends_original: bool,
    /// Version of the original that was read; rejected if it is not the current one.
    pub version: Option<i64>,
}

tidy!(CopyInput: trim name;);

/// Change of prices whose result is previewed.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = PriceListCopyPreview)]
pub struct PreviewInput {
    #[serde(default)]
    pub change: PriceChange,
    pub rounding: Option<Rounding>,
}

tidy!(PreviewInput:);

/// New list, with the differences of its prices.
#[derive(Debug, Clone)]
pub struct CopyResult {
    pub list: PriceListDetail,
    pub difference: ListDifference,
}

/// Copies a list with its audience and prices. Prices that cannot be changed as requested are taken over
/// unchanged.
///
/// # Errors
/// All violations, by field, among them `fixed_in_force` if the original cannot end at that moment.
pub async fn copy(
    db: &Database,
    scope: &Scope,
    id: i64,
    input: impl Into<Validated<CopyInput>>,
) -> Result<CopyResult> {
    copy_at(db, scope, id, input, now()).await
}

/// Like [`copy`], as if it were `moment`: for lists that began in the past, such as those of the demo.
pub async fn copy_at(
    db: &Database,
    scope: &Scope,
    id: i64,
    input: impl Into<Validated<CopyInput>>,
    moment: Instant,
) -> Result<CopyResult> {
    deadline::extend(deadline::MANY_RECORDS);
    let tx = db.begin_long().await?;
    let (list, difference) = copy_in(&tx, scope, id, input, moment).await?;
    let list = super::finish(tx, &list.writer(scope)?, list.id).await?;
    Ok(CopyResult { list, difference })
}

/// Like [`copy_at`], in a transaction that the caller commits.
pub(crate) async fn copy_in(
    tx: &Write,
    scope: &Scope,
    id: i64,
    input: impl Into<Validated<CopyInput>>,
    moment: Instant,
) -> Result<(PriceList, ListDifference)> {
    let (input, mut violations) = input.into().parts();
    let rule = Rule { change: input.change, rounding: input.rounding };
    rule.check(&mut violations);
    let original = scope.get_locked::<PriceLists>(tx, id).await?;
    super::refuse_others(tx, scope, &original).await?;
    refuse_stale(input.version, original.version)?;
    let writer = if input.ends_original { Some(original.writer(scope)?) } else { None };
    if input.ends_original {
        original.refuse_expired(&moment)?;
        let begins_later = input.valid_from > original.valid_from;
        let ends_later = original.valid_until.is_none_or(|until| input.valid_from <= until);
        if !begins_later {
            violations.add("valid_from", codes::BEFORE_ORIGINAL.with("name", &original.name));
        } else if !ends_later {
            violations.add("valid_from", codes::BEHIND_ORIGINAL.with("name", &original.name));
        }
        let moved = input.owner_tenant_id.is_some() || input.owner_tenant_group_id.is_some();
        if moved && owners(&input, &original) != owners_of(&original) {
            violations.add("owner_tenant_id", codes::OWNER_FIXED);
        }
    }
    let audience = audience::load(tx, id).await?;
    let (owner_tenant_id, owner_tenant_group_id) = owners(&input, &original);
    let input = PriceListInput {
        name: input.name.clone(),
        // customers continue to see the name that was meant for them; whether a list is announced is decided
        // for each list
        customer_name: original.customer_name.clone(),
        announce: false,
        owner_tenant_id,
        owner_tenant_group_id,
        r#type: original.r#type,
        scope: original.scope,
        valid_from: input.valid_from,
        limited: input.valid_until.is_some(),
        valid_until: input.valid_until,
        tenant_ids: audience.tenants,
        tenant_group_ids: audience.groups,
        excluded_tenant_ids: audience.excluded,
        version: None,
    };
    let list =
        super::insert(tx, scope, Validated::from(input).broken_as(violations), Some(&original), moment)
            .await?;
    let difference = prices(tx, scope, &original, &list, rule).await?;
    if let Some(writer) = writer {
        super::end(tx, &writer, &original, list.valid_from).await?;
    }
    Ok((list, difference))
}

/// Calculates how the prices of a copy would differ from those of a list.
pub async fn preview(
    db: &Database,
    scope: &Scope,
    id: i64,
    input: impl Into<Validated<PreviewInput>>,
) -> Result<ListDifference> {
    let (PreviewInput { change, rounding }, mut violations) = input.into().parts();
    let rule = Rule { change, rounding };
    rule.check(&mut violations);
    violations.check()?;
    deadline::extend(deadline::MANY_RECORDS);
    let snapshot = db.snapshot().await?;
    let original = scope.get::<PriceLists>(&snapshot, id).await?;
    super::refuse_others(&snapshot, scope, &original).await?;
    let mut difference = ListDifference::default();
    let mut chunks = PriceChunks::new(&original);
    while let Some(rows) = chunks.next(&snapshot, scope).await? {
        changed(&snapshot, scope, rows, rule, &mut difference).await?;
    }
    Ok(difference.finished())
}

/// Returns the owner of the copy: a tenant or a group.
fn owners(input: &CopyInput, original: &PriceList) -> (Option<i64>, Option<i64>) {
    match (input.owner_tenant_id, input.owner_tenant_group_id) {
        (None, None) => owners_of(original),
        said => said,
    }
}

fn owners_of(list: &PriceList) -> (Option<i64>, Option<i64>) {
    (list.owner_tenant_id.map(i64::from), list.owner_tenant_group_id)
}

/// Copies the prices of a list.
async fn prices(
    tx: &Write,
    scope: &Scope,
    original: &PriceList,
    copy: &PriceList,
    rule: Rule,
) -> Result<ListDifference> {
    let writer = copy.writer(scope)?;
    let mut difference = ListDifference::default();
    let mut chunks = PriceChunks::new(original);
    while let Some(rows) = chunks.next(tx, scope).await? {
        let sides = changed(tx, scope, rows, rule, &mut difference).await?;
        price_list_entry::take_over(tx, &writer, copy, sides).await?;
    }
    Ok(difference.finished())
}

/// Returns the rows of a chunk with their changed prices.
async fn changed(
    db: &impl ConnectionTrait,
    scope: &Scope,
    rows: Vec<Entry>,
    rule: Rule,
    difference: &mut ListDifference,
) -> Result<Vec<(Entry, Side)>> {
    let details = price_list_entry::detailed(db, scope, rows).await?;
    let mut sides = Vec::with_capacity(details.len());
    for detail in details {
        let side = match rule.apply(&detail.side, &detail.article) {
            Ok(side) => {
                difference.add(&detail.article, &detail.side, PriceChangeResult::Changed(side.clone()));
                side
            }
            Err(why) => {
                difference.add(&detail.article, &detail.side, PriceChangeResult::Impossible(why));
                detail.side
            }
        };
        sides.push((detail.entry, side));
    }
    Ok(sides)
}

/// Iteration over the prices of a list in chunks.
struct PriceChunks<'l> {
    list: &'l PriceList,
    last: i64,
}

impl<'l> PriceChunks<'l> {
    const fn new(list: &'l PriceList) -> Self {
        Self { list, last: 0 }
    }

    /// Loads the next chunk; `None` at the end.
    async fn next(&mut self, db: &impl ConnectionTrait, scope: &Scope) -> Result<Option<Vec<Entry>>> {
        let rows = scope
            .find::<Entries>()
            .filter(Column::TenantId.eq(self.list.owner_key()))
            .filter(Column::PriceListId.eq(self.list.id))
            .filter(Column::Id.gt(self.last))
            .filter(price_list_entry::priced())
            .order_by_asc(Column::Id)
            .limit(CHUNK);
        let rows = rows.all(db).await?;
        if let Some(last) = rows.last() {
            self.last = last.id;
        }
        Ok(Some(rows).filter(|rows| !rows.is_empty()))
    }
}
