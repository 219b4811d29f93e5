//! Reset of a forgotten password. The request is only stored and answered later by mail, so that it reveals
//! nothing about the account. The link's secret is in the fragment of the URL, which no server receives.

use mail::{
    Kind, Mail,
    outbox::{self, count},
};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, ExprTrait, PaginatorTrait,
    QueryFilter, QueryOrder, sea_query::Expr,
};
use store::{Database, Scope, audit::Action};
use values::{Instant, Result, Violations, fold_email};

use crate::{
    audit, codes,
    entity::{
        one_time_link::Model as Link,
        password_reset_request::{ActiveModel, Column, Entity as Requests},
        user as table,
    },
    link::{self, Purpose, invalid},
    password::{self, Passwords, Strength},
    reset_link::{LIFETIME, WINDOW, address, binding, open, too_many},
    user::{self, Status, User, Users, lookup},
};

const MAILS_PER_ACCOUNT: u64 = 3;
const REQUESTS_PER_SOURCE: u64 = 10;

/// Stores a request for a new password from `source`; takes the same time whether the account exists or not.
#[expect(clippy::disallowed_methods, reason = "not a row of anybody")]
pub async fn request(db: &Database, email: &str, source: &str, now: Instant) -> Result<()> {
    let tx = db.begin_alone::<Requests>().await?;
    // Later rows were written before the clock was set back.
    let recent = || {
        Requests::find()
            .filter(Column::Source.eq(source))
            .filter(Column::CreatedAt.gt(now - WINDOW))
            .filter(Column::CreatedAt.lt(now + WINDOW))
    };
    if recent().count(&tx).await? >= REQUESTS_PER_SOURCE {
        let oldest = recent().order_by_asc(Column::CreatedAt).one(&tx).await?;
        let free = oldest.map_or(now, |request| request.created_at + WINDOW);
        return Err(too_many(free, now));
    }
    let row = ActiveModel {
        source: Set(source.to_owned()),
        email_fold: Set(Some(fold_email(email))),
        created_at: Set(now),
        ..Default::default()
    };
    row.insert(&tx).await?;
    tx.commit().await
}

/// Answers the stored requests: accounts with a password get a mail, other addresses nothing.
#[expect(clippy::disallowed_methods, reason = "not a row of anybody")]
pub async fn answer(db: &Database, site: &str, now: Instant) -> Result<()> {
    let open = Requests::find().filter(Column::EmailFold.is_not_null()).order_by_asc(Column::Id);
    while let Some(request) = open.clone().one(db).await? {
        let tx = db.begin().await?;
        let answered = Requests::update_many()
            .col_expr(Column::EmailFold, Expr::value(None::<String>))
            .filter(Column::Id.eq(request.id))
            .filter(Column::EmailFold.is_not_null())
            .exec(&tx)
            .await?;
        let email = request.email_fold.unwrap_or_default();
        let user = lookup::by_email(&tx, &email).await?.filter(|user| user.status == Status::Verified);
        if let Some(user) = user.filter(|_| answered.rows_affected > 0)
            && !is_mail_limit_reached(&tx, &user, now).await?
        {
            send_link(&tx, &user, site, now).await?;
            audit::record_anonymous(&tx, Action::ResetRequested, &user);
        }
        tx.commit().await?;
    }
    Ok(())
}

/// Sends a user a link for a new password, requested by another user who may change them. Only the recipient
/// sees it.
pub async fn send(db: &Database, scope: &Scope, id: i64, site: &str, now: Instant) -> Result<()> {
    let tx = db.begin().await?;
    let user = user::within_reach(&tx, scope, id).await?.user;
    match user.status {
        Status::Verified => {}
        Status::Disabled => return Err(codes::USER_DISABLED.into()),
        _ => return Err(codes::NOT_VERIFIED.into()),
    }
    if is_mail_limit_reached(&tx, &user, now).await? {
        return Err(too_many(now + WINDOW, now));
    }
    send_link(&tx, &user, site, now).await?;
    scope.note::<Users>(&tx, Action::ResetRequested, Some(&user), Some(&user));
    tx.commit().await
}

