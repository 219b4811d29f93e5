//! Pictures of categories.

pub mod entity;

use std::collections::HashMap;

use sea_orm::{ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait};
use storage::Storage;
use store::{Part, Scope};
use values::Result;

pub use self::entity::{ActiveModel, Column, Entity as CategoryImages, ImageKind, Model};
use super::Categories;
use crate::image::{self, Image, images};

impl Part for CategoryImages {
    type Whole = Categories;
    const WHOLE: Column = Column::CategoryId;
}

images!(Model => ActiveModel);

impl image::Images for CategoryImages {
    type Kind = ImageKind;

    fn kind_condition(kind: ImageKind) -> Condition {
        Condition::all().add(Column::Kind.eq(kind))
    }

    fn row(image: Image, kind: ImageKind) -> ActiveModel {
        ActiveModel { kind: Set(kind), ..image.into() }
    }
}

/// Pictures of a category.
#[derive(Debug, Clone, Default)]
pub struct CategoryPictures {
    pub category: Option<Image>,
    pub article_type: Option<Image>,
}

impl CategoryPictures {
    /// Deletes the files of pictures that no row names any more.
    pub(crate) async fn discard(self, storage: &Storage) {
        for image in [self.category, self.article_type].into_iter().flatten() {
            image.discard(storage).await;
        }
    }
}

/// Loads the pictures of each category that has any.
pub(crate) async fn load(
    db: &impl ConnectionTrait,
    scope: &Scope,
    categories: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, CategoryPictures>> {
    let categories: Vec<i64> = categories.into_iter().collect();
    let mut images = HashMap::<_, CategoryPictures>::new();
    for row in image::load::<CategoryImages>(db, scope, &categories).await? {
        let images = images.entry(row.category_id).or_default();
        match row.kind {
            ImageKind::Category => images.category = Some(row.into()),
            ImageKind::ArticleType => images.article_type = Some(row.into()),
        }
    }
    Ok(images)
}
