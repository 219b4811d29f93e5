//! Tasks that need attention, as the start page lists them.

use values::PermissionSet;

use crate::{
    catalog::Catalog,
    imports::{GOOD, articles, ended, for_north},
    support::Client,
};

#[actix_web::test]
async fn tasks_are_counted_for_users_who_may_act_on_them() {
    let catalog = Catalog::new().await;
    let Catalog { admin, app, .. } = &catalog;
    let workers = app.workers().await;
    let attention = async |client: &Client, query: &str| {
        let data = client.get(&format!("/api/admin/attention{query}")).await.is(200)["data"].clone();
        let data = data.as_array().unwrap().clone();
        data.iter()
            .map(|one| (one["about"].as_str().unwrap().to_owned(), one["count"].as_i64().unwrap()))
            .collect::<Vec<_>>()
    };
    let of = |about: &str, count: i64| (about.to_owned(), count);
    let north = app.caller(Some(app.north), PermissionSet::all()).await;
    assert!(attention(&north, "").await.iter().all(|(_, count)| *count == 0));
    let faulty = format!("{GOOD}Breitflanschträger HEB;S999;200;6;roh\r\n");
    for content in [&*faulty, "Artikeltyp;Werkstoff\r\nNichts;Nichts\r\n"] {
        let queued = articles(content).send(admin, &for_north(app)).await.is(201);
        ended(admin, &queued).await;
    }
    let found = attention(&north, "").await;
    assert!(
        found.contains(&of("failed_imports", 1)) && found.contains(&of("partial_imports", 1)),
        "{found:?}"
    );
    let south = app.caller(Some(app.south), PermissionSet::all()).await;
    assert!(attention(&south, "").await.iter().all(|(_, count)| *count == 0));

    // platform users see tasks of a tenant only after choosing one
    let of_all: Vec<_> = attention(admin, "").await.into_iter().map(|(about, _)| about).collect();
    assert_eq!(
        of_all,
        [
            "failed_imports",
            "partial_imports",
            "expiring_tokens",
            "expired_invitations",
            "shipping_findings",
            "troubled_feeds",
            "troubled_external_apis",
            "troubled_webhooks"
        ]
    );
    let of_one = attention(admin, &format!("?tenant_id={}", app.north)).await;
    assert_eq!(of_one.len(), 14);
    let looks = PermissionSet::from_iter([
        values::permissions::ACCESS_ADMIN,
        pricing::permissions::LIST_PRICES,
        pricing::permissions::VIEW_PRICE,
    ]);
    assert_eq!(attention(&app.caller(Some(app.north), looks).await, "").await, []);

    // the menu requests only the counts that it shows
    assert_eq!(
        attention(&north, "?about=failed_imports,held_prices").await,
        [of("failed_imports", 1), of("held_prices", 0)]
    );
    let refused = north.get("/api/admin/attention?about=failed_imports,weather").await.is(422);
    assert_eq!(refused["errors"]["about"].as_array().unwrap().len(), 1);
    workers.end().await;
}
