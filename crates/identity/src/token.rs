//! Personal access tokens: programs call with them in the name of a user, within their abilities and never beyond what he
//! may at that moment. They expire, are shown once, and end with the user's access. Before they expire their owner is
//! written to ([`reminder`]) and replaces them ([`rotation`]). Whoever may change a user also sees and revokes his tokens.

use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};
use kernel::{
    Code, Database, Field, Instant, ListQuery, Listed, Owner, Page, Permission, PermissionSet, Phrase,
    Recorded, Reference, Resource, Result, Scope, Scoped, Unique, UserId, Validated, Violations, Write,
    audit::Action,
    fold, grant, retention,
    rule::{self, printable},
    scope::refuse_stale,
    tidy,
};
use mail::{Kind, outbox};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, Condition, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter, QuerySelect,
    QueryTrait,
    sea_query::{Expr, SimpleExpr},
};
use serde::Deserialize;
use utoipa::ToSchema;
use validator::Validate;

pub use crate::entity::personal_access_token::{Column, Entity as Tokens, Model as Token};
use crate::{
    ability::{self, Ability},
    entity::user,
    entity::user::{Entity as Users, Model as User},
    entity::{personal_access_token::ActiveModel, revoked_token},
    retention::ADDRESSES_KEPT,
    rights::{self, Holder},
    secret::Secret,
    user::lookup,
};

pub mod reminder;
pub mod rotation;

pub(crate) const PREFIX: &str = "pat_";

/// Of one user; as many again may have been replaced.
const AT_MOST: u64 = 50;

/// How long one that was replaced or revoked is known after its end: who still calls with it reads why that fails.
const REPLACED_KEPT: TimeDelta = TimeDelta::days(30);

/// Characters of a token that stay visible, at its beginning (with the prefix) and at its end.
const VISIBLE: (usize, usize) = (8, 4);

/// How long a token lives when nothing is said.
pub fn default_lifetime() -> TimeDelta {
    TimeDelta::days(90)
}

/// How long a token lives at the most. Its last day counts as a whole.
pub const DAYS_AT_MOST: i64 = 365;

impl Scoped for Tokens {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::User(Column::UserId);

    fn visible_to(scope: &Scope) -> Condition {
        let Some(user) = scope.user() else { return Condition::all() };
        let others = scope.may(Permission::UpdateUser).then(|| {
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
        Permission::ListTokens,
    )
    .refers(&[Reference::loose::<Users>("user_id")]);
    const NAME: Column = Column::Name;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
    const UNIQUE: &'static [Unique] =
        &[Unique::new("personal_access_token_user_id_name_fold_key", "name", Code::Taken)];
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

/// What a client says to make a token.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct TokenInput {
    /// Unique among one's own, whatever its case.
    #[schema(min_length = 1, max_length = 255, example = "Preisupload ERP")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub name: String,
    /// Within one's own rights.
    #[schema(min_items = 1, max_items = 6)]
    #[validate(length(max = 6))]
    pub abilities: Vec<Ability>,
    /// At most 365 days from now, of which the last counts as a whole; 90 days if it is left out.
    pub expires_at: Option<DateTime<Utc>>,
}

/// What a client says to change a token.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct TokenName {
    /// Unique among one's own, whatever its case.
    #[schema(min_length = 1, max_length = 255, example = "ERP-Anbindung")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub name: String,
    /// The version that was edited; an older one than the current is refused.
    pub version: Option<i64>,
}

tidy!(TokenInput: trim name;);
tidy!(TokenName: trim name;);

/// A token as one of those who see it sees it.
#[derive(Debug, Clone)]
pub struct TokenDetail {
    pub token: Token,
    pub abilities: Vec<Ability>,
    /// Whose it is.
    pub user: String,
    pub own: bool,
    /// Whether the caller may revoke it: it is his own, or its owner holds nothing that he does not hold.
    pub revocable: bool,
}

/// A token that was just made.
#[derive(Debug)]
pub struct Issued {
    pub detail: TokenDetail,
    /// The token itself, shown this once.
    pub plain_text: String,
}

pub async fn list(db: &Database, scope: &Scope, query: &ListQuery<Tokens>) -> Result<Page<TokenDetail>> {
    let page = query.fetch(db, scope, |select| select).await?;
    page.detailed(async |rows| detailed(db, scope, rows).await).await
}

pub async fn get(db: &impl ConnectionTrait, scope: &Scope, id: i64) -> Result<TokenDetail> {
    let token = scope.get::<Tokens>(db, id).await?;
    Ok(detailed(db, scope, vec![token]).await?.remove(0))
}

/// Makes a token for the caller himself.
pub async fn create(
    db: &Database,
    scope: &Scope,
    input: impl Into<Validated<TokenInput>>,
    now: Instant,
) -> Result<Issued> {
    let (input, mut violations) = input.into().parts();
    check_abilities(&mut violations, scope, &input.abilities);
    let expires_at = input.expires_at.unwrap_or(now + default_lifetime());
    check_expiry(&mut violations, expires_at, now);
    violations.check()?;

    let tx = db.begin().await?;
    if own(&tx, scope, Column::ReplacedAt.is_null()).await? >= AT_MOST {
        return Err(Violations::of("name", Code::TooMany.with("max", AT_MOST)));
    }
    let issued = issue(&tx, scope, input.name, &input.abilities, expires_at, now).await?;
    tx.commit().await?;
    Ok(issued)
}

/// How many tokens the caller has, of these.
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
) -> Result<Issued> {
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
        // who has just made it knows
        reminded_at: Set(reminder::notice(expires_at, now).map(|_| now)),
        replaced_at: Set(None),
        ..Default::default()
    };
    let token = scope.create::<Tokens>(tx, row).await?;
    let detail = detailed(tx, scope, vec![token]).await?.remove(0);
    Ok(Issued { detail, plain_text: text })
}

