//! The registry of import types: for each the table that it writes, and how its files are checked, applied and taken back.

use std::{fmt, marker::PhantomData};

use futures_util::future::BoxFuture;
use kernel::{
    Code, Database, Language, Message, Owner, Result, Scope, Scoped, Violations, Write, audit::table,
};
use sheets::{
    Cell,
    header::{Heading, Title},
};

use crate::{
    apply::{Applier, Applying},
    columns::{Declared, Template},
    import::Import,
    import_type::ImportType,
    importer::{Aim, stage::Staging},
    revert::{Reverser, reversible::Reversible},
};

/// The types of imports that there are.
#[derive(Default)]
pub struct Registry {
    types: Vec<(ImportType, Box<dyn AnyImporter>)>,
}

impl Registry {
    #[must_use]
    pub fn with<I: Reversible>(mut self) -> Self {
        self.types.push((I::TYPE, Box::new(Of::<I>(PhantomData))));
        self
    }

    /// Whether records of this kind belong to no tenant, whoever imports them.
    pub fn is_platforms(&self, record: &str) -> bool {
        self.types.iter().any(|(_, importer)| importer.record() == record && importer.is_platforms())
    }

    /// What there is, in the order of the registry.
    pub fn types(&self) -> impl Iterator<Item = ImportType> {
        self.types.iter().map(|(r#type, _)| *r#type)
    }

    /// Refuses callers who may not write what imports of this type write.
    pub(crate) fn claim(&self, r#type: ImportType, scope: &Scope) -> Result<()> {
        self.get(r#type)?.claim(scope)
    }

    /// Refuses a type that there is not.
    pub(crate) fn get(&self, wanted: ImportType) -> Result<&dyn AnyImporter> {
        let known = self.types.iter().find(|(r#type, _)| *r#type == wanted).map(|(_, importer)| &**importer);
        known.ok_or_else(|| Violations::of("type", Code::ImportTypeUnsupported.with("type", wanted.as_str())))
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.types.iter().map(|(r#type, _)| r#type)).finish()
    }
}

/// A file whose header has been read.
pub(crate) type Prepared = Result<Box<dyn Applying>, Vec<Message>>;

/// A type of imports, whichever it is.
pub(crate) trait AnyImporter: Send + Sync {
    /// The table that is written.
    fn record(&self) -> &'static str;

    fn is_platforms(&self) -> bool;

    /// Whether a file can replace all records.
    fn replaces_all(&self) -> bool;

    /// Refuses callers who may not write what the import writes.
    fn claim(&self, scope: &Scope) -> Result<()>;

    /// The scope in which rows are written into an aim.
    fn writer<'a>(
        &'a self,
        db: &'a Database,
        scope: &'a Scope,
        aim: Option<i64>,
    ) -> BoxFuture<'a, Result<Scope>>;

    /// Why an import cannot go on whose aim is gone, if the type has one.
    fn aim_gone(&self) -> Option<Code>;

    /// Whether rows name records that go.
    fn removes(&self) -> bool;

    /// Whether a file becomes effective as a whole or not at all.
    fn is_whole(&self) -> bool;

    /// Forgets what is kept aside of an import.
    fn forget_staged<'a>(&'a self, tx: &'a Write, import: &'a Import) -> BoxFuture<'a, Result<()>>;

    /// The columns that files may have.
    fn declared<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Result<Declared>>;

    fn template<'a>(
        &'a self,
        db: &'a Database,
        scope: &'a Scope,
        language: Language,
    ) -> BoxFuture<'a, Result<Template>>;

    /// Which cells of a row would be read as numbers; or all that is wrong with a header.
    fn check<'a>(
        &'a self,
        db: &'a Database,
        scope: &'a Scope,
        header: &'a [Title],
        language: Language,
    ) -> BoxFuture<'a, Result<Result<Vec<usize>, Vec<Message>>>>;

    /// The key of the field that all of these values name.
    fn field_of_values<'a>(
        &'a self,
        db: &'a Database,
        scope: &'a Scope,
        values: &'a [String],
    ) -> BoxFuture<'a, Result<Option<String>>>;

    fn prepare<'a>(
        &'a self,
        db: &'a Database,
        scope: Scope,
        import: &'a Import,
        header: &'a [Title],
    ) -> BoxFuture<'a, Result<Prepared>>;

    /// What takes another import back, and what its faults call the fields by.
    fn reverse(&self, scope: Scope, import: &Import, undone: i64) -> (Box<dyn Applying>, Vec<Cell>);
}

struct Of<I>(PhantomData<fn() -> I>);

impl<I: Reversible> AnyImporter for Of<I> {
    fn record(&self) -> &'static str {
        table::<I::Record>()
    }

