//! Where master data is used, and what is said when it cannot be deleted.

use catalog::material::Materials;
use kernel::{Error, Permission, Scope, usage::Usages};
use serde_json::{Value, json};

use crate::{
    catalog::{ARTICLES, ATTRIBUTES, Catalog, MATERIALS, TYPES, id},
    support::all_but,
};

/// Each resource with a record that something uses, and how it is used.
fn used(catalog: &Catalog, articles: &[Value]) -> Vec<(String, Value)> {
    let examples: Vec<_> = articles
        .iter()
        .map(|article| json!({ "id": article["id"], "name": article["article_number"] }))
        .collect();
    let articles =
        |filter| json!([{ "by": "articles", "filter": filter, "count": 7, "examples": examples[..5] }]);
    let types = json!([{
        "by": "article_types", "filter": "attribute_id", "count": 1,
        "examples": [{ "id": catalog.beam["id"], "name": catalog.beam["name"] }],
    }]);
    vec![
        (format!("{MATERIALS}/{}", catalog.material), articles("material_id")),
        (format!("{TYPES}/{}", id(&catalog.beam)), articles("article_type_id")),
        (format!("{ATTRIBUTES}/{}", id(&catalog.height)), types),
    ]
}

/// Seven articles in the order of their numbers.
async fn articles(catalog: &Catalog) -> Vec<Value> {
    let mut articles = Vec::new();
    for length in 1..=7 {
        let article = catalog.article(0, &length.to_string());
        articles.push(catalog.admin.post(ARTICLES, article).await.is(201));
    }
    articles
}

#[actix_web::test]
async fn what_uses_a_record_is_shown_and_keeps_it_from_being_deleted() {
    let catalog = Catalog::new().await;
    let Catalog { admin, beam, .. } = &catalog;
    for (uri, _) in used(&catalog, &vec![json!({}); 7]) {
        let unused = admin.get(&format!("{uri}/usage")).await.is(200);
        let by_articles = uri.starts_with(ATTRIBUTES);
        assert_eq!(unused["data"].as_array().unwrap().is_empty(), !by_articles, "{unused}");
    }
    let articles = articles(&catalog).await;
    for (uri, usages) in used(&catalog, &articles) {
        assert_eq!(admin.get(&format!("{uri}/usage")).await.is(200), json!({ "data": usages }));
        let confirmed = format!("{uri}?confirm=x");
        let refused = admin.delete(&confirmed).await.is(409);
        assert_eq!(refused["code"], "in_use");
        assert_eq!(refused["used_by"], usages);
        assert_eq!(refused["errors"], Value::Null);
        // the link that the list of users offers
        let [usage] = &usages.as_array().unwrap()[..] else { panic!("{usages}") };
        let path = if usage["by"] == "articles" { ARTICLES } else { TYPES };
        let record = uri.rsplit('/').next().unwrap();
        let filter = format!("filter[{}]", usage["filter"].as_str().unwrap());
        let listed = admin.get(&format!("{path}?{filter}={record}")).await.is(200);
        assert_eq!(listed["meta"]["total"], usage["count"]);
        let others = filter.replace(']', "_not_equals]");
        let listed = admin.get(&format!("{path}?{others}={record}")).await.is(200);
        assert_eq!(listed["meta"]["total"], 0);
    }
    let message = |answer: Value| answer["message"].as_str().unwrap().to_owned();
    let uri = format!("{TYPES}/{}?confirm=x", id(beam));
    assert!(message(admin.delete(&uri).await.is(409)).contains("still in use (articles: 7) and"));
    assert!(message(admin.german().delete(&uri).await.is(409)).contains("noch verwendet (Artikel: 7) und"));
    assert_eq!(admin.delete(&format!("{MATERIALS}/999")).await.is(404)["used_by"], Value::Null);
    admin.get(&format!("{MATERIALS}/999/usage")).await.is(404);
}

#[actix_web::test]
async fn who_may_not_list_the_users_learns_only_how_many_there_are() {
    let catalog = Catalog::new().await;
    let articles = articles(&catalog).await;
    for (uri, mut usages) in used(&catalog, &articles) {
        let right = match usages[0]["by"].as_str() {
            Some("articles") => Permission::ListArticles,
            _ => Permission::ListArticleTypes,
        };
        usages[0]["examples"] = json!([]);
        let somebody = catalog.app.caller(None, all_but(right)).await;
        assert_eq!(somebody.get(&format!("{uri}/usage")).await.is(200)["data"], usages);
        assert_eq!(somebody.delete(&format!("{uri}?confirm=x")).await.is(409)["used_by"], usages);
    }
}

#[actix_web::test]
async fn whoever_may_not_delete_at_all_is_told_that_first() {
    let catalog = Catalog::new().await;
    let articles = articles(&catalog).await;
    let user = catalog.app.caller(Some(catalog.app.north), kernel::PermissionSet::ALL).await;
    for (uri, usages) in used(&catalog, &articles) {
        assert_eq!(
            user.get(&format!("{uri}/usage")).await.is(200)["data"],
            usages,
            "platform-wide, as the list"
        );
        assert_eq!(user.delete(&format!("{uri}?confirm=x")).await.is(403)["code"], "platform_only");
    }
}

#[actix_web::test]
async fn a_foreign_key_that_nobody_asked_about_is_the_same_refusal() {
    let catalog = Catalog::new().await;
    articles(&catalog).await;
    let tx = catalog.app.db.begin().await.unwrap();
    let deleted = Scope::platform().delete::<Materials>(&tx, catalog.material).await;
    assert!(matches!(deleted, Err(Error::InUse(Usages(usages))) if usages.is_empty()));
    tx.rollback().await.unwrap();
    let text = Error::InUse(Usages::default()).to_string();
    assert_eq!(text, "The record is still in use and cannot be deleted.");
}
