//! Rules that all operations share: missing fields of a body, the format of numbers, HEAD, languages,
//! compression.

use actix_http::encoding::Decoder;
use actix_web::{
    error::PayloadError,
    http::{Method, header::ContentEncoding},
    web::Bytes,
};
use futures_util::{StreamExt, stream};
use serde_json::{Value, json};

use crate::{
    catalog::{Catalog, id},
    support::{Answer, Client, TestApp},
};

const MATERIALS: &str = "/api/admin/materials";
const LADDERS: &str = "/api/admin/trade-dimensions";

async fn written(client: &Client, path: &str, body: &str) -> Answer {
    let request = client.request(Method::POST, path).insert_header(("content-type", "application/json"));
    client.call(request.set_payload(body.to_owned())).await
}

#[actix_web::test]
async fn all_missing_fields_of_a_body_are_reported_together() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let lacking = [
        "name",
        "article_number_template",
        "article_name_template",
        "base_unit_of_measure",
        "listing_unit_of_measure",
        "price_unit_of_measure",
        "attributes",
    ];
    for path in ["/api/admin/article-types", "/api/admin/article-types/preview"] {
        let body = written(&admin, path, "{}").await.is_refused_at(&lacking);
        assert_eq!(body["errors"]["name"], json!(["Required field"]));
        assert_eq!(body["error_codes"]["attributes"], json!(["required"]));
    }
    let body =
        written(&admin.german(), LADDERS, r#"{"clusters":[{"minimum":"1"},{"short_code":"A"}]}"#).await;
    let body = body.is_refused_at(&[
        "name",
        "clusters.0.short_code",
        "clusters.0.calculation_value",
        "clusters.1.calculation_value",
    ]);
    assert_eq!(body["errors"]["clusters.1.calculation_value"], json!(["Pflichtfeld"]));
    // within the chosen variant
    let change = r#"{"selection":{"ids":[1]},"change":{"field":"density"}}"#;
    written(&admin, "/api/admin/materials/bulk-change", change).await.is_refused_at(&["selection.count"]);
    written(&admin, "/api/admin/materials/bulk-change", "{}").await.is_refused_at(&["selection", "change"]);
    // the rest of the body is not read
    written(&admin, LADDERS, r#"{"clusters":[{}],"name":"#).await.is(422);
    // only a part of many errors is reported
    let many = format!(r#"{{"clusters":[{}]}}"#, vec!["{}"; 100_000].join(","));
    let refused = written(&admin, LADDERS, &many).await.is(422);
    assert_eq!(refused["errors"].as_object().unwrap().len(), 100);
}

#[actix_web::test]
async fn decimals_are_read_as_they_are_written() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    for (number, (written_as, stored)) in [
        (r#""7.85""#, "7.85"),
        ("7.85", "7.85"),
        ("61.3", "61.3"),
        ("8", "8"),
        ("999.999", "999.999"),
        ("1.10000000000000000000", "1.1"),
        ("785e-2", "7.85"),
    ]
    .into_iter()
    .enumerate()
    {
        let body = format!(r#"{{"name":"S{number}","density":{written_as}}}"#);
        assert_eq!(written(&admin, MATERIALS, &body).await.is(201)["density"], stored, "{written_as}");
    }
    for refused in [
        r#""x""#,
        r#""7,85""#,
        r#""""#,
        "1e400",
        "7.8500001",
        "7.85000000000000000001",
        "1e12",
        "true",
        "[]",
        "{}",
    ] {
        let body = format!(r#"{{"name":"S","density":{refused}}}"#);
        let answer = written(&admin, MATERIALS, &body).await.is_refused_at(&["density"]);
        assert_eq!(answer["error_codes"]["density"], json!(["no_decimal"]), "{refused}");
        let answer = written(&admin.german(), MATERIALS, &body).await.is(422);
        let text = answer["errors"]["density"][0].as_str().unwrap();
        assert!(text.starts_with("Kein gültiger Betrag: ") && text.contains("61.3"), "{text}");
    }
    let narrow =
        written(&admin, MATERIALS, r#"{"name":"S","density":1000}"#).await.is_refused_at(&["density"]);
    assert_eq!(narrow["error_codes"]["density"], json!(["invalid_decimal"]), "the field's own bound");

    let material = admin.post(MATERIALS, json!({ "name": "S" })).await.is(201);
    for change in [r#""field":"density","value":7.85"#, r#""value":7.86,"field":"density""#] {
        let body =
            format!(r#"{{"selection":{{"ids":[{}],"count":1}},"change":{{{change}}}}}"#, id(&material));
        assert_eq!(
            written(&admin, "/api/admin/materials/bulk-change", &body).await.is(200)["done"],
            1,
            "{change}"
        );
    }
}

#[actix_web::test]
async fn numbers_within_values_are_read_as_they_are_written() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    let mut article = catalog.article(0, "12.1");
    article["values"][1]["number"] = json!(12.1);
    let created = admin.post("/api/admin/articles", article.clone()).await.is(201);
    assert_eq!(created["values"][1]["number"], "12.1");
    article["values"][1]["number"] = json!("12,1");
    let refused = admin.post("/api/admin/articles", article).await.is_refused_at(&["values.1.number"]);
    assert_eq!(refused["error_codes"]["values.1.number"], json!(["no_decimal"]));
}

#[actix_web::test]
async fn head_is_answered_like_get_without_a_body() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let material = admin.post(MATERIALS, json!({ "name": "S235JR" })).await.is(201);
    for uri in [
        MATERIALS.to_owned(),
        format!("{MATERIALS}/{}", id(&material)),
        format!("{MATERIALS}/export?format=csv"),
        format!("{MATERIALS}/999999"),
        format!("{MATERIALS}?sort=x"),
        "/api/config".to_owned(),
        "/api/openapi.json".to_owned(),
        "/healthz".to_owned(),
        "/".to_owned(),
    ] {
        let get = admin.get(&uri).await;
        let head = admin.send(Method::HEAD, &uri, None).await;
        assert_eq!((head.status, head.bytes.len()), (get.status, 0), "{uri}");
        for name in ["content-type", "content-disposition", "cache-control"] {
            assert_eq!(head.header(name), get.header(name), "{uri} {name}");
        }
    }
    app.anonymous().send(Method::HEAD, MATERIALS, None).await.is(401);
    let creates_only = admin.send(Method::HEAD, "/api/password-reset", None).await;
    assert_eq!((creates_only.status.as_u16(), creates_only.header("allow")), (405, "POST"));
}

#[actix_web::test]
async fn writes_based_on_an_outdated_version_are_refused() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let mut read = admin.post(MATERIALS, json!({ "name": "S235JR" })).await.is(201);
    read["density"] = "7.85".into();
    let (by_id, by_name) = (format!("{MATERIALS}/{}", id(&read)), format!("{MATERIALS}/by-name/S235JR"));
    admin.put(&by_id, read.clone()).await.is(200);
    for uri in [by_id, by_name] {
        assert_eq!(admin.put(&uri, read.clone()).await.is(409)["code"], "stale");
        assert_eq!(admin.send(Method::PATCH, &uri, Some(read.clone())).await.is(409)["code"], "stale");
    }
}

#[actix_web::test]
async fn the_documented_codes_are_returned() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let faulty = json!({ "name": "x".repeat(256), "material_number": "1.00" });
    let refused = admin.post(MATERIALS, faulty.clone()).await.is(422);
    let page = include_str!("../../../../docs/api.md");
    let documented = page.lines().find_map(|line| line.strip_prefix("\"error_codes\": ")).unwrap();
    assert_eq!(refused["error_codes"], serde_json::from_str::<Value>(documented).unwrap());
    admin.post(MATERIALS, json!({ "name": "S235JR" })).await.is(201);
    let taken = admin.post(MATERIALS, json!({ "name": "s235jr" })).await.is(422);
    assert_eq!(taken["error_codes"], json!({ "name": ["taken"] }));
}

#[actix_web::test]
async fn umlauts_are_found_in_every_spelling() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    admin.post(MATERIALS, json!({ "name": "Güte Süd" })).await.is(201);
    for (search, finds) in [("sued", true), ("S%C3%BCd", true), ("GUETE%20sued", true), ("suedd", false)] {
        let found = admin.get(&format!("{MATERIALS}?filter[search]={search}")).await.is(200);
        assert_eq!(found["meta"]["total"] == 1, finds, "{search}");
    }
}

async fn packed(client: &Client, uri: &str, accepted: &str) -> Answer {
    client.call(client.request(Method::GET, uri).insert_header(("accept-encoding", accepted))).await
}

async fn unpacked(answer: Answer) -> Value {
    let bytes = stream::iter([Ok::<_, PayloadError>(answer.bytes)]);
    let parts: Vec<Bytes> =
        Decoder::new(bytes, ContentEncoding::Gzip).map(|part| part.unwrap()).collect().await;
    serde_json::from_slice(&parts.concat()).unwrap()
}

#[actix_web::test]
async fn json_is_compressed_if_the_client_accepts_it() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    for number in 0..20 {
        admin.post(MATERIALS, json!({ "name": format!("S{number}") })).await.is(201);
    }
    let plain = admin.get(MATERIALS).await;
    for accepted in ["gzip", "gzip, deflate, br", "br;q=1.0, gzip;q=0.8, *;q=0.1", "GZIP"] {
        let answer = packed(&admin, MATERIALS, accepted).await;
        assert_eq!(answer.header("content-encoding"), "gzip", "{accepted}");
        assert!(answer.header("vary").contains("accept-encoding"), "{accepted}");
        assert!(answer.bytes.len() * 4 < plain.bytes.len());
        assert_eq!(unpacked(answer).await, plain.is(200));
    }
    for accepted in ["", "br", "identity", "gzip;q=0", "identity;q=0, br", "x"] {
        let answer = packed(&admin, MATERIALS, accepted).await;
        assert_eq!((answer.header("content-encoding"), &answer.bytes), ("", &plain.bytes), "{accepted}");
    }
    // files, small bodies, and empty ones are not compressed
    for uri in [format!("{MATERIALS}/export?format=xlsx"), format!("{MATERIALS}/1"), "/healthz".to_owned()] {
        let answer = packed(&admin, &uri, "gzip").await;
        assert_eq!(answer.header("content-encoding"), "", "{uri}");
    }
    // a long error is compressed as well
    let long = format!("{MATERIALS}?sort={}", "x".repeat(50));
    let refused = packed(&admin, &long, "gzip").await;
    assert_eq!(refused.status.as_u16(), 422);
    serde_json::from_slice::<Value>(&refused.bytes).unwrap();
}

#[actix_web::test]
async fn texts_are_in_the_preferred_language() {
    let app = TestApp::new().await;
    for (accepted, message) in [
        ("de;q=0.5, en;q=0.8", "Not found."),
        ("en;q=0.5, de;q=0.8", "Nicht gefunden."),
        ("en;q=0, fr", "Nicht gefunden."),
    ] {
        let request = actix_web::test::TestRequest::with_uri("/api/nothing")
            .insert_header(("accept-language", accepted))
            .peer_addr(([127, 0, 0, 1], 50_000).into());
        assert_eq!(app.anonymous().call(request).await.is(404)["message"], message, "{accepted}");
    }
}
