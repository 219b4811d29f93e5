//! Decisions about prices of a list that are under review: release, release of the suggested price, rejection.

use sea_orm::{ColumnTrait, QueryFilter};
use serde::{Deserialize, Serialize};
use store::{Database, Scope};
use utoipa::ToSchema;
use validator::Validate;
use values::{Result, Validated, Violations, tidy};

use super::{Column, EntryDetail, detailed, select_entries, writing};
use crate::{codes, held_price::decision::Decision, price_list, price_side::Side};

/// Decision about prices of a list that are under review.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = HeldPriceListPriceDecisions)]
pub struct DecisionsInput {
    /// Prices that the decision is about.
    #[schema(min_items = 1, max_items = 500)]
    #[validate(length(min = 1, max = 500))]
    pub prices: Vec<DecidedInput>,
    pub decision: Decision,
}

/// Price that a decision is about.
#[derive(Debug, Clone, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HeldPriceListPriceDecision)]
pub struct DecidedInput {
    pub id: i64,
    /// Version that was read; rejected if it is not the current one, so that users release only prices that
    /// they have seen.
    pub version: i64,
    /// Number of the proposal: 0 or omitted for the newest, from 1 on for one of the `others`.
    #[serde(default)]
    pub proposal: Option<usize>,
}

tidy!(DecisionsInput:);

/// Decides about prices under review: releases them unchanged, releases the suggested ones, or rejects them.
/// A rejected entry without a former price is removed; proposals of other users for the same article stay.
///
/// # Errors
/// A price is not under review, has been changed since it was read, or has no suggestion.
pub async fn decide(
    db: &Database,
    scope: &Scope,
    id: i64,
    input: impl Into<Validated<DecisionsInput>>,
) -> Result<Vec<EntryDetail>> {
    let DecisionsInput { prices, decision } = input.into().valid()?;
    let ids: Vec<i64> = prices.iter().map(|price| price.id).collect();
    let tx = db.begin().await?;
    let (list, writer) = price_list::lock_for_change(&tx, scope, id).await?;
    let rows = select_entries(&writer, &list)
        .filter(Column::Id.is_in(ids.clone()))
        .filter(Column::Held.is_not_null())
        .all(&tx)
        .await?;
    let mut violations = Violations::new();
    let mut released = Vec::with_capacity(rows.len());
    for (index, DecidedInput { id, version, proposal }) in prices.iter().enumerate() {
        let row = rows.iter().find(|row| row.id == *id);
        let Some((row, held_entry)) = row.and_then(|row| Some((row, row.held.clone()?))) else {
            violations.add(format!("prices.{index}.id"), codes::UNKNOWN_REFERENCE);
            continue;
        };
        if row.version != *version {
            violations.add(format!("prices.{index}.version"), codes::STALE);
            continue;
        }
        let Some((held_entry, others)) = held_entry.split(proposal.unwrap_or_default()) else {
            violations.add(format!("prices.{index}.proposal"), codes::UNKNOWN_REFERENCE);
            continue;
        };
        let side = match decision {
            Decision::Release => held_entry.wanted,
            Decision::ReleaseMended => {
                let Some(mended) = held_entry.mended else {
                    violations.add(format!("prices.{index}.id"), codes::NOTHING_MENDED);
                    continue;
                };
                mended
            }
            Decision::Refuse => Side::from_entry(row),
        };
        // recorded as a change by the import, so that undoing the import reverts it
        let import = held_entry.row.map(|(import, _)| import).filter(|_| decision != Decision::Refuse);
        released.push(writing::ReviewDecision { before: row.clone(), side, others, import });
    }
    values::rule::unique(&mut violations, &ids, |index| format!("prices.{index}.id"));
    violations.check()?;
    writing::write_decisions(&tx, &writer, &list, released).await?;
    let rows = select_entries(&writer, &list).filter(Column::Id.is_in(ids.clone())).all(&tx).await?;
    let mut details = detailed(&tx, scope, rows).await?;
    details.sort_by_key(|detail| ids.iter().position(|id| *id == detail.entry.id));
    tx.commit().await?;
    Ok(details)
}
