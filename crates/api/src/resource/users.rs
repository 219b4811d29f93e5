//! Users over HTTP.

use chrono::{DateTime, Utc};
use http_api::{
    access::Authorized,
    answer::{Created, NoContent, OkJson, Unpaged, created, no_content, ok_json},
    export::{Column, time},
    input::{Body, Db, Id},
    publish,
    routes::{Answer, Routes},
};
use identity::{
    link, may,
    user::{self, Status, UserDetail, UserInput, UserPatch, Users},
};
use serde::Serialize;
use store::Database;
use utoipa::ToSchema;
use values::{Permission, Validated, now};

use crate::{
    resource::{
        crud::{Exportable, operations, view_of},
        search::findable,
        tenants::{TenantOfRecord, owner},
        view::HasView,
    },
    state::Server,
};

pub(crate) fn routes(routes: &mut Routes) {
    operations::<Users>(routes, "/api/admin/users")
        .list::<may::ListUsers>(
            "Lists the users of the caller's tenant; for the platform, the users of all tenants and its own.",
        )
        .export::<may::ListUsers>("Exports all users that match the filters and that the caller may see.")
        .view::<may::ViewUser>("Shows a user.")
        .delete::<may::DeleteUser>("Deletes a user; their records stay.");
    publish!(routes, Users: create, change, invite, revoke_invitation, rights);
}

view_of! {
    /// Person who signs in.
    UserView as User, of detail: UserDetail, row detail.user;
    #[schema(example = "Eva Lindner")]
    name: String = detail.user.name,
    #[schema(example = "eva.lindner@nordstahl.example")]
    email: String = detail.user.email,
    /// Tenant of the user; `null` if they work for the platform.
    #[schema(required)]
    tenant_id: Option<i64> = detail.user.tenant_id.map(i64::from),
    #[schema(required)]
    tenant: Option<TenantOfRecord> = TenantOfRecord::new(detail.user.tenant_id, detail.tenant),
    status: Status = detail.status,
    /// Time until which their invitation can be accepted.
    #[schema(required)]
    invited_until: Option<DateTime<Utc>> = detail.invited_until,
    /// True if the mail with their invitation could not be delivered.
    undelivered: bool = detail.undelivered,
    roles: Vec<RoleOfUser> = detail.roles.into_iter().map(|(id, name)| RoleOfUser { id, name }).collect(),
    /// True if they are restricted to fewer permissions than their roles give.
    narrowed: bool = detail.chosen.is_some(),
    /// Permissions that they have now.
    permissions: Vec<HeldPermission> = detail.effective.iter().map(|name| HeldPermission { name }).collect(),
    /// True if the caller may change them.
    writable: bool = detail.writable,
}

#[derive(Serialize, ToSchema)]
struct RoleOfUser {
    id: i64,
    #[schema(example = "Einkauf")]
    name: String,
}

/// Link that was just created; it is shown only now.
#[derive(Serialize, ToSchema)]
struct Invitation {
    #[schema(example = "https://stalhof.example/verification/lnk_x")]
    link: String,
    expires_at: DateTime<Utc>,
}

/// Permission, with the reasons why a user has it or not.
#[derive(Serialize, ToSchema)]
struct ExplainedPermission {
    name: Permission,
    held: bool,
    /// Roles that contain it.
    roles: Vec<RoleOfUser>,
    /// True if the user's restriction includes it; `null` without a restriction.
    #[schema(required)]
    chosen: Option<bool>,
    /// True if the maximum permissions of their tenant include it; `null` for users of the platform.
    #[schema(required)]
    ceiling: Option<bool>,
}

impl HasView for Users {
    type Source = Database;
    type View = UserView;
}

findable!(Users, row => Some(row.email));

impl Exportable for Users {
    const COLUMNS: &'static [Column<UserDetail>] = &[
        ("name", |row, _| row.user.name.as_str().into()),
        ("email", |row, _| row.user.email.as_str().into()),
        ("tenant_id", |row, labels| owner(row.user.tenant_id, row.tenant.as_deref(), labels)),
        ("role_ids", |row, _| {
            let names: Vec<_> = row.roles.iter().map(|(_, name)| name.as_str()).collect();
            names.join(", ").as_str().into()
        }),
        ("narrowed", |row, labels| labels.yes_no(row.chosen.is_some())),
        ("status", |row, labels| labels.choice("status", row.status)),
        ("updated_at", |row, _| time(row.user.updated_at)),
    ];
}

/// Creates a user, who can sign in after accepting an invitation.
#[utoipa::path(post, path = "/api/admin/users")]
async fn create(
    by: Authorized<may::CreateUser>,
    Db(db): Db,
    Body(input): Body<Validated<UserInput>>,
) -> Answer<Created<UserView>> {
    Ok(created(user::create(&db, by.scope(), input).await?))
}

/// Changes the fields of a user that are sent. Callers can change neither their own permissions nor users
/// with more permissions than theirs. A changed e-mail address is announced at both addresses; the mail to
/// the former one has a link that undoes the change for seven days.
#[utoipa::path(patch, path = "/api/admin/users/{id}")]
async fn change(
    by: Authorized<may::UpdateUser>,
    Server(state): Server,
    Id(id): Id,
    Body(patch): Body<Validated<UserPatch>>,
) -> Answer<OkJson<UserView>> {
    let site = state.settings.public_url.clone();
    Ok(ok_json(user::change(&state.db, by.scope(), id, patch, &site).await?))
}

/// Invites a user by mail to set their first password; the link is shown only now, earlier ones become void.
#[utoipa::path(post, path = "/api/admin/users/{id}/invite")]
async fn invite(
    by: Authorized<may::CreateUser>,
    Server(state): Server,
    Id(id): Id,
) -> Answer<OkJson<Invitation>> {
    let now = now();
    let link = user::invite(&state.db, by.scope(), id, &state.settings.public_url, now).await?;
    Ok(ok_json(Invitation { link, expires_at: now + link::invitation_lifetime() }))
}

/// Voids the invitation of a user.
#[utoipa::path(delete, path = "/api/admin/users/{id}/invite")]
async fn revoke_invitation(by: Authorized<may::CreateUser>, Db(db): Db, Id(id): Id) -> Answer<NoContent> {
    Ok(no_content(user::revoke_invitation(&db, by.scope(), id).await?))
}

/// Explains for each permission if a user has it, and why.
#[utoipa::path(get, path = "/api/admin/users/{id}/rights")]
async fn rights(
    by: Authorized<may::ViewUser>,
    Db(db): Db,
    Id(id): Id,
) -> Answer<OkJson<Unpaged<ExplainedPermission>>> {
    let explained = user::explain(&db, by.scope(), id).await?.into_iter().map(|explanation| {
        let roles = explanation.roles.into_iter().map(|(id, name)| RoleOfUser { id, name }).collect();
        let user::PermissionExplanation { permission: name, is_effective, chosen, ceiling, .. } = explanation;
        ExplainedPermission { name, held: is_effective, roles, chosen, ceiling }
    });
    Ok(ok_json(Unpaged { data: explained.collect() }))
}

/// Permission of a user.
#[derive(Serialize, ToSchema)]
pub(crate) struct HeldPermission {
    pub name: Permission,
}
