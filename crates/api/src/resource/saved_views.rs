//! Saved views of lists over HTTP.

use chrono::{DateTime, Utc};
use http_api::{
    access::{Authorized, InSession},
    answer::{Created, NoContent, OkJson, Unpaged, created, no_content, ok_json},
    input::{Body, Db, Id, ListName},
    publish,
    routes::{Answer, Routes},
};
use identity::saved_view::{
    self, DefaultViewInput, SavedView, SavedViewDetail, SavedViewInput, SavedViews, ViewState,
};
use serde::Serialize;
use utoipa::ToSchema;
use values::{Validated, may};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, SavedViews: list, create, update, delete, choose);
}

/// Filters, sort, columns and density of a list, saved under a name.
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
#[derive(Serialize, ToSchema)]
#[schema(as = SavedView)]
struct View {
    id: i64,
    #[schema(example = "articles")]
    list: String,
    #[schema(example = "Träger ab 200")]
    name: String,
    /// True if others see it.
    shared: bool,
    state: ViewState,
    /// Name of the user who created it.
    #[schema(example = "Eva Lindner")]
    user: String,
    /// True if the caller created it.
    own: bool,
    /// True if the caller may change it.
    writable: bool,
    /// True if the list opens with it for the caller.
    default: bool,
    /// Number of changes so far; send it back with a change.
    version: i64,
    updated_at: DateTime<Utc>,
}

impl From<SavedViewDetail> for View {
    fn from(SavedViewDetail { view, user, own, writable, default }: SavedViewDetail) -> Self {
        let SavedView { id, list, name, shared, state, version, updated_at, .. } = view;
        Self { id, list, name, shared, state, user, own, writable, default, version, updated_at }
    }
}

/// Lists the caller's own views of a list, and those that others share.
#[utoipa::path(get, path = "/api/admin/views")]
async fn list(
    by: InSession<Authorized<may::AccessAdmin>>,
    Db(db): Db,
    ListName(list): ListName,
) -> Answer<OkJson<Unpaged<View>>> {
    let views = saved_view::list(&db, by.scope(), &list).await?;
    Ok(ok_json(Unpaged { data: views.into_iter().map(View::from).collect() }))
}

/// Saves a view; sharing it needs the permission for that.
#[utoipa::path(post, path = "/api/admin/views")]
async fn create(
    by: InSession<Authorized<may::AccessAdmin>>,
    Db(db): Db,
    Body(input): Body<Validated<SavedViewInput>>,
) -> Answer<Created<View>> {
    Ok(created(saved_view::create(&db, by.scope(), input).await?))
}

/// Changes a view of the caller, or a shared one with the permission to share.
#[utoipa::path(put, path = "/api/admin/views/{id}")]
async fn update(
    by: InSession<Authorized<may::AccessAdmin>>,
    Db(db): Db,
    Id(id): Id,
    Body(input): Body<Validated<SavedViewInput>>,
) -> Answer<OkJson<View>> {
    Ok(ok_json(saved_view::update(&db, by.scope(), id, input).await?))
}

/// Deletes a view of the caller, or a shared one with the permission to share.
#[utoipa::path(delete, path = "/api/admin/views/{id}")]
async fn delete(by: InSession<Authorized<may::AccessAdmin>>, Db(db): Db, Id(id): Id) -> Answer<NoContent> {
    Ok(no_content(saved_view::delete(&db, by.scope(), id).await?))
}

/// Selects the view that a list opens with.
#[utoipa::path(put, path = "/api/admin/views/default")]
async fn choose(
    by: InSession<Authorized<may::AccessAdmin>>,
    Db(db): Db,
    Body(input): Body<Validated<DefaultViewInput>>,
) -> Answer<NoContent> {
    Ok(no_content(saved_view::set_default_view(&db, by.scope(), input).await?))
}
