//! Creates, changes and ends price lists.

use kernel::{Code, Database, Instant, Recorded, Result, Scope, Validated, Write, now, scope::refuse_stale};
use sea_orm::ActiveValue::Set;

use super::{
    ActiveModel, PriceList, PriceListDetail, PriceListInput, PriceLists,
    audience::{self, Named},
    input::{check_internal, differs, named, row, write_named},
    ownership::owner,
    validity, view,
};

/// The list, locked, and as whom the caller writes it.
///
/// # Errors
/// When it is not theirs to write, or has expired.
pub(crate) async fn written(tx: &Write, scope: &Scope, id: i64) -> Result<(PriceList, Scope)> {
    let list = scope.get_locked::<PriceLists>(tx, id).await?;
    let writer = list.writer(scope)?;
    list.refuse_expired(&now())?;
    Ok((list, writer))
}

/// # Errors
/// All broken rules at their fields; the times are judged by the clock of the server.
pub async fn create(
    db: &Database,
    scope: &Scope,
    input: impl Into<Validated<PriceListInput>>,
) -> Result<PriceListDetail> {
    create_at(db, scope, input, now()).await
}

/// As [`create`], as if it were that moment: for lists that have begun long ago, as those of the demo.
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

/// Inserts a list that keeps the rules. Whom the list names that it is made of, it may name as well.
pub(crate) async fn insert(
    tx: &Write,
    scope: &Scope,
    input: impl Into<Validated<PriceListInput>>,
    of: Option<&PriceList>,
    moment: Instant,
) -> Result<PriceList> {
    let (input, mut violations) = input.into().parts();
    let writer = owner(tx, scope, &input, &mut violations).await?;
    validity::check(None, &input, &moment, &mut violations);
    let kept = match of {
        Some(of) => audience::named_by(tx, of.id).await?,
        None => Named::default(),
    };
    check_internal(&input, of, &kept, &mut violations);
    let named = named(tx, scope, &input, &kept, &mut violations).await?;
    violations.check()?;
    let writer = writer.ok_or(Code::NotOwnPriceList)?;
    let row = ActiveModel { price_count: Set(0), ..row(&input) };
    let list = writer.create::<PriceLists>(tx, row).await?;
    write_named(tx, &writer, list.id, &named).await?;
    Ok(list)
}

/// # Errors
/// All broken rules at their fields. What is not changed is not judged again; what has expired is no longer changed.
pub async fn update(
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

/// The same in a transaction that the caller ends; as whom the list is written.
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
        violations.add("owner_tenant_id", Code::OwnerFixed);
    }
    if input.owner_tenant_group_id != before.owner_tenant_group_id {
        violations.add("owner_tenant_group_id", Code::OwnerFixed);
    }
    validity::check(Some(&before), &input, &moment, &mut violations);
    let kept = audience::named_by(tx, id).await?;
    check_internal(&input, Some(&before), &kept, &mut violations);
    let named = named(tx, scope, &input, &kept, &mut violations).await?;
    violations.check()?;
    let mut row = row(&input);
    row.owner_tenant_id = sea_orm::ActiveValue::NotSet;
    row.owner_tenant_group_id = sea_orm::ActiveValue::NotSet;
    let is_renamed = !named.is_same_as(&kept);
    if is_renamed || differs(&before, &row) {
        writer.update_from::<PriceLists>(tx, &before, row).await?;
    }
    if is_renamed {
        PriceLists::remove_parts(&writer, tx, id).await?;
        write_named(tx, &writer, id, &named).await?;
    }
    Ok(writer)
}

/// Ends a list at once. A pending one ends where it would begin, and so never holds.
///
/// # Errors
/// When it has expired already.
pub async fn archive(db: &Database, scope: &Scope, id: i64, version: Option<i64>) -> Result<PriceListDetail> {
    let tx = db.begin().await?;
    let writer = end_at_once(&tx, scope, id, version).await?;
    finish(tx, &writer, id).await
}

/// The same in a transaction that the caller ends; whoever it is written by.
pub(crate) async fn end_at_once(tx: &Write, scope: &Scope, id: i64, version: Option<i64>) -> Result<Scope> {
    let before = scope.get_locked::<PriceLists>(tx, id).await?;
    let writer = before.writer(scope)?;
    refuse_stale(version, before.version)?;
    let moment = now();
    before.refuse_expired(&moment)?;
    end(tx, &writer, &before, Ord::max(moment, before.valid_from)).await?;
    Ok(writer)
}

/// Lets a list end.
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
