//! Table of pictures of categories.

use sea_orm::entity::prelude::*;

/// Subject of a category's picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))", rename_all = "snake_case")]
pub enum ImageKind {
    /// Category itself.
    Category,
    /// Type of its articles, for example a section.
    ArticleType,
}

/// Row of the table `category_image`: picture of one kind of a category, with the keys of its files.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "category_image")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub category_id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub kind: ImageKind,
    pub sha256: String,
    pub width: i64,
    pub height: i64,
    pub key: String,
    pub media_type: String,
    pub thumbnail_key: String,
    pub thumbnail_media_type: String,
}

/// Relations to other tables; none is declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