/// Gives one of the caller's own tokens another name.
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
        return Err(Code::NotOwnToken.into());
    }
    refuse_stale(input.version, before.token.version)?;
    let TokenName { name, version } = input.valid()?;
    let row = ActiveModel { name_fold: Set(fold(&name)), name: Set(name), ..Default::default() };
    let token = scope.update::<Tokens>(&tx, id, version, row).await?;
    let detail = detailed(&tx, scope, vec![token]).await?.remove(0);
    tx.commit().await?;
    Ok(detail)
}

/// Ends a token: the next call with it is refused.
pub async fn revoke(db: &Database, scope: &Scope, id: i64) -> Result<()> {
    let tx = db.begin().await?;
    let found = get(&tx, scope, id).await?;
    if !found.own {
        let owner = found.token.user_id;
        let held = rights_of_owners(&tx, [owner]).await?.remove(&owner).unwrap_or_default();
        grant::reach(scope, held)?;
    }
    reminder::withdraw(&tx, &found.token).await?;
    remember_revoked(&tx, [&found.token]).await?;
    scope.delete::<Tokens>(&tx, id).await?;
    tx.commit().await
}

/// Whoever calls with one of these is told that it was revoked.
#[expect(clippy::disallowed_methods, reason = "hashes, which belong to nobody any more")]
async fn remember_revoked(tx: &Write, tokens: impl IntoIterator<Item = &Token>) -> Result<()> {
    let rows = tokens.into_iter().map(|token| revoked_token::ActiveModel {
        token_hash: Set(token.token_hash.clone()),
        expires_at: Set(token.expires_at),
    });
    revoked_token::Entity::insert_many(rows).exec_without_returning(tx).await?;
    Ok(())
}

/// Whether a token of this hash was revoked.
#[expect(clippy::disallowed_methods, reason = "this is authentication")]
pub(crate) async fn was_revoked(db: &impl ConnectionTrait, hash: &str) -> Result<bool> {
    Ok(revoked_token::Entity::find_by_id(hash).one(db).await?.is_some())
}

/// Forgets from where tokens were used long ago.
#[expect(clippy::disallowed_methods, reason = "as time goes by, whoever they belong to")]
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

