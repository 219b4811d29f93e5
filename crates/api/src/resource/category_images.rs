//! Pictures of categories over HTTP.

use catalog::{
    category::{
        self,
        image::{CategoryImages, ImageKind},
    },
    image::{self, Size},
    may,
};
use http_api::{
    access::Authorized,
    answer::{OkJson, ok_json},
    input::Id,
    picture::{CacheVersions, ImageForm, PictureAnswer, picture_answer},
    publish,
    routes::{Answer, Routes},
    upload::Upload,
};
use store::Scope;

use crate::{
    resource::categories::CategoryView,
    state::{Server, State},
};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, "category_images": view, thumbnail, update, delete);
    publish!(routes, "category_images": view_article_type, thumbnail_article_type, update_article_type, delete_article_type);
}

async fn picture_of(
    state: &State,
    scope: &Scope,
    id: i64,
    kind: ImageKind,
    size: Size,
    versions: CacheVersions,
) -> Answer<PictureAnswer> {
    let image = image::get::<CategoryImages>(&state.db, scope, id, kind).await?;
    let (key, media_type) = image.file(size);
    Ok(picture_answer(&state.storage, versions, image.sha256.clone(), key, media_type).await?)
}

async fn store_picture(
    state: &State,
    scope: &Scope,
    id: i64,
    kind: ImageKind,
    Upload { form, file }: Upload<ImageForm>,
) -> Answer<OkJson<CategoryView>> {
    let (db, storage, upload) = (&state.db, &state.storage, file.content.path());
    image::set::<CategoryImages>(db, storage, scope, id, kind, form.version, upload).await?;
    Ok(ok_json(category::get(db, scope, id).await?))
}

async fn delete_picture(
    state: &State,
    scope: &Scope,
    id: i64,
    kind: ImageKind,
) -> Answer<OkJson<CategoryView>> {
    image::remove::<CategoryImages>(&state.db, &state.storage, scope, id, kind).await?;
    Ok(ok_json(category::get(&state.db, scope, id).await?))
}

/// Shows a category's picture.
#[utoipa::path(get, path = "/api/admin/categories/{id}/image")]
async fn view(
    by: Authorized<may::ViewCategory>,
    Server(state): Server,
    Id(id): Id,
    versions: CacheVersions,
) -> Answer<PictureAnswer> {
    picture_of(&state, by.scope(), id, ImageKind::Category, Size::Full, versions).await
}

/// Shows a category's picture in the size for lists.
#[utoipa::path(get, path = "/api/admin/categories/{id}/image/thumbnail")]
async fn thumbnail(
    by: Authorized<may::ViewCategory>,
    Server(state): Server,
    Id(id): Id,
    versions: CacheVersions,
) -> Answer<PictureAnswer> {
    picture_of(&state, by.scope(), id, ImageKind::Category, Size::Thumbnail, versions).await
}

/// Sets a category's picture and replaces an existing one.
#[utoipa::path(put, path = "/api/admin/categories/{id}/image")]
async fn update(
    by: Authorized<may::UpdateCategory>,
    Server(state): Server,
    Id(id): Id,
    upload: Upload<ImageForm>,
) -> Answer<OkJson<CategoryView>> {
    store_picture(&state, by.scope(), id, ImageKind::Category, upload).await
}

/// Removes a category's picture.
#[utoipa::path(delete, path = "/api/admin/categories/{id}/image")]
async fn delete(
    by: Authorized<may::UpdateCategory>,
    Server(state): Server,
    Id(id): Id,
) -> Answer<OkJson<CategoryView>> {
    delete_picture(&state, by.scope(), id, ImageKind::Category).await
}

/// Shows the picture of a category's articles.
#[utoipa::path(get, path = "/api/admin/categories/{id}/article-type-image")]
async fn view_article_type(
    by: Authorized<may::ViewCategory>,
    Server(state): Server,
    Id(id): Id,
    versions: CacheVersions,
) -> Answer<PictureAnswer> {
    picture_of(&state, by.scope(), id, ImageKind::ArticleType, Size::Full, versions).await
}

/// Shows the picture of a category's articles in the size for lists.
#[utoipa::path(get, path = "/api/admin/categories/{id}/article-type-image/thumbnail")]
async fn thumbnail_article_type(
    by: Authorized<may::ViewCategory>,
    Server(state): Server,
    Id(id): Id,
    versions: CacheVersions,
) -> Answer<PictureAnswer> {
    picture_of(&state, by.scope(), id, ImageKind::ArticleType, Size::Thumbnail, versions).await
}

/// Sets the picture of a category's articles and replaces an existing one.
#[utoipa::path(put, path = "/api/admin/categories/{id}/article-type-image")]
async fn update_article_type(
    by: Authorized<may::UpdateCategory>,
    Server(state): Server,
    Id(id): Id,
    upload: Upload<ImageForm>,
) -> Answer<OkJson<CategoryView>> {
    store_picture(&state, by.scope(), id, ImageKind::ArticleType, upload).await
}

/// Removes the picture of a category's articles.
#[utoipa::path(delete, path = "/api/admin/categories/{id}/article-type-image")]
async fn delete_article_type(
    by: Authorized<may::UpdateCategory>,
    Server(state): Server,
    Id(id): Id,
) -> Answer<OkJson<CategoryView>> {
    delete_picture(&state, by.scope(), id, ImageKind::ArticleType).await
}
