//! Findings from carts, in small books.

use values::Unit;

use super::*;
use crate::{
    condition::text,
    price_adjustment::terms::{ApplyTo, ItemType, Operation},
    price_list::{ListScope, ListType},
    quote::{
        Viewpoint, quote,
        tests::{
            self, cart, decimal, line, list,
            world::{Dice, World},
        },
    },
};

use CalculationType::{Absolute, PerTon, RelativeToAdjusted, RelativeToBase};
use Operation::{Discount, Surcharge};

/// Adjustments in the given order.
fn chain(settings: &[(Operation, &str, CalculationType, &str)]) -> Vec<Adjustment> {
    let adjustment = |(id, (operation, value, calculation, conditions)): (
        i64,
        &(Operation, &str, CalculationType, &str),
    )| {
        let base = tests::adjustment(id, *operation, value, *calculation);
        let conditions = (!conditions.is_empty()).then(|| text::parse(conditions).unwrap());
        Adjustment { conditions, ..base }
    };
    (1..).zip(settings).map(adjustment).collect()
}

/// Book in which a tonne costs 1,000.
fn book(adjustments: Vec<Adjustment>) -> Book {
    tests::book(vec![(list(7, ListType::Sales, ListScope::Global), "1000/t")], "", adjustments)
}

/// Examination with carts of these weights in tonnes.
fn examined<'b>(book: &'b Book, tonnes: &[&str]) -> Examination<'b> {
    let mut examination = Examination::new(book);
    examination.try_all(tonnes.iter().map(|tonnes| Some(cart(vec![line(tonnes, Unit::Tonne)]))));
    assert_eq!(examination.trials.len(), tonnes.len());
    examination
}

/// Pairs, the cart that shows each, and its total in either order.
fn dependent(book: &Book, tonnes: &[&str]) -> Vec<(usize, usize, usize, String, String)> {
    let mut examination = examined(book, tonnes);
    let weaknesses = examination.order_dependent().into_iter();
    let pairs = weaknesses.map(|weakness| {
        let (cart, otherwise) = weakness.example.unwrap();
        let total = examination.runs[cart].total.shown().to_string();
        (weakness.others[0], weakness.place, cart, total, otherwise.shown().to_string())
    });
    pairs.collect()
}

#[test]
fn a_percentage_of_the_running_price_depends_on_preceding_adjustments() {
    let dependent_pairs = dependent(
        &book(chain(&[(Surcharge, "45", Absolute, ""), (Discount, "3", RelativeToAdjusted, "")])),
        &["1"],
    );
    // 1,045 less three percent, or 970 and 45
    assert_eq!(dependent_pairs, [(0, 1, 0, "1013.65".to_owned(), "1015".to_owned())]);
    // the pair that depends on its order is reported, not those in between
    let book = book(chain(&[
        (Surcharge, "45", Absolute, ""),
        (Discount, "3", RelativeToAdjusted, ""),
        (Surcharge, "20", PerTon, ""),
    ]));
    let pairs: Vec<_> = dependent(&book, &["1"]).into_iter().map(|pair| (pair.0, pair.1)).collect();
    assert_eq!(pairs, [(0, 1), (1, 2)]);
}

#[test]
fn order_independent_pairs_are_not_reported() {
    for settings in [
        [(Surcharge, "45", Absolute, ""), (Discount, "3", RelativeToBase, "")],
        [(Surcharge, "1.5", RelativeToAdjusted, ""), (Discount, "3", RelativeToAdjusted, "")],
        [(Surcharge, "1.5", RelativeToAdjusted, ""), (Discount, "3", RelativeToBase, "cart_weight > 10 t")],
    ] {
        assert_eq!(dependent(&book(chain(&settings)), &["1", "2.5"]), [], "{settings:?}");
    }
    // the first one is ignored by later ones
    let mut ignored = chain(&[(Surcharge, "45", Absolute, ""), (Discount, "3", RelativeToAdjusted, "")]);
    ignored[0].ignore_on_further_adjustments = true;
    assert_eq!(dependent(&book(ignored), &["1"]), []);
}

