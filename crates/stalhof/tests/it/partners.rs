//! Trading partners over HTTP: who finds them, which of their fields are visible, and that exactly they can
//! be named.

use serde_json::{Value, json};
use stalhof::config::Partners;
use values::PermissionSet;

use crate::{
    access::token,
    catalog::{column, id},
    exports::lines,
    price_adjustments::{self, adjustment},
    price_lists::{self, after, list, shift},
    stocks::Depot,
    support::{Client, TestApp},
};

const PATH: &str = "/api/admin/partners";
const QUOTES: &str = "/api/admin/quotes";

fn with(mut input: Value, changes: Value) -> Value {
    for (field, value) in changes.as_object().unwrap() {
        input[field] = value.clone();
    }
    input
}

/// Creates a third company with more data than partners may see.
async fn west(admin: &Client) -> i64 {
    let input = json!({
        "company": "Weststahl AG", "short_code": "WEST", "address": "Hafenstraße 12, D-47119 Duisburg",
        "email": "kontakt@west.example", "phone": "+49 203 555010", "permissions": ["access-admin"],
    });
    id(&admin.post("/api/admin/tenants", input).await.is(201))
}

async fn group(admin: &Client, name: &str, tenants: &[i64]) -> i64 {
    let input = json!({ "name": name, "description": null, "tenant_ids": tenants });
    id(&admin.post("/api/admin/tenant-groups", input).await.is(201))
}

#[actix_web::test]
async fn partners_are_found_and_shown_only_by_name_code_and_town() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let west = west(&admin).await;
    let user = app
        .caller(
            Some(app.north),
            [values::permissions::ACCESS_ADMIN, pricing::permissions::VIEW_PRICE].into_iter().collect(),
        )
        .await;
    let all = user.get(PATH).await.is(200);
    assert_eq!(column(&all, "company"), ["NORD GmbH", "SUED GmbH", "Weststahl AG"]);
    let shown = json!({ "id": west, "company": "Weststahl AG", "short_code": "WEST", "place": "Duisburg" });
    assert_eq!(user.get(&format!("{PATH}/{west}")).await.is(200), shown);
    assert_eq!(all["data"][2], shown);
    assert_eq!(all["data"][0]["place"], Value::Null);
    for (search, found) in [
        ("weststahl", 1),
        ("west", 1),
        ("DUISBURG", 1),
        ("gmbh", 2),
        ("Hafenstraße", 0),
        ("47119", 0),
        ("kontakt", 0),
        ("555010", 0),
    ] {
        let answer =
            user.get(&format!("{PATH}?filter[search]={}", search.replace('ß', "%C3%9F"))).await.is(200);
        assert_eq!(answer["meta"]["total"], found, "{search}");
    }
    user.get(&format!("{PATH}?filter[address]=Hafen")).await.is_refused_at(&["filter[address]"]);
    // the town follows the address
    let uri = format!("/api/admin/tenants/{west}");
    let mut moved = admin.get(&uri).await.is(200);
    moved["address"] = "Am Kai 1".into();
    let moved = json!({
        "company": moved["company"], "short_code": moved["short_code"], "address": moved["address"],
        "permissions": moved["permissions"], "version": moved["version"],
    });
    admin.put(&uri, moved).await.is(200);
    assert_eq!(user.get(&format!("{PATH}/{west}")).await.is(200)["place"], Value::Null);
}

