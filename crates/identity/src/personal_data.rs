//! Personal data of a user, for themselves and for administrators who answer their request: everything except
//! secrets and search columns. Each export is recorded in the history.

use lists::ListQuery;
use mail::outbox::{self, Letter};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder};
use store::{Database, Scope, audit::Action};
use values::Result;

pub use crate::entity::{
    default_view::Model as DefaultView, one_time_link::Model as Link, session::Model as Session,
};
use crate::{
    audit::AuditEntries,
    email_change::{self, EmailChange},
    entity::{default_view, one_time_link, personal_access_token, saved_view, session},
    saved_view::SavedView,
    token::Token,
    user::{self, UserDetail, Users},
};

/// Personal data of a user, without their uploads and their history.
#[derive(Debug, Clone)]
pub struct PersonalData {
    pub account: UserDetail,
    pub sessions: Vec<Session>,
    pub tokens: Vec<Token>,
    pub links: Vec<Link>,
    pub email_changes: Vec<EmailChange>,
    pub views: Vec<SavedView>,
    pub default_views: Vec<DefaultView>,
    pub mails: Vec<Letter>,
}

/// Records that the caller exports the data of a user. Allowed for themselves, and for users who have no
/// permission that the caller lacks.
pub async fn request(db: &Database, scope: &Scope, id: i64) -> Result<()> {
    let tx = db.begin().await?;
    let detail = user::within_reach(&tx, scope, id).await?;
    scope.note::<Users>(&tx, Action::DataExported, Some(&detail.user), Some(&detail.user));
    tx.commit().await
}

/// Loads the personal data of a user within the caller's reach.
#[expect(clippy::disallowed_methods, reason = "of a user whom the scope has shown")]
pub async fn load(db: &impl ConnectionTrait, scope: &Scope, id: i64) -> Result<PersonalData> {
    Ok(PersonalData {
        account: user::within_reach(db, scope, id).await?,
        sessions: session::Entity::find()
            .filter(session::Column::UserId.eq(id))
            .order_by_asc(session::Column::Id)
            .all(db)
            .await?,
        tokens: personal_access_token::Entity::find()
            .filter(personal_access_token::Column::UserId.eq(id))
            .order_by_asc(personal_access_token::Column::Id)
            .all(db)
            .await?,
        links: one_time_link::Entity::find()
            .filter(one_time_link::Column::UserId.eq(id))
            .order_by_asc(one_time_link::Column::Id)
            .all(db)
            .await?,
        email_changes: email_change::find_by_user(db, id).await?.0,
        views: saved_view::Entity::find()
            .filter(saved_view::Column::UserId.eq(id))
            .order_by_asc(saved_view::Column::Id)
            .all(db)
            .await?,
        default_views: default_view::Entity::find()
            .filter(default_view::Column::UserId.eq(id))
            .order_by_asc(default_view::Column::List)
            .all(db)
            .await?,
        mails: outbox::letters_to_user(db, id).await?,
    })
}

/// Queries for the history about a user and for the user's own actions, oldest first.
pub fn history(id: i64) -> Result<[ListQuery<AuditEntries>; 2]> {
    let id = id.to_string();
    let sorted = ("sort", "at");
    Ok([
        ListQuery::parse_unpaged([("filter[record]", "user"), ("filter[record_id]", &id), sorted])?,
        ListQuery::parse_unpaged([("filter[user_id]", &*id), sorted])?,
    ])
}
