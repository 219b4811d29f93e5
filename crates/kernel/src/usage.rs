//! Where a record is used: shown before it is deleted, and the reason why it is not.

use std::marker::PhantomData;

use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, QueryFilter, QueryResult, QuerySelect, QueryTrait,
    sea_query::{Asterisk, Expr, Func, SelectStatement},
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    code::Language,
    database::{Database, Write},
    error::{Error, Result},
    list::{self, Listed},
    permission::Permission,
    scope::{Recorded, Scope, Scoped},
};

/// A resource whose records refer to others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Resource {
    Articles,
    ArticleTypes,
    Categories,
    Closures,
    Imports,
    Matchings,
    Roles,
    Tenants,
    Users,
    Warehouses,
}

impl Resource {
    /// Who lacks it learns how many records there are, not which.
    fn list_permission(self) -> Permission {
        match self {
            Self::Articles => Permission::ListArticles,
            Self::ArticleTypes => Permission::ListArticleTypes,
            Self::Categories => Permission::ListCategories,
            Self::Closures | Self::Warehouses => Permission::ListWarehouses,
            Self::Imports => Permission::ListImports,
            Self::Matchings => Permission::ListMatchings,
            Self::Roles => Permission::ListRoles,
            Self::Tenants => Permission::ListTenants,
            Self::Users => Permission::ListUsers,
        }
    }

    fn text(self, language: Language) -> &'static str {
        let (de, en) = match self {
            Self::Articles => ("Artikel", "articles"),
            Self::ArticleTypes => ("Artikeltypen", "article types"),
            Self::Categories => ("Kategorien", "categories"),
            Self::Closures => ("Schließtage", "closures"),
            Self::Imports => ("Importe", "imports"),
            Self::Matchings => ("Zuordnungen", "matchings"),
            Self::Roles => ("Rollen", "roles"),
            Self::Tenants => ("Mandanten", "tenants"),
            Self::Users => ("Benutzer", "users"),
            Self::Warehouses => ("Lager", "warehouses"),
        };
        match language {
            Language::De => de,
            Language::En => en,
        }
    }
}

/// The records of one resource that refer to a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Usage {
    pub by: Resource,
    /// The filter of that resource's list that finds them all by the record's id.
    pub filter: &'static str,
    /// Of all tenants.
    pub count: u64,
    /// The first of those that the caller may list; none where he may list none.
    pub examples: Vec<Example>,
}

/// One of the records that refer to a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = UsageExample)]
pub struct Example {
    pub id: i64,
    pub name: String,
}

const EXAMPLES: u64 = 5;

/// All that refers to a record.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Usages(pub Vec<Usage>);

impl Usages {
    /// `Ok` when nothing does.
    pub fn refuse(self) -> Result<()> {
        if self.0.is_empty() { Ok(()) } else { Err(Error::InUse(self)) }
    }

    /// ` (Artikel: 3, Artikeltypen: 1)`, or nothing.
    pub(crate) fn text(&self, language: Language) -> String {
        let parts: Vec<_> =
            self.0.iter().map(|usage| format!("{}: {}", usage.by.text(language), usage.count)).collect();
        if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) }
    }
}

/// A table whose rows others may refer to.
pub trait Used: Recorded {
    const BY: &'static [&'static dyn Reference];
}

/// A table whose rows refer to others.
pub trait Referring: Listed + Recorded {
    const RESOURCE: Resource;
}

/// The rows of a table that refer to a record by what one of its list's filters reads: `&By::<Articles>::filter("material_id")`.
#[derive(Debug)]
pub struct By<E> {
    filter: &'static str,
    table: PhantomData<fn() -> E>,
}

impl<E: Referring> By<E> {
    pub const fn filter(filter: &'static str) -> Self {
        Self { filter, table: PhantomData }
    }
}

/// See [`By`].
pub trait Reference: Sync {
    fn resource(&self) -> Resource;
    fn filter(&self) -> &'static str;
    /// Every row that refers to `id`, whoever owns it.
    fn count(&self, id: i64) -> SelectStatement;
    /// Id and name of the first that the scope sees.
    fn examples(&self, scope: &Scope, id: i64) -> SelectStatement;
}

impl<E: Referring> Reference for By<E> {
    fn resource(&self) -> Resource {
        E::RESOURCE
    }

