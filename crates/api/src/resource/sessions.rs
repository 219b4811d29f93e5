//! Sign-in, sign-out, and the caller's other sessions.

use actix_web::{HttpMessage, HttpRequest, HttpResponse, Responder, body::BoxBody};
use chrono::{DateTime, Utc};
use http_api::{
    access::{Public, SignedIn},
    answer::{Created, NoContent, OkJson, Success, Unpaged, created, no_content, ok_json},
    contract::Schemas,
    input::{Body, Client, Db, Id},
    problem::Problem,
    publish,
    routes::{Answer, Routes},
    security::OpenedSessionToken,
};
use identity::{
    device::Device,
    session::{self, Credentials, OwnSession},
    source::Source,
};
use serde::{Deserialize, Serialize};
use utoipa::{ToSchema, openapi::path::Operation};
use validator::Validate;
use values::{Validated, now, rule::printable, tidy};

use crate::state::Server;

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, "sessions": create, list, view, delete, end, end_others);
}

/// Credentials for signing in.
#[derive(Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
struct SessionInput {
    #[schema(max_length = 255, example = "admin@stalhof.example")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    email: String,
    #[schema(max_length = 255, example = "profil-traeger-walzwerk")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    password: String,
}

// a password is not trimmed
tidy!(SessionInput: trim email;);

#[derive(Serialize, ToSchema)]
struct OpenedSession {
    session: Token,
}

#[derive(Serialize, ToSchema)]
struct Token {
    /// Token to be sent as `Authorization: Bearer ...`; shown only now.
    #[schema(example = "Zr8mW2x4fQ0c1")]
    token: String,
}

#[derive(Serialize, ToSchema)]
struct CurrentSession {
    session: Lifetime,
}

#[derive(Serialize, ToSchema)]
struct Lifetime {
    /// Time at which it ends in any case.
    expires_at: DateTime<Utc>,
    /// Time at which it ends unless it is used.
    idle_expires_at: DateTime<Utc>,
}

/// Session of the caller.
#[derive(Serialize, ToSchema)]
#[schema(as = OwnSession)]
struct OwnSessionView {
    id: i64,
    /// Browser or another program; `null` if it is not known.
    #[schema(required, example = "Firefox")]
    browser: Option<String>,
    #[schema(required, example = "Linux")]
    system: Option<&'static str>,
    created_at: DateTime<Utc>,
    /// Time of the last use, to the minute.
    last_used_at: DateTime<Utc>,
    /// True for the session of this call.
    current: bool,
}

impl From<OwnSession> for OwnSessionView {
    fn from(session: OwnSession) -> Self {
        let OwnSession { id, device: Device { browser, system }, created_at, last_used_at, current } =
            session;
        Self { id, browser, system, created_at, last_used_at, current }
    }
}

/// Answer 201; a browser gets the cookie of the session.
struct Opening(OpenedSession);

impl Responder for Opening {
    type Body = BoxBody;

    fn respond_to(self, request: &HttpRequest) -> HttpResponse {
        request.extensions_mut().insert(OpenedSessionToken(self.0.session.token.clone()));
        created::<OpenedSession>(self.0).respond_to(request)
    }
}

impl Success for Opening {
    fn describe(operation: &mut Operation, schemas: &mut Schemas) {
        Created::<OpenedSession>::describe(operation, schemas);
    }
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
    Body(input): Body<Validated<SessionInput>>,
) -> Answer<Opening> {
    let input = input.valid()?;
    let credentials = Credentials {
        source: Source::new(&input.email, &client.address),
        email: input.email,
        password: input.password,
        user_agent: client.user_agent,
    };
    let lifetime = state.settings.session_lifetime;
    let token = session::open(&state.db, &state.passwords, lifetime, credentials, now()).await?;
    Ok(Opening(OpenedSession { session: Token { token } }))
}

/// Shows the expiry times of the caller's session.
#[utoipa::path(get, path = "/api/sessions/current")]
async fn view(by: SignedIn) -> Answer<OkJson<CurrentSession>> {
    let lifetime =
        Lifetime { expires_at: by.session.expires_at, idle_expires_at: by.session.idle_expires_at };
    Ok(ok_json(CurrentSession { session: lifetime }))
}

/// Signs out.
#[utoipa::path(delete, path = "/api/sessions/current")]
async fn delete(by: SignedIn, Server(state): Server) -> Answer<NoContent> {
    Ok(no_content(session::close(&state.db, &by.caller, by.session.id).await?))
}

/// Lists the caller's sessions, the most recently used first.
#[utoipa::path(get, path = "/api/sessions")]
async fn list(by: SignedIn, Server(state): Server) -> Answer<OkJson<Unpaged<OwnSessionView>>> {
    let own =
        session::own(&state.db, state.settings.session_lifetime, &by.caller, by.session.id, now()).await?;
    Ok(ok_json(Unpaged { data: own.into_iter().map(Into::into).collect() }))
}

/// Ends one of the caller's sessions.
#[utoipa::path(delete, path = "/api/sessions/{id}")]
async fn end(by: SignedIn, Db(db): Db, Id(id): Id) -> Answer<NoContent> {
    Ok(no_content(session::end(&db, &by.caller, id).await?))
}

/// Ends all of the caller's sessions except the one of this call.
#[utoipa::path(delete, path = "/api/sessions/others")]
async fn end_others(by: SignedIn, Db(db): Db) -> Answer<NoContent> {
    Ok(no_content(session::end_others(&db, &by.caller, by.session.id).await?))
}
