//! Condition trees: their wire form, their violations with paths, and their texts.

use proptest::prelude::*;
use serde_json::{Value, json};
use values::{Code, Language, UnitCategory, Violations};

use super::{text::parse, *};
use crate::codes;

/// Returns the paths and codes of all violations.
fn broken(tree: &Value) -> Vec<(String, Code)> {
    let input: ConditionInput = serde_json::from_value(tree.clone()).unwrap();
    let mut violations = Violations::new();
    let condition = input.read("conditions", &mut violations);
    let faults: Vec<_> = violations.into_iter().map(|broken| (broken.path, broken.message.code)).collect();
    assert!(condition.is_some() || !faults.is_empty(), "{tree}: refused without a reason");
    faults
}

fn sections_over(tonnes: &str) -> Value {
    json!({ "type": "cart_weight", "op": "greater_equals", "value": tonnes, "unit": "t" })
}

/// Returns a tree with this number of levels.
fn nested(levels: usize) -> Value {
    (1..levels).fold(sections_over("10"), |inner, _| json!({ "not": [inner] }))
}

#[test]
fn a_tree_is_serialised_as_sent() {
    let tree = json!({ "all": [
        { "type": "cart_weight", "op": "greater_equals", "value": "10", "unit": "t" },
        { "any": [
            { "type": "material", "op": "in", "value": [3, 7] },
            { "type": "category", "op": "not_in", "value": [1] },
        ] },
        { "not": [{ "type": "weekday", "op": "in", "value": ["saturday", "sunday"] }] },
        { "type": "date", "op": "lesser_than", "value": "2026-12-31" },
        { "type": "cart_base_price", "op": "not_equals", "value": "99.95" },
        { "type": "item_quantity", "op": "equals", "value": "3", "unit": "piece" },
    ] });
    assert_eq!(broken(&tree), []);
    let condition: Condition = serde_json::from_value(tree.clone()).unwrap();
    assert_eq!(serde_json::to_value(&condition).unwrap(), tree);
    let references: Vec<_> = condition.references().into_iter().collect();
    let expected =
        [(ConditionType::Category, BTreeSet::from([1])), (ConditionType::Material, BTreeSet::from([3, 7]))];
    assert_eq!(references, expected);
    let paths: Vec<_> = condition.tests("conditions").into_iter().map(|(path, _)| path).collect();
    let all = "conditions.all";
    let expected = [".0", ".1.any.0", ".1.any.1", ".2.not.0", ".3", ".4", ".5"];
    assert_eq!(paths, expected.map(|path| format!("{all}{path}")));
}

#[test]
fn a_weight_without_a_unit_is_in_kilograms() {
    let condition: Condition =
        serde_json::from_value(json!({ "type": "item_weight", "op": "lesser_than", "value": 1.5 })).unwrap();
    assert_eq!(condition.to_string(), "item_weight < 1.5 kg");
}