#[actix_web::test]
async fn only_users_who_maintain_prices_or_request_quotes_find_partners() {
    use catalog::permissions::LIST_ARTICLES;
    use logistics::permissions::LIST_STOCKS;
    use pricing::permissions::{
        CREATE_PRICE_ADJUSTMENT, LIST_PRICE_LISTS, LIST_PRICES, UPDATE_PRICE_LIST, VIEW_PRICE,
        VIEW_PRICE_ADJUSTMENT,
    };
    use tenancy::permissions::LIST_TENANTS;
    use values::permissions::ACCESS_ADMIN;
    let app = TestApp::new().await;
    for right in
        [LIST_PRICE_LISTS, UPDATE_PRICE_LIST, VIEW_PRICE_ADJUSTMENT, CREATE_PRICE_ADJUSTMENT, VIEW_PRICE]
    {
        let user = app.caller(Some(app.north), [ACCESS_ADMIN, right].into_iter().collect()).await;
        assert_eq!(user.get(PATH).await.is(200)["meta"]["total"], 2, "{right:?}");
    }
    let others = [ACCESS_ADMIN, LIST_ARTICLES, LIST_PRICES, LIST_STOCKS, LIST_TENANTS];
    let user = app.caller(Some(app.north), others.into_iter().collect()).await;
    assert_eq!(user.get(PATH).await.is(403)["code"], "forbidden");
    user.get(&format!("{PATH}/{}", app.south)).await.is(403);
    // nor through another list
    assert_eq!(user.get("/api/admin/tenants").await.is(200)["meta"]["total"], 1);
    // a token for quotes finds them, one for imports does not
    let owner = app.caller(Some(app.north), PermissionSet::all()).await;
    let (_, reads) = token(&app, &owner, &["listings:read"]).await;
    assert_eq!(reads.get(PATH).await.is(200)["meta"]["total"], 2);
    for ability in ["import-prices", "import-stocks", "stock:availability", "access-shop"] {
        let (_, other) = token(&app, &owner, &[ability]).await;
        assert_eq!(other.get(PATH).await.is(403)["code"], "ability_missing", "{ability}");
    }
    // nor do two abilities of which one opens the list and the other only carries a permission for it
    let (_, both) = token(&app, &owner, &["listings:read", "import-prices"]).await;
    both.get(PATH).await.is(200);
    let admin = app.platform().await;
    let user = id(&both.get("/api/users/me").await.is(200));
    let role = &admin.get(&format!("/api/admin/users/{user}")).await.is(200)["roles"][0];
    let permissions = ["access-admin", "import.create", "import.view", "listing.list", "price_list.update"];
    let role_input = json!({ "name": "Rolle", "permissions": permissions });
    admin.put(&format!("/api/admin/roles/{}", id(role)), role_input).await.is(200);
    assert_eq!(both.get(PATH).await.is(403)["code"], "forbidden");
}

/// Requests that name a customer, with the field of the error.
fn naming(depot: &Depot, customer: i64) -> Vec<(&'static str, Value, &'static str)> {
    let own = depot.catalog.app.north;
    let line = json!({ "article_id": depot.articles[0]["id"], "quantity": "1", "unit": "t" });
    let condition = json!({ "type": "tenant", "op": "not_in", "value": [customer] });
    let named = |name: &str, changes: Value| with(adjustment(name), changes);
    vec![
        (price_lists::PATH, with(list("Named", own), json!({ "tenant_ids": [customer] })), "tenant_ids.0"),
        (
            price_lists::PATH,
            with(list("All but", own), json!({ "scope": "global", "excluded_tenant_ids": [customer] })),
            "excluded_tenant_ids.0",
        ),
        (price_adjustments::PATH, named("Named", json!({ "tenant_ids": [customer] })), "tenant_ids.0"),
        (
            price_adjustments::PATH,
            named("All but", json!({ "excluded_tenant_ids": [customer] })),
            "excluded_tenant_ids.0",
        ),
        (
            price_adjustments::PATH,
            named("Condition", json!({ "conditions": condition })),
            "conditions.value.0",
        ),
        (
            "/api/admin/sample-carts",
            json!({ "name": "Named", "buyer_id": customer, "lines": [line] }),
            "buyer_id",
        ),
    ]
}

/// Requests for a customer's prices, with the field of the error.
fn asking(depot: &Depot, customer: i64) -> [(&'static str, Value, &'static str); 3] {
    let article = &depot.articles[0]["id"];
    let line = json!({ "article_id": article, "quantity": "1", "unit": "t" });
    let over_time = json!({
        "article_id": article, "quantity": "1", "unit": "t", "buyer_id": customer, "from": after(0),
        "until": after(86_400),
    });
    [
        (QUOTES, json!({ "carts": [{ "buyer_id": customer, "lines": [line] }] }), "carts.0.buyer_id"),
        ("/api/admin/quotes/over-time", over_time, "buyer_id"),
        (
            "/api/admin/price-lists/timeline",
            json!({ "article_id": article, "buyer_id": customer, "type": "sales" }),
            "buyer_id",
        ),
    ]
}

