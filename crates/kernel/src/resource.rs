//! What a resource is, said once, beside its table: its names, who may list it, what it refers to. History, "where used",
//! exports, documentation and the tests of all operations read it here. A reference is declared by the one who refers, so
//! that a crate above can refer to one below which does not know it.

use std::{borrow::Cow, sync::OnceLock};

use sea_orm::{ColumnTrait, QueryFilter, QuerySelect, QueryTrait, sea_query::SelectStatement};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
};

use crate::{
    audit,
    code::Phrase,
    id::TenantId,
    in_use::ResourceName,
    permission::Permission,
    scope::{Owner, Recorded, Scope, Unique},
};

/// A kind of records.
#[derive(Debug)]
pub struct Resource {
    /// On the wire: `article_types`.
    pub name: &'static str,
    /// What people call its records.
    pub words: Phrase,
    /// Who lacks it learns how many records refer to another, not which.
    pub list: Permission,
    /// What its records refer to.
    pub references: &'static [Reference],
    /// What is unique among its records.
    pub unique: &'static [Unique],
    /// What the history and the rows of imports tell of its records only to who holds a permission.
    hidden: Option<(Permission, &'static [&'static str])>,
    table: fn() -> &'static str,
    is_owned: fn() -> bool,
    names: fn(&Scope, &[i64]) -> SelectStatement,
}

/// A field by which the records of a resource refer to those of another.
#[derive(Debug, Clone, Copy)]
pub struct Reference {
    /// On the wire, and in the history.
    pub field: &'static str,
    pub(crate) to: fn() -> &'static str,
    pub(crate) keeps: Option<Keeping>,
}

/// Finds the records that keep another from being deleted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Keeping {
    pub(crate) count: fn(Option<TenantId>, &str, i64) -> SelectStatement,
    pub(crate) examples: fn(&Scope, &str, i64) -> SelectStatement,
    pub(crate) among: fn(Option<TenantId>, &str, &[i64]) -> String,
}

impl Reference {
    /// The table that is referred to.
    pub fn table(&self) -> &'static str {
        (self.to)()
    }

    /// Whether what is referred to cannot be deleted.
    pub fn keeps(&self) -> bool {
        self.keeps.is_some()
    }

    /// Every record that refers to `id`, of all owners, and id and name of the first that the scope sees.
    /// `tenant` is the owner of the record: only that tenant's records refer to it. Nothing of a reference
    /// that keeps nothing.
    pub(crate) fn records(
        &self,
        scope: &Scope,
        tenant: Option<TenantId>,
        id: i64,
    ) -> Option<(SelectStatement, SelectStatement)> {
        let Keeping { count, examples, .. } = self.keeps?;
        Some((count(tenant, self.field, id), examples(scope, self.field, id)))
    }

    /// Those of these ids, which `tenant` owns if one does, that records refer to. Nothing of a reference
    /// that keeps nothing.
    pub(crate) fn among(&self, tenant: Option<TenantId>, ids: &[i64]) -> Option<String> {
        Some((self.keeps?.among)(tenant, self.field, ids))
    }
}

impl Resource {
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

    /// With what its records refer to.
    #[must_use]
    pub const fn refers(self, references: &'static [Reference]) -> Self {
        Self { references, ..self }
    }

    /// With fields that only who holds this permission may see, wherever changes of its records are told.
    #[must_use]
    pub const fn hides(self, fields: &'static [&'static str], unless: Permission) -> Self {
        Self { hidden: Some((unless, fields)), ..self }
    }

    /// Its table. The history calls its records so.
    pub fn table(&self) -> &'static str {
        (self.table)()
    }

    /// Whether each of its records belongs to a tenant or a user.
    pub fn is_owned(&self) -> bool {
        (self.is_owned)()
    }

    /// Id and name of those of these records that the scope sees.
    pub fn names(&self, scope: &Scope, ids: &[i64]) -> SelectStatement {
        (self.names)(scope, ids)
    }
}

fn names<E: Recorded>(scope: &Scope, ids: &[i64]) -> SelectStatement {
    let found = scope.find::<E>().filter(E::ID.is_in(ids.iter().copied()));
    found.select_only().column_as(E::ID, "id").expr_as(scope.column::<E>(E::NAME), "name").into_query()
}

static ALL: OnceLock<Vec<&'static Resource>> = OnceLock::new();

/// Makes the program's resources known, once. Until then nothing is known to refer to anything; foreign keys hold all the same.
pub fn declare(resources: impl IntoIterator<Item = &'static Resource>) {
    ALL.get_or_init(|| resources.into_iter().collect());
}

/// All resources of the program.
pub fn all() -> &'static [&'static Resource] {
    ALL.get().map_or(&[], Vec::as_slice)
}

/// Leaves out what the scope may not see of changes of a record of this table. Several resources may stand in one table.
pub fn hide(scope: &Scope, table: &str, changes: &mut Vec<audit::Change>) {
    let hidden =
        all().iter().filter(|resource| resource.table() == table).filter_map(|resource| resource.hidden);
    for (_, fields) in hidden.filter(|(unless, _)| !scope.may(*unless)) {
        // a value that has keys is a field for each: `wanted.external`
        changes.retain(|change| change.field.split('.').next().is_none_or(|field| !fields.contains(&field)));
    }
}

/// All that refers to the records of a resource.
pub(crate) fn referring_to(
    target: &Resource,
) -> impl Iterator<Item = (&'static Resource, &'static Reference)> {
    let references = all().iter().flat_map(|resource| resource.references.iter().map(|by| (*resource, by)));
    let table = target.table();
    references.filter(move |(_, reference)| reference.table() == table)
}

/// The names of all tables with a history.
pub fn tables() -> Vec<&'static str> {
    let mut tables: Vec<_> = all().iter().map(|resource| resource.table()).collect();
    tables.sort_unstable();
    // both sides of a stock stand in one
    tables.dedup();
    tables
}

impl ToSchema for ResourceName {
    fn name() -> Cow<'static, str> {
        "Resource".into()
    }
}

impl PartialSchema for ResourceName {
    fn schema() -> RefOr<Schema> {
        let keeping = |resource: &&&Resource| resource.references.iter().any(Reference::keeps);
        let names = all().iter().filter(keeping).map(|resource| resource.name);
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("A resource whose records refer to others."))
            .enum_values(Some(names.collect::<Vec<_>>()))
            .into()
    }
}
