//! Tests of the calculation: its worked example, its boundaries, and the agreement with a second
//! implementation.

mod agreement;
mod boundaries;
mod exactness;
mod explanations;
mod reference;
mod taken_over;
mod units;
pub(crate) mod world;

use std::sync::Arc;

use catalog::quantity::Relation;
use chrono::TimeDelta;
use serde_json::json;
use values::{Decimal, Instant, TenantId, Unit};

use super::{
    book::{Book, Builder, StockPrices},
    explain::{AdjustmentOutcome, explain},
    *,
};
use crate::{
    price_adjustment::terms::{Adjustment, ApplyTo, CalculationType, Operation, Value},
    price_list::{ListScope, ListType, PriceList, seller_lists::List},
    price_side::Side,
    processing_price::ProcessingPrice,
};

pub(crate) const SELLER: i64 = 1;
pub(crate) const BUYER: i64 = 2;

pub(crate) fn decimal(text: &str) -> Decimal {
    text.parse().unwrap()
}

/// Noon of a Tuesday.
pub(crate) fn noon() -> Instant {
    "2026-11-24T11:00:00Z".parse().unwrap()
}

pub(crate) fn moment() -> Moment {
    Moment::new(noon(), Tz::Europe__Berlin)
}

/// Beam of 12.1 m a piece and 61.3 kg a metre.
pub(crate) fn beam() -> Article {
    let relation = |from: Unit, amount: &str, unit: Unit| Relation { from, amount: decimal(amount), unit };
    let relations =
        vec![relation(Unit::Piece, "12.1", Unit::Metre), relation(Unit::Metre, "61.3", Unit::Kilogram)];
    Article {
        article_number: "HEB-200".into(),
        article_type_id: 10,
        material_id: Some(20),
        categories: vec![30, 31],
        ..Article::from_relations(100, Unit::Metre, relations)
    }
}

/// Price from a text such as `"985/t"` or `"92.5/100 kg"`.
pub(crate) fn money(text: &str) -> Money {
    let (price, basis) = text.split_once('/').unwrap();
    let (quantity, unit) = basis.split_once(' ').unwrap_or(("1", basis));
    Money { price: decimal(price), price_quantity: decimal(quantity), unit: Unit::parse(unit).unwrap() }
}

/// Side from a text such as `"985/t"` or `"985/t, 10: 960/t, 5 t: 930/t"`; quantities without a unit are
/// in the listing unit.
pub(crate) fn side(text: &str) -> Side {
    let (tiers, base): (Vec<_>, Vec<_>) =
        text.split(", ").filter(|part| !part.is_empty()).partition(|part| part.contains(": "));
    let tiers: Vec<_> = tiers
        .iter()
        .map(|tier| tier.split_once(": ").unwrap())
        .map(|(from, price)| {
            let (quantity, unit) =
                from.split_once(' ').map_or((from, None), |(from, unit)| (from, Some(unit)));
            json!({ "from": quantity, "from_unit": unit, "price": money(price) })
        })
        .collect();
    Side {
        price: base.first().map(|price| money(price)),
        tiers: serde_json::from_value(json!(tiers)).unwrap(),
    }
}

pub(crate) fn list(id: i64, r#type: ListType, scope: ListScope) -> List {
    List {
        head: PriceList {
            id,
            owner_tenant_id: Some(TenantId(SELLER)),
            owner_tenant_group_id: None,
            name: format!("list {id}"),
            name_fold: String::new(),
            name_sort: String::new(),
            customer_name: None,
            customer_name_fold: String::new(),
            customer_name_sort: String::new(),
            announce: false,
            r#type,
            scope,
            valid_from: noon() - TimeDelta::days(1),
            valid_until: None,
            price_count: 0,
            version: 1,
            created_at: noon(),
            updated_at: noon(),
        },
        tenants: Vec::new(),
        groups: Vec::new(),
        excluded: Vec::new(),
    }
}

pub(crate) fn adjustment(
    id: i64,
    operation: Operation,
    value: &str,
    calculation_type: CalculationType,
) -> Adjustment {
    Adjustment {
        id,
        owner: Some(TenantId(SELLER)),
        position: id,
        name: format!("adjustment {id}"),
        active: true,
        operation,
        value: Value::Fixed(decimal(value)),
        calculation_type,
        conditions: None,
        ignore_on_further_adjustments: false,
        apply_to: ApplyTo::ItemType { item_types: vec![ItemType::Article] },
        tenant_ids: Vec::new(),
        tenant_group_ids: Vec::new(),
        excluded_tenant_ids: Vec::new(),
        purchase_constraints: None,
        valid_from: None,
        valid_until: None,
    }
}

