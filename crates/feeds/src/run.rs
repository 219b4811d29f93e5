//! Runs of feeds: files that are due are fetched and their imports queued, each file once.
//!
//! A run is a row of due work (`background::schedule`), so one process at a time works on a feed. It may die
//! between any two steps: the record of a taken file, the end of the run and the import are written in one
//! transaction, under a lock of the settings. Before it nothing is changed; after it the next run skips the
//! file. A file is moved or deleted on the server only after its import has succeeded, by a follow-up run a
//! few minutes later.

mod entity;
mod file_entity;
mod imported_files;
mod journal;
mod repeat;
mod stop;

use std::time::Duration;

use background::schedule::{ScheduleRow, ScheduledOutcome};
use chrono::TimeDelta;
use chrono_tz::Tz;
use futures_util::future::BoxFuture;
use imports::{
    import::{
        self, Import, ImportStatus, Imports,
        services::ImportServices,
        start::{self, FileToImport},
        upload::{ImportInput, QueueHook},
        uploader::needs_of_feed,
    },
    registry::Registry,
    run::authority::Authority,
};
use lists::{Field, Listed};
use sea_orm::{ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, EntityTrait, QueryFilter};
use secrets::Keys;
use storage::{Storage, TempPath};
use store::{Database, Owner, Scope, Scoped, Write};
use values::{Error, FeedId, Instant, Language, Result, TenantId, local_time_in, now};

pub use self::{
    entity::{Column, Entity as FeedRuns, Model as FeedRun, RunCause, RunOutcome},
    file_entity::Model as FeedFile,
    journal::{Feed, RUNS_KEPT, clean_up, list, request},
    repeat::repeat,
};
use self::{
    imported_files::ImportedFiles,
    journal::{RunEnd, RunFile},
    stop::Stop,
};
use crate::{
    codes,
    collection::{FileToFetch, files_to_fetch},
    file_pattern::FilePattern,
    permissions,
    settings::{
        ActiveModel as SettingsRow, Column as SettingsColumn, FtpSettings, FtpSettingsTable, due,
        endpoint::saved_endpoint,
        fields::{AfterReading, FileKind},
    },
    source::{Connector, FetchedFile, Listing, RemoteEntry, RemotePath, Source, SourceError, is_settled},
    transformer::{Conversion, convert_file},
};

/// The pause between the two looks at a file that must not have changed.
pub const SETTLE_PAUSE: Duration = Duration::from_secs(10);
/// The time after which a run is given up as stuck.
pub const RUN_LIMIT: Duration = Duration::from_hours(1);
/// Pause before a follow-up run that moves or deletes files whose imports were still running.
const HANDLE_AFTER: TimeDelta = TimeDelta::minutes(5);
/// The time for which such runs are repeated; afterwards the next regular run does it.
const HANDLE_WITHIN: TimeDelta = TimeDelta::hours(1);

impl Scoped for FeedRuns {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::Tenant(Column::TenantId);
}

impl Listed for FeedRuns {
    const FIELDS: &'static [Field] = &[
        Field::choice("file", &Column::Kind, &["price", "stock"]).unsorted(),
        Field::choice("outcome", &Column::Outcome, RunOutcome::NAMES).optional().unsorted(),
        Field::time("updated_at", &Column::UpdatedAt),
    ];
    const DEFAULT_SORT: &'static str = "-id";
}

/// The parts of a server that runs need.
#[derive(Clone, Copy)]
pub struct FeedRunner<'a> {
    pub db: &'a Database,
    pub storage: &'a Storage,
    pub registry: &'a Registry,
    pub authority: &'a dyn Authority,
    pub price_lists: &'a dyn PriceListVersions,
    pub keys: &'a Keys,
    pub connector: &'a Connector,
    pub zone: Tz,
    /// The pause between the two looks at a file that must not have changed ([`SETTLE_PAUSE`]).
    pub settle_pause: Duration,
}

impl std::fmt::Debug for FeedRunner<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FeedRunner").field("zone", &self.zone).finish_non_exhaustive()
    }
}

/// Creator of new versions of price lists from price files.
pub trait PriceListVersions: Send + Sync {
    /// Prepares the version of a list for a file, and returns its id.
    fn prepare<'a>(&'a self, scope: &'a Scope, name: &'a str) -> BoxFuture<'a, Result<i64>>;
}

/// True if a feed still exists.
pub async fn exists(db: &Database, tenant: TenantId, FeedId(id): FeedId) -> Result<bool> {
    Ok(settings_by_id(db, tenant, id).await?.is_some())
}

