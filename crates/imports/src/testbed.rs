//! A database with two tenants, a type of imports as plain as there is one, and workers that tests drive by hand.

use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::future::BoxFuture;
use kernel::{
    Database, Language, ListQuery, Message, Permission, PermissionSet, Result, Scope, TenantId, UserId,
    Write, fold,
};
use sea_orm::{ActiveValue::Set, ConnectionTrait, QueryOrder, Statement};
use sheets::{
    Cell, RowFault,
    header::{Heading, Headings, Layout},
};
use storage::Storage;
use tempfile::TempDir;
use tenancy::tenant::{self, TenantInput};
use testkit::{
    TestDatabase,
    note::{self, Note, NoteRow, Notes},
};
use tokio::sync::{Semaphore, watch};

use crate::{
    cells::{Line, Wanted, content},
    import::{self, Import, ImportInput, Imports, Uploader},
    import_type::ImportType,
    importer::{Importer, KeyOf, Registry},
    queue,
    refusal::{Column, Refusal, Refusals},
    row::{self, ImportRow},
    runner::Runner,
    worker::Authority,
};

static NAME: Heading = Heading { de: "Name", en: "Name", synonyms: &[] };
static NUMBER: Heading = Heading { de: "Zahl", en: "Number", synonyms: &[] };
const HEADINGS: Headings = Headings { known: &[&NAME, &NUMBER], required: &[&[&NAME]] };

/// Notes from files: the name finds one, the number is what it says.
pub(crate) struct NoteImporter {
    name: usize,
    number: Option<usize>,
}

impl Importer for NoteImporter {
    const TYPE: ImportType = ImportType::Matching;
    type Record = Notes;

    async fn prepare(
        _: &Database,
        _: &Scope,
        header: &[Cell],
        language: Language,
    ) -> Result<Result<Self, Vec<Message>>> {
        let layout = Layout::read(&HEADINGS, header, language, |_| None);
        Ok(layout.map(|layout| Self {
            name: layout.position(&NAME).unwrap_or_default(),
            number: layout.position(&NUMBER),
        }))
    }

    fn numbers(&self) -> Vec<usize> {
        self.number.into_iter().collect()
    }

    async fn resolve(&mut self, _: &Write, _: &Scope, _: &[Line<'_>]) -> Result<()> {
        Ok(())
    }

    fn key(&self, line: Line<'_>) -> Result<KeyOf, Vec<RowFault>> {
        match line.name(Some(self.name)) {
            Ok(Some(name)) => Ok(KeyOf::named(name)),
            Ok(None) => Err(vec![RowFault::of_cell(self.name, kernel::Code::Required)]),
            Err(fault) => Err(vec![fault]),
        }
    }

    fn key_column(&self) -> Option<usize> {
        Some(self.name)
    }

    fn draft(&self, line: Line<'_>, existing: Option<&Note>) -> Result<NoteRow, Vec<RowFault>> {
        let mut faults = Vec::new();
        let number = self.number.map_or(Wanted::Keep, |index| {
            line.wanted(index, &mut faults, |cell| Ok(line.number(cell)?.millionths() / 1_000_000))
        });
        let name = line.row.cells.get(self.name).map(content).unwrap_or_default();
        let name = existing.map_or_else(|| name.to_owned(), |note| note.name.clone());
        let row = NoteRow {
            name_fold: Set(fold(&name)),
            name: Set(name),
            number: Set(number.over(existing.and_then(|note| note.number))),
            ..note::note("", None)
        };
        if faults.is_empty() { Ok(row) } else { Err(faults) }
    }
}

pub(crate) struct Bed {
    pub db: TestDatabase,
    pub storage: Storage,
    pub folder: TempDir,
    /// A platform administrator acting for the first tenant, and for the second.
    pub scope: Scope,
    pub other: Scope,
    pub registry: Registry,
    pub authority: Trusting,
    pub turns: Semaphore,
}

/// Trusts whoever has started an import, until told otherwise.
#[derive(Debug, Default)]
pub(crate) struct Trusting {
    pub revoked: AtomicBool,
}

impl Authority for Trusting {
    fn scope_of<'a>(
        &'a self,
        user: UserId,
        tenant: TenantId,
        _: &'a [Permission],
    ) -> BoxFuture<'a, Result<Option<Scope>>> {
        let trusted = !self.revoked.load(Ordering::Relaxed);
        Box::pin(async move { Ok(trusted.then(|| acting_for(tenant, user))) })
    }
}