/// Processing price whose id encodes the processing and the article type.
pub(crate) fn processing_price(processing: i64, article_type: Option<i64>, price: Money) -> ProcessingPrice {
    ProcessingPrice {
        id: 1_000 * processing + article_type.unwrap_or_default(),
        tenant_id: TenantId(SELLER),
        name: String::new(),
        processing_id: processing,
        article_type_id: article_type,
        article_type_key: article_type.unwrap_or_default(),
        price,
        version: 1,
        created_at: noon(),
        updated_at: noon(),
    }
}

/// Book with prices of the beam in lists and in one stock, and with adjustments.
pub(crate) fn book(lists: Vec<(List, &str)>, stock: &str, adjustments: Vec<Adjustment>) -> Book {
    let heads = lists.iter().map(|(list, _)| list.clone()).collect();
    let mut builder = Builder::new(TenantId(SELLER), vec![50], heads, adjustments);
    for (list, prices) in &lists {
        if !prices.is_empty() {
            builder.entry(list.head.id, 100, &side(prices));
        }
    }
    if !stock.is_empty() {
        let (external, internal) = stock.split_once(" | ").unwrap_or((stock, ""));
        let (external, internal) = (side(external), side(internal));
        builder.stock(&StockPrices { id: 500, article_id: 100, warehouse_id: 60, external, internal });
    }
    builder.build()
}

pub(crate) fn line(quantity: &str, unit: Unit) -> Line {
    Line {
        article: Arc::new(beam()),
        quantity: decimal(quantity),
        unit,
        warehouse: None,
        processings: Vec::new(),
    }
}

pub(crate) fn cart(lines: Vec<Line>) -> Cart {
    Cart { buyer: Some(Buyer { tenant: BUYER, groups: vec![40] }), moment: moment(), lines }
}

/// The worked example: the price of a cart of three beams, step by step.
#[test]
fn the_worked_example_of_three_beams_is_priced_exactly() {
    use CalculationType::{Absolute, PerTon, RelativeToAdjusted, RelativeToBase};
    use Operation::{Discount, Surcharge};
    let ignored =
        Adjustment { ignore_on_further_adjustments: true, ..adjustment(1, Surcharge, "35", PerTon) };
    let chain = vec![
        ignored,
        adjustment(2, Discount, "3", RelativeToAdjusted),
        adjustment(3, Surcharge, "1.5", RelativeToBase),
        adjustment(4, Surcharge, "45", Absolute),
    ];
    let global = list(7, ListType::Sales, ListScope::Global);
    let book = book(vec![(global, "985/t")], "1100/t | 900/t", chain);
    let cart = cart(vec![line("3", Unit::Piece)]);
    let quote = quote(&book, &cart, Viewpoint::Seller, true);

    assert_eq!(quote.weight.to_string(), "2225.19");
    let item = &quote.lines[0].items[0];
    assert_eq!(item.base.to_string(), "2191.81215");
    assert_eq!(item.base.shown(), decimal("2191.81"));
    assert_eq!(item.total.shown(), decimal("2281.82"));
    assert_eq!((quote.total.shown(), quote.rounding()), (decimal("2281.82"), Decimal::ZERO));

    let (_, lines) = explain(&book, &cart, &quote, cart.moment.at).unwrap();
    let steps = &lines[0].items[0].steps;
    let amounts: Vec<_> = steps.iter().map(|step| step.amount.to_string()).collect();
    assert_eq!(amounts, ["77.88", "-65.75", "32.88", "45"]);
    let totals: Vec<_> = steps.iter().map(|step| step.total.to_string()).collect();
    assert_eq!(totals, ["2269.69", "2203.94", "2236.82", "2281.82"]);
    let bases: Vec<_> = steps.iter().filter_map(|step| step.basis).map(|basis| basis.to_string()).collect();
    assert_eq!(bases[..3], ["2225.19", "2191.81215", "2191.81215"]);
    assert_eq!(lines[0].items[0].rounding, Decimal::ZERO);
    assert!(steps.iter().all(|step| step.outcome == AdjustmentOutcome::Applied));
    // 3 pieces = 36.3 m = 2225.19 kg = 2.22519 t
    assert_eq!(lines[0].price.as_ref().unwrap().conversions.len(), 3);
    // with the stock's internal price: 900 a tonne
    let internal = lines[0].internal_price.as_ref().unwrap();
    assert_eq!((internal.stock_id, internal.amount), (Some(500), decimal("2002.67")));
    assert_eq!(quote.margin.unwrap().amount.shown(), decimal("279.15"));
}
