//! Pictures of categories over HTTP.

use catalog::category_image::{self, ImageKind, Size};
use kernel::{Code, Result, Scope, Violations, may};
use storage::picture::MAX_BYTES;
use utoipa::ToSchema;

use crate::{
    http::{
        access::Authorized,
        answer::{Shown, shown},
        input::{Id, Server},
        picture::{Known, Shot, shot},
        routes::{Answer, Routes},
        upload::{Fields, Form, Upload},
    },
    publish,
    resource::categories::CategoryView,
    state::State,
};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, "category_images": view, thumbnail, update, delete);
    publish!(routes, "category_images": view_article_type, thumbnail_article_type, update_article_type, delete_article_type);
}

/// A picture to be shown.
#[derive(ToSchema)]
#[schema(as = ImageInput)]
struct ImageForm {
    /// PNG, JPEG or WebP, told apart by its content: up to 10 MiB, fewer than 40 megapixels.
    #[schema(value_type = String, format = Binary)]
    #[expect(dead_code, reason = "documentation: the file itself streams to the disk")]
    file: (),
    /// The category's version that was seen; an older one than the current is refused.
    version: Option<i64>,
}

impl Form for ImageForm {
    const MAX_BYTES: Option<u64> = Some(MAX_BYTES);

    fn read(mut fields: Fields) -> Result<Self> {
        let mut violations = Violations::new();
        let version = fields.remove("version").map(|text| text.parse().ok());
        if version == Some(None) {
            violations.add("version", Code::InvalidParameter.with("expected", "123"));
        }
        for unknown in fields.into_keys() {
            violations.add(unknown, Code::UnknownField);
        }
        violations.check()?;
        Ok(Self { file: (), version: version.flatten() })
    }
}

async fn one(
    state: &State,
    scope: &Scope,
    id: i64,
    kind: ImageKind,
    size: Size,
    known: Known,
) -> Answer<Shot> {
    let image = category_image::get(&state.db, scope, id, kind).await?;
    Ok(shot(&state.storage, known, image.sha256.clone(), image.file(size)).await?)
}

async fn set(
    state: &State,
    scope: &Scope,
    id: i64,
    kind: ImageKind,
    Upload { form, file }: Upload<ImageForm>,
) -> Answer<Shown<CategoryView>> {
    let upload = file.content.path();
    let set = category_image::set(&state.db, &state.storage, scope, id, kind, form.version, upload).await?;
    Ok(shown(set))
}

async fn remove(state: &State, scope: &Scope, id: i64, kind: ImageKind) -> Answer<Shown<CategoryView>> {
    Ok(shown(category_image::remove(&state.db, &state.storage, scope, id, kind).await?))
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

/// Shows a category's picture as it stands in lists.
#[utoipa::path(get, path = "/api/admin/categories/{id}/image/thumbnail")]
async fn thumbnail(
    by: Authorized<may::ViewCategory>,
    Server(state): Server,
    Id(id): Id,
    known: Known,
) -> Answer<Shot> {
    one(&state, by.scope(), id, ImageKind::Category, Size::Thumbnail, known).await
}

/// Gives a category a picture, in the place of the one it has.
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

/// Shows the picture of a category's articles as it stands in lists.
#[utoipa::path(get, path = "/api/admin/categories/{id}/article-type-image/thumbnail")]
async fn thumbnail_article_type(
    by: Authorized<may::ViewCategory>,
    Server(state): Server,
    Id(id): Id,
    known: Known,
) -> Answer<Shot> {
    one(&state, by.scope(), id, ImageKind::ArticleType, Size::Thumbnail, known).await
}

/// Gives a category a picture of its articles, in the place of the one it has.
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
