//! A stock as it was, which somebody takes back from the history. It keeps the rules of every stock and price; the guard holds
//! nothing of it, as of an import that is taken back: whoever takes back decides.

use kernel::{Database, Result, Scope, scope::refuse_stale};
use logistics::stock::{
    Stocks,
    import::undo::{draft, of_places},
};

use crate::{
    held_price,
    listing::{
        self, Listing, Listings,
        import::undo::{check, quantity_side},
    },
    price_side::Prices,
};

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
