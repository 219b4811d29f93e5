//! Generated books and carts: both implementations agree to the last digit, and the invariants of quotes are
//! satisfied.

use std::collections::BTreeSet;

use num_traits::Signed;
use values::Code;

use super::{
    reference::{Q, cents, q, rounded},
    world::*,
    *,
};
use crate::codes;

/// Number of carts: 2,000, or the value of `STALHOF_CARTS`.
fn carts() -> u64 {
    std::env::var("STALHOF_CARTS").ok().map_or(2_000, |carts| carts.parse().expect("a number of carts"))
}

const CARTS_PER_WORLD: u64 = 10;

/// Calls `check` with all worlds and carts, which are the same in every run.
fn each(mut check: impl FnMut(&World, &Book, &Cart, &mut Dice)) {
    for seed in 0..carts().div_ceil(CARTS_PER_WORLD) {
        let mut dice = Dice::new(seed);
        let world = World::new(&mut dice);
        let book = world.book();
        for _ in 0..CARTS_PER_WORLD {
            let cart = world.cart(&mut dice);
            check(&world, &book, &cart, &mut dice);
        }
    }
}

fn exactly(exact: Exact) -> Q {
    let text = exact.to_string();
    let (sign, digits) = text.strip_prefix('-').map_or((1, text.as_str()), |digits| (-1, digits));
    let (whole, behind) = digits.split_once('.').unwrap_or((digits, ""));
    let number: num_bigint::BigInt = format!("{whole}{behind}").parse().unwrap();
    Q::new(number * sign, num_bigint::BigInt::from(10).pow(u32::try_from(behind.len()).unwrap()))
}

/// Amount as shown: rounded once.
fn rounded_once(amount: &Q) -> Q {
    rounded(amount, 15)
}

fn codes(line: &LineQuote) -> Vec<Code> {
    line.refused.iter().map(|refused| refused.code).collect()
}

#[test]
fn results_match_a_second_implementation_to_the_last_digit() {
    let (mut priced, mut refused, mut stepped) = (0, BTreeSet::new(), 0);
    // steps whose value is from a table, and those whose table has none
    let (mut looked_up, mut lacking) = (0, 0);
    let mut said_by = BTreeSet::new();
    each(|world, book, cart, _| {
        let quote = quote(book, cart, Viewpoint::Seller, true);
        let answer = world.answer(cart);
        let (_, explained) = explain(book, cart, &quote, cart.moment.at).unwrap();
        for ((line, expected), explained) in quote.lines.iter().zip(&answer.lines).zip(&explained) {
            assert_eq!(codes(line), expected.refused, "{cart:?}");
            refused.extend(codes(line).into_iter().map(Code::as_str));
            assert_eq!(line.internal.map(exactly), expected.internal.as_ref().map(rounded_once), "{cart:?}");
            assert_eq!(line.items.len(), expected.items.len());
            let items = line.items.iter().zip(&expected.items).zip(&explained.items);
            for ((item, expected), explained) in items {
                assert_eq!(exactly(item.base), rounded_once(&expected.base), "{cart:?}");
                let source = explained.processing_price.map(|price| json!(price.source));
                assert_eq!(source.unwrap_or(json!("")), expected.said_by, "{cart:?}");
                said_by.insert(expected.said_by);
                let amounts: Vec<_> = explained.steps.iter().map(|step| exactly(step.exact)).collect();
                let expected_amounts: Vec<_> = expected.amounts.iter().map(rounded_once).collect();
                assert_eq!(amounts, expected_amounts, "{cart:?}\n{:?}", world.adjustments);
                assert_eq!(exactly(item.total), rounded_once(&expected.total), "{cart:?}");
                assert_eq!(q(item.total.shown()), Q::new(cents(&expected.total).into(), 100.into()));
                priced += 1;
                let of_tables = || explained.steps.iter().filter(|step| step.surcharge.is_some());
                looked_up += of_tables().filter(|step| step.amount != Decimal::ZERO).count();
                lacking += of_tables().filter(|step| step.outcome == AdjustmentOutcome::NoTableValue).count();
                stepped += amounts.iter().filter(|amount| **amount != Q::default()).count();
            }
        }
        assert_eq!(exactly(quote.total), rounded_once(&answer.total));
        assert_eq!(exactly(quote.base), rounded_once(&answer.base));
        assert_eq!(exactly(quote.weight), rounded_once(&answer.weight));
    });
    // the generated carts cover enough cases
    assert!(priced > carts() && stepped as u64 > carts() / 2, "{priced} priced, {stepped} steps");
    assert!(
        looked_up as u64 > carts() / 100 && lacking as u64 > carts() / 100,
        "{looked_up} looked up, {lacking} lacking"
    );
    assert_eq!(Vec::from_iter(said_by), ["", "article_type", "general", "question"]);
    for code in [
        "no_price",
        "no_processing_price",
        "price_not_convertible",
        "below_first_tier",
        "quantity_below_minimum",
        "amount_too_large",
    ] {
        assert!(refused.contains(code), "{refused:?}");
    }
}

