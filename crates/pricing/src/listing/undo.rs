//! A stock as it was, which somebody takes back from the history. It keeps the rules of every stock and price; the guard holds
//! nothing of it, as of an import that is taken back: whoever takes back decides.

use kernel::{
    Database, Result, Scope,
    audit::Change,
    former,
    scope::{history_fields, refuse_stale},
    standing::{Reverted, Values},
};
use logistics::stock::{
    Stocks,
    import::undo::{draft, of_places},
};
use sea_orm::{IntoActiveModel, TryIntoModel};

use crate::{
    held_price,
    listing::{
        self, Listing, Listings,
        import::undo::{check, quantity_side},
    },
    price_side::Prices,
};

/// A price is one value with its quantity and unit.
const VALUES: Values = Values { value_of, emptied: &[] };

fn value_of(field: &str) -> &str {
    let is_price = |side: &&str| field.strip_prefix(*side).is_some_and(|rest| rest.starts_with("_price"));
    ["internal", "external"].into_iter().find(is_price).unwrap_or(field)
}

/// The stock as it was before these changes of one entry of its history; `later` are those behind it, the oldest first.
pub fn revert(is: &Listing, changes: &[Change], later: &[Change]) -> Result<Reverted<Listing>> {
    let now = history_fields::of_model::<Listings>(is);
    VALUES.revert(&now, changes, later).try_map(|former| {
        let mut row = is.clone().into_active_model();
        former::give_back::<Listings>(&mut row, &former)?;
        Ok(row.try_into_model()?)
    })
}

/// Makes a stock again that was deleted, with both sides.
///
/// # Errors
/// The rules of today that it breaks; `stock_taken` where another one has its place.
pub async fn made_again(db: &Database, scope: &Scope, was: &Listing) -> Result<()> {
    scope.claim::<Stocks>()?;
    let tx = db.begin().await?;
    let directory = of_places(&tx, scope, std::iter::once((was.article_id, was.warehouse_id))).await?;
    let row = draft(&directory, &quantity_side(was))?;
    let prices = Prices::of(was);
    check(&prices, &directory, was.article_id)?;
    let made = scope.create::<Stocks>(&tx, row).await?;
    if prices != Prices::default() {
        let own = scope.get_locked::<Listings>(&tx, made.id).await?;
        listing::write(&tx, scope, vec![(own, prices)]).await?;
    }
    tx.commit().await
}

/// Gives a stock back what it was, each side by its own version. What waits for a release was judged beside the prices that go,
/// and waits no longer.
///
/// # Errors
/// The rules of today that it would break; `stale` where it is no longer as it was read.
pub async fn given_back(db: &Database, scope: &Scope, is: &Listing, was: &Listing) -> Result<()> {
    let tx = db.begin().await?;
    let own = scope.get_locked::<Listings>(&tx, is.id).await?;
    refuse_stale(Some(is.version), own.version)?;
    refuse_stale(Some(is.price_version), own.price_version)?;
    let directory = of_places(&tx, scope, std::iter::once((was.article_id, was.warehouse_id))).await?;
    if places_and_quantities(&own) != places_and_quantities(was) {
        let row = draft(&directory, &quantity_side(was))?;
        let before = scope.get_locked::<Stocks>(&tx, is.id).await?;
        scope.update_from::<Stocks>(&tx, &before, row).await?;
    }
    let prices = Prices::of(was);
    if Prices::of(&own) != prices {
        check(&prices, &directory, was.article_id)?;
        held_price::forget(&tx, scope, vec![own.id]).await?;
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
