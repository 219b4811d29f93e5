//! Mail about the end of an import.

use actix_web::http::Method;
use serde_json::json;
use values::PermissionSet;

use crate::{
    catalog::{Catalog, id},
    imports::{GOOD, articles, ended, for_north},
};

#[actix_web::test]
async fn users_are_mailed_about_the_end_of_their_import_if_they_choose_to() {
    let catalog = Catalog::new().await;
    let Catalog { app, .. } = &catalog;
    let workers = app.workers().await;
    let email = app.user(None, PermissionSet::all()).await;
    let client = app.sign_in(email.clone()).await;
    let import = async |content: &str| {
        let queued = articles(content).field("name", "Liste").send(&client, &for_north(app)).await.is(201);
        ended(&client, &queued).await
    };
    let choose = async |notices: &str| {
        let patch = json!({ "import_notices": notices, "language": "de" });
        client.send(Method::PATCH, "/api/users/me", Some(patch)).await
    };
    assert_eq!(client.get("/api/users/me").await.is(200)["import_notices"], "never");
    choose("sometimes").await.is_refused_at(&["import_notices"]);
    import(GOOD).await;
    assert_eq!(app.mails_to(&email).await.len(), 0);

    assert_eq!(choose("problems").await.is(200)["import_notices"], "problems");
    import(GOOD).await;
    assert_eq!(app.mails_to(&email).await.len(), 0, "nothing is wrong");
    let faulty = format!("{GOOD}Breitflanschträger HEB;S999;200;6;roh\r\n");
    let partial = import(&faulty).await;
    let mails = app.mails_to(&email).await;
    assert_eq!(mails.len(), 1);
    assert_eq!(mails[0].subject, "Import „Liste“ ist beendet, einige Zeilen warten auf Sie");
    // for platform users the link includes the tenant of the import
    let link = format!("/imports/{}?tenantId={}", id(&partial), app.north);
    assert!(mails[0].text.contains(&link) && mails[0].text.contains("1 abgelehnt"), "{}", mails[0].text);

    choose("always").await.is(200);
    import(GOOD).await;
    assert_eq!(app.mails_to(&email).await.len(), 2);
    workers.end().await;
}
