//! Price lists of the demo's companies: a global one with versions for last year and next year, and an
//! internal one, with a history of their prices.

use catalog::article::{self, Articles};
use chrono::{Datelike, TimeDelta, TimeZone};
use chrono_tz::Europe::Berlin;
use pricing::{
    price_list::{
        self, ListScope, ListType, PriceListInput, PriceLists,
        change::{Direction, PriceChange, Rounding},
        copy::{self, CopyInput},
    },
    price_list_entry::{self, Entries, EntriesInput, EntryInput},
    price_side::TierInput,
};
use sea_orm::{ColumnTrait, QueryFilter, QueryOrder, QuerySelect};
use store::{Database, Scope};
use values::{Decimal, Instant, Money, Result, TenantId, Unit, now, today};

use super::past;

/// Number of articles in a list.
const ARTICLES: u64 = 40;
/// Lowest sales price in EUR per tonne today; the lowest purchase price follows.
const SALES: i32 = 780;
const PURCHASE: i32 = 690;
/// Price changes: days ago, and the amount in EUR below today's prices.
const STEPS: [(i64, i32); 2] = [(150, 18), (60, 0)];
/// Time between the creation of a list and its beginning.
const AHEAD: TimeDelta = TimeDelta::days(7);

/// Creates the lists of tenants that have none.
pub(super) async fn fill(db: &Database, tenants: &[(&str, i64)]) -> Result<()> {
    let year = today().year();
    let begun = first(year, 1);
    for (number, (_, tenant)) in (0_u64..).zip(tenants) {
        let scope = Scope::platform().acting_for(Some(TenantId(*tenant)));
        let owned = price_list::Column::OwnerTenantId.eq(*tenant);
        if scope.find::<PriceLists>().filter(owned).one(db).await?.is_some() {
            continue;
        }
        let articles = scope.find::<Articles>().filter(article::Column::WeightPerBaseUnit.is_not_null());
        let articles =
            articles.order_by_asc(article::Column::Id).offset(number * ARTICLES / 2).limit(ARTICLES);
        let articles: Vec<i64> =
            articles.select_only().column(article::Column::Id).into_tuple().all(db).await?;
        let list = |name: String, r#type, scope, valid_from| PriceListInput {
            name,
            customer_name: None,
            announce: false,
            owner_tenant_id: Some(*tenant),
            owner_tenant_group_id: None,
            r#type,
            scope,
            valid_from,
            limited: false,
            valid_until: None,
            tenant_ids: Vec::new(),
            tenant_group_ids: Vec::new(),
            excluded_tenant_ids: Vec::new(),
            version: None,
        };
        let next = |name: String, valid_from, percent: i32| CopyInput {
            name,
            valid_from,
            valid_until: None,
            owner_tenant_id: None,
            owner_tenant_group_id: None,
            change: PriceChange { percent: Some(Decimal::from(percent)), ..PriceChange::default() },
            rounding: Some(Rounding { to: Decimal::from_millionths(500_000), direction: Direction::Nearest }),
            ends_original: true,
            version: None,
        };
        let past = Past { db, tenant: TenantId(*tenant) };

        // the internal list first: sales prices are checked against it
        let made = now();
        let own = list(format!("Einkauf {year}"), ListType::Internal, ListScope::Own, begun);
        let own = price_list::create_at(db, &scope, own, begun - AHEAD).await?.list.id;
        price_list_entry::update_many(db, &scope, own, prices(&articles, PURCHASE - 24)).await?;
        past.date(made, begun - AHEAD).await?;

        let year_before = first(year - 1, 1);
        let made = now();
        let global = list(format!("Verkauf {}", year - 1), ListType::Sales, ListScope::Global, year_before);
        let global = price_list::create_at(db, &scope, global, year_before - AHEAD).await?.list.id;
        price_list_entry::update_many(db, &scope, global, prices(&articles, SALES - 60)).await?;
        past.date(made, year_before - AHEAD).await?;

        let made = now();
        let this = next(format!("Verkauf {year}"), begun, 4);
        let this = copy::copy_at(db, &scope, global, this, begun - AHEAD).await?.list.list.id;
        past.date(made, begun - AHEAD).await?;

        for (days, below) in STEPS {
            let made = now();
            price_list_entry::update_many(db, &scope, this, prices(&articles, SALES - below)).await?;
            price_list_entry::update_many(db, &scope, own, prices(&articles, PURCHASE - below)).await?;
            past.date(made, (now() - TimeDelta::days(days)).max(begun)).await?;
        }
        // also in the last minutes of a year
        let next_begun = first(year + 1, 1);
        let next = next(format!("Verkauf {}", year + 1), next_begun, 3);
        copy::copy_at(db, &scope, this, next, now().min(next_begun - AHEAD)).await?;
    }
    Ok(())
}

/// Backdates the lists of a tenant.
struct Past<'d> {
    db: &'d Database,
    tenant: TenantId,
}

impl Past<'_> {
    async fn date(&self, since: Instant, then: Instant) -> Result<()> {
        let owner = price_list::Column::OwnerTenantId;
        past::date::<PriceLists>(self.db, self.tenant, owner, since, then).await?;
        let owner = price_list_entry::Column::TenantId;
        past::date::<Entries>(self.db, self.tenant, owner, since, then).await
    }
}

/// First moment of a month at the companies' location.
fn first(year: i32, month: u32) -> Instant {
    Berlin.with_ymd_and_hms(year, month, 1, 0, 0, 0).single().map_or_else(now, |moment| moment.to_utc())
}

/// Prices per tonne from an amount on, every third for 100 kg, every fifth with quantity breaks.
fn prices(articles: &[i64], from: i32) -> EntriesInput {
    let price = |(index, article): (i32, &i64)| {
        let by_ton = from + index * 13 % 240;
        let (euro, quantity, unit) =
            if index % 3 == 0 { (by_ton / 10, 100, Unit::Kilogram) } else { (by_ton, 1, Unit::Tonne) };
        let money = Money { price: Decimal::from(euro), price_quantity: Decimal::from(quantity), unit };
        let tier = |from: i32, euro: i32| TierInput {
            quantity_from: Decimal::from(from),
            quantity_unit: None,
            price: Decimal::from(euro),
            price_quantity: Decimal::ONE,
            unit: Unit::Tonne,
        };
        let tiers = [tier(10, by_ton - 20), tier(50, by_ton - 45)];
        EntryInput {
            article_id: Some(*article),
            article_number: None,
            price: Some(money),
            bulk_prices: if index % 5 == 1 { tiers.into() } else { Vec::new() },
            version: None,
        }
    };
    EntriesInput { prices: (0..).zip(articles).map(price).collect(), keep_bulk_prices: None }
}
