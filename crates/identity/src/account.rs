//! Own account of a user: name, language and password, which only they can change.

use mail::{Mail, outbox};
use sea_orm::ActiveValue::Set;
use serde::Deserialize;
use store::{Database, audit::Action};
use utoipa::ToSchema;
use validator::Validate;
use values::{Instant, Language, Result, Validated, Violations, fold, rule::printable, tidy};

use crate::{
    caller::Caller,
    codes,
    entity::user::ActiveModel,
    entity::user::{Entity as Users, ImportNotices},
    link,
    password::{self, Passwords, Strength},
    patch::non_null,
    session,
    source::Source,
    throttle,
    user::lookup,
};

/// Changes of a user's own account; fields that are left out stay unchanged.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct AccountPatch {
    #[serde(default, deserialize_with = "non_null")]
    #[schema(nullable = false, min_length = 1, max_length = 255, example = "Eva Lindner")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub name: Option<String>,
    /// Language of mails, and of the interface in a browser without a choice of its own.
    #[serde(default, deserialize_with = "non_null")]
    #[schema(nullable = false)]
    pub language: Option<Language>,
    /// Imports about whose end the user gets a mail.
    #[serde(default, deserialize_with = "non_null")]
    #[schema(nullable = false)]
    pub import_notices: Option<ImportNotices>,
    /// Version that was edited; rejected if it is older than the current one.
    #[serde(default, deserialize_with = "non_null")]
    #[schema(nullable = false)]
    pub version: Option<i64>,
}

tidy!(AccountPatch: trim name;);

/// Change of the own password.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PasswordInput {
    #[schema(max_length = 255, example = "profil-traeger-walzwerk")]
    pub current_password: String,
    /// New password: at least 12 characters, not easily guessed, and different from the current one.
    #[schema(min_length = 12, max_length = 255, example = "walzwerk-traeger-profil")]
    pub new_password: String,
}

/// Signed-in user who sends a request, with their session.
#[derive(Debug, Clone, Copy)]
pub struct SessionUser<'a> {
    pub caller: &'a Caller,
    pub session_id: i64,
    /// Address of the client.
    pub address: &'a str,
}

/// Changes the caller's account and returns its new state.
pub async fn change(
    db: &Database,
    caller: Caller,
    patch: impl Into<Validated<AccountPatch>>,
) -> Result<Caller> {
    let AccountPatch { name, language, import_notices, version } = patch.into().valid()?;
    let mut row = ActiveModel { ..Default::default() };
    if let Some(name) = name {
        (row.name_fold, row.name) = (Set(fold(&name)), Set(name));
    }
    if let Some(language) = language {
        row.language = Set(Some(lookup::stored_language(language).to_owned()));
    }
    if let Some(import_notices) = import_notices {
        row.import_notices = Set(import_notices);
    }
    let tx = db.begin().await?;
    let user = caller.scope(None)?.update::<Users>(&tx, caller.id, version, row).await?;
    tx.commit().await?;
    let (language, import_notices) = (user.language(), user.import_notices);
    Ok(Caller { language, import_notices, name: user.name, version: user.version, ..caller })
}

/// Rates a password for the caller.
pub async fn strength(passwords: &Passwords, caller: &Caller, password: &str) -> Result<Strength> {
    passwords.strength(password, password::words(&caller.name, &caller.email)).await
}

/// Changes the caller's password. Their other sessions and all links sent to them become invalid, and they
/// get a mail.
pub async fn change_password(
    db: &Database,
    passwords: &Passwords,
    SessionUser { caller, session_id, address }: SessionUser<'_>,
    input: PasswordInput,
    site: &str,
    now: Instant,
) -> Result<()> {
    let PasswordInput { current_password, new_password } = input;
    let mut violations = Violations::new();
    if current_password.is_empty() {
        violations.add("current_password", codes::REQUIRED);
    }
    let words = password::words(&caller.name, &caller.email);
    passwords.check(&mut violations, "new_password", &new_password, words).await?;
    if !new_password.is_empty() && new_password == current_password {
        violations.add("new_password", codes::SAME_PASSWORD);
    }
    violations.check()?;

    let before = lookup::by_id(db, caller.id).await?.ok_or(codes::UNAUTHENTICATED)?;
    let source = &Source::from_session(session_id, &caller.email, address);
    if !throttle::verify(db, passwords, source, current_password, before.password_hash.clone(), now).await? {
        return Err(Violations::error("current_password", codes::WRONG_PASSWORD));
    }
    let hash = match passwords.hash(new_password).await {
        Ok(hash) => hash,
        Err(error) => {
            throttle::uncount_unchecked(db, source).await?;
            return Err(error);
        }
    };

    let tx = db.begin().await?;
    throttle::succeeded(&tx, source, caller.id, now).await?;
    let row = ActiveModel { password_hash: Set(Some(hash)), ..Default::default() };
    let scope = caller.scope(None)?;
    scope.note::<Users>(&tx, Action::PasswordChanged, Some(&before), Some(&before));
    let user = scope.update::<Users>(&tx, caller.id, None, row).await?;
    // A concurrent change of the password, or locking the user out, has ended this session.
    if !session::still_open(&tx, session_id).await? {
        return Err(codes::UNAUTHENTICATED.into());
    }
    session::remove_others(&tx, caller, session_id).await?;
    link::void_all(&tx, caller.id).await?;
    let forgot = format!("{site}/forgot-password");
    outbox::queue(&tx, user.recipient(), &Mail::PasswordChanged { at: now, forgot: &forgot }, now).await?;
    tx.commit().await
}