#[test]
fn conditions_on_the_total_and_prices_that_reach_zero_depend_on_the_order() {
    let total =
        [(Discount, "10", RelativeToBase, ""), (Discount, "50", Absolute, "adjusted_cart_total >= 1000")];
    // only a cart with a total near the number shows it
    assert_eq!(dependent(&book(chain(&total)), &["0.5", "9"]), []);
    let dependent_pairs = dependent(&book(chain(&total)), &["0.5", "1"]);
    assert_eq!(dependent_pairs, [(0, 1, 1, "900".to_owned(), "850".to_owned())]);
    // 1,200 off 1,000 is zero, and thirty more
    let floored = [(Discount, "1200", PerTon, ""), (Surcharge, "30", Absolute, "")];
    assert_eq!(dependent(&book(chain(&floored)), &["1"]), [(0, 1, 0, "30".to_owned(), "0".to_owned())]);
}

#[test]
fn a_shadowed_adjustment_is_reported_with_those_that_shadow_it() {
    let book = book(chain(&[
        (Surcharge, "20", PerTon, ""),
        (Discount, "100", RelativeToBase, "cart_weight >= 1 t"),
        (Discount, "20", PerTon, "cart_weight >= 1 t"),
        (Discount, "3", RelativeToAdjusted, "cart_weight >= 1 t"),
        (Discount, "5", Absolute, "adjusted_cart_total >= 500"),
        (Discount, "5", Absolute, "cart_weight >= 100 t"),
    ]));
    let examination = examined(&book, &["0.1", "1"]);
    let shadowed = |place: usize| examination.shadowed(place);
    // it would take off three percent of 20, but an earlier one takes off these 20
    let weakness = shadowed(3).unwrap();
    assert_eq!((weakness.others, weakness.example.map(|(cart, _)| cart)), (vec![1, 2], Some(1)));
    // no total reaches 500 after the hundred percent
    let weakness = shadowed(4).unwrap();
    let (cart, otherwise) = weakness.example.unwrap();
    assert_eq!((weakness.others, cart, otherwise.shown()), (vec![1], 1, decimal("965")));
    for working in [0, 1, 2] {
        assert_eq!(shadowed(working), None, "{working}");
    }
    assert_eq!(shadowed(5), None, "it would apply in none of these carts by itself");
}

/// A seller may have no prices at all: carts are generated, but none can be priced.
#[test]
fn carts_without_a_price_count_towards_the_number_of_carts() {
    let priceless = tests::book(vec![], "", chain(&[(Discount, "3", RelativeToBase, "")]));
    let mut examination = Examination::new(&priceless);
    let mut requested_count = 0;
    let without_end = std::iter::repeat_with(|| {
        requested_count += 1;
        assert!(requested_count <= CARTS_MAX + 1, "without end");
        // some carts cannot be generated
        (requested_count % 2 == 0).then(|| cart(vec![line("1", Unit::Tonne)]))
    });
    examination.try_all(without_end);
    assert_eq!((examination.trials.len(), examination.is_complete()), (0, false));
    // all carts were tried
    let mut examination = Examination::new(&priceless);
    examination.try_all((0..CARTS_MAX).map(|_| None));
    assert!(examination.is_complete());
}

#[test]
fn adjustments_that_apply_in_no_sample_cart_are_reported() {
    let book =
        book(chain(&[(Discount, "3", RelativeToBase, ""), (Discount, "50", PerTon, "cart_weight >= 10 t")]));
    let examination = examined(&book, &["1", "2", "10"]);
    assert_eq!(examination.not_in_samples(0, 2), None);
    let weakness = examination.not_in_samples(1, 2).unwrap();
    // 10,000 less three percent, without the 500
    assert_eq!(
        weakness.example.map(|(cart, otherwise)| (cart, otherwise.shown())),
        Some((2, decimal("9700")))
    );
    assert_eq!(examination.not_in_samples(1, 3), None);
}

