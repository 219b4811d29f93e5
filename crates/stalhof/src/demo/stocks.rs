//! Stocks of the demo's companies with prices. For each company one price looks like a mistake and is under
//! review, and some stocks and prices are old.

use catalog::article::{self, Articles};
use chrono::TimeDelta;
use logistics::{
    stock::{self, Availability, StockInput, Stocks},
    warehouse::{Column, Warehouses},
};
use pricing::{
    listing::{self, Listings, PriceInput},
    price_side::TierInput,
};
use sea_orm::{
    ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    sea_query::{Expr, ExprTrait},
};
use store::{Database, Scope};
use values::{Decimal, Money, Result, TenantId, Unit, now};

/// Number of articles in stock at a company.
const ARTICLES: u64 = 24;

/// Creates the stocks of tenants that have none.
pub(super) async fn fill(db: &Database, tenants: &[(&str, i64)]) -> Result<()> {
    for (number, (_, tenant)) in (0_u64..).zip(tenants) {
        let scope = Scope::platform().acting_for(Some(TenantId(*tenant)));
        if scope.find::<Stocks>().one(db).await?.is_some() {
            continue;
        }
        let articles = scope.find::<Articles>().filter(article::Column::WeightPerBaseUnit.is_not_null());
        let articles =
            articles.order_by_asc(article::Column::Id).offset(number * ARTICLES / 2).limit(ARTICLES);
        let articles = articles.all(db).await?;
        let warehouses = scope.find::<Warehouses>().order_by_asc(Column::Id).all(db).await?;
        let mut last = None;
        for (index, (article, warehouse)) in (0_i32..).zip(articles.iter().zip(warehouses.iter().cycle())) {
            let input = StockInput {
                article_id: Some(article.id),
                article_number: None,
                warehouse_id: Some(warehouse.id),
                warehouse_short_code: None,
                availability_type: match index % 8 {
                    3 => Availability::Always,
                    6 => Availability::ExternalApi,
                    _ => Availability::Quantity,
                },
                quantity: (![3, 6].contains(&(index % 8))).then(|| Decimal::from(12 + index * 37 % 180)),
                quantity_unit: None,
                lead_time: (index % 4 == 1).then_some(2 * 24 * 60),
                length: None,
                width: None,
                height: None,
                version: None,
            };
            let stock = stock::create(db, &scope, input).await?.stock.id;
            listing::update(db, &scope, stock, prices(index, 1)).await?;
            last = Some((stock, index));
        }
        if let Some((stock, index)) = last {
            listing::update(db, &scope, stock, prices(index, 10)).await?;
        }
        age(db, *tenant).await?;
    }
    Ok(())
}

/// Age of every seventh stock.
const OLD: TimeDelta = TimeDelta::days(47);

#[expect(clippy::disallowed_methods, reason = "makes the past of the demo's own rows")]
async fn age(db: &Database, tenant: i64) -> Result<()> {
    let then = now() - OLD;
    let tx = db.begin().await?;
    Listings::update_many()
        .col_expr(listing::Column::CreatedAt, Expr::value(then))
        .col_expr(listing::Column::UpdatedAt, Expr::value(then))
        .col_expr(listing::Column::PriceUpdatedAt, Expr::value(then))
        .filter(listing::Column::TenantId.eq(tenant))
        .filter(Expr::col(listing::Column::Id).modulo(7).eq(5))
        .exec(&tx)
        .await?;
    tx.commit().await
}

/// Prices per tonne, every third for 100 kg, every fifth with quantity breaks; the external price is
/// multiplied by `times`.
fn prices(index: i32, times: i32) -> PriceInput {
    let by_ton = 780 + index * 13 % 240;
    let money = |euro: i32| {
        let (price, quantity, unit) =
            if index % 3 == 0 { (euro / 10, 100, Unit::Kilogram) } else { (euro, 1, Unit::Tonne) };
        Money { price: Decimal::from(price), price_quantity: Decimal::from(quantity), unit }
    };
    // every second one in tonnes
    let (unit, froms) = if index % 2 == 1 { (Some(Unit::Tonne), [5, 20]) } else { (None, [10, 50]) };
    let tier = |from: i32, euro: i32| TierInput {
        quantity_from: Decimal::from(from),
        quantity_unit: unit,
        price: Decimal::from(euro),
        price_quantity: Decimal::ONE,
        unit: Unit::Tonne,
    };
    let tiers = if index % 5 == 1 {
        vec![tier(froms[0], by_ton - 20), tier(froms[1], by_ton - 45)]
    } else {
        Vec::new()
    };
    PriceInput {
        internal_price: Some(money(by_ton * 9 / 10)),
        external_price: Some(money(by_ton * times)),
        internal_bulk_prices: Vec::new(),
        external_bulk_prices: tiers,
        version: None,
    }
}
