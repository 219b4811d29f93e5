//! Test fixture for import types: a database with two tenants, and imports that run when a test requests it.
//! Available to other crates through the feature `testbed`.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up cannot run")]

#[cfg(test)]
pub(crate) mod notes;

use std::{
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering},
};

use futures_util::future::BoxFuture;
use lists::ListQuery;
use sea_orm::{ConnectionTrait, DbBackend, QueryOrder, Statement};
use storage::{Reserve, Storage};
use store::Scope;
use tempfile::TempDir;
use tenancy::tenant::{self, TenantInput};
use testkit::TestDatabase;
use tokio::sync::{Semaphore, watch};
use values::{FeedId, Language, Permission, PermissionSet, Principal, Result, TenantId, UserId};

use crate::{
    import::{
        self, Import, Imports,
        mapping::Mapping,
        refusal::{Column, NamedFault, Refusal, Refusals},
        row::{self, ImportRow},
        services::ImportServices,
        start::{self, FileToImport},
        strategy::Strategy,
        upload::ImportInput,
        uploader::Uploader,
    },
    import_type::ImportType,
    registry::Registry,
    revert::{reversible::Reversible, undo},
    run::{Runner, authority::Authority, queue, worker},
};

/// Database, storage and registry of a test of imports.
pub struct Bed {
    pub db: TestDatabase,
    pub storage: Storage,
    folder: TempDir,
    r#type: ImportType,
    /// Target record of files.
    pub aim: Option<i64>,
    pub(crate) registry: Registry,
    pub(crate) turns: Semaphore,
    /// Platform administrator acting for the first tenant, and for the second.
    pub scope: Scope,
    pub other: Scope,
    pub authority: Trusting,
}

/// Authority that permits every import until `revoked` is set.
#[derive(Debug, Default)]
pub struct Trusting {
    pub revoked: AtomicBool,
}

impl Authority for Trusting {
    fn scope_of<'a>(
        &'a self,
        principal: Principal,
        tenant: TenantId,
        needs: &'a [Permission],
    ) -> BoxFuture<'a, Result<Option<Scope>>> {
        let trusted = !self.revoked.load(Ordering::Relaxed);
        Box::pin(async move {
            Ok(trusted.then(|| match principal {
                Principal::User(user) => acting_for(tenant, user),
                Principal::Feed(_) | Principal::ExternalApi(_) => acting_as_source(tenant, principal, needs),
            }))
        })
    }
}

#[expect(clippy::disallowed_methods, reason = "stands for authentication")]
fn acting_for(tenant: TenantId, user: UserId) -> Scope {
    Scope::granted_by_authentication(None, Some(tenant), Some(user), PermissionSet::all()).unwrap()
}

#[expect(clippy::disallowed_methods, reason = "stands for authentication")]
fn acting_as_source(tenant: TenantId, source: Principal, needs: &[Permission]) -> Scope {
    Scope::granted_to_source(tenant, source, needs.iter().copied().collect())
}

/// Creates a tenant, and a user of the platform who acts for it.
async fn tenant(db: &TestDatabase, short_code: &str, email: &str) -> Scope {
    let input = TenantInput {
        company: short_code.to_owned(),
        short_code: short_code.to_owned(),
        permissions: PermissionSet::all().iter().collect(),
        ..TenantInput::default()
    };
    let tenant = tenant::create(db, &Scope::platform(), input).await.unwrap();
    let now = if db.get_database_backend() == DbBackend::Sqlite { "datetime()" } else { "now()" };
    let sql = format!(
        "INSERT INTO \"user\" (name, name_fold, email, email_fold, email_key, status, narrowed, version, created_at, \
         updated_at) VALUES ('A', 'a', $1, $1, $1, 'Verified', false, 1, {now}, {now}) RETURNING id"
    );
    let tx = db.begin().await.unwrap();
    let statement = Statement::from_sql_and_values(tx.get_database_backend(), sql, [email.into()]);
    let row = tx.query_one_raw(statement).await.unwrap().unwrap();
    tx.commit().await.unwrap();
    acting_for(TenantId(tenant.tenant.id), UserId(row.try_get("", "id").unwrap()))
}

