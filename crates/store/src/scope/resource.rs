//! Declaration of a resource, next to its table: its names, the permission to list it, its references.
//! History, "where used", exports, documentation and the tests of all operations read it. A reference is
//! declared by the referring resource, so that a crate can refer to resources of a crate below it.

use std::sync::OnceLock;

use sea_orm::{ColumnTrait, QueryFilter, QuerySelect, QueryTrait, sea_query::SelectStatement};
use values::{code::Phrase, id::TenantId, in_use, permission::Permission};

use crate::{
    audit,
    scope::{Owner, Recorded, Scope, Unique},
};

/// Kind of record.
#[derive(Debug)]
pub struct Resource {
    /// Name on the wire: `article_types`.
    pub name: &'static str,
    /// Name of its records for people.
    pub words: Phrase,
    /// Permission to list its records. Without it a user sees how many records refer to another one, but not
    /// which.
    pub list: Permission,
    /// References of its records.
    pub references: &'static [Reference],
    /// Unique indexes of its records.
    pub unique: &'static [Unique],
    /// Fields that the history and the rows of imports show only with a permission.
    hidden: Option<(Permission, &'static [&'static str])>,
    table: fn() -> &'static str,
    is_owned: fn() -> bool,
    names: fn(&Scope, &[i64]) -> SelectStatement,
}

/// Field by which the records of a resource refer to those of another.
#[derive(Debug, Clone, Copy)]
pub struct Reference {
    /// Name on the wire and in the history.
    pub field: &'static str,
    pub to: fn() -> &'static str,
    pub keeps: Option<Keeping>,
}

/// Queries for the records that prevent the deletion of another.
#[derive(Debug, Clone, Copy)]
pub struct Keeping {
    pub count: fn(Option<TenantId>, &str, i64) -> SelectStatement,
    pub examples: fn(&Scope, &str, i64) -> SelectStatement,
    pub among: fn(Option<TenantId>, &str, &[i64]) -> String,
}

impl Reference {
    /// Reference to records of `To` that prevents their deletion, with its queries.
    pub const fn keeping<To: Recorded>(field: &'static str, keeping: Keeping) -> Self {
        Self { field, to: audit::table::<To>, keeps: Some(keeping) }
    }

    /// Reference that does not prevent a deletion: it is deleted with the referenced record, or set to NULL.
    pub const fn loose<To: Recorded>(field: &'static str) -> Self {
        Self { field, to: audit::table::<To>, keeps: None }
    }

    /// Referenced table.
    pub fn table(&self) -> &'static str {
        (self.to)()
    }

    /// True if a referenced record cannot be deleted.
    pub fn keeps(&self) -> bool {
        self.keeps.is_some()
    }

    /// Queries for the number of records of all owners that refer to `id`, and for id and name of the first
    /// that the scope sees. `tenant` is the owner of the record: only that tenant's records refer to it.
    /// `None` if the reference does not prevent a deletion.
    pub(crate) fn records(
        &self,
        scope: &Scope,
        tenant: Option<TenantId>,
        id: i64,
    ) -> Option<(SelectStatement, SelectStatement)> {
        let Keeping { count, examples, .. } = self.keeps?;
        Some((count(tenant, self.field, id), examples(scope, self.field, id)))
    }

    /// Query for those of these ids that records refer to; `tenant` is their owner, if they have one. `None`
    /// if the reference does not prevent a deletion.
    pub(crate) fn among(&self, tenant: Option<TenantId>, ids: &[i64]) -> Option<String> {
        Some((self.keeps?.among)(tenant, self.field, ids))
    }
}

impl Resource {
    /// Creates a resource whose list needs the permission `list`.
    pub const fn new<E: Recorded>(name: &'static str, words: Phrase, list: Permission) -> Self {
        Self {
            name,
            words,
            list,
            references: &[],
            unique: E::UNIQUE,
            hidden: None,
            table: audit::table::<E>,
            is_owned: || !matches!(E::OWNER, Owner::Platform),
            names: names::<E>,
        }
    }

    /// Adds the references of its records.
    #[must_use]
    pub const fn refers(self, references: &'static [Reference]) -> Self {
        Self { references, ..self }
    }

    /// Adds fields that are left out of the shown changes of its records, unless the reader has this
    /// permission.
    #[must_use]
    pub const fn hides(self, fields: &'static [&'static str], unless: Permission) -> Self {
        Self { hidden: Some((unless, fields)), ..self }
    }

    /// Table of the resource, which is also its name in the history.
    pub fn table(&self) -> &'static str {
        (self.table)()
    }

    /// True if each of its records belongs to a tenant or a user.
    pub fn is_owned(&self) -> bool {
        (self.is_owned)()
    }

    /// Query for id and name of those of these records that the scope sees.
    pub fn names(&self, scope: &Scope, ids: &[i64]) -> SelectStatement {
        (self.names)(scope, ids)
    }
}

fn names<E: Recorded>(scope: &Scope, ids: &[i64]) -> SelectStatement {
    let rows = scope.find::<E>().filter(E::ID.is_in(ids.iter().copied()));
    rows.select_only().column_as(E::ID, "id").expr_as(scope.column::<E>(E::NAME), "name").into_query()
}

static ALL: OnceLock<Vec<&'static Resource>> = OnceLock::new();

/// Registers the program's resources, once. Before that no references are known here; foreign keys work all
/// the same.
pub fn declare(resources: impl IntoIterator<Item = &'static Resource>) {
    let all = ALL.get_or_init(|| resources.into_iter().collect());
    let referring = all.iter().filter(|resource| resource.references.iter().any(Reference::keeps));
    in_use::declare_referring(referring.map(|resource| resource.name));
}

/// All resources of the program.
pub fn all() -> &'static [&'static Resource] {
    ALL.get().map_or(&[], Vec::as_slice)
}

/// Removes fields that the scope may not see from the changes of a record. Several resources may share one
/// table.
pub fn hide(scope: &Scope, table: &str, changes: &mut Vec<audit::Change>) {
    let hidden =
        all().iter().filter(|resource| resource.table() == table).filter_map(|resource| resource.hidden);
    for (_, fields) in hidden.filter(|(unless, _)| !scope.may(*unless)) {
        // a JSON object is noted as one field for each key: `wanted.external`
        changes.retain(|change| change.field.split('.').next().is_none_or(|field| !fields.contains(&field)));
    }
}

/// All references to the records of a resource.
pub(crate) fn referring_to(
    target: &Resource,
) -> impl Iterator<Item = (&'static Resource, &'static Reference)> {
    let references = all().iter().flat_map(|resource| resource.references.iter().map(|by| (*resource, by)));
    let table = target.table();
    references.filter(move |(_, reference)| reference.table() == table)
}

/// Names of all tables with a history.
pub fn tables() -> Vec<&'static str> {
    let mut tables: Vec<_> = all().iter().map(|resource| resource.table()).collect();
    tables.sort_unstable();
    // stocks and listings share a table
    tables.dedup();
    tables
}
