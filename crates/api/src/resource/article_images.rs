//! Pictures of articles over HTTP.

use catalog::{
    article::{self, image::ArticleImages},
    image::{self, Size},
    may,
};
use http_api::{
    access::Authorized,
    answer::{OkJson, ok_json},
    input::{Id, RequestInfo},
    picture::{CacheVersions, ImageForm, PictureAnswer, picture_answer},
    publish,
    routes::{Answer, Routes},
    upload::Upload,
};
use store::Scope;

use crate::{
    resource::articles::ArticleView,
    state::{Server, State},
};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, "article_images": view, thumbnail, update, delete);
}

async fn picture_of(
    state: &State,
    scope: &Scope,
    id: i64,
    size: Size,
    versions: CacheVersions,
) -> Answer<PictureAnswer> {
    let image = image::get::<ArticleImages>(&state.db, scope, id, ()).await?;
    let (key, media_type) = image.file(size);
    Ok(picture_answer(&state.storage, versions, image.sha256.clone(), key, media_type).await?)
}

/// Shows an article's own picture.
#[utoipa::path(get, path = "/api/admin/articles/{id}/image")]
async fn view(
    by: Authorized<may::ViewArticle>,
    Server(state): Server,
    Id(id): Id,
    versions: CacheVersions,
) -> Answer<PictureAnswer> {
    picture_of(&state, by.scope(), id, Size::Full, versions).await
}

/// Shows an article's own picture in the size for lists.
#[utoipa::path(get, path = "/api/admin/articles/{id}/image/thumbnail")]
async fn thumbnail(
    by: Authorized<may::ViewArticle>,
    Server(state): Server,
    Id(id): Id,
    versions: CacheVersions,
) -> Answer<PictureAnswer> {
    picture_of(&state, by.scope(), id, Size::Thumbnail, versions).await
}

/// Sets an article's own picture and replaces an existing one.
#[utoipa::path(put, path = "/api/admin/articles/{id}/image")]
async fn update(
    by: Authorized<may::UpdateArticle>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
    Upload { form, file }: Upload<ImageForm>,
) -> Answer<OkJson<ArticleView>> {
    let (db, storage, upload) = (&state.db, &state.storage, file.content.path());
    image::set::<ArticleImages>(db, storage, by.scope(), id, (), form.version, upload).await?;
    Ok(ok_json((article::get(db, by.scope(), id).await?, request.language)))
}

/// Removes an article's own picture.
#[utoipa::path(delete, path = "/api/admin/articles/{id}/image")]
async fn delete(
    by: Authorized<may::UpdateArticle>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
) -> Answer<OkJson<ArticleView>> {
    image::remove::<ArticleImages>(&state.db, &state.storage, by.scope(), id, ()).await?;
    Ok(ok_json((article::get(&state.db, by.scope(), id).await?, request.language)))
}
