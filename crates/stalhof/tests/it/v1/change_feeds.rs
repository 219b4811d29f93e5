//! Feeds of articles, materials, warehouses, matchings and list prices: a copy that follows each misses
//! nothing.

use std::{
    cell::Cell,
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use store::{Recorded, change_feed::Stream};
use values::{PermissionSet, TenantId};

use super::with;
use crate::{
    access::token,
    catalog::{ARTICLES, MATERIALS, id},
    price_lists::{self, list, shift},
    stocks::Depot,
    support::{Client, all_but},
    warehouses::warehouse,
};

const WAREHOUSES: &str = "/api/admin/warehouses";
const MATCHINGS: &str = "/api/admin/matchings";

/// Program's copy of the records of a feed.
struct Copy<'c> {
    client: &'c Client,
    feed: String,
    cursor: Option<String>,
    records: BTreeMap<i64, Value>,
}

impl<'c> Copy<'c> {
    fn new(client: &'c Client, feed: &str) -> Self {
        Self { client, feed: format!("/api/v1/changes/{feed}"), cursor: None, records: BTreeMap::new() }
    }

    /// Reads until there is nothing more, and returns the received ids.
    async fn read(&mut self) -> Vec<i64> {
        let mut came = Vec::new();
        loop {
            let since = self.cursor.as_deref().map(|cursor| format!("?since={cursor}")).unwrap_or_default();
            let answer = self.client.get(&format!("{}{since}", self.feed)).await.is(200);
            for change in answer["data"].as_array().unwrap() {
                came.push(id(change));
                if change["deleted"] == true {
                    assert!(change["record"].is_null());
                    self.records.remove(&id(change));
                } else {
                    self.records.insert(id(change), change["record"].clone());
                }
            }
            self.cursor = Some(answer["cursor"].as_str().unwrap().to_owned());
            if answer["has_more"] == false {
                return came;
            }
        }
    }

    fn ids(&self) -> Vec<i64> {
        self.records.keys().copied().collect()
    }
}

/// Follows a feed while a record is created, changed and deleted through its resource.
async fn follow(reader: &Client, writer: &Client, feed: &str, path: &str, input: Value, change: Value) {
    let mut copy = Copy::new(reader, feed);
    copy.read().await;
    assert_eq!(copy.read().await, [0; 0], "{feed}");
    let created = writer.post(path, input).await.is(201);
    let record = id(&created);
    assert_eq!(copy.read().await, [record], "{feed}");
    let uri = format!("{path}/{record}");
    writer.send(actix_web::http::Method::PATCH, &uri, Some(change.clone())).await.is(200);
    assert_eq!(copy.read().await, [record], "{feed}");
    for (field, value) in change.as_object().unwrap() {
        if let Some(shown) = copy.records[&record].get(field) {
            assert_eq!(shown, value, "{feed}");
        }
    }
    // references to articles are deleted with them, so the deletion is confirmed by the number
    let number = created["article_number"].as_str().filter(|_| feed == "articles");
    let confirmed = number.map(|number| format!("?confirm={number}")).unwrap_or_default();
    writer.delete(&format!("{uri}{confirmed}")).await.is(204);
    assert_eq!(copy.read().await, [record], "{feed}");
    assert!(!copy.records.contains_key(&record), "{feed}");
}

#[actix_web::test]
async fn records_are_delivered_when_created_changed_and_deleted() {
    let depot = Depot::new().await;
    let (app, admin, user) = (&depot.catalog.app, &depot.catalog.admin, &depot.user);
    let (_, program) = token(app, user, &["stock:availability"]).await;
    let (_, everything) = token(app, user, &["access-admin"]).await;
    let mut article = depot.catalog.article(1, "18");
    article["article_type_id"] = depot.measured.into();
    follow(&program, admin, "articles", ARTICLES, article, json!({ "weight_per_base_unit": "70" })).await;
    let material = json!({ "name": "S355J2" });
    follow(&everything, admin, "materials", MATERIALS, material, json!({ "density": "7.85" })).await;
    let place = warehouse("Mannheim", "MA");
    follow(&program, user, "warehouses", WAREHOUSES, place, json!({ "name": "Mannheim Hafen" })).await;
    let matching = json!({ "article_id": depot.articles[0]["id"], "external_article_number": "4711" });
    let change = json!({ "external_article_number": "4712" });
    follow(&everything, user, "matchings", MATCHINGS, matching, change).await;
}