#[actix_web::test]
async fn only_partners_that_can_be_found_can_be_named() {
    let depot = Depot::new().await;
    let app = &depot.catalog.app;
    let west = west(&depot.catalog.admin).await;
    group(&depot.catalog.admin, "Verbund", &[app.north, west]).await;
    let narrow = app.with_partners(Partners::Groups).await.signed_in(&json!(depot.user.token));
    // with the narrow setting, a company without a common group is answered like one that does not exist
    assert_eq!(column(&narrow.get(PATH).await.is(200), "short_code"), ["NORD", "WEST"]);
    narrow.get(&format!("{PATH}/{}", app.south)).await.is(404);
    for unknown in [app.south, 987_654] {
        for (uri, input, place) in naming(&depot, unknown) {
            let refused = narrow.post(uri, input).await;
            assert_eq!(
                refused.is(422)["error_codes"],
                json!({ place: ["unknown_reference"] }),
                "{uri} {unknown}"
            );
        }
        for (uri, input, place) in asking(&depot, unknown) {
            let refused = narrow.post(uri, input).await;
            assert_eq!(
                refused.is(422)["error_codes"],
                json!({ place: ["unknown_reference"] }),
                "{uri} {unknown}"
            );
        }
    }
    for (uri, input, _) in naming(&depot, west) {
        let made = narrow.post(uri, input).await.is(201);
        narrow.delete(&format!("{uri}/{}", id(&made))).await.is(204);
    }
    for (uri, input, _) in asking(&depot, west) {
        narrow.post(uri, input).await.is(200);
    }
    // with the wide setting every company can be named, and stays named when the setting becomes narrow
    for (uri, input, place) in naming(&depot, app.south) {
        let made = depot.user.post(uri, input.clone()).await.is(201);
        let again = with(input, json!({ "name": format!("{place} 2"), "version": made["version"] }));
        narrow.put(&format!("{uri}/{}", id(&made)), again).await.is(200);
    }
    for (uri, input, _) in asking(&depot, app.south) {
        depot.user.post(uri, input).await.is(200);
    }
    for (uri, input, place) in naming(&depot, 987_654) {
        let refused = depot.user.post(uri, with(input, json!({ "name": "Unknown" }))).await;
        assert_eq!(refused.is(422)["error_codes"], json!({ place: ["unknown_reference"] }), "{uri}");
    }
}

/// Price of a tonne of the first article for each of these customers.
async fn quote_for(depot: &Depot, customers: &[Option<i64>]) -> Vec<Value> {
    let line = json!({ "article_id": depot.articles[0]["id"], "quantity": "1", "unit": "t" });
    let carts = customers.iter().map(|customer| json!({ "buyer_id": customer, "lines": [line] }));
    let quotes = depot.user.post(QUOTES, json!({ "carts": carts.collect::<Vec<_>>() })).await.is(200);
    quotes["data"].as_array().unwrap().iter().map(|quote| quote["total"].clone()).collect()
}

