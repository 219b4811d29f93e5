//! Versions of a price list whose prices come from a feed. Each file is imported into a version of its own,
//! which is prepared with a start in the far future. Once the whole file is imported and no price is under
//! review, the version follows the former one: it begins in five minutes, and the former one ends at that
//! moment.
//!
//! A tenant creates the first list, with its audience. Versions are named after it and the time at which they
//! were prepared: `Werkspreise 2026-11-28 06:00`.

use chrono::{NaiveDateTime, SubsecRound, TimeDelta};
use imports::import::{Column as ImportColumn, Import, ImportStatus, Imports};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, QueryFilter, QueryOrder, QuerySelect,
};
use store::{Database, Scope, Write};
use values::{Instant, Result, fold, local_time_in, time_zone};

use super::{ActiveModel, Column, PriceList, PriceListInput, PriceLists, Status, audience, validity};
use crate::codes;

/// Time until a prepared version begins, unless it follows another one before.
const PREPARED_AHEAD: TimeDelta = TimeDelta::days(365);
/// Format of the time in the name of a version.
const TIME: &str = "%Y-%m-%d %H:%M";
/// Number of characters of such a time.
const TIME_LENGTH: usize = 16;
/// Maximum number of characters of the first list's name, which leaves room for a time and a number.
pub const NAME_MAX: usize = 230;

/// Prepares the version that a file is imported into: without prices, with the type, scope and audience of
/// the version that it will follow. If a prepared version has no import, because the run that prepared it
/// failed, it is used again.
///
/// # Errors
/// `feed_price_list_missing` if the tenant has no list with this name, nor a version of it, that has not
/// ended.
pub async fn prepare(db: &Database, scope: &Scope, name: &str, moment: Instant) -> Result<PriceList> {
    let tx = db.begin().await?;
    let versions = versions(&tx, scope, name, moment).await?;
    let Some(former) = version_in_effect(&versions, moment) else {
        return Err(codes::FEED_PRICE_LIST_MISSING.with("name", name).into());
    };
    if let Some(unused) = unused(&tx, scope, &versions).await? {
        return Ok(unused.clone());
    }
    let audience = audience::load(&tx, former.id).await?;
    let input = PriceListInput {
        name: version_name(name, &versions, local_time_in(time_zone(), &moment)),
        customer_name: former.customer_name.clone(),
        announce: false,
        owner_tenant_id: former.owner_tenant_id.map(i64::from),
        owner_tenant_group_id: None,
        r#type: former.r#type,
        scope: former.scope,
        valid_from: moment + PREPARED_AHEAD,
        limited: false,
        valid_until: None,
        tenant_ids: audience.tenants,
        tenant_group_ids: audience.groups,
        excluded_tenant_ids: audience.excluded,
        version: None,
    };
    let version = super::insert(&tx, scope, input, Some(former), moment).await?;
    tx.commit().await?;
    Ok(version)
}

/// Lets the version that an import has filled follow the former one, in the transaction that ends the import.
/// A version stays prepared if it has refused rows, no prices, or prices under review, or if its start was
/// changed by a user. Versions that were prepared before it and have never begun end together with the former
/// one.
pub async fn follow(tx: &Write, scope: &Scope, import: &Import, moment: Instant) -> Result<()> {
    let is_whole = import.status == ImportStatus::Success && import.rows_held == 0 && !import.dry_run;
    let Some(id) = import.aim_id.filter(|_| is_whole) else { return Ok(()) };
    let Some(prepared) = scope.find::<PriceLists>().filter(Column::Id.eq(id)).one(tx).await? else {
        return Ok(());
    };
    let Some(name) = first_name(&prepared.name) else { return Ok(()) };
    // locks the oldest first, like all other code; values read before the lock are not used
    let mut locked = Vec::new();
    for version in versions(tx, scope, name, moment).await?.iter().rev().filter(|other| other.id <= id) {
        locked.push(scope.get_locked::<PriceLists>(tx, version.id).await?);
    }
    let (prepared, others): (Vec<_>, Vec<_>) = locked.into_iter().partition(|version| version.id == id);
    let is_filled = |version: &&PriceList| version.price_count > 0 && is_as_prepared(version);
    let Some(prepared) = prepared.first().filter(is_filled) else { return Ok(()) };
    let Some(former) = version_in_effect(&others, moment) else { return Ok(()) };
    let begins = (moment + validity::AHEAD).trunc_subsecs(6);
    let row = ActiveModel {
        valid_from: Set(begins),
        valid_until: Set(former.valid_until.filter(|until| *until > begins)),
        ..Default::default()
    };
    scope.update_from::<PriceLists>(tx, prepared, row).await?;
    for other in &others {
        let ends = Ord::max(begins, other.valid_from);
        if other.valid_until.is_none_or(|until| until > ends) {
            super::end(tx, scope, other, ends).await?;
        }
    }
    Ok(())
}

