//! Boundary values, each from both sides.

use super::{super::arithmetic::Fractions, *};
use crate::{
    codes,
    condition::text::parse,
    price_adjustment::terms::PurchaseConstraints,
    quote::explain::{ListReason, PriceOutcome},
    surcharge_table::surcharges::{self, Month, TableRecord},
};

/// Returns the price of a line of beams, or the code that refuses it.
fn total(book: &Book, quantity: &str, unit: Unit) -> String {
    let quote = quote(book, &cart(vec![line(quantity, unit)]), Viewpoint::Seller, false);
    match quote.lines[0].refused.first() {
        Some(refused) => refused.code.as_str().to_owned(),
        None => quote.total.shown().to_string(),
    }
}

fn global(prices: &str, adjustments: Vec<Adjustment>) -> Book {
    book(vec![(list(7, ListType::Sales, ListScope::Global), prices)], "", adjustments)
}

#[test]
fn a_tier_applies_from_its_quantity_on() {
    let book = global("10/m, 12.1: 9/m, 100: 8/m", vec![]);
    for (quantity, unit, expected) in [
        ("12.099999", Unit::Metre, "120.99999"),
        ("12.1", Unit::Metre, "108.9"),
        ("1", Unit::Piece, "108.9"),
        ("99.999999", Unit::Metre, "899.999991"),
        ("100", Unit::Metre, "800"),
        // 6130 kg are 100 m
        ("6130", Unit::Kilogram, "800"),
        ("6.129999", Unit::Tonne, "899.999853"),
    ] {
        let expected = decimal(expected).rounded(2).to_string();
        assert_eq!(total(&book, quantity, unit), expected, "{quantity} {unit:?}");
    }
    let from_ten = global("10: 9/m", vec![]);
    assert_eq!(total(&from_ten, "9.999999", Unit::Metre), "below_first_tier");
    assert_eq!(total(&from_ten, "10", Unit::Metre), "90");
}

#[test]
fn a_tier_from_five_tonnes_applies_from_exactly_five_tonnes_in_every_unit() {
    // 61.3 kg a metre: 5 t are 81.566068515… m
    let book = global("950/t, 5 t: 930/t", vec![]);
    for (quantity, unit, expected) in [
        ("5", Unit::Tonne, "4650"),
        ("5000", Unit::Kilogram, "4650"),
        ("5000000", Unit::Gram, "4650"),
        ("4.999999", Unit::Tonne, "4750"),
        ("4999.999999", Unit::Kilogram, "4750"),
        ("81.566068", Unit::Metre, "4750"),
        ("81.566069", Unit::Metre, "4650"),
    ] {
        assert_eq!(total(&book, quantity, unit), expected, "{quantity} {unit:?}");
    }
    let cart = cart(vec![line("81.566069", Unit::Metre)]);
    let quote = quote(&book, &cart, Viewpoint::Seller, true);
    let (_, lines) = explain(&book, &cart, &quote, cart.moment.at).unwrap();
    let price = lines[0].price.as_ref().unwrap();
    let from = price.quantity_from.map(|from| from.to_string());
    assert_eq!((from.as_deref(), price.quantity_unit), (Some("5"), Unit::Tonne));
}

#[test]
fn the_highest_reached_tier_applies_across_units() {
    // 10 m, 1 t (16.31 m), 2 pieces (24.2 m), 2 t (32.63 m), 40 m; breaks in such an order can exist after a
    // weight has changed
    let book = global("9/m, 1 t: 7/m, 2 t: 5/m, 10: 8/m, 40: 4/m, 2 piece: 6/m", vec![]);
    for (quantity, expected) in [
        ("9", "81"),
        ("10", "80"),
        ("16", "128"),
        ("17", "119"),
        ("24", "168"),
        ("25", "150"),
        ("32", "192"),
        ("33", "165"),
        ("39", "195"),
        ("40", "160"),
    ] {
        assert_eq!(total(&book, quantity, Unit::Metre), expected, "{quantity} m");
    }
    // metres cannot be converted into an area, so a quantity break in m² never counts
    assert_eq!(total(&global("9/m, 1 m2: 1/m", vec![]), "100", Unit::Metre), "900");
}

