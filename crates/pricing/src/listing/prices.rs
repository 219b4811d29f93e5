//! Prices of a stock as columns of its row.

use sea_orm::ActiveValue::{self, Set};
use values::{Decimal, Unit};

use super::{ActiveModel, Listing};
use crate::price_side::{Prices, Side, Tiers};

impl Prices {
    /// Returns the prices of a stock.
    pub fn from_listing(listing: &Listing) -> Self {
        Self {
            internal: Side::from_columns(
                listing.internal_price,
                listing.internal_price_quantity,
                listing.internal_price_unit,
                listing.internal_bulk_prices.as_ref(),
            ),
            external: Side::from_columns(
                listing.external_price,
                listing.external_price_quantity,
                listing.external_price_unit,
                listing.external_bulk_prices.as_ref(),
            ),
        }
    }

    /// Returns the prices of a row that is to be written.
    pub fn drafted(row: &ActiveModel) -> Self {
        let side = |price: &ActiveValue<Option<Decimal>>,
                    quantity: &ActiveValue<Option<Decimal>>,
                    unit: &ActiveValue<Option<Unit>>,
                    tiers: &ActiveValue<Option<Tiers>>| {
            let (price, quantity) = (price.try_as_ref().copied(), quantity.try_as_ref().copied());
            let unit = unit.try_as_ref().copied();
            let tiers = tiers.try_as_ref().and_then(Option::as_ref);
            Side::from_columns(price.flatten(), quantity.flatten(), unit.flatten(), tiers)
        };
        Self {
            internal: side(
                &row.internal_price,
                &row.internal_price_quantity,
                &row.internal_price_unit,
                &row.internal_bulk_prices,
            ),
            external: side(
                &row.external_price,
                &row.external_price_quantity,
                &row.external_price_unit,
                &row.external_bulk_prices,
            ),
        }
    }

    /// Sets the columns of the price side.
    pub fn write(self, row: &mut ActiveModel) {
        let Self { internal, external } = self;
        row.internal_price = Set(internal.price.map(|price| price.price));
        row.internal_price_quantity = Set(internal.price.map(|price| price.price_quantity));
        row.internal_price_unit = Set(internal.price.map(|price| price.unit));
        row.internal_bulk_prices = Set(internal.tiers.or_none());
        row.external_price = Set(external.price.map(|price| price.price));
        row.external_price_quantity = Set(external.price.map(|price| price.price_quantity));
        row.external_price_unit = Set(external.price.map(|price| price.unit));
        row.external_bulk_prices = Set(external.tiers.or_none());
    }
}
