//! Tests of the rules of commercial lengths.

use values::{Error, Language};

use super::*;
use crate::codes;

fn violations(input: TradeDimensionInput) -> Violations {
    match check(input.into()) {
        Ok(_) => Violations::new(),
        Err(Error::Invalid(violations)) => violations,
        Err(error) => panic!("{error}"),
    }
}

fn decimal(text: &str) -> Decimal {
    text.parse().unwrap()
}

fn input(clusters: &serde_json::Value) -> TradeDimensionInput {
    serde_json::from_value(serde_json::json!({ "name": "Träger", "clusters": clusters })).unwrap()
}

#[test]
fn inputs_follow_the_shared_rules() {
    crate::testdata::check("trade_dimension.json", violations);
}

#[test]
fn each_length_is_assigned_to_its_cluster() {
    #[derive(Deserialize)]
    struct Cases {
        ladders: Vec<Case>,
    }
    #[derive(Deserialize)]
    struct Case {
        about: String,
        clusters: serde_json::Value,
        lengths: Vec<Placed>,
    }
    #[derive(Deserialize)]
    struct Placed {
        length: Decimal,
        cluster: Option<String>,
    }
    let Cases { ladders } = crate::testdata::read("trade_dimension.json");
    assert!(!ladders.is_empty());
    for Case { about, clusters, lengths } in ladders {
        let TradeDimensionRows { ladder, .. } = check(input(&clusters).into()).unwrap();
        for Placed { length, cluster } in lengths {
            let millimetres = convert(length, Unit::Metre, Unit::Millimetre).unwrap();
            let short_code = ladder.cluster_of(millimetres).map(|cluster| cluster.short_code.clone());
            assert_eq!(short_code, cluster, "{length} m, {about}");
        }
    }
    assert_eq!(Ladder::default().cluster_of(decimal("6000")), None);
}

#[test]
fn clusters_are_stored_in_ascending_order_and_in_the_base_unit() {
    let unordered = serde_json::json!([
        { "short_code": "L12", "minimum": "6.11", "calculation_value": "12.1" },
        { "short_code": " L06 ", "maximum": "6.11", "calculation_value": "6.1" },
    ]);
    let TradeDimensionRows { ladder, .. } = check(input(&unordered).into()).unwrap();
    let cluster = |short_code: &str, minimum: Option<&str>, maximum: Option<&str>, value| Cluster {
        short_code: short_code.to_owned(),
        minimum: minimum.map(decimal),
        maximum: maximum.map(decimal),
        calculation_value: decimal(value),
    };
    let expected = [cluster("L06", None, Some("6110"), "6100"), cluster("L12", Some("6110"), None, "12100")];
    assert_eq!(ladder.clusters(), expected);
    assert_eq!(metres(decimal("6110")), decimal("6.11"));
}

#[test]
fn neighbouring_ranges_are_named_by_short_code_or_number() {
    let gap = |below: &str| {
        let clusters = serde_json::json!([
            { "short_code": below, "maximum": "6", "calculation_value": "6" },
            { "short_code": "L12", "minimum": "7", "calculation_value": "12" },
        ]);
        let violations = violations(input(&clusters));
        let gap = violations.iter().find(|violation| violation.message.code == codes::RANGE_GAP).unwrap();
        gap.message.text(Language::En)
    };
    assert!(gap("L06").contains("after the range “L06”"));
    assert!(gap("").contains("after the range “1”"));
}

#[test]
fn too_many_clusters_are_refused_without_checking_each() {
    let empty = serde_json::json!([{ "short_code": "" }]);
    let mut many = input(&empty);
    many.clusters = vec![many.clusters[0].clone(); CLUSTERS_MAX + 1];
    let codes = crate::testdata::codes(&violations(many));
    assert_eq!(codes.into_iter().collect::<Vec<_>>(), [("clusters".to_owned(), vec!["too_many".to_owned()])]);
}
