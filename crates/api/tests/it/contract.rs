//! The wire contract is what is checked in.

use std::{collections::HashSet, path::Path};

use serde_json::Value;

fn checked_in(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../openapi").join(file);
    std::fs::read_to_string(path).unwrap_or_default()
}

#[test]
fn the_openapi_document_is_checked_in() {
    assert!(api::app::openapi() == checked_in("openapi.json"), "run `just openapi` and read the difference");
}

#[test]
fn the_permissions_are_checked_in() {
    assert_eq!(api::app::routes().permissions(), checked_in("permissions.txt"), "run `just openapi`");
}

#[test]
fn every_operation_says_what_it_does_and_every_text_of_an_input_is_bounded() {
    let document: Value = serde_json::from_str(&api::app::openapi()).unwrap();
    let mut ids = HashSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for operation in item.as_object().unwrap().values() {
            assert!(
                operation["summary"].as_str().is_some_and(|summary| summary.len() > 5),
                "{path} has no summary"
            );
            assert!(ids.insert(operation["operationId"].as_str().unwrap()), "{path} shares its id");
            for (status, response) in operation["responses"].as_object().unwrap() {
                assert!(response["description"].is_string(), "{path} {status}");
            }
        }
    }
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        if !name.ends_with("Input") {
            continue;
        }
        for (field, schema) in schema["properties"].as_object().unwrap() {
            let of_text = schema["type"] == "string"
                || schema["type"].as_array().is_some_and(|types| types.contains(&"string".into()));
            let bounded =
                ["maxLength", "pattern", "enum", "format"].iter().any(|bound| !schema[*bound].is_null());
            assert!(!of_text || bounded, "{name}.{field} has no bound");
        }
    }
}