#[actix_web::test]
async fn prices_of_a_list_are_delivered_to_callers_who_may_see_the_list() {
    let depot = Depot::new().await;
    let (app, user) = (&depot.catalog.app, &depot.user);
    let created = with(list("Verkauf", app.north), json!({ "tenant_ids": [app.south] }));
    let list = id(&user.post(price_lists::PATH, created).await.is(201));
    let (uri, feed) = (format!("{}/{list}/prices", price_lists::PATH), format!("price-lists/{list}"));
    let south = app.caller(Some(app.south), PermissionSet::all()).await;
    south.get(&format!("/api/v1/changes/{feed}")).await.is(404);
    shift(app, list, -60, None).await;
    let price = |article: usize, amount: Value| json!({ "article_id": depot.articles[article]["id"], "price": amount });
    let amount = |text: &str| json!({ "price": text, "price_quantity": "1", "unit": "t" });
    let per_metre = json!({ "price": "9.10", "price_quantity": "1", "unit": "m" });
    let put = async |prices: Value| user.put(&uri, json!({ "prices": prices })).await.is(200)["data"].clone();
    let (_, program) = token(app, &south, &["listings:read"]).await;
    let (mut owner, mut buyer) = (Copy::new(user, &feed), Copy::new(&program, &feed));
    let entries = put(json!([price(0, amount("850")), price(1, per_metre)])).await;
    let entries: Vec<i64> = entries.as_array().unwrap().iter().map(id).collect();
    for copy in [&mut owner, &mut buyer] {
        assert_eq!(copy.read().await, entries);
        assert_eq!(copy.records[&entries[0]]["price"]["price"], "850");
    }
    put(json!([price(0, amount("855"))])).await;
    assert_eq!(buyer.read().await, [entries[0]]);
    assert_eq!(buyer.records[&entries[0]]["price"]["price"], "855");
    // prices of another list are in another feed
    let other = id(&user.post(price_lists::PATH, price_lists::list("Andere", app.north)).await.is(201));
    let others = json!({ "prices": [price(0, amount("1"))] });
    user.put(&format!("{}/{other}/prices", price_lists::PATH), others).await.is(200);
    assert_eq!(owner.read().await, [entries[0]]);
    put(json!([price(1, Value::Null)])).await;
    for copy in [&mut owner, &mut buyer] {
        assert_eq!(copy.read().await, [entries[1]]);
        assert_eq!(copy.ids(), [entries[0]]);
    }
    let blind = app.caller(Some(app.north), all_but(pricing::permissions::VIEW_PRICE_LIST)).await;
    blind.get(&format!("/api/v1/changes/{feed}")).await.is(403);
}

#[actix_web::test]
async fn a_feed_hides_records_of_other_tenants_and_needs_its_permission() {
    let depot = Depot::new().await;
    let app = &depot.catalog.app;
    let south = app.caller(Some(app.south), PermissionSet::all()).await;
    for feed in ["warehouses", "matchings"] {
        assert_eq!(Copy::new(&south, feed).read().await, [0; 0], "{feed}");
    }
    let mut own = Copy::new(&depot.user, "warehouses");
    own.read().await;
    assert_eq!(own.ids(), depot.warehouses);
    for (feed, permission) in [
        ("materials", catalog::permissions::LIST_MATERIALS),
        ("matchings", logistics::permissions::LIST_MATCHINGS),
    ] {
        let without = app.caller(Some(app.north), all_but(permission)).await;
        without.get(&format!("/api/v1/changes/{feed}")).await.is(403);
    }
    let expired = depot.user.get("/api/v1/changes/articles?since=7000").await.is(410);
    assert_eq!(expired["code"], "cursor_expired");
}

