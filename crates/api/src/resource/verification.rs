//! Accepting an invitation: the link identifies the user and sets their first password.

use http_api::{
    access::Public,
    answer::{NoContent, OkJson, no_content, ok_json},
    input::{Body, LinkToken, RequestInfo},
    publish,
    routes::{Answer, Routes},
};
use identity::{link, user::User};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use values::now;

use crate::{
    resource::account::{PasswordDraft, PasswordStrength},
    state::Server,
};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, "verification": view, update, strength);
}

/// User whom a link invites.
#[derive(Serialize, ToSchema)]
#[schema(as = Invited)]
struct InvitedUser {
    #[schema(example = "Eva Lindner")]
    name: String,
    #[schema(example = "eva.lindner@nordstahl.example")]
    email: String,
}

impl From<User> for InvitedUser {
    fn from(user: User) -> Self {
        let User { name, email, .. } = user;
        Self { name, email }
    }
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct VerificationInput {
    /// New password: at least 12 characters, hard to guess.
    #[schema(min_length = 12, max_length = 255, example = "walzwerk-traeger-profil")]
    password: String,
}

/// Shows the user whom the link invites; does not use the link up.
#[utoipa::path(get, path = "/api/verification/{token}")]
async fn view(_: Public, Server(state): Server, LinkToken(token): LinkToken) -> Answer<OkJson<InvitedUser>> {
    Ok(ok_json(link::holder(&state.db, &token, now()).await?))
}

/// Sets the first password and uses the link up.
#[utoipa::path(put, path = "/api/verification/{token}")]
async fn update(
    _: Public,
    Server(state): Server,
    LinkToken(token): LinkToken,
    Body(input): Body<VerificationInput>,
) -> Answer<NoContent> {
    Ok(no_content(link::accept(&state.db, &state.passwords, &token, input.password, now()).await?))
}

/// Rates a password; nothing is stored, the link stays valid.
#[utoipa::path(post, path = "/api/verification/{token}/strength")]
async fn strength(
    _: Public,
    Server(state): Server,
    LinkToken(token): LinkToken,
    RequestInfo(request): RequestInfo,
    Body(draft): Body<PasswordDraft>,
) -> Answer<OkJson<PasswordStrength>> {
    let strength = link::strength(&state.db, &state.passwords, &token, &draft.password, now()).await?;
    Ok(OkJson(PasswordStrength::new(strength, request.language)))
}
