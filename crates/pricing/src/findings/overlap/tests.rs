//! Two adjustments that overlap, in small books.

use values::{TenantId, Unit};

use super::*;
use crate::{
    condition::text,
    price_adjustment::terms::{Adjustment, ApplyTo, CalculationType, ItemType, Operation},
    price_list::{ListScope, ListType},
    quote::{
        Processing,
        book::Book,
        tests::{self, cart, line, list},
    },
};

use CalculationType::{Absolute, PerKg, PerTon, RelativeToAdjusted, RelativeToBase};
use Operation::{Discount, Surcharge};

fn adjustment(
    id: i64,
    operation: Operation,
    value: &str,
    calculation: CalculationType,
    conditions: &str,
) -> Adjustment {
    let conditions = (!conditions.is_empty()).then(|| text::parse(conditions).unwrap());
    Adjustment { conditions, ..tests::adjustment(id, operation, value, calculation) }
}

/// Returns the pairs that overlap in carts of 1, 7 and 12 tonnes of a beam of type 10 and material 20, bought
/// by tenant 2 of group 40.
fn overlaps(adjustments: Vec<Adjustment>) -> Vec<(usize, usize, String)> {
    let places: Vec<usize> = (0..adjustments.len()).collect();
    let lists = vec![(list(7, ListType::Sales, ListScope::Global), "1000/t")];
    let book: Book = tests::book(lists, "", adjustments);
    let mut examination = Examination::new(&book);
    examination.try_all(["1", "7", "12"].map(|tonnes| {
        let mut line = line(tonnes, Unit::Tonne);
        let price = Some(tests::money("10/piece"));
        line.processings = vec![Processing { id: 70, quantity: tests::decimal("1"), price }];
        Some(cart(vec![line]))
    }));
    let weaknesses = examination.overlaps(&places).into_iter();
    weaknesses
        .map(|weakness| (weakness.others[0], weakness.place, weakness.example.unwrap().1.shown().to_string()))
        .collect()
}

#[test]
fn equal_discounts_or_surcharges_on_the_same_article_are_found() {
    let of_material =
        ApplyTo::Item { articles: vec![], article_types: vec![], categories: vec![], materials: vec![20] };
    let for_group =
        Adjustment { tenant_group_ids: vec![40], ..adjustment(1, Discount, "3", RelativeToBase, "") };
    let for_material =
        Adjustment { apply_to: of_material, ..adjustment(2, Discount, "3", RelativeToAdjusted, "") };
    // three percent of a tonne and of the cut, by a percentage of either kind
    assert_eq!(overlaps(vec![for_group, for_material]), [(0, 1, "980".to_owned())]);
    let per_tonne = adjustment(1, Surcharge, "35", PerTon, "cart_weight >= 5 t");
    let per_kilogram = adjustment(2, Surcharge, "0.035", PerKg, "item_quantity >= 10 t");
    let weaknesses = overlaps(vec![per_tonne, per_kilogram]);
    assert_eq!(weaknesses.len(), 1, "35 per tonne is 0.035 per kg: {weaknesses:?}");
}

#[test]
fn quantity_steps_that_add_up_are_found() {
    let steps = vec![
        adjustment(1, Discount, "2", RelativeToBase, "cart_weight >= 5 t"),
        adjustment(2, Discount, "3", RelativeToBase, "cart_weight >= 10 t"),
    ];
    assert_eq!(overlaps(steps).len(), 1);
    let apart = vec![
        adjustment(1, Discount, "2", RelativeToBase, "all(cart_weight >= 5 t, cart_weight < 10 t)"),
        adjustment(2, Discount, "3", RelativeToBase, "cart_weight >= 10 t"),
    ];
    assert_eq!(overlaps(apart), []);
}

#[test]
fn intended_combinations_of_adjustments_are_not_found() {
    let to = |item_type| ApplyTo::ItemType { item_types: vec![item_type] };
    let only = |id, tenant| Adjustment {
        tenant_ids: vec![TenantId(tenant)],
        ..adjustment(id, Discount, "3", Absolute, "")
    };
    let all_but = Adjustment {
        excluded_tenant_ids: vec![TenantId(2)],
        ..adjustment(2, Discount, "3", RelativeToBase, "")
    };
    for (why, pair) in [
        (
            "a discount for all and another one by quantity",
            [
                adjustment(1, Discount, "2", RelativeToBase, ""),
                adjustment(2, Discount, "3", RelativeToBase, "cart_weight >= 10 t"),
            ],
        ),
        (
            "a discount and a surcharge",
            [
                adjustment(1, Discount, "3", RelativeToBase, ""),
                adjustment(2, Surcharge, "3", RelativeToBase, "cart_weight >= 1 t"),
            ],
        ),
        (
            "an amount and a percentage",
            [
                adjustment(1, Discount, "3", Absolute, ""),
                adjustment(2, Discount, "3", RelativeToBase, "cart_weight >= 1 t"),
            ],
        ),
        ("different customers", [only(1, 2), only(2, 3)]),
        ("a customer, and all others", [only(1, 2), Adjustment { calculation_type: Absolute, ..all_but }]),
        (
            "different items of a line",
            [
                Adjustment { apply_to: to(ItemType::Article), ..adjustment(1, Discount, "3", Absolute, "") },
                Adjustment {
                    apply_to: to(ItemType::Processing),
                    ..adjustment(2, Discount, "3", Absolute, "")
                },
            ],
        ),
        (
            "steps that neither holds the other of",
            [
                adjustment(1, Discount, "2", RelativeToBase, "cart_weight >= 5 t"),
                adjustment(2, Discount, "3", RelativeToBase, "item_quantity < 10 t"),
            ],
        ),
        (
            "an adjustment that is the same altogether, which is another finding",
            [
                adjustment(1, Discount, "3", RelativeToBase, ""),
                adjustment(2, Discount, "3", RelativeToBase, ""),
            ],
        ),
    ] {
        assert_eq!(overlaps(pair.to_vec()), [], "{why}");
    }
}
