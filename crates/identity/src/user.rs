//! Users: of one tenant, or of none; the e-mail address is unique whatever its case.

use kernel::{Code, Database, Language, Result, Scope, Violations, fold, now, rule};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, SqlErr,
};

pub use crate::entity::user::{Entity as Users, Model as User, Status};
use crate::{
    entity::{
        user::{ActiveModel, Column},
        user_role,
    },
    rights,
};

/// What a user is made of.
#[derive(Debug, Clone)]
pub struct UserInput {
    pub name: String,
    pub email: String,
    pub tenant_id: Option<i64>,
    pub role_ids: Vec<i64>,
    /// `None`: he sets it by a one-time link.
    pub password_hash: Option<String>,
}

/// Creates a user. Only the platform does so for now.
#[expect(clippy::disallowed_methods, reason = "users without tenant are owned by nobody")]
pub async fn create(db: &Database, scope: &Scope, input: UserInput) -> Result<User> {
    if !scope.is_platform() {
        return Err(Code::PlatformOnly.into());
    }
    let mut violations = Violations::new();
    rule::required(&mut violations, "name", &input.name);
    rule::email(&mut violations, "email", &input.email);
    violations.check()?;

    let tx = db.begin().await?;
    let now = now();
    let status = if input.password_hash.is_some() { Status::Verified } else { Status::InvitationPending };
    let row = ActiveModel {
        tenant_id: Set(input.tenant_id),
        name_fold: Set(fold(&input.name)),
        name: Set(input.name),
        email_fold: Set(fold(&input.email)),
        email: Set(input.email),
        password_hash: Set(input.password_hash),
        status: Set(status),
        narrowed: Set(false),
        language: Set(None),
        version: Set(1),
        created_at: Set(now),
        updated_at: Set(now),
        ..Default::default()
    };
    let user = row.insert(&tx).await.map_err(|error| match error.sql_err() {
        Some(SqlErr::UniqueConstraintViolation(_)) => Violations::of("email", Code::EmailTaken),
        _ => error.into(),
    })?;
    if !input.role_ids.is_empty() {
        let roles = input
            .role_ids
            .into_iter()
            .map(|role_id| user_role::ActiveModel { user_id: Set(user.id), role_id: Set(role_id) });
        user_role::Entity::insert_many(roles).exec_without_returning(&tx).await?;
    }
    rights::changed(&tx).await?;
    tx.commit().await?;
    Ok(user)
}

/// The names of users, for records that say who made them.
#[expect(clippy::disallowed_methods, reason = "the ids come out of rows that the caller may see")]
pub async fn names(
    db: &impl ConnectionTrait,
    ids: impl IntoIterator<Item = i64>,
) -> Result<Vec<(i64, String)>> {
    let users = Users::find().filter(Column::Id.is_in(ids)).all(db).await?;
    Ok(users.into_iter().map(|user| (user.id, user.name)).collect())
}

/// How many users there are at all: none means a fresh installation.
#[expect(clippy::disallowed_methods, reason = "asked at start-up, before anybody has signed in")]
pub async fn any(db: &impl ConnectionTrait) -> Result<bool> {
    Ok(Users::find().one(db).await?.is_some())
}

/// Whether somebody has this address.
pub async fn is_known(db: &impl ConnectionTrait, email: &str) -> Result<bool> {
    Ok(by_email(db, email).await?.is_some())
}

#[expect(clippy::disallowed_methods, reason = "asked by sign-in, before a scope exists")]
pub(crate) async fn by_email(db: &impl ConnectionTrait, email: &str) -> Result<Option<User>> {
    Ok(Users::find().filter(Column::EmailFold.eq(fold(email))).one(db).await?)
}

#[expect(clippy::disallowed_methods, reason = "asked by sign-in and links, before a scope exists")]
pub(crate) async fn by_id(db: &impl ConnectionTrait, id: i64) -> Result<Option<User>> {
    Ok(Users::find_by_id(id).one(db).await?)
}

impl User {
    /// The language he chose, if he did.
    pub fn language(&self) -> Option<Language> {
        language_of(self.language.as_deref())
    }
}

pub(crate) fn language_of(stored: Option<&str>) -> Option<Language> {
    match stored? {
        "de" => Some(Language::De),
        "en" => Some(Language::En),
        _ => None,
    }
}
