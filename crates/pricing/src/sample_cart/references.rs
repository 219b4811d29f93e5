//! Records that a sample cart names: the buyer, and those in its lines.

use std::collections::BTreeSet;

use super::{
    Buyers, ColumnTrait, ConnectionTrait, NamedRecords, QueryFilter, Result, SampleCart, Scope, Scoped, Set,
    Violations, Warehouses, Write, assembly::Assembly, partner, sample_cart_buyer, sample_cart_record,
};
use sea_orm::QuerySelect;

use crate::codes;

#[derive(Debug, Default)]
pub(super) struct CartReferences {
    buyer: Option<i64>,
    articles: BTreeSet<i64>,
    warehouses: BTreeSet<i64>,
    processings: BTreeSet<i64>,
}

impl CartReferences {
    pub(super) fn new(cart: &SampleCart) -> Self {
        let lines = &cart.lines.0;
        let processings = lines.iter().flat_map(|line| &line.processings);
        Self {
            buyer: cart.buyer_id,
            articles: lines.iter().map(|line| line.article_id).collect(),
            warehouses: lines.iter().filter_map(|line| line.warehouse_id).collect(),
            processings: processings.map(|processing| processing.processing_id).collect(),
        }
    }

    /// Adds the violations of unknown records and of the lines. A buyer that the cart already names may stay.
    pub(super) async fn check(
        &self,
        db: &impl ConnectionTrait,
        scope: &Scope,
        assembly: &Assembly,
        cart: &SampleCart,
        before: Option<&SampleCart>,
        violations: &mut Violations,
    ) -> Result<()> {
        let current_buyer = before.and_then(|before| before.buyer_id);
        if let Some(buyer) = self.buyer.filter(|buyer| Some(*buyer) != current_buyer)
            && partner::visible(db, scope, [buyer]).await?.is_empty()
        {
            violations.add("buyer_id", codes::UNKNOWN_REFERENCE);
        }
        let mut warehouses = Vec::new();
        if !self.warehouses.is_empty() {
            let ids = self.warehouses.iter().copied();
            let query = scope.find::<Warehouses>().select_only().column(Warehouses::ID);
            warehouses = query.filter(Warehouses::ID.is_in(ids)).into_tuple::<i64>().all(db).await?;
        }
        for (index, line) in cart.lines.0.iter().enumerate() {
            for wrong in assembly.violations(line) {
                violations.add(format!("lines.{index}.{}", wrong.path), wrong.message);
            }
            if line.warehouse_id.is_some_and(|warehouse| !warehouses.contains(&warehouse)) {
                violations.add(format!("lines.{index}.warehouse_id"), codes::UNKNOWN_REFERENCE);
            }
        }
        Ok(())
    }

    /// Writes the rows of the named records, of which there are none yet.
    pub(super) async fn write(&self, tx: &Write, scope: &Scope, cart: &SampleCart) -> Result<()> {
        let buyers = self.buyer.into_iter().map(|buyer| sample_cart_buyer::ActiveModel {
            tenant_id: Set(cart.tenant_id),
            buyer_id: Set(buyer),
            ..Default::default()
        });
        scope.add_parts::<Buyers>(tx, cart.id, buyers).await?;
        let row = |article_id: Option<i64>, warehouse_id: Option<i64>, processing_id: Option<i64>| {
            sample_cart_record::ActiveModel {
                tenant_id: Set(cart.tenant_id),
                article_id: Set(article_id),
                warehouse_id: Set(warehouse_id),
                processing_id: Set(processing_id),
                ..Default::default()
            }
        };
        let articles = self.articles.iter().map(|id| row(Some(*id), None, None));
        let warehouses = self.warehouses.iter().map(|id| row(None, Some(*id), None));
        let processings = self.processings.iter().map(|id| row(None, None, Some(*id)));
        let rows = articles.chain(warehouses).chain(processings);
        let numbered = (1..)
            .zip(rows)
            .map(|(number, row)| sample_cart_record::ActiveModel { number: Set(number), ..row });
        scope.add_parts::<NamedRecords>(tx, cart.id, numbered).await
    }
}
