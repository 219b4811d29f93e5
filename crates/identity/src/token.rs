//! Personal access tokens: programs use them to call on behalf of a user, within the token's abilities and
//! the user's current permissions. They expire, are shown once, and become invalid with the user's access.
//! Before they expire, their owner gets a mail ([`reminder`]) and replaces them ([`rotation`]). Users who may
//! change another user also see and revoke that user's tokens.

use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};
use lists::{Field, ListQuery, Listed, Page};
use mail::{Kind, outbox};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, Condition, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter, QuerySelect,
    QueryTrait,
    sea_query::{Expr, SimpleExpr},
};
use serde::Deserialize;
use store::{
    Database, Owner, Recorded, Reference, Resource, Scope, Scoped, Unique, Write, audit::Action, grant,
    retention, scope::refuse_stale,
};
use utoipa::ToSchema;
use validator::Validate;
use values::{
    Instant, PermissionSet, Phrase, Result, UserId, Validated, Violations, fold,
    rule::{self, printable},
    tidy,
};

pub use crate::entity::personal_access_token::{Column, Entity as Tokens, Model as Token};
use crate::{
    ability::{self, Ability},
    codes,
    entity::{
        personal_access_token::ActiveModel,
        revoked_token,
        user::{self, Entity as Users, Model as User},
    },
    permissions,
    retention::ADDRESSES_KEPT,
    rights::{self, PermissionSubject},
    secret::Secret,
    user::lookup,
};

pub mod reminder;
pub mod rotation;

pub(crate) const PREFIX: &str = "pat_";

/// Maximum number of tokens of one user; as many replaced ones may exist besides.
const AT_MOST: u64 = 50;

/// Time for which a replaced or revoked token is remembered after its end, so that callers learn why it is
/// rejected.
const REPLACED_KEPT: TimeDelta = TimeDelta::days(30);

/// Numbers of visible characters of a token, at its beginning (with the prefix) and at its end.
const VISIBLE: (usize, usize) = (8, 4);

/// Default lifetime of a token.
pub fn default_lifetime() -> TimeDelta {
    TimeDelta::days(90)
}

/// Maximum lifetime of a token; the last day counts in full.
pub const DAYS_AT_MOST: i64 = 365;

impl Scoped for Tokens {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::User(Column::UserId);

    fn visible_to(scope: &Scope) -> Condition {
        let Some(user) = scope.user() else { return Condition::all() };
        let others = scope.may(permissions::UPDATE_USER).then(|| {
            let users = scope.find::<Users>().select_only().column(user::Column::Id);
            Column::UserId.in_subquery(users.into_query())
        });
        Condition::any().add(Column::UserId.eq(user)).add_option(others)
    }
}

impl Recorded for Tokens {
    const RESOURCE: &'static Resource = &Resource::new::<Self>(
        "tokens",
        Phrase { de: "Zugriffstoken", en: "access tokens" },
        permissions::LIST_TOKENS,
    )
    .refers(&[Reference::loose::<Users>("user_id")]);
    const NAME: Column = Column::Name;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
    const UNIQUE: &'static [Unique] =
        &[Unique::new("personal_access_token_user_id_name_fold_key", "name", codes::TAKEN)];
    const UNNOTED: &'static [Column] =
        &[Column::Prefix, Column::LastFour, Column::LastUsedAt, Column::LastUsedAddress, Column::RemindedAt];
}

impl Listed for Tokens {
    const FIELDS: &'static [Field] = &[
        Field::text("name", &Column::NameFold),
        Field::id("user_id", &Column::UserId),
        Field::time("expires_at", &Column::ExpiresAt),
        Field::time("last_used_at", &Column::LastUsedAt).nullable(),
        Field::time("created_at", &Column::CreatedAt),
    ];
    const DEFAULT_SORT: &'static str = "-created_at";
}

