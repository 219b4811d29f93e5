//! Standard operations of a resource. Its domain implements what can be done with the records
//! ([`lists::managed`]), its file here [`HasView`]. It publishes each operation with its permission and
//! documentation. A handler of its own is needed only if something differs.

use std::marker::PhantomData;

use http_api::{
    access::Authorized,
    answer::{Created, Download, NoContent, OkJson, OkPage, Unpaged, created, no_content, ok_json, ok_page},
    bulk::{self, BulkChange, BulkOutcome, Filters, Selection},
    export::{Column, Export, ExtraColumns},
    if_match::IfMatch,
    input::{Body, Db, Id, List, RequestInfo},
    routes::{Answer, PublishedHandler, Routes},
};
use lists::{Changeable, Creatable, Deletable, Detailed};
use store::{Recorded, Scope, Snapshot, usage};
use utoipa::openapi::{HttpMethod, path::OperationBuilder};
use values::{Language, Result, Validated, in_use::Usage, permission::Grants};

use crate::{
    resource::{
        self, record_update,
        view::{DataSource, HasView, Writable, load_detail},
    },
    state::Server,
};

/// A resource whose list can be exported, one line for each record.
pub(crate) trait Exportable: HasView + Detailed<Snapshot> {
    const COLUMNS: &'static [Column<<Self as Detailed<Snapshot>>::Detail>];

    /// Further columns, whose number depends on the rows.
    async fn further(
        _: &Snapshot,
        _: &Scope,
        _: Language,
    ) -> Result<ExtraColumns<<Self as Detailed<Snapshot>>::Detail>> {
        Ok(ExtraColumns::default())
    }
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

        impl From<($type, values::Language)> for $view {
            fn from((detail, _): ($type, values::Language)) -> Self {
                detail.into()
            }
        }
    };
}

pub(crate) use view_of;

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

impl<R: HasView> Operations<'_, R> {
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

impl<R: HasView + Creatable<<R as HasView>::Source>> Operations<'_, R> {
    pub(crate) fn create<P: Grants>(self, about: &str) -> Self {
        self.publish(HttpMethod::Post, "", "create", about, create::<R, P>)
    }
}

impl<R: Writable> Operations<'_, R> {
    /// Publishes PUT for the whole record and PATCH for some fields.
    pub(crate) fn update<P: Grants>(self, about: &str) -> Self {
        let patch = format!("{about} Changes only the fields that are sent.");
        self.publish(HttpMethod::Put, "/{id}", "update", about, record_update::put::<R, P>).publish(
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

async fn list<R: HasView, P: Grants>(
    by: Authorized<P>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    List(query): List<R>,
) -> Answer<OkPage<R::View>> {
    let (scope, source) = (R::reading_scope(by.scope()), R::Source::from_state(&state));
    let page = query.resolved(&state.db).await?;
    let page = page.fetch::<R::Model>(&state.db, &scope, |select| select).await?;
    let page = page.detailed(async |rows| R::detailed(source, &scope, rows).await).await?;
    Ok(ok_page(page.map(|detail| (detail, request.language))))
}

async fn export<R: Exportable, P: Grants>(by: Authorized<P>, export: Export<R>) -> Answer<Download> {
    let scope = R::reading_scope(by.scope());
    let detailed = async |db: &Snapshot, rows| <R as Detailed<Snapshot>>::detailed(db, &scope, rows).await;
    let language = export.language;
    let further = async |db: &_| R::further(db, &scope, language).await;
    Ok(export.table_with(&scope, resource::texts_of::<R>()?, R::COLUMNS, further, detailed).await?)
}

async fn create<R: HasView + Creatable<<R as HasView>::Source>, P: Grants>(
    by: Authorized<P>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    Body(input): Body<Validated<R::Input>>,
) -> Answer<Created<R::View>> {
    let detail = R::create(R::Source::from_state(&state), by.scope(), input).await?;
    Ok(created((detail, request.language)))
}

async fn view<R: HasView, P: Grants>(
    by: Authorized<P>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
) -> Answer<OkJson<R::View>> {
    let scope = R::reading_scope(by.scope());
    let row = scope.get::<R>(&state.db, id).await?;
    Ok(ok_json((load_detail::<R>(&state, &scope, row).await?, request.language)))
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
    Ok(ok_json(bulk::apply_to_each(&db, by.scope(), &filters, &selection, request.language, one).await?))
}

async fn bulk_change<R: Changeable, P: Grants>(
    by: Authorized<P>,
    Db(db): Db,
    RequestInfo(request): RequestInfo,
    filters: Filters<R>,
    Body(BulkChange { selection, change }): Body<BulkChange<R::Change>>,
) -> Answer<OkJson<BulkOutcome>> {
    let one = async |id, _: &str| R::change(&db, by.scope(), id, &change).await;
    Ok(ok_json(bulk::apply_to_each(&db, by.scope(), &filters, &selection, request.language, one).await?))
}

async fn usage<R: HasView, P: Grants>(
    by: Authorized<P>,
    Db(db): Db,
    Id(id): Id,
) -> Answer<OkJson<Unpaged<Usage>>> {
    Ok(ok_json(usage::find_usages::<R>(&db, &R::reading_scope(by.scope()), id).await?))
}