#[test]
fn violations_are_reported_at_their_node() {
    let within = |test: Value| json!({ "all": [sections_over("10"), { "any": [test] }] });
    let at = |field: &str, code: Code| vec![(format!("conditions.all.1.any.0{field}"), code)];
    for (test, expected) in [
        (json!({}), at("", codes::CONDITION_FORM)),
        (json!({ "all": [], "type": "date" }), at("", codes::CONDITION_FORM)),
        (json!({ "all": [sections_over("1")], "any": [sections_over("1")] }), at("", codes::CONDITION_FORM)),
        (json!({ "not": [] }), at(".not", codes::TOO_FEW)),
        (json!({ "type": "date", "op": "equals" }), at(".value", codes::REQUIRED)),
        (
            json!({ "unit": "kg" }),
            [".type", ".op", ".value"].iter().flat_map(|field| at(field, codes::REQUIRED)).collect(),
        ),
        (json!({ "type": "date", "op": "in", "value": "2026-12-31" }), at(".op", codes::UNKNOWN_OPERATOR)),
        (json!({ "type": "tenant", "op": "equals", "value": [1] }), at(".op", codes::UNKNOWN_OPERATOR)),
        (json!({ "type": "tenant", "op": "in", "value": "1" }), at(".value", codes::WRONG_TYPE)),
        (json!({ "type": "tenant", "op": "in", "value": [] }), at(".value", codes::TOO_FEW)),
        (json!({ "type": "tenant", "op": "in", "value": [1, 2, 1] }), at(".value.2", codes::DUPLICATE)),
        (
            json!({ "type": "tenant", "op": "in", "value": (0..201).collect::<Vec<_>>() }),
            at(".value", codes::TOO_MANY),
        ),
        (json!({ "type": "weekday", "op": "in", "value": [] }), at(".value", codes::TOO_FEW)),
        (
            json!({ "type": "weekday", "op": "in", "value": ["Montag"] }),
            at(".value.0", codes::INVALID_PARAMETER),
        ),
        (
            json!({ "type": "date", "op": "equals", "value": "31.12.2026" }),
            at(".value", codes::INVALID_PARAMETER),
        ),
        (
            json!({ "type": "date", "op": "equals", "value": "2026-02-30" }),
            at(".value", codes::INVALID_PARAMETER),
        ),
        (
            json!({ "type": "date", "op": "equals", "value": "2026-2-3" }),
            at(".value", codes::INVALID_PARAMETER),
        ),
        (json!({ "type": "date", "op": "equals", "value": "1999-12-31" }), at(".value", codes::INVALID_YEAR)),
        (json!({ "type": "date", "op": "equals", "value": "2100-01-01" }), at(".value", codes::INVALID_YEAR)),
        (
            json!({ "type": "date", "op": "equals", "value": "-262143-01-03" }),
            at(".value", codes::INVALID_YEAR),
        ),
        (
            json!({ "type": "date", "op": "equals", "value": "+10000-01-01" }),
            at(".value", codes::INVALID_YEAR),
        ),
        (
            json!({ "type": "cart_base_price", "op": "equals", "value": "-0.01" }),
            at(".value", codes::TOO_SMALL),
        ),
        (json!({ "type": "cart_base_price", "op": "equals", "value": [1] }), at(".value", codes::WRONG_TYPE)),
        (
            json!({ "type": "cart_base_price", "op": "equals", "value": "1", "unit": "kg" }),
            at(".unit", codes::UNIT_NOT_ALLOWED),
        ),
        (
            json!({ "type": "cart_weight", "op": "equals", "value": "1", "unit": "m" }),
            at(".unit", codes::WRONG_UNIT_CATEGORY),
        ),
        (json!({ "type": "item_quantity", "op": "equals", "value": "1" }), at(".unit", codes::REQUIRED)),
    ] {
        assert_eq!(broken(&within(test.clone())), expected, "{test}");
    }
    // all violations are reported together
    let several = json!({ "any": [{ "not": [] }, sections_over("-1"), {}] });
    let expected = [
        ("conditions.any.0.not", codes::TOO_FEW),
        ("conditions.any.1.value", codes::TOO_SMALL),
        ("conditions.any.2", codes::CONDITION_FORM),
    ];
    assert_eq!(broken(&several), expected.map(|(path, code)| (path.to_owned(), code)));
}

#[test]
fn a_tree_has_at_most_5_levels_and_50_nodes() {
    assert_eq!(broken(&nested(5)), []);
    let deepest = "conditions.not.0.not.0.not.0.not.0.not.0".to_owned();
    assert_eq!(broken(&nested(6)), [(deepest.clone(), codes::CONDITION_TOO_DEEP)]);
    // reported once, not for each level
    assert_eq!(broken(&nested(50)), [(deepest, codes::CONDITION_TOO_DEEP)]);
    let tree_with = |tests: usize| json!({ "any": vec![sections_over("1"); tests] });
    assert_eq!(broken(&tree_with(49)), []);
    for too_many in [tree_with(50), tree_with(10_000), nested(60)] {
        assert_eq!(broken(&too_many), [("conditions".to_owned(), codes::TOO_MANY)]);
    }
}

