//! Adjustments that can and that cannot apply.

use values::TenantId;

use super::*;
use crate::{
    condition::text,
    price_adjustment::terms::{CalculationType, Operation},
    quote::{
        tests::{
            self,
            world::{Dice, World},
        },
        trial::Trial,
    },
};

fn adjustment(conditions: &str, apply_to: ApplyTo) -> Adjustment {
    let base = tests::adjustment(1, Operation::Discount, "3", CalculationType::RelativeToBase);
    let conditions = (!conditions.is_empty()).then(|| text::parse(conditions).unwrap());
    Adjustment { conditions, apply_to, ..base }
}

fn articles() -> ApplyTo {
    ApplyTo::ItemType { item_types: vec![ItemType::Article] }
}

fn item(articles: &[i64], materials: &[i64]) -> ApplyTo {
    ApplyTo::Item {
        articles: articles.to_vec(),
        article_types: Vec::new(),
        categories: Vec::new(),
        materials: materials.to_vec(),
    }
}

const ANY_DAY: Within = Within { from: None, until: None };

#[test]
fn numbers_that_exclude_one_another_are_found() {
    for (conditions, expected) in [
        ("", true),
        ("all(cart_weight >= 10 t, cart_weight < 5 t)", false),
        ("all(cart_weight >= 10 t, cart_weight <= 10000 kg)", true),
        ("all(cart_weight > 10 t, cart_weight <= 10000 kg)", false),
        // there is a third number between any two
        ("all(cart_base_price > 10, cart_base_price < 10.0001)", true),
        ("all(cart_base_price > 10, cart_base_price < 11, not(cart_base_price != 11))", false),
        ("adjusted_cart_total < 0", false),
        ("adjusted_cart_total <= 0", true),
        ("item_quantity <= 0 piece", false),
        ("item_quantity > 0 piece", true),
        // metres and millimetres are the same length; metres and pieces are independent
        ("all(item_quantity >= 2 m, item_quantity < 1500 mm)", false),
        ("all(item_quantity >= 2 m, item_quantity < 1 piece)", true),
        // an item weighs no more than its cart
        ("all(item_weight > 10 t, cart_weight < 10 t)", false),
        ("all(item_weight >= 10 t, cart_weight <= 10 t)", true),
        ("all(item_weight < 1 t, cart_weight > 10 t)", true),
        ("not(item_weight >= 0 kg)", true),
    ] {
        let adjustment = adjustment(conditions, articles());
        assert_eq!(can_apply(&adjustment, ANY_DAY), Some(expected), "{conditions}");
    }
}

#[test]
fn records_that_exclude_one_another_are_found() {
    for (conditions, apply_to, expected) in [
        ("all(article in (1, 2), article in (3))", articles(), false),
        ("all(article in (1, 2), article in (2, 3))", articles(), true),
        ("all(article not in (1, 2))", item(&[1, 2], &[]), false),
        ("all(article not in (1, 2))", item(&[1, 2], &[7]), true),
        ("material in (8)", item(&[], &[7]), false),
        // an article is in several categories
        ("all(category in (1), category in (2))", articles(), true),
        ("all(category in (1), category not in (1, 2))", articles(), false),
        ("any(article in (1), all(article_type in (4), article_type in (5)))", item(&[2], &[]), false),
        ("all(warehouse in (1), warehouse in (2))", articles(), false),
        ("all(tenant_group in (1), tenant_group in (2))", articles(), true),
        ("not(processing in (1), processing not in (1))", articles(), false),
    ] {
        let adjustment = adjustment(conditions, apply_to);
        assert_eq!(can_apply(&adjustment, ANY_DAY), Some(expected), "{conditions}");
    }
    // audience of the adjustment
    let south = Adjustment { tenant_ids: vec![TenantId(2)], ..adjustment("tenant not in (2)", articles()) };
    assert_eq!(can_apply(&south, ANY_DAY), Some(false));
    let grouped = Adjustment { tenant_group_ids: vec![40], ..south };
    assert_eq!(can_apply(&grouped, ANY_DAY), Some(true));
}

#[test]
fn adjustments_of_freight_alone_can_never_apply() {
    let to = |item_types: &[ItemType]| ApplyTo::ItemType { item_types: item_types.to_vec() };
    let shipping = ItemType::Shipping;
    assert_eq!(can_apply(&adjustment("", to(&[shipping])), ANY_DAY), Some(false));
    assert_eq!(can_apply(&adjustment("cart_weight > 1 t", to(&[shipping])), ANY_DAY), Some(false));
    assert_eq!(can_apply(&adjustment("", to(&[shipping, ItemType::Processing])), ANY_DAY), Some(true));
}