#[test]
fn shown_amounts_add_up_to_the_total() {
    each(|_, book, cart, _| {
        let quote = quote(book, cart, Viewpoint::Seller, true);
        let (_, lines) = explain(book, cart, &quote, cart.moment.at).unwrap();
        let mut whole = quote.rounding().millionths();
        for (line, explained) in quote.lines.iter().zip(&lines) {
            for (item, explained) in line.items.iter().zip(&explained.items) {
                let steps: i64 = explained.steps.iter().map(|step| step.amount.millionths()).sum();
                assert_eq!(item.base.shown().millionths() + steps, item.total.shown().millionths());
                assert_eq!(explained.rounding, Decimal::ZERO);
                for step in explained.steps.iter() {
                    let shown = q(step.amount) - exactly(step.exact);
                    assert!(shown.abs() < Q::new(1.into(), 100.into()), "{step:?}");
                }
                assert!(item.total >= Exact::ZERO);
                whole += item.total.shown().millionths();
            }
        }
        assert_eq!(whole, quote.total.shown().millionths());
    });
}

#[test]
fn explanations_and_the_order_of_lines_do_not_change_the_result() {
    each(|_, book, cart, dice| {
        let explained = quote(book, cart, Viewpoint::Seller, true);
        let plain = quote(book, cart, Viewpoint::Seller, false);
        let mut order: Vec<usize> = (0..cart.lines.len()).collect();
        for place in (1..order.len()).rev() {
            order.swap(place, usize::try_from(dice.below(place as u64 + 1)).unwrap());
        }
        let turned =
            Cart { lines: order.iter().map(|place| cart.lines[*place].clone()).collect(), ..cart.clone() };
        let turned = quote(book, &turned, Viewpoint::Seller, false);
        let of_line = |line: &LineQuote| {
            let items: Vec<_> = line.items.iter().map(|item| (item.kind, item.base, item.total)).collect();
            (codes(line), items, line.internal, line.margin)
        };
        // if lines become too large one after the other, their order may decide which is refused first
        if explained.lines.iter().any(|line| codes(line).contains(&codes::AMOUNT_TOO_LARGE)) {
            return;
        }
        for (place, line) in order.iter().zip(&turned.lines) {
            assert_eq!(of_line(line), of_line(&explained.lines[*place]));
        }
        for (one, other) in explained.lines.iter().zip(&plain.lines) {
            assert_eq!(of_line(one), of_line(other));
        }
        assert_eq!((explained.total, explained.weight), (turned.total, turned.weight));
    });
}

