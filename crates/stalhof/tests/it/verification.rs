//! One-time links.

use identity::{
    link,
    user::{self, Account},
};
use serde_json::json;
use store::Scope;
use values::now;

use crate::support::{PASSWORD, TestApp};

#[actix_web::test]
async fn an_invitation_sets_the_first_password_once() {
    let app = TestApp::new().await;
    let input = Account {
        name: "Adele".into(),
        email: "adele@stalhof.example".into(),
        tenant_id: None,
        role_ids: vec![],
        password_hash: None,
    };
    let user = user::enroll(&app.db, &Scope::platform(), input).await.unwrap();
    let token = link::invite(&app.db, user.id, now()).await.unwrap();
    let uri = format!("/api/verification/{token}");
    let anybody = app.anonymous();

    for _ in 0..2 {
        assert_eq!(
            anybody.get(&uri).await.is(200),
            json!({ "name": "Adele", "email": "adele@stalhof.example" })
        );
    }
    let rated = format!("{uri}/strength");
    for (password, enough) in [("adele123", false), ("Xk7#p", false), (PASSWORD, true)] {
        assert_eq!(anybody.post(&rated, json!({ "password": password })).await.is(200)["enough"], enough);
    }
    anybody.put(&uri, json!({ "password": "adele123" })).await.is_refused_at(&["password"]);
    let twice = futures_util::future::join(
        anybody.put(&uri, json!({ "password": PASSWORD })),
        anybody.put(&uri, json!({ "password": PASSWORD })),
    )
    .await;
    let mut statuses = [twice.0.status.as_u16(), twice.1.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [204, 404]);

    anybody.post(&rated, json!({ "password": PASSWORD })).await.is(404);
    let used = anybody.get(&uri).await.is(404);
    assert_eq!(used["message"], "This link is invalid");
    for wrong in ["lnk_", "x", &"a".repeat(47), &token.replace("lnk_", "ses_")] {
        assert_eq!(anybody.get(&format!("/api/verification/{wrong}")).await.is(404)["code"], "invalid_link");
    }
    anybody
        .post("/api/sessions", json!({ "email": "adele@stalhof.example", "password": PASSWORD }))
        .await
        .is(201);
}

#[actix_web::test]
async fn expired_and_replaced_links_are_invalid() {
    let app = TestApp::new().await;
    let input = Account {
        name: "A".into(),
        email: "a@stalhof.example".into(),
        tenant_id: None,
        role_ids: vec![],
        password_hash: None,
    };
    let user = user::enroll(&app.db, &Scope::platform(), input).await.unwrap();
    let expired = link::invite(&app.db, user.id, now() - link::invitation_lifetime()).await.unwrap();
    app.anonymous().get(&format!("/api/verification/{expired}")).await.is(404);
    let first = link::invite(&app.db, user.id, now()).await.unwrap();
    let second = link::invite(&app.db, user.id, now()).await.unwrap();
    app.anonymous().get(&format!("/api/verification/{first}")).await.is(404);
    app.anonymous().get(&format!("/api/verification/{second}")).await.is(200);
}