/// Input to create a token.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct TokenInput {
    /// Name; unique among the user's own tokens, ignoring case.
    #[schema(min_length = 1, max_length = 255, example = "Preisupload ERP")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub name: String,
    /// Abilities, within the user's own permissions.
    #[schema(min_items = 1, max_items = 6)]
    #[validate(length(max = 6))]
    pub abilities: Vec<Ability>,
    /// Expiry, at most 365 days from now, of which the last counts in full; 90 days if left out.
    pub expires_at: Option<DateTime<Utc>>,
}

/// Input to rename a token.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct TokenName {
    /// Name; unique among the user's own tokens, ignoring case.
    #[schema(min_length = 1, max_length = 255, example = "ERP-Anbindung")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub name: String,
    /// Version that was edited; rejected if it is older than the current one.
    pub version: Option<i64>,
}

tidy!(TokenInput: trim name;);
tidy!(TokenName: trim name;);

/// Token as a particular user sees it.
#[derive(Debug, Clone)]
pub struct TokenDetail {
    pub token: Token,
    pub abilities: Vec<Ability>,
    /// Name of its owner.
    pub user: String,
    pub own: bool,
    /// True if the caller may revoke it: it is their own, or its owner has no permission that they lack.
    pub revocable: bool,
}

/// New token.
#[derive(Debug)]
pub struct CreatedToken {
    pub detail: TokenDetail,
    /// Token itself, available only now.
    pub plain_text: String,
}

/// Lists the tokens that the caller may see.
pub async fn list(db: &Database, scope: &Scope, query: &ListQuery<Tokens>) -> Result<Page<TokenDetail>> {
    let page = query.fetch(db, scope, |select| select).await?;
    page.detailed(async |rows| detailed(db, scope, rows).await).await
}

/// Loads a token.
pub async fn get(db: &impl ConnectionTrait, scope: &Scope, id: i64) -> Result<TokenDetail> {
    let token = scope.get::<Tokens>(db, id).await?;
    Ok(detailed(db, scope, vec![token]).await?.remove(0))
}

/// Creates a token for the caller.
pub async fn create(
    db: &Database,
    scope: &Scope,
    input: impl Into<Validated<TokenInput>>,
    now: Instant,
) -> Result<CreatedToken> {
    let (input, mut violations) = input.into().parts();
    check_abilities(&mut violations, scope, &input.abilities);
    let expires_at = input.expires_at.unwrap_or(now + default_lifetime());
    check_expiry(&mut violations, expires_at, now);
    violations.check()?;

    let tx = db.begin().await?;
    if own(&tx, scope, Column::ReplacedAt.is_null()).await? >= AT_MOST {
        return Err(Violations::error("name", codes::TOO_MANY.with("max", AT_MOST)));
    }
    let issued = issue(&tx, scope, input.name, &input.abilities, expires_at, now).await?;
    tx.commit().await?;
    Ok(issued)
}

/// Counts the caller's tokens that fulfil a condition.
async fn own(tx: &Write, scope: &Scope, which: SimpleExpr) -> Result<u64> {
    let own = scope.find::<Tokens>().filter(Column::UserId.eq(scope.user()));
    Ok(own.filter(which).count(tx).await?)
}

async fn issue(
    tx: &Write,
    scope: &Scope,
    name: String,
    abilities: &[Ability],
    expires_at: Instant,
    now: Instant,
) -> Result<CreatedToken> {
    let Secret { text, hash } = Secret::new(PREFIX)?;
    let row = ActiveModel {
        name_fold: Set(fold(&name)),
        name: Set(name),
        abilities: Set(ability::names(abilities, " ")),
        token_hash: Set(hash),
        prefix: Set(text[..VISIBLE.0].to_owned()),
        last_four: Set(text[text.len() - VISIBLE.1..].to_owned()),
        expires_at: Set(expires_at),
        last_used_at: Set(None),
        last_used_address: Set(None),
        // The owner has just created it and needs no reminder of this period.
        reminded_at: Set(reminder::notice(expires_at, now).map(|_| now)),
        replaced_at: Set(None),
        ..Default::default()
    };
    let token = scope.create::<Tokens>(tx, row).await?;
    let detail = detailed(tx, scope, vec![token]).await?.remove(0);
    Ok(CreatedToken { detail, plain_text: text })
}

