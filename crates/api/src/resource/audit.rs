//! The audit log over HTTP: changes, who made them, and through which channel.

use std::{collections::HashSet, sync::Arc};

use chrono::{DateTime, Utc};
use http_api::{
    access::Authorized,
    answer::{Download, OkPage, ok_page},
    export::{Column, Export, Labels, time},
    input::{Db, List},
    publish,
    routes::{Answer, Routes},
    screen_texts,
};
use identity::{
    audit::{AuditEntries, AuditEntry, FIELD},
    may,
};
use imports::import::row;
use lists::{ListQuery, Page};
use sea_orm::ConnectionTrait;
use serde::Serialize;
use sheets::table::CellContent;
use store::{Database, Scope, Snapshot, audit::Change, resource, run_blocking};
use utoipa::ToSchema;
use values::{Result, Violations};

use crate::{
    codes,
    resource::{
        history::{
            changes::{AuditedReference, ChangeView, Names, USER, change_view},
            select_history,
            texts::HistoryTexts,
        },
        undo,
    },
};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, "audit": list, export);
}

/// Entry about a record.
#[derive(Serialize, ToSchema)]
#[schema(as = AuditEntry)]
struct AuditEntryView {
    id: i64,
    at: DateTime<Utc>,
    /// Action: `created`, `changed`, `deleted` or another one.
    #[schema(example = "changed")]
    action: String,
    /// Kind of the record: `article`, `user`.
    #[schema(example = "materials")]
    record: String,
    #[schema(required)]
    record_id: Option<i64>,
    /// Name of the record at that time.
    #[schema(required, example = "S355J2")]
    record_name: Option<String>,
    /// Tenant that the record belongs to; `null` for a record of the platform.
    #[schema(required)]
    tenant: Option<AuditedReference>,
    /// User who did it; `null` if it was the system or is not known.
    #[schema(required)]
    user: Option<AuditedReference>,
    /// Channel: `session`, `token`, `import` or `system`.
    #[schema(example = "session")]
    channel: String,
    /// Token or import through which it was done.
    #[schema(required)]
    through: Option<AuditedReference>,
    /// Address from which a user signed in.
    #[schema(required, example = "192.0.2.17")]
    address: Option<String>,
    changes: Vec<ChangeView>,
    /// Request that did it: all its entries can be undone together.
    #[schema(required, example = "019376f0c2d87b3fb1f4a0e5c6d7e8f9")]
    request_id: Option<String>,
    /// Entry that this one undoes.
    #[schema(required)]
    undoes: Option<i64>,
    /// True if the entry has been undone.
    undone: bool,
    /// True if the caller may undo it. The undo itself can still be refused.
    undoable: bool,
}

/// Lists entries, the latest first. For a single record (`filter[record]` and `filter[record_id]`) with its
/// changes by rows of imports; otherwise an import is one entry, without those of its rows.
#[utoipa::path(get, path = "/api/admin/audit")]
async fn list(
    by: Authorized<may::ListAudit>,
    Db(db): Db,
    List(query): List<AuditEntries>,
) -> Answer<OkPage<AuditEntryView>> {
    let one = single_record(&query)?;
    let page = async |db: Database| {
        let page: Page<AuditEntry> = match &one {
            Some((record, id)) => {
                query.fetch_from(&db, select_history(&db, by.scope(), record, &[*id])).await?
            }
            None => query.fetch(&db, by.scope(), |select| select).await?,
        };
        page.detailed(async |rows| load_views(&db, by.scope(), rows).await).await
    };
    Ok(ok_page(db.on_replica(page).await?))
}

/// Returns the single record that the filters name.
///
/// # Errors
/// A filter by a changed field without a record: it would search all entries.
fn single_record(query: &ListQuery<AuditEntries>) -> Result<Option<(String, i64)>> {
    let id = query.only("record_id").and_then(|id| id.parse().ok());
    let record = query.only("record").zip(id);
    if record.is_none() && query.filters_by(FIELD) {
        return Err(Violations::error("filter[record_id]", codes::REQUIRED));
    }
    Ok(record)
}

/// Entry with the texts for its record and its changes.
struct AuditRow {
    row: AuditEntryView,
    record: String,
    changes: String,
}

const COLUMNS: &[Column<AuditRow>] = &[
    ("at", |AuditRow { row, .. }, _| time(row.at)),
    ("user_id", |AuditRow { row, .. }, labels| reference_text(row.user.as_ref(), labels)),
    ("action", |AuditRow { row, .. }, labels| labels.choice("action", &row.action)),
    ("record", |row, _| row.record.as_str().into()),
    ("record_id", |AuditRow { row, .. }, _| row.record_id.into()),
    ("record_name", |AuditRow { row, .. }, _| row.record_name.as_deref().into()),
    ("changes", |row, _| row.changes.as_str().into()),
    ("tenant_id", |AuditRow { row, .. }, labels| reference_text(row.tenant.as_ref(), labels)),
    ("channel", |AuditRow { row, .. }, labels| labels.choice("channel", &row.channel)),
    ("through", |AuditRow { row, .. }, labels| reference_text(row.through.as_ref(), labels)),
    ("address", |AuditRow { row, .. }, _| row.address.as_deref().into()),
];

