//! Template of price files, with the first stocks of the tenant that have a price.

use imports::columns::Template;
use logistics::{
    stock::place_columns::{ARTICLE, WAREHOUSE},
    stock::quantity_columns::{AVAILABILITY, LEAD_TIME, QUANTITY, QUANTITY_UNIT, QuantitySide},
    template::{self, Places},
};
use sea_orm::{ColumnTrait, QueryFilter, QueryOrder, QuerySelect};
use sheets::{header::Heading, table::CellContent};
use store::{Database, Scope};
use values::{Decimal, Language, Money, Result};

use super::{EXTERNAL, EXTERNAL_PER, EXTERNAL_UNIT};
use crate::{
    listing::{Column, Listing, Listings},
    price_side::Prices,
};

const PRICES: &[&Heading] = &[&ARTICLE, &WAREHOUSE, &EXTERNAL, &EXTERNAL_PER, &EXTERNAL_UNIT];
const BOTH_SIDES: &[&Heading] = &[
    &ARTICLE,
    &WAREHOUSE,
    &AVAILABILITY,
    &QUANTITY,
    &QUANTITY_UNIT,
    &LEAD_TIME,
    &EXTERNAL,
    &EXTERNAL_PER,
    &EXTERNAL_UNIT,
];

pub(super) async fn load_template(
    db: &Database,
    scope: &Scope,
    language: Language,
    with_quantity: bool,
) -> Result<Template> {
    // stocks in whole dimensions, those with a price first
    let whole = scope
        .find::<Listings>()
        .filter(Column::TenantId.eq(scope.tenant()?))
        .filter(Column::Length.eq(Decimal::ZERO))
        .filter(Column::Width.eq(Decimal::ZERO))
        .filter(Column::Height.eq(Decimal::ZERO))
        .order_by_asc(Column::ExternalPrice.is_null())
        .order_by_asc(Column::Id)
        .limit(template::EXAMPLES);
    let listings: Vec<Listing> = whole.all(db).await?;
    let place_ids = listings.iter().map(|listing| (Some(listing.article_id), Some(listing.warehouse_id)));
    let places = Places::load(db, scope, place_ids).await?;
    let row = |article: i64, warehouse: i64, side: QuantitySide, price: Option<Money>| {
        let measured = places.article(article)?;
        let usual =
            || Money { price: Decimal::from(100), price_quantity: Decimal::ONE, unit: measured.price_unit };
        let price = price.unwrap_or_else(usual);
        let mut cells = vec![places.article_cell(Some(article)), places.warehouse_cell(Some(warehouse))];
        if with_quantity {
            cells.extend(template::quantity_cells(side, measured, language));
        }
        let unit: CellContent = price.unit.symbol(language).into();
        cells.extend([price.price.into(), price.price_quantity.into(), unit]);
        Some(cells)
    };
    let existing_rows = listings.iter().map(|listing| {
        let side = QuantitySide {
            availability: listing.availability_type,
            quantity: listing.quantity,
            lead_time: listing.lead_time,
        };
        row(listing.article_id, listing.warehouse_id, side, Prices::from_listing(listing).external.price)
    });
    let mut rows: Vec<_> = existing_rows.flatten().collect();
    // prices alone do not create a stock
    if let (true, true, Some((article, warehouse))) = (with_quantity, rows.is_empty(), places.possible) {
        rows.extend(row(article, warehouse, template::possible_quantity(), None));
    }
    Ok(Template::new(if with_quantity { BOTH_SIDES } else { PRICES }, language, rows))
}
