//! Warehouses of sellers that a buyer can name: those where the seller shows the article. All others are
//! reported as unknown.

use std::collections::HashMap;

use values::{Referable, TenantId, Violations, fold};

use crate::{
    matching::directory::{PlaceReference, WAREHOUSE},
    warehouse::WarehouseName,
};

/// Warehouses by seller and article.
#[derive(Debug, Default)]
pub struct ShownWarehouses(HashMap<(TenantId, i64), Vec<WarehouseName>>);

impl ShownWarehouses {
    /// Warehouses by seller and article id.
    pub fn new(warehouses: HashMap<(TenantId, i64), Vec<WarehouseName>>) -> Self {
        Self(warehouses)
    }

    /// Warehouses where the seller shows the article.
    pub fn find(&self, seller: TenantId, article: i64) -> &[WarehouseName] {
        self.0.get(&(seller, article)).map_or(&[], Vec::as_slice)
    }

    /// Finds the warehouse that a buyer names.
    pub fn resolve(
        &self,
        seller: TenantId,
        article: i64,
        reference: &PlaceReference,
        violations: &mut Violations,
    ) -> Option<i64> {
        let warehouses = self.find(seller, article);
        let referable =
            Referable::new(warehouses.iter().map(|name| (name.id, fold(&name.short_code), name.id)));
        reference.warehouse.resolve(violations, WAREHOUSE, &referable).copied()
    }
}
