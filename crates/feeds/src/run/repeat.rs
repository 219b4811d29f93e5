//! Runs that import a stored file again, after a mapping or a matching was corrected.

use futures_util::future::BoxFuture;
use imports::{
    import::{
        Import, Imports,
        services::ImportServices,
        upload::{self, ImportInput, QueueHook},
        uploader::Uploader,
    },
    import_profile, permissions,
};
use sea_orm::{ColumnTrait, QueryFilter};
use store::Write;
use tokio::sync::Mutex;
use values::{Error, Result, now};

use super::{
    Column, Feed, FeedRun, FeedRuns, RunCause, RunOutcome,
    journal::{self, RunEnd, RunFile},
};
use crate::{codes, settings::FtpSettingsTable};

/// Imports the file of a run again, with the current import profile of the settings. The import belongs to
/// the caller, like one of their uploads.
///
/// # Errors
/// [`codes::FEED_RUN_HAS_NO_FILE`] for a run without an import; a file that has been deleted; and all errors
/// of an upload.
pub async fn repeat(
    services: ImportServices<'_>,
    by: Uploader<'_>,
    settings_id: i64,
    run_id: i64,
) -> Result<FeedRun> {
    let ImportServices { db, storage, .. } = services;
    let settings = by.scope.get::<FtpSettingsTable>(db, settings_id).await?;
    let scope = by.scope.acting_for(Some(settings.tenant_id));
    scope.demand(permissions::CREATE_IMPORT)?;
    let runs = scope.find::<FeedRuns>().filter(Column::SettingsId.eq(settings.id));
    let former = runs.filter(Column::Id.eq(run_id)).one(db).await?.ok_or_else(Error::not_found)?;
    let import = scope.get::<Imports>(db, former.import_id.ok_or(codes::FEED_RUN_HAS_NO_FILE)?).await?;
    import.check_content(&scope)?;
    import.check_files_kept()?;
    let file = storage.fetch_unchanged(&import.upload_key, &import.sha256).await?;
    let profile_id = settings.file(former.kind).profile_id;
    let r#type = import.r#type;
    let profile = import_profile::find_for_type(db, &scope, profile_id, r#type).await?;
    let input = ImportInput { aim: import.aim_id, ..ImportInput::new(r#type, &*import.upload_file) };
    let input = input.read_by(profile);
    let hook = RepeatHook { feed: Feed::new(&settings, former.kind), former, run: Mutex::default() };
    let by = Uploader { scope: &scope, ..by };
    upload::submit_with(services, by, input, &file, Some(&hook)).await?;
    hook.run.into_inner().ok_or_else(|| Error::internal("an import without its run"))
}

/// The run of an import that repeats a former one.
struct RepeatHook {
    feed: Feed,
    former: FeedRun,
    run: Mutex<Option<FeedRun>>,
}

impl QueueHook for RepeatHook {
    fn queued<'a>(&'a self, tx: &'a Write, import: &'a Import) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let asked_by = import.created_by.map(values::UserId);
            let now = now();
            let run = journal::open(tx, self.feed, RunCause::Again, asked_by, Some(now), now).await?;
            let file = RunFile {
                name: self.former.file_name.clone().unwrap_or_default(),
                bytes: self.former.bytes.and_then(|bytes| u64::try_from(bytes).ok()),
                sha256: self.former.sha256.clone(),
            };
            let end = RunEnd { file: Some(file), import_id: Some(import.id), ..RunEnd::default() };
            journal::finish_in(tx, &run, RunOutcome::Imported, end).await?;
            *self.run.lock().await = journal::find(tx, &run).await?;
            Ok(())
        })
    }
}
