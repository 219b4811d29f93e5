//! Warehouses of a seller that a buyer can name: those in which the seller shows a stock of the article, in
//! whole dimensions and with a sales price.

use std::collections::{HashMap, HashSet};

use logistics::{
    stock::shown_warehouses::ShownWarehouses,
    warehouse::{self, WarehouseName, Warehouses},
};
use sea_orm::{ColumnTrait, Condition, ConnectionTrait, QueryFilter, QuerySelect};
use store::Scope;
use values::{Result, TenantId};

use crate::listing::{self, Listings};

/// Loads the warehouses in which sellers show any of these articles.
pub async fn load(
    db: &impl ConnectionTrait,
    sellers: impl IntoIterator<Item = TenantId>,
    articles: &[i64],
) -> Result<ShownWarehouses> {
    use listing::Column::{ArticleId, ExternalBulkPrices, ExternalPrice, TenantId as Seller, WarehouseId};
    let sellers: HashSet<TenantId> = sellers.into_iter().collect();
    if sellers.is_empty() || articles.is_empty() {
        return Ok(ShownWarehouses::default());
    }
    let all = Scope::platform();
    let is_priced = Condition::any().add(ExternalPrice.is_not_null()).add(ExternalBulkPrices.is_not_null());
    let stocks: Vec<(TenantId, i64, i64)> = all
        .find::<Listings>()
        .select_only()
        .columns([Seller, ArticleId, WarehouseId])
        .filter(Seller.is_in(sellers))
        .filter(ArticleId.is_in(articles.iter().copied()))
        .filter(is_priced)
        .filter(listing::whole())
        .into_tuple()
        .all(db)
        .await?;
    let ids = stocks.iter().map(|(_, _, warehouse)| *warehouse).collect::<HashSet<_>>();
    let names: Vec<WarehouseName> = all
        .find::<Warehouses>()
        .select_only()
        .columns([warehouse::Column::Id, warehouse::Column::ShortCode])
        .filter(warehouse::Column::Id.is_in(ids))
        .into_model()
        .all(db)
        .await?;
    let mut names_by_article: HashMap<(TenantId, i64), Vec<WarehouseName>> = HashMap::new();
    for (seller, article, warehouse) in stocks {
        let name = names.iter().find(|name| name.id == warehouse).cloned();
        names_by_article.entry((seller, article)).or_default().extend(name);
    }
    Ok(ShownWarehouses::new(names_by_article))
}