#[expect(clippy::disallowed_methods, reason = "a feed looks at its own settings")]
async fn settings_by_id(db: &impl ConnectionTrait, tenant: TenantId, id: i64) -> Result<Option<FtpSettings>> {
    let this = Condition::all().add(SettingsColumn::TenantId.eq(tenant)).add(SettingsColumn::Id.eq(id));
    Ok(FtpSettingsTable::find().filter(this).one(db).await?)
}

/// True if an import is of a file that a feed has fetched, also if a person has it imported again.
#[expect(clippy::disallowed_methods, reason = "asked of an import that ends")]
pub async fn is_of_feed(tx: &Write, import: &Import) -> Result<bool> {
    if import.feed_id.is_some() {
        return Ok(true);
    }
    let runs = FeedRuns::find().filter(Column::TenantId.eq(import.tenant_id));
    Ok(runs.filter(Column::ImportId.eq(import.id)).one(tx).await?.is_some())
}

/// Returns when the files of a kind are due next, in the transaction that records the end of a run.
pub async fn next_due(tx: &Write, zone: Tz, row: &ScheduleRow, kind: FileKind) -> Result<Option<Instant>> {
    let feed = Feed { tenant: row.tenant_id, settings_id: row.subject_id, kind };
    let settings = settings_by_id(tx, feed.tenant, feed.settings_id).await?;
    let Some(settings) = settings else { return Ok(None) };
    journal::give_up_interrupted(tx, feed).await?;
    let now = now();
    if journal::is_requested(tx, feed).await? {
        return Ok(Some(now));
    }
    let regular = due::timetable(&settings, kind).and_then(|timetable| timetable.next_run(zone, now));
    let Some(regular) = regular.map(|run| run.at) else { return Ok(None) };
    let looks_after = imported_files::is_any_unhandled(tx, feed, now - HANDLE_WITHIN).await?;
    Ok(Some(if looks_after { regular.min(now + HANDLE_AFTER) } else { regular }))
}

impl FeedRunner<'_> {
    /// Fetches the files of a feed that is due and queues their imports.
    ///
    /// # Errors
    /// Failures that pass by themselves; the run is repeated soon. All others are an outcome.
    pub async fn run(&self, row: &ScheduleRow, kind: FileKind) -> Result<ScheduledOutcome> {
        let feed = Feed { tenant: row.tenant_id, settings_id: row.subject_id, kind };
        let mut visit = Visit::begin(self, feed).await?;
        let Err(stop) = visit.work().await else { return Ok(ScheduledOutcome::Succeeded) };
        tracing::info!(
            tenant = feed.tenant.0,
            feed = feed.settings_id,
            kind = kind.as_str(),
            code = stop.message.code.as_str(),
            "a run of a feed has stopped"
        );
        let code = stop.message.code;
        let file = stop.file.map(|name| RunFile { name, ..RunFile::default() });
        let end = RunEnd { failure: Some(stop.message), answer: stop.answer, file, import_id: None };
        let run = visit.open_run().await?;
        journal::finish(self.db, &run, stop.outcome, end).await?;
        if stop.is_transient { Err(code.into()) } else { Ok(ScheduledOutcome::Failed(code)) }
    }

    async fn settings(&self, feed: Feed) -> Result<Option<FtpSettings>> {
        settings_by_id(self.db, feed.tenant, feed.settings_id).await
    }
}

/// One visit to the server of a feed. Each file that it imports ends a run and begins another one.
struct Visit<'a> {
    runner: &'a FeedRunner<'a>,
    feed: Feed,
    /// The run with which the visit began.
    first: FeedRun,
    /// The open run; `None` after a file was imported.
    run: Option<FeedRun>,
}

/// The open connection to the server, and the rights of the feed.
struct ServerConnection {
    settings: FtpSettings,
    scope: Scope,
    source: Source,
}

impl ServerConnection {
    fn failed(&self, error: SourceError) -> Stop {
        Stop::from_source(error, &self.settings.host)
    }

    async fn list(&mut self) -> Result<Listing, Stop> {
        self.source.list().await.map_err(|error| self.failed(error))
    }
}

impl<'a> Visit<'a> {
    async fn begin(runner: &'a FeedRunner<'a>, feed: Feed) -> Result<Self> {
        let first = journal::begin(runner.db, feed, RunCause::Schedule, None).await?;
        Ok(Self { runner, feed, run: Some(first.clone()), first })
    }

    async fn open_run(&mut self) -> Result<FeedRun> {
        if let Some(run) = self.run.take() {
            return Ok(run);
        }
        journal::begin(self.runner.db, self.feed, self.first.cause, self.first.asked_by).await
    }

