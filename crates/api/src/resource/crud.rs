//! Standard operations of a resource. A resource implements [`Readable`], [`Writable`] or [`Deletable`], and
//! publishes each operation with its permission and documentation. A handler of its own is needed only if
//! something differs.

use std::marker::PhantomData;

use kernel::{
    Database, Input, Language, Listed, Recorded, Result, Scope, Snapshot, Validated, in_use::Usage,
    permission::Grants, usage,
};
use sea_orm::{ConnectionTrait, FromQueryResult};
use serde::{Serialize, de::DeserializeOwned};
use utoipa::{
    ToSchema,
    openapi::{HttpMethod, path::OperationBuilder},
};

use crate::{
    http::{
        access::Authorized,
        answer::{
            Created, Download, NoContent, OkJson, OkPage, Unpaged, created, no_content, ok_json, ok_page,
        },
        bulk::{self, BulkChange, BulkOutcome, Filters, Selection},
        export::{Column, Export, ExtraColumns},
        if_match::IfMatch,
        input::{Body, Db, Id, List, RequestInfo},
        routes::{Answer, PublishedHandler, Routes},
    },
    resource::{
        self,
        record_update::{self, UnversionedField, Updatable},
    },
    state::State,
};

/// A resource whose records are listed and shown.
pub(crate) trait Readable: Listed + Recorded<Model: FromQueryResult + Send + Sync> + 'static {
    /// Row with its related data.
    type Detail: Send + 'static;
    /// View that the API returns.
    type View: From<Self::Detail> + Serialize + ToSchema + 'static;

    /// Loads the related data of rows, in the same order.
    async fn detailed(
        db: &impl ConnectionTrait,
        scope: &Scope,
        rows: Vec<Self::Model>,
    ) -> Result<Vec<Self::Detail>>;

    /// Scope with which the caller reads. It is not narrowed to the tenant they act for where they choose
    /// that tenant from the list.
    fn reading_scope(scope: &Scope) -> Scope {
        *scope
    }
}

/// A resource whose list can be exported, one line for each record.
pub(crate) trait Exportable: Readable {
    const COLUMNS: &'static [Column<Self::Detail>];

    /// Further columns, whose number depends on the rows.
    async fn further(_: &Snapshot, _: &Scope, _: Language) -> Result<ExtraColumns<Self::Detail>> {
        Ok(ExtraColumns::default())
    }
}

/// A resource whose records are created and changed by the same input.
pub(crate) trait Writable: Readable {
    type Input: Input + DeserializeOwned + ToSchema + 'static;
    /// Read-only fields that change without a new version of the record.
    const UNVERSIONED_FIELDS: &'static [(&'static str, UnversionedField)] = &[];

    /// Returns the states that the record had within its present version.
    async fn former_states(_: &Database, _: &Scope, _: i64) -> Result<Vec<Self::Detail>> {
        Ok(Vec::new())
    }

    async fn create(db: &Database, scope: &Scope, input: Validated<Self::Input>) -> Result<Self::Detail>;

    async fn update(
        db: &Database,
        scope: &Scope,
        id: i64,
        input: Validated<Self::Input>,
    ) -> Result<Self::Detail>;
}

impl<R: Writable<Detail: Clone>> Updatable for R {
    type Input = <R as Writable>::Input;
    type Detail = <R as Readable>::Detail;
    type View = <R as Readable>::View;
    const UNVERSIONED_FIELDS: &'static [(&'static str, UnversionedField)] =
        <R as Writable>::UNVERSIONED_FIELDS;

    async fn former_states(state: &State, scope: &Scope, id: i64) -> Result<Vec<Self::Detail>> {
        <R as Writable>::former_states(&state.db, scope, id).await
    }

    async fn load_detail(state: &State, scope: &Scope, row: Self::Model) -> Result<Self::Detail> {
        Ok(R::detailed(&state.db, scope, vec![row]).await?.remove(0))
    }

    fn build_view(detail: Self::Detail, _: Language) -> Self::View {
        detail.into()
    }

    fn reading_scope(scope: &Scope) -> Scope {
        <R as Readable>::reading_scope(scope)
    }

    async fn create(state: &State, scope: &Scope, input: Validated<Self::Input>) -> Result<Self::Detail> {
        <R as Writable>::create(&state.db, scope, input).await
    }

    async fn update(
        state: &State,
        scope: &Scope,
        id: i64,
        input: Validated<Self::Input>,
    ) -> Result<Self::Detail> {
        <R as Writable>::update(&state.db, scope, id, input).await
    }
}

