//! Exact comparison: the same goods in any unit have the same price, the same conditions and the same
//! quantity break.

use super::{world::Dice, *};
use crate::{
    condition::{Comparison, Condition, ConditionType, ExpectedValue, Test},
    price_adjustment::terms::PurchaseConstraints,
};

const ARTICLES: usize = 10_000;
const UNITS: [Unit; 8] = [
    Unit::Piece,
    Unit::Metre,
    Unit::Centimetre,
    Unit::Millimetre,
    Unit::SquareMetre,
    Unit::Kilogram,
    Unit::Gram,
    Unit::Tonne,
];
const COMPARISONS: [Comparison; 6] = [
    Comparison::Equals,
    Comparison::NotEquals,
    Comparison::LesserThan,
    Comparison::LesserEquals,
    Comparison::GreaterThan,
    Comparison::GreaterEquals,
];

/// An article whose pieces have an extent and a weight, in either direction.
fn article(dice: &mut Dice) -> Article {
    let extent = dice.pick(&[Unit::Metre, Unit::Millimetre, Unit::SquareMetre]);
    let size = Relation { from: Unit::Piece, amount: dice.decimal(4, 3), unit: extent };
    let weighed_unit = dice.pick(&[Unit::Piece, extent]);
    let weight = Relation { from: weighed_unit, amount: dice.decimal(4, 4), unit: Unit::Kilogram };
    let listing = dice.pick(&[Unit::Piece, extent, Unit::Kilogram]);
    Article::from_relations(100, listing, vec![size, weight])
}

/// Quantity in another unit, if it is exact in at most six decimal places, as people can type it.
fn typed(article: &Article, quantity: Ratio, from: Unit, to: Unit) -> Option<Decimal> {
    let converted = article.convert(quantity, from, to)?;
    let typed = converted.to_decimal().filter(|typed| *typed > Decimal::ZERO)?;
    (Ratio::from_decimal(typed) == Some(converted)).then_some(typed)
}

/// Adjustment with a condition on exactly this quantity in a unit, or on its weight.
fn asking(dice: &mut Dice, id: i64, quantities: &[(Decimal, Unit)]) -> Adjustment {
    let (quantity, unit) = dice.pick(quantities);
    let subject = match unit {
        Unit::Kilogram | Unit::Gram | Unit::Tonne => {
            dice.pick(&[ConditionType::ItemQuantity, ConditionType::ItemWeight, ConditionType::CartWeight])
        }
        _ => ConditionType::ItemQuantity,
    };
    let expected = ExpectedValue::Number { op: dice.pick(&COMPARISONS), value: quantity, unit: Some(unit) };
    let kind = dice.pick(&[CalculationType::PerKg, CalculationType::RelativeToAdjusted]);
    let mut asking = adjustment(id, Operation::Surcharge, "3.3333", kind);
    asking.conditions = Some(Condition::Test(Test { subject, expected }));
    let (quantity, unit) = dice.pick(quantities);
    let quantity = if dice.one_in(2) { quantity } else { dice.decimal(3, 2) };
    asking.purchase_constraints = dice.one_in(6).then(|| PurchaseConstraints {
        min_quantity: dice.one_in(2).then_some(quantity),
        max_quantity: dice.one_in(2).then_some(quantity),
        multiple_of: dice.one_in(2).then_some(quantity),
        unit,
    });
    asking
}

#[test]
fn the_same_goods_in_any_unit_have_the_same_price_conditions_and_tier() {
    let mut dice = Dice::new(4);
    let (mut compared, mut tiers, mut applied_count, mut refused) = (0, 0, 0, 0);
    for _ in 0..ARTICLES {
        let article = Arc::new(article(&mut dice));
        let (pieces, piece) = (Ratio::from_decimal(dice.decimal(3, 2)).unwrap(), Unit::Piece);
        let quantities: Vec<(Decimal, Unit)> =
            UNITS.iter().filter_map(|unit| Some((typed(&article, pieces, piece, *unit)?, *unit))).collect();
        if quantities.len() < 2 {
            continue;
        }
        let price = |dice: &mut Dice| Money {
            price: dice.decimal(5, 4),
            price_quantity: dice.pick(&[Decimal::ONE, Decimal::from(3), Decimal::from(100)]),
            unit: dice.pick(&quantities).1,
        };
        // a quantity break at exactly this quantity, if it can be typed
        let from = typed(&article, pieces, piece, article.listing_unit).filter(|_| dice.one_in(2));
        let tier = json!([{ "from": from.unwrap_or_else(|| dice.decimal(3, 2)), "price": price(&mut dice) }]);
        let side = Side { price: Some(price(&mut dice)), tiers: serde_json::from_value(tier).unwrap() };
        let adjustments = (1..=3).map(|id| asking(&mut dice, id, &quantities)).collect();
        let list = list(1, ListType::Sales, ListScope::Global);
        let mut builder = Builder::new(TenantId(SELLER), Vec::new(), vec![list], adjustments);
        builder.entry(1, 100, &side);
        let book = builder.build();

        let results_of = |(quantity, unit): (Decimal, Unit)| {
            let (warehouse, processings) = (None, Vec::new());
            let line = Line { article: article.clone(), quantity, unit, warehouse, processings };
            let cart = cart(vec![line]);
            let quote = quote(&book, &cart, Viewpoint::Seller, true);
            let (_, lines) = explain(&book, &cart, &quote, cart.moment.at).unwrap();
            let tier = lines[0].price.as_ref().and_then(|price| price.quantity_from);
            let steps: Vec<_> = lines[0]
                .items
                .iter()
                .flat_map(|item| item.steps.iter())
                .map(|step| (step.outcome, step.basis, step.amount, step.exact))
                .collect();
            let refused: Vec<_> = quote.lines[0].refused.iter().map(|refused| refused.code).collect();
            (quote.base, quote.total, quote.weight, tier, steps, refused)
        };
        let first = results_of(quantities[0]);
        for other in &quantities[1..] {
            assert_eq!(results_of(*other), first, "{:?} {other:?} {article:?}", quantities[0]);
            compared += 1;
        }
        tiers += usize::from(first.3.is_some());
        applied_count += first.4.iter().filter(|step| step.0 == AdjustmentOutcome::Applied).count();
        refused += usize::from(!first.5.is_empty());
    }
    // the generated articles cover enough cases
    assert!(compared > ARTICLES, "{compared}");
    assert!(
        tiers > ARTICLES / 4 && applied_count > ARTICLES / 4 && refused > ARTICLES / 20,
        "{tiers} {applied_count} {refused}"
    );
}
