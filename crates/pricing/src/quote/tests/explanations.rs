//! Explanations of conditions, weights and refusals.

use serde_json::Value as Json;
use values::Language;

use super::{explain::explain, *};
use crate::{condition::text::parse, price_adjustment::terms::PurchaseConstraints};

use CalculationType::{PerKg, PerTon, RelativeToBase};
use Operation::{Discount, Surcharge};

fn global(price: &str, chain: Vec<Adjustment>) -> Book {
    book(vec![(list(7, ListType::Sales, ListScope::Global), price)], "", chain)
}

/// Returns the value that a condition found in one metre of the beam at 100 EUR, for an anonymous buyer.
fn compared_value(condition: &str, article: Article) -> Json {
    let chain = vec![Adjustment {
        conditions: Some(parse(condition).unwrap()),
        ..adjustment(1, Discount, "1", RelativeToBase)
    }];
    let book = global("100/m", chain);
    let line = Line { article: Arc::new(article), ..line("1", Unit::Metre) };
    let cart = Cart { buyer: None, ..cart(vec![line]) };
    let quote = quote(&book, &cart, Viewpoint::Seller, true);
    let (_, lines) = explain(&book, &cart, &quote, cart.moment.at).unwrap();
    let step = serde_json::to_value(lines[0].items[0].steps.iter().next().unwrap()).unwrap();
    step["conditions"].get("found").cloned().unwrap_or(json!("unknown"))
}

#[test]
fn an_empty_value_differs_from_an_unknown_one() {
    let plain = || Article { material_id: None, categories: vec![], ..beam() };
    for subject in ["material", "category", "processing", "warehouse", "tenant", "tenant_group"] {
        assert_eq!(compared_value(&format!("{subject} in (7)"), plain()), json!([]), "{subject}");
    }
    let weightless = || Article::from_relations(100, Unit::Metre, vec![]);
    assert_eq!(compared_value("item_weight >= 1 kg", weightless()), json!("unknown"));
    assert_eq!(compared_value("item_quantity >= 1 piece", weightless()), json!("unknown"));
    assert_eq!(
        compared_value("cart_weight >= 1 kg", weightless()),
        json!("0"),
        "nothing of the cart weighs anything"
    );
}

#[test]
fn a_compared_number_shows_the_decisive_places() {
    // one metre is 0.0826446… pieces
    assert_eq!(compared_value("item_quantity >= 0.08 piece", beam()), json!("0.082645"));
    assert_eq!(compared_value("item_quantity >= 0.082645 piece", beam()), json!("0.082644628099174"));
}

#[test]
fn a_basis_by_weight_has_its_unit() {
    let chain = vec![
        adjustment(1, Surcharge, "35", PerTon),
        adjustment(2, Surcharge, "1", PerKg),
        adjustment(3, Discount, "1", RelativeToBase),
    ];
    let (book, cart) = (global("100/m", chain), cart(vec![line("1", Unit::Metre)]));
    let quote = quote(&book, &cart, Viewpoint::Buyer, true);
    let (_, lines) = explain(&book, &cart, &quote, cart.moment.at).unwrap();
    let bases: Vec<_> = lines[0].items[0]
        .steps
        .iter()
        .map(|step| (step.basis.unwrap().to_string(), step.basis_unit))
        .collect();
    let kilograms = Some(Unit::Kilogram);
    assert_eq!(bases, [("61.3".into(), kilograms), ("61.3".into(), kilograms), ("100".into(), None)]);
}

#[test]
fn a_refused_quantity_names_the_adjustment_to_seller_and_buyer() {
    let constraints = |min: Option<&str>, max: Option<&str>, multiple: Option<&str>| PurchaseConstraints {
        min_quantity: min.map(decimal),
        max_quantity: max.map(decimal),
        multiple_of: multiple.map(decimal),
        unit: Unit::Metre,
    };
    for (constraints, expected) in [
        (constraints(Some("5"), None, None), "Vom Artikel HEB-200 werden mindestens 5 m verkauft („Bund“)."),
        (
            constraints(None, Some("0.5"), None),
            "Vom Artikel HEB-200 werden höchstens 0,5 m verkauft („Bund“).",
        ),
        (
            constraints(None, None, Some("3")),
            "Der Artikel HEB-200 wird nur in Vielfachen von 3 m verkauft („Bund“).",
        ),
    ] {
        let bundle = Adjustment {
            name: "Bund".into(),
            purchase_constraints: Some(constraints),
            ..adjustment(1, Discount, "1", RelativeToBase)
        };
        let (book, cart) = (global("100/m", vec![bundle]), cart(vec![line("1", Unit::Metre)]));
        for viewpoint in [Viewpoint::Seller, Viewpoint::Buyer] {
            let quote = quote(&book, &cart, viewpoint, true);
            assert_eq!(quote.lines[0].refused[0].text(Language::De), expected, "{viewpoint:?}");
            // lists and price are explained even though the line is refused
            let (_, lines) = explain(&book, &cart, &quote, cart.moment.at).unwrap();
            assert_eq!((lines[0].lists.iter().count(), lines[0].price.is_some()), (1, true), "{viewpoint:?}");
        }
    }
}