#[test]
fn table_values_apply_by_local_month_and_zero_is_a_value() {
    let cells = [("2026-11", "100"), ("2026-12", "0")];
    let cells = cells.map(|(month, value)| ((20, Month::parse(month).unwrap()), decimal(value)));
    let table =
        TableRecord { id: 3, name: "Legierung".into(), cells: cells.into(), ..TableRecord::default() };
    let table = surcharges::compile(&[table])[&3].clone();
    let by_table = Adjustment {
        value: Value::OfTable(table),
        ..adjustment(1, Operation::Surcharge, "1", CalculationType::PerTon)
    };
    let book = global("1000/t", vec![by_table]);
    let at = |at: &str| {
        let cart = Cart {
            moment: Moment::new(at.parse().unwrap(), Tz::Europe__Berlin),
            ..cart(vec![line("2", Unit::Tonne)])
        };
        let quote = quote(&book, &cart, Viewpoint::Seller, true);
        let (_, lines) = explain(&book, &cart, &quote, cart.moment.at).unwrap();
        let step = lines[0].items[0].steps.iter().next().unwrap();
        let surcharge = step.surcharge.unwrap();
        assert_eq!((surcharge.table_id, surcharge.material_id), (3, Some(20)));
        let value = step.value.map(|value| value.to_string());
        (quote.total.shown().to_string(), surcharge.month.to_string(), value, step.outcome)
    };
    let explained_as = |total: &str, month: &str, value: Option<&str>, outcome: AdjustmentOutcome| {
        (total.to_owned(), month.to_owned(), value.map(str::to_owned), outcome)
    };
    let (applied, missing) = (AdjustmentOutcome::Applied, AdjustmentOutcome::NoTableValue);
    assert_eq!(at("2026-11-30T22:59:59Z"), explained_as("2200", "2026-11", Some("100"), applied));
    assert_eq!(at("2026-11-30T23:00:00Z"), explained_as("2000", "2026-12", Some("0"), applied));
    assert_eq!(at("2026-12-31T23:00:00Z"), explained_as("2000", "2027-01", None, missing));
}

#[test]
fn half_a_cent_is_rounded_up_once_from_the_exact_amount() {
    let book = global("61.3/m", vec![]);
    // 1000.005 kg at 61.3 kg a metre: 1000.005 EUR to the last digit, although the number of metres is a
    // recurring decimal
    assert_eq!(total(&book, "1000.005", Unit::Kilogram), "1000.01");
    assert_eq!(total(&book, "1000.004999", Unit::Kilogram), "1000");
    assert_eq!(total(&global("10/3 piece", vec![]), "3", Unit::Piece), "10");
}

#[test]
fn a_list_is_in_effect_from_its_start_until_before_its_end() {
    let second = TimeDelta::seconds(1);
    for (from, until, expected) in [
        (noon(), None, "10"),
        (noon() + second, None, "no_price"),
        (noon() - second, Some(noon() + second), "10"),
        (noon() - second, Some(noon()), "no_price"),
        (noon(), Some(noon()), "no_price"),
    ] {
        let mut sales_list = list(7, ListType::Sales, ListScope::Global);
        (sales_list.head.valid_from, sales_list.head.valid_until) = (from, until);
        let book = book(vec![(sales_list, "10/m")], "", vec![]);
        assert_eq!(total(&book, "1", Unit::Metre), expected, "{from} {until:?}");
    }
}