/// Renames one of the caller's own tokens.
pub async fn rename(
    db: &Database,
    scope: &Scope,
    id: i64,
    input: impl Into<Validated<TokenName>>,
) -> Result<TokenDetail> {
    let input = input.into();
    let tx = db.begin().await?;
    let before = get(&tx, scope, id).await?;
    if !before.own {
        return Err(codes::NOT_OWN_TOKEN.into());
    }
    refuse_stale(input.version, before.token.version)?;
    let TokenName { name, version } = input.valid()?;
    let row = ActiveModel { name_fold: Set(fold(&name)), name: Set(name), ..Default::default() };
    let token = scope.update::<Tokens>(&tx, id, version, row).await?;
    let detail = detailed(&tx, scope, vec![token]).await?.remove(0);
    tx.commit().await?;
    Ok(detail)
}

/// Revokes a token: the next call with it is rejected.
pub async fn revoke(db: &Database, scope: &Scope, id: i64) -> Result<()> {
    let tx = db.begin().await?;
    let detail = get(&tx, scope, id).await?;
    if !detail.own {
        let owner = detail.token.user_id;
        let permissions = rights_of_owners(&tx, [owner]).await?.remove(&owner).unwrap_or_default();
        grant::require_authority_over(scope, permissions)?;
    }
    reminder::withdraw(&tx, &detail.token).await?;
    remember_revoked(&tx, [&detail.token]).await?;
    scope.delete::<Tokens>(&tx, id).await?;
    tx.commit().await
}

/// Remembers revoked tokens, so that calls with them get the reason.
#[expect(clippy::disallowed_methods, reason = "hashes, which belong to nobody any more")]
async fn remember_revoked(tx: &Write, tokens: impl IntoIterator<Item = &Token>) -> Result<()> {
    let rows = tokens.into_iter().map(|token| revoked_token::ActiveModel {
        token_hash: Set(token.token_hash.clone()),
        expires_at: Set(token.expires_at),
    });
    revoked_token::Entity::insert_many(rows).exec_without_returning(tx).await?;
    Ok(())
}

/// True if a token with this hash was revoked.
#[expect(clippy::disallowed_methods, reason = "this is authentication")]
pub(crate) async fn was_revoked(db: &impl ConnectionTrait, hash: &str) -> Result<bool> {
    Ok(revoked_token::Entity::find_by_id(hash).one(db).await?.is_some())
}

/// Deletes the addresses of tokens that were last used long ago.
#[expect(clippy::disallowed_methods, reason = "expiry concerns the rows of all users")]
pub async fn forget_addresses(db: &Database, now: Instant) -> Result<()> {
    let tx = db.begin_long().await?;
    Tokens::update_many()
        .col_expr(Column::LastUsedAddress, Expr::value(None::<String>))
        .filter(Column::LastUsedAt.lt(now - ADDRESSES_KEPT))
        .filter(Column::LastUsedAddress.is_not_null())
        .exec(&tx)
        .await?;
    tx.commit().await
}

/// Deletes replaced and revoked tokens that ended long ago; their end is in the history already.
#[expect(clippy::disallowed_methods, reason = "expiry concerns the rows of all users")]
pub async fn clean_up(db: &Database, now: Instant) -> Result<()> {
    let (hash, ended) = (revoked_token::Column::TokenHash, revoked_token::Column::ExpiresAt);
    let over = retention::oldest::<revoked_token::Entity>(hash, ended, now - REPLACED_KEPT, Condition::all());
    let revoked = revoked_token::Entity::delete_many().filter(hash.in_subquery(over));
    retention::in_batches(db, &revoked).await?;
    let replaced = Condition::all().add(Column::ReplacedAt.is_not_null());
    let over = retention::oldest::<Tokens>(Column::Id, Column::ExpiresAt, now - REPLACED_KEPT, replaced);
    retention::in_batches(db, &Tokens::delete_many().filter(Column::Id.in_subquery(over))).await
}

