//! Undo of imports: restores the former listings. The guard does not check their prices; the person who
//! undoes decides.

use std::collections::HashSet;

use imports::revert::reversible::{RestoredRecord, Reversible};
use logistics::{
    matching::directory::Directory,
    stock::{
        Stock,
        import::undo::{draft, load_directory},
    },
};
use sea_orm::ActiveValue::Set;
use store::{Scope, Write};
use values::{Message, Result, Violations};

use super::{Contents, OfferImporter, changed_quantity, unchanged_quantity};
use crate::{
    codes, held_price,
    listing::{ActiveModel, Listing},
    price_side::{self, NamedSide, Prices},
};

impl<C: Contents> Reversible for OfferImporter<C> {
    async fn drafts(
        tx: &Write,
        scope: &Scope,
        former: &[RestoredRecord<Self>],
    ) -> Result<Vec<Result<ActiveModel, Vec<Message>>>> {
        let places = former.iter().map(|RestoredRecord { was, .. }| (was.article_id, was.warehouse_id));
        let directory = load_directory(tx, scope, places).await?;
        // prices under review were compared with the prices that are replaced now
        let repriced = former.iter().filter_map(|RestoredRecord { was, is }| {
            let is = is.as_ref()?;
            (Prices::from_listing(was) != Prices::from_listing(is)).then_some(is.id)
        });
        held_price::remove_all(tx, scope, repriced.collect()).await?;
        let drafts = former.iter().map(|RestoredRecord { was, is }| as_it_was(&directory, was, is.as_ref()));
        Ok(drafts.map(|draft| draft.map_err(Violations::into_messages)).collect())
    }

    async fn drop_under_review(
        tx: &Write,
        scope: &Scope,
        import: i64,
        lines: &[i64],
    ) -> Result<HashSet<i64>> {
        held_price::remove_by_import(tx, scope, import, lines).await
    }
}

fn as_it_was(directory: &Directory, was: &Listing, is: Option<&Listing>) -> Result<ActiveModel, Violations> {
    let is_counted_so = |is: &&Listing| {
        (is.availability_type, is.quantity, is.lead_time)
            == (was.availability_type, was.quantity, was.lead_time)
    };
    let mut row = if let Some(is) = is.filter(is_counted_so) {
        let mut row = unchanged_quantity(is);
        row.name = Set(is.name.clone());
        row
    } else {
        let quantity = draft(directory, &quantity_side(was))?;
        let name = quantity.name.clone();
        let mut row = changed_quantity(quantity, is);
        row.name = name;
        row
    };
    let prices = Prices::from_listing(was);
    if is.map(Prices::from_listing).as_ref() != Some(&prices) {
        check(&prices, directory, was.article_id)?;
    }
    prices.write(&mut row);
    Ok(row)
}

/// Rejects prices in a unit that the article can no longer be counted in.
pub(crate) fn check(prices: &Prices, directory: &Directory, article: i64) -> Result<(), Violations> {
    let mut violations = Violations::new();
    let Some(article) = directory.article(article) else {
        violations.add("article_id", codes::UNKNOWN_REFERENCE);
        return Err(violations);
    };
    for NamedSide { price_field, tiers_field, side } in prices.sides() {
        if let Some(price) = &side.price {
            price_side::check(price, article, price_field, &mut violations);
        }
        for (index, tier) in side.tiers.iter().enumerate() {
            price_side::check(&tier.price, article, &format!("{tiers_field}.{index}"), &mut violations);
        }
    }
    if violations.is_empty() { Ok(()) } else { Err(violations) }
}

pub(crate) fn quantity_side(listing: &Listing) -> Stock {
    Stock {
        id: listing.id,
        tenant_id: listing.tenant_id,
        name: listing.name.clone(),
        article_id: listing.article_id,
        warehouse_id: listing.warehouse_id,
        length: listing.length,
        width: listing.width,
        height: listing.height,
        availability_type: listing.availability_type,
        quantity: listing.quantity,
        lead_time: listing.lead_time,
        version: listing.version,
        created_at: listing.created_at,
        updated_at: listing.updated_at,
        change: None,
    }
}
