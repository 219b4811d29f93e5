//! All users of the demo, and all tokens they could have, with every operation: a caller is admitted exactly
//! if they have its permission.

use api::demo_accounts::ACCOUNTS;
use identity::ability::Ability;
use values::{PermissionSet, permissions::ACCESS_ADMIN};

use super::{Operation, operations, tokens::token};
use crate::{
    document::document,
    support::{Client, TestApp},
};

/// Id that no record has, so that admitted calls do nothing.
const NOTHING: &str = "987654321";

/// Operation with the callers that its documentation admits.
struct Door {
    operation: Operation,
    /// Abilities of which a token needs one.
    abilities: Vec<String>,
}

fn doors() -> Vec<Door> {
    let document = document();
    let guarded = operations().into_iter().filter(|operation| operation.permission.is_some());
    let door = |operation: Operation| {
        let method = operation.method.as_str().to_lowercase();
        let own = document["paths"][&operation.path][method]["security"].as_array();
        let schemes = own.or(document["security"].as_array()).unwrap().clone();
        let named = schemes.iter().filter_map(|scheme| scheme["token"].as_array()).flatten();
        Door { abilities: named.map(|name| name.as_str().unwrap().to_owned()).collect(), operation }
    };
    guarded.map(door).collect()
}

async fn rights(client: &Client) -> PermissionSet {
    let me = client.get("/api/users/me").await.is(200);
    PermissionSet::parse(
        me["permissions"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()),
    )
}

async fn admits(client: &Client, Door { operation, .. }: &Door) -> bool {
    let uri = operation.path.replace("{id}", NOTHING);
    let answer = client.send(operation.method.clone(), &uri, None).await;
    assert_ne!(answer.status.as_u16(), 401, "{}", operation.id);
    let refusals = ["forbidden", "ability_missing", "session_required"];
    let refused = answer.status.as_u16() == 403
        && refusals.iter().any(|code| answer.is(403)["code"].as_str() == Some(code));
    !refused
}

#[actix_web::test]
async fn demo_users_and_their_tokens_reach_only_permitted_operations() {
    let app = TestApp::demo().await;
    let doors = doors();
    let (mut admitted, mut refused, mut programs) = (0, 0, 0);
    for account in ACCOUNTS {
        let person = app.sign_in(account.email.to_owned()).await;
        let held = rights(&person).await;
        for door in &doors {
            let holds = door.operation.permission.is_some_and(|permission| held.contains(permission));
            let expected = held.contains(ACCESS_ADMIN) && holds;
            let answer = admits(&person, door).await;
            assert_eq!(answer, expected, "{} at {}", account.email, door.operation.id);
            *if expected { &mut admitted } else { &mut refused } += 1;
        }
        // users who may create tokens use their own
        let makes_tokens = held.contains(identity::permissions::CREATE_TOKEN);
        for ability in Ability::ALL.iter().filter(|ability| makes_tokens && ability.needs().is_subset(held)) {
            let (_, program) = token(&app, &person, &[ability.as_str()]).await;
            let may = rights(&program).await;
            assert!(may.is_subset(held), "{} by {ability:?}", account.email);
            programs += 1;
            for door in &doors {
                let opened = door.abilities.iter().any(|name| name == ability.as_str());
                let holds = door.operation.permission.is_some_and(|permission| held.contains(permission));
                let answer = admits(&program, door).await;
                assert_eq!(
                    answer,
                    opened && holds,
                    "{} by {ability:?} at {}",
                    account.email,
                    door.operation.id
                );
            }
        }
    }
    assert!(admitted > 200 && refused > 200 && programs > 8, "{admitted}, {refused}, {programs}");
}
