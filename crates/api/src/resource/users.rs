//! Users over HTTP.

use chrono::{DateTime, Utc};
use identity::{
    link,
    user::{self, Status, User, UserDetail, UserInput, UserPatch, Users},
};
use kernel::{Permission, may, now};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    http::{
        access::Authorized,
        answer::{Created, Done, Download, Listing, Shown, Whole, created, done, listing, shown},
        export::{Export, Table, time},
        input::{Body, Db, Id, List, Server},
        routes::{Answer, Routes},
    },
    publish,
    resource::tenants::{TenantOfRecord, owner},
    words,
};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, Users: list, export, create, view, change, delete, invite, revoke_invitation, rights);
}

/// A person who signs in.
#[derive(Serialize, ToSchema)]
#[schema(as = User)]
struct UserView {
    id: i64,
    name: String,
    email: String,
    /// `null`: belongs to no tenant, works for the platform.
    #[schema(required)]
    tenant_id: Option<i64>,
    #[schema(required)]
    tenant: Option<TenantOfRecord>,
    status: Status,
    /// Until when his invitation can be accepted.
    #[schema(required)]
    invited_until: Option<DateTime<Utc>>,
    /// Whether the mail of his invitation could not be delivered.
    undelivered: bool,
    roles: Vec<RoleOfUser>,
    /// Whether he has less than his roles give him.
    narrowed: bool,
    /// What he may do now.
    permissions: Vec<HeldPermission>,
    /// Whether the caller may change him.
    writable: bool,
    /// Counts the changes; to be sent back with a change.
    version: i64,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

#[derive(Serialize, ToSchema)]
struct RoleOfUser {
    id: i64,
    name: String,
}

impl From<UserDetail> for UserView {
    fn from(detail: UserDetail) -> Self {
        let UserDetail {
            user,
            status,
            tenant,
            roles,
            chosen,
            effective,
            invited_until,
            undelivered,
            writable,
        } = detail;
        let User { id, tenant_id, name, email, version, created_at, updated_at, .. } = user;
        Self {
            id,
            name,
            email,
            tenant_id,
            tenant: TenantOfRecord::of(tenant_id, tenant),
            status,
            invited_until,
            undelivered,
            roles: roles.into_iter().map(|(id, name)| RoleOfUser { id, name }).collect(),
            narrowed: chosen.is_some(),
            permissions: effective.iter().map(|name| HeldPermission { name }).collect(),
            writable,
            version,
            created_at,
            updated_at,
        }
    }
}

/// A link that was made just now; it is shown this once.
#[derive(Serialize, ToSchema)]
struct Invitation {
    link: String,
    expires_at: DateTime<Utc>,
}

/// Whether a user has a permission, and why.
#[derive(Serialize, ToSchema)]
struct ExplainedPermission {
    name: Permission,
    held: bool,
    /// The roles that give it.
    roles: Vec<RoleOfUser>,
    /// Whether he is left with it; `null` where he is not narrowed.
    #[schema(required)]
    chosen: Option<bool>,
    /// Whether his tenant's ceiling allows it; `null` on the platform.
    #[schema(required)]
    ceiling: Option<bool>,
}

/// Lists the users of one's own tenant; for the platform those of all tenants and its own.
#[utoipa::path(get, path = "/api/admin/users")]
async fn list(
    by: Authorized<may::ListUsers>,
    Db(db): Db,
    List(query): List<Users>,
) -> Answer<Listing<UserView>> {
    Ok(listing(user::list(&db, by.scope(), &query).await?))
}

/// Exports all users that the filters match, as far as one sees them.
#[utoipa::path(get, path = "/api/admin/users/export")]
async fn export(by: Authorized<may::ListUsers>, export: Export<Users>) -> Answer<Download> {
    let table = Table {
        words: words!("users"),
        columns: &[
            ("name", |row: &UserDetail, _| row.user.name.as_str().into()),
            ("email", |row, _| row.user.email.as_str().into()),
            ("tenant_id", |row, words| owner(row.user.tenant_id, row.tenant.as_deref(), words)),
            ("role_ids", |row, _| {
                let names: Vec<_> = row.roles.iter().map(|(_, name)| name.as_str()).collect();
                names.join(", ").as_str().into()
            }),
            ("narrowed", |row, words| words.yes_no(row.chosen.is_some())),
            ("status", |row, words| words.choice("status", row.status)),
            ("updated_at", |row, _| time(row.user.updated_at)),
        ],
    };
    let detailed = async |db: &_, rows| user::detailed(db, by.scope(), rows).await;
    Ok(export.table(by.scope(), &table, detailed).await?)
}

/// Creates a user, who signs in once he has accepted an invitation.
#[utoipa::path(post, path = "/api/admin/users")]
async fn create(
    by: Authorized<may::CreateUser>,
    Db(db): Db,
    Body(input): Body<UserInput>,
) -> Answer<Created<UserView>> {
    Ok(created(user::create(&db, by.scope(), input).await?))
}

/// Shows a user.
#[utoipa::path(get, path = "/api/admin/users/{id}")]
async fn view(by: Authorized<may::ViewUser>, Db(db): Db, Id(id): Id) -> Answer<Shown<UserView>> {
    Ok(shown(user::get(&db, by.scope(), id).await?))
}

/// Changes what is sent of a user. Nobody changes his own rights, nor who holds more than he.
#[utoipa::path(patch, path = "/api/admin/users/{id}")]
async fn change(
    by: Authorized<may::UpdateUser>,
    Db(db): Db,
    Id(id): Id,
    Body(patch): Body<UserPatch>,
) -> Answer<Shown<UserView>> {
    Ok(shown(user::change(&db, by.scope(), id, patch).await?))
}

/// Deletes a user; what he has made stays.
#[utoipa::path(delete, path = "/api/admin/users/{id}")]
async fn delete(by: Authorized<may::DeleteUser>, Db(db): Db, Id(id): Id) -> Answer<Done> {
    Ok(done(user::delete(&db, by.scope(), id).await?))
}

/// Invites a user by mail to choose his first password; the link is shown this once, earlier ones are void.
#[utoipa::path(post, path = "/api/admin/users/{id}/invite")]
async fn invite(
    by: Authorized<may::CreateUser>,
    Server(state): Server,
    Id(id): Id,
) -> Answer<Shown<Invitation>> {
    let now = now();
    let link = user::invite(&state.db, by.scope(), id, &state.settings.public_url(), now).await?;
    Ok(shown(Invitation { link, expires_at: now + link::invitation_lifetime() }))
}

/// Voids the invitation of a user.
#[utoipa::path(delete, path = "/api/admin/users/{id}/invite")]
async fn revoke_invitation(by: Authorized<may::CreateUser>, Db(db): Db, Id(id): Id) -> Answer<Done> {
    Ok(done(user::revoke_invitation(&db, by.scope(), id).await?))
}

/// Explains for every permission whether a user has it, and why.
#[utoipa::path(get, path = "/api/admin/users/{id}/rights")]
async fn rights(
    by: Authorized<may::ViewUser>,
    Db(db): Db,
    Id(id): Id,
) -> Answer<Shown<Whole<ExplainedPermission>>> {
    let explained = user::explain(&db, by.scope(), id).await?.into_iter().map(|found| {
        let roles = found.roles.into_iter().map(|(id, name)| RoleOfUser { id, name }).collect();
        let user::Explained { permission: name, held, chosen, ceiling, .. } = found;
        ExplainedPermission { name, held, roles, chosen, ceiling }
    });
    Ok(shown(Whole { data: explained.collect() }))
}

/// Something that a user may do.
#[derive(Serialize, ToSchema)]
pub(crate) struct HeldPermission {
    pub name: Permission,
}
