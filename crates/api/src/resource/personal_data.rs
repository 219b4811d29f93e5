//! Data that are stored about a person, as one JSON document: for themselves, or for an administrator who
//! answers their request.
//!
//! The document is spooled to disk like an exported list: a person's imports may have left a million entries.

use std::cell::Cell;

use chrono::{DateTime, Utc};
use http_api::{
    access::{Authorized, InSession, SignedIn},
    answer::{Document, document, download_file},
    export::{Labels, dated_name, write_limited},
    fair_queue::Claimant,
    input::{Id, RequestInfo},
    publish,
    routes::{Answer, Routes},
    screen_texts,
};
use identity::{
    ability::{self, Ability},
    audit::AuditEntry,
    device::Device,
    email_change::EmailChange,
    may,
    personal_data::{self, DefaultView, Link, Session},
    saved_view::{SavedView, ViewState},
    token::Token,
    user::{ImportNotices, Status, UserDetail, Users},
};
use imports::{
    import::{self, Import, ImportStatus},
    import_type::ImportType,
};
use mail::outbox::Letter;
use sea_orm::ActiveEnum;
use serde::{Serialize, Serializer};
use serde_json::Value as Json;
use storage::Spool;
use store::{Scope, audit::Change};
use utoipa::ToSchema;
use values::{Error, Language, Permission, Result, now};

use crate::{
    resource::tenants::TenantOfRecord,
    state::{Server, State},
};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, Users: own_data, personal_data);
}

/// All data that are stored about a person, without secrets.
#[derive(Serialize, ToSchema)]
struct PersonalData<'a> {
    exported_at: DateTime<Utc>,
    account: Account,
    /// Active sessions; their addresses are in the history.
    sessions: Vec<SessionOfPerson>,
    tokens: Vec<TokenOfPerson>,
    /// Links that were sent to the person and have not expired.
    links: Vec<LinkOfPerson>,
    /// Changes of their e-mail address.
    email_changes: Vec<EmailChangeOfPerson>,
    saved_views: Vec<ViewOfPerson>,
    default_views: Vec<DefaultViewOfPerson>,
    imports: Vec<ImportOfPerson>,
    mails: Vec<MailOfPerson>,
    /// Entries about the person, then entries of what they have done; each the oldest first.
    #[schema(value_type = Vec<EntryOfPerson>)]
    history: StreamedList<'a, EntryOfPerson>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = PersonalAccount)]
struct Account {
    id: i64,
    #[schema(example = "Eva Lindner")]
    name: String,
    #[schema(example = "eva.lindner@nordstahl.example")]
    email: String,
    /// Tenant of the person; `null` if they work for the platform.
    #[schema(required)]
    tenant: Option<TenantOfRecord>,
    status: Status,
    /// Language of mails to the person.
    #[schema(required, example = "de")]
    language: Option<String>,
    /// Imports whose end is announced to the person by mail.
    import_notices: ImportNotices,
    roles: Vec<RoleOfPerson>,
    narrowed: bool,
    /// Permissions that the person is restricted to; `null` without a restriction.
    #[schema(required)]
    permissions: Option<Vec<Permission>>,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = PersonalRole)]
struct RoleOfPerson {
    id: i64,
    #[schema(example = "Einkauf")]
    name: String,
}

#[derive(Serialize, ToSchema)]
#[schema(as = PersonalSession)]
struct SessionOfPerson {
    id: i64,
    #[schema(required, example = "Firefox")]
    browser: Option<String>,
    #[schema(required, example = "Linux")]
    system: Option<&'static str>,
    /// User agent of the browser.
    #[schema(required, example = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")]
    user_agent: Option<String>,
    created_at: DateTime<Utc>,
    last_used_at: DateTime<Utc>,
    expires_at: DateTime<Utc>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = PersonalToken)]
struct TokenOfPerson {
    id: i64,
    #[schema(example = "ERP-Anbindung")]
    name: String,
    abilities: Vec<Ability>,
    /// First characters of the token.
    #[schema(example = "pat_4fQ0")]
    prefix: String,
    /// Last four characters of the token.
    #[schema(example = "mW2x")]
    last_four: String,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
    expires_at: DateTime<Utc>,
    #[schema(required)]
    last_used_at: Option<DateTime<Utc>>,
    #[schema(required, example = "192.0.2.17")]
    last_used_address: Option<String>,
    /// Time of the last reminder that the token expires, or of its creation if it was already due then.
    #[schema(required)]
    reminded_at: Option<DateTime<Utc>>,
    /// Time at which another token replaced it.
    #[schema(required)]
    replaced_at: Option<DateTime<Utc>>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = PersonalLink)]