#[test]
fn own_lists_precede_group_and_global_ones_then_later_start_and_higher_id() {
    let sales = |id: i64, scope: ListScope| list(id, ListType::Sales, scope);
    let own = |id: i64| List { tenants: vec![BUYER], ..sales(id, ListScope::Own) };
    let group = |id: i64| List { groups: vec![40], ..sales(id, ListScope::Own) };
    let later = |mut list: List| {
        list.head.valid_from += TimeDelta::hours(1);
        list
    };
    let others = || List { tenants: vec![3], ..sales(99, ListScope::Own) };
    for (lists, expected) in [
        (vec![(own(1), "1/m"), (later(group(2)), "2/m"), (later(sales(3, ListScope::Global)), "3/m")], "1"),
        (vec![(group(2), "2/m"), (later(sales(3, ListScope::Global)), "3/m")], "2"),
        (vec![(later(own(1)), "1/m"), (own(2), "2/m")], "1"),
        (vec![(own(1), "1/m"), (own(2), "2/m")], "2"),
        (vec![(own(1), ""), (sales(3, ListScope::Global), "3/m")], "3"),
        (vec![(own(1), "5: 1/m"), (sales(3, ListScope::Global), "3/m")], "3"),
        (vec![(others(), "1/m")], "7"),
        // for the owner alone
        (vec![(sales(1, ListScope::Own), "1/m")], "7"),
        (vec![(list(1, ListType::Internal, ListScope::Global), "1/m")], "7"),
    ] {
        let ids: Vec<i64> = lists.iter().map(|(list, _)| list.head.id).collect();
        assert_eq!(total(&book(lists, "7/m", vec![]), "1", Unit::Metre), expected, "{ids:?}");
    }
}

#[test]
fn every_list_has_the_reason_it_was_not_chosen() {
    let own = List { tenants: vec![BUYER], ..list(1, ListType::Sales, ListScope::Own) };
    let others = List { tenants: vec![3], ..list(2, ListType::Sales, ListScope::Own) };
    let mut pending = list(3, ListType::Sales, ListScope::Global);
    pending.head.valid_from = noon() + TimeDelta::seconds(1);
    let lists = vec![
        (own, "5: 1/m"),
        (others, "1/m"),
        (pending, "1/m"),
        (list(4, ListType::Sales, ListScope::Global), "4/m"),
        (list(5, ListType::Sales, ListScope::Global), ""),
        (list(6, ListType::Sales, ListScope::Global), "6/m"),
    ];
    let book = book(lists, "7/m", vec![]);
    let cart = cart(vec![line("1", Unit::Metre)]);
    let explanations = |viewpoint: Viewpoint| {
        let quote = quote(&book, &cart, viewpoint, true);
        let (whole, lines) = explain(&book, &cart, &quote, cart.moment.at).unwrap();
        let left_out: Vec<_> = whole.lists.iter().map(|list| (list.id, list.reason)).collect();
        let considered: Vec<_> = lines[0].lists.iter().map(|list| (list.id, list.outcome)).collect();
        let stocks: Vec<_> = lines[0].stocks.iter().map(|stock| (stock.id, stock.outcome)).collect();
        (left_out, considered, stocks)
    };
    let considered = vec![
        (1, PriceOutcome::BelowFirstTier),
        (6, PriceOutcome::Won),
        (5, PriceOutcome::NoPrice),
        (4, PriceOutcome::OtherFirst),
    ];
    let left_out = vec![(2, ListReason::NotForBuyer), (3, ListReason::Pending)];
    assert_eq!(
        explanations(Viewpoint::Seller),
        (left_out, considered.clone(), vec![(500, PriceOutcome::OtherFirst)])
    );
    assert_eq!(explanations(Viewpoint::Buyer), (vec![], considered, vec![]));
}

#[test]
fn a_price_stops_at_zero_and_the_step_is_marked_as_floored() {
    use CalculationType::{Absolute, RelativeToAdjusted};
    let chain = vec![
        adjustment(1, Operation::Discount, "150", Absolute),
        adjustment(2, Operation::Surcharge, "10", RelativeToAdjusted),
        adjustment(3, Operation::Surcharge, "45", Absolute),
    ];
    let book = global("100/m", chain);
    let cart = cart(vec![line("1", Unit::Metre)]);
    let quote = quote(&book, &cart, Viewpoint::Seller, true);
    let (_, lines) = explain(&book, &cart, &quote, cart.moment.at).unwrap();
    let steps: Vec<_> =
        lines[0].items[0].steps.iter().map(|step| (step.amount.to_string(), step.outcome)).collect();
    let applied = AdjustmentOutcome::Applied;
    let expected = [("-100", AdjustmentOutcome::Floored), ("0", applied), ("45", applied)];
    assert_eq!(steps, expected.map(|(amount, outcome)| (amount.to_owned(), outcome)));
    assert_eq!(total(&book, "1", Unit::Metre), "45");
}

