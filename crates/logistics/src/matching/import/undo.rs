//! Undo of matching imports: matchings get their previous values back, subject to the rules of matchings.

use imports::revert::reversible::{RestoredRecord, Reversible};
use store::{Scope, Write};
use values::{Message, RecordReference, Result, Violations};

use super::{MatchingDeleter, MatchingImporter};
use crate::matching::{self, ActiveModel, Matching, MatchingDraft, MatchingReferences};

impl Reversible for MatchingImporter {
    async fn begin(tx: &Write, scope: &Scope, _: &[i64], (): ()) -> Result<()> {
        matching::lock_tenant(tx, scope).await
    }

    async fn drafts(
        tx: &Write,
        scope: &Scope,
        former: &[RestoredRecord<Self>],
    ) -> Result<Vec<Result<ActiveModel, Vec<Message>>>> {
        drafts_of(tx, scope, former.iter().map(|RestoredRecord { was, is }| (was, is.as_ref())).collect())
            .await
    }
}

/// Recreates the deleted matchings.
impl Reversible for MatchingDeleter {
    async fn begin(tx: &Write, scope: &Scope, _: &[i64], (): ()) -> Result<()> {
        matching::lock_tenant(tx, scope).await
    }

    async fn drafts(
        tx: &Write,
        scope: &Scope,
        former: &[RestoredRecord<Self>],
    ) -> Result<Vec<Result<ActiveModel, Vec<Message>>>> {
        drafts_of(tx, scope, former.iter().map(|RestoredRecord { was, is }| (was, is.as_ref())).collect())
            .await
    }
}

/// Drafts of matchings with their previous values, based on the current rows if these still exist.
async fn drafts_of(
    tx: &Write,
    scope: &Scope,
    former: Vec<(&Matching, Option<&Matching>)>,
) -> Result<Vec<Result<ActiveModel, Vec<Message>>>> {
    let drafts: Vec<MatchingDraft> = former.iter().map(|(was, _)| draft(was)).collect();
    let mut references = MatchingReferences::load(tx, scope, &drafts).await?;
    if drafts.iter().any(|draft| draft.external_tenant_identifier.is_some()) {
        references.tenant_identifiers = matching::tenant_identifiers(tx, scope).await?;
    }
    let rows = former.into_iter().zip(drafts).map(|((was, is), draft)| {
        let row = draft.row(&references, is);
        if let Ok(row) = &row {
            references.add_row(was.id, row);
        }
        row.map_err(Violations::into_messages)
    });
    Ok(rows.collect())
}

fn draft(was: &Matching) -> MatchingDraft {
    MatchingDraft {
        article: RecordReference::new(was.article_id, None),
        external_article_number: was.external_article_number.clone(),
        warehouse: RecordReference::new(was.warehouse_id, None),
        external_warehouse_identifier: was.external_warehouse_identifier.clone(),
        external_tenant_identifier: was.external_tenant_identifier.clone(),
    }
}
