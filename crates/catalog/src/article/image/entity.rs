//! Table of pictures of articles.

use sea_orm::entity::prelude::*;

/// Row of the table `article_image`: picture of an article, with the keys of its files.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "article_image")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub article_id: i64,
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