#[test]
fn articles_without_a_weight_get_no_adjustment_by_weight() {
    let mut bar = beam();
    bar = Article { article_number: "X".into(), ..Article::from_relations(bar.id, Unit::Metre, vec![]) };
    let book = global("10/m", vec![adjustment(1, Operation::Surcharge, "5", CalculationType::PerKg)]);
    let cart = cart(vec![Line { article: Arc::new(bar), ..line("1", Unit::Metre) }]);
    let quote = quote(&book, &cart, Viewpoint::Seller, true);
    let (_, lines) = explain(&book, &cart, &quote, cart.moment.at).unwrap();
    assert_eq!(lines[0].items[0].steps.iter().next().unwrap().outcome, AdjustmentOutcome::NoWeight);
    assert_eq!((quote.total.shown(), quote.weight), (decimal("10"), Exact::ZERO));
}

#[test]
fn conditions_see_the_cart_before_their_step_and_report_compared_values() {
    let when = |id: i64, text: &str| Adjustment {
        conditions: Some(parse(text).unwrap()),
        ignore_on_further_adjustments: true,
        ..adjustment(id, Operation::Surcharge, "10", CalculationType::Absolute)
    };
    let chain = vec![
        when(1, "all(adjusted_cart_total = 100, cart_weight = 0.0613 t, cart_base_price = 100)"),
        // an ignored adjustment is part of the total
        when(2, "adjusted_cart_total >= 110"),
        when(3, "any(weekday in (monday), not(date >= 2026-11-24), item_quantity > 1000 mm)"),
        when(
            4,
            "all(item_quantity >= 1000 mm, category in (31), tenant_group in (40), warehouse not in (60))",
        ),
    ];
    let book = global("100/m", chain);
    let cart = cart(vec![line("1", Unit::Metre)]);
    let quote = quote(&book, &cart, Viewpoint::Seller, true);
    let (_, lines) = explain(&book, &cart, &quote, cart.moment.at).unwrap();
    let steps: Vec<_> = lines[0].items[0].steps.iter().collect();
    let outcomes: Vec<_> = steps.iter().map(|step| step.outcome).collect();
    let applied = AdjustmentOutcome::Applied;
    assert_eq!(outcomes, [applied, applied, AdjustmentOutcome::Conditions, applied]);
    let third = serde_json::to_value(steps[2].conditions.as_ref().unwrap()).unwrap();
    assert_eq!((&third["holds"], &third["group"]), (&json!(false), &json!("any")));
    assert_eq!(third["parts"][0]["found"], json!(["tuesday"]));
    assert_eq!(third["parts"][1]["parts"][0]["holds"], json!(true));
    assert_eq!(third["parts"][2]["found"], json!("1000"));
    let fourth = serde_json::to_value(steps[3].conditions.as_ref().unwrap()).unwrap();
    assert_eq!(fourth["parts"][1]["found"], json!([30, 31]));
}

#[test]
fn purchase_constraints_refuse_a_line_and_change_no_price() {
    let book_with_constraints = |min: Option<&str>, max: Option<&str>, multiple: Option<&str>| {
        let constraints = PurchaseConstraints {
            min_quantity: min.map(decimal),
            max_quantity: max.map(decimal),
            multiple_of: multiple.map(decimal),
            unit: Unit::Piece,
        };
        let price = adjustment(1, Operation::Surcharge, "1", CalculationType::Absolute);
        global("10/m", vec![Adjustment { purchase_constraints: Some(constraints), ..price }])
    };
    for (book, quantity, expected) in [
        (book_with_constraints(Some("2"), None, None), "24.2", "243"),
        (book_with_constraints(Some("2"), None, None), "24.199999", "quantity_below_minimum"),
        (book_with_constraints(None, Some("2"), None), "24.2", "243"),
        (book_with_constraints(None, Some("2"), None), "24.200001", "quantity_above_maximum"),
        (book_with_constraints(None, None, Some("0.5")), "18.15", "182.5"),
        (book_with_constraints(None, None, Some("0.5")), "18.16", "quantity_not_multiple"),
    ] {
        assert_eq!(total(&book, quantity, Unit::Metre), expected, "{quantity}");
    }
    // a refused line does not count in the cart
    let book = book_with_constraints(Some("2"), None, None);
    let cart = cart(vec![line("1", Unit::Piece), line("3", Unit::Piece)]);
    let quote = quote(&book, &cart, Viewpoint::Seller, false);
    assert_eq!((quote.total.shown(), quote.lines[0].items.len()), (decimal("364"), 0));
}