#[test]
fn adjustments_with_the_same_effect_at_the_same_time_are_duplicates() {
    let one = "all(cart_weight >= 1 t, weekday in (monday, tuesday))";
    let same = "all(weekday in (tuesday, monday), cart_weight >= 1 t)";
    let chain_with = |second: &str| {
        chain(&[(Discount, "3", RelativeToBase, one), (Discount, "3", RelativeToBase, second)])
    };
    let duplicate_total = |adjustments: Vec<Adjustment>| {
        let book = book(adjustments);
        let examination = examined(&book, &["1"]);
        examination.duplicate(0, 1).map(|weakness| weakness.example.map(|(_, otherwise)| otherwise.shown()))
    };
    // 940, and 970 without the second
    assert_eq!(duplicate_total(chain_with(same)), Some(Some(decimal("970"))));
    assert_eq!(duplicate_total(chain_with("all(cart_weight >= 2 t, weekday in (monday, tuesday))")), None);
    let with = |change: &dyn Fn(&mut [Adjustment])| {
        let mut adjustments = chain_with(same);
        change(&mut adjustments);
        duplicate_total(adjustments)
    };
    assert_eq!(
        with(&|both| both[1].value = crate::price_adjustment::terms::Value::Fixed(decimal("4"))),
        None
    );
    assert_eq!(
        with(&|both| both[1].apply_to = ApplyTo::ItemType { item_types: vec![ItemType::Processing] }),
        None
    );
    // periods that do not overlap
    assert_eq!(
        with(&|both| {
            both[0].valid_until = Some(tests::noon());
            both[1].valid_from = Some(tests::noon());
        }),
        None
    );
    // for one tenant and for all, which is twice for that tenant; then for two different tenants
    let tenant_ids = |ids: &[i64]| ids.iter().copied().map(values::TenantId).collect::<Vec<_>>();
    assert!(with(&|both| both[0].tenant_ids = tenant_ids(&[2])).is_some());
    assert_eq!(
        with(&|both| {
            both[0].tenant_ids = tenant_ids(&[2]);
            both[1].tenant_ids = tenant_ids(&[3]);
        }),
        None
    );
}

/// A trial with all links equals the quote, and reordering a reported pair has the reported effect.
#[test]
fn findings_for_generated_chains_are_correct() {
    let (mut trials, mut dependent, mut shadows) = (0, 0, 0);
    for seed in 0..2_000 {
        let mut dice = Dice::new(seed);
        let world = World::new(&mut dice);
        let book = world.book();
        let carts: Vec<_> = (0..8).map(|_| Some(world.cart(&mut dice))).collect();
        let mut examination = Examination::new(&book);
        examination.try_all(carts);
        for (trial, run) in examination.trials.iter().zip(&examination.runs) {
            trials += 1;
            assert_eq!(run.total, quote(&book, &trial.cart, Viewpoint::Seller, false).total);
        }
        for weakness in examination.order_dependent() {
            dependent += 1;
            let (earlier, later) = (weakness.others[0], weakness.place);
            let (cart, otherwise) = weakness.example.unwrap();
            // the same from a book in which the two have changed places
            let mut adjustments: Vec<Adjustment> = (1..)
                .zip(book.adjustments())
                .map(|(position, adjustment)| Adjustment { position, owner: None, ..adjustment.clone() })
                .collect();
            let (one, other) = (adjustments[earlier].position, adjustments[later].position);
            adjustments[earlier].position = other;
            adjustments[later].position = one;
            let swapped = book.with_adjustments(adjustments);
            let cart = &examination.trials[cart].cart;
            assert_eq!(quote(&swapped, cart, Viewpoint::Seller, false).total, otherwise);
            assert_ne!(quote(&book, cart, Viewpoint::Seller, false).total.shown(), otherwise.shown());
        }
        for place in 0..book.adjustments().count() {
            let Some(weakness) = examination.shadowed(place) else { continue };
            shadows += 1;
            let (cart, _) = weakness.example.unwrap();
            let links = &examination.trials[cart].links;
            let without: Vec<usize> = links.iter().filter(|link| **link != place).copied().collect();
            let run = examination.trials[cart].run(&without).unwrap();
            assert_eq!(run.total, examination.runs[cart].total, "it does nothing");
        }
    }
    assert!(trials > 1_500 && dependent > 30 && shadows > 10, "{trials} {dependent} {shadows}");
}
