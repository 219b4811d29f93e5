//! Reset of a forgotten password. The link's id is part of the path; its secret is sent only in bodies and
//! appears in no log.

use http_api::{
    access::{Authorized, Public},
    answer::{Accepted, NoContent, OkJson, accepted, no_content, ok_json},
    input::{Body, Client, Id, LinkId, RequestInfo},
    problem::Problem,
    publish,
    routes::{Answer, Routes},
};
use identity::{
    may, password_reset,
    user::{User, Users},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use validator::Validate;
use values::{
    Validated, now,
    rule::{self, printable},
    tidy,
};

use crate::{resource::account::PasswordStrength, state::Server};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, "password_reset": request, view, update, strength);
    publish!(routes, Users: send_password_reset);
}

#[derive(Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
struct PasswordResetRequestInput {
    #[schema(min_length = 1, max_length = 255, format = "email", example = "eva.lindner@nordstahl.example")]
    #[validate(length(min = 1, max = 255), custom(function = printable), custom(function = rule::email))]
    email: String,
}

#[derive(Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub(super) struct LinkSecretInput {
    /// Part of the link behind `#`.
    #[schema(max_length = 255, example = "lnk_7Hs1kQ")]
    #[validate(length(max = 255))]
    pub(super) secret: String,
}

#[derive(Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
struct PasswordResetInput {
    /// Part of the link behind `#`.
    #[schema(max_length = 255, example = "lnk_7Hs1kQ")]
    #[validate(length(max = 255))]
    secret: String,
    /// New password: at least 12 characters, hard to guess, and not the present one.
    #[schema(min_length = 12, max_length = 255, example = "walzwerk-traeger-profil")]
    password: String,
}

/// Password that a holder of the link is considering.
#[derive(Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
struct PasswordResetDraft {
    /// Part of the link behind `#`.
    #[schema(max_length = 255, example = "lnk_7Hs1kQ")]
    #[validate(length(max = 255))]
    secret: String,
    #[schema(max_length = 255, example = "walzwerk-traeger-profil")]
    password: String,
}

tidy!(PasswordResetRequestInput: trim email;);
tidy!(LinkSecretInput:);
tidy!(PasswordResetInput:);
tidy!(PasswordResetDraft:);

/// User whose password the link sets.
#[derive(Serialize, ToSchema)]
struct LinkHolder {
    #[schema(example = "eva.lindner@nordstahl.example")]
    email: String,
}

impl From<User> for LinkHolder {
    fn from(user: User) -> Self {
        Self { email: user.email }
    }
}

/// Requests a mail with a link for a new password. The answer does not depend on the address.
#[utoipa::path(
    post,
    path = "/api/password-reset",
    responses((status = 429, description = "Too many requests from this network; `Retry-After` says when to try again", body = Problem)),
)]
async fn request(
    _: Public,
    Server(state): Server,
    client: Client,
    Body(input): Body<Validated<PasswordResetRequestInput>>,
) -> Answer<Accepted> {
    let input = input.valid()?;
    Ok(accepted(password_reset::request(&state.db, &input.email, &client.address, now()).await?))
}

/// Shows the user whose password the link sets; does not use the link up.
#[utoipa::path(post, path = "/api/password-reset/{id}")]
async fn view(
    _: Public,
    Server(state): Server,
    LinkId(id): LinkId,
    Body(input): Body<Validated<LinkSecretInput>>,
) -> Answer<OkJson<LinkHolder>> {
    let input = input.valid()?;
    Ok(ok_json(password_reset::holder(&state.db, &id, &input.secret, now()).await?))
}

/// Sets a new password, ends all sessions and uses the link up.
#[utoipa::path(put, path = "/api/password-reset/{id}")]
async fn update(
    _: Public,
    Server(state): Server,
    LinkId(id): LinkId,
    Body(input): Body<Validated<PasswordResetInput>>,
) -> Answer<NoContent> {
    let PasswordResetInput { secret, password } = input.valid()?;
    let site = state.settings.public_url.clone();
    let set = password_reset::set(&state.db, &state.passwords, &id, &secret, password, &site, now());
    Ok(no_content(set.await?))
}

/// Rates a password; nothing is stored, the link stays valid.
#[utoipa::path(post, path = "/api/password-reset/{id}/strength")]
async fn strength(
    _: Public,
    Server(state): Server,
    LinkId(id): LinkId,
    RequestInfo(request): RequestInfo,
    Body(input): Body<Validated<PasswordResetDraft>>,
) -> Answer<OkJson<PasswordStrength>> {
    let PasswordResetDraft { secret, password } = input.valid()?;
    let strength = password_reset::strength(&state.db, &id, &secret, &password, &state.passwords, now());
    Ok(OkJson(PasswordStrength::new(strength.await?, request.language)))
}

/// Sends a user a mail with a link for a new password. Only that user sees the link.
#[utoipa::path(
    post,
    path = "/api/admin/users/{id}/password-reset",
    responses((status = 429, description = "The user has already received three such mails within an hour", body = Problem)),
)]
async fn send_password_reset(
    by: Authorized<may::UpdateUser>,
    Server(state): Server,
    Id(id): Id,
) -> Answer<Accepted> {
    let site = state.settings.public_url.clone();
    Ok(accepted(password_reset::send(&state.db, by.scope(), id, &site, now()).await?))
}
