//! Groups of article types over HTTP.

use catalog::{
    article_type::group::{ArticleTypeGroupDetail, ArticleTypeGroups},
    may,
};
use http_api::{
    export::{Column, time},
    routes::Routes,
};
use store::Database;

use crate::resource::{
    crud::{Exportable, operations, view_of},
    search::findable,
    view::HasView,
};

pub(crate) fn routes(routes: &mut Routes) {
    operations::<ArticleTypeGroups>(routes, "/api/admin/article-type-groups")
        .list::<may::ListArticleTypeGroups>("Lists groups of article types.")
        .export::<may::ListArticleTypeGroups>("Exports all article type groups that match the filters.")
        .create::<may::CreateArticleTypeGroup>("Creates a group of article types.")
        .view::<may::ViewArticleTypeGroup>("Shows a group of article types.")
        .update::<may::UpdateArticleTypeGroup>("Changes a group of article types.")
        .delete::<may::DeleteArticleTypeGroup>("Deletes a group without article types.")
        .bulk_delete::<may::DeleteArticleTypeGroup>(
            "Deletes many groups of article types and leaves those that are in use.",
        )
        .usage::<may::ViewArticleTypeGroup>("Shows where a group of article types is used.");
}

view_of! {
    /// A group of article types.
    ArticleTypeGroupView as ArticleTypeGroup, of detail: ArticleTypeGroupDetail, row detail.group;
    /// Unique, ignoring case.
    #[schema(example = "Träger")]
    name: String = detail.group.name,
    #[schema(required, example = "I-, H- und U-Profile")]
    description: Option<String> = detail.group.description,
    /// Number of article types in the group.
    #[schema(example = 6)]
    article_type_count: u64 = detail.article_type_count,
}

impl HasView for ArticleTypeGroups {
    type Source = Database;
    type View = ArticleTypeGroupView;
}

findable!(ArticleTypeGroups, row => row.description);

impl Exportable for ArticleTypeGroups {
    const COLUMNS: &'static [Column<ArticleTypeGroupDetail>] = &[
        ("name", |row, _| row.group.name.as_str().into()),
        ("description", |row, _| row.group.description.as_deref().into()),
        ("article_type_count", |row, _| row.article_type_count.into()),
        ("updated_at", |row, _| time(row.group.updated_at)),
    ];
}
