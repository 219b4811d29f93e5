//! Users of a tenant or of the platform; the e-mail address is unique, ignoring case. Users may change only
//! others who have no permission that they lack ([`store::grant`]), and never their own permissions.

mod granting;
mod invitation;
pub(crate) mod lock_out;
pub mod lookup;
mod notice;
pub mod status;

use std::collections::HashMap;

use lists::{
    Deletable, Detailed, Field, Listed, listed_reference,
    search::{self, SearchedColumns},
};
use mail::{Kind, outbox};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder,
    SqlErr,
};
use serde::Deserialize;
use store::{
    Database, Owner, Recorded, Resource, Scope, Scoped, Unique, Write,
    audit::Action,
    grant,
    scope::{Part, refuse_stale},
};
use tenancy::tenant::{self, Tenants};
use utoipa::ToSchema;
use validator::Validate;
use values::{
    Instant, Permission, PermissionSet, Phrase, Result, TenantId, UserId, Validated, Violations, fold,
    fold_email, now,
    rule::{self, printable},
    tidy,
};

use self::{
    granting::{Grant, check_rights, write_grant},
    lock_out::{end_sessions, lock_out},
};
use crate::{
    audit, codes, email_change,
    entity::{
        user::ActiveModel,
        user_permission::{self, Entity as UserPermissions},
        user_role::{self, Entity as UserRoles},
    },
    link,
    patch::non_null,
    permissions,
    rights::{self, PermissionSubject},
    role::{self, Roles},
    token,
};

pub use self::{
    granting::{PermissionExplanation, explain},
    invitation::{invite, revoke_invitation},
    notice::{wanting, wanting_notices},
};
pub use crate::entity::user::{Column, Entity as Users, ImportNotices, Model as User, Status};

impl Scoped for Users {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::TenantOrPlatform(Column::TenantId);
}

impl Recorded for Users {
    const RESOURCE: &'static Resource =
        &Resource::new::<Self>("users", Phrase { de: "Benutzer", en: "users" }, permissions::LIST_USERS)
            .refers(&[
                listed_reference::<Self, Tenants>("tenant_id"),
                listed_reference::<Self, Roles>("role_id"),
            ]);
    const PERSONAL: &'static [Column] = &[Column::Name, Column::Email];
    const UNNOTED: &'static [Column] = &[Column::EmailKey];
    const NAME: Column = Column::Name;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
    const UNIQUE: &'static [Unique] = &[Unique::new("user_email_key_key", "email", codes::EMAIL_TAKEN)];
}

impl Listed for Users {
    const FIELDS: &'static [Field] = &[
        Field::text("name", &Column::NameFold),
        Field::text("email", &Column::EmailFold),
        Field::search("search", &Column::NameFold, &SEARCHED),
        Field::choice("status", &Column::Status, Status::NAMES).unsorted(),
        Field::id("tenant_id", &Column::TenantId).optional(),
        Field::part_id("role_id", &user_role::Column::RoleId, &user_role::Column::UserId).optional(),
        Field::time("updated_at", &Column::UpdatedAt),
    ];
    const DEFAULT_SORT: &'static str = "name";
}

/// Search by name or e-mail address.
const SEARCHED: SearchedColumns = SearchedColumns {
    columns: &[&Column::NameFold, &Column::EmailFold],
    trigrams: None,
    references: &[],
    read: search::words,
    beginnings: None,
};

impl Part for UserRoles {
    type Whole = Users;
    const WHOLE: user_role::Column = user_role::Column::UserId;
}

impl Part for UserPermissions {
    type Whole = Users;
    const WHOLE: user_permission::Column = user_permission::Column::UserId;
}

/// Input to invite a user.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct UserInput {
    #[schema(min_length = 1, max_length = 255, example = "Eva Lindner")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub name: String,
    /// E-mail address; unique, ignoring case.
    #[schema(min_length = 1, max_length = 255, format = "email", example = "eva.lindner@nordstahl.example")]
    #[validate(length(min = 1, max = 255), custom(function = printable), custom(function = rule::email))]
    pub email: String,
    /// Tenant of the user; `null` for the platform. Users of a tenant invite only into their own.
    #[schema(value_type = Option<i64>)]
    pub tenant_id: Option<TenantId>,
    /// Roles of the platform or of the user's tenant. The caller must have all permissions of these roles,
    /// even those that the tenant may not have at present, or restrict the user with `permissions`.
    #[schema(max_items = 50)]
    #[validate(length(max = 50))]
    pub role_ids: Vec<i64>,
    /// Permissions of these roles that the user is restricted to; `null` for all of them.
    pub permissions: Option<Vec<Permission>>,
}

