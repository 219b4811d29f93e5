//! Lookup of users by id and address, for callers without a scope, or with ids from rows that they may see.

use mail::outbox::Recipient;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter};
use values::{Language, Result, fold_email};

use crate::entity::user::{Column, Entity as Users, Model as User};

/// Loads the names of users, for records that show who created them.
pub async fn names(
    db: &impl ConnectionTrait,
    ids: impl IntoIterator<Item = i64>,
) -> Result<Vec<(i64, String)>> {
    Ok(by_ids(db, ids).await?.into_iter().map(|user| (user.id, user.name)).collect())
}

/// Filters ids to users who have not been deleted, in any tenant.
pub async fn existing(db: &impl ConnectionTrait, ids: Vec<i64>) -> Result<Vec<i64>> {
    Ok(by_ids(db, ids).await?.into_iter().map(|user| user.id).collect())
}

#[expect(clippy::disallowed_methods, reason = "the ids come out of rows that the caller may see")]
pub(crate) async fn by_ids(
    db: &impl ConnectionTrait,
    ids: impl IntoIterator<Item = i64>,
) -> Result<Vec<User>> {
    Ok(Users::find().filter(Column::Id.is_in(ids)).all(db).await?)
}

/// True if there is any user; otherwise the installation is new.
#[expect(clippy::disallowed_methods, reason = "asked at start-up, before anybody has signed in")]
pub async fn any(db: &impl ConnectionTrait) -> Result<bool> {
    Ok(Users::find().one(db).await?.is_some())
}

/// True if a user has this address.
pub async fn is_known(db: &impl ConnectionTrait, email: &str) -> Result<bool> {
    Ok(by_email(db, email).await?.is_some())
}

#[expect(clippy::disallowed_methods, reason = "asked by sign-in, before a scope exists")]
pub(crate) async fn by_email(db: &impl ConnectionTrait, email: &str) -> Result<Option<User>> {
    Ok(Users::find().filter(Column::EmailKey.eq(fold_email(email))).one(db).await?)
}

#[expect(clippy::disallowed_methods, reason = "asked by sign-in and links, before a scope exists")]
pub(crate) async fn by_id(db: &impl ConnectionTrait, id: i64) -> Result<Option<User>> {
    Ok(Users::find_by_id(id).one(db).await?)
}

impl User {
    /// Recipient of a mail.
    pub fn recipient(&self) -> Recipient<'_> {
        Recipient { user_id: self.id, name: &self.name, address: &self.email, language: self.language() }
    }

    /// Language that the user has chosen, if any.
    pub fn language(&self) -> Option<Language> {
        language_of(self.language.as_deref())
    }
}

pub(crate) fn stored_language(language: Language) -> &'static str {
    match language {
        Language::De => "de",
        Language::En => "en",
    }
}

pub(crate) fn language_of(stored: Option<&str>) -> Option<Language> {
    match stored? {
        "de" => Some(Language::De),
        "en" => Some(Language::En),
        _ => None,
    }
}
