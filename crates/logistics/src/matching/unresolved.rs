//! Unresolved numbers of other systems: suggestions for them, and their matching, after which the rows that
//! waited are imported.

pub mod bulk;
pub mod waiting_rows;

use catalog::article::Articles;
use imports::{
    import::Import,
    unresolved::{Column, Kind, State, UnresolvedNumber, UnresolvedNumbers, replay::Replay},
};
use lists::{ListQuery, list::Rank};
use sea_orm::{
    ActiveEnum, ColumnTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait,
    sea_query::{Expr, ExprTrait},
};
use serde::{Deserialize, Serialize};
use store::{Database, Scope};
use tenancy::tenant::{self, Tenant};
use utoipa::ToSchema;
use validator::Validate;
use values::{Result, Validated, tidy};

use super::{MatchingDetail, MatchingInput, Matchings, entity as matching};
use crate::{codes, warehouse::Warehouses};

/// Maximum number of suggestions.
const SUGGESTIONS: usize = 3;
/// Maximum number of numbers in one replay.
const AT_ONCE: u64 = 5_000;

/// Target of a number: the article, the warehouse or the acting tenant that it stands for.
#[derive(Debug, Clone, Default, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct MatchInput {
    pub article_id: Option<i64>,
    /// Article number, ignoring case; instead of the id.
    #[schema(max_length = 255, example = "HEB-200-S235JR")]
    #[validate(length(max = 255))]
    pub article_number: Option<String>,
    pub warehouse_id: Option<i64>,
    /// Short code of the warehouse, ignoring case; instead of the id.
    #[schema(max_length = 255, example = "DU")]
    #[validate(length(max = 255))]
    pub warehouse_short_code: Option<String>,
    /// Id of the acting tenant, for a number that stands for the tenant.
    pub tenant_id: Option<i64>,
}

tidy!(MatchInput: or_none article_number, warehouse_short_code;);

/// Suggested target of a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    pub id: i64,
    /// Article number, or short code.
    pub number: String,
    pub name: String,
    pub reason: SuggestionReason,
}

/// Reason of a suggestion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SuggestionReason {
    /// Same number.
    SameNumber,
    /// Same GTIN.
    Gtin,
    /// Found by the designation in the other system.
    Designation,
}

/// Returns likely targets of a number, best first, found by the number itself and its designation in a file.
pub async fn suggestions(db: &Database, scope: &Scope, number: &UnresolvedNumber) -> Result<Vec<Suggestion>> {
    if number.kind == Kind::Tenant {
        let own = tenant::get(db, scope, number.tenant_id.into()).await?;
        return Ok(suggest_tenant(number, own).into_iter().collect());
    }
    let mut suggestions: Vec<Suggestion> = Vec::new();
    for (text, reason) in search_texts(number) {
        // Fewer words find the same records and more.
        if suggestions.iter().any(|suggestion| suggestion.reason == SuggestionReason::Designation) {
            break;
        }
        for hit in find_suggestions(db, scope, number.kind, &text, reason).await? {
            if !suggestions.iter().any(|suggestion| suggestion.id == hit.id) {
                suggestions.push(hit);
            }
        }
    }
    suggestions.truncate(SUGGESTIONS);
    Ok(suggestions)
}

/// Suggests the tenant itself if the number is its short code or the designation its name.
fn suggest_tenant(number: &UnresolvedNumber, own: Tenant) -> Option<Suggestion> {
    let reason = if number.number_fold == own.short_code_fold {
        SuggestionReason::SameNumber
    } else if !number.designation_fold.is_empty()
        && (own.company_fold.starts_with(&number.designation_fold)
            || number.designation_fold.starts_with(&own.company_fold))
    {
        SuggestionReason::Designation
    } else {
        return None;
    };
    Some(Suggestion { id: own.id, number: own.short_code, name: own.company, reason })
}

/// Search texts: the number, then the designation, shortened word by word from its end, where length and
/// finish are.
fn search_texts(number: &UnresolvedNumber) -> Vec<(String, SuggestionReason)> {
    let mut texts = vec![(number.number.clone(), SuggestionReason::SameNumber)];
    texts.extend((!number.gtin.is_empty()).then(|| (number.gtin.clone(), SuggestionReason::Gtin)));
    let words: Vec<&str> = number.designation.split_whitespace().collect();
    let shortest = words.len().saturating_sub(3).max(1);
    for count in (shortest..=words.len()).rev() {
        let some = words.get(..count).unwrap_or_default().join(" ");
        texts.push((some, SuggestionReason::Designation));
    }
    texts
}

async fn find_suggestions(
    db: &Database,
    scope: &Scope,
    kind: Kind,
    text: &str,
    reason: SuggestionReason,
) -> Result<Vec<Suggestion>> {
    let is_accepted_rank = |rank: Rank| reason != SuggestionReason::SameNumber || rank == Rank::Exact;
    let most = SUGGESTIONS as u64;
    Ok(match kind {
        Kind::Article => ListQuery::<Articles>::hits(db, scope, "number", text, most)
            .await?
            .first
            .into_iter()
            .filter(|hit| is_accepted_rank(hit.rank))
            .map(|hit| Suggestion {
                id: hit.id,
                number: hit.row.article_number,
                name: hit.row.article_name,
                reason,
            })
            .collect(),
        Kind::Warehouse => ListQuery::<Warehouses>::hits(db, scope, "number", text, most)
            .await?
            .first
            .into_iter()
            .filter(|hit| is_accepted_rank(hit.rank.min(Rank::new(text, &hit.row.short_code))))
            .map(|hit| Suggestion { id: hit.id, number: hit.row.short_code, name: hit.row.name, reason })
            .collect(),
        Kind::Tenant => Vec::new(),
    })
}

