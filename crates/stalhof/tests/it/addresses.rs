//! E-mail addresses as names of accounts: equal in any case, and different otherwise.

use actix_web::http::Method;
use serde_json::json;
use values::PermissionSet;

use crate::{
    catalog::{column, id},
    support::{Client, PASSWORD, TestApp},
};

const USERS: &str = "/api/admin/users";

async fn create(client: &Client, email: &str) -> crate::support::Answer {
    let input =
        json!({ "name": "Neu", "email": email, "tenant_id": null, "role_ids": [], "permissions": null });
    client.post(USERS, input).await
}

#[actix_web::test]
async fn email_addresses_with_and_without_accents_differ() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let email = app.user(None, PermissionSet::all()).await;
    let sign_in = |email: String| {
        app.anonymous()
            .request(Method::POST, "/api/sessions")
            .set_json(json!({ "email": email, "password": PASSWORD }))
    };
    for other in ["üser", "ùser", "ｕser", "us\u{200b}er"] {
        let other = email.replace("user", other);
        assert_eq!(app.anonymous().call(sign_in(other)).await.is(401)["code"], "invalid_credentials");
    }
    for same in [email.to_uppercase(), format!("{email} ")] {
        app.anonymous().call(sign_in(same)).await.is(201);
    }

    create(&admin, "muller@test.example").await.is(201);
    let second = id(&create(&admin, "müller@test.example").await.is(201));
    for taken in ["Müller@Test.example", "mu\u{308}ller@test.example"] {
        let refused = create(&admin, taken).await.is_refused_at(&["email"]);
        assert_eq!(refused["errors"]["email"][0], "The email has already been taken.", "{taken}");
    }
    let uri = format!("{USERS}/{second}");
    let moved = json!({ "email": "MULLER@test.example" });
    admin.send(Method::PATCH, &uri, Some(moved)).await.is_refused_at(&["email"]);
    // the search of the list ignores accents
    for typed in ["muller", "M%C3%BCller"] {
        let found = admin.get(&format!("{USERS}?filter[email]={typed}&sort=email")).await.is(200);
        let mut found = column(&found, "email");
        found.sort_unstable();
        assert_eq!(found, ["muller@test.example", "müller@test.example"], "{typed}");
    }
}

#[actix_web::test]
async fn a_reset_link_ignores_case_and_spaces_of_the_address_but_not_accents() {
    let app = TestApp::new().await;
    let email = app.user(None, PermissionSet::all()).await;
    let asked = async |email: String| {
        app.anonymous().post("/api/password-reset", json!({ "email": email })).await.is(202);
        app.mails_to(&email.trim().to_lowercase()).await.len()
    };
    assert_eq!(asked(email.replace("user", "üser")).await, 0);
    assert_eq!(app.mails_to(&email).await.len(), 0);
    assert_eq!(asked(format!(" {} ", email.to_uppercase())).await, 1);
}

#[actix_web::test]
async fn misleading_overlong_and_malformed_email_addresses_are_refused() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let long = format!("{}@test.example", "x".repeat(65));
    for (email, text) in [
        ("<a@b.example>", "invisible characters"),
        ("Eva <a@b.example>", "invisible characters"),
        ("ad\u{200b}min@b.example", "invisible characters"),
        ("\u{202e}nimda@b.example", "invisible characters"),
        (&long, "At most 64 characters before the @"),
        ("a b@c.example", "Not a valid e-mail address"),
    ] {
        let refused = create(&admin, email).await.is_refused_at(&["email"]);
        let errors = refused["errors"]["email"].as_array().unwrap();
        assert!(errors.len() == 1 && errors[0].as_str().unwrap().contains(text), "{email:?}: {errors:?}");
    }
    create(&admin, &long[1..]).await.is(201);
}
