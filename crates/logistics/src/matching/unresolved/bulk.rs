//! Matching of many numbers in one request, with the targets suggested for them.

use std::collections::HashMap;

use imports::{
    import::Import,
    unresolved::{Column, Kind, UnresolvedNumber, UnresolvedNumbers, replay::Replay},
};
use sea_orm::{ColumnTrait, QueryFilter};
use serde::{Deserialize, Serialize};
use store::{Database, Scope};
use tenancy::tenant;
use utoipa::ToSchema;
use validator::Validate;
use values::{Error, Result, Validated, fold, rule::printable, tidy};

use super::{MatchInput, matching_input, queue_matched};
use crate::{codes, matching::create_in};

/// Number with its target.
#[derive(Debug, Clone, Deserialize, Serialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct NumberMatch {
    pub number_id: i64,
    /// Suggested article number, or short code of the warehouse or the tenant, ignoring case.
    #[schema(min_length = 1, max_length = 255, example = "HEB-200-S235JR")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub target: String,
}

tidy!(NumberMatch: trim target;);

/// Numbers with their targets.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct NumberMatches {
    #[schema(max_items = 100)]
    #[validate(length(max = 100), nested)]
    pub matches: Vec<NumberMatch>,
}

tidy!(NumberMatches: parts matches;);

/// Result of matching many numbers.
#[derive(Debug, Default)]
pub struct MatchOutcome {
    pub done: u64,
    /// Numbers that stay open, with the reasons.
    pub refused: Vec<(UnresolvedNumber, Error)>,
    /// Imports of the rows that waited, one for each of the original imports.
    pub imports: Vec<Import>,
}

/// Matches numbers one after the other, by the rules of a single match, and queues the rows that waited for
/// them together.
///
/// # Errors
/// If one of the numbers has been deleted; none is matched then.
pub async fn match_numbers(replay: Replay<'_>, input: Validated<NumberMatches>) -> Result<MatchOutcome> {
    let (NumberMatches { matches }, violations) = input.parts();
    violations.check()?;
    let scope = replay.by.scope;
    let targets: HashMap<i64, String> = matches.into_iter().map(|one| (one.number_id, one.target)).collect();
    let numbers = scope
        .find::<UnresolvedNumbers>()
        .filter(Column::TenantId.eq(scope.tenant()?))
        .filter(Column::Id.is_in(targets.keys().copied()))
        .all(replay.db)
        .await?;
    if numbers.len() != targets.len() {
        return Err(codes::SELECTION_CHANGED.with("found", numbers.len()).into());
    }
    let mut outcome = MatchOutcome::default();
    for number in numbers {
        let target = targets.get(&number.id).cloned().unwrap_or_default();
        match match_one(replay.db, scope, &number, target).await {
            Ok(()) => outcome.done += 1,
            Err(error) => outcome.refused.push((number, error)),
        }
    }
    if outcome.done > 0 {
        // Rows that cannot be queued now are replayed automatically later.
        outcome.imports = queue_matched(&replay).await.unwrap_or_default();
    }
    Ok(outcome)
}

async fn match_one(db: &Database, scope: &Scope, number: &UnresolvedNumber, target: String) -> Result<()> {
    let mut input = MatchInput::default();
    match number.kind {
        Kind::Article => input.article_number = Some(target),
        Kind::Warehouse => input.warehouse_short_code = Some(target),
        Kind::Tenant => {
            let own = tenant::get(db, scope, number.tenant_id.into()).await?;
            input.tenant_id = (own.short_code_fold == fold(&target)).then_some(own.id);
        }
    }
    let matching = matching_input(db, scope, number.clone(), input.into()).await?;
    let tx = db.begin().await?;
    create_in(&tx, scope, matching.into()).await?;
    tx.commit().await
}