/// Revokes all tokens of a user.
pub(crate) async fn revoke_all(tx: &Write, scope: &Scope, user: i64) -> Result<()> {
    revoke_matching(tx, scope, user, Condition::all().add(Column::UserId.eq(user))).await
}

/// Revokes the tokens created since then, when the account may have been taken over.
#[expect(clippy::disallowed_methods, reason = "the user has proved by a link that the account is theirs")]
pub(crate) async fn revoke_since(tx: &Write, user: &User, since: Instant) -> Result<()> {
    let scope = Scope::granted_by_authentication(
        user.tenant_id,
        None,
        Some(UserId(user.id)),
        PermissionSet::default(),
    )?;
    let recent_tokens = Condition::all().add(Column::UserId.eq(user.id)).add(Column::CreatedAt.gte(since));
    revoke_matching(tx, &scope, user.id, recent_tokens).await
}

#[expect(clippy::disallowed_methods, reason = "of a user whom the caller may lock out")]
async fn revoke_matching(tx: &Write, scope: &Scope, user: i64, of_user: Condition) -> Result<()> {
    let tokens = Tokens::find().filter(of_user.clone()).all(tx).await?;
    for token in &tokens {
        scope.note::<Tokens>(tx, Action::Deleted, Some(token), None);
    }
    remember_revoked(tx, &tokens).await?;
    Tokens::delete_many().filter(of_user).exec(tx).await?;
    outbox::withdraw(tx, user, &[Kind::TokenExpires]).await
}

fn check_abilities(violations: &mut Violations, scope: &Scope, abilities: &[Ability]) {
    if abilities.is_empty() {
        violations.add("abilities", codes::REQUIRED);
    }
    rule::unique(violations, abilities, |index| format!("abilities.{index}"));
    for ability in abilities {
        let beyond = ability.needs().difference(scope.rights());
        if !beyond.is_empty() {
            let message = grant::permissions_message(codes::ABILITY_BEYOND_RIGHTS, beyond)
                .with("ability", ability.as_str());
            violations.add("abilities", message);
        }
    }
}

fn check_expiry(violations: &mut Violations, expires_at: Instant, now: Instant) {
    if expires_at <= now {
        violations.add("expires_at", codes::NOT_IN_FUTURE);
    } else if expires_at > now + TimeDelta::days(DAYS_AT_MOST + 1) {
        violations.add("expires_at", codes::EXPIRES_TOO_LATE.with("days", DAYS_AT_MOST));
    }
}

async fn rights_of_owners(
    db: &impl ConnectionTrait,
    users: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, PermissionSet>> {
    let holders: Vec<PermissionSubject> =
        lookup::by_ids(db, users).await?.iter().map(PermissionSubject::from).collect();
    let by_user = rights::load_permissions(db, &holders).await?;
    Ok(by_user.into_iter().map(|(user, permissions)| (user, permissions.effective())).collect())
}

/// Adds owners and the caller's rights to tokens; keeps the order.
pub async fn detailed(
    db: &impl ConnectionTrait,
    scope: &Scope,
    tokens: Vec<Token>,
) -> Result<Vec<TokenDetail>> {
    let owners = lookup::by_ids(db, tokens.iter().map(|token| token.user_id)).await?;
    let names: HashMap<i64, &str> = owners.iter().map(|user| (user.id, &*user.name)).collect();
    let others = owners.iter().map(|user| user.id).filter(|id| Some(UserId(*id)) != scope.user());
    let by_owner = rights_of_owners(db, others).await?;
    let detail = |token: Token| TokenDetail {
        abilities: ability::parse_all(&token.abilities),
        user: names.get(&token.user_id).copied().unwrap_or_default().to_owned(),
        own: Some(UserId(token.user_id)) == scope.user(),
        revocable: by_owner
            .get(&token.user_id)
            .is_none_or(|permissions| permissions.is_subset(scope.rights())),
        token,
    };
    Ok(tokens.into_iter().map(detail).collect())
}
