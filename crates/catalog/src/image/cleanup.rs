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
        let mut stored_keys = load_stored_keys::<CategoryImages>(db, categories, keys).await?;
        let articles = [article_image::Column::Key, article_image::Column::ThumbnailKey];
        stored_keys.extend(load_stored_keys::<ArticleImages>(db, articles, keys).await?);
        for key in keys.iter().filter(|key| !stored_keys.contains(*key)) {
            storage.discard(key).await;
        }
    }
    Ok(())
}

/// Returns the keys that occur in a table.
async fn load_stored_keys<P: Images>(
    db: &Database,
    columns: [P::Column; 2],
    keys: &[String],
) -> Result<HashSet<String>> {
    let mut condition = Condition::any();
    for column in columns {
        condition = condition.add(column.is_in(keys));
    }
    let images = Scope::platform().all_parts::<P>().filter(condition).all(db).await?;
    let keys = images.into_iter().map(Into::<Image>::into);
    Ok(keys.flat_map(|image| [image.key, image.thumbnail_key]).collect())
}