#[test]
fn numbers_are_compared_by_their_operator() {
    for (op, expected) in [
        (Comparison::Equals, [false, true, false]),
        (Comparison::NotEquals, [true, false, true]),
        (Comparison::LesserThan, [true, false, false]),
        (Comparison::LesserEquals, [true, true, false]),
        (Comparison::GreaterThan, [false, false, true]),
        (Comparison::GreaterEquals, [false, true, true]),
    ] {
        assert_eq!([1, 2, 3].map(|value| op.holds(&value, &2)), expected, "{op:?}");
    }
}

/// Years were not limited at first; prices with such a saved tree must still work.
#[test]
fn stored_trees_are_read_with_any_year() {
    let stored_tree = json!({ "type": "date", "op": "equals", "value": "-262143-01-03" });
    assert!(serde_json::from_value::<Condition>(stored_tree).is_ok());
}

#[test]
fn a_text_may_be_written_in_any_case_and_on_many_lines() {
    let text =
        "ALL(\n  Cart_Weight>=10t,\n  not ( weekday NOT IN (Saturday,sunday) ),\n  date != 2026-12-31\n)";
    let printed = "all(cart_weight >= 10 t, not(weekday not in (saturday, sunday)), date != 2026-12-31)";
    assert_eq!(parse(text).unwrap().to_string(), printed);
}

#[test]
fn invalid_texts_are_refused_with_their_position() {
    let deep = "not(".repeat(1_000);
    let many = format!("any({})", vec!["tenant in (1)"; 50].join(", "));
    for (text, position, code) in [
        ("", 1, codes::CONDITION_TEXT),
        ("  foo", 3, codes::CONDITION_TEXT),
        ("all", 4, codes::CONDITION_TEXT),
        ("all(", 5, codes::CONDITION_TEXT),
        ("all(tenant in (1)", 18, codes::CONDITION_TEXT),
        ("tenant in (1) x", 15, codes::CONDITION_TEXT),
        ("tenant in (1, a)", 15, codes::CONDITION_TEXT),
        ("tenant in (1.5)", 12, codes::CONDITION_TEXT),
        ("tenant on (1)", 8, codes::CONDITION_TEXT),
        ("tenant not (1)", 12, codes::CONDITION_TEXT),
        ("cart_weight > 1e30", 16, codes::CONDITION_TEXT),
        ("cart_weight > 1000000000000", 15, codes::CONDITION_DIGITS),
        ("cart_weight >= 123456789012345678901 t", 16, codes::CONDITION_DIGITS),
        ("cart_weight >= 1.0000001 t", 16, codes::CONDITION_DIGITS),
        ("cart_weight >= 10,5 t", 16, codes::CONDITION_COMMA),
        ("all(cart_weight >= 10,500 kg, cart_weight < 20 t)", 20, codes::CONDITION_COMMA),
        ("cart_weight >= 1.000,5 t", 16, codes::CONDITION_COMMA),
        ("cart_weight >= 1.2.3 t", 16, codes::CONDITION_TEXT),
        ("date = 2100-01-01", 8, codes::INVALID_YEAR),
        ("date = -262143-01-03", 8, codes::INVALID_YEAR),
        ("cart_weight > 1 Zentner", 17, codes::CONDITION_TEXT),
        // violations of a tree are reported at their position in the text
        ("all()", 1, codes::TOO_FEW),
        ("any(tenant in (1), tenant in ())", 30, codes::TOO_FEW),
        ("any(tenant in (1), tenant in (7, 8, 7))", 37, codes::DUPLICATE),
        ("not(cart_weight >= 10 m)", 23, codes::WRONG_UNIT_CATEGORY),
        ("not(material >= 10)", 14, codes::UNKNOWN_OPERATOR),
        ("ä", 1, codes::CONDITION_TEXT),
        ("item_quantity > 1", 18, codes::REQUIRED),
        (&deep, 21, codes::CONDITION_TOO_DEEP),
        (&many, 4 + 49 * 15 + 1, codes::TOO_MANY),
    ] {
        let faults = parse(text).unwrap_err();
        let first = faults.first().map(|fault| (fault.position, fault.message.code));
        assert_eq!(first, Some((position, code)), "{text}");
    }
}