#[test]
fn processings_are_separate_items() {
    let chain = vec![
        Adjustment {
            apply_to: ApplyTo::ItemType { item_types: vec![ItemType::Processing] },
            ..adjustment(1, Operation::Surcharge, "50", CalculationType::RelativeToBase)
        },
        adjustment(2, Operation::Surcharge, "10", CalculationType::RelativeToBase),
    ];
    let book = global("10/m", chain);
    let cut = |price: Option<&str>| Processing { id: 70, quantity: decimal("4"), price: price.map(money) };
    let quote_for = |processing: Processing| {
        let cart = cart(vec![Line { processings: vec![processing], ..line("10", Unit::Metre) }]);
        quote(&book, &cart, Viewpoint::Seller, false)
    };
    let sawn = quote_for(cut(Some("12.5/2 piece")));
    let items: Vec<_> =
        sawn.lines[0].items.iter().map(|item| (item.kind, item.total.shown().to_string())).collect();
    let expected = [(ItemType::Article, "110"), (ItemType::Processing, "37.5")];
    assert_eq!(items, expected.map(|(kind, total)| (kind, total.to_owned())));
    // the weight of the articles counts once
    assert_eq!(sawn.weight.to_string(), "613");
    assert_eq!(quote_for(cut(None)).lines[0].refused[0].code, codes::NO_PROCESSING_PRICE);
}

#[test]
fn processing_prices_come_from_the_request_the_article_type_or_the_default() {
    let stored_prices = [
        (70, None, "3/piece"),
        (70, Some(10), "10/4 piece"),
        (70, Some(11), "1/piece"),
        (71, None, "0/piece"),
        (72, Some(11), "1/piece"),
    ];
    let mut builder = Builder::new(TenantId(SELLER), vec![], vec![], vec![]);
    let stock = StockPrices {
        id: 500,
        article_id: 100,
        warehouse_id: 60,
        external: side("10/m"),
        internal: Side::default(),
    };
    builder.stock(&stock);
    for (processing, article_type, price) in stored_prices {
        builder.processing_price(&processing_price(processing, article_type, money(price)));
    }
    let book = builder.build();
    let processing_result = |article_type_id: i64, id: i64, price: Option<&str>, viewpoint: Viewpoint| {
        let done = Processing { id, quantity: decimal("2"), price: price.map(money) };
        let article = Arc::new(Article { article_type_id, ..beam() });
        let cart = cart(vec![Line { article, processings: vec![done], ..line("1", Unit::Metre) }]);
        let quote = quote(&book, &cart, viewpoint, true);
        if let Some(refused) = quote.lines[0].refused.first() {
            return refused.code.as_str().to_owned();
        }
        let (_, lines) = explain(&book, &cart, &quote, cart.moment.at).unwrap();
        assert_eq!(lines[0].items[0].processing_price, None, "of the article");
        let price = lines[0].items[1].processing_price.unwrap();
        let id = price.id.map_or_else(String::new, |id| format!(" {id}"));
        let source = serde_json::to_value(price.source).unwrap();
        format!("{}{id}: {}", source.as_str().unwrap(), quote.lines[0].items[1].base)
    };
    for viewpoint in [Viewpoint::Seller, Viewpoint::Buyer] {
        assert_eq!(processing_result(10, 70, None, viewpoint), "article_type 70010: 5");
        assert_eq!(processing_result(12, 70, None, viewpoint), "general 70000: 6");
        assert_eq!(processing_result(10, 71, None, viewpoint), "general 71000: 0", "for nothing is a price");
        assert_eq!(processing_result(10, 72, None, viewpoint), "no_processing_price", "of another type");
        assert_eq!(processing_result(10, 73, None, viewpoint), "no_processing_price");
    }
    assert_eq!(processing_result(10, 70, Some("0/piece"), Viewpoint::Seller), "question: 0");
    assert_eq!(processing_result(10, 73, Some("7/2 piece"), Viewpoint::Seller), "question: 7");
    // derived books have the same processing prices
    let other = book.with_adjustments(vec![]).with_list(list(7, ListType::Sales, ListScope::Global));
    let done = Processing { id: 70, quantity: Decimal::ONE, price: None };
    let cart = cart(vec![Line { processings: vec![done], ..line("1", Unit::Metre) }]);
    assert_eq!(quote(&other, &cart, Viewpoint::Seller, false).total.to_string(), "12.5");
}