#[actix_web::test]
async fn a_list_for_all_customers_but_one_does_not_apply_to_that_one() {
    let depot = Depot::new().await;
    let app = &depot.catalog.app;
    let (user, north, south) = (&depot.user, app.north, app.south);
    let west = west(&depot.catalog.admin).await;
    let price = async |list: &Value, price: &str| {
        let prices = json!({ "prices": [{
            "article_id": depot.articles[0]["id"], "price": { "price": price, "unit": "t" },
        }] });
        user.put(&format!("{}/{}/prices", price_lists::PATH, list["id"]), prices).await.is(200);
    };
    let old =
        user.post(price_lists::PATH, with(list("Old", north), json!({ "scope": "global" }))).await.is(201);
    price(&old, "1000").await;
    shift(app, id(&old), -7_200, None).await;
    let changes = json!({ "scope": "global", "excluded_tenant_ids": [south] });
    let new = user.post(price_lists::PATH, with(list("New", north), changes)).await.is(201);
    assert_eq!(new["excluded_tenants"], json!([{ "id": south, "company": "SUED GmbH" }]));
    assert_eq!(new["audience_count"], 2);
    price(&new, "1030").await;
    shift(app, id(&new), -3_600, None).await;
    assert_eq!(
        quote_for(&depot, &[Some(south), Some(west), None]).await,
        [json!("1000"), json!("1030"), json!("1030")]
    );
    let uri = format!("{}/{}", price_lists::PATH, new["id"]);
    let audience = user.get(&format!("{uri}/audience")).await.is(200);
    assert_eq!((&audience["count"], &audience["excluded_tenants"]), (&json!(2), &new["excluded_tenants"]));
    // an excluded customer sees nothing of it, and their timeline continues with the old list
    let buyer = app.caller(Some(south), PermissionSet::all()).await;
    buyer.get(&uri).await.is(404);
    assert_eq!(column(&buyer.get(price_lists::PATH).await.is(200), "name"), ["Old"]);
    let timeline = json!({ "article_id": depot.articles[0]["id"], "buyer_id": south, "type": "sales" });
    let timeline = user.post(&format!("{}/timeline", price_lists::PATH), timeline).await.is(200);
    assert_eq!(timeline["lists"].as_array().unwrap().len(), 1);
    // a copy has the same exclusions, and the list can be filtered by an excluded customer
    let copy = json!({ "name": "Next", "valid_from": after(7_200) });
    let copy = user.post(&format!("{uri}/copy"), copy).await.is(201);
    assert_eq!(copy["price_list"]["excluded_tenants"], new["excluded_tenants"]);
    let found = user.get(&format!("{}?filter[excluded_tenant_id]={south}", price_lists::PATH)).await.is(200);
    assert_eq!(column(&found, "name"), ["New", "Next"]);
    // the history names the company, and the change can be undone
    let edited = json!({
        "name": "Next", "owner_tenant_id": north, "type": "sales", "scope": "global",
        "valid_from": copy["price_list"]["valid_from"], "limited": false, "excluded_tenant_ids": [],
    });
    let next = format!("{}/{}", price_lists::PATH, copy["price_list"]["id"]);
    user.put(&next, edited).await.is(200);
    let history = format!(
        "/api/admin/audit?filter[record]=price_list&filter[record_id]={}&sort=-id",
        copy["price_list"]["id"]
    );
    let history = user.get(&history).await.is(200);
    let change = &history["data"][0]["changes"][0];
    assert_eq!(change["field"], "price_list_excluded_tenant");
    assert_eq!(change["from"], json!([{ "id": south, "name": "SUED GmbH", "platform": false }]));
    user.post(&format!("/api/admin/audit/{}/undo", history["data"][0]["id"]), json!({})).await.is(200);
    assert_eq!(user.get(&next).await.is(200)["excluded_tenants"], new["excluded_tenants"]);
    // a list names a customer or excludes them
    let verbund = group(&depot.catalog.admin, "Verbund", &[north, south, west]).await;
    for (changes, refused) in [
        (
            json!({ "tenant_ids": [west], "excluded_tenant_ids": [south] }),
            json!({ "excluded_tenant_ids": ["excludes_nobody"] }),
        ),
        (json!({ "excluded_tenant_ids": [south] }), json!({ "excluded_tenant_ids": ["excludes_nobody"] })),
        (
            json!({ "tenant_ids": [south], "tenant_group_ids": [verbund], "excluded_tenant_ids": [south] }),
            json!({ "excluded_tenant_ids.0": ["named_and_excluded"] }),
        ),
    ] {
        let answer = user.post(price_lists::PATH, with(list("Refused", north), changes)).await.is(422);
        assert_eq!(answer["error_codes"], refused);
    }
    let changes = json!({ "tenant_group_ids": [verbund], "excluded_tenant_ids": [south] });
    let grouped = user.post(price_lists::PATH, with(list("Group", north), changes)).await.is(201);
    assert_eq!(grouped["audience_count"], 2);
}