/// True if the user has received the maximum number of these mails for now.
async fn is_mail_limit_reached(tx: &impl ConnectionTrait, user: &User, now: Instant) -> Result<bool> {
    Ok(count(tx, user.id, Kind::PasswordReset, now - WINDOW).await? >= MAILS_PER_ACCOUNT)
}

async fn send_link(tx: &impl ConnectionTrait, user: &User, site: &str, now: Instant) -> Result<()> {
    let link = address(site, &open(tx, user, now).await?);
    let mail = Mail::PasswordReset { link: &link, minutes: LIFETIME.num_minutes() };
    outbox::queue(tx, user.recipient(), &mail, now).await
}

/// Finds the user of a link. Wrong, used, expired and replaced links give the same error.
pub async fn holder(db: &impl ConnectionTrait, id: &str, secret: &str, now: Instant) -> Result<User> {
    Ok(find(db, id, secret, now).await?.1)
}

async fn find(db: &impl ConnectionTrait, id: &str, secret: &str, now: Instant) -> Result<(Link, User)> {
    let link = link::find(db, Purpose::PasswordReset, secret, now).await?;
    let user = lookup::by_id(db, link.user_id).await?.ok_or_else(invalid)?;
    let bound = link.bound_to.is_some() && link.bound_to == binding(&user);
    if link.public_id.as_deref() == Some(id) && bound && user.status == Status::Verified {
        Ok((link, user))
    } else {
        Err(invalid())
    }
}

/// Rates a password for the user of a link.
pub async fn strength(
    db: &impl ConnectionTrait,
    id: &str,
    secret: &str,
    password: &str,
    passwords: &Passwords,
    now: Instant,
) -> Result<Strength> {
    let holder = holder(db, id, secret, now).await?;
    passwords.strength(password, password::words(&holder.name, &holder.email)).await
}

/// Sets a new password and uses the link up. All sessions of the user end, and they get a mail.
pub async fn set(
    db: &Database,
    passwords: &Passwords,
    id: &str,
    secret: &str,
    password: String,
    site: &str,
    now: Instant,
) -> Result<()> {
    let holder = holder(db, id, secret, now).await?;
    let mut violations = Violations::new();
    let words = password::words(&holder.name, &holder.email);
    passwords.check(&mut violations, "password", &password, words).await?;
    violations.check()?;
    if passwords.verify(password.clone(), holder.password_hash).await? {
        return Err(Violations::error("password", codes::SAME_PASSWORD));
    }
    let hash = passwords.hash(password).await?;

    let tx = db.begin().await?;
    let (link, user) = find(&tx, id, secret, now).await?;
    link::use_up(&tx, &link, now).await?;
    replace(&tx, &user, hash, now).await?;
    user::lock_out::lock_out(&tx, user.id).await?;
    audit::record_by_link(&tx, Action::PasswordChanged, &user);
    let forgot = format!("{site}/forgot-password");
    outbox::queue(&tx, user.recipient(), &Mail::PasswordChanged { at: now, forgot: &forgot }, now).await?;
    tx.commit().await
}

/// Replaces the password, unless it has changed since `user` was read.
#[expect(clippy::disallowed_methods, reason = "the link is the right to this one row")]
async fn replace(tx: &impl ConnectionTrait, user: &User, hash: String, now: Instant) -> Result<()> {
    let changed = table::Entity::update_many()
        .col_expr(table::Column::PasswordHash, Expr::value(hash))
        .col_expr(table::Column::UpdatedAt, Expr::value(now))
        .col_expr(table::Column::Version, Expr::col(table::Column::Version).add(1))
        .filter(table::Column::Id.eq(user.id))
        .filter(table::Column::PasswordHash.eq(user.password_hash.clone()))
        .exec(tx)
        .await?;
    if changed.rows_affected == 0 { Err(invalid()) } else { Ok(()) }
}

/// Deletes requests outside the window.
#[expect(clippy::disallowed_methods, reason = "not a row of anybody")]
pub async fn clean_up(db: &impl ConnectionTrait, now: Instant) -> Result<()> {
    Requests::delete_many().filter(Column::CreatedAt.lte(now - WINDOW)).exec(db).await?;
    Ok(())
}
