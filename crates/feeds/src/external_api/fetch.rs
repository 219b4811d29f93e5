//! Fetches of the lists of an external API, by schedule or by hand: the document becomes the file of an
//! import.
//!
//! A scheduled fetch is a row of due work (`background::schedule`), so one process at a time works on it. It
//! may die between any two steps: the import and the record of the fetch are written in one transaction,
//! which only one process can do for a due time. Before it nothing has happened but reading; after it a
//! repeated run finds that it is done. Lists that have not changed since the last import are not fetched
//! again, if the other system names tags (`ETag`).

use background::schedule::{ScheduleRow, ScheduledOutcome};
use chrono_tz::Tz;
use futures_util::future::BoxFuture;
use imports::{
    import::{
        self, Import, ImportStatus, Imports,
        services::ImportServices,
        start::{self, FileToImport},
        upload::{self, ImportInput, QueueHook},
        uploader::Uploader,
    },
    import_type::ImportType,
    registry::Registry,
    run::authority::Authority,
};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};
use secrets::Keys;
use storage::{Storage, TempPath};
use store::Write;
use values::{Error, ExternalApiId, Instant, Language, Message, Principal, Result, now};

use super::{
    ExternalApi, by_id,
    connection_state::{self, FetchOutcome, FetchRecord, ListTags},
    due,
    meta_data::FetchedDocument,
    quantities::Asker,
    target::saved_target,
};
use crate::{codes, permissions};

/// The parts of a server that fetches need.
#[derive(Debug, Clone, Copy)]
pub struct MetaDataFetcher<'a> {
    pub asker: Asker<'a>,
    pub storage: &'a Storage,
    pub registry: &'a Registry,
    pub keys: &'a Keys,
}

/// The end of a fetch before its time.
struct Stop {
    message: Message,
    /// True if another attempt soon may succeed by itself.
    is_transient: bool,
}

impl From<Message> for Stop {
    fn from(message: Message) -> Self {
        let is_transient = matches!(
            message.code,
            codes::API_DOWN
                | codes::API_PAUSED
                | codes::API_THROTTLED
                | codes::API_TOKEN_FAILED
                | codes::HOST_INTERRUPTED
                | codes::HOST_SILENT
                | codes::HOST_UNREACHABLE
        );
        Self { message, is_transient }
    }
}

/// A refusal of the import or of the database.
impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        let is_transient = error.fault().is_some() || error.hidden_cause().is_some();
        if let Some(cause) = error.hidden_cause() {
            tracing::warn!(cause, "a fetch of lists has failed");
        }
        Self { message: error.into_message(), is_transient }
    }
}

/// Returns when the lists of an API are due next, in the transaction that records the end of a run.
pub async fn next_due(tx: &Write, zone: Tz, row: &ScheduleRow) -> Result<Option<Instant>> {
    let Some(api) = by_id(tx, row.tenant_id, ExternalApiId(row.subject_id)).await? else { return Ok(None) };
    let next = due::timetable(&api).and_then(|timetable| timetable.next_run(zone, now()));
    Ok(next.map(|run| run.at))
}

