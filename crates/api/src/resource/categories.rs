//! Categories over HTTP.

use catalog::{
    category::{
        self, Categories, Category, CategoryDetail, CategoryMoveInput, Inheritance, Inherited, NamedRecord,
        image::CategoryPictures,
    },
    image::{Image, ImageInfo},
    may,
};
use chrono::{DateTime, Utc};
use http_api::{
    access::Authorized,
    answer::{NoContent, OkJson, Unpaged, no_content, ok_json},
    export::{Column, time},
    input::{Body, Db, Id},
    publish,
    routes::{Answer, Routes},
};
use serde::Serialize;
use sheets::table::CellContent;
use store::Database;
use utoipa::ToSchema;
use values::Language;

use crate::{
    resource::{
        crud::{Exportable, operations},
        search::findable,
        view::HasView,
    },
    state::Server,
};

pub(crate) fn routes(routes: &mut Routes) {
    operations::<Categories>(routes, "/api/admin/categories")
        .list::<may::ListCategories>("Lists categories.")
        .export::<may::ListCategories>("Exports all categories that match the filters.")
        .create::<may::CreateCategory>("Creates a category as the last child of its parent.")
        .view::<may::ViewCategory>("Shows a category.")
        .update::<may::UpdateCategory>("Changes a category.")
        .usage::<may::ViewCategory>("Shows where a category is used.");
    publish!(routes, Categories: delete, tree, relocate);
}

/// Category of the shop's tree.
#[derive(Serialize, ToSchema)]
#[schema(as = Category)]
pub(crate) struct CategoryView {
    id: i64,
    /// Unique among its siblings, ignoring case.
    #[schema(example = "Träger")]
    name: String,
    /// Name for buyers; without it, the name.
    #[schema(required, example = "Träger und Profile")]
    display_name: Option<String>,
    /// Parent category; `null` at the top level.
    #[schema(required)]
    parent: Option<NamedView>,
    /// Type of the articles in it.
    #[schema(required)]
    article_type: Option<NamedView>,
    /// Picture of the category.
    #[schema(required)]
    image: Option<ImageView>,
    /// Picture of its articles, for example a section.
    #[schema(required)]
    article_type_image: Option<ImageView>,
    /// Values that apply if the category has none of its own.
    inherited: InheritanceView,
    /// Number of changes so far; send it back with a change.
    version: i64,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

/// Values inherited from the nearest category above that has them.
#[derive(Serialize, ToSchema)]
#[schema(as = CategoryInheritance)]
struct InheritanceView {
    #[schema(required)]
    article_type: Option<InheritedView>,
    #[schema(required)]
    image: Option<InheritedImageView>,
    #[schema(required)]
    article_type_image: Option<InheritedImageView>,
}

/// Record that a category above refers to.
#[derive(Serialize, ToSchema)]
#[schema(as = InheritedReference)]
struct InheritedView {
    id: i64,
    #[schema(example = "Langprodukte")]
    name: String,
    from: NamedView,
}

/// Picture of a category above; its bytes are at `…/{from.id}/image`.
#[derive(Serialize, ToSchema)]
#[schema(as = InheritedImage)]
struct InheritedImageView {
    #[schema(example = "3f2a9c")]
    version: String,
    from: NamedView,
}

/// A category in the tree.
#[derive(Serialize, ToSchema)]
#[schema(as = CategoryNode)]
struct NodeView {
    id: i64,
    #[schema(example = "Träger")]
    name: String,
    #[schema(required, example = "Träger und Profile")]
    display_name: Option<String>,
    #[schema(required)]
    parent_id: Option<i64>,
    /// Type of the articles in it.
    #[schema(required)]
    article_type: Option<NamedView>,
    /// Version of its picture, if it has one.
    #[schema(required, example = "3f2a9c")]
    image: Option<String>,
    version: i64,
}

/// A record that a category refers to.
#[derive(Serialize, ToSchema)]
#[schema(as = CategoryReference)]
struct NamedView {
    id: i64,
    #[schema(example = "Langprodukte")]
    name: String,
}

/// Picture; its bytes are at `…/image` and `…/image/thumbnail`.
#[derive(Serialize, ToSchema)]
#[schema(as = Image)]
pub(crate) struct ImageView {
    /// Version for the address of the picture: `…/image?v=…`.
    #[schema(example = "3f2a9c")]
    version: String,
    #[schema(example = 800)]
    width: i64,
    #[schema(example = 600)]
    height: i64,
}

impl From<(CategoryDetail, Language)> for CategoryView {
    fn from((detail, _): (CategoryDetail, Language)) -> Self {
        detail.into()
    }
}

impl From<CategoryDetail> for CategoryView {
    fn from(detail: CategoryDetail) -> Self {
        let CategoryDetail { category, mut above, article_type, images, inherited } = detail;
        let Category { id, name, display_name, version, created_at, updated_at, .. } = category;
        let CategoryPictures { category: image, article_type: article_type_image } = images;
        Self {
            id,
            name,
            display_name,
            parent: above.pop().map(NamedView::from),
            article_type: article_type.map(NamedView::from),
            image: image.map(ImageInfo::from).map(ImageView::from),
            article_type_image: article_type_image.map(ImageInfo::from).map(ImageView::from),
            inherited: inherited.into(),
            version,
            created_at,
            updated_at,
        }
    }
}

impl From<CategoryDetail> for NodeView {
    fn from(CategoryDetail { category, article_type, images, .. }: CategoryDetail) -> Self {
        let Category { id, name, display_name, parent_id, version, .. } = category;
        let article_type = article_type.map(NamedView::from);
        let image = images.category.map(|image| image.sha256);
        Self { id, name, display_name, parent_id, article_type, image, version }
    }
}

impl From<Inheritance> for InheritanceView {
    fn from(Inheritance { article_type, image, article_type_image }: Inheritance) -> Self {
        let picture = |Inherited { value, from }: Inherited<Image>| InheritedImageView {
            version: value.sha256,
            from: from.into(),
        };
        Self {
            article_type: article_type.map(|Inherited { value: NamedRecord { id, name }, from }| {
                InheritedView { id, name, from: from.into() }
            }),
            image: image.map(picture),
            article_type_image: article_type_image.map(picture),
        }
    }
}

impl From<NamedRecord> for NamedView {
    fn from(NamedRecord { id, name }: NamedRecord) -> Self {
        Self { id, name }
    }
}

impl From<ImageInfo> for ImageView {
    fn from(ImageInfo { version, width, height }: ImageInfo) -> Self {
        Self { version, width, height }
    }
}

impl HasView for Categories {
    type Source = Database;
    type View = CategoryView;
}

findable!(Categories, of detail => detail.above.last().map(|above| above.name.clone()));

impl Exportable for Categories {
    const COLUMNS: &'static [Column<CategoryDetail>] = &[
        ("name", |row, _| row.category.name.as_str().into()),
        ("display_name", |row, _| row.category.display_name.as_deref().into()),
        ("parent", |row, _| path(&row.above)),
        ("article_type", |row, _| {
            row.article_type.as_ref().map(|article_type| article_type.name.as_str()).into()
        }),
        ("updated_at", |row, _| time(row.category.updated_at)),
    ];
}