struct LinkOfPerson {
    id: i64,
    /// Purpose: `invitation` or `password_reset`.
    #[schema(example = "password_reset")]
    purpose: String,
    created_at: DateTime<Utc>,
    expires_at: DateTime<Utc>,
    #[schema(required)]
    used_at: Option<DateTime<Utc>>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = PersonalEmailChange)]
struct EmailChangeOfPerson {
    id: i64,
    #[schema(example = "eva@nordstahl.example")]
    former_email: String,
    #[schema(example = "eva.lindner@nordstahl.example")]
    new_email: String,
    created_at: DateTime<Utc>,
    /// Time until which the link in the mail to the former address can undo the change.
    expires_at: DateTime<Utc>,
    #[schema(required)]
    undone_at: Option<DateTime<Utc>>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = PersonalView)]
struct ViewOfPerson {
    id: i64,
    #[schema(example = "articles")]
    list: String,
    #[schema(example = "Träger ab 200")]
    name: String,
    shared: bool,
    state: ViewState,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

/// View that a list opens with.
#[derive(Serialize, ToSchema)]
#[schema(as = PersonalDefaultView)]
struct DefaultViewOfPerson {
    #[schema(example = "articles")]
    list: String,
    view_id: i64,
}

#[derive(Serialize, ToSchema)]
#[schema(as = PersonalImport)]
struct ImportOfPerson {
    id: i64,
    tenant_id: i64,
    #[schema(required, example = "Lieferprogramm November")]
    name: Option<String>,
    r#type: ImportType,
    status: ImportStatus,
    #[schema(required, example = "Die Datei wurde als Windows-1252 gelesen.")]
    status_message: Option<String>,
    dry_run: bool,
    #[schema(example = "de")]
    language: String,
    #[schema(example = "lieferprogramm.csv")]
    upload_file: String,
    /// Size in bytes.
    #[schema(example = 48213)]
    upload_size: i64,
    #[schema(required, example = 250)]
    rows_total: Option<i64>,
    #[schema(example = 250)]
    rows_done: i64,
    #[schema(example = 120)]
    rows_created: i64,
    #[schema(example = 30)]
    rows_updated: i64,
    #[schema(example = 97)]
    rows_unchanged: i64,
    #[schema(example = 3)]
    rows_refused: i64,
    rows_held: i64,
    rows_unresolved: i64,
    rows_removed: i64,
    rows_skipped: i64,
    strategy: imports::import::strategy::Strategy,
    rows_kept: i64,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
    #[schema(required)]
    started_at: Option<DateTime<Utc>>,
    #[schema(required)]
    finished_at: Option<DateTime<Utc>>,
}

/// Mail to the person, without its text, which is deleted once it is sent.
#[derive(Serialize, ToSchema)]
#[schema(as = PersonalMail)]
struct MailOfPerson {
    id: i64,
    /// Kind: `invitation`, `password_reset`, `password_changed` or `token_expires`.
    #[schema(example = "password_reset")]
    kind: String,
    #[schema(example = "Eva Lindner")]
    name: String,
    #[schema(example = "eva.lindner@nordstahl.example")]
    address: String,
    #[schema(example = "de")]
    language: String,
    #[schema(example = "Neues Passwort")]
    subject: String,
    created_at: DateTime<Utc>,
    #[schema(example = 1)]
    attempts: i64,
    /// Time of the next attempt; `null` once it was sent or has failed finally.
    #[schema(required)]
    due_at: Option<DateTime<Utc>>,
    #[schema(required)]
    sent_at: Option<DateTime<Utc>>,
    #[schema(required)]
    failed_at: Option<DateTime<Utc>>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = PersonalHistoryEntry)]
struct EntryOfPerson {
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
    /// Name of the record at that time; `null` for other people.
    #[schema(required, example = "S355J2")]
    record_name: Option<String>,
    #[schema(required)]
    tenant_id: Option<i64>,
    /// True if the person did it themselves.
    by_subject: bool,
    /// Channel: `session`, `token`, `import` or `system`.
    #[schema(example = "session")]
    channel: String,
    /// Token or import through which it was done.
    #[schema(required)]
    channel_id: Option<i64>,
    /// Address that it came from.
    #[schema(required, example = "192.0.2.17")]
    address: Option<String>,
    /// Changes of the person's own fields; `null` for other records, which are not about them.
    #[schema(required)]
    changes: Option<Vec<ChangeOfPerson>>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = PersonalChange)]