    async fn work(&mut self) -> Result<(), Stop> {
        let FeedRunner { db, authority, keys, connector, .. } = *self.runner;
        let feed = self.feed;
        let settings = self.runner.settings(feed).await?.ok_or(codes::FEED_SETTINGS_CHANGED)?;
        let pattern = pattern(&settings, feed.kind)?;
        let needs = [permissions::CONFIGURE_FTP_IMPORT];
        let scope = authority.scope_of(feed.principal(), feed.tenant, &needs).await?;
        let scope = scope.ok_or(codes::TENANT_NOT_PERMITTED)?;
        let endpoint = saved_endpoint(keys, &settings)?;
        let source = connector.connect(endpoint).await;
        let source = source.map_err(|error| Stop::from_source(error, &settings.host))?;
        let settings = pin_host_key(db, &scope, settings, &source).await?;
        let mut server = ServerConnection { settings, scope, source };
        let outcome = self.visit(&pattern, &mut server).await;
        server.source.close().await;
        outcome
    }

    async fn visit(&mut self, pattern: &FilePattern, server: &mut ServerConnection) -> Result<(), Stop> {
        let FeedRunner { db, zone, settle_pause, .. } = *self.runner;
        let listing = server.list().await?;
        let mut previous_files = ImportedFiles::load(db, self.feed).await?;
        let looks_after = previous_files.unhandled().next().is_some();
        self.note_listed(&listing).await?;
        self.handle(&previous_files, &listing, server).await?;

        let files = match files_to_fetch(&listing, pattern, local_time_in(zone, &now())) {
            Ok(files) => files,
            // the file was moved or deleted by an earlier run, or just now
            Err(_) if looks_after => Vec::new(),
            Err(failure) => return Err(server.failed(failure.into())),
        };
        let last = files.last().map(|file| file.entry.clone());
        let new: Vec<_> =
            files.into_iter().filter(|file| previous_files.unchanged(file.entry).is_none()).collect();
        let mut later = None;
        if !new.iter().all(|file| file.has_companion) {
            tokio::time::sleep(settle_pause).await;
            later = Some(server.list().await?);
        }
        let mut skipped = None;
        for file in new {
            if !is_complete(&file, later.as_ref()) {
                return Err(Stop::waiting(&file.entry.name));
            }
            match self.import(file.entry, &previous_files, server).await? {
                None => previous_files = ImportedFiles::load(db, self.feed).await?,
                Some(sha256) => skipped = Some((file.entry.clone(), Some(sha256))),
            }
        }
        self.end_with_nothing_new(skipped.or(last.map(|entry| (entry, None))), looks_after).await
    }

    /// Finishes the open run, if no file was imported since it began.
    async fn end_with_nothing_new(
        &mut self,
        file: Option<(RemoteEntry, Option<String>)>,
        looks_after: bool,
    ) -> Result<(), Stop> {
        let Some(run) = self.run.take() else { return Ok(()) };
        if looks_after && run.cause == RunCause::Schedule {
            journal::remove(self.runner.db, &run).await?;
            return Ok(());
        }
        let file = file.map(|(entry, sha256)| RunFile { name: entry.name, bytes: entry.size, sha256 });
        let end = RunEnd { file, ..RunEnd::default() };
        journal::finish(self.runner.db, &run, RunOutcome::NothingNew, end).await?;
        Ok(())
    }

    /// Fetches a file and queues its import. If its content was imported before, nothing is queued and the
    /// answer is its hash.
    async fn import(
        &mut self,
        entry: &RemoteEntry,
        previous_files: &ImportedFiles,
        server: &mut ServerConnection,
    ) -> Result<Option<String>, Stop> {
        let FeedRunner { db, storage, registry, authority, .. } = *self.runner;
        let feed = self.feed;
        let spooled = storage.check_free_space().and_then(|()| storage.spool_file());
        let spooled = spooled.map_err(|error| Stop::from(error).about(&entry.name))?;
        // Opened before the fetch: an aborted run must not create the file again after it was deleted.
        let writer = tokio::fs::File::from_std(spooled.reopen().map_err(Error::file)?);
        let path = spooled.into_temp_path();
        let fetched = server.source.fetch(&entry.name, writer).await;
        let fetched = fetched.map_err(|error| server.failed(error).about(&entry.name))?;
        let settings = &server.settings;
        if let Some(import) = previous_files.imported(entry, &fetched.sha256) {
            let tx = db.begin().await?;
            let is_handled = settings.after_reading == AfterReading::Leave;
            imported_files::take(&tx, feed, entry, &fetched.sha256, import, is_handled, now()).await?;
            tx.commit().await?;
            return Ok(Some(fetched.sha256));
        }
        let input = self.input(entry, server).await?;
        let source = settings.file(feed.kind);
        let path = converted(storage, source.conversion(), path).await?;
        let run = self.open_run().await?;
        let hook = ImportHook { feed, scope: &server.scope, settings, entry, fetched: &fetched, run: &run };
        let file = FileToImport {
            principal: feed.principal(),
            tenant: feed.tenant,
            profile_id: source.profile_id,
            language: Language::default(),
            path: &path,
            input,
        };
        let services = ImportServices { db, storage, registry };
        match start::start_with(services, authority, file, Some(&hook)).await {
            Ok(import) => {
                let (tenant, settings) = (feed.tenant.0, feed.settings_id);
                tracing::info!(tenant, settings, import = import.id, "a fetched file is queued");
                Ok(None)
            }
            Err(error) => {
                self.run = Some(run);
                // a feed without settings has no rights either
                let is_gone = self.runner.settings(feed).await?.is_none();
                let stop = if is_gone { Stop::from(codes::FEED_SETTINGS_CHANGED) } else { error.into() };
                Err(stop.about(&entry.name))
            }
        }
    }