/// Forgets tokens that were replaced or revoked and have ended long ago; that they end was noted before.
#[expect(clippy::disallowed_methods, reason = "as time goes by, whoever they belong to")]
pub async fn clean_up(db: &Database, now: Instant) -> Result<()> {
    let (hash, ended) = (revoked_token::Column::TokenHash, revoked_token::Column::ExpiresAt);
    let over = retention::oldest::<revoked_token::Entity>(hash, ended, now - REPLACED_KEPT, Condition::all());
    let revoked = revoked_token::Entity::delete_many().filter(hash.in_subquery(over));
    retention::in_batches(db, &revoked).await?;
    let replaced = Condition::all().add(Column::ReplacedAt.is_not_null());
    let over = retention::oldest::<Tokens>(Column::Id, Column::ExpiresAt, now - REPLACED_KEPT, replaced);
    retention::in_batches(db, &Tokens::delete_many().filter(Column::Id.in_subquery(over))).await
}

/// Ends all tokens of a user.
pub(crate) async fn revoke_all(tx: &Write, scope: &Scope, user: i64) -> Result<()> {
    revoke_found(tx, scope, user, Condition::all().add(Column::UserId.eq(user))).await
}

/// Revokes the tokens that were made for a user since then, by whoever had their account.
#[expect(clippy::disallowed_methods, reason = "the user has proved by a link that the account is theirs")]
pub(crate) async fn revoke_since(tx: &Write, user: &User, since: Instant) -> Result<()> {
    let scope = Scope::granted_by_authentication(
        user.tenant_id,
        None,
        Some(UserId(user.id)),
        PermissionSet::default(),
    )?;
    let made = Condition::all().add(Column::UserId.eq(user.id)).add(Column::CreatedAt.gte(since));
    revoke_found(tx, &scope, user.id, made).await
}

#[expect(clippy::disallowed_methods, reason = "of a user whom the caller may lock out")]
async fn revoke_found(tx: &Write, scope: &Scope, user: i64, of_user: Condition) -> Result<()> {
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
        violations.add("abilities", Code::Required);
    }
    rule::unique(violations, abilities, |index| format!("abilities.{index}"));
    for ability in abilities {
        let beyond = ability.needs().difference(scope.rights());
        if !beyond.is_empty() {
            let message = grant::named(Code::AbilityBeyondRights, beyond).with("ability", ability.as_str());
            violations.add("abilities", message);
        }
    }
}

fn check_expiry(violations: &mut Violations, expires_at: Instant, now: Instant) {
    if expires_at <= now {
        violations.add("expires_at", Code::NotInFuture);
    } else if expires_at > now + TimeDelta::days(DAYS_AT_MOST + 1) {
        violations.add("expires_at", Code::ExpiresTooLate.with("days", DAYS_AT_MOST));
    }
}

async fn rights_of_owners(
    db: &impl ConnectionTrait,
    users: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, PermissionSet>> {
    let holders: Vec<Holder> = lookup::by_ids(db, users).await?.iter().map(Holder::from).collect();
    let held = rights::held(db, &holders).await?;
    Ok(held.into_iter().map(|(user, held)| (user, held.effective())).collect())
}

/// Tokens with whose they are and what the caller may do with them, in the same order.
pub async fn detailed(
    db: &impl ConnectionTrait,
    scope: &Scope,
    tokens: Vec<Token>,
) -> Result<Vec<TokenDetail>> {
    let owners = lookup::by_ids(db, tokens.iter().map(|token| token.user_id)).await?;
    let names: HashMap<i64, &str> = owners.iter().map(|user| (user.id, &*user.name)).collect();
    let others = owners.iter().map(|user| user.id).filter(|id| Some(UserId(*id)) != scope.user());
    let held = rights_of_owners(db, others).await?;
    let detail = |token: Token| TokenDetail {
        abilities: ability::parse_all(&token.abilities),
        user: names.get(&token.user_id).copied().unwrap_or_default().to_owned(),
        own: Some(UserId(token.user_id)) == scope.user(),
        revocable: held.get(&token.user_id).is_none_or(|held| held.is_subset(scope.rights())),
        token,
    };
    Ok(tokens.into_iter().map(detail).collect())
}
