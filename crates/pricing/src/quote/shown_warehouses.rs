//! The warehouses of a seller that a buyer can name: those where the seller shows a stock of the article, in whole dimensions and
//! with a sales price. Any other is as unknown as one that does not exist.

use std::collections::{HashMap, HashSet};

use kernel::{Referable, Result, Scope, TenantId, Violations, fold};
use logistics::{
    matching::directory::{Named, WAREHOUSE},
    warehouse::{self, WarehouseName, Warehouses},
};
use sea_orm::{ColumnTrait, Condition, ConnectionTrait, QueryFilter, QuerySelect};

use super::load::whole;
use crate::listing::{self, Listings};

/// Warehouses by seller and article.
#[derive(Debug, Default)]
pub(super) struct ShownWarehouses(HashMap<(TenantId, i64), Vec<WarehouseName>>);

impl ShownWarehouses {
    /// Where sellers show any of these articles.
    pub(super) async fn load(
        db: &impl ConnectionTrait,
        sellers: HashSet<TenantId>,
        articles: &[i64],
    ) -> Result<Self> {
        use listing::Column::{
            ArticleId, ExternalBulkPrices, ExternalPrice, TenantId as Seller, WarehouseId,
        };
        if sellers.is_empty() || articles.is_empty() {
            return Ok(Self::default());
        }
        let all = Scope::platform();
        let is_priced =
            Condition::any().add(ExternalPrice.is_not_null()).add(ExternalBulkPrices.is_not_null());
        let stocks: Vec<(TenantId, i64, i64)> = all
            .find::<Listings>()
            .select_only()
            .columns([Seller, ArticleId, WarehouseId])
            .filter(Seller.is_in(sellers))
            .filter(ArticleId.is_in(articles.iter().copied()))
            .filter(is_priced)
            .filter(whole())
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
        let mut shown: HashMap<(TenantId, i64), Vec<WarehouseName>> = HashMap::new();
        for (seller, article, warehouse) in stocks {
            let name = names.iter().find(|name| name.id == warehouse).cloned();
            shown.entry((seller, article)).or_default().extend(name);
        }
        Ok(Self(shown))
    }

    /// The warehouse that a line of a buyer names.
    pub(super) fn resolve(
        &self,
        (seller, article): (TenantId, i64),
        named: &Named,
        violations: &mut Violations,
    ) -> Option<i64> {
        let shown = self.0.get(&(seller, article)).map_or(&[][..], Vec::as_slice);
        let known = Referable::new(shown.iter().map(|name| (name.id, fold(&name.short_code), name.id)));
        named.warehouse.resolve(violations, WAREHOUSE, &known).copied()
    }
}
