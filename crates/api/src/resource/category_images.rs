//! Pictures of categories over HTTP.

use catalog::{
    category::{
        self,
        image::{CategoryImages, ImageKind},
    },
    image::{self, Size},
};
use kernel::{Scope, may};

use crate::{
    http::{
        access::Authorized,
        answer::{Shown, shown},
        input::{Id, Server},
        picture::{ImageForm, Known, Shot, shot},
        routes::{Answer, Routes},
        upload::Upload,
    },
    publish,
    resource::categories::CategoryView,
    state::State,
};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, "category_images": view, thumbnail, update, delete);
    publish!(routes, "category_images": view_article_type, thumbnail_article_type, update_article_type, delete_article_type);
}

async fn one(
    state: &State,
    scope: &Scope,
    id: i64,
    kind: ImageKind,
    size: Size,
    known: Known,
) -> Answer<Shot> {
    let image = image::get::<CategoryImages>(&state.db, scope, id, kind).await?;
    Ok(shot(&state.storage, known, image.sha256.clone(), image.file(size)).await?)
}

async fn set(
    state: &State,
    scope: &Scope,
    id: i64,
    kind: ImageKind,
    Upload { form, file }: Upload<ImageForm>,
) -> Answer<Shown<CategoryView>> {
    let (db, storage, upload) = (&state.db, &state.storage, file.content.path());
    image::set::<CategoryImages>(db, storage, scope, id, kind, form.version, upload).await?;
    Ok(shown(category::get(db, scope, id).await?))
}

async fn remove(state: &State, scope: &Scope, id: i64, kind: ImageKind) -> Answer<Shown<CategoryView>> {
    image::remove::<CategoryImages>(&state.db, &state.storage, scope, id, kind).await?;
    Ok(shown(category::get(&state.db, scope, id).await?))
}

/// Shows a category's picture.
#[utoipa::path(get, path = "/api/admin/categories/{id}/image")]
async fn view(
    by: Authorized<may::ViewCategory>,
    Server(state): Server,
    Id(id): Id,
    known: Known,
) -> Answer<Shot> {
    one(&state, by.scope(), id, ImageKind::Category, Size::Full, known).await
}

/// Shows a category's picture in the size for lists.
#[utoipa::path(get, path = "/api/admin/categories/{id}/image/thumbnail")]
async fn thumbnail(
    by: Authorized<may::ViewCategory>,
    Server(state): Server,
    Id(id): Id,
    known: Known,
) -> Answer<Shot> {
    one(&state, by.scope(), id, ImageKind::Category, Size::Thumbnail, known).await
}

/// Sets a category's picture and replaces an existing one.
#[utoipa::path(put, path = "/api/admin/categories/{id}/image")]
async fn update(
    by: Authorized<may::UpdateCategory>,
    Server(state): Server,
    Id(id): Id,
    upload: Upload<ImageForm>,
) -> Answer<Shown<CategoryView>> {
    set(&state, by.scope(), id, ImageKind::Category, upload).await
}

/// Removes a category's picture.
#[utoipa::path(delete, path = "/api/admin/categories/{id}/image")]
async fn delete(
    by: Authorized<may::UpdateCategory>,
    Server(state): Server,
    Id(id): Id,
) -> Answer<Shown<CategoryView>> {
    remove(&state, by.scope(), id, ImageKind::Category).await
}

/// Shows the picture of a category's articles.
#[utoipa::path(get, path = "/api/admin/categories/{id}/article-type-image")]
async fn view_article_type(
    by: Authorized<may::ViewCategory>,
    Server(state): Server,
    Id(id): Id,
    known: Known,
) -> Answer<Shot> {
    one(&state, by.scope(), id, ImageKind::ArticleType, Size::Full, known).await
}

/// Shows the picture of a category's articles in the size for lists.
#[utoipa::path(get, path = "/api/admin/categories/{id}/article-type-image/thumbnail")]
async fn thumbnail_article_type(
    by: Authorized<may::ViewCategory>,
    Server(state): Server,
    Id(id): Id,
    known: Known,
) -> Answer<Shot> {
    one(&state, by.scope(), id, ImageKind::ArticleType, Size::Thumbnail, known).await
}

/// Sets the picture of a category's articles and replaces an existing one.
#[utoipa::path(put, path = "/api/admin/categories/{id}/article-type-image")]
async fn update_article_type(
    by: Authorized<may::UpdateCategory>,
    Server(state): Server,
    Id(id): Id,
    upload: Upload<ImageForm>,
) -> Answer<Shown<CategoryView>> {
    set(&state, by.scope(), id, ImageKind::ArticleType, upload).await
}

/// Removes the picture of a category's articles.
#[utoipa::path(delete, path = "/api/admin/categories/{id}/article-type-image")]
async fn delete_article_type(
    by: Authorized<may::UpdateCategory>,
    Server(state): Server,
    Id(id): Id,
) -> Answer<Shown<CategoryView>> {
    remove(&state, by.scope(), id, ImageKind::ArticleType).await
}