/// Input to change a user; fields that are left out stay unchanged.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct UserPatch {
    #[serde(default, deserialize_with = "non_null")]
    #[schema(nullable = false, min_length = 1, max_length = 255, example = "Eva Lindner")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub name: Option<String>,
    /// New e-mail address; ends the user's sessions.
    #[serde(default, deserialize_with = "non_null")]
    #[schema(
        nullable = false,
        min_length = 1,
        max_length = 255,
        format = "email",
        example = "eva.lindner@nordstahl.example"
    )]
    #[validate(length(min = 1, max = 255), custom(function = printable), custom(function = rule::email))]
    pub email: Option<String>,
    /// New roles. Added permissions end the user's sessions; so do those of the fields below.
    #[serde(default, deserialize_with = "non_null")]
    #[schema(nullable = false, max_items = 50)]
    #[validate(length(max = 50))]
    pub role_ids: Option<Vec<i64>>,
    /// Permissions of their roles that the user is restricted to.
    #[serde(default, deserialize_with = "non_null")]
    #[schema(nullable = false)]
    pub permissions: Option<Vec<Permission>>,
    /// `false`: the user has all permissions of their roles again.
    #[serde(default, deserialize_with = "non_null")]
    #[schema(nullable = false)]
    pub narrowed: Option<bool>,
    /// True if the user cannot sign in; ends their sessions and personal access tokens.
    #[serde(default, deserialize_with = "non_null")]
    #[schema(nullable = false)]
    pub disabled: Option<bool>,
    /// Version that was edited; rejected if it is older than the current one.
    #[serde(default, deserialize_with = "non_null")]
    #[schema(nullable = false)]
    pub version: Option<i64>,
}

tidy!(UserInput: trim name, email;);
tidy!(UserPatch: trim name, email;);

/// User with their roles and permissions.
#[derive(Debug, Clone)]
pub struct UserDetail {
    pub user: User,
    /// Current status; an invitation may have expired.
    pub status: Status,
    /// Company name of their tenant.
    pub tenant: Option<String>,
    /// Roles, sorted by name.
    pub roles: Vec<(i64, String)>,
    /// Chosen subset of permissions, if the user is restricted to one.
    pub chosen: Option<PermissionSet>,
    /// Current permissions.
    pub effective: PermissionSet,
    /// Time until which the invitation can be accepted.
    pub invited_until: Option<Instant>,
    /// True if the mail with the invitation could not be delivered.
    pub undelivered: bool,
    /// True if the caller may change the user, who then has no permission that the caller lacks.
    pub writable: bool,
}

/// Loads a user with their roles and permissions.
pub async fn get(db: &impl ConnectionTrait, scope: &Scope, id: i64) -> Result<UserDetail> {
    let user = scope.get::<Users>(db, id).await?;
    Ok(Users::detailed(db, scope, vec![user]).await?.remove(0))
}

/// Creates a user who cannot sign in until they accept an invitation and set a password.
pub async fn create(
    db: &Database,
    scope: &Scope,
    input: impl Into<Validated<UserInput>>,
) -> Result<UserDetail> {
    let (input, mut violations) = input.into().parts();
    let tx = db.begin().await?;
    let scope = &tenant_scope(&tx, scope, input.tenant_id).await?;
    let tenant = scope.tenant().ok();
    let person = person(Some(input.name), Some(input.email));
    let roles = Grant { role_ids: input.role_ids, chosen: input.permissions };
    check_rights(&mut violations, &tx, scope, tenant, &rights::UserPermissions::default(), &roles).await?;
    violations.check()?;
    let row = ActiveModel {
        password_hash: Set(None),
        status: Set(Status::NotInvited),
        narrowed: Set(roles.chosen.is_some()),
        language: Set(None),
        import_notices: Set(ImportNotices::Never),
        ..person
    };
    let user = scope.create::<Users>(&tx, row).await?;
    write_grant(&tx, scope, user.id, roles).await?;
    finish(tx, scope, user.id).await
}