#[actix_web::test]
async fn prices_rise_by_three_percent_for_all_customers_but_one() {
    let depot = Depot::new().await;
    let app = &depot.catalog.app;
    let (user, south) = (&depot.user, app.south);
    let west = west(&depot.catalog.admin).await;
    let stock = id(&user.post(crate::stocks::PATH, depot.stock(0, 0)).await.is(201));
    let price = json!({ "external_price": { "price": "1000", "unit": "t" } });
    user.put(&format!("/api/admin/prices/{stock}"), price).await.is(200);
    let rise = json!({
        "operation": "surcharge", "value": "3", "calculation_type": "relativeToBase",
        "excluded_tenant_ids": [south],
    });
    let made = user.post(price_adjustments::PATH, with(adjustment("Erhöhung"), rise.clone())).await.is(201);
    assert_eq!(made["excluded_tenants"], json!([{ "id": south, "company": "SUED GmbH" }]));
    assert_eq!(
        quote_for(&depot, &[Some(south), Some(west), None]).await,
        [json!("1000"), json!("1030"), json!("1030")]
    );
    // it prevents the deletion of a company, like any other reference
    let admin = &depot.catalog.admin;
    assert_eq!(admin.delete(&format!("/api/admin/tenants/{south}")).await.is(409)["code"], "in_use");
    // the history names the company
    let uri = format!("{}/{}", price_adjustments::PATH, made["id"]);
    let all = with(
        adjustment("Erhöhung"),
        with(rise, json!({ "excluded_tenant_ids": [], "version": made["version"] })),
    );
    user.put(&uri, all).await.is(200);
    assert_eq!(quote_for(&depot, &[Some(south)]).await, [json!("1030")]);
    let history =
        format!("/api/admin/audit?filter[record]=price_adjustment&filter[record_id]={}&sort=-id", made["id"]);
    let history = user.get(&history).await.is(200);
    let change = &history["data"][0]["changes"][0];
    assert_eq!(
        (&change["field"], &change["from"][0]["name"]),
        (&json!("excluded_tenant_ids"), &json!("SUED GmbH"))
    );
    let changes = json!({ "tenant_ids": [west], "excluded_tenant_ids": [south] });
    let refused = user.post(price_adjustments::PATH, with(adjustment("Rabatt"), changes)).await.is(422);
    assert_eq!(refused["error_codes"], json!({ "excluded_tenant_ids": ["excludes_nobody"] }));
}

#[actix_web::test]
async fn the_terms_of_a_partner_name_lists_adjustments_and_groups_with_their_reasons() {
    let depot = Depot::new().await;
    let app = &depot.catalog.app;
    let admin = &depot.catalog.admin;
    let (north, south, west) = (app.north, app.south, west(admin).await);
    let circle = group(admin, "Einkaufsverbund", &[north, south]).await;
    let made = async |changes: Value| {
        let input = with(list("x", north), changes);
        id(&depot.user.post(price_lists::PATH, input).await.is(201))
    };
    let named = made(json!({ "name": "Genannt", "tenant_ids": [south], "tenant_group_ids": [circle] })).await;
    made(json!({ "name": "Andere", "tenant_ids": [west] })).await;
    made(json!({ "name": "Einkauf", "type": "internal" })).await;
    let global = made(json!({ "name": "Alle", "scope": "global", "excluded_tenant_ids": [west] })).await;
    let ended = made(json!({ "name": "Beendet", "tenant_ids": [south] })).await;
    shift(app, ended, -7200, Some(-3600)).await;
    for (name, changes) in [
        ("Für alle", json!({})),
        ("Für die Gruppe", json!({ "tenant_group_ids": [circle] })),
        ("Ohne Süd", json!({ "excluded_tenant_ids": [south] })),
        ("Für West", json!({ "tenant_ids": [west] })),
        ("Aus", json!({ "active": false })),
    ] {
        let input = with(adjustment(name), changes);
        depot.user.post(price_adjustments::PATH, input).await.is(201);
    }
    let terms = depot.user.get(&format!("{PATH}/{south}/terms")).await.is(200);
    let reasons = |one: &Value| {
        let because = one["because"].as_array().unwrap().iter();
        because.map(|because| because["code"].as_str().unwrap().to_owned()).collect::<Vec<_>>().join(",")
    };
    let lists: Vec<_> = terms["price_lists"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (id(&one["price_list"]), reasons(one)))
        .collect();
    assert_eq!(lists, [(named, "named,group".to_owned()), (global, "global".to_owned())]);
    let adjustments: Vec<_> = terms["adjustments"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["adjustment"]["name"].as_str().unwrap().to_owned(), reasons(one)))
        .collect();
    let of = |name: &str, because: &str| (name.to_owned(), because.to_owned());
    assert_eq!(adjustments, [of("Für alle", "global"), of("Für die Gruppe", "group")]);
    assert_eq!(terms["groups"], json!([{ "id": circle, "name": "Einkaufsverbund" }]));

    // each part needs its own permission
    let lists_only: PermissionSet = [
        values::permissions::ACCESS_ADMIN,
        pricing::permissions::LIST_PRICE_LISTS,
        pricing::permissions::VIEW_PRICE_LIST,
    ]
    .into_iter()
    .collect();
    let clerk = app.caller(Some(north), lists_only).await;
    assert_eq!(clerk.get(&format!("{PATH}/{south}/terms")).await.is(200)["adjustments"], Value::Null);
    clerk.get(&format!("{PATH}/{south}/price-sheet")).await.is(403);
    // prices between other companies are not visible
    let other = app.caller(Some(south), PermissionSet::all()).await;
    assert_eq!(other.get(&format!("{PATH}/{west}/terms")).await.is(200)["price_lists"], json!([]));
    depot.user.get(&format!("{PATH}/999999/terms")).await.is(404);
}