    fn is_platforms(&self) -> bool {
        matches!(I::Record::OWNER, Owner::Platform)
    }

    fn replaces_all(&self) -> bool {
        I::replaced(I::Aim::from_id(None)).is_some()
    }

    fn claim(&self, scope: &Scope) -> Result<()> {
        scope.claim::<I::Record>()
    }

    fn writer<'a>(
        &'a self,
        db: &'a Database,
        scope: &'a Scope,
        aim: Option<i64>,
    ) -> BoxFuture<'a, Result<Scope>> {
        Box::pin(I::Aim::writer(db, scope, aim))
    }

    fn aim_gone(&self) -> Option<Code> {
        I::Aim::GONE
    }

    fn removes(&self) -> bool {
        I::REMOVES
    }

    fn is_whole(&self) -> bool {
        I::TYPE.is_whole()
    }

    fn forget_staged<'a>(&'a self, tx: &'a Write, import: &'a Import) -> BoxFuture<'a, Result<()>> {
        Box::pin(I::Staging::forget(tx, import))
    }

    fn declared<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Result<Declared>> {
        Box::pin(async move { Ok(Declared { headings: I::HEADINGS, further: I::further(db).await? }) })
    }

    fn template<'a>(
        &'a self,
        db: &'a Database,
        scope: &'a Scope,
        language: Language,
    ) -> BoxFuture<'a, Result<Template>> {
        Box::pin(I::template(db, scope, language))
    }

    fn check<'a>(
        &'a self,
        db: &'a Database,
        scope: &'a Scope,
        header: &'a [Title],
        language: Language,
    ) -> BoxFuture<'a, Result<Result<Vec<usize>, Vec<Message>>>> {
        Box::pin(async move {
            let prepared = I::prepare(db, scope, header, language).await?;
            Ok(prepared.map(|importer| importer.numbers()))
        })
    }

    fn field_of_values<'a>(
        &'a self,
        db: &'a Database,
        scope: &'a Scope,
        values: &'a [String],
    ) -> BoxFuture<'a, Result<Option<String>>> {
        Box::pin(async move {
            let known = I::field_of_values(db, scope, values).await?;
            let known = known.filter(|heading| I::HEADINGS.known.contains(heading));
            Ok(known.map(Heading::key))
        })
    }

    fn prepare<'a>(
        &'a self,
        db: &'a Database,
        scope: Scope,
        import: &'a Import,
        header: &'a [Title],
    ) -> BoxFuture<'a, Result<Prepared>> {
        Box::pin(async move {
            let prepared = I::prepare(db, &scope, header, import.language()).await?;
            Ok(prepared.map(|mut importer| {
                importer.aim(I::Aim::from_id(import.aim_id), Some(import));
                Box::new(Applier::new(importer, scope, import)) as Box<dyn Applying>
            }))
        })
    }

    fn reverse(&self, scope: Scope, import: &Import, undone: i64) -> (Box<dyn Applying>, Vec<Cell>) {
        (Box::new(Reverser::<I>::new(scope, import, undone)), Reverser::<I>::header())
    }
}