impl Bed {
    /// Creates a fixture for one type of import.
    pub async fn for_importer<I: Reversible>() -> Self {
        let db = testkit::database().await;
        let scope = tenant(&db, "NORD", "a@b.example").await;
        let other = tenant(&db, "SUED", "c@d.example").await;
        let folder = tempfile::tempdir().unwrap();
        let storage = Storage::in_folder(folder.path()).unwrap().with_reserve(Reserve::Bytes(0));
        let registry = Registry::default().with::<I>();
        let (authority, turns) = (Trusting::default(), Semaphore::new(1));
        Self { db, storage, folder, r#type: I::TYPE, aim: None, registry, turns, scope, other, authority }
    }

    /// Path of a stored file.
    pub fn path_of(&self, key: &str) -> PathBuf {
        self.folder.path().join("uploads").join(key)
    }

    /// Undoes an import, or tries to.
    pub async fn undo(&self, undone: &Import, dry_run: bool) -> Import {
        let import = self.queue_undo(undone, dry_run).await.unwrap();
        self.work(&import).await
    }

    /// Queues the undo of an import.
    pub async fn queue_undo(&self, undone: &Import, dry_run: bool) -> Result<Import> {
        let by = Uploader { scope: &self.scope, rights: PermissionSet::all(), language: Language::De };
        undo::undo(&self.db, &self.registry, by, undone.id, dry_run).await
    }

    /// Results of the first rows, with the reasons in German: `kept: Zahl geändert`.
    pub async fn outcomes(&self, import: &Import) -> Vec<String> {
        let outcomes = self.rows(import).await.into_iter().map(|row| {
            let reason = |fault: &NamedFault| match &fault.name {
                Some(name) => format!("{name}: {}", fault.text(Language::De)),
                None => fault.text(Language::De),
            };
            let reasons: Vec<String> = row.warnings().iter().map(reason).collect();
            let outcome = format!("{} {:?}", row.record_name, row.outcome);
            if reasons.is_empty() { outcome } else { format!("{outcome}: {}", reasons.join(", ")) }
        });
        outcomes.collect()
    }

    /// Queues a file.
    pub async fn upload(&self, scope: &Scope, content: impl AsRef<[u8]>, dry_run: bool) -> Import {
        self.submit(scope, content, dry_run, Strategy::default()).await.unwrap()
    }

    /// Runs a file with another strategy as a dry run, and then applies it.
    pub async fn try_and_apply(&self, content: impl AsRef<[u8]>, strategy: Strategy) -> [Import; 2] {
        let tried = self.submit(&self.scope, content, true, strategy).await.unwrap();
        let tried = self.work(&tried).await;
        let applied = self.apply(&tried).await;
        [tried, applied]
    }

    /// Applies the file of a dry run.
    pub async fn apply(&self, tried: &Import) -> Import {
        let applied = self.queue_applied(tried).await;
        self.work(&applied).await
    }

    /// Queues the file of a dry run.
    pub async fn queue_applied(&self, tried: &Import) -> Import {
        let by = Uploader { scope: &self.scope, rights: PermissionSet::all(), language: Language::De };
        import::dry_run::apply(self.services(), by, tried.id, tried.removals_to_confirm()).await.unwrap()
    }

    fn services(&self) -> ImportServices<'_> {
        ImportServices { db: &self.db, storage: &self.storage, registry: &self.registry }
    }

