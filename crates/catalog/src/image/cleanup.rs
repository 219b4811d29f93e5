//! Cleanup of picture files that no row names.

use std::collections::HashSet;

use sea_orm::{ColumnTrait, Condition, QueryFilter};
use storage::Storage;
use store::{Database, Scope};
use values::Result;

use super::{FOLDER, IDS_PER_QUERY, Image, Images};
use crate::{
    article::image::{self as article_image, ArticleImages},
    category::image::{self as category_image, CategoryImages},
};

/// Deletes files that no row names and that are old enough for their row to have been committed.
pub async fn clean_up(db: &Database, storage: &Storage) -> Result<()> {
    for keys in storage.keys_older_than_a_day(FOLDER).await?.chunks(IDS_PER_QUERY) {
        let categories = [category_image::Column::Key, category_image::Column::ThumbnailKey];
        let mut known = named::<CategoryImages>(db, categories, keys).await?;
        let articles = [article_image::Column::Key, article_image::Column::ThumbnailKey];
        known.extend(named::<ArticleImages>(db, articles, keys).await?);
        for key in keys.iter().filter(|key| !known.contains(*key)) {
            storage.discard(key).await;
        }
    }
    Ok(())
}

/// Returns the keys that occur in a table.
async fn named<P: Images>(
    db: &Database,
    columns: [P::Column; 2],
    keys: &[String],
) -> Result<HashSet<String>> {
    let mut among = Condition::any();
    for column in columns {
        among = among.add(column.is_in(keys));
    }
    let images = Scope::platform().all_parts::<P>().filter(among).all(db).await?;
    let keys = images.into_iter().map(Into::<Image>::into);
    Ok(keys.flat_map(|image| [image.key, image.thumbnail_key]).collect())
}
