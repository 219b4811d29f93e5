//! Registry of import types: for each type the table that it writes, and the code that checks, applies and
//! undoes its files.

use std::{fmt, marker::PhantomData};

use futures_util::future::BoxFuture;
use sheets::{
    Cell,
    header::{Heading, Title},
};
use store::{Database, Owner, Scope, Scoped, Write, audit::table};
use values::{Code, Language, Message, Result, Violations};

use crate::{
    apply::{Applier, Applying},
    codes,
    columns::{DeclaredColumns, Template},
    import::Import,
    import_type::ImportType,
    importer::{Aim, stage::Staging},
    revert::{Reverser, reversible::Reversible},
};

/// Available types of imports.
#[derive(Default)]
pub struct Registry {
    types: Vec<(ImportType, Box<dyn AnyImporter>)>,
}

impl Registry {
    /// Adds an importer.
    #[must_use]
    pub fn with<I: Reversible>(mut self) -> Self {
        self.types.push((I::TYPE, Box::new(Of::<I>(PhantomData))));
        self
    }

    /// True if records of this kind belong to the platform and not to the importing tenant.
    pub fn is_platforms(&self, record: &str) -> bool {
        self.types.iter().any(|(_, importer)| importer.record() == record && importer.is_platforms())
    }

    /// Available types, in the order of the registry.
    pub fn types(&self) -> impl Iterator<Item = ImportType> {
        self.types.iter().map(|(r#type, _)| *r#type)
    }

    /// Refuses callers who may not write the records of this type.
    pub(crate) fn claim(&self, r#type: ImportType, scope: &Scope) -> Result<()> {
        self.get(r#type)?.claim(scope)
    }

    /// Returns the importer of a type; refuses a type that is not available.
    pub(crate) fn get(&self, import_type: ImportType) -> Result<&dyn AnyImporter> {
        let importer =
            self.types.iter().find(|(r#type, _)| *r#type == import_type).map(|(_, importer)| &**importer);
        importer.ok_or_else(|| {
            Violations::error("type", codes::IMPORT_TYPE_UNSUPPORTED.with("type", import_type.as_str()))
        })
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.types.iter().map(|(r#type, _)| r#type)).finish()
    }
}

/// File whose header has been read.
pub(crate) type PreparedImport = Result<Box<dyn Applying>, Vec<Message>>;

/// Type of import behind a common interface.
pub(crate) trait AnyImporter: Send + Sync {
    /// Table that is written.
    fn record(&self) -> &'static str;

    fn is_platforms(&self) -> bool;

    /// True if a file can replace all records.
    fn replaces_all(&self) -> bool;

    /// Refuses callers who may not write the records of the import.
    fn claim(&self, scope: &Scope) -> Result<()>;

    /// Scope in which rows are written into a target.
    fn writer<'a>(
        &'a self,
        db: &'a Database,
        scope: &'a Scope,
        aim: Option<i64>,
    ) -> BoxFuture<'a, Result<Scope>>;

    /// Error of an import whose target is gone, if the type has targets.
    fn aim_gone(&self) -> Option<Code>;

    /// True if rows name records to be deleted.
    fn removes(&self) -> bool;

    /// True if a file takes effect as a whole or not at all.
    fn is_whole(&self) -> bool;

    /// Deletes the staged rows of an import.
    fn forget_staged<'a>(&'a self, tx: &'a Write, import: &'a Import) -> BoxFuture<'a, Result<()>>;

    /// Columns that files may have.
    fn declared<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Result<DeclaredColumns>>;

    fn template<'a>(
        &'a self,
        db: &'a Database,
        scope: &'a Scope,
        language: Language,
    ) -> BoxFuture<'a, Result<Template>>;

    /// Indexes of the cells that would be read as numbers, or all problems of a header.
    fn check<'a>(
        &'a self,
        db: &'a Database,
        scope: &'a Scope,
        header: &'a [Title],
        language: Language,
    ) -> BoxFuture<'a, Result<Result<Vec<usize>, Vec<Message>>>>;

    /// Key of the field to which all of these values belong.
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
    ) -> BoxFuture<'a, Result<PreparedImport>>;

    /// Undo of another import, and the names of fields in its faults.
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

    fn declared<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Result<DeclaredColumns>> {
        Box::pin(async move { Ok(DeclaredColumns { headings: I::HEADINGS, further: I::further(db).await? }) })
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
            let heading = I::field_of_values(db, scope, values).await?;
            let heading = heading.filter(|heading| I::HEADINGS.all.contains(heading));
            Ok(heading.map(Heading::key))
        })
    }

    fn prepare<'a>(
        &'a self,
        db: &'a Database,
        scope: Scope,
        import: &'a Import,
        header: &'a [Title],
    ) -> BoxFuture<'a, Result<PreparedImport>> {
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
