//! The caller's own account: who they are, and changes that they make to it.

use http_api::{
    access::{SignedIn, SignedInOrToken},
    answer::{NoContent, OkJson, no_content, ok_json},
    input::{Body, Client, Db, RequestInfo},
    problem::Problem,
    publish,
    routes::{Answer, Routes},
};
use identity::{
    account::{self, AccountPatch, PasswordInput, SessionUser},
    caller::Caller,
    password::Strength,
    user::{ImportNotices, Users},
};
use serde::{Deserialize, Serialize};
use store::Scope;
use tenancy::tenant::{self, Tenant};
use utoipa::ToSchema;
use values::{Language, Phrase, Validated, now};

use crate::{resource::users::HeldPermission, state::Server};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, Users: me, update_me, change_password, password_strength);
}

/// Current user with their present permissions.
#[derive(Serialize, ToSchema)]
struct CurrentUser {
    id: i64,
    #[schema(example = "Eva Lindner")]
    name: String,
    #[schema(example = "leitung@nordstahl.example")]
    email: String,
    /// Tenant of the user; `null` for a platform administrator.
    #[schema(required)]
    tenant_id: Option<i64>,
    #[schema(required)]
    tenant: Option<OwnTenant>,
    permissions: Vec<HeldPermission>,
    /// Language that the user has chosen; `null` if none.
    #[schema(required)]
    language: Option<Language>,
    /// Imports whose end is announced to the user by mail.
    import_notices: ImportNotices,
    /// Number of changes so far; send it back with a change.
    version: i64,
}

#[derive(Serialize, ToSchema)]
struct OwnTenant {
    id: i64,
    #[schema(example = "Nordstahl Handel GmbH")]
    company: String,
    /// Short name for display; the company if none was entered.
    #[schema(example = "Nordstahl")]
    name: String,
    #[schema(example = "NORD")]
    short_code: String,
}

impl CurrentUser {
    fn new(caller: Caller, tenant: Option<Tenant>) -> Self {
        let Caller { id, name, email, tenant_id, language, import_notices, version, rights, .. } = caller;
        let tenant = tenant.map(|tenant| OwnTenant {
            id: tenant.id,
            company: tenant.company,
            name: tenant.name,
            short_code: tenant.short_code,
        });
        let permissions = rights.iter().map(|name| HeldPermission { name }).collect();
        let tenant_id = tenant_id.map(i64::from);
        Self { id, name, email, tenant_id, tenant, permissions, language, import_notices, version }
    }
}

/// Password that is being considered.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PasswordDraft {
    #[schema(max_length = 255, example = "walzwerk-traeger-profil")]
    pub password: String,
}

/// Strength of a password.
#[derive(Serialize, ToSchema)]
pub(crate) struct PasswordStrength {
    /// Score from 0 (easy to guess) to 4 (hard to guess).
    #[schema(maximum = 4, example = 3)]
    score: u8,
    /// True if the password would be accepted.
    enough: bool,
    /// Reason why the password is easy to guess, in the language of `Accept-Language`.
    #[schema(required, example = "Dieses Passwort ist leicht zu erraten.")]
    warning: Option<&'static str>,
    /// Advice for a better password, in the language of `Accept-Language`.
    #[schema(example = json!(["Fügen Sie ein weiteres, seltenes Wort hinzu."]))]
    suggestions: Vec<&'static str>,
}

impl PasswordStrength {
    pub(crate) fn new(strength: Strength, language: Language) -> Self {
        let Strength { score, enough, warning, suggestions } = strength;
        let text = |phrase: Phrase| phrase.text(language);
        Self {
            score,
            enough,
            warning: warning.map(text),
            suggestions: suggestions.into_iter().map(text).collect(),
        }
    }
}

async fn load_current_user(db: &store::Database, caller: Caller) -> Answer<OkJson<CurrentUser>> {
    let tenant = match caller.tenant_id {
        Some(id) => Some(tenant::get(db, &Scope::platform(), id.into()).await?),
        None => None,
    };
    Ok(ok_json(CurrentUser::new(caller, tenant)))
}

/// Shows the current user; for a token, with the permissions of the token.
#[utoipa::path(get, path = "/api/users/me")]
async fn me(by: SignedInOrToken, Db(db): Db) -> Answer<OkJson<CurrentUser>> {
    load_current_user(&db, by.caller).await
}

/// Changes the fields of the current user that are sent.
#[utoipa::path(
    patch,
    path = "/api/users/me",
    responses((status = 409, description = "The record was changed by another request meanwhile", body = Problem)),
)]
async fn update_me(
    by: SignedIn,
    Db(db): Db,
    Body(patch): Body<Validated<AccountPatch>>,
) -> Answer<OkJson<CurrentUser>> {
    let caller = account::change(&db, by.caller, patch).await?;
    load_current_user(&db, caller).await
}

/// Changes the current user's password. Ends their other sessions, voids all links that were sent to them and
/// notifies them by mail.
#[utoipa::path(
    put,
    path = "/api/users/me/password",
    responses((status = 429, description = "Too many wrong passwords; `Retry-After` says when to try again", body = Problem)),
)]
async fn change_password(
    by: SignedIn,
    Server(state): Server,
    client: Client,
    Body(input): Body<PasswordInput>,
) -> Answer<NoContent> {
    let user = SessionUser { caller: &by.caller, session_id: by.session.id, address: &client.address };
    let site = &state.settings.public_url;
    Ok(no_content(account::change_password(&state.db, &state.passwords, user, input, site, now()).await?))
}

/// Rates a password for the current user; nothing is stored.
#[utoipa::path(post, path = "/api/users/me/password/strength")]
async fn password_strength(
    by: SignedIn,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    Body(draft): Body<PasswordDraft>,
) -> Answer<OkJson<PasswordStrength>> {
    let strength = account::strength(&state.passwords, &by.caller, &draft.password).await?;
    Ok(OkJson(PasswordStrength::new(strength, request.language)))
}