impl MetaDataFetcher<'_> {
    fn services(&self) -> ImportServices<'_> {
        ImportServices { db: self.asker.db, storage: self.storage, registry: self.registry }
    }

    /// Fetches all lists of an API and queues their import for a user.
    ///
    /// # Errors
    /// [`codes::API_NO_LISTS`] without a list, the failure of a call, and all errors of an upload.
    pub async fn import(&self, by: Uploader<'_>, api: &ExternalApi) -> Result<Import> {
        if api.meta_data.iter().next().is_none() {
            return Err(codes::API_NO_LISTS.into());
        }
        let fetched = match self.fetch(api, &ListTags::default()).await? {
            Ok(fetched) => fetched,
            Err(failure) => {
                self.record(api, FetchRecord::failed(failure.clone())).await?;
                return Err(failure.into());
            }
        };
        let path = self.spool(&fetched)?;
        let hook = FetchHook { api, due_at: None, tags: fetched.tags };
        upload::submit_with(self.services(), by, input(api), &path, Some(&hook)).await
    }

    /// Fetches the lists of an API that are due and queues their import, unless nothing has changed.
    ///
    /// # Errors
    /// Failures that pass by themselves; the run is repeated soon. All others are an outcome.
    pub async fn run(&self, authority: &dyn Authority, row: &ScheduleRow) -> Result<ScheduledOutcome> {
        let db = self.asker.db;
        let Some(api) = by_id(db, row.tenant_id, ExternalApiId(row.subject_id)).await? else {
            return Ok(ScheduledOutcome::Succeeded);
        };
        if due::timetable(&api).is_none() || self.is_done(&api, row).await? {
            return Ok(ScheduledOutcome::Succeeded);
        }
        let Err(stop) = self.import_changed(authority, &api, row.due_at).await else {
            return Ok(ScheduledOutcome::Succeeded);
        };
        if self.is_done(&api, row).await? {
            return Ok(ScheduledOutcome::Succeeded);
        }
        let code = stop.message.code;
        tracing::info!(
            tenant = api.tenant_id.0,
            api = api.id,
            code = code.as_str(),
            "a fetch of lists has failed"
        );
        self.record(&api, FetchRecord::failed(stop.message)).await?;
        if stop.is_transient { Err(code.into()) } else { Ok(ScheduledOutcome::Failed(code)) }
    }

    /// True if a process has done the run and could not record its end.
    async fn is_done(&self, api: &ExternalApi, row: &ScheduleRow) -> Result<bool> {
        let state = connection_state::load_state(self.asker.db, api).await?;
        Ok(row.due_at.is_some() && state.is_some_and(|state| state.fetch_due_at == row.due_at))
    }

    async fn import_changed(
        &self,
        authority: &dyn Authority,
        api: &ExternalApi,
        due_at: Option<Instant>,
    ) -> Result<(), Stop> {
        let principal = Principal::ExternalApi(ExternalApiId(api.id));
        let needs = [permissions::CONFIGURE_EXTERNAL_API];
        if authority.scope_of(principal, api.tenant_id, &needs).await?.is_none() {
            return Err(Error::from(codes::TENANT_NOT_PERMITTED).into());
        }
        let tags = self.usable_tags(api).await?;
        let fetched = self.fetch(api, &tags).await??;
        if fetched.is_unchanged() {
            let unchanged = FetchRecord { due_at, ..FetchRecord::new(FetchOutcome::Unchanged) };
            return Ok(self.record(api, FetchRecord { tags: Some(fetched.tags), ..unchanged }).await?);
        }
        let path = self.spool(&fetched)?;
        let hook = FetchHook { api, due_at, tags: fetched.tags };
        let file = FileToImport {
            principal,
            tenant: api.tenant_id,
            profile_id: None,
            language: Language::default(),
            path: &path,
            input: input(api),
        };
        let import = start::start_with(self.services(), authority, file, Some(&hook)).await?;
        tracing::info!(
            tenant = api.tenant_id.0,
            api = api.id,
            import = import.id,
            "fetched lists are queued"
        );
        Ok(())
    }

    async fn fetch(&self, api: &ExternalApi, tags: &ListTags) -> Result<Result<FetchedDocument, Message>> {
        let target = saved_target(self.keys, api)?;
        self.storage.check_free_space()?;
        Box::pin(self.asker.fetch_document(api, &target, tags)).await
    }

    fn spool(&self, fetched: &FetchedDocument) -> Result<TempPath> {
        let file = self.storage.spool_file()?;
        serde_json::to_writer(&file, &fetched.document).map_err(Error::internal)?;
        Ok(file.into_temp_path())
    }

    /// The tags of the last import, unless it came to nothing or the settings were changed since.
    #[expect(clippy::disallowed_methods, reason = "the last import of an external API that is due")]
    async fn usable_tags(&self, api: &ExternalApi) -> Result<ListTags> {
        let state = connection_state::load_state(self.asker.db, api).await?;
        let Some(state) = state else { return Ok(ListTags::default()) };
        let Some(tags) = state.list_tags.filter(|tags| tags.version == api.version) else {
            return Ok(ListTags::default());
        };
        let last = Imports::find()
            .filter(import::Column::TenantId.eq(api.tenant_id))
            .filter(import::Column::Id.eq(state.fetch_import_id))
            .filter(import::Column::Status.is_not_in([ImportStatus::Failed, ImportStatus::Cancelled]));
        Ok(if last.one(self.asker.db).await?.is_some() { tags } else { ListTags::default() })
    }

    async fn record(&self, api: &ExternalApi, record: FetchRecord) -> Result<()> {
        let tx = self.asker.db.begin().await?;
        connection_state::record_fetch(&tx, api, record).await?;
        tx.commit().await
    }
}

fn input(api: &ExternalApi) -> ImportInput {
    ImportInput::new(ImportType::ExternalApiMetaData, format!("{}.json", api.host()))
}

/// Records a fetch in the transaction that queues its import.
struct FetchHook<'a> {
    api: &'a ExternalApi,
    due_at: Option<Instant>,
    tags: ListTags,
}

impl QueueHook for FetchHook<'_> {
    fn queued<'a>(&'a self, tx: &'a Write, import: &'a Import) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let record = FetchRecord {
                due_at: self.due_at,
                import_id: Some(import.id),
                tags: Some(self.tags.clone()),
                ..FetchRecord::new(FetchOutcome::Imported)
            };
            let is_first = connection_state::record_fetch(tx, self.api, record).await?;
            // The settings have been deleted, or another process has done the same run.
            if is_first { Ok(()) } else { Err(codes::API_FETCH_ENDED.into()) }
        })
    }
}
