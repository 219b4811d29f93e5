//! The API contract is the one that is checked in.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
    path::Path,
};

use catalog::{
    article_type::{ArticleTypeInput, group::ArticleTypeGroupInput},
    attribute::AttributeInput,
    category::CategoryInput,
    material::MaterialInput,
    processing::ProcessingInput,
    trade_dimension::TradeDimensionInput,
};
use feeds::{
    external_api::{ExternalApiInput, request_test::RequestTestInput},
    settings::{
        FtpSettingsInput,
        fields::{HostKeyInput, ScheduleInput},
        test_input::TestInput,
    },
};
use identity::{
    account::AccountPatch,
    role::RoleInput,
    saved_view::{DefaultViewInput, SavedViewInput},
    token::{TokenInput, TokenName, rotation::TokenRotation},
    user::{UserInput, UserPatch},
};
use imports::import_profile::{ImportProfileInput, batch::ImportProfilesInput};
use logistics::{
    matching::unresolved::bulk::NumberMatches,
    shipping::{
        leg::{ShippingLegInput, ShippingLegsInput},
        node::{ShippingNodeInput, closure::ShippingNodeClosureInput},
    },
    warehouse::{WarehouseInput, closure::ClosureInput},
};
use pricing::{
    price_adjustment::{OrderInput as PriceAdjustmentOrder, PriceAdjustmentInput},
    price_list::{PriceListInput, copy::CopyInput},
    price_list_entry::{DecisionsInput, bulk::BulkInput},
    processing_price::ProcessingPriceInput,
    sample_cart::SampleCartInput,
    surcharge_table::SurchargeTableInput,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tenancy::{tenant::TenantInput, tenant_group::TenantGroupInput};
use utoipa::ToSchema;
use values::{Code, Input, Validated, Violations};
use webhooks::webhook::{RotationInput, WebhookInput};

use crate::document::{document, resolved};

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
fn every_operation_is_described_and_every_input_text_is_bounded() {
    let document = document();
    let mut ids = HashSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for operation in item.as_object().unwrap().values() {
            assert!(
                operation["summary"].as_str().is_some_and(|summary| summary.len() > 5),
                "{path} has no summary"
            );
            assert!(ids.insert(operation["operationId"].as_str().unwrap()), "{path} shares its id");
            for (status, response) in operation["responses"].as_object().unwrap() {
                assert!(resolved(&document, response)["description"].is_string(), "{path} {status}");
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

#[test]
fn every_property_is_described_and_every_description_is_used() {
    let document = document();
    let mut used = HashSet::new();
    let mut schemas: Vec<(&str, &Value)> =
        document["components"]["schemas"].as_object().unwrap().iter().map(|(n, s)| (n.as_str(), s)).collect();
    while let Some((name, schema)) = schemas.pop() {
        for alternatives in ["oneOf", "allOf", "anyOf"] {
            schemas.extend(schema[alternatives].as_array().into_iter().flatten().map(|item| (name, item)));
        }
        for (property, schema) in schema["properties"].as_object().into_iter().flatten() {
            if schema["$ref"].is_null() {
                let sentence = schema["description"].as_str().unwrap_or_default();
                assert!(!sentence.is_empty(), "{name}.{property} has no description");
                used.extend([(property.clone(), sentence), (format!("{name}.{property}"), sentence)]);
            }
        }
    }
    let glossary = include_str!("../../../api/src/property_descriptions.tsv");
    for (property, sentence) in glossary.lines().filter_map(|line| line.split_once('\t')) {
        assert!(
            used.contains(&(property.to_owned(), sentence)),
            "nothing uses the description of {property}"
        );
    }
}

#[test]
fn components_are_named_by_types_and_every_tag_is_described() {
    let document = document();
    for (kind, components) in document["components"].as_object().unwrap() {
        for name in components.as_object().unwrap().keys() {
            let plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
            assert!(name.chars().all(plain), "{kind} has the name {name}");
        }
    }
    for name in ["File", "NoContent", "Picture"] {
        assert!(document["components"]["responses"][name].is_object(), "{name}");
    }
    let tags = document["tags"].as_array().unwrap();
    let described: HashSet<_> = tags.iter().map(|tag| tag["name"].as_str().unwrap()).collect();
    let used: HashSet<_> = document["paths"]
        .as_object()
        .unwrap()
        .values()
        .flat_map(|item| item.as_object().unwrap().values())
        .map(|operation| operation["tags"][0].as_str().unwrap())
        .collect();
    assert_eq!(described, used);
}

#[test]
fn every_schema_has_a_valid_example() {
    let document = document();
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let place = |name: &String| format!("#/components/schemas/{name}");
    let all: Vec<_> = schemas.keys().map(|name| json!({ "$ref": place(name) })).collect();
    let root = json!({ "anyOf": all, "components": document["components"] });
    let validators = jsonschema::options().should_validate_formats(true).build_map(&root).unwrap();
    for (name, schema) in schemas {
        let Some(example) = schema.get("example") else {
            panic!("{name} has no example: one of its fields, or of what it refers to, has none");
        };
        let validator = validators.get(&place(name)).unwrap();
        let refused: Vec<String> = validator.iter_errors(example).map(|error| error.to_string()).collect();
        assert!(refused.is_empty(), "the example of {name} is none: {refused:?}");
    }
}

/// Maximum of lines per operation: half of the number before schemas were shared, with an allowance for
/// quotes, whose explanations are seven hundred lines of two operations, for target prices, for the impact of
/// changed prices and of files, for the stages of deliveries, for the steps of a test of FTP settings, for
/// the request and the answer of a test of an external API, for filters by emptiness, and for the errors and
/// headers of each operation.
const MOST: usize = 155;

#[test]
fn shared_parameters_and_responses_are_defined_once() {
    let document = document();
    let mut said = HashMap::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for operation in item.as_object().unwrap().values() {
            let parameters = operation["parameters"].as_array().into_iter().flatten();
            let said_here = parameters.chain(operation["responses"].as_object().unwrap().values());
            for own in said_here.chain(operation.get("requestBody")).filter(|own| own["$ref"].is_null()) {
                let other = said.insert(own.to_string(), path);
                assert_eq!(other, None, "{path} repeats {own}");
            }
        }
    }
    let lines = api::app::openapi().lines().count();
    let operations = api::app::routes().permissions().lines().count();
    assert!(lines < MOST * operations, "the contract has {lines} lines for {operations} operations");
}

/// Input type with a valid value, and a function that returns the violations of a changed one.
struct Probe {
    name: Cow<'static, str>,
    valid: Value,
    broken: fn(Value) -> Violations,
}

fn probe<T: Input + DeserializeOwned + ToSchema>(valid: Value) -> Probe {
    let broken = |input| Validated::from(serde_json::from_value::<T>(input).unwrap()).broken().clone();
    Probe { name: T::name(), valid, broken }
}

fn probes() -> Vec<Probe> {
    let state = json!({
        "filters": [{ "field": "name", "op": "is", "values": ["S235"] }],
        "sort": "name", "size": 40, "columns": ["name"], "density": "standard"
    });
    let option =
        json!({ "name": "200", "value": "200", "display_value": "200", "weight_per_base_unit": "1" });
    let range = json!({ "short_code": "L12", "minimum": "1", "maximum": "2", "calculation_value": "1" });
    vec![
        probe::<AccountPatch>(json!({ "name": "Eva" })),
        probe::<ArticleTypeGroupInput>(json!({ "name": "Träger", "description": "x" })),
        probe::<ArticleTypeInput>(json!({
            "name": "HEB", "article_number_template": "HEB-{hoehe}", "article_name_template": "HEB {hoehe}",
            "base_unit_of_measure": "kg", "listing_unit_of_measure": "kg", "price_unit_of_measure": "kg",
            "attributes": [{ "attribute_id": 1 }]
        })),
        probe::<AttributeInput>(json!({ "name": "Höhe", "type": "categorial", "options": [option] })),
        probe::<CategoryInput>(json!({ "name": "Träger", "display_name": "x" })),
        probe::<ClosureInput>(json!({ "date": "2026-12-24", "name": "Inventur" })),
        probe::<DefaultViewInput>(json!({ "list": "materials" })),
        probe::<ExternalApiInput>(external_api()),
        probe::<RequestTestInput>(
            json!({ "settings": external_api(), "endpoint": "availability", "article_number": "1", "warehouse": "DU" }),
        ),
        probe::<FtpSettingsInput>(ftp_settings()),
        probe::<TestInput>(json!({ "file": "price", "settings": ftp_settings() })),
        probe::<HostKeyInput>(json!({ "host_key": "SHA256:k" })),
        probe::<ScheduleInput>(json!({ "schedule": { "type": "monthly", "day": 31, "time": "06:00" } })),
        probe::<WebhookInput>(json!({
            "url": "https://erp.example/", "events": ["feed.late"], "ca_certificate": "x"
        })),
        probe::<RotationInput>(json!({ "overlap_hours": 24 })),
        probe::<ImportProfileInput>(import_profile()),
        probe::<ImportProfilesInput>(json!({ "profiles": [import_profile()] })),
        probe::<MaterialInput>(json!({
            "name": "S235", "display_name": "x", "article_number_name": "x", "material_number": "1.0038", "density": "7.85"
        })),
        probe::<PriceAdjustmentInput>(json!({
            "name": "Rabatt", "operation": "discount", "value": "3", "calculation_type": "relativeToBase",
            "apply_to": { "kind": "item_type", "item_types": ["article"] }, "tenant_ids": [1], "tenant_group_ids": [1],
            "excluded_tenant_ids": [2]
        })),
        probe::<PriceAdjustmentOrder>(json!({ "ids": [1], "seen": [1] })),
        probe::<SampleCartInput>(
            json!({ "name": "Stammkunden", "lines": [{ "article_id": 1, "quantity": "1" }] }),
        ),
        probe::<PriceListInput>(json!({
            "name": "Verkauf", "owner_tenant_id": 1, "type": "sales", "scope": "own", "limited": false,
            "valid_from": "2027-01-01T00:00:00Z", "tenant_ids": [1], "tenant_group_ids": [1], "excluded_tenant_ids": [2]
        })),
        probe::<CopyInput>(json!({ "name": "Verkauf", "valid_from": "2027-01-01T00:00:00Z" })),
        probe::<BulkInput>(json!({ "change": { "percent": "1" }, "price_ids": [1] })),
        probe::<DecisionsInput>(json!({ "prices": [{ "id": 1, "version": 1 }], "decision": "release" })),
        probe::<ProcessingPriceInput>(
            json!({ "processing_id": 1, "price": { "price": "4.5", "unit": "piece" } }),
        ),
        probe::<ProcessingInput>(json!({
            "name": "Sägen", "display_name": "x", "type": "sawing", "article_number_addition_template": "-S"
        })),
        probe::<RoleInput>(json!({ "name": "Lager", "permissions": [] })),
        probe::<SavedViewInput>(
            json!({ "list": "materials", "name": "Leicht", "shared": false, "state": state }),
        ),
        probe::<ShippingLegInput>(shipping_leg(&json!({ "sending_node_id": 1 }))),
        probe::<ShippingLegsInput>(shipping_leg(&json!({ "both_directions": true }))),
        probe::<ShippingNodeClosureInput>(
            json!({ "shipping_node_id": 1, "date": "2026-12-24", "name": "Inventur" }),
        ),
        probe::<ShippingNodeInput>(json!({
            "name": "Depot Linz", "address": "x", "latitude": "48.3", "longitude": "14.3", "active": true
        })),
        probe::<NumberMatches>(json!({ "matches": [{ "number_id": 1, "target": "HEB-200" }] })),
        probe::<SurchargeTableInput>(json!({ "name": "Legierung", "kind": "alloy", "keyed_by": "material" })),
        probe::<TenantGroupInput>(json!({ "name": "Verbund", "description": "x", "tenant_ids": [1] })),
        probe::<TenantInput>(json!({
            "company": "Nord", "name": "Nord", "short_code": "NORD", "address": "x", "email": "a@b.example", "phone": "1",
            "external_api_type": "generic_json", "permissions": []
        })),
        probe::<TokenInput>(json!({ "name": "ERP", "abilities": ["access-admin"] })),
        probe::<TokenName>(json!({ "name": "ERP" })),
        probe::<TokenRotation>(json!({ "overlap_hours": 24 })),
        probe::<TradeDimensionInput>(json!({ "name": "Träger", "clusters": [range] })),
        probe::<WarehouseInput>(json!({
            "name": "Lager Duisburg", "short_code": "DU", "preparation_duration_before": 60, "address": "x"
        })),
        probe::<UserInput>(json!({ "name": "Eva", "email": "a@b.example", "role_ids": [1] })),
        probe::<UserPatch>(json!({ "name": "Eva", "email": "a@b.example", "role_ids": [1] })),
    ]
}

/// Import profile with all fields set.
fn import_profile() -> Value {
    let settings = json!({
        "header_line": 3, "sheet": "Bestand", "delimiter": ";", "encoding": "UTF-8", "decimal_sign": ",",
        "constants": [{ "field": "warehouse", "value": "DU" }],
    });
    let mapping = json!([{ "column": "Preis", "field": "price", "unit": "100 kg" }]);
    json!({ "name": "ERP", "type": "Stock", "settings": settings, "mapping": mapping })
}

/// External API with all fields set.
fn external_api() -> Value {
    let list =
        json!({ "path": "a", "list": "/l", "number": "/n", "name": "/t", "gtin": "/g", "next_page": "/p" });
    json!({
        "base_url": "https://werk.example", "authentication": "none", "username": "nord", "header_name": "X-Key",
        "token_url": "https://werk.example/token", "scope": "stock", "secret": "geheim", "ca_certificate": "x",
        "timeout_ms": 3000, "cache_seconds": 60, "active": true,
        "availability": {
            "method": "POST", "path": "s", "body": "[]", "lines_max": 1, "list": "/l", "article_number": "/n",
            "warehouse": "/w", "quantity": "/q", "unit": "/u", "unit_if_missing": "kg", "next_page": "/p"
        },
        "meta_data": { "articles": list, "warehouses": list, "tenants": list },
    })
}

/// FTP settings with all fields set.
fn ftp_settings() -> Value {
    let mut input = crate::ftp_settings::settings("werk");
    let more = json!({
        "port": 22, "password": "geheim", "private_key": "x", "private_key_passphrase": "x", "ca_certificate": "x", "base_path": "/export",
        "processed_folder": "erledigt",
    });
    input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    input["price_file"]["price_list_name"] = "Werkspreise".into();
    input["schedules"]["stock"] =
        json!({ "type": "twice_monthly", "day": 1, "day_2": 15, "time": "06:00", "time_2": "12:00" });
    input
}

/// Leg to another node, with further fields.
fn shipping_leg(more: &Value) -> Value {
    let mut leg = json!({
        "receiving_node_id": 2, "preparation_duration": 30, "loading_duration": 60, "travel_duration": 300,
        "unloading_duration": 45, "departures": [{ "weekday": "monday", "time": "06:00" }],
        "exceptions": [{ "date": "2026-12-24", "time": "06:00", "type": "dropped" }],
    });
    leg.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    leg
}

/// Bodies whose bounds are not rules of a field of the domain, and the place of those rules.
const ELSEWHERE: &[(&str, &str)] = &[
    ("ArticleInput", "what is rendered is held to its rules, as that of a file"),
    ("ArticleTypePreviewInput", "an ArticleTypeInput"),
    ("AvailabilityInput", "counted where it is answered"),
    ("CartDatesInput", "counted before they are answered"),
    ("ConditionsInput", "a text is as long as its parser takes it"),
    ("ConfirmedSelection", "counted where it is done"),
    ("DeliveryDatesInput", "counted before they are answered; what their texts name is found or not"),
    ("LinkSecretInput", "of the handler's file"),
    ("MatchInput", "a MatchingInput"),
    ("MatchingInput", "a draft is held to its rules, as that of a file"),
    ("OrderInput", "every row of the list, once"),
    ("PasswordDraft", "judged with the password"),
    ("PasswordInput", "judged with the password"),
    ("PasswordResetDraft", "of the handler's file"),
    ("PasswordResetInput", "of the handler's file"),
    ("PasswordResetRequestInput", "of the handler's file"),
    ("PriceItems", "counted where they are put, each as a row of a file"),
    ("PriceInput", "a price is held to its rules with its article, as that of a file"),
    ("PriceListItems", "counted where they are put, each as a row of a file"),
    ("PriceOverTimeInput", "a line of a cart: what its texts name is found or not"),
    ("PriceListImpactInput", "prices as they are changed, by the same rules"),
    ("PriceListPricesInput", "counted where they are changed, each held to its rules with its article"),
    (
        "SurchargeValuesInput",
        "counted where they are changed, each held to its rules with its place in the table",
    ),
    ("ImportCorrectionInput", "counted, and held to the refused rows of its import"),
    ("PricesImpactInput", "prices as they are changed, by the same rules"),
    ("PricesInput", "counted where they are changed, each a PriceInput"),
    ("ProcessingPreviewInput", "of the handler's file"),
    ("Selection", "counted where it is done"),
    ("UndoRequestImpactInput", "a request is found by it or not, as that which is undone"),
    ("SessionInput", "of the handler's file"),
    ("StockItems", "counted where they are put, each as a row of a file"),
    ("QuotesInput", "counted before they are answered"),
    ("SteelCatalogueInput", "of the handler's file"),
    ("StockDatesInput", "counted before they are answered"),
    ("StockInput", "a draft is held to its rules with its article, as that of a file"),
    ("PriceListTimelineInput", "what no tenant is called is not found"),
    ("UndoRequestInput", "what no request is called is not found"),
    ("VerificationInput", "judged with the password"),
];

/// Bounds of probed inputs that are rules between fields, with tests of their own.
const BETWEEN: &[&str] = &[
    "abilities minItems",
    "clusters minItems",
    "departures.0.time pattern",
    "exceptions.0.time pattern",
    "loading_duration maximum",
    "loading_duration minimum",
    "preparation_duration maximum",
    "preparation_duration minimum",
    "preparation_duration_before maximum",
    "preparation_duration_before minimum",
    "state.filters.0.field maxLength",
    "state.sort maxLength",
    "travel_duration maximum",
    "travel_duration minimum",
    "unloading_duration maximum",
    "unloading_duration minimum",
];

#[test]
fn the_contract_states_the_rules_of_the_fields() {
    let document = document();
    let probes = probes();
    let mut bounds = 0;
    for Probe { name, valid, broken } in &probes {
        assert_eq!(broken(valid.clone()), Violations::new(), "{name}");
        let schema = &document["components"]["schemas"][&**name];
        probe_fields(&document, schema, &mut Vec::new(), valid, *broken, &mut bounds);
    }
    assert!(bounds > 60, "there are {bounds} bounds only");
    for operation in
        document["paths"].as_object().unwrap().values().flat_map(|path| path.as_object().unwrap())
    {
        let body = resolved(&document, &operation.1["requestBody"]);
        let body = &body["content"]["application/json"]["schema"]["$ref"];
        let Some(name) = body.as_str().and_then(|body| body.rsplit('/').next()) else { continue };
        let known = probes.iter().any(|probe| probe.name == name)
            || ELSEWHERE.iter().any(|(known, _)| *known == name);
        let properties = document["components"]["schemas"][name]["properties"].as_object();
        let bounded = properties.into_iter().flatten().any(|(_, field)| !bounds_of(field).is_empty());
        assert!(known || !bounded, "{name} has bounds, but no probe");
    }
}

/// Bounds of a field in the contract.
fn bounds_of(field: &Value) -> Vec<(&'static str, u64)> {
    let names = ["minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum"];
    // counts and versions are non-negative because of their type
    let typed = |name: &str| name == "minimum" && field["maximum"].is_null();
    let numbers = names.into_iter().filter(|name| !typed(name));
    let numbers = numbers.filter_map(|name| Some((name, field[name].as_u64()?)));
    let texts = [("pattern", "pattern"), ("format", "format")];
    let texts = texts.into_iter().filter(|(name, _)| match *name {
        "format" => field["format"] == "email",
        _ => field["pattern"].is_string(),
    });
    numbers.chain(texts.map(|(name, _)| (name, 0))).collect()
}

fn probe_fields(
    document: &Value,
    schema: &Value,
    way: &mut Vec<String>,
    valid: &Value,
    broken: fn(Value) -> Violations,
    bounds: &mut u32,
) {
    if let Some(reference) = schema["$ref"].as_str() {
        if reference.ends_with("/Decimal") {
            return; // other texts are not even read
        }
        return probe_fields(
            document,
            document.pointer(&reference[1..]).unwrap(),
            way,
            valid,
            broken,
            bounds,
        );
    }
    let pointer = std::iter::once("").chain(way.iter().map(String::as_str)).collect::<Vec<_>>().join("/");
    let Some(value) = valid.pointer(&pointer) else { return };
    let path = way.join(".");
    let codes = |value: Value| {
        let mut changed = valid.clone();
        *changed.pointer_mut(&pointer).unwrap() = value;
        let found = broken(changed);
        found.iter().filter(|found| found.path == path).map(|found| found.message.code).collect::<Vec<_>>()
    };
    for (name, bound) in bounds_of(schema) {
        if BETWEEN.contains(&&*format!("{path} {name}")) {
            continue;
        }
        *bounds += 1;
        let count = usize::try_from(bound).unwrap();
        let text = |count| Value::from("x".repeat(count));
        let entries = |count| Value::from(vec![value[0].clone(); count]);
        let (kept, outside, code) = match name {
            "minLength" => (text(count), text(count - 1), values::codes::REQUIRED),
            "maxLength" => (text(count), text(count + 1), values::codes::TOO_LONG),
            "minItems" => (entries(count), entries(count - 1), values::codes::TOO_FEW),
            "maxItems" => (entries(count), entries(count + 1), values::codes::TOO_MANY),
            "minimum" => (json!(bound), json!(i64::try_from(bound).unwrap() - 1), values::codes::TOO_SMALL),
            "maximum" => (json!(bound), json!(bound + 1), values::codes::TOO_BIG),
            _ => {
                assert!(!codes(json!("ä ö")).is_empty(), "{path}: no rule keeps the {name}");
                continue;
            }
        };
        // an empty text may also violate a pattern
        let refused = |found: &[Code]| found.contains(&code) || name == "minLength" && !found.is_empty();
        assert!(refused(&codes(outside)), "{path}: no rule keeps {name} {bound}");
        assert!(!codes(kept).contains(&code), "{path}: the rule is narrower than {name} {bound}");
    }
    for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
        way.push(name.clone());
        probe_fields(document, schema, way, valid, broken, bounds);
        way.pop();
    }
    if schema["items"].is_object() {
        way.push("0".to_owned());
        probe_fields(document, &schema["items"], way, valid, broken, bounds);
        way.pop();
    }
}
