//! Changes of e-mail addresses: the caller's own, and the link that undoes a change. The link's id is part of
//! the path; its secret is sent only in bodies and appears in no log.

use chrono::{DateTime, Utc};
use http_api::{
    access::{Public, SignedIn},
    answer::{OkJson, Unpaged, ok_json},
    input::{Body, Db, LinkId},
    problem::Problem,
    publish,
    routes::{Answer, Routes},
};
use identity::{
    email_change::{self, EmailChange, LinkState, RestoredAddress},
    user::{User, Users},
};
use serde::Serialize;
use utoipa::ToSchema;
use values::{Validated, now};

use crate::{resource::password_reset::LinkSecretInput, state::Server};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, Users: own_email_changes);
    publish!(routes, "email_change": view, undo);
}

/// Change of the caller's e-mail address.
#[derive(Serialize, ToSchema)]
#[schema(as = OwnEmailChange)]
struct OwnChangeView {
    #[schema(example = "eva@nordstahl.example")]
    former_email: String,
    #[schema(example = "eva.lindner@nordstahl.example")]
    new_email: String,
    /// True if the user changed it themselves.
    own: bool,
    /// Name of the user who changed it; `null` if it was the system or the user is deleted.
    #[schema(required, example = "Adele Brandt")]
    changed_by: Option<String>,
    changed_at: DateTime<Utc>,
    /// Time at which it was undone, by its own link or by that of an earlier change; `null` if it was not.
    #[schema(required)]
    undone_at: Option<DateTime<Utc>>,
}

/// State of a link that undoes a change.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = EmailUndoState)]
enum StateView {
    Open,
    Expired,
    /// The change has already been undone.
    Used,
}

/// Change of an e-mail address that a link undoes.
#[derive(Serialize, ToSchema)]
#[schema(as = EmailUndo)]
struct UndoView {
    state: StateView,
    /// Address before the change.
    #[schema(example = "eva@nordstahl.example")]
    former_email: String,
    /// Present address.
    #[schema(example = "eva.lindner@nordstahl.example")]
    email: String,
    changed_at: DateTime<Utc>,
    /// Time from which it can no longer be undone.
    expires_at: DateTime<Utc>,
}

/// E-mail address that was restored.
#[derive(Serialize, ToSchema)]
#[schema(as = RestoredEmail)]
struct RestoredView {
    #[schema(example = "eva@nordstahl.example")]
    email: String,
    /// Link for a new password; `null` if the user cannot sign in.
    #[schema(required)]
    password_reset: Option<ResetLinkView>,
}

/// Link for a new password, whose secret is shown only now.
#[derive(Serialize, ToSchema)]
#[schema(as = PasswordResetLink)]
struct ResetLinkView {
    #[schema(example = "Qm3vT8")]
    id: String,
    #[schema(example = "lnk_7Hs1kQ")]
    secret: String,
}

impl UndoView {
    fn new(change: EmailChange, user: User) -> Self {
        Self {
            state: match change.state(now()) {
                LinkState::Open => StateView::Open,
                LinkState::Expired => StateView::Expired,
                LinkState::Used => StateView::Used,
            },
            former_email: change.former_email,
            email: user.email,
            changed_at: change.created_at,
            expires_at: change.expires_at,
        }
    }
}

impl From<RestoredAddress> for RestoredView {
    fn from(RestoredAddress { email, reset }: RestoredAddress) -> Self {
        Self { email, password_reset: reset.map(|(id, secret)| ResetLinkView { id, secret }) }
    }
}

/// Lists the changes of the current user's e-mail address within a year, the newest first.
#[utoipa::path(get, path = "/api/users/me/email-changes")]
async fn own_email_changes(by: SignedIn, Db(db): Db) -> Answer<OkJson<Unpaged<OwnChangeView>>> {
    let caller = by.caller.id;
    let (changes, names) = email_change::find_by_user(&db, caller).await?;
    let view = |change: EmailChange| OwnChangeView {
        own: change.changed_by == Some(caller),
        changed_by: change.changed_by.and_then(|user| names.get(&user).cloned()),
        changed_at: change.created_at,
        undone_at: change.undone_at,
        former_email: change.former_email,
        new_email: change.new_email,
    };
    Ok(ok_json(Unpaged { data: changes.into_iter().map(view).collect() }))
}

/// Shows the change of an e-mail address that the link undoes; does not use the link up.
#[utoipa::path(post, path = "/api/email-undo/{id}")]
async fn view(
    _: Public,
    Db(db): Db,
    LinkId(id): LinkId,
    Body(input): Body<Validated<LinkSecretInput>>,
) -> Answer<OkJson<UndoView>> {
    let input = input.valid()?;
    let (change, user) = email_change::view(&db, &id, &input.secret).await?;
    Ok(ok_json(UndoView::new(change, user)))
}

/// Restores the e-mail address, ends all sessions, voids the password and uses the link up; answers with a
/// link for a new password.
#[utoipa::path(
    put,
    path = "/api/email-undo/{id}",
    responses((status = 409, description = "The link has expired or was used, or another account has the address now", body = Problem)),
)]
async fn undo(
    _: Public,
    Server(state): Server,
    LinkId(id): LinkId,
    Body(input): Body<Validated<LinkSecretInput>>,
) -> Answer<OkJson<RestoredView>> {
    let input = input.valid()?;
    let site = state.settings.public_url.clone();
    let restored = email_change::undo(&state.db, &state.passwords, &id, &input.secret, &site, now());
    Ok(ok_json(restored.await?))
}