struct ChangeOfPerson {
    #[schema(example = "name")]
    field: String,
    #[schema(value_type = Value)]
    from: Json,
    #[schema(value_type = Value)]
    to: Json,
}

impl From<UserDetail> for Account {
    fn from(UserDetail { user, status, tenant, roles, chosen, .. }: UserDetail) -> Self {
        Self {
            id: user.id,
            tenant: TenantOfRecord::new(user.tenant_id, tenant),
            status,
            roles: roles.into_iter().map(|(id, name)| RoleOfPerson { id, name }).collect(),
            narrowed: user.narrowed,
            permissions: chosen.map(|chosen| chosen.iter().collect()),
            name: user.name,
            email: user.email,
            language: user.language,
            import_notices: user.import_notices,
            created_at: user.created_at,
            updated_at: user.updated_at,
        }
    }
}

impl From<Session> for SessionOfPerson {
    fn from(Session { id, user_agent, created_at, last_used_at, expires_at, .. }: Session) -> Self {
        let Device { browser, system } = Device::read(user_agent.as_deref().unwrap_or_default());
        Self { id, browser, system, user_agent, created_at, last_used_at, expires_at }
    }
}

impl From<Token> for TokenOfPerson {
    fn from(token: Token) -> Self {
        let Token { id, name, abilities, prefix, last_four, created_at, updated_at, expires_at, .. } = token;
        Self {
            id,
            name,
            abilities: ability::parse_all(&abilities),
            prefix,
            last_four,
            created_at,
            updated_at,
            expires_at,
            last_used_at: token.last_used_at,
            last_used_address: token.last_used_address,
            reminded_at: token.reminded_at,
            replaced_at: token.replaced_at,
        }
    }
}

impl From<Link> for LinkOfPerson {
    fn from(Link { id, purpose, created_at, expires_at, used_at, .. }: Link) -> Self {
        Self { id, purpose, created_at, expires_at, used_at }
    }
}

impl From<EmailChange> for EmailChangeOfPerson {
    fn from(change: EmailChange) -> Self {
        let EmailChange { id, former_email, new_email, created_at, expires_at, undone_at, .. } = change;
        Self { id, former_email, new_email, created_at, expires_at, undone_at }
    }
}

impl From<SavedView> for ViewOfPerson {
    fn from(SavedView { id, list, name, shared, state, created_at, updated_at, .. }: SavedView) -> Self {
        Self { id, list, name, shared, state, created_at, updated_at }
    }
}

impl From<DefaultView> for DefaultViewOfPerson {
    fn from(DefaultView { list, view_id, .. }: DefaultView) -> Self {
        Self { list, view_id }
    }
}

impl ImportOfPerson {
    fn new(import: Import, language: Language) -> Self {
        Self {
            id: import.id,
            tenant_id: import.tenant_id,
            status_message: import.status_text(language),
            name: import.name,
            r#type: import.r#type,
            status: import.status,
            dry_run: import.dry_run,
            language: import.language,
            upload_file: import.upload_file,
            upload_size: import.upload_size,
            rows_total: import.rows_total,
            rows_done: import.rows_done,
            rows_created: import.rows_created,
            rows_updated: import.rows_updated,
            rows_unchanged: import.rows_unchanged,
            rows_refused: import.rows_refused,
            rows_held: import.rows_held,
            rows_unresolved: import.rows_unresolved,
            rows_removed: import.rows_removed,
            rows_skipped: import.rows_skipped,
            strategy: import.strategy,
            rows_kept: import.rows_kept,
            created_at: import.created_at,
            updated_at: import.updated_at,
            started_at: import.started_at,
            finished_at: import.finished_at,
        }
    }
}

impl From<Letter> for MailOfPerson {
    fn from(letter: Letter) -> Self {
        let Letter { id, kind, name, address, language, subject, created_at, attempts, .. } = letter;
        let Letter { due_at, sent_at, failed_at, .. } = letter;
        let kind = kind.to_value();
        Self { id, kind, name, address, language, subject, created_at, attempts, due_at, sent_at, failed_at }
    }
}