/// Runs concurrent writers, some of which commit late, and a reader that continues meanwhile.
async fn nothing_is_skipped<E: Recorded>(depot: &Depot, copy: &mut Copy<'_>, stream: Stream, ids: &[i64]) {
    let app = &depot.catalog.app;
    let table = store::audit::table::<E>();
    let writing = Cell::new(8);
    let writer = async |writer: usize| {
        for round in 0..10 {
            let tx = app.db.begin_long().await.unwrap();
            let record = ids[(writer * 7 + round * 11) % ids.len()];
            let sql = format!("UPDATE {table} SET version = version + 1, change = NULL WHERE id = {record}");
            tx.execute_unprepared(&sql).await.unwrap();
            tokio::time::sleep(Duration::from_millis((writer as u64 * 13 + round as u64 * 7) % 40)).await;
            tx.commit().await.unwrap();
        }
        writing.set(writing.get() - 1);
    };
    let reader = async {
        let mut seen = BTreeSet::new();
        while writing.get() > 0 {
            seen.extend(copy.read().await);
            tokio::time::sleep(Duration::from_millis(3)).await;
        }
        seen.extend(copy.read().await);
        assert!(ids.iter().all(|id| seen.contains(id)), "{table}");
    };
    futures_util::future::join(futures_util::future::join_all((0..8).map(writer)), reader).await;
    let whole = store::change_feed::since::<E>(&app.db, stream, 0).await.unwrap();
    assert_eq!(whole.changes.len(), copy.records.len(), "{table}");
    let version = |record: &Value| record["version"].as_i64();
    let sql = format!("SELECT id, version FROM {table}");
    let backend = app.db.get_database_backend();
    for row in app.db.query_all_raw(sea_orm::Statement::from_string(backend, sql)).await.unwrap() {
        let (id, current): (i64, i64) = (row.try_get("", "id").unwrap(), row.try_get("", "version").unwrap());
        if let Some(record) = copy.records.get(&id) {
            assert_eq!(version(record), Some(current), "{table} {id}");
        }
    }
}

#[actix_web::test]
async fn feeds_skip_no_change_with_concurrent_writers() {
    let depot = Depot::new().await;
    let (admin, user) = (&depot.catalog.admin, &depot.user);
    let mut materials = Vec::new();
    for number in 0..20 {
        let input = json!({ "name": format!("S{number}") });
        materials.push(id(&admin.post(MATERIALS, input).await.is(201)));
    }
    let mut copy = Copy::new(user, "materials");
    nothing_is_skipped::<catalog::material::Materials>(&depot, &mut copy, Stream::PLATFORM, &materials).await;
    let mut matchings = Vec::new();
    for number in 0..20 {
        let input =
            json!({ "article_id": depot.articles[0]["id"], "external_article_number": number.to_string() });
        matchings.push(id(&user.post(MATCHINGS, input).await.is(201)));
    }
    let stream = Stream::for_tenant(TenantId(depot.catalog.app.north));
    let mut copy = Copy::new(user, "matchings");
    nothing_is_skipped::<logistics::matching::Matchings>(&depot, &mut copy, stream, &matchings).await;
    let mut articles = Vec::new();
    for length in 20..40 {
        let mut article = depot.catalog.article(0, &length.to_string());
        article["article_type_id"] = depot.measured.into();
        articles.push(id(&admin.post(ARTICLES, article).await.is(201)));
    }
    let mut copy = Copy::new(user, "articles");
    nothing_is_skipped::<catalog::article::Articles>(&depot, &mut copy, Stream::PLATFORM, &articles).await;
    let north = depot.catalog.app.north;
    let list = id(&user.post(price_lists::PATH, list("Verkauf", north)).await.is(201));
    let price = |article: &i64| json!({ "article_id": article, "price": { "price": "850", "price_quantity": "1", "unit": "t" } });
    let prices = json!({ "prices": articles.iter().map(price).collect::<Vec<_>>() });
    let written = user.put(&format!("{}/{list}/prices", price_lists::PATH), prices).await.is(200);
    let entries: Vec<i64> = written["data"].as_array().unwrap().iter().map(id).collect();
    let stream = Stream::for_part(Some(TenantId(north)), list);
    let mut copy = Copy::new(user, &format!("price-lists/{list}"));
    nothing_is_skipped::<pricing::price_list_entry::Entries>(&depot, &mut copy, stream, &entries).await;
}
