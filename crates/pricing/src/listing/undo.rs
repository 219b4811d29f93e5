//! Undo of changes of a stock from its history. The restored values are validated like any stock and price,
//! but not checked by the guard: the person who undoes decides, as with imports.

use logistics::stock::{
    Stocks,
    import::undo::{draft, load_directory},
};
use sea_orm::{IntoActiveModel, TryIntoModel};
use store::{
    Database, Scope,
    audit::Change,
    reconstruction,
    scope::{history_fields, refuse_stale},
    standing::{RevertResult, Values},
};
use values::Result;

use crate::{
    held_price,
    listing::{
        self, Listing, Listings,
        import::undo::{check, quantity_side},
    },
    price_side::Prices,
};

/// Groups the fields of a price: amount, quantity and unit are one value.
const VALUES: Values = Values { value_of, emptied: &[] };

fn value_of(field: &str) -> &str {
    let is_price = |side: &&str| field.strip_prefix(*side).is_some_and(|rest| rest.starts_with("_price"));
    ["internal", "external"].into_iter().find(is_price).unwrap_or(field)
}

/// Returns the stock before the changes of one entry of its history. `later`: the changes since then, the
/// oldest first.
pub fn revert(is: &Listing, changes: &[Change], later: &[Change]) -> Result<RevertResult<Listing>> {
    let now = history_fields::model_fields::<Listings>(is);
    VALUES.revert(&now, changes, later).try_map(|former| {
        let mut row = is.clone().into_active_model();
        reconstruction::restore_fields::<Listings>(&mut row, &former)?;
        Ok(row.try_into_model()?)
    })
}

/// Recreates a deleted stock with both sides.
///
/// # Errors
/// Violations of the current rules; `stock_taken` if another stock has its place.
pub async fn recreate(db: &Database, scope: &Scope, was: &Listing) -> Result<()> {
    scope.claim::<Stocks>()?;
    let tx = db.begin().await?;
    let directory = load_directory(&tx, scope, std::iter::once((was.article_id, was.warehouse_id))).await?;
    let row = draft(&directory, &quantity_side(was))?;
    let prices = Prices::from_listing(was);
    check(&prices, &directory, was.article_id)?;
    let stock = scope.create::<Stocks>(&tx, row).await?;
    if prices != Prices::default() {
        let own = scope.get_locked::<Listings>(&tx, stock.id).await?;
        listing::write(&tx, scope, vec![(own, prices)]).await?;
    }
    tx.commit().await
}

/// Restores a former state of a stock, each side with its own version. Prices under review are removed,
/// because they were compared with the prices that are replaced.
///
/// # Errors
/// Violations of the current rules; `stale` if the stock has been changed since it was read.
pub async fn restore(db: &Database, scope: &Scope, is: &Listing, was: &Listing) -> Result<()> {
    let tx = db.begin().await?;
    let own = scope.get_locked::<Listings>(&tx, is.id).await?;
    refuse_stale(Some(is.version), own.version)?;
    refuse_stale(Some(is.price_version), own.price_version)?;
    let directory = load_directory(&tx, scope, std::iter::once((was.article_id, was.warehouse_id))).await?;
    if places_and_quantities(&own) != places_and_quantities(was) {
        let row = draft(&directory, &quantity_side(was))?;
        let before = scope.get_locked::<Stocks>(&tx, is.id).await?;
        scope.update_from::<Stocks>(&tx, &before, row).await?;
    }
    let prices = Prices::from_listing(was);
    if Prices::from_listing(&own) != prices {
        check(&prices, &directory, was.article_id)?;
        held_price::remove_all(&tx, scope, vec![own.id]).await?;
        listing::write(&tx, scope, vec![(own, prices)]).await?;
    }
    tx.commit().await
}

fn places_and_quantities(listing: &Listing) -> impl PartialEq {
    let dimensions = [listing.length, listing.width, listing.height];
    (listing.warehouse_id, dimensions, listing.availability_type, listing.quantity, listing.lead_time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_is_one_value_with_its_quantity_and_unit() {
        let columns = ["internal_price", "internal_price_quantity", "internal_price_unit"];
        assert_eq!(columns.map(value_of), ["internal"; 3]);
        assert_eq!(value_of("external_price_unit"), "external");
        assert_eq!(value_of("external_bulk_prices"), "external_bulk_prices");
        assert_eq!(value_of("quantity"), "quantity");
    }
}