impl EntryOfPerson {
    fn new(entry: AuditEntry, person: i64) -> Self {
        let is_about_person = is_about(&entry, person);
        let text = |text: String| (!text.is_empty()).then_some(text);
        let changes: Vec<Change> = serde_json::from_value(entry.changes).unwrap_or_default();
        let changes =
            changes.into_iter().map(|Change { field, from, to }| ChangeOfPerson { field, from, to });
        Self {
            id: entry.id,
            at: entry.at,
            action: entry.action,
            record_name: text(entry.record_name).filter(|_| is_about_person || entry.record != "user"),
            record: entry.record,
            record_id: entry.record_id,
            tenant_id: entry.tenant_id,
            by_subject: entry.user_id == Some(person),
            channel: entry.channel,
            channel_id: entry.channel_id,
            address: text(entry.address),
            changes: is_about_person.then(|| changes.collect()),
        }
    }
}

fn is_about(entry: &AuditEntry, person: i64) -> bool {
    entry.record == "user" && entry.record_id == Some(person)
}

/// List that is written while its rows are read.
struct StreamedList<'a, T>(Cell<Option<Box<dyn Iterator<Item = T> + 'a>>>);

impl<'a, T> StreamedList<'a, T> {
    fn new(rows: impl Iterator<Item = T> + 'a) -> Self {
        Self(Cell::new(Some(Box::new(rows))))
    }
}

impl<T: Serialize> Serialize for StreamedList<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.take().into_iter().flatten())
    }
}

async fn write_file(
    state: &State,
    scope: &Scope,
    person: i64,
    language: Language,
    claimant: Claimant,
) -> Result<Document<PersonalData<'static>>> {
    personal_data::request(&state.db, scope, person).await?;
    let title =
        format!("{} {person}", Labels::new(screen_texts!("profile"), language)?.text(&["data", "file"]));
    let file = write_limited(state, claimant, async || {
        let snapshot = state.db.snapshot().await?;
        let stored = personal_data::load(&snapshot, scope, person).await?;
        let imports = import::load_by_uploader(&snapshot, person).await?;
        let spool = Spool::begin(&state.storage, move |mut target, chunks| {
            let content = PersonalData {
                exported_at: now(),
                account: stored.account.into(),
                sessions: stored.sessions.into_iter().map(Into::into).collect(),
                tokens: stored.tokens.into_iter().map(Into::into).collect(),
                links: stored.links.into_iter().map(Into::into).collect(),
                email_changes: stored.email_changes.into_iter().map(Into::into).collect(),
                saved_views: stored.views.into_iter().map(Into::into).collect(),
                default_views: stored.default_views.into_iter().map(Into::into).collect(),
                imports: imports.into_iter().map(|import| ImportOfPerson::new(import, language)).collect(),
                mails: stored.mails.into_iter().map(Into::into).collect(),
                history: StreamedList::new(chunks.flatten().map(|entry| EntryOfPerson::new(entry, person))),
            };
            serde_json::to_writer_pretty(&mut target, &content).map_err(Error::internal)?;
            Ok(target)
        })?;
        for (query, about) in personal_data::history(person)?.iter().zip([true, false]) {
            // the person's own rows, regardless of what they may see today
            let mut walk = query.walk(&Scope::platform());
            loop {
                let mut rows: Vec<AuditEntry> = walk.next(&snapshot, |select| select).await?;
                if rows.is_empty() {
                    break;
                }
                rows.retain(|entry| about || !is_about(entry, person));
                if !spool.add(rows).await {
                    return spool.finish().await;
                }
            }
        }
        spool.finish().await
    })
    .await?;
    Ok(document(download_file(dated_name(&title, "json"), file)))
}

/// Exports all data that are stored about the current user, as a file. The request is recorded in the
/// history.
#[utoipa::path(get, path = "/api/users/me/data")]
async fn own_data(
    by: SignedIn,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
) -> Answer<Document<PersonalData<'static>>> {
    Ok(write_file(&state, &by.caller.scope(None)?, by.caller.id, request.language, (&by.caller).into())
        .await?)
}

/// Exports all data that are stored about a user, as a file to answer their request. Refused for users with
/// more permissions than the caller; the request is recorded in the history.
#[utoipa::path(get, path = "/api/admin/users/{id}/data")]
async fn personal_data(
    by: InSession<Authorized<may::UpdateUser>>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
) -> Answer<Document<PersonalData<'static>>> {
    Ok(write_file(&state, by.scope(), id, request.language, (&by.caller).into()).await?)
}