    fn filter(&self) -> &'static str {
        self.filter
    }

    #[expect(clippy::disallowed_methods, reason = "a foreign key knows no tenant, so neither does the count")]
    fn count(&self, id: i64) -> SelectStatement {
        let mut count = E::find().filter(list::refers::<E>(self.filter, id)).into_query();
        count.clear_selects().expr_as(Func::count(Expr::col(Asterisk)), "total");
        count
    }

    fn examples(&self, scope: &Scope, id: i64) -> SelectStatement {
        let select = scope.find::<E>().filter(list::refers::<E>(self.filter, id));
        list::by_default::<E>(select)
            .select_only()
            .column_as(E::ID, "id")
            .column_as(E::NAME, "name")
            .limit(EXAMPLES)
            .into_query()
    }
}

/// Where a record is used that the caller may see.
pub async fn of<E: Used>(db: &impl ConnectionTrait, scope: &Scope, id: i64) -> Result<Usages> {
    by::<E>(db, scope, id, E::BY).await
}

/// The same of a table that crates above its own refer to, which only the caller knows all of.
pub async fn by<E: Scoped>(
    db: &impl ConnectionTrait,
    scope: &Scope,
    id: i64,
    references: &[&dyn Reference],
) -> Result<Usages> {
    scope.get::<E>(db, id).await?;
    let mut usages = Vec::new();
    for reference in references {
        let counted = db.query_one(&reference.count(id)).await?;
        let count: i64 = counted.map(|row| row.try_get("", "total")).transpose()?.unwrap_or_default();
        if count == 0 {
            continue;
        }
        let resource = reference.resource();
        let examples = if scope.may(resource.list_permission()) {
            let rows = db.query_all(&reference.examples(scope, id)).await?;
            rows.iter().map(example).collect::<Result<_, DbErr>>()?
        } else {
            Vec::new()
        };
        usages.push(Usage {
            by: resource,
            filter: reference.filter(),
            count: count.unsigned_abs(),
            examples,
        });
    }
    Ok(Usages(usages))
}

fn example(row: &QueryResult) -> Result<Example, DbErr> {
    Ok(Example { id: row.try_get("", "id")?, name: row.try_get("", "name")? })
}

/// Deletes a row that nothing uses and that `check` lets go. Whatever begins to use it meanwhile is named as well.
pub async fn delete<E: Used>(
    db: &Database,
    scope: &Scope,
    id: i64,
    check: impl FnOnce(&E::Model) -> Result<()>,
) -> Result<()> {
    delete_unless_by::<E>(db, scope, id, E::BY, check).await
}

/// The same of a table whose writes begin alone: whoever held the row before waiting for the table would hold up those
/// who wait for the row.
pub async fn delete_alone<E: Used>(
    db: &Database,
    scope: &Scope,
    id: i64,
    check: impl FnOnce(&E::Model) -> Result<()>,
) -> Result<()> {
    delete_within::<E>(db, db.begin_alone::<E>().await?, scope, id, E::BY, check).await
}

/// The same of a table that crates above its own refer to. Whoever wants to use the row meanwhile waits, so that
/// nothing that goes with the row is lost.
pub async fn delete_unless_by<E: Recorded>(
    db: &Database,
    scope: &Scope,
    id: i64,
    references: &[&dyn Reference],
    check: impl FnOnce(&E::Model) -> Result<()>,
) -> Result<()> {
    delete_within::<E>(db, db.begin().await?, scope, id, references, check).await
}

async fn delete_within<E: Recorded>(
    db: &Database,
    tx: Write,
    scope: &Scope,
    id: i64,
    references: &[&dyn Reference],
    check: impl FnOnce(&E::Model) -> Result<()>,
) -> Result<()> {
    let row = scope.find::<E>().filter(E::ID.eq(id)).lock_exclusive().one(&tx).await?;
    let row = row.ok_or_else(Error::not_found)?;
    scope.claim::<E>()?;
    by::<E>(&tx, scope, id, references).await?.refuse()?;
    check(&row)?;
    match scope.delete::<E>(&tx, id).await {
        Err(error @ Error::InUse(_)) => {
            tx.rollback().await?;
            by::<E>(db, scope, id, references).await?.refuse()?;
            Err(error)
        }
        outcome => {
            outcome?;
            tx.commit().await
        }
    }
}