/// Matches a number and queues the rows that waited for it.
pub async fn match_number(
    replay: Replay<'_>,
    id: i64,
    input: Validated<MatchInput>,
) -> Result<(MatchingDetail, Vec<Import>)> {
    let scope = replay.by.scope;
    let number = scope.get::<UnresolvedNumbers>(replay.db, id).await?;
    let matching = matching_input(replay.db, scope, number, input).await?;
    replay.run(&[id], async |tx| super::create_in(tx, scope, matching.into()).await).await
}

/// Returns the matching of a number with the target of the input.
async fn matching_input(
    db: &Database,
    scope: &Scope,
    number: UnresolvedNumber,
    input: Validated<MatchInput>,
) -> Result<MatchingInput> {
    let (input, mut violations) = input.parts();
    let references = [
        (Kind::Article, "article_id", input.article_id.is_some()),
        (Kind::Article, "article_number", input.article_number.is_some()),
        (Kind::Warehouse, "warehouse_id", input.warehouse_id.is_some()),
        (Kind::Warehouse, "warehouse_short_code", input.warehouse_short_code.is_some()),
        (Kind::Tenant, "tenant_id", input.tenant_id.is_some()),
    ];
    let foreign = references.into_iter().filter(|(kind, _, is_set)| *is_set && *kind != number.kind);
    for (_, field, _) in foreign {
        let unknown = match (field, input.warehouse_id, input.tenant_id) {
            ("warehouse_id", Some(id), _) => scope.get::<Warehouses>(db, id).await.is_err(),
            ("tenant_id", _, Some(id)) => id != number.tenant_id.0,
            _ => false,
        };
        violations.add(field, if unknown { codes::UNKNOWN_REFERENCE } else { codes::UNKNOWN_FIELD });
    }
    if number.kind == Kind::Tenant && input.tenant_id != Some(number.tenant_id.0) {
        let code = if input.tenant_id.is_some() { codes::UNKNOWN_REFERENCE } else { codes::REQUIRED };
        violations.add("tenant_id", code);
    }
    violations.check()?;
    let mut matching = MatchingInput::default();
    match number.kind {
        Kind::Article => {
            matching.external_article_number = Some(number.number);
            (matching.article_id, matching.article_number) = (input.article_id, input.article_number);
        }
        Kind::Warehouse => {
            matching.external_warehouse_identifier = Some(number.number);
            (matching.warehouse_id, matching.warehouse_short_code) =
                (input.warehouse_id, input.warehouse_short_code);
        }
        Kind::Tenant => matching.external_tenant_identifier = Some(number.number),
    }
    Ok(matching)
}

/// Queues the rows that wait for numbers which any matching resolves now.
///
/// # Errors
/// If there are none.
pub async fn replay_matched(replay: Replay<'_>) -> Result<Vec<Import>> {
    let queued = queue_matched(&replay).await?;
    if queued.is_empty() {
        return Err(codes::NOTHING_WAITS.into());
    }
    Ok(queued)
}

async fn queue_matched(replay: &Replay<'_>) -> Result<Vec<Import>> {
    let ids = find_matched_ids(replay.db, replay.by.scope).await?;
    let ((), queued) = replay.run(&ids, async |_| Ok(())).await?;
    Ok(queued)
}

/// Ids of open numbers of the acting tenant that a matching resolves.
async fn find_matched_ids(db: &Database, scope: &Scope) -> Result<Vec<i64>> {
    let matched_condition = |column: matching::Column, kind: Kind| {
        let own = scope
            .find::<Matchings>()
            .select_only()
            .expr(Expr::value(1))
            .filter(
                Expr::col((matching::Entity, matching::Column::TenantId))
                    .equals((UnresolvedNumbers, Column::TenantId)),
            )
            .filter(Expr::col((matching::Entity, column)).equals((UnresolvedNumbers, Column::NumberFold)));
        Column::Kind.eq(kind.to_value()).and(Expr::exists(own.into_query()))
    };
    let open = scope
        .find::<UnresolvedNumbers>()
        .select_only()
        .column(Column::Id)
        .filter(Column::TenantId.eq(scope.tenant()?))
        .filter(Column::State.eq(State::Open.to_value()))
        .filter(
            matched_condition(matching::Column::ExternalArticleNumberFold, Kind::Article)
                .or(matched_condition(matching::Column::ExternalWarehouseIdentifierFold, Kind::Warehouse))
                .or(matched_condition(matching::Column::ExternalTenantIdentifierFold, Kind::Tenant)),
        )
        .order_by_asc(Column::Id)
        .limit(AT_ONCE);
    Ok(open.into_tuple().all(db).await?)
}

#[cfg(test)]
mod tests;