    /// Queues a file with this strategy.
    pub async fn submit(
        &self,
        scope: &Scope,
        content: impl AsRef<[u8]>,
        dry_run: bool,
        strategy: Strategy,
    ) -> Result<Import> {
        let path = self.folder.path().join("upload");
        std::fs::write(&path, content).unwrap();
        let by = Uploader { scope, rights: PermissionSet::all(), language: Language::De };
        let input = self.input(self.r#type, dry_run, strategy);
        import::upload::submit(self.services(), by, input, &path).await
    }

    /// Starts the import of a file for a feed of the first tenant.
    pub async fn start(
        &self,
        feed: FeedId,
        content: impl AsRef<[u8]>,
        profile: Option<i64>,
    ) -> Result<Import> {
        let path = self.folder.path().join("fetched");
        std::fs::write(&path, content).unwrap();
        let file = FileToImport {
            principal: Principal::Feed(feed),
            tenant: self.scope.tenant()?,
            profile_id: profile,
            language: Language::De,
            path: &path,
            input: self.input(self.r#type, false, Strategy::default()),
        };
        let import = start::start(self.services(), &self.authority, file).await;
        std::fs::remove_file(&path).unwrap();
        import
    }

    /// Queues a file with a mapping.
    pub async fn submit_mapped(&self, content: impl AsRef<[u8]>, mapping: Mapping) -> Result<Import> {
        let path = self.folder.path().join("upload");
        std::fs::write(&path, content).unwrap();
        let by = Uploader { scope: &self.scope, rights: PermissionSet::all(), language: Language::De };
        let input =
            ImportInput { mapping: Some(mapping), ..self.input(self.r#type, false, Strategy::default()) };
        import::upload::submit(self.services(), by, input, &path).await
    }

    /// Runs all queued imports.
    pub async fn work_off(&self) {
        worker::work_off(self.services(), &self.authority).await.unwrap();
    }

    /// Runs all queued imports and returns the import in its new state.
    pub async fn work(&self, import: &Import) -> Import {
        self.work_off().await;
        self.now(import).await
    }

    /// Runs two queued imports of the same tenant and type concurrently, which the queue would not do.
    pub async fn work_both_at_once(&self, [first, second]: [&Import; 2]) -> [Import; 2] {
        let tx = self.db.begin().await.unwrap();
        let other = format!("UPDATE import SET type = 'Stock' WHERE id = {}", second.id);
        tx.execute_unprepared(&other).await.unwrap();
        tx.commit().await.unwrap();
        let a = queue::claim(&self.db, "a").await.unwrap().unwrap();
        let b = queue::claim(&self.db, "b").await.unwrap().unwrap();
        let b = Import { r#type: self.r#type, ..b };
        self.turns.add_permits(1);
        tokio::join!(Box::pin(self.run(&a)), Box::pin(self.run(&b)));
        [self.now(first).await, self.now(second).await]
    }

    pub(crate) async fn run(&self, claimed: &Import) -> bool {
        let (_going_on, ending) = watch::channel(false);
        self.run_until(claimed, ending).await
    }

    /// Runs a claimed import like [`Self::run`], until the process is to end.
    pub(crate) async fn run_until(&self, claimed: &Import, ending: watch::Receiver<bool>) -> bool {
        let Self { db, storage, registry, authority, turns, .. } = self;
        Runner { db, storage, registry, authority, turns, ending: ending.into() }.run(claimed).await
    }

    /// Claims the next queued import and works on it until its first batch is done, like a process that is
    /// about to end.
    pub async fn work_on_first_batch(&self) {
        let claimed = queue::claim(&self.db, "ending").await.unwrap().unwrap();
        self.turns.add_permits(1);
        let (_ending, ending) = watch::channel(true);
        self.run_until(&claimed, ending).await;
    }

    /// Uploads a file for the first tenant and applies it.
    pub async fn import(&self, content: impl AsRef<[u8]>) -> Import {
        let import = self.upload(&self.scope, content, false).await;
        self.work(&import).await
    }

    /// Uploads and applies a file of another type.
    pub async fn import_as<I: Reversible>(&self, content: impl AsRef<[u8]>) -> Import {
        let registry = Registry::default().with::<I>();
        let services = ImportServices { registry: &registry, ..self.services() };
        let path = self.folder.path().join("upload");
        std::fs::write(&path, content).unwrap();
        let by = Uploader { scope: &self.scope, rights: PermissionSet::all(), language: Language::De };
        let input = self.input(I::TYPE, false, Strategy::default());
        let import = import::upload::submit(services, by, input, &path).await.unwrap();
        worker::work_off(services, &self.authority).await.unwrap();
        self.now(&import).await
    }

    fn input(&self, r#type: ImportType, dry_run: bool, strategy: Strategy) -> ImportInput {
        ImportInput { dry_run, aim: self.aim, strategy, ..ImportInput::new(r#type, "Liste.csv") }
    }

    /// Uploads a file as a dry run and runs it to its end.
    pub async fn dry_run(&self, content: impl AsRef<[u8]>) -> Import {
        let import = self.upload(&self.scope, content, true).await;
        self.work(&import).await
    }

    /// Reads the import again.
    pub async fn now(&self, import: &Import) -> Import {
        Scope::platform().get::<Imports>(&*self.db, import.id).await.unwrap()
    }

    /// Results of the first rows, in the order of the file.
    pub async fn rows(&self, import: &Import) -> Vec<ImportRow> {
        let query = ListQuery::parse([("page[size]", "200")]).unwrap();
        row::list(&self.db, &Scope::platform(), import.id, &query).await.unwrap().rows
    }

    /// Returns the refused rows of an import, by line.
    pub async fn refusals(&self, import: &Import) -> Vec<Refusal> {
        let refusals = self.scope.parts::<Refusals>([import.id]).order_by_asc(Column::Line);
        refusals.all(&*self.db).await.unwrap()
    }

    /// Line and reasons of each refused row, in German.
    pub async fn reasons(&self, import: &Import) -> Vec<(i64, Vec<String>)> {
        let reason = |fault: &NamedFault| match &fault.name {
            Some(name) => format!("{name}: {}", fault.text(Language::De)),
            None => fault.text(Language::De),
        };
        let refusals = self.refusals(import).await.into_iter();
        refusals.map(|refusal| (refusal.line, refusal.messages.0.iter().map(reason).collect())).collect()
    }
}

/// Short notation for the result of [`Bed::reasons`].
pub fn reasons(reasons: &[(i64, &[&str])]) -> Vec<(i64, Vec<String>)> {
    let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    reasons.iter().map(|(line, messages)| (*line, texts(messages))).collect()
}

/// Numbers of created, updated, unchanged and refused rows.
pub fn counts(import: &Import) -> [i64; 4] {
    [import.rows_created, import.rows_updated, import.rows_unchanged, import.rows_refused]
}
