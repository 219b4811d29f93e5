//! Impact of an undo on prices, over HTTP; the undo runs in a rehearsal.

use http_api::{
    answer::OkJson,
    input::{Body, Id},
    publish,
    routes::{Answer, Routes},
};
use identity::audit::{AuditEntry, Column};
use pricing::may;
use sea_orm::{ColumnTrait, QueryFilter};
use serde::Deserialize;
use store::{Database, Scope};
use utoipa::ToSchema;
use values::{Error, Result, TenantId};

use super::{
    By, ConfirmedEffects, commands::UndoCaller, count_affected_articles, entries_of_request, readable,
    undo_entries,
};
use crate::resource::impact::{ImpactCalculator, ImpactView};

pub(super) fn routes(routes: &mut Routes) {
    publish!(routes, "audit": impact, request_impact);
}

/// Request whose undo is previewed.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = UndoRequestImpactInput)]
struct RequestInput {
    /// Id of the request, from `X-Request-Id` of its answer.
    #[schema(min_length = 32, max_length = 32, example = "019376f0c2d87b3fb1f4a0e5c6d7e8f9")]
    request_id: String,
}

/// Previews the impact of the undo of an entry on prices. Nothing is changed; an undo that would be refused
/// is refused here, too. Needs the permissions of the undo, and `listing.view`.
#[utoipa::path(post, path = "/api/admin/audit/{id}/impact")]
async fn impact(by: By, impacts: ImpactCalculator, Id(id): Id) -> Answer<OkJson<ImpactView>> {
    let db = &impacts.state.db;
    let entry = readable(by.scope()).filter(Column::Id.eq(id)).one(db).await?;
    let entry = entry.ok_or_else(Error::not_found)?;
    by.require_permission::<may::ViewPrice>()?;
    let followers = count_affected_articles(db, by.scope(), &entry).await?;
    impact_of(&impacts, by.scope(), vec![entry], followers).await
}

/// Previews the impact of the undo of a whole request on prices, like that of a single entry.
#[utoipa::path(post, path = "/api/admin/audit/impact")]
async fn request_impact(
    by: By,
    impacts: ImpactCalculator,
    Body(RequestInput { request_id }): Body<RequestInput>,
) -> Answer<OkJson<ImpactView>> {
    by.require_permission::<may::ViewPrice>()?;
    let written = entries_of_request(&impacts.state.db, by.scope(), &request_id).await?;
    impact_of(&impacts, by.scope(), written, None).await
}

async fn impact_of(
    impacts: &ImpactCalculator,
    scope: &Scope,
    entries: Vec<AuditEntry>,
    followers: Option<u64>,
) -> Answer<OkJson<ImpactView>> {
    let seller = match (scope.tenant(), entries.iter().find_map(|entry| entry.tenant_id)) {
        (Ok(seller), _) => seller,
        (Err(_), Some(owner)) => TenantId(owner),
        (Err(error), None) => return Err(error.into()),
    };
    let change = async |db: &Database| {
        let state = impacts.state.rehearsing(db.clone());
        let caller = UndoCaller { state: &state, scope, request: &impacts.request };
        Box::pin(undo_confirmed(caller, entries, followers)).await
    };
    impacts.rehearse(scope, seller, change).await
}

/// Undoes entries, regardless of further changes and deletions. No price goes under review because of it.
async fn undo_confirmed(
    caller: UndoCaller<'_>,
    entries: Vec<AuditEntry>,
    followers: Option<u64>,
) -> Result<u64> {
    let mut confirmed = ConfirmedEffects { change_articles: followers, deletes: None };
    loop {
        let outcome = undo_entries(caller, entries.clone(), confirmed).await?;
        match (outcome.asks_for_deletions, outcome.asks_for_articles) {
            (Some(deletes), _) if confirmed.deletes != Some(deletes) => confirmed.deletes = Some(deletes),
            (_, Some(articles)) if confirmed.change_articles != Some(articles) => {
                confirmed.change_articles = Some(articles);
            }
            _ => return Ok(0),
        }
    }
}