#[actix_web::test]
async fn a_price_sheet_has_a_net_price_from_each_quantity_on_that_changes_it() {
    let depot = Depot::new().await;
    let app = &depot.catalog.app;
    let (north, south) = (app.north, app.south);
    let own = id(&depot
        .user
        .post(price_lists::PATH, with(list("Süd", north), json!({ "tenant_ids": [south] })))
        .await
        .is(201));
    shift(app, own, -3600, None).await;
    let tier = |from: &str, price: &str| json!({ "quantity_from": from, "quantity_unit": "t", "price": price, "unit": "t" });
    let prices = json!({ "prices": [{
        "article_id": depot.articles[0]["id"], "price": { "price": "1000", "unit": "t" },
        "bulk_prices": [tier("5", "950"), tier("10", "950"), tier("20", "900")],
    }] });
    depot.user.put(&format!("{}/{own}/prices", price_lists::PATH), prices).await.is(200);
    let input = with(
        adjustment("Rabatt"),
        json!({ "tenant_ids": [south], "calculation_type": "relativeToBase", "value": "10" }),
    );
    depot.user.post(price_adjustments::PATH, input).await.is(201);
    let sheet = depot.user.get(&format!("{PATH}/{south}/price-sheet")).await.is(200);
    assert_eq!(sheet["count"], 3);
    let shown: Vec<_> = sheet["lines"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| {
            (
                line["quantity"].as_str().unwrap(),
                line["unit"].as_str().unwrap(),
                line["price"].as_str().unwrap(),
                line["price_unit"].as_str().unwrap(),
            )
        })
        .collect();
    // a break without a change of price is left out
    assert_eq!(shown, [("1", "t", "900", "t"), ("5", "t", "855", "t"), ("20", "t", "810", "t")]);
    assert_eq!(sheet["lines"][0]["article_number"], depot.articles[0]["article_number"]);
    // the list has no prices for other companies
    let west = west(&depot.catalog.admin).await;
    assert_eq!(depot.user.get(&format!("{PATH}/{west}/price-sheet")).await.is(200)["count"], 0);
    let rows =
        lines(&depot.user.german().get(&format!("{PATH}/{south}/price-sheet/export?format=csv")).await);
    assert_eq!(rows[0], "Artikelnummer;Bezeichnung;Ab Menge;Einheit;Nettopreis (EUR);Preis je");
    assert!(rows.len() == 4 && rows[1].ends_with(";1;t;900;t"), "{rows:?}");
    depot.user.get(&format!("{PATH}/{south}/price-sheet/export?format=pdf")).await.is(422);
}