/// Returns the version that was prepared but that no import refers to.
async fn unused<'a>(
    db: &impl ConnectionTrait,
    scope: &Scope,
    versions: &'a [PriceList],
) -> Result<Option<&'a PriceList>> {
    let is_empty = |version: &&PriceList| version.price_count == 0 && first_name(&version.name).is_some();
    let empty: Vec<&PriceList> =
        versions.iter().filter(is_empty).filter(|version| is_as_prepared(version)).collect();
    if empty.is_empty() {
        return Ok(None);
    }
    let ids = empty.iter().map(|version| version.id);
    let aims = scope.find::<Imports>().filter(ImportColumn::AimId.is_in(ids)).select_only();
    let aims: Vec<i64> = aims.column(ImportColumn::AimId).into_tuple().all(db).await?;
    Ok(empty.into_iter().find(|version| !aims.contains(&version.id)))
}

/// True if a version still has the start that it was prepared with.
fn is_as_prepared(version: &PriceList) -> bool {
    let moved = version.valid_from - (version.created_at + PREPARED_AHEAD);
    moved.abs() < TimeDelta::minutes(10)
}

/// Loads the first list and its versions that have not ended, the latest first.
async fn versions(
    db: &impl ConnectionTrait,
    scope: &Scope,
    name: &str,
    moment: Instant,
) -> Result<Vec<PriceList>> {
    let not_ended = Condition::any().add(Column::ValidUntil.is_null()).add(Column::ValidUntil.gt(moment));
    let own = scope.find::<PriceLists>().filter(Column::OwnerTenantId.eq(scope.tenant()?)).filter(not_ended);
    let lists = own.order_by_desc(Column::Id).all(db).await?;
    let folded_name = fold(name);
    let is_version = |list: &PriceList| fold(first_name(&list.name).unwrap_or(&list.name)) == folded_name;
    let is_over = |list: &PriceList| list.status(&moment) == Status::Inactive;
    Ok(lists.into_iter().filter(|list| !is_over(list) && is_version(list)).collect())
}

/// Returns the version in effect, or else the one that begins next.
fn version_in_effect<'a>(
    versions: impl IntoIterator<Item = &'a PriceList>,
    moment: Instant,
) -> Option<&'a PriceList> {
    versions.into_iter().min_by_key(|list| {
        let is_pending = list.status(&moment) == Status::Pending;
        (is_pending, if is_pending { list.valid_from - moment } else { moment - list.valid_from })
    })
}

/// Returns the name of a version, with a number if another one was prepared in the same minute.
fn version_name(name: &str, versions: &[PriceList], at: NaiveDateTime) -> String {
    let name = format!("{name} {}", at.format(TIME));
    let is_taken = |name: &str| versions.iter().any(|list| fold(&list.name) == fold(name));
    let numbered = (2..).map(|number| format!("{name} ({number})"));
    std::iter::once(name.clone()).chain(numbered).find(|name| !is_taken(name)).unwrap_or(name)
}

/// Returns the name of the first list; `None` if this is not the name of a version.
fn first_name(name: &str) -> Option<&str> {
    let numbered = name.strip_suffix(')').and_then(|name| name.rsplit_once(" ("));
    let name = match numbered {
        Some((name, number)) if number.parse::<u32>().is_ok() => name,
        _ => name,
    };
    let (first, time) = name.split_at_checked(name.len().checked_sub(TIME_LENGTH)?)?;
    NaiveDateTime::parse_from_str(time, TIME).ok()?;
    first.strip_suffix(' ').filter(|first| !first.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_the_first_list_is_read_from_the_name_of_a_version() {
        for (name, first) in [
            ("Werkspreise 2026-11-28 06:00", Some("Werkspreise")),
            ("Werkspreise 2026-11-28 06:00 (2)", Some("Werkspreise")),
            ("Preise (2) 2026-11-28 06:00", Some("Preise (2)")),
            ("Werkspreise", None),
            ("Werkspreise 2026-11-28", None),
            ("Werkspreise 2026-13-28 06:00", None),
            ("2026-11-28 06:00", None),
            ("Größen 2026-11-28 06:00", Some("Größen")),
            ("ü", None),
        ] {
            assert_eq!(first_name(name), first, "{name}");
        }
    }
}