/// Dates out of range may have been saved before years were limited.
#[test]
fn dates_at_the_limits_of_the_calendar_are_checked() {
    for day in [NaiveDate::MIN, NaiveDate::MAX] {
        for op in [Comparison::LesserThan, Comparison::GreaterThan, Comparison::Equals] {
            let test =
                Test { subject: ConditionType::Date, expected: ExpectedValue::Date { op, value: day } };
            let adjustment =
                Adjustment { conditions: Some(Condition::Test(test)), ..adjustment("", articles()) };
            assert!(can_apply(&adjustment, ANY_DAY).is_some(), "{day} {op:?}");
        }
    }
}

#[test]
fn date_conditions_are_checked_within_the_period() {
    let day = |text: &str| Some(text.parse().unwrap());
    for (conditions, from, until, expected) in [
        // a Saturday and a Sunday
        ("weekday in (monday)", day("2026-11-28"), day("2026-11-29"), false),
        ("weekday in (sunday)", day("2026-11-28"), day("2026-11-29"), true),
        ("all(date = 2026-11-28, weekday in (sunday))", None, None, false),
        ("all(date >= 2026-11-28, date <= 2026-11-29, weekday in (friday))", None, None, false),
        ("all(date > 2026-11-20, date < 2026-11-29, weekday in (friday))", None, None, true),
        ("date < 2026-11-28", day("2026-11-28"), None, false),
        ("date < 2026-11-28", None, day("2026-11-27"), true),
        ("date > 2026-11-28", None, day("2026-11-28"), false),
        ("date > 2026-11-28", day("2020-01-01"), None, true),
        ("date != 2026-11-28", day("2026-11-28"), day("2026-11-28"), false),
        (
            "not(weekday in (monday, tuesday, wednesday, thursday, friday, saturday, sunday))",
            None,
            None,
            false,
        ),
    ] {
        let adjustment = adjustment(conditions, articles());
        assert_eq!(
            can_apply(&adjustment, Within { from, until }),
            Some(expected),
            "{conditions} {from:?} {until:?}"
        );
    }
}

#[test]
fn checks_that_would_take_too_long_have_no_verdict() {
    // one of two records in each of many conditions, and no category at all: the contradiction only shows
    // when all are chosen
    let any = |id: i64| format!("any(category in ({id}), category in ({}))", id + 1);
    let pairs: Vec<String> = (1..=14).map(|id| any(2 * id)).collect();
    let all: Vec<String> = (2..=29).map(|id| id.to_string()).collect();
    let conditions = format!("all({}, category not in ({}))", pairs.join(", "), all.join(", "));
    assert_eq!(
        can_apply(&adjustment(&conditions, articles()), ANY_DAY),
        Some(false),
        "the first pair fails already"
    );
    let last = format!("all({}, any(article in (1), article in (2)), material in (1))", pairs.join(", "));
    let never = Adjustment { apply_to: item(&[], &[2]), ..adjustment(&last, articles()) };
    assert_eq!(can_apply(&never, ANY_DAY), None);
}

/// An adjustment that applies in a cart is never reported as impossible.
#[test]
fn adjustments_that_apply_are_never_excluded() {
    let (mut applied, mut excluded) = (0, 0);
    for seed in 0..800 {
        let mut dice = Dice::new(seed);
        let world = World::new(&mut dice);
        let book = world.book();
        let mut of_moments = Vec::new();
        for _ in 0..10 {
            let cart = world.cart(&mut dice);
            let date = cart.moment.date;
            let Some(trial) = Trial::prepare(&book, cart) else { continue };
            of_moments.extend(trial.links.iter().filter_map(|place| {
                let run = trial.run(&[*place])?;
                (!run.effective.is_empty() || !run.idle.is_empty()).then_some((*place, date))
            }));
        }
        for (place, adjustment) in book.adjustments().enumerate() {
            let verdict = can_apply(adjustment, ANY_DAY);
            excluded += usize::from(verdict == Some(false));
            for (_, date) in of_moments.iter().filter(|(applied_place, _)| *applied_place == place) {
                applied += 1;
                assert_ne!(verdict, Some(false), "{adjustment:?}");
                let that_day = Within { from: Some(*date), until: Some(*date) };
                assert_ne!(can_apply(adjustment, that_day), Some(false), "{date} {adjustment:?}");
            }
        }
    }
    assert!(applied > 500 && excluded > 20, "{applied} {excluded}");
}