/// Changes a user. A changed e-mail address is announced at both addresses, with links to this site.
pub async fn change(
    db: &Database,
    scope: &Scope,
    id: i64,
    patch: impl Into<Validated<UserPatch>>,
    site: &str,
) -> Result<UserDetail> {
    let patch = patch.into();
    let tx = db.begin().await?;
    let before = within_reach(&tx, scope, id).await?;
    refuse_stale(patch.version, before.user.version)?;
    let (UserPatch { name, email, role_ids, permissions, narrowed, disabled, version }, mut violations) =
        patch.parts();
    let regrants = role_ids.is_some() || permissions.is_some() || narrowed.is_some();
    if (regrants || disabled.is_some()) && scope.user() == Some(UserId(id)) {
        return Err(codes::OWN_RIGHTS.into());
    }
    let had_administrator = before.user.tenant_id.is_none() && rights::has_administrator(&tx).await?;
    let moved = email.as_deref().is_some_and(|email| fold_email(email) != before.user.email_key);

    let mut row = person(name, email);
    let roles = regrants.then(|| Grant {
        role_ids: role_ids.unwrap_or_else(|| before.roles.iter().map(|(id, _)| *id).collect()),
        chosen: match (narrowed, permissions) {
            (Some(false), _) => None,
            (_, Some(permissions)) => Some(permissions),
            (_, None) => before.chosen.map(|chosen| chosen.iter().collect()),
        },
    });
    if let Some(roles) = &roles {
        let current_permissions = rights::load_permissions(&tx, &[PermissionSubject::from(&before.user)])
            .await?
            .remove(&id)
            .unwrap_or_default();
        check_rights(&mut violations, &tx, scope, before.user.tenant_id, &current_permissions, roles).await?;
        row.narrowed = Set(roles.chosen.is_some());
    }
    violations.check()?;
    if let Some(disabled) = disabled {
        row.status = Set(match (disabled, &before.user.password_hash) {
            (true, _) => Status::Disabled,
            (false, Some(_)) => Status::Verified,
            (false, None) => Status::NotInvited,
        });
    }
    let updated = scope.update::<Users>(&tx, id, version, row).await?;
    if let Some(roles) = roles {
        write_grant(&tx, scope, id, roles).await?;
        // The session might be stolen, so it must not gain permissions.
        if !rights::effective(&tx, PermissionSubject::from(&updated)).await?.is_subset(before.effective) {
            end_sessions(&tx, id).await?;
        }
    }
    if moved || disabled == Some(true) {
        lock_out(&tx, id).await?;
    }
    if moved {
        email_change::announce(&tx, scope, &before.user, &updated, site, now()).await?;
    }
    if disabled == Some(true) {
        token::revoke_all(&tx, scope, id).await?;
    }
    rights::changed(&tx).await?;
    rights::require_remaining_administrator(&tx, had_administrator).await?;
    finish(tx, scope, id).await
}

impl Deletable for Users {
    /// Deletes a user with their sessions and views. Their work and history entries remain, without their
    /// name.
    async fn delete(db: &Database, scope: &Scope, id: i64) -> Result<()> {
        let tx = db.begin().await?;
        let before = within_reach(&tx, scope, id).await?;
        if scope.user() == Some(UserId(id)) {
            return Err(codes::OWN_RIGHTS.into());
        }
        let had_administrator = before.user.tenant_id.is_none() && rights::has_administrator(&tx).await?;
        scope.delete::<Self>(&tx, id).await?;
        audit::forget(&tx, id).await?;
        rights::changed(&tx).await?;
        rights::require_remaining_administrator(&tx, had_administrator).await?;
        tx.commit().await
    }
}

/// Scope of the tenant of a new user.
async fn tenant_scope(db: &impl ConnectionTrait, scope: &Scope, tenant: Option<TenantId>) -> Result<Scope> {
    let is_existing = match (scope.home(), tenant) {
        (_, None) => true,
        (Some(home), Some(tenant)) => home == tenant,
        (None, Some(tenant)) => tenant::get(db, scope, tenant.0).await.is_ok(),
    };
    if is_existing {
        Ok(scope.acting_for(tenant))
    } else {
        Err(Violations::error("tenant_id", codes::UNKNOWN_REFERENCE))
    }
}

/// Loads a user whom the caller may change: one who has no permission that the caller lacks.
pub(crate) async fn within_reach(db: &impl ConnectionTrait, scope: &Scope, id: i64) -> Result<UserDetail> {
    let detail = get(db, scope, id).await?;
    grant::require_authority_over(scope, detail.effective)?;
    Ok(detail)
}

fn person(name: Option<String>, email: Option<String>) -> ActiveModel {
    let mut row = ActiveModel { ..Default::default() };
    if let Some(name) = name {
        (row.name_fold, row.name) = (Set(fold(&name)), Set(name));
    }
    if let Some(email) = email {
        (row.email_key, row.email_fold, row.email) = (Set(fold_email(&email)), Set(fold(&email)), Set(email));
    }
    row
}

async fn finish(tx: Write, scope: &Scope, id: i64) -> Result<UserDetail> {
    let detail = get(&tx, scope, id).await?;
    tx.commit().await?;
    Ok(detail)
}

