//! Creation, change and end of price lists.

use lists::{Creatable, Managed};
use sea_orm::ActiveValue::Set;
use store::{Database, Recorded, Scope, Write, scope::refuse_stale};
use values::{Instant, Result, Validated, now};

use super::{
    ActiveModel, PriceList, PriceListDetail, PriceListInput, PriceLists,
    audience::{self, ListAudience},
    input::{check_internal, differs, read_audience, row_from, write_audience},
    ownership::owner_scope,
    validity, view,
};
use crate::codes;

/// Loads and locks a list; returns it with the scope with which the caller writes it.
///
/// # Errors
/// The caller cannot write the list, or it has expired.
pub(crate) async fn lock_for_change(tx: &Write, scope: &Scope, id: i64) -> Result<(PriceList, Scope)> {
    let list = scope.get_locked::<PriceLists>(tx, id).await?;
    let writer = list.writer(scope)?;
    list.refuse_expired(&now())?;
    Ok((list, writer))
}

impl Managed for PriceLists {
    type Input = PriceListInput;

    /// Changes a list.
    ///
    /// # Errors
    /// All violations, by field. Unchanged values are not checked again; an expired list cannot be changed.
    async fn update(
        db: &Database,
        scope: &Scope,
        id: i64,
        input: impl Into<Validated<PriceListInput>>,
    ) -> Result<PriceListDetail> {
        let input = input.into();
        let tx = db.begin().await?;
        let writer = amend(&tx, scope, id, input).await?;
        finish(tx, &writer, id).await
    }
}

impl Creatable for PriceLists {
    /// Creates a list.
    ///
    /// # Errors
    /// All violations, by field; times are checked against the server's clock.
    async fn create(
        db: &Database,
        scope: &Scope,
        input: impl Into<Validated<PriceListInput>>,
    ) -> Result<PriceListDetail> {
        create_at(db, scope, input, now()).await
    }
}

/// Like [`PriceLists::create`], as if it were `moment`: for lists that began in the past, such as those of
/// the demo.
pub async fn create_at(
    db: &Database,
    scope: &Scope,
    input: impl Into<Validated<PriceListInput>>,
    moment: Instant,
) -> Result<PriceListDetail> {
    let tx = db.begin().await?;
    let list = insert(&tx, scope, input, None, moment).await?;
    finish(tx, &list.writer(scope)?, list.id).await
}

/// Inserts a validated list. If it is a copy of `original`, it may name all tenants and groups that the
/// original names.
pub(crate) async fn insert(
    tx: &Write,
    scope: &Scope,
    input: impl Into<Validated<PriceListInput>>,
    original: Option<&PriceList>,
    moment: Instant,
) -> Result<PriceList> {
    let (input, mut violations) = input.into().parts();
    let writer = owner_scope(tx, scope, &input, &mut violations).await?;
    validity::check(None, &input, &moment, &mut violations);
    let current_audience = match original {
        Some(original) => audience::load(tx, original.id).await?,
        None => ListAudience::default(),
    };
    check_internal(&input, original, &current_audience, &mut violations);
    let audience = read_audience(tx, scope, &input, &current_audience, &mut violations).await?;
    violations.check()?;
    let writer = writer.ok_or(codes::NOT_OWN_PRICE_LIST)?;
    let row = ActiveModel { price_count: Set(0), ..row_from(&input) };
    let list = writer.create::<PriceLists>(tx, row).await?;
    write_audience(tx, &writer, list.id, &audience).await?;
    Ok(list)
}

/// Like [`PriceLists::update`], in a transaction that the caller commits; returns the scope with which the
/// list is written.
pub(crate) async fn amend(
    tx: &Write,
    scope: &Scope,
    id: i64,
    input: impl Into<Validated<PriceListInput>>,
) -> Result<Scope> {
    let (input, mut violations) = input.into().parts();
    let before = scope.get_locked::<PriceLists>(tx, id).await?;
    let writer = before.writer(scope)?;
    refuse_stale(input.version, before.version)?;
    let moment = now();
    before.refuse_expired(&moment)?;
    if input.owner_tenant_id != before.owner_tenant_id.map(i64::from) {
        violations.add("owner_tenant_id", codes::OWNER_FIXED);
    }
    if input.owner_tenant_group_id != before.owner_tenant_group_id {
        violations.add("owner_tenant_group_id", codes::OWNER_FIXED);
    }
    validity::check(Some(&before), &input, &moment, &mut violations);
    let current_audience = audience::load(tx, id).await?;
    check_internal(&input, Some(&before), &current_audience, &mut violations);
    let audience = read_audience(tx, scope, &input, &current_audience, &mut violations).await?;
    violations.check()?;
    let mut row = row_from(&input);
    row.owner_tenant_id = sea_orm::ActiveValue::NotSet;
    row.owner_tenant_group_id = sea_orm::ActiveValue::NotSet;
    let has_new_audience = !audience.is_same_as(&current_audience);
    if has_new_audience || differs(&before, &row) {
        writer.update_from::<PriceLists>(tx, &before, row).await?;
    }
    if has_new_audience {
        PriceLists::remove_parts(&writer, tx, id).await?;
        write_audience(tx, &writer, id, &audience).await?;
    }
    Ok(writer)
}

/// Ends a list immediately. A pending one ends when it would begin, and so is never in effect.
///
/// # Errors
/// The list has already expired.
pub async fn archive(db: &Database, scope: &Scope, id: i64, version: Option<i64>) -> Result<PriceListDetail> {
    let tx = db.begin().await?;
    let writer = end_at_once(&tx, scope, id, version).await?;
    finish(tx, &writer, id).await
}

/// Like [`archive`], in a transaction that the caller commits; returns the scope with which the list is
/// written.
pub(crate) async fn end_at_once(tx: &Write, scope: &Scope, id: i64, version: Option<i64>) -> Result<Scope> {
    let before = scope.get_locked::<PriceLists>(tx, id).await?;
    let writer = before.writer(scope)?;
    refuse_stale(version, before.version)?;
    let moment = now();
    before.refuse_expired(&moment)?;
    end(tx, &writer, &before, Ord::max(moment, before.valid_from)).await?;
    Ok(writer)
}

/// Sets the end of a list.
pub(crate) async fn end(tx: &Write, writer: &Scope, before: &PriceList, until: Instant) -> Result<()> {
    let row = ActiveModel { valid_until: Set(Some(until)), ..Default::default() };
    writer.update_from::<PriceLists>(tx, before, row).await?;
    Ok(())
}

pub(crate) async fn finish(tx: Write, scope: &Scope, id: i64) -> Result<PriceListDetail> {
    let detail = view(&tx, scope, id).await?;
    tx.commit().await?;
    Ok(detail)
}