#[test]
fn parse_errors_describe_the_expected_value() {
    let messages = |text: &str| {
        let faults = parse(text).unwrap_err();
        [Language::De, Language::En].map(|language| faults[0].message.text(language))
    };
    let [german, english] = messages("cart_weight >= viel");
    assert!(german.ends_with("erwartet: eine Zahl wie 123.45 oder ein Datum wie 2026-12-31"), "{german}");
    assert!(english.ends_with("expected: a number such as 123.45 or a date such as 2026-12-31"), "{english}");
    assert!(messages("cart_weight >= 10,5 t")[0].ends_with(": 10.5"));
    assert!(messages("cart_weight >= 1.000,5 t")[0].ends_with(": 1000.5"));
    let [german, english] = messages("cart_weight >= 123456789012345678901 t");
    assert!(german.contains("12 vor und 6 nach") && english.contains("12 before and 6 after"), "{german}");
}

fn comparisons() -> impl Strategy<Value = Comparison> {
    prop::sample::select(vec![
        Comparison::Equals,
        Comparison::NotEquals,
        Comparison::LesserThan,
        Comparison::LesserEquals,
        Comparison::GreaterThan,
        Comparison::GreaterEquals,
    ])
}

fn tests() -> impl Strategy<Value = Test> {
    let value = || (0..Decimal::MAX.millionths()).prop_map(Decimal::from_millionths);
    let number = |subjects: &[ConditionType], units: &[Option<Unit>]| {
        let subjects = prop::sample::select(subjects.to_vec());
        let units = prop::sample::select(units.to_vec());
        (subjects, comparisons(), value(), units).prop_map(|(subject, op, value, unit)| Test {
            subject,
            expected: ExpectedValue::Number { op, value, unit },
        })
    };
    let units: Vec<_> = Unit::ALL.iter().copied().map(Some).collect();
    let mass: Vec<_> = UnitCategory::Mass.units().map(Some).collect();
    let records: Vec<_> = ConditionType::ALL.into_iter().filter(|subject| subject.names_records()).collect();
    let records =
        (prop::sample::select(records), any::<bool>(), prop::collection::btree_set(any::<i64>(), 1..5));
    let days = prop::sample::subsequence(Weekday::ALL.to_vec(), 1..7);
    prop_oneof![
        number(&[ConditionType::CartBasePrice, ConditionType::AdjustedCartTotal], &[None]),
        number(&[ConditionType::CartWeight, ConditionType::ItemWeight], &mass),
        number(&[ConditionType::ItemQuantity], &units),
        records.prop_map(|(subject, negated, ids)| Test {
            subject,
            expected: ExpectedValue::OneOf { negated, ids: ids.into_iter().collect() },
        }),
        (any::<bool>(), days).prop_map(|(negated, days)| Test {
            subject: ConditionType::Weekday,
            expected: ExpectedValue::Weekday { negated, days },
        }),
        (comparisons(), 0..36_500_i32).prop_map(|(op, day)| Test {
            subject: ConditionType::Date,
            expected: ExpectedValue::Date {
                op,
                value: NaiveDate::from_ymd_opt(2000, 1, 1).unwrap()
                    + chrono::Days::new(day.unsigned_abs().into()),
            },
        }),
    ]
}

fn conditions() -> impl Strategy<Value = Condition> {
    tests().prop_map(Condition::Test).prop_recursive(4, 40, 3, |inner| {
        let parts = || prop::collection::vec(inner.clone(), 1..4);
        prop_oneof![
            parts().prop_map(Condition::All),
            parts().prop_map(Condition::Any),
            parts().prop_map(Condition::Not),
        ]
    })
}

proptest! {
    #[test]
    fn printed_and_serialised_trees_are_read_back_unchanged(condition in conditions()) {
        let sent = serde_json::to_string(&condition).unwrap();
        let mut remaining_nodes = NODES_MAX;
        if ConditionInput::from(condition.clone()).has_more_than(&mut remaining_nodes) {
            prop_assert!(serde_json::from_str::<Condition>(&sent).is_err());
            prop_assert!(parse(&condition.to_string()).is_err());
        } else {
            prop_assert_eq!(serde_json::from_str::<Condition>(&sent).unwrap(), condition.clone());
            prop_assert_eq!(parse(&condition.to_string()).unwrap(), condition);
        }
    }
}
