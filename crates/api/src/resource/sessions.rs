//! Signing in and out.

use chrono::{DateTime, Utc};
use identity::{
    session::{self, Credentials},
    throttle::Source,
};
use kernel::{Violations, now, rule};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    http::{
        access::{Public, SignedIn},
        answer::{Created, Done, Shown, created, done, shown},
        input::{Body, Client, Server},
        problem::Problem,
        routes::{Answer, Routes},
    },
    publish,
};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, "sessions": create, view, delete);
}

/// What somebody signs in with.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct SessionInput {
    #[schema(max_length = 255, example = "admin@stalhof.example")]
    email: String,
    #[schema(max_length = 255)]
    password: String,
}

#[derive(Serialize, ToSchema)]
struct OpenedSession {
    session: Token,
}

#[derive(Serialize, ToSchema)]
struct Token {
    /// To be sent as `Authorization: Bearer ...`; shown this once.
    token: String,
}

#[derive(Serialize, ToSchema)]
struct CurrentSession {
    session: Lifetime,
}

#[derive(Serialize, ToSchema)]
struct Lifetime {
    /// When it ends in any case.
    expires_at: DateTime<Utc>,
    /// When it ends unless it is used.
    idle_expires_at: DateTime<Utc>,
}

/// Signs in.
#[utoipa::path(
    post,
    path = "/api/sessions",
    responses(
        (status = 401, description = "The credentials are wrong", body = Problem),
        (status = 429, description = "Too many failed attempts; `Retry-After` says when to try again", body = Problem),
    ),
)]
async fn create(
    _: Public,
    Server(state): Server,
    client: Client,
    Body(input): Body<SessionInput>,
) -> Answer<Created<OpenedSession>> {
    let mut violations = Violations::new();
    rule::required(&mut violations, "email", &input.email);
    rule::required(&mut violations, "password", &input.password);
    violations.check()?;
    let credentials = Credentials {
        source: Source::new(&input.email, &client.address),
        email: input.email,
        password: input.password,
        user_agent: client.user_agent,
    };
    let lifetime = state.settings.session_lifetime();
    let token = session::open(&state.db, &state.passwords, lifetime, credentials, now()).await?;
    Ok(created(OpenedSession { session: Token { token } }))
}

/// Shows how long the caller's session lasts.
#[utoipa::path(get, path = "/api/sessions/current")]
async fn view(by: SignedIn) -> Answer<Shown<CurrentSession>> {
    let lifetime =
        Lifetime { expires_at: by.session.expires_at, idle_expires_at: by.session.idle_expires_at };
    Ok(shown(CurrentSession { session: lifetime }))
}

/// Signs out.
#[utoipa::path(delete, path = "/api/sessions/current")]
async fn delete(by: SignedIn, Server(state): Server) -> Answer<Done> {
    Ok(done(session::close(&state.db, by.session.id).await?))
}
