//! Decisions that do not depend on a truncated digit.

use super::*;
use crate::condition::{Condition, text};

/// A bolt of one kilogram and three metres: a metre weighs a third of a kilogram.
fn bolt() -> Arc<Article> {
    let relation = |amount: &str, unit: Unit| Relation { from: Unit::Piece, amount: decimal(amount), unit };
    let relations = vec![relation("3", Unit::Metre), relation("1", Unit::Kilogram)];
    Arc::new(Article::from_relations(100, Unit::Piece, relations))
}

fn metres(count: usize) -> Cart {
    cart(vec![Line { article: bolt(), ..line("1", Unit::Metre) }; count])
}

fn condition(text: &str) -> Condition {
    text::parse(text).unwrap()
}

fn global(price: &str, adjustments: Vec<Adjustment>) -> Book {
    book(vec![(list(1, ListType::Sales, ListScope::Global), price)], "", adjustments)
}

#[test]
fn a_third_of_a_kilogram_costs_a_third_of_the_price_per_kilogram() {
    let by_weight = adjustment(1, Operation::Surcharge, "16.515", CalculationType::PerKg);
    let quote = quote(&global("0/piece", vec![by_weight]), &metres(1), Viewpoint::Seller, false);
    assert_eq!((quote.total.to_string(), quote.total.shown()), ("5.505".to_owned(), decimal("5.51")));
}

#[test]
fn three_lines_of_a_third_equal_a_whole_in_every_condition() {
    use CalculationType::{Absolute, RelativeToBase};
    for (condition_text, lines, holds) in [
        ("cart_weight >= 1 kg", 3, true),
        ("cart_weight >= 0.001 t", 3, true),
        ("cart_weight = 1 kg", 3, true),
        ("cart_weight != 1 kg", 3, false),
        ("cart_weight < 1 kg", 3, false),
        ("cart_weight >= 1 kg", 2, false),
        ("cart_base_price >= 10", 3, true),
        ("cart_base_price = 20", 6, true),
        // each line is discounted by a third
        ("adjusted_cart_total = 9", 3, true),
        ("adjusted_cart_total < 9", 3, false),
        ("item_quantity = 1 m", 1, true),
        ("item_quantity = 100 cm", 1, true),
        ("item_weight < 0.333334 kg", 1, true),
        ("item_weight > 0.333333 kg", 1, true),
    ] {
        let tenth = adjustment(1, Operation::Discount, "10", RelativeToBase);
        let conditions = Some(condition(condition_text));
        let asking = Adjustment { conditions, ..adjustment(2, Operation::Surcharge, "7", Absolute) };
        let quote = quote(&global("10/piece", vec![tenth, asking]), &metres(lines), Viewpoint::Seller, false);
        let without = 3 * lines;
        let more = if holds { 7 * lines } else { 0 };
        assert_eq!(quote.total.to_string(), (without + more).to_string(), "{condition_text} {lines}");
    }
}

#[test]
fn a_full_discount_is_not_marked_as_floored() {
    let full = adjustment(1, Operation::Discount, "100", CalculationType::RelativeToBase);
    let (book, cart) = (global("10/piece", vec![full]), metres(1));
    let quote = quote(&book, &cart, Viewpoint::Seller, true);
    assert_eq!(quote.total, Exact::ZERO);
    let (_, lines) = explain(&book, &cart, &quote, cart.moment.at).unwrap();
    assert_eq!(lines[0].items[0].steps.iter().next().unwrap().outcome, AdjustmentOutcome::Applied);
}

#[test]
fn the_quantity_of_a_piece_equals_its_length() {
    let conditions = Some(condition("item_quantity = 6.1 m"));
    let asking = adjustment(1, Operation::Discount, "100", CalculationType::RelativeToBase);
    let book = global("10/m", vec![Adjustment { conditions, ..asking }]);
    let relations = vec![
        Relation { from: Unit::Piece, amount: decimal("6.1"), unit: Unit::Metre },
        Relation { from: Unit::Metre, amount: decimal("6"), unit: Unit::Kilogram },
    ];
    let bar = Arc::new(Article::from_relations(100, Unit::Metre, relations));
    for (quantity, unit) in
        [("1", Unit::Piece), ("6.1", Unit::Metre), ("6100", Unit::Millimetre), ("36.6", Unit::Kilogram)]
    {
        let cart = cart(vec![Line { article: bar.clone(), ..line(quantity, unit) }]);
        assert_eq!(quote(&book, &cart, Viewpoint::Seller, false).total, Exact::ZERO, "{quantity} {unit:?}");
    }
}

#[test]
fn shown_steps_add_up_to_the_shown_total() {
    let discount = adjustment(1, Operation::Discount, "15", CalculationType::RelativeToBase);
    let (book, cart) = (global("34.9/m", vec![discount]), cart(vec![line("1", Unit::Metre)]));
    let quote = quote(&book, &cart, Viewpoint::Seller, true);
    let (_, lines) = explain(&book, &cart, &quote, cart.moment.at).unwrap();
    let item = &lines[0].items[0];
    let step = &item.steps.iter().next().unwrap();
    assert_eq!((step.amount, step.total, item.rounding), (decimal("-5.23"), decimal("29.67"), Decimal::ZERO));
    assert_eq!((step.exact.to_string(), quote.total.shown()), ("-5.235".to_owned(), decimal("29.67")));
}

#[test]
fn amounts_for_articles_and_processings_are_charged_once_per_line() {
    use AdjustmentOutcome::{Applied, Conditions, NotThisItem, OncePerLine};
    use CalculationType::{Absolute, PerTon, RelativeToBase};
    let both = || ApplyTo::ItemType { item_types: vec![ItemType::Article, ItemType::Processing] };
    let processings = || ApplyTo::ItemType { item_types: vec![ItemType::Processing] };
    let sawn = |id: i64| Processing { id, quantity: Decimal::ONE, price: Some(money("100/piece")) };
    let cart = cart(vec![Line { processings: vec![sawn(70), sawn(71)], ..line("1", Unit::Tonne) }]);
    for (calculation_type, value, apply_to, condition_text, outcomes, total) in [
        (Absolute, "45", both(), None, [Applied, OncePerLine, OncePerLine], "1245"),
        (PerTon, "35", both(), None, [Applied, OncePerLine, OncePerLine], "1235"),
        // not on the article, but on its first processing
        (Absolute, "45", both(), Some("item_quantity = 1 piece"), [Conditions, Applied, OncePerLine], "1245"),
        // adjustments for processings alone apply to each, as percentages do
        (Absolute, "45", processings(), None, [NotThisItem, Applied, Applied], "1290"),
        (RelativeToBase, "10", both(), None, [Applied, Applied, Applied], "1320"),
    ] {
        let conditions = condition_text.map(condition);
        let adjustment = Adjustment {
            conditions,
            apply_to,
            ..adjustment(1, Operation::Surcharge, value, calculation_type)
        };
        let book = global("1000/t", vec![adjustment]);
        let quote = quote(&book, &cart, Viewpoint::Seller, true);
        let (_, lines) = explain(&book, &cart, &quote, cart.moment.at).unwrap();
        let actual_outcomes: Vec<_> =
            lines[0].items.iter().map(|item| item.steps.iter().next().unwrap().outcome).collect();
        assert_eq!(
            (&*actual_outcomes, &*quote.total.to_string()),
            (&outcomes[..], total),
            "{calculation_type:?} {condition_text:?}"
        );
    }
}