#[expect(clippy::disallowed_methods, reason = "stands for authentication")]
fn acting_for(tenant: TenantId, user: UserId) -> Scope {
    Scope::granted_by_authentication(None, Some(tenant), Some(user), kernel::PermissionSet::ALL).unwrap()
}

impl Bed {
    pub(crate) async fn new() -> Self {
        let db = testkit::database().await;
        let platform = Scope::platform();
        let mut scopes = Vec::new();
        let now =
            if db.get_database_backend() == sea_orm::DbBackend::Sqlite { "datetime()" } else { "now()" };
        for (short_code, user) in [("NORD", "a@b.example"), ("SUED", "c@d.example")] {
            let input = TenantInput {
                company: short_code.to_owned(),
                short_code: short_code.to_owned(),
                permissions: PermissionSet::ALL.iter().collect(),
                ..TenantInput::default()
            };
            let tenant = tenant::create(&db, &platform, input).await.unwrap();
            let sql = format!(
                "INSERT INTO \"user\" (name, name_fold, email, email_fold, email_key, status, narrowed, version, created_at, \
                 updated_at) VALUES ('A', 'a', $1, $1, $1, 'Verified', false, 1, {now}, {now}) RETURNING id"
            );
            let tx = db.begin().await.unwrap();
            let statement = Statement::from_sql_and_values(tx.get_database_backend(), sql, [user.into()]);
            let row = tx.query_one_raw(statement).await.unwrap().unwrap();
            tx.commit().await.unwrap();
            scopes.push(acting_for(TenantId(tenant.tenant.id), UserId(row.try_get("", "id").unwrap())));
        }
        note::table(&db).await;
        let folder = tempfile::tempdir().unwrap();
        let storage = Storage::in_folder(folder.path()).unwrap();
        let authority = Trusting::default();
        let registry = Registry::default().with::<NoteImporter>();
        let turns = Semaphore::new(1);
        Self { db, storage, folder, scope: scopes[0], other: scopes[1], registry, authority, turns }
    }

    /// Queues a file.
    pub(crate) async fn upload(&self, scope: &Scope, content: impl AsRef<[u8]>, dry_run: bool) -> Import {
        let path = self.folder.path().join("upload");
        std::fs::write(&path, content).unwrap();
        let by = Uploader { scope, rights: PermissionSet::ALL, language: Language::De };
        let input = ImportInput {
            r#type: ImportType::Matching,
            name: None,
            dry_run,
            file_name: "Notizen.csv".into(),
        };
        import::submit(&self.db, &self.storage, &self.registry, by, input, &path).await.unwrap()
    }

    /// Runs everything that is queued, and gives back the import as it is then.
    pub(crate) async fn work(&self, import: &Import) -> Import {
        while let Some(claimed) = queue::claim(&self.db, "worker").await.unwrap() {
            self.run(&claimed).await;
        }
        self.now(import).await
    }

    pub(crate) async fn run(&self, claimed: &Import) -> bool {
        let (_going_on, ending) = watch::channel(false);
        self.run_until(claimed, ending).await
    }

    /// As [`Self::run`], until the process is to end.
    pub(crate) async fn run_until(&self, claimed: &Import, ending: watch::Receiver<bool>) -> bool {
        let Self { db, storage, registry, authority, turns, .. } = self;
        Runner { db, storage, registry, authority, turns, ending: ending.into() }.run(claimed).await
    }

    pub(crate) async fn now(&self, import: &Import) -> Import {
        Scope::platform().get::<Imports>(&*self.db, import.id).await.unwrap()
    }

    /// By name.
    pub(crate) async fn notes(&self) -> Vec<Note> {
        note::all(&self.db, &self.scope).await
    }

    /// What became of the first rows, in the order of the file.
    pub(crate) async fn rows(&self, import: &Import) -> Vec<ImportRow> {
        let query = ListQuery::parse([("page[size]", "200")]).unwrap();
        row::list(&self.db, &Scope::platform(), import.id, &query).await.unwrap().rows
    }

    /// How many rows are kept of the imports of both tenants.
    pub(crate) async fn kept(&self) -> i64 {
        let sql = "SELECT count(*) AS n FROM import_row";
        let statement = Statement::from_string(self.db.get_database_backend(), sql);
        self.db.query_one_raw(statement).await.unwrap().unwrap().try_get("", "n").unwrap()
    }

    pub(crate) async fn refusals(&self, import: &Import) -> Vec<Refusal> {
        let refusals = self.scope.parts::<Refusals>([import.id]).order_by_asc(Column::Line);
        refusals.all(&*self.db).await.unwrap()
    }
}