impl<C: ConnectionTrait> Detailed<C> for Users {
    type Detail = UserDetail;

    /// Loads the roles and permissions of users.
    #[expect(
        clippy::disallowed_methods,
        reason = "parts of rows that the caller has found through their scope"
    )]
    async fn detailed(db: &C, scope: &Scope, users: Vec<User>) -> Result<Vec<UserDetail>> {
        let tenants = users.iter().filter_map(|user| user.tenant_id);
        let companies: HashMap<TenantId, String> =
            tenant::companies(db, scope, tenants).await?.into_iter().collect();
        let holders: Vec<PermissionSubject> = users.iter().map(PermissionSubject::from).collect();
        let mut by_user = rights::load_permissions(db, &holders).await?;
        let role_ids =
            by_user.values().flat_map(|permissions| permissions.of_roles.iter().map(|(id, _)| *id));
        let roles =
            Roles::find().filter(role::Column::Id.is_in(role_ids)).order_by_asc(role::Column::NameFold);
        let roles = roles.all(db).await?;
        let invited = users.iter().filter(|user| user.status.is_invited()).map(|user| user.id);
        let links = link::invitations(db, invited.clone(), now()).await?;
        let undelivered = outbox::undelivered(db, invited, Kind::Invitation).await?;
        let detail = |user: User| {
            let permissions = by_user.remove(&user.id).unwrap_or_default();
            let own = |role: &&role::Role| permissions.of_roles.iter().any(|(id, _)| *id == role.id);
            let invited_until = links.get(&user.id).copied();
            UserDetail {
                status: match user.status {
                    status if status.is_invited() && invited_until.is_none() => Status::InvitationExpired,
                    status => status,
                },
                tenant: user.tenant_id.and_then(|tenant| companies.get(&tenant).cloned()),
                roles: roles.iter().filter(own).map(|role| (role.id, role.name.clone())).collect(),
                chosen: permissions.chosen,
                invited_until,
                undelivered: user.status == Status::InvitationPending && undelivered.contains(&user.id),
                effective: permissions.effective(),
                writable: permissions.effective().is_subset(scope.rights()),
                user,
            }
        };
        Ok(users.into_iter().map(detail).collect())
    }
}

/// Account that is created automatically: the first administrator, or a demo user.
#[derive(Debug, Clone, Validate)]
pub struct Account {
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub name: String,
    #[validate(length(min = 1, max = 255), custom(function = printable), custom(function = rule::email))]
    pub email: String,
    pub tenant_id: Option<TenantId>,
    pub role_ids: Vec<i64>,
    /// Hash of the password; `None` if the user sets it by a one-time link.
    pub password_hash: Option<String>,
}

tidy!(Account: trim name, email;);

/// Creates an account; only the platform may do so.
#[expect(clippy::disallowed_methods, reason = "users without tenant are owned by nobody")]
pub async fn enroll(db: &Database, scope: &Scope, input: impl Into<Validated<Account>>) -> Result<User> {
    if !scope.is_platform() {
        return Err(codes::PLATFORM_ONLY.into());
    }
    let input = input.into().valid()?;
    let tx = db.begin().await?;
    let now = now();
    let status = if input.password_hash.is_some() { Status::Verified } else { Status::NotInvited };
    let row = ActiveModel {
        tenant_id: Set(input.tenant_id),
        name_fold: Set(fold(&input.name)),
        name: Set(input.name),
        email_key: Set(fold_email(&input.email)),
        email_fold: Set(fold(&input.email)),
        email: Set(input.email),
        password_hash: Set(input.password_hash),
        status: Set(status),
        narrowed: Set(false),
        language: Set(None),
        import_notices: Set(ImportNotices::Never),
        version: Set(1),
        created_at: Set(now),
        updated_at: Set(now),
        ..Default::default()
    };
    let user = row.insert(&tx).await.map_err(|error| match error.sql_err() {
        Some(SqlErr::UniqueConstraintViolation(_)) => Violations::error("email", codes::EMAIL_TAKEN),
        _ => error.into(),
    })?;
    if !input.role_ids.is_empty() {
        let roles = input
            .role_ids
            .into_iter()
            .map(|role_id| user_role::ActiveModel { user_id: Set(user.id), role_id: Set(role_id) });
        user_role::Entity::insert_many(roles).exec_without_returning(&tx).await?;
    }
    scope.note::<Users>(&tx, Action::Created, None, Some(&user));
    rights::changed(&tx).await?;
    tx.commit().await?;
    Ok(user)
}
