//! Picture of a single article; without one the picture of its type is shown.

pub mod entity;

use std::collections::HashMap;

use sea_orm::{Condition, ConnectionTrait, EntityTrait, JoinType, QuerySelect, Select};
use store::{Part, Scope};
use values::Result;

pub use self::entity::{ActiveModel, Column, Entity as ArticleImages, Model};
use super::Articles;
use crate::{
    article,
    image::{self, Image, ImageInfo, images},
    permissions,
};

impl Part for ArticleImages {
    type Whole = Articles;
    const WHOLE: Column = Column::ArticleId;
}

images!(Model => ActiveModel);

impl image::Images for ArticleImages {
    type Kind = ();

    fn kind_condition((): ()) -> Condition {
        Condition::all()
    }

    fn row(image: Image, (): ()) -> ActiveModel {
        image.into()
    }
}

/// Loads the picture of one article.
pub(crate) async fn load(db: &impl ConnectionTrait, scope: &Scope, article: i64) -> Result<Option<Image>> {
    let mut images = image::load::<ArticleImages>(db, scope, &[article]).await?;
    Ok(images.pop().map(Image::from))
}

/// Loads the pictures of articles by their ids; empty if the caller may not see articles.
pub async fn pictures(
    db: &impl ConnectionTrait,
    scope: &Scope,
    articles: &[i64],
) -> Result<HashMap<i64, ImageInfo>> {
    if articles.is_empty() || !scope.may(permissions::VIEW_ARTICLE) {
        return Ok(HashMap::new());
    }
    let images = image::load::<ArticleImages>(db, scope, articles).await?;
    Ok(images.into_iter().map(|image| (image.article_id, Image::from(image).into())).collect())
}

/// Joins the columns of their pictures to articles, which saves a second statement.
pub(crate) fn join_image(articles: Select<Articles>) -> Select<Articles> {
    let own = Articles::belongs_to(ArticleImages).from(article::Column::Id).to(Column::ArticleId).into();
    articles
        .join(JoinType::LeftJoin, own)
        .column_as(Column::Sha256, "image_version")
        .column_as(Column::Width, "image_width")
        .column_as(Column::Height, "image_height")
}