/// A resource whose records are deleted without confirmation.
pub(crate) trait Deletable: Listed + Recorded + 'static {
    async fn delete(db: &Database, scope: &Scope, id: i64) -> Result<()>;
}

/// A resource with a bulk change of one field.
pub(crate) trait Changeable: Listed + Recorded + 'static {
    type Change: DeserializeOwned + ToSchema + 'static;

    async fn change(db: &Database, scope: &Scope, id: i64, change: &Self::Change) -> Result<()>;
}

/// Implements these traits by the functions of a domain module:
///
/// - `crud!(TradeDimensions in trade_dimension: TradeDimensionDetail => TradeDimensionView, TradeDimensionInput)`
///   calls its `detailed`, `create`, `update` and `delete`; with `rows` no related data are loaded.
/// - `crud!(changes ...)` calls its `change`.
/// - `crud!(writes Materials in material, cascade: ...)` calls `update` of another module, for records whose
///   changes also change articles.
macro_rules! crud {
    ($table:ident in $domain:ident: rows => $view:ty, $input:ty) => {
        $crate::resource::crud::crud!(reads $table: rows => $view);
        $crate::resource::crud::crud!(writes $table in $domain: <$table as sea_orm::EntityTrait>::Model, $input);
        $crate::resource::crud::crud!(deletes $table in $domain);
    };
    (reads $table:ident: rows => $view:ty) => {
        impl $crate::resource::crud::Readable for $table {
            type Detail = Self::Model;
            type View = $view;

            async fn detailed(
                _: &impl sea_orm::ConnectionTrait,
                _: &kernel::Scope,
                rows: Vec<Self::Model>,
            ) -> kernel::Result<Vec<Self::Model>> {
                Ok(rows)
            }
        }
    };
    ($table:ident in $domain:ident: $detail:ty => $view:ty, $input:ty) => {
        $crate::resource::crud::crud!(reads $table in $domain: $detail => $view);
        $crate::resource::crud::crud!(writes $table in $domain: $detail, $input);
        $crate::resource::crud::crud!(deletes $table in $domain);
    };
    (reads $table:ident in $domain:ident: $detail:ty => $view:ty) => {
        impl $crate::resource::crud::Readable for $table {
            type Detail = $detail;
            type View = $view;

            async fn detailed(
                db: &impl sea_orm::ConnectionTrait,
                scope: &kernel::Scope,
                rows: Vec<Self::Model>,
            ) -> kernel::Result<Vec<$detail>> {
                $domain::detailed(db, scope, rows).await
            }
        }
    };
    (changes $table:ident in $domain:ident: $change:ty) => {
        impl $crate::resource::crud::Changeable for $table {
            type Change = $change;

            async fn change(
                db: &kernel::Database,
                scope: &kernel::Scope,
                id: i64,
                change: &$change,
            ) -> kernel::Result<()> {
                $domain::change(db, scope, id, change).await
            }
        }
    };
    (writes $table:ident in $domain:ident: $detail:ty, $input:ty) => {
        $crate::resource::crud::crud!(writes $table in $domain, $domain: $detail, $input);
    };
    (writes $table:ident in $domain:ident, $updates:ident: $detail:ty, $input:ty) => {
        impl $crate::resource::crud::Writable for $table {
            type Input = $input;

            async fn create(
                db: &kernel::Database,
                scope: &kernel::Scope,
                input: kernel::Validated<$input>,
            ) -> kernel::Result<$detail> {
                $domain::create(db, scope, input).await
            }

            async fn update(
                db: &kernel::Database,
                scope: &kernel::Scope,
                id: i64,
                input: kernel::Validated<$input>,
            ) -> kernel::Result<$detail> {
                $updates::update(db, scope, id, input).await
            }
        }
    };
    (deletes $table:ident in $domain:ident) => {
        impl $crate::resource::crud::Deletable for $table {
            async fn delete(db: &kernel::Database, scope: &kernel::Scope, id: i64) -> kernel::Result<()> {
                $domain::delete(db, scope, id).await
            }
        }
    };
}