#[test]
fn lines_with_amounts_beyond_a_trillion_are_refused() {
    let book = global("99999999.9999/m", vec![]);
    assert_eq!(total(&book, "9999", Unit::Metre), "999899999999");
    assert_eq!(total(&book, "10001", Unit::Metre), "amount_too_large");
    let cart = cart(vec![line("9999", Unit::Metre), line("9998", Unit::Metre), line("1", Unit::Metre)]);
    let sum = quote(&book, &cart, Viewpoint::Seller, true);
    let refused: Vec<_> = sum.lines.iter().map(|line| line.refused.len()).collect();
    assert_eq!(refused, [1, 0, 0]);
    let surcharge = adjustment(1, Operation::Surcharge, "1000", CalculationType::RelativeToBase);
    assert_eq!(total(&global("99999999.9999/m", vec![surcharge]), "1000", Unit::Metre), "amount_too_large");
}

/// The lines are not tried one by one, however many there are.
#[test]
fn all_lines_beyond_a_trillion_are_dropped_together() {
    let book = global("99999999.9999/m", vec![]);
    let lines = |count: usize| cart((0..count).map(|_| line("4000", Unit::Metre)).collect());
    let many = lines(200);
    let prepared_cart = PreparedCart::new(&book, &many, Viewpoint::Seller, false);
    let beyond = prepared_cart.chain.run(&Fractions, &book, &many, &prepared_cart.items, false).unwrap_err();
    assert_eq!(beyond.len(), 198, "two of them are below a trillion");
    let priced = quote(&book, &many, Viewpoint::Seller, false);
    assert_eq!(priced.lines.iter().filter(|line| line.refused.is_empty()).count(), 2);
    // the same for lines that become too large by the same adjustment
    let surcharge = adjustment(1, Operation::Surcharge, "1000", CalculationType::RelativeToBase);
    let book = global("99999999.9999/m", vec![surcharge]);
    let prepared_cart = PreparedCart::new(&book, &many, Viewpoint::Seller, false);
    let beyond = prepared_cart.chain.run(&Fractions, &book, &many, &prepared_cart.items, false).unwrap_err();
    assert_eq!(beyond.len(), 200);
}

/// Each line that is dropped may make another one too large; after three reruns all lines are refused.
#[test]
fn the_chain_of_a_cart_runs_at_most_four_times() {
    // `falling` lines become too large one after the other: each only after the lines before it were dropped
    let refused = |falling: usize| {
        let metres = |line: usize| 1_201 + line;
        let base = |lines: std::ops::Range<usize>| lines.map(metres).sum::<usize>() * 100_000_000;
        let when = |line: usize| {
            format!("all(item_quantity = {} m, cart_base_price <= {})", metres(line), base(line..6))
        };
        let chain = (0..falling).zip(1..).map(|(line, id)| Adjustment {
            conditions: Some(parse(&when(line)).unwrap()),
            ..adjustment(id, Operation::Surcharge, "1000", CalculationType::RelativeToBase)
        });
        let book = global("100000000/m", vec![]).with_adjustments(chain.collect());
        let lines = (0..6).map(|place| line(&metres(place).to_string(), Unit::Metre)).collect();
        let quote = quote(&book, &cart(lines), Viewpoint::Seller, false);
        quote.lines.iter().map(|line| line.refused.len()).collect::<Vec<_>>()
    };
    assert_eq!(refused(2), [1, 1, 0, 0, 0, 0]);
    assert_eq!(refused(3), [1, 1, 1, 0, 0, 0]);
    assert_eq!(refused(4), [1, 1, 1, 1, 1, 1]);
}

