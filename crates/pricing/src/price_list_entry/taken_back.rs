//! A price of a list as it was before somebody changed it. A person wants it so, and the guard has nothing to say.

use kernel::{Database, Error, Result, Scope, scope::refuse_stale};
use sea_orm::{ColumnTrait, QueryFilter};

use super::{Column, Entries, articles_of, of_list, writing};
use crate::{price_list, price_side::Side};

/// Gives an article its former price in a list: the row of that id as it was, made again, or, without price and tiers, taken out.
///
/// # Errors
/// When the list is not theirs to write or has expired, or when the row is of another version than the one that was looked at.
pub async fn put_back(
    db: &Database,
    scope: &Scope,
    (list, article): (i64, i64),
    (id, version): (i64, Option<i64>),
    side: Side,
) -> Result<()> {
    let tx = db.begin().await?;
    let (list, writer) = price_list::written(&tx, scope, list).await?;
    let row = of_list(&writer, &list).filter(Column::Id.eq(id)).one(&tx).await?;
    refuse_stale(version, row.as_ref().map_or(0, |row| row.version))?;
    match row {
        Some(row) if side.is_empty() => {
            writing::count(&tx, &writer, &list, 0, 1).await?;
            writing::remove(&tx, &writer, vec![row]).await?;
        }
        Some(row) => writing::settle(&tx, &writer, vec![(row, side, None)]).await?,
        None => {
            let article = articles_of(&tx, scope, [article]).await?.remove(&article);
            let article = article.ok_or_else(Error::not_found)?;
            writing::count(&tx, &writer, &list, 1, 0).await?;
            writer.create_all::<Entries>(&tx, [writing::first(&list, &article, side)]).await?;
        }
    }
    tx.commit().await
}