/// Exports all entries that match the filters; for a single record with its changes by rows of imports.
#[utoipa::path(get, path = "/api/admin/audit/export")]
async fn export(by: Authorized<may::ListAudit>, export: Export<AuditEntries>) -> Answer<Download> {
    let texts = Arc::new(HistoryTexts::new(export.language)?);
    let to_rows = async |db: &Snapshot, rows: Vec<AuditEntry>| {
        let (views, texts) = (load_views(db, by.scope(), rows).await?, texts.clone());
        let to_row = move |row: AuditEntryView| {
            let (record, changes) = (texts.record(&row.record), texts.changes(&row.record, &row.changes));
            AuditRow { row, record, changes }
        };
        run_blocking(move || views.into_iter().map(to_row).collect()).await
    };
    let screen = screen_texts!("audit");
    Ok(match single_record(&export.query)? {
        Some((record, id)) => {
            let source = |db: &Snapshot| select_history(db, by.scope(), &record, &[id]);
            export.table_from(source, screen, COLUMNS, to_rows).await?
        }
        None => export.table(by.scope(), screen, COLUMNS, to_rows).await?,
    })
}

/// Name of a reference, or its id if the record is deleted.
fn reference_text(reference: Option<&AuditedReference>, labels: &Labels) -> CellContent {
    let text = |AuditedReference { id, name, platform }: &AuditedReference| match name {
        Some(name) => name.clone(),
        None if *platform => labels.text(&["platform"]).to_owned(),
        None => format!("#{id}"),
    };
    reference.map(text).as_deref().into()
}

async fn load_views(
    db: &impl ConnectionTrait,
    scope: &Scope,
    entries: Vec<AuditEntry>,
) -> Result<Vec<AuditEntryView>> {
    let undone = undo::undone_ids(db, scope, &entries).await?;
    let offered = undo::undoable_ids(db, scope, &entries, &undone).await?;
    // a record may have thousands of changed parts: reading them must not block other requests
    let scope = *scope;
    let (entries_with_changes, mut names) = run_blocking(move || read_changes(&scope, entries)).await?;
    names.load(db, &scope).await?;
    run_blocking(move || views(&undone, &offered, entries_with_changes, &names)).await
}

/// Reads the changes of the entries and collects the names of what they refer to.
fn read_changes(scope: &Scope, entries: Vec<AuditEntry>) -> (Vec<(AuditEntry, Vec<Change>)>, Names) {
    let mut names = Names::default();
    let read = |entry: AuditEntry| {
        let mut changes = row::changes_of(&entry.changes);
        resource::hide(scope, &entry.record, &mut changes);
        names.request("tenant", entry.tenant_id);
        names.request(USER, entry.user_id);
        names.request("import", entry.channel_id.filter(|_| entry.channel == "import"));
        names.request("personal_access_token", entry.channel_id.filter(|_| entry.channel == "token"));
        names.request_all(&changes);
        (entry, changes)
    };
    (entries.into_iter().map(read).collect(), names)
}

/// Builds the views; `undone` holds ids of undone entries, `offered` of those that the caller may undo.
fn views(
    undone: &HashSet<i64>,
    offered: &HashSet<i64>,
    entries_with_changes: Vec<(AuditEntry, Vec<Change>)>,
    names: &Names,
) -> Vec<AuditEntryView> {
    let text = |text: String| (!text.is_empty()).then_some(text);
    let view = |(entry, changes): (AuditEntry, Vec<Change>)| AuditEntryView {
        undone: undone.contains(&entry.id),
        undoable: offered.contains(&entry.id),
        undoes: entry.undoes,
        request_id: text(entry.request),
        id: entry.id,
        at: entry.at,
        action: entry.action,
        record: entry.record,
        record_id: entry.record_id,
        record_name: text(entry.record_name),
        tenant: entry.tenant_id.map(|id| names.reference("tenant", id)),
        user: entry.user_id.map(|id| names.reference(USER, id)),
        through: entry.channel_id.map(|id| match entry.channel.as_str() {
            "import" => names.reference("import", id),
            "token" => names.reference("personal_access_token", id),
            _ => AuditedReference { id, name: None, platform: false },
        }),
        channel: entry.channel,
        address: text(entry.address),
        changes: changes.into_iter().map(|change| change_view(change, names)).collect(),
    };
    entries_with_changes.into_iter().map(view).collect()
}
