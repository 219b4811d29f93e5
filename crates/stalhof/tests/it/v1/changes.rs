//! Change feed of stocks: a reader misses nothing, however many writers there are at the same time.

use std::{
    cell::Cell,
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use chrono::TimeDelta;
use logistics::stock::Stocks;
use pricing::permissions;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use store::{
    Scope,
    change_feed::{self, Stream},
};
use values::{PermissionSet, TenantId, now};

use super::{place, with};
use crate::{
    access::token,
    catalog::id,
    imports::{IMPORTS, ended},
    stocks::{self, Depot},
    support::{Client, Form, all_but},
};

const CHANGES: &str = "/api/v1/changes";

/// Program's copy of the stocks, with the last state received of each.
#[derive(Default)]
struct Copy {
    cursor: Option<String>,
    stocks: BTreeMap<i64, Value>,
}

impl Copy {
    /// Reads until there is nothing more; returns the received ids and the number of answers.
    async fn read(&mut self, client: &Client) -> (Vec<i64>, usize) {
        let (mut received, mut answers) = (Vec::new(), 0);
        loop {
            let since = self.cursor.as_deref().map(|cursor| format!("?since={cursor}")).unwrap_or_default();
            let answer = client.get(&format!("{CHANGES}{since}")).await.is(200);
            answers += 1;
            for change in answer["data"].as_array().unwrap() {
                received.push(id(change));
                if change["deleted"] == true {
                    self.stocks.remove(&id(change));
                } else {
                    self.stocks.insert(id(change), change["stock"].clone());
                }
            }
            self.cursor = Some(answer["cursor"].as_str().unwrap().to_owned());
            if answer["has_more"] == false {
                return (received, answers);
            }
        }
    }
}

async fn put(client: &Client, items: Vec<Value>) -> Vec<i64> {
    let done = client.put("/api/v1/stocks", json!({ "items": items })).await.is(200);
    done["data"].as_array().unwrap().iter().map(id).collect()
}

#[actix_web::test]
async fn each_change_is_delivered_once_with_the_visible_fields() {
    let depot = Depot::new().await;
    let app = &depot.catalog.app;
    let user = &depot.user;
    let (_, program) = token(app, user, &["stock:availability"]).await;
    let mut copy = Copy::default();
    assert_eq!(copy.read(&program).await, (vec![], 1));
    let ids = put(
        user,
        vec![
            with(place(&depot, 0, "DU"), json!({ "quantity": "1" })),
            with(place(&depot, 1, "DU"), json!({ "quantity": "2" })),
        ],
    )
    .await;
    assert_eq!(copy.read(&program).await.0, ids);
    assert_eq!(copy.stocks[&ids[1]]["quantity"], "2");
    assert_eq!(copy.read(&program).await.0, [0; 0]);
    // an unchanged value is not a change
    put(user, vec![with(place(&depot, 1, "DU"), json!({ "quantity": "2" }))]).await;
    assert_eq!(copy.read(&program).await.0, [0; 0]);

    // each way of writing: a form, a bulk change of prices, a call
    let uri = format!("{}/{}", stocks::PATH, ids[0]);
    let changed = json!({ "quantity": "3" });
    user.send(actix_web::http::Method::PATCH, &uri, Some(changed)).await.is(200);
    assert_eq!(copy.read(&program).await.0, [ids[0]]);
    let price = json!({ "price": "850", "unit": "t" });
    let prices = json!({ "prices": [{ "id": ids[0], "external_price": price }] });
    user.put("/api/admin/prices/bulk", prices).await.is(200);
    assert_eq!(copy.read(&program).await.0, [ids[0]]);
    put(user, vec![with(place(&depot, 0, "DU"), json!({ "quantity": "4" }))]).await;
    let shown = user.get(&format!("{CHANGES}?since={}", copy.cursor.as_ref().unwrap())).await.is(200);
    assert_eq!(shown["data"][0]["listing"]["external_price"]["price"], "850");
    let shown = program.get(&format!("{CHANGES}?since={}", copy.cursor.as_ref().unwrap())).await.is(200);
    assert_eq!(
        (&shown["data"][0]["listing"], shown["data"][0].to_string().contains("\"850\"")),
        (&Value::Null, false)
    );
    let blind =
        app.caller(Some(app.north), all_but(permissions::VIEW_PRICE)).await.get(CHANGES).await.is(200);
    assert!(!blind.to_string().contains("\"850\""), "{blind}");

    copy.read(&program).await;
    user.delete(&uri).await.is(204);
    let gone = program.get(&format!("{CHANGES}?since={}", copy.cursor.as_ref().unwrap())).await.is(200);
    let name = format!("{}, DU", depot.articles[0]["article_number"].as_str().unwrap());
    assert_eq!(
        gone["data"],
        json!([{ "id": ids[0], "deleted": true, "name": name, "stock": null, "listing": null }])
    );
    copy.read(&program).await;
    assert_eq!(copy.stocks.keys().copied().collect::<Vec<_>>(), [ids[1]]);
    let south = app.caller(Some(app.south), PermissionSet::all()).await;
    assert_eq!(south.get(CHANGES).await.is(200)["data"], json!([]));
}

#[actix_web::test]
async fn many_changes_are_delivered_in_parts() {
    let depot = Depot::new().await;
    let remnant = |length: usize| with(place(&depot, 0, "DU"), json!({ "quantity": "1", "length": length }));
    let ids = put(&depot.user, (1..=620).map(remnant).collect()).await;
    let mut copy = Copy::default();
    let (received, answers) = copy.read(&depot.user).await;
    let sorted = |ids: &[i64]| ids.iter().copied().collect::<BTreeSet<_>>();
    assert_eq!((received.len(), sorted(&received), answers), (620, sorted(&ids), 2));
    assert_eq!(copy.stocks.len(), 620);
    let (again, _) = Copy::default().read(&depot.user).await;
    assert_eq!(again, received, "another one begins at the beginning");
}

#[actix_web::test]
async fn a_recreated_record_is_delivered_after_its_deletion() {
    let depot = Depot::new().await;
    let (app, user) = (&depot.catalog.app, &depot.user);
    let remnant = |length: usize| with(place(&depot, 0, "DU"), json!({ "quantity": "1", "length": length }));
    let others = put(user, (1..=520).map(remnant).collect()).await;
    let workers = app.workers().await;
    let number = depot.articles[1]["article_number"].as_str().unwrap();
    let file = format!("Artikelnummer;Lager;Menge\r\n{number};HH;1\r\n");
    let form = Form::new().field("type", "Stock").file("Bestand.csv", file);
    let import = ended(user, &form.send(user, IMPORTS).await.is(201)).await;
    let mut copy = Copy::default();
    copy.read(user).await;
    assert_eq!(copy.stocks.len(), 521);
    // more deletions than are numbered together, the last of which is undone
    let all = json!({ "ids": others, "count": others.len() });
    user.post(&format!("{}/bulk-delete", stocks::PATH), all).await.is(200);
    let undo = |import: &Value| format!("{IMPORTS}/{}/undo", id(import));
    let undone = ended(user, &user.post(&undo(&import), json!({})).await.is(201)).await;
    ended(user, &user.post(&undo(&undone), json!({})).await.is(201)).await;
    workers.end().await;
    copy.read(user).await;
    let there = user.get(stocks::PATH).await.is(200);
    assert_eq!(there["meta"]["total"], 1);
    assert_eq!(copy.stocks.keys().copied().collect::<Vec<_>>(), [id(&there["data"][0])]);
}

#[actix_web::test]
async fn invalid_foreign_and_expired_cursors_are_refused() {
    let depot = Depot::new().await;
    let app = &depot.catalog.app;
    // sessions would expire during the days that pass here
    let (_, user) = &token(app, &depot.user, &["access-admin"]).await;
    for (query, path, code) in [
        ("since=x", "since", "invalid_parameter"),
        ("since=-1", "since", "invalid_parameter"),
        ("since=1&since=2", "since", "duplicate_parameter"),
        ("until=1", "until", "unknown_parameter"),
    ] {
        let refused = user.get(&format!("{CHANGES}?{query}")).await.is(422);
        assert_eq!(refused["error_codes"], json!({ path: [code] }), "{query}");
    }
    assert_eq!(user.get("/api/v1/changes?since=7").await.is(410)["code"], "cursor_expired", "from elsewhere");

    let ids = put(
        user,
        vec![
            with(place(&depot, 0, "DU"), json!({ "quantity": "1" })),
            with(place(&depot, 1, "DU"), json!({ "quantity": "1" })),
        ],
    )
    .await;
    let (mut early, mut late) = (Copy::default(), Copy::default());
    early.read(user).await;
    user.delete(&format!("{}/{}", stocks::PATH, ids[0])).await.is(204);
    late.read(user).await;
    let expired = |copy: &Copy| format!("{CHANGES}?since={}", copy.cursor.as_ref().unwrap());
    app.clean_up(now() + TimeDelta::days(89)).await;
    user.get(&expired(&early)).await.is(200);
    app.clean_up(now() + TimeDelta::days(91)).await;
    assert_eq!(user.get(&expired(&early)).await.is(410)["code"], "cursor_expired");
    user.get(&expired(&late)).await.is(200);
    // a deletion that no reader has requested within that time
    user.delete(&format!("{}/{}", stocks::PATH, ids[1])).await.is(204);
    app.clean_up(now() + TimeDelta::days(91)).await;
    assert_eq!(user.get(&expired(&late)).await.is(410)["code"], "cursor_expired");
    let mut anew = Copy::default();
    anew.read(user).await;
    assert_eq!(anew.stocks.len(), 0);
    user.get(&expired(&anew)).await.is(200);
}

/// Runs concurrent writers, some of which commit late, and two readers that continue meanwhile.
#[actix_web::test]
async fn no_change_is_skipped_with_concurrent_writers() {
    let depot = Depot::new().await;
    let (app, user) = (&depot.catalog.app, &depot.user);
    let remnant = |length: usize, quantity: usize| {
        with(place(&depot, 0, "DU"), json!({ "quantity": quantity.to_string(), "length": length }))
    };
    let ids = put(user, (1..=40).map(|length| remnant(length, 0)).collect()).await;
    let writing = Cell::new(10);
    let writer = async |writer: usize| {
        for round in 0..12 {
            let length = 1 + (writer * 7 + round * 11) % 40;
            match (writer + round) % 4 {
                0 => drop(
                    put(user, vec![remnant(length, round + 1), remnant(length % 40 + 1, round + 2)]).await,
                ),
                1 => {
                    let uri = format!("{}/{}", stocks::PATH, ids[length - 1]);
                    let status = user.delete(&uri).await.status.as_u16();
                    assert!([204, 404].contains(&status), "{status}");
                }
                _ => {
                    // commits later than others that started after it
                    let tx = app.db.begin_long().await.unwrap();
                    let sql = format!(
                        "UPDATE stock SET quantity = {}, version = version + 1, change = NULL WHERE id = {}",
                        (round + 1) * 1_000_000,
                        ids[length - 1]
                    );
                    tx.execute_unprepared(&sql).await.unwrap();
                    tokio::time::sleep(Duration::from_millis((writer as u64 * 13 + round as u64 * 7) % 40))
                        .await;
                    tx.commit().await.unwrap();
                }
            }
        }
        writing.set(writing.get() - 1);
    };
    let reader = async || {
        let (mut copy, mut seen) = (Copy::default(), BTreeSet::new());
        while writing.get() > 0 {
            let (received, _) = copy.read(user).await;
            seen.extend(received);
            tokio::time::sleep(Duration::from_millis(3)).await;
        }
        seen.extend(copy.read(user).await.0);
        assert!(ids.iter().all(|id| seen.contains(id)));
        copy.stocks
    };
    let writers = futures_util::future::join_all((0..10).map(writer));
    let (_, first, second) = futures_util::future::join3(writers, reader(), reader()).await;
    let there = user.get("/api/v1/stocks?page[size]=200").await.is(200);
    let there: BTreeMap<i64, Value> =
        there["data"].as_array().unwrap().iter().map(|stock| (id(stock), stock.clone())).collect();
    assert_eq!(first, there);
    assert_eq!(second, there);
}

#[actix_web::test]
async fn changes_and_their_stocks_are_read_from_one_snapshot() {
    let depot = Depot::new().await;
    let app = &depot.catalog.app;
    let made = put(&depot.user, vec![with(place(&depot, 0, "DU"), json!({ "quantity": "5" }))]).await;
    let scope = Scope::platform().acting_for(Some(TenantId(app.north)));
    let read =
        change_feed::since::<Stocks>(&app.db, Stream::for_tenant(TenantId(app.north)), 0).await.unwrap();
    assert_eq!(read.changes.iter().map(|change| change.id).collect::<Vec<_>>(), made);
    // between reading the changes and reading the stock
    depot.user.delete(&format!("{}/{}", stocks::PATH, made[0])).await.is(204);
    assert_eq!(scope.find::<Stocks>().all(&read.snapshot).await.unwrap().len(), 1);
    assert!(scope.find::<Stocks>().all(&*app.db).await.unwrap().is_empty());
}