/// Four cuts are four operations, not four pieces of the beam, which would be 48.4 m.
#[test]
fn the_quantity_of_a_processing_counts_operations() {
    let outcome = |condition: &str| {
        let chain = vec![Adjustment {
            apply_to: ApplyTo::ItemType { item_types: vec![ItemType::Processing] },
            conditions: Some(parse(condition).unwrap()),
            ..adjustment(1, Operation::Surcharge, "50", CalculationType::RelativeToBase)
        }];
        let book = global("10/m", chain);
        let cut = Processing { id: 70, quantity: decimal("4"), price: Some(money("5/piece")) };
        let cart = cart(vec![Line { processings: vec![cut], ..line("10", Unit::Metre) }]);
        let quote = quote(&book, &cart, Viewpoint::Seller, true);
        let (_, lines) = explain(&book, &cart, &quote, cart.moment.at).unwrap();
        let conditions = lines[0].items[1].steps.iter().next().unwrap().conditions.as_ref().unwrap().tree();
        let value = conditions.found.map(|value| serde_json::to_value(value).unwrap());
        (quote.lines[0].items[1].total.shown().to_string(), value)
    };
    let result = |total: &str, value: Option<&str>| (total.to_owned(), value.map(|value| json!(value)));
    assert_eq!(outcome("item_quantity = 4 piece"), result("30", Some("4")));
    assert_eq!(outcome("item_quantity > 4 piece"), result("20", Some("4")));
    for unknown in ["item_quantity >= 1 m", "item_quantity <= 1000 m", "item_quantity > 0 kg"] {
        assert_eq!(outcome(unknown), result("20", None), "{unknown}");
    }
}

#[test]
fn the_cheapest_stock_or_that_of_the_warehouse_is_the_fallback() {
    let mut builder = Builder::new(TenantId(SELLER), vec![], vec![], vec![]);
    for (id, warehouse_id, price) in [(500, 60, "10/m"), (501, 61, "9/m"), (502, 62, "")] {
        let external = side(price);
        builder.stock(&StockPrices {
            id,
            article_id: 100,
            warehouse_id,
            external,
            internal: Side::default(),
        });
    }
    let book = builder.build();
    let result_for = |warehouse: Option<i64>| {
        let quote =
            quote(&book, &cart(vec![Line { warehouse, ..line("1", Unit::Metre) }]), Viewpoint::Seller, true);
        quote.lines[0].refused.first().map_or_else(|| quote.total.to_string(), |no| no.code.as_str().into())
    };
    assert_eq!([None, Some(60), Some(62)].map(result_for), ["9", "10", "no_price"]);
}

#[test]
fn exactly_one_stock_wins_if_all_amounts_are_too_large() {
    let mut builder = Builder::new(TenantId(SELLER), vec![], vec![], vec![]);
    for (id, warehouse_id) in [(500, 60), (501, 61)] {
        let (external, internal) = (side("99999999.9999/m"), Side::default());
        builder.stock(&StockPrices { id, article_id: 100, warehouse_id, external, internal });
    }
    let (book, cart) = (builder.build(), cart(vec![line("99999", Unit::Metre)]));
    let outcomes = |viewpoint: Viewpoint| -> Vec<PriceOutcome> {
        let quote = quote(&book, &cart, viewpoint, true);
        let (_, lines) = explain(&book, &cart, &quote, cart.moment.at).unwrap();
        lines[0].stocks.iter().map(|stock| stock.outcome).collect()
    };
    assert_eq!(outcomes(Viewpoint::Seller), [PriceOutcome::Won, PriceOutcome::Dearer]);
    assert_eq!(outcomes(Viewpoint::Buyer), [PriceOutcome::Won]);
}