    /// The import of a file: with the version that it becomes, if it is treated as a price list.
    async fn input(&self, entry: &RemoteEntry, server: &ServerConnection) -> Result<ImportInput, Stop> {
        let FeedRunner { authority, price_lists, .. } = *self.runner;
        let feed = self.feed;
        let source = server.settings.file(feed.kind);
        let input = ImportInput::new(source.import_type, &*entry.name);
        let Some(name) = source.price_list else { return Ok(input) };
        let needs = needs_of_feed(source.import_type);
        let scope = authority.scope_of(feed.principal(), feed.tenant, &needs).await?;
        let scope = scope.ok_or(codes::TENANT_NOT_PERMITTED)?;
        let version = price_lists.prepare(&scope, name).await?;
        Ok(ImportInput { aim: Some(version), ..input })
    }

    async fn note_listed(&self, listing: &Listing) -> Result<(), Stop> {
        let names: Vec<_> = listing.entries.iter().map(|entry| entry.name.as_str()).collect();
        let tx = self.runner.db.begin().await?;
        imported_files::note_listed(&tx, self.feed, &names, now()).await?;
        tx.commit().await?;
        Ok(())
    }

    /// Moves or deletes files whose imports have succeeded since they were taken, with their companions.
    async fn handle(
        &self,
        previous_files: &ImportedFiles,
        listing: &Listing,
        server: &mut ServerConnection,
    ) -> Result<(), Stop> {
        for file in previous_files.unhandled() {
            let has_succeeded = match import_of(self.runner.db, file).await?.map(|import| import.status) {
                Some(ImportStatus::Queued | ImportStatus::InProgress) => continue,
                Some(ImportStatus::Success | ImportStatus::PartialSuccess) => true,
                Some(ImportStatus::Failed | ImportStatus::Cancelled) | None => false,
            };
            let entry = listing.entry(&file.file_name);
            let listed = entry.filter(|entry| previous_files.unchanged(entry) == Some(file));
            // Recorded first, so that a server that refuses is not tried again and again.
            let tx = self.runner.db.begin().await?;
            imported_files::mark_handled(&tx, self.feed, file).await?;
            tx.commit().await?;
            let Some(listed) = listed.filter(|_| has_succeeded) else { continue };
            clear(&listed.name, server).await?;
            if let Some(companion) = listing.companion(listed) {
                clear(&companion.name, server).await?;
            }
        }
        Ok(())
    }
}

/// Moves or deletes a file on the server, as the settings say.
async fn clear(name: &str, server: &mut ServerConnection) -> Result<(), Stop> {
    let cleared = match (server.settings.after_reading, &server.settings.processed_folder) {
        (AfterReading::Leave, _) | (AfterReading::Move, None) => Ok(()),
        (AfterReading::Delete, _) => server.source.delete(name).await,
        (AfterReading::Move, Some(folder)) => {
            let folder = RemotePath::parse(folder)?;
            if server.source.rename(name, &folder, name).await.is_ok() {
                return Ok(());
            }
            // there may be one of this name from an earlier day
            let dated = format!("{}_{name}", now().format("%Y%m%d-%H%M%S"));
            server.source.rename(name, &folder, &dated).await
        }
    };
    cleared.map_err(|error| server.failed(error).about(name))
}

/// True if a file is complete: its sender has marked it, or two listings agree.
fn is_complete(file: &FileToFetch<'_>, later: Option<&Listing>) -> bool {
    let settled =
        later.and_then(|later| later.entry(&file.entry.name)).is_some_and(|now| is_settled(file.entry, now));
    file.has_companion || settled
}