/// Declares the view of a record, each field with the expression that gives it. A view begins with the id and
/// ends with the version and the times of `row`; a `part` is a view without these.
macro_rules! view_of {
    (
        $(#[$about:meta])*
        part $view:ident as $schema:ident, of $detail:ident: $type:ty;
        $($(#[$note:meta])* $field:ident: $shown:ty = $value:expr,)*
    ) => {
        #[derive(serde::Serialize, utoipa::ToSchema)]
        $(#[$about])*
        #[schema(as = $schema)]
        pub(crate) struct $view {
            $($(#[$note])* $field: $shown,)*
        }

        impl From<$type> for $view {
            fn from($detail: $type) -> Self {
                Self { $($field: $value,)* }
            }
        }
    };
    (
        $(#[$about:meta])*
        $view:ident as $schema:ident, of $detail:ident: $type:ty, row $row:expr;
        $($(#[$note:meta])* $field:ident: $shown:ty = $value:expr,)*
    ) => {
        #[derive(serde::Serialize, utoipa::ToSchema)]
        $(#[$about])*
        #[schema(as = $schema)]
        pub(crate) struct $view {
            id: i64,
            $($(#[$note])* $field: $shown,)*
            /// Number of changes so far; send it back with a change.
            version: i64,
            created_at: chrono::DateTime<chrono::Utc>,
            updated_at: chrono::DateTime<chrono::Utc>,
        }

        impl From<$type> for $view {
            fn from($detail: $type) -> Self {
                Self {
                    id: $row.id,
                    version: $row.version,
                    created_at: $row.created_at,
                    updated_at: $row.updated_at,
                    $($field: $value,)*
                }
            }
        }
    };
}

pub(crate) use {crud, view_of};

/// Publishes standard operations under `path`, each with its permission and its documentation.
pub(crate) fn operations<'r, R: Recorded>(routes: &'r mut Routes, path: &'static str) -> Operations<'r, R> {
    Operations { routes, path, resource: PhantomData }
}

pub(crate) struct Operations<'r, R> {
    routes: &'r mut Routes,
    path: &'static str,
    resource: PhantomData<R>,
}

impl<R: Recorded> Operations<'_, R> {
    pub(super) fn publish<H: PublishedHandler<Args>, Args>(
        self,
        method: HttpMethod,
        below: &str,
        name: &str,
        about: &str,
        handler: H,
    ) -> Self {
        let operation = OperationBuilder::new().summary(Some(about)).build();
        let path = format!("{}{below}", self.path);
        self.routes.add(method, path, operation, R::RESOURCE.name, name, handler);
        self
    }
}

impl<R: Readable> Operations<'_, R> {
    pub(crate) fn list<P: Grants>(self, about: &str) -> Self {
        self.publish(HttpMethod::Get, "", "list", about, list::<R, P>)
    }

    pub(crate) fn view<P: Grants>(self, about: &str) -> Self {
        self.publish(HttpMethod::Get, "/{id}", "view", about, view::<R, P>)
    }

    pub(crate) fn usage<P: Grants>(self, about: &str) -> Self {
        self.publish(HttpMethod::Get, "/{id}/usage", "usage", about, usage::<R, P>)
    }
}

impl<R: Exportable> Operations<'_, R> {
    pub(crate) fn export<P: Grants>(self, about: &str) -> Self {
        self.publish(HttpMethod::Get, "/export", "export", about, export::<R, P>)
    }
}

impl<R: Writable> Operations<'_, R> {
    pub(crate) fn create<P: Grants>(self, about: &str) -> Self {
        self.publish(HttpMethod::Post, "", "create", about, create::<R, P>)
    }
}

impl<R: Updatable> Operations<'_, R> {
    /// Publishes PUT for the whole record and PATCH for some fields.
    pub(crate) fn update<P: Grants>(self, about: &str) -> Self {
        let patch = format!("{about} Changes only the fields that are sent.");
        self.publish(HttpMethod::Put, "/{id}", "update", about, record_update::update::<R, P>).publish(
            HttpMethod::Patch,
            "/{id}",
            "patch",
            &patch,
            record_update::patch::<R, P>,
        )
    }
}

impl<R: Deletable> Operations<'_, R> {
    pub(crate) fn delete<P: Grants>(self, about: &str) -> Self {
        self.publish(HttpMethod::Delete, "/{id}", "delete", about, delete::<R, P>)
    }

    pub(crate) fn bulk_delete<P: Grants>(self, about: &str) -> Self {
        self.publish(HttpMethod::Post, "/bulk-delete", "bulk_delete", about, bulk_delete::<R, P>)
    }
}

impl<R: Changeable> Operations<'_, R> {
    pub(crate) fn bulk_change<P: Grants>(self, about: &str) -> Self {
        self.publish(HttpMethod::Post, "/bulk-change", "bulk_change", about, bulk_change::<R, P>)
    }
}

async fn list<R: Readable, P: Grants>(
    by: Authorized<P>,
    Db(db): Db,
    List(query): List<R>,
) -> Answer<OkPage<R::View>> {
    let scope = R::reading_scope(by.scope());
    let page = query.resolved(&db).await?.fetch::<R::Model>(&db, &scope, |select| select).await?;
    Ok(ok_page(page.detailed(async |rows| R::detailed(&db, &scope, rows).await).await?))
}

async fn export<R: Exportable, P: Grants>(by: Authorized<P>, export: Export<R>) -> Answer<Download> {
    let scope = R::reading_scope(by.scope());
    let detailed = async |db: &_, rows| R::detailed(db, &scope, rows).await;
    let language = export.language;
    let further = async |db: &_| R::further(db, &scope, language).await;
    Ok(export.table_with(&scope, resource::texts_of::<R>()?, R::COLUMNS, further, detailed).await?)
}

async fn create<R: Writable, P: Grants>(
    by: Authorized<P>,
    Db(db): Db,
    Body(input): Body<Validated<R::Input>>,
) -> Answer<Created<R::View>> {
    Ok(created(R::create(&db, by.scope(), input).await?))
}

async fn view<R: Readable, P: Grants>(by: Authorized<P>, Db(db): Db, Id(id): Id) -> Answer<OkJson<R::View>> {
    let scope = R::reading_scope(by.scope());
    let row = scope.get::<R>(&db, id).await?;
    Ok(ok_json(R::detailed(&db, &scope, vec![row]).await?.remove(0)))
}

async fn delete<R: Deletable, P: Grants>(
    by: Authorized<P>,
    Db(db): Db,
    Id(id): Id,
    IfMatch(version): IfMatch,
) -> Answer<NoContent> {
    if version.is_some() {
        by.scope().refuse_change::<R>(&db, id, version).await?;
    }
    Ok(no_content(<R as Deletable>::delete(&db, by.scope(), id).await?))
}

async fn bulk_delete<R: Deletable, P: Grants>(
    by: Authorized<P>,
    Db(db): Db,
    RequestInfo(request): RequestInfo,
    filters: Filters<R>,
    Body(selection): Body<Selection>,
) -> Answer<OkJson<BulkOutcome>> {
    let one = async |id, _: &str| <R as Deletable>::delete(&db, by.scope(), id).await;
    let records = (&db, by.scope());
    Ok(ok_json(bulk::apply_to_each(records, &filters, &selection, request.language, one).await?))
}

async fn bulk_change<R: Changeable, P: Grants>(
    by: Authorized<P>,
    Db(db): Db,
    RequestInfo(request): RequestInfo,
    filters: Filters<R>,
    Body(BulkChange { selection, change }): Body<BulkChange<R::Change>>,
) -> Answer<OkJson<BulkOutcome>> {
    let one = async |id, _: &str| R::change(&db, by.scope(), id, &change).await;
    let records = (&db, by.scope());
    Ok(ok_json(bulk::apply_to_each(records, &filters, &selection, request.language, one).await?))
}

async fn usage<R: Readable, P: Grants>(
    by: Authorized<P>,
    Db(db): Db,
    Id(id): Id,
) -> Answer<OkJson<Unpaged<Usage>>> {
    Ok(ok_json(usage::of::<R>(&db, &R::reading_scope(by.scope()), id).await?))
}