/// Path of a category: names are unique only among siblings, so all categories above it are named.
fn path(above: &[NamedRecord]) -> CellContent {
    CellContent::Text(above.iter().map(|category| category.name.as_str()).collect::<Vec<_>>().join(" › "))
}

/// Shows the whole tree: all categories, siblings in their order.
#[utoipa::path(get, path = "/api/admin/categories/tree")]
async fn tree(by: Authorized<may::ListCategories>, Db(db): Db) -> Answer<OkJson<Unpaged<NodeView>>> {
    let nodes = category::tree(&db, by.scope()).await?;
    Ok(OkJson(Unpaged { data: nodes.into_iter().map(NodeView::from).collect() }))
}

/// Moves a category with everything below it.
#[utoipa::path(post, path = "/api/admin/categories/{id}/move")]
async fn relocate(
    by: Authorized<may::UpdateCategory>,
    Db(db): Db,
    Id(id): Id,
    Body(input): Body<CategoryMoveInput>,
) -> Answer<OkJson<CategoryView>> {
    Ok(ok_json(category::relocate(&db, by.scope(), id, input).await?))
}

/// Deletes a category without subcategories, and its pictures.
#[utoipa::path(delete, path = "/api/admin/categories/{id}")]
async fn delete(by: Authorized<may::DeleteCategory>, Server(state): Server, Id(id): Id) -> Answer<NoContent> {
    Ok(no_content(category::delete(&state.db, &state.storage, by.scope(), id).await?))
}
