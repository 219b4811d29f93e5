//! Tests of the rules of a matching, without a database.

use values::{Instant, Language, TenantId};

use super::*;

fn matching_references() -> MatchingReferences {
    let article =
        |id, number: &str| (id, fold(number), ArticleName { id, article_number: number.to_owned() });
    let warehouse = |id, code: &str| (id, fold(code), WarehouseName { id, short_code: code.to_owned() });
    MatchingReferences {
        articles: Referable::new([article(1, "HEB-200"), article(2, "IPE-80")]),
        warehouses: Referable::new([warehouse(1, "DU"), warehouse(2, "HH")]),
        external_warehouses: HashMap::from([("l1".to_owned(), vec![(7, 1)])]),
        tenant_identifiers: Vec::new(),
    }
}

/// Matching of the external warehouse L1.
fn warehouse_l1(id: i64) -> Matching {
    Matching {
        id,
        tenant_id: TenantId(1),
        name: "L1".to_owned(),
        article_id: None,
        external_article_number: None,
        external_article_number_fold: String::new(),
        external_article_number_sort: String::new(),
        warehouse_id: Some(1),
        external_warehouse_identifier: Some("L1".to_owned()),
        external_warehouse_identifier_fold: "l1".to_owned(),
        external_warehouse_identifier_sort: String::new(),
        external_tenant_identifier: None,
        external_tenant_identifier_fold: String::new(),
        version: 1,
        change: None,
        created_at: Instant::UNIX_EPOCH,
        updated_at: Instant::UNIX_EPOCH,
    }
}

#[test]
fn drafts_follow_the_shared_rules() {
    testkit::rules::check_rows("matching.json", |input: MatchingInput| {
        Ok(MatchingDraft::from(input).row(&matching_references(), None)?)
    });
}

#[test]
fn an_external_warehouse_is_reassigned_only_by_its_own_matching() {
    let draft = || MatchingDraft {
        warehouse: RecordReference::new(Some(2), None),
        external_warehouse_identifier: Some("L1".to_owned()),
        ..MatchingDraft::default()
    };
    assert!(draft().row(&matching_references(), Some(&warehouse_l1(7))).is_ok());
    assert!(draft().row(&matching_references(), Some(&warehouse_l1(8))).is_err());
    // Facts from one row of a batch apply to the next.
    let mut references = matching_references();
    references.add_place(9, "l9", 2);
    let warehouse = RecordReference::new(Some(1), None);
    let next = MatchingDraft { warehouse, external_warehouse_identifier: Some("l9".to_owned()), ..draft() };
    assert!(next.clone().row(&references, None).is_err());
    references.add_place(9, "l9", 1);
    assert!(next.row(&references, None).is_ok(), "it has been reassigned");
}

#[test]
fn known_references_of_a_matching_need_no_lookup() {
    let own = Matching { article_id: Some(77), warehouse_id: Some(78), ..warehouse_l1(7) };
    let draft = |article, warehouse| MatchingDraft {
        article: RecordReference::new(Some(article), None),
        external_article_number: Some("4711".to_owned()),
        warehouse: RecordReference::new(Some(warehouse), None),
        external_warehouse_identifier: Some("L2".to_owned()),
        ..MatchingDraft::default()
    };
    let row = draft(77, 78).row(&matching_references(), Some(&own)).unwrap();
    assert_eq!((row.article_id, row.warehouse_id), (Set(Some(77)), Set(Some(78))));
    assert_eq!(draft(79, 80).row(&matching_references(), Some(&own)).unwrap_err().iter().count(), 2);
    let mut references = matching_references();
    references.add_place(9, "l2", 81);
    assert_eq!(draft(1, 81).row(&references, None).unwrap().warehouse_id, Set(Some(81)));
}

#[test]
fn the_external_tenant_identifier_must_agree_with_known_ones() {
    let draft = |tenant: &str| MatchingDraft {
        article: RecordReference::new(Some(1), None),
        external_article_number: Some("4711".to_owned()),
        external_tenant_identifier: Some(tenant.to_owned()),
        ..MatchingDraft::default()
    };
    let mut references = matching_references();
    assert!(draft("K77").row(&references, None).is_ok(), "no identifier is known yet");
    references.tenant_identifiers = vec!["K77".to_owned(), "K78".to_owned()];
    assert!(draft(" k78 ").row(&references, None).is_ok());
    let refused = draft("K79").row(&references, None).unwrap_err();
    let [refused] = refused.iter().collect::<Vec<_>>()[..] else { panic!("{refused:?}") };
    assert_eq!(
        (refused.path.as_str(), refused.message.text(Language::En)),
        ("external_tenant_identifier", "This import is for another tenant: K77, K78".to_owned())
    );
    let own = Matching { external_tenant_identifier_fold: "k79".to_owned(), ..warehouse_l1(7) };
    assert!(draft("K79").row(&references, Some(&own)).is_ok(), "it had this identifier before");
}

#[test]
fn a_row_has_a_name_and_no_null_in_its_key() {
    let draft = MatchingDraft {
        article: RecordReference::new(None, Some(" heb-200 ".to_owned())),
        external_article_number: Some(" 00Ab ".to_owned()),
        ..MatchingDraft::default()
    };
    let row = draft.row(&matching_references(), None).unwrap();
    assert_eq!((row.article_id, row.warehouse_id), (Set(Some(1)), Set(None)));
    assert_eq!(row.external_article_number, Set(Some("00Ab".to_owned())));
    assert_eq!(row.external_article_number_fold, Set("00ab".to_owned()));
    assert_eq!(row.external_warehouse_identifier_fold, Set(String::new()));
    assert_eq!(row.name, Set("00Ab".to_owned()));
}
