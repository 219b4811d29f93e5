//! Personal access tokens over HTTP.

use chrono::{DateTime, Utc};
use http_api::{
    access::Authorized,
    answer::{CreatedIn, NoContent, OkJson, OkPage, created_in, no_content, ok_json, ok_page},
    input::{Body, Db, Id, List},
    publish,
    routes::{Answer, Routes},
};
use identity::{
    ability::Ability,
    may,
    token::{
        self, CreatedToken, Token, TokenDetail, TokenInput, TokenName, Tokens,
        rotation::{self, TokenRotation},
    },
};
use serde::Serialize;
use store::{Database, Scope};
use utoipa::ToSchema;
use values::{Result, Validated, now};

use crate::resource::search::Findable;

/// Paths whose answers contain the secret of a token.
pub(crate) const SECRET_PATHS: [&str; 2] = ["/api/admin/tokens", "/api/admin/tokens/{id}/rotation"];

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, Tokens: list, create, view, update, delete, rotate);
}

/// Token with which programs act for a user.
#[derive(Serialize, ToSchema)]
#[schema(as = PersonalAccessToken)]
struct TokenView {
    id: i64,
    #[schema(example = "ERP-Anbindung")]
    name: String,
    abilities: Vec<Ability>,
    /// Owner of the token.
    user: TokenOwner,
    /// True if it is the caller's.
    own: bool,
    /// True if the caller may revoke it.
    revocable: bool,
    /// First characters of the token.
    #[schema(example = "pat_4fQ0")]
    prefix: String,
    /// Last four characters of the token.
    #[schema(example = "mW2x")]
    last_four: String,
    expires_at: DateTime<Utc>,
    /// Time at which another token replaced it; it stays valid until it expires.
    #[schema(required)]
    replaced_at: Option<DateTime<Utc>>,
    /// Time of the last use, to the minute.
    #[schema(required)]
    last_used_at: Option<DateTime<Utc>>,
    /// Address of the last use; for IPv6 the network.
    #[schema(required, example = "192.0.2.17")]
    last_used_address: Option<String>,
    /// Number of changes so far; send it back with a change.
    version: i64,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

impl Findable for Tokens {
    async fn details(db: &Database, scope: &Scope, rows: Vec<Self::Model>) -> Result<Vec<Option<String>>> {
        let details = token::detailed(db, scope, rows).await?;
        Ok(details.into_iter().map(|detail| Some(detail.user)).collect())
    }
}

#[derive(Serialize, ToSchema)]
struct TokenOwner {
    id: i64,
    #[schema(example = "Eva Lindner")]
    name: String,
}

const PATH: &str = "/api/admin/tokens";

/// Token that was just created.
#[derive(Serialize, ToSchema)]
struct IssuedToken {
    token: TokenView,
    /// Token to be sent as `Authorization: Bearer ...`; shown only now.
    #[schema(example = "pat_4fQ0c1Zr8mW2")]
    plain_text: String,
}

impl From<TokenDetail> for TokenView {
    fn from(TokenDetail { token, abilities, user, own, revocable }: TokenDetail) -> Self {
        let Token { id, user_id, name, prefix, last_four, expires_at, last_used_at, .. } = token;
        let Token { replaced_at, last_used_address, version, created_at, updated_at, .. } = token;
        Self {
            id,
            name,
            abilities,
            user: TokenOwner { id: user_id, name: user },
            own,
            revocable,
            prefix,
            last_four,
            expires_at,
            replaced_at,
            last_used_at,
            last_used_address,
            version,
            created_at,
            updated_at,
        }
    }
}

impl From<CreatedToken> for IssuedToken {
    fn from(CreatedToken { detail, plain_text }: CreatedToken) -> Self {
        Self { token: detail.into(), plain_text }
    }
}

/// Lists the caller's tokens, and those of the users whom the caller may change.
#[utoipa::path(get, path = "/api/admin/tokens")]
async fn list(
    by: Authorized<may::ListTokens>,
    Db(db): Db,
    List(query): List<Tokens>,
) -> Answer<OkPage<TokenView>> {
    Ok(ok_page(token::list(&db, by.scope(), &query).await?))
}

/// Creates a token of the caller and shows it, only now.
#[utoipa::path(post, path = "/api/admin/tokens")]
async fn create(
    by: Authorized<may::CreateToken>,
    Db(db): Db,
    Body(input): Body<Validated<TokenInput>>,
) -> Answer<CreatedIn<IssuedToken>> {
    let issued = token::create(&db, by.scope(), input, now()).await?;
    Ok(created_in(PATH, issued.detail.token.id, issued))
}

/// Shows the data of a token, without the token itself.
#[utoipa::path(get, path = "/api/admin/tokens/{id}")]
async fn view(by: Authorized<may::ViewToken>, Db(db): Db, Id(id): Id) -> Answer<OkJson<TokenView>> {
    Ok(ok_json(token::get(&db, by.scope(), id).await?))
}

/// Renames a token of the caller.
#[utoipa::path(put, path = "/api/admin/tokens/{id}")]
async fn update(
    by: Authorized<may::UpdateToken>,
    Db(db): Db,
    Id(id): Id,
    Body(input): Body<Validated<TokenName>>,
) -> Answer<OkJson<TokenView>> {
    Ok(ok_json(token::rename(&db, by.scope(), id, input).await?))
}

/// Revokes a token: the next call with it is refused.
#[utoipa::path(delete, path = "/api/admin/tokens/{id}")]
async fn delete(by: Authorized<may::DeleteToken>, Db(db): Db, Id(id): Id) -> Answer<NoContent> {
    Ok(no_content(token::revoke(&db, by.scope(), id).await?))
}

/// Replaces a token of the caller by a new one with the same name and abilities, and shows that one, only
/// now. The old one stays valid during the overlap, unless it is revoked before.
#[utoipa::path(post, path = "/api/admin/tokens/{id}/rotation")]
async fn rotate(
    by: Authorized<may::CreateToken>,
    Db(db): Db,
    Id(id): Id,
    Body(input): Body<Validated<TokenRotation>>,
) -> Answer<CreatedIn<IssuedToken>> {
    let issued = rotation::rotate(&db, by.scope(), id, input, now()).await?;
    Ok(created_in(PATH, issued.detail.token.id, issued))
}