/// Later relative adjustments do not include an ignored adjustment: their basis is the same as without it.
#[test]
fn ignored_adjustments_do_not_affect_later_relative_adjustments() {
    let mut compared = 0;
    each(|world, _, cart, _| {
        let mut adjustments = world.adjustments.clone();
        for adjustment in &mut adjustments {
            // conditions and constraints would include it
            adjustment.conditions = None;
            adjustment.purchase_constraints = None;
        }
        let Some(ignored) =
            adjustments.iter().position(|adjustment| adjustment.ignore_on_further_adjustments)
        else {
            return;
        };
        let book_and_quote = |adjustments: Vec<Adjustment>| {
            let world = World {
                articles: vec![],
                relations: vec![],
                adjustments,
                lists: world.lists.clone(),
                entries: world.entries.clone(),
                stocks: world.stocks.clone(),
                tables: vec![],
                processing_prices: world.processing_prices.clone(),
            };
            let book = world.book();
            let quote = quote(&book, cart, Viewpoint::Seller, true);
            (book, quote)
        };
        let id = adjustments[ignored].id;
        let (with_book, with) = book_and_quote(adjustments.clone());
        adjustments.remove(ignored);
        let (without_book, without) = book_and_quote(adjustments);
        let (_, with_lines) = explain(&with_book, cart, &with, cart.moment.at).unwrap();
        let (_, without_lines) = explain(&without_book, cart, &without, cart.moment.at).unwrap();
        if with.lines.iter().chain(&without.lines).any(|line| codes(line).contains(&codes::AMOUNT_TOO_LARGE))
        {
            return;
        }
        for (one, other) in with_lines.iter().zip(&without_lines) {
            for (one, other) in one.items.iter().zip(&other.items) {
                let one = one.steps.iter().filter(|step| step.adjustment_id != id);
                for (one, other) in one.zip(other.steps.iter()) {
                    assert_eq!(one.adjustment_id, other.adjustment_id);
                    if one.calculation_type.is_relative() {
                        assert_eq!(one.basis, other.basis);
                        compared += 1;
                    }
                }
            }
        }
    });
    assert!(compared > carts() / 10, "{compared}");
}

#[test]
fn lists_not_in_effect_or_of_other_owners_are_never_used() {
    let mut checked_prices = 0;
    each(|world, book, cart, _| {
        let quote = quote(book, cart, Viewpoint::Seller, true);
        let (_, lines) = explain(book, cart, &quote, cart.moment.at).unwrap();
        for price in lines.iter().flat_map(|line| [&line.price, &line.internal_price]).flatten() {
            let Some(list) = world.lists.iter().find(|list| Some(list.head.id) == price.list_id) else {
                continue;
            };
            let head = &list.head;
            assert!(head.valid_from <= cart.moment.at);
            assert!(head.valid_until.is_none_or(|until| cart.moment.at < until));
            assert!(head.owner_tenant_id.is_none_or(|owner| owner == TenantId(SELLER)));
            checked_prices += 1;
        }
    });
    assert!(checked_prices > carts() / 4, "{checked_prices}");
}

/// A quote for a buyer contains only what applies to them.
#[test]
fn a_buyer_sees_only_what_applies_to_them() {
    each(|_, book, cart, _| {
        let all = quote(book, cart, Viewpoint::Seller, true);
        let quoted = quote(book, cart, Viewpoint::Buyer, true);
        assert_eq!((quoted.total, quoted.margin), (all.total, None));
        let (whole, lines) = explain(book, cart, &quoted, cart.moment.at).unwrap();
        assert!(whole.lists.is_empty() && whole.adjustments.is_empty());
        for (line, explained) in quoted.lines.iter().zip(&lines) {
            assert_eq!((line.internal, line.margin, &explained.internal_price), (None, None, &None));
            assert!(explained.stocks.len() <= 1);
            for step in explained.items.iter().flat_map(|item| item.steps.iter()) {
                assert!(matches!(step.outcome, AdjustmentOutcome::Applied | AdjustmentOutcome::Floored));
                assert!(step.conditions.is_none());
            }
        }
    });
}
