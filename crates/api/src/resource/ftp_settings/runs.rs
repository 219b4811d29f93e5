//! Runs of feeds over HTTP: fetched files with time and result; starting another run; importing a stored file
//! again.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use feeds::{
    run::{self, FeedRun, FeedRuns, RunCause, RunOutcome},
    settings::{FtpSettingsTable, fields::FileKind},
};
use http_api::{
    access::Authorized,
    answer::{AcceptedJson, OkPage, accepted_json, ok_page},
    input::{Body, Db, Id, List, RequestInfo},
    publish,
    routes::{Answer, Routes},
};
use identity::user;
use imports::import::{self, ImportStatus, uploader::Uploader};
use sea_orm::ConnectionTrait;
use serde::{Deserialize, Serialize};
use store::{Database, Scope};
use utoipa::ToSchema;
use values::{Code, Language, Result, UserId};

use crate::{state::Server, work};

pub(super) fn routes(routes: &mut Routes) {
    publish!(routes, FtpSettingsTable: runs, run, repeat);
}

/// Run of a feed, one for each file: it queued the import of a file, or has the reason why not.
#[derive(Serialize, ToSchema)]
#[schema(as = FtpFeedRun)]
struct FeedRunView {
    id: i64,
    /// File of the settings that it fetched.
    file: FileKind,
    cause: RunCause,
    #[schema(required)]
    asked_by: Option<AskedBy>,
    created_at: DateTime<Utc>,
    /// Time of the start; `null` before it.
    #[schema(required)]
    started_at: Option<DateTime<Utc>>,
    /// Time of the end; `null` before it.
    #[schema(required)]
    finished_at: Option<DateTime<Utc>>,
    #[schema(required)]
    outcome: Option<RunOutcome>,
    #[schema(required)]
    failure: Option<Code>,
    /// Reason and advice, in the language of `Accept-Language`.
    #[schema(required, example = "Die Datei „preise.csv“ gibt es auf dem Server nicht.")]
    message: Option<String>,
    /// Answer of the server about it, in one line.
    #[schema(required, example = "550 No such file")]
    answer: Option<String>,
    /// Name of the file on the server.
    #[schema(required, example = "bestand_20261128.csv")]
    file_name: Option<String>,
    /// Size of the file.
    #[schema(required, example = 48210)]
    bytes: Option<i64>,
    /// Hash of the file, in hexadecimal digits.
    #[schema(required, example = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")]
    sha256: Option<String>,
    #[schema(required)]
    import: Option<ImportOfRun>,
}

/// User who requested a run.
#[derive(Serialize, ToSchema)]
#[schema(as = FtpRunAskedBy)]
struct AskedBy {
    id: i64,
    #[schema(example = "Eva Lindner")]
    name: String,
}

/// Import of the file of a run.
#[derive(Serialize, ToSchema)]
#[schema(as = FtpRunImport)]
struct ImportOfRun {
    id: i64,
    #[schema(required)]
    status: Option<ImportStatus>,
}

/// Users and imports that runs refer to, by id.
struct RelatedRecords {
    users: HashMap<i64, String>,
    statuses: HashMap<i64, ImportStatus>,
}

impl RelatedRecords {
    async fn load(runs: &[FeedRun], db: &impl ConnectionTrait, scope: &Scope) -> Result<Self> {
        let users = runs.iter().filter_map(|run| run.asked_by.map(|UserId(id)| id));
        let visible_runs = runs.iter().filter(|_| scope.may(imports::permissions::VIEW_IMPORT));
        let statuses = import::statuses(db, scope, visible_runs.filter_map(|run| run.import_id)).await?;
        let users = user::lookup::names(db, users).await?;
        Ok(Self { users: users.into_iter().collect(), statuses: statuses.into_iter().collect() })
    }

    fn view(&self, run: FeedRun, language: Language) -> FeedRunView {
        let message = run.message();
        let asked_by =
            run.asked_by.and_then(|UserId(id)| Some(AskedBy { id, name: self.users.get(&id)?.clone() }));
        let import = run.import_id.map(|id| ImportOfRun { id, status: self.statuses.get(&id).copied() });
        FeedRunView {
            id: run.id,
            file: run.kind,
            cause: run.cause,
            asked_by,
            created_at: run.created_at,
            started_at: run.started_at,
            finished_at: run.finished_at,
            outcome: run.outcome,
            failure: message.as_ref().map(|message| message.code),
            message: message.map(|message| message.text(language)),
            answer: run.answer,
            file_name: run.file_name,
            bytes: run.bytes,
            sha256: run.sha256,
            import,
        }
    }
}

/// Lists runs of the last 90 days, the latest first: one for each fetched file, or for each attempt without
/// one.
#[utoipa::path(get, path = "/api/admin/ftp-settings/{id}/runs")]
async fn runs(
    by: Authorized<feeds::may::ConfigureFtpImport>,
    Db(db): Db,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
    List(query): List<FeedRuns>,
) -> Answer<OkPage<FeedRunView>> {
    let page = run::list(&db, by.scope(), id, &query).await?;
    let related = RelatedRecords::load(&page.rows, &db, by.scope()).await?;
    Ok(ok_page(page.map(|run| related.view(run, request.language))))
}

/// File to be fetched now.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct FtpRunInput {
    file: FileKind,
}

/// Fetches a file within a few seconds, even while its schedule is paused. Until that run has ended, further
/// calls return the same run.
#[utoipa::path(post, path = "/api/admin/ftp-settings/{id}/run")]
async fn run(
    by: Authorized<feeds::may::ConfigureFtpImport>,
    Db(db): Db,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
    Body(FtpRunInput { file }): Body<FtpRunInput>,
) -> Answer<AcceptedJson<FeedRunView>> {
    let run = run::request(&db, by.scope(), id, file).await?;
    planned_run(&db, by.scope(), run, request.language).await
}

/// Run whose file is imported again.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct FtpRepeatInput {
    /// Run with an imported file.
    run_id: i64,
}

/// Imports the stored file of a run again with the present import profile of the settings, for example after
/// its mapping was corrected. The import belongs to the caller and needs the same permissions as an upload of
/// such a file.
#[utoipa::path(post, path = "/api/admin/ftp-settings/{id}/repeat")]
async fn repeat(
    by: Authorized<feeds::may::ConfigureFtpImport>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
    Body(FtpRepeatInput { run_id }): Body<FtpRepeatInput>,
) -> Answer<AcceptedJson<FeedRunView>> {
    let language = request.language;
    let uploader = Uploader { scope: by.scope(), rights: by.caller.rights, language };
    let run = run::repeat(work::services(&state), uploader, id, run_id).await?;
    state.imports_waiting.notify_one();
    planned_run(&state.db, by.scope(), run, language).await
}

async fn planned_run(
    db: &Database,
    scope: &Scope,
    run: FeedRun,
    language: Language,
) -> Answer<AcceptedJson<FeedRunView>> {
    let related = RelatedRecords::load(std::slice::from_ref(&run), db, scope).await?;
    Ok(accepted_json(related.view(run, language)))
}
