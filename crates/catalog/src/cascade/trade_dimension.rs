//! Changes of a commercial length; rejected if articles would change with it.

use lists::{Creatable, Managed};
use sea_orm::{ColumnTrait, QueryFilter, QueryOrder, QuerySelect, sea_query::Condition};
use store::{Database, Scope};
use values::{Result, Validated, Violations};

use super::ArticleEffect;
use crate::{
    article_type::{ArticleTypes, entity as article_type},
    blueprint::Blueprint,
    cascade, codes,
    trade_dimension::{
        TradeDimensionDetail, TradeDimensionInput, TradeDimensionRows, TradeDimensions, check,
        cluster_entity::Entity as Clusters, ladders, rows,
    },
};

impl Managed for TradeDimensions {
    type Input = TradeDimensionInput;

    /// Updates a commercial length; rejected if articles would change with it.
    async fn update(
        db: &Database,
        scope: &Scope,
        id: i64,
        input: impl Into<Validated<TradeDimensionInput>>,
    ) -> Result<TradeDimensionDetail> {
        let TradeDimensionRows { version, row, ladder } = check(input.into())?;
        let tx = db.begin_long().await?;
        // Article types are locked first, as when articles are written, to avoid deadlocks.
        let using = || scope.find::<ArticleTypes>().filter(article_type::Column::TradeDimensionId.eq(id));
        using().order_by_asc(article_type::Column::Id).lock_exclusive().all(&tx).await?;
        let trade_dimension = scope.update::<Self>(&tx, id, version, row).await?;
        if ladders(&tx, scope, [id]).await?.get(&id) != Some(&ladder) {
            scope.remove_parts::<Clusters>(&tx, id, Condition::all()).await?;
            scope.add_parts::<Clusters>(&tx, id, rows(&ladder)).await?;
            let ArticleEffect { changed, refused, .. } =
                cascade::preview(&tx, scope, &Blueprint::load_some(&tx, scope, using()).await?).await?;
            if changed + refused > 0 {
                let fault = codes::LADDER_CHANGES_ARTICLES.with("count", changed + refused);
                return Err(Violations::error("clusters", fault));
            }
        }
        tx.commit().await?;
        Ok(TradeDimensionDetail { trade_dimension, ladder })
    }
}

impl Creatable for TradeDimensions {
    /// Creates a commercial length with its ranges.
    async fn create(
        db: &Database,
        scope: &Scope,
        input: impl Into<Validated<TradeDimensionInput>>,
    ) -> Result<TradeDimensionDetail> {
        let TradeDimensionRows { row, ladder, .. } = check(input.into())?;
        let tx = db.begin().await?;
        let trade_dimension = scope.create::<Self>(&tx, row).await?;
        scope.add_parts::<Clusters>(&tx, trade_dimension.id, rows(&ladder)).await?;
        tx.commit().await?;
        Ok(TradeDimensionDetail { trade_dimension, ladder })
    }
}