/// The pattern of the names of a kind of files.
fn pattern(settings: &FtpSettings, kind: FileKind) -> Result<FilePattern, Stop> {
    let file = settings.file(kind);
    let name = file.file_name.filter(|_| file.is_enabled).ok_or(codes::FEED_FILE_DISABLED)?;
    Ok(FilePattern::parse(name)?)
}

/// Pins the key of an SFTP server that had none. Both feeds of new settings may do so concurrently.
async fn pin_host_key(
    db: &Database,
    scope: &Scope,
    settings: FtpSettings,
    source: &Source,
) -> Result<FtpSettings, Stop> {
    let Some(key) = source.host_key().filter(|_| settings.host_key.is_none()) else { return Ok(settings) };
    let tx = db.begin().await?;
    let current = lock_settings(&tx, scope, settings.id).await?;
    let pinned = FtpSettings {
        host_key: Some(key.to_string()),
        version: current.version,
        updated_at: current.updated_at,
        ..settings.clone()
    };
    if current == pinned {
        return Ok(current);
    }
    check_unchanged(&current, &settings)?;
    let row = SettingsRow { host_key: Set(pinned.host_key), ..Default::default() };
    let pinned = scope.update_from::<FtpSettingsTable>(&tx, &current, row).await?;
    tx.commit().await?;
    Ok(pinned)
}

/// Locks settings as they are now.
async fn lock_settings(tx: &Write, scope: &Scope, id: i64) -> Result<FtpSettings> {
    match scope.get_locked::<FtpSettingsTable>(tx, id).await {
        Err(error) if error.code() == codes::NOT_FOUND => Err(codes::FEED_SETTINGS_CHANGED.into()),
        current => current,
    }
}

/// Refuses to go on if settings have changed since they were read.
fn check_unchanged(current: &FtpSettings, settings: &FtpSettings) -> Result<()> {
    if current.version == settings.version { Ok(()) } else { Err(codes::FEED_SETTINGS_CHANGED.into()) }
}

/// A file as its import reads it: one of another format is converted.
async fn converted(
    storage: &Storage,
    conversion: Option<Conversion>,
    path: TempPath,
) -> Result<TempPath, Stop> {
    let Some(conversion) = conversion else { return Ok(path) };
    let target = storage.spool_file()?.into_temp_path();
    convert_file(conversion, &path, &target).await?;
    Ok(target)
}

#[expect(clippy::disallowed_methods, reason = "the import of a file that this feed has taken")]
async fn import_of(db: &Database, file: &FeedFile) -> Result<Option<Import>> {
    let this = Condition::all()
        .add(import::Column::TenantId.eq(file.tenant_id))
        .add(import::Column::Id.eq(file.import_id));
    Ok(Imports::find().filter(this).one(db).await?)
}

/// The record of a taken file and the end of its run, written with its import.
struct ImportHook<'a> {
    feed: Feed,
    scope: &'a Scope,
    settings: &'a FtpSettings,
    entry: &'a RemoteEntry,
    fetched: &'a FetchedFile,
    run: &'a FeedRun,
}

impl QueueHook for ImportHook<'_> {
    fn queued<'a>(&'a self, tx: &'a Write, import: &'a Import) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let Self { feed, scope, settings, entry, fetched, run } = *self;
            check_unchanged(&lock_settings(tx, scope, settings.id).await?, settings)?;
            let name = &entry.name;
            let previous_files = ImportedFiles::load(tx, feed).await?;
            if previous_files.unchanged(entry).is_some()
                || previous_files.imported(entry, &fetched.sha256).is_some()
            {
                return Err(codes::FEED_FILE_TAKEN.with("name", name).into());
            }
            let is_handled = settings.after_reading == AfterReading::Leave;
            imported_files::take(tx, feed, entry, &fetched.sha256, import.id, is_handled, now()).await?;
            let file = RunFile {
                name: name.clone(),
                bytes: Some(fetched.bytes),
                sha256: Some(fetched.sha256.clone()),
            };
            let end = RunEnd { file: Some(file), import_id: Some(import.id), ..RunEnd::default() };
            if !journal::finish_in(tx, run, RunOutcome::Imported, end.clone()).await? {
                // another process has ended this run, without the file
                let FeedRun { cause, asked_by, started_at, .. } = *run;
                let run = journal::open(tx, feed, cause, asked_by, started_at, now()).await?;
                journal::finish_in(tx, &run, RunOutcome::Imported, end).await?;
            }
            Ok(())
        })
    }
}
